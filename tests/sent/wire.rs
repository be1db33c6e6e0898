//! Serialised values deserialise to equal values.

use loopgate::ErrorCode;
use loopgate::gate::{GateFix, GateReport, GateVerdict};
use loopgate::plan::Registry;
use loopgate::port::{
    AgentRole, Commit, EntryKind, FinishReason, FunctionCall, ModelResponse, Person, ToolCall, TreeEntry, Usage,
};
use loopgate::run::{
    AttemptCost, Cost, Envelope, Event, Fault, FaultKind, Limits, PlanMode, RunCost, RunResult, RunSnapshots,
    RunStarted, StopReason, Work,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::fmt::Debug;

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(values: impl IntoIterator<Item = T>) {
    for value in values {
        let json = serde_json::to_value(&value).unwrap_or_default();
        assert_eq!(loopgate::json::from_value(json).as_ref(), Ok(&value));
    }
}

#[test]
fn records_come_back() {
    let text = |text: &str| text.to_owned();
    let author = Person { name: text("a"), email: text("a@b"), timestamp: -5, timezone_offset: -120 };
    comes_back([Commit { tree: text("t"), parents: vec![text("p")], message: text("m\n"), author }]);
    comes_back([TreeEntry { mode: text("100644"), path: text("ü"), oid: text("o"), kind: EntryKind::Blob }]);
    let all = Usage {
        input_tokens: 1,
        output_tokens: 1 << 40,
        cached_input_tokens: Some(0),
        cache_write_tokens: Some(1),
        reasoning_tokens: Some(3),
        cost_usd: Some(0.25),
        estimated: Some(true),
    };
    comes_back([all, Usage::default()]);
    let function = FunctionCall { name: text("read_file"), arguments: text("{}") };
    let call = ToolCall { id: text("1"), kind: text("function"), function, provider_data: Some(json!({ "a": [0.1] })) };
    let finish_reason = FinishReason::ToolCalls;
    comes_back([
        ModelResponse {
            content: Some(text("c")),
            tool_calls: Some(vec![call]),
            finish_reason,
            usage: Some(all),
            model: Some(text("m")),
            provider_data: Some(json!("signed")),
        },
        ModelResponse { content: None, tool_calls: None, finish_reason, usage: None, model: None, provider_data: None },
    ]);
    let fix = GateFix { file: text("f"), content: text("c"), description: text("d") };
    let (feedback, tree) = (Some(text("f")), Some(text("t")));
    let report = |feedback, not_applicable, tree, fix| GateReport {
        gate: text("g"),
        verdict: GateVerdict::Warn,
        feedback,
        not_applicable,
        tree,
        duration_ms: 7,
        fix,
    };
    comes_back([report(feedback, true, tree, Some(fix)), report(None, false, None, None)]);
    let fault = |retry_after_ms| Fault {
        code: ErrorCode::Model,
        message: text("m"),
        kind: FaultKind::Timeout,
        retry_after_ms,
        retryable: true,
    };
    comes_back([fault(Some(5)), fault(None)]);
    comes_back([Work::task("m")]);
    comes_back([Registry::builtin().clone()]);
    let result = RunResult {
        run_id: text("r"),
        success: true,
        reason: StopReason::Done,
        message: text("m"),
        iterations: 2,
        usage: all,
        cost: RunCost {
            spent: 0.5,
            roles: [(AgentRole::Builder, Cost { spent: 0.5, ..Cost::default() })].into(),
            attempts: vec![AttemptCost { piece: Some(text("c")), attempt: 1, ..AttemptCost::default() }],
            ..RunCost::default()
        },
        gates: vec![report(None, false, None, None)],
        requirements: None,
        snapshots: RunSnapshots { pre: Some(text("p")), post: None },
        clarification: None,
        questions: Vec::new(),
    };
    let started = RunStarted {
        task_number: Some(3),
        plan: Some(PlanMode::Required),
        notes: vec![text("n")],
        ..RunStarted::new(Work::task("m"), Limits { max_tokens: Some(9), max_cost_usd: Some(0.5), ..Limits::default() })
    };
    let events = [Event::RunStarted(Box::new(started)), Event::RunFinished { result }];
    for event in events {
        let envelope = Envelope::new(1, 2, text("r"), 1, event);
        let json = loopgate::json::value(&envelope.to_json().unwrap()).unwrap();
        assert_eq!(Event::read(&json), Ok(envelope.event));
    }
}
