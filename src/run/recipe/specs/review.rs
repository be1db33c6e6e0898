//! The review of a spec, after its verifier accepted it.

use super::{Specs, Step};
use crate::config::Settings;
use crate::port::AgentRole;
use crate::review::{self, Decision, Reviewed};
use crate::run::machine::RunState;
use crate::run::review::{ReviewFact, unreadable};

impl Specs {
    /// The verifier accepted: the review is next, if the configuration has one.
    pub(super) fn accepted(&mut self, run: &mut RunState) {
        let tier = run.config.as_ref().and_then(|(_, settings)| settings.reviews.spec.tier());
        match tier {
            Some(tier) if !run.has_unanswered() => self.step = Step::Review(tier),
            _ => self.judged(run),
        }
    }

    /// Nothing is left to judge. Work with an unanswered message goes on.
    fn judged(&mut self, run: &mut RunState) {
        if run.has_unanswered() {
            self.step = Step::Implement;
            return;
        }
        self.must_fix("", run);
        self.step = Step::Finish;
    }

    /// Other commands may judge the candidate now, or another reviewer.
    pub(super) fn configured(&mut self, settings: &Settings, run: &mut RunState) {
        use Step::{Finish, ReadReview, ReadVerdict, Review, Verify};
        self.commits = settings.git.commit;
        let checks = settings.verification.due();
        if self.checks != checks {
            self.checks = checks.to_vec();
            self.current.results.clear();
            if matches!(self.step, Verify | ReadVerdict | Review(_) | ReadReview(_) | Finish) {
                self.step = Step::PrepareVerification;
            }
        } else if matches!(self.step, Review(_)) {
            self.accepted(run);
        }
    }

    pub(super) fn fold_review(&mut self, fact: &ReviewFact, run: &mut RunState) {
        match fact {
            ReviewFact::ReviewGiven { review, .. } => {
                self.current.unreadable = None;
                self.repetition.decided(&format!("{review:?}"));
                match review.decision {
                    Decision::Ship => self.judged(run),
                    Decision::Revise => {
                        self.current.candidate = None;
                        self.must_fix(&review::feedback(review, Reviewed::Present), run);
                        self.fail(run, AgentRole::Builder);
                    }
                }
            }
            ReviewFact::ReviewUnreadable { tier, reason } => {
                self.step = Step::Review(*tier);
                unreadable(&mut self.current.unreadable, *tier, reason, "The candidate", run);
            }
        }
    }
}
