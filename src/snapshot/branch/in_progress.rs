//! Operations of the user that git has begun and not finished.

use crate::error::{Error, ErrorCode};
use crate::layout::{GIT, GIT_OPERATIONS};
use crate::port::{FileKind, Host};
use crate::snapshot::git_of;

/// The operation of the user that is in progress: `merge`, `rebase`, `cherry-pick`, `revert`, `cherry-pick or revert` (between
/// two of several commits) or `bisect`. Where the repository is not a folder of the project, only its refs are read.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub async fn in_progress(host: &Host) -> Result<Option<&'static str>, Error> {
    let (git, project) = (git_of(host)?, host.project());
    // A finished rebase may leave its ref, so the ref counts only where its folders cannot be read.
    let is_readable = project.lstat(GIT).await?.is_some_and(|stat| stat.kind == FileKind::Directory);
    if !is_readable && git.resolve_ref("REBASE_HEAD").await?.is_some() {
        return Ok(Some("rebase"));
    }
    for (path, operation) in GIT_OPERATIONS {
        let name = crate::path::name(path);
        let is_ref = name.ends_with("_HEAD") && git.resolve_ref(name).await?.is_some();
        if is_ref || project.lstat(path).await?.is_some() {
            return Ok(Some(operation));
        }
    }
    Ok(None)
}

/// Refuses to move HEAD while an operation of the user is in progress.
///
/// # Errors
/// `conflict` with the operation; otherwise as [`in_progress`].
pub(crate) async fn refuse_in_progress(host: &Host) -> Result<(), Error> {
    match in_progress(host).await? {
        Some(operation) => {
            let message = format!("a {operation} is in progress: finish or abort it, then start again");
            Err(Error::new(ErrorCode::Conflict, message))
        }
        None => Ok(()),
    }
}
