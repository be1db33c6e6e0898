//! The phases of a run, which the harness alone changes.

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

/// The plan that the PLAN phase waits for. Until it is accepted, the agent may write nothing but this plan and its notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DuePlan {
    /// No plan is due: the sources may be written.
    None,
    /// The task's plan, `.ralph/plan.tsx`.
    Task,
    /// The plan of a spec, below `specs/plans/`.
    Spec,
}

impl Phase {
    /// The phase of a name on the wire.
    pub fn named(name: &str) -> Option<Self> {
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
