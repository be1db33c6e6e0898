//! The facts of a run over specs.

use super::answer::Verdict;
use super::state::{Candidate, PlanInfo};
use crate::ledger::{ChangedBy, Write};
use crate::port::AgentRole;
use crate::run::event::Event;
use serde::{Deserialize, Serialize};

/// The facts of a run over specs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantNames)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[strum(serialize_all = "kebab-case")]
pub enum SpecFact {
    /// The state of a spec was read and repaired.
    SpecStarted {
        /// Its path.
        spec: String,
        /// The number of its plan, or of the plan to write.
        attempt: u32,
        /// The plan is used as it is.
        planned: bool,
        /// Why the plan before it is void.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// The number of the archived plan for the planner.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        archive: Option<u32>,
        /// The implementation to verify first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        candidate: Option<Candidate>,
        /// The state of its plan; `None` without one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<Box<PlanInfo>>,
        /// The tag of the project before the spec.
        base: String,
        /// Its commit, if an earlier run saved it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base_commit: Option<String>,
        /// No run worked on the spec before.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        fresh: bool,
        /// What earlier runs changed in the spec, if it is committed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        earlier: Vec<EarlierChange>,
        /// The folder of the logs.
        logs: String,
        /// Descriptions of the damage that was repaired.
        repaired: Vec<String>,
    },
    /// The project is saved, and the planner may work.
    PlanPrepared {},
    /// The planner completed.
    PlanAccepted {
        /// 1-based.
        attempt: u32,
    },
    /// An attempt ended without a result. The next one of the same role begins after a wait.
    AttemptFailed {
        #[expect(missing_docs, reason = "the name says it all")]
        role: AgentRole,
        /// For the next attempt.
        feedback: String,
    },
    /// The working tree is an implementation of the spec.
    CandidateRecorded {
        #[expect(missing_docs, reason = "the name says it all")]
        candidate: Candidate,
        /// The configuration has commands that judge it before the verifier.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        verifies: bool,
    },
    /// Files changed while the candidate was saved or verified, and not by the verifier.
    CandidateOutdated {
        #[expect(missing_docs, reason = "the name says it all")]
        paths: Vec<String>,
    },
    /// The verifier judged the candidate.
    VerdictGiven {
        #[expect(missing_docs, reason = "the name says it all")]
        verdict: Verdict,
        #[expect(missing_docs, reason = "the name says it all")]
        reason: String,
        /// What to fix; notes, if the verdict is `accept`.
        findings: Vec<String>,
        /// What the implementer must fix, as text.
        feedback: String,
    },
    /// The verifier's answer has no readable verdict.
    VerdictUnreadable {
        #[expect(missing_docs, reason = "the name says it all")]
        reason: String,
    },
    /// The plan is archived; the planner writes another one.
    PlanInvalidated {
        #[expect(missing_docs, reason = "the name says it all")]
        reason: String,
        /// The number of the archived plan.
        attempt: u32,
    },
    /// The log of a role is written, with its last iteration.
    LogWritten {
        #[expect(missing_docs, reason = "the name says it all")]
        path: String,
    },
    /// The spec is verified, and its done file written.
    SpecFinished {
        /// Its path.
        spec: String,
        /// The tag of the project after the spec.
        tag: String,
        /// The commit of the spec; `None` if it is not committed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commit: Option<String>,
        /// The branch of the commit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
    },
}

/// A change of a file by an earlier run, or by the user meanwhile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct EarlierChange {
    pub by: ChangedBy,
    #[serde(flatten)]
    pub write: Write,
}

impl From<SpecFact> for Event {
    fn from(fact: SpecFact) -> Self {
        Self::Specs(fact)
    }
}
