//! Snapshots of iterations.

use crate::engine::support::{SUMMARY, complete, options, run, run_with, write};
use loopgate::port::ShellOutput;
use loopgate::port::memory::{Fault, MemoryGit, MemoryHost, MemoryShell, ScriptedModel, Turn};
use loopgate::run::{Envelope, Event, PlanMode, RunControl, RunOptions, drive};
use loopgate::snapshot;
use serde_json::json;
use std::cell::RefCell;
use wasm_bindgen_test::wasm_bindgen_test;

fn project() -> MemoryHost {
    MemoryHost::new([("index.html", "<h1>Drinks</h1>"), ("src/a.ts", "start")])
}

fn name(number: u32) -> String {
    format!("refs/loopgate/iterations/run-1/{number}")
}

/// Two iterations that end at the length limit, and one that completes.
fn turns() -> Vec<Turn> {
    let cut = || [Turn::Cut("a".to_owned()), Turn::Cut("b".to_owned()), Turn::Cut("c".to_owned())];
    let mut turns = Vec::new();
    for text in ["one", "two"] {
        turns.push(Turn::calls([write("src/a.ts", text)]));
        turns.extend(cut());
    }
    turns.push(Turn::calls([write("src/a.ts", "three"), write(".ralph/summary.md", SUMMARY), complete()]));
    turns
}

fn saved(events: &[Envelope]) -> Vec<String> {
    let tags = events.iter().filter_map(|envelope| match &envelope.event {
        Event::SnapshotSaved { snapshot, .. } => Some(snapshot.tag.clone()),
        _ => None,
    });
    tags.collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn every_iteration_can_be_restored() {
    let host = project();
    let outcome = run(&host, turns()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let expected = ["task-1-pre".to_owned(), name(1), name(2), name(3), "task-1-post".to_owned()];
    assert_eq!(saved(&outcome.events), expected);
    assert_eq!(outcome.result().snapshots.post.as_deref(), Some("task-1-post"));
    for (number, text) in [(2, "two"), (1, "one"), (3, "three")] {
        snapshot::rollback(&host, &name(number), false).await.unwrap();
        assert_eq!(host.text("src/a.ts").as_deref(), Some(text));
        assert_eq!(host.text(".ralph/iteration.txt"), Some(number.to_string()));
        assert!(snapshot::verify(&host, &name(number)).await.unwrap().ok);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn configuration_limits_the_number_of_iteration_snapshots() {
    for (kept, expected) in [(2, vec![name(2), name(3)]), (0, Vec::new())] {
        let mut host = project();
        host.model = Some(ScriptedModel::new(turns()));
        let mut options = options("run-1", PlanMode::Auto);
        options.config.layer = Some(json!({ "snapshots": { "iterations": kept } }));
        let outcome = run_with(&host, options, &RunControl::default()).await;
        assert!(outcome.result().success);
        let refs = host.git.as_ref().unwrap().refs().into_keys();
        assert_eq!(refs.filter(|name| name.starts_with("refs/loopgate/")).collect::<Vec<_>>(), expected);
        assert!(snapshot::verify(&host, "task-1-post").await.unwrap().ok);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_failed_iteration_snapshot_does_not_stop_the_run() {
    let repository = loopgate::port::memory::MemoryFs::default();
    let mut host = project();
    host.git = Some(MemoryGit::new(&repository, "/.git"));
    host.model = Some(ScriptedModel::new(turns()));
    let statuses = RefCell::new(Vec::new());
    let listener = |envelope: &Envelope, _: &str| match &envelope.event {
        Event::IterationFinished { iteration: 2, .. } => repository.fail_write(0, Fault::Fail),
        Event::Status { text } => statuses.borrow_mut().push(text.clone()),
        _ => {}
    };
    let result = drive(&host, options("run-1", PlanMode::Auto), &RunControl::default(), &listener).await;
    assert!(result.unwrap().success);
    let statuses = statuses.into_inner();
    let status = statuses.iter().find(|text| text.starts_with("There is no snapshot of iteration 2")).unwrap();
    assert!(status.contains("Quota") && status.contains("earlier snapshots are intact"), "{status}");
    let refs = host.git.as_ref().unwrap().refs();
    assert!(refs.contains_key(&name(1)) && !refs.contains_key(&name(2)) && refs.contains_key(&name(3)), "{refs:?}");
    assert!(snapshot::verify(&host, "task-1-post").await.unwrap().ok);
}

/// The number of file system calls between the end of an iteration and its snapshot, including those for the journal and
/// the harness's files.
async fn calls_of_a_snapshot(files: usize, shell: bool) -> u64 {
    let mut host = project();
    for number in 0..files {
        host.put(&format!("src/part-{}/file-{number}.ts", number / 20), &number.to_string());
    }
    host.clock.advance(3_600_000);
    let shell_turn = shell.then(|| {
        host.shell =
            Some(MemoryShell::new(|_| ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }));
        Turn::calls([("shell", serde_json::json!({ "command": "ls" }))])
    });
    host.model = Some(ScriptedModel::new(shell_turn.into_iter().chain(turns())));
    let (calls, fs) = (RefCell::new((0, 0)), host.fs.clone());
    let number = if shell { 1 } else { 2 };
    let listener = |envelope: &Envelope, _: &str| match &envelope.event {
        Event::IterationFinished { iteration, .. } if *iteration == number => calls.borrow_mut().0 = fs.calls(),
        Event::SnapshotSaved { snapshot, .. } if snapshot.tag == name(number) => calls.borrow_mut().1 = fs.calls(),
        _ => {}
    };
    let result = drive(&host, options("run-1", PlanMode::Auto), &RunControl::default(), &listener).await;
    assert!(result.unwrap().success);
    let (before, after) = calls.into_inner();
    after - before
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_cost_of_an_iteration_snapshot_does_not_depend_on_the_project_size() {
    let small = calls_of_a_snapshot(40, false).await;
    assert_eq!(calls_of_a_snapshot(1_000, false).await, small);
    assert!(small < 40, "{small} calls");
    // The changes of a command are looked for when it ends.
    assert!(calls_of_a_snapshot(1_000, true).await < 100);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_resumed_run_saves_an_iteration_that_was_not_saved() {
    let options = options("run-1", PlanMode::Auto);
    for number in 0..100 {
        let mut host = project();
        host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
        host.model = Some(ScriptedModel::new(turns()));
        let (control, files, events) = (RunControl::default(), host.fs.clone(), RefCell::new(Vec::new()));
        let result = drive(&host, options.clone(), &control, &|envelope, _| {
            if matches!(envelope.event, Event::IterationFinished { iteration: 1, .. }) {
                files.fail_write(number, Fault::Crash);
            }
            events.borrow_mut().push(envelope.clone());
        })
        .await;
        if saved(&events.borrow()).contains(&name(1)) {
            assert!(number > 10, "only {number} writes lie between");
            return;
        }
        assert!(result.is_err());
        host.fs.heal();
        let again = RunOptions { resume: true, ..options.clone() };
        let outcome = run_with(&host, again, &control).await;
        assert!(outcome.result().success);
        let all = [name(1), name(2), name(3), "task-1-post".to_owned()];
        assert_eq!(saved(&outcome.events), all, "cut off at write {number}");
    }
    panic!("it was never saved");
}
