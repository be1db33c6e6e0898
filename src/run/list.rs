//! The runs of a project, for readers.

use super::envelope::Envelope;
use super::event::Event;
use super::journal::{self, KnownRun, Opened, Runs};
use super::machine::{Asked, RunCost};
use super::options::{StopReason, Work};
use super::recipe::Recipe;
use super::recipe::specs::SpecInfo;
use super::recipe::task::Task;
use super::record;
use super::session::Session;
use super::spending::WorkKind;
use super::unfinished;
use crate::error::Error;
use crate::port::{ProjectDir, Question, Usage};
use crate::task;
use crate::text::counted;
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// A run of a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedRun {
    /// The name of its journal.
    pub run_id: String,
    #[expect(missing_docs, reason = "the name says it all")]
    pub work: Work,
    /// One line for people.
    pub title: String,
    /// Milliseconds since the epoch.
    pub started_at: u64,
    /// Milliseconds since the epoch; `None` for a run that has not ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<u64>,
    #[expect(missing_docs, reason = "the name says it all")]
    pub reason: RunEnd,
    /// The reason as text; `None` for a run that has not ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[expect(missing_docs, reason = "the name says it all")]
    pub usage: Usage,
    /// `None` for a run that has not ended, or whose host failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<RunCost>,
    /// The question that waits for an answer.
    pub questions: Vec<Question>,
}

/// How a run ended, as one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunEnd {
    /// It goes on in another page, or its page was closed.
    Open,
    /// The host failed.
    Failed,
    #[expect(missing_docs, reason = "the name says it all")]
    #[serde(untagged)]
    Stopped(StopReason),
}

/// What the list shows of the first event.
#[derive(Deserialize)]
struct Started {
    at: u64,
    work: Work,
    #[serde(default)]
    task: Option<Titled>,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    specs: Option<Vec<SpecInfo>>,
}

#[derive(Deserialize)]
struct Titled {
    title: String,
}

impl Started {
    fn title(&self) -> String {
        let task = self.task.as_ref().map(|task| task::title(&task.title)).filter(|title| !title.is_empty());
        match (&self.work, self.specs.as_deref().unwrap_or_default()) {
            (Work::Spec { .. }, [only]) => only.title.clone(),
            (Work::Spec { .. }, specs) => counted(specs.len() as u32, "spec"),
            (Work::Chunks { spec, .. }, _) => self.title.clone().unwrap_or_else(|| spec.clone()),
            (work, _) => task.unwrap_or_else(|| task::title(work.message())),
        }
    }
}

/// The runs of a project, newest first. A run whose first event cannot be read is left out. Writes nothing.
///
/// # Errors
/// `corrupt` if all runs are from elsewhere; `fs`.
pub async fn list_runs(project: ProjectDir<'_>) -> Result<Vec<ListedRun>, Error> {
    let mut listed = Vec::new();
    let runs = Runs::read_own(project).await?;
    for run in runs.own.iter().rev() {
        listed.extend(listed_run(project, &runs, &run.run_id).await?);
        project.pause().await;
    }
    Ok(listed)
}

/// Removes the journals and records of the oldest runs beyond `runs.keep`. A run that can be continued, or that the next task
/// reads, stays. Called at the end of a run, when it no longer reads other runs.
///
/// # Errors
/// Only of the journal.
pub(super) async fn prune(session: &Session<'_>) -> Result<(), Error> {
    match Box::pin(remove_oldest(session)).await {
        Ok(()) => Ok(()),
        Err(error) => session.status(format!("The journals of old runs are not removed: {error}")).await,
    }
}

