//! Messages that the user sends while the agent works.

use crate::engine::support::{SUMMARY, complete, options, run_with, text_of, work, write};
use loopgate::port::memory::{MemoryHost, ScriptedModel, Turn};
use loopgate::run::{Event, PlanMode, RunControl, drive};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_steering_message_reaches_the_next_turn_and_every_later_iteration() {
    let mut host = MemoryHost::new([("index.html", "")]);
    let model = ScriptedModel::new([
        Turn::calls([write("src/a.ts", "")]),
        Turn::Cut("…".to_owned()),
        Turn::Cut("…".to_owned()),
        Turn::Cut("…".to_owned()),
        Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()]),
    ]);
    host.model = Some(model.clone());
    let control = RunControl::default();
    let queue = control.steering.clone();
    drive(&host, options("run-1", PlanMode::Auto), &control, &|envelope, _| {
        if matches!(&envelope.event, Event::ToolCall { name, .. } if name == "write_file") && envelope.seq < 20 {
            queue.borrow_mut().push("use a warm tone".to_owned());
        }
    })
    .await
    .unwrap();
    assert!(text_of(&model.requests()[1]).contains("use a warm tone"));
    let last = model.requests().pop().unwrap();
    assert!(text_of(&last).contains("use a warm tone"), "a fresh context knows it from task.md");
}

/// A run whose user sends a message at the first event that `is_time` accepts: the message reopens the task.
async fn reopens_at(is_time: impl Fn(&Event) -> bool) {
    let mut host = MemoryHost::new([("index.html", "")]);
    let model = ScriptedModel::new([
        Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()]),
        Turn::calls([write("index.html", "<footer>"), complete()]),
    ]);
    host.model = Some(model.clone());
    let control = RunControl::default();
    let queue = control.steering.clone();
    let is_sent = std::cell::Cell::new(false);
    let result = drive(&host, options("run-1", PlanMode::Auto), &control, &|envelope, _| {
        if is_time(&envelope.event) && !is_sent.replace(true) {
            queue.borrow_mut().push("and a footer".to_owned());
        }
    })
    .await
    .unwrap();
    assert!(result.success);
    assert_eq!((result.iterations, host.text("index.html").as_deref()), (2, Some("<footer>")));
    assert!(text_of(&model.requests()[1]).contains("and a footer"));
    assert!(result.requirements.iter().flatten().any(|one| one.marker == "ADD" && one.text.contains("footer")));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_steering_message_after_the_gates_reopens_the_task() {
    reopens_at(|event| matches!(event, Event::GatesFinished { round: 1, .. })).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_steering_message_after_the_task_is_saved_is_one_more_iteration() {
    reopens_at(|event| matches!(event, Event::SnapshotSaved { snapshot, .. } if snapshot.tag == "task-1-post")).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_git_the_run_continues_and_its_first_event_says_so() {
    let mut host = MemoryHost::new([("index.html", "")]);
    host.git = None;
    host.model = Some(ScriptedModel::new([Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()])]));
    let outcome = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.result().snapshots, loopgate::run::RunSnapshots::default());
    let Event::RunStarted(started) = &outcome.events[0].event else { panic!("{:?}", outcome.events[0]) };
    let notes = &started.notes;
    assert!(notes.iter().any(|note| note.contains("no snapshots")), "{notes:?}");
}
