//! The facts of an iteration, and how it ends.

use super::Paid;
use super::context::Shortened;
use crate::error::Error;
use crate::ledger::{Ledger, Write};
use crate::port::{AgentRole, Answer, ModelDelta, PortError, Question};
use crate::snapshot::{Entry, Manifest};
use futures_util::future::LocalBoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum FileChangeKind {
    Created,
    Modified,
    Deleted,
}

impl FileChangeKind {
    /// The kind of a change between two states.
    pub(crate) fn between(before: Option<Entry>, after: Option<Entry>) -> Self {
        match (before, after) {
            (None, _) => Self::Created,
            (_, None) => Self::Deleted,
            _ => Self::Modified,
        }
    }
}

/// A change of a file. Without git, its states are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct FileWrite {
    pub write: Write,
    pub change: FileChangeKind,
}

impl From<Write> for FileWrite {
    fn from(write: Write) -> Self {
        let change = FileChangeKind::between(write.before, write.after);
        Self { write, change }
    }
}

/// A fact of an iteration, in the order of events.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum IterationFact {
    /// The model is called next.
    Started {
        role: AgentRole,
        prompt_bytes: u64,
        /// The requested model; `None` for the host's main model.
        model: Option<String>,
    },
    ToolCall {
        id: String,
        name: String,
        /// A string if they are not valid JSON.
        args: Value,
        provider_data: Option<Value>,
    },
    ToolResult {
        /// The id of the call.
        id: String,
        ok: bool,
        /// The text that the model gets.
        output: String,
        duration_ms: u64,
        /// The paths of the changed files.
        changed: Vec<String>,
    },
    /// The agent is about to write these files.
    WriteStarted(Vec<Write>),
    /// The agent changed a file of the project.
    FileChanged(FileWrite),
    /// The user changed these files.
    UserChanged(Vec<Write>),
    /// The harness is about to take these changes back.
    UndoStarted(Vec<Write>),
    /// A call begins that may change any file.
    UnguardedStarted {
        /// The name of the call.
        what: String,
        /// What it changes is taken back.
        undone: bool,
        /// The commit of HEAD, which the call may not move.
        head: Option<String>,
    },
    /// It ended, and what it changed is recorded.
    UnguardedEnded,
    /// The guard refused a path.
    WriteDenied {
        /// As the agent wrote it.
        path: String,
        rule: String,
        /// The change that a call made past the guard, and the harness took back.
        undone: Option<FileChangeKind>,
    },
    Usage(Paid),
    /// The conversation was shortened.
    Shortened(Shortened),
    /// The model answered. The calls of the answer follow.
    Answered {
        /// Empty if the answer only has calls.
        text: String,
        /// The length of the streamed reasoning, in bytes.
        reasoning: u64,
        paid: Paid,
    },
    /// The provider attached opaque data to an answer.
    ProviderData {
        model: Option<String>,
        data: Value,
    },
    /// A call needs the user's approval.
    Asked(Question),
    /// The user answered the question with this id.
    Decided {
        id: String,
        answer: Answer,
    },
    /// The user's message reached the agent.
    Steered(String),
    /// A message for the user.
    Status(String),
}

/// Receives the facts and the streamed text of a running iteration. A trait object, so that the iteration is compiled once
/// for all recipes.
pub(crate) trait Observer {
    /// Records a fact. An error ends the iteration, because only journaled work may happen.
    fn observe(&self, fact: IterationFact) -> LocalBoxFuture<'_, Result<(), Error>>;
    /// Passes on a piece of a streamed answer, which is not journaled.
    fn stream(&self, delta: ModelDelta);
    /// The time that the next model call may take, in milliseconds; 0 ends the iteration with [`IterationEnd::Budget`].
    fn model_time(&self) -> u64;
    /// Makes the facts so far readable for others. The facts of a call wait for the next write.
    fn settle(&self) -> LocalBoxFuture<'_, Result<(), Error>>;
    /// The working tree has these files: what the run does not expect is recorded as the user's.
    fn record_found<'a>(&'a self, files: &'a Manifest) -> LocalBoxFuture<'a, Result<(), Error>>;
    /// The files that the run expects, or that changed in it.
    fn expected(&self) -> LocalBoxFuture<'_, Result<BTreeSet<String>, Error>>;
    /// Who changed what so far.
    fn ledger(&self) -> Ledger;
    /// The files that the user edits, according to the IDE, since the last call.
    fn take_edited(&self) -> BTreeSet<String>;
    /// What the user decided about an equal call; else the question about it.
    fn approval(&self, details: Value) -> Result<Answer, Question>;
}

/// How the agent said that it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum CompletionSignal {
    /// It called `complete_task`.
    Tool,
    /// It wrote `complete` into `.ralph/status.txt`.
    Status,
    /// It answered without calling a tool.
    Answer,
}

/// Why an iteration ended.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum IterationEnd {
    /// The agent says that it is done.
    Completed(CompletionSignal),
    /// The agent waits for the user (`waiting` in `.ralph/status.txt`).
    Waiting,
    /// A call waits for the user's approval.
    Asked,
    /// Too many turns in a row had no usable result.
    Stopped,
    ToolLimit,
    /// The budget does not allow another model call.
    Budget,
    ModelFailed(PortError),
    Aborted,
}

#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct IterationOutcome {
    pub end: IterationEnd,
    pub tool_calls: u32,
    /// Sorted paths.
    pub files_changed: Vec<String>,
    /// How the agent completed: the arguments of `complete_task`, or its last text.
    pub answer: Option<Value>,
}
