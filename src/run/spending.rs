//! What the runs of a project spent: a small file, so that limits for a task and for a day hold across runs, and the next run
//! can be estimated.
//!
//! The journal of a run decides what the run spent. The file has one entry for each run, which the run replaces, so a crash
//! between the two counts nothing twice.

use super::event::{Event, RunStarted};
use super::journal::Runs;
use super::limits::Limits;
use super::options::{StopReason, Work};
use super::session::Session;
use super::unfinished;
use crate::error::{Error, ErrorCode};
use crate::json;
use crate::layout::{HANDOFF_SPECS, SPENDING};
use crate::port::{ProjectDir, Usage, amount};
use crate::sealed::{is_sealed_json, seal_json};
use crate::utc;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The spending of a project; the newest run is the last one.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Spending {
    runs: Vec<Entry>,
}

/// The spending of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Entry {
    pub run_id: String,
    pub kind: WorkKind,
    /// The model of the last call that builds or plans, if its answers name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    pub usage: Usage,
    /// The first prompt, in bytes.
    pub prompt_bytes: u64,
    /// The part of the prompt that is the user's message.
    pub message_bytes: u64,
    /// How often a model was called.
    pub calls: u32,
    /// How many specs or chunks the run worked on; 1 for a task.
    pub pieces: u32,
    /// Why the run ended; `None` if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<StopReason>,
    /// Dollars by day (UTC).
    pub days: BTreeMap<String, f64>,
    /// Dollars by [`subject`].
    pub subjects: BTreeMap<String, f64>,
}

/// The kinds of work that are comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it all")]
pub enum WorkKind {
    Task,
    Spec,
    Chunks,
}

impl From<&Work> for WorkKind {
    fn from(work: &Work) -> Self {
        match work {
            Work::Spec { .. } => Self::Spec,
            Work::Chunks { .. } => Self::Chunks,
            _ => Self::Task,
        }
    }
}

/// What other runs spent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SpentBefore {
    /// Dollars by day (UTC).
    pub days: BTreeMap<String, f64>,
    /// Dollars by task, such as `task 3`, or by the path of the spec.
    pub subjects: BTreeMap<String, f64>,
    /// The average call of the newest of them; 0 if there is none.
    #[serde(default)]
    pub call: f64,
}

impl SpentBefore {
    pub(super) fn on(&self, subject: &str) -> f64 {
        self.subjects.get(subject).copied().unwrap_or(0.0)
    }

    /// Whether no run of the subject may call a model now.
    fn is_exhausted(&self, limits: &Limits, subject: &str, now: u64) -> bool {
        let passes = |spent: f64, max: Option<f64>| max.is_some_and(|max| spent >= max || spent + self.call > max);
        passes(self.on(subject), limits.per_task) || passes(self.during(&utc::day(now)), limits.per_day)
    }

    pub(super) fn during(&self, day: &str) -> f64 {
        self.days.get(day).copied().unwrap_or(0.0)
    }
}

/// What `limits.perTask` counts together: the runs of a task, or of a spec with chunks. In a run over specs, each spec is a
/// subject of its own, named by its path.
pub(super) fn subject(work: &Work, task: Option<u32>) -> Option<String> {
    match work {
        Work::Spec { .. } => None,
        Work::Chunks { spec, .. } => Some(format!("{HANDOFF_SPECS}/{spec}")),
        _ => Some(task_subject(task.unwrap_or_default())),
    }
}

pub(super) fn task_subject(number: u32) -> String {
    format!("task {number}")
}

/// What a run works on: its [`subject`], or the paths of its specs.
pub(super) fn subjects(started: &RunStarted) -> Vec<String> {
    match subject(&started.work, started.task_number) {
        Some(subject) => vec![subject],
        None => started.specs.iter().flatten().map(|spec| spec.path.clone()).collect(),
    }
}

/// How many runs the file has, at least. The runs of the last days stay as well.
const KEPT: usize = 100;

impl Spending {
    /// The runs, oldest first.
    pub(super) fn runs(&self) -> &[Entry] {
        &self.runs
    }

    /// Whether all amounts are numbers of dollars.
    fn is_valid(&self) -> bool {
        let amounts = self.runs.iter().flat_map(|run| run.days.values().chain(run.subjects.values()));
        amounts.copied().all(|dollars| amount(dollars).is_some())
    }

    /// What all runs but `aside` spent on the days from the day of `now` on, and on their subjects.
    pub(super) fn before(&self, aside: &str, now: u64) -> SpentBefore {
        let (mut before, today) = (SpentBefore::default(), utc::day(now));
        for run in self.runs.iter().filter(|run| run.run_id != aside) {
            for (day, dollars) in run.days.iter().filter(|(day, _)| **day >= today) {
                *before.days.entry(day.clone()).or_default() += dollars;
            }
            for (subject, dollars) in &run.subjects {
                *before.subjects.entry(subject.clone()).or_default() += dollars;
            }
            before.call = run.days.values().sum::<f64>() / f64::from(run.calls.max(1));
        }
        before
    }

