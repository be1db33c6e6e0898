//! The effect of the plan, the task's type and the theme on the run.

use super::*;
use crate::task::{ParsedBy, TaskScope};

/// A task of this type with this plan on disk at its start; `stale`: an earlier task wrote the plan.
fn started(kind: TaskType, mode: PlanMode, plan: Option<&str>, stale: bool) -> Table {
    let task = StructuredTask {
        kind,
        title: "t".to_owned(),
        task_number: 3,
        previous_tag: None,
        requirements: Vec::new(),
        scope: TaskScope::default(),
        raw_message: "both texts".to_owned(),
        questions: Some(vec!["Which?".to_owned()]),
        parsed_by: ParsedBy::Rules,
    };
    let fields = json!({ "plan": plan, "stalePlan": plan.filter(|_| stale), "pre": null });
    Table::started(Limits::default(), mode, Some(&task), fields)
}

#[test]
fn a_completion_is_honoured_by_type_mode_and_plan() {
    use PlanMode::{Auto, Off, Required};
    use TaskType::{Bugfix, Fresh, Mutation};
    let (refused, gates, check) = (
        Command::Recipe(AnyCommand::Task(TaskCommand::RefuseCompletion)),
        Command::RunGates,
        Command::Recipe(AnyCommand::Task(TaskCommand::CheckPlan)),
    );
    for (kind, mode, before, after, expected) in [
        // The plan of an earlier task, unchanged, deleted, changed.
        (Mutation, Auto, Some("old"), Some("old"), &refused),
        (Mutation, Auto, Some("old"), None, &refused),
        (Mutation, Auto, Some("old"), Some("new"), &check),
        (Mutation, Required, Some("old"), Some("old"), &refused),
        (Mutation, Off, Some("old"), Some("old"), &gates),
        (Mutation, Auto, None, None, &gates),
        (Mutation, Required, None, None, &refused),
        (Fresh, Auto, None, None, &gates),
        (Fresh, Auto, None, Some("new"), &check),
        (Fresh, Auto, Some("old"), Some("old"), &gates),
        (Fresh, Required, Some("old"), Some("old"), &refused),
        (Fresh, Off, Some("old"), Some("new"), &gates),
        (Bugfix, Auto, None, None, &gates),
        (Bugfix, Auto, Some("old"), Some("old"), &gates),
        (Bugfix, Auto, Some("old"), Some("new"), &check),
        (Bugfix, Required, None, None, &refused),
        (Bugfix, Required, Some("old"), Some("old"), &gates),
    ] {
        let mut table = started(kind, mode, before, kind != Bugfix);
        assert_eq!(&table.complete(after), expected, "{kind:?} {mode:?} {before:?} {after:?}");
    }
}

#[test]
fn the_completion_of_a_plan_that_is_not_checked_is_dropped_in_plan_and_retained_in_build() {
    let mut table = Table::auto();
    for (round, accepted) in [(2, false), (3, false), (4, true)] {
        assert_eq!(table.machine.phase(), Phase::Plan);
        assert_eq!(table.complete(Some("a")), Command::Recipe(AnyCommand::Task(TaskCommand::CheckPlan)));
        assert_eq!(table.check_plan("a", accepted), iteration(round));
    }
    assert_eq!(table.machine.phase(), Phase::Build);
    assert_eq!(table.iterate(IterationClose::Stopped, Some("b"), true), iteration(5), "no completion is left");
    assert_eq!(table.complete(Some("b")), Command::Recipe(AnyCommand::Task(TaskCommand::CheckPlan)));
    assert_eq!(table.check_plan("b", false), iteration(6));
    assert_eq!(table.machine.phase(), Phase::Build, "a valid plan opened it before");
    table.complete(Some("c"));
    assert_eq!(table.check_plan("c", true), Command::RunGates);
}

#[test]
fn deleting_a_checked_plan_does_not_make_a_task_without_one() {
    let mut table = Table::auto();
    table.iterate(IterationClose::Stopped, Some("a"), false);
    table.check_plan("a", false);
    assert_eq!(table.complete(None), Command::Recipe(AnyCommand::Task(TaskCommand::RefuseCompletion)));
}

