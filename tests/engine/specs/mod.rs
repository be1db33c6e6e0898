//! Runs over specs: plan, implement, verify, with every way back.

mod budget;
mod commits;
mod configured;
mod evidence;
#[cfg(not(target_family = "wasm"))]
mod left;
mod listed;
mod reviews;
mod state;

use crate::engine::support::{SUMMARY, complete, write};
use loopgate::Error;
use loopgate::port::memory::{MemoryHost, MemoryShell, MemoryTool, ScriptedModel, Turn};
use loopgate::port::{AgentRole, GitPort, ModelRequest, PortErrorKind, ShellOutput, ToolAnswer};
use loopgate::run::{
    Envelope, Event, LimitOptions, PlanMode, RunControl, RunOptions, RunResult, SpecFact, StopReason, Verdict, Work,
    drive, find_unfinished,
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
    events: Vec<Envelope>,
    result: Result<RunResult, Error>,
}

impl Outcome {
    fn result(&self) -> &RunResult {
        self.result.as_ref().unwrap()
    }

    fn facts(&self) -> impl Iterator<Item = &SpecFact> {
        self.events.iter().filter_map(|envelope| match &envelope.event {
            Event::Specs(fact) => Some(fact),
            _ => None,
        })
    }

    fn roles(&self) -> Vec<AgentRole> {
        let roles = self.events.iter().filter_map(|envelope| match envelope.event {
            Event::IterationStarted { role, .. } => Some(role),
            _ => None,
        });
        roles.collect()
    }

    fn waits(&self) -> Vec<u64> {
        let waits = self.events.iter().filter_map(|envelope| match envelope.event {
            Event::Waited { ms } => Some(ms / 1000),
            _ => None,
        });
        waits.collect()
    }
}

/// A host whose run over its spec succeeds.
pub(crate) fn shipping_host() -> MemoryHost {
    Roles::new().host
}

pub(crate) fn options(id: &str) -> RunOptions {
    RunOptions {
        work: Work::Spec { path: None, force: false },
        ..RunOptions::task(id, "", crate::engine::support::registry())
    }
}

async fn run(host: &MemoryHost, options: RunOptions) -> Outcome {
    run_with(host, options, &RunControl::default()).await
}

