//! Applying a restore plan to the working tree. Applied again after a crash, a plan has the same result.
//!
//! Nothing is written or deleted through a link: its target is not part of the project.

use super::plan::RestorePlan;
use super::redo_log::RedoLog;
use crate::error::{Error, ErrorCode};
use crate::layout::RESTORING;
use crate::path::folders_above;
use crate::port::{FileKind, GitPort, Host, PortErrorKind, PortResult, Stat, Walk};
use crate::snapshot::AT_ONCE;
use crate::snapshot::git::{Entry, Manifest, Mode, Oid, has_below, read_blob};
use crate::snapshot::protect::is_protected;
use crate::snapshot::worktree::read_content;
use futures_util::future::join_all;
use std::collections::BTreeSet;

/// Applies the plan of a redo log, verifies the result and marks the log as done.
///
/// # Errors
/// What a port returns; `conflict` if something unexpected is in the way; `corrupt` if a blob is damaged; `fs` if a file
/// is not as it was written.
pub(super) async fn apply(host: &Host, git: &dyn GitPort, target: &Manifest, log: &RedoLog) -> Result<(), Error> {
    write_files(host, git, target, &log.plan).await?;
    Ok(RedoLog { is_done: true, ..log.clone() }.store(host).await?)
}

/// Restores everything that a rollback to `target` may have changed, and withdraws its redo log. Files that somebody else
/// changed meanwhile stay; returns them.
pub(super) async fn revert(
    host: &Host,
    git: &dyn GitPort,
    log: &RedoLog,
    saved: &mut Manifest,
    target: &Manifest,
    before: Option<&RedoLog>,
) -> Result<BTreeSet<String>, Error> {
    let mut plan = log.plan.clone();
    let edited = plan.leave_edited(host, git, saved, target).await?;
    let (restore, delete) = plan.restore.into_iter().partition(|path| saved.contains_key(path));
    let mut back = RestorePlan { restore, delete };
    back.restore.extend(plan.delete);
    write_files(host, git, saved, &back).await?;
    RedoLog::withdraw(host, before).await?;
    Ok(edited)
}

/// Deletes files, then the folders that became empty, then writes files and after them links; verifies all and makes it durable.
async fn write_files(host: &Host, git: &dyn GitPort, target: &Manifest, plan: &RestorePlan) -> Result<(), Error> {
    let mut folders = Folders::default();
    for path in &plan.delete {
        if folders.reach(host, path).await? && is_file(host.project().lstat(path).await?) {
            host.project().remove_file(path).await?;
        }
    }
    remove_emptied(host, &plan.delete, &|folder| has_below(target, folder)).await?;
    let (links, files): (Vec<&String>, Vec<&String>) = plan.restore.iter().partition(|path| is_link(target, path));
    for chunk in files.chunks(AT_ONCE) {
        write_chunk(host, git, target, chunk).await?;
    }
    // Nothing is written after a link that could be below it.
    for link in links.chunks(1) {
        write_chunk(host, git, target, link).await?;
    }
    verify(host, target, plan).await?;
    Ok(host.fs.flush().await?)
}

/// Writes files at the same time. Reading their blobs may take long, so what is above them is looked at again right before
/// they are written.
async fn write_chunk(host: &Host, git: &dyn GitPort, target: &Manifest, paths: &[&String]) -> Result<(), Error> {
    let reads = paths.iter().map(async |path| {
        let entry = target.get(*path).ok_or_else(|| unknown(path))?;
        Ok((*path, entry.mode, read_checked(git, path, entry).await?))
    });
    let read = join_all(reads).await.into_iter().collect::<Result<Vec<_>, Error>>()?;
    let mut folders = Folders::default();
    for path in paths {
        folders.make(host, path).await?;
    }
    let writes = read.iter().map(|(path, mode, bytes)| write(host, path, *mode, bytes));
    join_all(writes).await.into_iter().collect()
}

fn is_link(target: &Manifest, path: &str) -> bool {
    target.get(path).is_some_and(|entry| entry.mode == Mode::Symlink)
}

/// Sets a file that no snapshot has to a state, in one step: after a crash it has its bytes from before or after.
pub(super) async fn replace(host: &Host, git: &dyn GitPort, path: &str, entry: Entry) -> Result<(), Error> {
    let project = host.project();
    let bytes = read_checked(git, path, &entry).await?;
    Folders::default().make(host, path).await?;
    if entry.mode == Mode::Symlink {
        return write(host, path, entry.mode, &bytes).await;
    }
    if project.lstat(path).await?.is_some_and(|stat| stat.kind == FileKind::Directory) {
        remove_empty(host, path).await?;
    }
    write(host, RESTORING, entry.mode, &bytes).await?;
    host.fs.flush().await?;
    Folders::default().make(host, path).await?;
    Ok(host.fs.rename(&project.absolute(RESTORING), &project.absolute(path)).await?)
}

