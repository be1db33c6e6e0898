//! Whose a change is when the page is closed in a call: a command that runs for minutes, and a user who works in the evening.

use crate::engine::chunks::{self, FOLDER, commit_all, done, revise, ship};
use crate::engine::specs::{self, SPEC};
use crate::engine::support::{Outcome, SUMMARY, complete, options, run_with, until, write};
use futures_util::future::select;
use loopgate::port::memory::{Fault, MemoryHost, MemoryShell, ScriptedModel, Turn};
use loopgate::port::{AgentRole, Answer, Decision, GitPort, ModelRequest, Question, QuestionKind, ShellOutput};
use loopgate::run::{
    Author, ChunkFact, Envelope, Event, PlanMode, RunControl, RunOptions, RunRef, StopReason, changes, drive, revert,
};
use loopgate::snapshot;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen_test::wasm_bindgen_test;

const BASE: &str = "export const tea = 1\n";
const MADE: &str = "src/made.ts";
const EVENING: [(&str, &str); 2] = [("src/app.ts", "export const tea = 1\n// in the evening\n"), ("own.txt", "mine\n")];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recipe {
    Task,
    Spec,
    Chunks,
}

/// Whose command runs when the page is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Builder,
    Verifier,
    /// A step of the verification.
    Verification,
}

use Recipe::{Chunks, Spec, Task};
use Who::{Builder, Verification, Verifier};

const SCENES: [(Recipe, Who); 7] = [
    (Task, Builder),
    (Task, Verification),
    (Spec, Builder),
    (Spec, Verifier),
    (Spec, Verification),
    (Chunks, Builder),
    (Chunks, Verification),
];

impl Who {
    /// What the call changed is taken back.
    fn is_undone(self) -> bool {
        self != Builder
    }
}

impl Recipe {
    fn options(self, who: Who, id: &str) -> RunOptions {
        let mut options = match self {
            Task => options(id, PlanMode::Off),
            Spec => specs::options(id),
            Chunks => chunks::options(id),
        };
        options.config.layer = Some(json!({
            "gates": { "only": ["has-summary"] },
            "git": { "commit": self == Spec },
            "reviews": { "deep": false, "final": false },
            "summaries": { "enabled": false },
            "verification": {
                "enabled": who == Verification,
                "steps": [{ "name": "Types", "command": "tsc", "timeoutMs": 600_000 }],
            },
        }));
        options
    }

    fn work(self) -> Turn {
        let work = write("src/work.ts", "w\n");
        match self {
            Task => Turn::calls([work, write(".ralph/summary.md", SUMMARY), complete()]),
            Spec => Turn::calls([work, complete()]),
            Chunks => Turn::calls([work, done("Done.")]),
        }
    }
}

/// A project over which one page after the other is opened.
struct Scene {
    recipe: Recipe,
    who: Who,
    host: MemoryHost,
    /// The first command hangs until its timeout; the second one hangs after it wrote its file, as the lease is renewed.
    hangs: Rc<Cell<bool>>,
    /// The lease when the file was written.
    lease: Rc<RefCell<Option<String>>>,
}

