//! Model calls: streaming, aborts and malformed answers.

use crate::support::{get, js};
use loopgate::port::{
    Abort, AgentRole, ChatMessage, FinishReason, Image, ModelDelta, ModelPort, ModelRequest, PortErrorKind,
};
use loopgate::wasm::{JsModel, js_error};
use std::cell::RefCell;
use wasm_bindgen_test::wasm_bindgen_test;

fn request() -> ModelRequest {
    ModelRequest {
        role: AgentRole::Builder,
        messages: vec![ChatMessage::Assistant { content: None, tool_calls: vec![], provider_data: None }],
        tools: vec![],
        response_format: None,
        max_output_tokens: None,
    }
}

#[wasm_bindgen_test]
async fn the_request_has_the_shape_of_the_contract() {
    let model = js("async (request) => ({ content: JSON.stringify(request), finish_reason: 'stop' })");
    let answer = JsModel::new(&model).unwrap().complete(&request(), &Abort::new(), &|_| ()).await.unwrap();
    assert_eq!(
        answer.content.unwrap(),
        r#"{"role":"builder","messages":[{"role":"assistant","content":null}],"tools":[]}"#
    );
    assert_eq!(answer.finish_reason, FinishReason::Stop);
}

#[wasm_bindgen_test]
async fn a_model_says_whether_it_takes_images_and_gets_them() {
    for (fields, takes) in [("{}", false), ("{ images: false }", false), ("{ images: true }", true)] {
        let model = js(&format!("Object.assign(async () => ({{}}), {fields})"));
        assert_eq!(JsModel::new(&model).unwrap().takes_images(), takes, "{fields}");
    }
    let model = js("async ({ messages }) => ({ content: JSON.stringify(messages), finish_reason: 'stop' })");
    let images = vec![Image { media_type: "image/png".to_owned(), data: "Zm9v".to_owned() }];
    let text = |text: &str| text.to_owned();
    let messages = vec![
        ChatMessage::User { content: text("u"), images: images.clone() },
        ChatMessage::Tool { tool_call_id: text("1"), name: text("n"), content: text("t"), images },
        ChatMessage::user("v"),
    ];
    let request = ModelRequest { messages, ..request() };
    let answer = JsModel::new(&model).unwrap().complete(&request, &Abort::new(), &|_| ()).await.unwrap();
    let image = r#"[{"mediaType":"image/png","data":"Zm9v"}]"#;
    assert_eq!(
        answer.content.unwrap(),
        format!(
            r#"[{{"role":"user","content":"u","images":{image}}},{{"role":"tool","tool_call_id":"1","name":"n","content":"t","images":{image}}},{{"role":"user","content":"v"}}]"#
        )
    );
}

#[wasm_bindgen_test]
async fn deltas_arrive_in_order_before_the_answer() {
    let model = js("async (_, { onDelta }) => {
        onDelta({ type: 'text', text: 'a' }); await null; onDelta({ type: 'reasoning', text: 'b' });
        onDelta('nonsense'); onDelta({ type: 'text', text: 'c' });
        return { content: 'ac', finish_reason: 'stop', usage: { inputTokens: 1, outputTokens: 2 } } }");
    let deltas = RefCell::new(Vec::new());
    let answer = JsModel::new(&model)
        .unwrap()
        .complete(&request(), &Abort::new(), &|delta| deltas.borrow_mut().push(delta))
        .await
        .unwrap();
    let text = |text: &str| ModelDelta::Text { text: text.to_owned() };
    let reasoning = ModelDelta::Reasoning { text: "b".to_owned() };
    assert_eq!(deltas.take(), [text("a"), reasoning, ModelDelta::Other, text("c")]);
    assert_eq!(answer.usage.unwrap().output_tokens, 2);
}

