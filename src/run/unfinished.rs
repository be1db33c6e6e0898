//! Reads the journals of a project: the run that can be resumed, the events of a run, what earlier runs left.

use super::branch::BranchFact;
use super::envelope::Envelope;
use super::event::{Event, RunStarted};
use super::journal::{self, Journal};
use super::lease::Lease;
use super::machine::{Ending, Machine, fold_ledger};
use super::options::{StopReason, Work};
use super::recipe::Recipe;
use super::recipe::chunks::ChunkFact;
use super::recipe::task::Task;
use super::spending::subject;
use crate::error::Error;
use crate::ledger::Ledger;
use crate::port::{FsPort, Phase, ProjectDir, Question, QuestionKind};
use crate::task::Clarification;
use serde::Serialize;
use serde_json::Value;

/// A run whose page was closed, whose host failed, or that waits for an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    /// The question that waits for an answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
}

/// The newest run of a project, if it is not finished. Writes nothing.
///
/// # Errors
/// `corrupt` if all runs are from elsewhere; `corrupt` or `unsupported` if its journal cannot be read; `fs`.
pub async fn find_unfinished<F: FsPort>(project: ProjectDir<'_, F>) -> Result<Option<UnfinishedRun>, Error> {
    let Some(run_id) = journal::newest_run(project).await? else { return Ok(None) };
    let (machine, at) = fold(project, &run_id).await?;
    let (phase, iteration) = (machine.phase(), machine.run.iteration);
    let work = machine.run.work.clone().filter(|_| !machine.is_finished() || machine.waits());
    let questions = machine.run.asked.open.into_iter().collect();
    Ok(work.map(|work| UnfinishedRun { run_id, work, phase, iteration, at, questions }))
}

/// The newest run, if it has not ended, or continues with an answer or a higher limit.
pub(super) async fn newest_open<F: FsPort>(project: ProjectDir<'_, F>) -> Result<Option<Machine>, Error> {
    let Some(run_id) = journal::newest_run(project).await? else { return Ok(None) };
    let (machine, _) = fold(project, &run_id).await?;
    Ok(Some(machine).filter(Machine::is_open))
}

/// The journaled events of a run from a number on, as published, whatever its kind. Without a run, those of the newest
/// one. Empty while there is no run. Writes nothing.
///
/// # Errors
/// `corrupt` or `unsupported` if its journal cannot be read; `fs`.
pub async fn read_events<F: FsPort>(
    project: ProjectDir<'_, F>,
    run_id: Option<&str>,
    from: u64,
) -> Result<Vec<Value>, Error> {
    let run_id = match run_id {
        Some(run_id) => Some(run_id.to_owned()),
        None => journal::newest_run(project).await?,
    };
    match run_id {
        Some(run_id) => journal::read_json(project, &run_id, from).await,
        None => Ok(Vec::new()),
    }
}

/// The state that earlier runs left for the next one.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// The newest run whose task started, and its task.
    pub run: Option<(Machine, Task)>,
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
        let (machine, _) = fold(project, &run_id).await?;
        let Some(task) = Task::of(&machine.recipe).cloned() else { continue };
        if task.has_started() {
            before.run = Some((machine, task));
            break;
        }
        before.asked = before.asked.or_else(|| task.clarification());
    }
    Ok(before)
}

/// An attempt at a chunk whose run was abandoned.
pub(super) struct Abandoned {
    pub run_id: String,
    pub spec: String,
    pub chunk: String,
    pub branch: String,
    /// HEAD's commit before the attempt.
    pub head: Option<String>,
    /// What the attempt changed.
    pub ledger: Ledger,
    pub events: Vec<Envelope>,
}

/// The open attempts of all runs that did not end, except of the run `aside`; the newest first. A journal that cannot be
/// read is described in `unreadable`.
pub(super) async fn abandoned<F: FsPort>(
    project: ProjectDir<'_, F>,
    aside: &str,
    unreadable: &mut Vec<String>,
) -> Result<Vec<Abandoned>, Error> {
    let mut found = Vec::new();
    for run_id in journal::runs(project).await?.into_iter().rev().filter(|run_id| run_id != aside) {
        if !matches!(journal::work(project, &run_id).await?, Some(Work::Chunks { .. }))
            || journal::is_finished(project, &run_id).await?
        {
            continue;
        }
        match journal::read(project, &run_id).await {
            Ok(journal) => found.extend(open_attempt(run_id, journal.events)),
            Err(error) => unreadable.push(format!("The run {run_id} is not checked for unfinished work: {error}")),
        }
    }
    Ok(found)
}

