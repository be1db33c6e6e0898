//! The plan as a question to the user.

use super::{Step, Task, feedback};
use crate::layout::PLAN;
use crate::plan::{PlanReport, PropValue};
use crate::port::{Answer, Decision};
use crate::run::machine::RunState;
use crate::run::options::{PlanMode, StopReason};
use crate::text::{one_line, shortened};
use serde_json::{Value, json};

/// Maximum length of a name or description, in characters.
const INTENT_CHARS: usize = 300;

impl Task {
    /// Whether the user decides about a valid plan with this hash. An answer counts for the plan that the question showed.
    pub(super) fn needs_approval(&self, plan: &Option<String>, is_configured: bool) -> bool {
        (is_configured || self.mode == PlanMode::Approved) && self.plan.approved != *plan
    }

    /// The text and the details of the question.
    pub(super) fn question_of_plan(report: &PlanReport) -> (String, Value) {
        let intent = intent(report);
        let about = if intent.is_empty() { String::new() } else { format!(" “{intent}”") };
        (format!("May the agent build the plan{about} in {PLAN}?"), json!(report))
    }

    pub(super) fn answered(&mut self, answer: &Answer, run: &mut RunState) {
        let Step::Approve { plan, .. } = std::mem::replace(&mut self.step, Step::Between) else { return };
        let reason = answer.reason.as_deref().unwrap_or("no reason was given");
        match answer.decision {
            // The plan is checked once more, because the file may have changed since.
            Decision::Allow => {
                (self.plan.approved, self.plan.checked) = (plan, false);
                if let Some(note) = &answer.note {
                    self.completed = false;
                    self.notes.push(note.clone());
                }
            }
            Decision::Revise => {
                self.completed = false;
                run.feedback = feedback::plan_not_approved(reason);
            }
            Decision::Deny => run.stop(StopReason::Blocked, &format!("The plan is not approved: {reason}")),
        }
    }

    /// The host has no hook, or it leaves the question open.
    pub(super) fn unanswered(id: &str, run: &mut RunState) {
        let message =
            format!("The plan in {PLAN} waits for your approval: resume the run with an answer to the question {id}.");
        run.stop(StopReason::Waiting, &message);
    }
}

/// What a plan builds, from its `App`; empty if that says nothing.
pub(super) fn intent(report: &PlanReport) -> String {
    let text = |prop| match report.root.as_ref().and_then(|root| root.props.get(prop)) {
        Some(PropValue::String(text)) => shortened(&one_line(text), INTENT_CHARS),
        _ => String::new(),
    };
    match (text("name"), text("description")) {
        (name, words) if name.is_empty() || words.is_empty() => format!("{name}{words}"),
        (name, words) => format!("{name} — {words}"),
    }
}
