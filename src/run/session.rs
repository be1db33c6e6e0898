//! A running run: its host, journal, machine and listener.

use super::envelope::Envelope;
use super::event::{Event, RunStarted, shallow_args};
use super::journal::{self, Journal, Runs};
use super::lease::Lease;
use super::limits::{LimitOptions, Limits};
use super::machine::{Ending, Machine};
use super::options::{ConfigSources, RunControl, RunOptions, StopReason, Work};
use super::ownership;
use super::recipe::{self, Kind, Recipe, View};
use super::record::Records;
use super::resumed;
use super::spending::{self, Spending};
use crate::agent::{self, FileList, IterationFact, Observer, Paid};
use crate::config::{Config, Settings};
use crate::error::{Error, ErrorCode};
use crate::gate::RequirementReport;
use crate::ledger::Ledger;
use crate::plan::Registry;
use crate::port::{Abort, Answer, Host, ModelDelta, PricesPort, Question, QuestionKind, Usage, amount};
use crate::snapshot::{self, Evidence, Manifest, Watch};
use futures_util::future::LocalBoxFuture;
use futures_util::lock::Mutex;
use serde_json::Value;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Gets every journaled fact and every streamed delta, with its JSON text.
pub(super) type Listener<'a> = &'a dyn Fn(&Envelope, &str);

pub(crate) struct Session<'a> {
    pub host: &'a Host,
    pub control: &'a RunControl,
    /// The layers of the configuration that are not in the project.
    pub config: ConfigSources,
    pub settings: Settings,
    /// Owned if the host passes it.
    pub registry: Cow<'static, Registry>,
    /// The result of the last scan, which makes snapshots faster.
    pub watch: Watch,
    /// The list of files in the prompts.
    pub files: FileList,
    /// The hashes of the files that the last digest read; empty text for a missing file.
    pub hashes: RefCell<BTreeMap<String, String>>,
    /// The harness's files as this page wrote or found them.
    pub written: RefCell<BTreeMap<String, Option<String>>>,
    /// The files that the gates judged last in this page, to name the files that changed since.
    pub judged: RefCell<Option<Evidence>>,
    /// The evidence that the gates of the present round found, until the verification completes the round.
    pub requirements: RefCell<Vec<RequirementReport>>,
    /// The files of the last snapshot by the id of their tree.
    pub saved: RefCell<Option<(String, Manifest)>>,
    pub records: Records,
    /// What the runs of the project spent.
    pub spending: RefCell<Spending>,
    journal: Journal<'a>,
    /// Held by whoever writes the journal.
    writing: Mutex<()>,
    machine: RefCell<Machine>,
    listener: Listener<'a>,
}

