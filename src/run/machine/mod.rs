//! The machine: folds facts, says what to do next. No async, no clock, no ports.

mod authorship;
mod budget;
mod completion;
mod gates;
mod stall;
mod theme;

use crate::layout::{FEEDBACK, PLAN, SUMMARY};
pub use completion::PlanState;

use super::command::{Command, Ending};
use super::event::{Envelope, Event, Fault, IterationClose};
use super::limits::Limits;
use super::options::{PlanMode, Work};
use super::result::{RunResult, RunSnapshots, StopReason};
use super::stall::Watch;
use crate::port::{Phase, Usage};
use crate::task::{self, Clarification, StructuredTask, TaskType};
use authorship::Authorship;
use budget::Spent;
use completion::Completion;
use gates::{RoundEnd, Rounds};
use theme::Theme;

/// What a run knows, folded from its journal. Two machines that folded the same events with the same limits are
/// equal and say the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    limits: Limits,
    run_id: String,
    work: Option<Work>,
    mode: PlanMode,
    task: u32,
    structured: Option<StructuredTask>,
    texts: TaskTexts,
    step: Step,
    /// `Plan` or `Build`: what the agent works in. The other phases follow from the step.
    working: Phase,
    plan: Plan,
    theme: Theme,
    /// The project was empty when the task began.
    was_empty: bool,
    iteration: u32,
    attempt: u32,
    /// An iteration began and did not end.
    open: bool,
    completed: bool,
    waiting: bool,
    rounds: Rounds,
    model_failures: u32,
    watch: Watch,
    authorship: Authorship,
    feedback: String,
    spent: Spent,
    snapshots: RunSnapshots,
}

/// The texts that the harness keeps for a task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct TaskTexts {
    pub task: String,
    pub origin: String,
    pub history: String,
    pub steered: Vec<String>,
}

/// What is known of the plan, by hashes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Plan {
    now: Option<String>,
    /// The plan that opened BUILD in this run, or was checked in it.
    accepted: Option<String>,
    /// At the task's start.
    before: Option<String>,
    /// The plan from before the task, which is not the plan of the task.
    stale: Option<String>,
    /// The task changes what the plan on disk has planned: the plan is updated for it before anything is accepted.
    update: bool,
    /// A plan was checked in this run, or is to be updated: it is a task with a plan, whatever is deleted.
    seen: bool,
    /// It was checked since the last iteration.
    checked: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Start,
    Between,
    /// The plan with this hash was accepted in PLAN; BUILD opens when its context is there.
    Context(Option<String>),
    Judge,
    Fix(Vec<String>),
    WaitForModel(u64),
    WaitForGates(u64),
    Save,
    RollBack(String),
    End(Ending),
}

impl Machine {
    /// A machine that has folded nothing.
    pub fn new(run_id: &str, limits: Limits) -> Self {
        Self {
            limits,
            run_id: run_id.to_owned(),
            work: None,
            mode: PlanMode::Auto,
            task: 0,
            structured: None,
            texts: TaskTexts::default(),
            step: Step::Start,
            working: Phase::Plan,
            plan: Plan::default(),
            theme: Theme::default(),
            was_empty: false,
            iteration: 0,
            attempt: 0,
            open: false,
            completed: false,
            waiting: false,
            rounds: Rounds::default(),
            model_failures: 0,
            watch: Watch::default(),
            authorship: Authorship::default(),
            feedback: String::new(),
            spent: Spent::default(),
            snapshots: RunSnapshots::default(),
        }
    }

    /// What to do now. Total, and the same until a fact is folded.
    pub fn next(&self) -> Command {
        match &self.step {
            Step::Start => Command::StartTask { task: self.task },
            Step::Between => self.between(),
            Step::Context(_) => Command::ApplyPlanContext,
            Step::Judge => Command::RunGates,
            Step::Fix(gates) => Command::ApplyFixes { gates: gates.clone() },
            Step::WaitForModel(ms) | Step::WaitForGates(ms) => Command::Wait { ms: *ms },
            Step::Save => Command::Save { task: self.task },
            Step::RollBack(tag) => Command::RollBack { tag: tag.clone() },
            Step::End(ending) => Command::Finish(ending.clone()),
        }
    }

    /// Where the run stands.
    pub fn phase(&self) -> Phase {
        match (&self.step, self.next()) {
            (Step::WaitForGates(_), _) | (_, Command::RunGates | Command::ApplyFixes { .. }) => Phase::Check,
            (_, Command::Save { .. } | Command::Finish(Ending::Stopped(StopReason::Done, _))) => Phase::Accept,
            _ => self.working,
        }
    }

