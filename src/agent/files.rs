//! What files a project has, found by walking it without reading one.

use super::fact::FileChangeKind;
use super::guard::{Access, Policy, decide};
use crate::port::{FileKind, FsPort, Phase, PortResult, ProjectDir, Stat};
use std::collections::BTreeMap;

/// The files below a folder.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Listing {
    /// Files and links by relative path.
    pub files: BTreeMap<String, Stat>,
    /// Folders that were not entered: what packages bring along.
    pub skipped: Vec<String>,
    /// There are more files than `limit`.
    pub more: bool,
}

/// Walks a folder (or one file) of the project. Links are listed and not followed; what the guard closes for reading is
/// left out. At most `limit` files are looked at.
pub(super) async fn walk<F: FsPort>(project: ProjectDir<'_, F>, start: &str, limit: usize) -> PortResult<Listing> {
    let mut listing = Listing::default();
    let mut waiting = vec![start.to_owned()];
    while let Some(path) = waiting.pop() {
        if listing.files.len() >= limit {
            listing.more = true;
            break;
        }
        let Some(stat) = project.lstat(&path).await? else { continue };
        if stat.kind != FileKind::Directory {
            listing.files.insert(path, stat);
            continue;
        }
        if path != start && path.rsplit('/').next().is_some_and(|name| SKIPPED.contains(&name)) {
            listing.skipped.push(path);
            continue;
        }
        let names = project.read_dir(&path).await?.unwrap_or_default();
        let inner = names.iter().map(|name| if path.is_empty() { name.clone() } else { format!("{path}/{name}") });
        waiting.extend(inner.filter(|path| decide("", path, Access::Read, READING).is_ok()).rev());
    }
    listing.skipped.sort_unstable();
    Ok(listing)
}

/// What became of the files between two listings.
pub(super) fn changes(before: &Listing, after: &Listing) -> Vec<(String, FileChangeKind)> {
    let gone = before.files.keys().filter(|path| !after.files.contains_key(*path));
    let gone = gone.map(|path| (path.clone(), FileChangeKind::Deleted));
    let come = after.files.iter().filter_map(|(path, stat)| match before.files.get(path) {
        None => Some((path.clone(), FileChangeKind::Created)),
        Some(old) if old != stat => Some((path.clone(), FileChangeKind::Modified)),
        Some(_) => None,
    });
    let mut all: Vec<_> = gone.chain(come).collect();
    all.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    all
}

/// The files one a line with their sizes, at most `lines` of them, and what is not shown.
pub(super) fn describe(listing: &Listing, lines: usize) -> String {
    let mut text = String::new();
    for (path, stat) in listing.files.iter().take(lines) {
        let size = match stat.kind {
            FileKind::Symlink => "link".to_owned(),
            _ => format!("{} bytes", stat.size),
        };
        text.push_str(&format!("{} ({size})\n", one_line(path)));
    }
    for path in &listing.skipped {
        text.push_str(&format!("{}/ (not listed)\n", one_line(path)));
    }
    let more = listing.files.len().saturating_sub(lines);
    match (more, listing.more) {
        (0, false) => {}
        (0, true) => text.push_str("… and more: list one folder\n"),
        (more, true) => text.push_str(&format!("… and more than {more} others: list one folder\n")),
        (more, false) => text.push_str(&format!("… and {more} more: list one folder\n")),
    }
    text
}

/// A name that cannot be taken for two lines.
fn one_line(path: &str) -> String {
    if path.chars().any(char::is_control) { format!("{path:?}") } else { path.to_owned() }
}

/// Too large to list, and nobody's work.
const SKIPPED: [&str; 1] = ["node_modules"];

const READING: Policy = Policy { phase: Phase::Build, plan_required: false };

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::port::Host;
    use crate::port::memory::MemoryHost;

    fn paths(listing: &Listing) -> Vec<&str> {
        listing.files.keys().map(String::as_str).collect()
    }

    #[tokio::test]
    async fn a_walk_leaves_out_what_is_closed_and_what_packages_bring() {
        let host = MemoryHost::new([
            ("src/App.tsx", "x"),
            ("src/ui/a.ts", "x"),
            (".git/config", "x"),
            (".loopgate/lease", "x"),
            ("pkg/node_modules/a/index.js", "x"),
        ]);
        host.fs.symlink("/etc", "/project/link").await.unwrap();
        let listing = walk(host.project(), "", 100).await.unwrap();
        assert_eq!(paths(&listing), ["link", "src/App.tsx", "src/ui/a.ts"]);
        assert_eq!((listing.skipped, listing.more), (vec!["pkg/node_modules".to_owned()], false));
        assert_eq!(paths(&walk(host.project(), "src/ui", 100).await.unwrap()), ["src/ui/a.ts"]);
        assert_eq!(paths(&walk(host.project(), "src/App.tsx", 100).await.unwrap()), ["src/App.tsx"]);
        assert_eq!(paths(&walk(host.project(), "nowhere", 100).await.unwrap()), Vec::<&str>::new());
        let first = walk(host.project(), "", 2).await.unwrap();
        assert_eq!((paths(&first), first.more), (vec!["link", "src/App.tsx"], true));
    }

    #[tokio::test]
    async fn a_list_is_bounded_and_one_line_a_file() {
        let host = MemoryHost::new([("a", "1"), ("b\nc", "22"), ("d", "1"), ("node_modules/x", "1")]);
        host.fs.symlink("a", "/project/link").await.unwrap();
        let listing = walk(host.project(), "", 100).await.unwrap();
        assert_eq!(
            describe(&listing, 100),
            "a (1 bytes)\n\"b\\nc\" (2 bytes)\nd (1 bytes)\nlink (link)\nnode_modules/ (not listed)\n"
        );
        assert!(describe(&listing, 3).ends_with("… and 1 more: list one folder\n"));
        let part = walk(host.project(), "", 3).await.unwrap();
        assert!(describe(&part, 2).ends_with("… and more than 1 others: list one folder\n"));
        assert!(describe(&part, 3).ends_with("… and more: list one folder\n"));
    }

    #[tokio::test]
    async fn two_walks_show_what_changed() {
        let host = MemoryHost::new([("a", "1"), ("b", "1"), ("c", "1")]);
        let before = walk(host.project(), "", 100).await.unwrap();
        host.put("b", "2");
        host.put("d", "1");
        host.fs.delete("/project/c");
        let after = walk(host.project(), "", 100).await.unwrap();
        let expected =
            [("b", FileChangeKind::Modified), ("c", FileChangeKind::Deleted), ("d", FileChangeKind::Created)];
        assert_eq!(changes(&before, &after), expected.map(|(path, kind)| (path.to_owned(), kind)));
        assert_eq!(changes(&after, &after), Vec::new());
    }
}
