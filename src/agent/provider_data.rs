//! What a provider attaches to its answers, such as signatures and encrypted reasoning. It goes back verbatim to the
//! model that it came from, and only with the answer that it was attached to.

use crate::json;
use crate::port::{ChatMessage, ToolCall};
use serde_json::{Value, json};

/// An answer as the conversation keeps it. Where a call's arguments had to be rewritten, the data of that call and of
/// the message is dropped: it may sign what the model wrote. The other calls keep theirs.
pub(super) fn message(content: Option<String>, calls: &[ToolCall], data: Option<Value>) -> ChatMessage {
    let kept: Vec<(ToolCall, bool)> = calls.iter().map(readable).collect();
    let provider_data = data.filter(|_| kept.iter().all(|(_, rewritten)| !rewritten));
    ChatMessage::Assistant { content, tool_calls: kept.into_iter().map(|(call, _)| call).collect(), provider_data }
}

/// Drops the data of all messages: another model answers.
pub(super) fn forget(messages: &mut [ChatMessage]) {
    for message in messages {
        if let ChatMessage::Assistant { tool_calls, provider_data, .. } = message {
            *provider_data = None;
            tool_calls.iter_mut().for_each(|call| call.provider_data = None);
        }
    }
}

/// The call as the conversation keeps it, and whether its arguments were rewritten. Providers refuse a history with
/// arguments that are no JSON object, so that what the model wrote instead is kept inside of one. No arguments at all
/// are an empty object, which says the same.
fn readable(call: &ToolCall) -> (ToolCall, bool) {
    let mut call = call.clone();
    let written = &call.function.arguments;
    if written.trim().is_empty() {
        call.function.arguments = "{}".to_owned();
        return (call, false);
    }
    let mut kept = json::well_formed(written).into_owned();
    if !serde_json::from_str(&kept).is_ok_and(|args: Value| args.is_object()) {
        kept = json!({ "unreadable": kept }).to_string();
    }
    let rewritten = kept != *written;
    if rewritten {
        call.function.arguments = kept;
        call.provider_data = None;
    }
    (call, rewritten)
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::port::FunctionCall;

    fn call(arguments: &str) -> ToolCall {
        let function = FunctionCall { name: "read_file".to_owned(), arguments: arguments.to_owned() };
        ToolCall { id: "1".to_owned(), kind: "function".to_owned(), function, provider_data: Some(json!("signed")) }
    }

    #[test]
    fn data_stays_with_what_the_model_wrote_and_leaves_what_was_rewritten() {
        for (arguments, kept, stays) in [
            ("{\"path\": \"a\"}", "{\"path\": \"a\"}", true),
            (" ", "{}", true),
            ("[1]", "{\"unreadable\":\"[1]\"}", false),
            ("{\"path\"", "{\"unreadable\":\"{\\\"path\\\"\"}", false),
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
    fn another_model_gets_no_data() {
        let mut messages = [message(Some("text".to_owned()), &[call("{}")], Some(json!("signed")))];
        forget(&mut messages);
        let bare = ToolCall { provider_data: None, ..call("{}") };
        assert_eq!(messages, [message(Some("text".to_owned()), &[bare], None)]);
    }
}
