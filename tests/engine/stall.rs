//! A stalled agent gets guidance first; then the run fails and the project is rolled back.

use crate::engine::support::{Outcome, PLAN, SUMMARY, complete, options, run_scripted, run_with, text_of, work, write};
use loopgate::port::memory::{Fault, MemoryGate, MemoryHost, ScriptedModel, Turn};
use loopgate::port::{GateAnswer, PortErrorKind};
use loopgate::run::{Event, LimitOptions, PlanMode, RunControl, StopReason, TaskFact};
use loopgate::snapshot;
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen_test::wasm_bindgen_test;

const FEATURES: &str = "src/sections/FeaturesSection.tsx";

fn project() -> MemoryHost {
    MemoryHost::new([("index.html", "<h1>Drinks</h1>"), (FEATURES, "export const flavors = [1, 2]\n")])
}

fn plan() -> String {
    let section =
        r#"<Section gumdrop="features">{/* TASK-1 [ADD]: 2 flavors */}{/* EXISTING 8 flavors PRESERVED */}</Section>"#;
    PLAN.replace(r#"<Section gumdrop="features" />"#, section)
}

fn looks_at(path: &str) -> Turn {
    Turn::calls([("read_file", json!({ "path": path }))])
}

/// A turn, and one that ends the iteration without completing: a cut-off answer.
fn lap(turn: Turn) -> Vec<Turn> {
    vec![turn, Turn::Cut("and".to_owned()), Turn::Cut("and".to_owned()), Turn::Cut("and".to_owned())]
}

async fn run(host: &MemoryHost, turns: impl IntoIterator<Item = Turn>) -> (Outcome, ScriptedModel) {
    let model = ScriptedModel::new(turns);
    let host = host.clone().with(|ports| ports.model = Some(model.clone()));
    // The scripts do not write a valid app.
    let mut options = options("run-1", PlanMode::Auto);
    options.config.layer = Some(json!({ "gates": { "disabled": ["scope"] } }));
    (run_with(&host, options, &RunControl::default()).await, model)
}

/// `(section, marker, recovery)` of every stall.
fn stalls(outcome: &Outcome) -> Vec<(Option<&str>, Option<&str>, u32)> {
    let stalls = outcome.events.iter().filter_map(|envelope| match &envelope.event {
        Event::Task(TaskFact::StallDetected { section, marker, recovery, .. }) => {
            Some((section.as_deref(), marker.as_deref(), *recovery))
        }
        _ => None,
    });
    stalls.collect()
}

fn tags(host: &MemoryHost) -> Vec<String> {
    let short = |name: String| match name.strip_prefix("refs/loopgate/snapshots/") {
        Some(own) => own.replace('=', "/"),
        None => name.trim_start_matches("refs/tags/").to_owned(),
    };
    host.git.as_ref().unwrap().refs().into_keys().map(short).collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn three_iterations_without_progress_are_saved_and_answered_with_guidance() {
    let host = project();
    let mut turns = vec![Turn::calls([write(".ralph/plan.tsx", &plan())]), Turn::Text("planned".to_owned())];
    turns.extend((0..3).flat_map(|_| lap(looks_at(FEATURES))));
    turns.push(Turn::calls([
        write(FEATURES, "export const flavors = [1, 2, 3, 4]\n"),
        write(".ralph/summary.md", SUMMARY),
        complete(),
    ]));
    let (outcome, model) = run(&host, turns).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(stalls(&outcome), [(Some("features"), Some("ADD"), 1)]);
    assert_eq!(outcome.result().iterations, 5);
    let prompt = text_of(model.requests().last().unwrap());
    for words in [
        "## Stall Recovery (iteration 4)",
        "You appear stuck on: section features of screen main (src/sections/FeaturesSection.tsx)",
        "Plan marker: [ADD] 2 flavors",
        "create the 2 new items and append them to the existing list. The existing 8 items should not be touched.",
        "- read_file src/sections/FeaturesSection.tsx",
        "# Plan Validated",
    ] {
        assert!(prompt.contains(words), "{words:?} is missing in {prompt}");
    }
    assert!(tags(&host).contains(&"stall-1-recovery".to_owned()));
    let stuck = snapshot::read_file(&host, "stall-1-recovery", FEATURES).await.unwrap().unwrap();
    assert_eq!(stuck, b"export const flavors = [1, 2]\n");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn changes_of_the_project_or_the_gates_are_progress() {
    let host = project();
    let append =
        |n: u32| Turn::calls([("shell", json!({ "command": "echo >> log" })), write("src/log.ts", &n.to_string())]);
    let mut turns: Vec<Turn> = (0..8).flat_map(|n| lap(append(n))).collect();
    turns.push(Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()]));
    assert_eq!(stalls(&run(&host, turns).await.0), []);

    let mut host = project();
    let errors = Rc::new(Cell::new(4));
    host.gates = vec![MemoryGate::new("errors", move || {
        let left = errors.replace(errors.get() - 1);
        Ok(GateAnswer { pass: left == 0, feedback: Some(format!("{left} errors")) })
    })];
    let turns = (0..5).map(|_| Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()]));
    let (outcome, _) = run(&host, turns).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(stalls(&outcome), []);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn alternating_states_and_ineffective_attempts_are_stalls() {
    let finish = || Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()]);
    let back_and_forth = |n: u32| Turn::calls([write("src/a.ts", if n.is_multiple_of(2) { "on" } else { "off" })]);
    let this_and_that = |n: u32| looks_at(&format!("src/{n}.ts"));
    let laps: [(&dyn Fn(u32) -> Turn, u32); 2] = [(&back_and_forth, 4), (&this_and_that, 6)];
    for (turn, count) in laps {
        let mut turns: Vec<Turn> = (0..count).flat_map(|n| lap(turn(n))).collect();
        turns.push(finish());
        let (outcome, _) = run(&project(), turns).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        assert_eq!(stalls(&outcome), [(None, None, 1)]);
        let mut turns: Vec<Turn> = (0..count - 1).flat_map(|n| lap(turn(n))).collect();
        turns.push(finish());
        assert_eq!(stalls(&run(&project(), turns).await.0), [], "one iteration less is none");
    }
}

