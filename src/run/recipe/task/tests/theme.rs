//! The theme between a valid plan and BUILD.

use super::*;

const MONO: &str = "theme preset mono --apply";

/// A machine whose plan was just accepted, in a project with this theme.
fn accepted(applied: &str) -> Table {
    let mut table = Table::of(Limits::default());
    let work = Work::Task { message: "do it".to_owned() };
    table.fold(Event::Recipe(TaskFact::RunStarted {
        work,
        task_number: 3,
        plan: PlanMode::Auto,
        task: None,
        notes: Vec::new(),
    }));
    table.fold(Event::Recipe(TaskFact::TaskStarted {
        task: String::new(),
        origin: String::new(),
        history: String::new(),
        plan: Some("a".to_owned()),
        stale_plan: None,
        applied_theme: applied.to_owned(),
        kept_theme: None,
        was_empty: false,
        pre: None,
    }));
    let report = PlanReport { ok: true, ..PlanReport::default() };
    let next = table.fold(Event::Recipe(TaskFact::PlanChecked {
        report,
        plan: Some("a".to_owned()),
        accepted: true,
        feedback: String::new(),
    }));
    assert_eq!((next, table.machine.phase()), (Command::Recipe(TaskCommand::ApplyPlanContext), Phase::Plan));
    table
}

fn started() -> Event<TaskFact> {
    Event::Recipe(TaskFact::ThemeStarted { command: MONO.to_owned() })
}

fn theme() -> ThemeContext {
    ThemeContext { command: MONO.to_owned(), ..ThemeContext::default() }
}

/// The applied theme, the started one, and the locked one.
fn known(table: &Table) -> (&str, Option<&str>, Option<&str>) {
    (table.machine.recipe.applied_theme(), table.machine.recipe.started_theme(), table.machine.recipe.locked_theme())
}

#[test]
fn a_theme_is_known_locked_and_kept_once_its_end_is_written_down() {
    let mut table = accepted("theme preset cyberpunk --apply");
    assert_eq!(known(&table), ("theme preset cyberpunk --apply", None, None));
    assert_eq!(table.fold(started()), Command::Recipe(TaskCommand::ApplyPlanContext));
    assert_eq!(known(&table), ("", Some(MONO), None), "while it runs nothing is sure");
    assert_eq!(table.resolve_plan(theme().applied(String::new())), iteration(1));
    assert_eq!(known(&table), (MONO, None, Some(MONO)));
}

#[test]
fn after_a_crash_in_its_command_a_theme_is_unknown_and_not_locked() {
    let mut table = accepted("");
    table.fold(started());
    let next = table.fold(Event::RunResumed { repaired: Vec::new(), plan: Some("a".to_owned()) });
    assert_eq!(next, Command::Recipe(TaskCommand::ApplyPlanContext));
    assert_eq!(known(&table), ("", Some(MONO), None));
    assert_eq!(table.resolve_plan(theme().failed("it may have been applied")), iteration(1));
    assert_eq!(known(&table), ("", None, None));
}

#[test]
fn a_theme_that_fails_leaves_the_applied_one() {
    let mut table = accepted(MONO);
    table.resolve_plan(theme().failed("no shell"));
    assert_eq!(known(&table), (MONO, None, None));
}

#[test]
fn the_accepted_plan_opens_build_even_if_another_one_was_written_since() {
    let mut table = accepted("");
    let next = table.fold(Event::RunResumed { repaired: Vec::new(), plan: Some("b".to_owned()) });
    assert_eq!(next, Command::Recipe(TaskCommand::ApplyPlanContext));
    assert_eq!(table.resolve_plan(theme()), iteration(1));
    assert_eq!(table.machine.recipe.plan.accepted.as_deref(), Some("a"));
    assert_eq!(table.complete(Some("b")), Command::Recipe(TaskCommand::CheckPlan), "it is checked before acceptance");
}

#[test]
fn a_plan_without_its_context_does_not_open_build() {
    let mut table = accepted("");
    table.fold(Event::AbortRequested { reason: "stop".to_owned() });
    assert_eq!(
        (table.machine.recipe.plan.accepted.as_deref(), table.machine.recipe.working_phase()),
        (None, Phase::Plan)
    );
}
