//! Detects tool calls that a model wrote as text instead of making them.

use super::tools::BuiltIn;
use crate::answer::without_reasoning;
use crate::layout::is_task_file;
use crate::port::ToolSchema;
use serde_json::Value;

/// What looks like a call in a text, from the least certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Written {
    /// A shell script, which may be meant for the user.
    Script,
    /// A tool's name with arguments, as in a program.
    Applied,
    /// The markup or the JSON of a call, or a file of a code block.
    Call,
}

/// Looks for calls that were written as text, outside of inline code in a sentence and of programs. Thoughts before the answer
/// make no call, unless they are all of it.
pub(super) fn written_call(text: &str, tools: &[ToolSchema]) -> Option<Written> {
    let text = Some(without_reasoning(text)).filter(|own| !own.is_empty()).unwrap_or(text);
    let lower = plain(text);
    let plain = without_examples(&lower);
    // Some servers set spaces between the marks.
    let marks = plain.replace("| ", "|").replace(" |", "|").replace("< ", "<");
    let thinks = marks.contains("<|channel|>") && !marks.contains("<|channel|>final");
    if thinks
        || TAGS.iter().any(|tag| marks.contains(tag))
        || tools.iter().any(|tool| names_a_call(&plain, tool))
        || is_arguments(text, tools)
        || has_snake_element(&plain)
        || has_replacement(&lower)
        || fences(&plain).any(|info| is_file(info) || is_tool(info, tools))
    {
        return Some(Written::Call);
    }
    if tools.iter().any(|tool| is_applied(&plain, &name_of(tool), &tool.function.parameters)) {
        return Some(Written::Applied);
    }
    let is_script = fences(&plain).any(|language| SHELLS.contains(&language)) || plain.lines().any(is_shell_line);
    is_script.then_some(Written::Script)
}

/// In lower case, with the marks of all vendors written in ASCII: DeepSeek's have wide bars and blocks.
fn plain(text: &str) -> String {
    text.to_lowercase().replace('｜', "|").replace('▁', "_")
}

/// The text without what shows code: programs in code blocks, and inline code with marks that is a part of a line.
fn without_examples(text: &str) -> String {
    let (mut kept, mut program) = (String::new(), false);
    for line in text.lines() {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            program = !program && PROGRAMS.contains(&info.trim());
        } else if program {
            continue;
        }
        let whole = line.trim();
        let is_code_alone = whole.starts_with('`') && whole.ends_with('`') && whole.matches('`').count() == 2;
        for (at, part) in line.split('`').enumerate() {
            if at % 2 == 0 || is_code_alone || !part.contains(['(', '<']) {
                kept.push_str(if at == 0 { "" } else { "`" });
                kept.push_str(part);
            }
        }
        kept.push('\n');
    }
    kept
}

/// Languages of code blocks in which a tool's name is another function.
const PROGRAMS: [&str; 11] =
    ["js", "javascript", "jsx", "ts", "typescript", "tsx", "css", "html", "vue", "svelte", "rust"];

/// Whether a code block with this language and what follows it is a file: `tsx file="a.tsx"`, `tsx:src/a.tsx`.
fn is_file(info: &str) -> bool {
    let named = [" file=", " path=", " filename=", " title="].iter().any(|field| info.contains(field));
    named || info.split_once(':').is_some_and(|(language, path)| language.chars().all(is_word) && path.contains('.'))
}

/// Whether a code block is labelled with the name of a tool. A name without `_` may be a language.
fn is_tool(info: &str, tools: &[ToolSchema]) -> bool {
    let label = info.split(|c| !is_word(c)).next().unwrap_or_default();
    label.contains('_') && tools.iter().any(|tool| name_of(tool) == label)
}

/// Whether lines of the text replace one part of a file by another, in a code block or not. A conflict that git marks has other
/// labels.
fn has_replacement(text: &str) -> bool {
    let has_mark = |line: &str, marks: [&str; 2], label: &str| {
        let line = line.trim();
        marks.iter().any(|mark| line.strip_prefix(mark).is_some_and(|rest| rest.trim() == label))
    };
    REPLACEMENTS.iter().any(|(old, new)| {
        let mut lines = text.lines();
        lines.any(|line| has_mark(line, ["<<<<<<<", "-------"], old))
            && lines.any(|line| has_mark(line, [">>>>>>>", "+++++++"], new))
    })
}

