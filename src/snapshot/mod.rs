//! Snapshots: commits that only their tags reach. HEAD, branches and index stay as they are.
//!
//! | file | what |
//! |---|---|
//! | `save`, `rollback`, `inspect` | the calls |
//! | `walk`, `scan`, `ignore/`, `protect`, `stat_cache` | which files there are and what they hold |
//! | `manifest`, `oid`, `objects`, `message` | git's side: trees, ids, reading and writing, what a commit says |
//! | `tags`, `position` | which snapshots there are and which one the project follows |
//! | `compare`, `steps`, `apply`, `intent` | from one state to another, also across a crash |
//!
//! - A snapshot's parent is the snapshot before it, HEAD's commit for the first one; so none is lost to git's garbage
//!   collection while a later one stands.
//! - As in git, ignore rules speak of untracked files: what the snapshot before has stays in. A rollback deletes no
//!   file that is ignored now or by the rules of its target, and overwrites none that it has not saved.
//! - `protect` says what is never saved and never touched.

mod apply;
mod compare;
mod ignore;
mod info;
mod inspect;
mod intent;
mod manifest;
mod message;
mod objects;
mod oid;
mod position;
mod protect;
mod rollback;
mod save;
mod scan;
mod stat_cache;
mod state_dir;
mod steps;
mod tags;
mod walk;

pub use info::{Change, FileChange, Rollback, SnapshotInfo, SnapshotStatus, Verification};
pub use inspect::{diff, is_empty, list, read_file, status, verify};
pub use rollback::{finish_rollback, rollback, undo};
pub use save::SaveOptions;
pub use tags::next_task_number;

use crate::error::{Error, ErrorCode};
use crate::port::Host;
use manifest::Manifest;

/// Saves the project under a tag. Without changes since the newest snapshot the tag is set to that one's commit. A
/// tag of a snapshot is moved; one that is none is not.
///
/// # Errors
/// `unsupported` without git; `invalid-argument` for a tag that git refuses; `conflict` for a tag that is no
/// snapshot; otherwise what a port says. Earlier snapshots are intact whatever happens.
pub async fn save<H: Host>(host: &H, options: &SaveOptions) -> Result<SnapshotInfo, Error> {
    let git = git_of(host)?;
    finish_rollback(host).await?;
    Ok(save::save(host, git, options, &Manifest::new()).await?.info)
}

fn git_of<H: Host>(host: &H) -> Result<&H::Git, Error> {
    host.git().ok_or_else(|| Error::new(ErrorCode::Unsupported, "snapshots need a git port; pass `git` to the host"))
}

/// stub
pub async fn last_task_number<H: Host>(_host: &H) -> Result<u32, Error> {
    Ok(0)
}
/// stub
pub async fn finish_rollback<H: Host>(_host: &H) -> Result<Option<String>, Error> {
    Ok(None)
}
