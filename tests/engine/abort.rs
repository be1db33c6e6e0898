//! An abort cancels a hanging call, and nothing runs afterwards.

use crate::engine::support::{SUMMARY, complete, options, run_with, until, write};
use futures_util::future::join;
use loopgate::port::memory::{MemoryHost, ScriptedModel, Turn};
use loopgate::run::{Event, PlanMode, RunControl, StopReason};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_abort_cancels_a_hanging_model_call() {
    let mut host = MemoryHost::new([("index.html", "")]);
    let model = ScriptedModel::new([Turn::calls([write("src/a.ts", "")]), Turn::Hang]);
    host.model = Some(model.clone());
    let control = RunControl::default();
    let abort = async {
        until(|| model.used() == 2).await;
        control.abort.fire("the user pressed stop");
    };
    let (outcome, ()) = join(run_with(&host, options("run-1", PlanMode::Auto), &control), abort).await;
    assert_eq!(outcome.result().reason, StopReason::Aborted);
    assert!(outcome.result().message.contains("the user pressed stop"));
    assert_eq!(model.used(), 2);
    assert!(matches!(outcome.events.last().unwrap().event, Event::RunFinished { .. }));
    let found = loopgate::run::find_unfinished(host.project()).await.unwrap();
    assert_eq!(found, None, "an aborted run is over");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_abort_before_the_start_calls_no_port() {
    let mut host = MemoryHost::new([("index.html", "")]);
    let model = ScriptedModel::new([]);
    host.model = Some(model.clone());
    let control = RunControl::default();
    control.abort.fire("never mind");
    let outcome = run_with(&host, options("run-1", PlanMode::Auto), &control).await;
    assert_eq!(outcome.result().reason, StopReason::Aborted);
    assert_eq!(model.used(), 0);
    assert!(host.git.as_ref().unwrap().refs().is_empty());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_abort_skips_the_remaining_calls_of_an_answer() {
    let mut host = MemoryHost::new([("index.html", "")]);
    let batch = [write("src/a.ts", "1"), write("src/b.ts", "2"), write(".ralph/summary.md", SUMMARY), complete()];
    host.model = Some(ScriptedModel::new([Turn::calls(batch)]));
    let control = RunControl::default();
    let abort = control.abort.clone();
    let result = loopgate::run::drive(&host, options("run-1", PlanMode::Auto), &control, &|envelope, _| {
        if matches!(&envelope.event, Event::ToolResult { .. }) {
            abort.fire("after the first");
        }
    })
    .await
    .unwrap();
    assert_eq!(result.reason, StopReason::Aborted);
    assert!(host.text("src/a.ts").is_some());
    assert!(host.text("src/b.ts").is_none());
}
