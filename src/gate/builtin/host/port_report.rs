//! Formats messages of the IDE's build and preview, for the feedback and for the report files in `.ralph/`.

use crate::gate::ReportFile;
use crate::gate::feedback::clip;
use crate::port::{BuildMessage, Host};

/// Maximum number of messages in the feedback.
const SHOWN: usize = 10;
/// Maximum number of messages in a report file.
const FILED: usize = 100;
/// Maximum length of a message, in characters.
const MESSAGE_CHARS: usize = 500;

/// The first messages as a list, with the number of omitted ones.
pub(super) fn shown(messages: &[String]) -> String {
    bounded(messages, SHOWN)
}

/// A message with its position: `src/App.tsx:3:7: Unexpected token`.
pub(super) fn line<H: Host>(host: &H, message: &BuildMessage) -> String {
    let file = message.file.as_deref().map(|file| relative(file, host.dir()));
    let place = match (file, message.line, message.column) {
        (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}: "),
        (Some(file), Some(line), None) => format!("{file}:{line}: "),
        (Some(file), None, _) => format!("{file}: "),
        (None, ..) => String::new(),
    };
    let text = message.message.trim();
    let text = if text.is_empty() { "(no message)" } else { text };
    single(&format!("{place}{text}"))
}

/// A text as one list entry: bounded, with later lines indented.
pub(super) fn single(text: &str) -> String {
    let text = clip(text);
    let short: String = text.trim().chars().take(MESSAGE_CHARS).collect();
    short.replace('\n', "\n  ")
}

/// The messages as a file; without messages it is removed.
pub(super) fn file(path: &'static str, title: &str, messages: &[String]) -> ReportFile {
    let text = (!messages.is_empty()).then(|| format!("# {title}\n\n{}\n", bounded(messages, FILED)));
    ReportFile { path, text }
}

fn bounded(messages: &[String], most: usize) -> String {
    let mut lines: Vec<String> = messages.iter().take(most).map(|message| format!("- {message}")).collect();
    if messages.len() > most {
        lines.push(format!("- and {} more", messages.len() - most));
    }
    lines.join("\n")
}

fn relative<'a>(file: &'a str, dir: &str) -> &'a str {
    match file.strip_prefix(dir) {
        Some(rest) if !dir.is_empty() && rest.starts_with('/') => rest.trim_start_matches('/'),
        _ => file.strip_prefix("./").unwrap_or(file),
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::port::memory::MemoryHost;

    #[test]
    fn a_message_has_the_known_part_of_its_position() {
        let host = MemoryHost::default();
        for (file, at, column, expected) in [
            (Some("src/a.ts"), Some(3), Some(7), "src/a.ts:3:7: no"),
            (Some("/project/src/a.ts"), Some(3), None, "src/a.ts:3: no"),
            (Some("./src/a.ts"), None, Some(7), "src/a.ts: no"),
            (Some("/projects/a.ts"), None, None, "/projects/a.ts: no"),
            (None, Some(3), Some(7), "no"),
        ] {
            let message = BuildMessage { message: "no".to_owned(), file: file.map(str::to_owned), line: at, column };
            assert_eq!(line(&host, &message), expected);
        }
        assert_eq!(line(&host, &BuildMessage::default()), "(no message)");
    }

    #[test]
    fn messages_are_bounded() {
        let many = vec!["a".to_owned(); 12];
        assert_eq!(shown(&many).lines().count(), 11);
        assert!(shown(&many).ends_with("- and 2 more"));
        assert_eq!(single(&"é".repeat(9_999)).chars().count(), MESSAGE_CHARS);
        assert_eq!(single("a\nb\u{1b}[0m"), "a\n  b");
    }
}
