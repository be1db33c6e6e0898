//! How two manifests differ.

use super::info::{Change, FileChange};
use crate::snapshot::git::manifest::{Entry, Manifest, Mode};
use crate::snapshot::git::oid::Oid;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// What changed between two manifests, by path. A file that went and one that came with the same bytes are one
/// rename; submodules are left out.
pub(super) fn changes(from: &Manifest, to: &Manifest) -> Vec<FileChange> {
    let mut changes = Vec::new();
    let mut gone: BTreeMap<(Oid, bool), Vec<&str>> = BTreeMap::new();
    for (path, entry) in from.iter().filter(|(_, entry)| entry.mode != Mode::Submodule) {
        match to.get(path) {
            Some(other) if other == entry => {}
            Some(_) => changes.push(change(path, Change::Modified, None)),
            None => match gone.get_mut(&content(entry)) {
                Some(paths) => paths.push(path),
                None => drop(gone.insert(content(entry), vec![path])),
            },
        }
    }
    let added = to.iter().filter(|(path, entry)| entry.mode != Mode::Submodule && !from.contains_key(*path));
    for (path, entry) in added {
        let source = gone.get_mut(&content(entry)).filter(|_| entry.oid != Oid::of_blob(b""));
        changes.push(match source.and_then(|paths| take_nearest(paths, path)) {
            Some(source) => change(path, Change::Renamed, Some(source)),
            None => change(path, Change::Added, None),
        });
    }
    changes.extend(gone.values().flatten().map(|path| change(path, Change::Deleted, None)));
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    changes
}

fn change(path: &str, change: Change, from: Option<&str>) -> FileChange {
    FileChange { path: path.to_owned(), change, from: from.map(str::to_owned) }
}

/// The paths at which two manifests differ, in their order.
pub(super) fn differing<'a>(a: &'a Manifest, b: &'a Manifest) -> Vec<&'a str> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut differing = Vec::new();
    loop {
        let order = match (a.peek(), b.peek()) {
            (Some((a, _)), Some((b, _))) => a.cmp(b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return differing,
        };
        let one = a.next_if(|_| order != Ordering::Greater);
        let other = b.next_if(|_| order != Ordering::Less);
        if one.map(|(_, entry)| entry) != other.map(|(_, entry)| entry) {
            differing.extend(one.or(other).map(|(path, _)| path.as_str()));
        }
    }
}

/// How many paths differ.
pub(super) fn count(from: &Manifest, to: &Manifest) -> u32 {
    u32::try_from(differing(from, to).len()).unwrap_or(u32::MAX)
}

/// Two entries hold the same, mode bits aside.
pub(super) fn content(entry: &Entry) -> (Oid, bool) {
    (entry.oid, entry.mode == Mode::Symlink)
}

/// The path with the same name, or the first.
fn take_nearest<'a>(paths: &mut Vec<&'a str>, to: &str) -> Option<&'a str> {
    let name = |path: &str| path.rsplit_once('/').map_or(path, |(_, name)| name).to_owned();
    let index = paths.iter().position(|path| name(path) == name(to)).unwrap_or(0);
    (!paths.is_empty()).then(|| paths.remove(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(files: &[(&str, &str)]) -> Manifest {
        let entry = |bytes: &str| match bytes.strip_prefix("->") {
            Some(target) => Entry { mode: Mode::Symlink, oid: Oid::of_blob(target.as_bytes()) },
            None => Entry { mode: Mode::File, oid: Oid::of_blob(bytes.as_bytes()) },
        };
        files.iter().map(|(path, bytes)| ((*path).to_owned(), entry(bytes))).collect()
    }

    fn described(from: &[(&str, &str)], to: &[(&str, &str)]) -> Vec<String> {
        let describe = |change: FileChange| match change.from {
            Some(from) => format!("{from} => {}", change.path),
            None => format!("{:?} {}", change.change, change.path),
        };
        changes(&manifest(from), &manifest(to)).into_iter().map(describe).collect()
    }

    #[test]
    fn finds_every_kind_of_change() {
        let from = [("a", "1"), ("b", "2"), ("c", "3"), ("old/d", "4"), ("l", "->1")];
        let to = [("a", "1"), ("b", "two"), ("e", "5"), ("new/d", "4"), ("l", "1")];
        assert_eq!(described(&from, &to), ["Modified b", "Deleted c", "Added e", "Modified l", "old/d => new/d"]);
        assert_eq!(count(&manifest(&from), &manifest(&to)), 6);
    }

    #[test]
    fn a_rename_takes_its_namesake_and_each_source_once() {
        let from = [("a/x", "same"), ("b/y", "same")];
        assert_eq!(described(&from, &[("c/y", "same"), ("d/x", "same")]), ["b/y => c/y", "a/x => d/x"]);
        assert_eq!(described(&[("a", "same")], &[("b", "same"), ("c", "same")]), ["a => b", "Added c"]);
    }

    #[test]
    fn empty_files_and_links_are_no_renames_of_each_other() {
        assert_eq!(described(&[("a", "")], &[("b", "")]), ["Deleted a", "Added b"]);
        assert_eq!(described(&[("a", "x")], &[("b", "->x")]), ["Deleted a", "Added b"]);
    }
}
