//! The update that a plan owes: the plan before, the task, and what the sources show.

use super::check::check_update;
use crate::layout::{PLAN_BEFORE, STATUS};
use crate::plan::diff::{Shown, shown_by_project};
use crate::plan::report::PlanReport;
use crate::plan::task_file::{self, TaskFile};
use crate::port::{FsPort, PortResult, ProjectDir};

/// The input for the check of an updated plan.
#[derive(Debug, PartialEq)]
pub struct DueUpdate {
    /// The plan at the task's start.
    pub before: String,
    /// The requirements of the task.
    pub task: TaskFile,
    /// The sections of the plan before that are in the sources.
    pub shown: Vec<Shown>,
}

impl DueUpdate {
    /// The update of a task, with the sections in the project's sources.
    ///
    /// # Errors
    /// `fs`.
    pub async fn of<F: FsPort>(project: ProjectDir<'_, F>, task: TaskFile) -> PortResult<Self> {
        let before = project.read_text(PLAN_BEFORE).await?.unwrap_or_default();
        let shown = shown_by_project(project, &before).await?;
        Ok(Self { before, task, shown })
    }

    /// The due update of the running task, from the harness's files; `None` if none is due.
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

    /// The report of the plan's rules, with the missing parts of the update.
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
