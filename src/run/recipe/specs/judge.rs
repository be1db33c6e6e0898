//! The checks of a candidate before the verifier, cheapest first: the gates, the configured commands.

use super::{Current, Specs, Step};
use crate::error::ErrorCode;
use crate::port::AgentRole;
use crate::run::fault::Fault;
use crate::run::machine::RunState;
use crate::run::verify::VerificationFact;

impl Specs {
    /// The next check of the candidate, cheapest first.
    pub(super) fn next_check(&self) -> Step {
        let Current { gated, verifies, results, .. } = &self.current;
        match (gated, *verifies && results.is_empty()) {
            (false, _) => Step::RunGates,
            (true, true) => Step::RunChecks,
            (true, false) => Step::Verify,
        }
    }

    /// No model is asked about a candidate that a gate refuses.
    pub(super) fn gates_finished(&mut self, run: &mut RunState) {
        match run.round_passed() {
            Some(true) => {
                self.current.gated = true;
                self.step = self.next_check();
            }
            Some(false) => self.refused(&run.feedback.clone(), run),
            None => {}
        }
    }

    /// The implementer must fix the candidate.
    pub(super) fn refused(&mut self, feedback: &str, run: &mut RunState) {
        self.current.candidate = None;
        self.must_fix(feedback, run);
        self.weigh(run);
        self.fail(run, AgentRole::Builder);
    }

    pub(super) fn fold_verification(&mut self, fact: &VerificationFact, run: &mut RunState) {
        match fact {
            VerificationFact::VerificationChecked { result } => self.current.results.push(result.clone()),
            VerificationFact::VerificationFinished { feedback: None, .. } => self.step = Step::Verify,
            VerificationFact::VerificationFinished { feedback: Some(feedback), .. } => self.refused(feedback, run),
            VerificationFact::VerificationInconclusive { reason } => {
                let message = format!(
                    "the verification of {} is inconclusive: {reason}. The candidate is unchanged; resume the run to verify \
                     it again",
                    self.spec().path
                );
                run.fail(Fault::inconclusive(ErrorCode::Shell, message));
            }
        }
    }

    /// What the next attempt of the implementer must fix, also in a later run.
    pub(super) fn must_fix(&mut self, feedback: &str, run: &mut RunState) {
        feedback.clone_into(&mut run.feedback);
        if let Some(plan) = &mut self.current.plan {
            feedback.clone_into(&mut plan.feedback);
        }
    }
}
