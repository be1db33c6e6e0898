//! The restore plan: what a rollback writes and deletes, from the files as they are and as they shall be.

use super::apply::{Folders, only_folders};
use super::collisions::refuse_collisions;
use super::selection::Selection;
use crate::error::{Error, ErrorCode};
use crate::path::folders_above;
use crate::port::{FileKind, GitPort, Host};
use crate::snapshot::compare::content;
use crate::snapshot::git::{
    CacheTree, Entry, Manifest, Mode, Oid, StoredTree, Tree, entries_from, has_below, read_blob,
};
use crate::snapshot::ignore::{Rules, read_exclude};
use crate::snapshot::protect::is_refused_target;
use crate::snapshot::worktree::read_content;
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
    pub(crate) async fn read(
        host: &Host,
        git: &dyn GitPort,
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
        if !host.fs.support().symlinks {
            let links = manifest.iter().filter(|(_, entry)| entry.mode == Mode::Symlink);
            warnings
                .extend(links.map(|(path, _)| format!("{path} is left out: the file system does not support links")));
            manifest.retain(|_, entry| entry.mode != Mode::Symlink);
        }
        Ok(Self { name: name.to_owned(), tree, manifest, warnings })
    }

    /// Replaces the files that are not selected with the `current` ones. Returns the trees of the result, children before their
    /// parents; none without a selection.
    ///
    /// # Errors
    /// As [`Selection::merge`] and [`Selection::require`].
    pub(super) fn select(&mut self, scope: &Scope<'_>, current: &Manifest) -> Result<Vec<Tree>, Error> {
        let Some(selection) = scope.selection() else { return Ok(Vec::new()) };
        if matches!(scope, Scope::Paths(_)) {
            selection.require(&self.name, current, &self.manifest)?;
        }
        self.manifest = selection.merge(current, &self.manifest)?;
        let (cache, trees) = CacheTree::from_manifest(&self.manifest);
        self.tree = cache.root();
        Ok(trees)
    }
}

