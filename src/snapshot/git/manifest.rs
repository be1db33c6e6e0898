//! A project's files as one flat map, and the git trees that it stands for.

use super::oid::Oid;
use crate::port::{EntryKind, TreeEntry};
use std::collections::BTreeMap;
use std::collections::btree_map::Range;
use std::ops::Bound;

/// What git tells apart about an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::snapshot) enum Mode {
    /// A plain file.
    File,
    /// A file that its owner may execute.
    Executable,
    /// A symbolic link; its blob is the target.
    Symlink,
    /// A submodule's commit: kept in trees, never touched in files.
    Submodule,
}

impl Mode {
    /// Git's text, of a file in the old forms as well (`100664`, `100600`); nothing for a tree or what git does not know.
    pub(in crate::snapshot) fn parse(text: &str) -> Option<Self> {
        match (text, text.strip_prefix("100").map(str::as_bytes)) {
            ("120000", _) => Some(Self::Symlink),
            ("160000", _) => Some(Self::Submodule),
            // As git reads it: by whether the owner may execute it.
            (_, Some([owner @ b'0'..=b'7', b'0'..=b'7', b'0'..=b'7'])) => {
                Some(if owner & 1 == 1 { Self::Executable } else { Self::File })
            }
            _ => None,
        }
    }

    /// Git's text.
    pub(in crate::snapshot) fn as_str(self) -> &'static str {
        match self {
            Self::File => "100644",
            Self::Executable => "100755",
            Self::Symlink => "120000",
            Self::Submodule => "160000",
        }
    }
}

/// One file, link or submodule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::snapshot) struct Entry {
    /// What it is.
    pub mode: Mode,
    /// What it holds.
    pub oid: Oid,
}

/// Entries by their paths relative to the project. The order of paths is the order of a walk through git's trees.
pub(in crate::snapshot) type Manifest = BTreeMap<String, Entry>;

/// A tree of git.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::snapshot) struct Tree {
    /// Relative to the project; empty for the root.
    pub path: String,
    /// Its id.
    pub oid: Oid,
    /// Its entries, as git keeps them.
    pub body: Vec<u8>,
}

/// Something is below this folder.
pub(in crate::snapshot) fn has_below<V>(map: &BTreeMap<String, V>, folder: &str) -> bool {
    let prefix = format!("{folder}/");
    entries_from(map, &prefix).next().is_some_and(|(path, _)| path.starts_with(&prefix))
}

/// The entries whose paths are equal to this one or follow it.
pub(in crate::snapshot) fn entries_from<'a, V>(map: &'a BTreeMap<String, V>, path: &str) -> Range<'a, String, V> {
    map.range::<str, _>((Bound::Included(path), Bound::Unbounded))
}

/// The trees of a manifest: children before their parents, the root last.
pub(in crate::snapshot) fn trees(manifest: &Manifest) -> Vec<Tree> {
    let mut done = Vec::new();
    let mut open = vec![Open::new("")];
    for (path, entry) in manifest {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        while open.last().is_some_and(|top| !is_within(folder, &top.path)) {
            close(&mut open, &mut done);
        }
        let depth = open.last().map_or(0, |top| top.path.len());
        let ends = folder.char_indices().filter(|(at, c)| *c == '/' && *at > depth).map(|(at, _)| at);
        for end in ends.chain((folder.len() > depth).then_some(folder.len())) {
            open.push(Open::new(folder.get(..end).unwrap_or(folder)));
        }
        if let Some(top) = open.last_mut() {
            top.push_entry(name, entry);
        }
    }
    while !open.is_empty() {
        close(&mut open, &mut done);
    }
    done
}

/// The id of a manifest's root tree.
pub(in crate::snapshot) fn root(trees: &[Tree]) -> Oid {
    trees.last().map_or_else(|| Oid::of("tree", b""), |tree| tree.oid)
}

/// The id of the tree with these entries in any order; nothing where an id is none.
pub(in crate::snapshot) fn tree_id(entries: &[TreeEntry]) -> Option<Oid> {
    let mut sorted: Vec<&TreeEntry> = entries.iter().collect();
    let name = |entry: &TreeEntry| match entry.kind {
        EntryKind::Tree => format!("{}/", entry.path),
        _ => entry.path.clone(),
    };
    sorted.sort_by_key(|a| name(a));
    let mut tree = Open::new("");
    for entry in sorted {
        tree.push(&entry.mode, &entry.path, Oid::parse(&entry.oid)?);
    }
    Some(Oid::of("tree", &tree.body))
}