#[test]
fn the_end_after_a_refusal_for_a_missing_plan_names_the_plan() {
    let limits = Limits { max_iterations: Some(1), ..Limits::default() };
    let mut table = Table::started(limits, PlanMode::Required, None, Value::Null);
    assert_eq!(table.complete(None), Command::Recipe(AnyCommand::Task(TaskCommand::RefuseCompletion)));
    let next = table.read(json!({ "type": "completion-refused", "feedback": "no plan" }));
    let Command::Finish(Ending::Stopped(reason, message)) = next else { panic!("{next:?}") };
    assert_eq!((reason, table.machine.run.feedback.as_str()), (StopReason::MaxIterations, "no plan"));
    assert!(message.ends_with("the plan that the task needs was never written."), "{message}");
}

#[test]
fn a_plan_with_the_markers_of_the_task_is_confirmed_and_opens_build() {
    let mut table = started(TaskType::Mutation, PlanMode::Auto, Some("a"), false);
    assert!(table.task().plan.update);
    assert_eq!(table.check_plan("a", true), iteration(1));
    assert_eq!(table.machine.phase(), Phase::Build);
}

#[test]
fn while_an_update_is_due_build_stays_closed_after_a_refusal_and_a_resume() {
    let mut table = started(TaskType::Mutation, PlanMode::Auto, Some("old"), true);
    let closed = |table: &Table| (table.task().working_phase(), table.task().plan_required());
    assert_eq!(closed(&table), (Phase::Plan, true));
    table.complete(Some("new"));
    table.check_plan("new", false);
    assert_eq!(closed(&table), (Phase::Plan, true), "refused");
    table.resume(Some("new"));
    assert_eq!(closed(&table), (Phase::Plan, true), "resumed");
    table.complete(Some("newer"));
    table.check_plan("newer", true);
    assert_eq!(closed(&table).0, Phase::Build);
    for (kind, mode, is_closed) in [
        (TaskType::Mutation, PlanMode::Off, false),
        (TaskType::Fresh, PlanMode::Auto, false),
        (TaskType::Fresh, PlanMode::Required, true),
    ] {
        let table = started(kind, mode, Some("old"), true);
        assert_eq!(table.task().plan_required(), is_closed, "{kind:?} {mode:?}");
    }
}

#[test]
fn a_stale_plan_that_the_agent_rewrites_unchanged_is_checked() {
    for (kind, written, next) in [
        (TaskType::Fresh, true, Command::Recipe(AnyCommand::Task(TaskCommand::CheckPlan))),
        (TaskType::Fresh, false, Command::RunGates),
        (TaskType::Mutation, true, Command::Recipe(AnyCommand::Task(TaskCommand::RefuseCompletion))),
    ] {
        let mut table = started(kind, PlanMode::Auto, Some("old"), true);
        table.files = if written { vec![crate::layout::PLAN.to_owned()] } else { Vec::new() };
        assert_eq!(table.complete(Some("old")), next, "{kind:?} {written}");
    }
}

#[test]
fn in_build_the_plan_from_before_is_not_the_plan_of_the_task() {
    let mut table = started(TaskType::Mutation, PlanMode::Auto, Some("old"), true);
    assert_eq!(
        table.iterate(IterationClose::Stopped, Some("new"), false),
        Command::Recipe(AnyCommand::Task(TaskCommand::CheckPlan))
    );
    assert_eq!(table.check_plan("new", true), iteration(2));
    assert_eq!(table.complete(Some("old")), Command::Recipe(AnyCommand::Task(TaskCommand::CheckPlan)));
    assert_eq!(table.check_plan("old", false), iteration(3), "the completion is dropped");
}

#[test]
fn a_task_that_needs_clarification_ends_at_once() {
    let table = started(TaskType::NeedsClarification, PlanMode::Off, None, false);
    let Some(Ending::Stopped(reason, message)) = table.machine.ending() else { panic!("{:?}", table.machine.next()) };
    assert_eq!((reason, table.machine.phase()), (StopReason::NeedsClarification, Phase::Plan));
    assert!(!table.task().has_started());
    let asked = table.task().clarification().unwrap();
    assert_eq!((asked.message.as_str(), &asked.questions), ("both texts", &vec!["Which?".to_owned()]));
    assert_eq!(table.machine.result(reason, &message).clarification, Some(asked.questions));
    let clear = started(TaskType::Fresh, PlanMode::Auto, None, false);
    assert_eq!((clear.task().clarification(), clear.task().has_started()), (None, true));
}

const MONO: &str = "theme preset mono --apply";

