//! Snapshots: commits that only their tags reach. HEAD, branches and index stay as they are.
//!
//! | where | what |
//! |---|---|
//! | `save`, `iterations`, `inspect`, `command` | the calls |
//! | `worktree/` | which files there are and what they hold |
//! | `git/` | trees, ids, objects, tags |
//! | `restore/` | rollback and undo, also across errors and crashes |
//! | `compare`, `evidence` | how two states differ, and what gates judge |
//!
//! - A snapshot's parent is the snapshot before it that has a tag, HEAD's commit for the first one; so none is lost to git's garbage
//!   collection while a later one stands.
//! - As in git, ignore rules speak of untracked files: what the snapshot before has stays in. A rollback deletes no
//!   file that is ignored now or by the rules of its target, and overwrites none that it has not saved.
//! - `protect` says what is never saved and never touched.

pub mod command;
mod compare;
mod contents;
mod evidence;
mod git;
mod info;
mod inspect;
mod iterations;
mod protect;
mod restore;
mod save;
mod state_dir;
mod worktree;

pub use contents::Contents;
pub use evidence::{Evidence, evidence};
pub use git::tags::{KnownTasks, known_tasks};
pub use info::{Change, FileChange, Rollback, SnapshotInfo, SnapshotStatus, Verification};
pub use inspect::{diff, is_empty, list, read_file, status, texts, verify};
pub use iterations::{Iteration, KEPT as ITERATIONS_KEPT, kept_by_config, list_iterations, save_iteration};
pub use restore::recover::finish_rollback;
pub use restore::rollback::{rollback, rollback_in, undo};
pub use save::{SaveOptions, save, save_in, save_judged};
pub(crate) use worktree::ignore;
pub(crate) use worktree::walk::read_exclude;
pub use worktree::watch::Watch;

use crate::error::{Error, ErrorCode};
use crate::port::Host;

/// The error with what became of the project.
fn told(mut error: Error, outcome: &str) -> Error {
    error.message = format!("{} ({outcome})", error.message);
    error
}

fn git_of<H: Host>(host: &H) -> Result<&H::Git, Error> {
    host.git().ok_or_else(|| Error::new(ErrorCode::Unsupported, "snapshots need a git port; pass `git` to the host"))
}