/// Deletes a file that no snapshot has.
pub(super) async fn remove_file(host: &Host, path: &str) -> Result<(), Error> {
    Ok(host.project().remove_file(path).await?)
}

/// What a file is now; `None` for a folder, and for what a link leads to.
pub(super) async fn present(host: &Host, path: &str) -> Result<Option<Entry>, Error> {
    if !Folders::default().reach(host, path).await? {
        return Ok(None);
    }
    let mode = match host.project().lstat(path).await? {
        Some(stat) if stat.kind == FileKind::Symlink => Mode::Symlink,
        Some(stat) if stat.kind == FileKind::File && stat.is_executable() => Mode::Executable,
        Some(stat) if stat.kind == FileKind::File => Mode::File,
        _ => return Ok(None),
    };
    let bytes = read_content(host, path, mode).await?;
    Ok(bytes.map(|bytes| Entry { mode, oid: Oid::of_blob(&bytes) }))
}

/// Whether something is in the way of a file: a file in place of a folder above it, or a folder that has files. Those that
/// are gone then do not count.
pub(super) async fn is_blocked(host: &Host, path: &str, is_gone: &dyn Fn(&str) -> bool) -> PortResult<bool> {
    for folder in folders_above(path) {
        match host.project().lstat(folder).await? {
            Some(stat) if stat.kind == FileKind::Directory => {}
            Some(_) => return Ok(!is_gone(folder)),
            None => return Ok(false),
        }
    }
    match host.project().lstat(path).await?.map(|stat| stat.kind) {
        Some(FileKind::Directory) => Ok(only_folders(host, path, is_gone).await?.is_none()),
        Some(FileKind::Special) => Ok(true),
        _ => Ok(false),
    }
}

async fn verify(host: &Host, target: &Manifest, plan: &RestorePlan) -> Result<(), Error> {
    if plan.restore.iter().any(|path| is_link(target, path)) {
        let mut folders = Folders::default();
        for path in &plan.restore {
            if !folders.reach(host, path).await? {
                return Err(in_the_way(path));
            }
        }
    }
    for chunk in plan.restore.chunks(AT_ONCE) {
        let checks = chunk.iter().map(|path| verify_file(host, target, path));
        join_all(checks).await.into_iter().collect::<Result<(), _>>()?;
    }
    let mut folders = Folders::default();
    // A file system that ignores case finds a restored file under its deleted name.
    let is_restored = |path: &str| plan.restore.iter().any(|other| other.eq_ignore_ascii_case(path));
    for path in &plan.delete {
        if folders.reach(host, path).await? && is_file(host.project().lstat(path).await?) && !is_restored(path) {
            let message = format!("{path} still exists after it was deleted; check the file system");
            return Err(Error::new(ErrorCode::Fs, message).at_path(path));
        }
    }
    Ok(())
}

async fn verify_file(host: &Host, target: &Manifest, path: &str) -> Result<(), Error> {
    let entry = target.get(path).ok_or_else(|| unknown(path))?;
    let found = read_content(host, path, entry.mode).await?;
    if found.is_some_and(|bytes| Oid::of_blob(&bytes) == entry.oid) {
        return Ok(());
    }
    let message = format!("{path} does not contain what was written to it; check the file system");
    Err(Error::new(ErrorCode::Fs, message).at_path(path))
}

fn unknown(path: &str) -> Error {
    let message = format!("the record of the rollback names {path}, which the snapshot does not have");
    Error::new(ErrorCode::Corrupt, message).at_path(path)
}

fn is_file(stat: Option<Stat>) -> bool {
    stat.is_some_and(|stat| stat.kind != FileKind::Directory)
}

async fn read_checked(git: &dyn GitPort, path: &str, entry: &Entry) -> Result<Vec<u8>, Error> {
    let bytes = read_blob(git, &entry.oid.to_string()).await.map_err(|error| error.at_path(path))?;
    if Oid::of_blob(&bytes) == entry.oid {
        return Ok(bytes);
    }
    let message = format!("blob {} of {path} is damaged in the repository", entry.oid);
    Err(Error::new(ErrorCode::Corrupt, message).at_path(path))
}

