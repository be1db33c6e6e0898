//! Rollback and undo: the plan, the redo log, and performing both, also after a crash.

pub(super) mod apply;
pub(super) mod intent;
pub(super) mod perform;
pub(super) mod recover;
pub(super) mod rollback;
pub(super) mod steps;
