//! The machine: folds facts and decides what to do next. No async, no clock, no ports.
//!
//! [`RunState`] has the state of every run: iterations, retries, limits, gates, waits, steering, the end. The
//! [recipe](super::recipe::Recipe) has the rest, and decides where the shared state does not.

mod asked;
mod budget;
mod cost;
mod files;
mod messages;
mod order;
mod retry;
mod rounds;
mod whose;

pub(crate) use asked::Asked;
pub use cost::{AttemptCost, Cost, RunCost};
pub(crate) use files::fold_ledger;
pub(crate) use retry::{Wait, backoff};
pub(crate) use rounds::outdated_files;

use super::envelope::Envelope;
use super::event::{Event, IterationClose};
use super::fault::Fault;
use super::limits::Limits;
use super::options::{RunResult, RunSnapshots, StopReason, Work};
use super::recipe::task::Task;
use super::recipe::{AnyCommand, AnyRecipe, Kind, Next};
use crate::config::Settings;
use crate::error::{Error, ErrorCode};
use crate::gate::{GateReport, RequirementReport};
use crate::layout::{FEEDBACK, SUMMARY};
use crate::ledger::Ledger;
use crate::port::{AgentRole, Answer, Phase, Question, QuestionKind, Usage};
use crate::text::counted;
use budget::Spent;
use order::{is_iteration_snapshot, may_precede_snapshot};
use retry::{given_up, retries, retry};
use rounds::{RoundEnd, Rounds};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What the driver does next.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Command {
    /// Run the iteration with this number.
    RunIteration(u32),
    /// Save the project after this iteration.
    SaveIteration(u32),
    RunGates,
    /// Run the verification as the last gates of the round.
    Verify,
    /// Write the fixes that these gates proposed.
    ApplyFixes(Vec<String>),
    /// Wait this many milliseconds.
    Wait(u64),
    /// Ask the user.
    Ask(QuestionKind),
    Recipe(AnyCommand),
    Finish(Ending),
}

/// How a run ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Ending {
    /// A result: the call resolves.
    Stopped(StopReason, String),
    /// A lasting failure of the host: the call rejects.
    Failed(Fault),
}

/// A run, folded from its journal: two machines that folded the same events are equal and decide the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub run: RunState,
    /// The kind of the work in the first fact.
    pub recipe: AnyRecipe,
}

/// The state of a run, whatever its recipe.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunState {
    pub limits: Limits,
    /// What the run works on; `None` before the first fact.
    pub work: Option<Work>,
    /// The hash of the configuration, and its values; `None` if nothing is configured.
    pub config: Option<(String, Box<Settings>)>,
    pub snapshots: RunSnapshots,
    /// The commits of the run's snapshots, by their tags.
    pub commits: BTreeMap<String, String>,
    /// Who changed what.
    pub ledger: Ledger,
    /// The user's messages that belong to the present piece of work.
    pub steered: Vec<String>,
    /// How many of the last ones no role that changes files has got.
    unanswered: usize,
    /// The text of `.ralph/feedback.md`.
    pub feedback: String,
    /// The requirements of a task, by the last round of gates.
    #[serde(default)]
    pub requirements: Vec<RequirementReport>,
    /// The questions of a run that ends for clarification.
    pub questions: Option<Vec<String>>,
    pub asked: Asked,
    /// The number of the last iteration that began.
    pub iteration: u32,
    /// Whether the last iteration has not ended. The next one then repeats its work.
    pub open: bool,
    /// Whether the last iteration repeats one that did not end.
    pub repeats: bool,
    /// How many iterations count for the limit: an unfinished one and the one that repeats it count once.
    charged: u32,
    run_id: String,
    step: Step,
    /// The agent waits for the user.
    pub(crate) waiting: bool,
    /// The iteration that ended last, until it is saved.
    unsaved: Option<u32>,
    model_failures: u32,
    /// The last wait.
    pub wait: Wait,
    rounds: Rounds,
    spent: Spent,
    calls: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Step {
    /// Before the first fact.
    New,
    /// The recipe decides.
    Recipe,
    /// The agent works.
    Iteration,
    Judge,
    Fix(Vec<String>),
    WaitForModel(u64),
    WaitForGates(u64),
    End(Ending),
    /// The end is in the journal.
    Finished(StopReason, String),
    /// A fact could not follow.
    Poisoned(Fault),
}