    /// Adds or replaces the entry of a run, and removes the oldest ones. Returns whether anything changed.
    fn put(&mut self, entry: Entry, now: u64) -> bool {
        match self.runs.iter_mut().find(|run| run.run_id == entry.run_id) {
            Some(known) if *known == entry => return false,
            Some(known) => *known = entry,
            None => self.runs.push(entry),
        }
        let today = utc::day(now);
        let surplus = self.runs.len().saturating_sub(KEPT);
        let mut number = 0;
        self.runs.retain(|run| {
            number += 1;
            number > surplus || run.days.keys().any(|day| *day >= today)
        });
        true
    }
}

/// The spending of a project, and what is wrong with its file.
pub(super) async fn read(project: ProjectDir<'_>) -> Result<(Spending, Option<String>), Error> {
    let Some(text) = project.read_text(SPENDING).await? else { return Ok(Default::default()) };
    let read = match is_sealed_json(project.key(), SPENDING, &text) {
        true => json::read::<Spending>(&text),
        false => Err("loopgate did not write it in this project with this `stateKey`".to_owned()),
    };
    Ok(match read {
        Ok(spending) if Spending::is_valid(&spending) => (spending, None),
        read => {
            let why = read.err().unwrap_or_else(|| "an amount is not a number of dollars".to_owned());
            let text = format!("{SPENDING} cannot be read ({why}), so `perTask` and `perDay` count from now on.");
            (Spending::default(), Some(text))
        }
    })
}

/// As [`read`], with what the newest run, unless it is `aside`, spent since it wrote its entry: its page was closed, or it
/// failed. That is written at once, so an older run is complete in the file. A journal that cannot be read adds nothing.
async fn complete(
    project: ProjectDir<'_>,
    runs: &Runs,
    aside: &str,
    now: u64,
) -> Result<(Spending, Option<String>), Error> {
    let (mut spending, problem) = read(project).await?;
    let newest = runs.newest().filter(|newest| *newest != aside);
    let is_complete = |id: &str| spending.runs.iter().any(|run| run.run_id == id && run.reason.is_some());
    if let Some(newest) = newest.filter(|newest| !is_complete(newest))
        && let Ok((machine, _)) = unfinished::fold(project, runs, newest).await
        && let Some(entry) = machine.run.spending(None)
        && spending.put(entry, now)
        && problem.is_none()
    {
        // The next run completes it again.
        let _ = write_to(project, &spending).await;
    }
    Ok((spending, problem))
}

async fn write_to(project: ProjectDir<'_>, spending: &Spending) -> Result<(), Error> {
    let text = serde_json::to_string(spending)
        .map_err(|error| Error::new(ErrorCode::Internal, format!("{SPENDING} cannot be written as JSON: {error}")))?;
    Ok(project.write(SPENDING, seal_json(project.key(), SPENDING, &text)).await?)
}

/// Whether a limit for a task or a day forbids the first model call of a run.
pub(super) async fn is_exhausted(
    project: ProjectDir<'_>,
    runs: &Runs,
    limits: &Limits,
    subject: &str,
    now: u64,
) -> Result<bool, Error> {
    if limits.per_task.is_none() && limits.per_day.is_none() {
        return Ok(false);
    }
    let (spending, _) = complete(project, runs, "", now).await?;
    Ok(spending.before("", now).is_exhausted(limits, subject, now))
}

/// The facts of what other runs spent, if a limit depends on it.
pub(super) async fn facts(
    project: ProjectDir<'_>,
    runs: &Runs,
    limits: &Limits,
    run_id: &str,
    now: u64,
) -> Result<(Spending, Vec<Event>), Error> {
    let (spending, problem) = complete(project, runs, run_id, now).await?;
    if problem.is_some() {
        project.set_aside(SPENDING).await?;
    }
    let mut facts: Vec<Event> = problem.map(Event::status).into_iter().collect();
    if limits.per_task.is_some() || limits.per_day.is_some() {
        facts.push(Event::SpendingRead { before: spending.before(run_id, now) });
    }
    Ok((spending, facts))
}

/// Writes what the run spent, if that changed. `reason`: why it ends now.
pub(super) async fn write(session: &Session<'_>, reason: Option<StopReason>) -> Result<(), Error> {
    let Some(entry) = session.with_machine(|machine| machine.run.spending(reason)) else { return Ok(()) };
    if !session.spending.borrow_mut().put(entry, session.now()) {
        return Ok(());
    }
    let spending = session.spending.borrow().clone();
    match write_to(session.host.project(), &spending).await {
        Ok(()) => Ok(()),
        Err(error) => session.status(format!("{SPENDING} is not written; the run continues: {error}")).await,
    }
}