impl<'a> Session<'a> {
    /// Opens the journal of a run: a new one, or the journal of the run to resume.
    ///
    /// # Errors
    /// As [`check`]; `not-found`, `corrupt` or `unsupported` for a journal that cannot be resumed.
    pub(super) async fn open(
        host: &'a Host,
        options: RunOptions,
        config: Config,
        control: &'a RunControl,
        listener: Listener<'a>,
        lease: &'a Lease<'a>,
    ) -> Result<Self, Error> {
        let (mut facts, mut start_paid) = (Vec::new(), Vec::new());
        // Whether the end of the journal is lost, in a resumed run.
        let mut is_lost = None;
        let records = Records::new(options.resume);
        let runs = lease.runs.borrow().clone();
        let spending;
        let (journal, machine) = if options.resume {
            let (journal, mut found) = Journal::open(lease).await?;
            let mut machine = Machine::new(&options.run_id);
            for envelope in &mut found.events {
                price(host, &config.settings, &mut envelope.event);
                machine.apply(envelope)?;
                records.add(envelope);
            }
            if machine.is_over() {
                let message = format!("run {} is finished: start a new one", options.run_id);
                return Err(Error::new(ErrorCode::InvalidArgument, message));
            }
            if found.events.is_empty() {
                let message = format!("run {} ended before its first event: start a new one", options.run_id);
                return Err(Error::new(ErrorCode::NotFound, message));
            }
            // What other questions are about does not depend on the files.
            let works = machine.run.asked.open.as_ref().is_none_or(|open| open.kind.is_of_work());
            if works && let Some((later, spec)) = runs.successor(&options.run_id) {
                let message = format!(
                    "run {} cannot go on, because run {later} worked on {spec} since: resume that run, or start a new one",
                    options.run_id
                );
                return Err(Error::new(ErrorCode::InvalidArgument, message));
            }
            let closed = closed_at(lease, &found.events);
            is_lost = Some(!found.repaired.is_empty());
            facts.push(resumed(host, found.repaired, closed).await?);
            lease.change_runs(|runs| runs.resume(&options.run_id, lease.number));
            journal::save_runs(lease).await?;
            let limits = limits_of_resume(host, &options, &config, &machine)?;
            if limits != machine.run.limits {
                facts.push(Event::LimitsChanged { limits });
            }
            let (known, read) =
                spending::facts(host.project(), &runs, &limits, &options.run_id, host.clock.now()).await?;
            spending = known;
            facts.extend(read);
            facts.extend(answers(host, &machine, options.answers)?);
            (journal, machine)
        } else {
            let (first, paid) = first_fact(host, &options, &config, control, &runs).await?;
            start_paid = paid;
            let limits = first.limits;
            facts.push(Event::RunStarted(Box::new(first)));
            let (known, read) =
                spending::facts(host.project(), &runs, &limits, &options.run_id, host.clock.now()).await?;
            spending = known;
            facts.extend(read);
            if let Work::Task { message } = &options.work
                && matches!(host.redactor.text(message), Cow::Owned(_))
            {
                facts.push(Event::status(SECRET_IN_MESSAGE));
            }
            (Journal::create(lease).await?, Machine::new(&options.run_id))
        };
        if is_changed(&config, &machine) {
            let settings = Box::new(config.settings.clone());
            facts.push(Event::ConfigLoaded { config: config.hash(), settings });
            facts.extend(config.warnings.into_iter().map(|warning| Event::ConfigWarning { warning }));
        }
        let session = Self {
            host,
            control,
            config: options.config,
            settings: config.settings,
            registry: options.registry,
            watch: Watch::of_run(&options.run_id),
            files: FileList::default(),
            hashes: RefCell::default(),
            written: RefCell::default(),
            judged: RefCell::default(),
            requirements: RefCell::default(),
            saved: RefCell::default(),
            records,
            spending: RefCell::new(spending),
            journal,
            writing: Mutex::default(),
            machine: RefCell::new(machine),
            listener,
        };
        session.record_all(facts).await?;
        if let Some(is_lost) = is_lost {
            resumed::resume(&session, is_lost).await?;
        }
        for paid in start_paid.into_iter().filter(|paid| paid.usage != Usage::default()) {
            session.record(session.usage(paid)).await?;
        }
        Ok(session)
    }

    pub(super) fn with_machine<T>(&self, look: impl FnOnce(&Machine) -> T) -> T {
        look(&self.machine.borrow())
    }

