//! The events of a run. Each is stored in the journal and published as the same JSON text, except the streamed deltas,
//! which are only published.

use super::branch::BranchFact;
use super::fault::Fault;
use super::journal::Durability;
use super::limits::{LimitName, Limits};
use super::machine::{AttemptCost, Cost, RunState};
use super::options::RunResult;
use super::recipe::chunks::ChunkFact;
use super::recipe::specs::SpecFact;
use super::recipe::task::TaskFact;
use super::review::ReviewFact;
use super::spending::SpentBefore;
pub use super::started::RunStarted;
use super::verify::VerificationFact;
use crate::agent::{CompletionSignal, FileChangeKind, FileWrite, IterationFact, Paid, Shortened};
use crate::config::{self, Settings, Whose};
use crate::gate::{GateReport, RequirementReport};
use crate::json;
pub use crate::ledger::ChangedBy;
use crate::ledger::Write;
use crate::port::{AgentRole, Answer, ModelDelta, Phase, Question, Usage};
use crate::snapshot::{Entry, SnapshotInfo};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use strum::VariantNames;

/// A change of the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct UserEdit {
    pub path: String,
    pub change: FileChangeKind,
    /// Where a renamed file was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Entry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Entry>,
}

impl From<Write> for UserEdit {
    fn from(write: Write) -> Self {
        let Write { path, from, before, after } = write;
        let change = if after.is_none() { FileChangeKind::Deleted } else { FileChangeKind::between(before, after) };
        Self { path, change, from, before, after }
    }
}

impl From<UserEdit> for Write {
    fn from(edit: UserEdit) -> Self {
        let UserEdit { path, from, before, after, .. } = edit;
        Self { path, from, before, after }
    }
}

/// How an iteration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum IterationClose {
    Completed,
    /// The agent waits for the user.
    Waiting,
    /// A call waits for the user's approval.
    Asked,
    /// Too many turns in a row had no usable result.
    Stopped,
    ToolLimit,
    /// The budget did not allow another model call.
    Budget,
    ModelFailed,
}

