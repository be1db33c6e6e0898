//! Performing a rollback's steps on the files. Done again after a crash, they come to the same end.
//!
//! No step goes through a link: a folder that became one is not the project's any more.

use super::intent::Steps;
use super::steps::above;
use crate::error::{Error, ErrorCode};
use crate::join;
use crate::port::{FileKind, FsPort, GitPort, Host, PortResult, Stat};
use crate::snapshot::git::manifest::{Entry, Manifest, Mode, has_below};
use crate::snapshot::git::oid::Oid;
use crate::snapshot::git::read;
use crate::snapshot::protect::is_protected;
use crate::snapshot::worktree::scan::read_content;
use std::collections::BTreeSet;

/// Removes what is extra, then the folders that this emptied, then writes what differs.
///
/// # Errors
/// What a port says; `conflict` where something unknown is in the way; `corrupt` where a blob is damaged.
pub(in crate::snapshot) async fn apply<H: Host>(
    host: &H,
    git: &H::Git,
    target: &Manifest,
    steps: &Steps,
) -> Result<(), Error> {
    let mut folders = Folders::default();
    for path in &steps.delete {
        if folders.reach(host, path).await? && is_file(host.project().lstat(path).await?) {
            host.project().remove_file(path).await?;
        }
    }
    let emptied: BTreeSet<&str> = steps.delete.iter().flat_map(|path| above(path)).collect();
    for folder in emptied.into_iter().rev().filter(|folder| !has_below(target, folder)) {
        if folders.reach(host, folder).await? {
            remove_empty(host, folder).await?;
        }
    }
    let mut folders = Folders::default();
    for some in steps.restore.chunks(join::AT_ONCE) {
        let mut files = Vec::new();
        for path in some {
            files.push((path, target.get(path).ok_or_else(|| unknown(path))?));
            folders.make(host, path).await?;
        }
        let written = join::each(&files, |(path, entry)| {
            Box::pin(async move { write(host, path, entry.mode, &read_blob(git, path, entry).await?).await })
        });
        written.await.into_iter().collect::<Result<(), _>>()?;
    }
    Ok(())
}

/// Reads back all that [`apply`] should have done.
///
/// # Errors
/// `fs` with the path that is not as it should be.
pub(in crate::snapshot) async fn verify<H: Host>(host: &H, target: &Manifest, steps: &Steps) -> Result<(), Error> {
    for some in steps.restore.chunks(join::AT_ONCE) {
        let checked = join::each(some, |path| Box::pin(verify_file(host, target, path)));
        checked.await.into_iter().collect::<Result<(), _>>()?;
    }
    let mut folders = Folders::default();
    // A file system that ignores case finds what was restored under the old name, too.
    let is_restored = |path: &str| steps.restore.iter().any(|other| other.eq_ignore_ascii_case(path));
    for path in &steps.delete {
        if folders.reach(host, path).await? && is_file(host.project().lstat(path).await?) && !is_restored(path) {
            let message = format!("{path} is still there after it was removed; check the file system");
            return Err(Error::new(ErrorCode::Fs, message).at_path(path));
        }
    }
    Ok(())
}

async fn verify_file<H: Host>(host: &H, target: &Manifest, path: &str) -> Result<(), Error> {
    let entry = target.get(path).ok_or_else(|| unknown(path))?;
    let found = read_content(host, path, entry.mode).await?;
    if found.is_some_and(|bytes| Oid::of_blob(&bytes) == entry.oid) {
        return Ok(());
    }
    let message = format!("{path} does not hold what was written to it; check the file system");
    Err(Error::new(ErrorCode::Fs, message).at_path(path))
}

fn unknown(path: &str) -> Error {
    let message = format!("the record of the rollback names {path}, which the snapshot does not have");
    Error::new(ErrorCode::Corrupt, message).at_path(path)
}

fn is_file(stat: Option<Stat>) -> bool {
    stat.is_some_and(|stat| stat.kind != FileKind::Directory)
}

