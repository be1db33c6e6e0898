//! The end of a task that stalled for the last time: the project is brought back to what it was before.

use crate::error::Error;
use crate::port::Host;
use crate::run::event::Event;
use crate::run::projection;
use crate::run::session::Session;
use crate::run::stall::rolled_back;
use crate::snapshot;

/// Performed again after a crash, it finds that nothing is left to do, and makes no second undo point: the one that
/// there is holds what the task had done.
pub(super) async fn roll_back<H: Host>(session: &Session<'_, H>, tag: String) -> Result<Event, Error> {
    let began = session.now();
    let (task, recoveries) = session.with_machine(|machine| (machine.task(), machine.recoveries()));
    let mut rollback = snapshot::rollback(session.host, &tag, true).await?;
    let own = session.with_machine(projection::files);
    let is_own = |path: &String| own.iter().any(|(own, _)| own == path);
    if !rollback.restored.iter().chain(&rollback.deleted).all(is_own) {
        session.watch.distrust();
        rollback = snapshot::rollback_in(session.host, &session.watch, &tag).await?;
    }
    Ok(Event::SnapshotRestored {
        restored: count(&rollback.restored),
        deleted: count(&rollback.deleted),
        duration_ms: session.now().saturating_sub(began),
        feedback: rolled_back(task, recoveries, &tag),
        tag,
    })
}

fn count(paths: &[String]) -> u32 {
    u32::try_from(paths.len()).unwrap_or(u32::MAX)
}
