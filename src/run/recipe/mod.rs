//! Recipes: what differs between kinds of runs. A recipe is a folder with its facts, its commands, what it decides and
//! how its commands are performed; everything else is shared.

pub(super) mod task;
#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

use super::event::Event;
use super::limits::Limits;
use super::machine::{Machine, RunState};
use super::options::RunOptions;
use super::perform::Performed;
use super::session::Session;
use crate::agent::{Paid, Prompt};
use crate::error::Error;
use crate::gate::{GateTask, TaskFacts};
use crate::port::{Abort, AgentRole, Host, Phase};
use crate::snapshot::Evidence;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A recipe's part of the machine, and how its commands are performed. The default is the state before its first fact.
pub(crate) trait Recipe: Clone + Debug + PartialEq + Default {
    /// The facts of this recipe alone. Each is durable before the run continues.
    type Fact: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// The commands of this recipe alone.
    type Command: Clone + Debug + PartialEq;

    /// Whether an event can follow, where the recipe decides what comes next. `is_new` is true before the first fact,
    /// which is the recipe's.
    fn expects(&self, event: &Event<Self::Fact>, is_new: bool) -> bool;

    /// Folds an event that the shared part of the machine has folded already.
    fn fold(&mut self, event: &Event<Self::Fact>, run: &mut RunState);

    /// What comes next.
    fn next(&self, run: &RunState) -> Next<Self::Command>;

    /// The name of the present step, for errors.
    fn step(&self) -> impl Debug;

    /// The phase while this command of the recipe is due, or none is.
    fn phase(&self, command: Option<&Self::Command>) -> Phase;

    /// Why this fact changed the phase.
    fn why(fact: &Self::Fact) -> &'static str;

    /// The message of the snapshot of an iteration.
    fn iteration_message(&self, iteration: u32) -> String;

    /// What is not done, for a run whose iterations are used up.
    fn unfinished(&self, run: &RunState) -> String;

    /// The harness's files with the text that each must have; none before they are decided.
    fn files(&self, machine: &Machine<Self>) -> Vec<(&'static str, String)>;

    /// The first fact of a new run, and what it cost to find. Nothing of the project changes.
    async fn start<H: Host>(
        host: &H,
        options: &RunOptions,
        limits: &Limits,
        abort: &Abort,
    ) -> Result<(Self::Fact, Vec<Paid>), Error>;

    /// What the next iteration starts from.
    async fn brief<H: Host>(session: &Session<'_, H, Self>) -> Result<Brief, Error>;

    /// What the project is after an iteration that changed these files.
    async fn after_iteration<H: Host>(
        session: &Session<'_, H, Self>,
        changed: &[String],
    ) -> Result<AfterIteration, Error>;

    /// What the gates judge beside the present files.
    async fn gate_facts<H: Host>(
        session: &Session<'_, H, Self>,
        present: &Evidence,
    ) -> Result<(GateTask, TaskFacts), Error>;

    /// Performs a command. A command that left no fact is asked for again, so each starts by finishing or undoing what it
    /// finds half done.
    async fn perform<H: Host>(
        session: &Session<'_, H, Self>,
        command: Self::Command,
    ) -> Result<Performed<Self::Fact>, Error>;
}

/// What a recipe asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Next<C> {
    /// The agent works once, unless a limit ends the run.
    Iterate,
    /// The gates judge.
    Judge,
    Command(C),
}

/// The role of the agent in an iteration.
pub(crate) struct Brief {
    pub role: AgentRole,
    pub prompt: Prompt,
    /// The phase by which the guard decides.
    pub phase: Phase,
    /// In PLAN, only the agent's own `.ralph/` files may be written.
    pub plan_required: bool,
    /// The command of the theme that the agent may only refine.
    pub locked_theme: Option<String>,
}

/// The fields of `iteration-finished` that a recipe finds.
pub(crate) struct AfterIteration {
    pub worked: bool,
    pub plan: Option<String>,
    pub tree: String,
}
