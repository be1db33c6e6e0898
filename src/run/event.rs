//! The events of a run. Each is stored in the journal and published as the same JSON text, except the streamed deltas,
//! which are only published.

use super::journal::Durability;
use super::limits::LimitName;
use super::options::RunResult;
use crate::agent::{self, CompletionSignal, FileChangeKind, IterationFact, Paid};
use crate::config::Settings;
use crate::error::{Error, ErrorCode};
use crate::gate::GateReport;
use crate::json;
use crate::port::{AgentRole, ModelDelta, Phase, PortError, PortErrorKind, Usage};
use crate::snapshot::SnapshotInfo;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the envelope and of the journal's lines.
pub(super) const VERSION: u32 = 1;

/// An event with its place in the journal. `F` are the facts that only one recipe has.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope<F> {
    /// The position in the journal; a delta repeats the last one.
    pub seq: u64,
    /// Milliseconds since the epoch.
    pub at: u64,
    pub run_id: String,
    /// The number of the lease that the run had; 0 in journals from before leases.
    pub lease: u64,
    pub event: Event<F>,
}

impl<F: Serialize> Envelope<F> {
    /// The contract's `RunEvent` as JSON text. A line of the journal is this text with a checksum.
    ///
    /// # Errors
    /// `internal` if the event has a value that JSON cannot hold.
    pub fn to_json(&self) -> Result<String, Error> {
        let json = || -> serde_json::Result<String> {
            let (run_id, event) = (serde_json::to_string(&self.run_id)?, self.event.to_nested()?);
            let nested = event.strip_prefix('{').and_then(|event| event.strip_suffix('}'));
            let (kind, fields) = nested.and_then(|event| event.split_once(":{")).unwrap_or((&event, "}"));
            let comma = if fields == "}" { "" } else { "," };
            let Self { seq, at, lease, .. } = self;
            let head = format!(r#""v":{VERSION},"seq":{seq},"at":{at},"runId":{run_id},"lease":{lease}"#);
            Ok(format!(r#"{{{head},"type":{kind}{comma}{fields}"#))
        };
        json().map_err(|error| {
            Error::new(ErrorCode::Internal, format!("an event cannot be written as JSON ({error}): please report it"))
        })
    }
}

/// Who changed a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum ChangedBy {
    Agent,
    Harness,
}

/// How an iteration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum IterationClose {
    Completed,
    /// The agent waits for the user.
    Waiting,
    /// Too many turns in a row had no usable result.
    Stopped,
    ToolLimit,
    /// The budget did not allow another model call.
    Budget,
    ModelFailed,
}

/// A failure of the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Fault {
    pub code: ErrorCode,
    pub message: String,
    #[serde(default, skip_serializing_if = "FaultKind::is_lasting")]
    pub kind: FaultKind,
    /// How long the provider asked to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

/// Whether the same call may succeed later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum FaultKind {
    RateLimited,
    /// Overload or a lost connection.
    Unavailable,
    /// The model was silent for too long.
    Timeout,
    #[default]
    Lasting,
}

impl FaultKind {
    fn is_lasting(&self) -> bool {
        *self == Self::Lasting
    }
}

impl Fault {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), kind: FaultKind::Lasting, retry_after_ms: None }
    }

    /// The error that the caller gets. `cause` is the host's own error, if this page met it.
    pub(super) fn into_error(self, cause: Option<Error>) -> Error {
        let mut error = Error::new(self.code, self.message);
        if let Some(cause) = cause {
            (error.retryable, error.path, error.source) = (cause.retryable, cause.path.clone(), cause.source.clone());
        }
        error
    }
}

impl From<&Error> for Fault {
    fn from(error: &Error) -> Self {
        Self::new(error.code, error.message.clone())
    }
}

impl From<&PortError> for Fault {
    fn from(error: &PortError) -> Self {
        let (kind, retry_after_ms) = match error.kind {
            PortErrorKind::RateLimited(after) => (FaultKind::RateLimited, after),
            PortErrorKind::Unavailable => (FaultKind::Unavailable, None),
            PortErrorKind::Timeout => (FaultKind::Timeout, None),
            _ => (FaultKind::Lasting, None),
        };
        Self { kind, retry_after_ms, ..Self::from(&Error::from(error.clone())) }
    }
}

