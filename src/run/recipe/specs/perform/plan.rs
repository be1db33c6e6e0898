//! The planner's work: before it, after it, and when the verifier finds the plan wrong.

use super::{Performed, Seen, Session, failed, list_paths, spec};
use crate::error::Error;
use crate::layout::SCRATCHPAD;
use crate::port::AgentRole;
use crate::run::perform::save_as;
use crate::run::recipe::specs::SpecFact;
use crate::run::recipe::specs::answer::contract;
use crate::run::recipe::specs::state::{archives, is_blank, rename};
use crate::snapshot::SnapshotKind;

/// Saves the project: what the planner changes besides the plan is taken back.
pub(super) async fn prepare(session: &Session<'_>) -> Result<Performed, Error> {
    let spec = spec(session);
    let message = format!("before the plan of {}", spec.id());
    let (_, saved) = save_as(session, &spec.tag("planning"), SnapshotKind::Base, &message).await?;
    Ok(Performed::Facts(vec![saved, SpecFact::PlanPrepared {}.into()]))
}

pub(super) async fn check(session: &Session<'_>) -> Result<Performed, Error> {
    let (spec, project) = (spec(session), session.host.project());
    let (answer, attempt, undone) = session.with(|machine: &Seen<'_>| {
        let specs = machine.recipe;
        (specs.answer.clone(), specs.current.attempt, specs.undone.clone())
    });
    if !undone.is_empty() {
        let paths: Vec<String> = undone.into_iter().map(|(path, _)| path).collect();
        let message = format!(
            "The planner changed {}. The harness took the change back. Change no file but the plan and {SCRATCHPAD}, and make no \
             commits.",
            list_paths(&paths)
        );
        return Ok(failed(AgentRole::Planner, message));
    }
    if let Err(incomplete) = contract(answer.as_ref()) {
        return Ok(failed(AgentRole::Planner, incomplete));
    }
    let text = project.read_text(&spec.plan()).await?.unwrap_or_default();
    if is_blank(&text) {
        return Ok(failed(AgentRole::Planner, format!("{} is missing or empty. Write the plan to it.", spec.plan())));
    }
    Ok(Performed::fact(SpecFact::PlanAccepted { attempt }))
}

/// Archives the plan. Its state has the reason already, so a crash loses nothing.
pub(super) async fn invalidate(session: &Session<'_>) -> Result<Performed, Error> {
    session.watch.distrust(session.host);
    let (spec, project) = (spec(session), session.host.project());
    let (reason, attempt) =
        session.with(|machine: &Seen<'_>| (machine.recipe.current.verdict.clone(), machine.recipe.current.attempt));
    let archives = archives(project, &spec).await?;
    let last = archives.iter().copied().max().unwrap_or_default();
    let number = if project.lstat(&spec.plan()).await?.is_none() {
        // A crash came after the move.
        last
    } else {
        let number = if archives.contains(&attempt) { last + 1 } else { attempt };
        rename(project, &spec.plan(), &spec.archive(number)).await?;
        number
    };
    Ok(Performed::fact(SpecFact::PlanInvalidated { reason, attempt: number }))
}
