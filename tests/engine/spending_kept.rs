//! What runs spent, whatever happens between: closed pages, failures, odd files, odd amounts.

use crate::engine::spending::{DAY, NO_LIMITS, answer, asked, build, project, read, resume, run, with};
use crate::engine::support::{Outcome, options, run_with};
use loopgate::port::memory::{Fault, MemoryHost, Turn};
use loopgate::port::{PortErrorKind, Usage};
use loopgate::run::{Event, LimitName, LimitOptions, PlanMode, RunControl, RunOptions, StopReason, read_events};
use serde_json::{Value, json};
use std::rc::Rc;
use wasm_bindgen_test::wasm_bindgen_test;

const FILE: &str = ".loopgate/spending.json";

fn per_day(max: f64) -> LimitOptions {
    LimitOptions { per_day: Some(max), ..NO_LIMITS }
}

fn stored(host: &MemoryHost) -> Value {
    serde_json::from_str(&host.text(FILE).unwrap()).unwrap()
}

fn dollars(host: &MemoryHost, id: &str) -> f64 {
    let stored = stored(host);
    let entry = stored["runs"].as_array().unwrap().iter().find(|run| run["runId"] == id).unwrap().clone();
    entry["days"].as_object().unwrap().values().map(|of| of.as_f64().unwrap()).sum()
}

/// The calls in a run's journal; each costs a dollar.
async fn journaled(host: &MemoryHost, id: &str) -> usize {
    let events = read_events(host.project(), Some(id), 0).await.unwrap_or_default();
    events.iter().filter(|event| event["type"] == "usage").count()
}