impl Machine {
    /// A machine before the first fact.
    pub(crate) fn new(run_id: &str) -> Self {
        let run = RunState {
            limits: Limits::default(),
            work: None,
            config: None,
            snapshots: RunSnapshots::default(),
            commits: BTreeMap::new(),
            ledger: Ledger::default(),
            steered: Vec::new(),
            unanswered: 0,
            feedback: String::new(),
            requirements: Vec::new(),
            questions: None,
            asked: Asked::default(),
            run_id: run_id.to_owned(),
            step: Step::New,
            iteration: 0,
            open: false,
            repeats: false,
            charged: 0,
            waiting: false,
            unsaved: None,
            model_failures: 0,
            wait: Wait::default(),
            rounds: Rounds::default(),
            spent: Spent::default(),
            calls: 0,
        };
        Self { run, recipe: AnyRecipe::Task(Task::default()) }
    }

    /// The kind of the run's work.
    pub(crate) fn kind(&self) -> Kind {
        self.recipe.kind()
    }

    /// Folds one fact.
    ///
    /// # Errors
    /// As [`Self::check`]; the machine then folds no other fact.
    pub(crate) fn apply(&mut self, envelope: &Envelope) -> Result<(), Error> {
        if let Err(error) = self.check(envelope) {
            if !matches!(self.run.step, Step::Poisoned(_)) {
                self.run.step = Step::Poisoned(Fault::from(&error));
                self.run.unsaved = None;
            }
            return Err(error);
        }
        if let Event::RunStarted(started) = &envelope.event {
            self.recipe = AnyRecipe::new(&started.work);
        }
        // The time that the user takes for an answer is not the run's.
        let is_idle = matches!(envelope.event, Event::RunResumed { .. }) || self.run.asked.open.is_some();
        self.run.spent.advance(envelope.at, is_idle);
        // What the user decides about the work of an agent is no step of the recipe.
        let is_of_call = envelope.event.is_of_question() && self.run.asked.is_about_work();
        self.run.fold(&envelope.event, envelope.at);
        if !is_of_call && !is_iteration_snapshot(&envelope.event) {
            if let Event::SnapshotSaved { snapshot, .. } = &envelope.event {
                self.run.commits.insert(snapshot.tag.clone(), snapshot.oid.clone());
            }
            self.recipe.fold(&envelope.event, &mut self.run);
        }
        Ok(())
    }

    /// Checks that a fact can follow the facts before it.
    ///
    /// # Errors
    /// `corrupt`, with the fact and the step.
    pub(crate) fn check(&self, envelope: &Envelope) -> Result<(), Error> {
        let is_expected = match self.run.expects(&envelope.event) {
            Some(is_expected) => is_expected,
            None => self.recipe.expects(&envelope.event, &self.run),
        };
        if is_expected {
            return Ok(());
        }
        let step = match &self.run.step {
            Step::Recipe => self.recipe.step(),
            step => format!("{step:?}"),
        };
        let (seq, kind) = (envelope.seq, envelope.event.kind());
        let message = format!(
            "the journal is corrupt: event {seq} ({kind}) cannot follow in step {step}. Nothing was changed; start a new run"
        );
        Err(Error::new(ErrorCode::Corrupt, message))
    }

    /// The next command. It is the same until a fact is folded.
    pub(crate) fn next(&self) -> Command {
        match self.run.unsaved {
            Some(iteration) if self.run.limits.iteration_snapshots > 0 => Command::SaveIteration(iteration),
            _ => self.decide(),
        }
    }

    /// What the user reads before a command that takes its time.
    pub(crate) fn announcement(&self, command: &Command, now: u64) -> Option<Event> {
        match command {
            Command::RunGates => Some(Event::status(format!("Running the checks, round {}", self.run.round()))),
            Command::Verify => Some(Event::status("Running the verification")),
            Command::Wait(ms) => {
                let Wait { reason, attempt, of } = self.run.wait.clone();
                Some(Event::WaitStarted { until: now.saturating_add(*ms), reason, attempt, of })
            }
            _ => None,
        }
    }

    /// The fact of the caller's abort; `None` if the run has ended. One that a limit stops has work to take back.
    pub(crate) fn abort(&self, reason: String) -> Option<Event> {
        let goes_on = matches!(self.ending(), None | Some(Ending::Stopped(StopReason::Budget, _)));
        (goes_on && !self.is_finished()).then_some(Event::AbortRequested { reason })
    }

