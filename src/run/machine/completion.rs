//! The one place that decides what a completion is worth (`seeds/000`: the guard of three sites).

use super::{Machine, Step};
use crate::plan::ThemeContext;
use crate::port::Phase;
use crate::run::options::PlanMode;
use crate::task::TaskType;

/// What the plan on disk is to the harness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanState {
    /// There is none, or only white space.
    Absent,
    /// The plan is from before the task, and the task has not written it.
    Stale,
    /// It waits for its check.
    Pending,
    /// It is the one that opened BUILD.
    Accepted,
}

/// What follows from the agent's completion, or from a plan that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completion {
    /// Nothing: the agent goes on.
    None,
    /// The plan is checked first; in PLAN the completion is swallowed with it.
    CheckPlan,
    /// The task needs a plan that it does not have, or has not updated.
    Refused,
    /// The gates judge.
    Honoured,
}

impl Machine {
    /// What the plan on disk is to the harness.
    pub fn plan_state(&self) -> PlanState {
        match &self.plan.now {
            None => PlanState::Absent,
            Some(now) if self.plan.accepted.as_ref() == Some(now) => PlanState::Accepted,
            Some(now) if self.plan.stale.as_ref() == Some(now) => PlanState::Stale,
            Some(_) => PlanState::Pending,
        }
    }

    /// Whether the task builds the plan on disk: the plan was accepted in this task. A change or a repair does not build an
    /// unchanged plan from before the task.
    pub fn has_own_plan(&self) -> bool {
        let is_own = self.plan.now.is_some() && self.plan.accepted == self.plan.now;
        let builds_any =
            !matches!(self.structured.as_ref().map(|task| task.kind), Some(TaskType::Mutation | TaskType::Bugfix));
        self.mode != PlanMode::Off && is_own && (builds_any || self.plan.now != self.plan.before)
    }

    pub(super) fn weigh(&self) -> Completion {
        let state = self.plan_state();
        match (self.mode, self.working, state, self.completed) {
            (PlanMode::Off, _, _, completed) => honoured_if(completed),
            (_, Phase::Plan, PlanState::Pending, _) | (_, _, PlanState::Pending, true) => Completion::CheckPlan,
            // The plan of the task was put aside for the one before it.
            (_, Phase::Build, PlanState::Stale, true) if self.plan.update => Completion::CheckPlan,
            (_, _, _, false) => Completion::None,
            (_, Phase::Plan, PlanState::Absent | PlanState::Stale, true) if self.plan.update => Completion::Refused,
            (PlanMode::Required, Phase::Plan, PlanState::Absent | PlanState::Stale, true) => Completion::Refused,
            (_, Phase::Plan, PlanState::Absent, true) if self.plan.seen => Completion::Refused,
            _ => Completion::Honoured,
        }
    }

    pub(super) fn plan_checked(&mut self, plan: &Option<String>, accepted: bool, feedback: &str) {
        self.plan.now.clone_from(plan);
        self.plan.checked = true;
        self.plan.seen = true;
        feedback.clone_into(&mut self.feedback);
        if self.working == Phase::Plan || !accepted {
            self.completed = false;
        }
        match (accepted, self.working) {
            (true, Phase::Plan) => self.step = Step::Context(plan.clone()),
            (true, _) => self.plan.accepted.clone_from(plan),
            (false, _) => {}
        }
    }

    pub(super) fn plan_resolved(&mut self, theme: &ThemeContext, feedback: &str) {
        if let Step::Context(plan) = std::mem::replace(&mut self.step, Step::Between) {
            self.plan.accepted = plan;
        }
        self.theme.resolved(theme);
        self.working = Phase::Build;
        feedback.clone_into(&mut self.feedback);
    }
}

fn honoured_if(completed: bool) -> Completion {
    if completed { Completion::Honoured } else { Completion::None }
}
