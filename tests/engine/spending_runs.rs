//! Limits and estimates over many runs.

use crate::engine::spending::{NO_LIMITS, asked, build, project, read, run, with};
use crate::engine::support::{options, run_with};
use loopgate::port::memory::{MemoryHost, Turn};
use loopgate::port::{AgentRole, Usage};
use loopgate::run::{
    Envelope, Event, LimitOptions, PlanMode, RunControl, RunOptions, StopReason, Work, drive, estimate, find_unfinished,
};
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_file_has_the_last_runs_and_all_of_today() {
    let host = project([]);
    for number in 0..150 {
        if number == 40 {
            host.clock.advance(crate::engine::spending::DAY);
        }
        let host = with(host.clone(), [build(&format!("text {number}"))]);
        assert!(run(&host, &format!("run-{number}"), NO_LIMITS).await.result().success, "{number}");
    }
    let stored: Value = serde_json::from_str(&host.text(".loopgate/spending.json").unwrap()).unwrap();
    assert_eq!(stored["runs"].as_array().unwrap().len(), 110);
    let host = with(host, [read(), read()]);
    let limits = LimitOptions { per_day: Some(111.0), ..NO_LIMITS };
    assert_eq!((run(&host, "run-x", limits).await.result().reason, asked(&host)), (StopReason::Budget, 1));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_question_and_its_answer_are_one_task() {
    let asks = r#"{"type":"needs-clarification","questions":["Which page?"],"title":"Unclear","requirements":[]}"#;
    let price = |_: &Usage, _: Option<&str>| Some(1.0);
    let host = MemoryHost::new([("index.html", "<h1>Drinks</h1>")]).with(|ports| ports.prices = Some(Rc::new(price)));
    let limits = LimitOptions { per_task: Some(2.0), ..NO_LIMITS };
    let limited = |id: &str| RunOptions { limits, clarify: true, ..options(id, PlanMode::Off) };
    let host = with(host, [Turn::Text(asks.to_owned()).for_role(AgentRole::Parser)]);
    let outcome = run_with(&host, limited("run-1"), &RunControl::default()).await;
    assert_eq!((outcome.result().reason, outcome.result().cost.spent), (StopReason::NeedsClarification, 1.0));
    // The answer to the question is parsed for the second dollar.
    let parsed = r#"{"type":"bugfix","title":"Fix","requirements":[{"marker":"FIX","description":"the page"}]}"#;
    let host = with(host, [Turn::Text(parsed.to_owned()).for_role(AgentRole::Parser), build("x")]);
    let outcome = run_with(&host, limited("run-2"), &RunControl::default()).await;
    assert_eq!((outcome.result().reason, asked(&host)), (StopReason::Budget, 1), "{}", outcome.result().message);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_open_run_is_estimated_and_found_and_a_stopped_one_is_not_unfinished() {
    let host = project([build("one"), read(), build("two")]);
    assert!(run(&host, "run-1", NO_LIMITS).await.result().success);
    let host = with(host, [read(), read(), read()]);
    let estimates = RefCell::new(Vec::new());
    let listener = |envelope: &Envelope, _: &str| {
        if matches!(envelope.event, Event::Usage { .. }) {
            estimates
                .borrow_mut()
                .push(futures_util::FutureExt::now_or_never(estimate(&host, &options("run-9", PlanMode::Off))));
        }
    };
    let limits = LimitOptions { max_cost_usd: Some(2.0), ..NO_LIMITS };
    let of = RunOptions { limits, ..options("run-2", PlanMode::Off) };
    let result = drive(&host, of, &RunControl::default(), &listener).await.unwrap();
    assert_eq!(result.reason, StopReason::Budget);
    for estimate in estimates.take().into_iter().flatten() {
        assert_eq!(estimate.unwrap().runs, 1);
    }
    assert_eq!(find_unfinished(host.project()).await.unwrap(), None);
    let missing = Work::Spec { path: Some("specs/none.md".to_owned()), force: false };
    estimate(&host, &RunOptions { work: missing, ..options("run-9", PlanMode::Off) }).await.unwrap_err();
    let missing = Work::Chunks { spec: "none".to_owned(), only: None };
    estimate(&host, &RunOptions { work: missing, ..options("run-9", PlanMode::Off) }).await.unwrap_err();
}
