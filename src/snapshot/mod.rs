//! Snapshots: commits that only their tags reach. They change neither HEAD nor a branch nor git's index.
//!
//! | where | what |
//! |---|---|
//! | `save`, `iterations`, `inspect`, `command` | the calls |
//! | `worktree/` | the working tree: ignore rules, scan, stat cache; the index of a run, the head, staging |
//! | `git/` | ids, trees, objects, commit messages, tags, git's index |
//! | `restore/` | rollback and undo: restore plan, redo log |
//! | `branch/` | the branch of a run: HEAD, commits, git's index |
//! | `capture` | the files at one moment, for what a call changes |
//! | `merge` | two changes of one file |
//! | `compare` | how two states differ, and the evidence that gates judge |
//! | `protect` | what no snapshot has and no rollback changes |
//! | `state` | the files of `.loopgate/` |
//!
//! - A snapshot's parent is the snapshot before it that has a tag, or HEAD's commit for the first one. So git's garbage
//!   collection removes none while a later one exists.
//! - As in git, ignore rules apply to untracked files: files of the snapshot before stay. A rollback deletes no file that
//!   is ignored by the rules before or after it, and overwrites no file that it has not saved.

pub mod branch;
mod capture;
pub mod command;
mod compare;
mod git;
mod info;
mod inspect;
mod iterations;
mod merge;
mod protect;
mod restore;
mod save;
mod state;
mod worktree;

pub(crate) use capture::{Capture, capture, files_of_tag, files_of_tree, keep, keep_reachable, read_object};
pub use compare::{Contents, Evidence, evidence};
pub(crate) use compare::{is_snapshot, judged_tree};
#[cfg(all(test, not(target_family = "wasm")))]
pub(crate) use git::tags::is_valid as is_valid_tag;
pub use git::{Entry, KnownTasks, Mode, Oid, known_tasks};
pub(crate) use git::{Manifest, stored_zlib};
pub use info::{Change, FileChange, Rollback, SnapshotInfo, SnapshotStatus, Verification};
pub use inspect::{diff, is_empty, list, read_file, status, texts, verify};
pub use iterations::{Iteration, list_iterations, save_iteration};
pub(crate) use merge::{is_comparable, merge_entries};
pub(crate) use restore::{Step, restore_files};
pub use restore::{finish_rollback, rollback, rollback_in, undo};
pub use save::{SaveOptions, save, save_in, save_judged};
pub use worktree::Watch;
pub(crate) use worktree::{Follower, Written};
pub(crate) use worktree::{ignore, read_exclude};

use crate::error::{Error, ErrorCode};
use crate::port::Host;

/// How many calls of the host run at once. What they read or write is in memory.
const AT_ONCE: usize = 32;

/// Adds to an error what it means for the project.
fn with_outcome(mut error: Error, outcome: &str) -> Error {
    error.message = format!("{} ({outcome})", error.message);
    error
}

fn git_of<H: Host>(host: &H) -> Result<&H::Git, Error> {
    host.git().ok_or_else(|| Error::new(ErrorCode::Unsupported, "the host has no git port; pass `git` with the host"))
}