/// A tree that still grows; its entries come in git's order.
pub(in crate::snapshot) struct Open {
    path: String,
    body: Vec<u8>,
}

impl Open {
    /// The tree of a folder, without entries.
    pub(in crate::snapshot) fn new(path: &str) -> Self {
        Self { path: path.to_owned(), body: Vec::new() }
    }

    /// It has no entries.
    pub(in crate::snapshot) fn is_empty(&self) -> bool {
        self.body.is_empty()
    }

    /// Adds a file, a link or a submodule.
    pub(in crate::snapshot) fn push_entry(&mut self, name: &str, entry: &Entry) {
        self.push(entry.mode.as_str(), name, entry.oid);
    }

    /// Adds a folder.
    pub(in crate::snapshot) fn push_tree(&mut self, name: &str, oid: Oid) {
        self.push("040000", name, oid);
    }

    /// The tree, complete.
    pub(in crate::snapshot) fn close(self) -> Tree {
        let Self { path, body } = self;
        Tree { path, oid: Oid::of("tree", &body), body }
    }

    fn push(&mut self, mode: &str, name: &str, oid: Oid) {
        self.body.extend_from_slice(mode.trim_start_matches('0').as_bytes());
        self.body.push(b' ');
        self.body.extend_from_slice(name.as_bytes());
        self.body.push(0);
        self.body.extend_from_slice(oid.as_bytes());
    }
}

fn close(open: &mut Vec<Open>, done: &mut Vec<Tree>) {
    let Some(tree) = open.pop().map(Open::close) else { return };
    if let Some(parent) = open.last_mut() {
        let name = tree.path.rsplit_once('/').map_or(tree.path.as_str(), |(_, name)| name);
        parent.push_tree(name, tree.oid);
    }
    done.push(tree);
}

fn is_within(folder: &str, ancestor: &str) -> bool {
    ancestor.is_empty() || folder.strip_prefix(ancestor).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest<const N: usize>(paths: [&str; N]) -> Manifest {
        let entry = |path: &str| Entry { mode: Mode::File, oid: Oid::of_blob(path.as_bytes()) };
        paths.into_iter().map(|path| (path.to_owned(), entry(path))).collect()
    }

    fn entries(tree: &Tree) -> Vec<TreeEntry> {
        TreeEntry::read_all(&tree.body).unwrap()
    }

    #[test]
    fn modes_are_read_as_git_reads_them() {
        let table = [
            ("100644", Some(Mode::File)),
            ("100664", Some(Mode::File)),
            ("100600", Some(Mode::File)),
            ("100755", Some(Mode::Executable)),
            ("100700", Some(Mode::Executable)),
            ("120000", Some(Mode::Symlink)),
            ("160000", Some(Mode::Submodule)),
            ("040000", None),
            ("10064", None),
            ("1006444", None),
            ("100648", None),
            ("", None),
        ];
        for (text, mode) in table {
            assert_eq!(Mode::parse(text), mode, "{text:?}");
        }
    }

    #[test]
    fn no_files_are_the_empty_tree() {
        let trees = trees(&Manifest::new());
        assert_eq!(trees.len(), 1);
        assert_eq!(root(&trees).to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    }

    #[test]
    fn trees_come_children_first_with_entries_in_gits_order() {
        let trees = trees(&manifest(["a-b", "a/x", "a/y/z", "a.txt", "b/c/d/e", "b/c/f", "z"]));
        let paths: Vec<&str> = trees.iter().map(|tree| tree.path.as_str()).collect();
        assert_eq!(paths, ["a/y", "a", "b/c/d", "b/c", "b", ""]);
        let names = |tree: &Tree| entries(tree).into_iter().map(|entry| entry.path).collect::<Vec<_>>();
        assert_eq!(names(&trees[5]), ["a-b", "a.txt", "a", "b", "z"]);
        assert_eq!(names(&trees[3]), ["d", "f"]);
    }

    #[test]
    fn a_trees_id_does_not_depend_on_the_order_of_its_entries() {
        for tree in trees(&manifest(["a-b", "a/x", "a.txt", "b/c"])) {
            let mut reversed = entries(&tree);
            reversed.reverse();
            assert_eq!(tree_id(&reversed), Some(tree.oid));
        }
    }

    #[test]
    fn has_below_sees_only_whole_components() {
        let manifest = manifest(["a-b", "ab/c", "b"]);
        assert!(has_below(&manifest, "ab"));
        assert!(!has_below(&manifest, "a"));
        assert!(!has_below(&manifest, "b"));
    }
}
