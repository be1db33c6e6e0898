//! The difference between two states of the project, as a unified diff per file.

use crate::agent::{Access, decide};
use crate::error::Error;
use crate::gate::only_line_ends_differ;
use crate::layout::is_judged;
use crate::port::{Host, Rights};
use crate::review::FileDiff;
use crate::snapshot::{Change, Contents, Evidence, FileChange, is_comparable};
use crate::text::{beginning, counted};
use imara_diff::{Algorithm, Diff, InternedInput, Interner, Token, UnifiedDiffConfig, UnifiedDiffPrinter};
use std::fmt::{self, Write};

/// What changed, with the contents.
pub(super) struct Difference {
    /// Every changed file.
    pub changes: Vec<FileChange>,
    /// The diffs of the first of them, new files included, up to a total size.
    pub files: Vec<FileDiff>,
    /// The paths of the others.
    pub omitted: Vec<String>,
}

impl Difference {
    /// The diffs without the contents of files that a role may not read.
    pub(super) fn readable(&self, dir: &str, rights: &Rights) -> Vec<FileDiff> {
        let may_read = |path: &str| decide(dir, path, Access::Read, rights, "read_file").is_ok();
        let is_open = |file: &FileDiff| {
            let change = self.changes.iter().find(|change| change.path == file.path);
            may_read(&file.path) && change.and_then(|change| change.from.as_deref()).is_none_or(may_read)
        };
        let closed = |path: &str| FileDiff {
            path: path.to_owned(),
            text: format!("--- {path}\n+++ {path}\n[the policy does not let this role read the file]\n"),
            is_whitespace_only: false,
            is_blank: false,
        };
        self.files.iter().map(|file| if is_open(file) { file.clone() } else { closed(&file.path) }).collect()
    }

    /// First the list of files, then their diffs.
    pub(super) fn text(&self) -> String {
        let mut text = listing(&self.changes);
        text.extend(self.files.iter().map(|file| format!("\n{}", file.text)));
        if !self.omitted.is_empty() {
            text.push_str("\n[The diff is longer; read the other files with read_file.]\n");
        }
        text
    }
}

/// What changed between a snapshot and the working tree, which the evidence describes.
///
/// # Errors
/// `not-found` if the snapshot is gone; errors of the ports.
pub(super) async fn since(host: &Host, tag: &str, now: &Evidence) -> Result<Difference, Error> {
    let saved = Contents::since_tag(host, tag, now, &is_judged).await?;
    let changes = saved.changes(now);
    between(host, &saved, None, changes).await
}

/// The difference of changes between two states; without `after`, the second one is the working tree.
///
/// # Errors
/// Errors of the ports.
pub(super) async fn between(
    host: &Host,
    before: &Contents,
    after: Option<&Contents>,
    changes: Vec<FileChange>,
) -> Result<Difference, Error> {
    let (mut files, mut total) = (Vec::new(), listing(&changes).len());
    for change in &changes {
        let old = change.from.as_deref().unwrap_or(&change.path);
        let before = if change.change == Change::Added { None } else { before.read(host, old).await? };
        let after = match after {
            _ if change.change == Change::Deleted => None,
            Some(after) => after.read(host, &change.path).await?,
            None => host.project().read(&change.path).await?,
        };
        let file = file_diff([old, &change.path], before.as_deref(), after.as_deref());
        total += file.text.len() + 1;
        if total > TOTAL_MAX {
            break;
        }
        files.push(file);
    }
    let omitted = changes.iter().skip(files.len()).map(|change| change.path.clone()).collect();
    Ok(Difference { changes, files, omitted })
}

/// The files that changed since a snapshot. Their contents are not read.
///
/// # Errors
/// As [`since`].
pub(super) async fn files_since(host: &Host, tag: &str, now: &Evidence) -> Result<Vec<FileChange>, Error> {
    Ok(Contents::since_tag(host, tag, now, &is_judged).await?.changes(now))
}

/// The number of lines that a text has and the other one lacks: added, then removed. None for contents that are not text; all
/// lines of both for files that are too large to be compared.
pub(super) fn count_lines(before: &[u8], after: &[u8]) -> (u32, u32) {
    let (Some(before), Some(after)) = (text(before), text(after)) else { return (0, 0) };
    if !is_comparable(before.as_bytes()) || !is_comparable(after.as_bytes()) {
        let count = |text: &str| u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        return (count(after), count(before));
    }
    let input = InternedInput::new(before, after);
    let diff = Diff::compute(Algorithm::Histogram, &input);
    (diff.count_additions(), diff.count_removals())
}

/// Maximum size of all diffs and of the diff of one file, in bytes.
const TOTAL_MAX: usize = 128 * 1024;
const FILE_MAX: usize = 24 * 1024;

