//! Compares the project with its state before the task.

use super::{ChangedFile, Comparison};
use crate::error::Error;
use crate::layout::{is_judged, is_task_file};
use crate::path::extension;
use crate::port::{FileKind, Host};
use crate::snapshot::{Change, Contents, Evidence, FileChange};

impl Comparison {
    /// Compares the present files with the snapshot `tag`, or with an empty project. The cost depends on the size of the
    /// change.
    pub async fn since(host: &Host, tag: Option<&str>, present: &Evidence) -> Self {
        let changed = changed(host, tag, present).await;
        changed.map_or_else(|error| Self::Impossible(error.message.clone()), Self::Changed)
    }
}

async fn changed(host: &Host, tag: Option<&str>, present: &Evidence) -> Result<Vec<ChangedFile>, Error> {
    let saved = match tag {
        Some(tag) => Contents::since_tag(host, tag, present, &is_judged).await?,
        // The project was empty: every file is new.
        None => Contents::default(),
    };
    let mut files = Vec::new();
    for FileChange { path, change, from } in saved.changes(present) {
        let (was, is) = match change {
            Change::Added => (None, Some(path)),
            Change::Renamed => (from, Some(path)),
            Change::Modified => (Some(path.clone()), Some(path)),
            Change::Deleted => (Some(path), None),
        };
        // The notes of the agent and the harness are not part of the app.
        let (was, is) = (was.filter(|path| !is_task_file(path)), is.filter(|path| !is_task_file(path)));
        let is_read = |path: &&String| is_source(path) && files.len() < MAX_READ;
        let before = match was.as_ref().filter(is_read) {
            Some(was) => saved.read(host, was).await?.and_then(text),
            None => None,
        };
        let after = match is.as_ref().filter(is_read) {
            Some(is) => now(host, is).await?,
            None => None,
        };
        let is_there = is.is_some();
        if let Some(path) = is.or_else(|| was.clone()) {
            files.push(ChangedFile { path, was, is_there, before, after });
        }
    }
    Ok(files)
}

async fn now(host: &Host, path: &str) -> Result<Option<String>, Error> {
    let project = host.project();
    let stat = project.lstat(path).await?.filter(|stat| stat.kind == FileKind::File && stat.size <= MAX_BYTES);
    Ok(match stat {
        Some(_) => project.read(path).await?.and_then(text),
        None => None,
    })
}

fn text(bytes: Vec<u8>) -> Option<String> {
    if bytes.len() as u64 > MAX_BYTES { None } else { String::from_utf8(bytes).ok() }
}

/// Whether two texts differ at most in blank lines and in white space at the ends of lines. Such a change does not count as work. Other
/// white space may be: it separates words, and indentation has a meaning in some languages.
pub fn only_line_ends_differ(before: &str, after: &str) -> bool {
    let lines = |text| str::split(text, '\n').map(str::trim_end).filter(|line| !line.is_empty());
    lines(before).eq(lines(after))
}

/// Whether gates read files with this extension.
pub(super) fn is_source(path: &str) -> bool {
    SOURCES.contains(&extension(path))
}

/// Maximum number of changed files to read.
const MAX_READ: usize = 500;
/// Maximum size of a file to read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;
/// Extensions that gates read.
const SOURCES: [&str; 16] = [
    "tsx", "jsx", "ts", "js", "mjs", "cjs", "mts", "cts", "css", "json", "jsonc", "html", "htm", "vue", "svelte",
    "astro",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_and_line_ends_are_no_difference_and_other_white_space_is_one() {
        for (before, after, expected) in [
            ("a\nb", "a\nb", true),
            ("a\nb\n", "a\r\nb\r\n", true),
            ("a\nb", "\n\na \t\n \n\nb\n", true),
            ("", " \n", true),
            ("a\nb", "a b", false),
            ("a {\n  b\n}", "a {\n\tb\n}", false),
            ("if a:\n    b\n    c\n", "if a:\n    b\nc\n", false),
            ("<h1>Nightbar</h1>", "<h1>Night bar</h1>", false),
            ("a", "", false),
        ] {
            assert_eq!(only_line_ends_differ(before, after), expected, "{before:?} {after:?}");
            assert_eq!(only_line_ends_differ(after, before), expected, "{after:?} {before:?}");
        }
    }
}
