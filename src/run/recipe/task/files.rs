//! The `.ralph/` files of the harness: a projection of the machine for the agent and the user. During a task they are
//! never read back, so editing them has no effect. A new task reads what only they have, such as the theme, which a
//! rollback restores together with its styles.

use super::Task;
use crate::layout::{FEEDBACK, ITERATION, ORIGIN, PHASE, STATUS, SUMMARY, TASK, TASK_COUNTER, TASK_HISTORY, THEME};
use crate::port::Phase;
use crate::run::machine::Ending;
use crate::run::options::StopReason;
use crate::run::recipe::View;

/// The files in write order; empty before the task's files are decided.
pub(super) fn files(machine: &View<'_, Task>) -> Vec<(&'static str, String)> {
    let View { run, recipe, .. } = machine;
    if !recipe.has_started() {
        return Vec::new();
    }
    // The agent has only two phases.
    let phase = if recipe.working_phase() == Phase::Build { "build" } else { "plan" };
    let mut files = vec![
        (ORIGIN, recipe.texts.origin.clone()),
        (TASK, task(machine)),
        (TASK_HISTORY, recipe.texts.history.clone()),
        (TASK_COUNTER, recipe.number.to_string()),
        (ITERATION, run.iteration.to_string()),
        (PHASE, phase.to_owned()),
        (FEEDBACK, run.feedback.clone()),
        (THEME, recipe.theme.applied.clone()),
        (STATUS, status(machine).to_owned()),
    ];
    if run.iteration == 0 {
        files.push((SUMMARY, String::new()));
    }
    files
}

pub(super) fn task(machine: &View<'_, Task>) -> String {
    let mut task = machine.recipe.texts.task.clone();
    if !machine.recipe.notes.is_empty() {
        task.push_str("\n## The user's notes on the plan\n");
        machine.recipe.notes.iter().for_each(|note| task.push_str(&crate::task::quote(note)));
    }
    if !machine.run.steered.is_empty() {
        task.push_str("\n## Added by the user while the task ran\n");
        machine.run.steered.iter().for_each(|message| task.push_str(&crate::task::quote(message)));
    }
    task
}

fn status(machine: &View<'_, Task>) -> &'static str {
    match (machine.phase(), machine.ending()) {
        (Phase::Accept, _) => "complete",
        (_, Some(Ending::Stopped(StopReason::Waiting | StopReason::Aborted, _))) => "waiting",
        (_, Some(Ending::Stopped(..))) => "failed",
        _ => "running",
    }
}
