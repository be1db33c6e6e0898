//! The log of an iteration, from the journal.

use super::{Performed, Seen, Session};
use crate::error::Error;
use crate::port::{AgentRole, Host};
use crate::run::event::Event;
use crate::run::journal;
use crate::run::recipe::specs::{Log, SpecFact};
use crate::run::record::transcript;

pub(super) async fn write<H: Host>(session: &Session<'_, H>, log: &Log) -> Result<Performed, Error> {
    let folder = session.with(|machine: &Seen<'_>| machine.recipe.current.logs.clone());
    let name = match log.role {
        AgentRole::Planner => "plan-attempt",
        AgentRole::Verifier => "verify",
        AgentRole::Reviewer => "review",
        _ => "impl-attempt",
    };
    let path = format!("{folder}/{name}-{}.log", log.number);
    let project = session.host.project();
    let is_start = |event: &Event| matches!(event, Event::IterationStarted { .. });
    let events = journal::since_last(project, session.run_id(), &is_start).await?;
    session.write_record(&path, &transcript(&events)).await?;
    Ok(Performed::fact(SpecFact::LogWritten { path }))
}
