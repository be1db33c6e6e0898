//! The restore plan: what a rollback writes and deletes, from the files as they are and as they shall be.

use super::apply::only_folders;
use crate::error::{Error, ErrorCode};
use crate::path::folders_above;
use crate::port::{FileKind, FsPort, GitPort, Host};
use crate::snapshot::compare::content;
use crate::snapshot::git::{Entry, Manifest, Mode, Oid, StoredTree, entries_from, has_below, read_blob};
use crate::snapshot::ignore::{Rules, read_exclude};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The snapshot that a rollback goes to.
pub(crate) struct RestoreTarget {
    /// As the caller named it.
    pub name: String,
    pub tree: Oid,
    /// Its files, without those that the host cannot store.
    pub manifest: Manifest,
    /// What the user should know about.
    pub warnings: Vec<String>,
}

impl RestoreTarget {
    /// Reads the files of a tree.
    ///
    /// # Errors
    /// `corrupt` if the tree cannot be read completely; what a port returns.
    pub(crate) async fn read<H: Host>(
        host: &H,
        git: &H::Git,
        name: &str,
        tree: Oid,
        hints: &[&Manifest],
    ) -> Result<Self, Error> {
        let StoredTree { mut manifest, mut warnings, is_incomplete, .. } = StoredTree::read(git, tree, hints).await?;
        if is_incomplete {
            let reason = warnings.join("; ");
            let message =
                format!("{name} cannot be read completely, so nothing was changed: {reason}; check the git port");
            return Err(Error::new(ErrorCode::Corrupt, message));
        }
        if !host.fs().support().symlinks {
            let links = manifest.iter().filter(|(_, entry)| entry.mode == Mode::Symlink);
            warnings
                .extend(links.map(|(path, _)| format!("{path} is left out: the file system does not support links")));
            manifest.retain(|_, entry| entry.mode != Mode::Symlink);
        }
        Ok(Self { name: name.to_owned(), tree, manifest, warnings })
    }
}

/// The paths that a rollback changes, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RestorePlan {
    /// Files to write as the target has them.
    pub restore: Vec<String>,
    /// Files to delete, with the folders that become empty.
    pub delete: Vec<String>,
}

