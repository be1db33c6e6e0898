//! The phases of a run, which the harness alone changes.

use serde::{Deserialize, Serialize};

/// Where a run stands (`seeds/000`: PLAN and BUILD; the rest follow a completion signal).
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
