//! Runs over specs: plan, implement, verify, with every way back.

use crate::support::{complete, write};
use loopgate::Error;
use loopgate::port::memory::{MemoryHost, MemoryShell, MemoryTool, ScriptedModel, Turn};
use loopgate::port::{AgentRole, GitPort, ModelRequest, PortErrorKind, ShellOutput, ToolAnswer};
use loopgate::run::{
    LimitOptions, RunControl, RunOptions, RunResult, SpecEnvelope, SpecEvent, SpecFact, StopReason, Verdict, Work,
    drive_any, drive_specs, find_unfinished,
};
use loopgate::snapshot::{SaveOptions, save};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen_test::wasm_bindgen_test;

pub(crate) const SPEC: &str = "specs/0001-foo.md";
const PLAN: &str = "specs/plans/0001-foo.md";
const STATE: &str = "specs/plans/0001-foo.json";
const CANDIDATE: &str = "specs/candidates/0001-foo.json";
const DONE: &str = "specs/done/0001-foo.md";

/// What a role does in its next iterations: the last entry is repeated.
type Script = Rc<RefCell<VecDeque<Turn>>>;

/// A host whose roles follow scripts.
struct Roles {
    host: MemoryHost,
    planner: Script,
    builder: Script,
    verifier: Script,
}

fn plan(text: &str) -> Turn {
    Turn::calls([write(PLAN, text), complete()])
}

fn build(text: &str) -> Turn {
    Turn::calls([write("src/foo.ts", text), complete()])
}

fn verdict(verdict: &str, reason: &str) -> Turn {
    Turn::call("complete_task", json!({ "verdict": verdict, "reason": reason }))
}

fn next(script: &Script) -> Turn {
    let mut turns = script.borrow_mut();
    match turns.len() {
        0 | 1 => turns.front().cloned().unwrap_or(Turn::Text("nothing".to_owned())),
        _ => turns.pop_front().unwrap(),
    }
}

impl Roles {
    fn new() -> Self {
        Self::with([plan("# Plan: 0001-foo\n")], [build("foo")], [verdict("accept", "all there")])
    }

    fn with(
        planner: impl IntoIterator<Item = Turn>,
        builder: impl IntoIterator<Item = Turn>,
        verifier: impl IntoIterator<Item = Turn>,
    ) -> Self {
        let script = |turns: &mut dyn Iterator<Item = Turn>| Rc::new(RefCell::new(turns.collect::<VecDeque<_>>()));
        let mut roles = Self {
            host: MemoryHost::new([(SPEC, "# Foo\nExport foo.\n"), ("index.html", "<p>hi</p>")]),
            planner: script(&mut planner.into_iter()),
            builder: script(&mut builder.into_iter()),
            verifier: script(&mut verifier.into_iter()),
        };
        let (planner, builder, verifier) = (roles.planner.clone(), roles.builder.clone(), roles.verifier.clone());
        roles.host.model = Some(ScriptedModel::answering(move |request| {
            next(match request.role {
                AgentRole::Planner => &planner,
                AgentRole::Verifier => &verifier,
                _ => &builder,
            })
        }));
        roles
    }

    /// The prompts of a role, in order.
    fn prompts(&self, role: AgentRole) -> Vec<String> {
        let requests = self.host.model.as_ref().unwrap().requests();
        let first = |request: &&ModelRequest| request.role == role && request.messages.len() == 2;
        requests.iter().filter(first).map(|request| serde_json::to_string(&request.messages).unwrap()).collect()
    }

    fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.host.text(path).unwrap()).unwrap()
    }
}

struct Outcome {
    events: Vec<SpecEnvelope>,
    result: Result<RunResult, Error>,
}

impl Outcome {
    fn result(&self) -> &RunResult {
        self.result.as_ref().unwrap()
    }

    fn facts(&self) -> impl Iterator<Item = &SpecFact> {
        self.events.iter().filter_map(|envelope| match &envelope.event {
            SpecEvent::Recipe(fact) => Some(fact),
            _ => None,
        })
    }

