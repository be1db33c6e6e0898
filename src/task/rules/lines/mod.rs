//! The lines of a message: the user's own words, items of lists, and what is pasted.

mod report;

use std::ops::Range;

/// Lines that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Without the bullet and the white space around it.
    pub bytes: Range<usize>,
    pub kind: LineKind,
    /// It follows a blank line, or nothing.
    pub opens_paragraph: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    /// The user's words.
    Prose,
    /// An item of a list.
    Item,
    /// Code, a log or a quotation.
    Pasted,
    /// A stack trace, the error of a tool, or the problem of a bug report.
    Trace,
}

/// Bytes of a line that was probably wrapped by hand where it ends.
const WRAPPED: usize = 60;

/// The lines of a message, in its order. Pasted lines that follow each other are one.
pub(super) fn lines(message: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let (mut is_fenced, mut opens_paragraph, mut is_wrapped, mut next) = (false, true, false, 0);
    for line in message.split_inclusive(['\n', '\r', '\u{2028}', '\u{2029}']) {
        let text = line.trim();
        let start = next + (line.len() - line.trim_start().len());
        let bytes = start..start + text.len();
        next += line.len();
        if text.is_empty() {
            opens_paragraph |= !is_fenced;
            continue;
        }
        if !is_fenced && is_done(text) {
            continue;
        }
        let fences = text.matches("```").count() + text.matches("~~~").count();
        let last = lines.last_mut().filter(|_| !opens_paragraph);
        let kind = match last.as_ref().map(|last| last.kind) {
            _ if is_fenced || text.starts_with("```") || text.starts_with("~~~") => LineKind::Pasted,
            Some(LineKind::Trace) if text.starts_with("at ") => LineKind::Trace,
            _ if is_trace(text) => LineKind::Trace,
            _ if is_pasted(text) => LineKind::Pasted,
            _ if item(text).is_some() => LineKind::Item,
            _ => LineKind::Prose,
        };
        is_fenced ^= kind == LineKind::Pasted && fences % 2 == 1;
        let is_own = matches!(kind, LineKind::Prose | LineKind::Item);
        let goes_on = is_wrapped && text.starts_with(char::is_lowercase);
        match (kind, last) {
            (LineKind::Prose, Some(last)) if goes_on => last.bytes.end = bytes.end,
            // What follows a trace at once is part of it.
            (LineKind::Pasted | LineKind::Trace, Some(last)) if last.kind == kind || last.kind == LineKind::Trace => {
                last.bytes.end = bytes.end;
            }
            _ => {
                let body = Some(text).filter(|_| is_own).and_then(|text| heading(text).or_else(|| item(text)));
                let bytes = bytes.end - body.unwrap_or(text).len()..bytes.end;
                lines.push(Line { bytes, kind, opens_paragraph });
            }
        }
        is_wrapped = is_own && text.len() >= WRAPPED && !text.ends_with(['.', '!', '?', ':', ';']);
        opens_paragraph = false;
    }
    report::read(message, lines)
}

/// A line of a stack trace, or the first words of a failing tool.
fn is_trace(text: &str) -> bool {
    #[rustfmt::skip]
    const TOOLS: [&str; 15] = [
        "[Warning]", "[warn]", "[error]", "[Error]", "[vite]", "[plugin", "Uncaught ", "Unhandled ", "npm ERR!", "error TS",
        "Error: ", "Warning: ", "Module not found", "Cannot find module", "Failed to ",
    ];
    let is_frame =
        text.starts_with("at ") && text.contains(':') && text.ends_with(|c: char| c == ')' || c.is_ascii_digit());
    let name = text.split_once(':').map_or("", |(name, _)| name);
    let is_named = !name.contains(' ') && (name.ends_with("Error") || name.ends_with("Exception"));
    is_frame || is_named || TOOLS.iter().any(|start| text.starts_with(start)) || text.contains("node_modules/")
}