fn listing(changes: &[FileChange]) -> String {
    changes.iter().map(|change| format!("{}\n", listed(change))).collect()
}

fn listed(FileChange { path, change, from }: &FileChange) -> String {
    match (change, from) {
        (Change::Added, _) => format!("added: {path}"),
        (Change::Deleted, _) => format!("deleted: {path}"),
        (Change::Renamed, Some(from)) => format!("renamed: {from} => {path}"),
        _ => format!("modified: {path}"),
    }
}

/// The difference of one file; `None` for a state without it. The paths are the old and the new one.
fn file_diff([from, path]: [&str; 2], before: Option<&[u8]>, after: Option<&[u8]>) -> FileDiff {
    let name = |path: &str, bytes: Option<&[u8]>| bytes.map_or("/dev/null".to_owned(), |_| path.to_owned());
    let (old, new) = (name(&format!("a/{from}"), before), name(&format!("b/{path}"), after));
    let body = match (before, after) {
        (Some(same), Some(after)) if same == after && from != path => format!("[renamed from {from}]"),
        (Some(same), Some(after)) if same == after => "[the mode of the file changed]".to_owned(),
        (None, Some([])) | (Some([]), None) => "[an empty file]".to_owned(),
        (before, after) => body(before.unwrap_or_default(), after.unwrap_or_default()),
    };
    let texts = before.and_then(text).zip(after.and_then(text)).filter(|(before, after)| before != after);
    let is_whitespace_only = texts.is_some_and(|(before, after)| only_white_space_differs(before, after));
    let is_blank = texts.is_some_and(|(before, after)| only_line_ends_differ(before, after));
    FileDiff { path: path.to_owned(), text: format!("--- {old}\n+++ {new}\n{body}\n"), is_whitespace_only, is_blank }
}

/// The hunks of a unified diff, or a note if the contents cannot be compared.
fn body(before: &[u8], after: &[u8]) -> String {
    let bytes = |content: &[u8]| counted(content.len(), "byte");
    let (Some(old), Some(new)) = (text(before), text(after)) else {
        return format!("[binary: {} before, {} after]", bytes(before), bytes(after));
    };
    if !is_comparable(before) || !is_comparable(after) {
        return format!("[large: {} before, {} after]", bytes(before), bytes(after));
    }
    let hunks = hunks(old, new);
    let hunks = hunks.trim_end_matches('\n');
    let note = if hunks.len() > FILE_MAX { "\n[The diff of this file is longer.]" } else { "" };
    format!("{}{note}", beginning(hunks, FILE_MAX))
}

/// The hunks of two texts.
pub(super) fn hunks(before: &str, after: &str) -> String {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    diff.unified_diff(&Lines(&input.interner), UnifiedDiffConfig::default(), &input).to_string()
}

/// Writes hunks as git does: the start of no lines is the line before them, and a line without an end is marked.
struct Lines<'a>(&'a Interner<&'a str>);

impl Lines<'_> {
    fn line(&self, f: &mut impl Write, sign: char, token: Token) -> fmt::Result {
        let line = self.0[token];
        let end = if line.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
        write!(f, "{sign}{line}{end}")
    }
}

impl UnifiedDiffPrinter for Lines<'_> {
    fn display_header(&self, mut f: impl Write, before: u32, after: u32, old: u32, new: u32) -> fmt::Result {
        let start = |start: u32, lines: u32| start + u32::from(lines > 0);
        writeln!(f, "@@ -{},{old} +{},{new} @@", start(before, old), start(after, new))
    }

    fn display_context_token(&self, mut f: impl Write, token: Token) -> fmt::Result {
        self.line(&mut f, ' ', token)
    }

    fn display_hunk(&self, mut f: impl Write, before: &[Token], after: &[Token]) -> fmt::Result {
        before.iter().try_for_each(|token| self.line(&mut f, '-', *token))?;
        after.iter().try_for_each(|token| self.line(&mut f, '+', *token))
    }
}

fn only_white_space_differs(before: &str, after: &str) -> bool {
    before.chars().filter(|c| !c.is_whitespace()).eq(after.chars().filter(|c| !c.is_whitespace()))
}