#[wasm_bindgen_test]
async fn a_lone_surrogate_does_not_invalidate_an_answer() {
    let model = js(r#"async () => ({ content: "\\ud83c \ud83c \u{1f353} \ud83c", finish_reason: 'stop' })"#);
    let answer = JsModel::new(&model).unwrap().complete(&request(), &Abort::new(), &|_| ()).await.unwrap();
    assert_eq!(answer.content.unwrap(), "\\ud83c \u{fffd} \u{1f353} \u{fffd}");
}

#[wasm_bindgen_test]
async fn an_abort_ends_a_hanging_call_and_signals_the_host() {
    let seen = js("{}");
    js_sys::Reflect::set(&js_sys::global(), &"seenByModel".into(), &seen).unwrap();
    let model = js("(_, context) => { Object.assign(globalThis.seenByModel, context); return new Promise(() => {}) }");
    let (model, abort, request) = (JsModel::new(&model).unwrap(), Abort::new(), request());
    let later = async { abort.fire("enough") };
    let deltas = RefCell::new(0);
    let on_delta = |_| *deltas.borrow_mut() += 1;
    let (answer, ()) = futures_util::join!(model.complete(&request, &abort, &on_delta), later);
    let error = answer.unwrap_err();
    assert_eq!((error.kind, error.message.as_str()), (PortErrorKind::Aborted, "enough"));
    let signal = get(&seen, "signal");
    assert!(get(&signal, "aborted").is_truthy());
    assert_eq!(get(&get(&signal, "reason"), "name").as_string().unwrap(), "AbortError");
    // A late delta is ignored and does not trap.
    js("globalThis.seenByModel.onDelta({ type: 'text', text: 'late' })");
    assert_eq!(*deltas.borrow(), 0);
}

#[wasm_bindgen_test]
async fn a_dropped_call_signals_the_host() {
    let seen = js("{}");
    js_sys::Reflect::set(&js_sys::global(), &"seenByDropped".into(), &seen).unwrap();
    let model = js("(_, { signal }) => { globalThis.seenByDropped.signal = signal; return new Promise(() => {}) }");
    let (model, abort, request) = (JsModel::new(&model).unwrap(), Abort::new(), request());
    let mut call = Box::pin(model.complete(&request, &abort, &|_| ()));
    assert!(futures_util::poll!(&mut call).is_pending());
    assert!(!get(&get(&seen, "signal"), "aborted").is_truthy());
    drop(call);
    assert!(get(&get(&seen, "signal"), "aborted").is_truthy());
}

#[wasm_bindgen_test]
async fn a_malformed_answer_is_an_error_with_details() {
    for nonsense in [
        "undefined",
        "null",
        "'text'",
        "({ content: 'no reason' })",
        "({ content: 'x', finish_reason: 'whim' })",
        "({ get content() { throw 1 }, finish_reason: 'stop' })",
        "(() => { const cycle = { finish_reason: 'stop' }; cycle.usage = cycle; return cycle })()",
        "(() => { let deep = 1; for (let i = 0; i < 2000; i++) deep = [deep]; return { finish_reason: 'stop', providerData: deep } })()",
        "({ content: 10n, finish_reason: 'stop' })",
    ] {
        let model = js(&format!("async () => {nonsense}"));
        let error = JsModel::new(&model).unwrap().complete(&request(), &Abort::new(), &|_| ()).await.unwrap_err();
        assert_eq!(error.kind, PortErrorKind::Other, "{nonsense}");
        assert!(error.to_string().starts_with("the model failed: the answer cannot be read: "), "{error}");
    }
}

#[wasm_bindgen_test]
async fn what_a_getter_of_an_answer_throws_is_the_cause() {
    let model = js("async () => ({ get content() { throw new TypeError('mine') }, finish_reason: 'stop' })");
    let error = JsModel::new(&model).unwrap().complete(&request(), &Abort::new(), &|_| ()).await.unwrap_err();
    let error = js_error(error.into());
    assert_eq!(get(&error, "code").as_string().unwrap(), "model");
    assert_eq!(get(&get(&error, "cause"), "message").as_string().unwrap(), "mine");
}

#[wasm_bindgen_test]
async fn an_integer_beyond_the_safe_ones_costs_no_answer() {
    let data = "[9007199254740993, -1e21, -0, 0.1]";
    let model = js(&format!("async () => ({{ content: 'x', finish_reason: 'stop', providerData: {data} }})"));
    let answer = JsModel::new(&model).unwrap().complete(&request(), &Abort::new(), &|_| ()).await.unwrap();
    let expected = [9_007_199_254_740_992.0, -1e21, 0.0, 0.1];
    let read: Vec<f64> = answer.provider_data.unwrap().as_array().unwrap().iter().filter_map(|n| n.as_f64()).collect();
    assert_eq!(read, expected);
}
