//! One run while it runs: its host, its journal, its machine, and who listens.

use super::command::Command;
use super::event::{Envelope, Event, Fault, IterationClose};
use super::intake::take_in;
use super::journal::{self, Journal};
use super::limits::Limits;
use super::machine::Machine;
use super::options::{RunControl, RunOptions};
use super::projection;
use super::unfinished::{self, Before};
use crate::agent::{self, IterationFact, Observer, Paid};
use crate::error::{Error, ErrorCode};
use crate::gate::GateSelection;
use crate::plan::{self, DueUpdate, Registry};
use crate::port::{Abort, ClockPort, Host, ModelDelta, PortError, Usage};
use crate::snapshot::{self, Evidence, KnownTasks, Watch};
use std::cell::{Cell, RefCell};

pub(super) struct Session<'a, H: Host> {
    pub host: &'a H,
    pub control: &'a RunControl,
    pub gates: GateSelection,
    pub registry: Registry,
    /// What is known of the files, for snapshots.
    pub watch: Watch,
    /// How many snapshots of iterations are kept.
    pub iteration_snapshots: u32,
    /// The iteration that ended and was not saved yet.
    unsaved: Cell<Option<u32>>,
    /// What the gates judged last, in this page.
    pub judged: RefCell<Option<Evidence>>,
    journal: Journal<'a, H::Fs>,
    machine: RefCell<Machine>,
    listener: &'a dyn Fn(&Envelope),
    /// The host's own error behind a fault, which the journal cannot keep.
    last_error: RefCell<Option<PortError>>,
}

/// The file that keeps the last plan that was checked, so that it can be put back.
pub(super) const KEPT_PLAN: &str = ".loopgate/plan.tsx";
/// The file with the hashes of all files at the task's start, for projects without git.
pub(super) const FILES_BEFORE: &str = ".loopgate/files-before";

impl<'a, H: Host> Session<'a, H> {
    /// Starts a run, or goes on with one.
    pub(super) async fn open(
        host: &'a H,
        options: RunOptions,
        control: &'a RunControl,
        listener: &'a dyn Fn(&Envelope),
    ) -> Result<Self, Error> {
        options.check()?;
        let limits = options.limits.resolve()?;
        limits.check_cost(host.prices().is_some())?;
        crate::gate::check_selection(host, &options.gates)?;
        agent::check_tool_names(host)?;
        if host.model().is_none() {
            return Err(Error::new(ErrorCode::InvalidArgument, "runLoop needs a model: pass `model` with the host"));
        }
        let project = host.project();
        let mut machine = Machine::new(&options.run_id, limits);
        let mut intake_paid = Vec::new();
        let mut unsaved = None;
        let (journal, first) = if options.resume {
            let (journal, mut found) = Journal::open(project, &options.run_id).await?;
            found.events.iter_mut().for_each(|envelope| price(host, &mut envelope.event));
            found.events.iter().for_each(|event| machine.apply(event));
            let facts = found.events.iter().map(|envelope| &envelope.event);
            unsaved = facts.rev().find(|fact| !may_precede_its_snapshot(fact)).and_then(ended_iteration);
            if let Some(Event::RunFinished { .. }) = found.events.last().map(|last| &last.event) {
                let message = format!("run {} is finished: start a new one", options.run_id);
                return Err(Error::new(ErrorCode::InvalidArgument, message));
            }
            if found.events.is_empty() {
                let message = format!("run {} broke off before its first event: start a new one", options.run_id);
                return Err(Error::new(ErrorCode::NotFound, message));
            }
            (journal, resumed(host, found.repaired).await?)
        } else {
            // Before the model is asked anything, and paid for it.
            journal::require_new(project, &options.run_id).await?;
            let (first, paid) = started(host, &options, &limits, &control.abort).await?;
            intake_paid = paid;
            (Journal::create(project, &options.run_id).await?, first)
        };
        let (gates, registry) = (options.gates, options.registry);
        let (machine, last_error) = (RefCell::new(machine), RefCell::new(None));
        let (watch, unsaved) = (Watch::default(), Cell::new(unsaved));
        let iteration_snapshots = options.iteration_snapshots;
        let session = Self {
            host,
            control,
            gates,
            registry,
            watch,
            iteration_snapshots,
            unsaved,
            judged: RefCell::default(),
            journal,
            machine,
            listener,
            last_error,
        };
        session.record(first).await?;
        for paid in intake_paid.into_iter().filter(|paid| paid.usage != Usage::default()) {
            session.observe(IterationFact::Usage(paid)).await?;
        }
        Ok(session)
    }

