//! Reading commits, trees and blobs. Loose objects that are not compressed, as snapshots write them, are decoded here
//! and checked by their id; that is faster than any call of a git port. The port reads all others.

use super::format::{ObjectKind, body_of_loose};
use super::oid::Oid;
use super::tree::{CacheTree, Entry, MAX_PATH, Manifest, Mode, entries_from, is_name, tree_id};
use crate::error::Error;
use crate::port::{Commit, EntryKind, GitPort, PortResult, TreeEntry};
use crate::snapshot::AT_ONCE;
use crate::snapshot::protect::is_protected;
use futures_util::future::join_all;
use std::collections::{BTreeMap, BTreeSet};

/// Reads a commit; follows annotated tags.
pub(crate) async fn read_commit(git: &impl GitPort, oid: &str) -> PortResult<Commit> {
    match read_loose(git, ObjectKind::Commit, oid).await.as_deref().and_then(Commit::decode) {
        Some(commit) => Ok(commit),
        None => git.read_commit(oid).await,
    }
}

/// Reads the entries of a tree.
pub(crate) async fn read_tree(git: &impl GitPort, oid: &str) -> PortResult<Vec<TreeEntry>> {
    match read_loose(git, ObjectKind::Tree, oid).await.as_deref().and_then(TreeEntry::read_all) {
        Some(entries) => Ok(entries),
        None => git.read_tree(oid).await,
    }
}

/// Reads the bytes of a blob.
pub(crate) async fn read_blob(git: &impl GitPort, oid: &str) -> PortResult<Vec<u8>> {
    match read_loose(git, ObjectKind::Blob, oid).await {
        Some(bytes) => Ok(bytes),
        None => git.read_blob(oid).await,
    }
}

async fn read_loose(git: &impl GitPort, kind: ObjectKind, oid: &str) -> Option<Vec<u8>> {
    body_of_loose(&git.read_object(oid).await.ok()??, kind, Oid::parse(oid)?)
}

/// A tree of the repository with everything below it.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoredTree {
    /// Its files, without those that no snapshot has.
    pub manifest: Manifest,
    /// The ids of the tree and of all trees below it.
    pub trees: BTreeSet<Oid>,
    /// Entries that are invalid and left out.
    pub warnings: Vec<String>,
    /// Without the invalid entries the ids do not match: entries of the repository are missing here.
    pub is_incomplete: bool,
}

impl StoredTree {
    /// The stored tree of a manifest that is stored completely.
    pub(crate) fn of(manifest: Manifest, cache: &CacheTree) -> Self {
        let mut stored = Self { manifest, ..Self::default() };
        stored.trees.extend(cache.ids());
        stored
    }

    /// The ids of all objects of the tree.
    pub(crate) fn objects(&self) -> BTreeSet<Oid> {
        let files = self.manifest.values().filter(|entry| entry.mode != Mode::Submodule);
        let mut objects = self.trees.clone();
        objects.extend(files.map(|entry| entry.oid));
        objects
    }

    /// Reads a tree level by level. Trees that one of the `hints` has as well are not read.
    pub(crate) async fn read(git: &impl GitPort, root: Oid, hints: &[&Manifest]) -> Result<Self, Error> {
        Self::read_where(git, root, hints, |path| !is_protected(path)).await
    }

    /// As [`Self::read`], with the files that no snapshot has.
    pub(crate) async fn read_all(git: &impl GitPort, root: Oid, hints: &[&Manifest]) -> Result<Self, Error> {
        Self::read_where(git, root, hints, |_| true).await
    }

    async fn read_where(
        git: &impl GitPort,
        root: Oid,
        hints: &[&Manifest],
        counts: fn(&str) -> bool,
    ) -> Result<Self, Error> {
        let hints: Vec<Hint<'_>> = hints.iter().map(|manifest| Hint::new(manifest)).collect();
        let mut stored = Self::default();
        let mut open = vec![(String::new(), root)];
        while !open.is_empty() {
            let mut unknown = Vec::new();
            for (prefix, oid) in open.drain(..) {
                stored.trees.insert(oid);
                match hints.iter().find_map(|hint| Some((hint, hint.folders.get(&oid)?))) {
                    Some((hint, folder)) => hint.copy(folder, &prefix, &mut stored),
                    None => unknown.push((prefix, oid)),
                }
            }
            for chunk in unknown.chunks(AT_ONCE) {
                let reads = chunk.iter().map(async |(_, oid)| read_tree(git, &oid.to_string()).await);
                for ((prefix, oid), entries) in chunk.iter().zip(join_all(reads).await) {
                    let entries = entries?;
                    let (valid, invalid): (Vec<_>, Vec<_>) =
                        entries.into_iter().partition(|entry| read_entry(prefix, entry).is_some());
                    if !invalid.is_empty() {
                        stored.warnings.push(format!("tree {oid} has an invalid entry; it is left out"));
                        stored.is_incomplete |= tree_id(&valid) != Some(*oid);
                    }
                    for (path, found) in valid.iter().filter_map(|entry| read_entry(prefix, entry)) {
                        match found {
                            _ if !counts(&path) => {}
                            Found::Folder(oid) => open.push((format!("{path}/"), oid)),
                            Found::File(entry) => drop(stored.manifest.insert(path, entry)),
                        }
                    }
                }
            }
        }
        Ok(stored)
    }
}

/// A manifest, and the folder of each of its trees.
struct Hint<'a> {
    manifest: &'a Manifest,
    cache: CacheTree,
    folders: BTreeMap<Oid, String>,
}

impl<'a> Hint<'a> {
    fn new(manifest: &'a Manifest) -> Self {
        let (cache, trees) = CacheTree::of(manifest);
        let mut folders = BTreeMap::new();
        folders.extend(trees.into_iter().map(|tree| (tree.oid, tree.path)));
        Self { manifest, cache, folders }
    }

    /// Copies a folder's files, below another prefix, and its trees.
    fn copy(&self, folder: &str, prefix: &str, stored: &mut StoredTree) {
        let inner = entries_from(self.manifest, folder).take_while(|(path, _)| path.starts_with(folder));
        let moved = inner.filter_map(|(path, entry)| Some((format!("{prefix}{}", below(path, folder)?), *entry)));
        stored.manifest.extend(moved);
        stored.trees.extend(self.cache.ids_below(folder));
    }
}

/// The rest of a path below a folder.
fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

enum Found {
    File(Entry),
    Folder(Oid),
}

fn read_entry(prefix: &str, entry: &TreeEntry) -> Option<(String, Found)> {
    let path = format!("{prefix}{}", entry.path);
    if !is_name(&entry.path) || path.len() > MAX_PATH {
        return None;
    }
    let oid = Oid::parse(&entry.oid)?;
    let found = match entry.kind {
        EntryKind::Tree => Found::Folder(oid),
        EntryKind::Commit => Found::File(Entry { mode: Mode::Submodule, oid }),
        EntryKind::Blob => Found::File(Entry { mode: Mode::parse(&entry.mode)?, oid }),
    };
    Some((path, found))
}