    /// Looks at the run as its recipe sees it.
    pub(super) fn with<R: Recipe, T>(&self, look: impl FnOnce(&View<'_, R>) -> T) -> T {
        let machine = self.machine.borrow();
        match R::downcast(&machine.recipe) {
            Some(recipe) => look(&View::new(&machine, recipe)),
            None => look(&View::new(&machine, &R::default())),
        }
    }

    /// The kind of the run's work.
    pub(super) fn kind(&self) -> Kind {
        self.with_machine(Machine::kind)
    }

    /// Journals a fact, folds it, publishes it, and records the facts that follow from it.
    pub(super) async fn record(&self, event: Event) -> Result<(), Error> {
        if let Event::QuestionAnswered { id, answer } = &event {
            refuse_secret(self.host, id, answer)?;
        }
        let before = self.with_machine(Machine::phase);
        let said = matches!(event, Event::QuestionAnswered { .. } | Event::Steered { .. }).then(|| event.clone());
        let envelope = self.append(event).await?;
        // If somebody cuts the journal off before such an event, the index or the lease shows it.
        match envelope.event {
            Event::QuestionAnswered { .. } => {
                self.lease().change_runs(|runs| runs.reached(self.run_id(), envelope.seq + 1));
                journal::save_runs(self.lease()).await?;
            }
            Event::RunFinished { .. } => self.lease().events.set(envelope.seq + 1),
            Event::UnguardedStarted { .. } => self.record_edited().await?,
            _ => {}
        }
        if said.is_some_and(|said| said != envelope.event) {
            self.append(Event::status(SECRET_IN_MESSAGE)).await?;
        }
        let now = self.now();
        for event in self.with_machine(|machine| machine.follow_ups(before, &envelope.event, now)) {
            self.append(event).await?;
        }
        Ok(())
    }

    pub(super) async fn record_all(&self, facts: Vec<Event>) -> Result<(), Error> {
        for fact in facts {
            self.record(fact).await?;
        }
        Ok(())
    }

    /// Records what the user did since: the abort, and messages. Messages that come too late are named.
    pub(super) async fn receive(&self) -> Result<(), Error> {
        if let Some(reason) = self.control.abort.reason()
            && let Some(fact) = self.with_machine(|machine| machine.abort(reason))
        {
            self.record(fact).await?;
        }
        for message in self.control.steering.take() {
            if self.with_machine(|machine| machine.run.takes_messages()) {
                if let Some(Ending::Stopped(StopReason::Done, _)) = self.with_machine(Machine::ending) {
                    self.kind().reopen(self).await?;
                }
                self.record(Event::Steered { message }).await?;
            } else {
                self.status(format!("The run has ended, so this message is not answered: {message}")).await?;
            }
        }
        Ok(())
    }

    /// Records a fact of a command that goes on, so that the user sees it.
    pub(super) async fn progress(&self, fact: Event) -> Result<(), Error> {
        self.record(fact).await
    }

    pub(super) async fn status(&self, text: impl Into<String>) -> Result<(), Error> {
        self.record(Event::status(text)).await
    }

    /// The fact of a model call outside of an iteration.
    pub(super) fn usage(&self, mut paid: Paid) -> Event {
        self.price(&mut paid);
        self.with_machine(|machine| Event::of_fact(IterationFact::Usage(paid), &machine.run))
    }

    fn price(&self, Paid { usage, model, .. }: &mut Paid) {
        *usage = configured(&self.settings, *usage, model.as_deref());
    }

    async fn append(&self, event: Event) -> Result<Envelope, Error> {
        let _turn = self.writing.lock().await;
        let mut envelope = self.envelope(self.journal.next_seq(), event);
        // Checked before it is written, so a wrong fact cannot make the journal unreadable.
        self.with_machine(|machine| machine.check(&envelope))?;
        let mut json = envelope.to_json()?;
        // Also in this page the run continues with what the journal has.
        if let Some(clean) = self.host.redactor.json(&json) {
            envelope.event =
                Event::read(&clean).map_err(|why| Error::new(ErrorCode::InvalidArgument, unreadable(&why)))?;
            json = envelope.to_json()?;
        }
        self.journal.append(&json, envelope.event.durability()).await?;
        self.machine.borrow_mut().apply(&envelope)?;
        self.records.add(&envelope);
        (self.listener)(&envelope, &json);
        Ok(envelope)
    }

    fn envelope(&self, seq: u64, event: Event) -> Envelope {
        Envelope::new(seq, self.now(), self.run_id().to_owned(), self.journal.lease(), event)
    }

    /// A new question, with its expiry. The hook of a pull request opens it, so its answer is true at any time.
    pub(super) fn expiring(&self, question: Question) -> Question {
        let lifetime = self.settings.approvals.expires_after_ms.filter(|_| question.kind != QuestionKind::PullRequest);
        Question { expires_at: lifetime.map(|ms| self.now().saturating_add(ms)), ..question }
    }

    /// The runs of the project.
    pub(super) fn runs(&self) -> Rc<Runs> {
        self.lease().runs.borrow().clone()
    }

    /// The right to write the project.
    pub(super) fn lease(&self) -> &Lease<'a> {
        self.journal.lease_held()
    }

