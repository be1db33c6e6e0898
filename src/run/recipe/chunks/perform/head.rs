//! HEAD and the branch of the run, which the user may move.

use super::{Seen, Session};
use crate::config::After;
use crate::error::{Error, ErrorCode};
use crate::port::Host;
use crate::run::event::Event;
use crate::run::machine::Ending;
use crate::run::options::StopReason;
use crate::run::recipe::chunks::ChunkFact;
use crate::snapshot::branch::{self, HeadState};

/// Requires HEAD at the branch of the run, and an index that a commit can change.
///
/// # Errors
/// `conflict` or `unsupported`, with what to do.
pub(super) async fn require_branch<H: Host>(session: &Session<'_, H>) -> Result<HeadState, Error> {
    let branch = session.with(|machine: &Seen<'_>| machine.recipe.prepared.branch.clone());
    let head = branch::head(session.host).await?;
    if head.branch.as_deref() == Some(branch.as_str()) {
        branch::require_index(session.host).await?;
        return Ok(head);
    }
    let now = head.branch.unwrap_or_else(|| "a detached commit".to_owned());
    let message = format!(
        "the chunks are committed to {branch}, and HEAD moved to {now}: switch back to {branch} and resume, or start a new run, \
         which takes the unfinished attempt back"
    );
    Err(Error::new(ErrorCode::Conflict, message))
}

/// After a run that is done, with `git.after: return`: checks out the branch from which that of the spec started. Where that
/// is not possible, HEAD stays, and a status has the reason.
pub(super) async fn leave<H: Host>(session: &Session<'_, H>) -> Result<Vec<Event>, Error> {
    let (is_done, prepared) = session.with(|machine: &Seen<'_>| {
        let is_done = matches!(machine.ending(), Some(Ending::Stopped(StopReason::Done, _)));
        (is_done, machine.recipe.prepared.clone())
    });
    let own = prepared.branch;
    let base = prepared.base_branch.filter(|base| *base != own);
    let (true, After::Return, Some(base)) = (is_done, session.settings.git.after, base) else { return Ok(Vec::new()) };
    // A branch that does not exist is not created at the chunks.
    if branch::head(session.host).await?.branch.as_ref() != Some(&own)
        || branch::tip(session.host, &base).await?.is_none()
    {
        return Ok(Vec::new());
    }
    let text = match branch::switch(session.host, &session.watch, &base, None).await {
        // A message came: the run goes on.
        Ok(_) if !session.control.steering.borrow().is_empty() => {
            branch::switch(session.host, &session.watch, &own, None).await?;
            return Ok(Vec::new());
        }
        Ok(_) => format!("Branch {base} is checked out again; the chunks are on {own}."),
        Err(error) if error.code == ErrorCode::Conflict => format!("Branch {own} stays checked out: {}", error.message),
        Err(error) => return Err(error),
    };
    Ok(vec![Event::status(text)])
}

/// The fact of commits that the user made on the branch; `None` if HEAD is at the known commit.
///
/// # Errors
/// `conflict` if HEAD is elsewhere, or the branch lost the commit that the run builds on.
pub(super) async fn follow<H: Host>(session: &Session<'_, H>) -> Result<Option<Event>, Error> {
    let known = session.with(|machine: &Seen<'_>| machine.recipe.prepared.head.clone());
    let head = require_branch(session).await?;
    if head.commit == known {
        return Ok(None);
    }
    let follows = match (&known, &head.commit) {
        (Some(known), Some(now)) => branch::is_ancestor(session.host, known, now).await?,
        (None, _) => true,
        (Some(_), None) => false,
    };
    match head.commit.filter(|_| follows) {
        Some(to) => Ok(Some(moved(session, to))),
        None => {
            let branch = head.branch.unwrap_or_default();
            let known = known.unwrap_or_default();
            let message = format!(
                "branch {branch} lost the commit {known}, which the run builds on: bring the commit back and resume, or start a \
                 new run"
            );
            Err(Error::new(ErrorCode::Conflict, message))
        }
    }
}

/// The fact of commits of the user.
pub(super) fn moved<H: Host>(session: &Session<'_, H>, to: String) -> Event {
    let from = session.with(|machine: &Seen<'_>| machine.recipe.prepared.head.clone());
    ChunkFact::BranchMoved { from, to }.into()
}