async fn run_with(host: &MemoryHost, options: RunOptions, control: &RunControl) -> Outcome {
    let events = RefCell::new(Vec::new());
    let result = drive(host, options, control, &|envelope, _| events.borrow_mut().push(envelope.clone())).await;
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
async fn an_ordinary_failure_returns_the_candidate_with_the_feedback_also_in_a_new_run() {
    let findings = Turn::call(
        "complete_task",
        json!({ "verdict": "fix", "reason": "incomplete", "findings": ["src/foo.ts:1 exports nothing"] }),
    );
    let roles =
        Roles::with([plan("# Plan")], [build("foo"), build("export {}")], [findings.clone(), verdict("accept", "")]);
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
async fn a_second_answer_without_a_verdict_is_inconclusive_and_a_resume_repeats_only_the_verification() {
    let unreadable = || Turn::Text(r#"{"verdict":"maybe"}"#.to_owned());
    let roles = Roles::with([plan("# Plan")], [build("foo")], [unreadable(), unreadable(), verdict("accept", "")]);
    let outcome = run(&roles.host, options("run-1")).await;
    let error = outcome.result.as_ref().unwrap_err();
    assert_eq!((error.code, error.retryable), (loopgate::ErrorCode::Model, true));
    assert!(error.message.contains("inconclusive") && error.message.contains("maybe"), "{}", error.message);
    assert!(roles.prompts(Verifier)[1].contains("maybe"), "the second request says why the first answer was not read");
    assert_eq!(outcome.facts().filter(|fact| matches!(fact, SpecFact::AttemptFailed { .. })).count(), 0);
    let outcome = run(&roles.host, RunOptions { resume: true, ..options("run-1") }).await;
    assert!(outcome.result().success);
    assert_eq!((outcome.roles(), roles.prompts(Builder).len()), (vec![Verifier], 1));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_run_that_other_limits_ended_is_read_with_its_own() {
    for attempts in [3.0, 30.0] {
        let roles = Roles::with([Turn::Text("no".to_owned())], [], []);
        let mut first = options("run-1");
        (first.limits.max_attempts, first.limits.stall_threshold) = (Some(attempts), Some(100.0));
        let outcome = run(&roles.host, first).await;
        assert_eq!(outcome.result().reason, StopReason::MaxAttempts);
        assert_eq!(loopgate::run::find_unfinished(roles.host.project()).await.unwrap(), None);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_resume_with_lower_limits_is_a_fact_and_the_run_goes_on() {
    let limited = Turn::Fail(loopgate::port::PortErrorKind::Other);
    let roles =
        Roles::with([Turn::Text("no".to_owned()), limited, plan("# Plan")], [build("foo")], [verdict("accept", "")]);
    run(&roles.host, options("run-1")).await.result.unwrap_err();
    let mut again = RunOptions { resume: true, ..options("run-1") };
    again.limits.max_attempts = Some(1.0);
    let outcome = run(&roles.host, again).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let changed =
        |envelope: &Envelope| matches!(&envelope.event, Event::LimitsChanged { limits } if limits.max_attempts == 1);
    assert!(outcome.events.iter().any(changed));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_message_after_the_last_spec_is_more_work_for_it() {
    let roles = Roles::with([plan("# Plan")], [build("foo"), build("bar")], [verdict("accept", "")]);
    let (control, said) = (RunControl::default(), Cell::new(false));
    let listener = |envelope: &Envelope, _: &str| {
        if matches!(envelope.event, Event::Specs(SpecFact::SpecFinished { .. })) && !said.replace(true) {
            control.steering.borrow_mut().push("export bar as well".to_owned());
        }
    };
    assert!(drive(&roles.host, options("run-1"), &control, &listener).await.unwrap().success);
    assert!(roles.prompts(Builder)[1].contains("export bar as well"));
    assert!(roles.prompts(Verifier)[1].contains("export bar as well"), "the verifier judges it, too");
    assert_eq!(roles.host.text("src/foo.ts").as_deref(), Some("bar"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_message_of_the_user_before_the_end_is_more_work_for_the_implementer() {
    let roles = Roles::with([plan("# Plan")], [build("foo"), build("bar")], [verdict("accept", "")]);
    let control = RunControl::default();
    let said = Cell::new(false);
    let listener = |envelope: &Envelope, _: &str| {
        if let Event::Specs(SpecFact::VerdictGiven { .. }) = envelope.event
            && !said.replace(true)
        {
            control.steering.borrow_mut().push("export bar as well".to_owned());
        }
    };
    assert!(drive(&roles.host, options("run-1"), &control, &listener).await.unwrap().success);
    let prompts = roles.prompts(Builder);
    assert!(prompts.len() == 2 && prompts[1].contains("export bar as well"));
    assert_eq!((roles.prompts(Verifier).len(), roles.host.text("src/foo.ts").as_deref()), (2, Some("bar")));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_abort_ends_a_wait_at_once_and_the_run_resumes_with_the_same_attempt() {
    let roles =
        Roles::with([plan("# Plan")], [build("foo"), build("bar")], [verdict("fix", "wrong"), verdict("accept", "")]);
    let control = RunControl::default();
    let listener = |envelope: &Envelope, _: &str| {
        if let Event::WaitStarted { .. } = &envelope.event {
            control.abort.fire("enough");
        }
    };
    let result = drive(&roles.host, options("run-1"), &control, &listener).await.unwrap();
    assert_eq!(result.reason, StopReason::Aborted);
    let outcome = run(&roles.host, options("run-2")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Builder, Verifier]);
    assert!(roles.prompts(Builder)[1].contains("wrong"));
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
async fn a_project_without_specs_has_nothing_to_do_and_its_result_says_what_to_write() {
    for (files, words) in [(vec![], "0001-short-name.md"), (vec![("specs/notes.md", "# Notes")], "specs/notes.md")] {
        let host = MemoryHost::new([("index.html", "")]);
        let host = host.with(|ports| ports.model = Some(ScriptedModel::new([])));
        for (path, text) in files {
            host.put(path, text);
        }
        let outcome = run(&host, options("run-1")).await;
        assert_eq!(outcome.result().reason, StopReason::NothingToDo);
        assert!(outcome.result().message.contains(words), "{}", outcome.result().message);
        assert_eq!(outcome.result().success, words.contains("short-name"), "a file that cannot run is not done");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_task_after_a_run_over_specs_is_the_first_task_of_the_project() {
    let roles = Roles::new();
    assert!(run(&roles.host, options("run-1")).await.result().success);
    let task = crate::engine::support::options("run-2", PlanMode::Off);
    let turns = [Turn::calls([write("src/foo.ts", "more"), write(".ralph/summary.md", SUMMARY), complete()])];
    let host = roles.host.clone().with(|ports| ports.model = Some(ScriptedModel::new(turns)));
    let outcome = crate::engine::support::run_with(&host, task, &RunControl::default()).await;
    assert_eq!(outcome.result().snapshots.post.as_deref(), Some("task-1-post"), "{}", outcome.result().message);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn work_that_exceeds_the_tool_calls_of_an_iteration_continues_in_the_next_one() {
    let step = |path: &str| Turn::calls([write(path, "x")]);
    let done = || Turn::calls([complete()]);
    let limited = || RunOptions {
        limits: LimitOptions {
            max_tool_calls_per_iteration: Some(1.0),
            max_attempts: Some(1.0),
            ..LimitOptions::default()
        },
        ..options("run-1")
    };
    let roles =
        Roles::with([step(PLAN), done()], [step("src/a.ts"), step("src/b.ts"), done()], [verdict("accept", "")]);
    let outcome = run(&roles.host, limited()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(outcome.roles(), [Planner, Planner, Builder, Builder, Builder, Verifier]);

    let read = Turn::call("read_file", json!({ "path": "index.html" }));
    let roles = Roles::with([step(PLAN), done()], [read], [verdict("accept", "")]);
    assert_eq!(run(&roles.host, limited()).await.result().reason, StopReason::MaxAttempts);
    let endless: Vec<Turn> = (0..30).map(|number| step(&format!("src/{number}.ts"))).collect();
    let roles = Roles::with([step(PLAN), done()], endless, [verdict("accept", "")]);
    let outcome = run(&roles.host, limited()).await;
    assert_eq!((outcome.result().reason, outcome.result().iterations), (StopReason::MaxAttempts, 2 + 1 + 10));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_role_that_repeats_itself_gets_guidance_and_then_the_run_ends() {
    let limited = || RunOptions {
        limits: LimitOptions {
            max_tool_calls_per_iteration: Some(4.0),
            max_attempts: Some(50.0),
            ..LimitOptions::default()
        },
        ..options("run-1")
    };
    // The same plan again and again, never completed; the same file again and again.
    for (planner, builder, role, before) in [
        (Turn::calls([write(PLAN, "# Plan")]), build("foo"), Planner, 0),
        (plan("# Plan"), Turn::calls([write("src/a.ts", "x")]), Builder, 1),
    ] {
        let roles = Roles::with([planner], [builder], [verdict("accept", "")]);
        let outcome = run(&roles.host, limited()).await;
        assert_eq!((outcome.result().reason, outcome.result().success), (StopReason::Stalled, false));
        let calls = roles.host.model.as_ref().unwrap().requests().len();
        assert!(calls <= before + 4 * 8, "{role:?}: {calls} calls");
        let prompts = roles.prompts(role);
        let guided = prompts.iter().position(|prompt| prompt.contains("You appear stuck")).unwrap();
        assert!((3..=4).contains(&guided) && prompts[guided].contains("write_file"), "{role:?}: {guided}");
        assert!(prompts.last().unwrap().contains("next stall ends the run"), "{role:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_verifier_that_never_decides_ends_the_run() {
    let mut roles = Roles::with([plan("# Plan")], [build("foo")], []);
    let (host, planner, builder) = (roles.host.clone(), roles.planner.clone(), roles.builder.clone());
    let count = Cell::new(0);
    // Another program writes files all the time.
    roles.host.model = Some(ScriptedModel::answering(move |request| match request.role {
        Planner => next(&planner),
        Verifier => {
            count.set(count.get() + 1);
            host.put("log.txt", &count.get().to_string());
            verdict("accept", "")
        }
        _ => next(&builder),
    }));
    let outcome = run(&roles.host, options("run-1")).await;
    assert_eq!(outcome.result().reason, StopReason::Stalled, "{}", outcome.result().message);
    assert!(roles.prompts(Verifier).len() <= 8, "{}", roles.prompts(Verifier).len());
    assert!(outcome.result().message.contains("verifier"), "{}", outcome.result().message);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_texts_in_a_prompt_are_bounded_and_say_how_to_read_the_rest() {
    let long = |begin: &str| format!("# {begin}\n{}the end of {begin}\n", "x ".repeat(200_000));
    let roles = Roles::with([plan(&long("the plan"))], [build("foo")], [verdict("accept", "")]);
    roles.host.put(SPEC, &long("the spec"));
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    for (role, paths) in [(Planner, vec![SPEC]), (Builder, vec![SPEC, PLAN]), (Verifier, vec![SPEC, PLAN])] {
        let prompt = roles.prompts(role).remove(0);
        assert!(prompt.len() < 64 * 1024 * paths.len() + 32 * 1024, "{role:?}: {} bytes", prompt.len());
        for path in paths {
            assert!(prompt.contains(&format!("read_file {path} by lines")), "{role:?}: {path}");
        }
        assert!(prompt.contains("the end of the spec"), "{role:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_limit_ends_the_run_before_any_role_and_another_run_continues() {
    for max in [50.0, 150.0, 250.0] {
        let roles = Roles::new();
        let mut limited = options("run-1");
        limited.limits = LimitOptions { max_tokens: Some(max), ..LimitOptions::default() };
        let outcome = run(&roles.host, limited).await;
        assert_eq!(outcome.result().reason, StopReason::Budget, "{max}: {}", outcome.result().message);
        assert_eq!(find_unfinished(roles.host.project()).await.unwrap(), None, "{max}");
        assert!(run(&roles.host, options("run-2")).await.result().success, "{max}");
    }
}