fn open_attempt(run_id: String, events: Vec<Envelope>) -> Option<Abandoned> {
    let (mut ledger, mut is_open) = (Ledger::default(), false);
    let (mut spec, mut chunk, mut branch, mut head) = (String::new(), String::new(), String::new(), None);
    for envelope in &events {
        fold_ledger(&mut ledger, &envelope.event);
        match &envelope.event {
            Event::Chunks(ChunkFact::ChunkStarted { chunk: started, .. }) => chunk.clone_from(started),
            Event::RunStarted(started) => {
                if let Work::Chunks { spec: of, .. } = &started.work {
                    spec.clone_from(of);
                }
            }
            Event::Chunks(ChunkFact::RunPrepared { branch: of, .. }) => branch.clone_from(of),
            Event::Branch(BranchFact::BranchMoved { to, .. }) => head = Some(to.clone()),
            Event::Chunks(ChunkFact::AttemptStarted { head: before, .. }) => {
                head.clone_from(before);
                ledger.settle();
                is_open = true;
            }
            Event::Chunks(
                ChunkFact::AttemptReverted { .. }
                | ChunkFact::ChunkCommitted { .. }
                | ChunkFact::PullRequestDrafted { .. },
            ) => is_open = false,
            // An attempt that waits for an answer about a call, or for a higher limit, is still open.
            Event::RunFinished { result } => {
                let is_tool = |question: &Question| question.kind == QuestionKind::Tool;
                is_open &= result.reason == StopReason::Budget || result.questions.iter().any(is_tool);
            }
            _ => {}
        }
    }
    ledger.resumed();
    is_open.then_some(Abandoned { run_id, spec, chunk, branch, head, ledger, events })
}

/// A later run that worked on a spec of this one, and the spec: what it did is not in this run's journal.
pub(super) async fn successor<F: FsPort>(
    project: ProjectDir<'_, F>,
    run_id: &str,
    started: &RunStarted,
) -> Result<Option<(String, String)>, Error> {
    let specs = specs_of(started);
    if specs.is_empty() {
        return Ok(None);
    }
    for later in journal::runs(project).await?.into_iter().rev().take_while(|later| later != run_id) {
        let Some(started) = journal::started(project, &later).await? else { continue };
        if let Some(spec) = specs_of(&started).into_iter().find(|spec| specs.contains(spec)) {
            return Ok(Some((later, spec)));
        }
    }
    Ok(None)
}

fn specs_of(started: &RunStarted) -> Vec<String> {
    match &started.work {
        Work::Spec { .. } => started.specs.iter().flatten().map(|spec| spec.path.clone()).collect(),
        work => subject(work, None).filter(|_| matches!(work, Work::Chunks { .. })).into_iter().collect(),
    }
}

/// Ends an abandoned run, so that nothing resumes it: its attempt is taken back.
///
/// # Errors
/// `corrupt` or `unsupported` if its journal cannot be read; `fs`.
pub(super) async fn end<F: FsPort>(lease: &Lease<'_, F>, run_id: &str, at: u64) -> Result<(), Error> {
    let (journal, found) = Journal::open_run(lease, run_id).await?;
    let mut machine = Machine::new(run_id);
    for envelope in &found.events {
        machine.apply(envelope)?;
    }
    let mut next = Some(Event::RunResumed { repaired: found.repaired, plan: None });
    while let Some(event) = next {
        let envelope = Envelope::new(journal.next_seq(), at, run_id.to_owned(), lease.number, event);
        machine.apply(&envelope)?;
        journal.append(&envelope.to_json()?, envelope.event.durability()).await?;
        next = match machine.ending() {
            _ if machine.is_finished() => None,
            Some(Ending::Stopped(reason, message)) if reason != StopReason::Budget => {
                Some(Event::RunFinished { result: machine.result(reason, &message) })
            }
            Some(Ending::Failed(_)) => None,
            _ => Some(Event::AbortRequested { reason: ABANDONED.to_owned() }),
        };
    }
    Ok(())
}

const ABANDONED: &str = "another run began, and the unfinished attempt is taken back";

/// The machine of a run.
pub(super) async fn folded<F: FsPort>(project: ProjectDir<'_, F>, run_id: &str) -> Result<Machine, Error> {
    Ok(fold(project, run_id).await?.0)
}

/// A run's machine, and the time of its last event.
pub(super) async fn fold<F: FsPort>(project: ProjectDir<'_, F>, run_id: &str) -> Result<(Machine, u64), Error> {
    let mut machine = Machine::new(run_id);
    let found = journal::read(project, run_id).await?;
    for envelope in &found.events {
        machine.apply(envelope)?;
    }
    Ok((machine, found.events.last().map_or(0, |last| last.at)))
}
