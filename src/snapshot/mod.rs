//! Snapshots: commits that only their tags reach. HEAD, branches and index stay as they are.
//!
//! | file | what |
//! |---|---|
//! | `save`, `iterations`, `rollback`, `inspect`, `command` | the calls |
//! | `walk`, `scan`, `ignore/`, `protect`, `stat_cache` | which files there are and what they hold |
//! | `watch`, `known`, `present` | what a run knows of the files, so that it looks at few of them |
//! | `manifest`, `forest`, `oid`, `listing`, `objects`, `read`, `loose`, `pack`, `zlib`, `message` | git's side: trees, ids, reading and writing, what a commit says |
//! | `tags`, `names`, `position` | which snapshots there are, what each one says, and which one the project follows |
//! | `compare`, `steps`, `evidence`, `contents` | how two states differ, what a rollback has to do about it, what gates saw and compare it with |
//! | `perform`, `apply`, `intent`, `recover` | doing it, also across errors and crashes |
//!
//! - A snapshot's parent is the snapshot before it that has a tag, HEAD's commit for the first one; so none is lost to git's garbage
//!   collection while a later one stands.
//! - As in git, ignore rules speak of untracked files: what the snapshot before has stays in. A rollback deletes no
//!   file that is ignored now or by the rules of its target, and overwrites none that it has not saved.
//! - `protect` says what is never saved and never touched.

mod apply;
pub mod command;
mod compare;
mod contents;
mod evidence;
mod forest;
pub(crate) mod ignore;
mod info;
mod inspect;
mod intent;
mod iterations;
mod known;
mod listing;
mod loose;
mod manifest;
mod message;
mod names;
mod objects;
mod oid;
mod pack;
mod perform;
mod position;
mod present;
mod protect;
mod read;
mod recover;
mod rollback;
mod save;
mod scan;
mod stat_cache;
mod state_dir;
mod steps;
mod tags;
mod walk;
mod watch;
mod zlib;

pub use contents::Contents;
pub use evidence::{Evidence, evidence};
pub use info::{Change, FileChange, Rollback, SnapshotInfo, SnapshotStatus, Verification};
pub use inspect::{diff, is_empty, list, read_file, status, texts, verify};
pub use iterations::{Iteration, KEPT as ITERATIONS_KEPT, kept_by_config, list_iterations, save_iteration};
pub use recover::finish_rollback;
pub use rollback::{rollback, rollback_in, undo};
pub use save::{SaveOptions, save, save_in, save_judged};
pub use tags::{KnownTasks, known_tasks};
pub(crate) use walk::read_exclude;
pub use watch::Watch;

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
