//! The verification in any recipe: the configured commands judge the work, and what they change is taken back.

use super::event::Event;
use super::ownership;
use super::perform::Performed;
use super::session::Session;
use crate::agent::FileWrite;
use crate::config::VerificationStep;
use crate::error::Error;
use crate::gate::{GateReport, GateVerdict};
use crate::layout::is_source;
use crate::ledger::Write;
use crate::verification::{self, StepOutcome, Verdict, VerificationResult};
use serde::{Deserialize, Serialize};

/// The facts of a verification. In a task, the steps are gates and report as such.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantNames)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[strum(serialize_all = "kebab-case")]
pub enum VerificationFact {
    /// A step of the verification ended.
    #[expect(missing_docs, reason = "the name says it all")]
    VerificationChecked { result: VerificationResult },
    /// The verification ended with a verdict.
    VerificationFinished {
        /// What the builder must fix; `None` if the verification passed or is not configured.
        feedback: Option<String>,
        #[expect(missing_docs, reason = "the name says it all")]
        warnings: Vec<String>,
        /// The files that the steps changed; the changes were discarded.
        drift: Vec<String>,
    },
    /// A step could not run. The work is unchanged.
    #[expect(missing_docs, reason = "the name says it all")]
    VerificationInconclusive { reason: String },
}

impl VerificationFact {
    /// The reason for the phase change after this fact.
    pub(crate) fn why(&self) -> &'static str {
        match self {
            Self::VerificationFinished { feedback: None, .. } => "no verification step failed",
            Self::VerificationFinished { .. } => "the verification failed",
            _ => "",
        }
    }

    /// The last fact of a verification.
    pub(crate) fn from_verdict(verdict: Verdict, drift: Vec<String>) -> Self {
        let (feedback, warnings) = match verdict {
            Verdict::NotConfigured => (None, Vec::new()),
            Verdict::Pass { warnings } => (None, warnings),
            Verdict::Revise(feedback) => (Some(feedback), Vec::new()),
            Verdict::Inconclusive(reason) => return Self::VerificationInconclusive { reason },
        };
        Self::VerificationFinished { feedback, warnings, drift }
    }
}

impl From<VerificationFact> for Event {
    fn from(fact: VerificationFact) -> Self {
        Self::Verification(fact)
    }
}

/// What the steps found.
pub(crate) struct Verified {
    pub results: Vec<VerificationResult>,
    /// The files that the steps changed; the changes are taken back.
    pub drift: Vec<String>,
    /// What comes before the verdict.
    pub facts: Vec<Event>,
}

/// Runs the steps. The inner error is how the command ends without a verdict.
pub(crate) async fn run_steps(
    session: &Session<'_>,
    steps: &[VerificationStep],
    shows_results: bool,
) -> Result<Result<Verified, Performed>, Error> {
    let on_result = async |result: &VerificationResult| match shows_results {
        true => session.progress(VerificationFact::VerificationChecked { result: result.clone() }.into()).await,
        false => Ok(()),
    };
    let run = verification::run(session.host, steps, &session.control.abort, on_result);
    let (results, drift, facts) = if steps.is_empty() || session.host.git.is_none() {
        (Box::pin(run).await, Vec::new(), Vec::new())
    } else {
        let (results, mut bracketed) = ownership::bracketed(session, "the verification", true, Box::pin(run)).await?;
        let drift = discard_drift(session, std::mem::take(&mut bracketed.files)).await?;
        let mut facts = bracketed.undone();
        if !drift.is_empty() {
            let text =
                "Files changed during the verification; the changes are discarded, and the last snapshot keeps them";
            facts.push(Event::status(format!("{text}: {}", drift.join(", "))));
        }
        (results, drift, facts)
    };
    Ok(match results {
        Ok(Some(results)) => Ok(Verified { results, drift, facts }),
        Ok(None) => Err(Performed::Aborted(facts)),
        Err(error) => Err(Performed::Broken(facts, error)),
    })
}

/// Takes back what the steps changed in the project. Returns the files.
async fn discard_drift(session: &Session<'_>, changes: Vec<FileWrite>) -> Result<Vec<String>, Error> {
    let ours = changes.into_iter().map(|change| change.write);
    let ours: Vec<Write> =
        ours.filter(|write| is_source(&write.path) && !session.watch.is_left_out(&write.path)).collect();
    let drift: Vec<String> = ours.iter().map(|write| write.path.clone()).collect();
    if !drift.is_empty() {
        ownership::undo(session, &ours, "undoing the changes of the verification").await?;
    }
    Ok(drift)
}

/// Completes a round of gates that no gate failed: each step is a gate.
pub(super) async fn verify_round(session: &Session<'_>) -> Result<Performed, Error> {
    let Verified { results, facts: mut done, .. } =
        match run_steps(session, session.settings.verification.due(), false).await? {
            Ok(verified) => verified,
            Err(performed) => return Ok(performed),
        };
    let requirements = session.requirements.take();
    let (own, finished) = session.with_machine(|machine| {
        let own: Vec<GateReport> = results.iter().map(|result| report(result, machine.run.judged_tree())).collect();
        let finished = machine.run.finish_round(&[machine.run.reports(), own.as_slice()].concat(), requirements);
        (own, finished)
    });
    done.extend(own.into_iter().map(|report| Event::GateChecked { report }));
    done.push(finished);
    Ok(Performed::Facts(done))
}

/// A step as a gate.
fn report(result: &VerificationResult, tree: Option<&str>) -> GateReport {
    let (verdict, feedback) = match result.outcome {
        StepOutcome::Passed => (GateVerdict::Pass, None),
        StepOutcome::Skipped => {
            (GateVerdict::Pass, Some("not applicable: a step before this one did not pass".to_owned()))
        }
        StepOutcome::Failed | StepOutcome::TimedOut => {
            let verdict = if result.required { GateVerdict::Fail } else { GateVerdict::Warn };
            (verdict, Some(verification::feedback(result, GATE_OUTPUT)))
        }
        StepOutcome::Error => (GateVerdict::Error, Some(verification::could_not_run(result))),
    };
    GateReport {
        gate: format!("verification: {}", result.step),
        verdict,
        feedback,
        not_applicable: result.outcome == StepOutcome::Skipped,
        tree: tree.map(str::to_owned),
        duration_ms: result.duration_ms,
        fix: None,
    }
}

/// Maximum size of an output in the feedback of a gate, in bytes. The feedback of all gates is one file.
const GATE_OUTPUT: usize = 2 * 1024;
