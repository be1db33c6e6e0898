//! What an abandoned run left: the files of a command during which its page was closed, which are named; and a commit that
//! git's index does not have, without which the next commit of the user would remove the work.

use crate::error::Error;
use crate::run::options::Work;
use crate::run::ownership;
use crate::run::recipe::{chunks, specs};
use crate::run::session::Session;
use crate::run::spending::WorkKind;
use crate::run::unfinished;

/// Names the files that a command of the run before this one may have changed, and finishes its commit on HEAD's branch, which
/// ends that run. A run over chunks is left to the next one over specs or chunks, which also takes its attempt back.
///
/// # Errors
/// What a port returns.
pub(in crate::run) async fn finish_abandoned(session: &Session<'_>) -> Result<(), Error> {
    if session.host.git.is_none() {
        return Ok(());
    }
    let is_task = session.with_machine(|machine| matches!(machine.run.work, Some(Work::Task { .. })));
    let (project, runs) = (session.host.project(), session.runs());
    // Each run does so at its start, so only the one before it can have left something.
    let Some(run) = runs.own.iter().rev().find(|run| run.run_id != session.run_id()).filter(|run| !run.is_over) else {
        return Ok(());
    };
    let commit = match run.kind {
        Some(WorkKind::Task | WorkKind::Spec) => match unfinished::fold(project, &runs, &run.run_id).await {
            Ok((mut machine, closed)) => {
                machine.run.ledger.resumed(Some(closed), false);
                if let Some(text) = ownership::left_by_command(session, &run.run_id, &machine.run.ledger).await? {
                    session.status(text).await?;
                }
                specs::finish_commit(session.host, &machine).await?
            }
            // Nothing is known of its work.
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
