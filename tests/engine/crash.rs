//! The tab closes at any write. The resumed run ends like an uninterrupted one. Natively only: thousands of runs take minutes
//! in a browser, and how a run is resumed does not depend on the target.
#![cfg(not(target_family = "wasm"))]

use crate::engine::support::{PLAN, SUMMARY, complete, options, run_with, work, write};
use loopgate::port::memory::{Fault, MemoryGate, MemoryHost, MemoryShell, ScriptedModel, Turn};
use loopgate::port::{AgentRole, GateAnswer, Phase, ShellOutput};
use loopgate::run::{Envelope, Event, PlanMode, RunControl, RunOptions, RunResult, TaskFact, drive, find_unfinished};
use loopgate::task::ParsedBy;
use serde_json::json;
use std::collections::BTreeMap;

const HERO: &str = "export const hero = 1\n";
const FEATURES: &str = "export const features = 3\n";
const THEME: &str = "theme preset minimal --apply";

/// An agent that continues from the files, like every fresh context: it plans, builds in two steps, and completes. If the
/// theme is missing in BUILD, it applies the theme, as the feedback says.
pub(crate) fn project() -> MemoryHost {
    let mut host = MemoryHost::new([("index.html", "<h1>Drinks</h1>")]);
    let files = host.clone();
    host.model = Some(ScriptedModel::answering(move |request| {
        let mid_iteration = request.messages.len() > 2;
        let holds = |path: &str, text: &str| files.text(path).as_deref() == Some(text);
        if !holds(".ralph/plan.tsx", PLAN) {
            return Turn::calls([write(".ralph/plan.tsx", PLAN)]);
        }
        if !holds(".ralph/phase.txt", "build") {
            return Turn::Text("The plan is written.".to_owned());
        }
        if files.text("src/index.css").is_none() {
            return Turn::calls([("shell", serde_json::json!({ "command": THEME }))]);
        }
        if !holds("src/hero.ts", HERO) {
            return Turn::calls([write("src/hero.ts", HERO)]);
        }
        if mid_iteration && holds(".ralph/summary.md", SUMMARY) && holds("src/features.ts", FEATURES) {
            return Turn::calls([complete()]);
        }
        Turn::calls([write("src/features.ts", FEATURES), write(".ralph/summary.md", SUMMARY)])
    }));
    let files = host.clone();
    host.shell = Some(MemoryShell::new(move |command| {
        files.put("src/index.css", &format!("/* {command} */\nbody {{ margin: 0 }}\n"));
        ShellOutput { exit_code: 0, stdout: "applied".to_owned(), stderr: String::new() }
    }));
    let files = host.clone();
    host.gates = vec![MemoryGate::new("has-features", move || {
        Ok(GateAnswer { pass: files.text("src/features.ts").is_some(), feedback: None })
    })];
    host
}

/// The user's files and the harness's projections. Excludes the journal, the stat cache and the note of the theme, which
/// differ, and the iteration counter: an iteration that is repeated after its plan was accepted builds at once, so the run
/// has one fewer.
fn state(host: &MemoryHost) -> BTreeMap<String, Vec<u8>> {
    let differs = |path: &str| {
        path.contains("/.loopgate/") || path.ends_with("/.ralph/iteration.txt") || path.ends_with("/.ralph/theme.txt")
    };
    host.fs.tree("/project").into_iter().filter(|(path, _)| !differs(path)).collect()
}

/// The theme's command ran exactly once, and the harness's note claims no more than is known. Returns whether the harness
/// left the command to the agent.
fn check_theme(host: &MemoryHost, events: &[Envelope]) -> bool {
    assert_eq!(host.shell.as_ref().unwrap().commands(), [THEME]);
    let is_open = events.iter().any(|envelope| match &envelope.event {
        Event::Task(TaskFact::PlanContext { theme, feedback, .. }) if !theme.applied => {
            assert!(feedback.contains("may have been applied") && feedback.contains("src/index.css"), "{feedback}");
            true
        }
        _ => false,
    });
    assert_eq!(host.text(".ralph/theme.txt").as_deref(), Some(if is_open { "" } else { THEME }));
    is_open
}

/// The snapshot tags. Excludes iterations, because an iteration may be repeated.
fn tags(host: &MemoryHost) -> Vec<String> {
    host.git.as_ref().unwrap().refs().into_keys().filter(|name| !name.contains("/iterations/")).collect()
}

fn check_sequence(events: &[Envelope]) {
    let journaled = events.iter().filter(|e| !matches!(e.event, Event::TextDelta { .. }));
    for (index, envelope) in journaled.enumerate() {
        assert_eq!(envelope.seq, index as u64, "{envelope:?}");
    }
}

/// A run whose host failed at a write, and its continuation.
struct Survived {
    host: MemoryHost,
    events: Vec<Envelope>,
    result: RunResult,
    /// Whether the run was resumed. If not, it had no first fact and was started again, or nothing failed.
    is_resumed: bool,
    at: String,
}

