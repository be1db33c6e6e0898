//! What earlier pages left behind: the run that can be resumed.

use super::Event;
use super::journal::{self, Found};
use super::limits::Limits;
use super::machine::Machine;
use super::options::Work;
use crate::error::Error;
use crate::port::{FsPort, Phase, ProjectDir};
use crate::task::Clarification;
use serde::Serialize;

/// A run whose page was closed, or whose host failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct UnfinishedRun {
    /// What to pass as `resume`.
    pub run_id: String,
    /// What was to be done.
    pub work: Work,
    /// Where it stands.
    pub phase: Phase,
    /// Iterations begun so far.
    pub iteration: u32,
    /// When it was last heard of, in milliseconds since the epoch.
    pub at: u64,
}

/// The newest run of a project, if it is not finished. Looks only.
///
/// # Errors
/// `corrupt` where its journal is damaged before the last line; `fs`.
pub async fn find_unfinished<F: FsPort>(fs: &F, dir: &str) -> Result<Option<UnfinishedRun>, Error> {
    let project = ProjectDir::new(fs, dir);
    let Some(run_id) = journal::runs(project).await?.pop() else { return Ok(None) };
    let found = journal::read(project, &run_id).await?;
    let Some(last) = found.events.last() else { return Ok(None) };
    if matches!(last.event, Event::RunFinished { .. }) {
        return Ok(None);
    }
    let (at, machine) = (last.at, fold(&run_id, &found));
    let Some(work) = machine.work().cloned() else { return Ok(None) };
    Ok(Some(UnfinishedRun { run_id, work, phase: machine.phase(), iteration: machine.iteration(), at }))
}

/// What earlier runs left to the next one.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// What the newest run whose task began knew when it was last heard of.
    pub run: Option<Machine>,
    /// What the user was asked since, and did not answer.
    pub asked: Option<Clarification>,
}

/// What the runs of a project left, the given one aside.
pub(super) async fn before<F: FsPort>(project: ProjectDir<'_, F>, aside: &str) -> Result<Before, Error> {
    let mut before = Before::default();
    for run_id in journal::runs(project).await?.into_iter().rev().filter(|run_id| run_id != aside) {
        let found = journal::read(project, &run_id).await?;
        let machine = fold(&run_id, &found);
        if machine.has_started() {
            before.run = Some(machine);
            break;
        }
        before.asked = before.asked.or_else(|| machine.clarification());
    }
    Ok(before)
}

fn fold(run_id: &str, found: &Found) -> Machine {
    let mut machine = Machine::new(run_id, Limits::default());
    found.events.iter().for_each(|event| machine.apply(event));
    machine
}
