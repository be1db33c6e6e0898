//! What a rollback has to do: the difference of what is there and what shall be.

use super::apply::only_folders;
use super::intent::Steps;
use crate::error::{Error, ErrorCode};
use crate::port::{FileKind, GitPort, Host};
use crate::snapshot::compare::content;
use crate::snapshot::git::manifest::{Entry, Manifest, Mode, entries_from, has_below};
use crate::snapshot::git::read;
use crate::snapshot::worktree::ignore::Rules;
use crate::snapshot::worktree::walk::read_exclude;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The steps from `current` to `target`. `modes`: the host can set mode bits. `kept` files stay although the target
/// lacks them, unless they are in the way. Submodules stay as they are.
pub(in crate::snapshot) fn between(
    current: &Manifest,
    target: &Manifest,
    modes: bool,
    kept: &BTreeSet<String>,
) -> Steps {
    let same = |a: &Entry, b: &Entry| content(a) == content(b) && (!modes || a.mode == b.mode);
    let restore = target.iter().filter(|(path, entry)| {
        entry.mode != Mode::Submodule && !current.get(*path).is_some_and(|present| same(present, entry))
    });
    let delete = extras(current, target).filter(|path| !kept.contains(*path) || is_in_the_way(path, target));
    Steps { restore: restore.map(|(path, _)| path.clone()).collect(), delete: delete.cloned().collect() }
}

/// Files that the target lacks.
fn extras<'a>(current: &'a Manifest, target: &'a Manifest) -> impl Iterator<Item = &'a String> {
    let of_submodule =
        |path: &str| above(path).any(|folder| target.get(folder).is_some_and(|entry| entry.mode == Mode::Submodule));
    let files = current.iter().filter(|(_, entry)| entry.mode != Mode::Submodule).map(|(path, _)| path);
    files.filter(move |path| !target.contains_key(*path) && !of_submodule(path))
}

/// The target has a file where this path needs a folder, or a folder where this path is a file.
fn is_in_the_way(path: &str, target: &Manifest) -> bool {
    has_below(target, path) || above(path).any(|folder| target.contains_key(folder))
}

/// The extra files that the target's own ignore rules call ignored: they were no part of the project then, and are
/// none after the rollback.
///
/// # Errors
/// What a port says.
pub(in crate::snapshot) async fn kept<H: Host>(
    host: &H,
    git: &H::Git,
    current: &Manifest,
    target: &Manifest,
) -> Result<BTreeSet<String>, Error> {
    let is_rules = |path: &&String| path.rsplit('/').next() == Some(".gitignore");
    let differs = |path: &String| current.get(path) != target.get(path);
    if !current.keys().chain(target.keys()).filter(is_rules).any(differs) {
        return Ok(BTreeSet::new());
    }
    let exclude = read_exclude(host.project()).await?;
    let root = Rules::of_project(&exclude, rules_text(git, target, ".gitignore").await?.as_deref());
    let mut folders = BTreeMap::new();
    folders.insert(String::new(), (root, false));
    let mut kept = BTreeSet::new();
    for path in extras(current, target) {
        let (mut rules, mut is_ignored) = folders.get("").cloned().ok_or_else(lost)?;
        for folder in above(path) {
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
            kept.insert(path.clone());
        }
    }
    Ok(kept)
}

fn lost() -> Error {
    Error::new(ErrorCode::Internal, "the rules of the project's folder are lost")
}

async fn rules_text(git: &impl GitPort, target: &Manifest, path: &str) -> Result<Option<Vec<u8>>, Error> {
    match target.get(path) {
        Some(Entry { mode: Mode::File | Mode::Executable, oid }) => Ok(Some(read::blob(git, &oid.to_string()).await?)),
        _ => Ok(None),
    }
}

