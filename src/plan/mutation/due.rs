//! The plan update that the running task requires, with the input to check it.

use super::check::check_update;
use crate::layout::{PLAN_BEFORE, STATUS};
use crate::plan::diff::{Shown, shown_by_project};
use crate::plan::report::PlanReport;
use crate::plan::task_file::{self, TaskFile};
use crate::port::{FsPort, PortResult, ProjectDir};

/// The input to check an updated plan.
#[derive(Debug, PartialEq)]
pub struct DueUpdate {
    /// The plan at the start of the task.
    pub before: String,
    /// What the task asks for.
    pub task: TaskFile,
    /// The sections of that plan that are in the sources.
    pub shown: Vec<Shown>,
}

impl DueUpdate {
    /// The update for a task, with the sections found in the project's sources.
    ///
    /// # Errors
    /// Errors of the file system.
    pub async fn of<F: FsPort>(project: ProjectDir<'_, F>, task: TaskFile) -> PortResult<Self> {
        let before = project.read_text(PLAN_BEFORE).await?.unwrap_or_default();
        let shown = shown_by_project(project, &before).await?;
        Ok(Self { before, task, shown })
    }

    /// The update that the running task requires, from the harness's files; `None` if none is required.
    ///
    /// # Errors
    /// Errors of the file system.
    pub async fn of_project<F: FsPort>(project: ProjectDir<'_, F>) -> PortResult<Option<Self>> {
        let is_running = project.read_text(STATUS).await?.is_some_and(|status| status.trim() == "running");
        if !is_running || project.lstat(PLAN_BEFORE).await?.is_none() {
            return Ok(None);
        }
        Self::of(project, task_file::read(project).await?).await.map(Some)
    }

    /// Adds the findings about the update to the report of a valid plan.
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
