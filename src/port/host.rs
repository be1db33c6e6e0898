//! All ports of a project.

use super::{
    BuildPort, ClockPort, FsPort, GatePort, GitPort, HooksPort, ModelPort, PreviewPort, PricesPort, ProjectDir,
    RecipesPort, Seen, ShellPort, StateKey, ToolPort,
};
use crate::redact::Redactor;
use async_trait::async_trait;
use std::any::Any;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The exclusive right to change the project's snapshots, and its files for one, until it is dropped.
pub struct Turn {
    /// Another caller had a turn since this host's last one.
    pub others: bool,
    /// Ends the turn when it is dropped.
    pub held: Box<dyn Any>,
}

/// A host's answer to a run that wants the project's lock.
pub enum RunLock {
    /// The run has the lock until the value is dropped. Other pages get it when this one is closed.
    Held(Box<dyn Any>),
    /// Another run has it.
    Taken,
    /// The host has no locks.
    Absent,
}

/// The locks that the pages of a project share. The defaults are for a single page without locks.
#[async_trait(?Send)]
pub trait LockPort {
    /// Waits until no other caller changes the project's snapshots.
    async fn turn(&self) -> Turn {
        Turn { others: false, held: Box::new(()) }
    }

    /// Takes the project's lock for a run, without waiting.
    async fn run_lock(&self) -> RunLock {
        RunLock::Absent
    }
}

/// The ports of a project. Only files, a folder and a clock are required.
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Host {
    pub fs: Rc<dyn FsPort>,
    /// The project's folder: absolute, without a trailing slash (empty for the root).
    pub dir: String,
    pub clock: Rc<dyn ClockPort>,
    pub locks: Rc<dyn LockPort>,
    pub git: Option<Rc<dyn GitPort>>,
    pub model: Option<Rc<dyn ModelPort>>,
    /// The models that the configuration names, by their ids.
    pub models: BTreeMap<String, Rc<dyn ModelPort>>,
    pub shell: Option<Rc<dyn ShellPort>>,
    pub build: Option<Rc<dyn BuildPort>>,
    pub preview: Option<Rc<dyn PreviewPort>>,
    pub tools: Vec<Rc<dyn ToolPort>>,
    pub gates: Vec<Rc<dyn GatePort>>,
    pub hooks: Option<Rc<dyn HooksPort>>,
    pub recipes: Option<Rc<dyn RecipesPort>>,
    /// The prices of model calls whose answers do not have a cost.
    pub prices: Option<Rc<dyn PricesPort>>,
    /// What is taken out of events, the journal, records and errors.
    pub redactor: Redactor,
    /// What [`Self::project`] remembers.
    pub seen: Seen,
    /// Seals the state of the harness. It must not be in the project.
    pub state_key: StateKey,
}

impl Host {
    /// The model with an id, or without one the main model.
    pub fn model_of(&self, id: Option<&str>) -> Option<&dyn ModelPort> {
        match id {
            Some(id) => self.models.get(id).map(Rc::as_ref),
            None => self.model.as_deref(),
        }
    }

    /// The files, by paths relative to the project.
    pub fn project(&self) -> ProjectDir<'_> {
        ProjectDir::new(&*self.fs, &self.dir).remembering(&self.seen).sealed_with(&self.state_key)
    }
}