fn warnings(outcome: &Outcome, of: LimitName) -> usize {
    outcome.count(|event| matches!(event, Event::BudgetWarning { limit, .. } if *limit == of))
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_calls_of_a_run_whose_page_closed_count_for_the_next_run() {
    for number in 0..400 {
        let host = project([read(), read(), read(), read(), build("one")]);
        host.fs.fail_write(number, Fault::Crash);
        let closed = run(&host, "run-1", NO_LIMITS).await;
        host.fs.heal();
        if closed.result.is_ok() {
            assert!(number > 20, "{number}");
            return;
        }
        let spent = journaled(&host, "run-1").await;
        if spent == 0 {
            continue;
        }
        let host = with(host, [build("two")]);
        let next = run(&host, "run-2", per_day(spent as f64 + 0.5)).await;
        assert_eq!((next.result().reason, asked(&host)), (StopReason::Budget, 0), "write {number}: {spent} calls");
        assert!(next.result().message.contains("for today is spent, and the next call"), "{}", next.result().message);
        // The resumed run replaces what the other one counted.
        let host = with(host, [build("three")]);
        let done = resume(&host, "run-1", NO_LIMITS).await;
        assert!(done.result.is_err() || dollars(&host, "run-1") == done.result().cost.spent, "write {number}");
    }
    panic!("the run never ends");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_stands_in_place_of_the_file_stops_no_run() {
    let entry = |dollars: f64| {
        json!({ "runs": [{ "runId": "run-0", "kind": "task", "usage": { "inputTokens": 1, "outputTokens": 1 },
            "promptBytes": 1, "messageBytes": 1, "calls": 1, "pieces": 1,
            "days": { "2023-11-15": dollars }, "subjects": { "task 1": dollars } }] })
    };
    let mut newer = entry(1.0);
    newer["runs"][0]["kind"] = json!("of-a-newer-version");
    let texts =
        [entry(-9.0).to_string(), entry(1e300).to_string(), newer.to_string(), "[]".into(), "\0".into(), "".into()];
    for text in texts.iter().map(Some).chain([None]) {
        let host = project([read(), read(), read(), build("one")]);
        match text {
            Some(text) => host.put(FILE, text),
            None => host.fs.put_dir(&format!("/project/{FILE}/folder")),
        }
        let outcome = run(&host, "run-1", per_day(2.0)).await;
        assert_eq!((outcome.result().reason, asked(&host)), (StopReason::Budget, 2), "{text:?}");
        assert_eq!(dollars(&host, "run-1"), 2.0, "{text:?}");
        assert_eq!(outcome.statuses().contains(FILE), text.is_some(), "{text:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_cost_beyond_any_call_is_not_known_and_the_run_stays_readable() {
    for cost in [1e300, f64::INFINITY, f64::NAN, -1.0, 1e10] {
        let reported = |turn: Turn| match turn {
            Turn::Answer(mut answer) => {
                answer.usage = Some(Usage { cost_usd: Some(cost), ..answer.usage.unwrap() });
                Turn::Answer(answer)
            }
            turn => turn,
        };
        let price = move |_: &Usage, _: Option<&str>| Some(cost);
        let mut options = options("run-1", PlanMode::Off);
        options.config.layer = Some(json!({ "models": { "m": { "inputPerMillion": 1e300, "outputPerMillion": 1 } } }));
        let host = project([reported(read()), Turn::Fail(PortErrorKind::Other)])
            .with(|ports| ports.prices = Some(Rc::new(price)));
        run_with(&host, options.clone(), &RunControl::default()).await.result.unwrap_err();
        let host = with(host, [reported(build("one"))]);
        let outcome = run_with(&host, RunOptions { resume: true, ..options }, &RunControl::default()).await;
        let result = outcome.result();
        assert!(result.success && result.cost.spent == 0.0 && result.cost.estimated, "{cost}: {:?}", result.cost);
        assert_eq!(stored(&host)["runs"][0]["runId"], "run-1", "{cost}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn calls_that_fill_a_limit_exactly_are_made() {
    let cheap = |_: &Usage, _: Option<&str>| Some(0.1);
    let host = project([read(), read(), read(), read(), read(), read(), read()])
        .with(|ports| ports.prices = Some(Rc::new(cheap)));
    for (max, calls) in [(0.3, 3), (0.6, 6)] {
        let host = with(host.clone(), vec![read(); 9]);
        let id = format!("run-{calls}");
        let outcome = run(&host, &id, LimitOptions { max_cost_usd: Some(max), ..NO_LIMITS }).await;
        assert_eq!(
            (asked(&host), outcome.result().reason),
            (calls, StopReason::Budget),
            "{}",
            outcome.result().message
        );
        assert_eq!(
            outcome.result().message,
            format!(
                "100 % of the budget of ${max:.2} is spent. Resume the run with a higher `maxCostUsd` to continue."
            )
        );
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_resumed_run_has_the_prices_that_were_added_to_the_configuration() {
    let mut options = options("run-1", PlanMode::Off);
    options.limits.max_cost_usd = Some(9.0);
    let host = project([answer([("read_file", json!({ "path": "index.html" }))]), build("one")]);
    let host = host.with(|ports| ports.prices = None);
    let priced = |model: &str| Some(json!({ "models": { model: { "inputPerMillion": 1, "outputPerMillion": 1 } } }));
    options.config.layer = priced("other");
    let outcome = run_with(&host, options.clone(), &RunControl::default()).await;
    assert!(outcome.result().message.contains("is not known"), "{}", outcome.result().message);
    options.config.layer = priced("m");
    let outcome = run_with(&host, RunOptions { resume: true, ..options }, &RunControl::default()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!((outcome.result().cost.spent, outcome.result().cost.estimated), (2.0, false));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn each_day_has_its_limit_and_its_warning() {
    let host = project([read(), read(), read(), read(), read(), read(), build("one")]);
    let outcome = run(&host, "run-1", per_day(2.0)).await;
    assert_eq!(
        (outcome.result().reason, asked(&host), warnings(&outcome, LimitName::PerDay)),
        (StopReason::Budget, 2, 1)
    );
    for _ in 0..3 {
        let again = resume(&host, "run-1", NO_LIMITS).await;
        assert_eq!(
            (again.result().reason, asked(&host), warnings(&again, LimitName::PerDay)),
            (StopReason::Budget, 2, 0)
        );
    }
    host.clock.advance(DAY);
    let next = resume(&host, "run-1", NO_LIMITS).await;
    assert_eq!((next.result().reason, asked(&host), warnings(&next, LimitName::PerDay)), (StopReason::Budget, 4, 1));
    assert_eq!(stored(&host)["runs"][0]["days"], json!({ "2023-11-15": 2.0, "2023-11-16": 2.0 }));
}