    /// The facts that follow from the last one, in a run that was in phase `before`.
    pub(crate) fn follow_ups(&self, before: Phase, last: &Event, now: u64) -> Vec<Event> {
        if self.is_finished() {
            return Vec::new();
        }
        let to = self.phase();
        let why = || match last {
            Event::IterationFinished { .. } => "the agent stopped",
            Event::GatesFinished { feedback: None, .. } => "no check failed",
            Event::GatesFinished { .. } => "a check did not pass",
            Event::EvidenceOutdated { .. } => "files changed after the checks ran",
            Event::Steered { .. } => "the user sent a message",
            Event::AbortRequested { .. } => "the run was aborted",
            fact => self.recipe.why(fact),
        };
        let phase = (before != to).then(|| Event::PhaseChanged { from: before, to, why: why().to_owned() });
        let warning = self.run.budget_warning(now);
        let warning = warning.map(|(limit, used, max)| Event::BudgetWarning { limit, used, max });
        phase.into_iter().chain(warning).collect()
    }

    pub(crate) fn phase(&self) -> Phase {
        match (&self.run.step, self.decide()) {
            (Step::WaitForGates(_), _) | (_, Command::RunGates | Command::Verify | Command::ApplyFixes(_)) => {
                Phase::Check
            }
            (_, Command::Finish(Ending::Stopped(StopReason::Done, _))) => Phase::Accept,
            (_, Command::Recipe(_) | Command::Ask(_)) => self.recipe.row(&self.run).phase,
            _ => self.recipe.phase(&self.run),
        }
    }

    /// How the run ends, if it ends now.
    pub(crate) fn ending(&self) -> Option<Ending> {
        match self.decide() {
            Command::Finish(ending) => Some(ending),
            _ => None,
        }
    }

    /// The end is in the journal.
    pub(crate) fn is_finished(&self) -> bool {
        matches!(self.run.step, Step::Finished(..))
    }

    /// The end is in the journal, and neither an answer of the user nor a higher limit continues the run.
    pub(crate) fn is_over(&self) -> bool {
        self.is_finished() && !self.run.can_continue()
    }

    /// The end is in the journal because the run waits for an answer.
    pub(crate) fn waits(&self) -> bool {
        matches!(self.run.step, Step::Finished(StopReason::Waiting, _)) && self.run.asked.open.is_some()
    }

    /// Its work goes on: it has not ended, or it continues with an answer or a higher limit.
    pub(crate) fn is_open(&self) -> bool {
        !self.is_finished() || self.waits() || matches!(self.run.step, Step::Finished(StopReason::Budget, _))
    }

    /// The question that is asked next.
    pub(crate) fn question(&self, kind: QuestionKind) -> Question {
        let (text, details) = self.about(kind);
        self.run.asked.question(kind, text, details)
    }

    /// Checks an answer to the open question.
    pub(crate) fn check_answer(&self, answer: &Answer) -> Result<(), String> {
        if self.run.asked.asks_whose() {
            return whose::check(&self.run.asked, answer);
        }
        if !self.run.asked.awaits_call() {
            return self.recipe.check_answer(answer);
        }
        // The tool checks them further.
        match &answer.value {
            None | Some(Value::Object(_)) => Ok(()),
            Some(_) => Err("the arguments of a call are an object".to_owned()),
        }
    }

    pub(crate) fn result(&self, reason: StopReason, message: &str) -> RunResult {
        let run = &self.run;
        RunResult {
            run_id: run.run_id.clone(),
            success: matches!(reason, StopReason::Done | StopReason::NothingToDo) && !self.recipe.is_unreadable(),
            reason,
            message: message.to_owned(),
            iterations: run.charged,
            usage: *run.spent.usage(),
            cost: run.cost(reason),
            gates: run.rounds.reports().to_vec(),
            requirements: (!run.requirements.is_empty()).then(|| run.requirements.clone()),
            snapshots: run.snapshots.clone(),
            clarification: run.questions.clone(),
            questions: run.asked.open.iter().cloned().collect(),
        }
    }

    fn decide(&self) -> Command {
        let run = &self.run;
        match &run.step {
            Step::New | Step::Recipe => self.ask_recipe(),
            Step::Iteration => run.iterate(),
            Step::Judge => run.judge(),
            Step::Fix(gates) => Command::ApplyFixes(gates.clone()),
            Step::WaitForModel(ms) | Step::WaitForGates(ms) => Command::Wait(*ms),
            Step::End(ending) => Command::Finish(ending.clone()),
            Step::Finished(reason, message) => stopped(*reason, message),
            Step::Poisoned(fault) => Command::Finish(Ending::Failed(fault.clone())),
        }
    }

