//! The stall rule for the roles of specs and chunks: guidance first, the end of the run with the last stall.

use super::Watch;
use super::guidance::unstick;
use crate::port::AgentRole;
use crate::run::event::Event;
use crate::run::machine::RunState;
use crate::run::options::StopReason;
use serde::{Deserialize, Serialize};

/// The iterations of a piece of work, whatever the role.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Repetition {
    watch: Watch,
    /// The role of the last iteration.
    role: Option<AgentRole>,
    /// The guidance for that role until it makes progress.
    guidance: String,
}

impl Repetition {
    /// The work begins.
    pub(crate) fn began(&mut self) {
        *self = Self::default();
        self.watch.began(None);
    }

    pub(crate) fn fold(&mut self, event: &Event, run: &RunState) {
        match event {
            Event::IterationStarted { role, .. } => {
                if self.role.replace(*role) != Some(*role) {
                    self.guidance.clear();
                }
                self.watch.started();
            }
            Event::ToolCall { name, args, .. } => self.watch.called(name, args),
            Event::IterationFinished { plan, tree, .. } if !run.open => {
                self.watch.ended(&format!("{:?} {tree}", self.role), plan.as_deref());
                if self.watch.has_progress() {
                    self.guidance.clear();
                }
            }
            Event::Steered { .. } => self.watch.steered(),
            _ => {}
        }
    }

    /// A role decided, and these are its words.
    pub(crate) fn decided(&mut self, words: &str) {
        self.watch.note_verdict("decision", words);
    }

    /// The guidance for a role; empty without a stall.
    pub(crate) fn guidance(&self, role: AgentRole) -> &str {
        if self.role == Some(role) { &self.guidance } else { "" }
    }

    /// The role works again. If it repeats itself, it gets guidance, or the run ends.
    pub(crate) fn weigh(&mut self, run: &mut RunState, work: &str) {
        if !self.watch.is_stuck(run.limits.stall_threshold) {
            return;
        }
        let (max, actions) = (run.limits.max_stall_recoveries, self.watch.actions().to_vec());
        self.watch.recovered();
        let recoveries = self.watch.recoveries;
        if recoveries < max {
            self.guidance = unstick(&actions, recoveries + 1 == max);
            return;
        }
        let last =
            actions.first().map(|action| format!(" Its last iteration began with: {action}.")).unwrap_or_default();
        let role = self.role.map(|role| format!("{role:?}").to_lowercase()).unwrap_or_default();
        let message = format!("{work}: the {role} repeats itself without progress ({recoveries} stalls).{last}");
        run.stop(StopReason::Stalled, &message);
    }
}