    pub(super) fn run_id(&self) -> &str {
        self.journal.run_id()
    }

    pub(super) fn now(&self) -> u64 {
        self.host.clock.now()
    }

    /// The commit of a snapshot that the run saved. Its tag does not decide what was saved, because anyone can move it.
    ///
    /// # Errors
    /// `conflict` if the tag moved.
    pub(super) async fn saved_commit(&self, tag: &str) -> Result<String, Error> {
        let Some(commit) = self.with_machine(|machine| machine.run.commits.get(tag).cloned()) else {
            return Ok(tag.to_owned());
        };
        match snapshot::resolve(self.host, tag).await?.filter(|(_, now)| *now != commit) {
            None => Ok(commit),
            Some((full, now)) => {
                let message = format!(
                    "the tag {tag} moved to {now}; the run saved {commit} there. Put it back with \
                     `git update-ref {full} {commit}`, and resume the run"
                );
                Err(Error::new(ErrorCode::Conflict, message))
            }
        }
    }

    /// Writes a record for readers, without secrets.
    pub(super) async fn write_record(&self, path: &str, text: &str) -> Result<(), Error> {
        Ok(self.host.project().write(path, self.host.redactor.text(text).as_bytes()).await?)
    }

    fn relative(&self, paths: BTreeSet<String>) -> BTreeSet<String> {
        paths.into_iter().map(|path| self.host.project().relative(&path)).collect()
    }

    /// Records what the user edits during a call that may change anything, so that it is known if the page is closed then.
    /// Returns when the run `ended`; an append that has begun is completed.
    pub(super) async fn keep_edited(&self, ended: &Abort) {
        loop {
            let bell = self.control.edited.bell();
            // If the storage fails, the next write of the run reports it.
            let _ = self.record_edited().await;
            if ended.race(bell.fired()).await.is_err() {
                return;
            }
        }
    }

    async fn record_edited(&self) -> Result<(), Error> {
        let edited = self.relative(self.control.edited.paths());
        match self.with_machine(|machine| machine.run.ledger.is_told(&edited)) {
            true => Ok(()),
            false => self.append(Event::UserEdits { paths: edited }).await.map(drop),
        }
    }

    /// The user edits these files now.
    pub(super) fn announce_edited(&self, paths: impl IntoIterator<Item = String>) {
        self.control.edited.add(paths);
    }
}

impl Observer for Session<'_> {
    fn observe(&self, mut fact: IterationFact) -> LocalBoxFuture<'_, Result<(), Error>> {
        if let IterationFact::Usage(paid) | IterationFact::Answered { paid, .. } = &mut fact {
            self.price(paid);
        }
        let event = self.with_machine(|machine| Event::of_fact(fact, &machine.run));
        Box::pin(self.record(event))
    }

    fn stream(&self, delta: ModelDelta) {
        let answer = self.with_machine(|machine| machine.run.calls()) + 1;
        let Some(event) = Event::of_delta(delta, answer) else { return };
        let envelope = self.envelope(self.journal.next_seq().saturating_sub(1), event);
        if let Ok(json) = envelope.to_json() {
            (self.listener)(&envelope, &json);
        }
    }

    fn model_time(&self) -> u64 {
        let now = self.now();
        self.with_machine(|machine| machine.run.model_time(now))
    }

    fn settle(&self) -> LocalBoxFuture<'_, Result<(), Error>> {
        Box::pin(async move {
            let _turn = self.writing.lock().await;
            self.journal.settle().await
        })
    }

    fn record_found<'b>(&'b self, files: &'b Manifest) -> LocalBoxFuture<'b, Result<(), Error>> {
        Box::pin(async move { ownership::record_found(self, files, false).await.map(drop) })
    }

    fn expected(&self) -> LocalBoxFuture<'_, Result<BTreeSet<String>, Error>> {
        Box::pin(ownership::expected(self))
    }

    fn ledger(&self) -> Ledger {
        self.with_machine(|machine| machine.run.ledger.clone())
    }

    fn take_edited(&self) -> BTreeSet<String> {
        self.relative(self.control.edited.take())
    }

    fn approval(&self, details: Value) -> Result<Answer, Question> {
        let text = details.to_string();
        let details = match self.host.redactor.json(&text) {
            None => details,
            // As the journal has it. The seal tells calls apart that differ in their secrets.
            Some(mut clean) => {
                let call = ["name", "args"].map(|key| details.get(key).map(Value::to_string).unwrap_or_default());
                let seal = self.host.project().key().sign("call", &call.concat());
                if let Some(fields) = clean.as_object_mut() {
                    fields.insert("seal".to_owned(), seal.into());
                }
                clean
            }
        };
        self.with_machine(|machine| machine.run.asked.approval(shallow_args(details)))
            .map_err(|question| self.expiring(question))
    }
}

