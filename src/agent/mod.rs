//! One iteration of the agent: a fresh context, a loop of tool calls, a guard on every path.
//!
//! | file | what |
//! |---|---|
//! | `prompt`, `prompts/` | what the model is told at the start |
//! | `iteration` | the loop: ask, answer, until something ends it |
//! | `turn` | one call of the model: streaming, silence, usage |
//! | `calls`, `arguments` | one call of a tool: decoded, allowed, executed, answered |
//! | `tools/` | the built-in tools, one file each |
//! | `guard`, `look_alikes`, `guarded_fs` | which paths the agent may touch, decided once, applied at every door |
//! | `overflow` | a conversation that is too long for the model |
//! | `provider_data` | data that a provider attaches to its answers |
//! | `prose`, `feedback` | turns that are no use as they are, and what the agent is told about them |
//! | `files`, `changes`, `truncate` | what a project has, what changed in it, and as much as a model can take |

mod arguments;
mod calls;
pub(crate) mod changes;
mod fact;
mod feedback;
mod files;
mod guard;
mod guarded_fs;
mod iteration;
mod look_alikes;
mod overflow;
mod prompt;
mod prose;
mod provider_data;
mod tool_names;
mod tools;
mod truncate;
mod turn;

pub use fact::{CompletionSignal, FileChangeKind, IterationEnd, IterationFact, IterationOutcome, Observer};
pub use guard::{Access, Denied, Policy, Rule, decide, is_kept_by_harness};
pub use guarded_fs::{Denial, GuardedFs};
pub use tool_names::{check_tool_names, is_built_in};
pub use turn::{Paid, Patience, Turn, ask, priced};

use crate::error::Error;
use crate::plan::Registry;
use crate::port::{Abort, AgentRole, Host, Phase};
use crate::snapshot::Watch;
use std::cell::RefCell;
use std::rc::Rc;

/// Messages that the user queued; the agent sees them at the next safe point.
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
    /// The prompt.
    pub prompt: &'a Prompt,
    /// The names that a plan may use.
    pub registry: &'a Registry,
    /// `Plan` or `Build`.
    pub phase: Phase,
    /// In PLAN, only the agent's own `.ralph/` files may be written.
    pub plan_required: bool,
    /// The command of the theme that the project has, for as long as the agent may set no other.
    pub locked_theme: Option<&'a str>,
    /// How many tool calls it may make.
    pub max_tool_calls: u32,
    /// How long the model may be silent, in milliseconds.
    pub model_idle_ms: u64,
    /// Messages of the user.
    pub steering: &'a SteerQueue,
    /// What the run knows of the files, told of every path that the agent touches.
    pub watch: &'a Watch,
}

/// Builds the prompt of an iteration from the project's files and the names that a plan may use: the same state gives
/// the same bytes. Where the plan is to be updated, `update` says which parts the task concerns.
///
/// # Errors
/// What a port says.
pub async fn build_prompt<H: Host>(
    host: &H,
    registry: &Registry,
    phase: Phase,
    plan_required: bool,
    update: Option<&str>,
) -> Result<Prompt, Error> {
    prompt::build(host, registry, phase, plan_required, update).await
}

/// The paths of a project's own files, in their order and at most `limit` of them: what the agent may read and git does
/// not ignore, without the harness's folder.
///
/// # Errors
/// What a port says.
pub async fn list_files<H: Host>(host: &H, limit: usize) -> Result<Vec<String>, Error> {
    let listing = files::walk(host.project(), "", limit).await?;
    Ok(listing.files.into_keys().filter(|path| !path.starts_with(".ralph/")).collect())
}

/// Runs one iteration to its end.
///
/// # Errors
/// What the observer says: it keeps the journal. The model's failures are an [`IterationEnd`].
pub async fn run_iteration<H: Host>(
    host: &H,
    input: &IterationInput<'_>,
    observer: &impl Observer,
    abort: &Abort,
) -> Result<IterationOutcome, Error> {
    iteration::run(host, input, observer, abort).await
}