    /// Folds one fact.
    pub fn apply(&mut self, envelope: &Envelope) {
        self.spent.advance(envelope.at, matches!(envelope.event, Event::RunResumed { .. }));
        match &envelope.event {
            Event::RunStarted { work, task_number, plan, task, .. } => {
                self.start(work, *task_number, *plan, task.as_ref());
            }
            Event::RunResumed { plan, .. } => self.resume(plan),
            Event::TaskStarted {
                task,
                origin,
                history,
                plan,
                stale_plan,
                applied_theme,
                kept_theme,
                was_empty,
                pre,
            } => {
                let (task, origin, history) = (task.clone(), origin.clone(), history.clone());
                self.texts = TaskTexts { task, origin, history, steered: Vec::new() };
                self.plan.now.clone_from(plan);
                self.plan.before.clone_from(plan);
                self.plan.stale.clone_from(stale_plan);
                self.open_by_type();
                self.theme = Theme::of_project(applied_theme, kept_theme.as_deref());
                self.was_empty = *was_empty;
                self.watch.began(plan.as_deref());
                self.snapshots.pre.clone_from(pre);
                self.step = Step::Between;
            }
            Event::IterationStarted { iteration, attempt, .. } => {
                (self.iteration, self.attempt, self.open) = (*iteration, *attempt, true);
                self.watch.started();
            }
            Event::ToolCall { name, args, .. } => {
                self.watch.called(name, args);
                self.authorship.called(name);
            }
            Event::FileChanged { path, by, .. } => {
                self.watch.touched(path);
                self.authorship.changed(path, *by);
            }
            Event::IterationFinished { close, worked, plan, tree, fault, files_changed, .. } => {
                self.confirm_plan(files_changed, plan);
                self.finish_iteration(*close, *worked, plan, fault.as_ref());
                if !self.open {
                    self.watch.ended(tree, plan.as_deref());
                }
            }
            Event::PlanChecked { plan, accepted, feedback, .. } => self.plan_checked(plan, *accepted, feedback),
            Event::ThemeStarted { command } => self.theme.started(command),
            Event::PlanContext { theme, feedback, .. } => self.plan_resolved(theme, feedback),
            Event::CompletionRefused { feedback } => {
                self.completed = false;
                self.feedback.clone_from(feedback);
            }
            Event::GateChecked { report } => {
                self.rounds.add(report);
                self.watch.judged(report);
            }
            Event::GatesFinished { feedback, .. } => self.gates_finished(feedback.as_deref()),
            Event::FixesApplied { gates } => {
                self.rounds.fixed(gates);
                self.step = Step::Judge;
            }
            Event::SnapshotSaved { snapshot, .. } if self.step == Step::Save && !snapshot.tag.starts_with("refs/") => {
                self.snapshots.post = Some(snapshot.tag.clone());
                self.accept();
            }
            Event::EvidenceOutdated { paths, .. } if self.step == Step::Save => {
                self.step = match self.rounds.outdated(paths) {
                    None => Step::Judge,
                    Some(fault) => Step::End(Ending::Failed(fault)),
                };
            }
            Event::SnapshotSkipped { .. } if self.step == Step::Save => self.accept(),
            Event::StallDetected { is_last, feedback, .. } => self.stalled(*is_last, feedback),
            Event::SnapshotRestored { feedback, .. } => self.restored(feedback),
            Event::Steered { message } => self.steered(message),
            Event::Usage { usage, model, .. } => self.spent.pay(usage, model.as_deref()),
            Event::BudgetWarning { limit, .. } => self.spent.warned(*limit),
            Event::Waited { .. } => match self.step {
                Step::WaitForModel(_) => self.step = Step::Between,
                Step::WaitForGates(_) => self.step = Step::Judge,
                _ => {}
            },
            Event::AbortRequested { reason } => self.stop(StopReason::Aborted, &format!("Aborted: {reason}")),
            Event::RunFinished { result } => self.stop(result.reason, &result.message),
            _ => {}
        }
    }

    /// The task's number.
    pub fn task(&self) -> u32 {
        self.task
    }

    /// The project was empty when the task began.
    pub fn was_empty(&self) -> bool {
        self.was_empty
    }

    /// Whether the task builds the app.
    pub fn builds_app(&self) -> bool {
        self.structured.as_ref().is_some_and(|task| task::builds_app(task, self.was_empty))
    }

    /// The task, taken apart.
    pub fn structured(&self) -> Option<&StructuredTask> {
        self.structured.as_ref()
    }

    /// The user's words that the task is made of; empty before a run started.
    pub fn message(&self) -> &str {
        match &self.structured {
            Some(task) => &task.raw_message,
            None => self.work.as_ref().map_or("", Work::message),
        }
    }

    /// The task's files were decided: it began.
    pub fn has_started(&self) -> bool {
        !self.texts.task.is_empty()
    }