    fn roles(&self) -> Vec<AgentRole> {
        let roles = self.events.iter().filter_map(|envelope| match envelope.event {
            SpecEvent::IterationStarted { role, .. } => Some(role),
            _ => None,
        });
        roles.collect()
    }

    fn waits(&self) -> Vec<u64> {
        let waits = self.events.iter().filter_map(|envelope| match envelope.event {
            SpecEvent::Waited { ms } => Some(ms / 1000),
            _ => None,
        });
        waits.collect()
    }
}

pub(crate) fn options(id: &str) -> RunOptions {
    RunOptions { work: Work::Spec { path: None, force: false }, ..RunOptions::task(id, "", crate::support::registry()) }
}

async fn run(host: &MemoryHost, options: RunOptions) -> Outcome {
    run_with(host, options, &RunControl::default()).await
}

async fn run_with(host: &MemoryHost, options: RunOptions, control: &RunControl) -> Outcome {
    let events = RefCell::new(Vec::new());
    let result = drive_specs(host, options, control, &|envelope, _| events.borrow_mut().push(envelope.clone())).await;
    Outcome { events: events.into_inner(), result }
}

use AgentRole::{Builder, Planner, Verifier};

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_spec_is_planned_implemented_verified_and_done() {
    let roles = Roles::new();
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier]);
    let state = roles.json(STATE);
    assert_eq!((&state["status"], &state["attempt"]), (&json!("active"), &json!(1)));
    assert!(roles.host.text(DONE).is_some_and(|text| text.contains("# Foo")));
    assert_eq!(roles.host.text(CANDIDATE), None);
    let logs: Vec<String> = roles.host.fs.tree("/project/runs/0001-foo").into_keys().collect();
    let names: Vec<_> = logs.iter().map(|path| path.rsplit('/').next().unwrap()).collect();
    assert_eq!(names, ["impl-attempt-1.log", "plan-attempt-1.log", "verify-1.log"], "{logs:?}");
    for role in [Builder, Verifier] {
        assert!(roles.prompts(role)[0].contains("# Plan: 0001-foo"), "{role:?}");
    }
    assert!(roles.prompts(Verifier)[0].contains("+foo"), "the verifier gets the difference");
    assert_eq!(outcome.result().snapshots.post.as_deref(), Some("spec/0001-foo/done"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_active_plan_is_used_and_a_plan_written_by_hand_is_adopted_unchanged() {
    let roles = Roles::new();
    roles.host.put(PLAN, "\u{feff}by hand\r\n");
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Builder, Verifier]);
    assert_eq!(roles.host.text(PLAN).as_deref(), Some("\u{feff}by hand\r\n"));
    assert_eq!(roles.json(STATE)["status"], "active");
    assert!(roles.prompts(Builder)[0].contains("by hand"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_plan_that_its_planner_did_not_complete_is_a_draft() {
    let incomplete = || Turn::calls([write(PLAN, "half a plan")]);
    let roles = Roles::with(
        [incomplete(), Turn::Text("I wrote something.".to_owned()), plan("# the plan")],
        [build("foo")],
        [verdict("accept", "")],
    );
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Planner, Planner, Builder, Verifier]);
    assert!(roles.prompts(Planner)[1].contains("half a plan"), "the next planner gets the draft");

    let roles = Roles::with([Turn::Hang], [build("foo")], [verdict("accept", "")]);
    let control = RunControl::default();
    roles.host.put(PLAN, "");
    let model = roles.host.model.clone().unwrap();
    let mut stuck = Box::pin(run_with(&roles.host, options("run-1"), &control));
    futures_util::future::select(&mut stuck, Box::pin(crate::support::until(|| model.used() == 1))).await;
    drop(stuck);
    // Another run instead of resuming: the plan that the planner left is still no plan.
    roles.host.put(PLAN, "left by a planner that was killed");
    *roles.planner.borrow_mut() = [plan("# the plan")].into();
    let outcome = run(&roles.host, options("run-2")).await;
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_invalidated_plan_is_archived_and_the_next_planner_has_it_with_the_reason() {
    let roles = Roles::with(
        [plan("# the first plan"), plan("# the second plan")],
        [build("foo"), build("bar")],
        [verdict("invalidate_plan", "wrong module"), verdict("accept", "")],
    );
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier, Planner, Builder, Verifier]);
    assert_eq!(roles.host.text("specs/plans/0001-foo.attempt-1.md").as_deref(), Some("# the first plan"));
    let (state, prompt) = (roles.json(STATE), roles.prompts(Planner)[1].clone());
    assert_eq!((&state["status"], &state["attempt"]), (&json!("active"), &json!(2)));
    assert!(prompt.contains("# the first plan") && prompt.contains("wrong module"));
    assert!(!roles.prompts(Builder)[1].contains("wrong module"), "the feedback is cleared");
    assert!(outcome.facts().any(|fact| matches!(fact, SpecFact::PlanInvalidated { attempt: 1, .. })));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_ordinary_failure_returns_the_candidate_with_the_feedback_also_in_a_new_run() {
    let findings = Turn::call(
        "complete_task",
        json!({ "verdict": "fix", "reason": "incomplete", "findings": ["src/foo.ts:1 exports nothing"] }),
    );
    let roles =
        Roles::with([plan("# Plan")], [build("foo"), build("export foo")], [findings.clone(), verdict("accept", "")]);
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier, Builder, Verifier]);
    assert!(roles.prompts(Builder)[1].contains("exports nothing"));
    assert_eq!(outcome.waits(), [2]);

    let roles = Roles::with([plan("# Plan")], [build("foo")], [findings]);
    let mut once = options("run-1");
    once.limits = LimitOptions { max_attempts: Some(1.0), ..LimitOptions::default() };
    assert_eq!(run(&roles.host, once).await.result().reason, StopReason::MaxAttempts);
    assert_eq!(roles.json(STATE)["status"], "active");
    *roles.verifier.borrow_mut() = [verdict("accept", "")].into();
    assert!(run(&roles.host, options("run-2")).await.result().success);
    assert!(roles.prompts(Builder)[1].contains("exports nothing"), "another run has the feedback");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_failing_model_repeats_only_the_verification() {
    for failure in [PortErrorKind::RateLimited(None), PortErrorKind::Timeout, PortErrorKind::Unavailable] {
        let roles = Roles::with([plan("# Plan")], [build("foo")], [Turn::Fail(failure), verdict("accept", "")]);
        let outcome = run(&roles.host, options("run-1")).await;
        assert!(outcome.result().success, "{failure:?}: {}", outcome.result().message);
        assert_eq!(outcome.roles(), [Planner, Builder, Verifier, Verifier], "{failure:?}");
    }
    // Any other failure ends the run; the candidate waits for its verification.
    let roles = Roles::with([plan("# Plan")], [build("foo")], [Turn::Fail(PortErrorKind::Other)]);
    assert!(run(&roles.host, options("run-1")).await.result.is_err());
    let candidate = roles.json(CANDIDATE);
    assert!(candidate["commit"].is_string() && roles.host.text(PLAN).is_some());
    *roles.verifier.borrow_mut() = [verdict("accept", "")].into();
    let outcome = run(&roles.host, options("run-2")).await;
    assert_eq!(outcome.roles(), [Verifier]);
    assert!(outcome.result().success);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_unreadable_verdict_is_no_verdict() {
    let other = Turn::call(
        "complete_task",
        json!({ "verdict": "accept", "reason": "", "candidate": "fedcba9876543210fedcba9876543210fedcba98" }),
    );
    let roles = Roles::with([plan("# Plan")], [build("foo")], [other, verdict("accept", "")]);
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier, Verifier]);
    let verdicts = outcome.facts().filter(|fact| matches!(fact, SpecFact::VerdictGiven { .. })).count();
    assert_eq!(verdicts, 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_candidate_needs_a_change_and_a_commit_that_it_names_must_be_the_working_tree() {
    let idle = Turn::calls([complete()]);
    let named = Turn::call("complete_task", json!({ "commit": "0123456789abcdef0123456789abcdef01234567" }));
    let roles = Roles::with([plan("# Plan")], [idle, build("foo"), named, build("foo")], [verdict("accept", "")]);
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Planner, Builder, Builder, Verifier]);
    assert!(roles.prompts(Builder)[1].contains("nothing is implemented"));

    let roles = Roles::with(
        [plan("# Plan")],
        [
            Turn::calls([
                write("src/foo.ts", "foo"),
                ("complete_task", json!({ "commit": "0123456789abcdef0123456789abcdef01234567" })),
            ]),
            build("foo"),
        ],
        [verdict("accept", "")],
    );
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert!(roles.prompts(Builder)[1].contains("does not exist"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_commit_that_the_implementer_names_must_be_head_and_have_every_file() {
    let roles = Roles::with([plan("# Plan")], [], [verdict("accept", "")]);
    let git = roles.host.git.clone().unwrap();
    let commit_of = async |host: &MemoryHost, name: &str| {
        let info = save(host, &SaveOptions { message: None, tag: Some(name.to_owned()) }).await.unwrap();
        info.oid
    };
    let old = commit_of(&roles.host, "old").await;
    roles.host.put("src/foo.ts", "foo");
    let head = commit_of(&roles.host, "head").await;
    git.write_ref("refs/heads/main", &head).await.unwrap();
    git.write_ref("HEAD", &head).await.unwrap();
    roles.host.fs.delete("/project/src/foo.ts");
    let named = |commit: &str, text: &str| {
        Turn::calls([write("src/foo.ts", text), ("complete_task", json!({ "commit": commit }))])
    };
    *roles.builder.borrow_mut() = [named(&old, "foo"), named(&head, "other"), named(&head[..10], "foo")].into();
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let prompts = roles.prompts(Builder);
    assert_eq!(prompts.len(), 3);
    assert!(prompts[1].contains("is not HEAD"), "{}", prompts[1]);
    assert!(prompts[2].contains("differs from commit") && prompts[2].contains("src/foo.ts"), "{}", prompts[2]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_archived_plan_is_never_overwritten_and_logs_are_numbered() {
    let roles = Roles::with(
        [plan("# the first plan"), plan("# the second plan")],
        [build("foo")],
        [verdict("invalidate_plan", "wrong module"), verdict("accept", "")],
    );
    let archive = "specs/plans/0001-foo.attempt-1.md";
    let control = RunControl::default();
    let events = RefCell::new(Vec::new());
    // Somebody writes an archive with the same number while the plan is active.
    let listener = |envelope: &SpecEnvelope, _: &str| {
        if let SpecEvent::Recipe(SpecFact::PlanAccepted { attempt: 1 }) = envelope.event {
            roles.host.put(archive, "mine");
        }
        events.borrow_mut().push(envelope.clone());
    };
    let result = drive_specs(&roles.host, options("run-1"), &control, &listener).await.unwrap();
    assert!(result.success);
    assert_eq!(roles.host.text(archive).as_deref(), Some("mine"));
    assert_eq!(roles.host.text("specs/plans/0001-foo.attempt-2.md").as_deref(), Some("# the first plan"));
    let logs = roles.host.fs.tree("/project/runs/0001-foo").into_keys();
    let names: Vec<String> = logs.map(|path| path.rsplit('/').next().unwrap().to_owned()).collect();
    let expected = ["impl-attempt-1", "impl-attempt-2", "plan-attempt-1", "plan-attempt-2", "verify-1", "verify-2"];
    assert_eq!(names, expected.map(|name| format!("{name}.log")));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_message_of_the_user_before_the_end_is_more_work_for_the_implementer() {
    let roles = Roles::with([plan("# Plan")], [build("foo"), build("bar")], [verdict("accept", "")]);
    let control = RunControl::default();
    let said = Cell::new(false);
    let listener = |envelope: &SpecEnvelope, _: &str| {
        if let SpecEvent::Recipe(SpecFact::VerdictGiven { .. }) = envelope.event
            && !said.replace(true)
        {
            control.steering.borrow_mut().push("export bar as well".to_owned());
        }
    };
    assert!(drive_specs(&roles.host, options("run-1"), &control, &listener).await.unwrap().success);
    let prompts = roles.prompts(Builder);
    assert!(prompts.len() == 2 && prompts[1].contains("export bar as well"));
    assert_eq!((roles.prompts(Verifier).len(), roles.host.text("src/foo.ts").as_deref()), (2, Some("bar")));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_closed_page_leaves_a_run_over_specs_that_is_found_and_resumed() {
    let roles = Roles::with([plan("# Plan")], [build("foo")], [Turn::Fail(PortErrorKind::Other)]);
    assert!(run(&roles.host, options("run-1")).await.result.is_err());
    let found = find_unfinished(&roles.host.fs, "/project").await.unwrap().unwrap();
    assert_eq!((found.run_id.as_str(), found.work, found.iteration), ("run-1", options("run-1").work, 3));
    *roles.verifier.borrow_mut() = [verdict("accept", "")].into();
    let again = RunOptions { resume: true, ..RunOptions::task("run-1", "", crate::support::registry()) };
    let (texts, control) = (RefCell::new(Vec::new()), RunControl::default());
    let listener = |json: &str| texts.borrow_mut().push(json.to_owned());
    let result = drive_any(&roles.host, again, &control, &listener).await.unwrap();
    assert!(result.success, "a resumed run has the kind of its journal");
    let texts = texts.into_inner();
    assert!(texts.iter().any(|json| json.contains("\"type\":\"spec-finished\"")));
    assert_eq!(find_unfinished(&roles.host.fs, "/project").await.unwrap(), None);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_abort_ends_a_wait_at_once_and_the_run_resumes_with_the_same_attempt() {
    let roles =
        Roles::with([plan("# Plan")], [build("foo"), build("bar")], [verdict("fix", "wrong"), verdict("accept", "")]);
    let control = RunControl::default();
    let listener = |envelope: &SpecEnvelope, _: &str| {
        if let SpecEvent::Status { text } = &envelope.event
            && text.starts_with("Waiting")
        {
            control.abort.fire("enough");
        }
    };
    let result = drive_specs(&roles.host, options("run-1"), &control, &listener).await.unwrap();
    assert_eq!(result.reason, StopReason::Aborted);
    let outcome = run(&roles.host, options("run-2")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Builder, Verifier]);
    assert!(roles.prompts(Builder)[1].contains("wrong"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_stale_candidate_never_verifies_a_new_plan() {
    let roles = Roles::with([plan("# Plan")], [build("foo")], [Turn::Fail(PortErrorKind::Other)]);
    assert!(run(&roles.host, options("run-1")).await.result.is_err());
    for plan_text in ["\u{feff}", ""] {
        roles.host.put(PLAN, plan_text);
        *roles.planner.borrow_mut() = [plan("# another plan")].into();
        let outcome = run(&roles.host, options(if plan_text.is_empty() { "run-3" } else { "run-2" })).await;
        assert_eq!(outcome.roles(), [Planner, Builder, Verifier]);
        let started = outcome.facts().find_map(|fact| match fact {
            SpecFact::SpecStarted { reason, attempt, .. } => Some((reason.clone(), *attempt)),
            _ => None,
        });
        let attempt = if plan_text.is_empty() { 3 } else { 2 };
        assert_eq!(started, Some((Some("plan file missing".to_owned()), attempt)));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn corrupt_state_is_set_aside_and_overwrites_nothing() {
    for corrupt in ["{\"status\": \"act", "{\"status\": \"x\"}", "7", r#"{"attempt": -1}"#] {
        let roles = Roles::new();
        roles.host.put(PLAN, "# my plan");
        roles.host.put(STATE, corrupt);
        roles.host.put("specs/plans/0001-foo.attempt-2.md", "an old plan");
        roles.host.put(CANDIDATE, corrupt);
        let outcome = run(&roles.host, options("run-1")).await;
        assert!(outcome.result().success);
        assert_eq!(roles.host.text(&format!("{STATE}.corrupt-1")).as_deref(), Some(corrupt));
        assert_eq!(roles.host.text(&format!("{CANDIDATE}.corrupt-1")).as_deref(), Some(corrupt));
        assert_eq!(roles.host.text("specs/plans/0001-foo.attempt-2.md").as_deref(), Some("an old plan"));
        assert_eq!(
            (roles.json(STATE)["attempt"].clone(), roles.host.text(PLAN).unwrap()),
            (json!(3), "# my plan".to_owned())
        );
    }
    let roles = Roles::new();
    roles.host.put(STATE, r#"{"version": 99}"#);
    let error = run(&roles.host, options("run-1")).await.result.unwrap_err();
    assert_eq!(error.code, loopgate::ErrorCode::Unsupported);
    assert_eq!(roles.host.text(STATE).as_deref(), Some(r#"{"version": 99}"#));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_the_planner_changes_besides_the_plan_is_reverted() {
    let mut roles = Roles::with(
        [
            Turn::calls([("meddle", json!({})), write(PLAN, "# Plan"), write("src/x.ts", "x"), complete()]),
            plan("# Plan"),
        ],
        [build("foo")],
        [verdict("accept", "")],
    );
    let host = roles.host.clone();
    let meddle = move |_: &Value| {
        host.put("index.html", "changed by the planner");
        host.put("src/new.ts", "new");
        Ok(ToolAnswer { ok: true, output: "done".to_owned() })
    };
    roles.host.tools = vec![MemoryTool::new("meddle", json!({ "type": "object" }), meddle)];
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Planner, Planner, Builder, Verifier]);
    assert_eq!(roles.host.text("index.html").as_deref(), Some("<p>hi</p>"));
    assert_eq!((roles.host.text("src/new.ts"), roles.host.text("src/x.ts")), (None, None));
    let prompt = &roles.prompts(Planner)[1];
    assert!(prompt.contains("index.html") && prompt.contains("took the change back"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_the_verifiers_commands_change_is_reverted() {
    let mut roles = Roles::with(
        [plan("# Plan")],
        [build("foo")],
        [
            Turn::calls([
                ("shell", json!({ "command": "fix" })),
                ("complete_task", json!({ "verdict": "accept", "reason": "" })),
            ]),
            Turn::calls([
                ("shell", json!({ "command": "test" })),
                ("complete_task", json!({ "verdict": "accept", "reason": "" })),
            ]),
        ],
    );
    let host = roles.host.clone();
    roles.host.shell = Some(MemoryShell::new(move |command| {
        if command == "fix" {
            host.put("src/foo.ts", "fixed")
        } else {
            host.put("coverage/x", "1")
        }
        ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    }));
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier, Verifier], "new files alone do not repeat it");
    assert_eq!((roles.host.text("src/foo.ts").as_deref(), roles.host.text("coverage/x")), (Some("foo"), None));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_change_by_the_user_during_the_verification_makes_a_new_candidate() {
    let mut roles = Roles::new();
    let (host, model, edited) = (roles.host.clone(), roles.host.model.clone().unwrap(), Rc::new(Cell::new(false)));
    let script = (roles.planner.clone(), roles.builder.clone(), roles.verifier.clone());
    roles.host.model = Some(ScriptedModel::answering(move |request| {
        if request.role == Verifier && !edited.replace(true) {
            host.put("src/mine.ts", "by the user");
        }
        next(match request.role {
            Planner => &script.0,
            Verifier => &script.2,
            _ => &script.1,
        })
    }));
    drop(model);
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier, Verifier]);
    assert_eq!(roles.host.text("src/mine.ts").as_deref(), Some("by the user"));
    assert!(roles.prompts(Verifier)[1].contains("by the user"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn attempts_wait_longer_each_time_and_end_with_the_limit() {
    let roles = Roles::with([plan("# Plan")], [build("foo")], [verdict("fix", "wrong")]);
    let mut eight = options("run-1");
    eight.limits = LimitOptions { max_attempts: Some(8.0), ..LimitOptions::default() };
    let outcome = run(&roles.host, eight).await;
    assert_eq!(outcome.result().reason, StopReason::MaxAttempts);
    assert_eq!(outcome.waits(), [2, 4, 8, 16, 32, 60, 60]);
    assert!(!outcome.result().success && roles.host.text(DONE).is_none());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn too_many_invalidated_plans_do_not_converge() {
    let roles = Roles::with([plan("# Plan")], [build("foo")], [verdict("invalidate_plan", "wrong module")]);
    let outcome = run(&roles.host, options("run-1")).await;
    assert_eq!(outcome.result().reason, StopReason::PlanNotConverging);
    assert_eq!(outcome.facts().filter(|fact| matches!(fact, SpecFact::PlanInvalidated { .. })).count(), 4);
    assert_eq!(roles.json(STATE)["status"], "invalidated");

    let roles = Roles::with([plan("# Plan")], [build("foo")], [verdict("invalidate_plan", "wrong module")]);
    let mut once = options("run-1");
    once.limits = LimitOptions { max_attempts: Some(1.0), ..LimitOptions::default() };
    assert_eq!(run(&roles.host, once).await.result().reason, StopReason::MaxAttempts);
    assert_eq!(roles.json(STATE)["status"], "invalidated");
    *roles.verifier.borrow_mut() = [verdict("accept", "")].into();
    let outcome = run(&roles.host, options("run-2")).await;
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier]);
    assert!(roles.prompts(Planner)[1].contains("wrong module"), "the next run has the reason");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_done_spec_runs_only_by_force_and_its_done_file_is_replaced_only_on_success() {
    let roles = Roles::new();
    assert!(run(&roles.host, options("run-1")).await.result().success);
    let outcome = run(&roles.host, options("run-2")).await;
    assert_eq!((outcome.result().reason, outcome.result().success), (StopReason::NothingToDo, true));
    let done = roles.host.text(DONE).unwrap();
    let forced = |id: &str| RunOptions { work: Work::Spec { path: Some(SPEC.to_owned()), force: true }, ..options(id) };
    *roles.verifier.borrow_mut() = [Turn::Fail(PortErrorKind::Other)].into();
    let mut outcome = run(&roles.host, forced("run-3")).await;
    assert!(outcome.result.is_err());
    assert_eq!(outcome.roles(), [Builder, Verifier]);
    assert_eq!(roles.host.text(DONE).as_ref(), Some(&done));
    roles.host.clock.advance(60_000);
    *roles.verifier.borrow_mut() = [verdict("accept", "again")].into();
    outcome = run(&roles.host, forced("run-4")).await;
    assert!(outcome.result().success);
    assert!(roles.host.text(DONE).is_some_and(|text| text != done && text.contains("again")));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_run_over_specs_needs_git_and_an_existing_spec() {
    let mut host = Roles::new().host;
    let missing =
        RunOptions { work: Work::Spec { path: Some("specs/0009-x.md".to_owned()), force: false }, ..options("run-1") };
    let error = run(&host, missing).await.result.unwrap_err();
    assert_eq!(error.code, loopgate::ErrorCode::NotFound);
    host.git = None;
    let error = run(&host, options("run-1")).await.result.unwrap_err();
    assert_eq!(error.code, loopgate::ErrorCode::Unsupported);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn no_run_over_specs_moves_head_or_the_branch() {
    let roles = Roles::new();
    let git = roles.host.git.clone().unwrap();
    let before = git.resolve_ref("HEAD").await.unwrap();
    assert!(run(&roles.host, options("run-1")).await.result().success);
    assert_eq!(git.resolve_ref("HEAD").await.unwrap(), before);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_line_protocol_is_read_where_a_model_calls_no_tool() {
    let host = Roles::new().host;
    let commit = {
        let host = host.clone();
        move || {
            serde_json::from_str::<Value>(&host.text(CANDIDATE).unwrap()).unwrap()["commit"]
                .as_str()
                .unwrap()
                .to_owned()
        }
    };
    let mut host = host;
    host.model = Some(ScriptedModel::answering(move |request| match (request.role, request.messages.len()) {
        (Planner, 2) => Turn::calls([write(PLAN, "# Plan")]),
        (Builder, 2) => Turn::calls([write("src/foo.ts", "foo")]),
        (Verifier, _) => Turn::Text(format!("Checked.\n{}\nLOOPGATE: COMPLETE\n", commit())),
        _ => Turn::Text("Done.\r\nLOOPGATE: COMPLETE\r\n\r\n".to_owned()),
    }));
    let outcome = run(&host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let accepted = |fact: &SpecFact| matches!(fact, SpecFact::VerdictGiven { verdict: Verdict::Accept, .. });
    assert!(outcome.facts().any(accepted));
}
