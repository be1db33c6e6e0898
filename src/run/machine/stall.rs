//! What follows from a stall.

use super::{Machine, Step};
use crate::run::result::StopReason;

impl Machine {
    /// The project's files that changed since the task began.
    pub fn changed_files(&self) -> impl Iterator<Item = &String> {
        self.watch.files()
    }

    /// What the agent did in the iteration that ended last, each call in words.
    pub fn last_actions(&self) -> &[String] {
        self.watch.actions()
    }

    /// How often the agent was stuck.
    pub fn recoveries(&self) -> u32 {
        self.watch.recoveries()
    }

    /// The snapshot of the project before the task.
    pub fn pre_snapshot(&self) -> Option<&str> {
        self.snapshots.pre.as_deref()
    }

    pub(super) fn stalled(&mut self, is_last: bool, feedback: &str) {
        self.watch.recovered();
        feedback.clone_into(&mut self.feedback);
        if !is_last {
            return;
        }
        match self.snapshots.pre.clone() {
            Some(tag) => self.step = Step::RollBack(tag),
            None => self.give_up(),
        }
    }

    /// With the files went what they said: the plan of the task, and its theme.
    pub(super) fn restored(&mut self, feedback: &str) {
        feedback.clone_into(&mut self.feedback);
        self.plan.accepted = None;
        self.theme.restored();
        self.give_up();
    }

    fn give_up(&mut self) {
        let mut message = self.feedback.lines().collect::<Vec<&str>>().join(" ");
        if let Some(failing) = self.rounds.failing() {
            message.push_str(&format!(" Still failing: {failing}."));
        }
        self.stop(StopReason::Stalled, &message);
    }
}
