//! What a run is started with, and what it gives.

use super::limits::LimitOptions;
use crate::agent::SteerQueue;
use crate::error::{Error, ErrorCode};
use crate::gate::{GateReport, GateSelection};
use crate::plan::Registry;
use crate::port::{Abort, Usage};
use crate::task::GivenTask;
use serde::{Deserialize, Serialize};

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", from = "StoredWork")]
pub enum Work {
    /// A user's message.
    Task {
        /// The user's words.
        message: String,
    },
}

/// [`Work`] for reading without serde's copy of what it reads.
#[derive(Deserialize)]
struct StoredWork {
    kind: WorkKind,
    message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WorkKind {
    Task,
}

impl From<StoredWork> for Work {
    fn from(StoredWork { kind: WorkKind::Task, message }: StoredWork) -> Self {
        Self::Task { message }
    }
}

impl Work {
    /// The user's words.
    pub fn message(&self) -> &str {
        let Work::Task { message } = self;
        message
    }
}

/// Whether a task needs a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlanMode {
    /// A plan that the agent writes is checked; a task without one passes straight to the gates.
    #[default]
    Auto,
    /// No completion without a valid plan, and no write outside `.ralph/` before.
    Required,
    /// No plan is looked at.
    Off,
}

/// How to run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The run's id: the name of its journal.
    pub run_id: String,
    /// What is to be done; when resuming, the journal's word stands.
    pub work: Work,
    /// The message, taken apart by the caller; without it the run does so.
    pub parsed: Option<GivenTask>,
    /// The limits that differ from the defaults.
    pub limits: LimitOptions,
    /// Which gates run.
    pub gates: GateSelection,
    /// Whether the task needs a plan; when resuming, the journal's word stands.
    pub plan: PlanMode,
    /// Go on with the journal of `run_id` instead of starting one.
    pub resume: bool,
    /// What a plan may name.
    pub registry: Registry,
    /// How many snapshots of iterations are kept; with 0 none are taken.
    pub iteration_snapshots: u32,
}

impl RunOptions {
    /// Options with all defaults for a user's message.
    pub fn task(run_id: &str, message: &str, registry: Registry) -> Self {
        Self {
            run_id: run_id.to_owned(),
            work: Work::Task { message: message.to_owned() },
            parsed: None,
            limits: LimitOptions::default(),
            gates: GateSelection::default(),
            plan: PlanMode::Auto,
            resume: false,
            registry,
            iteration_snapshots: crate::snapshot::ITERATIONS_KEPT,
        }
    }

    /// Refuses options that no run can start with.
    ///
    /// # Errors
    /// `invalid-argument`, naming the option.
    pub fn check(&self) -> Result<(), Error> {
        let id = &self.run_id;
        let plain = id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if id.is_empty() || id.len() > 64 || !plain {
            let message = format!("run id {id:?}: use 1 to 64 letters, digits, '-' and '_'");
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        if !self.resume && self.work.message().trim().is_empty() {
            let message = "`work.message` is empty: say what the agent should do";
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        match &self.parsed {
            Some(parsed) if !self.resume => parsed.check(),
            _ => Ok(()),
        }
    }
}

/// The caller's hands on a run while it runs.
#[derive(Clone, Default)]
pub struct RunControl {
    /// Ends it.
    pub abort: Abort,
    /// Messages for the agent.
    pub steering: SteerQueue,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// The gates passed.
    Done,
    /// The message is ambiguous: the user is asked before anything is done.
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
