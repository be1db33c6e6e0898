//! Accepts a task: saves the project as the gates judged it.

use super::{Performed, Seen, Session};
use crate::error::Error;
use crate::layout::{is_judged, tag_after};
use crate::run::event::Event;
use crate::run::machine::outdated_files;
use crate::run::perform::{save_as, save_options, saved};
use crate::snapshot::{self, Evidence, SnapshotKind};
use crate::task;

pub(super) async fn accept(session: &Session<'_>) -> Result<Performed, Error> {
    session.watch.distrust(session.host);
    let (number, message, judged) = session.with(|machine: &Seen<'_>| {
        (machine.recipe.number, task::title(machine.recipe.message()), machine.run.judged_tree().map(str::to_owned))
    });
    let (tag, message) = (tag_after(number), format!("task-{number}: {message}"));
    if session.host.git.is_none() {
        if let Some(judged) = judged {
            let now = snapshot::evidence(session.host, &is_judged).await?;
            if now.tree != judged {
                return Ok(outdated(session, judged, &now));
            }
        }
        return Ok(Event::SnapshotSkipped { tag }.into());
    }
    let kind = SnapshotKind::Post;
    let Some(judged) = judged else { return Ok(save_as(session, &tag, kind, &message).await?.1.into()) };
    let began = session.now();
    let options = save_options(session, &tag, kind, &message);
    match snapshot::save_judged(session.host, &session.watch, &options, &judged, &is_judged).await? {
        Ok(snapshot) => Ok(saved(session, snapshot, began).await?.into()),
        Err(now) => Ok(outdated(session, judged, &now)),
    }
}

/// The gates must judge again.
fn outdated(session: &Session<'_>, judged: String, now: &Evidence) -> Performed {
    let before = session.judged.borrow_mut().take();
    let paths = before.map(|before| before.differing(now)).unwrap_or_default();
    let named = outdated_files(&paths);
    let text = format!("Files changed after the checks ran ({named}), so the checks run again.");
    Performed::Facts(vec![Event::status(text), Event::EvidenceOutdated { judged, paths }])
}
