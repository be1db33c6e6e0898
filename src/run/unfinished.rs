//! Reads the journals of a project: the run that can be resumed, the events of a run, what earlier runs left.

use super::journal;
use super::limits::Limits;
use super::machine::Machine;
use super::options::Work;
use super::recipe::Recipe;
use super::recipe::chunks::Chunks;
use super::recipe::spec::Specs;
use super::recipe::task::Task;
use crate::error::Error;
use crate::port::{FsPort, Phase, ProjectDir};
use crate::task::Clarification;
use serde::Serialize;
use serde_json::Value;

/// A run whose page was closed or whose host failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct UnfinishedRun {
    /// The value for the option `resume`.
    pub run_id: String,
    pub work: Work,
    /// The phase after its last event.
    pub phase: Phase,
    /// The number of iterations that began.
    pub iteration: u32,
    /// The time of its last event, in milliseconds since the epoch.
    pub at: u64,
}

/// The newest run of a project, if it is not finished. Writes nothing.
///
/// # Errors
/// `corrupt` or `unsupported` if its journal cannot be read; `fs`.
pub async fn find_unfinished<F: FsPort>(fs: &F, dir: &str) -> Result<Option<UnfinishedRun>, Error> {
    let project = ProjectDir::new(fs, dir);
    let Some(run_id) = journal::runs(project).await?.pop() else { return Ok(None) };
    let work = journal::work(project, &run_id).await?;
    match &work {
        Some(Work::Spec { .. }) => unfinished::<Specs, F>(project, run_id, work).await,
        Some(Work::Chunks { .. }) => unfinished::<Chunks, F>(project, run_id, work).await,
        Some(Work::Task { .. }) | None => unfinished::<Task, F>(project, run_id, work).await,
    }
}

async fn unfinished<R: Recipe, F: FsPort>(
    project: ProjectDir<'_, F>,
    run_id: String,
    work: Option<Work>,
) -> Result<Option<UnfinishedRun>, Error> {
    let (machine, at) = fold::<R, F>(project, &run_id).await?;
    let (phase, iteration) = (machine.phase(), machine.run.iteration);
    Ok(work.filter(|_| !machine.is_finished()).map(|work| UnfinishedRun { run_id, work, phase, iteration, at }))
}

/// The journaled events of a run from a number on, as published, whatever its kind. Without a run, those of the newest
/// one. Empty while there is no run. Writes nothing.
///
/// # Errors
/// `corrupt` or `unsupported` if its journal cannot be read; `fs`.
pub async fn read_events<F: FsPort>(fs: &F, dir: &str, run_id: Option<&str>, from: u64) -> Result<Vec<Value>, Error> {
    let project = ProjectDir::new(fs, dir);
    let run_id = match run_id {
        Some(run_id) => Some(run_id.to_owned()),
        None => journal::runs(project).await?.pop(),
    };
    match run_id {
        Some(run_id) => journal::read_json(project, &run_id, from).await,
        None => Ok(Vec::new()),
    }
}

/// The state that earlier runs left for the next one.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// The newest run whose task started.
    pub run: Option<Machine<Task>>,
    /// Unanswered questions to the user, asked since then.
    pub asked: Option<Clarification>,
}

/// The state that the project's runs left, except the run `aside`.
pub(super) async fn before<F: FsPort>(project: ProjectDir<'_, F>, aside: &str) -> Result<Before, Error> {
    let mut before = Before::default();
    for run_id in journal::runs(project).await?.into_iter().rev().filter(|run_id| run_id != aside) {
        if matches!(journal::work(project, &run_id).await?, Some(Work::Spec { .. } | Work::Chunks { .. })) {
            continue;
        }
        let (machine, _) = fold::<Task, F>(project, &run_id).await?;
        if machine.recipe.has_started() {
            before.run = Some(machine);
            break;
        }
        before.asked = before.asked.or_else(|| machine.recipe.clarification());
    }
    Ok(before)
}

/// The state of the run before the run `aside`, if it worked on chunks and did not end.
pub(super) async fn abandoned_chunks<F: FsPort>(
    project: ProjectDir<'_, F>,
    aside: &str,
) -> Result<Option<Chunks>, Error> {
    let runs = journal::runs(project).await?;
    let Some(run_id) = runs.into_iter().rfind(|run_id| run_id != aside) else { return Ok(None) };
    if !matches!(journal::work(project, &run_id).await?, Some(Work::Chunks { .. })) {
        return Ok(None);
    }
    let (machine, _) = fold::<Chunks, F>(project, &run_id).await?;
    Ok(Some(machine).filter(|machine| !machine.is_finished()).map(|machine| machine.recipe))
}

/// A run's machine, and the time of its last event.
async fn fold<R: Recipe, F: FsPort>(project: ProjectDir<'_, F>, run_id: &str) -> Result<(Machine<R>, u64), Error> {
    let mut machine = Machine::new(run_id, Limits::default());
    let found = journal::read(project, run_id).await?;
    for envelope in &found.events {
        machine.apply(envelope)?;
    }
    Ok((machine, found.events.last().map_or(0, |last| last.at)))
}
