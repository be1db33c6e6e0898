//! The working tree: which files it has, what they hold, and what a run knows of them between its snapshots.

pub(crate) mod ignore;
pub(super) mod known;
pub(super) mod position;
pub(super) mod present;
pub(super) mod scan;
pub(super) mod stat_cache;
pub(super) mod walk;
pub(super) mod watch;