/// Fails each write of a run in turn and continues the run; `check` inspects each end.
async fn break_everywhere(
    project: fn() -> MemoryHost,
    options: fn(&str) -> RunOptions,
    writes: u64,
    check: &mut dyn FnMut(Survived),
) {
    for fault in [Fault::Crash, Fault::Tear] {
        for write in 0..writes {
            let at = format!("{fault:?} at write {write}");
            let host = project();
            host.fs.fail_write(write, fault);
            let control = RunControl::default();
            let mut outcome = run_with(&host, options("run-1"), &control).await;
            host.fs.heal();
            let (mut events, mut is_resumed) = (outcome.events, false);
            if outcome.result.is_err() {
                let mut again = options("run-1");
                match find_unfinished(host.project()).await.unwrap() {
                    Some(found) => {
                        assert_eq!(found.run_id, "run-1");
                        (again.resume, is_resumed) = (true, true);
                    }
                    // The run failed before its first fact, so there is nothing to resume.
                    None => again.run_id = "run-2".to_owned(),
                }
                outcome = run_with(&host, again, &control).await;
                events.extend(outcome.events.iter().cloned());
            }
            let result = outcome.result.unwrap_or_else(|error| panic!("{at}: {error}"));
            assert!(result.success, "{at}: {}", result.message);
            check(Survived { host, events, result, is_resumed, at });
        }
    }
}

/// Checks that files and tags are as after an uninterrupted run.
fn check_alike(host: &MemoryHost, whole: &MemoryHost, at: &str) {
    let (found, expected) = (state(host), state(whole));
    let different: Vec<_> =
        found.keys().chain(expected.keys()).filter(|path| found.get(*path) != expected.get(*path)).collect();
    assert!(different.is_empty(), "{at}: {different:?} differ");
    assert_eq!(tags(host), tags(whole), "{at}");
}

#[tokio::test]
async fn a_run_with_a_crash_at_any_write_ends_like_an_uninterrupted_one() {
    let whole = project();
    let reference = run_with(&whole, options("run-1", PlanMode::Auto), &RunControl::default()).await;
    assert!(reference.result().success, "{}", reference.result().message);
    check_sequence(&reference.events);
    assert!(!check_theme(&whole, &reference.events));
    let (writes, mut resumed_runs, mut open_themes) = (whole.fs.writes(), 0, 0);
    let mut check = |survived: Survived| {
        let Survived { host, events, result, is_resumed, at } = survived;
        check_alike(&host, &whole, &at);
        assert!(result.iterations <= reference.result().iterations, "{at}");
        resumed_runs += u64::from(is_resumed);
        open_themes += u64::from(check_theme(&host, &events));
    };
    break_everywhere(project, |id| options(id, PlanMode::Auto), writes, &mut check).await;
    assert!(open_themes >= 2, "some crashes come while the theme's command runs: {open_themes}");
    assert!(resumed_runs > writes, "most crashes leave a run to resume: {resumed_runs} of {}", 2 * writes);
}

const TASK: &str = r#"{"type":"mutation","title":"More features","requirements":[
    {"marker":"ADD","description":"2 features for the night","count":2,"existing":8}]}"#;

/// The third task of a project changes the planned app. The model parses the message.
fn planned() -> MemoryHost {
    let mut host = MemoryHost::new([
        ("src/features.ts", "export const features = 8\n"),
        (".ralph/plan.tsx", PLAN),
        (".ralph/task-counter.txt", "2"),
        (".ralph/task-history.md", "- Task 1: Built it\n"),
        (".ralph/summary.md", "Changed it: 8 features."),
        (".ralph/theme.txt", THEME),
    ]);
    let files = host.clone();
    host.model = Some(ScriptedModel::answering(move |request| {
        let holds = |path: &str, text: &str| files.text(path).is_some_and(|found| found.contains(text));
        if request.role == AgentRole::Parser {
            return Turn::Text(TASK.to_owned());
        }
        let update = ("plan", serde_json::json!({ "action": "update" }));
        if !holds(".ralph/plan.tsx", "</App>") {
            return Turn::calls([write(".ralph/plan.tsx", PLAN), update]);
        }
        if !holds(".ralph/plan.tsx", "TASK-3 [ADD]") {
            return Turn::calls([update]);
        }
        if !holds(".ralph/phase.txt", "build") {
            return Turn::Text("The plan is up to date.".to_owned());
        }
        if request.messages.len() > 2 && holds("src/features.ts", "10") && holds(".ralph/summary.md", SUMMARY) {
            return Turn::calls([complete()]);
        }
        let work = write("src/features.ts", "export const features = 10\n");
        Turn::calls([work, write(".ralph/summary.md", SUMMARY)])
    }));
    host
}

fn mutation(id: &str) -> RunOptions {
    let mut options = RunOptions::task(id, "add 2 features for the night", crate::engine::support::registry());
    // The script does not write a valid app.
    options.config.layer = Some(json!({ "gates": { "disabled": ["scope"] } }));
    options
}

