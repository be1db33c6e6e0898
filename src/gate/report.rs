//! What a gate says.

use serde::{Deserialize, Serialize};

/// How a gate judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum GateVerdict {
    /// Nothing to say.
    Pass,
    /// Something to say, nothing that stops.
    Warn,
    /// The project must not pass.
    Fail,
    /// The gate could not judge: never a pass, never counted as the agent's failure.
    Error,
}

/// One gate's report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct GateReport {
    /// The gate's name.
    pub gate: String,
    /// How it judged.
    pub verdict: GateVerdict,
    /// What to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// The gate does not apply to this project. The verdict is `pass`, and the feedback has the reason.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub not_applicable: bool,
    /// The tree that it judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    /// Milliseconds.
    pub duration_ms: u64,
    /// What the harness itself can write to make it pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<GateFix>,
}

/// A file that makes a gate pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct GateFix {
    /// Relative to the project.
    pub file: String,
    /// Its whole new text.
    pub content: String,
    /// What it changes.
    pub description: String,
}