/// Bytes as text, unless they are binary.
pub(super) fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::port::memory::MemoryHost;
    use crate::snapshot::{SaveOptions, evidence, save};

    #[tokio::test]
    async fn the_difference_has_new_changed_and_deleted_files_and_no_files_of_the_harness() {
        let host =
            MemoryHost::new([("src/a.ts", "one\ntwo\nthree\n"), ("src/b.ts", "gone\n"), ("specs/0001-x.md", "# X\n")]);
        let tag = "spec/0001-x/base".to_owned();
        save(&host, &SaveOptions { tag: Some(tag.clone()), ..SaveOptions::default() }).await.unwrap();
        host.put("src/a.ts", "one\n2\nthree\n");
        host.put("src/new.ts", "new\n");
        host.put("specs/plans/0001-x.md", "# Plan\n");
        host.put("logo.png", "\u{0}");
        host.fs.delete("/project/src/b.ts");
        let now = evidence(&host, &is_judged).await.unwrap();
        let difference = since(&host, &tag, &now).await.unwrap().text();
        let listed: Vec<String> = files_since(&host, &tag, &now).await.unwrap().iter().map(listed).collect();
        assert_eq!(listed, ["added: logo.png", "modified: src/a.ts", "deleted: src/b.ts", "added: src/new.ts"]);
        for part in [
            "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
            "--- /dev/null\n+++ b/src/new.ts\n@@ -0,0 +1,1 @@\n+new\n",
            "--- a/src/b.ts\n+++ /dev/null\n",
            "+++ b/logo.png\n[binary: 0 bytes before, 1 byte after]\n",
        ] {
            assert!(difference.contains(part), "{part}\nin\n{difference}");
        }
    }

    #[tokio::test]
    async fn files_beyond_the_total_size_are_listed() {
        let host = MemoryHost::new([("src/a.ts", "one\n")]);
        let tag = "spec/0001-x/base".to_owned();
        save(&host, &SaveOptions { tag: Some(tag.clone()), ..SaveOptions::default() }).await.unwrap();
        for number in 0..9 {
            host.put(&format!("src/{number}.ts"), &"line\n".repeat(20_000));
        }
        let now = evidence(&host, &is_judged).await.unwrap();
        let difference = since(&host, &tag, &now).await.unwrap();
        let paths: Vec<&str> = difference.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["src/0.ts", "src/1.ts", "src/2.ts", "src/3.ts", "src/4.ts"]);
        assert_eq!(difference.omitted, ["src/5.ts", "src/6.ts", "src/7.ts", "src/8.ts"]);
        let text = difference.text();
        assert!(text.len() < TOTAL_MAX + 200 && text.contains("added: src/8.ts") && text.contains("read_file"));
    }

    #[test]
    fn what_has_no_lines_to_compare_is_named() {
        let diff = |before: Option<&[u8]>, after: Option<&[u8]>| file_diff(["old.ts", "new.ts"], before, after).text;
        let long = "line\n".repeat(20_000);
        let cut = diff(None, Some(long.as_bytes()));
        assert!(cut.len() < FILE_MAX + 100 && cut.contains("longer"));
        assert!(diff(Some(b"\xff"), None).contains("[binary: 1 byte before, 0 bytes after]"));
        for huge in [vec![b'x'; 1024 * 1024 + 1], "a\n".repeat(20_001).into_bytes()] {
            assert!(diff(None, Some(&huge)).contains("[large"));
            assert!(diff(Some(&huge), Some(b"")).contains("[large"));
        }
        assert_eq!(count_lines(b"a\n", "a\n".repeat(20_001).as_bytes()), (20_001, 1));
        assert!(diff(None, Some(b"")).contains("--- /dev/null\n+++ b/new.ts\n[an empty file]"));
        assert!(diff(Some(b"a"), Some(b"a")).contains("--- a/old.ts\n+++ b/new.ts\n[renamed from old.ts]"));
        assert!(file_diff(["a", "a"], Some(b"a"), Some(b"a")).text.contains("mode"));
    }

    #[test]
    fn changes_of_white_space_and_of_blank_lines_in_a_text_are_marked() {
        let diff = |before: Option<&[u8]>, after: Option<&[u8]>| {
            let FileDiff { is_whitespace_only, is_blank, .. } = file_diff(["a", "a"], before, after);
            (is_whitespace_only, is_blank)
        };
        for (before, after, expected) in [
            ("a {\n b\n}", "a {\r\n b \n\n}\n", (true, true)),
            ("", "\n", (true, true)),
            ("a {\n b\n}", "a {\n\tb\n}", (true, false)),
            ("a=1", "a = 1", (true, false)),
            ("a", "", (false, false)),
            ("a", "b", (false, false)),
            ("a", "a", (false, false)),
            ("\0 ", "\0", (false, false)),
        ] {
            assert_eq!(diff(Some(before.as_bytes()), Some(after.as_bytes())), expected, "{before:?} {after:?}");
        }
        for (before, after) in [(None, Some(&b" "[..])), (Some(&b" "[..]), None), (Some(b"\xff"), Some(b"\xff "))] {
            assert_eq!(diff(before, after), (false, false), "{before:?} {after:?}");
        }
    }
}