/// Something that happened in a run. In JSON, its name is in `type` beside its fields ([`json::to_flat`]).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[strum(serialize_all = "kebab-case")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum Event {
    /// The first fact of every run.
    RunStarted(Box<RunStarted>),
    /// The page that resumed the run has other limits.
    LimitsChanged {
        limits: Limits,
    },
    /// The run continues after its page was closed or its host failed.
    RunResumed {
        /// Descriptions of the damage that was repaired.
        repaired: Vec<String>,
        /// The hash of `.ralph/plan.tsx`.
        plan: Option<String>,
        /// When the page before was alive last, in milliseconds since the epoch: the newest line of its journal, or the newest
        /// renewal of its lease.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        closed: Option<u64>,
    },
    /// The configuration that the run works with from here on, also if its files change; it is read at the start and at each
    /// resume. Absent if nothing is configured.
    ConfigLoaded {
        /// Its hash.
        config: String,
        settings: Box<Settings>,
    },
    PhaseChanged {
        from: Phase,
        to: Phase,
        why: String,
    },
    IterationStarted {
        /// 1-based in the run. One that did not end has a number of its own.
        iteration: u32,
        /// 1-based: the attempt at the present chunk, spec or task that the iteration is part of.
        attempt: u32,
        role: AgentRole,
        prompt_bytes: u64,
        /// The requested model; absent for the host's main model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
    },
    /// A piece of the model's answer; not journaled.
    TextDelta {
        text: String,
        /// The number of the answer.
        answer: u32,
    },
    /// A piece of the model's reasoning; not journaled.
    ReasoningDelta {
        text: String,
        /// The number of the answer.
        answer: u32,
    },
    /// An answer of the model in an iteration. Its calls follow.
    ModelAnswered {
        /// Grows in the run. An answer that broke off has a number and no event.
        answer: u32,
        /// Empty if the answer only has calls.
        text: String,
        /// The length of the reasoning that it streamed, in bytes.
        reasoning: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        usage: Usage,
    },
    /// A piece of the arguments of a call that the model writes; not journaled.
    ToolDelta {
        id: String,
        name: String,
        text: String,
        /// The number of the answer.
        answer: u32,
    },
    ToolCall {
        id: String,
        name: String,
        args: Value,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        provider_data: Option<Value>,
    },
    ToolResult {
        id: String,
        ok: bool,
        /// What the model gets.
        output: String,
        duration_ms: u64,
        changed: Vec<String>,
    },
    /// These files are about to be written.
    WriteStarted {
        writes: Vec<Write>,
        by: ChangedBy,
    },
    /// A file of the project changed. The states are absent for no file, and in a project without git.
    FileChanged {
        path: String,
        change: FileChangeKind,
        by: ChangedBy,
        /// Where a moved file was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<Entry>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<Entry>,
    },
    /// The user changed these files. Of a file whose states are equal, an unclear change is the user's.
    UserChanged {
        files: Vec<UserEdit>,
    },
    /// The page was closed during a call that may change any file. The call or the user changed these files.
    ChangesUnclear {
        /// The name of the call.
        what: String,
        /// Who made the call.
        by: ChangedBy,
        /// Whose the changes are, or whether the user is asked before something depends on it.
        whose: Whose,
        files: Vec<UserEdit>,
    },
    /// A call begins that may change any file: a command, a tool or a hook of the IDE.
    UnguardedStarted {
        what: String,
        by: ChangedBy,
        /// What it changes is taken back.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        undone: bool,
        /// The commit of HEAD, which the call may not move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        head: Option<String>,
    },
    /// It ended, and what it changed is recorded.
    UnguardedEnded,
    /// The IDE says that the user edits these files and folders during the call.
    UserEdits {
        paths: BTreeSet<String>,
    },
    /// The harness wrote its own files, in this order; one event per step.
    HarnessFilesChanged {
        paths: Vec<String>,
    },
    /// The guard refused a path.
    WriteDenied {
        /// As the agent wrote it.
        path: String,
        rule: String,
        /// The change that a call made past the guard, and the harness took back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        undone: Option<FileChangeKind>,
    },
    GateChecked {
        report: GateReport,
    },
    /// All gates of a round have reported.
    GatesFinished {
        /// 1-based.
        round: u32,
        /// `.ralph/feedback.md`; `None` if the round passed.
        feedback: Option<String>,
        /// The evidence about each requirement of the task.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        requirements: Vec<RequirementReport>,
    },
    /// The harness wrote the fixes of these gates.
    FixesApplied {
        gates: Vec<String>,
    },
    SnapshotSaved {
        snapshot: SnapshotInfo,
        duration_ms: u64,
    },
    /// The snapshot was not saved: the host has no git, or an iteration's snapshot failed.
    SnapshotSkipped {
        tag: String,
    },
    /// Files changed after the gates judged them.
    EvidenceOutdated {
        /// The tree that the gates judged.
        judged: String,
        /// The files that changed since, if known.
        paths: Vec<String>,
    },
    /// At least 80 % of a limit is used.
    BudgetWarning {
        limit: LimitName,
        used: f64,
        max: f64,
    },
    /// What other runs spent, in a run with a limit for a task or a day.
    SpendingRead {
        before: SpentBefore,
    },
    /// The cost of a model call.
    Usage {
        usage: Usage,
        /// The run so far.
        total: Usage,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        #[serde(default)]
        role: AgentRole,
        /// The run so far.
        #[serde(default)]
        cost: Cost,
        /// The present attempt so far.
        #[serde(default)]
        of_attempt: AttemptCost,
    },
    /// The conversation was shortened to fit the model's context window. Sizes are in tokens, estimated.
    ContextShortened {
        /// The size of the request before.
        before: u64,
        after: u64,
        /// How many results of calls are shorter.
        results: u32,
        /// How many turns are in the summary.
        turns: u32,
    },
    /// The provider attached opaque data to an answer.
    ProviderData {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        data: Value,
    },
    /// The user's message reached the agent.
    Steered {
        message: String,
    },
    /// The run asks the user.
    QuestionAsked {
        question: Question,
    },
    QuestionAnswered {
        id: String,
        answer: Answer,
    },
    /// The host has no hook that answers the question. It stays open, and a resumed run takes the answer.
    QuestionUnanswered {
        id: String,
    },
    /// The configuration has something that is not used.
    ConfigWarning {
        warning: config::Warning,
    },
    /// A message for the user.
    Status {
        text: String,
    },
    IterationFinished {
        /// 1-based.
        iteration: u32,
        tool_calls: u32,
        files_changed: Vec<String>,
        close: IterationClose,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signal: Option<CompletionSignal>,
        /// The agent changed the project's sources.
        worked: bool,
        /// The hash of `.ralph/plan.tsx`; `None` if it is absent or blank.
        plan: Option<String>,
        /// A digest of the files that changed since the task began and their contents; empty if none did.
        #[serde(default)]
        tree: String,
        /// What the agent answered, if its role has an answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<Value>,
        /// The model's error.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<Fault>,
    },
    /// The run waits before it tries again.
    WaitStarted {
        /// Milliseconds since the epoch.
        until: u64,
        reason: String,
        /// The number of the next try.
        attempt: u32,
        /// The number of the last try.
        of: u32,
    },
    Waited {
        ms: u64,
    },
    /// The caller ended the run.
    AbortRequested {
        reason: String,
    },
    RunFinished {
        result: RunResult,
    },
    /// The host failed; the run can be resumed.
    RunFailed {
        error: Fault,
    },
    #[serde(skip)]
    Verification(VerificationFact),
    #[serde(skip)]
    Review(ReviewFact),
    #[serde(skip)]
    Branch(BranchFact),
    #[serde(skip)]
    Task(TaskFact),
    #[serde(skip)]
    Specs(SpecFact),
    #[serde(skip)]
    Chunks(ChunkFact),
    #[cfg(all(test, not(target_family = "wasm")))]
    #[serde(skip)]
    Pair(super::recipe::tests::PairFact),
}

