//! A tree of git with all below it, read a level at a time.

use super::manifest::{self, Entry, Manifest, Mode, Tree};
use super::objects::{MAX_PATH, is_name};
use super::oid::Oid;
use super::read;
use crate::error::Error;
use crate::join;
use crate::port::{EntryKind, GitPort, TreeEntry};
use crate::snapshot::protect::is_protected;
use std::collections::{BTreeMap, BTreeSet};

/// A tree of git, read with all below it.
#[derive(Debug, Clone, Default)]
pub(in crate::snapshot) struct Listing {
    /// Its entries, without what no snapshot holds.
    pub manifest: Manifest,
    /// It and all trees below it.
    pub trees: BTreeSet<Oid>,
    /// Entries that make no sense, described; they are left out.
    pub skipped: Vec<String>,
    /// Something that git has is missing here: without the skipped entries the ids do not come out right.
    pub is_incomplete: bool,
}

impl Listing {
    /// The listing of a manifest whose trees, these, are all stored.
    pub(in crate::snapshot) fn stored(manifest: Manifest, trees: &[Tree]) -> Self {
        Self { manifest, trees: trees.iter().map(|tree| tree.oid).collect(), ..Self::default() }
    }

    /// All objects that exist because this one does.
    pub(in crate::snapshot) fn objects(&self) -> BTreeSet<Oid> {
        let files = self.manifest.values().filter(|entry| entry.mode != Mode::Submodule);
        files.map(|entry| entry.oid).chain(self.trees.iter().copied()).collect()
    }
}

/// Reads a tree, but none that one of the `hints` holds as well.
pub(in crate::snapshot) async fn read_listing(
    git: &impl GitPort,
    root: Oid,
    hints: &[&Manifest],
) -> Result<Listing, Error> {
    let known: Vec<(&Manifest, Vec<Tree>)> = hints.iter().map(|hint| (*hint, manifest::trees(hint))).collect();
    let places = known.iter().enumerate();
    let places = places.flat_map(|(at, (_, trees))| trees.iter().map(move |tree| (tree.oid, (at, tree.path.as_str()))));
    let places: BTreeMap<Oid, (usize, &str)> = places.collect();
    let (mut listing, mut files, mut trees) = (Listing::default(), Vec::new(), Vec::new());
    let mut open = vec![(String::new(), root)];
    while !open.is_empty() {
        let mut unknown = Vec::new();
        for (prefix, oid) in open.drain(..) {
            trees.push(oid);
            let place = places.get(&oid).and_then(|(at, folder)| Some((known.get(*at)?, *folder)));
            let Some(((hint, known), folder)) = place else {
                unknown.push((prefix, oid));
                continue;
            };
            let inner = manifest::entries_from(hint, folder).take_while(|(path, _)| path.starts_with(folder));
            files.extend(inner.filter_map(|(path, entry)| Some((format!("{prefix}{}", below(path, folder)?), *entry))));
            let inner = known.iter().filter(|tree| tree.path == folder || below(&tree.path, folder).is_some());
            trees.extend(inner.map(|tree| tree.oid));
        }
        for some in unknown.chunks(join::AT_ONCE) {
            let reads = join::each(some, |(_, oid)| Box::pin(async move { read::tree(git, &oid.to_string()).await }));
            for ((prefix, oid), entries) in some.iter().zip(reads.await) {
                let mut entries = entries?;
                let count = entries.len();
                entries.retain(|entry| read_entry(prefix, entry).is_some());
                if entries.len() < count {
                    let message = format!("tree {oid} is said to have an entry that makes no sense; it is left out");
                    listing.skipped.push(message);
                    listing.is_incomplete |= manifest::tree_id(&entries) != Some(*oid);
                }
                for (path, found) in entries.iter().filter_map(|entry| read_entry(prefix, entry)) {
                    match found {
                        _ if is_protected(&path) => {}
                        Found::Folder(oid) => open.push((format!("{path}/"), oid)),
                        Found::File(entry) => files.push((path, entry)),
                    }
                }
            }
        }
    }
    listing.manifest = files.into_iter().collect();
    listing.trees = trees.into_iter().collect();
    Ok(listing)
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
