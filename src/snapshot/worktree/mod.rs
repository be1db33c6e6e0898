//! The working tree: which files it has, what they contain, and what a run knows of them between its snapshots.

mod head;
pub(crate) mod ignore;
mod index;
mod scan;
mod stage;
pub(super) mod stat_cache;

pub(super) use head::Head;
pub(crate) use ignore::read_exclude;
pub(super) use ignore::{RulesOf, is_ignored_by};
pub(super) use index::Index;
pub use index::Watch;
pub(crate) use index::{Follower, Written};
pub(super) use scan::{read_content, scan, walk};
pub(super) use stage::{Base, Staged};
pub(super) use stat_cache::StatEntry;
