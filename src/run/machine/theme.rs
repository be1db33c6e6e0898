//! What a run knows of the project's theme.

use super::Machine;
use crate::plan::ThemeContext;

/// The theme, by the commands that apply it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Theme {
    /// Of the theme that the project has; empty where it has none, or where that is not sure.
    applied: String,
    /// Of the one whose command began and did not end.
    started: Option<String>,
    /// The plan of this task has its theme: the agent may set no other.
    is_locked: bool,
    /// Of the one that the project had before the task.
    before: String,
}

impl Theme {
    pub(super) fn of_project(applied: &str) -> Self {
        Self { applied: applied.to_owned(), before: applied.to_owned(), ..Self::default() }
    }

    pub(super) fn started(&mut self, command: &str) {
        let before = std::mem::take(&mut self.before);
        *self = Self { started: Some(command.to_owned()), before, ..Self::default() };
    }

    /// The project is again as it was before the task.
    pub(super) fn restored(&mut self) {
        *self = Self::of_project(&self.before);
    }

    pub(super) fn resolved(&mut self, theme: &ThemeContext) {
        self.is_locked = theme.applied;
        self.started = None;
        if theme.applied {
            self.applied.clone_from(&theme.command);
        }
    }
}

impl Machine {
    /// The command of the theme that the project has; empty where it has none, or where that is not sure.
    pub fn applied_theme(&self) -> &str {
        &self.theme.applied
    }

    /// The theme command that began in this run and of which no end is known.
    pub fn started_theme(&self) -> Option<&str> {
        self.theme.started.as_deref()
    }

    /// The command of the theme that the agent may only refine, from the moment that the plan's theme is there.
    pub fn locked_theme(&self) -> Option<&str> {
        self.theme.is_locked.then_some(self.theme.applied.as_str())
    }
}
