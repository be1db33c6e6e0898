//! How each command is performed: through the ports, to one fact.

mod apply_plan_context;
mod check_plan;
mod compare;
mod iterate;
mod recover;
mod roll_back;
mod run_gates;
mod save;
mod start_task;
mod task_request;
mod work;

pub(super) use save::save_iteration;

use super::command::Command;
use super::event::Event;
use super::session::Session;
use crate::error::Error;
use crate::port::{ClockPort, Host};

/// Performs a command; `None` where the caller's abort cut it off. Each begins by finishing or undoing what it finds
/// half done, because a command that left no fact is asked for again.
pub(super) async fn perform<H: Host>(session: &Session<'_, H>, command: Command) -> Result<Option<Event>, Error> {
    if !is_watched(session.host, &command) {
        session.watch.distrust();
    }
    // Boxed, because each is as large as the whole tree of calls below it: the stack of a tab is 1 MB.
    match command {
        Command::StartTask { task } => Box::pin(start_task::start_task(session, task)).await.map(Some),
        Command::RunIteration { iteration, attempt } => {
            Box::pin(iterate::run_iteration(session, iteration, attempt)).await
        }
        Command::CheckPlan => Box::pin(check_plan::check_plan(session)).await,
        Command::ApplyPlanContext => Box::pin(apply_plan_context::apply_plan_context(session)).await.map(|()| None),
        Command::RefuseCompletion => check_plan::refuse_completion(session).await.map(Some),
        Command::RunGates => Box::pin(run_gates::run_gates(session)).await,
        Command::ApplyFixes { gates } => Box::pin(run_gates::apply_fixes(session, gates)).await.map(Some),
        Command::Save { task } => Box::pin(save::save(session, task)).await,
        Command::Recover { task, recovery } => Box::pin(recover::recover(session, task, recovery)).await.map(Some),
        Command::RollBack { tag } => Box::pin(roll_back::roll_back(session, tag)).await.map(Some),
        Command::Wait { ms } => wait(session, ms).await,
        Command::Finish(_) => Ok(None),
    }
}

/// While it is performed, every change of the files passes the guard or is the harness's own. Elsewhere the host's code
/// runs, or a person has the time to edit.
fn is_watched<H: Host>(host: &H, command: &Command) -> bool {
    match command {
        Command::StartTask { .. } | Command::RunIteration { .. } | Command::RefuseCompletion => true,
        Command::CheckPlan => host.hooks().is_none(),
        _ => false,
    }
}

async fn wait<H: Host>(session: &Session<'_, H>, ms: u64) -> Result<Option<Event>, Error> {
    let text = format!("Waiting {} s before the next try.", ms.div_ceil(1000));
    session.record(Event::Status { text }).await?;
    let slept = session.control.abort.race(session.host.clock().sleep(ms)).await;
    Ok(slept.ok().map(|()| Event::Waited { ms }))
}
