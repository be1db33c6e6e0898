//! The machine as tables: facts in, the next command out. Whole runs are in `tests/engine`.

mod budget;
mod lifecycle;

use super::*;
use crate::agent::CompletionSignal;
use crate::gate::{GateFix, GateReport, GateVerdict};
use crate::plan::ThemeContext;
use crate::run::envelope::Envelope;
use crate::run::fault::{Fault, FaultKind};
use crate::run::limits::Limits;
use crate::run::machine::{Command, Ending, Machine};
use crate::run::recipe::AnyCommand;
use serde_json::{Value, json};

/// A machine and its clock.
struct Table {
    machine: Machine,
    seq: u64,
    /// The tree after every iteration; a new one each time if `None`.
    tree: Option<String>,
    /// The files that every iteration changes.
    files: Vec<String>,
    /// The kind of failure of the model.
    fault: FaultKind,
}

impl Table {
    /// Before the first fact.
    fn new() -> Self {
        let (machine, fault) = (Machine::new("run"), FaultKind::Unavailable);
        Self { machine, seq: 0, tree: None, files: Vec::new(), fault }
    }

    fn task(&self) -> &Task {
        Task::downcast(&self.machine.recipe).unwrap()
    }

    /// A task that has started; `fields` are the fields of `task-started` that differ.
    fn started(limits: Limits, mode: PlanMode, task: Option<&StructuredTask>, fields: Value) -> Self {
        let mut table = Self::new();
        let (work, kind) = (Work::task("do it"), "run-started");
        table
            .read(json!({ "type": kind, "work": work, "limits": limits, "taskNumber": 3, "plan": mode, "task": task }));
        if table.machine.ending().is_none() {
            let mut started = json!({
                "type": "task-started", "task": "# Task", "origin": "", "history": "", "plan": null, "stalePlan": null,
                "appliedTheme": "", "pre": "task-3-pre",
            });
            fields.as_object().into_iter().flatten().for_each(|(name, value)| started[name] = value.clone());
            table.read(started);
        }
        table
    }

    fn auto() -> Self {
        Self::started(Limits::default(), PlanMode::Auto, None, Value::Null)
    }

    fn fold(&mut self, event: Event) -> Command {
        let at = 1_000 + self.seq * 10;
        self.machine.apply(&Envelope::new(self.seq, at, "run".to_owned(), 1, event)).unwrap();
        self.seq += 1;
        self.machine.next()
    }

    /// Folds an event as the journal has it.
    fn read(&mut self, json: Value) -> Command {
        self.fold(Event::read(&json).unwrap())
    }

    /// Runs an iteration with this end and this plan on disk.
    fn iterate(&mut self, close: IterationClose, plan: Option<&str>, worked: bool) -> Command {
        let Command::RunIteration(iteration) = self.machine.next() else {
            panic!("no iteration is due: {:?}", self.machine.next());
        };
        let (role, attempt) = (crate::port::AgentRole::Builder, self.machine.run.attempt());
        self.fold(Event::IterationStarted { iteration, attempt, role, prompt_bytes: 1, model: None });
        self.fold(Event::IterationFinished {
            iteration,
            tool_calls: 1,
            files_changed: self.files.clone(),
            close,
            signal: (close == IterationClose::Completed).then_some(CompletionSignal::Tool),
            worked,
            plan: plan.map(str::to_owned),
            answer: None,
            tree: self.tree.clone().unwrap_or_else(|| self.seq.to_string()),
            fault: (close == IterationClose::ModelFailed).then(|| fault(self.fault)),
        })
    }

    fn complete(&mut self, plan: Option<&str>) -> Command {
        self.iterate(IterationClose::Completed, plan, true)
    }

