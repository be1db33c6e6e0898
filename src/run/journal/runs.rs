//! The runs of a project, oldest first, without a look into each journal: `.loopgate/journal-index`.
//!
//! The journals decide; the file only saves reading them. A new run that it lacks is found by the name of its folder and read,
//! and a lost, torn or foreign file is built again from all journals. A resumed run is moved to the end of the file before
//! it writes, so the file has the order of the leases.

use super::opened::{First, Opened};
use super::{FOLDER, from_elsewhere};
use crate::error::{Error, ErrorCode};
use crate::json;
use crate::layout::JOURNAL_INDEX;
use crate::port::ProjectDir;
use crate::run::event::Event;
use crate::run::lease::Lease;
use crate::run::options::RunResult;
use crate::run::recipe::task::TaskFact;
use crate::run::spending::{WorkKind, subjects};
use crate::sealed::{Unsealed, seal, unseal};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The runs of a project.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::run) struct Runs {
    /// The highest lease of all runs.
    pub lease: u64,
    /// In the order of the last lease that wrote each of them, then by id. The clock may go back, so the times in the ids do
    /// not give the order.
    pub own: Vec<KnownRun>,
    /// The folders that have no event of this harness.
    others: BTreeSet<String>,
    /// The file is from elsewhere.
    #[serde(skip)]
    is_foreign: bool,
}

/// What the file has of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::run) struct KnownRun {
    pub run_id: String,
    lease: u64,
    /// `None` if its first event cannot be read.
    pub kind: Option<WorkKind>,
    /// What it works on: the task, or the paths of the specs.
    pub subjects: Vec<String>,
    /// Nothing continues it.
    pub is_over: bool,
    /// It ended before its task started, without a question: the next task takes nothing from it.
    #[serde(default)]
    pub leaves_nothing: bool,
    /// How many events its journal had at the last answer of the user, or at the end of the run, if the lease has that. With
    /// fewer, its end is missing.
    #[serde(default)]
    events: u64,
}

impl Runs {
    /// # Errors
    /// `fs`.
    pub(in crate::run) async fn read(project: ProjectDir<'_>) -> Result<Self, Error> {
        let names: BTreeSet<String> = project.read_dir(FOLDER).await?.unwrap_or_default().into_iter().collect();
        let bytes = project.read(JOURNAL_INDEX).await?.unwrap_or_default();
        let unsealed = unseal(project.key(), JOURNAL_INDEX, &bytes);
        let is_foreign = unsealed == Unsealed::Foreign;
        let stored = unsealed.text().and_then(|text| json::read::<Self>(text).ok()).unwrap_or_default();
        let mut runs = Self { is_foreign, ..stored };
        runs.own.retain(|run| names.contains(&run.run_id));
        runs.others.retain(|name| names.contains(name));
        let known: BTreeSet<String> =
            runs.own.iter().map(|run| run.run_id.clone()).chain(runs.others.clone()).collect();
        for name in names.difference(&known) {
            runs.add(project, name).await?;
        }
        Ok(runs)
    }

    /// As [`Self::read`], for readers.
    ///
    /// # Errors
    /// `corrupt` if all runs are from elsewhere; `fs`.
    pub(in crate::run) async fn read_own(project: ProjectDir<'_>) -> Result<Self, Error> {
        let runs = Self::read(project).await?;
        for name in runs.others.iter().filter(|_| runs.own.is_empty()) {
            if let First::Foreign(path) = Opened::open(project, name).await?.first().await? {
                return Err(from_elsewhere(&path));
            }
        }
        Ok(runs)
    }

    /// Reads a journal.
    ///
    /// # Errors
    /// `fs`.
    pub(in crate::run) async fn add(&mut self, project: ProjectDir<'_>, run_id: &str) -> Result<(), Error> {
        let events = self.events_of(run_id);
        self.remove(run_id);
        let journal = Opened::open(project, run_id).await?;
        let lease = match journal.first().await? {
            First::Foreign(_) => None,
            First::Own(_) | First::Torn => journal.lease().await?,
        };
        let Some(lease) = lease else {
            self.others.insert(run_id.to_owned());
            return Ok(());
        };
        let started = journal.started().await?;
        let is_task = |event: &Event| matches!(event, Event::Task(TaskFact::TaskStarted { .. }));
        let is_turn = |event: &Event| {
            matches!(event, Event::RunStarted(_) | Event::RunResumed { .. } | Event::RunFinished { .. })
        };
        let turn = journal.since_last(&is_turn).await?.into_iter().next().map(|last| last.event);
        let result = match turn {
            Some(Event::RunFinished { result }) if result.reason.is_over(&result.questions) => Some(result),
            _ => None,
        };
        let leaves_nothing = match &result {
            // Its journal is short.
            Some(result) if result.iterations == 0 && result.clarification.is_none() => !journal.has(&is_task).await?,
            _ => false,
        };
        self.lease = self.lease.max(lease);
        self.own.push(KnownRun {
            run_id: run_id.to_owned(),
            lease,
            kind: started.as_ref().map(|started| (&started.work).into()),
            subjects: started.as_ref().map(subjects).unwrap_or_default(),
            is_over: result.is_some(),
            leaves_nothing,
            events,
        });
        self.own.sort_by_key(|run| run.lease);
        Ok(())
    }