impl Scene {
    async fn new(recipe: Recipe, who: Who) -> Self {
        let mut host = MemoryHost::new([("src/app.ts", BASE), (".gitignore", "node_modules\n")]);
        match recipe {
            Task => {}
            Spec => host.put(SPEC, "# Foo\nExport foo.\n"),
            Chunks => {
                host.put(&format!("{FOLDER}/spec.md"), "# Shop\n");
                host.put(&format!("{FOLDER}/chunks.json"), &json!([chunks::chunk("a", &[])]).to_string());
            }
        }
        commit_all(&host, "refs/heads/main").await;
        host.clock.advance(60_000);
        let (hangs, lease, files) = (Rc::new(Cell::new(true)), Rc::new(RefCell::new(None)), host.clone());
        let (is_hanging, is_first, seen) = (hangs.clone(), Cell::new(true), lease.clone());
        host.shell = Some(MemoryShell::answering(move |_| {
            if !is_hanging.get() {
                return Some(Ok(ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }));
            }
            if !is_first.replace(false) {
                files.clock.advance(10);
                files.put(MADE, "by the command\n");
                files.clock.advance(10);
                seen.replace(files.text(".loopgate/lease"));
            }
            None
        }));
        let scene = Self { recipe, who, host, hangs, lease };
        scene.answer(vec![ship()])
    }

    /// The reviewer gives these answers.
    fn answer(mut self, reviews: Vec<Turn>) -> Self {
        let (recipe, who, hangs, at) = (self.recipe, self.who, self.hangs.clone(), Cell::new(0));
        let shell = || Turn::calls([("shell", json!({ "command": "make" }))]);
        let calls = move |is: Who| hangs.get() && who == is;
        self.host.model = Some(ScriptedModel::answering(move |request: &ModelRequest| match request.role {
            AgentRole::Planner => Turn::calls([write("specs/plans/0001-foo.md", "# Plan\n"), complete()]),
            AgentRole::Builder if calls(Builder) => shell(),
            AgentRole::Builder => recipe.work(),
            AgentRole::Verifier if calls(Verifier) => shell(),
            AgentRole::Verifier => Turn::call("complete_task", json!({ "verdict": "accept", "reason": "all there" })),
            AgentRole::Reviewer => reviews[at.replace(at.get() + 1).min(reviews.len() - 1)].clone(),
            _ => Turn::Text(String::new()),
        }));
        self
    }

    /// Closes the page in the command, once it was alive after the file was written.
    async fn close(&self) {
        self.close_while_editing(&[]).await;
    }

    /// As [`Self::close`]. Right before, the IDE says that the user edits these files.
    async fn close_while_editing(&self, edited: &[&str]) {
        let control = RunControl::default();
        let is_renewed = || self.lease.borrow().is_some() && *self.lease.borrow() != self.host.text(".loopgate/lease");
        let is_journaled = || edited.is_empty() || self.has_journaled("user-edits");
        let closes = async {
            until(is_renewed).await;
            control.edited.add(edited.iter().map(|path| (*path).to_owned()));
            until(is_journaled).await;
        };
        let run = Box::pin(run_with(&self.host, self.recipe.options(self.who, "run-1"), &control));
        select(run, Box::pin(closes)).await;
        self.hangs.set(false);
        self.host.clock.advance(3_600_000);
    }

    /// Whether the journal has a string.
    fn has_journaled(&self, string: &str) -> bool {
        let segments = self.host.fs.tree("/project/.loopgate/journal").into_values();
        segments.into_iter().any(|bytes| String::from_utf8_lossy(&bytes).contains(&format!("\"{string}\"")))
    }

    fn evening(&self) {
        EVENING.iter().for_each(|(path, text)| self.host.put(path, text));
        self.host.clock.advance(3_600_000);
    }

    async fn resume(&self, edited: &[&str], answers: Option<(&Question, Answer)>, config: Value) -> Outcome {
        let control = RunControl::default();
        control.edited.add(edited.iter().map(|path| (*path).to_owned()));
        let mut options = RunOptions { resume: true, ..self.recipe.options(self.who, "run-1") };
        options.answers.extend(answers.map(|(question, answer)| (question.id.clone(), answer)));
        if let (Some(layer), Some(more)) =
            (options.config.layer.as_mut().and_then(Value::as_object_mut), config.as_object())
        {
            layer.extend(more.clone());
        }
        run_with(&self.host, options, &control).await
    }

    /// The texts of all commits of all branches, except the user's first.
    async fn committed(&self) -> Vec<String> {
        let git = self.host.git.as_ref().unwrap();
        let mut texts = Vec::new();
        for (_, tip) in git.refs().into_iter().filter(|(name, _)| name.starts_with("refs/heads/")) {
            let mut next = Some(tip);
            while let Some(oid) = next {
                for path in ["src/app.ts", "own.txt", MADE, "src/work.ts"] {
                    let found = snapshot::read_file(&self.host, &oid, path).await.ok().flatten();
                    texts.extend(found.map(|text| String::from_utf8(text).unwrap()));
                }
                next = git.read_commit(&oid).await.unwrap().parents.first().cloned();
            }
        }
        texts
    }
}

fn unclear(outcome: &Outcome) -> Vec<String> {
    let files = outcome.events.iter().filter_map(|envelope| match &envelope.event {
        Event::ChangesUnclear { files, .. } => Some(files.iter().map(|file| file.path.clone())),
        _ => None,
    });
    files.flatten().collect()
}