/// Removes the folders above deleted files that have no file any more, except those that are kept.
pub(super) async fn remove_emptied(host: &Host, deleted: &[String], is_kept: &dyn Fn(&str) -> bool) -> PortResult<()> {
    let mut folders = Folders::default();
    let emptied: BTreeSet<&str> = deleted.iter().flat_map(|path| folders_above(path)).collect();
    for folder in emptied.into_iter().rev().filter(|folder| !is_kept(folder)) {
        if folders.reach(host, folder).await? {
            remove_empty(host, folder).await?;
        }
    }
    Ok(())
}

/// Removes a folder that contains nothing but folders; whether it did.
async fn remove_empty(host: &Host, folder: &str) -> PortResult<bool> {
    let Some(folders) = only_folders(host, folder, &|_| false).await? else { return Ok(false) };
    for path in folders.iter().rev() {
        match host.fs.remove_dir(&host.project().absolute(path)).await {
            // Someone wrote a file meanwhile, or the file system miscounts, as memfs does after a rename.
            Err(error) if error.kind == PortErrorKind::NotEmpty => return Ok(false),
            removed => removed?,
        }
    }
    Ok(true)
}

/// The folder and all folders below it, parents first; `None` if anything else is there that is not gone then. Empty if it
/// does not exist.
pub(super) async fn only_folders(
    host: &Host,
    folder: &str,
    is_gone: &dyn Fn(&str) -> bool,
) -> PortResult<Option<Vec<String>>> {
    let (mut walk, mut folders) = (Walk::new(host.project(), folder, usize::MAX), Vec::new());
    while let Some((path, stat)) = walk.next().await? {
        if stat.kind != FileKind::Directory && is_gone(&path) {
            continue;
        }
        if stat.kind != FileKind::Directory || is_protected(&path) {
            return Ok(None);
        }
        walk.enter(&path, |_| true).await?;
        folders.push(path);
    }
    Ok(Some(folders))
}

/// Paths that were seen to be folders, not links to them.
#[derive(Default)]
pub(in crate::snapshot) struct Folders(BTreeSet<String>);

impl Folders {
    /// Whether everything above a path is a folder.
    pub(in crate::snapshot) async fn reach(&mut self, host: &Host, path: &str) -> PortResult<bool> {
        for folder in folders_above(path) {
            if self.0.contains(folder) {
                continue;
            }
            if host.project().lstat(folder).await?.is_none_or(|stat| stat.kind != FileKind::Directory) {
                return Ok(false);
            }
            self.0.insert(folder.to_owned());
        }
        Ok(true)
    }

    /// Makes the missing folders above a path.
    async fn make(&mut self, host: &Host, path: &str) -> Result<(), Error> {
        for folder in folders_above(path) {
            if self.0.contains(folder) {
                continue;
            }
            match host.project().lstat(folder).await? {
                Some(stat) if stat.kind == FileKind::Directory => {}
                Some(_) => return Err(in_the_way(folder)),
                None => host.fs.make_dir(&host.project().absolute(folder)).await?,
            }
            self.0.insert(folder.to_owned());
        }
        Ok(())
    }
}

async fn write(host: &Host, path: &str, mode: Mode, bytes: &[u8]) -> Result<(), Error> {
    let (project, fs) = (host.project(), &*host.fs);
    let absolute = project.absolute(path);
    let stat = project.lstat(path).await?;
    let kind = stat.map(|stat| stat.kind);
    if kind == Some(FileKind::Special) || kind == Some(FileKind::Directory) && !remove_empty(host, path).await? {
        return Err(in_the_way(path));
    }
    let is_link = mode == Mode::Symlink;
    if kind == Some(FileKind::Symlink) || (kind == Some(FileKind::File) && is_link) {
        fs.remove_file(&absolute).await?;
    }
    if is_link {
        fs.symlink(&String::from_utf8_lossy(bytes), &absolute).await?;
        return Ok(());
    }
    fs.write_file(&absolute, bytes).await?;
    // Only files can be executable, so this is the file that was overwritten.
    let was_executable = stat.is_some_and(|stat| stat.is_executable());
    if fs.support().chmod && was_executable != (mode == Mode::Executable) {
        let bits = if mode == Mode::Executable { 0o755 } else { 0o644 };
        fs.chmod(&absolute, bits).await?;
    }
    Ok(())
}

fn in_the_way(path: &str) -> Error {
    let message = format!("{path} appeared during the rollback and is in its way; move it away and try again");
    Error::new(ErrorCode::Conflict, message).at_path(path)
}
