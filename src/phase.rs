//! The phases of a run, which the harness alone changes; the roles of the agent, and the parts of a project that they
//! write.

use serde::{Deserialize, Serialize};

/// The phase of a run. CHECK and the phases after it follow a completion signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The agent writes `.ralph/plan.tsx`.
    Plan,
    /// The agent implements.
    Build,
    /// The gates judge.
    Check,
    /// A model reviews.
    Review,
    /// The result is recorded.
    Accept,
}

/// The role of the model in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum AgentRole {
    /// Implements.
    #[default]
    Builder,
    /// Writes the plan of a spec.
    Planner,
    /// Verifies a candidate.
    Verifier,
    /// Parses a request.
    Parser,
    /// Reviews an attempt at a chunk.
    Reviewer,
    /// Summarizes a shipped chunk.
    Summarizer,
}

/// The part of the project that a role writes. The rows of [`crate::layout`] say which of the files beside the sources
/// belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// The sources, and the role's own notes.
    Project,
    /// The task's plan (`.ralph/plan.tsx`) and notes, until the plan is accepted.
    TaskPlan,
    /// The plan of a spec, below `specs/plans/`.
    SpecPlan,
    /// No file.
    Nothing,
}

impl Phase {
    /// The phase of a name on the wire.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Plan, Self::Build, Self::Check, Self::Review, Self::Accept]
            .into_iter()
            .find(|phase| phase.as_str() == name)
    }

    /// The phase's name on the wire and in `.ralph/phase.txt`.
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Plan => "plan",
            Phase::Build => "build",
            Phase::Check => "check",
            Phase::Review => "review",
            Phase::Accept => "accept",
        }
    }
}
