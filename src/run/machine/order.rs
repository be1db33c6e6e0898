//! Which fact may follow in which step of the machine.

use super::{Ending, RunState, Step};
use crate::port::QuestionKind;
use crate::run::event::Event;
use crate::snapshot::SnapshotInfo;

impl RunState {
    /// Whether an event can follow; `None` if the recipe decides.
    pub(super) fn expects(&self, event: &Event) -> Option<bool> {
        let is = match (event, &self.step) {
            // The run may exceed its time limit while its end is written.
            (Event::BudgetWarning { .. } | Event::PhaseChanged { .. }, Step::Finished(..)) => true,
            (Event::RunResumed { .. }, Step::Finished(..)) => self.can_continue(),
            (_, Step::Finished(..) | Step::Poisoned(_)) => false,
            (Event::RunStarted(_), step) => *step == Step::New,
            (_, Step::New) => false,
            (event, step) if event.is_of_recipe() => return if *step == Step::Recipe { None } else { Some(false) },
            (event, _) if is_anytime(event) => true,
            (Event::AbortRequested { .. }, step) => !matches!(step, Step::End(_)),
            (
                Event::ToolCall { .. }
                | Event::ToolResult { .. }
                | Event::WriteDenied { .. }
                | Event::ContextShortened { .. }
                | Event::ProviderData { .. }
                | Event::ModelAnswered { .. }
                | Event::IterationFinished { .. },
                step,
            ) => *step == Step::Iteration,
            (Event::QuestionAsked { question }, Step::Iteration) => question.kind == QuestionKind::Tool,
            (Event::QuestionAsked { question }, Step::Recipe) if question.kind == QuestionKind::Whose => {
                !self.ledger.unclear().is_empty()
            }
            (Event::QuestionAnswered { .. }, Step::Iteration) => self.asked.awaits_call(),
            (Event::QuestionAnswered { .. } | Event::QuestionUnanswered { .. }, Step::Recipe)
                if self.asked.is_about_work() =>
            {
                true
            }
            (Event::Steered { .. }, _) => self.takes_messages(),
            (Event::FixesApplied { .. }, step) => matches!(step, Step::Fix(_)),
            (Event::Waited { .. }, Step::WaitForModel(_) | Step::WaitForGates(_)) => true,
            (Event::GateChecked { .. } | Event::GatesFinished { .. }, Step::Judge) => true,
            (event, _) if is_iteration_snapshot(event) => self.unsaved.is_some(),
            (Event::RunFinished { .. }, Step::End(Ending::Stopped(..))) => true,
            (Event::IterationStarted { iteration, .. }, Step::Recipe) => {
                // Journals of older builds give the number of an iteration that did not end to the next one.
                let is_next = *iteration == self.next_iteration() || self.open && *iteration == self.iteration;
                return if is_next { None } else { Some(false) };
            }
            (_, Step::Recipe) => return None,
            _ => false,
        };
        Some(is)
    }
}

/// Facts that may follow in every step of a run that goes on.
fn is_anytime(event: &Event) -> bool {
    matches!(
        event,
        Event::RunResumed { .. }
            | Event::RunFailed { .. }
            | Event::LimitsChanged { .. }
            | Event::ConfigLoaded { .. }
            | Event::PhaseChanged { .. }
            | Event::HarnessFilesChanged { .. }
            | Event::FileChanged { .. }
            | Event::UserChanged { .. }
            | Event::ChangesUnclear { .. }
            | Event::WriteStarted { .. }
            | Event::UnguardedStarted { .. }
            | Event::UnguardedEnded
            | Event::UserEdits { .. }
            | Event::BudgetWarning { .. }
            | Event::SpendingRead { .. }
            | Event::Usage { .. }
            | Event::ConfigWarning { .. }
            | Event::WaitStarted { .. }
            | Event::Status { .. }
            | Event::TextDelta { .. }
            | Event::ReasoningDelta { .. }
            | Event::ToolDelta { .. }
    )
}

/// Facts that may come between the end of an iteration and its snapshot.
pub(super) fn may_precede_snapshot(event: &Event) -> bool {
    let is_call = matches!(event, Event::Usage { .. });
    (is_anytime(event) && !is_call) || matches!(event, Event::AbortRequested { .. })
}

/// The snapshot of an iteration was saved or failed. It has a ref instead of a tag, and no recipe depends on it.
pub(super) fn is_iteration_snapshot(event: &Event) -> bool {
    match event {
        Event::SnapshotSaved { snapshot: SnapshotInfo { tag, .. }, .. } | Event::SnapshotSkipped { tag } => {
            tag.starts_with("refs/")
        }
        _ => false,
    }
}