/// How agents label the present text and the new one.
const REPLACEMENTS: [(&str, &str); 2] = [("search", "replace"), ("original", "updated")];

/// Whether the text has an element with content and a name like a tool's: `<update_todo_list>`. HTML has no such names.
fn has_snake_element(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let rest = text.get(at + 1..).unwrap_or_default();
        let (name, rest) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
        let is_name = name.contains('_') && name.starts_with(|c: char| c.is_ascii_lowercase());
        let Some(content) = rest.strip_prefix('>').filter(|_| is_name) else { return false };
        content.trim_start().starts_with('<') || content.contains(&format!("</{name}>"))
    })
}

/// Markup that models of several vendors use for calls in text, and what models write that were made for another agent.
const TAGS: [&str; 43] = [
    "<tool_call",
    "<toolcall",
    "<tool_use",
    "<tool_code",
    "<tool_name>",
    "<function_call",
    "<functioncall",
    "<function=",
    "<function>",
    "<function name=",
    "<invoke",
    ":function_calls>",
    ":invoke name=",
    "tool_call>",
    "arg_key>",
    "</function>",
    "<tool name=",
    "<action name=",
    "*** begin patch",
    "<<<<<<<search",
    "<file path=",
    "<codeproject",
    "<parameter=",
    "<parameter name=",
    "<|tool",
    "<|dsml|",
    "tool_sep|>",
    "<|function",
    "<|action_start|>",
    "<|plugin|>",
    "<|python_tag|>",
    "<|channel|>commentary",
    "<|call|>",
    " to=functions.",
    "[tool_call",
    "[tool_use",
    "[function_call",
    "[args]{",
    "<boltartifact ",
    "<boltaction ",
    "<dyad-",
    "<lov-",
    "<antartifact ",
];

const SHELLS: [&str; 9] =
    ["bash", "sh", "shell", "zsh", "console", "shell-session", "terminal", "tool_code", "tool_call"];

fn names_a_call(text: &str, tool: &ToolSchema) -> bool {
    let name = name_of(tool);
    let parameters = &tool.function.parameters;
    has_arguments(text, &name, parameters)
        || is_json_value(text, &name)
        || is_element(text, &name, parameters)
        || is_header(text, &name)
}

fn name_of(tool: &ToolSchema) -> String {
    tool.function.name.to_ascii_lowercase()
}

/// `<write_file><path>…`, `<write_file path="…">`, `<complete_task/>`, `<complete_task></complete_task>`: an element that is
/// more than its mention.
fn is_element(text: &str, tool: &str, parameters: &Value) -> bool {
    let fields = parameters.get("properties").and_then(Value::as_object);
    let has_field = |rest: &str, mark: &str| {
        fields
            .into_iter()
            .flatten()
            .any(|(field, _)| rest.strip_prefix(mark).is_some_and(|rest| rest.starts_with(&field.to_ascii_lowercase())))
    };
    let closing = text.rfind(&format!("</{tool}>")).unwrap_or_default();
    text.match_indices(tool).any(|(at, _)| {
        let is_open = text.get(..at).is_some_and(|before| before.ends_with('<'));
        let rest = text.get(at + tool.len()..).unwrap_or_default();
        let Some(content) = rest.strip_prefix('>').map(str::trim_start) else {
            return is_open
                && (rest.trim_start().starts_with("/>")
                    || (rest.starts_with(' ') && has_field(rest.trim_start(), "")));
        };
        is_open && (at < closing || has_field(content, "<"))
    })
}

/// The header of a call: `Action: write_file` on a line of its own, `to=write_file`, `<name>write_file`.
fn is_header(text: &str, tool: &str) -> bool {
    let mut lines = text.lines().filter_map(|line| line.trim().trim_matches(['`', '*']).strip_suffix(tool));
    lines.any(|before| HEADERS.contains(&before.trim()))
        || MARKS.iter().any(|mark| text.contains(&format!("{mark}{tool}")))
}

