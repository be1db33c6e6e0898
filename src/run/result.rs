//! How a run ends.

use crate::gate::GateReport;
use crate::port::Usage;
use serde::{Deserialize, Serialize};

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// The gates passed.
    Done,
    /// The message cannot be told apart: the user is asked before anything is done.
    NeedsClarification,
    /// The agent waits for the user.
    Waiting,
    /// The caller ended it.
    Aborted,
    /// The gates failed too often in a row.
    GatesFailed,
    /// The agent went in circles, again and again; the project was rolled back, if it was saved before the task.
    Stalled,
    /// The iterations are used up.
    MaxIterations,
    /// Tokens, dollars or time are used up.
    Budget,
}

/// The tags around a task.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct RunSnapshots {
    /// The project before the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pre: Option<String>,
    /// The project after it, only where the gates passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<String>,
}

/// What a run gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct RunResult {
    /// The run.
    pub run_id: String,
    /// The gates passed.
    pub success: bool,
    /// Why it ended.
    pub reason: StopReason,
    /// The same in words.
    pub message: String,
    /// How many iterations it took.
    pub iterations: u32,
    /// What it cost.
    pub usage: Usage,
    /// The last round of gates.
    pub gates: Vec<GateReport>,
    /// The tags around the task.
    pub snapshots: RunSnapshots,
    /// What to answer, where it needs clarification; a run that is started with the answer continues the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clarification: Option<Vec<String>>,
}
