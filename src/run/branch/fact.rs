//! The facts about the branch of a run.

use crate::run::event::Event;
use serde::{Deserialize, Serialize};

/// The facts about the branch of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantNames)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[strum(serialize_all = "kebab-case")]
pub enum BranchFact {
    /// HEAD is on the branch of the next spec.
    BranchPrepared {
        #[expect(missing_docs, reason = "the name says it all")]
        branch: String,
        /// The branch from which it started.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base_branch: Option<String>,
        /// HEAD's commit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        head: Option<String>,
        /// The files that differ from HEAD. They are not part of any commit of the run.
        dirty: Vec<String>,
    },
    /// The user committed on the branch. The next commit of the run is on top.
    BranchMoved {
        #[expect(missing_docs, reason = "the name says it all")]
        from: Option<String>,
        #[expect(missing_docs, reason = "the name says it all")]
        to: String,
    },
}

impl From<BranchFact> for Event {
    fn from(fact: BranchFact) -> Self {
        Self::Branch(fact)
    }
}