    /// What the machine asks for.
    pub(super) fn next(&self) -> Command {
        self.machine.borrow().next()
    }

    pub(super) fn with_machine<T>(&self, look: impl FnOnce(&Machine) -> T) -> T {
        look(&self.machine.borrow())
    }

    /// Writes a fact down, folds it, and tells the listener. What follows from it is a fact of its own.
    pub(super) async fn record(&self, event: Event) -> Result<(), Error> {
        let before = self.with_machine(Machine::phase);
        let envelope = self.append(event).await?;
        let after = self.with_machine(Machine::phase);
        if before != after {
            let why = why(&envelope.event);
            self.append(Event::PhaseChanged { from: before, to: after, why }).await?;
        }
        let now = self.now();
        if let Some((limit, used, max)) = self.with_machine(|machine| machine.budget_warning(now)) {
            self.append(Event::BudgetWarning { limit, used, max }).await?;
        }
        Ok(())
    }

    async fn append(&self, event: Event) -> Result<Envelope, Error> {
        let envelope = self.journal.append(self.now(), event).await?;
        if let Some(iteration) = ended_iteration(&envelope.event) {
            self.unsaved.set(Some(iteration));
        }
        self.machine.borrow_mut().apply(&envelope);
        (self.listener)(&envelope);
        Ok(envelope)
    }

    /// The caller's abort becomes a fact between two commands, once.
    pub(super) async fn note_abort(&self) -> Result<(), Error> {
        match self.control.abort.reason() {
            Some(reason) if self.with_machine(|machine| machine.ending().is_none()) => {
                self.record(Event::AbortRequested { reason }).await
            }
            _ => Ok(()),
        }
    }

    /// The iteration that ended since this was asked.
    pub(super) fn take_unsaved(&self) -> Option<u32> {
        self.unsaved.take()
    }

    /// Writes the `.ralph/` files that differ from the machine's state, and records them in one event.
    pub(super) async fn project(&self) -> Result<(), Error> {
        let (task, files) = self.with_machine(|machine| (machine.texts().task.is_empty(), projection::files(machine)));
        if task {
            return Ok(());
        }
        let project = self.host.project();
        let mut paths = Vec::new();
        for (path, text) in files {
            let found = project.read(path).await?;
            if found.as_deref() == Some(text.as_bytes()) {
                continue;
            }
            self.watch.touch(path);
            project.write(path, &text).await?;
            paths.push(path.to_owned());
        }
        if paths.is_empty() {
            return Ok(());
        }
        self.record(Event::HarnessFilesChanged { paths }).await
    }

    /// The due update of the plan; `None` if the task updates none.
    pub(super) async fn due_update(&self) -> Result<Option<DueUpdate>, Error> {
        let task = self.with_machine(|machine| {
            machine.updates_plan().then(|| plan::parse_task_file(&machine.texts().task, Some(machine.task())))
        });
        Ok(match task {
            Some(task) => Some(DueUpdate::of(self.host.project(), task).await?),
            None => None,
        })
    }

    pub(super) fn run_id(&self) -> &str {
        self.journal.run_id()
    }

    pub(super) fn now(&self) -> u64 {
        self.host.clock().now()
    }

    /// Keeps the host's own error behind a fault that the journal will name.
    pub(super) fn keep(&self, error: PortError) {
        *self.last_error.borrow_mut() = Some(error);
    }

    /// The error of a fault, with the host's own error where this page met it.
    pub(super) fn fault(&self, fault: &Fault) -> Error {
        match self.last_error.borrow().clone() {
            Some(error) if error.to_string() == fault.message => error.into(),
            // A gate tells the host's words at the end of its own.
            Some(error) if fault.message.ends_with(&error.to_string()) => {
                let mut told = Error::new(fault.code, fault.message.clone());
                told.cause.clone_from(&error.cause);
                told
            }
            _ => Error::new(fault.code, fault.message.clone()),
        }
    }
}