/// Checks the options and the host before anything is written or the model is called, and returns the configuration.
///
/// # Errors
/// `invalid-argument`, `invalid-config` or `unsupported`, with the name of what is wrong; `conflict` if a new run exists;
/// `fs`.
pub(super) async fn check(host: &Host, options: &RunOptions, abort: &Abort) -> Result<Config, Error> {
    options.check()?;
    options.limits.resolve()?;
    agent::check_tool_names(host)?;
    let config = options.config.load(host.project()).await?;
    let roles = Kind::from_work(&options.work).roles(&config.settings);
    let is_unconfigured = roles.iter().all(|role| config.settings.model(*role).1.is_none());
    if host.model.is_none() && !roles.is_empty() && is_unconfigured {
        return Err(Error::new(ErrorCode::InvalidArgument, "runLoop needs a model: pass `model` with the host"));
    }
    // A run that only ends needs nothing.
    if !roles.is_empty() && !abort.is_aborted() {
        recipe::check_host(host, &config, &roles)?;
    }
    if !options.resume {
        limits(host, options, &config.settings)?;
        crate::gate::check_selection(host, &config.settings.gates)?;
        journal::require_new(host.project(), &options.run_id).await?;
    }
    Ok(config)
}

async fn first_fact(
    host: &Host,
    options: &RunOptions,
    config: &Config,
    control: &RunControl,
    runs: &Runs,
) -> Result<(RunStarted, Vec<Paid>), Error> {
    let fact = RunStarted::new(options.work.clone(), limits(host, options, &config.settings)?);
    Kind::from_work(&options.work).start(host, options, config, fact, &control.abort, runs).await
}

/// The limits of a new run: the caller's, then the configuration's, then the defaults.
fn limits(host: &Host, options: &RunOptions, settings: &Settings) -> Result<Limits, Error> {
    let max_iterations = Kind::from_work(&options.work).max_iterations();
    let base = Limits { max_iterations, ..Limits::default() };
    limits_over(host, &options.limits.or(settings.limits), settings, &base)
}

/// The limits of a resumed run: the caller's, then a changed configuration's, then the limits that it had.
fn limits_of_resume(host: &Host, options: &RunOptions, config: &Config, machine: &Machine) -> Result<Limits, Error> {
    let configured = if is_changed(config, machine) { config.settings.limits } else { LimitOptions::default() };
    limits_over(host, &options.limits.or(configured), &config.settings, &machine.run.limits)
}

/// Whether the configuration differs from the recorded one.
fn is_changed(config: &Config, machine: &Machine) -> bool {
    match &machine.run.config {
        Some((hash, _)) => *hash != config.hash(),
        None => !config.origins.is_empty(),
    }
}

