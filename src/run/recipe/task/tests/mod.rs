//! The machine as tables: facts in, the next command out.

mod budget;
mod lifecycle;
mod order;
mod stall;
mod theme;

use super::completion::PlanState;
use super::*;
use crate::agent::CompletionSignal;
use crate::gate::{GateFix, GateReport, GateVerdict};
use crate::plan::{PlanReport, ThemeContext};
use crate::port::Usage;
use crate::run::event::{Envelope, Fault, FaultKind};
use crate::run::machine::{Command, Ending};
use crate::snapshot::SnapshotInfo;

/// A machine in a task that has just started, and its clock.
struct Table {
    machine: Machine<Task>,
    seq: u64,
    /// The tree after every iteration; a new one each time if `None`.
    tree: Option<String>,
    /// The files that every iteration changes.
    files: Vec<String>,
    /// The kind of failure of the model.
    fault: FaultKind,
}

impl Table {
    fn of(limits: Limits) -> Self {
        let (machine, fault) = (Machine::new("run", limits), FaultKind::Unavailable);
        Self { machine, seq: 0, tree: None, files: Vec::new(), fault }
    }

    fn new(mode: PlanMode, plan: Option<&str>, limits: Limits) -> Self {
        let mut table = Self::of(limits);
        let work = Work::Task { message: "do it".to_owned() };
        table.fold(Event::Recipe(TaskFact::RunStarted {
            work,
            task_number: 3,
            plan: mode,
            task: None,
            notes: Vec::new(),
        }));
        table.fold(Event::Recipe(TaskFact::TaskStarted {
            task: "# Task".to_owned(),
            origin: String::new(),
            history: String::new(),
            plan: plan.map(str::to_owned),
            stale_plan: plan.filter(|plan| *plan == "old").map(str::to_owned),
            applied_theme: String::new(),
            kept_theme: None,
            was_empty: false,
            pre: Some("task-3-pre".to_owned()),
        }));
        table
    }

    fn auto() -> Self {
        Self::new(PlanMode::Auto, None, Limits::default())
    }

    fn fold(&mut self, event: Event<TaskFact>) -> Command<TaskCommand> {
        let at = 1_000 + self.seq * 10;
        self.machine.apply(&Envelope { seq: self.seq, at, run_id: "run".to_owned(), event }).unwrap();
        self.seq += 1;
        self.machine.next()
    }

    /// Runs an iteration with this end and this plan on disk.
    fn iterate(&mut self, close: IterationClose, plan: Option<&str>, worked: bool) -> Command<TaskCommand> {
        let Command::RunIteration { iteration, attempt } = self.machine.next() else {
            panic!("no iteration is due: {:?}", self.machine.next());
        };
        self.fold(Event::IterationStarted {
            iteration,
            attempt,
            role: crate::port::AgentRole::Builder,
            prompt_bytes: 1,
        });
        let signal = (close == IterationClose::Completed).then_some(CompletionSignal::Tool);
        let fault = (close == IterationClose::ModelFailed).then(|| fault(self.fault));
        self.fold(Event::IterationFinished {
            iteration,
            tool_calls: 1,
            files_changed: self.files.clone(),
            close,
            signal,
            worked,
            plan: plan.map(str::to_owned),
            tree: self.tree.clone().unwrap_or_else(|| self.seq.to_string()),
            fault,
        })
    }

    fn complete(&mut self, plan: Option<&str>) -> Command<TaskCommand> {
        self.iterate(IterationClose::Completed, plan, true)
    }

    fn check_plan(&mut self, plan: &str, accepted: bool) -> Command<TaskCommand> {
        assert_eq!(self.machine.next(), Command::Recipe(TaskCommand::CheckPlan));
        let report = PlanReport { ok: accepted, ..PlanReport::default() };
        let feedback = if accepted { "" } else { "# Plan Validation" }.to_owned();
        match self.fold(Event::Recipe(TaskFact::PlanChecked {
            report,
            plan: Some(plan.to_owned()),
            accepted,
            feedback,
        })) {
            Command::Recipe(TaskCommand::ApplyPlanContext) => self.resolve_plan(ThemeContext::default()),
            next => next,
        }
    }

    fn resolve_plan(&mut self, theme: ThemeContext) -> Command<TaskCommand> {
        assert_eq!(
            (self.machine.next(), self.machine.phase()),
            (Command::Recipe(TaskCommand::ApplyPlanContext), Phase::Plan)
        );
        let next = self.fold(Event::Recipe(TaskFact::PlanContext {
            theme,
            sections: Vec::new(),
            feedback: "# Plan Validated".to_owned(),
        }));
        assert_eq!(
            (self.machine.run.feedback.as_str(), self.machine.recipe.working_phase()),
            ("# Plan Validated", Phase::Build)
        );
        next
    }

