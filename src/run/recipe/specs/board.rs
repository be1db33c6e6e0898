//! The specs of a project with their state, for readers.

use super::SpecFact;
use super::catalog::{self, SkippedSpec, SpecInfo};
use super::perform::IMPLEMENTER;
use super::state::{self, Candidate, Found, PlanInfo, PlanStatus, Stored};
use crate::error::Error;
use crate::layout::SPEC_LOGS;
use crate::port::ProjectDir;
use crate::run::event::Event;
use crate::run::journal::{self, Runs};
use crate::run::options::{StopReason, Work};
use crate::run::spending::WorkKind;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A file below `specs/` with its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct ListedSpec {
    pub path: String,
    pub title: String,
    pub state: SpecState,
    /// Why the file is not a spec, why its last plan is void, or why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many attempts of implementers have a log.
    pub attempts: usize,
    /// How many plans it has had, with the present draft.
    pub plans: u32,
    /// What the next implementation must fix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum SpecState {
    New,
    /// The planner works on its plan, or must write another one.
    Drafting,
    /// Its plan is accepted, or written by hand.
    Planned,
    /// An implementation waits for its verification.
    Candidate,
    /// It is verified, and committed where a run commits.
    Done,
    /// The last run that worked on it gave it up.
    Failed,
    NotASpec,
}

/// The files below `specs/`: the specs in the order of a run, then the others. Writes nothing.
///
/// # Errors
/// `unsupported` for a plan of a newer version; errors of the file system.
pub async fn list_specs(project: ProjectDir<'_>) -> Result<Vec<ListedSpec>, Error> {
    let work = Work::Spec { path: None, force: true };
    let (specs, skipped) = catalog::find(project, &work, false).await?;
    let mut given_up = given_up(project, &specs).await?;
    let mut listed = Vec::new();
    for spec in specs {
        listed.push({
            let given_up = given_up.remove(&spec.path);
            listed_spec(project, spec, given_up).await?
        });
        project.pause().await;
    }
    listed.extend(skipped.into_iter().map(|SkippedSpec { path, reason, .. }| ListedSpec {
        title: crate::path::name(&path).to_owned(),
        path,
        state: SpecState::NotASpec,
        reason: Some(reason),
        attempts: 0,
        plans: 0,
        feedback: None,
    }));
    Ok(listed)
}

async fn listed_spec(project: ProjectDir<'_>, spec: SpecInfo, given_up: Option<String>) -> Result<ListedSpec, Error> {
    let info = Stored::<PlanInfo>::read(project, &spec.plan_state()).await?;
    let text = project.read_text(&spec.plan()).await?.unwrap_or_default();
    let archives = state::archives(project, &spec).await?;
    let found = state::resume_from(&info, !state::is_blank(&text), &archives);
    let has_candidate = matches!(Stored::<Candidate>::read(project, &spec.candidate()).await?, Stored::Read(_));
    let is_done = project.lstat(&spec.done()).await?.is_some();
    let known = match &info {
        Stored::Read(info) => Some(info),
        _ => None,
    };
    let (now, plans) = match &found {
        Found::Active { attempt } | Found::Adopt { attempt } => (SpecState::Planned, *attempt),
        Found::Plan { attempt: 1, reason: None, .. } if known.is_none() => (SpecState::New, 0),
        Found::Plan { attempt, .. } => {
            let is_draft = known.is_some_and(|info| info.status == PlanStatus::Drafting);
            (SpecState::Drafting, if is_draft { *attempt } else { attempt - 1 })
        }
    };
    let state = match now {
        SpecState::Planned if has_candidate => SpecState::Candidate,
        _ if is_done => SpecState::Done,
        _ if given_up.is_some() => SpecState::Failed,
        now => now,
    };
    let reason = match (state, found) {
        (SpecState::Failed, _) => given_up,
        (SpecState::Drafting, Found::Plan { reason, .. }) => reason,
        _ => None,
    };
    let feedback = known.map(|info| info.feedback.clone()).filter(|text| !text.is_empty() && state != SpecState::Done);
    let attempts = implementations(project, &spec).await?;
    Ok(ListedSpec { path: spec.path, title: spec.title, state, reason, attempts, plans, feedback })
}

/// The specs that the last run which worked on them gave up, and why. A run whose journal cannot be read gave up none.
async fn given_up(project: ProjectDir<'_>, specs: &[SpecInfo]) -> Result<BTreeMap<String, String>, Error> {
    let runs = Runs::read(project).await?;
    let (mut given_up, mut left) = (BTreeMap::new(), BTreeSet::from_iter(specs.iter().map(|spec| spec.path.clone())));
    for run in runs.own.iter().rev().filter(|run| run.kind == Some(WorkKind::Spec)) {
        if !run.subjects.iter().any(|subject| left.contains(subject)) {
            continue;
        }
        let Ok(journal) = journal::read(project, &run.run_id).await else {
            // What the last run did is not known.
            left.retain(|path| !run.subjects.contains(path));
            continue;
        };
        let mut last: Option<String> = None;
        for envelope in journal.events {
            match envelope.event {
                Event::Specs(SpecFact::SpecStarted { spec, .. }) => {
                    last = left.take(&spec).or(last.filter(|last| *last == spec));
                }
                Event::RunFinished { result } if gives_up(result.reason) => {
                    given_up.extend(last.take().map(|spec| (spec, result.message)));
                }
                _ => {}
            }
        }
        project.pause().await;
    }
    Ok(given_up)
}

fn gives_up(reason: StopReason) -> bool {
    matches!(reason, StopReason::MaxAttempts | StopReason::PlanNotConverging)
}

/// How many logs of implementers the spec has.
async fn implementations(project: ProjectDir<'_>, spec: &SpecInfo) -> Result<usize, Error> {
    let folder = format!("{SPEC_LOGS}/{}", spec.id());
    let mut count = 0;
    for run in project.read_dir(&folder).await?.unwrap_or_default() {
        let logs = project.read_dir(&format!("{folder}/{run}")).await.ok().flatten().unwrap_or_default();
        count += logs.iter().filter(|name| name.starts_with(IMPLEMENTER)).count();
    }
    Ok(count)
}