    fn ask_recipe(&self) -> Command {
        let run = &self.run;
        if run.waiting {
            let message = format!("The agent waits for you: see {SUMMARY} and {FEEDBACK}.");
            return stopped(StopReason::Waiting, &message);
        }
        let does = self.recipe.row(run).does;
        if let Some(kind) = self.question_before(&does) {
            return Command::Ask(kind);
        }
        match does {
            Next::Command(command) => return Command::Recipe(command),
            Next::Judge => return run.judge(),
            Next::Wait(ms) => return Command::Wait(ms),
            Next::Ask(kind) => return Command::Ask(kind),
            Next::Iterate => {}
        }
        if let Some(message) = run.too_many_failures() {
            return stopped(StopReason::GatesFailed, &message);
        }
        if let Some(message) = run.spent.exhausted(&run.limits) {
            return stopped(StopReason::Budget, &message);
        }
        let is_used_up = |max: &u32| run.charged >= *max && !run.open && !self.recipe.is_exempt();
        if run.limits.max_iterations.filter(is_used_up).is_some() {
            let (count, state) = (counted(run.charged, "iteration"), self.recipe.unfinished(run));
            return stopped(StopReason::MaxIterations, &format!("Stopped after {count}: {state}."));
        }
        run.iterate()
    }
}

impl RunState {
    /// The usage so far.
    pub(crate) fn usage(&self) -> &Usage {
        self.spent.usage()
    }

    /// The reports of the last round of gates.
    pub(crate) fn reports(&self) -> &[GateReport] {
        self.rounds.reports()
    }

    /// The id of the tree that the last round of gates judged.
    pub(crate) fn judged_tree(&self) -> Option<&str> {
        self.reports().iter().find_map(|report| report.tree.as_deref())
    }

    /// The round of gates that runs or comes next.
    pub(crate) fn round(&self) -> u32 {
        self.rounds.number() + 1
    }

    /// The fact that ends the present round with these reports.
    pub(crate) fn finish_round(&self, reports: &[GateReport], requirements: Vec<RequirementReport>) -> Event {
        Event::GatesFinished { round: self.round(), feedback: rounds::feedback(reports), requirements }
    }

    /// The message if the gates failed too often in a row for another iteration.
    pub(crate) fn too_many_failures(&self) -> Option<String> {
        self.rounds.too_often(self.limits.max_gate_failures).filter(|_| !self.open)
    }

    /// The names of the gates that failed in the last round.
    pub(crate) fn failing_gates(&self) -> Option<String> {
        self.rounds.failing()
    }

    /// The last round is over and the recipe decides; `true` if it passed.
    pub(crate) fn round_passed(&self) -> Option<bool> {
        (self.step == Step::Recipe).then(|| self.rounds.failing().is_none())
    }

    pub(crate) fn stop(&mut self, reason: StopReason, message: &str) {
        self.step = Step::End(Ending::Stopped(reason, message.to_owned()));
    }

    /// The run fails; a resumed run repeats the step of the recipe.
    pub(crate) fn fail(&mut self, fault: Fault) {
        self.step = Step::End(Ending::Failed(fault));
    }

    /// The time of the last fact, in milliseconds since the epoch.
    pub(crate) fn now(&self) -> u64 {
        self.spent.last_at()
    }

    /// The number of model calls that answered or failed in the middle of an answer.
    pub(crate) fn calls(&self) -> u32 {
        self.calls
    }

    /// A run whose end is in the journal continues with an answer of the user, or with a higher limit.
    fn can_continue(&self) -> bool {
        self.asked.open.is_some() || matches!(self.step, Step::Finished(StopReason::Budget, _))
    }

    /// The number of the next iteration.
    pub(crate) fn next_iteration(&self) -> u32 {
        self.iteration + 1
    }

    fn iterate(&self) -> Command {
        Command::RunIteration(self.next_iteration())
    }