    fn judge(&mut self, reports: &[GateReport]) -> Command<TaskCommand> {
        assert_eq!(self.machine.next(), Command::RunGates);
        for report in reports {
            self.fold(Event::GateChecked { report: report.clone() });
        }
        let passed = reports.iter().all(|report| report.verdict == GateVerdict::Pass);
        let feedback = (!passed).then(|| "fix it".to_owned());
        self.fold(Event::GatesFinished { round: self.machine.run.round(), feedback })
    }
}

fn report(gate: &str, verdict: GateVerdict) -> GateReport {
    GateReport {
        gate: gate.to_owned(),
        verdict,
        feedback: None,
        not_applicable: false,
        tree: None,
        duration_ms: 1,
        fix: None,
    }
}

fn fixable(gate: &str) -> GateReport {
    let fix = GateFix { file: "a.css".to_owned(), content: String::new(), description: "adds it".to_owned() };
    GateReport { fix: Some(fix), ..report(gate, GateVerdict::Fail) }
}

fn fault(kind: FaultKind) -> Fault {
    Fault { kind, ..Fault::new(crate::ErrorCode::Model, "model.complete failed") }
}

fn iteration(iteration: u32) -> Command<TaskCommand> {
    Command::RunIteration { iteration, attempt: 1 }
}

fn saved(tag: &str) -> Event<TaskFact> {
    let snapshot = SnapshotInfo {
        tag: tag.to_owned(),
        oid: "a".to_owned(),
        tree: "b".to_owned(),
        message: String::new(),
        at: 1,
        files: 1,
        changed: 1,
        warnings: Vec::new(),
    };
    Event::SnapshotSaved { snapshot, duration_ms: 1 }
}

/// Working phase, plan on disk, completion → what follows.
#[test]
fn working_phase_plan_and_completion_decide_what_follows() {
    // New UI task, iteration 1: no plan yet.
    let mut table = Table::auto();
    assert_eq!(table.machine.next(), iteration(1));
    // … iteration 2: the plan is valid, the harness opens BUILD.
    assert_eq!(table.iterate(IterationClose::Stopped, Some("a"), false), Command::Recipe(TaskCommand::CheckPlan));
    assert_eq!(table.machine.phase(), Phase::Plan);
    assert_eq!(table.check_plan("a", true), iteration(2));
    assert_eq!(table.machine.phase(), Phase::Build);
    // Build done: completion is honoured.
    assert_eq!(table.complete(Some("a")), Command::RunGates);
    assert_eq!(table.machine.phase(), Phase::Check);

    // Degenerate: plan and completion in one batch; the completion is dropped.
    let mut table = Table::auto();
    assert_eq!(table.complete(Some("a")), Command::Recipe(TaskCommand::CheckPlan));
    assert_eq!(table.check_plan("a", true), iteration(2));

    // Bug fix or refactor without a plan: honoured in PLAN.
    assert_eq!(Table::auto().complete(None), Command::RunGates);
}

#[test]
fn plan_and_complete_in_one_batch_defer_the_completion() {
    let mut table = Table::auto();
    assert_eq!(table.complete(Some("a")), Command::Recipe(TaskCommand::CheckPlan));
    assert_eq!(table.check_plan("a", true), iteration(2));
    assert_eq!(table.machine.phase(), Phase::Build);
    assert_eq!(table.iterate(IterationClose::Stopped, Some("a"), true), iteration(3), "nothing is left of it");
}

#[test]
fn an_invalid_plan_stays_in_plan_and_is_checked_again_after_each_iteration() {
    let mut table = Table::auto();
    table.complete(Some("a"));
    assert_eq!(table.check_plan("a", false), iteration(2));
    assert_eq!(table.machine.phase(), Phase::Plan);
    assert_eq!(table.machine.run.feedback.as_str(), "# Plan Validation");
    assert_eq!(table.complete(Some("a")), Command::Recipe(TaskCommand::CheckPlan));
    assert_eq!(table.check_plan("a", false), iteration(3));
}

#[test]
fn a_required_plan_refuses_completion_without_one() {
    let mut table = Table::new(PlanMode::Required, None, Limits::default());
    assert_eq!(table.complete(None), Command::Recipe(TaskCommand::RefuseCompletion));
    let next = table.fold(Event::Recipe(TaskFact::CompletionRefused { feedback: "# Plan Required".to_owned() }));
    assert_eq!(next, iteration(2));
    assert_eq!(table.machine.run.feedback.as_str(), "# Plan Required");
    assert_eq!(Table::new(PlanMode::Off, Some("a"), Limits::default()).complete(Some("b")), Command::RunGates);
}

