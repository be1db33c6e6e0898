//! What happens in an iteration, and how it ends.

use super::Paid;
use crate::error::Error;
use crate::port::{ModelDelta, PortError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum FileChangeKind {
    /// It was not there.
    Created,
    /// It was.
    Modified,
    /// It is gone.
    Deleted,
}

/// One thing that happened, in the order in which it did.
#[derive(Debug, Clone, PartialEq)]
pub enum IterationFact {
    /// The model called a tool.
    ToolCall {
        /// The call.
        id: String,
        /// The tool.
        name: String,
        /// The arguments; a string where they are no JSON.
        args: Value,
        /// The provider's data of the call.
        provider_data: Option<Value>,
    },
    /// The call was answered.
    ToolResult {
        /// The call.
        id: String,
        /// It did what was asked.
        ok: bool,
        /// The result text that the model gets.
        output: String,
        /// Milliseconds.
        duration_ms: u64,
        /// The files that it changed.
        changed: Vec<String>,
    },
    /// A file changed by the agent's hand.
    FileChanged {
        /// Relative to the project.
        path: String,
        /// What became of it.
        change: FileChangeKind,
    },
    /// The guard refused a path.
    WriteDenied {
        /// As the agent wrote it.
        path: String,
        /// The guard's rule.
        rule: String,
    },
    /// A turn was paid for.
    Usage(Paid),
    /// The provider attached data to an answer's message.
    ProviderData {
        /// The id of the model, if the answer has one.
        model: Option<String>,
        /// The data, opaque.
        data: Value,
    },
    /// The user's message reached the agent.
    Steered(String),
    /// Something that a person watching should know.
    Status(String),
}

/// Receives the facts and the streamed text of a running iteration.
pub trait Observer {
    /// Records a fact. An error ends the iteration: what cannot be journaled must not happen.
    async fn observe(&self, fact: IterationFact) -> Result<(), Error>;
    /// Passes a piece of a streamed answer on; never journaled.
    fn stream(&self, delta: ModelDelta);
    /// Asked before each model call: the milliseconds that it may take. None left ends the iteration with
    /// [`IterationEnd::Budget`].
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
pub enum IterationEnd {
    /// The agent says that it is done. The machine decides what that is worth.
    Completed(CompletionSignal),
    /// The agent waits for the user (`waiting` in `.ralph/status.txt`).
    Waiting,
    /// The model stopped without a completion: cut answers, or calls that it would not get right.
    Stopped,
    /// The limit of tool calls was reached.
    ToolLimit,
    /// The budget does not allow another model call.
    Budget,
    /// The model failed: inconclusive, never an attempt.
    ModelFailed(PortError),
    /// The run was aborted.
    Aborted,
}

/// An iteration, over.
#[derive(Debug, Clone)]
pub struct IterationOutcome {
    /// Why it ended.
    pub end: IterationEnd,
    /// How many tool calls it made.
    pub tool_calls: u32,
    /// The files that it changed, sorted, each once.
    pub files_changed: Vec<String>,
}
