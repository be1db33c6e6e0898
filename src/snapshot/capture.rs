//! A capture: the files of the working tree at one moment, each stored as an object. Two captures around a call show what
//! the call changed, and what was there before it.
//!
//! A capture also has the ignored files outside of ignored folders, such as `.env` or a local database: no snapshot has
//! them, so nothing else keeps what a command overwrites.

use super::git::{Entry, Manifest, Mode, ObjectWriter, Oid, StoredTree, read_blob, tags};
use super::git_of;
use super::protect::is_protected;
use super::restore::{Folders, recover};
use super::worktree::{Base, RulesOf, StatEntry, Watch, is_ignored_by, read_content};
use crate::error::Error;
use crate::layout::KEPT_REFS;
use crate::port::{FileKind, Host, Walk};
use std::collections::{BTreeMap, BTreeSet};

/// Larger ignored files are not captured, in bytes.
const IGNORED_MAX: u64 = 4 * 1024 * 1024;

/// How many ignored files are captured.
const IGNORED_FILES_MAX: usize = 200;

/// The coarsest timestamp resolution of a file system in use (FAT), in milliseconds.
const GRAIN_MS: f64 = 2000.0;

/// The files of the working tree at one moment.
#[derive(Clone, Default)]
pub(crate) struct Capture {
    pub files: Manifest,
    /// The files among them that no snapshot has, because git ignores them.
    pub ignored: BTreeSet<String>,
    /// Skipped folders, and ignored files that were not read, because there are too many or they are too large.
    pub unread: BTreeSet<String>,
    /// The ignore rules.
    rules: RulesOf,
    /// It stored objects, which are durable with the next flush.
    pub has_stored: bool,
}

/// Scans the working tree and stores every file. Looks at the paths of `also` even if git ignores them.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn capture(host: &Host, watch: &Watch, also: &BTreeSet<String>) -> Result<Capture, Error> {
    let git = git_of(host)?;
    watch.distrust(host);
    let began_at = host.clock.now();
    let _turn = watch.turn(host).await;
    let base = Box::pin(Base::load(host, git, watch)).await?;
    let mut staged = Box::pin(base.stage(host, git, "", &Manifest::new())).await?;
    let (mut captured, mut cache) =
        (Capture { files: staged.index.files.clone(), ..Capture::default() }, BTreeMap::new());
    captured.rules.clone_from(staged.index.rules());
    let is_loose = |(path, kind): &(&String, &FileKind)| {
        **kind != FileKind::Directory && !is_protected(path) && staged.index.is_ignored(path, false)
    };
    let loose = staged.index.skipped.iter().filter(is_loose).map(|(path, _)| path);
    let (known, more): (Vec<&String>, Vec<&String>) = loose.partition(|path| also.contains(*path));
    let room = more.len().min(IGNORED_FILES_MAX.saturating_sub(known.len()));
    let (read, unread) = more.split_at(room);
    let mut paths: BTreeSet<&String> = known.into_iter().chain(read.iter().copied()).collect();
    let skipped = staged.index.skipped.iter().filter(|(_, kind)| **kind == FileKind::Directory);
    captured.unread.extend(unread.iter().copied().chain(skipped.map(|(path, _)| path)).cloned());
    paths.extend(also.iter().filter(|path| !captured.files.contains_key(*path) && !is_protected(path)));
    let mut folders = Folders::default();
    for path in paths {
        // What a link leads to is not below it.
        if !folders.reach(host, path).await? {
            continue;
        }
        let Some(stat) = host.project().lstat(path).await? else { continue };
        let mode = match stat.kind {
            FileKind::Directory | FileKind::Special => continue,
            FileKind::Symlink => Mode::Symlink,
            FileKind::File if stat.is_executable() => Mode::Executable,
            FileKind::File => Mode::File,
        };
        if stat.size > IGNORED_MAX && !also.contains(path) {
            captured.unread.insert(path.clone());
            continue;
        }
        let entry = match watch.unchanged_ignored(path, &stat, mode) {
            Some(entry) => entry,
            None => {
                let Some(bytes) = read_content(host, path, mode).await? else { continue };
                Entry { mode, oid: staged.objects.write_blob(bytes).await? }
            }
        };
        // Another change may leave the same stat.
        if !stat.is_racy(host.clock.now() as f64 - GRAIN_MS) {
            cache.insert(path.clone(), StatEntry::new(entry, &stat));
        }
        captured.files.insert(path.clone(), entry);
        captured.ignored.insert(path.clone());
    }
    staged.objects.write_all().await?;
    captured.has_stored = staged.objects.has_written;
    let stored = staged.objects.end().await?;
    staged.index.unstored = staged.trees;
    watch.set_ignored(cache, began_at);
    watch.update(staged.index, stored);
    Ok(captured)
}

/// How many new files a call may have in folders that it made git ignore. More are not looked at.
const NEWLY_IGNORED_MAX: usize = 1_000;

