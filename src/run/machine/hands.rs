//! Whose hand changed which files of the task.

use super::Machine;
use crate::agent;
use crate::gate::may_ask_for_white_space;
use crate::ordered::Set;
use crate::run::event::ChangedBy;

/// The paths that changed since the task began, by who changed them. The notes in `.ralph/` are not among them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hands {
    /// The agent.
    pub agent: Set<String>,
    /// The harness.
    pub harness: Set<String>,
    /// The agent may have changed more: a crash cut an iteration off, or it called a tool of the IDE, which may write
    /// without having said so (`writes`).
    pub is_incomplete: bool,
}

impl Hands {
    pub(super) fn called(&mut self, tool: &str) {
        self.is_incomplete |= !agent::is_built_in(tool);
    }

    pub(super) fn changed(&mut self, path: &str, by: ChangedBy) {
        if path.starts_with(".ralph/") {
            return;
        }
        match by {
            ChangedBy::Agent => self.agent.insert(path.to_owned()),
            ChangedBy::Harness => self.harness.insert(path.to_owned()),
        };
    }
}

impl Machine {
    /// Whose hand changed which files of the task.
    pub fn hands(&self) -> &Hands {
        &self.hands
    }

    /// What the user asks for is known, and it is no change of white space.
    pub fn asks_for_more_than_white_space(&self) -> bool {
        let said = std::iter::once(self.message()).chain(self.texts.steered.iter().map(String::as_str));
        !self.message().is_empty() && !said.into_iter().any(may_ask_for_white_space)
    }
}
