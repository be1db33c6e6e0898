//! All ports of a project, as one type parameter.

use super::{
    BuildPort, ClockPort, FsPort, GatePort, GitPort, HooksPort, ModelPort, PreviewPort, PricesPort, ProjectDir,
    RecipesPort, ShellPort, ToolPort,
};
use std::any::Any;

/// The exclusive right to change the project's snapshots, and its files for one, until it is dropped.
pub struct Turn {
    /// Another caller had a turn since this host's last one.
    pub others: bool,
    /// Ends the turn when it is dropped.
    pub held: Box<dyn Any>,
}

/// The ports of a project. Only files, a folder and a clock are required.
pub trait Host {
    /// Files.
    type Fs: FsPort;
    /// Git.
    type Git: GitPort;
    /// Model.
    type Model: ModelPort;
    /// Shell.
    type Shell: ShellPort;
    /// Build.
    type Build: BuildPort;
    /// Preview.
    type Preview: PreviewPort;
    /// Time.
    type Clock: ClockPort;
    /// The IDE's tools.
    type Tool: ToolPort;
    /// The IDE's gates.
    type Gate: GatePort;
    /// The IDE's hooks.
    type Hooks: HooksPort;
    /// The IDE's recipes.
    type Recipes: RecipesPort;

    /// The files.
    fn fs(&self) -> &Self::Fs;
    /// The project's folder: absolute, without a trailing slash (empty for the root).
    fn dir(&self) -> &str;
    /// The clock.
    fn clock(&self) -> &Self::Clock;
    /// The repository, if there is one.
    fn git(&self) -> Option<&Self::Git>;
    /// The model.
    fn model(&self) -> Option<&Self::Model>;
    /// The shell.
    fn shell(&self) -> Option<&Self::Shell>;
    /// The bundler.
    fn build(&self) -> Option<&Self::Build>;
    /// The preview.
    fn preview(&self) -> Option<&Self::Preview>;
    /// The IDE's tools.
    fn tools(&self) -> &[Self::Tool];
    /// The IDE's gates.
    fn gates(&self) -> &[Self::Gate];
    /// The IDE's hooks.
    fn hooks(&self) -> Option<&Self::Hooks>;
    /// The IDE's recipes.
    fn recipes(&self) -> Option<&Self::Recipes>;

    /// The prices of model calls whose answers do not have a cost.
    fn prices(&self) -> Option<&dyn PricesPort> {
        None
    }

    /// Waits until no other caller changes the project's snapshots. The default is for a single caller.
    async fn turn(&self) -> Turn {
        Turn { others: false, held: Box::new(()) }
    }

    /// The files, by paths relative to the project.
    fn project(&self) -> ProjectDir<'_, Self::Fs> {
        ProjectDir::new(self.fs(), self.dir())
    }
}
