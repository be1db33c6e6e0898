//! Which files the agent and the harness changed in the task.

use super::Machine;
use crate::agent;
use crate::gate::may_ask_for_white_space;
use crate::layout::is_task_file;
use crate::run::event::ChangedBy;
use std::collections::BTreeSet;

/// The changed paths of the task, by author; without the notes in `.ralph/`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Authorship {
    pub agent: BTreeSet<String>,
    pub harness: BTreeSet<String>,
    /// The paths of the agent may be incomplete: a crash ended an iteration, or the agent called a tool of the IDE, which may
    /// write without declaring it (`writes`).
    pub is_incomplete: bool,
}

impl Authorship {
    pub(super) fn called(&mut self, tool: &str) {
        self.is_incomplete |= !agent::is_built_in(tool);
    }

    pub(super) fn changed(&mut self, path: &str, by: ChangedBy) {
        if is_task_file(path) {
            return;
        }
        match by {
            ChangedBy::Agent => self.agent.insert(path.to_owned()),
            ChangedBy::Harness => self.harness.insert(path.to_owned()),
        };
    }
}

impl Machine {
    /// The changed paths of the task, by author.
    pub fn authorship(&self) -> &Authorship {
        &self.authorship
    }

    /// What the user asks for is known, and it is no change of white space.
    pub fn asks_for_more_than_white_space(&self) -> bool {
        let said = std::iter::once(self.message()).chain(self.texts.steered.iter().map(String::as_str));
        !self.message().is_empty() && !said.into_iter().any(may_ask_for_white_space)
    }
}