    fn check_plan(&mut self, plan: &str, accepted: bool) -> Command {
        assert_eq!(self.machine.next(), Command::Recipe(AnyCommand::Task(TaskCommand::CheckPlan)));
        let (report, feedback) = (PlanReport { ok: accepted, ..PlanReport::default() }, "# Plan Validation");
        let checked = json!({ "type": "plan-checked", "report": report, "plan": plan, "accepted": accepted, "feedback": feedback });
        match self.read(checked) {
            Command::Recipe(AnyCommand::Task(TaskCommand::ApplyPlanContext)) => {
                self.resolve_plan(&ThemeContext::default())
            }
            next => next,
        }
    }

    fn resolve_plan(&mut self, theme: &ThemeContext) -> Command {
        let command = Command::Recipe(AnyCommand::Task(TaskCommand::ApplyPlanContext));
        assert_eq!((self.machine.next(), self.machine.phase()), (command, Phase::Plan));
        let next = self
            .read(json!({ "type": "plan-context", "theme": theme, "sections": [], "feedback": "# Plan Validated" }));
        assert_eq!(self.machine.run.feedback, "# Plan Validated");
        assert_eq!(self.task().working_phase(), Phase::Build);
        next
    }

    fn resume(&mut self, plan: Option<&str>) -> Command {
        self.fold(Event::RunResumed { repaired: Vec::new(), plan: plan.map(str::to_owned), closed: None })
    }

    fn judge(&mut self, reports: &[GateReport]) -> Command {
        assert_eq!(self.machine.next(), Command::RunGates);
        for report in reports {
            self.fold(Event::GateChecked { report: report.clone() });
        }
        let passed = reports.iter().all(|report| report.verdict == GateVerdict::Pass);
        let feedback = (!passed).then(|| "fix it".to_owned());
        self.fold(Event::GatesFinished { round: self.machine.run.round(), feedback, requirements: Vec::new() })
    }
}

fn report(gate: &str, verdict: GateVerdict) -> GateReport {
    let (gate, not_applicable) = (gate.to_owned(), false);
    GateReport { gate, verdict, feedback: None, not_applicable, tree: None, duration_ms: 1, fix: None }
}

fn fixable(gate: &str) -> GateReport {
    let fix = GateFix { file: "a.css".to_owned(), content: String::new(), description: "adds it".to_owned() };
    GateReport { fix: Some(fix), ..report(gate, GateVerdict::Fail) }
}

fn fault(kind: FaultKind) -> Fault {
    Fault { kind, ..Fault::new(crate::ErrorCode::Model, "model.complete failed") }
}

fn iteration(iteration: u32) -> Command {
    Command::RunIteration(iteration)
}

fn saved(tag: &str) -> Value {
    let snapshot = json!({ "tag": tag, "oid": "a", "tree": "b", "message": "", "at": 1, "files": 1, "changed": 1 });
    json!({ "type": "snapshot-saved", "snapshot": snapshot, "durationMs": 1 })
}

