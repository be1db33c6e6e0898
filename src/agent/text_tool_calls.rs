//! Detects tool calls that a model wrote as text instead of making them.

use crate::layout::is_task_file;
use crate::port::ToolSchema;
use serde_json::Value;

/// Whether the text contains something that looks like a call: a tool's name with arguments, a shell script, or the JSON or
/// XML of a call.
pub(super) fn contains_call(text: &str, tools: &[ToolSchema]) -> bool {
    let lower = text.to_ascii_lowercase();
    TAGS.iter().any(|tag| lower.contains(tag))
        || tools.iter().any(|tool| names_a_call(&lower, tool))
        || fences(&lower).any(|language| SHELLS.contains(&language))
        || lower.lines().any(is_shell_line)
}

/// Markup that models of several vendors use for calls in text.
const TAGS: [&str; 8] =
    ["<tool_call", "<function_call", "<function=", "<function>", "<invoke", "<|tool", "[tool_call", "[tool_calls"];

const SHELLS: [&str; 7] = ["bash", "sh", "shell", "zsh", "console", "shell-session", "terminal"];

fn names_a_call(text: &str, tool: &ToolSchema) -> bool {
    let name = tool.function.name.to_ascii_lowercase();
    is_applied(text, &name, &tool.function.parameters) || is_json_value(text, &name)
}

/// `write_file("…`, `write_file(path=…`, `complete_task()`: a call of the tool, not a function that is mentioned.
fn is_applied(text: &str, tool: &str, parameters: &Value) -> bool {
    let needs_none = parameters.get("required").and_then(Value::as_array).is_none_or(Vec::is_empty);
    let fields = parameters.get("properties").and_then(Value::as_object);
    let is_field = |args: &str| {
        fields.into_iter().flatten().any(|(field, _)| {
            args.strip_prefix(&field.to_ascii_lowercase()).is_some_and(|rest| rest.trim_start().starts_with(['=', ':']))
        })
    };
    text.match_indices(tool).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + tool.len()..).unwrap_or_default();
        let Some(args) = after.strip_prefix('(').map(str::trim_start) else {
            return after.starts_with('{') && !before.is_some_and(is_word);
        };
        let written =
            args.starts_with(['"', '\'', '`', '{']) || is_field(args) || (needs_none && args.starts_with(')'));
        written && !before.is_some_and(is_word)
    })
}

/// `"name": "write_file"`: the tool's name as a JSON value.
fn is_json_value(text: &str, tool: &str) -> bool {
    text.match_indices(tool).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.strip_suffix('"'));
        let after = text.get(at + tool.len()..).unwrap_or_default();
        before.is_some_and(|before| before.trim_end().ends_with(':')) && after.starts_with('"')
    })
}

/// The languages of the code blocks.
fn fences(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter_map(|line| line.trim_start().strip_prefix("```"))
        .map(|language| language.trim_matches('`').trim())
}

/// Whether the line redirects into `.ralph/` or starts a here-document.
fn is_shell_line(line: &str) -> bool {
    let redirected = line.split('>').skip(1).any(|target| is_task_file(target.trim_start().trim_start_matches("./")));
    redirected || HERE_DOCUMENTS.iter().any(|mark| line.contains(mark))
}

const HERE_DOCUMENTS: [&str; 4] = ["<<eof", "<< eof", "<<'eof'", "<< 'eof'"];

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::agent::tools::BuiltIn;
    use crate::port::memory::MemoryHost;

    fn tools() -> Vec<ToolSchema> {
        BuiltIn::ALL.map(|tool| tool.schema(&MemoryHost::default(), None, None)).to_vec()
    }

    #[test]
    fn calls_written_as_text_are_detected() {
        for text in [
            "I'll now call write_file(\"src/App.tsx\", \"…\")",
            "write_file({path: 'a'})",
            "write_file( path = 'a', content = '')",
            "search(query: hero)",
            "Done. complete_task()",
            "```bash\nmkdir src\n```",
            "Run this:\n\n```sh\nls\n```\n",
            "echo \"complete\" > .ralph/status.txt",
            "`echo complete >./.ralph/status.txt`",
            "cat > src/App.tsx <<'EOF'\nx\nEOF",
            "```json\n{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\"}}\n```",
            "{\"tool\":\"complete_task\",\"args\":{}}",
            "<tool_call>{\"name\":\"x\"}</tool_call>",
            "<function=write_file><parameter=path>a</parameter></function>",
            "<invoke name=\"x\">",
            "<|tool_call_begin|>",
        ] {
            assert!(contains_call(text, &tools()), "{text}");
        }
    }

    #[test]
    fn plain_answers_contain_no_call() {
        for text in [
            "I built the landing page with three sections and wrote the summary.",
            "I added search(items, text), which filters the list, and the method search() of the store.",
            "I used write_file for the two sections and then complete_task.",
            "The component renders `a > b` and calls rewrite_file(x).",
            "```tsx\nexport default function App() { return <main>Hi</main> }\n```",
            "The shell (a terminal) is styled as well; see .ralph/summary.md.",
            "",
        ] {
            assert!(!contains_call(text, &tools()), "{text}");
        }
    }
}
