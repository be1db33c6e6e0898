//! One iteration of the agent: a fresh context, a loop of tool calls, a guard on every path.
//!
//! | file | what |
//! |---|---|
//! | `prompt`, `prompts/` | the messages that an iteration starts with |
//! | `iteration` | the loop: ask the model, answer its calls, until something ends it |
//! | `turn` | one model call: streaming, timeouts, usage |
//! | `calls`, `arguments` | one tool call: decode, check, execute, answer |
//! | `tools/` | the built-in tools, one file per tool |
//! | `guard`, `look_alikes`, `guarded_fs` | which paths the agent may touch: decided in one place, enforced for every file access |
//! | `overflow` | a conversation that exceeds the model's context window |
//! | `provider_data` | data that a provider attaches to its answers |
//! | `text_tool_calls`, `feedback` | unusable turns, and the messages that the agent gets about them |
//! | `files`, `changes`, `truncate` | listing files, detecting changes, truncating text for the model |

mod arguments;
mod calls;
pub(crate) mod changes;
mod fact;
mod feedback;
mod files;
mod guard;
mod guarded_fs;
mod iteration;
mod overflow;
mod prompt;
mod provider_data;
mod text_tool_calls;
mod tool_names;
mod tools;
mod truncate;
mod turn;

pub use fact::{CompletionSignal, FileChangeKind, IterationEnd, IterationFact, IterationOutcome, Observer};
pub use guard::{Access, Denied, Policy, Rule, decide};
pub use guarded_fs::{Denial, GuardedFs};
pub use tool_names::{check_tool_names, is_built_in};
pub use turn::{Paid, Timeouts, Turn, ask, priced};

use crate::error::Error;
use crate::layout;
use crate::plan::Registry;
use crate::port::{Abort, AgentRole, Host, Phase};
use crate::snapshot::Watch;
use std::cell::RefCell;
use std::rc::Rc;

/// Messages that the user queued. The agent gets them before its next turn.
pub type SteerQueue = Rc<RefCell<Vec<String>>>;

/// The prompt of an iteration, built from files alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The harness's instructions.
    pub system: String,
    /// The task and the project's state.
    pub user: String,
}

/// What an iteration starts from.
pub struct IterationInput<'a> {
    /// The role for which the model is called.
    pub role: AgentRole,
    /// The first two messages.
    pub prompt: &'a Prompt,
    /// The registry of names that a plan may use.
    pub registry: &'a Registry,
    /// `Plan` or `Build`.
    pub phase: Phase,
    /// In PLAN, only the agent's own `.ralph/` files are writable.
    pub plan_required: bool,
    /// The command of the applied theme, while the agent may not replace the theme.
    pub locked_theme: Option<&'a str>,
    /// The iteration ends at this number of calls.
    pub max_tool_calls: u32,
    /// Maximum time without output from the model, in milliseconds.
    pub model_idle_ms: u64,
    /// Messages of the user.
    pub steering: &'a SteerQueue,
    /// Records every path that the agent touches, for the next snapshot.
    pub watch: &'a Watch,
}

/// Builds the prompt of an iteration from the project's files: the same state gives the same bytes. For a plan update,
/// `update` lists the parts that the task concerns.
///
/// # Errors
/// Errors of the ports.
pub async fn build_prompt<H: Host>(
    host: &H,
    registry: &Registry,
    phase: Phase,
    plan_required: bool,
    update: Option<&str>,
) -> Result<Prompt, Error> {
    prompt::build(host, registry, phase, plan_required, update).await
}

/// The first `limit` paths of the project's own files, sorted: readable by the agent, not ignored by git, and outside the
/// harness's folder.
///
/// # Errors
/// Errors of the ports.
pub async fn list_files<H: Host>(host: &H, limit: usize) -> Result<Vec<String>, Error> {
    let listing = files::walk(host.project(), "", limit).await?;
    Ok(listing.files.into_keys().filter(|path| !layout::is_task_file(path)).collect())
}

/// Runs one iteration to its end.
///
/// # Errors
/// Only errors of the observer, which writes the journal. A failing model is an [`IterationEnd`].
pub async fn run_iteration<H: Host>(
    host: &H,
    input: &IterationInput<'_>,
    observer: &impl Observer,
    abort: &Abort,
) -> Result<IterationOutcome, Error> {
    iteration::run(host, input, observer, abort).await
}
