//! Data that a provider attaches to its answers, such as signatures and encrypted reasoning. It is sent back
//! verbatim with the same answer, and only to the same model.

use super::arguments::parse;
use super::calls::legible;
use super::tools::{self, accepted};
use crate::json;
use crate::port::{ChatMessage, FunctionCall, ToolCall, ToolSchema};
use serde_json::{Value, json};

/// The assistant message for the conversation. A call with a rewritten name or rewritten arguments loses its data, and so does
/// the message, because the data may sign the original. Other calls keep theirs.
pub(super) fn message(content: Option<String>, calls: &[ToolCall], data: Option<Value>) -> ChatMessage {
    let kept: Vec<(ToolCall, bool)> = calls.iter().map(readable).collect();
    let provider_data = data.filter(|_| kept.iter().all(|(_, rewritten)| !rewritten));
    ChatMessage::Assistant { content, tool_calls: kept.into_iter().map(|(call, _)| call).collect(), provider_data }
}

/// The calls with the names of the tools that they mean. A renamed call loses its data, and so does the answer.
pub(super) fn undecorated(
    mut calls: Vec<ToolCall>,
    mut data: Option<Value>,
    tools: &[ToolSchema],
) -> (Vec<ToolCall>, Option<Value>) {
    for call in &mut calls {
        if let Some(name) = tools::undecorated(&call.function.name, tools) {
            call.function.name = name.to_owned();
            (call.provider_data, data) = (None, None);
        }
    }
    (calls, data)
}

/// Removes the data of all messages.
pub(super) fn clear(messages: &mut [ChatMessage]) {
    for message in messages {
        if let ChatMessage::Assistant { tool_calls, provider_data, .. } = message {
            *provider_data = None;
            tool_calls.iter_mut().for_each(|call| call.provider_data = None);
        }
    }
}

/// The call as it goes into the conversation, and whether it was rewritten. Blank arguments do not count as rewritten.
fn readable(call: &ToolCall) -> (ToolCall, bool) {
    let FunctionCall { name, arguments } = &call.function;
    let function = FunctionCall { name: accepted(name), arguments: object(arguments) };
    let rewritten = function.name != *name || (function.arguments != *arguments && !arguments.trim().is_empty());
    let provider_data = call.provider_data.clone().filter(|_| !rewritten);
    (ToolCall { function, provider_data, ..call.clone() }, rewritten)
}

/// Arguments as the text of a JSON object, because services refuse a conversation with others. Others are wrapped into one.
fn object(arguments: &str) -> String {
    if arguments.trim().is_empty() {
        return "{}".to_owned();
    }
    let kept = json::well_formed(arguments);
    if let Some(args) = parse(&kept).ok().filter(Value::is_object) {
        let is_object = json::value(&kept).is_ok_and(|value| value.is_object());
        return if is_object { kept.into_owned() } else { args.to_string() };
    }
    json!({ "unreadable": legible(&kept) }).to_string()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    fn call(arguments: &str) -> ToolCall {
        let function = FunctionCall { name: "read_file".to_owned(), arguments: arguments.to_owned() };
        ToolCall { id: "1".to_owned(), kind: "function".to_owned(), function, provider_data: Some(json!("signed")) }
    }

    #[test]
    fn only_rewritten_calls_lose_their_provider_data() {
        for (arguments, kept, stays) in [
            ("{\"path\": \"a\"}", "{\"path\": \"a\"}", true),
            (" ", "{}", true),
            ("[1]", "{\"unreadable\":\"[1]\"}", false),
            ("{\"path\"", "{\"unreadable\":\"{\\\"path\\\"\"}", false),
            ("{\"a\":\"\n\"}", "{\"a\":\"\\n\"}", false),
            ("\"{\\\"a\\\":1}\"", "{\"a\":1}", false),
            ("{\"a\":\"\\ud83d\"}", "{\"a\":\"\\ufffd\"}", false),
        ] {
            let calls = [call("{}"), call(arguments)];
            let message = message(None, &calls, Some(json!({ "reasoning": [1.5] })));
            let ChatMessage::Assistant { tool_calls, provider_data, .. } = message else { panic!("no answer") };
            assert_eq!(tool_calls[1].function.arguments, kept);
            assert_eq!(tool_calls[1].provider_data.is_some(), stays, "{arguments}");
            assert_eq!(provider_data.is_some(), stays, "{arguments}");
            assert_eq!(tool_calls[0].provider_data, Some(json!("signed")), "{arguments}");
        }
    }

    #[test]
    fn a_name_that_services_refuse_is_replaced_and_its_call_loses_its_data() {
        let long = "n".repeat(65);
        for (name, kept) in [
            ("read_file-2", "read_file-2"),
            ("", "_"),
            ("read file", "read_file"),
            ("functions.read_file", "functions_read_file"),
            ("é\n", "__"),
            (&long, &long[1..]),
        ] {
            let mut named = call("{}");
            name.clone_into(&mut named.function.name);
            let message = message(None, &[call("{}"), named], Some(json!("signed")));
            let ChatMessage::Assistant { tool_calls, provider_data, .. } = message else { panic!("no answer") };
            assert_eq!(tool_calls[1].function.name, kept);
            assert_eq!(tool_calls[1].provider_data.is_some(), name == kept, "{name}");
            assert_eq!(provider_data.is_some(), name == kept, "{name}");
            assert_eq!(tool_calls[0].provider_data, Some(json!("signed")), "{name}");
        }
    }

    #[test]
    fn arguments_that_are_too_large_go_back_only_with_their_beginning() {
        let message = message(None, &[call(&format!("{{\"x\":[{}0]}}", "{\"\":0},".repeat(100_000)))], None);
        let ChatMessage::Assistant { tool_calls, .. } = message else { panic!("no answer") };
        let kept = &tool_calls[0].function.arguments;
        assert!(kept.starts_with("{\"unreadable\":") && kept.len() < 100_000, "{} bytes", kept.len());
    }

    #[test]
    fn clear_removes_all_provider_data() {
        let mut messages = [message(Some("text".to_owned()), &[call("{}")], Some(json!("signed")))];
        clear(&mut messages);
        let bare = ToolCall { provider_data: None, ..call("{}") };
        assert_eq!(messages, [message(Some("text".to_owned()), &[bare], None)]);
    }
}