/// A machine whose plan was just accepted, in a project with this theme.
fn accepted(theme: &str) -> Table {
    let fields = json!({ "plan": "a", "appliedTheme": theme });
    let mut table = Table::started(Limits::default(), PlanMode::Auto, None, fields);
    table.read(json!({
        "type": "plan-checked", "report": PlanReport::default(), "plan": "a", "accepted": true, "feedback": "",
    }));
    table
}

fn theme() -> ThemeContext {
    ThemeContext { command: MONO.to_owned(), ..ThemeContext::default() }
}

/// The applied theme, the started one, and the locked one.
fn themes(table: &Table) -> (&str, Option<&str>, Option<&str>) {
    let task = table.task();
    (&task.theme.applied, task.theme.started.as_deref(), task.locked_theme())
}

#[test]
fn a_theme_is_applied_and_locked_once_the_end_of_its_command_is_journaled() {
    let started = || json!({ "type": "theme-started", "command": MONO });
    let mut table = accepted("theme preset cyberpunk --apply");
    assert_eq!(themes(&table), ("theme preset cyberpunk --apply", None, None));
    assert_eq!(table.read(started()), Command::Recipe(AnyCommand::Task(TaskCommand::ApplyPlanContext)));
    assert_eq!(themes(&table), ("", Some(MONO), None), "unknown while the command runs");
    assert_eq!(table.resolve_plan(&theme().applied(String::new())), iteration(1));
    assert_eq!(themes(&table), (MONO, None, Some(MONO)));

    let mut crashed = accepted("");
    crashed.read(started());
    assert_eq!(crashed.resume(Some("a")), Command::Recipe(AnyCommand::Task(TaskCommand::ApplyPlanContext)));
    assert_eq!(themes(&crashed), ("", Some(MONO), None));
    assert_eq!(crashed.resolve_plan(&theme().failed("it may have been applied")), iteration(1));
    assert_eq!(themes(&crashed), ("", None, None));

    let mut failed = accepted(MONO);
    failed.resolve_plan(&theme().failed("no shell"));
    assert_eq!(themes(&failed), (MONO, None, None));
}

#[test]
fn the_accepted_plan_opens_build_even_if_another_one_was_written_since() {
    let mut table = accepted("");
    assert_eq!(table.resume(Some("b")), Command::Recipe(AnyCommand::Task(TaskCommand::ApplyPlanContext)));
    assert_eq!(table.resolve_plan(&theme()), iteration(1));
    assert_eq!(table.task().plan.accepted.as_deref(), Some("a"));
    assert_eq!(
        table.complete(Some("b")),
        Command::Recipe(AnyCommand::Task(TaskCommand::CheckPlan)),
        "it is checked before acceptance"
    );
}

#[test]
fn a_plan_without_its_context_does_not_open_build() {
    let mut table = accepted("");
    table.fold(Event::AbortRequested { reason: "stop".to_owned() });
    let task = table.task();
    assert_eq!((task.plan.accepted.as_deref(), task.working_phase()), (None, Phase::Plan));
}

#[test]
fn the_end_says_done_only_where_every_requirement_is_checked_and_names_the_gates_that_warn() {
    use crate::gate::{RequirementReport, RequirementVerdict};
    let requirement = |text: &str, verdict| RequirementReport {
        id: "R1".to_owned(),
        marker: "ADD".to_owned(),
        text: text.to_owned(),
        verdict,
        evidence: Vec::new(),
    };
    let (checked, open) = (RequirementVerdict::Checked, RequirementVerdict::Open);
    let (pass, warn) = (GateVerdict::Pass, GateVerdict::Warn);
    for (verdict, requirements, expected) in [
        (pass, vec![requirement("a footer", checked)], "Done: every gate passed."),
        (warn, vec![requirement("a footer", checked)], "Done: no gate failed, 1 warns (scope)."),
        (
            pass,
            vec![requirement("a footer", checked), requirement("a header", open)],
            "1 of 2 checked, 1 open. Gates: every gate passed.",
        ),
    ] {
        let mut table = Table::auto();
        table.complete(None);
        table.fold(Event::GateChecked { report: report("scope", verdict) });
        table.fold(Event::GatesFinished { round: 1, feedback: None, requirements });
        table.read(json!({ "type": "snapshot-skipped", "tag": "task-3-post" }));
        let Some(Ending::Stopped(StopReason::Done, message)) = table.machine.ending() else { panic!("not done") };
        assert_eq!(message, expected);
    }
}
