//! Reads the state of a spec from its files, and repairs it.

use super::{Performed, Seen, Session, earlier, spec};
use crate::error::Error;
use crate::layout::{SPEC_LOGS, is_judged};
use crate::run::ownership;
use crate::run::perform::save_as;
use crate::run::recipe::set_aside;
use crate::run::recipe::specs::SpecFact;
use crate::run::recipe::specs::state::{
    Archive, Candidate, Found, PlanInfo, PlanStatus, Stored, archives, is_blank, rename, resume_from,
};
use crate::snapshot::{self, SnapshotKind, judged_tree};
use crate::task::hash;
use crate::utc;

pub(super) async fn start_spec(session: &Session<'_>) -> Result<Performed, Error> {
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
    let found = resume_from(&info, !is_blank(&text), &archives(project, &spec).await?);
    if let Stored::Read(stored) = &candidate {
        let is_planned = !matches!(found, Found::Plan { .. });
        let why = if !is_planned || Some(&stored.plan) != hash(&text).as_ref() {
            Some("belongs to another plan")
        } else if judged_tree(session.host, &stored.commit, &is_judged).await?.as_ref() != Some(&stored.tree) {
            Some("names no snapshot with its files")
        } else {
            None
        };
        if let Some(why) = why {
            repaired.push(format!("{} {why} and is discarded", spec.candidate()));
            candidate = Stored::Missing;
        }
    }
    let candidate = match candidate {
        Stored::Read(candidate) => Some(candidate),
        _ => None,
    };

    let (mut reason, mut archive) = (None, None);
    let is_read = matches!(info, Stored::Read(_));
    let mut state = if let Stored::Read(info) = info { Some(info) } else { None };
    let (attempt, planned) = match found {
        Found::Active { attempt } => (attempt, true),
        Found::Adopt { attempt } => {
            state = Some(PlanInfo::new(&spec, PlanStatus::Active, attempt, session.now()).written_by_hand());
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

    let base = snapshot::newest_of(session.host, &spec.tag("base")).await?;
    let is_done = project.lstat(&spec.done()).await?.is_some();
    let is_in_progress = is_read && (!is_done || candidate.is_some());
    let (base, base_commit, saved) = match base.filter(|_| is_in_progress) {
        Some((base, commit)) => (base, Some(commit), None),
        None => {
            let message = format!("before {}: {}", spec.id(), spec.title);
            let (base, saved) = save_as(session, &spec.tag("base"), SnapshotKind::Base, &message).await?;
            (base, None, Some(saved))
        }
    };
    let fresh = saved.is_some();
    let is_committed = session.with(|machine: &Seen<'_>| machine.recipe.branch().is_some());
    let earlier =
        if is_committed && !fresh { earlier::changes(session, &spec, &mut repaired).await? } else { Vec::new() };
    let logs = logs(session, spec.id()).await?;
    let fact = SpecFact::SpecStarted {
        spec: spec.path,
        attempt,
        planned,
        reason,
        archive,
        candidate,
        state: state.map(Box::new),
        base,
        base_commit,
        fresh,
        earlier,
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

/// A new folder for the logs: `runs/<spec>/<time>`.
async fn logs(session: &Session<'_>, id: &str) -> Result<String, Error> {
    let first = format!("{SPEC_LOGS}/{id}/{}", utc::seconds(session.now()).replace(':', "-"));
    let (mut folder, mut number) = (first.clone(), 1_u32);
    while session.host.project().lstat(&folder).await?.is_some() {
        number += 1;
        folder = format!("{first}-{number}");
    }
    Ok(folder)
}
