//! The plan update that the running task requires: the input to check it, and a guide for it.

use super::check::check_update;
use super::placement::{Placement, meant, place, rendering};
use crate::layout::{PLAN_BEFORE, STATUS};
use crate::plan::diff::{Shown, parse_plan, shown_by_project};
use crate::plan::report::PlanReport;
use crate::plan::targets::{Kind, Target, joined, targets};
use crate::plan::task_file::{self, TaskFile, marker, preserved};
use crate::port::{PortResult, ProjectDir};

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
    pub async fn load(project: ProjectDir<'_>, task: TaskFile) -> PortResult<Self> {
        let before = project.read_text(PLAN_BEFORE).await?.unwrap_or_default();
        let shown = shown_by_project(project, &before).await?;
        Ok(Self { before, task, shown })
    }

    /// The update that the running task requires, from the harness's files; `None` if none is required.
    ///
    /// # Errors
    /// Errors of the file system.
    pub async fn of_project(project: ProjectDir<'_>) -> PortResult<Option<Self>> {
        let is_running = project.read_text(STATUS).await?.is_some_and(|status| status.trim() == "running");
        if !is_running || project.lstat(PLAN_BEFORE).await?.is_none() {
            return Ok(None);
        }
        Self::load(project, task_file::read(project).await?).await.map(Some)
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

/// One line per requirement, with its part and marker, then the sections without a requirement. Only the markers if the
/// plan does not parse.
pub fn update_guide(due: &DueUpdate) -> String {
    let DueUpdate { before, task, shown } = due;
    let tree = parse_plan(before).ok();
    let targets = tree.as_ref().map(targets).unwrap_or_default();
    let (mut lines, mut named, mut is_open) = (Vec::new(), Vec::new(), false);
    for requirement in &task.requirements {
        let placement = place(&targets, requirement, shown);
        is_open |= matches!(placement, Placement::Unknown);
        let rendering = rendering(&targets, &requirement.text, shown);
        named.extend(placement.parts().iter().chain(&rendering).map(|target| target.element));
        let line = marker(task.number, requirement.kind, &requirement.text);
        lines.push(format!("- {}: {{/* {line} */}}", placement.describe()));
    }
    for kept in &task.preserve {
        let meant = meant(&targets, kept, shown);
        if !meant.is_empty() {
            named.extend(meant.iter().map(|target| target.element));
            lines.push(format!("- {}: {{/* {} */}}", joined(meant, ", "), preserved(kept)));
        }
    }
    let is_named = |target: &&Target| {
        named.contains(&target.element) || target.screen.is_some_and(|screen| named.contains(&screen))
    };
    let sections = targets.iter().filter(|target| target.kind == Kind::Section);
    let others = joined(sections.filter(|target| !is_named(target)), ", ");
    if !others.is_empty() {
        let number = task.number;
        let which = match is_open {
            true => format!("after placing every marker above, those of {others} that have no marker"),
            false => format!("not mentioned by any requirement, {others}"),
        };
        lines.push(format!("- {which}: {{/* NO CHANGES for task-{number} */}}"));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
