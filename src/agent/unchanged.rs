//! Repeated reads: a result that the conversation has already is not sent again.

use super::tools::BuiltIn;
use crate::port::{ChatMessage, ToolCall, Toolset};

/// A shorter result is sent again, because the note is as long.
const SHORTEST: usize = 300;

/// The 1-based number of the earlier call in the conversation that has the same arguments and this result; `None` if there is
/// none, or the tool does more than read.
pub(super) fn since(messages: &[ChatMessage], call: &ToolCall, output: &str) -> Option<usize> {
    let reads = BuiltIn::from_name(&call.function.name).is_some_and(|tool| tool.is_for(Toolset::Read));
    if !reads || output.len() < SHORTEST {
        return None;
    }
    let calls = messages.iter().flat_map(|message| match message {
        ChatMessage::Assistant { tool_calls, .. } => tool_calls.as_slice(),
        _ => &[],
    });
    let has_result = |id: &str| {
        messages.iter().any(|message| {
            matches!(message, ChatMessage::Tool { tool_call_id, content, .. } if tool_call_id == id && content == output)
        })
    };
    let is_same = |earlier: &ToolCall| earlier.function == call.function && has_result(&earlier.id);
    calls.zip(1..).find_map(|(earlier, number)| is_same(earlier).then_some(number))
}

/// The result in place of the one that call `number` has.
pub(super) fn note(number: usize) -> String {
    format!(
        "Unchanged since call {number} of this conversation, which has the same arguments: use its result, or repeat the call if that was removed."
    )
}