impl<H: Host> Observer for Session<'_, H> {
    async fn observe(&self, fact: IterationFact) -> Result<(), Error> {
        let event = Event::of_fact(fact, |usage| self.with_machine(|machine| machine.usage_with(usage)));
        self.record(event).await
    }

    fn stream(&self, delta: ModelDelta) {
        let (seq, at) = (self.journal.last_seq(), self.now());
        let run_id = self.journal.run_id().to_owned();
        (self.listener)(&Envelope { seq, at, run_id, event: delta.into() });
    }

    fn model_time(&self) -> u64 {
        let now = self.now();
        self.with_machine(|machine| machine.model_time(now))
    }
}

/// The first fact of a new run, and what it cost to take the message apart. The task and its number are decided here, so
/// that a start that is repeated repeats them.
async fn started<H: Host>(
    host: &H,
    options: &RunOptions,
    limits: &Limits,
    abort: &Abort,
) -> Result<(Event, Vec<Paid>), Error> {
    let mut notes = Vec::new();
    if host.git().is_none() {
        notes.push("There is no git port: no snapshots are taken, and nothing can be rolled back.".to_owned());
    }
    let before = unfinished::before(host.project(), &options.run_id).await.unwrap_or_else(|error| {
        notes.push(error.message.clone());
        Before::default()
    });
    let journaled = before.run.map_or(0, |machine| machine.task());
    let counter = plan::task_number(host.project()).await?;
    // Without a counter, the markers of the plan have the numbers of earlier tasks.
    let marked = match counter {
        Some(_) => 0,
        None => plan::newest_task(&host.project().read_text(plan::PLAN).await?.unwrap_or_default()),
    };
    let journaled = journaled.max(marked);
    let known = snapshot::known_tasks(host, counter.unwrap_or(0)).await?;
    let known = KnownTasks { next: known.next.max(journaled.saturating_add(1)), ..known };
    let task_number = known.next;
    // Boxed as the commands are: the stack of a tab is 1 MB.
    let (task, paid) = Box::pin(take_in(host, options, limits, abort, known, before.asked.as_ref())).await?;
    let (work, plan, task) = (options.work.clone(), options.plan, Some(task));
    Ok((Event::RunStarted { work, task_number, plan, task, notes }, paid))
}

/// The first fact of a run that goes on: what a crash left half done is finished before anything else.
async fn resumed<H: Host>(host: &H, mut repaired: Vec<String>) -> Result<Event, Error> {
    if let Some(rollback) = snapshot::finish_rollback(host).await? {
        repaired.push(format!("the rollback to {} that was cut off is finished", rollback.tag));
    }
    let plan = crate::task::plan_hash(host.project()).await?;
    Ok(Event::RunResumed { repaired, plan })
}

/// Prices usage that had no price in an earlier page.
fn price<H: Host>(host: &H, event: &mut Event) {
    if let Event::Usage { usage, model, .. } = event {
        *usage = agent::priced(host, *usage, model.as_deref());
    }
}

fn ended_iteration(event: &Event) -> Option<u32> {
    match event {
        Event::IterationFinished { iteration, close, .. } if *close != IterationClose::ModelFailed => Some(*iteration),
        _ => None,
    }
}

/// Facts that may stand between the end of an iteration and its snapshot.
fn may_precede_its_snapshot(event: &Event) -> bool {
    matches!(
        event,
        Event::Status { .. }
            | Event::PhaseChanged { .. }
            | Event::FileChanged { .. }
            | Event::HarnessFilesChanged { .. }
            | Event::BudgetWarning { .. }
            | Event::AbortRequested { .. }
            | Event::RunResumed { .. }
            | Event::RunFailed { .. }
    )
}

/// Why the phase changed, from the fact that changed it.
fn why(event: &Event) -> String {
    let why = match event {
        Event::RunStarted { .. } | Event::TaskStarted { .. } => "no plan is asked for",
        Event::PlanContext { .. } => "the plan is valid",
        Event::IterationFinished { .. } => "the agent says that it is done",
        Event::GatesFinished { feedback: None, .. } => "every gate passed",
        Event::GatesFinished { .. } => "a gate did not pass",
        Event::EvidenceOutdated { .. } => "files changed after the gates had judged them",
        Event::Steered { .. } => "the user sent a message",
        Event::AbortRequested { .. } => "the run was aborted",
        _ => "the run goes on",
    };
    why.to_owned()
}
