//! The runs of a project, for readers.

use super::event::Event;
use super::journal;
use super::machine::RunCost;
use super::options::{StopReason, Work};
use super::recipe::specs::SpecInfo;
use super::record;
use crate::error::Error;
use crate::port::{FsPort, ProjectDir, Question, Usage};
use crate::task;
use crate::text::counted;
use serde::{Deserialize, Serialize};

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
        let task = self.task.as_ref().map(|task| task.title.clone()).filter(|title| !title.is_empty());
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
pub async fn list_runs<F: FsPort>(project: ProjectDir<'_, F>) -> Result<Vec<ListedRun>, Error> {
    let mut listed = Vec::new();
    // Names the problem if all runs are from elsewhere.
    journal::newest_run(project).await?;
    for run_id in journal::runs(project).await?.into_iter().rev() {
        let Some(started) = journal::first_event::<_, Started>(project, &run_id).await? else { continue };
        listed.push(listed_run(project, run_id, started).await?);
        project.pause().await;
    }
    Ok(listed)
}

/// The newest run whose work is of a kind.
pub(super) async fn newest_of<F: FsPort>(
    project: ProjectDir<'_, F>,
    is_of_kind: &dyn Fn(&Work) -> bool,
) -> Result<Option<ListedRun>, Error> {
    for run_id in journal::runs(project).await?.into_iter().rev() {
        match journal::first_event::<_, Started>(project, &run_id).await? {
            Some(started) if is_of_kind(&started.work) => return Ok(Some(listed_run(project, run_id, started).await?)),
            _ => {}
        }
    }
    Ok(None)
}

/// Removes the journals and records of the oldest runs, so that `kept` are left. A run that can continue with an answer, a higher
/// limit or its page stays.
///
/// # Errors
/// `fs`.
pub(super) async fn prune<F: FsPort>(project: ProjectDir<'_, F>, kept: usize) -> Result<(), Error> {
    if journal::count(project).await? <= kept {
        return Ok(());
    }
    let runs = journal::runs(project).await?;
    let surplus = runs.len().saturating_sub(kept);
    for run_id in runs.into_iter().take(surplus) {
        let Some(started) = journal::first_event::<_, Started>(project, &run_id).await? else { continue };
        let run = listed_run(project, run_id, started).await?;
        let continues = matches!(run.reason, RunEnd::Open | RunEnd::Stopped(StopReason::Waiting | StopReason::Budget));
        if !continues && run.questions.is_empty() {
            record::remove_run(project, &run.run_id).await?;
            project.remove_folder(&journal::folder(&run.run_id)).await?;
        }
    }
    Ok(())
}

async fn listed_run<F: FsPort>(
    project: ProjectDir<'_, F>,
    run_id: String,
    started: Started,
) -> Result<ListedRun, Error> {
    let is_turn = |event: &Event| {
        matches!(
            event,
            Event::RunStarted(_) | Event::RunResumed { .. } | Event::RunFailed { .. } | Event::RunFinished { .. }
        )
    };
    let last = journal::since_last(project, &run_id, &is_turn).await?.into_iter().next();
    let at = last.as_ref().map(|last| last.at);
    let mut run = ListedRun {
        run_id,
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
    match last.map(|last| last.event) {
        Some(Event::RunFinished { result }) => {
            (run.ended_at, run.reason, run.message) = (at, RunEnd::Stopped(result.reason), Some(result.message));
            (run.usage, run.cost, run.questions) = (result.usage, Some(result.cost), result.questions);
            return Ok(run);
        }
        Some(Event::RunFailed { error }) => {
            (run.ended_at, run.reason, run.message) = (at, RunEnd::Failed, Some(error.message));
        }
        _ => {}
    }
    let is_call = |event: &Event| matches!(event, Event::Usage { .. } | Event::RunStarted(_));
    let paid = journal::since_last(project, &run.run_id, &is_call).await?.into_iter().next();
    if let Some(Event::Usage { total, .. }) = paid.map(|paid| paid.event) {
        run.usage = total;
    }
    Ok(run)
}