#[test]
fn the_current_limits_decide_how_many_failures_are_too_many() {
    let limits = Limits { max_gate_failures: 1, ..Limits::default() };
    let mut table = Table::started(limits, PlanMode::Auto, None, Value::Null);
    table.complete(None);
    let next = table.judge(&[report("build", GateVerdict::Fail)]);
    assert!(matches!(next, Command::Finish(Ending::Stopped(StopReason::GatesFailed, _))), "{next:?}");
    table.fold(Event::LimitsChanged { limits: Limits { max_gate_failures: 2, ..limits } });
    assert_eq!(table.machine.next(), iteration(2), "no folded fact ended the run");
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
fn a_failed_gate_that_is_deselected_does_not_block_the_task() {
    let mut table = Table::auto();
    table.complete(None);
    table.judge(&[report("a", GateVerdict::Fail), report("b", GateVerdict::Pass)]);
    table.complete(None);
    assert_eq!(table.judge(&[report("b", GateVerdict::Pass)]), Command::Recipe(AnyCommand::Task(TaskCommand::Accept)));
}

#[test]
fn a_gate_that_cannot_judge_is_asked_again_and_never_passes_or_counts() {
    let mut table = Table::auto();
    table.complete(None);
    let broken = [report("a", GateVerdict::Pass), report("build-succeeds", GateVerdict::Error)];
    for ms in [2_000, 4_000] {
        assert_eq!(table.judge(&broken), Command::Wait(ms));
        assert_eq!(table.machine.phase(), Phase::Check);
        assert_eq!(table.fold(Event::Waited { ms }), Command::RunGates);
    }
    let Command::Finish(Ending::Failed(fault)) = table.judge(&broken) else { panic!("it goes on") };
    assert!(fault.message.contains("build-succeeds"), "{}", fault.message);
    assert_eq!(table.resume(None), Command::RunGates, "a resumed run asks again");
    assert_eq!(table.judge(&[report("a", GateVerdict::Pass)]), Command::Recipe(AnyCommand::Task(TaskCommand::Accept)));
}

#[test]
fn the_limit_of_outdated_evidence_counts_consecutive_rounds_of_one_page() {
    let outdated = || json!({ "type": "evidence-outdated", "judged": "a", "paths": ["src/a.ts"] });
    let judged = [GateReport { tree: Some("a".to_owned()), ..report("a", GateVerdict::Pass) }];
    let mut table = Table::auto();
    assert_eq!(table.machine.run.judged_tree(), None);
    table.complete(None);
    for _ in 0..3 {
        assert_eq!(table.judge(&judged), Command::Recipe(AnyCommand::Task(TaskCommand::Accept)));
        assert_eq!((table.machine.run.judged_tree(), table.machine.phase()), (Some("a"), Phase::Accept));
        assert_eq!(table.read(outdated()), Command::RunGates);
        assert_eq!(table.machine.phase(), Phase::Check);
    }
    table.judge(&judged);
    assert!(matches!(table.read(outdated()), Command::Finish(Ending::Failed(_))));
    assert_eq!(table.resume(None), Command::RunGates, "a resumed run judges anew");
    table.judge(&judged);
    assert_eq!(table.read(outdated()), Command::RunGates, "and has as many tries");
    table.judge(&[report("a", GateVerdict::Fail)]);
    table.complete(None);
    table.judge(&judged);
    let next = table.read(saved("task-3-post"));
    assert!(matches!(next, Command::Finish(Ending::Stopped(StopReason::Done, _))), "{next:?}");
    assert_eq!(table.machine.result(StopReason::Done, "").snapshots.post.as_deref(), Some("task-3-post"));
}

#[test]
fn the_snapshot_of_an_iteration_accepts_nothing() {
    let mut table = Table::auto();
    table.complete(None);
    assert_eq!(table.read(saved("refs/loopgate/iterations/run/1")), Command::RunGates);
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
        for (number, ms) in (2..).zip(waits) {
            assert_eq!(table.iterate(IterationClose::ModelFailed, None, false), Command::Wait(*ms), "{kind:?}");
            assert_eq!(table.fold(Event::Waited { ms: *ms }), iteration(number));
        }
        let next = table.iterate(IterationClose::ModelFailed, None, false);
        assert_eq!(next, Command::Finish(Ending::Failed(fault(kind))));
        assert_eq!(table.resume(None), iteration(waits.len() as u32 + 2), "{kind:?}");
        assert_eq!(table.machine.run.attempt(), 1, "a failing model is no verdict on the work");
    }
}

#[test]
fn an_iteration_that_repeats_an_unfinished_one_has_another_number_and_does_not_count_for_the_limit() {
    let limits = Limits { max_iterations: Some(1), ..Limits::default() };
    let mut table = Table::started(limits, PlanMode::Auto, None, Value::Null);
    table.read(
        json!({ "type": "iteration-started", "iteration": 1, "attempt": 1, "role": "builder", "promptBytes": 1 }),
    );
    let next = table.resume(Some("a"));
    assert_eq!(
        next,
        Command::Recipe(AnyCommand::Task(TaskCommand::CheckPlan)),
        "a plan written before the crash is checked"
    );
    assert_eq!(table.check_plan("a", true), iteration(2));
    let next = table.iterate(IterationClose::Stopped, Some("a"), true);
    let Command::Finish(Ending::Stopped(StopReason::MaxIterations, message)) = next else { panic!("{next:?}") };
    assert!(message.starts_with("Stopped after 1 iteration: "), "{message}");
    assert_eq!((table.machine.run.iteration, table.machine.result(StopReason::MaxIterations, "").iterations), (2, 1));
}

