//! Reading git's objects. Those that lie alone and uncompressed, as snapshots leave them, are read as they are: no call
//! of git costs as little. What is read so is checked by its id.

use super::loose;
use super::oid::Oid;
use crate::port::{Commit, GitPort, PortResult, TreeEntry};

/// A commit; annotated tags are followed.
///
/// # Errors
/// What git says.
pub(in crate::snapshot) async fn commit(git: &impl GitPort, oid: &str) -> PortResult<Commit> {
    match body(git, "commit", oid).await.as_deref().and_then(Commit::decode) {
        Some(commit) => Ok(commit),
        None => git.read_commit(oid).await,
    }
}

/// The entries of a tree.
///
/// # Errors
/// What git says.
pub(in crate::snapshot) async fn tree(git: &impl GitPort, oid: &str) -> PortResult<Vec<TreeEntry>> {
    match body(git, "tree", oid).await.as_deref().and_then(TreeEntry::read_all) {
        Some(entries) => Ok(entries),
        None => git.read_tree(oid).await,
    }
}

/// The bytes of a blob.
///
/// # Errors
/// What git says.
pub(in crate::snapshot) async fn blob(git: &impl GitPort, oid: &str) -> PortResult<Vec<u8>> {
    match body(git, "blob", oid).await {
        Some(bytes) => Ok(bytes),
        None => git.read_blob(oid).await,
    }
}

async fn body(git: &impl GitPort, kind: &str, oid: &str) -> Option<Vec<u8>> {
    loose::body(git.read_object(oid).await.ok()??, kind, Oid::parse(oid)?)
}
