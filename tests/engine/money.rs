//! The limit in dollars: enforced, or reported as not enforceable.

use crate::engine::support::{Outcome, SUMMARY, complete, options, run_with, write};
use loopgate::ErrorCode;
use loopgate::port::memory::{MemoryHost, ScriptedModel, Turn};
use loopgate::port::{
    AgentRole, FinishReason, FunctionCall, ModelResponse, PortErrorKind, PriceTable, PricesPort, ToolCall, Usage,
};
use loopgate::run::{Event, LimitOptions, PlanMode, RunControl, RunOptions, StopReason, find_unfinished};
use std::rc::Rc;
use wasm_bindgen_test::wasm_bindgen_test;

const TABLE: &str = r#"{ "m": { "inputPerMillion": 3, "outputPerMillion": 15 } }"#;

fn table(text: &str) -> Option<Rc<dyn PricesPort>> {
    Some(Rc::new(loopgate::json::read::<PriceTable>(text).unwrap()))
}

fn host(turns: impl IntoIterator<Item = Turn>, prices: Option<Rc<dyn PricesPort>>) -> MemoryHost {
    let model = Some(ScriptedModel::new(turns));
    MemoryHost::new([("index.html", "<h1>Drinks</h1>")]).with(|ports| {
        ports.model = model;
        ports.prices = prices;
    })
}

fn limited(max_cost_usd: f64) -> RunOptions {
    let limits = LimitOptions { max_cost_usd: Some(max_cost_usd), ..LimitOptions::default() };
    RunOptions { limits, ..options("run-1", PlanMode::Auto) }
}

