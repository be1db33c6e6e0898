//! All ports of a project, as one type parameter.

use super::{
    BuildPort, ClockPort, FsPort, GatePort, GitPort, HooksPort, ModelPort, PreviewPort, PricesPort, ProjectDir,
    RecipesPort, Seen, ShellPort, StateKey, ToolPort,
};
use crate::redact::{Redactor, SHAPES_ONLY};
use std::any::Any;

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

/// The ports of a project. Only files, a folder and a clock are required.
#[expect(missing_docs, reason = "where a name says it all")]
pub trait Host {
    type Fs: FsPort;
    type Git: GitPort;
    type Model: ModelPort;
    type Shell: ShellPort;
    type Build: BuildPort;
    type Preview: PreviewPort;
    type Clock: ClockPort;
    type Tool: ToolPort;
    type Gate: GatePort;
    type Hooks: HooksPort;
    type Recipes: RecipesPort;

    fn fs(&self) -> &Self::Fs;
    /// The project's folder: absolute, without a trailing slash (empty for the root).
    fn dir(&self) -> &str;
    fn clock(&self) -> &Self::Clock;
    /// What [`Self::project`] remembers.
    fn seen(&self) -> &Seen;
    /// Seals the state of the harness. It must not be in the project.
    fn state_key(&self) -> &StateKey;
    fn git(&self) -> Option<&Self::Git>;
    fn model(&self) -> Option<&Self::Model>;
    /// A model by the id that the configuration has for it.
    fn named_model(&self, id: &str) -> Option<&Self::Model>;
    /// The model with an id, or without one the main model.
    fn model_of(&self, id: Option<&str>) -> Option<&Self::Model> {
        match id {
            Some(id) => self.named_model(id),
            None => self.model(),
        }
    }
    fn shell(&self) -> Option<&Self::Shell>;
    fn build(&self) -> Option<&Self::Build>;
    fn preview(&self) -> Option<&Self::Preview>;
    fn tools(&self) -> &[Self::Tool];
    fn gates(&self) -> &[Self::Gate];
    fn hooks(&self) -> Option<&Self::Hooks>;
    fn recipes(&self) -> Option<&Self::Recipes>;

    /// The prices of model calls whose answers do not have a cost.
    fn prices(&self) -> Option<&dyn PricesPort> {
        None
    }

    /// What is taken out of events, the journal, records and errors.
    fn redactor(&self) -> &Redactor {
        &SHAPES_ONLY
    }

    /// Waits until no other caller changes the project's snapshots. The default is for a single caller.
    async fn turn(&self) -> Turn {
        Turn { others: false, held: Box::new(()) }
    }

    /// Takes the project's lock for a run, without waiting.
    async fn run_lock(&self) -> RunLock {
        RunLock::Absent
    }

    /// The files, by paths relative to the project.
    fn project(&self) -> ProjectDir<'_, Self::Fs> {
        ProjectDir::new(self.fs(), self.dir()).remembering(self.seen()).sealed_with(self.state_key())
    }
}

#[cfg(any(test, feature = "testing", target_family = "wasm"))]
/// The getters of [`Host`] for a type that has a field for each port.
macro_rules! ports_from_fields {
    () => {
        fn fs(&self) -> &Self::Fs {
            &self.fs
        }
        fn clock(&self) -> &Self::Clock {
            &self.clock
        }
        fn seen(&self) -> &crate::port::Seen {
            &self.seen
        }
        fn git(&self) -> Option<&Self::Git> {
            self.git.as_ref()
        }
        fn model(&self) -> Option<&Self::Model> {
            self.model.as_ref()
        }
        fn named_model(&self, id: &str) -> Option<&Self::Model> {
            self.models.get(id)
        }
        fn shell(&self) -> Option<&Self::Shell> {
            self.shell.as_ref()
        }
        fn build(&self) -> Option<&Self::Build> {
            self.build.as_ref()
        }
        fn preview(&self) -> Option<&Self::Preview> {
            self.preview.as_ref()
        }
        fn hooks(&self) -> Option<&Self::Hooks> {
            self.hooks.as_ref()
        }
        fn recipes(&self) -> Option<&Self::Recipes> {
            self.recipes.as_ref()
        }
        fn tools(&self) -> &[Self::Tool] {
            &self.tools
        }
        fn gates(&self) -> &[Self::Gate] {
            &self.gates
        }
    };
}
#[cfg(any(test, feature = "testing", target_family = "wasm"))]
pub(crate) use ports_from_fields;