    fn fold(&mut self, event: &Event, at: u64) {
        if !may_precede_snapshot(event) {
            self.unsaved = None;
        }
        fold_ledger(&mut self.ledger, event, at);
        whose::fold(&self.ledger, &mut self.asked, event);
        self.spent.fold(event, self.asked.open.as_ref().map(|open| open.kind));
        self.asked.fold(event);
        match event {
            Event::RunStarted(started) => {
                (self.work, self.limits, self.step) = (Some(started.work.clone()), started.limits, Step::Recipe);
            }
            Event::LimitsChanged { limits } => self.limits = *limits,
            Event::ConfigLoaded { config, settings } => self.config = Some((config.clone(), settings.clone())),
            Event::RunResumed { .. } => self.resume(),
            Event::IterationStarted { iteration, role, .. } => {
                self.repeats = self.open;
                self.charged += u32::from(!self.repeats);
                (self.iteration, self.open) = (*iteration, true);
                self.step = Step::Iteration;
                if *role == AgentRole::Builder {
                    self.unanswered = 0;
                }
            }
            Event::IterationFinished { close, worked, fault, .. } => {
                self.finish_iteration(*close, *worked, fault.as_ref());
            }
            Event::GateChecked { report } => self.rounds.add(report),
            Event::GatesFinished { feedback, requirements, .. } => {
                self.requirements.clone_from(requirements);
                self.feedback = feedback.clone().unwrap_or_default();
                self.step = match self.rounds.close() {
                    RoundEnd::Passed => Step::Recipe,
                    RoundEnd::Failed => {
                        self.spent.reject();
                        Step::Recipe
                    }
                    RoundEnd::Inconclusive(failures) => {
                        self.wait = rounds::wait(failures);
                        Step::WaitForGates(backoff(failures))
                    }
                    RoundEnd::Broken(fault) => Step::End(Ending::Failed(fault)),
                    RoundEnd::Fix(gates) => Step::Fix(gates),
                };
            }
            Event::FixesApplied { gates } => {
                self.rounds.fixed(gates);
                self.step = Step::Judge;
            }
            Event::EvidenceOutdated { paths, .. } => {
                self.step = match self.rounds.outdated(paths) {
                    None => Step::Judge,
                    Some(fault) => Step::End(Ending::Failed(fault)),
                };
            }
            Event::Steered { message } => {
                self.add_message(message);
                if matches!(self.step, Step::End(_)) {
                    self.step = Step::Recipe;
                }
            }
            Event::Usage { .. } => self.calls += 1,
            Event::QuestionUnanswered { id } if self.asked.is_about_work() => {
                let message = format!("The run waits for your answer to the question {id}: resume it with the answer.");
                self.stop(StopReason::Waiting, &message);
            }
            Event::Waited { .. } => {
                self.step = if matches!(self.step, Step::WaitForGates(_)) { Step::Judge } else { Step::Recipe };
            }
            Event::AbortRequested { reason } => self.stop(StopReason::Aborted, &format!("Aborted: {reason}")),
            Event::RunFinished { result } => self.step = Step::Finished(result.reason, result.message.clone()),
            _ => {}
        }
    }

    /// Earlier failures do not count in a new page, and interrupted commands are repeated.
    fn resume(&mut self) {
        self.model_failures = 0;
        self.rounds.reopen();
        self.asked.interrupted |= self.asked.open.is_some() && self.step == Step::Recipe;
        match &self.step {
            Step::Finished(..) => self.step = Step::Recipe,
            Step::End(Ending::Stopped(..)) if self.asked.open.is_some() => self.step = Step::Recipe,
            Step::Iteration | Step::WaitForModel(_) | Step::End(Ending::Failed(_)) => self.step = Step::Recipe,
            Step::WaitForGates(_) => self.step = Step::Judge,
            _ => {}
        }
    }

    fn finish_iteration(&mut self, close: IterationClose, worked: bool, fault: Option<&Fault>) {
        self.rounds.worked(worked);
        self.step = Step::Recipe;
        // Another iteration goes on with the work after the answer.
        if close == IterationClose::Asked {
            return;
        }
        if close == IterationClose::ModelFailed {
            self.model_failures += 1;
            if let Some(fault) = fault {
                let of = retries(fault.kind, self.limits.max_retries).saturating_add(1);
                self.wait = Wait::after(self.model_failures, of, &fault.message);
                self.step = retry(fault, self.model_failures, self.limits.max_retries)
                    .map_or_else(|| Step::End(Ending::Failed(given_up(fault))), Step::WaitForModel);
            }
            return;
        }
        self.open = false;
        self.model_failures = 0;
        self.unsaved = Some(self.iteration);
        self.waiting = close == IterationClose::Waiting;
    }
}

fn stopped(reason: StopReason, message: &str) -> Command {
    Command::Finish(Ending::Stopped(reason, message.to_owned()))
}
