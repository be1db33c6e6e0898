//! The driver: asks the machine, performs, writes down, folds. Ordinary code, read from top to bottom.

use super::command::{Command, Ending};
use super::event::{Envelope, Event, Fault};
use super::options::{RunControl, RunOptions};
use super::perform::{perform, save_iteration};
use super::result::RunResult;
use super::session::Session;
use crate::error::Error;
use crate::port::Host;

/// Runs to the end. `listener` hears of every fact once it is in the journal, and of streamed words at once.
///
/// # Errors
/// A fault of the host that did not pass, with its port's name; the journal keeps what was done, so that the run can
/// be resumed. A refused, stopped or failed task is a result, not an error.
pub async fn drive<H: Host>(
    host: &H,
    options: RunOptions,
    control: &RunControl,
    listener: &dyn Fn(&Envelope),
) -> Result<RunResult, Error> {
    let session = Session::open(host, options, control, listener).await?;
    match to_the_end(&session).await {
        Ok(result) => Ok(result),
        Err(error) => {
            // The fault that stops the run may also stop its record; the caller hears of it either way.
            let _ = session.record(Event::RunFailed { error: Fault::from(&error) }).await;
            Err(error)
        }
    }
}

async fn to_the_end<H: Host>(session: &Session<'_, H>) -> Result<RunResult, Error> {
    loop {
        session.note_abort().await?;
        session.project().await?;
        save_iteration(session).await?;
        match session.next() {
            Command::Finish(Ending::Stopped(reason, message)) => {
                let result = session.with_machine(|machine| machine.result(reason, &message));
                session.record(Event::RunFinished { result: result.clone() }).await?;
                return Ok(result);
            }
            Command::Finish(Ending::Failed(fault)) => return Err(session.fault(&fault)),
            command => {
                if let Some(event) = perform(session, command).await? {
                    session.record(event).await?;
                }
            }
        }
    }
}
