//! Reads the state of a spec from its files, and repairs it.

use super::{Performed, Session, spec};
use crate::error::Error;
use crate::layout::SPEC_LOGS;
use crate::port::{GitPort, Host};
use crate::run::ownership;
use crate::run::perform::save_as;
use crate::run::recipe::specs::SpecFact;
use crate::run::recipe::specs::state::{
    Archive, Candidate, Found, PlanInfo, PlanStatus, Stored, archives, found, is_blank, rename,
};
use crate::run::recipe::{set_aside, write_json};
use crate::task::hash;
use crate::utc;

pub(super) async fn start_spec<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    session.watch.distrust(session.host);
    let (spec, project) = (spec(session), session.host.project());
    let mut repaired = ownership::take_back_abandoned(session).await?;

    let mut info = Stored::<PlanInfo>::read(project, &spec.plan_state()).await?;
    if matches!(&info, Stored::Read(info) if info.attempt == 0) {
        info = Stored::Corrupt("`attempt` begins with 1".to_owned());
    }
    let mut candidate = Stored::<Candidate>::read(project, &spec.candidate()).await?;
    for (path, why) in [(spec.plan_state(), corruption(&info)), (spec.candidate(), corruption(&candidate))] {
        if let Some(why) = why {
            let aside = set_aside(project, &path).await?;
            repaired.push(format!("{path} is unreadable ({why}); it is kept as {aside}"));
        }
    }
    let text = project.read_text(&spec.plan()).await?.unwrap_or_default();
    let found = found(&info, !is_blank(&text), &archives(project, &spec).await?);
    if let Stored::Read(stored) = &candidate {
        let is_planned = !matches!(found, Found::Plan { .. });
        if !is_planned || Some(&stored.plan) != hash(&text).as_ref() {
            repaired.push(format!("{} belongs to another plan and is discarded", spec.candidate()));
            project.remove_file(&spec.candidate()).await?;
            candidate = Stored::Missing;
        }
    }
    let candidate = match candidate {
        Stored::Read(candidate) => Some(candidate),
        _ => None,
    };

    let (mut reason, mut archive, mut feedback) = (None, None, String::new());
    let (attempt, planned) = match found {
        Found::Active { attempt, feedback: kept } => {
            feedback = kept;
            (attempt, true)
        }
        Found::Adopt { attempt } => {
            let adopted = PlanInfo::new(&spec, PlanStatus::Active, attempt, session.now());
            write_json(project, &spec.plan_state(), &adopted).await?;
            (attempt, true)
        }
        Found::Plan { attempt, reason: why, archive: place } => {
            if let Archive::Due(number) = place {
                rename(project, &spec.plan(), &spec.archive(number)).await?;
            }
            archive = match place {
                Archive::None => None,
                Archive::Due(number) | Archive::Done(number) => Some(number),
            };
            reason = why;
            (attempt, false)
        }
    };

    let base = spec.tag("base");
    let is_done = project.lstat(&spec.done()).await?.is_some();
    let is_in_progress = matches!(info, Stored::Read(_)) && (!is_done || candidate.is_some());
    let base_commit = if is_in_progress { commit_of(session, &base).await? } else { None };
    let saved = match base_commit {
        Some(_) => None,
        None => Some(save_as(session, &base, &format!("before {}: {}", spec.id(), spec.title)).await?),
    };
    let fresh = saved.is_some();
    let logs = logs(session, spec.id()).await?;
    let fact = SpecFact::SpecStarted {
        spec: spec.path,
        attempt,
        planned,
        reason,
        archive,
        candidate,
        feedback,
        base,
        base_commit,
        fresh,
        logs,
        repaired,
    };
    Ok(Performed::Facts(saved.into_iter().chain([fact.into()]).collect()))
}

fn corruption<T>(stored: &Stored<T>) -> Option<String> {
    match stored {
        Stored::Corrupt(why) => Some(why.clone()),
        Stored::Missing | Stored::Read(_) => None,
    }
}

async fn commit_of<H: Host>(session: &Session<'_, H>, tag: &str) -> Result<Option<String>, Error> {
    let Some(git) = session.host.git() else { return Ok(None) };
    Ok(git.resolve_ref(&format!("refs/tags/{tag}")).await?)
}

/// A new folder for the logs: `runs/<spec>/<time>`.
async fn logs<H: Host>(session: &Session<'_, H>, id: &str) -> Result<String, Error> {
    let first = format!("{SPEC_LOGS}/{id}/{}", utc::seconds(session.now()).replace(':', "-"));
    let (mut folder, mut number) = (first.clone(), 1_u32);
    while session.host.project().lstat(&folder).await?.is_some() {
        number += 1;
        folder = format!("{first}-{number}");
    }
    Ok(folder)
}
