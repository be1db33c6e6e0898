//! What the snapshot calls return.

use serde::{Deserialize, Serialize};

use crate::layout::{ITERATION_REFS, tag_after, task_of_tag};
use crate::snapshot::names::is_snapshot_tag;

/// Why a snapshot was saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum SnapshotKind {
    /// Before a task or the chunks of a spec.
    Pre,
    /// After accepted work.
    Post,
    /// Before a piece of work within a run: a spec, a plan, an attempt, guidance after a stall.
    Base,
    /// Work that is judged.
    Candidate,
    /// After an iteration.
    Iteration,
    /// What a rollback replaced.
    Undo,
    /// The user, the IDE or the agent asked for it.
    #[default]
    Manual,
}

impl SnapshotKind {
    /// All kinds, as they are written.
    pub const ALL: [(&str, Self); 7] = [
        ("pre", Self::Pre),
        ("post", Self::Post),
        ("base", Self::Base),
        ("candidate", Self::Candidate),
        ("iteration", Self::Iteration),
        ("undo", Self::Undo),
        ("manual", Self::Manual),
    ];

    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("manual", |(name, _)| name)
    }

    /// The kind of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }

    /// The kind of a snapshot that does not say it, by its tag and message.
    pub(crate) fn guess(tag: &str, message: &str) -> Self {
        if tag.starts_with(ITERATION_REFS) {
            return Self::Iteration;
        }
        if let Some(task) = task_of_tag(tag) {
            let is_after = task.parse().is_ok_and(|task| tag_after(task) == tag);
            return if is_after { Self::Post } else { Self::Pre };
        }
        let last = tag.rsplit('/').next().unwrap_or_default();
        let last = last.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('-');
        match last {
            _ if !is_snapshot_tag(tag) => Self::Manual,
            "pre" => Self::Pre,
            "done" => Self::Post,
            "candidate" => Self::Candidate,
            "base" | "planning" => Self::Base,
            _ if tag.starts_with("stall-") => Self::Base,
            _ if message.starts_with("before the rollback to ") => Self::Undo,
            _ => Self::Manual,
        }
    }
}

/// A snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct SnapshotInfo {
    /// The tag. A git tag with the name of one of the harness's own snapshots, or of a commit id, has its full name,
    /// `refs/tags/…`.
    pub tag: String,
    /// Why it was saved.
    #[serde(default)]
    pub kind: SnapshotKind,
    /// The run that saved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The harness neither removes nor replaces it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_an_older_snapshot_follows_from_its_tag_and_message() {
        for (tag, message, kind) in [
            ("task-1-pre", "pre-task: x", SnapshotKind::Pre),
            ("task-12-post", "", SnapshotKind::Post),
            ("task-x-pre", "", SnapshotKind::Pre),
            ("chunks/shop/pre", "", SnapshotKind::Pre),
            ("chunks/shop/pre-2", "", SnapshotKind::Pre),
            ("chunks/shop/cart/base-12", "", SnapshotKind::Base),
            ("spec/0001-a/candidate", "", SnapshotKind::Candidate),
            ("spec/0001-a/planning", "", SnapshotKind::Base),
            ("spec/0001-a/done", "", SnapshotKind::Post),
            ("stall-1-recovery", "", SnapshotKind::Base),
            ("stall-1-recovery-2", "", SnapshotKind::Base),
            ("manual-17", "before the rollback to task-1-pre", SnapshotKind::Undo),
            ("manual-17", "before lunch", SnapshotKind::Manual),
            ("mine/base", "", SnapshotKind::Manual),
            ("refs/loopgate/iterations/run/1", "", SnapshotKind::Iteration),
        ] {
            assert_eq!(SnapshotKind::guess(tag, message), kind, "{tag}");
        }
    }

    #[test]
    fn every_kind_is_written_and_read_by_its_name() {
        for (name, kind) in SnapshotKind::ALL {
            assert_eq!((kind.name(), SnapshotKind::parse(name)), (name, Some(kind)));
            assert_eq!(serde_json::to_value(kind).unwrap(), name);
        }
        assert_eq!(SnapshotKind::parse("x"), None);
    }
}
