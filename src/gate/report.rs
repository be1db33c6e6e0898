//! The report of a gate.

use serde::{Deserialize, Serialize};

/// The verdict of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum GateVerdict {
    /// The gate found nothing.
    Pass,
    /// The gate found something that does not block the task.
    Warn,
    /// The task cannot be accepted.
    Fail,
    /// The gate could not judge: neither a pass nor a failure of the agent.
    Error,
}

/// The judgement of one gate in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct GateReport {
    /// The gate's name.
    pub gate: String,
    /// The verdict.
    pub verdict: GateVerdict,
    /// What is wrong and what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// The gate does not apply to this project. The verdict is then `pass`, and the feedback gives the reason.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub not_applicable: bool,
    /// The git tree that the gate judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    /// Milliseconds.
    pub duration_ms: u64,
    /// A file that the harness can write to make the gate pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<GateFix>,
}

/// What a gate found, as a file of the project. The gate returns it, and the run writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFile {
    /// Relative to the project.
    pub path: &'static str,
    /// The text of the file; `None` removes it.
    pub text: Option<String>,
}

/// The proposed content of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct GateFix {
    /// Relative to the project.
    pub file: String,
    /// The complete new text.
    pub content: String,
    /// Describes the change.
    pub description: String,
}
