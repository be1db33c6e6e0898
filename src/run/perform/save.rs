//! The snapshots around a task.

use crate::agent::IterationFact;
use crate::error::Error;
use crate::layout::{is_judged, tag_after};
use crate::port::Host;
use crate::run::event::Event;
use crate::run::feedback;
use crate::run::session::Session;
use crate::snapshot::{self, Evidence, Iteration, SaveOptions, SnapshotInfo};
use crate::task;

/// Saves the accepted project. A message of the user that waits is delivered first: it is more work.
pub(super) async fn save<H: Host>(session: &Session<'_, H>, number: u32) -> Result<Option<Event>, Error> {
    let waiting = std::mem::take(&mut *session.control.steering.borrow_mut());
    if !waiting.is_empty() {
        for message in waiting {
            session.record(Event::of_fact(IterationFact::Steered(message), |usage| *usage)).await?;
        }
        return Ok(None);
    }
    let tag = tag_after(number);
    let judged = session.with_machine(|machine| machine.judged_tree().map(str::to_owned));
    if session.host.git().is_none() {
        if let Some(judged) = judged {
            let now = snapshot::evidence(session.host, &is_judged).await?;
            if now.tree != judged {
                return outdated(session, judged, &now).await.map(Some);
            }
        }
        return Ok(Some(Event::SnapshotSkipped { tag }));
    }
    let message = session.with_machine(|machine| format!("task-{number}: {}", task::title(machine.message())));
    let Some(judged) = judged else {
        save_as(session, &tag, &message).await?;
        return Ok(None);
    };
    let began = session.now();
    session.watch.distrust();
    let options = SaveOptions { message: Some(message), tag: Some(tag) };
    match snapshot::save_judged(session.host, &session.watch, &options, &judged, &is_judged).await? {
        Ok(snapshot) => record_saved(session, snapshot, began).await.map(|()| None),
        Err(now) => outdated(session, judged, &now).await.map(Some),
    }
}

/// The gates have to judge again.
async fn outdated<H: Host>(session: &Session<'_, H>, judged: String, now: &Evidence) -> Result<Event, Error> {
    let before = session.judged.borrow_mut().take();
    let paths = before.map(|before| before.differing(now)).unwrap_or_default();
    let named = feedback::outdated_files(&paths);
    let text = format!("Files changed after the gates had judged them ({named}): they judge again.");
    session.record(Event::Status { text }).await?;
    Ok(Event::EvidenceOutdated { judged, paths })
}

/// Saves the project as it is after an iteration that ended. A failure costs that snapshot and nothing else.
pub(in crate::run) async fn save_iteration<H: Host>(session: &Session<'_, H>) -> Result<(), Error> {
    let Some(number) = session.take_unsaved() else { return Ok(()) };
    if session.host.git().is_none() || session.iteration_snapshots == 0 {
        return Ok(());
    }
    let began = session.now();
    let task = session.with_machine(|machine| {
        format!("task-{}, iteration {number}: {}", machine.task(), task::title(machine.message()))
    });
    let (run, kept) = (session.run_id(), session.iteration_snapshots);
    let iteration = Iteration { run, number, message: &task, kept };
    match snapshot::save_iteration(session.host, &session.watch, &iteration).await {
        Ok(snapshot) => record_saved(session, snapshot, began).await,
        Err(error) => {
            let text = format!("There is no snapshot of iteration {number}; the run goes on without it: {error}");
            session.record(Event::Status { text }).await
        }
    }
}

/// Saves the project under a tag, looking at every file, and records it.
pub(super) async fn save_as<H: Host>(session: &Session<'_, H>, tag: &str, message: &str) -> Result<(), Error> {
    let began = session.now();
    session.watch.distrust();
    let options = SaveOptions { message: Some(message.to_owned()), tag: Some(tag.to_owned()) };
    let snapshot = snapshot::save_in(session.host, &session.watch, &options).await?;
    record_saved(session, snapshot, began).await
}

async fn record_saved<H: Host>(session: &Session<'_, H>, snapshot: SnapshotInfo, began: u64) -> Result<(), Error> {
    session.record(Event::SnapshotSaved { snapshot, duration_ms: session.now().saturating_sub(began) }).await
}
