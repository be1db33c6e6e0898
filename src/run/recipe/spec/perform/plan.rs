//! The planner's work: before it, after it, and when the verifier finds the plan wrong.

use super::{Performed, Session, failed, named, spec};
use crate::error::Error;
use crate::layout::{SCRATCHPAD, SPEC_PLANS};
use crate::path;
use crate::port::{AgentRole, GitPort, Host};
use crate::run::perform::save_as;
use crate::run::recipe::spec::SpecFact;
use crate::run::recipe::spec::answer::contract;
use crate::run::recipe::spec::catalog::SpecInfo;
use crate::run::recipe::spec::state::{PlanInfo, PlanStatus, Stored, archives, is_blank, rename};
use crate::run::recipe::write_json;
use crate::snapshot::{self, Change, Contents};

/// Marks the plan as a draft, and saves the project: what the planner changes besides the plan is taken back.
pub(super) async fn prepare<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let spec = spec(session);
    let (attempt, reason) =
        session.with_machine(|machine| (machine.recipe.current.attempt, machine.recipe.current.reason.clone()));
    let drafting = PlanInfo::new(&spec, PlanStatus::Drafting, attempt, session.now());
    let drafting = PlanInfo { invalidation_reason: reason, ..drafting };
    write_json(session.host.project(), &spec.plan_state(), &drafting).await?;
    let saved = save_as(session, &planning(&spec), &format!("before the plan of {}", spec.id())).await?;
    Ok(Performed::Facts(vec![saved, SpecFact::PlanPrepared { head: head(session).await? }.into()]))
}

fn planning(spec: &SpecInfo) -> String {
    spec.tag("planning")
}

async fn head<H: Host>(session: &Session<'_, H>) -> Result<Option<String>, Error> {
    match session.host.git() {
        Some(git) => Ok(git.resolve_ref("HEAD").await?),
        None => Ok(None),
    }
}

pub(super) async fn check<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let (spec, project) = (spec(session), session.host.project());
    let (answer, attempt, before) = session.with_machine(|machine| {
        let specs = &machine.recipe;
        (specs.answer.clone(), specs.current.attempt, specs.current.head.clone())
    });
    if session.with_machine(|machine| machine.recipe.unguarded) {
        let reverted = revert(session, &spec).await?;
        if !reverted.is_empty() {
            let message = format!(
                "The planner changed {}. The harness took the change back. Change no file but the plan and {SCRATCHPAD}.",
                named(&reverted)
            );
            return Ok(failed(AgentRole::Planner, message));
        }
        let now = head(session).await?;
        if now != before {
            let name = |oid: &Option<String>| oid.clone().unwrap_or_else(|| "no commit".to_owned());
            let message = format!(
                "HEAD moved from {} to {} while the planner worked. Make no commits. The commit is left as it is, because \
                 branches belong to the user.",
                name(&before),
                name(&now)
            );
            return Ok(failed(AgentRole::Planner, message));
        }
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

/// Restores what the planner may not change, and returns the paths. The plan and the notes stay.
async fn revert<H: Host>(session: &Session<'_, H>, spec: &SpecInfo) -> Result<Vec<String>, Error> {
    session.watch.distrust();
    let (host, project) = (session.host, session.host.project());
    let (plan, tag) = (spec.plan(), planning(spec));
    let now = snapshot::evidence(host, &|_| true).await?;
    let changes = Contents::of(host, &tag, &now, &|_| true).await?.changes(&now);
    let is_allowed =
        |path: &str, is_new: bool| path == plan || path == SCRATCHPAD || (is_new && path::is_below(path, SPEC_PLANS));
    let wrong = changes.into_iter().filter(|change| !is_allowed(&change.path, change.change == Change::Added));
    let wrong: Vec<String> = wrong.map(|change| change.path).collect();
    if !wrong.is_empty() {
        let kept = [(plan.as_str(), project.read(&plan).await?), (SCRATCHPAD, project.read(SCRATCHPAD).await?)];
        snapshot::rollback_in(host, &session.watch, &tag).await?;
        for (path, bytes) in kept {
            if let Some(bytes) = bytes {
                session.watch.touch(path);
                project.write(path, bytes).await?;
            }
        }
    }
    Ok(wrong)
}

/// The state is written first: a crash before the plan is moved leaves a state with the reason.
pub(super) async fn invalidate<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    session.watch.distrust();
    let (spec, project) = (spec(session), session.host.project());
    let (reason, attempt) =
        session.with_machine(|machine| (machine.recipe.current.verdict.clone(), machine.recipe.current.attempt));
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
