//! What a task knows of the project's theme.

use super::Task;
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
    /// The command of the theme that the task must keep; empty for styles that did not come from a plan.
    kept: Option<String>,
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

    /// The project is again as it was before the task.
    pub(super) fn restored(&mut self) {
        *self = Self::of_project(&self.before, self.kept.as_deref());
    }

    pub(super) fn resolved(&mut self, theme: &ThemeContext) {
        self.is_locked = theme.applied;
        self.started = None;
        if theme.applied {
            self.applied.clone_from(&theme.command);
        }
    }
}

impl Task {
    /// The command of the theme that the project has; empty where it has none, or where that is not sure.
    pub(super) fn applied_theme(&self) -> &str {
        &self.theme.applied
    }

    /// Whether the task keeps the project's theme although its plan has this command: the plan before the task had the same,
    /// or the project has its own styles. `false` after the task set another theme.
    pub(super) fn keeps_theme(&self, command: &str) -> bool {
        let Theme { applied, before, started, kept, .. } = &self.theme;
        let is_untouched = started.is_none() && (applied == before || applied == command);
        is_untouched && kept.as_deref().is_some_and(|kept| kept.is_empty() || kept == command)
    }

    /// Whether the project has styles that did not come from a plan.
    pub(super) fn has_own_styles(&self) -> bool {
        self.theme.kept.as_deref() == Some("")
    }

    /// The theme command that began in this run and of which no end is known.
    pub(super) fn started_theme(&self) -> Option<&str> {
        self.theme.started.as_deref()
    }

    /// The command of the theme that the agent may only refine, from the moment that the plan's theme is there.
    pub(super) fn locked_theme(&self) -> Option<&str> {
        self.theme.is_locked.then_some(self.theme.applied.as_str())
    }
}
