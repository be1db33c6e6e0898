//! Reading commits, trees and blobs. Loose objects that are not compressed, as snapshots write them, are decoded here
//! and checked by their id; that is faster than any call of a git port. The port reads all others.

use super::format::{ObjectKind, body_of_loose};
use super::oid::Oid;
use super::tree::{CacheTree, Entry, MAX_PATH, Manifest, Mode, entries_from, has_below, is_name, tree_id};
use crate::error::{Error, ErrorCode};
use crate::path;
use crate::port::{Commit, EntryKind, GitPort, PortResult, TreeEntry};
use crate::snapshot::AT_ONCE;
use crate::snapshot::protect::is_protected;
use futures_util::future::join_all;
use std::collections::{BTreeMap, BTreeSet};

/// Reads a commit; follows annotated tags.
pub(crate) async fn read_commit(git: &dyn GitPort, oid: &str) -> PortResult<Commit> {
    match read_loose(git, ObjectKind::Commit, oid).await.as_deref().and_then(Commit::decode) {
        Some(commit) => Ok(commit),
        None => git.read_commit(oid).await,
    }
}

/// The id of a commit's tree.
///
/// # Errors
/// What the port returns; `git` for an invalid id.
pub(crate) async fn tree_of_commit(git: &dyn GitPort, oid: &str) -> Result<Oid, Error> {
    Oid::parse(&read_commit(git, oid).await?.tree)
        .ok_or_else(|| Error::new(ErrorCode::Git, format!("commit {oid} has no valid tree; check the git port")))
}

/// Reads the entries of a tree.
pub(crate) async fn read_tree(git: &dyn GitPort, oid: &str) -> PortResult<Vec<TreeEntry>> {
    match read_loose(git, ObjectKind::Tree, oid).await.as_deref().and_then(TreeEntry::read_all) {
        Some(entries) => Ok(entries),
        None => git.read_tree(oid).await,
    }
}

/// Reads the bytes of a blob.
pub(crate) async fn read_blob(git: &dyn GitPort, oid: &str) -> PortResult<Vec<u8>> {
    match read_loose(git, ObjectKind::Blob, oid).await {
        Some(bytes) => Ok(bytes),
        None => git.read_blob(oid).await,
    }
}

async fn read_loose(git: &dyn GitPort, kind: ObjectKind, oid: &str) -> Option<Vec<u8>> {
    body_of_loose(&git.read_object(oid).await.ok()??, kind, Oid::parse(oid)?)
}

/// A tree of the repository with everything below it.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoredTree {
    /// Its files, without those that no snapshot has.
    pub manifest: Manifest,
    /// The ids of the tree and of all trees below it.
    pub trees: CacheTree,
    /// The folders whose trees cannot be made from the manifest: a name in them is not UTF-8, or an entry is left out.
    pub inexact: BTreeSet<String>,
    /// Entries that are invalid and left out.
    pub warnings: Vec<String>,
    /// Without the invalid entries the ids do not match: entries of the repository are missing here.
    pub is_incomplete: bool,
}

impl StoredTree {
    /// The stored tree of a manifest that is stored completely.
    pub(crate) fn from_manifest(manifest: Manifest, cache: &CacheTree) -> Self {
        Self { manifest, trees: cache.clone(), ..Self::default() }
    }

    /// The ids of all objects of the tree.
    pub(crate) fn objects(&self) -> BTreeSet<Oid> {
        let files = self.manifest.values().filter(|entry| entry.mode != Mode::Submodule);
        self.trees.ids().chain(files.map(|entry| entry.oid)).collect()
    }

    /// Reads a tree level by level. Trees that one of the `hints` has as well are not read.
    pub(crate) async fn read(git: &dyn GitPort, root: Oid, hints: &[&Manifest]) -> Result<Self, Error> {
        Self::read_where(git, root, hints, |path| !is_protected(path)).await
    }

    /// As [`Self::read`], with the files that no snapshot has.
    pub(crate) async fn read_all(git: &dyn GitPort, root: Oid, hints: &[&Manifest]) -> Result<Self, Error> {
        Self::read_where(git, root, hints, |_| true).await
    }

