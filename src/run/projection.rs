//! The `.ralph/` files that the harness keeps: a projection of the machine for the agent and the user. While a
//! task runs, nothing is read back from them, so that editing them changes nothing. What a task starts from is read
//! from them where only they can tell it, as the theme, which a rollback takes back together with its styles.

use super::command::Ending;
use super::machine::Machine;
use super::result::StopReason;
use crate::layout::{FEEDBACK, ITERATION, ORIGIN, PHASE, STATUS, SUMMARY, TASK, TASK_COUNTER, TASK_HISTORY, THEME};
use crate::port::Phase;

/// A file and what it must hold.
pub(super) type Projected = (&'static str, String);

/// The files that the machine determines, in the order in which they are written.
pub(super) fn files(machine: &Machine) -> Vec<Projected> {
    let texts = machine.texts();
    let mut files = vec![
        (ORIGIN, texts.origin.clone()),
        (TASK, task(machine)),
        (TASK_HISTORY, texts.history.clone()),
        (TASK_COUNTER, machine.task().to_string()),
        (ITERATION, machine.iteration().to_string()),
        (PHASE, phase(machine).to_owned()),
        (FEEDBACK, machine.feedback().to_owned()),
        (THEME, machine.applied_theme().to_owned()),
        (STATUS, status(machine).to_owned()),
    ];
    if !machine.has_begun() {
        files.push((SUMMARY, String::new()));
    }
    files
}

fn task(machine: &Machine) -> String {
    let texts = machine.texts();
    let mut task = texts.task.clone();
    if !texts.steered.is_empty() {
        task.push_str("\n## Added by the user while the task ran\n");
        for message in &texts.steered {
            task.push_str(&crate::task::quote(message));
        }
    }
    task
}

/// The file knows two phases only: what the agent works in.
fn phase(machine: &Machine) -> &'static str {
    if machine.working_phase() == Phase::Build { "build" } else { "plan" }
}

fn status(machine: &Machine) -> &'static str {
    match (machine.phase(), machine.ending()) {
        (Phase::Accept, _) => "complete",
        (_, Some(Ending::Stopped(StopReason::Waiting | StopReason::Aborted, _))) => "waiting",
        (_, Some(Ending::Stopped(..))) => "failed",
        _ => "running",
    }
}
