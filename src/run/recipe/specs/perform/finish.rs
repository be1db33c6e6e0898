//! Finishes a verified spec.

use super::{Performed, Seen, Session, branch, spec};
use crate::error::Error;
use crate::layout::is_judged;
use crate::run::event::Event;
use crate::run::perform::save_as;
use crate::run::recipe::specs::SpecFact;
use crate::run::recipe::specs::branch::OnBranch;
use crate::run::recipe::specs::catalog::SpecInfo;
use crate::snapshot::{self, SnapshotKind};
use crate::utc;

pub(super) async fn finish(session: &Session<'_>) -> Result<Performed, Error> {
    session.watch.distrust(session.host);
    let (spec, project) = (spec(session), session.host.project());
    let on = session.with(|machine: &Seen<'_>| machine.recipe.branch().cloned());
    let (mut facts, mut commit) = (Vec::new(), None);
    if let Some(on) = &on {
        commit = branch::adopted(session, on, &spec).await?;
    }
    if commit.is_none() {
        let now = snapshot::evidence(session.host, &is_judged).await?;
        let candidate = session.with(|machine: &Seen<'_>| machine.recipe.current.candidate.clone());
        if candidate.is_none_or(|candidate| candidate.tree != now.tree) {
            let before = session.judged.borrow_mut().take();
            let paths = before.map(|before| before.differing(&now)).unwrap_or_default();
            return Ok(Performed::fact(SpecFact::CandidateOutdated { paths }));
        }
        match &on {
            None => write_done(session, &spec).await?,
            Some(on) => match write_and_commit(session, on, &spec).await? {
                Ok((made, said)) => (commit, facts) = (made, said),
                Err(moved) => return Ok(moved.into()),
            },
        }
    }
    // The snapshot of a done spec has no candidate.
    session.watch.touch(&spec.candidate());
    project.remove_file(&spec.candidate()).await?;
    let message = format!("{}: {}", spec.id(), spec.title);
    let (tag, saved) = save_as(session, &spec.tag("done"), SnapshotKind::Post, &message).await?;
    facts.push(saved);
    let branch = on.map(|on| on.branch).filter(|_| commit.is_some());
    facts.push(SpecFact::SpecFinished { spec: spec.path, tag, commit, branch }.into());
    Ok(Performed::Facts(facts))
}

async fn write_done(session: &Session<'_>, spec: &SpecInfo) -> Result<(), Error> {
    let (candidate, attempt, reason, notes) = session.with(|machine: &Seen<'_>| {
        let current = &machine.recipe.current;
        (current.candidate.clone(), current.attempt, current.verdict.clone(), current.notes.clone())
    });
    let notes: String = notes.iter().map(|note| format!("- {}\n", note.trim())).collect();
    let commit = candidate.map(|candidate| candidate.commit).unwrap_or_default();
    let text = format!(
        "# {}\n\n- spec: {}\n- plan: {} (attempt {attempt})\n- commit: {commit}\n- verified: {}\n\n{reason}\n\n{notes}",
        spec.title,
        spec.path,
        spec.plan(),
        utc::seconds(session.now())
    );
    session.write_record(&spec.done(), &(text.trim_end().to_owned() + "\n")).await
}

/// Writes the done file and commits it with the sources. A call that is interrupted leaves the candidate, so the spec is not
/// done for a later run.
async fn write_and_commit(
    session: &Session<'_>,
    on: &OnBranch,
    spec: &SpecInfo,
) -> Result<Result<(Option<String>, Vec<Event>), Event>, Error> {
    if let Some(moved) = branch::followed(session).await? {
        return Ok(Err(moved));
    }
    let changes = branch::changes(session, on).await?;
    write_done(session, spec).await?;
    branch::commit(session, on, spec, changes).await
}