    async fn read_where(
        git: &dyn GitPort,
        root: Oid,
        hints: &[&Manifest],
        counts: fn(&str) -> bool,
    ) -> Result<Self, Error> {
        let hints: Vec<Hint<'_>> = hints.iter().map(|manifest| Hint::new(manifest)).collect();
        let mut stored = Self::default();
        let mut open = vec![(String::new(), root)];
        let mut budget = Budget { left: PATHS_MAX, root };
        while !open.is_empty() {
            // Several folders may have the same tree.
            let mut unknown: BTreeMap<Oid, Vec<String>> = BTreeMap::new();
            for (prefix, oid) in open.drain(..) {
                stored.trees.insert(folder_of(&prefix), oid);
                match hints.iter().find_map(|hint| Some((hint, hint.folders.get(&oid)?))) {
                    Some((hint, folder)) => hint.copy(folder, &prefix, &mut stored, &mut budget)?,
                    None => unknown.entry(oid).or_default().push(prefix),
                }
            }
            let unknown: Vec<(Oid, Vec<String>)> = unknown.into_iter().collect();
            for chunk in unknown.chunks(AT_ONCE) {
                let reads = chunk.iter().map(async |(oid, _)| read_tree(git, &oid.to_string()).await);
                for ((oid, prefixes), entries) in chunk.iter().zip(join_all(reads).await) {
                    let entries = entries?;
                    for prefix in prefixes {
                        open.extend(stored.add(prefix, *oid, &entries, counts, &mut budget)?);
                    }
                }
            }
        }
        // A tree without a file.
        let empty = stored.trees.folders().filter(|folder| !folder.is_empty() && !has_below(&stored.manifest, folder));
        let above: Vec<String> = empty.map(|folder| path::parent(folder).to_owned()).collect();
        stored.inexact.extend(above);
        Ok(stored)
    }

    /// Adds a folder whose tree was read. Returns the folders in it.
    fn add(
        &mut self,
        prefix: &str,
        oid: Oid,
        entries: &[TreeEntry],
        counts: fn(&str) -> bool,
        budget: &mut Budget,
    ) -> Result<Vec<(String, Oid)>, Error> {
        let (mut valid, mut folders) = (Vec::new(), Vec::new());
        // A name of two entries could be a link and a folder.
        let (mut names, mut alike) = (BTreeSet::new(), 0);
        for entry in entries {
            let Some((path, found)) = read_entry(prefix, entry) else { continue };
            budget.spend(&path)?;
            if !names.insert(entry.path.as_str()) {
                // Names that are not UTF-8 may only look the same here.
                alike += usize::from(entry.path.contains(char::REPLACEMENT_CHARACTER));
                continue;
            }
            valid.push(entry);
            match found {
                _ if !counts(&path) => {}
                Found::Folder(oid) => folders.push((format!("{path}/"), oid)),
                Found::File(entry) => drop(self.manifest.insert(path, entry)),
            }
        }
        let is_lossy = valid.iter().any(|entry| entry.path.contains(char::REPLACEMENT_CHARACTER));
        let has_invalid = valid.len() + alike < entries.len();
        if (is_lossy || has_invalid) && tree_id(valid) != Some(oid) {
            self.inexact.insert(folder_of(prefix));
            self.is_incomplete |= has_invalid;
        }
        if has_invalid {
            self.warnings.push(format!("tree {oid} has an invalid entry, or two of one name; it is left out"));
        }
        Ok(folders)
    }
}

/// The size of all paths of a tree, with [`PATH_COST`] for each. A tree that refers to the same folders again and again is
/// small, and its paths are not.
const PATHS_MAX: usize = 48 * 1024 * 1024;
const PATH_COST: usize = 100;

/// How much of [`PATHS_MAX`] is left.
struct Budget {
    left: usize,
    root: Oid,
}

impl Budget {
    /// # Errors
    /// `unsupported` if the tree has too many files.
    fn spend(&mut self, path: &str) -> Result<(), Error> {
        self.left = self.left.checked_sub(path.len() + PATH_COST).ok_or_else(|| {
            let message = format!("the git tree {} has too many files and folders; use a commit with fewer", self.root);
            Error::new(ErrorCode::Unsupported, message)
        })?;
        Ok(())
    }
}

/// A folder from the prefix of its paths.
fn folder_of(prefix: &str) -> String {
    prefix.trim_end_matches('/').to_owned()
}

/// A manifest, and the folder of each of its trees.
struct Hint<'a> {
    manifest: &'a Manifest,
    cache: CacheTree,
    folders: BTreeMap<Oid, String>,
}

impl<'a> Hint<'a> {
    fn new(manifest: &'a Manifest) -> Self {
        let (cache, trees) = CacheTree::from_manifest(manifest);
        let mut folders = BTreeMap::new();
        folders.extend(trees.into_iter().map(|tree| (tree.oid, tree.path)));
        Self { manifest, cache, folders }
    }

    /// Copies a folder's files, below another prefix, and its trees.
    ///
    /// # Errors
    /// As [`Budget::spend`].
    fn copy(&self, folder: &str, prefix: &str, stored: &mut StoredTree, budget: &mut Budget) -> Result<(), Error> {
        let inner = entries_from(self.manifest, folder).take_while(|(path, _)| path.starts_with(folder));
        for (path, entry) in inner.filter_map(|(path, entry)| Some((below(path, folder)?, *entry))) {
            let moved = format!("{prefix}{path}");
            budget.spend(&moved)?;
            stored.manifest.insert(moved, entry);
        }
        for (path, oid) in self.cache.below(folder) {
            if let Some(rest) = below(path, folder) {
                stored.trees.insert(format!("{prefix}{rest}"), oid);
            }
        }
        Ok(())
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
