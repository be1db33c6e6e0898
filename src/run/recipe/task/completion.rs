//! What the plan on disk is to the task, and what the agent's completion is worth.

use super::{Step, Task};
use crate::layout::PLAN;
use crate::run::options::PlanMode;
use crate::task::TaskType;

/// What is known of the plan, by hashes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Plan {
    pub(super) now: Option<String>,
    /// The plan that opened BUILD in this run, or was accepted later.
    pub(super) accepted: Option<String>,
    /// At the task's start.
    before: Option<String>,
    /// The plan from before the task, which is not the plan of the task.
    stale: Option<String>,
    /// The task changes what the plan on disk has planned, so the plan is updated before anything is accepted.
    update: bool,
    /// A plan was checked in this run or is to be updated: the task has a plan, even if its file is deleted.
    seen: bool,
    /// It was checked since the last iteration.
    pub(super) checked: bool,
}

impl Plan {
    pub(super) fn began(&mut self, plan: &Option<String>, stale: &Option<String>) {
        self.now.clone_from(plan);
        self.before.clone_from(plan);
        self.stale.clone_from(stale);
    }

    /// An iteration left this plan. If the agent wrote the plan from before the task again, unchanged, it becomes the plan
    /// of this task and is checked. A plan with a due update needs its markers instead.
    pub(super) fn written(&mut self, files_changed: &[String], plan: &Option<String>) {
        if !self.update && self.stale == *plan && files_changed.iter().any(|path| path == PLAN) {
            self.stale = None;
        }
        self.now.clone_from(plan);
        self.checked = false;
    }
}

/// What the plan on disk is to the harness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlanState {
    /// There is none, or only white space.
    Absent,
    /// The plan is from before the task, and the task has not written it.
    Stale,
    /// It waits for its check.
    Pending,
    /// It is the accepted one.
    Accepted,
}

/// What follows from the agent's completion, or from a plan that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completion {
    /// The agent continues.
    None,
    /// The plan is checked first; in PLAN this drops the completion.
    CheckPlan,
    /// The task needs a plan that it does not have, or has not updated.
    Refused,
    /// The gates judge.
    Honoured,
}

impl Task {
    /// What the plan on disk is to the harness.
    pub(super) fn plan_state(&self) -> PlanState {
        match &self.plan.now {
            None => PlanState::Absent,
            Some(now) if self.plan.accepted.as_ref() == Some(now) => PlanState::Accepted,
            Some(now) if self.plan.stale.as_ref() == Some(now) => PlanState::Stale,
            Some(_) => PlanState::Pending,
        }
    }

    /// The plan on disk is to be updated for this task.
    pub(super) fn updates_plan(&self) -> bool {
        self.plan.update
    }

    /// A plan or its update is due: until then only the agent's own `.ralph/` files may be written.
    pub(super) fn plan_required(&self) -> bool {
        self.mode == PlanMode::Required || self.plan.update
    }

    /// The agent may not delete the plan.
    pub(super) fn keeps_plan(&self) -> bool {
        self.plan.seen
    }

    /// Whether the task builds the plan on disk: the plan was accepted in this task. A change or a repair does not build an
    /// unchanged plan from before the task.
    pub(super) fn has_own_plan(&self) -> bool {
        let is_own = self.plan.now.is_some() && self.plan.accepted == self.plan.now;
        let builds_any =
            !matches!(self.structured.as_ref().map(|task| task.kind), Some(TaskType::Mutation | TaskType::Bugfix));
        self.mode != PlanMode::Off && is_own && (builds_any || self.plan.now != self.plan.before)
    }

    pub(super) fn weigh(&self) -> Completion {
        use PlanState::{Absent, Pending, Stale};
        match (self.mode, self.is_building, self.plan_state(), self.completed) {
            (PlanMode::Off, _, _, true) => Completion::Honoured,
            (PlanMode::Off, _, _, false) => Completion::None,
            (_, false, Pending, _) | (_, _, Pending, true) => Completion::CheckPlan,
            // The plan from before the task is back in place of the task's plan.
            (_, true, Stale, true) if self.plan.update => Completion::CheckPlan,
            (_, _, _, false) => Completion::None,
            (_, false, Absent | Stale, true) if self.plan_required() => Completion::Refused,
            (_, false, Absent, true) if self.plan.seen => Completion::Refused,
            _ => Completion::Honoured,
        }
    }

    pub(super) fn plan_checked(&mut self, plan: &Option<String>, accepted: bool) {
        self.plan.now.clone_from(plan);
        (self.plan.checked, self.plan.seen) = (true, true);
        if !self.is_building || !accepted {
            self.completed = false;
        }
        match (accepted, self.is_building) {
            (true, false) => self.step = Step::Context(plan.clone()),
            (true, true) => self.plan.accepted.clone_from(plan),
            (false, _) => {}
        }
    }

    /// How the type of the task treats a plan from before the task: a change updates it, a repair ignores it, and a new app
    /// needs a new one. The plan's author, the counter and the journal do not matter.
    pub(super) fn open_by_type(&mut self) {
        let kind = self.structured.as_ref().map(|task| task.kind);
        match (kind, self.mode) {
            (Some(TaskType::Mutation), PlanMode::Auto | PlanMode::Required) if self.plan.now.is_some() => {
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