#[test]
fn deleting_a_plan_that_was_checked_does_not_make_a_task_without_one() {
    let mut table = Table::auto();
    table.iterate(IterationClose::Stopped, Some("a"), false);
    table.check_plan("a", false);
    assert_eq!(table.complete(None), Command::Recipe(TaskCommand::RefuseCompletion));
}

#[test]
fn a_plan_of_an_earlier_task_does_not_open_build() {
    let mut table = Table::new(PlanMode::Required, Some("old"), Limits::default());
    assert_eq!(table.machine.recipe.plan_state(), PlanState::Stale);
    assert_eq!(table.machine.next(), iteration(1));
    assert_eq!(table.complete(Some("old")), Command::Recipe(TaskCommand::RefuseCompletion));
    assert_eq!(Table::new(PlanMode::Auto, Some("old"), Limits::default()).complete(Some("old")), Command::RunGates);
}

#[test]
fn a_plan_that_is_not_stale_is_checked_before_the_first_iteration() {
    let mut table = Table::new(PlanMode::Auto, Some("a"), Limits::default());
    assert_eq!(table.check_plan("a", true), iteration(1));
    assert_eq!(table.machine.phase(), Phase::Build);
}

#[test]
fn a_plan_that_is_edited_in_build_is_checked_before_acceptance() {
    let mut table = Table::auto();
    table.iterate(IterationClose::Stopped, Some("a"), false);
    table.check_plan("a", true);
    assert_eq!(table.iterate(IterationClose::Stopped, Some("b"), true), iteration(3), "not before it completes");
    assert_eq!(table.complete(Some("b")), Command::Recipe(TaskCommand::CheckPlan));
    assert_eq!(table.check_plan("b", false), iteration(4));
    assert_eq!(table.machine.phase(), Phase::Build, "a valid plan had opened it");
    table.complete(Some("c"));
    assert_eq!(table.check_plan("c", true), Command::RunGates, "the completion is kept");
}

#[test]
fn failures_in_a_row_end_the_run_and_idle_ones_do_not_count_but_are_bounded() {
    let limits = Limits { max_gate_failures: 2, ..Limits::default() };
    let failing = [report("has-summary", GateVerdict::Fail)];
    let mut table = Table::new(PlanMode::Auto, None, limits);
    table.complete(None);
    assert_eq!(table.judge(&failing), iteration(2));
    table.complete(None);
    let Command::Finish(Ending::Stopped(reason, message)) = table.judge(&failing) else { panic!("it goes on") };
    assert_eq!(reason, StopReason::GatesFailed);
    assert!(message.contains("has-summary"), "{message}");

    let mut table = Table::new(PlanMode::Auto, None, limits);
    for round in 1..=4 {
        table.iterate(IterationClose::Completed, None, false);
        let next = table.judge(&failing);
        assert_eq!(matches!(next, Command::Finish(_)), round == 4, "round {round}: {next:?}");
    }
}

#[test]
fn the_current_limits_decide_how_many_failures_are_too_many() {
    let mut table = Table::new(PlanMode::Auto, None, Limits { max_gate_failures: 1, ..Limits::default() });
    table.complete(None);
    let next = table.judge(&[report("build", GateVerdict::Fail)]);
    assert!(matches!(next, Command::Finish(Ending::Stopped(StopReason::GatesFailed, _))), "{next:?}");
    table.machine.run.limits.max_gate_failures = 2;
    assert_eq!(table.machine.next(), iteration(2), "nothing that was folded ended it");
}

#[test]
fn a_dropped_completion_on_the_last_iteration_is_not_a_success() {
    let mut table = Table::new(PlanMode::Auto, None, Limits { max_iterations: 1, ..Limits::default() });
    table.complete(Some("a"));
    let next = table.check_plan("a", true);
    let Command::Finish(Ending::Stopped(reason, message)) = next else { panic!("{next:?}") };
    assert_eq!(reason, StopReason::MaxIterations);
    assert!(message.contains("plan validated, budget exhausted"), "{message}");
}

