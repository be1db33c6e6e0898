//! Reads the journals of a project: the run that can be resumed, the events of a run, what earlier runs left.

use super::branch::BranchFact;
use super::envelope::Envelope;
use super::event::Event;
use super::journal::{self, Journal, KnownRun, Opened, Runs};
use super::lease::{self, Lease, is_held_by};
use super::machine::{Ending, Machine, fold_ledger};
use super::options::{StopReason, Work, check_run_id};
use super::recipe::Recipe;
use super::recipe::chunks::ChunkFact;
use super::recipe::task::Task;
use super::spending::WorkKind;
use crate::error::{Error, ErrorCode};
use crate::ledger::Ledger;
use crate::port::{Phase, ProjectDir, Question};
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
    /// The number of the last iteration; 0 before the first one.
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
pub async fn find_unfinished(project: ProjectDir<'_>) -> Result<Option<UnfinishedRun>, Error> {
    let mut runs = Runs::read_own(project).await?;
    let Some(run_id) = runs.newest().map(str::to_owned) else { return Ok(None) };
    runs.reached(&run_id, lease::events_of(project, &run_id).await?);
    let (machine, at) = fold(project, &runs, &run_id).await?;
    let (phase, iteration) = (machine.phase(), machine.run.iteration);
    let work = machine.run.work.clone().filter(|_| !machine.is_finished() || machine.waits());
    let questions = machine.run.asked.open.into_iter().collect();
    Ok(work.map(|work| UnfinishedRun { run_id, work, phase, iteration, at, questions }))
}

