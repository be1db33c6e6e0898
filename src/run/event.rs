//! Facts. The journal is the list of them.

use super::limits::LimitName;
use super::options::{PlanMode, Work};
use super::result::RunResult;
use crate::agent::{CompletionSignal, FileChangeKind, IterationFact, Paid};
use crate::error::{Error, ErrorCode};
use crate::gate::GateReport;
use crate::plan::{PlanReport, SectionContext, ThemeContext};
use crate::port::{AgentRole, ModelDelta, Phase, Usage};
use crate::snapshot::SnapshotInfo;
use crate::task::StructuredTask;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the envelope and of the journal's lines.
pub(super) const VERSION: u32 = 1;

/// A fact with its place in the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    /// The position in the journal; a delta, which is not journaled, repeats the last one.
    pub seq: u64,
    /// Milliseconds since the epoch.
    pub at: u64,
    /// The run.
    pub run_id: String,
    /// The fact.
    pub event: Event,
}

impl Envelope {
    /// The event as the contract's `RunEvent`, in one JSON text.
    ///
    /// # Errors
    /// Where the fact holds what JSON cannot: a fault of loopgate.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let body = serde_json::to_string(&self.event)?;
        let fields = body.strip_prefix('{').unwrap_or(&body);
        let run_id = serde_json::to_string(&self.run_id)?;
        Ok(format!(r#"{{"v":{VERSION},"seq":{},"at":{},"runId":{run_id},{fields}"#, self.seq, self.at))
    }
}

/// Whose hand changed a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum ChangedBy {
    /// The agent's.
    Agent,
    /// The harness's.
    Harness,
}

/// How an iteration ended, as the journal keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
pub enum IterationClose {
    /// The agent said that it is done.
    Completed,
    /// The agent waits for the user.
    Waiting,
    /// The agent went as far as it would.
    Stopped,
    /// It made all the tool calls that it may.
    ToolLimit,
    /// The budget allowed no other model call.
    Budget,
    /// The model failed: inconclusive.
    ModelFailed,
}

/// A host's fault, as the journal keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Fault {
    /// The stable class.
    pub code: ErrorCode,
    /// What, where, and what to do.
    pub message: String,
    /// How often it is worth another try.
    pub retries: u32,
    /// How long the other side asked to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

impl From<&Error> for Fault {
    fn from(error: &Error) -> Self {
        Self { code: error.code, message: error.message.clone(), retries: 0, retry_after_ms: None }
    }
}

/// A section of an accepted plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct ResolvedSection {
    /// The recipe's name.
    pub gumdrop: String,
    /// Where the section belongs.
    pub suggested_file: String,
    /// There is a recipe.
    pub found: bool,
}

