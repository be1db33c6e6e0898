//! What a gate is, and what it reports.

use super::{ChangedFile, Project};
use serde::{Deserialize, Serialize};

/// A built-in gate.
pub(super) struct Gate {
    /// The name in reports and in the configuration.
    pub name: &'static str,
    /// The property, as a clause: "src/App.tsx exists".
    pub description: &'static str,
    pub check: Check,
}

/// How a gate judges.
pub(super) enum Check {
    /// By the project's files and the facts of the task.
    Project(fn(&Project) -> Finding),
    /// By the evidence of the agent's work, and by what the app does with it.
    Work,
    /// By the files that the task changed.
    Changes(fn(&Project, &[ChangedFile]) -> Finding),
    /// By the files that the task changed, and by what they import.
    Sources,
    /// By the files that the task changed, and by what the app renders.
    Lost,
    /// By a build of the host.
    Build,
    /// By the errors of the host's preview.
    RuntimeErrors,
    /// By the console of the host's preview.
    Console,
    /// By the snapshot from before the task.
    Scope,
}

/// What a gate found, or the reason why it does not apply, as a clause: "there is no plan". The round puts the reason into
/// the report.
pub(super) type Finding = Result<Judgement, String>;

/// The result of a gate that applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judgement {
    pub verdict: GateVerdict,
    /// What is wrong and what to do.
    pub feedback: Option<String>,
    /// A file that the harness can write to make the gate pass.
    pub fix: Option<GateFix>,
    /// The complete report as a file.
    pub file: Option<ReportFile>,
    /// Configuration may turn a warning into a failure.
    pub is_raisable: bool,
}

impl Judgement {
    /// The gate found nothing.
    pub(super) fn pass() -> Self {
        Self { verdict: GateVerdict::Pass, feedback: None, fix: None, file: None, is_raisable: true }
    }

    /// A finding that does not block the task.
    pub(super) fn warn(feedback: String) -> Self {
        Self { verdict: GateVerdict::Warn, feedback: Some(feedback), ..Self::pass() }
    }

    /// The gate cannot decide, and the agent cannot change that: a warning that configuration cannot raise.
    pub(super) fn unknown(feedback: String) -> Self {
        Self { is_raisable: false, ..Self::warn(feedback) }
    }

    /// The task cannot be accepted until this is done.
    pub(super) fn fail(feedback: String) -> Self {
        Self { verdict: GateVerdict::Fail, ..Self::warn(feedback) }
    }
}

/// `Ok` under this condition, otherwise the reason why a gate does not apply.
pub(super) fn only_if(condition: bool, reason: &str) -> Result<(), String> {
    if condition { Ok(()) } else { Err(reason.to_owned()) }
}

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
