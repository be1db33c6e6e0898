//! Runs over chunks: execute, verify, review, SHIP or REVISE.

mod branches;
mod budget;
mod config;
mod git;
mod listed;
mod outputs;
mod ownership;
mod proposal;
mod questions;
mod reviews;
mod state;
mod steering;
mod verification;

use crate::engine::support::write;
use loopgate::port::memory::{MemoryHost, ScriptedModel, Turn};
use loopgate::port::{AgentRole, Commit, FsPort, GitPort, ModelRequest, Person};
use loopgate::run::{ChunkFact, Envelope, Event, RunControl, RunOptions, RunResult, StopReason, Work, drive};
use loopgate::snapshot::{SaveOptions, save};
use loopgate::{Error, ErrorCode};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use wasm_bindgen_test::wasm_bindgen_test;

pub(crate) const FOLDER: &str = ".handoff/specs/shop";

/// What a role does in its next turns: the last entry is repeated.
type Script = Rc<RefCell<VecDeque<Turn>>>;

/// A host whose roles follow scripts.
struct Roles {
    host: MemoryHost,
    builder: Script,
    reviewer: Script,
    summarizer: Script,
    planner: Script,
}

pub(crate) fn done(summary: &str) -> (&'static str, Value) {
    ("complete_task", json!({ "summary": summary }))
}

pub(crate) fn build(path: &str, text: &str) -> Turn {
    Turn::calls([write(path, text), done("Wrote it.")])
}