    /// What is to be done.
    pub fn work(&self) -> Option<&Work> {
        self.work.as_ref()
    }

    /// Iterations begun so far.
    pub fn iteration(&self) -> u32 {
        self.iteration
    }

    /// What was spent so far.
    pub fn usage(&self) -> &Usage {
        self.spent.usage()
    }

    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// `Plan` or `Build`: what the agent's next iteration works in.
    pub fn working_phase(&self) -> Phase {
        self.working
    }

    /// The plan on disk is to be updated for this task (`seeds/003 §6`).
    pub fn updates_plan(&self) -> bool {
        self.plan.update
    }

    /// Whether PLAN is closed: only the agent's own `.ralph/` files may be written, because a plan or its update is due.
    pub fn plan_required(&self) -> bool {
        self.mode == PlanMode::Required || self.plan.update
    }

    /// The option `plan` of the run.
    pub fn plan_mode(&self) -> PlanMode {
        self.mode
    }

    /// The hash of the plan that opened BUILD for this task.
    pub fn accepted_plan(&self) -> Option<&str> {
        self.plan.accepted.as_deref()
    }

    /// The plan was checked in this run, or is to be updated, so that its file is not the agent's to delete.
    pub fn keeps_plan(&self) -> bool {
        self.plan.seen
    }

    /// What `.ralph/feedback.md` says.
    pub fn feedback(&self) -> &str {
        &self.feedback
    }

    /// An iteration began in this run.
    pub fn has_begun(&self) -> bool {
        self.iteration > 0
    }

    /// The reports of the last round of gates.
    pub fn reports(&self) -> &[crate::gate::GateReport] {
        self.rounds.reports()
    }

    /// The tree that the last round of gates judged: the task is accepted as that or not at all.
    pub fn judged_tree(&self) -> Option<&str> {
        self.rounds.reports().iter().find_map(|report| report.tree.as_deref())
    }

    /// The number of the round of gates that comes next.
    pub fn next_round(&self) -> u32 {
        self.rounds.number() + 1
    }

    /// How it ends, if nothing more is to be done.
    pub fn ending(&self) -> Option<Ending> {
        match self.next() {
            Command::Finish(ending) => Some(ending),
            _ => None,
        }
    }

    /// The result of a run that ends like this.
    pub fn result(&self, reason: StopReason, message: &str) -> RunResult {
        RunResult {
            run_id: self.run_id.clone(),
            success: reason == StopReason::Done,
            reason,
            message: message.to_owned(),
            iterations: self.iteration,
            usage: *self.usage(),
            gates: self.rounds.reports().to_vec(),
            snapshots: self.snapshots.clone(),
            clarification: self.clarification().map(|asked| asked.questions),
        }
    }

    /// What the user is asked before anything is done.
    pub(super) fn clarification(&self) -> Option<Clarification> {
        let task = self.structured.as_ref().filter(|task| task.kind == TaskType::NeedsClarification)?;
        Some(Clarification { message: task.raw_message.clone(), questions: task.questions.clone().unwrap_or_default() })
    }

    pub(super) fn texts(&self) -> &TaskTexts {
        &self.texts
    }

    fn between(&self) -> Command {
        if self.waiting {
            return stopped(StopReason::Waiting, &format!("The agent waits for you: see {SUMMARY} and {FEEDBACK}."));
        }
        match self.weigh() {
            Completion::CheckPlan if !self.plan.checked => return Command::CheckPlan,
            Completion::Refused => return Command::RefuseCompletion,
            Completion::Honoured => return Command::RunGates,
            Completion::CheckPlan | Completion::None => {}
        }
        if let Some(message) = self.rounds.too_often(self.limits.max_gate_failures).filter(|_| !self.open) {
            return stopped(StopReason::GatesFailed, &message);
        }
        if !self.open && self.watch.is_stuck(self.limits.stall_threshold) {
            return Command::Recover { task: self.task, recovery: self.watch.recoveries() + 1 };
        }
        if let Some(message) = self.spent.exhausted(&self.limits) {
            return stopped(StopReason::Budget, &message);
        }
        if self.iteration >= self.limits.max_iterations && !self.open {
            return self.out_of_iterations();
        }
        let (iteration, attempt) = if self.open { (self.iteration, self.attempt + 1) } else { (self.iteration + 1, 1) };
        Command::RunIteration { iteration, attempt }
    }

