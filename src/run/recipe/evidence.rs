//! What the gates get about a piece of work: what changed since its beginning, and what of it the agent did.

use super::Session;
use crate::agent::Observer;
use crate::error::Error;
use crate::gate::{ChangedFile, Comparison, TaskFacts, TaskRequest, WorkEvidence};
use crate::layout::is_task_file;
use crate::ledger::ChangedBy;
use crate::snapshot::Evidence;

/// The facts of a spec or of one of its steps. `before` is the commit of the project before the work, `brief` the place of the
/// text that asks for it, and `texts` are what the user wrote.
pub(super) async fn facts(
    session: &Session<'_>,
    before: &str,
    present: &Evidence,
    brief: &str,
    texts: Vec<String>,
) -> Result<TaskFacts, Error> {
    let comparison = Comparison::since(session.host, Some(before), present).await;
    let work = work(session, present, differing(&comparison)).await?;
    Ok(TaskFacts {
        brief: Some(brief.to_owned()),
        before: Some(before.to_owned()),
        request: TaskRequest { messages: texts, ..TaskRequest::default() },
        comparison,
        work: Some(work),
        ..TaskFacts::default()
    })
}

/// The work of the agent. `differing` are the paths that differ from the state before it.
pub(super) async fn work(
    session: &Session<'_>,
    present: &Evidence,
    differing: Option<Vec<String>>,
) -> Result<WorkEvidence, Error> {
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
    let (by_harness, is_incomplete) = (changed_by(ChangedBy::Harness), ledger.is_uncertain());
    Ok(WorkEvidence { by_agent, by_harness, is_incomplete, differing, ignored, asks_for_more: false })
}

/// The paths that differ; `None` if they are not known.
pub(super) fn differing(comparison: &Comparison) -> Option<Vec<String>> {
    Some(comparison.files()?.iter().flat_map(paths).cloned().collect())
}

/// The old and the new path of a file.
fn paths(file: &ChangedFile) -> impl Iterator<Item = &String> {
    file.was.iter().filter(|was| **was != file.path).chain([&file.path])
}