#[test]
fn a_journal_in_which_an_iteration_repeats_the_number_of_an_unfinished_one_goes_on() {
    let mut table = Table::auto();
    for attempt in [1, 2] {
        table.read(
            json!({ "type": "iteration-started", "iteration": 1, "attempt": attempt, "role": "builder", "promptBytes": 1 }),
        );
        assert_eq!(table.resume(None), iteration(2));
    }
}

#[test]
fn next_is_stable_and_neutral_facts_do_not_change_it() {
    let mut table = Table::auto();
    table.complete(Some("a"));
    let before = (table.machine.next(), table.machine.phase());
    let changed = |path: &str| json!({ "type": "file-changed", "path": path, "change": "created", "by": "harness" });
    // Journals list the harness files in one event; older ones have one event per file.
    let listed = json!({ "type": "harness-files-changed", "paths": [".ralph/phase.txt", ".ralph/plan.tsx"] });
    let claim = json!({ "type": "text-delta", "answer": 1, "text": "# Plan Validated. status: complete" });
    for neutral in [changed("src/App.tsx"), listed, changed(".ralph/plan.tsx"), claim] {
        table.read(neutral);
        assert_eq!((table.machine.next(), table.machine.phase()), before);
    }
}

#[test]
fn a_stall_asks_for_recoveries_and_the_last_one_for_a_rollback() {
    let mut table = Table { tree: Some(String::new()), ..Table::auto() };
    let detected = |is_last| json!({ "type": "stall-detected", "recovery": 1, "isLast": is_last, "feedback": "stuck" });
    for recovery in 1..=2 {
        for _ in 0..3 {
            assert!(matches!(table.machine.next(), Command::RunIteration(_)));
            table.iterate(IterationClose::Stopped, None, false);
        }
        assert_eq!(
            table.machine.next(),
            Command::Recipe(AnyCommand::Task(TaskCommand::Recover { number: recovery, is_last: recovery == 2 }))
        );
        table.read(saved("stall-3-recovery"));
        assert_eq!(
            table.machine.next(),
            Command::Recipe(AnyCommand::Task(TaskCommand::Recover { number: recovery, is_last: recovery == 2 })),
            "saved, but not guided"
        );
        assert_eq!(table.read(detected(false)), iteration(3 * recovery + 1));
    }
    assert_eq!(table.machine.result(StopReason::Stalled, "").snapshots.post, None);
    let mut completing = Table { machine: table.machine.clone(), tree: Some(String::new()), ..Table::auto() };
    (0..2).for_each(|_| drop(completing.iterate(IterationClose::Stopped, None, false)));
    assert_eq!(completing.complete(None), Command::RunGates, "a completion is judged first");

    (0..3).for_each(|_| drop(table.iterate(IterationClose::Stopped, None, false)));
    let next = table.read(detected(true));
    assert_eq!(next, Command::Recipe(AnyCommand::Task(TaskCommand::RollBack("task-3-pre".to_owned()))));
    if let AnyRecipe::Task(task) = &mut table.machine.recipe {
        task.plan.accepted = Some("a".to_owned());
    }
    let next = table.read(json!({
        "type": "snapshot-restored", "tag": "task-3-pre", "restored": 1, "deleted": 0, "durationMs": 1,
        "feedback": "Task 3 failed.\nProject rolled back.\n",
    }));
    let message = "Task 3 failed. Project rolled back.".to_owned();
    assert_eq!(next, Command::Finish(Ending::Stopped(StopReason::Stalled, message)));
    assert_eq!(table.task().plan.accepted, None, "the rollback removed the plan of the task");
}