impl RestorePlan {
    /// The plan for a working tree with the files `current`, checked: it overwrites nothing that a snapshot skips. It has
    /// only these `paths`, if there are any.
    ///
    /// # Errors
    /// `conflict` with the path of what is in the way; what a port returns.
    pub(super) async fn new<H: Host>(
        host: &H,
        git: &H::Git,
        current: &Manifest,
        target: &Manifest,
        skipped: &BTreeMap<String, FileKind>,
        paths: Option<&BTreeSet<String>>,
    ) -> Result<Self, Error> {
        let ignored = ignored_in_target(host, git, current, target).await?;
        let mut plan = Self::between(current, target, host.fs().support().chmod, &ignored);
        if let Some(paths) = paths {
            plan.restore.retain(|path| paths.contains(path));
            plan.delete.retain(|path| paths.contains(path));
        }
        plan.check_obstacles(host, current, skipped).await?;
        Ok(plan)
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &String> {
        self.restore.iter().chain(&self.delete)
    }

    /// The difference. `modes`: the host can set mode bits. Files in `ignored` stay although the target lacks them,
    /// unless they are in the way. Submodules stay.
    fn between(current: &Manifest, target: &Manifest, modes: bool, ignored: &BTreeSet<String>) -> Self {
        let same = |a: &Entry, b: &Entry| content(a) == content(b) && (!modes || a.mode == b.mode);
        let restore = target.iter().filter(|(path, entry)| {
            entry.mode != Mode::Submodule && !current.get(*path).is_some_and(|present| same(present, entry))
        });
        // The target has a file where this path needs a folder, or a folder where this path is a file.
        let is_in_the_way =
            |path: &str| has_below(target, path) || folders_above(path).any(|folder| target.contains_key(folder));
        let delete = extras(current, target).filter(|path| !ignored.contains(*path) || is_in_the_way(path));
        Self { restore: restore.map(|(path, _)| path.clone()).collect(), delete: delete.cloned().collect() }
    }

    /// Nothing that a snapshot skips is in the way of a file to write. Folders without a file contain nothing to lose; the
    /// folder of a submodule is the submodule.
    async fn check_obstacles<H: Host>(
        &self,
        host: &H,
        current: &Manifest,
        skipped: &BTreeMap<String, FileKind>,
    ) -> Result<(), Error> {
        for path in &self.restore {
            let folder = format!("{path}/");
            let below = entries_from(skipped, &folder).map(|(other, _)| other.as_str());
            let below = below.take_while(|other| other.starts_with(&folder));
            let at_or_above = folders_above(path).chain([path.as_str()]).filter(|folder| skipped.contains_key(*folder));
            for obstacle in at_or_above.chain(below) {
                let is_submodule = current.get(obstacle).is_some_and(|entry| entry.mode == Mode::Submodule);
                if !is_submodule && only_folders(host, obstacle).await?.is_some() {
                    continue;
                }
                let message = format!(
                    "{obstacle} is in the way of {path}, which the snapshot has; it is ignored or another repository, \
                     so a rollback does not change it; move it away and try again"
                );
                return Err(Error::new(ErrorCode::Conflict, message).at_path(obstacle));
            }
        }
        Ok(())
    }
}

/// Files that the target lacks.
fn extras<'a>(current: &'a Manifest, target: &'a Manifest) -> impl Iterator<Item = &'a String> {
    let is_in_submodule = |path: &str| {
        folders_above(path).any(|folder| target.get(folder).is_some_and(|entry| entry.mode == Mode::Submodule))
    };
    let files = current.iter().filter(|(_, entry)| entry.mode != Mode::Submodule).map(|(path, _)| path);
    files.filter(move |path| !target.contains_key(*path) && !is_in_submodule(path))
}

/// The files that the target lacks and its own rules ignore. The rollback brings those rules back, so the files stay.
async fn ignored_in_target<H: Host>(
    host: &H,
    git: &H::Git,
    current: &Manifest,
    target: &Manifest,
) -> Result<BTreeSet<String>, Error> {
    let is_rules = |path: &&String| crate::path::name(path) == ".gitignore";
    let differs = |path: &String| current.get(path) != target.get(path);
    if !current.keys().chain(target.keys()).filter(is_rules).any(differs) {
        return Ok(BTreeSet::new());
    }
    let exclude = read_exclude(host.project()).await?;
    let root = Rules::of_project(&exclude, rules_text(git, target, ".gitignore").await?.as_deref());
    let mut folders: BTreeMap<String, (Rc<Rules>, bool)> = BTreeMap::new();
    let mut ignored = BTreeSet::new();
    for path in extras(current, target) {
        let (mut rules, mut is_ignored) = (Rc::clone(&root), false);
        for folder in folders_above(path) {
            if let Some(known) = folders.get(folder) {
                (rules, is_ignored) = known.clone();
                continue;
            }
            is_ignored = is_ignored || rules.ignore(folder, true);
            let text = rules_text(git, target, &format!("{folder}/.gitignore")).await?;
            rules = rules.enter(folder, text.as_deref());
            folders.insert(folder.to_owned(), (Rc::clone(&rules), is_ignored));
        }
        if is_ignored || rules.ignore(path, false) {
            ignored.insert(path.clone());
        }
    }
    Ok(ignored)
}

async fn rules_text(git: &impl GitPort, target: &Manifest, path: &str) -> Result<Option<Vec<u8>>, Error> {
    match target.get(path) {
        Some(Entry { mode: Mode::File | Mode::Executable, oid }) => Ok(Some(read_blob(git, &oid.to_string()).await?)),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(files: &[(&str, Mode, &str)]) -> Manifest {
        let entry = |mode, bytes: &str| Entry { mode, oid: Oid::of_blob(bytes.as_bytes()) };
        files.iter().map(|(path, mode, bytes)| ((*path).to_owned(), entry(*mode, bytes))).collect()
    }

    #[test]
    fn a_plan_has_every_path_that_differs() {
        let current = manifest(&[
            ("same", Mode::File, "1"),
            ("edited", Mode::File, "1"),
            ("tool", Mode::File, "1"),
            ("link", Mode::Symlink, "1"),
            ("extra", Mode::File, "1"),
            ("kept", Mode::File, "1"),
            ("vendor/x", Mode::File, "1"),
            ("sub", Mode::Submodule, "1"),
        ]);
        let target = manifest(&[
            ("same", Mode::File, "1"),
            ("edited", Mode::File, "2"),
            ("tool", Mode::Executable, "1"),
            ("link", Mode::File, "1"),
            ("new/deep", Mode::File, "1"),
            ("vendor", Mode::Submodule, "1"),
        ]);
        let ignored = BTreeSet::from_iter(["kept".to_owned()]);
        let plan = RestorePlan::between(&current, &target, true, &ignored);
        assert_eq!(plan.restore, ["edited", "link", "new/deep", "tool"]);
        assert_eq!(plan.delete, ["extra"]);
        assert_eq!(RestorePlan::between(&current, &target, false, &ignored).restore, ["edited", "link", "new/deep"]);
    }

    #[test]
    fn an_ignored_file_is_deleted_if_it_is_in_the_way() {
        let current = manifest(&[("a", Mode::File, "1"), ("b/c", Mode::File, "1"), ("d", Mode::File, "1")]);
        let target = manifest(&[("a/x", Mode::File, "1"), ("b", Mode::File, "1")]);
        let ignored = ["a", "b/c", "d"].map(str::to_owned).into_iter().collect();
        assert_eq!(RestorePlan::between(&current, &target, true, &ignored).delete, ["a", "b/c"]);
    }

    #[cfg(not(target_family = "wasm"))]
    #[tokio::test]
    async fn nothing_that_a_snapshot_skips_is_overwritten() {
        use crate::port::memory::MemoryHost;
        let plan = RestorePlan { restore: vec!["a/b".to_owned()], delete: Vec::new() };
        for (obstacle, is_free) in [("a", false), ("a/b", false), ("a/b/c", false), ("a/bc", true), ("a/c", true)] {
            let skipped = BTreeMap::from_iter([(obstacle.to_owned(), FileKind::Directory)]);
            let (full, empty) = (MemoryHost::new([]), MemoryHost::new([]));
            full.put(&format!("{obstacle}/deep/file"), "1");
            empty.fs.put_dir(&format!("/project/{obstacle}/deep"));
            assert_eq!(plan.check_obstacles(&full, &Manifest::new(), &skipped).await.is_ok(), is_free, "{obstacle}");
            assert!(plan.check_obstacles(&empty, &Manifest::new(), &skipped).await.is_ok(), "{obstacle} has no file");
            let submodule = manifest(&[(obstacle, Mode::Submodule, "1")]);
            assert_eq!(plan.check_obstacles(&empty, &submodule, &skipped).await.is_ok(), is_free, "{obstacle}");
        }
    }
}