const HEADERS: [&str; 5] = ["action:", "tool:", "function:", "tool_name:", ">>>"];

const MARKS: [&str; 6] = [" to=", "<name>", "<tool>", "<function_name>", "<action>", "<function>"];

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
        let Some(args) = after.strip_prefix('(').map(str::trim_start) else { return false };
        let written =
            args.starts_with(['"', '\'', '`', '{']) || is_field(args) || (needs_none && args.starts_with(')'));
        written && !before.is_some_and(is_word)
    })
}

/// `functions.write_file:0{"path"…`, `write_file with arguments {"path"…`, a line of the name before a code block with the
/// arguments: the name, and with only marks and some words between, the name of a parameter with a value.
fn has_arguments(text: &str, tool: &str, parameters: &Value) -> bool {
    let fields: Vec<String> = parameters
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(field, _)| field.to_ascii_lowercase())
        .collect();
    // The name may be a word of the language.
    let is_plain_word = !tool.contains('_');
    text.match_indices(tool).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let is_part = before.chars().next_back().is_some_and(is_word) && !before.ends_with("function");
        let after = text.get(at + tool.len()..).unwrap_or_default();
        let mut rest = after.get(..after.floor_char_boundary(NEAR_MAX)).unwrap_or_default();
        let mut gap = String::new();
        while gap.len() < GAP_MAX {
            let start = rest.find(is_word).unwrap_or(rest.len());
            let (marks, after) = rest.split_at(start);
            let (word, after) = after.split_at(after.find(|c| !is_word(c)).unwrap_or(after.len()));
            gap.push_str(marks);
            if word.is_empty() || gap.is_empty() || marks.contains(". ") {
                return false;
            }
            if fields.iter().any(|field| field == word) {
                let value = after.trim_start_matches(['"', '\'', '\\', '`', ' ']);
                let is_marked = !is_plain_word || gap.contains(['{', '<']);
                return !is_part && is_marked && value.starts_with([':', '=', '>', '<']);
            }
            if !BETWEEN.contains(&word) && word.parse::<u32>().is_err() {
                return false;
            }
            gap.push_str(word);
            rest = after;
        }
        false
    })
}

/// How far the arguments are from the name, in bytes.
const GAP_MAX: usize = 60;

/// How much of the text after the name is read, in bytes: the way to the arguments, and the first one's name.
const NEAR_MAX: usize = 2 * GAP_MAX;

/// Words between the name of a tool and its arguments.
const BETWEEN: [&str; 16] = [
    "json",
    "yaml",
    "xml",
    "arguments",
    "argument",
    "parameters",
    "parameter",
    "params",
    "param",
    "args",
    "input",
    "with",
    "tool",
    "call",
    "name",
    "type",
];

/// An answer that is only the arguments of a tool, as JSON. The arguments of `complete_task` are an answer as they are.
fn is_arguments(text: &str, tools: &[ToolSchema]) -> bool {
    let text = text.trim();
    let inner =
        text.strip_prefix("```").and_then(|text| text.strip_suffix("```")).map(|text| text.trim_start_matches("json"));
    let Ok(Value::Object(given)) = crate::json::value(inner.unwrap_or(text)) else { return false };
    tools.iter().filter(|tool| tool.function.name != BuiltIn::CompleteTask.name()).any(|tool| {
        let parameters = &tool.function.parameters;
        let fields = parameters.get("properties").and_then(Value::as_object);
        let required = parameters.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        !required.is_empty()
            && required.iter().filter_map(Value::as_str).all(|name| given.contains_key(name))
            && given.keys().all(|name| fields.is_some_and(|fields| fields.contains_key(name)))
    })
}

