//! Rollback and undo: the restore plan, the redo log that finishes it after a crash, and applying it.

mod apply;
mod plan;
mod redo_log;
mod rollback;

pub(super) use plan::RestoreTarget;
pub(super) use redo_log::RedoLog;
pub(super) use rollback::recover;
pub use rollback::{finish_rollback, rollback, rollback_in, rollback_paths, undo};
