//! `plan validate | diff | show | update | lint-config`: one command, for the agent's tool and for an IDE's shell.

mod edit;
mod show;
mod update;

use super::diff::{self, read_plan};
use super::mutation::DueUpdate;
use super::task_file;
use super::{Diagnostic, DiffStatus, PlanDiff, PlanReport, Registry, diff_project, validate};
use crate::error::{Error, ErrorCode};
use crate::layout::{PLAN, PLAN_DIFF};
use crate::nearest::nearest;
use crate::port::ProjectDir;
use serde::Serialize;

pub(super) use update::Known;
#[cfg(test)]
pub(crate) use update::update;

/// The subcommands.
pub const ACTIONS: [&str; 5] = ["validate", "diff", "show", "update", "lint-config"];

/// The output of the command, and the file that the caller must write.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct PlanAnswer {
    /// 0: success, also if only a part was done and the output lists the rest; 1: failure; 2: wrong usage.
    pub exit_code: u32,
    /// The result.
    pub stdout: String,
    /// What is wrong and what to do.
    pub stderr: String,
    /// A file and its new text. The caller writes it, with the agent's permissions.
    #[serde(skip)]
    pub write: Option<(&'static str, String)>,
}

/// Runs the command with the arguments after its name. It writes `.ralph/plan-diff.md` itself; other files are in
/// [`PlanAnswer::write`].
///
/// # Errors
/// Errors of the file system. A missing or invalid plan is an answer, not an error.
pub async fn plan_command(project: ProjectDir<'_>, registry: &Registry, args: &[String]) -> Result<PlanAnswer, Error> {
    match run(project, registry, args).await {
        Err(error) if matches!(error.code, ErrorCode::NotFound | ErrorCode::InvalidArgument) => {
            Ok(PlanAnswer::refused(1, error.message.clone()))
        }
        answer => answer,
    }
}

async fn run(project: ProjectDir<'_>, registry: &Registry, args: &[String]) -> Result<PlanAnswer, Error> {
    let (action, rest) = args.split_first().map_or(("", args), |(action, rest)| (action.as_str(), rest));
    if !ACTIONS.contains(&action) {
        return Ok(PlanAnswer::refused(2, usage(action)));
    }
    if action != "update" && !rest.is_empty() {
        return Ok(PlanAnswer::refused(2, format!("`plan {action}` takes no arguments; {}", usage(""))));
    }
    match action {
        "diff" => Ok(compared(&diff_project(project).await?)),
        "validate" => {
            let (plan, task) = (read_plan(project).await?, task_file::number(project).await?);
            let report = validate(&plan, registry, task);
            // Includes the plan update that the running task requires.
            Ok(validated(&match DueUpdate::of_project(project).await? {
                Some(due) => due.judge(&plan, report),
                None => report,
            }))
        }
        "show" => show::show(&read_plan(project).await?),
        "lint-config" => show::lint_config(&read_plan(project).await?),
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

/// The text with a final line break.
fn ended(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn usage(action: &str) -> String {
    let start = match nearest(action, ACTIONS).as_slice() {
        _ if action.is_empty() => String::new(),
        [] => format!("unknown command `plan {action}`; "),
        near => format!("unknown command `plan {action}`, did you mean {}? ", near.join(" or ")),
    };
    format!(
        "{start}usage: plan {}; plan update <section> <ADD|MODIFY|FIX|REMOVE> <what> marks one section",
        ACTIONS.join(" | ")
    )
}

fn validated(report: &PlanReport) -> PlanAnswer {
    let lines = |kind: &str, found: &[Diagnostic]| -> String {
        found.iter().map(|finding| format!("{kind} [{}]: {}\n", finding.id, finding.message)).collect()
    };
    let found = lines("FAIL", &report.failures) + &lines("WARN", &report.warnings);
    match report.ok {
        true => PlanAnswer::done(format!("{PLAN} is valid.\n{found}")),
        false => PlanAnswer::refused(1, format!("{PLAN} is not valid.\n{found}")),
    }
}

fn compared(compared: &PlanDiff) -> PlanAnswer {
    let open = compared.entries.iter().filter(|entry| entry.status != DiffStatus::Implemented);
    let lines: String =
        open.map(|entry| format!("- {}: {}\n", diff::status(entry.status), diff::line(entry))).collect();
    PlanAnswer::done(format!("{}\n{lines}{PLAN_DIFF} has the complete report.", diff::summary(&compared.entries)))
}

#[cfg(test)]
mod tests;
