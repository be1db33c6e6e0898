//! The driver: asks the machine for a command, performs it, journals the facts and lets the machine fold them.

use super::branch::finish_abandoned;
use super::event::Event;
use super::fault::Fault;
use super::journal::{self, Opened};
use super::lease::Lease;
use super::list;
use super::machine::{Command, Ending, Machine};
use super::options::{RunControl, RunOptions, RunResult, StopReason};
use super::perform::{Performed, perform, write_files};
use super::record;
use super::session::{self, Listener, Session};
use super::spending;
use crate::error::Error;
use crate::layout::SUMMARY;
use crate::port::{Abort, Host};
use crate::text::shortened;
use futures_util::future::join;

/// Runs work to its end; a resumed run has the work of its journal. `listener` gets every journaled fact and every streamed
/// delta with its JSON text.
///
/// # Errors
/// `locked` if another run has the project; `unsupported`, `not-found`, `invalid-argument` or `invalid-config` for work that
/// cannot run here. A lasting failure of the host, with its port's name: the run can be resumed from the journal. Refused,
/// stopped or failed work is a result, not an error.
pub async fn drive(
    host: &Host,
    mut options: RunOptions,
    control: &RunControl,
    listener: Listener<'_>,
) -> Result<RunResult, Error> {
    host.seen.forget();
    if options.resume
        && let Some(work) = Opened::open(host.project(), &options.run_id).await?.work().await?
    {
        options.work = work;
    }
    let config = session::check(host, &options, &control.abort).await?;
    let lease = Lease::acquire(host, &options.run_id, &options.holder, options.resume).await?;
    let run = async {
        let is_new = !options.resume;
        let session = Session::open(host, options, config, control, listener, &lease).await?;
        if is_new {
            let mut runs = (*session.runs()).clone();
            runs.add(host.project(), session.run_id()).await?;
            lease.change_runs(|known| *known = runs);
            journal::save_runs(&lease).await?;
        }
        let ended = Abort::new();
        let work = async {
            let result = to_the_end(&session).await;
            ended.fire("the run ended");
            result
        };
        let (result, ()) = join(work, session.keep_edited(&ended)).await;
        if let Err(error) = &result {
            // The journal's storage itself may have failed; the caller gets the error either way.
            let failed = session.record(Event::RunFailed { error: Fault::from(error) }).await;
            if failed.is_ok() {
                let _ = record::complete(&session).await;
                let _ = list::prune(&session).await;
            }
        }
        result
    };
    let result = lease.keep(&*host.clock, Box::pin(run)).await;
    lease.release(host.clock.now()).await;
    result.map_err(|mut error| {
        error.message = host.redactor.text(&error.message).into_owned();
        error
    })
}

async fn to_the_end(session: &Session<'_>) -> Result<RunResult, Error> {
    let mut cause = None;
    finish_abandoned(session).await?;
    loop {
        session.receive().await?;
        record::complete(session).await?;
        spending::write(session, None).await?;
        session.record_all(write_files(session).await?.into_iter().collect()).await?;
        let command = session.with_machine(Machine::next);
        if let Some(event) = session.with_machine(|machine| machine.announcement(&command, session.now())) {
            session.record(event).await?;
        }
        match command {
            Command::Finish(Ending::Stopped(reason, message)) => {
                session.record_all(session.kind().close(session).await?).await?;
                list::prune(session).await?;
                if !session.control.steering.borrow().is_empty() {
                    continue;
                }
                let message = closing_words(session, reason).await?.unwrap_or(message);
                let result = session.with_machine(|machine| machine.result(reason, &message));
                spending::write(session, Some(reason)).await?;
                session.record(Event::RunFinished { result: result.clone() }).await?;
                return Ok(result);
            }
            Command::Finish(Ending::Failed(fault)) => return Err(fault.into_error(cause)),
            command => match perform(session, command).await? {
                Performed::Aborted(facts) => session.record_all(facts).await?,
                Performed::Broken(facts, error) => {
                    session.record_all(facts).await?;
                    return Err(error);
                }
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

/// The agent's question to the user: the text of its summary; `None` without one.
async fn closing_words(session: &Session<'_>, reason: StopReason) -> Result<Option<String>, Error> {
    let agent_waits = session.with_machine(|machine| machine.run.waiting);
    if reason != StopReason::Waiting || !agent_waits {
        return Ok(None);
    }
    let text = session.host.project().read_text(SUMMARY).await?.unwrap_or_default();
    let text = text.trim();
    let shown = shortened(text, SAID);
    let source = if shown == text { String::new() } else { format!(" (see {SUMMARY})") };
    Ok((!text.is_empty()).then(|| shown + &source))
}

/// Maximum length of the agent's words in the message of a result, in characters.
const SAID: usize = 2_000;
