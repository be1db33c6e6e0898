//! The driver: asks the machine for a command, performs it, journals the facts and lets the machine fold them.

use super::event::{Envelope, Event, Fault};
use super::journal;
use super::lease::Lease;
use super::machine::{Command, Ending, Machine};
use super::options::{RunControl, RunOptions, RunResult, Work};
use super::perform::{Performed, perform, write_files};
use super::recipe::Effects;
use super::recipe::chunks::{ChunkFact, Chunks};
use super::recipe::spec::{SpecFact, Specs};
use super::recipe::task::{Task, TaskFact};
use super::session::{self, Session};
use crate::error::Error;
use crate::port::{ClockPort, Host};

/// Runs a task to its end. `listener` gets every journaled fact and every streamed delta with its JSON text.
///
/// # Errors
/// `locked` if another run has the project. A lasting failure of the host, with its port's name: the run can be resumed
/// from the journal. A refused, stopped or failed task is a result, not an error.
pub async fn drive<H: Host>(
    host: &H,
    options: RunOptions,
    control: &RunControl,
    listener: &dyn Fn(&Envelope<TaskFact>, &str),
) -> Result<RunResult, Error> {
    drive_recipe::<H, Task>(host, options, control, listener).await
}

/// Runs the specs of a project to their end, as [`drive`] runs a task.
///
/// # Errors
/// As [`drive`]; also `unsupported` without git, and `not-found` or `invalid-argument` for a path that is not a spec.
pub async fn drive_specs<H: Host>(
    host: &H,
    options: RunOptions,
    control: &RunControl,
    listener: &dyn Fn(&Envelope<SpecFact>, &str),
) -> Result<RunResult, Error> {
    drive_recipe::<H, Specs>(host, options, control, listener).await
}

/// Runs the chunks of a spec to their end, as [`drive`] runs a task.
///
/// # Errors
/// As [`drive`]; also `unsupported` without git, `not-found` without the spec, and `invalid-config` for chunks or a
/// configuration that cannot run.
pub async fn drive_chunks<H: Host>(
    host: &H,
    options: RunOptions,
    control: &RunControl,
    listener: &dyn Fn(&Envelope<ChunkFact>, &str),
) -> Result<RunResult, Error> {
    drive_recipe::<H, Chunks>(host, options, control, listener).await
}

/// Runs work of any kind; a resumed run has the kind of its journal. `listener` gets the JSON texts of the events.
///
/// # Errors
/// As [`drive`], [`drive_specs`] and [`drive_chunks`].
pub async fn drive_any<H: Host>(
    host: &H,
    options: RunOptions,
    control: &RunControl,
    listener: &dyn Fn(&str),
) -> Result<RunResult, Error> {
    let stored = match options.resume {
        true => journal::work(host.project(), &options.run_id).await?,
        false => None,
    };
    // Boxed, because each future has the futures of all its calls.
    match stored.as_ref().unwrap_or(&options.work) {
        Work::Task { .. } => Box::pin(drive(host, options, control, &|_, json| listener(json))).await,
        Work::Spec { .. } => Box::pin(drive_specs(host, options, control, &|_, json| listener(json))).await,
        Work::Chunks { .. } => Box::pin(drive_chunks(host, options, control, &|_, json| listener(json))).await,
    }
}

/// [`drive`] for any recipe.
pub(super) async fn drive_recipe<H: Host, R: Effects>(
    host: &H,
    options: RunOptions,
    control: &RunControl,
    listener: &dyn Fn(&Envelope<R::Fact>, &str),
) -> Result<RunResult, Error> {
    host.seen().forget();
    let config = session::check::<H, R>(host, &options).await?;
    let lease = Lease::acquire(host, &options.run_id, &options.holder, options.resume).await?;
    let run = async {
        let session: Session<'_, H, R> = Session::open(host, options, config, control, listener, &lease).await?;
        let result = to_the_end(&session).await;
        if let Err(error) = &result {
            // The journal's storage itself may have failed; the caller gets the error either way.
            let _ = session.record(Event::RunFailed { error: Fault::from(error) }).await;
        }
        result
    };
    let result = lease.keep(host.clock(), Box::pin(run)).await;
    lease.release(host.clock().now()).await;
    result.map_err(|mut error| {
        error.message = host.redactor().text(&error.message).into_owned();
        error
    })
}

async fn to_the_end<H: Host, R: Effects>(session: &Session<'_, H, R>) -> Result<RunResult, Error> {
    let mut cause = None;
    loop {
        if let Some(reason) = session.control.abort.reason()
            && let Some(fact) = session.with_machine(|machine| machine.abort(reason))
        {
            session.record(fact).await?;
        }
        write_files(session).await?;
        match session.with_machine(Machine::next) {
            Command::Finish(Ending::Stopped(reason, message)) => {
                R::close(session).await?;
                let result = session.with_machine(|machine| machine.result(reason, &message));
                session.record(Event::RunFinished { result: result.clone() }).await?;
                return Ok(result);
            }
            Command::Finish(Ending::Failed(fault)) => return Err(fault.into_error(cause)),
            command => match perform(session, command).await? {
                Performed::Aborted => {}
                Performed::Facts(facts) => {
                    cause = None;
                    session.record_all(facts).await?;
                }
                Performed::Failed(facts, error) => {
                    cause = Some(error);
                    session.record_all(facts).await?;
                }
            },
        }
    }
}
