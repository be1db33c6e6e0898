//! The trees of a manifest, kept up to date: where a few files changed, only the trees above them are made anew.

use super::manifest::{Manifest, Open, Tree, entries_from};
use super::oid::Oid;
use crate::snapshot::restore::steps::above;
use std::collections::{BTreeMap, BTreeSet};

/// The ids of all trees of a manifest, by their folders.
pub(in crate::snapshot) struct Forest(BTreeMap<String, Oid>);

impl Forest {
    /// Of all trees of a manifest.
    pub(in crate::snapshot) fn of(trees: &[Tree]) -> Self {
        Self(trees.iter().map(|tree| (tree.path.clone(), tree.oid)).collect())
    }

    /// The root's.
    pub(in crate::snapshot) fn root(&self) -> Oid {
        self.0.get("").copied().unwrap_or_else(|| Oid::of("tree", b""))
    }

    /// Makes the trees above these paths anew, for a manifest that differs in them alone; gives the new ones, children
    /// before their parents, the root last.
    pub(in crate::snapshot) fn update(&mut self, manifest: &Manifest, paths: &BTreeSet<String>) -> Vec<Tree> {
        let folders: BTreeSet<&str> = paths.iter().flat_map(|path| above(path)).collect();
        let mut trees = Vec::new();
        // A folder's name begins with those of the folders above it: from behind, they come after it.
        for folder in folders.into_iter().rev() {
            self.0.remove(folder);
            self.grow(manifest, folder, &mut trees);
        }
        if !paths.is_empty() {
            self.grow(manifest, "", &mut trees);
        }
        trees
    }

    /// Makes the tree of a folder, and those below it that are not known; none where nothing is in it.
    fn grow(&mut self, manifest: &Manifest, folder: &str, trees: &mut Vec<Tree>) {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut tree = Open::new(folder);
        let mut next = prefix.clone();
        while let Some((path, entry)) = entries_from(manifest, &next).next() {
            let Some(rest) = path.strip_prefix(&prefix) else { break };
            let Some((name, _)) = rest.split_once('/') else {
                tree.push_entry(rest, entry);
                next = format!("{path}\0");
                continue;
            };
            let below = format!("{prefix}{name}");
            if !self.0.contains_key(&below) {
                self.grow(manifest, &below, trees);
            }
            if let Some(oid) = self.0.get(&below) {
                tree.push_tree(name, *oid);
            }
            // What follows '/'.
            next = format!("{below}0");
        }
        if folder.is_empty() || !tree.is_empty() {
            let tree = tree.close();
            self.0.insert(folder.to_owned(), tree.oid);
            trees.push(tree);
        }
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::snapshot::git::manifest::{self, Entry, Mode};
    use proptest::prelude::*;

    const PATHS: [&str; 12] =
        ["a", "a/b", "a/b/c", "a-b", "a.b/x", "a0", "deep/er/file", "deep/er", "deep/er2/file", "z", "a/b0", "🍓/ü"];

    proptest! {
        #[test]
        fn the_trees_are_those_of_the_whole_manifest(
            start in prop::collection::vec(0..PATHS.len(), 0..8),
            rounds in prop::collection::vec(prop::collection::vec((0..PATHS.len(), 0..4_u8), 0..4), 1..5),
        ) {
            let entry = |bytes: u8| Entry { mode: Mode::File, oid: Oid::of_blob(&[bytes]) };
            let mut files = Manifest::new();
            for path in start {
                put(&mut files, PATHS[path], entry(0));
            }
            let mut forest = Forest::of(&manifest::trees(&files));
            for round in rounds {
                let before = files.clone();
                for (path, bytes) in round {
                    match bytes {
                        0 => drop(files.remove(PATHS[path])),
                        _ => put(&mut files, PATHS[path], entry(bytes)),
                    }
                }
                let all = before.keys().chain(files.keys());
                let changed: BTreeSet<String> = all.filter(|path| before.get(*path) != files.get(*path)).cloned().collect();
                let new = forest.update(&files, &changed);
                let whole = manifest::trees(&files);
                prop_assert_eq!(&forest.0, &Forest::of(&whole).0);
                prop_assert_eq!(forest.root(), manifest::root(&whole));
                for tree in new {
                    prop_assert!(whole.contains(&tree), "{:?}", tree.path);
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
