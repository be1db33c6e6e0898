//! The checks of an attempt, cheapest first: the gates, the configured commands, the reviews.

use super::{Chunks, Step};
use crate::error::ErrorCode;
use crate::review::{self, Decision, Reviewed, Tier};
use crate::run::fault::Fault;
use crate::run::machine::RunState;
use crate::run::review::{ReviewFact, unreadable};
use crate::run::verify::VerificationFact;

impl Chunks {
    /// No reviewer is asked about an attempt that a gate refuses.
    pub(super) fn gates_finished(&mut self, run: &mut RunState) {
        match run.round_passed() {
            Some(true) if self.current.candidate.is_some() || self.current.verifies => self.step = Step::Verify,
            Some(true) => self.review_after(None, run),
            Some(false) => {
                let feedback = run.feedback.clone();
                self.reject(run, &feedback);
            }
            None => {}
        }
    }

    pub(super) fn fold_verification(&mut self, fact: &VerificationFact, run: &mut RunState) {
        match fact {
            VerificationFact::VerificationChecked { result } => self.current.results.push(result.clone()),
            VerificationFact::VerificationFinished { feedback: Some(feedback), .. } => self.reject(run, feedback),
            VerificationFact::VerificationFinished { .. } => self.review_after(None, run),
            VerificationFact::VerificationInconclusive { reason } => {
                self.current.results.clear();
                let message = format!(
                    "the verification is inconclusive: {reason}. The attempt is unchanged; resume the run to verify it again"
                );
                run.fail(Fault::inconclusive(ErrorCode::Shell, message));
            }
        }
    }

    pub(super) fn fold_review(&mut self, fact: &ReviewFact, run: &mut RunState) {
        match fact {
            ReviewFact::ReviewGiven { tier, review } => {
                self.current.unreadable = None;
                match review.decision {
                    Decision::Ship => self.review_after(Some(*tier), run),
                    Decision::Revise => {
                        let reviewed = if self.has_work() { Reviewed::Attempt } else { Reviewed::Committed };
                        self.reject(run, &review::feedback(review, reviewed));
                    }
                }
            }
            ReviewFact::ReviewUnreadable { tier, reason } => {
                self.step = Step::Review(*tier);
                unreadable(&mut self.current.unreadable, *tier, reason, "The attempt", run);
            }
        }
    }

    /// The attempt has work of an executor. The attempt of the final review of what is committed has none.
    pub(super) fn has_work(&self) -> bool {
        !self.is_final() || self.current.candidate.is_some() || self.step == Step::CheckCandidate
    }

    /// The attempt is rejected.
    pub(super) fn reject(&mut self, run: &mut RunState, feedback: &str) {
        run.feedback = feedback.to_owned();
        self.current.committed = !self.has_work();
        self.step = if self.has_work() { Step::Revert } else { Step::PrepareAttempt };
    }

    /// The step after the verification, or after a tier of reviews that shipped the attempt.
    pub(super) fn review_after(&mut self, tier: Option<Tier>, run: &RunState) {
        let reviews = &self.current.settings.reviews;
        self.step = match (self.is_final(), tier) {
            (true, None) if reviews.r#final => Step::Review(Tier::Final),
            (true, _) if self.current.candidate.is_none() => self.after_final(run),
            (false, None) if reviews.quick => Step::Review(Tier::Quick),
            (false, None | Some(Tier::Quick)) if reviews.deep => Step::Review(Tier::Deep),
            _ if run.has_unanswered() => Step::Execute,
            _ => Step::Commit,
        };
    }

    /// The step after the final review, or its fixes.
    pub(super) fn after_final(&self, run: &RunState) -> Step {
        if run.has_unanswered() { Step::PrepareAttempt } else { Step::DraftPullRequest }
    }
}