/// `"name": "write_file"`, `'name': 'write_file'` or `"write_file": {`: the tool's name as a value, or as the key of an object.
fn is_json_value(text: &str, tool: &str) -> bool {
    ['"', '\''].into_iter().any(|quote| {
        text.match_indices(tool).any(|(at, _)| {
            let before = text.get(..at).and_then(|before| before.strip_suffix(quote));
            let after = text.get(at + tool.len()..).and_then(|after| after.strip_prefix(quote));
            let (Some(before), Some(after)) = (before, after) else { return false };
            let is_key = after.trim_start().strip_prefix(':').is_some_and(|value| value.trim_start().starts_with('{'));
            before.trim_end().ends_with(':') || is_key
        })
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
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>write_file\n```json\n{\"path\":\"a\"}\n```<｜tool▁call▁end｜>",
            "<｜DSML｜function_calls><｜DSML｜invoke name=\"write_file\"><｜DSML｜parameter name=\"path\" string=\"true\">a</｜DSML｜parameter>",
            "<|channel|>commentary to=functions.write_file <|constrain|>json<|message|>{\"path\":\"a\"}<|call|>",
            "assistantcommentary to=functions.write_file json{\"path\":\"a\"}",
            "< ｜ DSML ｜ invoke name=\"write_file\">",
            "<|python_tag|>write_file.call(path=\"a\")",
            "<write_file>\n<path>a</path>\n<content>x</content>\n</write_file>",
            "<write_file path=\"a\">x</write_file>",
            "Done!\n<complete_task/>",
            "<complete_task></complete_task>",
            "<write_to_file>\n<path>a</path>\n<content>x</content>\n</write_to_file>",
            "<attempt_completion><result>Done</result></attempt_completion>",
            "<boltArtifact id=\"a\" title=\"b\"><boltAction type=\"file\" filePath=\"a\">x</boltAction></boltArtifact>",
            "<dyad-write path=\"a\" description=\"b\">x</dyad-write>",
            "<lov-write file_path=\"a\">x</lov-write>",
            "<lov-delete file_path=\"a\" />",
            "<dyad-edit path=\"a\">x</dyad-edit>",
            "<update_todo_list>\n<todos>\n[x] notes\n</todos>\n</update_todo_list>",
            "<tool_response>\nWrote a (2 bytes)\n</tool_response>",
            "Now the second file:\n\n```tsx file=\"src/App.tsx\"\nexport default 1\n```",
            "Now the second file:\n\n```tsx:src/App.tsx\nexport default 1\n```",
            "<|channel|>analysis<|message|>Now I need to write src/App.tsx.<|end|>",
            "<minimax:tool_call><invoke name=\"write_file\"></invoke></minimax:tool_call>",
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.write_file:0",
            "write_file[ARGS]{\"path\":\"a\"}",
            "Action: write_file\nAction Input: {\"path\":\"a\"}",
            ">>>write_file\n{\"path\":\"a\"}",
            "write_file\n{\"path\": \"a\"}",
            "**write_file**\n{\"path\": \"a\"}",
            "```json\n{\"write_file\": {\"path\": \"a\"}}\n```",
            "{'name': 'write_file', 'arguments': {'path': 'a'}}",
            "```tool_code\nprint(1)\n```",
            "I call write_file {\"path\": \"a\"} now",
            "<tool><name>write_file</name><arguments>{}</arguments></tool>",
            "commentary to=write_file {}",
            "[write_file(path='a', content='x')]",
            "write_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>",
            "<longcat_tool_call>write_file\n<longcat_arg_key>path</longcat_arg_key>",
            "functions.write_file:0{\"path\":\"a\"}",
            "functionwrite_file\n```json\n{\"path\":\"a\"}\n```",
            "**write_file**\n\n```json\n{\"path\":\"a\"}\n```",
            "Tool: `write_file`\n\n```json\n{\"path\":\"a\"}\n```",
            "**Tool:** write_file\n**Arguments:** {\"path\":\"a\"}",
            "{\"tool_uses\":[{\"recipient_name\":\"functions.write_file\",\"parameters\":{\"path\":\"a\"}}]}",
            "{\"name\": \"default_api:write_file\", \"args\": {\"path\":\"a\"}}",
            "{\\\"name\\\": \\\"write_file\\\", \\\"arguments\\\": {\\\"path\\\": \\\"a\\\"}}",
            "<tool name=\"write_file\">\n<param name=\"path\">a</param></tool>",
            "<file path=\"a\">\nx\n</file>",
            "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch",
            "a\n```md\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n```",
            "I also update the page:\n\nindex.html\n```html\n<<<<<<< SEARCH\n<p>a</p>\n=======\n<p>b</p>\n>>>>>>> REPLACE\n```",
            "src/a.js\n```js\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n```",
            "```patch index.html\n<<<<<<< ORIGINAL\n<p>a</p>\n=======\n<p>b</p>\n>>>>>>> UPDATED\n```",
            "index.html\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE",
            "```edit_file\nindex.html\n<p>a</p>\n---\n<p>b</p>\n```",
            "```write_file\nindex.html\n<p>b</p>\n```",
            "```write_file index.html\n<p>b</p>\n```",
            "<antArtifact identifier=\"a\" type=\"text/html\" title=\"index.html\"><p>b</p></antArtifact>",
            "<think>All is there.</think>\n<write_file>\n<path>a</path>\n</write_file>",
            "<think>I call it now: <tool_call>{\"name\":\"write_file\"}</tool_call></think>",
            "[Called write_file with arguments {\"path\":\"a\"}]",
            "[Tool call: search]\n{\"query\":\"hero\"}",
            "```yaml\nname: write_file\narguments:\n  path: a\n```",
            "<execute_bash>\necho x > a\n</execute_bash>",
            "write_file path=\"a\" content=\"x\"",
            "```json\n{\"path\":\"a\",\"content\":\"x\"}\n```",
            "<CodeProject id=\"a\">x</CodeProject>",
            "Function: `write_file`\nParameters: `{\"path\":\"a\"}`",
        ] {
            assert!(written_call(text, &tools()).is_some(), "{text}");
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
            "The docs name `<write_file>` and the tag `<boltAction>` as examples of what not to write.",
            "I replaced `<dyad-write>` by a call. The action: write a file.",
            "The menu has `<parameter>` rows; the name: search is new. Notes go to: functions.",
            "```json\n{ \"name\": \"Quay\", \"search\": true }\n```",
            "The search query: it filters the list. I used write_file. The path: notes.md.",
            "With write_file I wrote the path `a` and its content: two lines.",
            "```json\n{\"title\": \"Quay\", \"path\": \"a\"}\n```",
            "The shell (a terminal) is styled as well; see .ralph/summary.md.",
            "The page explains the tags `<function>` and `<tool_call>`.",
            "- notes.md: `write_file(\"notes.md\", text)` wrote it.",
            "It is used like this:\n\n```ts\nconst found = search(\"milk\")\n```\nDone.",
            "I removed the marks; before, the file had\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n```",
            "The diff:\n\n```diff\n--- a/index.html\n+++ b/index.html\n-<p>a</p>\n+<p>b</p>\n```",
            "The editor reads `<<<<<<< SEARCH` and `>>>>>>> REPLACE` now.",
            "Search and replace work:\n\n```js\nsearch()\n=======\nreplace()\n```",
            "<think>I could call read_file(\"src/main.js\") to check, but it is not needed.</think>\n\nThe script logs b.",
            "<think>\n<tool_call>{\"name\":\"write_file\"}</tool_call> would do it. It is done.\n</think>\nThe script logs b.",
            "<|channel|>analysis<|message|>All is there.<|end|><|start|>assistant<|channel|>final<|message|>Done.",
            "",
        ] {
            assert_eq!(written_call(text, &tools()), None, "{text}");
        }
    }

    #[test]
    fn what_may_be_for_the_user_is_less_certain() {
        for (text, expected) in [
            ("Done. Run the app with:\n\n```bash\nnpm run dev\n```", Written::Script),
            ("I called write_file('a', text) for it.", Written::Applied),
            ("```bash\nls\n```\n<tool_call>{}</tool_call>", Written::Call),
        ] {
            assert_eq!(written_call(text, &tools()), Some(expected), "{text}");
        }
    }
}