/// An answer of the model `m` that reads a file and costs 3 dollars according to the table.
fn read() -> Turn {
    let function = FunctionCall { name: "read_file".to_owned(), arguments: r#"{"path":"index.html"}"#.to_owned() };
    let call = ToolCall { id: String::new(), kind: "function".to_owned(), function, provider_data: None };
    Turn::Answer(ModelResponse {
        content: None,
        tool_calls: Some(vec![call]),
        finish_reason: FinishReason::ToolCalls,
        usage: Some(Usage { input_tokens: 1_000_000, ..Usage::default() }),
        model: Some("m".to_owned()),
        provider_data: None,
    })
}

fn asked(host: &MemoryHost) -> usize {
    host.model.as_ref().unwrap().requests().len()
}

async fn run(host: &MemoryHost, options: RunOptions) -> Outcome {
    run_with(host, options, &RunControl::default()).await
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_cost_limit_without_prices_is_refused() {
    let host = host([read()], None);
    let outcome = run(&host, limited(1.0)).await;
    let error = outcome.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidArgument);
    assert!(error.message.contains("limits.maxCostUsd") && error.message.contains("host.prices"), "{}", error.message);
    assert_eq!((asked(&host), outcome.events.len()), (0, 0));
    assert!(find_unfinished(host.project()).await.unwrap().is_none());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_run_stops_before_the_call_that_would_exceed_the_limit() {
    let host = host(vec![read(); 9], table(TABLE));
    let outcome = run(&host, limited(10.0)).await;
    let result = outcome.result();
    assert_eq!((result.reason, asked(&host), result.usage.cost_usd), (StopReason::Budget, 3, Some(9.0)));
    assert_eq!(
        result.message,
        "90 % of the budget of $10 is spent, and the next call would pass it. Resume the run with a higher `maxCostUsd` to continue."
    );
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_answer_of_unknown_cost_stops_the_run_before_the_next_call() {
    let nothing = |_: &Usage, _: Option<&str>| None;
    let wrong = |_: &Usage, _: Option<&str>| Some(f64::NAN);
    let negative = |_: &Usage, _: Option<&str>| Some(-1.0);
    let of_another = table(&TABLE.replace("\"m\"", "\"other\""));
    for prices in [table("{}"), of_another, Some(Rc::new(nothing)), Some(Rc::new(wrong)), Some(Rc::new(negative))] {
        let host = host(vec![read(); 9], prices);
        let outcome = run(&host, limited(10.0)).await;
        assert_eq!((outcome.result().reason, asked(&host)), (StopReason::Budget, 1));
        let message = &outcome.result().message;
        assert!(message.contains("limits.maxCostUsd") && message.contains("the model \"m\" is not known"), "{message}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn work_completed_with_an_answer_of_unknown_cost_is_accepted() {
    let done = Turn::calls([write("src/a.ts", "export {}"), write(".ralph/summary.md", SUMMARY), complete()]);
    let host = host([done], table("{}"));
    assert_eq!(run(&host, limited(10.0)).await.result().reason, StopReason::Done);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_cost_of_parsing_the_message_counts() {
    let Turn::Answer(answer) = read() else { panic!("no answer") };
    let parser = Turn::Answer(ModelResponse { tool_calls: None, content: Some("no JSON".to_owned()), ..answer });
    let host = host([parser.for_role(AgentRole::Parser), read(), read()], table(TABLE));
    let outcome = run(&host, limited(8.0)).await;
    assert_eq!((outcome.result().reason, asked(&host)), (StopReason::Budget, 2));
    assert_eq!(outcome.result().usage.cost_usd, Some(6.0));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_answer_that_reports_no_tokens_is_estimated() {
    let Turn::Answer(answer) = read() else { panic!("no answer") };
    let host = host([Turn::Answer(ModelResponse { usage: Some(Usage::default()), ..answer })], table(TABLE));
    let outcome = run(&host, limited(1e-6)).await;
    assert_eq!((outcome.result().reason, asked(&host)), (StopReason::Budget, 1));
    assert!(outcome.result().usage.cost_usd > Some(0.0));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_interrupted_call_costs_as_much_as_the_previous_one() {
    let Turn::Answer(answer) = read() else { panic!("no answer") };
    let usage = answer.usage.map(|usage| Usage { cost_usd: Some(3.0), ..usage });
    let with_usage = Turn::Answer(ModelResponse { usage, ..answer.clone() });
    let broken = ModelResponse { tool_calls: None, finish_reason: FinishReason::Error, usage: None, ..answer };
    let host = host([with_usage.clone(), Turn::Answer(broken), with_usage.clone(), with_usage], table("{}"));
    let outcome = run(&host, limited(10.0)).await;
    assert_eq!((outcome.result().reason, asked(&host)), (StopReason::Budget, 3));
    assert_eq!(outcome.result().usage.cost_usd, Some(6.0), "only what is known");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn costs_before_a_reload_count_after_it() {
    for (prices, limit) in [(table(TABLE), 100.0), (table(TABLE), f64::INFINITY), (None, f64::INFINITY)] {
        let mut host = host([read(), Turn::Fail(PortErrorKind::Other)], prices);
        let first = if limit.is_finite() { limited(limit) } else { options("run-1", PlanMode::Auto) };
        assert!(run(&host, first).await.result.is_err(), "the model fails");
        host.model = Some(ScriptedModel::new([read()]));
        host.prices = table(TABLE);
        let outcome = run(&host, RunOptions { resume: true, ..limited(4.0) }).await;
        assert_eq!((outcome.result().reason, asked(&host)), (StopReason::Budget, 0));
        assert_eq!(outcome.result().usage.cost_usd, Some(3.0));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn usage_events_have_the_cost_and_the_model() {
    let host = host(vec![read(); 2], table(TABLE));
    let outcome = run(&host, limited(4.0)).await;
    let paid = outcome.events.iter().find_map(|envelope| match &envelope.event {
        Event::Usage { usage, total, model, .. } => Some((usage.cost_usd, total.cost_usd, model.clone())),
        _ => None,
    });
    assert_eq!(paid, Some((Some(3.0), Some(3.0), Some("m".to_owned()))));
}
