//! Snapshots: commits that only their refs reach. They change neither HEAD nor a branch nor git's index.
//!
//! | where | what |
//! |---|---|
//! | `save`, `iterations`, `labels`, `inspect`, `command` | the calls |
//! | `worktree/` | the working tree: ignore rules, scan, stat cache; the index of a run, the head, staging |
//! | `git/` | ids, trees, objects, commit messages, tags, the list of snapshots and its catalog, git's index |
//! | `restore/` | rollback and undo: restore plan, redo log |
//! | `branch/` | the branch of a run: HEAD, commits, git's index |
//! | `capture` | the files at one moment, for what a call changes |
//! | `merge` | two changes of one file |
//! | `compare` | how two states differ, and the evidence that gates judge |
//! | `names` | tags and refs of snapshots |
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
mod labels;
mod merge;
mod names;
mod protect;
mod restore;
mod save;
mod state;
mod worktree;

pub(crate) use capture::{
    Capture, capture, capture_after, files_of_tag, files_of_tree, keep, keep_reachable, read_object,
};
pub(crate) use compare::judged_tree;
pub use compare::{Contents, Evidence, evidence};
#[cfg(all(test, not(target_family = "wasm")))]
pub(crate) use git::tags::is_valid as is_valid_tag;
pub(crate) use git::tags::unknown;
pub use git::{Entry, KnownTasks, Mode, Oid, known_tasks};
pub(crate) use git::{Manifest, stored_zlib};
pub use info::{Change, FileChange, Rollback, SnapshotInfo, SnapshotKind, SnapshotStatus, Verification};
pub(crate) use inspect::{Seen as SeenTrees, blob_at, newest_of};
pub use inspect::{diff, is_empty, list, list_kinds, read_file, resolve, status, texts, verify};
pub use iterations::{Iteration, list_iterations, save_iteration};
pub use labels::{LabelChange, label};
pub(crate) use merge::{is_comparable, merge_entries};
#[cfg(target_family = "wasm")]
pub(crate) use names::TAG_REFS;
pub(crate) use names::numbered;
pub(crate) use restore::{Step, restore_files};
pub use restore::{finish_rollback, rollback, rollback_in, rollback_paths, undo};
pub use save::{SaveOptions, SavedBy, save, save_in, save_judged};
pub use worktree::Watch;
pub(crate) use worktree::{Follower, Written};
pub(crate) use worktree::{ignore, read_exclude};

use crate::error::{Error, ErrorCode};
use crate::port::{GitPort, Host};

/// How many calls of the host run at once. What they read or write is in memory.
const AT_ONCE: usize = 32;

/// Adds to an error what it means for the project.
fn with_outcome(mut error: Error, outcome: &str) -> Error {
    error.message = format!("{} ({outcome})", error.message);
    error
}

fn git_of(host: &Host) -> Result<&dyn GitPort, Error> {
    host.git
        .as_deref()
        .ok_or_else(|| Error::new(ErrorCode::Unsupported, "the host has no git port; pass `git` with the host"))
}
