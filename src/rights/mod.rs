//! What a role may do in an iteration, as one value: what it reads and writes, which tools it has, and why.
//!
//! A recipe puts [`Rights`] into each brief. The guard, the offered tools, the prompts and the refusals derive from them;
//! nothing else decides what a role may do. The files beside the sources have rows of their own in [`crate::layout`].

mod reason;

use crate::path;
use crate::phase::{AgentRole, Area, Phase};

/// The tools of a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toolset {
    /// All of the built-in ones, and those of the IDE.
    Task,
    /// The same without `plan`: the work has no plan of the plan language.
    Work,
    /// Those that only read, the IDE's included.
    Read,
    /// None: the role answers in one turn.
    Nothing,
}

/// The rights of a role. It reads whatever the guard does not close.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Rights {
    pub role: AgentRole,
    pub phase: Phase,
    pub writes: Area,
    pub tools: Toolset,
    /// Its calls may move HEAD, the branch and the index.
    pub moves_git: bool,
    /// The command of the applied theme, if the role may only refine the theme.
    pub theme: Option<String>,
    /// Files and folders that the configuration closes for writing.
    pub closed: Vec<String>,
}

impl Rights {
    /// The builder of a task. In PLAN, a plan may be due. The message may ask for a commit.
    pub const fn task(phase: Phase, plan_is_due: bool) -> Self {
        let writes = match phase {
            Phase::Plan if plan_is_due => Area::TaskPlan,
            Phase::Plan | Phase::Build => Area::Project,
            Phase::Check | Phase::Review | Phase::Accept => Area::Nothing,
        };
        Self::new(AgentRole::Builder, phase, writes, Toolset::Task, true)
    }

    /// A role of a spec. Its builder may commit; its verifier runs commands, and what they change is taken back.
    pub const fn spec(role: AgentRole, phase: Phase) -> Self {
        match role {
            AgentRole::Builder => Self::new(role, phase, Area::Project, Toolset::Work, true),
            AgentRole::Planner => Self::new(role, phase, Area::SpecPlan, Toolset::Work, false),
            _ => Self::new(role, phase, Area::Nothing, Toolset::Work, false),
        }
    }

    /// The executor of a chunk. The harness commits.
    pub const fn executor() -> Self {
        Self::new(AgentRole::Builder, Phase::Build, Area::Project, Toolset::Work, false)
    }

    /// A role that only reads.
    pub const fn reader(role: AgentRole, phase: Phase) -> Self {
        Self::new(role, phase, Area::Nothing, Toolset::Read, false)
    }

    const fn new(role: AgentRole, phase: Phase, writes: Area, tools: Toolset, moves_git: bool) -> Self {
        Self { role, phase, writes, tools, moves_git, theme: None, closed: Vec::new() }
    }

    /// The same, and these files and folders are closed for writing.
    #[must_use]
    pub fn closing(self, closed: &[String]) -> Self {
        Self { closed: closed.to_vec(), ..self }
    }

    /// The same, and the theme of this command may only be refined.
    #[must_use]
    pub fn with_theme(self, theme: Option<String>) -> Self {
        Self { theme, ..self }
    }

    /// The entry of the configuration that closes a normal path for writing: a file or a folder above it, in any letter case.
    pub(crate) fn closing_entry(&self, path: &str) -> Option<&str> {
        let folded = path::fold(path).to_lowercase();
        let closes = |closed: &&String| {
            let closed = path::normalise(&format!("/{closed}"));
            let closed = path::fold(closed.trim_start_matches('/')).to_lowercase();
            folded == closed || path::is_below(&folded, &closed)
        };
        self.closed.iter().find(closes).map(String::as_str)
    }

    /// Whether the role writes nothing but a plan that is due. Tools that can change any file are then unavailable.
    pub const fn is_planning(&self) -> bool {
        matches!(self.writes, Area::TaskPlan | Area::SpecPlan)
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests;
