//! A manifest (all files of a snapshot by path) and the git trees that it makes.

use super::oid::Oid;
use crate::path::{self, folders_above, is_below};
use crate::port::{EntryKind, TreeEntry};
use serde::{Deserialize, Serialize};
use std::collections::btree_map::Range;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// Longer paths are left out, in bytes.
pub(crate) const MAX_PATH: usize = 4_096;

/// The modes of git that a manifest has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum Mode {
    File,
    Executable,
    Symlink,
    /// Stays in trees; its files are never touched.
    Submodule,
}

impl Mode {
    /// Reads git's text, also the old forms of a file (`100664`, `100600`); `None` for a tree or an unknown mode.
    pub(crate) fn parse(text: &str) -> Option<Self> {
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
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::File => "100644",
            Self::Executable => "100755",
            Self::Symlink => "120000",
            Self::Submodule => "160000",
        }
    }
}

/// A file, a link or a submodule. As text, it is the mode and the id: `100644 ce013625…`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Entry {
    #[expect(missing_docs, reason = "the name says it all")]
    pub mode: Mode,
    /// The id of the bytes, of the link's target, or of the submodule's commit.
    pub oid: Oid,
}

impl Entry {
    /// Reads the texts of the mode and the id.
    pub(crate) fn parse(mode: &str, oid: &str) -> Option<Self> {
        Some(Self { mode: Mode::parse(mode)?, oid: Oid::parse(oid)? })
    }
}

impl From<Entry> for String {
    fn from(entry: Entry) -> Self {
        format!("{} {}", entry.mode.as_str(), entry.oid)
    }
}

impl TryFrom<String> for Entry {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let entry = text.split_once(' ').and_then(|(mode, oid)| Self::parse(mode, oid));
        entry.ok_or_else(|| format!("{text:?} is not a mode and an id of git"))
    }
}

/// Entries by their paths relative to the project, in the order of a walk through git's trees.
pub(crate) type Manifest = BTreeMap<String, Entry>;

/// An encoded tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tree {
    /// Relative to the project; empty for the root.
    pub path: String,
    pub oid: Oid,
    pub body: Vec<u8>,
}

/// The ids of all trees of a manifest by folder, like the cache tree in git's index: after a change of few files only
/// the trees above them are encoded again.
#[derive(Debug, Clone, Default)]
pub(crate) struct CacheTree(BTreeMap<String, Oid>);

impl CacheTree {
    /// The ids, and all trees: children before their parents, the root last.
    pub(crate) fn from_manifest(manifest: &Manifest) -> (Self, Vec<Tree>) {
        let mut cache = Self::default();
        let trees = cache.encode_missing(manifest);
        (cache, trees)
    }

    pub(crate) fn root(&self) -> Oid {
        self.0.get("").copied().unwrap_or_else(|| Oid::of_object("tree", b""))
    }

    /// The ids of all trees.
    pub(crate) fn ids(&self) -> impl Iterator<Item = Oid> {
        self.0.values().copied()
    }

