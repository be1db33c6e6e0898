//! The candidate: the working tree after the implementer, saved as a snapshot.

use super::{Performed, Seen, Session, branch, failed, list_paths, spec};
use crate::agent::Observer;
use crate::error::Error;
use crate::layout::is_judged;
use crate::ledger::ChangedBy;
use crate::port::AgentRole;
use crate::run::perform::{save_options, saved};
use crate::run::recipe::specs::answer::{contract, is_same};
use crate::run::recipe::specs::{Candidate, SpecFact};
use crate::run::{diff, ownership};
use crate::snapshot::{self, SnapshotKind};
use crate::task::hash;

/// Checks the implementer's answer against the files and git, and records the candidate.
pub(super) async fn check(session: &Session<'_>) -> Result<Performed, Error> {
    match problem(session).await? {
        None => record(session).await,
        Some(feedback) => Ok(failed(AgentRole::Builder, feedback)),
    }
}

/// Why the files are not a candidate.
async fn problem(session: &Session<'_>) -> Result<Option<String>, Error> {
    let (answer, base, is_forced, is_fresh) = session.with(|machine: &Seen<'_>| {
        let specs = machine.recipe;
        (specs.answer.clone(), specs.current.base.clone(), specs.is_forced(), specs.current.fresh)
    });
    let commit = match contract(answer.as_ref()) {
        Ok(contract) => contract.commit,
        Err(incomplete) => return Ok(Some(incomplete)),
    };
    ownership::record_user_changes(session).await?;
    if let Some(commit) = commit
        && let Some(problem) = wrong_commit(session, &commit).await?
    {
        return Ok(Some(problem));
    }
    let now = snapshot::evidence(session.host, &is_judged).await?;
    let differs = !diff::files_since(session.host, &session.saved_commit(&base).await?, &now).await?.is_empty();
    // What an earlier run left counts; what the user changes does not.
    let ledger = session.ledger();
    let by_agent = ledger.is_uncertain() || ledger.changed_by(ChangedBy::Agent).iter().any(|path| is_judged(path));
    let is_unchanged = !differs || (is_fresh && !by_agent);
    Ok((is_unchanged && !is_forced).then(|| {
        "No file differs from the project before the spec: nothing is implemented. Write the implementation.".to_owned()
    }))
}

/// Why a commit that the implementer names is not the working tree.
async fn wrong_commit(session: &Session<'_>, commit: &str) -> Result<Option<String>, Error> {
    let Some(git) = session.host.git.as_deref() else { return Ok(None) };
    let head = git.resolve_ref("HEAD").await?.unwrap_or_default();
    if !is_same(commit, &head) {
        let what = match git.read_commit(&commit.to_ascii_lowercase()).await {
            Ok(_) => format!("is not HEAD ({head})"),
            Err(_) => "does not exist".to_owned(),
        };
        return Ok(Some(format!("Commit {commit} {what}. Do not name a commit: the harness saves the working tree.")));
    }
    let dirty = snapshot::diff(session.host, "HEAD", None).await?.into_iter().map(|change| change.path);
    let dirty: Vec<String> = dirty.filter(|path| is_judged(path)).collect();
    Ok((!dirty.is_empty()).then(|| {
        format!(
            "The working tree differs from commit {commit}: {}. Do not name a commit, or commit all files.",
            list_paths(&dirty)
        )
    }))
}

/// Records the working tree as the candidate, unless it is recorded.
pub(super) async fn record(session: &Session<'_>) -> Result<Performed, Error> {
    session.watch.distrust(session.host);
    if let Some(moved) = branch::followed(session).await? {
        return Ok(moved.into());
    }
    if let Some(on) = session.with(|machine: &Seen<'_>| machine.recipe.branch().cloned()) {
        // What cannot be committed is refused before the verifier works.
        branch::changes(session, &on).await?;
    }
    let (spec, project) = (spec(session), session.host.project());
    let known = session.with(|machine: &Seen<'_>| machine.recipe.current.candidate.clone());
    let plan = hash(&project.read_text(&spec.plan()).await?.unwrap_or_default()).unwrap_or_default();
    let began = session.now();
    let now = snapshot::evidence(session.host, &is_judged).await?;
    let tree = now.tree.clone();
    let mut facts = Vec::new();
    let candidate = match &known {
        Some(known) if known.tree == tree && known.plan == plan => known.clone(),
        _ => {
            let message = format!("the candidate of {}: {}", spec.id(), spec.title);
            let options = save_options(session, &spec.tag("candidate"), SnapshotKind::Candidate, &message);
            match snapshot::save_judged(session.host, &session.watch, &options, &tree, &is_judged).await? {
                Err(changed) => {
                    let paths = now.differing(&changed);
                    return Ok(Performed::fact(SpecFact::CandidateOutdated { paths }));
                }
                Ok(snapshot) => {
                    let candidate = Candidate::new(&spec, &snapshot.oid, &tree, &plan, session.now());
                    facts.push(saved(session, snapshot, began).await?);
                    candidate
                }
            }
        }
    };
    session.judged.replace(Some(now));
    let verifies = !session.settings.verification.due().is_empty();
    facts.push(SpecFact::CandidateRecorded { candidate, verifies }.into());
    Ok(Performed::Facts(facts))
}
