//! The parts of Markdown that quote.

/// The run of backticks or tildes that begins a line; empty if it is too short for a fence.
pub(crate) fn fence_mark(content: &str) -> &str {
    let Some(mark @ ('`' | '~')) = content.chars().next() else { return "" };
    let length = content.len() - content.trim_start_matches(mark).len();
    content.get(..length).filter(|mark| mark.len() >= 3).unwrap_or_default()
}

/// Whether a line is Markdown's indented code: by four spaces or a tab.
pub(super) fn is_indented(line: &str) -> bool {
    let content = line.trim_start_matches(' ');
    line.len() - content.len() >= 4 || content.starts_with('\t')
}

/// The length of the inline code that a run of backticks begins, and whether it is closed: by a run of the same length,
/// before a blank line or a fence.
pub(super) fn code_span(rest: &str, mark: usize) -> (usize, bool) {
    let mut at = mark;
    while let Some(found) = rest.get(at..).and_then(|rest| memchr::memchr2(b'`', b'\n', rest.as_bytes())) {
        at += found;
        let next = rest.get(at..).unwrap_or_default();
        if let Some(after) = next.strip_prefix('\n') {
            let line = after.split('\n').next().unwrap_or_default().trim();
            if line.is_empty() || !fence_mark(line).is_empty() {
                return (at, false);
            }
            at += 1;
        } else {
            let run = next.len() - next.trim_start_matches('`').len();
            at += run;
            if run == mark {
                return (at, true);
            }
        }
    }
    (rest.len(), false)
}

/// Whether a fence with this info string has JSON or plain text.
pub(super) fn is_plain(info: &str) -> bool {
    let info = info.trim_start();
    let language = info.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_ascii_lowercase();
    language.starts_with("json") || matches!(language.as_str(), "" | "text" | "txt" | "plain" | "plaintext")
}

/// The text before the fence that ends an answer, and the fence's content, if the fence is of backticks, with JSON or without
/// an info string.
pub(crate) fn last_fence(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    // The mark of the open fence, whether it is of JSON, where it begins, and where its content begins.
    let (mut open, mut at): (Option<(&str, bool, usize, usize)>, _) = (None, 0);
    for line in text.split_inclusive('\n') {
        let (content, end) = (line.trim(), at + line.len());
        let mark = fence_mark(content);
        match open {
            Some((opened, is_json, start, body)) if mark.starts_with(opened) && content == mark => {
                if end == text.len() {
                    return is_json.then_some((text.get(..start)?, text.get(body..at)?));
                }
                open = None;
            }
            None if !mark.is_empty() && !line.starts_with("    ") => {
                let info = content.get(mark.len()..).unwrap_or_default().trim().to_ascii_lowercase();
                let is_json = mark.starts_with('`') && matches!(info.as_str(), "" | "json");
                open = (!info.contains(mark)).then_some((mark, is_json, at, end));
            }
            _ => {}
        }
        at = end;
    }
    None
}