/// Arguments and provider data that nest deeper are written as text, because readers of JSON stop at some depth.
const LEVELS: u32 = 64;

impl Event {
    /// The `type` in JSON.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Event::Verification(fact) => fact.into(),
            Event::Review(fact) => fact.into(),
            Event::Branch(fact) => fact.into(),
            Event::Task(fact) => fact.into(),
            Event::Specs(fact) => fact.into(),
            Event::Chunks(fact) => fact.into(),
            #[cfg(all(test, not(target_family = "wasm")))]
            Event::Pair(fact) => fact.into(),
            event => event.into(),
        }
    }

    pub(super) fn to_flat(&self) -> serde_json::Result<Map<String, Value>> {
        match self {
            Event::Verification(fact) => json::to_flat(fact),
            Event::Review(fact) => json::to_flat(fact),
            Event::Branch(fact) => json::to_flat(fact),
            Event::Task(fact) => json::to_flat(fact),
            Event::Specs(fact) => json::to_flat(fact),
            Event::Chunks(fact) => json::to_flat(fact),
            #[cfg(all(test, not(target_family = "wasm")))]
            Event::Pair(fact) => json::to_flat(fact),
            event => json::to_flat(event),
        }
    }

    /// Whether it ends a question, or leaves it open.
    pub(super) fn is_of_question(&self) -> bool {
        matches!(self, Event::QuestionAnswered { .. } | Event::QuestionUnanswered { .. })
    }

    /// Whether it is a fact of recipes, which follows only where a row has it.
    pub(super) fn is_of_recipe(&self) -> bool {
        match self {
            Event::Verification(_)
            | Event::Review(_)
            | Event::Branch(_)
            | Event::Task(_)
            | Event::Specs(_)
            | Event::Chunks(_) => true,
            #[cfg(all(test, not(target_family = "wasm")))]
            Event::Pair(_) => true,
            _ => false,
        }
    }

    /// Reads an event. The envelope's fields may be there.
    ///
    /// # Errors
    /// What was expected at which field.
    pub fn read(value: &Value) -> Result<Self, String> {
        let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
        match kind {
            kind if VerificationFact::VARIANTS.contains(&kind) => json::from_flat(value).map(Event::Verification),
            kind if ReviewFact::VARIANTS.contains(&kind) => json::from_flat(value).map(Event::Review),
            kind if BranchFact::VARIANTS.contains(&kind) => json::from_flat(value).map(Event::Branch),
            kind if TaskFact::VARIANTS.contains(&kind) => json::from_flat(value).map(Event::Task),
            kind if SpecFact::VARIANTS.contains(&kind) => json::from_flat(value).map(Event::Specs),
            kind if ChunkFact::VARIANTS.contains(&kind) => json::from_flat(value).map(Event::Chunks),
            #[cfg(all(test, not(target_family = "wasm")))]
            kind if super::recipe::tests::PairFact::VARIANTS.contains(&kind) => json::from_flat(value).map(Event::Pair),
            _ => json::from_flat(value),
        }
    }

    /// When the fact must be in the journal.
    ///
    /// The facts of one call are one write. A call that changes files is in the journal before it does: with what it will
    /// write ([`Event::WriteStarted`]), or, if it may change anything, with [`Event::UnguardedStarted`]. Its end is
    /// written at once, as what comes after it is the user's. After a crash, the files show whether a write happened.
    pub(super) fn durability(&self) -> Durability {
        match self {
            Event::Usage { .. }
            | Event::ModelAnswered { .. }
            | Event::ToolCall { .. }
            | Event::ToolResult { .. }
            | Event::FileChanged { by: ChangedBy::Agent, .. }
            | Event::WriteDenied { .. } => Durability::Waits,
            event if event.is_barrier() => Durability::Flushed,
            _ => Durability::Written,
        }
    }

    /// Whether everything up to this fact must be durable before the run continues.
    fn is_barrier(&self) -> bool {
        matches!(
            self,
            Event::RunStarted(_)
                | Event::RunResumed { .. }
                | Event::PhaseChanged { .. }
                | Event::IterationStarted { .. }
                | Event::GatesFinished { .. }
                | Event::SnapshotSaved { .. }
                | Event::IterationFinished { .. }
                | Event::QuestionAsked { .. }
                | Event::QuestionAnswered { .. }
                | Event::RunFinished { .. }
                | Event::RunFailed { .. }
        ) || self.is_of_recipe()
    }

    /// A message for the user.
    pub(super) fn status(text: impl Into<String>) -> Self {
        Event::Status { text: text.into() }
    }

    /// A streamed piece of the answer with this number, if it has something to show.
    pub(super) fn of_delta(delta: ModelDelta, answer: u32) -> Option<Self> {
        Some(match delta {
            ModelDelta::Text { text } => Event::TextDelta { text, answer },
            ModelDelta::Reasoning { text } => Event::ReasoningDelta { text, answer },
            ModelDelta::Tool { id, name, text } => Event::ToolDelta { id, name, text, answer },
            ModelDelta::Note { .. } | ModelDelta::Other => return None,
        })
    }

    /// The event of an iteration's fact in the state before it.
    pub(super) fn of_fact(fact: IterationFact, run: &RunState) -> Self {
        match fact {
            IterationFact::Started { role, prompt_bytes, model } => {
                let (iteration, attempt) = (run.next_iteration(), run.attempt());
                Event::IterationStarted { iteration, attempt, role, prompt_bytes, model }
            }
            IterationFact::ToolCall { id, name, args, provider_data } => {
                Event::ToolCall { id, name, args: shallow(args), provider_data: provider_data.map(shallow) }
            }
            IterationFact::ToolResult { id, ok, output, duration_ms, changed } => {
                Event::ToolResult { id, ok, output, duration_ms, changed }
            }
            IterationFact::WriteStarted(writes) => Event::WriteStarted { writes, by: ChangedBy::Agent },
            IterationFact::FileChanged(change) => change.by(ChangedBy::Agent),
            IterationFact::UserChanged(writes) => {
                Event::UserChanged { files: writes.into_iter().map(UserEdit::from).collect() }
            }
            IterationFact::UndoStarted(writes) => Event::WriteStarted { writes, by: ChangedBy::Harness },
            IterationFact::UnguardedStarted { what, undone, head } => {
                Event::UnguardedStarted { what, by: ChangedBy::Agent, undone, head }
            }
            IterationFact::UnguardedEnded => Event::UnguardedEnded,
            IterationFact::WriteDenied { path, rule, undone } => Event::WriteDenied { path, rule, undone },
            IterationFact::Shortened(Shortened { before, after, results, turns }) => {
                Event::ContextShortened { before, after, results, turns }
            }
            IterationFact::Usage(paid) => run.paid(paid),
            IterationFact::Answered { text, reasoning, paid: Paid { usage, model, .. } } => {
                // Its usage is counted already.
                Event::ModelAnswered { answer: run.calls(), text, reasoning, model, usage }
            }
            IterationFact::ProviderData { model, data } => Event::ProviderData { model, data: shallow(data) },
            IterationFact::Asked(question) => Event::QuestionAsked { question },
            IterationFact::Decided { id, answer } => Event::QuestionAnswered { id, answer },
            IterationFact::Steered(message) => Event::Steered { message },
            IterationFact::Status(text) => Event::Status { text },
        }
    }
}

impl FileWrite {
    /// The event of the change.
    pub(super) fn by(self, by: ChangedBy) -> Event {
        let Self { write: Write { path, from, before, after }, change } = self;
        Event::FileChanged { path, change, by, from, before, after }
    }
}

/// The details of a question about a call, whose arguments the journal's reader can read.
pub(super) fn shallow_args(mut details: Value) -> Value {
    if let Some(args) = details.get_mut("args") {
        *args = shallow(args.take());
    }
    details
}

fn shallow(value: Value) -> Value {
    if is_deeper(&value, LEVELS) { Value::String(value.to_string()) } else { value }
}

fn is_deeper(value: &Value, levels: u32) -> bool {
    match value {
        Value::Array(items) => levels == 0 || items.iter().any(|item| is_deeper(item, levels - 1)),
        Value::Object(fields) => levels == 0 || fields.values().any(|field| is_deeper(field, levels - 1)),
        _ => false,
    }
}
