//! The difference between two states of the project, as a unified diff.

use crate::agent::beginning;
use crate::error::Error;
use crate::layout::is_judged;
use crate::port::Host;
use crate::snapshot::{Change, Contents, Evidence, FileChange};
use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};

/// What changed between a snapshot and the working tree, which the evidence describes: first the list of files, then their
/// diffs, new files included.
///
/// # Errors
/// `not-found` if the snapshot is gone; errors of the ports.
pub(super) async fn since<H: Host>(host: &H, tag: &str, now: &Evidence) -> Result<String, Error> {
    let saved = Contents::of(host, tag, now, &is_judged).await?;
    let files = saved.changes(now);
    let mut text: String = files.iter().map(|change| format!("{}\n", listed(change))).collect();
    for change in &files {
        let old = change.from.as_deref().unwrap_or(&change.path);
        let before = if change.change == Change::Added { None } else { saved.read(host, old).await? };
        let after = if change.change == Change::Deleted { None } else { host.project().read(&change.path).await? };
        let diff = unified(&change.path, before.as_deref(), after.as_deref());
        if text.len() + diff.len() > TOTAL_MAX {
            text.push_str("\n[The diff is longer; read the other files with read_file.]\n");
            break;
        }
        text.push_str(&diff);
    }
    Ok(text)
}

/// The files that changed since a snapshot. Their contents are not read.
///
/// # Errors
/// As [`since`].
pub(super) async fn files_since<H: Host>(host: &H, tag: &str, now: &Evidence) -> Result<Vec<FileChange>, Error> {
    Ok(Contents::of(host, tag, now, &is_judged).await?.changes(now))
}

/// Maximum size of all diffs and of the diff of one file, in bytes.
const TOTAL_MAX: usize = 128 * 1024;
const FILE_MAX: usize = 24 * 1024;

/// Maximum size of a file that is compared line by line, in bytes.
const COMPARED_MAX: usize = 1024 * 1024;

fn listed(FileChange { path, change, from }: &FileChange) -> String {
    match (change, from) {
        (Change::Added, _) => format!("added: {path}"),
        (Change::Deleted, _) => format!("deleted: {path}"),
        (Change::Renamed, Some(from)) => format!("renamed: {from} => {path}"),
        _ => format!("modified: {path}"),
    }
}

/// The diff of one file; `None` for a state without it.
fn unified(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    let name = |side: &str, bytes: Option<&[u8]>| bytes.map_or("/dev/null".to_owned(), |_| format!("{side}/{path}"));
    let head = format!("\n--- {}\n+++ {}\n", name("a", before), name("b", after));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    let text = |bytes| std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let (Some(before), Some(after)) = (text(before), text(after)) else {
        return format!("{head}[binary: {} bytes before, {} bytes after]\n", before.len(), after.len());
    };
    if before.len().max(after.len()) > COMPARED_MAX {
        return format!("{head}[large: {} bytes before, {} bytes after]\n", before.len(), after.len());
    }
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let printer = BasicLineDiffPrinter(&input.interner);
    let body = diff.unified_diff(&printer, UnifiedDiffConfig::default(), &input).to_string();
    format!("{head}{}\n", beginning(body.trim_end_matches('\n'), FILE_MAX))
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
        save(&host, &SaveOptions { message: None, tag: Some(tag.clone()) }).await.unwrap();
        host.put("src/a.ts", "one\n2\nthree\n");
        host.put("src/new.ts", "new\n");
        host.put("specs/plans/0001-x.md", "# Plan\n");
        host.put("logo.png", "\u{0}");
        host.fs.delete("/project/src/b.ts");
        let now = evidence(&host, &is_judged).await.unwrap();
        let difference = since(&host, &tag, &now).await.unwrap();
        let listed: Vec<String> = files_since(&host, &tag, &now).await.unwrap().iter().map(listed).collect();
        assert_eq!(listed, ["added: logo.png", "modified: src/a.ts", "deleted: src/b.ts", "added: src/new.ts"]);
        for part in [
            "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
            "--- /dev/null\n+++ b/src/new.ts\n@@ -1,0 +1,1 @@\n+new\n",
            "--- a/src/b.ts\n+++ /dev/null\n",
            "+++ b/logo.png\n[binary: 0 bytes before, 1 bytes after]\n",
        ] {
            assert!(difference.contains(part), "{part}\nin\n{difference}");
        }
    }

    #[test]
    fn a_long_diff_is_cut_and_bytes_are_not_shown() {
        let long = "line\n".repeat(20_000);
        assert!(unified("a", None, Some(long.as_bytes())).len() < FILE_MAX + 100);
        assert!(unified("a", Some(b"\xff"), None).contains("[binary: 1 bytes before, 0 bytes after]"));
        let huge = vec![b'x'; COMPARED_MAX + 1];
        assert!(unified("a", None, Some(&huge)).contains("[large"));
    }
}