/// The user's files, without the harness's.
fn files(host: &MemoryHost) -> BTreeMap<String, Vec<u8>> {
    let own = |path: &str| path.contains("/.ralph/") || path.contains("/.loopgate/") || path.contains("/.git/");
    host.fs.tree("/project").into_iter().filter(|(path, _)| !own(path)).collect()
}

/// An agent that breaks the project and then only reads.
fn hopeless(host: &MemoryHost) -> ScriptedModel {
    let files = host.clone();
    ScriptedModel::answering(move |request| {
        if request.messages.len() > 2 {
            return Turn::Cut("and".to_owned());
        }
        if files.text(FEATURES).as_deref() != Some("gone") {
            return Turn::calls([
                write("src/broken.ts", "x"),
                write(FEATURES, "gone"),
                write(".ralph/summary.md", "hm"),
            ]);
        }
        looks_at(FEATURES)
    })
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_second_stall_rolls_back_and_fails_the_task() {
    let mut host = project();
    host.put(".ralph/plan.tsx", "of an earlier task");
    host.put(".ralph/theme.txt", "theme preset zen --apply");
    let before = files(&host);
    host.model = Some(hopeless(&host));
    let outcome = run_with(&host, options("run-1", PlanMode::Off), &RunControl::default()).await;
    let result = outcome.result();
    assert_eq!((result.reason, result.success, result.iterations), (StopReason::Stalled, false, 7));
    assert_eq!(stalls(&outcome).iter().map(|stall| stall.2).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(files(&host), before);
    assert_eq!(host.text(".ralph/plan.tsx").as_deref(), Some("of an earlier task"));
    assert_eq!(host.text(".ralph/theme.txt").as_deref(), Some("theme preset zen --apply"));
    assert_eq!(host.text(".ralph/status.txt").as_deref(), Some("failed"));
    assert_eq!(
        host.text(".ralph/feedback.md").as_deref(),
        Some(
            "Task 1 failed after 2 stall recoveries.\nThe changes of the task are rolled back to task-1-pre.\nConsider simplifying the task or \
             breaking it into smaller requests.\n"
        )
    );
    assert!(outcome.count(|event| matches!(event, Event::Task(TaskFact::SnapshotRestored { tag, deleted, .. }) if tag == "task-1-pre" && *deleted >= 1)) == 1);
    assert!(tags(&host).contains(&"stall-1-recovery".to_owned()) && !tags(&host).contains(&"task-1-post".to_owned()));
    snapshot::undo(&host).await.unwrap();
    assert_eq!(host.text(FEATURES).as_deref(), Some("gone"), "what the task did can be looked at");

    snapshot::undo(&host).await.unwrap();
    host.model = Some(ScriptedModel::new([Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()])]));
    let next = run_with(&host, options("run-2", PlanMode::Off), &RunControl::default()).await;
    assert!(next.result().success);
    let history = host.text(".ralph/task-history.md").unwrap();
    assert!(history.contains("- Task 1: (failed: the agent made no progress)"), "{history}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_git_or_a_previous_state_nothing_is_rolled_back_and_the_result_says_so() {
    for (mut host, why, events) in [
        (project().with(|ports| ports.git = None), "there is no git port", 0),
        (
            MemoryHost::new([]),
            "it was empty before the task; its files are unchanged, and saved as stall-1-recovery",
            2,
        ),
    ] {
        let model = hopeless(&host);
        host.model = Some(model.clone());
        let outcome = run_with(&host, options("run-1", PlanMode::Off), &RunControl::default()).await;
        assert_eq!(outcome.result().reason, StopReason::Stalled);
        let expected = "The next stall ends the task, and the project stays as it is.";
        assert!(model.requests().iter().any(|request| text_of(request).contains(expected)));
        let feedback = host.text(".ralph/feedback.md").unwrap();
        assert!(feedback.contains("Task 1 failed after 2 stall recoveries") && feedback.contains(why), "{feedback}");
        assert!(outcome.result().message.contains(why), "{}", outcome.result().message);
        assert_eq!(host.text("src/broken.ts").as_deref(), Some("x"));
        assert_eq!(outcome.count(|event| matches!(event, Event::Task(TaskFact::SnapshotRestored { .. }))), 0);
        let is_saved = |tag: &str| tag.starts_with("stall-1-recovery");
        let saved = |event: &Event| matches!(event, Event::SnapshotSaved { snapshot, .. } if is_saved(&snapshot.tag));
        assert_eq!(outcome.count(saved), events);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn rate_limits_and_aborts_count_neither_as_repetition_nor_as_progress() {
    let host = project();
    let limited = || Turn::Fail(PortErrorKind::RateLimited(Some(1_000)));
    let mut turns: Vec<Turn> = lap(looks_at("src/a.ts"));
    turns.extend([looks_at("src/a.ts"), limited()]);
    turns.extend(lap(looks_at("src/a.ts")));
    turns.extend([limited(), limited()]);
    let control = RunControl::default();
    let abort = control.abort.clone();
    let script = RefCell::new(turns.into_iter());
    let cut = host.clone().with(|ports| {
        ports.model = Some(ScriptedModel::answering(move |_| {
            script.borrow_mut().next().unwrap_or_else(|| {
                abort.fire("stop");
                Turn::Hang
            })
        }))
    });
    let outcome = run_with(&cut, options("run-1", PlanMode::Auto), &control).await;
    assert_eq!(outcome.result().reason, StopReason::Aborted);
    assert_eq!((outcome.result().iterations, stalls(&outcome)), (3, vec![]), "two that ended, and some that did not");

    let mut turns: Vec<Turn> = (0..2).flat_map(|_| lap(looks_at("src/a.ts"))).collect();
    turns.extend([Turn::calls([write("src/half.ts", "")]), limited(), limited()]);
    turns.extend(lap(looks_at("src/a.ts")));
    turns.extend(lap(looks_at("src/a.ts")));
    turns.push(Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()]));
    let (outcome, _) = run(&project(), turns).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(
        stalls(&outcome),
        [],
        "the files written before the model failed exist, so the third lap is not a repetition"
    );

    let mut turns: Vec<Turn> = (0..2).flat_map(|_| lap(looks_at("src/a.ts"))).collect();
    turns.extend([looks_at("src/b.ts"), limited(), limited()]);
    turns.extend(lap(looks_at("src/a.ts")));
    turns.push(Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()]));
    assert_eq!(stalls(&run(&project(), turns).await.0), [(None, None, 1)]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn resuming_with_lower_limits_does_not_punish_earlier_stalls() {
    const HALF: &str = "export const half = 'done'\n";
    let host = project();
    let mut turns: Vec<Turn> = vec![Turn::calls([write(FEATURES, HALF)])];
    turns.extend((0..10).flat_map(|_| lap(looks_at(FEATURES))));
    turns.push(Turn::Fail(PortErrorKind::Other));
    let mut options = options("run-1", PlanMode::Off);
    options.limits = LimitOptions { max_stall_recoveries: Some(10.0), ..LimitOptions::default() };
    let (first, _) = run_scripted(&host, options.clone(), turns).await;
    assert!(first.result.is_err() && stalls(&first).len() == 3, "{:?}", stalls(&first));

    options.limits = LimitOptions::default();
    options.resume = true;
    let turns = [Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()])];
    let (second, _) = run_scripted(&host, options, turns).await;
    assert!(second.result().success, "{}", second.result().message);
    assert_eq!(host.text(FEATURES).as_deref(), Some(HALF));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_caller_sets_the_stall_limits() {
    let mut host = project();
    host.model = Some(hopeless(&host));
    let mut options = options("run-1", PlanMode::Off);
    options.limits =
        LimitOptions { stall_threshold: Some(2.0), max_stall_recoveries: Some(1.0), ..LimitOptions::default() };
    let outcome = run_with(&host, options, &RunControl::default()).await;
    assert_eq!((outcome.result().reason, outcome.result().iterations), (StopReason::Stalled, 3));
    assert!(host.text(".ralph/feedback.md").unwrap().starts_with("Task 1 failed after 1 stall recovery.\n"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_stalled_run_with_a_crash_at_any_write_ends_like_an_uninterrupted_one() {
    let setup = || {
        let mut host = project();
        host.model = Some(hopeless(&host));
        let mut options = options("run-1", PlanMode::Off);
        options.limits = LimitOptions { stall_threshold: Some(2.0), ..LimitOptions::default() };
        (host, options)
    };
    let (whole, quick) = setup();
    let before = files(&whole);
    let reference = run_with(&whole, quick, &RunControl::default()).await;
    assert_eq!(reference.result().reason, StopReason::Stalled);
    let harness = [".ralph/feedback.md", ".ralph/status.txt", ".ralph/task-history.md", ".ralph/theme.txt"];
    // In a browser, each write would take minutes.
    let step = if cfg!(target_family = "wasm") { 7 } else { 1 };
    for fault in [Fault::Crash, Fault::Tear] {
        for at in (0..whole.fs.writes()).step_by(step) {
            let (host, options) = setup();
            host.fs.fail_write(at, fault);
            let mut outcome = run_with(&host, options.clone(), &RunControl::default()).await;
            host.fs.heal();
            if outcome.result.is_err() {
                let mut again = options;
                match loopgate::run::find_unfinished(host.project()).await.unwrap() {
                    Some(_) => again.resume = true,
                    None => again.run_id = "run-2".to_owned(),
                }
                outcome = run_with(&host, again, &RunControl::default()).await;
            }
            let place = format!("{fault:?} at write {at}");
            let result = outcome.result.unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(result.reason, StopReason::Stalled, "{place}");
            assert_eq!(files(&host), before, "{place}");
            for path in harness {
                assert_eq!(host.text(path), whole.text(path), "{place}: {path}");
            }
            // Undo points contain the time and iteration snapshots the run id, and a crash may lose one of either.
            let named = |host: &MemoryHost| {
                let is_named = |tag: &String| !tag.starts_with("manual-") && !tag.starts_with("refs/");
                tags(host).into_iter().filter(is_named).collect::<Vec<_>>()
            };
            assert_eq!(named(&host), named(&whole), "{place}");
            snapshot::undo(&host).await.unwrap();
            assert_eq!(host.text(FEATURES).as_deref(), Some("gone"), "{place}: the undo point holds what the task did");
        }
    }
}
