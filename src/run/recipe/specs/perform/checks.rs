//! The configured commands, before the verifier.

use super::{Performed, Session};
use crate::error::Error;
use crate::run::verify::{VerificationFact, Verified, run_steps};
use crate::verification;

pub(super) async fn run(session: &Session<'_>) -> Result<Performed, Error> {
    Ok(match run_steps(session, session.settings.verification.due(), true).await? {
        Ok(Verified { results, drift, mut facts }) => {
            facts.push(VerificationFact::from_verdict(verification::judge(&results), drift).into());
            Performed::Facts(facts)
        }
        Err(performed) => performed,
    })
}
