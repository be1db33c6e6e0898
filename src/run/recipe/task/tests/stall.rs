//! The consequences of stalls.

use super::*;

fn stuck() -> Table {
    Table { tree: Some(String::new()), ..Table::auto() }
}

/// Runs iterations without progress until the machine returns another command.
fn until_stuck(table: &mut Table) -> Command<TaskCommand> {
    for _ in 0..10 {
        let next = table.iterate(IterationClose::Stopped, None, false);
        if !matches!(next, Command::RunIteration { .. }) {
            return next;
        }
    }
    panic!("no stall was detected")
}

fn detected(recovery: u32, is_last: bool, feedback: &str) -> Event<TaskFact> {
    Event::Recipe(TaskFact::StallDetected {
        section: None,
        marker: None,
        recovery,
        is_last,
        feedback: feedback.to_owned(),
    })
}

#[test]
fn a_stall_asks_for_a_recovery_and_counts_anew() {
    let mut table = stuck();
    assert_eq!(until_stuck(&mut table), Command::Recipe(TaskCommand::Recover(1)));
    assert_eq!(table.machine.run.iteration(), 3);
    table.fold(saved("stall-3-recovery"));
    assert_eq!(table.machine.next(), Command::Recipe(TaskCommand::Recover(1)), "saved is not yet guided");
    assert_eq!(table.machine.result(StopReason::Stalled, "").snapshots.post, None);
    assert_eq!(table.fold(detected(1, false, "## Stall Recovery")), iteration(4));
    assert_eq!(table.machine.run.feedback.as_str(), "## Stall Recovery");
    assert_eq!(until_stuck(&mut table), Command::Recipe(TaskCommand::Recover(2)));
    assert_eq!(table.machine.run.iteration(), 6);
}

#[test]
fn the_page_that_detects_a_stall_decides_whether_it_is_the_last() {
    let mut table = stuck();
    let max = Limits::default().max_stall_recoveries;
    assert_eq!(table.fold(detected(max + 3, false, "again")), iteration(1), "that page had a higher limit");
    assert_eq!(
        table.fold(detected(1, true, "enough")),
        Command::Recipe(TaskCommand::RollBack("task-3-pre".to_owned()))
    );
}

#[test]
fn gate_results_are_progress() {
    let mut table = stuck();
    for round in 1..=6 {
        table.iterate(IterationClose::Completed, None, false);
        let feedback = Some(format!("{round} errors"));
        let report = GateReport { feedback, ..report("build", GateVerdict::Fail) };
        assert_eq!(table.judge(&[report]), iteration(round + 1));
    }
    for round in 7..=8 {
        table.iterate(IterationClose::Completed, None, false);
        let next =
            table.judge(&[GateReport { feedback: Some("6 errors".to_owned()), ..report("build", GateVerdict::Fail) }]);
        assert_eq!(next == Command::Recipe(TaskCommand::Recover(1)), round == 8, "{next:?}");
    }
}

#[test]
fn the_last_stall_rolls_the_project_back_and_ends_the_task() {
    let mut table = Table::new(PlanMode::Auto, Some("old"), Limits::default());
    table.tree = Some(String::new());
    table.iterate(IterationClose::Stopped, Some("new"), false);
    table.check_plan("new", true);
    for recovery in 1..=2 {
        while matches!(table.machine.next(), Command::RunIteration { .. }) {
            table.iterate(IterationClose::Stopped, Some("new"), false);
        }
        table.fold(detected(recovery, recovery == 2, "stuck"));
    }
    let tag = "task-3-pre".to_owned();
    assert_eq!(table.machine.next(), Command::Recipe(TaskCommand::RollBack(tag.clone())));
    let feedback = "Task 3 failed.\nProject rolled back.\n".to_owned();
    let next = table.fold(Event::Recipe(TaskFact::SnapshotRestored {
        tag,
        restored: 1,
        deleted: 0,
        duration_ms: 1,
        feedback: feedback.clone(),
    }));
    let message = "Task 3 failed. Project rolled back.".to_owned();
    assert_eq!(next, Command::Finish(Ending::Stopped(StopReason::Stalled, message)));
    assert_eq!(table.machine.run.feedback.as_str(), feedback);
    assert_eq!(table.machine.recipe.plan.accepted.as_deref(), None, "the plan of the failed task went with it");
    assert_eq!(table.machine.recipe.applied_theme(), "");
}

#[test]
fn without_a_snapshot_the_last_stall_still_ends_the_task() {
    let mut table = Table::auto();
    table.machine.run.snapshots.pre = None;
    let event = detected(1, true, "Task 3 failed.\nProject not rolled back: there is no git port.\n");
    let message = "Task 3 failed. Project not rolled back: there is no git port.".to_owned();
    assert_eq!(table.fold(event), Command::Finish(Ending::Stopped(StopReason::Stalled, message)));
}

#[test]
fn model_failures_count_neither_as_repetition_nor_as_progress() {
    let mut table = stuck();
    table.iterate(IterationClose::Stopped, None, false);
    table.iterate(IterationClose::Stopped, None, false);
    table.tree = Some("half written".to_owned());
    for _ in 0..2 {
        assert!(matches!(table.iterate(IterationClose::ModelFailed, None, false), Command::Wait(_)));
        assert!(matches!(table.fold(Event::Waited { ms: 1 }), Command::RunIteration { iteration: 3, .. }));
    }
    table.tree = Some(String::new());
    table.fold(Event::RunResumed { repaired: Vec::new(), plan: None });
    assert_eq!(table.iterate(IterationClose::Stopped, None, false), Command::Recipe(TaskCommand::Recover(1)));
}

#[test]
fn a_completion_is_judged_before_it_counts_as_a_stall() {
    let mut table = stuck();
    table.iterate(IterationClose::Stopped, None, false);
    table.iterate(IterationClose::Stopped, None, false);
    assert_eq!(table.complete(None), Command::RunGates);
}