#[test]
fn the_end_after_a_refusal_for_a_missing_plan_names_the_plan() {
    let mut table = Table::new(PlanMode::Required, None, Limits { max_iterations: 1, ..Limits::default() });
    assert_eq!(table.complete(None), Command::Recipe(TaskCommand::RefuseCompletion));
    let next = table.fold(Event::Recipe(TaskFact::CompletionRefused { feedback: "no plan".to_owned() }));
    let Command::Finish(Ending::Stopped(reason, message)) = next else { panic!("{next:?}") };
    assert_eq!(reason, StopReason::MaxIterations);
    assert!(message.ends_with("the plan that the task needs was never written."), "{message}");
}

#[test]
fn two_failures_apply_a_gates_own_fix_once() {
    let mut table = Table::auto();
    table.complete(None);
    assert_eq!(table.judge(&[fixable("css")]), iteration(2), "not after the first");
    table.complete(None);
    let gates = vec!["css".to_owned()];
    assert_eq!(table.judge(&[fixable("css")]), Command::ApplyFixes(gates.clone()));
    assert_eq!(table.machine.phase(), Phase::Check);
    assert_eq!(table.fold(Event::FixesApplied { gates }), Command::RunGates, "judged again at once");
    assert_eq!(table.judge(&[fixable("css")]), iteration(3), "and never fixed again");
    table.complete(None);
    assert_eq!(table.judge(&[fixable("css")]), iteration(4));
}

#[test]
fn a_gate_that_no_longer_runs_does_not_hold_the_task() {
    let mut table = Table::auto();
    table.complete(None);
    table.judge(&[report("a", GateVerdict::Fail), report("b", GateVerdict::Pass)]);
    table.complete(None);
    assert_eq!(table.judge(&[report("b", GateVerdict::Pass)]), Command::Recipe(TaskCommand::Accept));
}

#[test]
fn a_gate_that_cannot_judge_is_asked_again_and_never_passes_or_counts() {
    let mut table = Table::auto();
    table.complete(None);
    let broken = [report("a", GateVerdict::Pass), report("build-succeeds", GateVerdict::Error)];
    assert_eq!(table.judge(&broken), Command::Wait(2_000));
    assert_eq!(table.machine.phase(), Phase::Check);
    assert_eq!(table.fold(Event::Waited { ms: 2_000 }), Command::RunGates);
    assert_eq!(table.judge(&broken), Command::Wait(4_000));
    table.fold(Event::Waited { ms: 4_000 });
    let Command::Finish(Ending::Failed(fault)) = table.judge(&broken) else { panic!("it goes on") };
    assert!(fault.message.contains("build-succeeds"), "{}", fault.message);
    let resumed = Event::RunResumed { repaired: Vec::new(), plan: None };
    assert_eq!(table.fold(resumed), Command::RunGates, "a resumed run asks again");
    assert_eq!(table.judge(&[report("a", GateVerdict::Pass)]), Command::Recipe(TaskCommand::Accept));
}

#[test]
fn a_task_that_passes_is_saved_and_done() {
    let mut table = Table::auto();
    table.complete(None);
    assert_eq!(table.judge(&[report("a", GateVerdict::Warn)]), Command::Recipe(TaskCommand::Accept));
    assert_eq!(table.machine.phase(), Phase::Accept);
    let Command::Finish(Ending::Stopped(StopReason::Done, message)) = table.fold(saved("task-3-post")) else {
        panic!("it goes on")
    };
    let result = table.machine.result(StopReason::Done, &message);
    assert!(result.success);
    assert_eq!(result.snapshots.pre.as_deref(), Some("task-3-pre"));
    assert_eq!(result.snapshots.post.as_deref(), Some("task-3-post"));
    assert_eq!(result.gates.len(), 1);
}

#[test]
fn outdated_evidence_is_gathered_again_a_limited_number_of_times() {
    let outdated = || Event::EvidenceOutdated { judged: "a".to_owned(), paths: vec!["src/a.ts".to_owned()] };
    let judged = [GateReport { tree: Some("a".to_owned()), ..report("a", GateVerdict::Pass) }];
    let mut table = Table::auto();
    assert_eq!(table.machine.run.judged_tree(), None);
    table.complete(None);
    for _ in 0..3 {
        assert_eq!(table.judge(&judged), Command::Recipe(TaskCommand::Accept));
        assert_eq!(table.machine.run.judged_tree(), Some("a"));
        assert_eq!(table.fold(outdated()), Command::RunGates);
        assert_eq!(table.machine.phase(), Phase::Check);
    }
    table.judge(&judged);
    let Command::Finish(Ending::Failed(fault)) = table.fold(outdated()) else { panic!("it goes on") };
    assert_eq!(fault.code, crate::ErrorCode::Conflict);
    assert!(fault.message.contains("src/a.ts"), "{}", fault.message);
    let resumed = Event::RunResumed { repaired: Vec::new(), plan: None };
    assert_eq!(table.fold(resumed), Command::RunGates, "a resumed run judges anew");
    table.judge(&judged);
    assert_eq!(table.fold(outdated()), Command::RunGates, "and has as many tries");
    table.judge(&[report("a", GateVerdict::Fail)]);
    table.complete(None);
    table.judge(&judged);
    assert!(matches!(table.fold(saved("task-3-post")), Command::Finish(Ending::Stopped(StopReason::Done, _))));
}

