//! Tool calls that a model wrote down instead of making them.

/// The text holds a command that its author seems to take for a call: a tool's name with arguments, a shell script, the
/// JSON or XML of a call. `tools` are the names that can be called.
pub(super) fn holds_a_call(text: &str, tools: &[&str]) -> bool {
    let lower = text.to_lowercase();
    TAGS.iter().any(|tag| lower.contains(tag))
        || tools.iter().any(|tool| names_a_call(&lower, &tool.to_lowercase()))
        || fences(&lower).any(|language| SHELLS.contains(&language))
        || lower.lines().any(is_shell_line)
}

/// How models of several makers mark a call in text.
const TAGS: [&str; 8] =
    ["<tool_call", "<function_call", "<function=", "<function>", "<invoke", "<|tool", "[tool_call", "[tool_calls"];

const SHELLS: [&str; 7] = ["bash", "sh", "shell", "zsh", "console", "shell-session", "terminal"];

fn names_a_call(text: &str, tool: &str) -> bool {
    is_applied(text, tool) || is_json_value(text, tool)
}

/// `write_file("…`, `write_file(path=…`, `complete_task()`: a call, not a mention.
fn is_applied(text: &str, tool: &str) -> bool {
    text.match_indices(tool).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + tool.len()..).unwrap_or_default();
        !before.is_some_and(is_word) && after.starts_with(['(', '{'])
    })
}

/// `"name": "write_file"`: the tool as a value in JSON.
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

/// A redirection into a file of the harness's folder, or a here-document.
fn is_shell_line(line: &str) -> bool {
    let redirected =
        line.split('>').skip(1).any(|target| target.trim_start().trim_start_matches("./").starts_with(".ralph/"));
    redirected || HERE_DOCUMENTS.iter().any(|mark| line.contains(mark))
}

const HERE_DOCUMENTS: [&str; 4] = ["<<eof", "<< eof", "<<'eof'", "<< 'eof'"];

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::holds_a_call;

    const TOOLS: [&str; 4] = ["write_file", "complete_task", "shell", "openPreview"];

    #[test]
    fn case_153_calls_in_prose_are_seen() {
        for text in [
            "I'll now call write_file(\"src/App.tsx\", \"…\")",
            "write_file({path: 'a'})",
            "Done. complete_task()",
            "openPreview()",
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
            assert!(holds_a_call(text, &TOOLS), "{text}");
        }
    }

    #[test]
    fn plain_answers_are_not() {
        for text in [
            "I built the landing page with three sections and wrote the summary.",
            "I used write_file for the two sections and then complete_task.",
            "The component renders `a > b` and calls rewrite_file(x).",
            "```tsx\nexport default function App() { return <main>Hi</main> }\n```",
            "The shell (a terminal) is styled as well; see .ralph/summary.md.",
            "",
        ] {
            assert!(!holds_a_call(text, &TOOLS), "{text}");
        }
    }
}
