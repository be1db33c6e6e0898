//! What the agent is told when a turn is no use as it is.

use crate::layout::SUMMARY;

/// A call was written down instead of made (`seeds/000`, TOOL_CALLING_FEEDBACK).
pub(super) const CALL_WRITTEN_AS_TEXT: &str = "You wrote a command as text. Nothing was run: text, code blocks, JSON \
    and XML in an answer are not executed. Call the tools through the tool-calling interface instead, for example \
    write_file with path and content, and complete_task when you are done. Make the call now.";

/// Neither words nor calls.
pub(super) fn empty() -> String {
    format!(
        "Your answer was empty. Go on with the task by calling a tool; when the work is done, write {SUMMARY} and call \
         complete_task."
    )
}

/// `finish_reason: length`.
pub(super) const CUT: &str = "Your answer was cut by the limit on its length. Go on in smaller pieces: few calls in \
    one answer, and large files in parts (write_file for the first part, then edit_file).";

/// The call at which an answer was cut.
pub(super) const CUT_CALL: &str = "not run: your answer was cut by the limit on its length, so that this call may not \
    be what you meant. Make it again, in smaller pieces: large files in parts (write_file for the first part, then \
    edit_file)";

/// `finish_reason: content_filter`.
pub(super) const WITHHELD: &str = "The provider withheld your answer. Go on with the task in other words, by calling \
    a tool.";

/// A call past the limit.
pub(super) const PAST_LIMIT: &str = "not run: the limit of tool calls in this iteration is reached; the next \
    iteration goes on from the files as they are";

/// A call that the abort came before.
pub(super) const ABORTED: &str = "not run: the run was aborted";

/// What follows the head of a result that is too long, and has no better place to point to.
pub(super) const ASK_FOR_LESS: &str = "ask for less: one folder, fewer lines, a longer query";
