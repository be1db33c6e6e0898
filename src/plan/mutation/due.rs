//! The update that a plan owes: the plan before, the task, and what the sources show.

use super::check::check_update;
use crate::plan::diff::{Shown, shown_by_project};
use crate::plan::report::PlanReport;
use crate::plan::task_file::{self, TaskFile};
use crate::port::{FsPort, PortResult, ProjectDir};

/// Where the harness keeps the plan that the running task updates, as it was before. Without it no update is due.
pub const PLAN_BEFORE: &str = ".loopgate/plan-before.tsx";
/// Where the harness says whether a task runs.
const STATUS: &str = ".ralph/status.txt";

/// What an updated plan is held against.
#[derive(Debug, PartialEq)]
pub struct DueUpdate {
    /// The plan that the task updates, as it was at its start.
    pub before: String,
    /// What the task asks for.
    pub task: TaskFile,
    /// What the sources have of the plan before.
    pub shown: Vec<Shown>,
}

impl DueUpdate {
    /// The update of a task, with what the project's sources show.
    ///
    /// # Errors
    /// `fs`.
    pub async fn of<F: FsPort>(project: ProjectDir<'_, F>, task: TaskFile) -> PortResult<Self> {
        let before = project.read_text(PLAN_BEFORE).await?.unwrap_or_default();
        let shown = shown_by_project(project, &before).await?;
        Ok(Self { before, task, shown })
    }

    /// The update that the running task owes, as the harness's files tell it; nothing where none is due.
    ///
    /// # Errors
    /// `fs`.
    pub async fn of_project<F: FsPort>(project: ProjectDir<'_, F>) -> PortResult<Option<Self>> {
        let is_running = project.read_text(STATUS).await?.is_some_and(|status| status.trim() == "running");
        if !is_running || project.lstat(PLAN_BEFORE).await?.is_none() {
            return Ok(None);
        }
        Self::of(project, task_file::read(project).await?).await.map(Some)
    }

    /// The report of a plan's own rules, with what the update lacks.
    pub fn judge(&self, source: &str, mut report: PlanReport) -> PlanReport {
        if !report.ok {
            return report;
        }
        let update = check_update(self, source);
        report.ok = update.failures.is_empty();
        report.failures.extend(update.failures);
        report.warnings.extend(update.warnings);
        report
    }
}
