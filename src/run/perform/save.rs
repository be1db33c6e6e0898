//! The snapshots around a task.

use crate::agent::IterationFact;
use crate::error::Error;
use crate::port::Host;
use crate::run::Work;
use crate::run::event::Event;
use crate::run::session::Session;
use crate::snapshot::{self, Iteration, SaveOptions};
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
    let tag = format!("task-{number}-post");
    if session.host.git().is_none() {
        return Ok(Some(Event::SnapshotSkipped { tag }));
    }
    let message = session.with_machine(|machine| machine.work().map(Work::message).unwrap_or_default().to_owned());
    save_as(session, &tag, &format!("task-{number}: {}", task::title(&message))).await?;
    Ok(None)
}

/// Saves the project as it is after an iteration that ended. A failure costs that snapshot and nothing else.
pub(in crate::run) async fn save_iteration<H: Host>(session: &Session<'_, H>) -> Result<(), Error> {
    let Some(number) = session.take_unsaved() else { return Ok(()) };
    if session.host.git().is_none() || session.iteration_snapshots == 0 {
        return Ok(());
    }
    let began = session.now();
    let task = session.with_machine(|machine| {
        format!(
            "task-{}, iteration {number}: {}",
            machine.task(),
            task::title(machine.work().map_or("", Work::message))
        )
    });
    let (run, kept) = (session.run_id(), session.iteration_snapshots);
    let iteration = Iteration { run, number, message: &task, kept };
    match snapshot::save_iteration(session.host, &session.watch, &iteration).await {
        Ok(snapshot) => {
            let duration_ms = session.now().saturating_sub(began);
            session.record(Event::SnapshotSaved { snapshot, duration_ms }).await
        }
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
    session.record(Event::SnapshotSaved { snapshot, duration_ms: session.now().saturating_sub(began) }).await
}
