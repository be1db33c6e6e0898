//! One iteration of the agent: a fresh context, a loop of tool calls, a guard on every path.
//!
//! | file | what |
//! |---|---|
//! | `prompt`, `prompts/` | the messages that an iteration starts with |
//! | `sections` | the frame around contents in a prompt of any recipe |
//! | `project_rules` | the rules of the project in a prompt, and its `AGENTS.md` |
//! | `iteration` | the loop: ask the model, answer its calls, until something ends it |
//! | `turn` | one model call: streaming, timeouts, usage |
//! | `calls`, `arguments` | one tool call: decode, check, execute, answer |
//! | `tools/` | the built-in tools, one file per tool |
//! | `write_ahead`, `bracket` | recording what a guarded write replaces, and what any other call changed |
//! | `guard`, `guarded_fs` | which paths the agent may read and write: decided in one place, enforced for every file access |
//! | `explain` | which rule decides about a call, before it is made |
//! | `context` | the size of a conversation, and how it is shortened to fit the model's context window |
//! | `images` | images in results of calls |
//! | `provider_data` | data that a provider attaches to its answers |
//! | `text_tool_calls`, `feedback` | unusable turns, and the messages that the agent gets about them |
//! | `files`, `changes` | listing files, detecting changes |

mod approval;
mod arguments;
mod bracket;
mod calls;
pub(crate) mod changes;
mod context;
mod explain;
mod fact;
mod feedback;
mod files;
mod guard;
mod guarded_fs;
mod images;
mod iteration;
mod line_links;
mod project_rules;
mod prompt;
mod provider_data;
mod sections;
mod text_tool_calls;
mod tools;
mod turn;
mod unchanged;
mod write_ahead;

pub(crate) use bracket::{Bracket, Changes};
pub use context::Shortened;
pub use explain::{Asked, Reason, explain, explain_linked};
pub(crate) use fact::Observer;
pub use fact::{CompletionSignal, FileChangeKind, FileWrite, IterationEnd, IterationFact, IterationOutcome};
pub use files::{FileList, Files, list_files};
pub use guard::{Access, Denied, Rule, decide};
pub use guarded_fs::{GuardedFs, Turns};
pub(crate) use iteration::{run_iteration, system_text};
pub use project_rules::ProjectRules;
pub use prompt::{build_prompt, fenced};
pub(crate) use prompt::{for_project, in_prompt};
pub use sections::Sections;
pub use tools::check_tool_names;
pub(crate) use tools::written_by;
pub use turn::{Paid, Timeouts, Turn, ask, priced};

use crate::plan::Registry;
use crate::port::{Host, ModelPort, Rights};
use crate::snapshot::Watch;
use std::cell::RefCell;
use std::rc::Rc;

/// Messages that the user queued. The agent gets them before its next turn.
pub type SteerQueue = Rc<RefCell<Vec<String>>>;

#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Prompt {
    /// The harness's instructions.
    pub system: String,
    /// The task and the project's state.
    pub user: String,
}

#[derive(Clone, Copy)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct IterationInput<'a> {
    pub rights: &'a Rights,
    /// The id of the model; `None` for the host's main model.
    pub model: Option<&'a str>,
    /// The first two messages.
    pub prompt: &'a Prompt,
    /// The names that a plan may use.
    pub registry: &'a Registry,
    pub max_tool_calls: u32,
    /// Maximum time without output from the model, in milliseconds.
    pub model_idle_ms: u64,
    pub steering: &'a SteerQueue,
    /// Records every path that the agent touches, for the next snapshot.
    pub watch: &'a Watch,
    /// What `complete_task` asks for; `None` if the completion has no answer, and may also be written to the status file.
    pub answer: Option<&'a AnswerShape>,
}

impl IterationInput<'_> {
    /// Whether the model takes images.
    fn takes_images(&self, host: &Host) -> bool {
        host.model_of(self.model).is_some_and(ModelPort::takes_images)
    }
}

/// The arguments of `complete_task`.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerShape {
    /// For the model: when to call it, and with what.
    pub description: String,
    /// A JSON Schema.
    pub parameters: serde_json::Value,
}