async fn remove_oldest(session: &Session<'_>) -> Result<(), Error> {
    let (project, lease, runs) = (session.host.project(), session.lease(), session.runs());
    let surplus = runs.own.len().saturating_sub(session.settings.runs.keep as usize);
    let oldest = runs.own.get(..surplus).unwrap_or_default();
    let is_task = |run: &KnownRun| !matches!(run.kind, Some(WorkKind::Spec | WorkKind::Chunks));
    // If the task of this run has started, the next task reads only this run.
    let has_started = session.with_machine(|machine| Task::downcast(&machine.recipe).is_some_and(Task::has_started));
    let read = match oldest.iter().any(is_task) && !has_started {
        true => unfinished::before(project, &runs, "").await.map(|before| before.runs).unwrap_or_default(),
        false => Vec::new(),
    };
    let mut failed = None;
    for run in oldest.iter().filter(|run| run.run_id != session.run_id() && !read.contains(&run.run_id)) {
        lease.check().await?;
        let removed = async {
            if run.is_over || is_removable(project, &runs, &run.run_id).await? {
                record::remove_run(project, &run.run_id).await?;
                project.remove_folder(&journal::folder(&run.run_id)).await?;
                lease.change_runs(|runs| runs.remove(&run.run_id));
            }
            Ok(())
        };
        // If one run cannot be removed, the others still are.
        failed = removed.await.err().or(failed);
    }
    failed.map_or(Ok(()), Err)
}

/// Whether nothing continues the run, and it left no attempt that must be taken back. A run that cannot be read stays, unless
/// the page was closed while it was removed.
async fn is_removable(project: ProjectDir<'_>, runs: &Runs, run_id: &str) -> Result<bool, Error> {
    if Opened::open(project, run_id).await?.lacks_start() {
        return Ok(true);
    }
    let Some(run) = listed_run(project, runs, run_id).await? else { return Ok(false) };
    let is_over = match run.reason {
        RunEnd::Open => false,
        RunEnd::Failed => WorkKind::from(&run.work) == WorkKind::Task || runs.successor(run_id).is_some(),
        RunEnd::Stopped(reason) => reason.is_over(&run.questions),
    };
    Ok(is_over && !unfinished::has_open_attempt(project, run_id).await.unwrap_or(true))
}

/// `None` if the first event cannot be read, or the run is removed meanwhile.
pub(super) async fn listed_run(project: ProjectDir<'_>, runs: &Runs, run_id: &str) -> Result<Option<ListedRun>, Error> {
    let journal = Opened::open(project, run_id).await?;
    let Some(started) = journal.first_event::<Started>().await? else { return Ok(None) };
    // Back to the last start, resume or end. If that event has no total usage, further back to the last `usage`.
    let (turned, paid) = (Cell::new(false), Cell::new(false));
    let is_start = |event: &Event| {
        match event {
            Event::RunFinished { .. } => return true,
            Event::RunResumed { .. } | Event::RunFailed { .. } => turned.set(true),
            Event::Usage { .. } => paid.set(true),
            _ => {}
        }
        matches!(event, Event::RunStarted(_)) || turned.get() && paid.get()
    };
    let events = journal.since_last(&is_start).await?;
    if journal.is_gone() {
        return Ok(None);
    }
    let mut run = ListedRun {
        run_id: run_id.to_owned(),
        title: started.title(),
        work: started.work,
        started_at: started.at,
        ended_at: None,
        reason: RunEnd::Open,
        message: None,
        usage: Usage::default(),
        cost: None,
        questions: Vec::new(),
    };
    let mut asked = Asked::default();
    for Envelope { at, event, .. } in events {
        asked.fold(&event);
        match event {
            Event::RunFinished { result } => {
                (run.ended_at, run.reason, run.message) =
                    (Some(at), RunEnd::Stopped(result.reason), Some(result.message));
                (run.usage, run.cost, asked.open) =
                    (result.usage, Some(result.cost), result.questions.into_iter().next());
            }
            Event::RunFailed { error } => {
                (run.ended_at, run.reason, run.message) = (Some(at), RunEnd::Failed, Some(error.message));
            }
            Event::RunResumed { .. } => {
                (run.ended_at, run.reason, run.message, run.cost) = (None, RunEnd::Open, None, None);
            }
            Event::Usage { total, .. } => run.usage = total,
            _ => {}
        }
    }
    run.questions = asked.open.into_iter().collect();
    if run.reason == RunEnd::Open
        && let Some((later, of)) = runs.successor(run_id)
    {
        run.reason = RunEnd::Stopped(StopReason::Aborted);
        run.message = Some(format!("run {later} worked on {of} since"));
        run.questions.clear();
    }
    Ok(Some(run))
}
