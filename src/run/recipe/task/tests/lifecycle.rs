//! The effect of the task type on the plan and the run.

use super::*;
use crate::task::{ParsedBy, TaskScope};

/// The machine of a task of this type and number, with this plan on disk at its start; `stale`: an earlier task wrote it.
fn started(kind: TaskType, number: u32, mode: PlanMode, plan: Option<&str>, stale: bool) -> Table {
    let mut table = Table::of(Limits::default());
    let task = StructuredTask {
        kind,
        title: "t".to_owned(),
        task_number: number,
        previous_tag: None,
        requirements: Vec::new(),
        scope: TaskScope::default(),
        raw_message: "both texts".to_owned(),
        questions: Some(vec!["Which?".to_owned()]),
        parsed_by: ParsedBy::Rules,
    };
    let work = Work::Task { message: "do it".to_owned() };
    table.fold(Event::Recipe(TaskFact::RunStarted {
        work,
        task_number: number,
        plan: mode,
        task: Some(task),
        notes: Vec::new(),
    }));
    if kind != TaskType::NeedsClarification {
        table.fold(Event::Recipe(TaskFact::TaskStarted {
            task: "# Task".to_owned(),
            origin: String::new(),
            history: String::new(),
            plan: plan.map(str::to_owned),
            stale_plan: plan.filter(|_| stale).map(str::to_owned),
            applied_theme: String::new(),
            kept_theme: None,
            was_empty: false,
            pre: None,
        }));
    }
    table
}

#[test]
fn a_completion_is_honoured_by_type_mode_and_plan() {
    use PlanMode::{Auto, Off, Required};
    use TaskType::{Bugfix, Fresh, Mutation};
    let (refused, gates, check) =
        (Command::Recipe(TaskCommand::RefuseCompletion), Command::RunGates, Command::Recipe(TaskCommand::CheckPlan));
    for (kind, number, mode, before, after, expected) in [
        // The plan of an earlier task, untouched, gone, changed.
        (Mutation, 3, Auto, Some("old"), Some("old"), &refused),
        (Mutation, 3, Auto, Some("old"), None, &refused),
        (Mutation, 3, Auto, Some("old"), Some("new"), &check),
        (Mutation, 3, Required, Some("old"), Some("old"), &refused),
        (Mutation, 3, Off, Some("old"), Some("old"), &gates),
        (Mutation, 3, Auto, None, None, &gates),
        (Mutation, 3, Required, None, None, &refused),
        (Fresh, 3, Auto, Some("old"), Some("old"), &gates),
        (Fresh, 3, Required, Some("old"), Some("old"), &refused),
        (Bugfix, 3, Auto, None, None, &gates),
        (Bugfix, 3, Auto, Some("old"), Some("old"), &gates),
        (Bugfix, 3, Auto, Some("old"), Some("new"), &check),
        (Bugfix, 3, Required, None, None, &refused),
        (Bugfix, 3, Required, Some("old"), Some("old"), &gates),
    ] {
        let stale = kind != Bugfix;
        let mut table = started(kind, number, mode, before, stale);
        assert_eq!(&table.complete(after), expected, "{kind:?} {mode:?} {before:?} {after:?}");
    }
}

#[test]
fn a_plan_with_the_markers_of_the_task_is_confirmed_and_opens_build() {
    let mut table = started(TaskType::Mutation, 3, PlanMode::Auto, Some("a"), false);
    assert_eq!(
        (table.machine.next(), table.machine.recipe.updates_plan()),
        (Command::Recipe(TaskCommand::CheckPlan), true)
    );
    assert_eq!(table.check_plan("a", true), iteration(1));
    assert_eq!(table.machine.phase(), Phase::Build);
}

#[test]
fn a_plan_that_is_there_before_the_first_known_task_is_updated_by_a_mutation() {
    for number in [1, 2, 3] {
        let mut table = started(TaskType::Mutation, number, PlanMode::Auto, Some("old"), true);
        assert!(table.machine.recipe.updates_plan() && table.machine.recipe.plan_required(), "task {number}");
        assert_eq!(table.complete(Some("old")), Command::Recipe(TaskCommand::RefuseCompletion), "task {number}");
    }
}

#[test]
fn while_an_update_is_due_build_stays_closed_after_a_refusal_and_a_resume() {
    let mut table = started(TaskType::Mutation, 3, PlanMode::Auto, Some("old"), true);
    let closed = |table: &Table| (table.machine.recipe.working_phase(), table.machine.recipe.plan_required());
    assert_eq!(closed(&table), (Phase::Plan, true));
    table.complete(Some("new"));
    table.check_plan("new", false);
    assert_eq!(closed(&table), (Phase::Plan, true), "refused");
    table.fold(Event::RunResumed { repaired: Vec::new(), plan: Some("new".to_owned()) });
    assert_eq!(closed(&table), (Phase::Plan, true), "resumed");
    table.complete(Some("newer"));
    table.check_plan("newer", true);
    assert_eq!(closed(&table).0, Phase::Build);
    for (kind, mode, is_closed) in [
        (TaskType::Mutation, PlanMode::Off, false),
        (TaskType::Fresh, PlanMode::Auto, false),
        (TaskType::Fresh, PlanMode::Required, true),
    ] {
        let table = started(kind, 3, mode, Some("old"), true);
        assert_eq!(table.machine.recipe.plan_required(), is_closed, "{kind:?} {mode:?}");
    }
}

#[test]
fn a_stale_plan_that_the_agent_rewrites_unchanged_is_checked() {
    for (kind, written, next) in [
        (TaskType::Fresh, true, Command::Recipe(TaskCommand::CheckPlan)),
        (TaskType::Fresh, false, Command::RunGates),
        (TaskType::Mutation, true, Command::Recipe(TaskCommand::RefuseCompletion)),
    ] {
        let mut table = started(kind, 3, PlanMode::Auto, Some("old"), true);
        table.files = if written { vec![crate::layout::PLAN.to_owned()] } else { Vec::new() };
        assert_eq!(table.complete(Some("old")), next, "{kind:?} {written}");
    }
}

#[test]
fn in_build_the_plan_from_before_is_not_the_plan_of_the_task() {
    let mut table = started(TaskType::Mutation, 3, PlanMode::Auto, Some("old"), true);
    assert_eq!(table.iterate(IterationClose::Stopped, Some("new"), false), Command::Recipe(TaskCommand::CheckPlan));
    assert_eq!(table.check_plan("new", true), iteration(2));
    assert_eq!(table.complete(Some("old")), Command::Recipe(TaskCommand::CheckPlan));
    assert_eq!(table.check_plan("old", false), iteration(3), "the completion went with it");
}

#[test]
fn a_task_that_needs_clarification_is_over_at_once() {
    let table = started(TaskType::NeedsClarification, 3, PlanMode::Off, None, false);
    let Some(Ending::Stopped(reason, message)) = table.machine.ending() else { panic!("{:?}", table.machine.next()) };
    assert_eq!(
        (reason, table.machine.phase(), table.machine.recipe.has_started()),
        (StopReason::NeedsClarification, Phase::Plan, false)
    );
    let asked = table.machine.recipe.clarification().unwrap();
    assert_eq!((asked.message.as_str(), &asked.questions), ("both texts", &vec!["Which?".to_owned()]));
    assert_eq!(table.machine.result(reason, &message).clarification, Some(asked.questions));
    let clear = started(TaskType::Fresh, 3, PlanMode::Auto, None, false);
    assert_eq!((clear.machine.recipe.clarification(), clear.machine.recipe.has_started()), (None, true));
}
