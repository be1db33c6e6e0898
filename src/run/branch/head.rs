//! HEAD and the branch of a run, which the user may move.

use super::BranchFact;
use crate::config::After;
use crate::error::{Error, ErrorCode};
use crate::port::Host;
use crate::run::event::Event;
use crate::run::machine::Ending;
use crate::run::options::StopReason;
use crate::run::session::Session;
use crate::snapshot::branch::{self, HeadState};

/// Requires HEAD at the branch of the run, and an index that a commit can change.
///
/// # Errors
/// `conflict` or `unsupported`, with what to do.
pub(in crate::run) async fn require_branch(host: &Host, own: &str) -> Result<HeadState, Error> {
    let head = branch::head(host).await?;
    if head.branch.as_deref() == Some(own) {
        branch::require_index(host).await?;
        return Ok(head);
    }
    let now = head.branch.unwrap_or_else(|| "a detached commit".to_owned());
    let message = format!(
        "the run commits to {own}, and HEAD moved to {now}: switch back to {own} and resume, or start a new run"
    );
    Err(Error::new(ErrorCode::Conflict, message))
}

/// After a run that is done, with `git.after: return`: checks out the branch from which the branch of the spec started. Where that
/// is not possible, HEAD stays, and a status has the reason.
pub(in crate::run) async fn leave(session: &Session<'_>, own: &str, base: Option<&str>) -> Result<Vec<Event>, Error> {
    let is_done =
        session.with_machine(|machine| matches!(machine.ending(), Some(Ending::Stopped(StopReason::Done, _))));
    let base = base.filter(|base| *base != own);
    let (true, After::Return, Some(base)) = (is_done, session.settings.git.after, base) else { return Ok(Vec::new()) };
    // A branch that does not exist is not created at the work of the run.
    if branch::head(session.host).await?.branch.as_deref() != Some(own)
        || branch::tip(session.host, base).await?.is_none()
    {
        return Ok(Vec::new());
    }
    let (text, warnings) = match branch::switch_with(session.host, &session.watch, base, None).await {
        Ok((_, warnings)) => (format!("Branch {base} is checked out again; the commits are on {own}."), warnings),
        Err(error) if error.code == ErrorCode::Conflict => {
            (format!("Branch {own} stays checked out: {}", error.message), Vec::new())
        }
        Err(error) => return Err(error),
    };
    Ok([text].into_iter().chain(warnings).map(Event::status).collect())
}

/// Before a message becomes more work of a run that is done: checks out the branch that [`leave`] left.
///
/// # Errors
/// As [`branch::switch`].
pub(in crate::run) async fn come_back(session: &Session<'_>, own: &str, base: Option<&str>) -> Result<(), Error> {
    if let Some(base) = base
        && branch::head(session.host).await?.branch.as_deref() == Some(base)
    {
        branch::switch(session.host, &session.watch, own, None).await?;
    }
    Ok(())
}

/// The fact of commits that the user made on the branch `own`; `None` if HEAD is at the `known` commit. Sets a ref that a
/// crash tore to the `known` commit, and says so.
///
/// # Errors
/// `conflict` if HEAD is elsewhere, or the branch lost the commit that the run builds on.
pub(in crate::run) async fn follow(host: &Host, own: &str, known: Option<&str>) -> Result<Option<Event>, Error> {
    let head = require_branch(host, own).await?;
    if head.commit.as_deref() == known {
        return Ok(None);
    }
    if branch::repair(host, own, known).await? {
        return Ok(Some(Event::status(format!("The ref of {own} is set to its last known commit."))));
    }
    let follows = match (known, &head.commit) {
        (Some(known), Some(now)) => branch::is_ancestor(host, known, now).await?,
        (None, _) => true,
        (Some(_), None) => false,
    };
    match head.commit.filter(|_| follows) {
        Some(to) => Ok(Some(moved(known, to))),
        None => {
            let known = known.unwrap_or_default();
            let message = format!(
                "branch {own} lost the commit {known}, which the run builds on: bring the commit back and resume, or start a \
                 new run"
            );
            Err(Error::new(ErrorCode::Conflict, message))
        }
    }
}

/// The fact of commits of the user.
pub(in crate::run) fn moved(from: Option<&str>, to: String) -> Event {
    BranchFact::BranchMoved { from: from.map(str::to_owned), to }.into()
}
