//! `plan validate | diff | show | update | lint-config` (`seeds/003 §6`): one command, for the agent's tool and for an
//! IDE's shell.

mod edit;
mod lint_config;
mod show;
mod update;

use super::diff::{self, read_plan};
use super::mutation::DueUpdate;
use super::task_file;
use super::{DiffStatus, PlanReport, Registry, diagnose, diff_project};
use crate::error::{Error, ErrorCode};
use crate::layout::{PLAN, PLAN_DIFF};
use crate::nearest::nearest;
use crate::port::{FsPort, ProjectDir};
use serde::Serialize;

pub(super) use update::Known;
#[cfg(test)]
pub(crate) use update::update;

/// What the command does.
pub const ACTIONS: [&str; 5] = ["validate", "diff", "show", "update", "lint-config"];

/// What a command prints, as a shell wants it, and what it asks to be written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct PlanAnswer {
    /// 0: done, or done in part with the rest in the output; 1: failed; 2: wrong usage.
    pub exit_code: u32,
    /// What it found or did.
    pub stdout: String,
    /// What is wrong, and what to do.
    pub stderr: String,
    /// A file of the agent's, and its new text. Whoever calls writes it, under its own rules.
    #[serde(skip)]
    pub write: Option<(&'static str, String)>,
}

/// Runs the command with the words behind its name. It writes `.ralph/plan-diff.md` itself, as the harness; all else is
/// in [`PlanAnswer::write`].
///
/// # Errors
/// `fs`. A plan that is missing or wrong is an answer.
pub async fn plan_command<F: FsPort>(
    project: ProjectDir<'_, F>,
    registry: &Registry,
    args: &[String],
) -> Result<PlanAnswer, Error> {
    match run(project, registry, args).await {
        Err(error) if matches!(error.code, ErrorCode::NotFound | ErrorCode::InvalidArgument) => {
            Ok(PlanAnswer::refused(1, error.message.clone()))
        }
        answer => answer,
    }
}

async fn run<F: FsPort>(project: ProjectDir<'_, F>, registry: &Registry, args: &[String]) -> Result<PlanAnswer, Error> {
    let (action, rest) = match args.split_first() {
        Some((action, rest)) => (action.as_str(), rest),
        None => ("", args),
    };
    if !ACTIONS.contains(&action) {
        return Ok(PlanAnswer::refused(2, usage(action)));
    }
    if action != "update" && !rest.is_empty() {
        return Ok(PlanAnswer::refused(2, format!("`plan {action}` takes no more words; {}", usage(""))));
    }
    match action {
        "diff" => Ok(compared(&diff_project(project).await?)),
        "validate" => {
            let (plan, task) = (read_plan(project).await?, task_file::number(project).await?);
            let report = diagnose(&plan, registry, task);
            // The due update of the running task.
            let due = DueUpdate::of_project(project).await?;
            Ok(validated(&due.map_or_else(|| report.clone(), |due| due.judge(&plan, report.clone()))))
        }
        "show" => show::show(&read_plan(project).await?),
        "lint-config" => lint_config::lint_config(&read_plan(project).await?),
        _ => {
            let (plan, task) = (read_plan(project).await?, task_file::read(project).await?);
            let shown = diff::shown_by_project(project, &plan).await?;
            update::update(&plan, &task, &Known { registry, shown: &shown }, rest)
        }
    }
}

impl PlanAnswer {
    fn done(stdout: String) -> Self {
        Self { stdout: ended(stdout), ..Self::default() }
    }

    fn refused(exit_code: u32, stderr: String) -> Self {
        Self { exit_code, stderr: ended(stderr), ..Self::default() }
    }
}

/// With the end of a line at its end.
fn ended(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn usage(action: &str) -> String {
    let near = nearest(action, ACTIONS);
    let start = match (action.is_empty(), near.as_slice()) {
        (true, _) => String::new(),
        (false, []) => format!("there is no `plan {action}`; "),
        (false, near) => format!("there is no `plan {action}`, did you mean {}? ", near.join(" or ")),
    };
    format!(
        "{start}usage: plan {}; plan update <section> <ADD|MODIFY|FIX|REMOVE> <what> marks one section",
        ACTIONS.join(" | ")
    )
}

fn validated(report: &PlanReport) -> PlanAnswer {
    let failures = report.failures.iter().map(|failure| format!("FAIL [{}]: {}\n", failure.id, failure.message));
    let warnings = report.warnings.iter().map(|warning| format!("WARN [{}]: {}\n", warning.id, warning.message));
    let found = failures.chain(warnings).collect::<String>();
    if report.ok {
        return PlanAnswer::done(format!("{PLAN} is valid.\n{found}"));
    }
    PlanAnswer::refused(1, format!("{PLAN} is not valid.\n{found}"))
}

fn compared(compared: &super::PlanDiff) -> PlanAnswer {
    let open = compared.entries.iter().filter(|entry| entry.status != DiffStatus::Implemented);
    let lines: String =
        open.map(|entry| format!("- {}: {}\n", diff::status(entry.status), diff::line(entry))).collect();
    PlanAnswer::done(format!("{}\n{lines}The whole report is in {PLAN_DIFF}.", diff::summary(&compared.entries)))
}

#[cfg(test)]
mod tests;