#[tokio::test]
async fn a_crash_at_any_write_does_not_parse_the_message_again() {
    let whole = planned();
    let reference = run_with(&whole, mutation("run-1"), &RunControl::default()).await;
    assert!(reference.result().success, "{}", reference.result().message);
    assert_eq!(
        whole.text(".ralph/task-history.md").as_deref(),
        Some("- Task 1: Built it\n- Task 2: Changed it: 8 features.\n")
    );
    let mut resumed_runs = 0;
    let mut check = |survived: Survived| {
        let Survived { host, events, is_resumed, at, .. } = survived;
        check_alike(&host, &whole, &at);
        let tasks: Vec<_> = events
            .iter()
            .filter_map(|envelope| match &envelope.event {
                Event::RunStarted(started) => {
                    let task = started.task.as_ref()?;
                    Some((task.parsed_by, task.title.as_str(), task.task_number))
                }
                _ => None,
            })
            .collect();
        assert!(tasks.iter().all(|task| *task == (ParsedBy::Model, "More features", 3)), "{at}: {tasks:?}");
        let asked = host.model.as_ref().unwrap().requests();
        let asked = asked.iter().filter(|request| request.role == AgentRole::Parser).count();
        assert!(
            !is_resumed || asked == 1,
            "{at}: a run that goes on asks the parser no more, but it was {asked} times"
        );
        resumed_runs += u64::from(is_resumed);
    };
    break_everywhere(planned, mutation, whole.fs.writes(), &mut check).await;
    assert!(resumed_runs > whole.fs.writes(), "{resumed_runs}");
}

#[tokio::test]
async fn a_reload_during_an_iteration_repeats_only_that_iteration() {
    let mut host = project();
    let agent = host.model.clone();
    host.model = Some(ScriptedModel::new([Turn::calls([write(".ralph/plan.tsx", PLAN)]), Turn::Hang]));
    let control = RunControl::default();
    // The page is closed: the future is dropped.
    let mut run = Box::pin(run_with(&host, options("run-1", PlanMode::Auto), &control));
    let model = host.model.clone().unwrap();
    let gone = crate::engine::support::until(|| model.used() == 2);
    futures_util::future::select(&mut run, Box::pin(gone)).await;
    drop(run);

    let found = find_unfinished(host.project()).await.unwrap().unwrap();
    assert_eq!((found.run_id.as_str(), found.iteration, found.phase), ("run-1", 1, Phase::Plan));
    host.model = agent;
    let mut again = options("run-1", PlanMode::Auto);
    again.resume = true;
    let outcome = run_with(&host, again, &RunControl::default()).await;
    assert!(outcome.result().success);
    assert!(matches!(outcome.events[0].event, Event::RunResumed { .. }));
    assert!(outcome.events[0].seq > 0, "the journal goes on");
    let plans = outcome.count(|event| matches!(event, Event::Task(TaskFact::PlanChecked { accepted: true, .. })));
    assert_eq!(plans, 1, "the plan that was written before the reload is seen");
    assert_eq!(find_unfinished(host.project()).await.unwrap(), None);
}

#[tokio::test]
async fn a_write_counts_as_work_even_if_the_record_of_its_end_was_lost() {
    let mut host = MemoryHost::new([("index.html", "<h1>Drinks</h1>"), ("src/a.ts", "")]);
    host.model = Some(ScriptedModel::new([Turn::calls([work()])]));
    let control = RunControl::default();
    let fs = host.fs.clone();
    let listener = |envelope: &Envelope, _: &str| {
        if let Event::ToolCall { .. } = envelope.event {
            // The journal has what the tool will write, and the write succeeds; the next one of the journal fails.
            fs.fail_write(2, Fault::Crash);
        }
    };
    assert!(drive(&host, options("run-1", PlanMode::Off), &control, &listener).await.is_err());
    host.fs.heal();
    assert!(host.text("src/hero.ts").is_some());
    let journal = host.fs.tree("/project/.loopgate/journal");
    assert!(!journal.values().any(|segment| String::from_utf8_lossy(segment).contains("file-changed")));

    host.model = Some(ScriptedModel::new([Turn::calls([write(".ralph/summary.md", SUMMARY), complete()])]));
    let mut again = options("run-1", PlanMode::Off);
    again.resume = true;
    let outcome = run_with(&host, again, &control).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
}

#[tokio::test]
async fn a_finished_run_cannot_be_resumed() {
    let host = project();
    assert!(run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await.result().success);
    let mut again = options("run-1", PlanMode::Auto);
    again.resume = true;
    let error = run_with(&host, again.clone(), &RunControl::default()).await.result.unwrap_err();
    assert_eq!(error.code, loopgate::ErrorCode::InvalidArgument);
    again.run_id = "run-9".to_owned();
    let error = run_with(&host, again, &RunControl::default()).await.result.unwrap_err();
    assert_eq!(error.code, loopgate::ErrorCode::NotFound);
}
