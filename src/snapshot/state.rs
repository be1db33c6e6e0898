//! Files of `.loopgate/`, the harness's own folder, which git ignores by the folder's own `.gitignore`.
//!
//! A file is written beside the old one and then renamed, so one of the two is always complete. The one beside is newer.

use crate::port::{FsPort, Host, PortResult};
use crate::sealed::{seal, unseal};
use futures_util::future::try_join;

use crate::layout::STATE_IGNORE as IGNORE;

/// Makes the folder, unless `is_prepared` says that it exists.
pub(super) async fn prepare<H: Host>(host: &H, is_prepared: &mut bool) -> PortResult<()> {
    let project = host.project();
    if !*is_prepared && project.lstat(IGNORE).await?.is_none() {
        project.write(IGNORE, "*\n").await?;
    }
    *is_prepared = true;
    Ok(())
}

/// Replaces a file; durable with the next flush.
pub(super) async fn write<H: Host>(host: &H, path: &str, text: &str) -> PortResult<()> {
    let project = host.project();
    let next = beside(path);
    project.write(&next, seal(text).0).await?;
    host.fs().rename(&project.absolute(&next), &project.absolute(path)).await
}

/// The text of a file; `None` if there is no complete one.
pub(super) async fn read<H: Host>(host: &H, path: &str) -> PortResult<Option<String>> {
    let (project, next) = (host.project(), beside(path));
    let (next, last) = try_join(project.read(&next), project.read(path)).await?;
    let complete = [next, last].into_iter().flatten().find_map(|bytes| Some(unseal(&bytes)?.0.to_owned()));
    Ok(complete)
}

pub(super) async fn remove<H: Host>(host: &H, path: &str) -> PortResult<()> {
    host.project().remove_file(&beside(path)).await?;
    host.project().remove_file(path).await
}

fn beside(path: &str) -> String {
    format!("{path}.next")
}
