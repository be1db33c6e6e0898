//! The facts of an iteration, and how it ends.

use super::Paid;
use crate::error::Error;
use crate::port::{ModelDelta, PortError};
use futures_util::future::LocalBoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum FileChangeKind {
    Created,
    Modified,
    Deleted,
}

/// A fact of an iteration, in the order of events.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum IterationFact {
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
    /// The agent changed a file of the project.
    FileChanged {
        path: String,
        change: FileChangeKind,
    },
    /// The guard refused a path.
    WriteDenied {
        /// As the agent wrote it.
        path: String,
        rule: String,
    },
    Usage(Paid),
    /// The provider attached opaque data to an answer.
    ProviderData {
        model: Option<String>,
        data: Value,
    },
    /// The user's message reached the agent.
    Steered(String),
    /// A message for the user.
    Status(String),
}

/// Receives the facts and the streamed text of a running iteration. A trait object, so that the iteration is compiled once
/// for all recipes.
pub trait Observer {
    /// Records a fact. An error ends the iteration, because only journaled work may happen.
    fn observe(&self, fact: IterationFact) -> LocalBoxFuture<'_, Result<(), Error>>;
    /// Passes on a piece of a streamed answer, which is not journaled.
    fn stream(&self, delta: ModelDelta);
    /// The time that the next model call may take, in milliseconds; 0 ends the iteration with [`IterationEnd::Budget`].
    fn model_time(&self) -> u64;
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