/// As [`capture`], after a call that may have changed what git ignores. Also has the files of the folders that git ignores since
/// `before`: without the call, a scan would have found them.
///
/// # Errors
/// As [`capture`].
pub(crate) async fn capture_after(
    host: &Host,
    watch: &Watch,
    also: &BTreeSet<String>,
    before: &Capture,
) -> Result<Capture, Error> {
    let after = capture(host, watch, also).await?;
    let is_new = |folder: &&String| !before.unread.contains(*folder) && !is_ignored_by(&before.rules, folder, true);
    let mut fresh = BTreeSet::new();
    for folder in after.unread.iter().filter(is_new) {
        let mut walk = Walk::new(host.project(), folder, NEWLY_IGNORED_MAX);
        while let Some((path, stat)) = walk.next().await? {
            match stat.kind {
                _ if is_protected(&path) => {}
                FileKind::Directory => walk.enter(&path, |_| true).await?,
                FileKind::File | FileKind::Symlink if stat.size <= IGNORED_MAX => drop(fresh.insert(path)),
                FileKind::File | FileKind::Symlink | FileKind::Special => {}
            }
        }
    }
    if fresh.is_empty() {
        return Ok(after);
    }
    fresh.extend(also.iter().cloned());
    let captured = capture(host, watch, &fresh).await?;
    Ok(Capture { has_stored: after.has_stored || captured.has_stored, ..captured })
}

/// Stores bytes as an object, unless the run stored it.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn keep(host: &Host, watch: &Watch, bytes: &[u8]) -> Result<Oid, Error> {
    let oid = Oid::of_blob(bytes);
    if watch.has_stored(&oid) {
        return Ok(oid);
    }
    let git = git_of(host)?;
    let _turn = watch.turn(host).await;
    Box::pin(recover(host, git)).await?;
    let mut objects = ObjectWriter::new(host, git, "", BTreeSet::new());
    objects.write_blob(bytes.to_vec()).await?;
    objects.write_all().await?;
    objects.end().await?;
    Ok(oid)
}

/// The files of a tree.
///
/// # Errors
/// `not-found` if the tree is gone; `unsupported` without git; otherwise what a port returns.
pub(crate) async fn files_of_tree(host: &Host, tree: &str) -> Result<Manifest, Error> {
    let Some(tree) = Oid::parse(tree) else { return Ok(Manifest::new()) };
    Ok(StoredTree::read(git_of(host)?, tree, &[]).await?.manifest)
}

/// Keeps the object of a file that no snapshot has: a ref leads to it, so git's garbage collection leaves it.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn keep_reachable(host: &Host, entry: Entry) -> Result<(), Error> {
    let oid = entry.oid.to_string();
    Ok(git_of(host)?.write_ref(&format!("{KEPT_REFS}/{oid}"), &oid).await?)
}

/// The files of a snapshot.
///
/// # Errors
/// `not-found` with the nearest tags; `unsupported` without git; otherwise what a port returns.
pub(crate) async fn files_of_tag(host: &Host, tag: &str) -> Result<Manifest, Error> {
    let git = git_of(host)?;
    Ok(StoredTree::read(git, tags::find(git, tag).await?.tree, &[]).await?.manifest)
}

/// The bytes of a file, or the target of a link.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn read_object(host: &Host, entry: Entry) -> Result<Vec<u8>, Error> {
    Ok(read_blob(git_of(host)?, &entry.oid.to_string()).await?)
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::port::ClockPort;
    use crate::port::memory::MemoryHost;

    #[tokio::test]
    async fn the_ignored_files_that_are_not_read_are_known() {
        let host = MemoryHost::new([(".gitignore", "*.db\n")]);
        let name = |number: usize| format!("{number:03}.db");
        (0..IGNORED_FILES_MAX + 5).for_each(|number| host.put(&name(number), "USER"));
        host.put("large.db", "");
        let watch = Watch::default();
        let before = capture(&host, &watch, &BTreeSet::new()).await.unwrap();
        assert_eq!((before.ignored.len(), before.unread.len()), (IGNORED_FILES_MAX, 6));
        host.fs.delete(&format!("/project/{}", name(0)));
        let after = capture(&host, &watch, &before.files.keys().cloned().collect()).await.unwrap();
        let new: Vec<&String> = after.files.keys().filter(|path| !before.files.contains_key(*path)).collect();
        assert!(new.iter().all(|path| before.unread.contains(*path)), "{new:?}");
        assert!(before.ignored.iter().skip(1).all(|path| after.files.contains_key(path)));

        let host = MemoryHost::new([(".gitignore", "*.db\n")]);
        host.fs.put("/project/large.db", vec![b'x'; 5 * 1024 * 1024]);
        let captured = capture(&host, &Watch::default(), &BTreeSet::new()).await.unwrap();
        assert_eq!(captured.unread, BTreeSet::from(["large.db".to_owned()]));
    }

    #[tokio::test]
    async fn a_racy_ignored_file_is_read_again() {
        let host = MemoryHost::new([(".gitignore", ".env\n"), (".env", "aaa")]);
        let watch = Watch::default();
        let mut seen = Vec::new();
        let time = (host.clock.now() / 2_000 * 2_000) as f64;
        for text in ["aaa", "bbb"] {
            host.put(".env", text);
            host.fs.set_mtime("/project/.env", time);
            seen.push(capture(&host, &watch, &BTreeSet::new()).await.unwrap().files[".env"]);
        }
        assert_ne!(seen[0], seen[1]);
    }
}