/// Nothing that is to be left alone is in the way of what is to be written. Folders without a file hold nothing that could
/// be lost; a submodule's is the submodule.
///
/// # Errors
/// `conflict` with the path that is; what a port says.
pub(in crate::snapshot) async fn check_way<H: Host>(
    host: &H,
    steps: &Steps,
    current: &Manifest,
    left: &BTreeMap<String, FileKind>,
) -> Result<(), Error> {
    for path in &steps.restore {
        let folder = format!("{path}/");
        let below = entries_from(left, &folder).map(|(other, _)| other.as_str());
        let below = below.take_while(|other| other.starts_with(&folder));
        let at_or_above = above(path).chain([path.as_str()]).filter(|folder| left.contains_key(*folder));
        for obstacle in at_or_above.chain(below) {
            let is_submodule = current.get(obstacle).is_some_and(|entry| entry.mode == Mode::Submodule);
            if !is_submodule && only_folders(host, obstacle).await?.is_some() {
                continue;
            }
            let message = format!(
                "{obstacle} is in the way of {path}, which the snapshot has, but it is ignored, or another \
                 repository, and so is not touched; move it away and try again"
            );
            return Err(Error::new(ErrorCode::Conflict, message).at_path(obstacle));
        }
    }
    Ok(())
}

/// The folders above a path, topmost first.
pub(in crate::snapshot) fn above(path: &str) -> impl Iterator<Item = &str> {
    path.char_indices().filter(|(_, c)| *c == '/').filter_map(|(at, _)| path.get(..at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::git::oid::Oid;

    fn manifest(files: &[(&str, Mode, &str)]) -> Manifest {
        let entry = |mode, bytes: &str| Entry { mode, oid: Oid::of_blob(bytes.as_bytes()) };
        files.iter().map(|(path, mode, bytes)| ((*path).to_owned(), entry(*mode, bytes))).collect()
    }

    #[test]
    fn names_what_differs_and_nothing_else() {
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
        let kept = BTreeSet::from_iter(["kept".to_owned()]);
        let steps = between(&current, &target, true, &kept);
        assert_eq!(steps.restore, ["edited", "link", "new/deep", "tool"]);
        assert_eq!(steps.delete, ["extra"]);
        assert_eq!(between(&current, &target, false, &kept).restore, ["edited", "link", "new/deep"]);
    }

    #[test]
    fn a_kept_file_goes_where_the_target_needs_its_place() {
        let current = manifest(&[("a", Mode::File, "1"), ("b/c", Mode::File, "1"), ("d", Mode::File, "1")]);
        let target = manifest(&[("a/x", Mode::File, "1"), ("b", Mode::File, "1")]);
        let kept = ["a", "b/c", "d"].map(str::to_owned).into_iter().collect();
        assert_eq!(between(&current, &target, true, &kept).delete, ["a", "b/c"]);
    }

    #[cfg(not(target_family = "wasm"))]
    #[tokio::test]
    async fn what_is_left_alone_is_never_overwritten() {
        use crate::port::memory::MemoryHost;
        let steps = Steps { restore: vec!["a/b".to_owned()], delete: Vec::new() };
        for (obstacle, is_free) in [("a", false), ("a/b", false), ("a/b/c", false), ("a/bc", true), ("a/c", true)] {
            let left = BTreeMap::from_iter([(obstacle.to_owned(), FileKind::Directory)]);
            let (full, empty) = (MemoryHost::new([]), MemoryHost::new([]));
            full.put(&format!("{obstacle}/deep/file"), "1");
            empty.fs.put_dir(&format!("/project/{obstacle}/deep"));
            assert_eq!(check_way(&full, &steps, &Manifest::new(), &left).await.is_ok(), is_free, "{obstacle}");
            assert!(check_way(&empty, &steps, &Manifest::new(), &left).await.is_ok(), "{obstacle} holds no file");
            let submodule = manifest(&[(obstacle, Mode::Submodule, "1")]);
            assert_eq!(check_way(&empty, &steps, &submodule, &left).await.is_ok(), is_free, "{obstacle}");
        }
    }
}