/// A line that is quoted, or reads as code or as a log.
fn is_pasted(text: &str) -> bool {
    const MARKS: [&str; 5] = ["[ADD]", "[MODIFY]", "[FIX]", "[REMOVE]", "PRESERVE:"];
    const CODE: [&str; 9] = ["import ", "export ", "const ", "let ", "var ", "function ", "return ", "}", "if ("];
    let is_quoted = text.starts_with('>') && !text.starts_with("->");
    let is_tag = text.starts_with('<') && text.ends_with('>');
    let is_code = text.ends_with([';', '{', '}']) && CODE.iter().any(|start| text.starts_with(start));
    let number = text.split_once('|').map_or("", |(number, _)| number.trim_start_matches('>').trim());
    let is_numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    // As the harness writes them into `.ralph/task.md`.
    let is_of_task_file = item(text).is_some_and(|item| MARKS.iter().any(|mark| item.starts_with(mark)))
        || heading(text).is_some_and(|heading| heading.starts_with("Task:"));
    is_quoted || is_tag || is_code || is_numbered || is_of_task_file
}

/// An item of a list of tasks that is done or struck: `- [x]`, `- ~~a blog~~`.
fn is_done(text: &str) -> bool {
    let item = item(text).unwrap_or(text);
    item.starts_with("[x]") || item.starts_with("[X]") || item.starts_with("~~") && item.ends_with("~~")
}

/// The text of a heading.
fn heading(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('#');
    ((1..=6).contains(&(text.len() - rest.len())) && rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
}

/// The text of an item of a list: after `-`, `[ ]`, `1.`, `a)`.
fn item(text: &str) -> Option<&str> {
    let bullet = text.strip_prefix(['-', '*', '•', '–', '·', '+']);
    let bullet = bullet.filter(|rest| rest.starts_with(char::is_whitespace) || text.starts_with(['•', '·']));
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let letter = || text.strip_prefix(|c: char| c.is_ascii_lowercase()).filter(|rest| rest.starts_with(')'));
    let number = if (1..=2).contains(&(text.len() - digits.len())) { Some(digits) } else { letter() };
    let number = number.and_then(|after| after.strip_prefix(['.', ')']));
    let body = bullet.or(number.filter(|rest| rest.starts_with(char::is_whitespace))).map(str::trim_start);
    body.unwrap_or(text).strip_prefix("[ ]").map(str::trim_start).or(body)
}

#[cfg(test)]
mod tests {
    use super::LineKind::*;
    use super::*;

    #[test]
    fn pasted_lines_and_items_are_separate_and_wrapped_lines_are_joined() {
        let log = "TypeError: x is not a function\n    at render (App.tsx:3:1)";
        let code = "```ts\nremove(all)\n```\n> delete it\n  12 | const a = 1\nimport a from 'b';";
        let wrapped = "Please add a section for the opening hours of the shop and make sure that\nit is visible";
        for (message, expected) in [
            (format!("It crashes:\n\n{log}\n\nFix it"), vec![(Prose, "It crashes:"), (Trace, log), (Prose, "Fix it")]),
            (format!("a\n{code}\nb"), vec![(Prose, "a"), (Pasted, code), (Prose, "b")]),
            ("a\n```\nb\n\nc".to_owned(), vec![(Prose, "a"), (Pasted, "```\nb\n\nc")]),
            ("```a```\nb".to_owned(), vec![(Pasted, "```a```"), (Prose, "b")]),
            ("- red\n  * nested\n1. one".to_owned(), vec![(Item, "red"), (Item, "nested"), (Item, "one")]),
            ("a\n- [FIX] c\n- PRESERVE: d".to_owned(), vec![(Prose, "a"), (Pasted, "- [FIX] c\n- PRESERVE: d")]),
            ("- [x] add a\n- [ ] add b".to_owned(), vec![(Item, "add b")]),
            ("3.5 stars".to_owned(), vec![(Prose, "3.5 stars")]),
            (wrapped.to_owned(), vec![(Prose, wrapped)]),
            ("add a\nremove b".to_owned(), vec![(Prose, "add a"), (Prose, "remove b")]),
        ] {
            let lines: Vec<_> = lines(&message).into_iter().map(|line| (line.kind, &message[line.bytes])).collect();
            assert_eq!(lines, expected, "{message}");
        }
    }
}