    fn out_of_iterations(&self) -> Command {
        let max = self.limits.max_iterations;
        let state = match (self.working, self.plan.checked, self.rounds.number()) {
            (Phase::Build, true, _) => "plan validated, budget exhausted before it was built".to_owned(),
            (Phase::Plan, true, _) => "the plan was never valid".to_owned(),
            (Phase::Plan, false, _) if self.mode == PlanMode::Required || self.plan.update => {
                "the plan that the task needs was never written".to_owned()
            }
            (_, _, 0) => "the agent never completed".to_owned(),
            _ => "the gates did not pass".to_owned(),
        };
        stopped(StopReason::MaxIterations, &format!("Stopped after {max} iterations: {state}."))
    }

    fn start(&mut self, work: &Work, number: u32, mode: PlanMode, task: Option<&StructuredTask>) {
        self.work = Some(work.clone());
        (self.task, self.mode) = (number, mode);
        self.structured = task.cloned();
        if self.clarification().is_some() {
            let message = "The message can be understood in several ways: answer a question.";
            return self.stop(StopReason::NeedsClarification, message);
        }
        if mode == PlanMode::Off {
            self.working = Phase::Build;
        }
    }

    /// How the type of the task treats a plan from before the task: a change updates it, a repair ignores it, and a new app
    /// needs a new one. The plan's author, the counter and the journal do not matter.
    fn open_by_type(&mut self) {
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
        self.working = Phase::Build;
    }

    /// Faults passed with the page that met them; what was begun is asked for again.
    fn resume(&mut self, plan: &Option<String>) {
        self.plan.now.clone_from(plan);
        self.model_failures = 0;
        self.authorship.is_incomplete |= self.open;
        self.rounds.reopen();
        match &self.step {
            Step::WaitForModel(_) | Step::End(Ending::Failed(_)) => self.step = Step::Between,
            Step::WaitForGates(_) => self.step = Step::Judge,
            _ => {}
        }
    }

    /// The agent wrote the plan from before the task again, unchanged. It becomes the plan of this task and is checked. A plan
    /// with a due update needs its markers instead.
    fn confirm_plan(&mut self, files_changed: &[String], plan: &Option<String>) {
        if !self.plan.update && self.plan.stale == *plan && files_changed.iter().any(|path| path == PLAN) {
            self.plan.stale = None;
        }
    }

    fn finish_iteration(&mut self, close: IterationClose, worked: bool, plan: &Option<String>, fault: Option<&Fault>) {
        self.plan.now.clone_from(plan);
        self.plan.checked = false;
        self.rounds.worked(worked);
        if close == IterationClose::ModelFailed {
            return self.model_failed(fault);
        }
        self.open = false;
        self.model_failures = 0;
        match close {
            IterationClose::Completed => self.completed = true,
            IterationClose::Waiting => self.waiting = true,
            _ => {}
        }
    }

    /// Inconclusive: the same iteration again, as often as its fault is worth.
    fn model_failed(&mut self, fault: Option<&Fault>) {
        self.model_failures += 1;
        let Some(fault) = fault else { return };
        self.step = if self.model_failures > fault.retries {
            Step::End(Ending::Failed(fault.clone()))
        } else {
            Step::WaitForModel(fault.retry_after_ms.unwrap_or_else(|| backoff(self.model_failures)))
        };
    }

    fn gates_finished(&mut self, feedback: Option<&str>) {
        self.feedback = feedback.unwrap_or_default().to_owned();
        self.step = match self.rounds.close() {
            RoundEnd::Passed => Step::Save,
            RoundEnd::Inconclusive { failures } => Step::WaitForGates(backoff(failures)),
            RoundEnd::Broken(fault) => Step::End(Ending::Failed(fault)),
            RoundEnd::Fix(gates) => Step::Fix(gates),
            RoundEnd::Failed => {
                self.completed = false;
                Step::Between
            }
        };
    }

    /// A message that comes while the work is being accepted is work, too.
    fn steered(&mut self, message: &str) {
        self.texts.steered.push(message.to_owned());
        self.watch.told();
        if self.step == Step::Save {
            self.completed = false;
            self.step = Step::Between;
        }
    }

    fn accept(&mut self) {
        let message = match &self.snapshots.post {
            Some(tag) => format!("Done: every gate passed, saved as {tag}."),
            None => "Done: every gate passed.".to_owned(),
        };
        self.stop(StopReason::Done, &message);
    }

    fn stop(&mut self, reason: StopReason, message: &str) {
        self.step = Step::End(Ending::Stopped(reason, message.to_owned()));
    }
}

fn stopped(reason: StopReason, message: &str) -> Command {
    Command::Finish(Ending::Stopped(reason, message.to_owned()))
}

/// 2, 4, 8, 16, 32, 60, 60 … seconds.
fn backoff(failures: u32) -> u64 {
    2_000_u64.checked_shl(failures.saturating_sub(1)).unwrap_or(60_000).min(60_000)
}

#[cfg(test)]
mod tests;
