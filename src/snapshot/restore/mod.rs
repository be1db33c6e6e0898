//! Rollback and undo: the restore plan, the redo log that finishes it after a crash, and applying it.

mod apply;
mod collisions;
mod files;
mod names;
mod plan;
mod redo_log;
mod rollback;
mod selection;

pub(super) use apply::Folders;
pub(crate) use files::{Step, restore_files};
pub(super) use plan::RestoreTarget;
pub(super) use redo_log::RedoLog;
pub(super) use rollback::{check_out_paths, recover};
pub use rollback::{finish_rollback, rollback, rollback_in, rollback_paths, undo};