/// The journaled events of a run from a number on, as published, whatever its kind. Without a run, the events of the newest
/// one; empty while there is none, or while the run has no event yet. Writes nothing.
///
/// # Errors
/// `invalid-argument` for an id that no run has; `not-found` if there is no such run; `corrupt` or `unsupported` if its
/// journal cannot be read; `fs`.
pub async fn read_events(project: ProjectDir<'_>, run_id: Option<&str>, from: u64) -> Result<Vec<Value>, Error> {
    let run_id = match run_id {
        Some(run_id) => {
            check_run_id(run_id)?;
            Some(run_id.to_owned())
        }
        None => journal::newest_run(project).await?,
    };
    match run_id {
        Some(run_id) => match journal::read_json(project, &run_id, from).await {
            Err(error) if error.code == ErrorCode::NotFound && is_held_by(project, &run_id).await? => Ok(Vec::new()),
            read => read,
        },
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
    /// The runs that `run` and `asked` come from.
    pub runs: Vec<String>,
}

/// The state that the project's runs left, except the run `aside`.
pub(super) async fn before(project: ProjectDir<'_>, runs: &Runs, aside: &str) -> Result<Before, Error> {
    let mut before = Before::default();
    for run in runs.own.iter().rev().filter(|run| run.run_id != aside) {
        if run.leaves_nothing || matches!(run.kind, Some(WorkKind::Spec | WorkKind::Chunks)) {
            continue;
        }
        let (machine, _) = fold(project, runs, &run.run_id).await?;
        let Some(task) = Task::downcast(&machine.recipe).cloned() else { continue };
        if task.has_started() {
            before.run = Some((machine, task));
            before.runs.push(run.run_id.clone());
            break;
        }
        if before.asked.is_none()
            && let Some(asked) = task.clarification()
        {
            before.asked = Some(asked);
            before.runs.push(run.run_id.clone());
        }
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
pub(super) async fn abandoned(
    project: ProjectDir<'_>,
    runs: &Runs,
    aside: &str,
    unreadable: &mut Vec<String>,
) -> Result<Vec<Abandoned>, Error> {
    let mut found = Vec::new();
    let may_be_open = |run: &&KnownRun| run.run_id != aside && run.kind == Some(WorkKind::Chunks) && !run.is_over;
    for run_id in runs.own.iter().rev().filter(may_be_open).map(|run| run.run_id.clone()) {
        if Opened::open(project, &run_id).await?.is_finished().await? {
            continue;
        }
        match journal::read_whole(project, runs, &run_id).await {
            Ok(journal) => found.extend(open_attempt(run_id, journal.events)),
            Err(error) => unreadable.push(format!("The run {run_id} is not checked for unfinished work: {error}")),
        }
    }
    Ok(found)
}

/// Whether a run left an attempt that must be taken back.
///
/// # Errors
/// `corrupt` or `unsupported` if its journal cannot be read; `fs`.
pub(super) async fn has_open_attempt(project: ProjectDir<'_>, run_id: &str) -> Result<bool, Error> {
    Ok(open_attempt_of(project, run_id).await?.is_some())
}

/// The attempt that a run left.
///
/// # Errors
/// As [`has_open_attempt`].
pub(super) async fn open_attempt_of(project: ProjectDir<'_>, run_id: &str) -> Result<Option<Abandoned>, Error> {
    Ok(open_attempt(run_id.to_owned(), journal::read(project, run_id).await?.events))
}

fn open_attempt(run_id: String, events: Vec<Envelope>) -> Option<Abandoned> {
    let (mut ledger, mut is_open) = (Ledger::default(), false);
    let (mut spec, mut chunk, mut branch, mut head) = (String::new(), String::new(), String::new(), None);
    for envelope in &events {
        fold_ledger(&mut ledger, &envelope.event, envelope.at);
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
            // An attempt that waits for an answer about its work, or for a higher limit, is still open.
            Event::RunFinished { result } => {
                let is_of_work = |question: &Question| question.kind.is_of_work();
                is_open &= result.reason == StopReason::Budget || result.questions.iter().any(is_of_work);
            }
            _ => {}
        }
    }
    ledger.resumed(events.last().map(|last| last.at), false);
    is_open.then_some(Abandoned { run_id, spec, chunk, branch, head, ledger, events })
}

/// Ends an abandoned run, so that nothing resumes it: its attempt is taken back.
///
/// # Errors
/// `corrupt` or `unsupported` if its journal cannot be read; `fs`.
pub(super) async fn end(lease: &Lease<'_>, run_id: &str, at: u64) -> Result<(), Error> {
    let (journal, found) = Journal::open_run(lease, run_id).await?;
    let mut machine = Machine::new(run_id);
    for envelope in &found.events {
        machine.apply(envelope)?;
    }
    let mut next = Some(Event::RunResumed { repaired: found.repaired, plan: None, closed: None });
    while let Some(event) = next {
        let envelope = Envelope::new(journal.next_seq(), at, run_id.to_owned(), lease.number, event);
        machine.apply(&envelope)?;
        journal.append(&envelope.to_json()?, envelope.event.durability()).await?;
        next = match machine.ending() {
            _ if machine.is_finished() => None,
            Some(Ending::Stopped(reason, message)) if reason != StopReason::Budget => {
                let result = machine.result(reason, &message);
                lease.change_runs(|runs| runs.end(run_id, &result));
                Some(Event::RunFinished { result })
            }
            Some(Ending::Failed(_)) => None,
            _ => Some(Event::AbortRequested { reason: ABANDONED.to_owned() }),
        };
    }
    lease.change_runs(|runs| runs.reached(run_id, journal.next_seq()));
    Ok(())
}

const ABANDONED: &str = "another run began, and the unfinished attempt is taken back";

/// A run's machine, and the time of its last event.
pub(super) async fn fold(project: ProjectDir<'_>, runs: &Runs, run_id: &str) -> Result<(Machine, u64), Error> {
    let mut machine = Machine::new(run_id);
    let found = journal::read_whole(project, runs, run_id).await?;
    for envelope in &found.events {
        machine.apply(envelope)?;
    }
    Ok((machine, found.events.last().map_or(0, |last| last.at)))
}
