//! The commit of an abandoned run whose page was closed before git's index had it. Until then, the next commit of the user
//! would remove the work.

use crate::error::Error;
use crate::port::Host;
use crate::run::options::Work;
use crate::run::ownership;
use crate::run::recipe::{chunks, specs};
use crate::run::session::Session;
use crate::run::spending::WorkKind;
use crate::run::unfinished;

/// Finishes that of the run before this one on HEAD's branch, and ends that run. A run over chunks is left to the next one over
/// specs or chunks, which also takes its attempt back.
///
/// # Errors
/// What a port returns.
pub(in crate::run) async fn finish_commits<H: Host>(session: &Session<'_, H>) -> Result<(), Error> {
    if session.host.git().is_none() {
        return Ok(());
    }
    let is_task = session.with_machine(|machine| matches!(machine.run.work, Some(Work::Task { .. })));
    let (project, runs) = (session.host.project(), session.runs());
    // Each run does so at its start, so only the one before it can have left something.
    let Some(run) = runs.own.iter().rev().find(|run| run.run_id != session.run_id()).filter(|run| !run.is_over) else {
        return Ok(());
    };
    let commit = match run.kind {
        Some(WorkKind::Spec) => match unfinished::fold(project, &runs, &run.run_id).await {
            Ok((machine, _)) => specs::finish_commit(session.host, &machine).await?,
            // Nothing is known of its commit.
            Err(_) => None,
        },
        Some(WorkKind::Chunks) if is_task => match unfinished::open_attempt_of(project, &run.run_id).await {
            Ok(Some(attempt)) => chunks::shipped_by(session.host, &attempt).await?,
            Ok(None) | Err(_) => None,
        },
        _ => None,
    };
    if let Some(commit) = commit {
        session.status(format!("The commit {commit} of run {} is in git's index now.", run.run_id)).await?;
        ownership::end(session, &run.run_id).await?;
    }
    Ok(())
}