fn limits_over(host: &Host, given: &LimitOptions, settings: &Settings, base: &Limits) -> Result<Limits, Error> {
    let mut limits = given.over(base)?;
    limits.max_retries = settings.defaults.max_retries;
    limits.check_cost(host.prices.is_some() || !settings.models.is_empty())?;
    limits.iteration_snapshots = if host.git.is_some() { settings.snapshots.iterations } else { 0 };
    Ok(limits)
}

/// The first fact of a resumed run. Finishes an interrupted rollback first.
async fn resumed(host: &Host, mut repaired: Vec<String>, closed: Option<u64>) -> Result<Event, Error> {
    if let Some(rollback) = snapshot::finish_rollback(host).await? {
        repaired.push(format!("the interrupted rollback to {} is finished", rollback.tag));
    }
    let plan = crate::task::plan_hash(host.project()).await?;
    Ok(Event::RunResumed { repaired, plan, closed })
}

/// When the page before was alive last.
fn closed_at(lease: &Lease<'_>, events: &[Envelope]) -> Option<u64> {
    let number = events.last()?.lease;
    let of_page = events.iter().rev().take_while(|envelope| envelope.lease == number);
    of_page.map(|envelope| envelope.at).chain(lease.renewed(number)).max()
}

/// The journal has no secrets, and the agent works on what the journal has.
const SECRET_IN_MESSAGE: &str = "The message has a secret, and the agent gets `[redacted]` in its place. Write the secret \
                                 into a file, and name the file in the message.";

/// The facts of the user's answers.
///
/// # Errors
/// `invalid-argument` for an answer to no question of the run, or one that the recipe cannot use or the journal cannot have.
fn answers(host: &Host, machine: &Machine, given: BTreeMap<String, Answer>) -> Result<Vec<Event>, Error> {
    let (asked, now) = (&machine.run.asked, host.clock.now());
    let fact = |(id, answer): (String, Answer)| {
        if asked.answered.contains_key(&id) {
            return Ok(Event::status(format!("The question {id} is answered already; the first answer counts.")));
        }
        if asked.open.as_ref().is_none_or(|open| open.id != id) {
            let open =
                asked.open.as_ref().map_or("no question is open".to_owned(), |open| format!("it asks {}", open.id));
            let message = format!("`answers[{id:?}]`: the run has no such question; {open}");
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        if let Some(answer) = asked.open.as_ref().and_then(|open| open.expired(now)) {
            return Ok(Event::QuestionAnswered { id, answer });
        }
        let answer = answer.tidy();
        machine.check_answer(&answer).map_err(|problem| {
            Error::new(ErrorCode::InvalidArgument, format!("`answers[{id:?}].value` is unusable: {problem}"))
        })?;
        refuse_secret(host, &id, &answer)?;
        Ok(Event::QuestionAnswered { id, answer })
    };
    given.into_iter().map(fact).collect()
}

/// The value of an answer without its secrets is another value, and the run works with what the journal has.
fn refuse_secret(host: &Host, id: &str, answer: &Answer) -> Result<(), Error> {
    if answer.value.as_ref().is_none_or(|value| host.redactor.json(&value.to_string()).is_none()) {
        return Ok(());
    }
    let message =
        format!("the value of the answer to the question {id} has a secret: write it into a file, and name the file");
    Err(Error::new(ErrorCode::InvalidArgument, message))
}

fn unreadable(why: &str) -> String {
    format!(
        "an event without the host's secrets cannot be read ({why}): a value of `secrets` is an ordinary word, remove it"
    )
}

/// Adds the cost to usage if an earlier page had no prices.
fn price(host: &Host, settings: &Settings, event: &mut Event) {
    if let Event::Usage { usage, model, .. } = event {
        *usage = configured(settings, agent::priced(host, *usage, model.as_deref()), model.as_deref());
    }
}

/// The usage with the cost by the configured prices, unless it is known.
fn configured(settings: &Settings, usage: Usage, model: Option<&str>) -> Usage {
    let cost = || settings.models.cost(&usage, model).filter(|_| usage.tokens() > 0).and_then(amount);
    Usage { cost_usd: usage.cost_usd.or_else(cost), ..usage }
}
