//! Recipes: what differs between kinds of runs. A recipe is a folder with its facts, its commands, its decisions, and
//! the code that performs its commands.

pub(super) mod chunks;
pub(super) mod spec;
pub(super) mod task;
#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

use super::event::{ChangedBy, Event};
use super::limits::Limits;
use super::machine::{Machine, RunState};
use super::options::RunOptions;
use super::ownership;
use super::perform::Performed;
use super::session::Session;
use crate::agent::{AnswerShape, Paid, Policy, Prompt};
use crate::config::Settings;
use crate::error::{Error, ErrorCode};
use crate::gate::TaskFacts;
use crate::ledger::Write;
use crate::port::{Abort, AgentRole, FsPort, Host, Phase, ProjectDir};
use crate::snapshot::Evidence;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A recipe's part of the machine. The default is the state before its first fact.
pub(crate) trait Recipe: Clone + Debug + PartialEq + Default {
    /// The facts of this recipe only. Each is durable before the run continues.
    type Fact: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// The commands of this recipe only.
    type Command: Clone + Debug + PartialEq;

    /// The limit of iterations if the caller sets none; `None` if the recipe has other limits.
    const MAX_ITERATIONS: Option<u32>;

    /// Whether an event can follow while the recipe decides what comes next. `is_new` is true before the first fact,
    /// which is the recipe's.
    fn expects(&self, event: &Event<Self::Fact>, is_new: bool) -> bool;

    /// Folds an event. The shared part of the machine has folded it before.
    fn fold(&mut self, event: &Event<Self::Fact>, run: &mut RunState);

    fn next(&self, run: &RunState) -> Next<Self::Command>;

    /// The name of the current step, for errors.
    fn step(&self) -> impl Debug;

    /// The phase during this command of the recipe, or without one.
    fn phase(&self, command: Option<&Self::Command>) -> Phase;

    /// The reason for the phase change after this fact.
    fn why(fact: &Self::Fact) -> &'static str;

    /// The message of an iteration's snapshot.
    fn iteration_message(&self, iteration: u32) -> String;

    /// What is not done when the iterations are used up.
    fn unfinished(&self, run: &RunState) -> String;

    /// The harness's files with their expected texts; empty before they are decided.
    fn files(&self, machine: &Machine<Self>) -> Vec<(&'static str, String)>;
}

/// The code that performs a recipe's commands through the ports.
pub(crate) trait Effects: Recipe {
    /// The first fact of a new run, and the cost of its model calls. Changes nothing in the project.
    async fn start<H: Host>(
        host: &H,
        options: &RunOptions,
        settings: &Settings,
        limits: &Limits,
        abort: &Abort,
    ) -> Result<(Self::Fact, Vec<Paid>), Error>;

    /// The agent's role in the next iteration.
    async fn brief<H: Host>(session: &Session<'_, H, Self>) -> Result<Brief, Error>;

    /// The recipe's fields of `iteration-finished`, after an iteration that changed these files.
    async fn after_iteration<H: Host>(
        session: &Session<'_, H, Self>,
        changed: &[String],
    ) -> Result<AfterIteration, Error>;

    /// The gates' input besides the current files.
    async fn gate_facts<H: Host>(session: &Session<'_, H, Self>, present: &Evidence) -> Result<TaskFacts, Error>;

    /// Performs a command. A command that left no fact is performed again, so each one first completes or undoes
    /// partial work.
    async fn perform<H: Host>(
        session: &Session<'_, H, Self>,
        command: Self::Command,
    ) -> Result<Performed<Self::Fact>, Error>;

    /// Called first in a resumed run, before anything changes.
    ///
    /// # Errors
    /// `conflict` if the run cannot go on, with what to do.
    async fn resume<H: Host>(_: &Session<'_, H, Self>) -> Result<(), Error> {
        Ok(())
    }

    /// The page was closed during a call, which made these changes. They are recorded, unless the recipe takes them back.
    async fn interrupted<H: Host>(
        session: &Session<'_, H, Self>,
        by: ChangedBy,
        changes: Vec<Write>,
    ) -> Result<(), Error> {
        ownership::record_all(session, by, changes).await
    }

    /// Called before the end of the run is written. A call that a crash interrupts is repeated.
    async fn close<H: Host>(_: &Session<'_, H, Self>) -> Result<(), Error> {
        Ok(())
    }
}

/// What a recipe does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Next<C> {
    /// Run an iteration, unless a limit ends the run.
    Iterate,
    /// Run the gates.
    Judge,
    /// Wait this many milliseconds.
    Wait(u64),
    Command(C),
}

/// The role of the agent in an iteration.
pub(crate) struct Brief {
    pub role: AgentRole,
    /// The id of the model; `None` for the host's main model.
    pub model: Option<String>,
    /// Only tools that change nothing are offered.
    pub reads_only: bool,
    pub prompt: Prompt,
    pub policy: Policy,
    /// Files and folders that the configuration closes for writing.
    pub closed: Vec<String>,
    /// The calls of the agent may not move HEAD, the branch and the index.
    pub keeps_git: bool,
    /// The command of the theme that the agent may only refine.
    pub locked_theme: Option<String>,
    /// What the agent answers when it completes; `None` if it has nothing to answer.
    pub answer: Option<AnswerShape>,
}

/// The recipe's fields of `iteration-finished`.
pub(crate) struct AfterIteration {
    pub worked: bool,
    pub plan: Option<String>,
    pub tree: String,
}

/// Writes a file of JSON for readers.
async fn write_json<F: FsPort, T: Serialize>(project: ProjectDir<'_, F>, path: &str, value: &T) -> Result<(), Error> {
    Ok(project.write(path, json_text(path, value)?).await?)
}

fn json_text<T: Serialize>(path: &str, value: &T) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Error::new(ErrorCode::Internal, format!("{path} cannot be written as JSON: {error}")))?;
    Ok(text + "\n")
}