fn whose(outcome: &Outcome) -> Option<Question> {
    outcome.result().questions.iter().find(|question| question.kind == QuestionKind::Whose).cloned()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_the_user_does_after_the_page_was_closed_in_a_call_stays_and_is_in_no_commit() {
    for (recipe, who) in SCENES {
        for case in 0..8 {
            let (resumes, is_edited, is_told) = (case & 1 > 0, case & 2 > 0, case & 4 > 0);
            let at = format!("{recipe:?}, {who:?}, resumed: {resumes}, edited: {is_edited}, told: {is_told}");
            let scene = Scene::new(recipe, who).await;
            scene.close().await;
            if is_edited {
                scene.evening();
            }
            let told: &[&str] = if is_told { &["src/app.ts", "own.txt", MADE] } else { &[] };
            let outcome = match resumes {
                true => scene.resume(told, None, json!({})).await,
                false => {
                    let control = RunControl::default();
                    control.edited.add(told.iter().map(|path| (*path).to_owned()));
                    run_with(&scene.host, recipe.options(who, "run-2"), &control).await
                }
            };
            let result = outcome.result.as_ref().unwrap_or_else(|error| panic!("{at}: {error}"));
            let asks = resumes && !is_told && recipe == Chunks && who == Builder;
            let reason = if asks { StopReason::Waiting } else { StopReason::Done };
            assert_eq!(result.reason, reason, "{at}: {}", result.message);
            if is_edited {
                for (path, text) in EVENING {
                    assert_eq!(scene.host.text(path).as_deref(), Some(text), "{at}: {path}");
                }
            }
            let is_undone = resumes && who.is_undone() && !is_told;
            assert_eq!(scene.host.text(MADE).is_none(), is_undone, "{at}");
            let expected: &[&str] = if resumes && !who.is_undone() && !is_told { &[MADE] } else { &[] };
            assert_eq!(unclear(&outcome), expected, "{at}");
            let names = |event: &Event| matches!(event, Event::Status { text } if text.contains(MADE));
            assert!(resumes || outcome.count(names) > 0, "{at}: a status names the file");
            let question = whose(&outcome);
            let files = question.map(|question| question.details["files"].clone());
            let of_question = json!([{ "path": MADE, "change": "created", "what": "shell" }]);
            assert_eq!(files, asks.then_some(of_question), "{at}");
            let committed = scene.committed().await;
            assert!(committed.iter().all(|text| !text.contains("evening") && text != "mine\n"), "{at}: {committed:?}");
            assert!(!committed.contains(&"by the command\n".to_owned()), "{at}: {committed:?}");
            if !asks && recipe != Task {
                assert!(committed.contains(&"w\n".to_owned()), "{at}: {committed:?}");
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_that_the_user_edits_in_a_call_is_the_users_although_the_page_is_closed_then() {
    for (recipe, who) in SCENES {
        let at = format!("{recipe:?}, {who:?}");
        let scene = Scene::new(recipe, who).await;
        scene.close_while_editing(&[MADE]).await;
        let outcome = scene.resume(&[], None, json!({})).await;
        let result = outcome.result.as_ref().unwrap_or_else(|error| panic!("{at}: {error}"));
        assert_eq!(result.reason, StopReason::Done, "{at}: {}", result.message);
        assert!(unclear(&outcome).is_empty(), "{at}");
        assert!(scene.host.text(MADE).is_some(), "{at}");
        assert!(!scene.committed().await.contains(&"by the command\n".to_owned()), "{at}");
        let is_named = |event: &Event| matches!(event, Event::UserChanged { files } if files[0].path == MADE);
        assert!(outcome.count(is_named) > 0, "{at}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_answer_or_an_edit_says_whose_a_change_is_before_it_is_shipped_or_reverted() {
    let answers = |value: Value| Answer { value: Some(value), ..Answer::allow() };
    let denied = Answer { decision: Decision::Deny, ..Answer::allow() };
    for (answer, is_agents) in [
        (Some(answers(json!({ MADE: "agent" }))), true),
        (Some(answers(json!("agent"))), true),
        (Some(answers(json!({ MADE: "user" }))), false),
        (Some(answers(json!({}))), false),
        (Some(denied.clone()), false),
        (Some(Answer { value: Some(json!("agent")), ..denied }), false),
        (None, false),
    ] {
        for is_revised in [false, true] {
            let at = format!("{answer:?}, revised: {is_revised}");
            let scene = Scene::new(Chunks, Builder).await.answer(if is_revised {
                vec![revise("No."), ship()]
            } else {
                vec![ship()]
            });
            scene.close().await;
            scene.evening();
            let asked = scene.resume(&[], None, json!({})).await;
            let question = whose(&asked).unwrap();
            assert!(question.text.contains(MADE) && !question.text.contains("own.txt"), "{}", question.text);
            assert_eq!(
                asked.count(|event| matches!(event, Event::Chunks(ChunkFact::AttemptRecorded { .. }))),
                0,
                "{at}"
            );
            let outcome = match &answer {
                Some(answer) => scene.resume(&[], Some((&question, answer.clone())), json!({})).await,
                None => scene.resume(&[MADE], None, json!({})).await,
            };
            let result = outcome.result.as_ref().unwrap_or_else(|error| panic!("{at}: {error}"));
            assert!(result.success && whose(&outcome).is_none(), "{at}: {}", result.message);
            let is_committed = scene.committed().await.contains(&"by the command\n".to_owned());
            assert_eq!(is_committed, is_agents && !is_revised, "{at}");
            assert_eq!(scene.host.text(MADE).is_some(), !(is_agents && is_revised), "{at}");
            for (path, text) in EVENING {
                assert_eq!(scene.host.text(path).as_deref(), Some(text), "{at}: {path}");
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_configuration_says_whose_unclear_changes_are() {
    for (recipe, setting, asks, is_committed) in [
        (Chunks, "user", false, false),
        (Chunks, "agent", false, true),
        (Spec, "ask", true, false),
        (Spec, "agent", false, true),
        (Task, "ask", true, false),
    ] {
        let scene = Scene::new(recipe, Builder).await;
        scene.close().await;
        scene.evening();
        let outcome = scene.resume(&[], None, json!({ "approvals": { "whose": setting } })).await;
        let at = format!("{recipe:?}, {setting}");
        let result = outcome.result.as_ref().unwrap_or_else(|error| panic!("{at}: {error}"));
        assert_eq!(whose(&outcome).is_some(), asks, "{at}: {}", result.message);
        assert_eq!(scene.committed().await.contains(&"by the command\n".to_owned()), is_committed, "{at}");
        assert_eq!(scene.host.text("own.txt").as_deref(), Some("mine\n"), "{at}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_answer_about_a_file_that_the_user_edited_meanwhile_is_accepted() {
    let scene = Scene::new(Chunks, Builder).await;
    scene.close().await;
    let question = whose(&scene.resume(&[], None, json!({})).await).unwrap();
    let answer = Answer { value: Some(json!({ MADE: "user" })), ..Answer::allow() };
    let outcome = scene.resume(&[MADE], Some((&question, answer)), json!({})).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert!(!scene.committed().await.contains(&"by the command\n".to_owned()));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_revert_takes_back_what_the_user_gave_to_the_call_and_nothing_else() {
    for (author, is_agents) in [("agent", true), ("user", false)] {
        let (scene, ask) = (Scene::new(Task, Builder).await, json!({ "approvals": { "whose": "ask" } }));
        scene.close().await;
        scene.evening();
        let question = whose(&scene.resume(&[], None, ask.clone()).await).unwrap();
        let answer = Answer { value: Some(json!(author)), ..Answer::allow() };
        let outcome = scene.resume(&[], Some((&question, answer)), ask).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        let of = RunRef::Run("run-1".to_owned());
        let by = changes(&scene.host, &of).await.unwrap().into_iter().find(|change| change.path == MADE).unwrap().by;
        assert_eq!(by, if is_agents { Author::Agent } else { Author::User });
        revert(&scene.host, &of, None).await.unwrap();
        assert_eq!(scene.host.text(MADE).is_some(), !is_agents, "{author}");
        for (path, text) in EVENING {
            assert_eq!(scene.host.text(path).as_deref(), Some(text), "{author}: {path}");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_answer_that_names_no_author_is_refused_and_changes_nothing() {
    let scene = Scene::new(Chunks, Builder).await;
    scene.close().await;
    let question = whose(&scene.resume(&[], None, json!({})).await).unwrap();
    for value in [json!("mine"), json!(1), json!({ MADE: "me" }), json!({ "src/other.ts": "user" })] {
        let answer = Answer { value: Some(value.clone()), ..Answer::allow() };
        let error = scene.resume(&[], Some((&question, answer)), json!({})).await.result.unwrap_err();
        assert_eq!(error.code, loopgate::ErrorCode::InvalidArgument, "{value}: {error}");
    }
    let answer = Answer { value: Some(json!("agent")), ..Answer::allow() };
    assert!(scene.resume(&[], Some((&question, answer)), json!({})).await.result().success);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_second_closed_page_does_not_make_the_evening_a_part_of_the_call() {
    let scene = Scene::new(Spec, Verifier).await;
    scene.close().await;
    scene.evening();
    // The page that resumes is closed at each of its first writes.
    for number in 0..40 {
        scene.host.fs.fail_write(number, Fault::Crash);
        let outcome = scene.resume(&[], None, json!({})).await;
        scene.host.fs.heal();
        scene.host.clock.advance(3_600_000);
        if outcome.result.is_ok() {
            break;
        }
        for (path, text) in EVENING {
            assert_eq!(scene.host.text(path).as_deref(), Some(text), "{number}: {path}");
        }
    }
    for (path, text) in EVENING {
        assert_eq!(scene.host.text(path).as_deref(), Some(text), "{path}");
    }
    assert!(!scene.committed().await.contains(&"by the command\n".to_owned()));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_crash_while_a_verification_is_taken_back_is_completed_and_the_evening_stays() {
    for recipe in [Task, Spec, Chunks] {
        let mut undone = 0;
        for number in 0..24 {
            let at = format!("{recipe:?}, {number}");
            let mut scene = Scene::new(recipe, Verification).await;
            let (files, is_first) = (scene.host.clone(), scene.hangs.clone());
            scene.host.shell = Some(MemoryShell::new(move |_| {
                if is_first.replace(false) {
                    files.clock.advance(10);
                    files.put(MADE, "by the command\n");
                    files.fs.fail_write(number, Fault::Crash);
                }
                ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
            }));
            scene.hangs.set(false);
            let is_first = Cell::new(true);
            let hangs = scene.hangs.clone();
            let listener = |envelope: &loopgate::run::Envelope, _: &str| {
                if matches!(envelope.event, Event::UnguardedStarted { .. }) && is_first.replace(false) {
                    hangs.set(true);
                }
            };
            let options = recipe.options(Verification, "run-1");
            let closed = loopgate::run::drive(&scene.host, options, &RunControl::default(), &listener).await;
            scene.host.fs.heal();
            if closed.is_ok() {
                break;
            }
            scene.host.clock.advance(3_600_000);
            scene.evening();
            let outcome = scene.resume(&[], None, json!({})).await;
            let result = outcome.result.as_ref().unwrap_or_else(|error| panic!("{at}: {error}"));
            assert!(result.success, "{at}: {}", result.message);
            for (path, text) in EVENING {
                assert_eq!(scene.host.text(path).as_deref(), Some(text), "{at}: {path}");
            }
            let is_undone = scene.host.text(MADE).is_none();
            undone += usize::from(is_undone);
            assert!(is_undone || format!("{:?}", outcome.events).contains(MADE), "{at}: an event names it");
        }
        assert!(undone > 0, "{recipe:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_commit_since_a_call_was_cut_off_is_named_and_stays() {
    for moves in [false, true] {
        let scene = Scene::new(Chunks, Builder).await;
        scene.close().await;
        if moves {
            commit_all(&scene.host, "refs/heads/spec/shop").await;
        }
        let tip = || scene.host.git.as_ref().unwrap().refs()["refs/heads/spec/shop"].clone();
        let before = tip();
        let outcome = scene.resume(&[], None, json!({ "approvals": { "whose": "user" } })).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        let names = |event: &Event| matches!(event, Event::Status { text } if text.contains("moved HEAD from"));
        assert_eq!(outcome.count(names), usize::from(moves));
        assert!(snapshot::branch::is_ancestor(&scene.host, &before, &tip()).await.unwrap());
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_the_ide_names_while_the_journal_is_written_is_kept_too() {
    let scene = Scene::new(Spec, Verifier).await;
    let control = RunControl::default();
    let more = control.edited.clone();
    let listener = move |envelope: &Envelope, _: &str| {
        if matches!(envelope.event, Event::UserEdits { .. }) {
            more.add([MADE.to_owned()]);
        }
    };
    let is_renewed = || scene.lease.borrow().is_some() && *scene.lease.borrow() != scene.host.text(".loopgate/lease");
    let closes = async {
        until(is_renewed).await;
        control.edited.add(["src/app.ts".to_owned()]);
        until(|| scene.has_journaled(MADE)).await;
    };
    let run = drive(&scene.host, Spec.options(Verifier, "run-1"), &control, &listener);
    select(Box::pin(run), Box::pin(closes)).await;
    scene.hangs.set(false);
    scene.host.clock.advance(3_600_000);
    scene.resume(&[], None, json!({})).await;
    assert!(scene.host.text(MADE).is_some());
}