    /// Reads the journal of the newest run again if the index has it as open.
    ///
    /// # Errors
    /// `fs`.
    pub(in crate::run) async fn look_at_newest(&mut self, project: ProjectDir<'_>) -> Result<(), Error> {
        match self.own.last().filter(|run| !run.is_over).map(|run| run.run_id.clone()) {
            Some(newest) => self.add(project, &newest).await,
            None => Ok(()),
        }
    }

    pub(in crate::run) fn remove(&mut self, run_id: &str) {
        self.own.retain(|run| run.run_id != run_id);
        self.others.remove(run_id);
    }

    /// Records the result with which a later run ended this one.
    pub(in crate::run) fn end(&mut self, run_id: &str, result: &RunResult) {
        if let Some(run) = self.own.iter_mut().find(|run| run.run_id == run_id) {
            run.is_over = result.reason.is_over(&result.questions);
        }
    }

    /// Records how many events a run has, durably.
    pub(in crate::run) fn reached(&mut self, run_id: &str, events: u64) {
        if let Some(run) = self.own.iter_mut().find(|run| run.run_id == run_id) {
            run.events = run.events.max(events);
        }
    }

    /// How many events a run has at least.
    pub(in crate::run) fn events_of(&self, run_id: &str) -> u64 {
        self.own.iter().find(|run| run.run_id == run_id).map_or(0, |run| run.events)
    }

    /// Records that a run is resumed: it becomes the newest, and open.
    pub(in crate::run) fn resume(&mut self, run_id: &str, lease: u64) {
        if let Some(at) = self.own.iter().position(|run| run.run_id == run_id) {
            let run = self.own.remove(at);
            self.own.push(KnownRun { lease, is_over: false, leaves_nothing: false, ..run });
        }
    }

    /// The newest run.
    pub(in crate::run) fn newest(&self) -> Option<&str> {
        self.own.last().map(|run| run.run_id.as_str())
    }

    /// The newest later run over specs or chunks that shares a subject with this run, and that subject. This run cannot continue,
    /// because its journal lacks what the later run did.
    pub(in crate::run) fn successor(&self, run_id: &str) -> Option<(&str, &str)> {
        let at = self.own.iter().position(|run| run.run_id == run_id)?;
        let (run, later) = self.own.get(at..)?.split_first()?;
        let is_spec = |run: &KnownRun| matches!(run.kind, Some(WorkKind::Spec | WorkKind::Chunks));
        later.iter().rev().filter(|later| is_spec(run) && is_spec(later)).find_map(|later| {
            let shared = later.subjects.iter().find(|subject| run.subjects.contains(subject))?;
            Some((later.run_id.as_str(), shared.as_str()))
        })
    }
}

/// Writes the index.
///
/// # Errors
/// `fs`; `locked`.
pub(in crate::run) async fn save(lease: &Lease<'_>) -> Result<(), Error> {
    lease.check().await?;
    lease.change_runs(|runs| runs.lease = lease.number);
    let runs = lease.runs.borrow().clone();
    let text = serde_json::to_string(&*runs).map_err(|error| {
        Error::new(ErrorCode::Internal, format!("{JOURNAL_INDEX} cannot be written as JSON: {error}"))
    })?;
    if runs.is_foreign {
        lease.project.set_aside(JOURNAL_INDEX).await?;
        lease.change_runs(|runs| runs.is_foreign = false);
    }
    Ok(lease.project.write(JOURNAL_INDEX, seal(lease.project.key(), JOURNAL_INDEX, &text)).await?)
}

/// The newest run of a project; `None` if there is none.
///
/// # Errors
/// As [`Runs::read_own`].
pub(in crate::run) async fn newest_run(project: ProjectDir<'_>) -> Result<Option<String>, Error> {
    Ok(Runs::read_own(project).await?.newest().map(str::to_owned))
}
