//! The verification of a candidate by the configured commands.

use super::{Performed, Seen, Session, record};
use crate::error::Error;
use crate::run::event::Event;
use crate::run::verify::{VerificationFact, Verified, run_steps};
use crate::verification::{self, Verdict, VerificationResult};
use serde_json::json;

pub(super) async fn verify(session: &Session<'_>) -> Result<Performed, Error> {
    let settings = session.with(|machine: &Seen<'_>| machine.recipe.current.settings.clone());
    Ok(match run_steps(session, settings.verification.due(), true).await? {
        Ok(Verified { results, drift, facts }) => {
            Performed::after(facts, judge(session, results, drift).await.map(|fact| vec![fact]))
        }
        Err(performed) => performed,
    })
}

/// Records the results. Returns the fact that they give.
async fn judge(session: &Session<'_>, results: Vec<VerificationResult>, drift: Vec<String>) -> Result<Event, Error> {
    let verdict = verification::judge(&results);
    let name = match &verdict {
        Verdict::NotConfigured => "not-configured",
        Verdict::Pass { .. } => "passed",
        Verdict::Revise(_) => "failed",
        Verdict::Inconclusive(_) => "inconclusive",
    };
    let text = json!({ "verdict": name, "results": results, "discarded": drift });
    record(session, "verification.json", &format!("{text:#}\n")).await?;
    Ok(VerificationFact::from_verdict(verdict, drift).into())
}
