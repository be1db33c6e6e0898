//! What runs cost, the limits for a task and a day, and what a run will probably use.

use crate::engine::support::{Outcome, SUMMARY, complete, options, run_with, write};
use loopgate::port::memory::{MemoryHost, ScriptedModel, Turn};
use loopgate::port::{AgentRole, FinishReason, FunctionCall, ModelResponse, PriceTable, PricesPort, ToolCall, Usage};
use loopgate::run::{
    Cost, Estimated, Event, LimitName, LimitOptions, PlanMode, RunControl, RunOptions, StopReason, Work, estimate,
};
use serde_json::{Value, json};
use std::rc::Rc;
use wasm_bindgen_test::wasm_bindgen_test;

pub(crate) const DAY: u64 = 24 * 60 * 60 * 1000;

pub(crate) fn prices() -> Option<Rc<dyn PricesPort>> {
    let table = r#"{ "m": { "inputPerMillion": 1, "outputPerMillion": 1 } }"#;
    Some(Rc::new(loopgate::json::read::<PriceTable>(table).unwrap()))
}

/// An answer of `model` that costs one dollar if the model is `m`.
pub(crate) fn answer_of<const N: usize>(model: &str, calls: [(&str, Value); N]) -> Turn {
    let calls = calls.map(|(name, args)| ToolCall {
        id: String::new(),
        kind: "function".to_owned(),
        function: FunctionCall { name: name.to_owned(), arguments: args.to_string() },
        provider_data: None,
    });
    Turn::Answer(ModelResponse {
        content: None,
        tool_calls: Some(calls.into()),
        finish_reason: FinishReason::ToolCalls,
        usage: Some(Usage { input_tokens: 1_000_000, ..Usage::default() }),
        model: Some(model.to_owned()),
        provider_data: None,
    })
}

pub(crate) fn answer<const N: usize>(calls: [(&str, Value); N]) -> Turn {
    answer_of("m", calls)
}

/// Builds in one call. Each text is another change.
pub(crate) fn build(text: &str) -> Turn {
    answer([write("index.html", text), write(".ralph/summary.md", SUMMARY), complete()])
}

pub(crate) fn read() -> Turn {
    answer([("read_file", json!({ "path": "index.html" }))])
}

pub(crate) fn project(turns: impl IntoIterator<Item = Turn>) -> MemoryHost {
    let host = MemoryHost::new([("index.html", "<h1>Drinks</h1>")]);
    host.clock.advance(DAY);
    with(host, turns).with(|ports| ports.prices = prices())
}

pub(crate) fn with(host: MemoryHost, turns: impl IntoIterator<Item = Turn>) -> MemoryHost {
    host.with(|ports| ports.model = Some(ScriptedModel::new(turns)))
}

pub(crate) fn asked(host: &MemoryHost) -> usize {
    host.model.as_ref().unwrap().requests().len()
}

pub(crate) async fn run(host: &MemoryHost, id: &str, limits: LimitOptions) -> Outcome {
    run_with(host, RunOptions { limits, ..options(id, PlanMode::Off) }, &RunControl::default()).await
}

pub(crate) async fn resume(host: &MemoryHost, id: &str, limits: LimitOptions) -> Outcome {
    let options = RunOptions { limits, resume: true, ..options(id, PlanMode::Off) };
    run_with(host, options, &RunControl::default()).await
}

fn cost(spent: f64, accepted: f64, rejected: f64) -> Cost {
    Cost { spent, accepted, rejected, estimated: false }
}

