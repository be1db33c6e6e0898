//! The evidence of the agent's work, for the gates.

use super::{Seen, Session, task_request};
use crate::agent::Observer;
use crate::error::Error;
use crate::gate::{ChangedFile, Comparison, TaskFacts, TaskPlan, WorkEvidence};
use crate::layout::{FILES_BEFORE, PLAN_BEFORE, is_judged, is_task_file};
use crate::ledger::ChangedBy;
use crate::snapshot::{self, Evidence};

/// Stores the hashes of all files at the task's start, in place of a snapshot.
pub(super) async fn keep_before(session: &Session<'_>) -> Result<(), Error> {
    let before = snapshot::evidence(session.host, &is_judged).await?;
    let text = format!("{}\n{}", session.run_id(), before.to_text());
    Ok(session.host.project().write(FILES_BEFORE, &text).await?)
}

/// The task's facts. `present` are the files that the gates judge.
pub(super) async fn facts(session: &Session<'_>, present: &Evidence) -> Result<TaskFacts, Error> {
    let tag = session.with(|machine: &Seen<'_>| machine.run.snapshots.pre.clone());
    let before_task = match tag {
        Some(tag) => Some(session.saved_commit(&tag).await?),
        None => None,
    };
    let comparison = comparison(session, before_task.as_deref(), present).await;
    let differing = match &comparison {
        Comparison::Changed(files) => Some(files.iter().flat_map(paths).cloned().collect()),
        Comparison::Impossible(_) => None,
        Comparison::None => before(session).await?.map(|before| {
            let mut paths = before.differing(present);
            paths.retain(|path| !is_task_file(path));
            paths
        }),
    };
    let ledger = session.ledger();
    let changed_by = |by| ledger.changed_by(by).into_iter().filter(|path| !is_task_file(path)).collect::<Vec<_>>();
    let by_agent = changed_by(ChangedBy::Agent);
    let mut ignored = Vec::new();
    for path in by_agent.iter().filter(|path| !present.has(path)) {
        let is_listed = differing.iter().flatten().any(|other: &String| other == path);
        if !is_listed && session.host.project().lstat(path).await?.is_some() {
            ignored.push(path.clone());
        }
    }
    let work = WorkEvidence {
        by_agent,
        by_harness: changed_by(ChangedBy::Harness),
        is_incomplete: ledger.is_uncertain(),
        differing,
        ignored,
        asks_for_more: session.with(|machine: &Seen<'_>| machine.recipe.asks_for_more_than_white_space(machine.run)),
    };
    let (number, builds_app) = session.with(|machine: &Seen<'_>| (machine.recipe.number, machine.recipe.builds_app()));
    let request = session.with(task_request::task_request);
    let plan = plan(session).await?;
    let before = before_task;
    Ok(TaskFacts { number: Some(number), before, request, comparison, builds_app, work: Some(work), plan })
}

/// The change of the task.
async fn comparison(session: &Session<'_>, before: Option<&str>, present: &Evidence) -> Comparison {
    let was_empty = session.with(|machine: &Seen<'_>| machine.recipe.was_empty);
    match session.host.git.as_deref() {
        None if !was_empty => Comparison::None,
        _ => Comparison::since(session.host, before, present).await,
    }
}

/// The old and the new path of a file.
fn paths(file: &ChangedFile) -> impl Iterator<Item = &String> {
    file.was.iter().filter(|was| **was != file.path).chain([&file.path])
}

/// The files at the task's start, if this run stored them.
async fn before(session: &Session<'_>) -> Result<Option<Evidence>, Error> {
    let kept = session.host.project().read_text(FILES_BEFORE).await?.unwrap_or_default();
    let files = kept.split_once('\n').filter(|(run, _)| *run == session.run_id()).map(|(_, files)| files);
    Ok(files.and_then(Evidence::from_text))
}

async fn plan(session: &Session<'_>) -> Result<TaskPlan, Error> {
    let (is_own, is_update) =
        session.with(|machine: &Seen<'_>| (machine.recipe.has_own_plan(), machine.recipe.plan.update));
    Ok(match (is_own, is_update) {
        (false, _) => TaskPlan::None,
        (true, false) => TaskPlan::New,
        (true, true) => TaskPlan::Updated(session.host.project().read_text(PLAN_BEFORE).await?.unwrap_or_default()),
    })
}
