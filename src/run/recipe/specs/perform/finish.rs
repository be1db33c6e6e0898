//! Finishes a verified spec.

use super::{Performed, Seen, Session, spec};
use crate::error::Error;
use crate::layout::is_judged;
use crate::port::Host;
use crate::run::perform::save_as;
use crate::run::recipe::specs::SpecFact;
use crate::snapshot;
use crate::utc;

pub(super) async fn finish<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    session.watch.distrust(session.host);
    let (spec, project) = (spec(session), session.host.project());
    let (candidate, attempt, reason, notes) = session.with(|machine: &Seen<'_>| {
        let current = &machine.recipe.current;
        (current.candidate.clone(), current.attempt, current.verdict.clone(), current.notes.clone())
    });
    let notes: String = notes.iter().map(|note| format!("- {}\n", note.trim())).collect();
    let (commit, tree) = candidate.map(|candidate| (candidate.commit, candidate.tree)).unwrap_or_default();
    let now = snapshot::evidence(session.host, &is_judged).await?;
    if now.tree != tree {
        let before = session.judged.borrow_mut().take();
        let paths = before.map(|before| before.differing(&now)).unwrap_or_default();
        return Ok(Performed::fact(SpecFact::CandidateOutdated { paths }));
    }
    let text = format!(
        "# {}\n\n- spec: {}\n- plan: {} (attempt {attempt})\n- commit: {commit}\n- verified: {}\n\n{reason}\n\n{notes}",
        spec.title,
        spec.path,
        spec.plan(),
        utc::seconds(session.now())
    );
    session.write_record(&spec.done(), &(text.trim_end().to_owned() + "\n")).await?;
    // The snapshot of a done spec has no candidate.
    session.watch.touch(&spec.candidate());
    project.remove_file(&spec.candidate()).await?;
    let tag = spec.tag("done");
    let saved = save_as(session, &tag, &format!("{}: {}", spec.id(), spec.title)).await?;
    Ok(Performed::Facts(vec![saved, SpecFact::SpecFinished { spec: spec.path.clone(), tag }.into()]))
}