pub(crate) const NO_LIMITS: LimitOptions = LimitOptions {
    max_iterations: None,
    max_tool_calls_per_iteration: None,
    max_consecutive_gate_failures: None,
    max_tokens: None,
    max_cost_usd: None,
    per_task: None,
    per_day: None,
    max_wall_ms: None,
    stall_threshold: None,
    max_stall_recoveries: None,
    model_idle_ms: None,
    max_attempts: None,
    max_replans: None,
};

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_the_gates_rejected_and_accepted_is_counted_apart() {
    let broken = answer([write("index.html", "<h1>Two</h1>"), complete()]);
    let host = project([read(), broken, build("<h1>Two drinks</h1>")]);
    let outcome = run(&host, "run-1", NO_LIMITS).await;
    let result = outcome.result();
    assert!(result.success, "{}", result.message);
    let total = (result.cost.spent, result.cost.accepted, result.cost.rejected, result.cost.estimated);
    assert_eq!(total, (3.0, 1.0, 2.0, false));
    assert_eq!(result.cost.roles[&AgentRole::Builder], cost(3.0, 1.0, 2.0));
    let attempts: Vec<_> =
        result.cost.attempts.iter().map(|of| (of.attempt, of.spent, of.accepted, of.rejected)).collect();
    assert_eq!(attempts, [(1, 2.0, 0.0, 2.0), (2, 1.0, 1.0, 0.0)]);
    let paid = outcome.events.iter().filter_map(|envelope| match &envelope.event {
        Event::Usage { role, cost, of_attempt, .. } => Some((*role, cost.spent, of_attempt.attempt, of_attempt.spent)),
        _ => None,
    });
    let paid: Vec<_> = paid.collect();
    let builder = AgentRole::Builder;
    assert_eq!(paid, [(builder, 1.0, 1, 1.0), (builder, 2.0, 1, 2.0), (builder, 3.0, 2, 1.0)]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_cost_without_a_price_is_estimated_and_what_is_not_judged_is_in_neither_part() {
    let host = project([read(), answer_of("other", [("read_file", json!({ "path": "index.html" }))])]);
    let limits = LimitOptions { max_tool_calls_per_iteration: Some(1.0), max_iterations: Some(2.0), ..NO_LIMITS };
    let outcome = run(&host, "run-1", limits).await;
    let cost = &outcome.result().cost;
    assert_eq!((cost.spent, cost.accepted, cost.rejected, cost.estimated), (2.0, 0.0, 0.0, true));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_limit_for_a_day_counts_all_runs_of_the_day_and_stops_before_the_call_that_would_pass_it() {
    let per_day = |max| LimitOptions { per_day: Some(max), ..NO_LIMITS };
    let host = project([read(), build("one")]);
    assert!(run(&host, "run-1", NO_LIMITS).await.result().success);
    let host = with(host, [read(), build("two")]);
    let outcome = run(&host, "run-2", per_day(2.5)).await;
    assert_eq!((outcome.result().reason, asked(&host)), (StopReason::Budget, 0), "{}", outcome.result().message);
    assert!(
        outcome
            .result()
            .message
            .contains("80 % of the budget of $2.50 for today is spent, and the next call would pass it")
    );
    let warned = |outcome: &Outcome| {
        let is = |event: &&Event| matches!(event, Event::BudgetWarning { limit: LimitName::PerDay, .. });
        outcome.events.iter().map(|envelope| &envelope.event).filter(is).count()
    };
    assert_eq!(warned(&outcome), 1);
    // A higher limit continues the run, and the run counts itself once.
    let outcome = resume(&host, "run-2", per_day(4.0)).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!((asked(&host), warned(&outcome)), (2, 0));
    let host = with(host, [read()]);
    assert_eq!(run(&host, "run-3", per_day(4.0)).await.result().reason, StopReason::Budget);
    assert_eq!(asked(&host), 0);
    // On the next day, the stopped run has the limit again.
    host.clock.advance(DAY);
    let host = with(host, [build("three")]);
    assert!(resume(&host, "run-3", per_day(4.0)).await.result().success);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_limit_for_a_task_counts_the_runs_of_the_task_only() {
    let per_task = |max| LimitOptions { per_task: Some(max), max_tool_calls_per_iteration: Some(1.0), ..NO_LIMITS };
    let host = project([build("one")]);
    assert!(run(&host, "run-1", NO_LIMITS).await.result().success);
    let host = with(host, [read(), read(), read()]);
    assert_eq!(run(&host, "run-2", per_task(2.0)).await.result().reason, StopReason::Budget);
    assert_eq!(asked(&host), 2);
    assert_eq!(resume(&host, "run-2", per_task(2.0)).await.result().reason, StopReason::Budget);
    assert_eq!(asked(&host), 2);
    let host = with(host, [build("two")]);
    assert!(
        resume(&host, "run-2", LimitOptions { max_tool_calls_per_iteration: Some(9.0), ..per_task(3.0) })
            .await
            .result()
            .success
    );
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn limits_of_the_configuration_need_prices_and_count_what_an_abandoned_page_spent() {
    let mut options = options("run-1", PlanMode::Off);
    options.config.layer = Some(json!({ "limits": { "perDay": 5, "perTask": 2 } }));
    let host = project([read()]).with(|ports| ports.prices = None);
    let error = run_with(&host, options.clone(), &RunControl::default()).await.result.unwrap_err();
    assert!(error.message.contains("limits.perTask"), "{error}");
    let host = with(host, [read(), read(), read(), read()]).with(|ports| ports.prices = prices());
    options.limits.max_tool_calls_per_iteration = Some(1.0);
    let outcome = run_with(&host, options, &RunControl::default()).await;
    assert_eq!((outcome.result().reason, asked(&host)), (StopReason::Budget, 2));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_message_is_parsed_by_the_rules_once_the_limit_for_a_day_is_used_up() {
    let mut options = options("run-2", PlanMode::Off);
    options.config.layer = Some(json!({
        "tools": { "planners": [{ "id": "parser", "name": "Parser" }] },
        "defaults": { "parser": "parser" },
        "limits": { "perDay": 1.5 },
    }));
    let mut host = project([build("one")]);
    host.models.insert("parser".to_owned(), ScriptedModel::new([]));
    assert!(run(&host, "run-1", NO_LIMITS).await.result().success);
    let outcome = run_with(&host, options, &RunControl::default()).await;
    assert_eq!(outcome.result().reason, StopReason::Budget, "{}", outcome.result().message);
    assert_eq!((asked(&host), host.models["parser"].requests().len()), (1, 0));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_unreadable_file_of_spending_is_reported_and_written_again() {
    let host = project([build("one")]);
    host.put(".loopgate/spending.json", "{ torn");
    let outcome = run(&host, "run-1", NO_LIMITS).await;
    assert!(outcome.result().success);
    let is_reported =
        |event: &Event| matches!(event, Event::Status { text } if text.contains(".loopgate/spending.json"));
    assert!(outcome.events.iter().any(|envelope| is_reported(&envelope.event)));
    let stored: Value = serde_json::from_str(&host.text(".loopgate/spending.json").unwrap()).unwrap();
    assert_eq!(stored["runs"][0]["runId"], "run-1");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_run_is_estimated_from_the_runs_before_and_unknown_without_them() {
    let host = project([read(), build("one"), read(), read(), build("two")]);
    let plan = options("run-9", PlanMode::Off);
    let before = estimate(&host, &plan).await.unwrap();
    assert_eq!(serde_json::to_value(before).unwrap(), json!({ "runs": 0, "tokens": "unknown", "costUsd": "unknown" }));
    assert!(host.fs.tree("/project").keys().all(|path| !path.contains(".loopgate")), "an estimate writes nothing");
    assert!(run(&host, "run-1", NO_LIMITS).await.result().success);
    assert!(run(&host, "run-2", NO_LIMITS).await.result().success);
    let calls = asked(&host);
    let after = estimate(&host, &plan).await.unwrap();
    assert_eq!((after.runs, asked(&host)), (2, calls));
    let Estimated::Range { min, max } = after.cost_usd else { panic!("{after:?}") };
    assert!(min > 1.0 && min < 3.0 && max > 2.0 && max < 6.0 && min < max, "{after:?}");
    let spec = RunOptions { work: Work::Spec { path: None, force: false }, ..plan };
    assert!(estimate(&host, &spec).await.unwrap().runs == 0);
}
