//! Git's side: ids, trees and commits, reading and writing objects, and the tags that are snapshots.

pub(super) mod forest;
pub(super) mod listing;
mod loose;
pub(super) mod manifest;
pub(super) mod message;
pub(super) mod names;
pub(super) mod objects;
pub(super) mod oid;
mod pack;
pub(super) mod read;
pub(super) mod tags;
mod zlib;
