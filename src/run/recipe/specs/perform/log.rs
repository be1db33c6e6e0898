//! The log of a role in an attempt at a spec.

use super::{Performed, Seen, Session};
use crate::error::Error;
use crate::port::AgentRole;
use crate::run::recipe::specs::{Log, SpecFact};

/// The start of the name of an implementer's log; the number of the attempt follows.
pub(in crate::run::recipe::specs) const IMPLEMENTER: &str = "impl-attempt";

pub(super) async fn write(session: &Session<'_>, log: &Log) -> Result<Performed, Error> {
    let folder = session.with(|machine: &Seen<'_>| machine.recipe.current.logs.clone());
    let name = match log.role {
        AgentRole::Planner => "plan-attempt",
        AgentRole::Verifier => "verify",
        AgentRole::Reviewer => "review",
        _ => IMPLEMENTER,
    };
    let path = format!("{folder}/{name}-{}.log", log.attempt);
    session.write_record(&path, &session.records.of_role()).await?;
    Ok(Performed::fact(SpecFact::LogWritten { path }))
}