pub(crate) fn ship() -> Turn {
    Turn::Text(r#"{"decision":"SHIP","issues":[]}"#.to_owned())
}

pub(crate) fn revise(prompt: &str) -> Turn {
    let issue = json!({ "file": "src/a.ts", "lines": [3, 1], "type": "race_condition", "severity": "high",
        "description": "A race.", "suggestion": "Lock.", "agentPrompt": prompt });
    Turn::Text(json!({ "decision": "REVISE", "issues": [issue] }).to_string())
}

pub(crate) fn chunk(id: &str, dependencies: &[&str]) -> Value {
    json!({ "id": id, "title": format!("Add {id}"), "description": format!("Write src/{id}.ts."), "dependencies": dependencies })
}

fn next(script: &Script) -> Turn {
    let mut turns = script.borrow_mut();
    match turns.len() {
        0 | 1 => turns.front().cloned().unwrap_or(Turn::Text("nothing".to_owned())),
        _ => turns.pop_front().unwrap(),
    }
}

/// A committed project with these chunks.
pub(crate) async fn project(chunks: &Value) -> MemoryHost {
    let host = MemoryHost::new([]);
    commit_project(&host, chunks).await;
    host
}

/// Writes and commits the project.
pub(crate) async fn commit_project(host: &MemoryHost, chunks: &Value) {
    host.put("index.html", "<p>hi</p>\n");
    host.put(".gitignore", "node_modules\n");
    host.put(&format!("{FOLDER}/spec.md"), "# Shop\nSell things.\n");
    if !chunks.is_null() {
        host.put(&format!("{FOLDER}/chunks.json"), &chunks.to_string());
    }
    commit_all(host, "refs/heads/main").await;
}

/// Commits all files on a branch, and points HEAD to it.
pub(crate) async fn commit_all(host: &MemoryHost, branch: &str) -> String {
    let git = host.git.as_ref().unwrap();
    git.init().await.unwrap();
    let tree = save(host, &SaveOptions { tag: Some("setup".to_owned()), ..SaveOptions::default() }).await.unwrap().tree;
    let author = Person { name: "U".into(), email: "u@x".into(), timestamp: 1, timezone_offset: 0 };
    let parents = git.resolve_ref(branch).await.unwrap().into_iter().collect();
    let commit = git.write_commit(&Commit { tree, parents, message: "by the user\n".into(), author }).await.unwrap();
    git.write_ref(branch, &commit).await.unwrap();
    git.write_head(branch.strip_prefix("refs/heads/").unwrap()).await.unwrap();
    host.fs.flush().await.unwrap();
    commit
}

impl Roles {
    async fn new(
        chunks: Value,
        builder: impl IntoIterator<Item = Turn>,
        reviewer: impl IntoIterator<Item = Turn>,
    ) -> Self {
        let script = |turns: &mut dyn Iterator<Item = Turn>| Rc::new(RefCell::new(turns.collect::<VecDeque<_>>()));
        let mut roles = Self {
            host: project(&chunks).await,
            builder: script(&mut builder.into_iter()),
            reviewer: script(&mut reviewer.into_iter()),
            summarizer: script(&mut [Turn::Text(r#"{"summary":"It exists."}"#.to_owned())].into_iter()),
            planner: script(&mut [].into_iter()),
        };
        let (builder, reviewer) = (roles.builder.clone(), roles.reviewer.clone());
        let (summarizer, planner) = (roles.summarizer.clone(), roles.planner.clone());
        roles.host.model = Some(ScriptedModel::answering(move |request| {
            next(match request.role {
                AgentRole::Reviewer => &reviewer,
                AgentRole::Summarizer => &summarizer,
                AgentRole::Planner => &planner,
                _ => &builder,
            })
        }));
        roles
    }

    /// The first user messages of a role, in order.
    fn prompts(&self, role: AgentRole) -> Vec<String> {
        let requests = self.host.model.as_ref().unwrap().requests();
        let first = |request: &&ModelRequest| request.role == role && request.messages.len() == 2;
        let text = |request: &ModelRequest| {
            serde_json::to_value(&request.messages[1]).unwrap()["content"].as_str().unwrap().to_owned()
        };
        requests.iter().filter(first).map(text).collect()
    }

    fn record(&self, path: &str) -> String {
        let path = format!("{FOLDER}/iterations/{path}");
        self.host.text(&path).unwrap_or_else(|| panic!("{path} is missing"))
    }

    /// The project's own files with their texts.
    fn sources(&self) -> BTreeMap<String, String> {
        let tree = self.host.fs.tree("/project/src").into_iter();
        tree.map(|(path, bytes)| (path.replace("/project/", ""), String::from_utf8(bytes).unwrap())).collect()
    }

    /// The messages of HEAD's commits, the newest first, and the files of the newest.
    async fn history(&self) -> Vec<String> {
        let git = self.host.git.as_ref().unwrap();
        let mut next = git.resolve_ref("HEAD").await.unwrap();
        let mut titles = Vec::new();
        while let Some(oid) = next {
            let commit = git.read_commit(&oid).await.unwrap();
            titles.push(commit.message.lines().next().unwrap_or_default().to_owned());
            next = commit.parents.first().cloned();
        }
        titles
    }
}

#[derive(Debug)]
struct Outcome {
    events: Vec<Envelope>,
    result: Result<RunResult, Error>,
}

impl Outcome {
    #[track_caller]
    fn result(&self) -> &RunResult {
        self.result.as_ref().unwrap()
    }

    fn facts(&self) -> impl Iterator<Item = &ChunkFact> {
        self.events.iter().filter_map(|envelope| match &envelope.event {
            Event::Chunks(fact) => Some(fact),
            _ => None,
        })
    }

    fn count(&self, is: impl Fn(&ChunkFact) -> bool) -> usize {
        self.facts().filter(|fact| is(fact)).count()
    }
}

/// A host whose run over its two chunks succeeds, with this `.gitignore`.
pub(crate) async fn shipping_host(ignore: &str) -> MemoryHost {
    let attempts = [build("src/a.ts", "export const a = 1;\n"), build("src/b.ts", "export const b = 2;\n")];
    let roles = Roles::new(json!([chunk("a", &[]), chunk("b", &["a"])]), attempts, [ship()]).await;
    roles.host.put(".gitignore", ignore);
    commit_all(&roles.host, "refs/heads/main").await;
    roles.host
}

pub(crate) fn options(id: &str) -> RunOptions {
    let work = Work::Chunks { spec: "shop".to_owned(), only: None };
    RunOptions { work, ..RunOptions::task(id, "", crate::engine::support::registry()) }
}

async fn run(host: &MemoryHost, options: RunOptions) -> Outcome {
    let events = RefCell::new(Vec::new());
    let control = RunControl::default();
    let result = drive(host, options, &control, &|envelope, _| events.borrow_mut().push(envelope.clone())).await;
    Outcome { events: events.into_inner(), result }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn chunks_ship_in_the_order_of_their_dependencies_with_a_commit_each() {
    let chunks = json!([chunk("b", &["a"]), chunk("a", &[])]);
    let roles = Roles::new(
        chunks,
        [build("src/a.ts", "export const a = 1;\n"), build("src/b.ts", "export const b = 2;\n")],
        [ship()],
    )
    .await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.history().await, ["Add b", "Add a", "by the user"]);
    let git = roles.host.git.as_ref().unwrap();
    assert_eq!(git.current_branch().await.unwrap().as_deref(), Some("spec/shop"));
    assert_ne!(git.resolve_ref("refs/heads/main").await.unwrap(), git.resolve_ref("HEAD").await.unwrap());
    assert!(
        loopgate::snapshot::branch::dirty(&roles.host)
            .await
            .unwrap()
            .iter()
            .all(|change| change.path.starts_with(".handoff"))
    );
    let prompts = roles.prompts(AgentRole::Builder);
    assert!(!prompts[0].contains("Previous Work") && prompts[1].contains("Previous Work"), "{}", prompts[1]);
    assert!(prompts[1].contains("It exists.") && prompts[1].contains("src/a.ts") && !prompts[1].contains("Wrote it."));
    assert_eq!(roles.record("a/iteration-1/context.md"), prompts[0]);
    for name in [
        "output.md",
        "summary.json",
        "verification.json",
        "review.json",
        "review-quick.json",
        "review-deep.json",
        "changes.patch",
    ] {
        assert!(!roles.record(&format!("b/iteration-1/{name}")).is_empty(), "{name}");
    }
    assert!(
        roles
            .host
            .text(&format!("{FOLDER}/pull-request.md"))
            .is_some_and(|text| text.contains("# Shop") && text.contains("Add a"))
    );
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rejected_attempt_is_reverted_and_the_next_one_gets_the_findings() {
    let attempts = [build("src/a.ts", "racy\n"), build("src/a.ts", "safe\n")];
    let roles = Roles::new(json!([chunk("a", &[])]), attempts, [revise("Take the lock first."), ship()]).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.history().await, ["Add a", "by the user"]);
    assert_eq!(roles.sources()["src/a.ts"], "safe\n");
    let prompts = roles.prompts(AgentRole::Builder);
    assert!(prompts[1].contains("Take the lock first.") && prompts[1].contains("reverted"), "{}", prompts[1]);
    let (files, _) = prompts[1].split_once("## Feedback").unwrap();
    assert!(!files.contains("src/a.ts ("), "the rejected file is not listed: {files}");
    assert!(roles.record("a/iteration-1/changes.patch").contains("+racy"));
    assert!(roles.record("a/iteration-1/review.json").contains("race_condition"));
    assert!(roles.record("a/iteration-1/feedback.md").contains("Take the lock first."));
    let reverted =
        |fact: &ChunkFact| matches!(fact, ChunkFact::AttemptReverted { deleted, .. } if deleted == &["src/a.ts"]);
    assert_eq!(outcome.count(reverted), 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_chunk_fails_after_its_last_attempt_and_blocks_its_dependents() {
    let mut first = chunk("a", &[]);
    first["maxIterations"] = json!(2);
    let chunks = json!([first, chunk("b", &["a"]), chunk("c", &["b"]), chunk("x", &[])]);
    let attempts = [build("src/a.ts", "1\n"), build("src/a.ts", "2\n"), build("src/x.ts", "x\n")];
    let roles = Roles::new(chunks, attempts, [revise("No."), revise("Still no."), ship()]).await;
    let outcome = run(&roles.host, options("run-1")).await;
    let result = outcome.result();
    assert_eq!((result.success, result.reason), (false, StopReason::Blocked), "{}", result.message);
    assert!(
        ["\"Add a\" failed", "A race.", "\"Add b\" waits for \"Add a\"", "\"Add c\" waits for \"Add a\""]
            .iter()
            .all(|words| result.message.contains(words)),
        "{}",
        result.message
    );
    assert_eq!(roles.history().await, ["Add x", "by the user"], "an independent chunk goes on");
    assert_eq!(roles.sources().into_keys().collect::<Vec<_>>(), ["src/x.ts"]);
    let blocked = outcome.facts().find_map(|fact| match fact {
        ChunkFact::ChunkFailed { blocked, .. } => Some(blocked.clone()),
        _ => None,
    });
    assert_eq!(blocked.unwrap().len(), 2);

    // A new run tries the failed chunk again, with the last findings, and frees its dependents.
    *roles.builder.borrow_mut() = [build("src/a.ts", "3\n"), build("src/b.ts", "b\n"), build("src/c.ts", "c\n")].into();
    let outcome = run(&roles.host, options("run-2")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.history().await, ["Add c", "Add b", "Add a", "Add x", "by the user"]);
    assert!(roles.prompts(AgentRole::Builder)[3].contains("Still no."));
    assert!(roles.record("a/iteration-3/output.md").contains("Wrote it."), "earlier records stay");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_failure_ends_the_run_if_the_configuration_says_so() {
    let roles =
        Roles::new(json!([chunk("a", &[]), chunk("x", &[])]), [Turn::Text("I did it all.".to_owned())], [ship()]).await;
    roles.host.put(".handoff/config.yaml", "defaults: { stopOnFailure: true, maxIterations: 2 }\n");
    let outcome = run(&roles.host, options("run-1")).await;
    assert_eq!(outcome.result().reason, StopReason::MaxAttempts, "{}", outcome.result().message);
    assert_eq!(roles.history().await, ["by the user"]);
    assert_eq!(roles.prompts(AgentRole::Reviewer).len(), 0, "an attempt without changes is not reviewed");
    assert!(roles.prompts(AgentRole::Builder)[1].contains("changed no file"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_list_that_cannot_run_is_refused_before_any_model_call() {
    for (chunks, code, words) in [
        (json!([chunk("a", &["b"]), chunk("b", &["a"])]), ErrorCode::InvalidConfig, "a → b → a"),
        (json!([chunk("a", &["ghost"])]), ErrorCode::InvalidConfig, "ghost"),
        (json!([chunk("a", &[]), chunk("a", &[])]), ErrorCode::InvalidConfig, "two chunks"),
    ] {
        let roles = Roles::new(chunks, [], []).await;
        let error = run(&roles.host, options("run-1")).await.result.unwrap_err();
        assert_eq!(error.code, code);
        assert!(error.message.contains(words) && error.message.contains("chunks.json"), "{}", error.message);
        assert_eq!(roles.host.model.as_ref().unwrap().used(), 0);
    }
    let roles = Roles::new(json!([chunk("a", &[])]), [], []).await;
    for (spec, only, code) in [
        ("../x", None, ErrorCode::InvalidArgument),
        ("ghost", None, ErrorCode::NotFound),
        ("shop", Some(vec!["b".to_owned()]), ErrorCode::NotFound),
    ] {
        let work = Work::Chunks { spec: spec.to_owned(), only };
        let error = run(&roles.host, RunOptions { work, ..options("run-1") }).await.result.unwrap_err();
        assert_eq!(error.code, code, "{spec}: {}", error.message);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_empty_list_is_nothing_to_do_and_touches_no_branch() {
    let roles = Roles::new(json!([]), [], []).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert_eq!((outcome.result().success, outcome.result().reason), (true, StopReason::NothingToDo));
    assert_eq!(roles.host.git.as_ref().unwrap().current_branch().await.unwrap().as_deref(), Some("main"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_empty_selection_is_nothing_to_do_and_changes_nothing() {
    for chunks in [json!([chunk("a", &[])]), json!([]), json!(null)] {
        let roles = Roles::new(chunks.clone(), [build("src/a.ts", "a\n")], [ship()]).await;
        roles.host.put(".handoff/config.yaml", "rules: [Use pnpm]\n");
        let is_own = |path: &String| !path.starts_with("/project/.loopgate/");
        let files = || roles.host.fs.tree("/project").into_iter().filter(|(path, _)| is_own(path)).collect::<Vec<_>>();
        let before = (files(), snapshots(&roles.host).await);
        let work = Work::Chunks { spec: "shop".to_owned(), only: Some(Vec::new()) };
        let outcome = run(&roles.host, RunOptions { work, ..options("run-1") }).await;
        let result = outcome.result();
        assert_eq!((result.success, result.reason), (true, StopReason::NothingToDo));
        assert!(result.message.contains("`only` is empty"), "{}", result.message);
        assert_eq!(roles.host.model.as_ref().unwrap().used(), 0);
        assert_eq!((files(), snapshots(&roles.host).await), before, "{chunks}");
        let git = roles.host.git.as_ref().unwrap();
        assert_eq!(git.current_branch().await.unwrap().as_deref(), Some("main"));
        assert_eq!(git.resolve_ref("refs/heads/spec/shop").await.unwrap(), None);
    }
}

/// The tags of the project's snapshots.
async fn snapshots(host: &MemoryHost) -> Vec<String> {
    loopgate::snapshot::list(host).await.unwrap().into_iter().map(|snapshot| snapshot.tag).collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn only_the_named_chunks_run_and_a_later_run_does_the_rest() {
    let chunks = json!([chunk("a", &[]), chunk("b", &["a"])]);
    let roles = Roles::new(chunks, [build("src/a.ts", "a\n"), build("src/b.ts", "b\n")], [ship()]).await;
    let only = |id: &str| Work::Chunks { spec: "shop".to_owned(), only: Some(vec![id.to_owned()]) };
    let outcome = run(&roles.host, RunOptions { work: only("b"), ..options("run-1") }).await;
    assert_eq!(outcome.result().reason, StopReason::Blocked, "{}", outcome.result().message);
    let outcome = run(&roles.host, RunOptions { work: only("a"), ..options("run-2") }).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(outcome.count(|fact| matches!(fact, ChunkFact::PullRequestDrafted { .. })), 0);
    let outcome = run(&roles.host, options("run-3")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.history().await, ["Add b", "Add a", "by the user"]);
    assert!(roles.prompts(AgentRole::Builder)[1].contains("It exists."), "the summary survives the run");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_edited_chunk_runs_again() {
    let roles =
        Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n"), build("src/a.ts", "b\n")], [ship()]).await;
    assert!(run(&roles.host, options("run-1")).await.result().success);
    let mut edited = chunk("a", &[]);
    edited["description"] = json!("Write b into src/a.ts.");
    roles.host.put(&format!("{FOLDER}/chunks.json"), &json!([edited]).to_string());
    assert!(run(&roles.host, options("run-2")).await.result().success);
    assert_eq!(roles.history().await, ["Add a", "Add a", "by the user"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_an_answer_of_the_summarizer_the_commit_is_the_summary() {
    let chunks = json!([chunk("a", &[]), chunk("b", &["a"])]);
    let roles =
        Roles::new(chunks, [build("src/a.ts", "export function login() {}\n"), build("src/b.ts", "b\n")], [ship()])
            .await;
    *roles.summarizer.borrow_mut() = [Turn::Fail(loopgate::port::PortErrorKind::RateLimited(None))].into();
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let prompt = &roles.prompts(AgentRole::Builder)[1];
    assert!(
        ["made from the changed files", "src/a.ts", "login"].iter().all(|words| prompt.contains(words)),
        "{prompt}"
    );
    assert!(roles.record("a/iteration-1/summary.json").contains(r#""fallback": true"#));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_executor_gets_what_the_codebase_consists_of_and_the_files_to_check() {
    let mut first = chunk("a", &[]);
    first["relevantFiles"] = json!(["src/Menu.tsx", "src/missing.ts"]);
    let roles = Roles::new(json!([first]), [build("src/a.ts", "a\n")], [ship()]).await;
    roles.host.put("package.json", r#"{"dependencies":{"react":"19","vite":"7"},"packageManager":"pnpm@10"}"#);
    roles
        .host
        .put("src/Menu.tsx", "export interface Drink { name: string }\nexport function Menu() { return <ul /> }\n");
    assert!(run(&roles.host, options("run-1")).await.result().success);
    let prompt = &roles.prompts(AgentRole::Builder)[0];
    for words in ["React", "pnpm", "Drink", "Menu", "- src/Menu.tsx\n", "- src/missing.ts (does not exist yet)"] {
        assert!(prompt.contains(words), "{words}: {prompt}");
    }
    assert!(roles.host.text(&format!("{FOLDER}/codebase-analysis.json")).is_some_and(|text| text.contains("Menu")));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_executor_that_repeats_itself_gets_guidance_and_then_the_run_ends() {
    let again = Turn::calls([write("src/a.ts", "x\n")]);
    let roles = Roles::new(json!([chunk("a", &[])]), [again], [ship()]).await;
    let mut limited = options("run-1");
    limited.limits.max_tool_calls_per_iteration = Some(4.0);
    let outcome = run(&roles.host, limited).await;
    assert_eq!(outcome.result().reason, StopReason::Stalled, "{}", outcome.result().message);
    let prompts = roles.prompts(AgentRole::Builder);
    assert!(prompts.len() <= 8 && prompts.last().unwrap().contains("You appear stuck"), "{}", prompts.len());
    assert!(!roles.sources().contains_key("src/a.ts"), "the attempt is taken back");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_long_description_is_bounded_in_the_prompts_and_says_where_the_rest_is() {
    let mut long = chunk("a", &[]);
    long["description"] = json!(format!("{}the end", "x ".repeat(200_000)));
    let roles = Roles::new(json!([long]), [build("src/a.ts", "a\n")], [ship()]).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    for role in [AgentRole::Builder, AgentRole::Reviewer] {
        let prompt = roles.prompts(role).remove(0);
        assert!(prompt.len() < 100_000, "{role:?}: {} bytes", prompt.len());
        assert!(prompt.contains("/chunks.json by lines") && prompt.contains("the end"), "{role:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn no_text_for_a_role_of_a_chunk_points_to_files_of_a_task() {
    let refused = Turn::calls([
        write(".handoff/config.yaml", "x"),
        write(&format!("{FOLDER}/iterations/state.json"), "x"),
        write(".git/config", "x"),
        ("plan", json!({ "action": "validate" })),
        ("shell", json!({ "command": "ls" })),
    ]);
    let turns = [refused, Turn::Text(String::new()), build("src/a.ts", "a\n")];
    let roles = Roles::new(json!([chunk("a", &[])]), turns, [ship()]).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    for request in roles.host.model.as_ref().unwrap().requests() {
        let text = format!("{:?} {:?}", request.messages, request.tools);
        assert!(!text.contains(".ralph"), "{:?}: {text}", request.role);
    }
}
