//! One iteration of the agent: a fresh context, a loop of tool calls, a guard on every path.

mod fact;

pub use fact::{CompletionSignal, FileChangeKind, IterationEnd, IterationFact, IterationOutcome, Observer};

use crate::error::Error;
use crate::port::{Abort, Host, Phase};
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
    /// The prompt.
    pub prompt: &'a Prompt,
    /// `Plan` or `Build`.
    pub phase: Phase,
    /// In PLAN, only the agent's own `.ralph/` files may be written.
    pub plan_required: bool,
    /// How many tool calls it may make.
    pub max_tool_calls: u32,
    /// How long the model may be silent, in milliseconds.
    pub model_idle_ms: u64,
    /// Messages of the user.
    pub steering: &'a SteerQueue,
}

/// Builds the prompt of an iteration from the project's files: the same state gives the same bytes.
///
/// # Errors
/// What a port says.
pub async fn build_prompt<H: Host>(_host: &H, _phase: Phase, _plan_required: bool) -> Result<Prompt, Error> {
    Ok(Prompt { system: String::new(), user: String::new() })
}

/// Runs one iteration to its end.
///
/// # Errors
/// What the observer says: it keeps the journal. The model's failures are an [`IterationEnd`].
pub async fn run_iteration<H: Host>(
    _host: &H,
    _input: &IterationInput<'_>,
    _observer: &impl Observer,
    _abort: &Abort,
) -> Result<IterationOutcome, Error> {
    Ok(IterationOutcome { end: IterationEnd::Stopped, tool_calls: 0, files_changed: Vec::new() })
}

/// stub
pub fn check_tool_names<H: Host>(_host: &H) -> Result<(), Error> {
    Ok(())
}
