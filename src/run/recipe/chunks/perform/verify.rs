//! The verification of a candidate by the configured commands.

use super::{Performed, Session, record};
use crate::error::{Error, ErrorCode};
use crate::layout::is_source;
use crate::port::Host;
use crate::run::event::Event;
use crate::run::recipe::chunks::ChunkFact;
use crate::snapshot::{self, branch};
use crate::verification::{self, Verdict, VerificationResult};
use serde_json::json;

pub(super) async fn verify<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let (settings, candidate) = session
        .with_machine(|machine| (machine.recipe.current.settings.clone(), machine.recipe.current.candidate.clone()));
    let steps = if settings.verification.enabled { settings.verification.steps.as_slice() } else { &[] };
    let on_result = async |result: &VerificationResult| {
        session.record(Event::Recipe(ChunkFact::VerificationChecked { result: result.clone() })).await
    };
    session.watch.distrust();
    let Some(results) = verification::run(session.host, steps, &session.control.abort, on_result).await? else {
        return Ok(Performed::Aborted);
    };
    let drift = match candidate {
        Some(candidate) if !steps.is_empty() => discard_drift(session, &candidate.tag).await?,
        _ => Vec::new(),
    };
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
        Verdict::Inconclusive(reason) => {
            let message = format!(
                "the verification is inconclusive: {reason}. The attempt is unchanged; resume the run to verify it again"
            );
            return Err(Error::new(ErrorCode::Shell, message));
        }
    };
    Ok(Performed::fact(ChunkFact::VerificationFinished { feedback, warnings, drift }))
}

/// Discards what the steps changed in the project. Returns the files.
async fn discard_drift<H: Host>(session: &Session<'_, H>, candidate: &str) -> Result<Vec<String>, Error> {
    let changed = snapshot::diff(session.host, candidate, None).await?;
    let paths = changed.into_iter().flat_map(|change| [Some(change.path), change.from]).flatten();
    let drift: Vec<String> = paths.filter(|path| is_source(path)).collect();
    if !drift.is_empty() {
        let paths = drift.iter().cloned().collect();
        branch::rollback_paths(session.host, &session.watch, candidate, Some(&paths)).await?;
        session
            .status(format!("Files changed during the verification; the changes are discarded: {}", drift.join(", ")))
            .await?;
    }
    Ok(drift)
}
