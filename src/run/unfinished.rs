//! What earlier pages left behind: the run that can be resumed.

use super::Event;
use super::journal::{self, Found};
use super::limits::Limits;
use super::machine::Machine;
use super::options::Work;
use crate::error::Error;
use crate::port::{FsPort, Phase, ProjectDir};
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

/// What the newest run of a project knew when it was last heard of, the given run aside.
pub(super) async fn previous<F: FsPort>(project: ProjectDir<'_, F>, aside: &str) -> Result<Option<Machine>, Error> {
    let runs = journal::runs(project).await?;
    let Some(run_id) = runs.into_iter().rfind(|run_id| run_id != aside) else { return Ok(None) };
    let found = journal::read(project, &run_id).await?;
    let machine = fold(&run_id, &found);
    Ok(machine.work().is_some().then_some(machine))
}

fn fold(run_id: &str, found: &Found) -> Machine {
    let mut machine = Machine::new(run_id, Limits::default());
    found.events.iter().for_each(|event| machine.apply(event));
    machine
}
