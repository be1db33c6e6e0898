//! Snapshots: commits that only their tags reach. HEAD, branches and index stay as they are.

mod info;

pub use info::{Change, FileChange, Rollback, SnapshotInfo, SnapshotStatus};

use crate::error::{Error, ErrorCode};
use crate::port::Host;

/// What to save.
#[derive(Debug, Clone, Default)]
pub struct SaveOptions {
    /// The commit's message; default: the tag.
    pub message: Option<String>,
    /// The tag; default: `manual-{milliseconds}`.
    pub tag: Option<String>,
}

/// Saves the project under a tag.
///
/// # Errors
/// `unsupported` without git; otherwise what a port says.
pub async fn save<H: Host>(_host: &H, _options: &SaveOptions) -> Result<SnapshotInfo, Error> {
    Err(Error::new(ErrorCode::Unsupported, "snapshots need a git port"))
}

/// All snapshots, oldest first.
///
/// # Errors
/// As [`save`].
pub async fn list<H: Host>(_host: &H) -> Result<Vec<SnapshotInfo>, Error> {
    Err(Error::new(ErrorCode::Unsupported, "snapshots need a git port"))
}

/// Brings the project back to a snapshot, saving what it replaces first.
///
/// # Errors
/// `not-found` with the nearest tags; as [`save`].
pub async fn rollback<H: Host>(_host: &H, _tag: &str, _dry_run: bool) -> Result<Rollback, Error> {
    Err(Error::new(ErrorCode::Unsupported, "snapshots need a git port"))
}

/// What changed from a snapshot to another, or to the files as they are.
///
/// # Errors
/// As [`rollback`].
pub async fn diff<H: Host>(_host: &H, _from: &str, _to: Option<&str>) -> Result<Vec<FileChange>, Error> {
    Err(Error::new(ErrorCode::Unsupported, "snapshots need a git port"))
}

/// Where the project stands among its snapshots.
///
/// # Errors
/// As [`save`].
pub async fn status<H: Host>(_host: &H) -> Result<SnapshotStatus, Error> {
    Err(Error::new(ErrorCode::Unsupported, "snapshots need a git port"))
}

/// stub
pub async fn last_task_number<H: Host>(_host: &H) -> Result<u32, Error> {
    Ok(0)
}
/// stub
pub async fn finish_rollback<H: Host>(_host: &H) -> Result<Option<String>, Error> {
    Ok(None)
}
