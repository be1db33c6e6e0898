//! Reading snapshots without changing anything.

use super::compare;
use super::git::{Entry, Manifest, Mode, Oid, SharedCommits, StoredTree, read_blob, read_tree, root_of, tags};
use super::git_of;
use super::info::{FileChange, SnapshotInfo, SnapshotStatus, Verification};
use super::worktree::{Head, scan, walk};
use crate::error::Error;
use crate::port::{EntryKind, FsPort, Host};
use std::collections::BTreeMap;

/// All snapshots, oldest first.
pub async fn list<H: Host>(host: &H) -> Result<Vec<SnapshotInfo>, Error> {
    let git = git_of(host)?;
    Ok(tags::list(git, &SharedCommits::load(host).await?).await?.0)
}

/// What changed between two snapshots, or since one. Accepts any tag, and any ref by its full name.
///
/// # Errors
/// `not-found` with the nearest tags; as [`list`].
pub async fn diff<H: Host>(host: &H, from: &str, to: Option<&str>) -> Result<Vec<FileChange>, Error> {
    let git = git_of(host)?;
    let head = Head::load(host, git).await?;
    let hints = head.hints();
    let from = StoredTree::read(git, tags::find(git, from).await?.tree, &hints).await?.manifest;
    let to = match to {
        Some(to) => StoredTree::read(git, tags::find(git, to).await?.tree, &hints).await?.manifest,
        None => head.scan(host, &from).await?.manifest(),
    };
    Ok(compare::changes(&from, &to))
}

/// The snapshot that equals the files, and what changed since the last one. After a rollback, changes count from the
/// snapshot that was rolled back to, not from the undo point, which is the last one.
pub async fn status<H: Host>(host: &H) -> Result<SnapshotStatus, Error> {
    let git = git_of(host)?;
    let head = Head::load(host, git).await?;
    let (infos, mut warnings) = tags::list(git, &head.shared).await?;
    let last = infos.last().cloned();
    let saved = match (&head.rolled_back_to, last.as_ref().and_then(|last| Oid::parse(&last.tree))) {
        (Some(files), _) => files.clone(),
        (None, Some(tree)) => StoredTree::read(git, tree, &head.hints()).await?.manifest,
        (None, None) => Manifest::new(),
    };
    let now = head.scan(host, &saved).await?;
    let files = now.manifest();
    let tree = root_of(&files).to_string();
    let current = infos.iter().rev().find(|info| info.tree == tree).map(|info| info.tag.clone());
    warnings.extend(now.warnings);
    Ok(SnapshotStatus { current, changes: compare::changes(&saved, &files), last, warnings })
}

/// Compares every file with a snapshot byte by byte, without the stat cache.
pub async fn verify<H: Host>(host: &H, tag: &str) -> Result<Verification, Error> {
    let git = git_of(host)?;
    let mut saved = StoredTree::read(git, tags::find(git, tag).await?.tree, &[]).await?.manifest;
    let mut now = scan(host, None, &[&saved], None).await?.manifest();
    let links = host.fs().support().symlinks;
    let counts = |entry: &Entry| entry.mode != Mode::Submodule && (links || entry.mode != Mode::Symlink);
    saved.retain(|_, entry| counts(entry));
    now.retain(|_, entry| counts(entry));
    let missing: Vec<String> = saved.keys().filter(|path| !now.contains_key(*path)).cloned().collect();
    let extra: Vec<String> = now.keys().filter(|path| !saved.contains_key(*path)).cloned().collect();
    let differs = |(path, entry): &(&String, &Entry)| now.get(*path).is_some_and(|found| found != *entry);
    let different: Vec<String> = saved.iter().filter(differs).map(|(path, _)| path.clone()).collect();
    let ok = missing.is_empty() && different.is_empty() && extra.is_empty();
    Ok(Verification { ok, missing, different, extra })
}

/// The bytes of a file, or the target of a link, in a snapshot; `None` if it has no such file. The path is relative to the
/// project, or absolute.
pub async fn read_file<H: Host>(host: &H, tag: &str, path: &str) -> Result<Option<Vec<u8>>, Error> {
    let git = git_of(host)?;
    let mut oid = tags::find(git, tag).await?.tree.to_string();
    let inside = match path.starts_with('/') {
        true => path.strip_prefix(host.dir()).filter(|rest| rest.starts_with('/')),
        false => Some(path),
    };
    let Some(path) = inside else { return Ok(None) };
    let mut names = path.split('/').filter(|name| !name.is_empty() && *name != ".").peekable();
    while let Some(name) = names.next() {
        let Some(entry) = read_tree(git, &oid).await?.into_iter().find(|entry| entry.path == name) else {
            return Ok(None);
        };
        match (entry.kind, names.peek()) {
            (EntryKind::Tree, Some(_)) => oid = entry.oid,
            (EntryKind::Blob, None) => return Ok(Some(read_blob(git, &entry.oid).await?)),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// The texts of a snapshot's files that `wanted` selects, by path; invalid UTF-8 is replaced. Files that are the same in
/// `now` are not read.
pub async fn texts<H: Host>(
    host: &H,
    tag: &str,
    wanted: &dyn Fn(&str) -> bool,
    now: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, Error> {
    let git = git_of(host)?;
    let saved = StoredTree::read(git, tags::find(git, tag).await?.tree, &[]).await?.manifest;
    let is_file = |entry: &Entry| matches!(entry.mode, Mode::File | Mode::Executable);
    let mut texts = BTreeMap::new();
    for (path, entry) in saved.iter().filter(|(path, entry)| wanted(path) && is_file(entry)) {
        let same = now.get(path).filter(|text| Oid::of_blob(text.as_bytes()) == entry.oid);
        let text = match same {
            Some(text) => text.clone(),
            None => String::from_utf8_lossy(&read_blob(git, &entry.oid.to_string()).await?).into_owned(),
        };
        texts.insert(path.clone(), text);
    }
    Ok(texts)
}

/// The project has no files but the harness's own, so a first snapshot could restore nothing.
pub async fn is_empty<H: Host>(host: &H) -> Result<bool, Error> {
    let (files, _) = walk(host, &[]).await?;
    Ok(files.iter().all(|(path, _)| crate::layout::is_task_file(path) || path == ".gitignore"))
}
