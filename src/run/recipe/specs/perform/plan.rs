//! The planner's work: before it, after it, and when the verifier finds the plan wrong.

use super::{Performed, Seen, Session, failed, named, spec};
use crate::error::Error;
use crate::layout::SCRATCHPAD;
use crate::port::{AgentRole, Host};
use crate::run::perform::save_as;
use crate::run::recipe::specs::SpecFact;
use crate::run::recipe::specs::answer::contract;
use crate::run::recipe::specs::catalog::SpecInfo;
use crate::run::recipe::specs::state::{PlanInfo, PlanStatus, Stored, archives, is_blank, rename};
use crate::run::recipe::write_json;

/// Marks the plan as a draft, and saves the project: what the planner changes besides the plan is taken back.
pub(super) async fn prepare<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let spec = spec(session);
    let (attempt, reason) =
        session.with(|machine: &Seen<'_>| (machine.recipe.current.attempt, machine.recipe.current.reason.clone()));
    let drafting = PlanInfo::new(&spec, PlanStatus::Drafting, attempt, session.now());
    let drafting = PlanInfo { invalidation_reason: reason, ..drafting };
    write_json(session.host.project(), &spec.plan_state(), &drafting).await?;
    let saved = save_as(session, &planning(&spec), &format!("before the plan of {}", spec.id())).await?;
    Ok(Performed::Facts(vec![saved, SpecFact::PlanPrepared {}.into()]))
}

fn planning(spec: &SpecInfo) -> String {
    spec.tag("planning")
}

pub(super) async fn check<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
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
            named(&paths)
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
    write_json(project, &spec.plan_state(), &PlanInfo::new(&spec, PlanStatus::Active, attempt, session.now())).await?;
    Ok(Performed::fact(SpecFact::PlanAccepted { attempt }))
}

/// The state is written first: a crash before the plan is moved leaves a state with the reason.
pub(super) async fn invalidate<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    session.watch.distrust(session.host);
    let (spec, project) = (spec(session), session.host.project());
    let (reason, attempt) =
        session.with(|machine: &Seen<'_>| (machine.recipe.current.verdict.clone(), machine.recipe.current.attempt));
    let info = match Stored::<PlanInfo>::read(project, &spec.plan_state()).await? {
        Stored::Read(info) => info,
        Stored::Missing | Stored::Corrupt(_) => PlanInfo::new(&spec, PlanStatus::Active, attempt, session.now()),
    };
    write_json(project, &spec.plan_state(), &info.invalidated(&reason, session.now())).await?;
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
    project.remove_file(&spec.candidate()).await?;
    Ok(Performed::fact(SpecFact::PlanInvalidated { reason, attempt: number }))
}
