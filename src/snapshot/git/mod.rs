//! Git's side of snapshots: ids, trees, reading and writing objects, the tags that are snapshots, and git's index.

mod catalog;
mod dircache;
mod format;
pub(super) mod list;
mod message;
mod objects;
mod oid;
mod read;
pub(super) mod tags;
mod tree;

pub(super) use catalog::{Catalog, Record};
pub(super) use dircache::{DirCache, Unread};
pub(crate) use format::stored_zlib;
pub(super) use message::{Message, clean};
pub(super) use objects::{Interrupted, ObjectWriter, write_checked};
pub use oid::Oid;
pub(super) use read::{StoredTree, read_blob, read_commit, read_tree, tree_of_commit};
pub(super) use tags::NamedCommit;
pub use tags::{KnownTasks, known_tasks};
pub(crate) use tree::Manifest;
pub(super) use tree::{CacheTree, MAX_PATH, Tree, entries_from, has_below, is_name, root_of};
pub use tree::{Entry, Mode};