impl From<SectionContext> for ResolvedSection {
    fn from(section: SectionContext) -> Self {
        let SectionContext { gumdrop, suggested_file, recipe, .. } = section;
        Self { gumdrop, suggested_file, found: recipe.is_some() }
    }
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Event {
    /// A run began.
    RunStarted {
        /// What is to be done.
        work: Work,
        /// The task's number, decided before anything else so that a retry repeats it.
        task_number: u32,
        /// Whether it needs a plan.
        plan: PlanMode,
        /// The task, decided before anything else as well.
        #[serde(skip_serializing_if = "Option::is_none")]
        task: Option<StructuredTask>,
        /// What the user should know, such as missing ports.
        notes: Vec<String>,
    },
    /// A run goes on after its page was closed.
    RunResumed {
        /// What was found broken and mended.
        repaired: Vec<String>,
        /// The hash of the plan as it is now.
        plan: Option<String>,
    },
    /// The task's files are decided; they are written from here.
    TaskStarted {
        /// `.ralph/task.md`.
        task: String,
        /// `.ralph/origin.md`.
        origin: String,
        /// `.ralph/task-history.md`.
        history: String,
        /// The hash of the plan as it is now.
        plan: Option<String>,
        /// The hash of the plan on disk if it is not the plan of this task.
        stale_plan: Option<String>,
        /// The command of the theme that the project has; empty where it has none that is known.
        applied_theme: String,
        /// The command of the theme that the task must keep; empty for styles that did not come from a plan. `None` if the
        /// task may set a theme.
        #[serde(skip_serializing_if = "Option::is_none")]
        kept_theme: Option<String>,
        /// The project had no files.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(target_family = "wasm", tsify(optional))]
        was_empty: bool,
        /// The tag of the snapshot before the task.
        pre: Option<String>,
    },
    /// The harness changed the phase.
    PhaseChanged {
        /// From here.
        from: Phase,
        /// To here.
        to: Phase,
        /// Why.
        why: String,
    },
    /// The agent begins.
    IterationStarted {
        /// 1-based.
        iteration: u32,
        /// 1-based.
        attempt: u32,
        /// What the model is asked to be.
        role: AgentRole,
        /// The size of what it starts from.
        prompt_bytes: u64,
    },
    /// A piece of the model's words; not journaled.
    TextDelta {
        /// The piece.
        text: String,
    },
    /// A piece of the model's reasoning; not journaled.
    ReasoningDelta {
        /// The piece.
        text: String,
    },
    /// The model called a tool.
    ToolCall {
        /// The call.
        id: String,
        /// The tool.
        name: String,
        /// The arguments.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
        args: Value,
        /// The provider's data of the call.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
        provider_data: Option<Value>,
    },
    /// The call was answered.
    ToolResult {
        /// The call.
        id: String,
        /// It did what was asked.
        ok: bool,
        /// What the model is told.
        output: String,
        /// Milliseconds.
        duration_ms: u64,
        /// The files that it changed.
        changed: Vec<String>,
    },
    /// A file of the project changed.
    FileChanged {
        /// Relative to the project.
        path: String,
        /// What became of it.
        change: FileChangeKind,
        /// By whose hand.
        by: ChangedBy,
    },
    /// The harness wrote its own files in `.ralph/`; one event per step.
    HarnessFilesChanged {
        /// Relative to the project, in the order of the writes.
        paths: Vec<String>,
    },
    /// The guard refused a path.
    WriteDenied {
        /// As the agent wrote it.
        path: String,
        /// The guard's rule.
        rule: String,
    },
    /// The plan was validated.
    PlanChecked {
        /// What was found.
        report: PlanReport,
        /// The hash of what was validated.
        plan: Option<String>,
        /// The plan is valid and nobody objects.
        accepted: bool,
        /// `.ralph/feedback.md`.
        feedback: String,
    },
    /// The theme's command is about to run. Where nothing follows, it may have run: it is not run again.
    ThemeStarted {
        /// The command.
        command: String,
    },
    /// What the accepted plan needs is there: BUILD opens.
    PlanContext {
        /// The theme, and what became of its command.
        theme: ThemeContext,
        /// The sections.
        sections: Vec<ResolvedSection>,
        /// `.ralph/feedback.md`.
        feedback: String,
    },
    /// The agent's completion was refused: it has no plan.
    CompletionRefused {
        /// `.ralph/feedback.md`.
        feedback: String,
    },
    /// A gate judged.
    GateChecked {
        /// How.
        report: GateReport,
    },
    /// All gates of a round judged.
    GatesFinished {
        /// 1-based.
        round: u32,
        /// `.ralph/feedback.md`; none where they passed.
        feedback: Option<String>,
    },
    /// The harness wrote what gates offered.
    FixesApplied {
        /// The gates.
        gates: Vec<String>,
    },
    /// The project was saved.
    SnapshotSaved {
        /// Under this tag.
        snapshot: SnapshotInfo,
        /// Milliseconds.
        duration_ms: u64,
    },
    /// Files are no longer those that the gates judged: their reports are worth nothing.
    EvidenceOutdated {
        /// The tree that they judged.
        judged: String,
        /// The files that changed since, as far as they are known.
        paths: Vec<String>,
    },
    /// There is no git, so the result is not saved.
    SnapshotSkipped {
        /// The tag that there is none of.
        tag: String,
    },
    /// The agent goes in circles.
    StallDetected {
        /// The part of the plan that it is stuck on.
        #[serde(skip_serializing_if = "Option::is_none")]
        section: Option<String>,
        /// What the task is to do there, as its marker says.
        #[serde(skip_serializing_if = "Option::is_none")]
        marker: Option<String>,
        /// 1-based.
        recovery: u32,
        /// It ends the task, by the limits of the page that met it: another one may have others.
        is_last: bool,
        /// `.ralph/feedback.md`.
        feedback: String,
    },
    /// The project was brought back to what it was before the task.
    SnapshotRestored {
        /// The snapshot.
        tag: String,
        /// How many files were written.
        restored: u32,
        /// How many files were removed.
        deleted: u32,
        /// Milliseconds.
        duration_ms: u64,
        /// `.ralph/feedback.md`.
        feedback: String,
    },
    /// Most of a limit is spent.
    BudgetWarning {
        /// The limit.
        limit: LimitName,
        /// What is spent.
        used: f64,
        /// Of how much.
        max: f64,
    },
    /// A turn was paid for.
    Usage {
        /// The turn.
        usage: Usage,
        /// The run so far.
        total: Usage,
        /// The id of the model, if the answer has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<String>,
    },
    /// The provider attached data to an answer's message.
    ProviderData {
        /// The id of the model, if the answer has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// The data, opaque.
        #[cfg_attr(target_family = "wasm", tsify(type = "unknown"))]
        data: Value,
    },
    /// The user's message reached the agent.
    Steered {
        /// The user's words.
        message: String,
    },
    /// Something that a person watching should know.
    Status {
        /// The text.
        text: String,
    },
    /// The agent's turn is over.
    IterationFinished {
        /// 1-based.
        iteration: u32,
        /// How many tool calls it made.
        tool_calls: u32,
        /// The files that it changed.
        files_changed: Vec<String>,
        /// How it ended.
        close: IterationClose,
        /// How the agent said that it is done.
        #[serde(skip_serializing_if = "Option::is_none")]
        signal: Option<CompletionSignal>,
        /// It changed the project's sources.
        worked: bool,
        /// The hash of the plan as it is now; none where it is absent or blank.
        plan: Option<String>,
        /// A digest of the files that changed since the task began, and of what is in them; empty where none did.
        tree: String,
        /// What the model failed with.
        #[serde(skip_serializing_if = "Option::is_none")]
        fault: Option<Fault>,
    },
    /// A wait is over.
    Waited {
        /// Milliseconds.
        ms: u64,
    },
    /// The caller ended the run.
    AbortRequested {
        /// Why.
        reason: String,
    },
    /// The run is over.
    RunFinished {
        /// What it gave.
        result: RunResult,
    },
    /// The run broke; it can be resumed.
    RunFailed {
        /// Why.
        error: Fault,
    },
}

impl Event {
    /// Whether what was written so far must be durable before the run goes on.
    pub(super) fn is_barrier(&self) -> bool {
        matches!(
            self,
            Event::RunStarted { .. }
                | Event::RunResumed { .. }
                | Event::TaskStarted { .. }
                | Event::PhaseChanged { .. }
                | Event::IterationStarted { .. }
                | Event::PlanChecked { .. }
                | Event::ThemeStarted { .. }
                | Event::PlanContext { .. }
                | Event::GatesFinished { .. }
                | Event::SnapshotSaved { .. }
                | Event::StallDetected { .. }
                | Event::SnapshotRestored { .. }
                | Event::IterationFinished { .. }
                | Event::RunFinished { .. }
                | Event::RunFailed { .. }
        )
    }
}

impl From<ModelDelta> for Event {
    fn from(delta: ModelDelta) -> Self {
        match delta {
            ModelDelta::Text { text } => Event::TextDelta { text },
            ModelDelta::Reasoning { text } => Event::ReasoningDelta { text },
        }
    }
}

impl Event {
    /// The event of an iteration's fact; `total` is the run's usage with it.
    pub(super) fn of_fact(fact: IterationFact, total: impl FnOnce(&Usage) -> Usage) -> Self {
        match fact {
            IterationFact::ToolCall { id, name, args, provider_data } => {
                Event::ToolCall { id, name, args, provider_data }
            }
            IterationFact::ToolResult { id, ok, output, duration_ms, changed } => {
                Event::ToolResult { id, ok, output, duration_ms, changed }
            }
            IterationFact::FileChanged { path, change } => Event::FileChanged { path, change, by: ChangedBy::Agent },
            IterationFact::WriteDenied { path, rule } => Event::WriteDenied { path, rule },
            IterationFact::Usage(Paid { usage, model }) => Event::Usage { usage, total: total(&usage), model },
            IterationFact::ProviderData { model, data } => Event::ProviderData { model, data },
            IterationFact::Steered(message) => Event::Steered { message },
            IterationFact::Status(text) => Event::Status { text },
        }
    }
}
