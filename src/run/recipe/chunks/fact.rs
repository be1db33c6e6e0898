//! The facts of a run over chunks.

use super::list::Chunk;
use super::state::{Failed, Shipped};
use super::summary::Summary;
use crate::config::Settings;
use crate::run::event::Event;
use crate::snapshot::FileChange;
use crate::snapshot::branch::Beginning;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The facts of a run over chunks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantNames)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[strum(serialize_all = "kebab-case")]
pub enum ChunkFact {
    /// A planner proposed chunks.
    #[expect(missing_docs, reason = "the name says it all")]
    ChunksProposed { chunks: Vec<Chunk> },
    /// The answer of the planner has no usable chunks.
    #[expect(missing_docs, reason = "the name says it all")]
    ProposalRejected { feedback: String },
    #[expect(missing_docs, reason = "the name says it all")]
    ChunksApproved { chunks: Vec<Chunk> },
    /// What earlier runs over the spec left is read, and leftovers of an abandoned run are gone.
    StateRead {
        /// The branch of the run.
        branch: String,
        /// The project before the first chunk of the spec.
        beginning: Beginning,
        /// The chunks that are on the branch, by their ids.
        shipped: BTreeMap<String, Shipped>,
        /// The chunks that failed in the last run that tried them.
        failed: BTreeMap<String, Failed>,
        /// HEAD's commit when everything was shipped and the final review was done.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        finished: Option<String>,
        /// Descriptions of what was repaired.
        repaired: Vec<String>,
    },
    /// HEAD is on the branch.
    RunPrepared {
        #[expect(missing_docs, reason = "the name says it all")]
        branch: String,
        /// The branch of the user.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base_branch: Option<String>,
        /// HEAD's commit before the first chunk of the spec.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base: Option<String>,
        /// HEAD's commit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        head: Option<String>,
        /// The tag of the project before the first chunk of the spec.
        tag: String,
        /// The chunks that earlier runs shipped, by their ids.
        shipped: BTreeMap<String, Shipped>,
        /// The files that differ from HEAD. They are not part of any commit of the run.
        dirty: Vec<String>,
        /// Everything is shipped, and the final review is done.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        finished: bool,
        /// Descriptions of what was repaired.
        repaired: Vec<String>,
    },
    /// A chunk begins.
    ChunkStarted {
        /// Its id.
        chunk: String,
        /// The configuration that the chunk works with.
        settings: Box<Settings>,
        /// The hash of the configuration.
        config: String,
        /// What an earlier run found wrong.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        feedback: String,
    },
    /// The project is saved, and the executor may work.
    AttemptStarted {
        /// 1-based; attempts of earlier runs count.
        attempt: u32,
        /// The folder with the record of the attempt.
        folder: String,
        /// The tag of the project before the attempt.
        base: String,
        /// HEAD's commit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        head: Option<String>,
        /// The verification judges everything before the final review.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        verifies: bool,
    },
    /// The working tree has changes to judge.
    AttemptRecorded {
        #[expect(missing_docs, reason = "the name says it all")]
        tag: String,
        #[expect(missing_docs, reason = "the name says it all")]
        files: Vec<FileChange>,
        /// The new files that git ignores. They are reviewed, and not committed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        ignored: Vec<String>,
    },
    /// The attempt is rejected before any review.
    #[expect(missing_docs, reason = "the name says it all")]
    AttemptRejected { feedback: String },
    /// The changes of the rejected attempt are taken back.
    AttemptReverted {
        #[expect(missing_docs, reason = "the name says it all")]
        attempt: u32,
        /// The file with the rejected changes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        patch: Option<String>,
        #[expect(missing_docs, reason = "the name says it all")]
        restored: Vec<String>,
        #[expect(missing_docs, reason = "the name says it all")]
        deleted: Vec<String>,
        /// The files that the user changed in the same lines. They are as the user left them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        conflicts: Vec<String>,
    },
    #[expect(missing_docs, reason = "the name says it all")]
    ChunkCommitted { chunk: String, commit: String, files: Vec<FileChange> },
    /// The summary for the dependents is written.
    SummaryWritten {
        #[expect(missing_docs, reason = "the name says it all")]
        chunk: String,
        #[expect(missing_docs, reason = "the name says it all")]
        summary: Summary,
    },
    /// The attempts at a chunk are used up.
    ChunkFailed {
        #[expect(missing_docs, reason = "the name says it all")]
        chunk: String,
        #[expect(missing_docs, reason = "the name says it all")]
        reason: String,
        /// The chunks that cannot run, each with the one that it waits for.
        blocked: Vec<(String, String)>,
    },
    /// The draft of the pull request is written, and the user is asked next.
    PullRequestDrafted {
        /// The file with the draft.
        path: String,
    },
}

impl From<ChunkFact> for Event {
    fn from(fact: ChunkFact) -> Self {
        Self::Chunks(fact)
    }
}
