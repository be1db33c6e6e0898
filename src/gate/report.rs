//! The report of a gate.

use crate::json::{Fields, FromJson, Unfit, one_of};
use serde::Serialize;
use serde_json::Value;

/// The verdict of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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

impl FromJson for GateVerdict {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        one_of(value, &[("pass", Self::Pass), ("warn", Self::Warn), ("fail", Self::Fail), ("error", Self::Error)])
    }
}

/// The judgement of one gate in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
    #[serde(skip_serializing_if = "std::ops::Not::not")]
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

impl FromJson for GateReport {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self {
            gate: fields.get("gate")?,
            verdict: fields.get("verdict")?,
            feedback: fields.get("feedback")?,
            not_applicable: fields.get_or_default("notApplicable")?,
            tree: fields.get("tree")?,
            duration_ms: fields.get("durationMs")?,
            fix: fields.get("fix")?,
        })
    }
}

/// The proposed content of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct GateFix {
    /// Relative to the project.
    pub file: String,
    /// The complete new text.
    pub content: String,
    /// Describes the change.
    pub description: String,
}

impl FromJson for GateFix {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self { file: fields.get("file")?, content: fields.get("content")?, description: fields.get("description")? })
    }
}
