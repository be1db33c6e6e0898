//! Provider data of an answer goes back verbatim to the same model.

use crate::engine::support::{SUMMARY, complete, options, run_with, write};
use loopgate::port::memory::{MemoryHost, ScriptedModel, Turn};
use loopgate::port::{ChatMessage, FinishReason, FunctionCall, ModelRequest, ModelResponse, ToolCall};
use loopgate::run::{Event, PlanMode, RunControl, RunOptions};
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

fn signature(name: &str) -> Value {
    json!({ "extra_content": { "google": { "thought_signature": format!("of {name}") } } })
}

/// An answer in the style of Gemini: its first call is signed, and so is the answer.
fn signed(model: &str, calls: &[(&str, Value)]) -> Turn {
    let calls = calls.iter().enumerate().map(|(index, (name, args))| ToolCall {
        id: String::new(),
        kind: "function".to_owned(),
        function: FunctionCall { name: (*name).to_owned(), arguments: args.to_string() },
        provider_data: (index == 0).then(|| signature(name)),
    });
    Turn::Answer(ModelResponse {
        content: None,
        tool_calls: Some(calls.collect()),
        finish_reason: FinishReason::ToolCalls,
        usage: None,
        model: Some(model.to_owned()),
        provider_data: Some(json!({ "reasoning_details": [{ "text": model, "weight": 0.1 }] })),
    })
}

/// The data of each answer in a request, and of its calls.
fn data(request: &ModelRequest) -> Vec<(bool, Vec<Option<Value>>)> {
    let answers = request.messages.iter().filter_map(|message| match message {
        ChatMessage::Assistant { tool_calls, provider_data, .. } => {
            Some((provider_data.is_some(), tool_calls.iter().map(|call| call.provider_data.clone()).collect()))
        }
        _ => None,
    });
    answers.collect()
}

fn read() -> (&'static str, Value) {
    ("read_file", json!({ "path": "index.html" }))
}

fn work() -> [(&'static str, Value); 2] {
    [write("src/a.ts", "export {}"), write(".ralph/summary.md", SUMMARY)]
}

fn host(model: ScriptedModel) -> MemoryHost {
    MemoryHost::new([("index.html", "<h1>Drinks</h1>")]).with(|ports| ports.model = Some(model))
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn signatures_go_back_with_the_answers_they_came_with() {
    let turns = [signed("m", &[read(), read()]), signed("m", &work()), signed("m", &[complete()])];
    let model = ScriptedModel::answering(move |request| {
        let answers = data(request);
        let is_signed = |(number, (of_answer, calls)): (usize, &(bool, Vec<Option<Value>>))| {
            let names = ["read_file", "write_file", "complete_task"];
            *of_answer
                && calls.iter().enumerate().all(|(at, call)| *call == (at == 0).then(|| signature(names[number])))
        };
        if !answers.iter().enumerate().all(is_signed) {
            return Turn::Refuse("400: Function call is missing a thought_signature".to_owned());
        }
        turns.get(answers.len()).cloned().unwrap_or(Turn::Hang)
    });
    let outcome = run_with(&host(model), options("run-1", PlanMode::Auto), &RunControl::default()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn another_model_gets_no_provider_data() {
    let model = ScriptedModel::new([signed("a", &[read()]), signed("b", &[read()]), Turn::calls([complete()])]);
    let _ = run_with(&host(model.clone()), options("run-1", PlanMode::Auto), &RunControl::default()).await;
    let requests = model.requests();
    let of_read = || vec![Some(signature("read_file"))];
    assert_eq!(data(&requests[1]), [(true, of_read())]);
    assert_eq!(data(&requests[2]), [(false, vec![None]), (true, of_read())]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rewritten_call_loses_its_provider_data() {
    let broken = signed("m", &[read(), ("read_file", json!(["index.html"]))]);
    let Turn::Answer(mut answer) = broken else { panic!("no answer") };
    for call in answer.tool_calls.iter_mut().flatten() {
        call.provider_data = Some(signature("read_file"));
    }
    let model = ScriptedModel::new([Turn::Answer(answer), Turn::calls([complete()])]);
    let _ = run_with(&host(model.clone()), options("run-1", PlanMode::Auto), &RunControl::default()).await;
    assert_eq!(data(&model.requests()[1]), [(false, vec![Some(signature("read_file")), None])]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_shortened_conversation_retains_the_data_of_unchanged_calls() {
    let long = Turn::Refuse("prompt is too long: 210000 tokens > 200000 maximum".to_owned());
    let turns = [signed("m", &[read()]), signed("m", &[read()]), long, Turn::calls([complete()])];
    let model = ScriptedModel::new(turns);
    let host = host(model.clone());
    host.put("index.html", &"<h1>Drinks</h1>\n".repeat(50));
    let _ = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await;
    let requests = model.requests();
    assert!(crate::engine::support::text_of(&requests[3]).contains("removed your earliest turns"));
    assert_eq!(data(&requests[3]), data(&requests[2])[1..]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn provider_data_is_journaled_and_not_sent_after_a_resume() {
    let hang = Turn::Fail(loopgate::port::PortErrorKind::Other);
    let mut host = host(ScriptedModel::new([signed("m", &[read()]), hang]));
    let outcome = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await;
    assert!(outcome.result.is_err());
    let of_call = outcome.events.iter().find_map(|envelope| match &envelope.event {
        Event::ToolCall { provider_data, .. } => provider_data.clone(),
        _ => None,
    });
    assert_eq!(of_call, Some(signature("read_file")));
    assert_eq!(
        outcome.count(|event| matches!(event, Event::ProviderData { model: Some(model), .. } if model == "m")),
        1
    );
    let journal: Vec<u8> = host.fs.tree("/project/.loopgate/journal").into_values().flatten().collect();
    let journal = String::from_utf8(journal).unwrap();
    for kept in ["\"thought_signature\":\"of read_file\"", "\"weight\":0.1"] {
        assert_eq!(journal.matches(kept).count(), 1, "{kept}");
    }
    let model = ScriptedModel::new([signed("m", &work()), signed("m", &[complete()])]);
    host.model = Some(model.clone());
    let options = RunOptions { resume: true, ..options("run-1", PlanMode::Auto) };
    let outcome = run_with(&host, options, &RunControl::default()).await;
    assert!(outcome.result().success);
    assert_eq!(data(&model.requests()[0]), []);
}
