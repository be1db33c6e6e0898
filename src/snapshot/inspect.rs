//! Reading snapshots without changing anything.

use super::compare;
use super::git::list::{self as git_list, Listing};
use super::git::{Catalog, Entry, Manifest, Mode, Oid, Record, StoredTree, read_blob, read_tree, root_of, tags};
use super::info::{FileChange, SnapshotInfo, SnapshotKind, SnapshotStatus, Verification};
use super::iterations::list_iterations;
use super::labels::Labels;
use super::worktree::{Head, Watch, scan, walk};
use super::{git_of, state};
use crate::error::Error;
use crate::port::{EntryKind, Host, PortResult};
use std::collections::BTreeMap;

/// A list that reads as many snapshots from git stores what it read.
const STORED_FROM: usize = 16;

/// All snapshots except iterations, oldest first.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub async fn list(host: &Host) -> Result<Vec<SnapshotInfo>, Error> {
    let git = git_of(host)?;
    let catalog = Catalog::load_checked(host, git).await?;
    let Listing { listed, read, .. } = git_list::list(git, &catalog).await?;
    if read.len() >= STORED_FROM {
        // The list is complete without it, also where nothing can be written.
        let _ = store(host, &catalog, read).await;
    }
    let mut infos: Vec<SnapshotInfo> = listed.into_iter().map(|snapshot| snapshot.info).collect();
    Labels::load(host).await?.add_to(&mut infos);
    Ok(infos)
}

/// All snapshots of these kinds, oldest first.
///
/// # Errors
/// As [`list`].
pub async fn list_kinds(host: &Host, kinds: &[SnapshotKind]) -> Result<Vec<SnapshotInfo>, Error> {
    let has_others = kinds.iter().any(|kind| *kind != SnapshotKind::Iteration);
    let mut infos = if has_others { list(host).await? } else { Vec::new() };
    if kinds.contains(&SnapshotKind::Iteration) {
        infos.extend(list_iterations(host).await?);
        // An iteration ends before the run saves its result.
        infos.sort_by_key(|info| (info.at, info.kind != SnapshotKind::Iteration));
    }
    infos.retain(|info| kinds.contains(&info.kind));
    Ok(infos)
}

/// Adds what a list read from git. A save may have replaced records that the list has `seen`.
async fn store(host: &Host, seen: &Catalog, mut read: Vec<Record>) -> PortResult<()> {
    let _turn = Watch::default().turn(host).await;
    let mut catalog = Catalog::load(host).await?;
    read.retain(|record| catalog.get(&record.name) == seen.get(&record.name));
    catalog.learn(read);
    state::prepare(host, &mut false).await?;
    catalog.store(host).await
}

/// The full name of the ref that a tag means, and its commit; `None` if there is none, or no git.
///
/// # Errors
/// What a port returns.
pub async fn resolve(host: &Host, tag: &str) -> Result<Option<(String, String)>, Error> {
    match host.git.as_deref() {
        Some(git) => Ok(tags::resolve(git, tag).await?),
        None => Ok(None),
    }
}

/// The newest snapshot of the runs that wanted this tag, and its commit; `None` if there is none.
pub(crate) async fn newest_of(host: &Host, tag: &str) -> Result<Option<(String, String)>, Error> {
    let Some(git) = host.git.as_deref() else { return Ok(None) };
    let newest = git_list::newest_of(git, &Catalog::load(host).await?, tag).await?;
    Ok(newest.map(|commit| (commit.name.clone(), commit.oid.to_string())))
}