    pub(crate) fn folders(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The folders below a folder with their ids.
    pub(crate) fn below(&self, folder: &str) -> impl Iterator<Item = (&str, Oid)> {
        let folders = entries_from(&self.0, folder).skip(1).take_while(move |(path, _)| path.starts_with(folder));
        folders.filter(move |(path, _)| is_below(path, folder)).map(|(path, oid)| (path.as_str(), *oid))
    }

    /// A tree that was read.
    pub(crate) fn insert(&mut self, folder: String, oid: Oid) {
        self.0.insert(folder, oid);
    }

    /// Follows the manifest, which may differ at these paths and no others. Returns the new trees: children before
    /// their parents, the root last.
    pub(crate) fn update(&mut self, manifest: &Manifest, changed: &BTreeSet<String>) -> Vec<Tree> {
        if changed.is_empty() {
            return Vec::new();
        }
        self.0.remove("");
        for folder in changed.iter().flat_map(|path| folders_above(path)) {
            self.0.remove(folder);
        }
        self.encode_missing(manifest)
    }

    /// Encodes the trees whose ids are missing. Every folder above a missing one must be missing too.
    fn encode_missing(&mut self, manifest: &Manifest) -> Vec<Tree> {
        let (mut trees, mut open) = (Vec::new(), vec![TreeBuilder::new("")]);
        let mut entries = entries_from(manifest, "");
        while let Some((path, entry)) = entries.next() {
            while open.last().is_some_and(|top| !is_below(path, &top.path)) {
                self.close(&mut open, &mut trees);
            }
            let depth = open.last().map_or(0, |top| top.path.len());
            let mut cached = None;
            for folder in folders_above(path).filter(|folder| folder.len() > depth) {
                if let Some(oid) = self.0.get(folder) {
                    cached = Some((folder, *oid));
                    break;
                }
                open.push(TreeBuilder::new(folder));
            }
            let Some(top) = open.last_mut() else { break };
            match cached {
                Some((folder, oid)) => {
                    top.push("40000", path::name(folder), oid);
                    // The first path after the folder: '0' follows '/'.
                    entries = entries_from(manifest, &format!("{folder}0"));
                }
                None => top.push(entry.mode.as_str(), path::name(path), entry.oid),
            }
        }
        while !open.is_empty() {
            self.close(&mut open, &mut trees);
        }
        trees
    }

    fn close(&mut self, open: &mut Vec<TreeBuilder>, trees: &mut Vec<Tree>) {
        let Some(TreeBuilder { path, body }) = open.pop() else { return };
        let oid = Oid::of_object("tree", &body);
        if let Some(parent) = open.last_mut() {
            parent.push("40000", path::name(&path), oid);
        }
        self.0.insert(path.clone(), oid);
        trees.push(Tree { path, oid, body });
    }
}

/// The id of a manifest's root tree.
pub(crate) fn root_of(manifest: &Manifest) -> Oid {
    CacheTree::from_manifest(manifest).0.root()
}

/// The id of the tree with these entries, in any order; `None` if an entry has no valid id.
pub(crate) fn tree_id<'a>(entries: impl IntoIterator<Item = &'a TreeEntry>) -> Option<Oid> {
    let mut sorted: Vec<&TreeEntry> = entries.into_iter().collect();
    // Git sorts a folder as if its name ended with a slash.
    sorted.sort_by_key(|entry| match entry.kind {
        EntryKind::Tree => format!("{}/", entry.path),
        _ => entry.path.clone(),
    });
    let mut tree = TreeBuilder::new("");
    for entry in sorted {
        tree.push(entry.mode.trim_start_matches('0'), &entry.path, Oid::parse(&entry.oid)?);
    }
    Some(Oid::of_object("tree", &tree.body))
}

/// The path or folder has something below it.
pub(crate) fn has_below<V>(map: &BTreeMap<String, V>, folder: &str) -> bool {
    let prefix = format!("{folder}/");
    entries_from(map, &prefix).next().is_some_and(|(path, _)| path.starts_with(&prefix))
}

/// The entries at this path and after it.
pub(crate) fn entries_from<'a, V>(map: &'a BTreeMap<String, V>, path: &str) -> Range<'a, String, V> {
    map.range::<str, _>((Bound::Included(path), Bound::Unbounded))
}

/// One component of a path that git can store.
pub(crate) fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\0'])
}

/// A tree that still grows. Entries must come in git's order.
struct TreeBuilder {
    path: String,
    body: Vec<u8>,
}

impl TreeBuilder {
    fn new(path: &str) -> Self {
        Self { path: path.to_owned(), body: Vec::new() }
    }

