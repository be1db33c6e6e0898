//! Files of `.loopgate/`, the harness's own folder, which git ignores by the folder's own `.gitignore`.
//!
//! A file is written beside the old one and then renamed, so one of the two is always complete. The one beside is newer.

use crate::port::{Host, PortResult};
use crate::sealed::{Unsealed, seal, unseal};
use futures_util::future::try_join;

use crate::layout::STATE_IGNORE as IGNORE;

/// Makes the folder, unless `is_prepared` says that it exists.
pub(super) async fn prepare(host: &Host, is_prepared: &mut bool) -> PortResult<()> {
    let project = host.project();
    if !*is_prepared && project.lstat(IGNORE).await?.is_none() {
        project.write(IGNORE, "*\n").await?;
    }
    *is_prepared = true;
    Ok(())
}

/// Replaces a file; durable with the next flush.
pub(super) async fn write(host: &Host, path: &str, text: &str) -> PortResult<()> {
    let project = host.project();
    let next = beside(path);
    project.write(&next, seal(project.key(), path, text)).await?;
    project.rename(&next, path).await
}

/// The text of a file; `None` if there is no complete one. One that was sealed elsewhere is set aside.
pub(super) async fn read(host: &Host, path: &str) -> PortResult<Option<String>> {
    let (project, next) = (host.project(), beside(path));
    let (newer, last) = try_join(project.read(&next), project.read(path)).await?;
    for (path_of, bytes) in [(next.as_str(), newer), (path, last)] {
        match bytes.as_deref().map(|bytes| unseal(project.key(), path, bytes)) {
            Some(Unsealed::Text(text)) => return Ok(Some(text.to_owned())),
            Some(Unsealed::Foreign) => project.set_aside(path_of).await?,
            Some(Unsealed::Torn) | None => {}
        }
    }
    Ok(None)
}

pub(super) async fn remove(host: &Host, path: &str) -> PortResult<()> {
    host.project().remove_file(&beside(path)).await?;
    host.project().remove_file(path).await
}

fn beside(path: &str) -> String {
    format!("{path}.next")
}
