//! Reads the verifier's verdict, if the candidate is still what it judged.

use super::{Performed, Seen, Session, failed, list_paths};
use crate::agent::FileChangeKind;
use crate::error::Error;
use crate::layout::is_judged;
use crate::port::AgentRole;
use crate::run::event::Event;
use crate::run::recipe::specs::answer::{Judgement, Verdict, judgement};
use crate::run::recipe::specs::{Candidate, SpecFact};
use crate::run::{diff, ownership};
use crate::snapshot;

pub(super) async fn read(session: &Session<'_>) -> Result<Performed, Error> {
    let (answer, candidate, undone) = session.with(|machine: &Seen<'_>| {
        let specs = machine.recipe;
        (specs.answer.clone(), specs.current.candidate.clone(), specs.undone.clone())
    });
    let Some(candidate) = candidate else { return Ok(failed(AgentRole::Verifier, "There is no candidate.")) };
    if let Some(other) = changed(session, &candidate, undone).await? {
        return Ok(other);
    }
    let Judgement { verdict, reason, findings } = match judgement(answer.as_ref(), &candidate.commit) {
        Ok(judgement) => judgement,
        Err(unreadable) => {
            return Ok(Performed::fact(SpecFact::VerdictUnreadable { reason: unreadable }));
        }
    };
    let feedback = if verdict == Verdict::Fix { feedback(&reason, &findings) } else { String::new() };
    let given = SpecFact::VerdictGiven { verdict, reason, findings, feedback };
    Ok(Performed::fact(given))
}

/// What follows if the verdict does not count: the verifier's calls changed the candidate, which is taken back; if they
/// only added files, the verdict counts. Changes by the user make a new candidate.
async fn changed(
    session: &Session<'_>,
    candidate: &Candidate,
    undone: Vec<(String, FileChangeKind)>,
) -> Result<Option<Performed>, Error> {
    let undone: Vec<String> =
        undone.into_iter().filter(|(_, change)| *change != FileChangeKind::Created).map(|(path, _)| path).collect();
    if !undone.is_empty() {
        let message = format!("The verifier's commands changed {}; the candidate is restored.", list_paths(&undone));
        let status = Event::status(message.as_str());
        let failed = SpecFact::AttemptFailed { role: AgentRole::Verifier, feedback: message };
        return Ok(Some(Performed::Facts(vec![status, failed.into()])));
    }
    ownership::record_user_changes(session).await?;
    let now = snapshot::evidence(session.host, &is_judged).await?;
    if now.tree == candidate.tree {
        return Ok(None);
    }
    let changes = diff::files_since(session.host, &candidate.commit, &now).await?;
    let paths: Vec<String> = changes.into_iter().map(|change| change.path).collect();
    let status =
        Event::status(format!("Files changed during the verification ({}); it is repeated.", list_paths(&paths)));
    Ok(Some(Performed::Facts(vec![status, SpecFact::CandidateOutdated { paths }.into()])))
}

/// The text for the next attempt of the implementer.
fn feedback(reason: &str, findings: &[String]) -> String {
    let findings: String = findings.iter().map(|finding| format!("- {finding}\n")).collect();
    let text = format!("{reason}\n{findings}");
    match text.trim() {
        "" => "The verifier refused the candidate and named no defect: compare it with every requirement of the spec."
            .to_owned(),
        text => text.to_owned(),
    }
}