    fn push(&mut self, mode: &str, name: &str, oid: Oid) {
        self.body.extend_from_slice(mode.as_bytes());
        self.body.push(b' ');
        self.body.extend_from_slice(name.as_bytes());
        self.body.push(0);
        self.body.extend_from_slice(oid.as_bytes());
    }
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
    fn a_manifest_without_files_makes_the_empty_tree() {
        let (cache, trees) = CacheTree::from_manifest(&Manifest::new());
        assert_eq!(trees.len(), 1);
        assert_eq!(cache.root().to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    }

    #[test]
    fn trees_come_children_first_with_entries_in_gits_order() {
        let (_, trees) = CacheTree::from_manifest(&manifest(["a-b", "a/x", "a/y/z", "a.txt", "b/c/d/e", "b/c/f", "z"]));
        let paths: Vec<&str> = trees.iter().map(|tree| tree.path.as_str()).collect();
        assert_eq!(paths, ["a/y", "a", "b/c/d", "b/c", "b", ""]);
        let names = |tree: &Tree| entries(tree).into_iter().map(|entry| entry.path).collect::<Vec<_>>();
        assert_eq!(names(&trees[5]), ["a-b", "a.txt", "a", "b", "z"]);
        assert_eq!(names(&trees[3]), ["d", "f"]);
    }

    #[test]
    fn a_path_with_two_thousand_folders_makes_its_trees() {
        let path = format!("{}file", "d/".repeat(2_000));
        assert_eq!(CacheTree::from_manifest(&manifest([&path])).1.len(), 2_001);
    }

    #[test]
    fn a_trees_id_does_not_depend_on_the_order_of_its_entries() {
        for tree in CacheTree::from_manifest(&manifest(["a-b", "a/x", "a.txt", "b/c"])).1 {
            let mut reversed = entries(&tree);
            reversed.reverse();
            assert_eq!(tree_id(&reversed), Some(tree.oid));
        }
    }

    #[test]
    fn has_below_compares_complete_components() {
        let manifest = manifest(["a-b", "ab/c", "b"]);
        assert!(has_below(&manifest, "ab"));
        assert!(!has_below(&manifest, "a"));
        assert!(!has_below(&manifest, "b"));
    }

    #[cfg(not(target_family = "wasm"))]
    mod properties {
        use super::*;
        use proptest::prelude::*;

        const PATHS: [&str; 12] = [
            "a",
            "a/b",
            "a/b/c",
            "a-b",
            "a.b/x",
            "a0",
            "deep/er/file",
            "deep/er",
            "deep/er2/file",
            "z",
            "a/b0",
            "🍓/ü",
        ];

        proptest! {
            #[test]
            fn an_updated_cache_tree_equals_a_new_one(
                start in prop::collection::vec(0..PATHS.len(), 0..8),
                rounds in prop::collection::vec(prop::collection::vec((0..PATHS.len(), 0..4_u8), 0..4), 1..5),
            ) {
                let entry = |bytes: u8| Entry { mode: Mode::File, oid: Oid::of_blob(&[bytes]) };
                let mut files = Manifest::new();
                for path in start {
                    put(&mut files, PATHS[path], entry(0));
                }
                let (mut cache, _) = CacheTree::from_manifest(&files);
                for round in rounds {
                    let before = files.clone();
                    for (path, bytes) in round {
                        match bytes {
                            0 => drop(files.remove(PATHS[path])),
                            _ => put(&mut files, PATHS[path], entry(bytes)),
                        }
                    }
                    let all = before.keys().chain(files.keys());
                    let changed = all.filter(|path| before.get(*path) != files.get(*path)).cloned().collect();
                    let updated = cache.update(&files, &changed);
                    let (expected, all) = CacheTree::from_manifest(&files);
                    prop_assert_eq!(&cache.0, &expected.0);
                    for tree in updated {
                        prop_assert!(all.contains(&tree), "{:?}", tree.path);
                    }
                }
            }
        }

        /// As in a file system: no path is a file and a folder.
        fn put(files: &mut Manifest, path: &str, entry: Entry) {
            files.retain(|other, _| !other.starts_with(&format!("{path}/")) && !path.starts_with(&format!("{other}/")));
            files.insert(path.to_owned(), entry);
        }
    }
}
