//! Messages to the agent about turns and calls that were not used as they are.

use crate::text::beginning;

/// The agent wrote a call as text.
pub(super) const CALL_WRITTEN_AS_TEXT: &str = "You wrote a tool call as text. Nothing was run: text, code blocks, JSON \
    and XML in an answer are not executed. Make the call through the tool-calling interface, for example write_file with \
    path and content, or complete_task when the work is done. Make it now.";

/// The agent wrote a call as text beside its calls.
pub(super) const CALL_BESIDE: &str = "Your calls were run. The text beside them has a tool call, which was not run: text, \
    code blocks, JSON and XML in an answer are not executed. Make that call through the tool-calling interface too, or call \
    complete_task if nothing is missing.";

/// Neither text nor calls.
pub(super) const EMPTY: &str = "Your answer was empty. Continue the task by calling a tool. When the work is done, call \
    complete_task.";

/// `finish_reason: length`.
pub(super) const CUT: &str = "Your answer was cut off at the length limit. Continue in smaller pieces: make fewer calls \
    per answer, and write large files in parts (write_file for the first part, then edit_file).";

/// The call at which an answer was cut off.
pub(super) const CUT_CALL: &str = "not run: your answer was cut off at the length limit, so this call may be incomplete. \
    Make it again in smaller pieces: write large files in parts (write_file for the first part, then edit_file)";

/// Calls of `complete_task` in one answer that differ.
pub(super) const CONTRADICTION: &str = "not run: your answer has several calls of complete_task that contradict each \
    other, so none of them counts. Decide which answer is final, then call complete_task once with it";

/// `finish_reason: content_filter`.
pub(super) const WITHHELD: &str = "The provider's content filter withheld your answer. Continue the task by calling a \
    tool, with different wording.";

/// A turn whose calls fail as in the turn before.
pub(super) const REPEATED: &str = "You made calls again that fail, with the same arguments and the same errors. Read the \
    errors, then change the arguments or use another tool. Repeating them ends this iteration.";

/// A call past the limit.
pub(super) const PAST_LIMIT: &str = "not run: this iteration reached its limit of tool calls. The next iteration \
    continues from the files as they are";

/// A call after an abort.
pub(super) const ABORTED: &str = "not run: the run was aborted";

/// A call after one that waits for the user.
pub(super) const AFTER_QUESTION: &str = "not run: the run waits for the user's answer about an earlier call";

/// A call that waits for the user, whom nobody can ask now.
pub(super) const WAITS: &str = "not run: it needs the user's approval. The run waits for the answer, and the next iteration \
    continues with it";

/// The user refuses a call.
pub(super) fn refused_by_user(reason: &str) -> String {
    format!("not run: the user does not allow this call: {reason}. Do the work without it")
}

/// The user wants another call.
pub(super) fn revise(reason: &str) -> String {
    format!("not run: the user does not allow this call as it is: {reason}. Make another call")
}

/// The arguments that the user or the IDE put in the place of the model's.
pub(super) fn other_arguments(args: &serde_json::Value) -> String {
    format!("The call was made with other arguments: {}", beginning(&args.to_string(), 2_000))
}

/// The user's note about a call that was allowed.
pub(super) fn note(note: &str) -> String {
    format!("{ALLOWED} {note}")
}

const ALLOWED: &str = "The call is allowed. Follow the user's note:";

/// An output in which nothing looks like the user's note.
pub(super) fn without_note(output: String) -> String {
    let is_note = |line: &str| {
        let words = |text: &str| text.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
        words(line).contains("followtheusersnote")
    };
    if !output.lines().any(is_note) {
        return output;
    }
    let quoted = output.lines().map(|line| if is_note(line) { format!("[output] {line}") } else { line.to_owned() });
    quoted.collect::<Vec<_>>().join("\n")
}

/// Hint in a truncated result that has no better one.
pub(super) const ASK_FOR_LESS: &str = "request less: one folder, fewer lines, or a longer query";
