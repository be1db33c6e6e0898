//! A conversation that exceeds the model's context window.

use crate::port::{ChatMessage, PortError, PortErrorKind};

/// Whether the provider refused the request for its length. Providers report this only in the text of the error.
pub(super) fn is_overflow(error: &PortError) -> bool {
    let message = error.message.to_ascii_lowercase();
    error.kind == PortErrorKind::Other && PHRASES.iter().any(|phrase| message.contains(phrase))
}

/// Replaces the tool results of all turns but the last by a note; `false` if there is nothing to replace. Answers keep
/// their provider data, because the provider requires it while the call is in the history.
pub(super) fn shorten(messages: &mut [ChatMessage]) -> bool {
    let last = messages.iter().rposition(|message| matches!(message, ChatMessage::Assistant { .. })).unwrap_or(0);
    let mut shortened = false;
    for message in messages.iter_mut().take(last) {
        if let ChatMessage::Tool { content, .. } = message
            && content.len() > NOTE.len()
        {
            NOTE.clone_into(content);
            shortened = true;
        }
    }
    shortened
}

/// Phrases of OpenAI, Anthropic, Google, Mistral, vLLM and llama.cpp.
const PHRASES: [&str; 9] = [
    "context_length_exceeded",
    "context length",
    "context window",
    "context size",
    "maximum context",
    "prompt is too long",
    "prompt too long",
    "too many tokens",
    "input token count",
];

const NOTE: &str = "[removed to shorten the conversation; repeat the call if you need its result]";

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    #[test]
    fn context_overflow_is_recognised_by_the_provider_message() {
        let error = |kind, message: &str| PortError::new("model", "complete", kind, message);
        for message in [
            "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
            "prompt is too long: 210000 tokens > 200000 maximum",
            "the request exceeds the available context size",
            "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",
        ] {
            assert!(is_overflow(&error(PortErrorKind::Other, message)), "{message}");
        }
        assert!(!is_overflow(&error(PortErrorKind::Other, "invalid api key")));
        assert!(!is_overflow(&error(PortErrorKind::RateLimited(None), "too many tokens per minute")));
    }

    #[test]
    fn shortening_replaces_older_results_once() {
        let tool = |content: &str| ChatMessage::Tool {
            tool_call_id: "1".to_owned(),
            name: "read_file".to_owned(),
            content: content.to_owned(),
        };
        let turn = || ChatMessage::Assistant { content: None, tool_calls: Vec::new(), provider_data: None };
        let user = || ChatMessage::User { content: "task".repeat(100) };
        let long = "x".repeat(1000);
        let mut messages = vec![user(), turn(), tool(&long), tool("short"), turn(), tool(&long)];
        assert!(shorten(&mut messages));
        assert_eq!(messages, [user(), turn(), tool(NOTE), tool("short"), turn(), tool(&long)]);
        assert!(!shorten(&mut messages));
        assert!(!shorten(&mut []));
    }
}
