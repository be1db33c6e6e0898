//! What the start of a run costs, counted in calls of the file system, does not grow with the number of earlier runs.

use crate::engine::chunks;
use crate::engine::specs::SPEC;
use crate::engine::support::{SUMMARY, complete, options, run_with, write};
use loopgate::port::memory::{MemoryHost, ScriptedModel, Turn};
use loopgate::port::{AgentRole, Usage};
use loopgate::run::{
    ListedRun, PlanMode, RunControl, RunEnd, RunOptions, StopReason, Work, drive, find_unfinished, list_runs,
};
use serde_json::json;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen_test::wasm_bindgen_test;

/// A project with a task, a spec and chunks to work on.
async fn project() -> MemoryHost {
    let host = MemoryHost::new([("index.html", "<h1>Drinks</h1>"), (SPEC, "# Foo\nBar.\n")]);
    chunks::commit_project(&host, &json!([chunks::chunk("a", &[])])).await;
    host
}

fn options_for(id: &str, work: Work) -> RunOptions {
    let mut options = RunOptions { work, ..options(id, PlanMode::Off) };
    // No run is removed, because a removal adds calls.
    options.config.layer = Some(json!({ "runs": { "keep": 1_000 } }));
    options
}

fn spec() -> Work {
    Work::Spec { path: None, force: false }
}

fn chunks_of() -> Work {
    Work::Chunks { spec: "shop".to_owned(), only: None }
}

