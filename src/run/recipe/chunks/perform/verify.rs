//! The verification of a candidate by the configured commands.

use super::{Performed, Seen, Session, record};
use crate::agent::FileWrite;
use crate::error::Error;
use crate::layout::is_source;
use crate::ledger::Write;
use crate::port::Host;
use crate::run::event::Event;
use crate::run::ownership;
use crate::run::recipe::chunks::ChunkFact;
use crate::verification::{self, Verdict, VerificationResult};
use serde_json::json;

pub(super) async fn verify<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let (settings, candidate) = session
        .with(|machine: &Seen<'_>| (machine.recipe.current.settings.clone(), machine.recipe.current.candidate.clone()));
    let steps = settings.verification.due();
    let on_result = async |result: &VerificationResult| {
        session.progress(ChunkFact::VerificationChecked { result: result.clone() }.into()).await
    };
    let run = verification::run(session.host, steps, &session.control.abort, on_result);
    let (results, drift, facts) = match candidate.filter(|_| !steps.is_empty()) {
        Some(_) => {
            let (results, mut bracketed) =
                ownership::bracketed(session, "the verification", true, Box::pin(run)).await?;
            let drift = discard_drift(session, std::mem::take(&mut bracketed.files)).await?;
            let mut facts = bracketed.undone();
            if !drift.is_empty() {
                let text = "Files changed during the verification; the changes are discarded, and the last snapshot keeps them";
                facts.push(Event::status(format!("{text}: {}", drift.join(", "))));
            }
            (results, drift, facts)
        }
        None => (Box::pin(run).await, Vec::new(), Vec::new()),
    };
    match results {
        Ok(Some(results)) => Ok(Performed::after(facts, judge(session, results, drift).await.map(|fact| vec![fact]))),
        Ok(None) => Ok(Performed::Aborted(facts)),
        Err(error) => Ok(Performed::Broken(facts, error)),
    }
}

/// Records the results. Returns the fact that they give.
async fn judge<H: Host>(
    session: &Session<'_, H>,
    results: Vec<VerificationResult>,
    drift: Vec<String>,
) -> Result<Event, Error> {
    let verdict = verification::judge(&results);
    let name = match &verdict {
        Verdict::NotConfigured => "not-configured",
        Verdict::Pass { .. } => "passed",
        Verdict::Revise(_) => "failed",
        Verdict::Inconclusive(_) => "inconclusive",
    };
    let text = json!({ "verdict": name, "results": results, "discarded": drift });
    record(session, "verification.json", &format!("{text:#}\n")).await?;
    let (feedback, warnings) = match verdict {
        Verdict::NotConfigured => (None, Vec::new()),
        Verdict::Pass { warnings } => (None, warnings),
        Verdict::Revise(feedback) => (Some(feedback), Vec::new()),
        Verdict::Inconclusive(reason) => return Ok(ChunkFact::VerificationInconclusive { reason }.into()),
    };
    Ok(ChunkFact::VerificationFinished { feedback, warnings, drift }.into())
}

/// Takes back what the steps changed in the project. Returns the files.
async fn discard_drift<H: Host>(session: &Session<'_, H>, changes: Vec<FileWrite>) -> Result<Vec<String>, Error> {
    let ours = changes.into_iter().map(|change| change.write);
    let ours: Vec<Write> =
        ours.filter(|write| is_source(&write.path) && !session.watch.is_left_out(&write.path)).collect();
    let drift: Vec<String> = ours.iter().map(|write| write.path.clone()).collect();
    if !drift.is_empty() {
        ownership::undo(session, &ours, "undoing the changes of the verification").await?;
    }
    Ok(drift)
}
