//! What the snapshot calls return.

use serde::{Deserialize, Serialize};

/// A snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct SnapshotInfo {
    /// The tag.
    pub tag: String,
    /// The commit. A save without changes shares the commit of the snapshot before it.
    pub oid: String,
    /// The commit's tree.
    pub tree: String,
    /// The message of the save; default: the tag.
    pub message: String,
    /// Milliseconds since the epoch.
    pub at: u64,
    /// How many files it has.
    pub files: u32,
    /// Number of files that differ from the snapshot before it; for the first one, from HEAD's commit or an empty
    /// project.
    pub changed: u32,
    /// What the user should know about, such as a file that git cannot store; usually empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// How a file differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It did not exist.
    Added,
    /// Its bytes or its mode differ.
    Modified,
    /// It does not exist.
    Deleted,
    /// The same bytes under another path.
    Renamed,
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct FileChange {
    /// Relative to the project.
    pub path: String,
    /// How it differs.
    pub change: Change,
    /// Where a renamed file was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// What a rollback did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct Rollback {
    /// The snapshot.
    pub tag: String,
    /// The files that differed and were written.
    pub restored: Vec<String>,
    /// The files that the snapshot does not have and that were deleted.
    pub deleted: Vec<String>,
    /// The snapshot of what was replaced; empty in a dry run.
    pub undo: String,
    /// What the user should know about, such as a file that git cannot store; usually empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// How the project compares with its snapshots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct SnapshotStatus {
    /// The snapshot that equals the files, if any.
    pub current: Option<String>,
    /// What changed since the last snapshot, or since the one that was rolled back to.
    pub changes: Vec<FileChange>,
    /// The last snapshot.
    pub last: Option<SnapshotInfo>,
    /// What the user should know about, such as a file that git cannot store; usually empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// How the files compare with a snapshot, byte by byte.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct Verification {
    /// Nothing is missing, different or extra.
    pub ok: bool,
    /// Files of the snapshot that do not exist.
    pub missing: Vec<String>,
    /// Files with other bytes, or of another kind.
    pub different: Vec<String>,
    /// Files that the snapshot does not have; ignored ones do not count.
    pub extra: Vec<String>,
}