/// Which files a rollback may change.
#[derive(Clone, Copy)]
pub(super) enum Scope<'a> {
    All,
    /// All, and also links that lead out of the project, because they were here before.
    Undo,
    /// The files of a commit that is left: their paths, and what that commit has there. Files that the target ignores are
    /// deleted too, because they are tracked.
    CheckOut(&'a BTreeSet<String>, &'a Manifest),
    /// The selected files; the others stay.
    Paths(&'a Selection),
    /// The selected files of a partial rollback, as they were before it.
    UndoPaths(&'a Selection),
}

impl Scope<'_> {
    pub(super) fn paths(&self) -> Option<&BTreeSet<String>> {
        match self {
            Self::CheckOut(paths, _) => Some(paths),
            _ => None,
        }
    }

    pub(super) fn selection(&self) -> Option<&Selection> {
        match self {
            Self::Paths(selection) | Self::UndoPaths(selection) => Some(selection),
            _ => None,
        }
    }

    /// Whether every file becomes as in the target.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self, Self::All | Self::Undo)
    }

    /// Whether the target may come from strangers: links that lead out of the project are left out, and names that are one
    /// on some file systems are refused.
    pub(super) fn is_of_strangers(&self) -> bool {
        !matches!(self, Self::Undo | Self::UndoPaths(_))
    }

    /// The files that count although they are ignored.
    pub(super) fn tracked(&self, target: &Manifest) -> Manifest {
        let mut tracked = match self.selection() {
            Some(selection) => selection.files_of(target),
            None => target.clone(),
        };
        if let Self::CheckOut(paths, left) = self {
            let left = paths.iter().filter_map(|path| Some((path.clone(), *left.get(path)?)));
            tracked.extend(left.filter(|(path, _)| !target.contains_key(path)));
        }
        tracked
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
    /// The plan for a working tree with the files `current`, checked: it overwrites nothing that a snapshot skips.
    ///
    /// # Errors
    /// `conflict` with the path of what is in the way; as [`refuse_collisions`]; what a port returns.
    pub(super) async fn new(
        host: &Host,
        git: &dyn GitPort,
        current: &Manifest,
        target: &Manifest,
        skipped: &BTreeMap<String, FileKind>,
        scope: Scope<'_>,
    ) -> Result<Self, Error> {
        let ignored = match scope {
            Scope::CheckOut(..) => BTreeSet::new(),
            _ => ignored_in_target(host, git, current, target).await?,
        };
        let mut plan = Self::between(current, target, host.fs.support().chmod, &ignored);
        if let Some(paths) = scope.paths() {
            plan.restore.retain(|path| paths.contains(path));
            plan.delete.retain(|path| paths.contains(path));
        }
        if scope.is_of_strangers() {
            refuse_collisions(host, target, &plan).await?;
        }
        plan.check_obstacles(host, current, skipped).await?;
        Ok(plan)
    }

    /// The plan from `current` to `target`, whatever the ignore rules say. `modes`: the host can set mode bits.
    pub(super) fn exact(current: &Manifest, target: &Manifest, modes: bool) -> Self {
        Self::between(current, target, modes, &BTreeSet::new())
    }

    /// Whether a file need not be written. `modes`: the host can set mode bits.
    pub(super) fn is_same(a: &Entry, b: &Entry, modes: bool) -> bool {
        content(a) == content(b) && (!modes || a.mode == b.mode)
    }

    /// Whether a path is a submodule, or in one.
    pub(super) fn is_in_submodule(files: &Manifest, path: &str) -> bool {
        let is_submodule = |path: &str| files.get(path).is_some_and(|entry| entry.mode == Mode::Submodule);
        folders_above(path).chain([path]).any(is_submodule)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.restore.is_empty() && self.delete.is_empty()
    }

    /// Takes these paths out.
    pub(super) fn leave(&mut self, paths: &BTreeSet<String>) {
        self.restore.retain(|path| !paths.contains(path));
        self.delete.retain(|path| !paths.contains(path));
    }

    /// Takes out the links that lead out of the project or to what no rollback changes, and says so.
    pub(super) async fn leave_links(
        &mut self,
        host: &Host,
        git: &dyn GitPort,
        target: &Manifest,
    ) -> Result<Vec<String>, Error> {
        let (mut left, mut warnings) = (BTreeSet::new(), Vec::new());
        let is_link = |entry: &&Entry| entry.mode == Mode::Symlink;
        for path in &self.restore {
            let Some(entry) = target.get(path).filter(is_link) else { continue };
            let bytes = read_blob(git, &entry.oid.to_string()).await?;
            let leads_to = String::from_utf8_lossy(&bytes);
            if is_refused_target(&host.dir, path, &leads_to) {
                warnings.push(format!(
                    "{path} is left out: it is a link to {leads_to:?}, which leads out of the project or to closed files"
                ));
                left.insert(path.clone());
            }
        }
        self.leave(&left);
        Ok(warnings)
    }

    /// Takes out the files that somebody changed since the rollback began, and returns them. A crash leaves files empty or
    /// torn, or, where a file system reuses the storage of deleted files, with the bytes of another one. It makes no file
    /// executable, so one that is so in neither state stays executable in `wanted`.
    pub(super) async fn leave_edited(
        &mut self,
        host: &Host,
        git: &dyn GitPort,
        wanted: &mut Manifest,
        other: &Manifest,
    ) -> Result<BTreeSet<String>, Error> {
        let known: BTreeSet<Oid> = wanted.values().chain(other.values()).map(|entry| entry.oid).collect();
        let mut edited = BTreeSet::new();
        let mut folders = Folders::default();
        for path in self.paths() {
            // What a link leads to is not below it.
            if !folders.reach(host, path).await? {
                continue;
            }
            let stat = host.project().lstat(path).await?;
            let mode = match stat.map(|stat| stat.kind) {
                Some(FileKind::Symlink) => Mode::Symlink,
                Some(FileKind::File) => Mode::File,
                Some(FileKind::Special) => {
                    edited.insert(path.clone());
                    continue;
                }
                // No folder with a file is replaced.
                Some(FileKind::Directory) | None => continue,
            };
            if let Some(entry) = wanted.get_mut(path)
                && entry.mode == Mode::File
                && stat.is_some_and(|stat| stat.is_executable())
                && other.get(path).is_none_or(|entry| entry.mode != Mode::Executable)
            {
                entry.mode = Mode::Executable;
            }
            let Some(bytes) = read_content(host, path, mode).await? else { continue };
            if bytes.is_empty() || known.contains(&Oid::of_blob(&bytes)) {
                continue;
            }
            let mut is_torn = false;
            for entry in [wanted.get(path), other.get(path)].into_iter().flatten() {
                match read_blob(git, &entry.oid.to_string()).await {
                    Ok(blob) => is_torn |= blob.starts_with(&bytes),
                    Err(error) if error.is_retryable() => return Err(error.into()),
                    Err(_) => {}
                }
            }
            if !is_torn {
                edited.insert(path.clone());
            }
        }
        self.leave(&edited);
        Ok(edited)
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &String> {
        self.restore.iter().chain(&self.delete)
    }

    /// The difference. `modes`: the host can set mode bits. Files in `ignored` stay although the target lacks them,
    /// unless they are in the way. Submodules stay.
    fn between(current: &Manifest, target: &Manifest, modes: bool, ignored: &BTreeSet<String>) -> Self {
        let restore = target.iter().filter(|(path, entry)| {
            entry.mode != Mode::Submodule
                && !current.get(*path).is_some_and(|present| Self::is_same(present, entry, modes))
        });
        // The target has a file where this path needs a folder, or a folder where this path is a file.
        let is_in_the_way =
            |path: &str| has_below(target, path) || folders_above(path).any(|folder| target.contains_key(folder));
        let delete = extras(current, target).filter(|path| !ignored.contains(*path) || is_in_the_way(path));
        Self { restore: restore.map(|(path, _)| path.clone()).collect(), delete: delete.cloned().collect() }
    }

    /// Nothing that a snapshot skips is in the way of a file to write. Folders without a file contain nothing to lose; the
    /// folder of a submodule is the submodule.
    async fn check_obstacles(
        &self,
        host: &Host,
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
                if !is_submodule && only_folders(host, obstacle, &|_| false).await?.is_some() {
                    continue;
                }
                let message = format!(
                    "{obstacle} is in the way of {path}, which the snapshot has; it is ignored, another repository or \
                     no file, so a rollback does not change it; move it away and try again"
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
async fn ignored_in_target(
    host: &Host,
    git: &dyn GitPort,
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

async fn rules_text(git: &dyn GitPort, target: &Manifest, path: &str) -> Result<Option<Vec<u8>>, Error> {
    match target.get(path) {
        Some(Entry { mode: Mode::File | Mode::Executable, oid }) => Ok(Some(read_blob(git, &oid.to_string()).await?)),
        _ => Ok(None),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::snapshot::restore) fn manifest(files: &[(&str, Mode, &str)]) -> Manifest {
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