/// What changed between two snapshots, or since one. Accepts any tag, and any ref by its full name.
///
/// # Errors
/// `not-found` with the nearest tags; as [`list`].
pub async fn diff(host: &Host, from: &str, to: Option<&str>) -> Result<Vec<FileChange>, Error> {
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
pub async fn status(host: &Host) -> Result<SnapshotStatus, Error> {
    let git = git_of(host)?;
    let head = Head::load(host, git).await?;
    let Listing { listed, mut warnings, .. } = git_list::list(git, &head.catalog).await?;
    let mut infos: Vec<SnapshotInfo> = listed.into_iter().map(|snapshot| snapshot.info).collect();
    Labels::load(host).await?.add_to(&mut infos);
    let last = infos.last().cloned();
    let saved = match (&head.rolled_back_to, last.as_ref().and_then(|last| Oid::parse(&last.tree))) {
        (Some(files), _) => files.clone(),
        (None, Some(tree)) => StoredTree::read(git, tree, &head.hints()).await?.manifest,
        (None, None) => Manifest::new(),
    };
    let now = head.scan(host, &saved).await?;
    let files = now.manifest();
    let tree = root_of(&files).to_string();
    let mut current = None;
    for info in infos.iter().rev().filter(|info| info.tree == tree) {
        // Git may have moved the tag since its record was made.
        if tags::resolve(git, &info.tag).await?.is_some_and(|(_, oid)| oid == info.oid) {
            current = Some(info.tag.clone());
            break;
        }
    }
    warnings.extend(now.warnings);
    Ok(SnapshotStatus { current, changes: compare::changes(&saved, &files), last, warnings })
}

/// Compares every file with a snapshot byte by byte, without the stat cache.
pub async fn verify(host: &Host, tag: &str) -> Result<Verification, Error> {
    let git = git_of(host)?;
    let mut saved = StoredTree::read(git, tags::find(git, tag).await?.tree, &[]).await?.manifest;
    let mut now = scan(host, None, &[&saved], None).await?.manifest();
    let links = host.fs.support().symlinks;
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
pub async fn read_file(host: &Host, tag: &str, path: &str) -> Result<Option<Vec<u8>>, Error> {
    let git = git_of(host)?;
    let tree = tags::find(git, tag).await?.tree.to_string();
    let inside = match path.starts_with('/') {
        true => path.strip_prefix(&host.dir).filter(|rest| rest.starts_with('/')),
        false => Some(path),
    };
    let Some(path) = inside else { return Ok(None) };
    match blob_at(host, &tree, path, &mut Seen::new()).await? {
        Some(oid) => Ok(Some(read_blob(git, &oid).await?)),
        None => Ok(None),
    }
}

/// Blobs by the id of a tree and a path in it. Most trees of two snapshots are the same.
pub(crate) type Seen = BTreeMap<(String, String), Option<String>>;

/// The id of the blob of a file, or of the target of a link, in a tree; `None` if it has no such file. Reads only the trees
/// on the way that are not in `seen`.
pub(crate) async fn blob_at(host: &Host, tree: &str, path: &str, seen: &mut Seen) -> Result<Option<String>, Error> {
    let git = git_of(host)?;
    let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty() && *name != ".").collect();
    let (mut oid, mut rest, mut read) = (tree.to_owned(), names.as_slice(), Vec::new());
    let found = loop {
        let place = (oid.clone(), rest.join("/"));
        if let Some(known) = seen.get(&place) {
            break known.clone();
        }
        read.push(place);
        let Some((name, below)) = rest.split_first() else { break None };
        let entry = read_tree(git, &oid).await?.into_iter().find(|entry| entry.path == *name);
        match entry.map(|entry| (entry.kind, entry.oid)) {
            Some((EntryKind::Tree, tree)) if !below.is_empty() => (oid, rest) = (tree, below),
            Some((EntryKind::Blob, blob)) if below.is_empty() => break Some(blob),
            _ => break None,
        }
    };
    seen.extend(read.into_iter().map(|place| (place, found.clone())));
    Ok(found)
}

/// The texts of a snapshot's files that `wanted` selects, by path; invalid UTF-8 is replaced. Files that are the same in
/// `now` are not read.
pub async fn texts(
    host: &Host,
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
pub async fn is_empty(host: &Host) -> Result<bool, Error> {
    let (files, _) = walk(host, &[]).await?;
    Ok(files.iter().all(|(path, _)| crate::layout::is_task_file(path) || path == ".gitignore"))
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::port::memory::MemoryHost;
    use crate::snapshot::{SaveOptions, save};

    #[tokio::test]
    async fn a_list_replaces_no_record_of_a_save_that_was_made_meanwhile() {
        let host = MemoryHost::new([("a", "1")]);
        let save = async |tag: &str, message: &str| {
            let (tag, message) = (Some(tag.to_owned()), Some(message.to_owned()));
            save(&host, &SaveOptions { tag, message, ..SaveOptions::default() }).await.unwrap()
        };
        save("one", "first").await;
        save("two", "first").await;
        host.fs.delete("/project/.loopgate/names");
        let git = git_of(&host).unwrap();
        let seen = Catalog::load(&host).await.unwrap();
        let read = git_list::list(git, &seen).await.unwrap().read;
        assert_eq!(read.len(), 2);
        save("one", "words of the save").await;
        store(&host, &seen, read).await.unwrap();
        let listed = list(&host).await.unwrap();
        let message = |tag: &str| listed.iter().find(|info| info.tag == tag).unwrap().message.as_str();
        assert_eq!((message("one"), message("two")), ("words of the save", "first"));
        assert!(Catalog::load(&host).await.unwrap().has_name("two"));
    }
}