async fn read_blob(git: &impl GitPort, path: &str, entry: &Entry) -> Result<Vec<u8>, Error> {
    let bytes = read::blob(git, &entry.oid.to_string()).await.map_err(|error| error.at_path(path))?;
    if Oid::of_blob(&bytes) == entry.oid {
        return Ok(bytes);
    }
    let message = format!("blob {} of {path} is damaged in the repository", entry.oid);
    Err(Error::new(ErrorCode::Corrupt, message).at_path(path))
}

/// Removes a folder that holds nothing but folders. One that holds more stays whole.
async fn remove_empty<H: Host>(host: &H, folder: &str) -> PortResult<bool> {
    let Some(folders) = only_folders(host, folder).await? else { return Ok(false) };
    for path in folders.iter().rev() {
        host.fs().remove_dir(&host.project().absolute(path)).await?;
    }
    Ok(true)
}

/// A folder and all below it, parents first, if nothing else is there: none where it does not exist.
pub(in crate::snapshot) async fn only_folders<H: Host>(host: &H, folder: &str) -> PortResult<Option<Vec<String>>> {
    let project = host.project();
    let (mut open, mut folders) = (vec![folder.to_owned()], Vec::new());
    while let Some(path) = open.pop() {
        match project.lstat(&path).await? {
            None => continue,
            Some(stat) if stat.kind == FileKind::Directory && !is_protected(&path) => {}
            Some(_) => return Ok(None),
        }
        let names = project.read_dir(&path).await?.unwrap_or_default();
        open.extend(names.iter().map(|name| format!("{path}/{name}")));
        folders.push(path);
    }
    folders.sort();
    Ok(Some(folders))
}

/// Folders that are known to be there, and to be no links.
#[derive(Default)]
struct Folders(BTreeSet<String>);

impl Folders {
    /// Everything above a path is a folder.
    async fn reach<H: Host>(&mut self, host: &H, path: &str) -> PortResult<bool> {
        for folder in above(path) {
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

    /// Makes everything above a path a folder.
    async fn make<H: Host>(&mut self, host: &H, path: &str) -> Result<(), Error> {
        for folder in above(path) {
            if self.0.contains(folder) {
                continue;
            }
            match host.project().lstat(folder).await? {
                Some(stat) if stat.kind == FileKind::Directory => {}
                Some(_) => return Err(in_the_way(folder)),
                None => host.fs().make_dir(&host.project().absolute(folder)).await?,
            }
            self.0.insert(folder.to_owned());
        }
        Ok(())
    }
}

async fn write<H: Host>(host: &H, path: &str, mode: Mode, bytes: &[u8]) -> Result<(), Error> {
    let (project, fs) = (host.project(), host.fs());
    let absolute = project.absolute(path);
    let mut present = project.lstat(path).await?;
    let kind = present.map(|stat| stat.kind);
    if kind == Some(FileKind::Directory) && !remove_empty(host, path).await? {
        return Err(in_the_way(path));
    }
    let is_link = mode == Mode::Symlink;
    if kind == Some(FileKind::Symlink) || (kind == Some(FileKind::File) && is_link) {
        fs.remove_file(&absolute).await?;
    }
    if kind != Some(FileKind::File) {
        present = None;
    }
    if is_link {
        fs.symlink(&String::from_utf8_lossy(bytes), &absolute).await?;
        return Ok(());
    }
    fs.write_file(&absolute, bytes).await?;
    let is_executable = present.is_some_and(|stat| stat.is_executable());
    if fs.support().chmod && is_executable != (mode == Mode::Executable) {
        let bits = if mode == Mode::Executable { 0o755 } else { 0o644 };
        fs.chmod(&absolute, bits).await?;
    }
    Ok(())
}

fn in_the_way(path: &str) -> Error {
    let message = format!("{path} came to be while the rollback ran and is in its way; move it away and try again");
    Error::new(ErrorCode::Conflict, message).at_path(path)
}
