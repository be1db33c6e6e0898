//! The messages of the user: which run takes them, and which work answers them.

use super::{Ending, RunState, Step};
use crate::run::options::StopReason;

impl RunState {
    /// A message of the user is still part of the work: the run has not ended, or its work is done.
    pub(crate) fn takes_messages(&self) -> bool {
        match &self.step {
            Step::New | Step::Finished(..) | Step::Poisoned(_) => false,
            Step::End(ending) => matches!(ending, Ending::Stopped(StopReason::Done, _)),
            _ => true,
        }
    }

    /// A message of the user is not answered, so the work is not accepted yet.
    pub(crate) fn has_unanswered(&self) -> bool {
        self.unanswered > 0
    }

    /// A message of the user.
    pub(crate) fn add_message(&mut self, message: &str) {
        self.steered.push(message.to_owned());
        self.unanswered += usize::from(self.step != Step::Iteration);
    }

    /// The present piece of work is accepted, and the messages that it answers with it.
    pub(crate) fn accept_messages(&mut self) {
        let answered = self.steered.len().saturating_sub(self.unanswered);
        self.steered.drain(..answered);
    }
}