/// Something that happened in a run, whatever its recipe.
///
/// serde's form is nested, `{"steered":{"message":"m"}}`; [`Envelope::to_json`] and [`Event::read`] convert from and to
/// the flat form, `{"type":"steered","message":"m"}`. serde's own `tag` compiles a second deserializer for every type of
/// an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Event<F> {
    /// The run continues after its page was closed or its host failed.
    RunResumed {
        /// Descriptions of the damage that was repaired.
        repaired: Vec<String>,
        /// The hash of `.ralph/plan.tsx`.
        plan: Option<String>,
    },
    /// The configuration that the run works with to its end, also if its files change. Absent if nothing is configured.
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
        /// 1-based.
        iteration: u32,
        /// 1-based; above 1 if the same iteration began before and did not end.
        attempt: u32,
        role: AgentRole,
        prompt_bytes: u64,
    },
    /// A piece of the model's answer; not journaled.
    TextDelta {
        text: String,
    },
    /// A piece of the model's reasoning; not journaled.
    ReasoningDelta {
        text: String,
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
    /// A file of the project changed.
    FileChanged {
        path: String,
        change: FileChangeKind,
        by: ChangedBy,
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
    /// The cost of a model call.
    Usage {
        usage: Usage,
        /// The run so far.
        total: Usage,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
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
    /// A fact of the run's recipe; its JSON is flat like that of the others.
    Recipe(F),
}

/// The name of [`Event::Recipe`] for serde.
const RECIPE: &str = "recipe";

/// Arguments and provider data that nest deeper are written as text, because readers of JSON stop at some depth.
const LEVELS: u32 = 64;

impl<F: Serialize> Event<F> {
    /// The `type` of the flat form.
    pub(super) fn kind(&self) -> String {
        let json = self.to_nested().unwrap_or_default();
        json.split('"').nth(1).unwrap_or_default().to_owned()
    }

    fn to_nested(&self) -> serde_json::Result<String> {
        match self {
            Event::Recipe(fact) => serde_json::to_string(fact),
            event => serde_json::to_string(event),
        }
    }
}

impl<F: DeserializeOwned> Event<F> {
    /// Reads the flat form. The envelope's fields may be there.
    ///
    /// # Errors
    /// What was expected at which field.
    pub fn read(value: &Value) -> Result<Self, String> {
        json::from_flat(value, RECIPE)
    }
}

impl<F> Event<F> {
    /// When the fact must be in the journal.
    ///
    /// The facts of one call are one write: those that open or accompany the call wait for its result. This is sound
    /// only if the call can change nothing but files that pass the guard. After a crash these files are in the project
    /// and the facts are missing, so every change counts as the agent's, as after any crash in an iteration. A call with
    /// other effects (a shell, a tool or a hook of the IDE, a rollback) is in the journal before it runs.
    pub(super) fn durability(&self, has_hooks: bool) -> Durability {
        match self {
            Event::ToolCall { name, .. } if !has_hooks && agent::is_guarded(name) => Durability::Waits,
            Event::FileChanged { by: ChangedBy::Agent, .. } | Event::WriteDenied { .. } => Durability::Waits,
            event if event.is_barrier() => Durability::Flushed,
            _ => Durability::Written,
        }
    }

    /// Whether everything up to this fact must be durable before the run continues.
    fn is_barrier(&self) -> bool {
        matches!(
            self,
            Event::RunResumed { .. }
                | Event::PhaseChanged { .. }
                | Event::IterationStarted { .. }
                | Event::GatesFinished { .. }
                | Event::SnapshotSaved { .. }
                | Event::IterationFinished { .. }
                | Event::RunFinished { .. }
                | Event::RunFailed { .. }
                | Event::Recipe(_)
        )
    }

    /// The event of an iteration's fact. `total` is the run's usage with it.
    pub(super) fn of_fact(fact: IterationFact, total: impl FnOnce(&Usage) -> Usage) -> Self {
        match fact {
            IterationFact::ToolCall { id, name, args, provider_data } => {
                Event::ToolCall { id, name, args: shallow(args), provider_data: provider_data.map(shallow) }
            }
            IterationFact::ToolResult { id, ok, output, duration_ms, changed } => {
                Event::ToolResult { id, ok, output, duration_ms, changed }
            }
            IterationFact::FileChanged { path, change } => Event::FileChanged { path, change, by: ChangedBy::Agent },
            IterationFact::WriteDenied { path, rule } => Event::WriteDenied { path, rule },
            IterationFact::Usage(Paid { usage, model }) => Event::Usage { usage, total: total(&usage), model },
            IterationFact::ProviderData { model, data } => Event::ProviderData { model, data: shallow(data) },
            IterationFact::Steered(message) => Event::Steered { message },
            IterationFact::Status(text) => Event::Status { text },
        }
    }
}

impl<F> From<ModelDelta> for Event<F> {
    fn from(delta: ModelDelta) -> Self {
        match delta {
            ModelDelta::Text { text } => Event::TextDelta { text },
            ModelDelta::Reasoning { text } => Event::ReasoningDelta { text },
        }
    }
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
