//! The runs of a project, as an IDE lists them.

use crate::engine::support::{PLAN, SUMMARY, complete, options, run_scripted, run_with, write};
use futures_util::FutureExt;
use loopgate::port::Answer;
use loopgate::port::memory::{Fault, MemoryHooks, MemoryHost, ScriptedModel, Turn};
use loopgate::run::{
    Event, LimitOptions, PlanMode, RunControl, RunEnd, RunOptions, StopReason, TaskFact, Work, drive, find_unfinished,
    list_runs,
};
use serde_json::json;
use std::collections::BTreeMap;
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
        let host = host.clone().with(|ports| ports.model = Some(ScriptedModel::new([turn])));
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

/// Options that keep one run.
fn keep_one(options: RunOptions) -> RunOptions {
    let mut options = options;
    options.config.layer = Some(json!({ "runs": { "keep": 1 }, "approvals": { "plan": true } }));
    options
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_run_that_the_next_task_reads_stays() {
    let host = MemoryHost::new([("index.html", "<h1>Drinks</h1>"), ("specs/0001-foo.md", "# Foo\nBar.\n")]);
    let planned = [Turn::calls([write(".ralph/plan.tsx", PLAN)]), Turn::Text("planned".to_owned())];
    let (first, _) = run_scripted(&host, keep_one(options("run-1", PlanMode::Required)), planned).await;
    assert_eq!(first.result().reason, StopReason::Waiting, "{}", first.result().message);
    let denied = BTreeMap::from([(first.result().questions[0].id.clone(), Answer::deny("no".to_owned()))]);
    let resumed = RunOptions { resume: true, answers: denied, ..keep_one(options("run-1", PlanMode::Required)) };
    let (first, _) = run_scripted(&host, resumed, []).await;
    assert!(first.result().questions.is_empty(), "{:?}", first.result());
    // A run that asks back, and one over specs, come between.
    let unclear = keep_one(RunOptions { work: Work::task("Do it"), ..options("run-2", PlanMode::Off) });
    let (unclear, _) = run_scripted(&host, unclear, []).await;
    assert_eq!(unclear.result().reason, StopReason::NeedsClarification);
    let spec =
        keep_one(RunOptions { work: Work::Spec { path: None, force: false }, ..options("run-3", PlanMode::Off) });
    assert!(run_scripted(&host, spec, []).await.0.result.is_err());
    let next = RunOptions { work: Work::task("Change the hero title to Hello"), ..options("run-4", PlanMode::Off) };
    let (next, _) = run_scripted(&host, keep_one(next), []).await;
    let unaccepted = next.events.iter().find_map(|envelope| match &envelope.event {
        Event::Task(TaskFact::TaskStarted { unaccepted, .. }) => Some(*unaccepted),
        _ => None,
    });
    assert_eq!(unaccepted, Some(true));
    let ids = list_runs(host.project()).await.unwrap().into_iter().map(|run| run.run_id).collect::<Vec<_>>();
    assert_eq!(ids, ["run-4", "run-3"], "the spec failed, so its run may be resumed");
}

/// A task that is done, of a project that keeps one run.
async fn done(host: &MemoryHost, id: &str) -> Vec<String> {
    let page = write("index.html", &format!("<h1>{id}</h1>"));
    let turn = Turn::calls([page, write(".ralph/summary.md", SUMMARY), complete()]);
    let (outcome, _) = run_scripted(host, keep_one(options(id, PlanMode::Off)), [turn]).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    list_runs(host.project()).await.unwrap().into_iter().map(|run| run.run_id).collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_run_that_cannot_be_removed_keeps_no_other_one() {
    let host = MemoryHost::new([("index.html", "<h1>Drinks</h1>")]);
    done(&host, "run-1").await;
    host.put(".loopgate/runs/run-1/1/mine/notes.md", "notes");
    host.put(".loopgate/foreign", "in the way of what is set aside");
    for id in ["run-2", "run-3"] {
        assert_eq!(done(&host, id).await, [id, "run-1"]);
    }
    host.fs.delete("/project/.loopgate/runs/run-1/1/mine");
    assert_eq!(done(&host, "run-4").await, ["run-4"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_run_that_was_removed_in_part_is_removed() {
    for index in ["as it was", "lost"] {
        let host = MemoryHost::new([("index.html", "<h1>Drinks</h1>")]);
        assert!(run_scripted(&host, keep_one(options("run-1", PlanMode::Off)), []).await.0.result.is_err());
        let segments = host.fs.tree("/project/.loopgate/journal/run-1");
        assert!(segments.len() > 1);
        host.fs.delete(segments.keys().next().unwrap());
        if index == "lost" {
            host.fs.delete("/project/.loopgate/journal-index");
        }
        assert_eq!(done(&host, "run-2").await, ["run-2"], "{index}");
        assert!(host.fs.tree("/project/.loopgate/journal/run-1").is_empty(), "{index}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_question_of_a_run_that_goes_on_is_listed() {
    let mut host = MemoryHost::new([("index.html", "<h1>Drinks</h1>")]);
    host.hooks = Some(MemoryHooks::default().approve_plan(|_| Answer::allow()).silent("approvePlan"));
    let planned = [Turn::calls([write(".ralph/plan.tsx", PLAN)]), Turn::Text("planned".to_owned())];
    host.model = Some(ScriptedModel::new(planned));
    // The page is closed while the user decides.
    let asking = keep_one(options("run-1", PlanMode::Required));
    assert!(drive(&host, asking, &RunControl::default(), &|_, _| ()).now_or_never().is_none());
    let [run] = list_runs(host.project()).await.unwrap().try_into().unwrap();
    assert_eq!((run.reason, run.questions.len()), (RunEnd::Open, 1));
    let unfinished = find_unfinished(host.project()).await.unwrap().unwrap();
    assert_eq!(run.questions, unfinished.questions);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_title_is_one_line() {
    let host = MemoryHost::new([("index.html", "<h1>Drinks</h1>")]);
    let requirements = json!([{ "marker": "ADD", "description": "a menu" }]);
    let parsed = json!({ "type": "fresh", "title": "Two\nlines", "requirements": requirements });
    let parsed = Some(serde_json::from_value(parsed).unwrap());
    let options = RunOptions { parsed, ..options("run-1", PlanMode::Off) };
    let _ = run_scripted(&host, options, []).await;
    assert_eq!(list_runs(host.project()).await.unwrap()[0].title, "Two");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_run_that_is_removed_meanwhile_is_left_out() {
    let host = MemoryHost::new([("index.html", "<h1>Drinks</h1>")]);
    done(&host, "run-1").await;
    let files = host.fs.tree("/project/.loopgate/journal/run-1");
    for after in 0..40 {
        host.fs.vanish("/project/.loopgate/journal/run-1", after);
        let listed = list_runs(host.project()).await.unwrap();
        assert!(listed.iter().all(|run| run.reason == RunEnd::Stopped(StopReason::Done)), "{after}: {listed:?}");
        host.fs.heal();
        files.iter().for_each(|(path, bytes)| host.fs.put(path, bytes));
    }
}
