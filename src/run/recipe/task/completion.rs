//! The state of the plan on disk, and the effect of the agent's completion.

use super::{Step, Task};
use crate::layout::PLAN;
use crate::run::options::PlanMode;
use crate::task::TaskType;
use serde::{Deserialize, Serialize};

/// Hashes of the plan's states.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) now: Option<String>,
    /// The plan that the user approved.
    #[serde(default)]
    pub(super) approved: Option<String>,
    /// The plan that opened BUILD in this run, or was accepted later.
    pub(super) accepted: Option<String>,
    before: Option<String>,
    /// The plan from before the task.
    stale: Option<String>,
    /// The task changes what the plan describes, so the plan must be updated before anything is accepted.
    pub(super) update: bool,
    /// The plan from before the task never opened BUILD.
    #[serde(default)]
    pub(super) unaccepted: bool,
    /// The task needs a plan of its own.
    #[serde(default)]
    pub(super) due: bool,
    /// A plan was checked in this run or is to be updated. The task then has a plan, even if the agent deletes the file.
    pub(super) seen: bool,
    pub(super) checked: bool,
}

impl Plan {
    pub(super) fn began(&mut self, plan: &Option<String>, stale: &Option<String>) {
        self.now.clone_from(plan);
        self.before.clone_from(plan);
        self.stale.clone_from(stale);
    }

    /// An iteration ended with this plan on disk. If the agent rewrote the plan from before the task unchanged, it
    /// becomes the plan of this task and is checked. A plan with a due update needs its markers instead.
    pub(super) fn written(&mut self, files_changed: &[String], plan: &Option<String>) {
        if !self.update && self.stale == *plan && files_changed.iter().any(|path| path == PLAN) {
            self.stale = None;
        }
        self.now.clone_from(plan);
        self.checked = false;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlanState {
    /// The file is missing or blank.
    Absent,
    /// The plan is from before the task, and the task has not written it.
    Stale,
    /// It is not checked yet.
    Pending,
    Accepted,
}

/// The effect of a completion, or of a plan that is not checked yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completion {
    /// The agent continues.
    None,
    /// The plan is checked first; in PLAN this drops the completion.
    CheckPlan,
    /// The task needs a plan, or an updated plan.
    Refused,
    /// The gates judge.
    Honoured,
}

impl Task {
    pub(super) fn plan_state(&self) -> PlanState {
        match &self.plan.now {
            None => PlanState::Absent,
            Some(now) if self.plan.accepted.as_ref() == Some(now) => PlanState::Accepted,
            Some(now) if self.plan.stale.as_ref() == Some(now) => PlanState::Stale,
            Some(_) => PlanState::Pending,
        }
    }

    /// A plan or its update is due: until then the agent may write only its own `.ralph/` files.
    pub(super) fn plan_required(&self) -> bool {
        matches!(self.mode, PlanMode::Required | PlanMode::Approved) || self.plan.update || self.plan.due
    }

    /// Whether the task builds the plan on disk: the plan was accepted in this task. A mutation or bugfix does not
    /// build an unchanged plan from before the task.
    pub(super) fn has_own_plan(&self) -> bool {
        let is_own = self.plan.now.is_some() && self.plan.accepted == self.plan.now;
        let builds_any =
            !matches!(self.structured.as_ref().map(|task| task.kind), Some(TaskType::Mutation | TaskType::Bugfix))
                || self.mode == PlanMode::Approved;
        self.mode != PlanMode::Off && is_own && (builds_any || self.plan.now != self.plan.before)
    }

    /// Whether a plan that the task left on disk never opened BUILD.
    pub(super) fn left_unaccepted(&self, plan: &Option<String>) -> bool {
        let Plan { now, before, accepted, unaccepted, .. } = &self.plan;
        plan.is_some() && now == plan && if before == plan { *unaccepted } else { accepted != plan }
    }

    pub(super) fn weigh(&self) -> Completion {
        use PlanState::{Absent, Pending, Stale};
        match (self.mode, self.is_building, self.plan_state(), self.completed) {
            (PlanMode::Off, _, _, true) => Completion::Honoured,
            (PlanMode::Off, _, _, false) => Completion::None,
            (_, false, Pending, _) | (_, _, Pending, true) => Completion::CheckPlan,
            // The task's plan was replaced by the one from before the task.
            (_, true, Stale, true) if self.plan.update => Completion::CheckPlan,
            (_, _, _, false) => Completion::None,
            (_, false, Absent | Stale, true) if self.plan_required() => Completion::Refused,
            (_, false, Absent, true) if self.plan.seen => Completion::Refused,
            _ => Completion::Honoured,
        }
    }

    pub(super) fn plan_checked(&mut self, plan: &Option<String>, accepted: bool, asks: bool) {
        self.plan.now.clone_from(plan);
        (self.plan.checked, self.plan.seen) = (true, true);
        if !self.is_building || !accepted && !asks {
            self.completed = false;
        }
        match (accepted, self.is_building) {
            (true, false) => self.step = Step::Context(plan.clone()),
            (true, true) => self.plan.accepted.clone_from(plan),
            (false, _) => {}
        }
    }

    /// Handles a plan from before the task by the type of the task: a mutation updates it, a bugfix ignores it, and a
    /// new app needs a new one. The plan's author, the counter and the journal do not matter.
    pub(super) fn open_by_type(&mut self) {
        let kind = self.structured.as_ref().map(|task| task.kind);
        match (kind, self.mode) {
            (Some(TaskType::Mutation), PlanMode::Auto | PlanMode::Required)
                if self.plan.now.is_some() && !self.plan.unaccepted =>
            {
                (self.plan.update, self.plan.seen) = (true, true);
            }
            (Some(TaskType::Bugfix), PlanMode::Auto) => self.leave_plan_alone(),
            // This mode requires only a valid plan; an invalid one is stale.
            (Some(TaskType::Bugfix), PlanMode::Required) if self.plan_state() == PlanState::Pending => {
                self.leave_plan_alone();
            }
            _ => {}
        }
    }

    fn leave_plan_alone(&mut self) {
        self.plan.stale.clone_from(&self.plan.now);
        self.is_building = true;
    }
}
