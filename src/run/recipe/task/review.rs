//! The review of a task, after its gates passed.

use super::{Step, Task};
use crate::gate::{Evidence, RequirementVerdict};
use crate::review::{self, Decision, Review, Reviewed, Tier};
use crate::run::event::IterationClose;
use crate::run::machine::RunState;
use crate::run::options::StopReason;
use crate::run::review::{ReviewFact, unreadable};
use crate::text::one_line;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The state of the review.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct InReview {
    /// The answer of the reviewer.
    pub answer: Option<Value>,
    /// Why its last answer has no readable verdict.
    pub unreadable: Option<String>,
    /// The reviewer ships the work.
    shipped: bool,
    /// How often in a row the reviewer returned the work.
    pub returned: u32,
    /// Its first issue with the returned work.
    #[serde(default)]
    issue: Option<String>,
}

impl Task {
    /// The gates passed: the review is next, if the configuration has one. Work with an unanswered message goes on.
    pub(super) fn judged(&mut self, run: &RunState) {
        self.review.shipped = false;
        let tier = run.config.as_ref().and_then(|(_, settings)| settings.reviews.task.tier());
        match tier {
            Some(tier) => self.step = Step::Review(tier),
            None => self.accepted(run),
        }
    }

    /// Nothing is left to judge.
    fn accepted(&mut self, run: &RunState) {
        match run.has_unanswered() {
            true => (self.completed, self.step) = (false, Step::Between),
            false => self.step = Step::Save,
        }
    }

    /// The configuration changed: another review may be due.
    pub(super) fn configured(&mut self, run: &RunState) {
        if self.tier().is_some() || self.step == Step::Save && !self.review.shipped {
            self.judged(run);
        }
    }

    /// The tier of the review that is due.
    pub(super) fn tier(&self) -> Option<Tier> {
        if let Step::Review(tier) = self.step { Some(tier) } else { None }
    }

    pub(super) fn reviewed(&mut self, close: IterationClose, answer: Option<&Value>) {
        let Some(tier) = self.tier() else { return };
        // The run waits or ends; the next iteration then repeats its work.
        if !matches!(close, IterationClose::ModelFailed | IterationClose::Budget | IterationClose::Asked) {
            self.review.answer = answer.filter(|_| close == IterationClose::Completed).cloned();
            self.step = Step::ReadReview(tier);
        }
    }

    pub(super) fn fold_review(&mut self, fact: &ReviewFact, run: &mut RunState) {
        match fact {
            ReviewFact::ReviewGiven { tier, review } => {
                self.review.unreadable = None;
                if review.decision == Decision::Revise {
                    return self.returned(*tier, review, run);
                }
                self.review.returned = 0;
                self.review.shipped = true;
                confirm(*tier, run);
                self.accepted(run);
            }
            ReviewFact::ReviewUnreadable { tier, reason } => {
                self.step = Step::Review(*tier);
                unreadable(&mut self.review.unreadable, *tier, reason, "The work", run);
            }
        }
    }

    fn returned(&mut self, tier: Tier, review: &Review, run: &mut RunState) {
        run.feedback = review::feedback(review, Reviewed::Present);
        (self.completed, self.step) = (false, Step::Between);
        self.review.returned += 1;
        self.review.issue = review.issues.first().map(|issue| one_line(&issue.description));
        if self.review.returned >= run.limits.max_gate_failures {
            let message = format!("The {} review {}.", tier.as_str(), self.returned_work());
            run.stop(StopReason::GatesFailed, &message);
        }
    }

    /// That the review returned the work, and for what, as a clause without its subject.
    pub(super) fn returned_work(&self) -> String {
        let InReview { returned, issue, .. } = &self.review;
        let count = if *returned > 1 { format!(" {returned} times in a row") } else { String::new() };
        let issue = issue.as_ref().map(|issue| format!("; the first open issue: {}", issue.trim_end_matches('.')));
        format!("returned the work{count}{}", issue.unwrap_or_default())
    }
}

/// The reviewer was asked by name about the requirements that no check settles.
fn confirm(tier: Tier, run: &mut RunState) {
    for report in run.requirements.iter_mut().filter(|report| report.is_unsure()) {
        report.verdict = RequirementVerdict::Reviewed;
        let text = format!("The {} review judged it, and found nothing that blocks the work.", tier.as_str());
        report.evidence.insert(0, Evidence::new("review", &text));
    }
}