/// Runs that end in every way: done tasks, failed specs and aborted chunks.
async fn add_runs(host: &MemoryHost, from: usize, to: usize) {
    for number in from..to {
        let id = format!("run-{number:04}");
        let (work, turns) = match number % 10 {
            8 => (spec(), vec![]),
            9 => (chunks_of(), vec![]),
            _ => {
                let text = format!("<h1>{number}</h1>");
                let calls = [write("index.html", &text), write(".ralph/summary.md", SUMMARY), complete()];
                (Work::task("Add two drinks"), vec![Turn::calls(calls)])
            }
        };
        let host = host.clone().with(|ports| ports.model = Some(ScriptedModel::new(turns)));
        let control = RunControl::default();
        if number % 10 == 9 {
            control.abort.fire("enough");
        }
        let _ = run_with(&host, options_for(&id, work), &control).await;
        host.clock.advance(60_000);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_start_costs_the_same_after_any_number_of_runs_whose_task_did_not_start() {
    let host = project().await;
    add_runs(&host, 0, 1).await;
    let host = host.with(|ports| ports.model = Some(ScriptedModel::new([])));
    let control = RunControl::default();
    control.abort.fire("enough");
    let mut costs = Vec::new();
    for number in 0..20 {
        let before = host.fs.calls();
        let _ = run_with(&host, options_for(&format!("aborted-{number}"), Work::task("Add a drink")), &control).await;
        costs.push(host.fs.calls() - before);
    }
    assert!(costs.last() <= costs.get(1), "{costs:?}");
}

/// The calls of the file system before the first call of an agent.
async fn start(host: &MemoryHost, options: RunOptions) -> u64 {
    let (first, fs) = (Rc::new(Cell::new(None)), host.fs.clone());
    let seen = first.clone();
    let model = ScriptedModel::answering(move |request| {
        if request.role != AgentRole::Parser {
            seen.set(seen.get().or(Some(fs.calls())));
        }
        Turn::Text(String::new())
    });
    let price = |_: &Usage, _: Option<&str>| Some(0.01);
    let host = host.clone().with(|ports| {
        ports.model = Some(model);
        ports.prices = Some(Rc::new(price));
    });
    let mut options = options;
    options.limits.max_iterations = Some(1.0);
    options.limits.per_day = Some(100.0);
    let before = host.fs.calls();
    let _ = run_with(&host, options, &RunControl::default()).await;
    first.get().unwrap() - before
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_start_and_a_list_cost_the_same_after_any_number_of_runs() {
    let host = project().await;
    let mut ran = 0;
    for runs in [10, 70] {
        add_runs(&host, ran, runs).await;
        ran = runs;
        for (work, most) in [(Work::task("Add a drink"), 450), (spec(), 270), (chunks_of(), 510)] {
            let calls = start(&host, options_for(&format!("start-{ran}"), work.clone())).await;
            // Four calls for each earlier run would be 240.
            assert!(calls <= most, "{work:?} after {runs} runs: {calls} calls");
            ran += 1;
        }
        let before = host.fs.calls();
        let listed = list_runs(host.project()).await.unwrap().len() as u64;
        let calls = host.fs.calls() - before;
        // For each run: its folder and two or three segments, each with an `lstat` that rules out a link.
        assert!(calls <= 10 + 8 * listed, "{listed} runs: {calls} calls");
    }
}

fn ids(listed: Vec<ListedRun>) -> Vec<String> {
    listed.into_iter().map(|run| run.run_id).collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_journals_decide_whatever_the_index_says() {
    const INDEX: &str = ".loopgate/journal-index";
    let host = project().await;
    add_runs(&host, 0, 2).await;
    let stale = host.text(INDEX).unwrap();
    add_runs(&host, 2, 3).await;
    let newest = host.clone().with(|ports| ports.model = Some(ScriptedModel::new([])));
    assert!(
        run_with(&newest, options_for("open", Work::task("Add a drink")), &RunControl::default()).await.result.is_err()
    );
    let current = host.text(INDEX).unwrap();
    for (text, aside) in [
        (None, 0),
        (Some(""), 0),
        (Some(&current[..current.len() / 2]), 0),
        (Some(stale.as_str()), 0),
        (Some(&*current.replace("open", "nope")), 1),
    ] {
        match text {
            Some(text) => host.put(INDEX, text),
            None => host.fs.delete("/project/.loopgate/journal-index"),
        }
        let unfinished = find_unfinished(host.project()).await.unwrap().map(|run| run.run_id);
        assert_eq!(unfinished.as_deref(), Some("open"), "{text:?}");
        let listed = ids(list_runs(host.project()).await.unwrap());
        assert_eq!(listed, ["open", "run-0002", "run-0001", "run-0000"], "{text:?}");
        // The next run writes it again.
        let resumed = RunOptions { resume: true, ..options_for("open", Work::task("")) };
        assert!(run_with(&newest, resumed, &RunControl::default()).await.result.is_err());
        let rows = |text: &str| text.matches("runId").count();
        assert_eq!(rows(&host.text(INDEX).unwrap()), 4, "{text:?}");
        assert_eq!(host.fs.tree("/project/.loopgate/foreign").len(), aside, "{text:?}");
    }
    host.fs.delete("/project/.loopgate/journal/run-0001");
    assert_eq!(ids(list_runs(host.project()).await.unwrap()), ["open", "run-0002", "run-0000"]);
}

/// The clock went back, and an older run goes on.
#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_resumed_run_is_the_newest_one() {
    let host = project().await;
    let failing = host.clone().with(|ports| ports.model = Some(ScriptedModel::new([])));
    for id in ["run-2", "run-1"] {
        assert!(
            run_with(&failing, options_for(id, Work::task("Add a drink")), &RunControl::default())
                .await
                .result
                .is_err()
        );
    }
    assert_eq!(ids(list_runs(host.project()).await.unwrap()), ["run-1", "run-2"]);
    let resumed = RunOptions { resume: true, ..options_for("run-2", Work::task("")) };
    assert!(run_with(&failing, resumed, &RunControl::default()).await.result.is_err());
    assert_eq!(ids(list_runs(host.project()).await.unwrap()), ["run-2", "run-1"]);
    assert_eq!(find_unfinished(host.project()).await.unwrap().unwrap().run_id, "run-2");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_run_that_a_later_one_replaced_is_not_open() {
    let host = project().await;
    let crash = async |id: &str| {
        let model = ScriptedModel::new([Turn::Hang]);
        let crashing = host.clone().with(|ports| ports.model = Some(model));
        let control = RunControl::default();
        // The page is closed.
        let run = drive(&crashing, options_for(id, spec()), &control, &|_, _| ());
        let _ = futures_util::FutureExt::now_or_never(run);
    };
    crash("run-1").await;
    let reasons = async || {
        let listed = list_runs(host.project()).await.unwrap();
        listed.into_iter().map(|run| (run.run_id, run.reason, run.message)).collect::<Vec<_>>()
    };
    assert_eq!(reasons().await, [("run-1".to_owned(), RunEnd::Open, None)]);
    crash("run-2").await;
    let message = format!("run run-2 worked on {SPEC} since");
    let replaced = ("run-1".to_owned(), RunEnd::Stopped(StopReason::Aborted), Some(message));
    assert_eq!(reasons().await, [("run-2".to_owned(), RunEnd::Open, None), replaced]);
}
