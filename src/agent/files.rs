//! The files of a project, listed without reading one.

use super::guard::{Access, Policy, decide};
use crate::layout::is_task_file;
use crate::path;
use crate::port::{FileKind, FsPort, Host, Phase, PortResult, ProjectDir, Stat, Walk};
use crate::snapshot::ignore::Rules;
use crate::snapshot::read_exclude;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The files below a folder.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Listing {
    /// Files and links by relative path.
    pub files: BTreeMap<String, Stat>,
    /// Folders that were not entered: ignored by git, or installed packages.
    pub skipped: Vec<String>,
    /// There are more files than `limit`.
    pub more: bool,
}

/// The first `limit` paths of the project's own files, sorted: readable by the agent, not ignored by git, and outside the
/// harness's folder.
///
/// # Errors
/// Errors of the file system.
pub async fn list_files<H: Host>(host: &H, limit: usize) -> PortResult<Vec<String>> {
    let listing = walk(host.project(), "", limit).await?;
    Ok(listing.files.into_keys().filter(|path| !is_task_file(path)).collect())
}

/// Walks a folder (or one file) of the project and lists at most `limit` files. Links are listed and not followed. Leaves
/// out paths that the agent may not read, and paths below `start` that git ignores.
pub(super) async fn walk<F: FsPort>(project: ProjectDir<'_, F>, start: &str, limit: usize) -> PortResult<Listing> {
    let mut listing = Listing::default();
    let above = rules_above(project, start).await?;
    let mut rules: BTreeMap<String, Rc<Rules>> = BTreeMap::new();
    let mut walk = Walk::new(project, start, usize::MAX);
    while listing.files.len() < limit
        && let Some((path, stat)) = walk.next().await?
    {
        let is_folder = stat.kind == FileKind::Directory;
        let is_start = path == start;
        let outer = if is_start { above.as_ref() } else { rules.get(path::parent(&path)) };
        let is_ignored = !is_start && outer.is_some_and(|rules| rules.ignore(&path, is_folder));
        match (is_folder, is_ignored) {
            (true, false) if is_start || !is_of_packages(&path) => {
                let inner = rules_in(project, &path, outer.map(Rc::clone)).await?;
                walk.enter(&path, |path| decide("", path, Access::Read, READING).is_ok()).await?;
                rules.insert(path, inner);
            }
            (true, _) => listing.skipped.push(path),
            (false, true) => {}
            (false, false) => drop(listing.files.insert(path, stat)),
        }
    }
    listing.more = walk.has_more();
    listing.skipped.sort();
    Ok(listing)
}

/// What git ignores by the files above a path; `None` above the project's folder.
async fn rules_above<F: FsPort>(project: ProjectDir<'_, F>, path: &str) -> PortResult<Option<Rc<Rules>>> {
    let mut rules = None;
    for folder in std::iter::once("").filter(|_| !path.is_empty()).chain(path::folders_above(path)) {
        rules = Some(rules_in(project, folder, rules).await?);
    }
    Ok(rules)
}

/// The folder's own ignore rules, added to those of the folders above it. As in git, a link does not count.
async fn rules_in<F: FsPort>(
    project: ProjectDir<'_, F>,
    folder: &str,
    above: Option<Rc<Rules>>,
) -> PortResult<Rc<Rules>> {
    let path = path::join(folder, ".gitignore");
    let ignore = match project.lstat(&path).await? {
        Some(stat) if stat.kind == FileKind::File => project.read(&path).await?,
        _ => None,
    };
    match above {
        Some(above) => Ok(above.enter(folder, ignore.as_deref())),
        None => {
            let exclude = read_exclude(project).await?;
            Ok(Rules::of_project(&exclude, ignore.as_deref()))
        }
    }
}

/// Folders of installed packages are never listed, whether git ignores them or not.
fn is_of_packages(path: &str) -> bool {
    path::name(path) == "node_modules"
}

/// One line per file with its size, at most `lines` of them, and lines for what is not shown.
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
    if more > 0 || listing.more {
        let at_least = if listing.more { "at least " } else { "" };
        text.push_str(&format!("… and {at_least}{} more: list one folder\n", more.max(1)));
    }
    text
}

/// The path on one line: control characters are escaped.
fn one_line(path: &str) -> String {
    if path.chars().any(char::is_control) { format!("{path:?}") } else { path.to_owned() }
}

const READING: Policy = Policy { phase: Phase::Build, plan_required: false };

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
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
    async fn what_git_ignores_is_left_out_unless_it_is_asked_for() {
        let host = MemoryHost::new([
            (".gitignore", "dist/\n*.log\n!/keep.log\n"),
            (".git/info/exclude", "mine\n"),
            ("dist/a.js", "x"),
            ("a.log", "x"),
            ("keep.log", "x"),
            ("mine", "x"),
            ("node_modules/x.js", "x"),
            ("src/.gitignore", "/gen\n"),
            ("src/gen/a.ts", "x"),
            ("src/lib/gen/b.ts", "x"),
            ("src/b.log", "x"),
        ]);
        let listing = walk(host.project(), "", 100).await.unwrap();
        assert_eq!(paths(&listing), [".gitignore", "keep.log", "src/.gitignore", "src/lib/gen/b.ts"]);
        assert_eq!(listing.skipped, ["dist", "node_modules", "src/gen"]);
        assert_eq!(paths(&walk(host.project(), "dist", 100).await.unwrap()), ["dist/a.js"]);
        assert_eq!(paths(&walk(host.project(), "src", 100).await.unwrap()), ["src/.gitignore", "src/lib/gen/b.ts"]);
        assert_eq!(paths(&walk(host.project(), "a.log", 100).await.unwrap()), ["a.log"]);
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
        assert!(describe(&part, 2).ends_with("… and at least 1 more: list one folder\n"));
        assert!(describe(&part, 3).ends_with("… and at least 1 more: list one folder\n"));
    }
}
