//! Texts about a task, from the message and the project's files.

use crate::hex;
use crate::layout::{ORIGIN, PLAN, SUMMARY, TASK_HISTORY, THEME};
use crate::port::{PortResult, ProjectDir};
use crate::text::shortened;
use sha1::{Digest, Sha1};
use std::fmt::Write;

/// Maximum length of a title, in characters.
pub(super) const TITLE: usize = 72;

/// The first line of a message, shortened for a heading or a commit.
pub fn title(message: &str) -> String {
    let line = message.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    shortened(&line.chars().filter(|c| !c.is_control()).collect::<String>(), TITLE)
}

/// The user's words as a Markdown quotation, so they cannot be mistaken for the harness's.
pub fn quote(message: &str) -> String {
    if message.is_empty() {
        return String::new();
    }
    let unix = message.replace("\r\n", "\n");
    let lines = unix.strip_suffix('\n').unwrap_or(&unix);
    // Every character that a Markdown parser may treat as a line break.
    let ends = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
    lines.split(ends).fold(String::new(), |mut quoted, line| {
        let _ = writeln!(quoted, "> {line}");
        quoted
    })
}

/// The text of `.ralph/origin.md`: the first request, which never changes.
///
/// # Errors
/// `fs`.
pub async fn origin(project: ProjectDir<'_>, message: &str) -> PortResult<String> {
    let kept = project.read_text(ORIGIN).await?.filter(|text| !text.trim().is_empty());
    Ok(kept.unwrap_or_else(|| format!("# Origin\n\n{}", quote(message))))
}

/// The history with a line for the previous task, if there was one: its result if known, else the agent's summary.
/// Repeated after a crash, it adds no second line.
///
/// # Errors
/// `fs`.
pub async fn history_with(
    project: ProjectDir<'_>,
    history: &str,
    last: u32,
    outcome: Option<&str>,
) -> PortResult<String> {
    let head = format!("- Task {last}: ");
    if last == 0 || history.lines().any(|line| line.starts_with(&head)) {
        return Ok(history.to_owned());
    }
    let summary = match outcome {
        Some(outcome) => outcome.to_owned(),
        None => project.read_text(SUMMARY).await?.unwrap_or_default(),
    };
    let line = summary.lines().map(|line| line.trim_start_matches('#').trim()).find(|line| !line.is_empty());
    let end = if history.is_empty() || history.ends_with('\n') { "" } else { "\n" };
    Ok(format!("{history}{end}{head}{}\n", line.map_or_else(|| "(no summary)".to_owned(), title)))
}

/// The stored history, for projects without a journal.
///
/// # Errors
/// `fs`.
pub async fn kept_history(project: ProjectDir<'_>) -> PortResult<String> {
    Ok(project.read_text(TASK_HISTORY).await?.unwrap_or_default())
}

/// The command of the project's theme, from the harness's note; empty if there is none.
///
/// # Errors
/// `fs`.
pub async fn applied_theme(project: ProjectDir<'_>) -> PortResult<String> {
    Ok(project.read_text(THEME).await?.unwrap_or_default().trim().to_owned())
}

/// The hash of the plan on disk; `None` if the file is missing or blank.
///
/// # Errors
/// `fs`.
pub async fn plan_hash(project: ProjectDir<'_>) -> PortResult<Option<String>> {
    Ok(project.read_text(PLAN).await?.and_then(|source| hash(&source)))
}

/// The hash of a plan's source; `None` if it is blank.
pub fn hash(source: &str) -> Option<String> {
    let filled = !source.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty();
    filled.then(|| hash_bytes(source.as_bytes()))
}

/// The hash of a file's bytes.
pub fn hash_bytes(bytes: &[u8]) -> String {
    hex::encode(&Sha1::digest(bytes))
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::port::memory::MemoryHost;

    #[test]
    fn a_title_is_one_short_line() {
        assert_eq!(title("\n  add 2 drinks\nand more"), "add 2 drinks");
        assert_eq!(title(&"é".repeat(200)).chars().count(), TITLE);
        assert_eq!(title(""), "");
    }

    #[test]
    fn a_blank_plan_has_no_hash() {
        assert_eq!(hash(" \n\u{feff}\t"), None);
        assert_ne!(hash("a"), hash("b"));
    }

    #[tokio::test]
    async fn the_history_grows_once_by_task() {
        let host = MemoryHost::new([(".ralph/summary.md", "# Built the hero\n\nand more")]);
        let first = history_with(host.project(), "", 1, None).await.unwrap();
        assert_eq!(first, "- Task 1: Built the hero\n");
        assert_eq!(history_with(host.project(), &first, 1, None).await.unwrap(), first);
        let second = history_with(MemoryHost::new([]).project(), first.trim_end(), 2, None).await.unwrap();
        assert_eq!(second, "- Task 1: Built the hero\n- Task 2: (no summary)\n");
        assert_eq!(history_with(host.project(), "", 1, Some("(failed)")).await.unwrap(), "- Task 1: (failed)\n");
    }

    #[tokio::test]
    async fn the_origin_is_written_once() {
        let host = MemoryHost::new([(".ralph/origin.md", "# Origin\n\n> first\n")]);
        assert_eq!(origin(host.project(), "second").await.unwrap(), "# Origin\n\n> first\n");
        assert_eq!(origin(MemoryHost::new([]).project(), "first").await.unwrap(), "# Origin\n\n> first\n");
    }
}
