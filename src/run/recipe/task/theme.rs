//! The state of the project's theme in a task.

use super::Task;
use crate::plan::ThemeContext;
use serde::{Deserialize, Serialize};

/// Themes are identified by the command that applies them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Theme {
    /// The project's theme; empty if there is none or it is unknown.
    pub(super) applied: String,
    /// The theme whose command started in this run and has no recorded end.
    pub(super) started: Option<String>,
    /// As `started`, and the page was closed or failed since.
    pub(super) interrupted: Option<String>,
    /// The theme of this task's plan is applied; the agent may not set another one.
    is_locked: bool,
    /// The project's theme before the task.
    before: String,
    /// The theme that the task must keep; empty for styles that did not come from a plan.
    pub(super) kept: Option<String>,
}

impl Theme {
    pub(super) fn of_project(applied: &str, kept: Option<&str>) -> Self {
        let kept = kept.map(str::to_owned);
        Self { applied: applied.to_owned(), before: applied.to_owned(), kept, ..Self::default() }
    }

    pub(super) fn started(&mut self, command: &str) {
        let before = std::mem::take(&mut self.before);
        let kept = self.kept.take();
        *self = Self { started: Some(command.to_owned()), before, kept, ..Self::default() };
    }

    /// The project was restored to the state before the task.
    pub(super) fn restored(&mut self) {
        *self = Self::of_project(&self.before, self.kept.as_deref());
    }

    /// In another page, the state of the command is unknown.
    pub(super) fn resumed(&mut self) {
        self.interrupted.clone_from(&self.started);
    }

    pub(super) fn resolved(&mut self, theme: &ThemeContext) {
        self.is_locked = theme.applied;
        (self.started, self.interrupted) = (None, None);
        if theme.applied {
            self.applied.clone_from(&theme.command);
        }
    }
}

impl Task {
    /// Whether the task keeps the project's theme although its plan has this command: the previous plan had the same
    /// command, or the project has its own styles. `false` once the task set another theme.
    pub(super) fn keeps_theme(&self, command: &str) -> bool {
        let Theme { applied, before, started, kept, .. } = &self.theme;
        let is_untouched = started.is_none() && (applied == before || applied == command);
        is_untouched && kept.as_deref().is_some_and(|kept| kept.is_empty() || kept == command)
    }

    /// The theme command that the agent may only refine, once the plan's theme is applied.
    pub(super) fn locked_theme(&self) -> Option<&str> {
        self.theme.is_locked.then_some(self.theme.applied.as_str())
    }
}
