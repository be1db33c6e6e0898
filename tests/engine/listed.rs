//! The runs of a project, as an IDE lists them.

use crate::support::{SUMMARY, complete, options, run_with, write};
use loopgate::port::Host;
use loopgate::port::memory::{Fault, MemoryHost, ScriptedModel, Turn};
use loopgate::run::{LimitOptions, PlanMode, RunControl, RunEnd, RunOptions, StopReason, Work, list_runs};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

fn build() -> Turn {
    Turn::calls([write("index.html", "<h1>Two</h1>"), write(".ralph/summary.md", SUMMARY), complete()])
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn runs_are_listed_newest_first_with_how_they_ended() {
    let mut host = MemoryHost::new([("index.html", "<h1>Drinks</h1>"), ("specs/0001-foo.md", "# Foo\nBar.\n")]);
    assert_eq!(list_runs(host.project()).await.unwrap(), []);
    host.model = Some(ScriptedModel::new([build()]));
    let task = |id: &str| RunOptions { work: Work::task("Add two drinks\nPlease."), ..options(id, PlanMode::Off) };
    assert!(run_with(&host, task("run-1"), &RunControl::default()).await.result().success);
    host.model = Some(ScriptedModel::new([]));
    let spec = RunOptions { work: Work::Spec { path: None, force: false }, ..task("run-2") };
    assert!(run_with(&host, spec, &RunControl::default()).await.result.is_err());
    host.model = Some(ScriptedModel::new([build()]));
    host.fs.fail_write(12, Fault::Crash);
    assert!(run_with(&host, task("run-3"), &RunControl::default()).await.result.is_err());
    host.fs.heal();
    let listed = list_runs(host.project()).await.unwrap();
    let shown: Vec<_> = listed.iter().map(|run| (run.run_id.as_str(), run.title.as_str(), run.reason)).collect();
    let expected = [
        ("run-3", "Add two drinks", RunEnd::Open),
        ("run-2", "Foo", RunEnd::Failed),
        ("run-1", "Add two drinks", RunEnd::Stopped(StopReason::Done)),
    ];
    assert_eq!(shown, expected);
    let [open, failed, done] = listed.as_slice() else { panic!("{listed:?}") };
    assert!(open.ended_at.is_none() && failed.message.is_some() && done.cost.is_some());
    assert!(done.usage.input_tokens > 0 && done.ended_at >= Some(done.started_at));
    assert_eq!(serde_json::to_value(open.reason).unwrap(), "open");
    assert_eq!(serde_json::to_value(done.reason).unwrap(), "done");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_oldest_runs_are_removed_except_those_that_continue() {
    let mut host = MemoryHost::new([("index.html", "<h1>Drinks</h1>")]);
    host.model = Some(ScriptedModel::new([]));
    let run = async |host: &MemoryHost, number: u32, limits: LimitOptions| {
        let text = format!("<h1>{number}</h1>");
        let turn = Turn::calls([write("index.html", &text), write(".ralph/summary.md", SUMMARY), complete()]);
        let host = MemoryHost { model: Some(ScriptedModel::new([turn])), ..host.clone() };
        let mut options = options(&format!("run-{number}"), PlanMode::Off);
        options.config.layer = Some(json!({ "runs": { "keep": 3 } }));
        options.limits = limits;
        run_with(&host, options, &RunControl::default()).await.result.unwrap().reason
    };
    let spent =
        LimitOptions { max_tokens: Some(1.0), max_tool_calls_per_iteration: Some(1.0), ..LimitOptions::default() };
    assert_eq!(run(&host, 1, spent).await, StopReason::Budget);
    for number in 2..8 {
        assert_eq!(run(&host, number, LimitOptions::default()).await, StopReason::Done);
    }
    let ids = list_runs(host.project()).await.unwrap().into_iter().map(|run| run.run_id).collect::<Vec<_>>();
    assert_eq!(ids, ["run-7", "run-6", "run-5", "run-1"]);
    let gone = |folder: &str, id: &str| host.fs.tree(&format!("/project/.loopgate/{folder}/{id}")).is_empty();
    assert!(gone("runs", "run-2") && !gone("runs", "run-7") && !gone("journal", "run-1"));
    // A lower number removes all that are too many at once.
    let mut fewer = options("run-8", PlanMode::Off);
    fewer.config.layer = Some(json!({ "runs": { "keep": 1 } }));
    let _ = run_with(&host, fewer, &RunControl::default()).await;
    let ids = list_runs(host.project()).await.unwrap().into_iter().map(|run| run.run_id).collect::<Vec<_>>();
    assert_eq!(ids, ["run-8", "run-1"]);
}