#[test]
fn the_snapshot_of_an_iteration_accepts_nothing() {
    let mut table = Table::auto();
    table.complete(None);
    let next = table.fold(saved("refs/loopgate/iterations/run/1"));
    assert_eq!(next, Command::RunGates);
    assert_eq!(table.machine.result(StopReason::Done, "").snapshots.post, None);
}

#[test]
fn a_message_that_comes_while_the_work_is_accepted_is_work() {
    let mut table = Table::auto();
    table.complete(None);
    table.judge(&[]);
    assert_eq!(table.fold(Event::Steered { message: "and a footer".to_owned() }), iteration(2));
    assert_eq!(table.machine.run.steered, ["and a footer"]);
}

#[test]
fn the_kind_of_a_model_failure_decides_how_often_it_is_retried() {
    for (kind, waits) in [
        (FaultKind::Unavailable, &[2_000, 4_000, 8_000, 16_000, 32_000][..]),
        (FaultKind::RateLimited, &[2_000, 4_000, 8_000, 16_000, 32_000]),
        (FaultKind::Timeout, &[2_000]),
        (FaultKind::Lasting, &[]),
    ] {
        let mut table = Table { fault: kind, ..Table::auto() };
        for (attempt, ms) in (2..).zip(waits) {
            assert_eq!(table.iterate(IterationClose::ModelFailed, None, false), Command::Wait(*ms), "{kind:?}");
            assert_eq!(table.fold(Event::Waited { ms: *ms }), Command::RunIteration { iteration: 1, attempt });
        }
        let next = table.iterate(IterationClose::ModelFailed, None, false);
        assert_eq!(next, Command::Finish(Ending::Failed(fault(kind))));
        let resumed = Event::RunResumed { repaired: Vec::new(), plan: None };
        let attempt = waits.len() as u32 + 2;
        assert_eq!(table.fold(resumed), Command::RunIteration { iteration: 1, attempt }, "{kind:?}");
    }
}

#[test]
fn an_unfinished_iteration_is_repeated_and_counted_once() {
    let mut table = Table::auto();
    let started = |attempt| Event::IterationStarted {
        iteration: 1,
        attempt,
        role: crate::port::AgentRole::Builder,
        prompt_bytes: 1,
    };
    table.fold(started(1));
    let next = table.fold(Event::RunResumed { repaired: Vec::new(), plan: Some("a".to_owned()) });
    assert_eq!(next, Command::Recipe(TaskCommand::CheckPlan), "a plan written before the crash is seen");
    assert_eq!(table.check_plan("a", true), Command::RunIteration { iteration: 1, attempt: 2 });
    assert_eq!(table.machine.run.iteration(), 1);
}

#[test]
fn an_abort_ends_everything() {
    let mut table = Table::auto();
    table.complete(None);
    let Command::Finish(Ending::Stopped(reason, message)) =
        table.fold(Event::AbortRequested { reason: "stop".to_owned() })
    else {
        panic!("it goes on")
    };
    assert_eq!((reason, message.as_str()), (StopReason::Aborted, "Aborted: stop"));
}

#[test]
fn next_is_stable_and_neutral_facts_do_not_change_it() {
    let mut table = Table::auto();
    table.complete(Some("a"));
    let before = table.machine.clone();
    let path = "src/App.tsx".to_owned();
    table.fold(Event::FileChanged { path, change: crate::agent::FileChangeKind::Created, by: ChangedBy::Harness });
    // Journals list the harness files in one event; older ones have one event per file.
    table.fold(Event::HarnessFilesChanged { paths: vec![".ralph/phase.txt".to_owned(), ".ralph/plan.tsx".to_owned()] });
    let path = ".ralph/plan.tsx".to_owned();
    table.fold(Event::FileChanged { path, change: crate::agent::FileChangeKind::Created, by: ChangedBy::Harness });
    table.fold(Event::TextDelta { text: "# Plan Validated. status: complete".to_owned() });
    assert_eq!(table.machine.next(), before.next());
    assert_eq!(table.machine.phase(), before.phase());
}
