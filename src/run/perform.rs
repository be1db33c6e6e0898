//! Performs the commands that all recipes share: through the ports, to facts.

use super::event::{ChangedBy, Event, IterationClose};
use super::fault::Fault;
use super::machine::{Asked, Command};
use super::ownership;
use super::recipe::{self, AfterIteration, AnyRecipe};
use super::record;
use super::session::Session;
use super::verify::verify_round;
use crate::agent::{self, FileChangeKind, FileWrite, IterationEnd, IterationInput, Observer, SteerQueue};
use crate::error::{Error, ErrorCode};
use crate::gate;
use crate::layout::{ITERATION_REFS, is_judged, is_task_file};
use crate::ledger::{Write, is_in};
use crate::path;
use crate::port::{Abort, AgentRole, Answer, Decision, Deed, FileKind, QuestionKind, Rights};
use crate::snapshot::{self, Entry, Follower, Manifest, Mode, Oid, SaveOptions, SavedBy, SnapshotInfo, SnapshotKind};
use crate::task;
use std::collections::BTreeSet;

/// The result of a command.
pub(crate) enum Performed {
    /// The facts that complete it, in journal order.
    Facts(Vec<Event>),
    /// The same after a failure of the host, with the error that the caller gets if it ends the run.
    Failed(Vec<Event>, Error),
    /// The caller's abort interrupted it, after these facts.
    Aborted(Vec<Event>),
    /// An error ends the run, after these facts.
    Broken(Vec<Event>, Error),
}

impl Performed {
    /// What happened is a fact, also if the rest of the command fails.
    pub(crate) fn after(mut facts: Vec<Event>, rest: Result<Vec<Event>, Error>) -> Self {
        match rest {
            Ok(rest) => {
                facts.extend(rest);
                Self::Facts(facts)
            }
            Err(error) => Self::Broken(facts, error),
        }
    }

    /// The caller's abort interrupted it.
    pub(crate) fn aborted() -> Self {
        Self::Aborted(Vec::new())
    }

    /// The command is complete with a fact.
    pub(crate) fn fact(fact: impl Into<Event>) -> Self {
        fact.into().into()
    }
}

impl From<Event> for Performed {
    fn from(fact: Event) -> Self {
        Self::Facts(vec![fact])
    }
}

/// Performs a command. A command that left no fact is performed again, so each one first completes or undoes partial
/// work.
pub(super) async fn perform(session: &Session<'_>, command: Command) -> Result<Performed, Error> {
    // Boxed, because each future contains the futures of all its calls, and the stack of a tab is 1 MB.
    match command {
        Command::RunIteration(iteration) => Box::pin(run_iteration(session, iteration)).await,
        Command::SaveIteration(iteration) => Box::pin(save_iteration(session, iteration)).await,
        Command::RunGates => Box::pin(run_gates(session)).await,
        Command::Verify => Box::pin(verify_round(session)).await,
        Command::ApplyFixes(gates) => Box::pin(apply_fixes(session, gates)).await,
        Command::Wait(ms) => wait(session, ms).await,
        Command::Ask(kind) => Box::pin(ask(session, kind)).await,
        Command::Recipe(command) => recipe::perform(session, command).await,
        Command::Finish(_) => Ok(Performed::Facts(Vec::new())),
    }
}

/// Writes the harness's files that differ from their expected text. Returns the fact that names them. The agent's shell or
/// the user may have changed them, so they are compared before each command, unless the watch saw every change since.
pub(super) async fn write_files(session: &Session<'_>) -> Result<Option<Event>, Error> {
    let project = session.host.project();
    let changed = session.watch.take_changed(Follower::Harness);
    let mut written = session.written.take();
    let mut paths = Vec::new();
    for (path, text) in session.with_machine(AnyRecipe::files) {
        let is_untouched = changed.as_ref().is_some_and(|changed| !is_in(changed, &path));
        if is_untouched && written.get(&path) == Some(&text) {
            continue;
        }
        if project.read(&path).await?.as_deref() != text.as_deref().map(str::as_bytes) {
            session.watch.touch(&path);
            match &text {
                None => project.remove_file(&path).await?,
                Some(text) if is_task_file(&path) => project.write(&path, text).await?,
                Some(text) => {
                    // A later run reads it: a page that is closed meanwhile leaves the former file.
                    let beside = format!("{path}.next");
                    project.write(&beside, text).await?;
                    project.rename(&beside, &path).await?;
                }
            }
            paths.push(path.clone());
        }
        written.insert(path, text);
    }
    session.written.replace(written);
    Ok((!paths.is_empty()).then_some(Event::HarnessFilesChanged { paths }))
}

async fn run_iteration(session: &Session<'_>, iteration: u32) -> Result<Performed, Error> {
    let mut brief = session.kind().brief(session).await?;
    let decisions = session.with_machine(|machine| machine.run.asked.decisions(brief.rights.role));
    brief.prompt.user.push_str(&decisions);
    record::begin(session, &agent::system_text(&brief.rights, &brief.prompt), &brief.prompt.user).await?;
    let limits = session.with_machine(|machine| machine.run.limits);
    // A message is an order for the role that changes files. The others get it as part of the work.
    let held = SteerQueue::default();
    let input = IterationInput {
        rights: &brief.rights,
        model: brief.model.as_deref(),
        prompt: &brief.prompt,
        registry: &session.registry,
        max_tool_calls: limits.max_tool_calls,
        model_idle_ms: limits.model_idle_ms,
        steering: if brief.rights.role == AgentRole::Builder { &session.control.steering } else { &held },
        watch: &session.watch,
        answer: brief.answer.as_ref(),
    };
    let outcome = agent::run_iteration(session.host, &input, session, &session.control.abort).await?;
    let mut failure = None;
    let (close, signal) = match outcome.end {
        IterationEnd::Aborted => return Ok(Performed::aborted()),
        IterationEnd::Completed(signal) => (IterationClose::Completed, Some(signal)),
        IterationEnd::Waiting => (IterationClose::Waiting, None),
        IterationEnd::Asked => (IterationClose::Asked, None),
        IterationEnd::Stopped => (IterationClose::Stopped, None),
        IterationEnd::ToolLimit => (IterationClose::ToolLimit, None),
        IterationEnd::Budget => (IterationClose::Budget, None),
        IterationEnd::ModelFailed(error) => {
            failure = Some(error);
            (IterationClose::ModelFailed, None)
        }
    };
    let AfterIteration { worked, plan, tree, notes } =
        session.kind().after_iteration(session, &outcome.files_changed).await?;
    let fact = Event::IterationFinished {
        iteration,
        tool_calls: outcome.tool_calls,
        files_changed: outcome.files_changed,
        close,
        signal,
        worked,
        plan,
        tree,
        answer: outcome.answer,
        fault: failure.as_ref().map(Fault::from),
    };
    let facts = notes.into_iter().chain([fact]).collect();
    Ok(match failure {
        Some(error) => Performed::Failed(facts, error.into()),
        None => Performed::Facts(facts),
    })
}

/// Saves the project after an iteration. If that fails, the run continues without this snapshot.
async fn save_iteration(session: &Session<'_>, number: u32) -> Result<Performed, Error> {
    let began = session.now();
    let (message, kept) = session
        .with_machine(|machine| (machine.recipe.iteration_message(number), machine.run.limits.iteration_snapshots));
    let iteration = snapshot::Iteration { run: session.run_id(), number, message: &message, kept };
    match snapshot::save_iteration(session.host, &session.watch, &iteration).await {
        Ok(snapshot) => Ok(saved(session, snapshot, began).await?.into()),
        Err(error) => {
            let text = format!("There is no snapshot of iteration {number}; the run continues without it: {error}");
            let tag = format!("{ITERATION_REFS}/{}/{number}", session.run_id());
            Ok(Performed::Facts(vec![Event::status(text), Event::SnapshotSkipped { tag }]))
        }
    }
}

/// Saves the project under a tag, with a scan of all files. Returns the tag and the fact: the tag has a number if an
/// earlier run has it.
pub(crate) async fn save_as(
    session: &Session<'_>,
    tag: &str,
    kind: SnapshotKind,
    message: &str,
) -> Result<(String, Event), Error> {
    let began = session.now();
    session.watch.distrust(session.host);
    let options = save_options(session, tag, kind, message);
    let snapshot = snapshot::save_in(session.host, &session.watch, &options).await?;
    Ok((snapshot.tag.clone(), saved(session, snapshot, began).await?))
}

/// The options of a snapshot of this run.
pub(crate) fn save_options(session: &Session<'_>, tag: &str, kind: SnapshotKind, message: &str) -> SaveOptions {
    let by = SavedBy::Run { id: session.run_id().to_owned(), kind };
    SaveOptions { message: Some(message.to_owned()), tag: Some(tag.to_owned()), name: None, by }
}

/// The fact of a snapshot. Records what the user changed before it.
pub(crate) async fn saved(session: &Session<'_>, snapshot: SnapshotInfo, began: u64) -> Result<Event, Error> {
    if let Some(files) = session.watch.files() {
        ownership::record_found(session, &with_left_out(session, files.clone()).await?, false).await?;
        session.saved.replace(Some((snapshot.tree.clone(), files)));
    }
    Ok(Event::SnapshotSaved { snapshot, duration_ms: session.now().saturating_sub(began) })
}

/// A snapshot lacks the ignored files and the files of other repositories, which are as they were.
async fn with_left_out(session: &Session<'_>, mut files: Manifest) -> Result<Manifest, Error> {
    let (ledger, expected) = (session.ledger(), ownership::expected(session).await?);
    let saved = session.saved.borrow();
    for path in expected.into_iter().filter(|path| session.watch.is_left_out(path)) {
        let saved = saved.as_ref().and_then(|(_, saved)| saved.get(&path).copied());
        if let Some(entry) = ledger.known(&path).unwrap_or(saved) {
            files.entry(path).or_insert(entry);
        }
    }
    Ok(files)
}

async fn run_gates(session: &Session<'_>) -> Result<Performed, Error> {
    session.watch.distrust(session.host);
    ownership::record_user_changes(session).await?;
    let present = snapshot::evidence(session.host, &is_judged).await?;
    let facts = session.kind().gate_facts(session, &present).await?;
    let check = gate::check_present(session.host, &session.settings.gates, facts, &present, &session.control.abort);
    let checked = Box::pin(check).await;
    ownership::after_gates(session).await?;
    *session.judged.borrow_mut() = Some(present);
    let Ok(gate::Checked { reports, files, requirements, error }) = checked else {
        return Ok(Performed::aborted());
    };
    let mut done = Vec::new();
    for gate::ReportFile { path, text } in files {
        session.watch.touch(path);
        let written = match text {
            Some(text) => session.write_record(path, &text).await,
            None => session.host.project().remove_file(path).await.map_err(Error::from),
        };
        if let Err(error) = written {
            return Ok(Performed::Broken(done, error));
        }
    }
    let finished = match session.with_machine(|machine| machine.run.verifies(&reports)) {
        true => {
            session.requirements.replace(requirements);
            None
        }
        false => Some(session.with_machine(|machine| machine.run.finish_round(&reports, requirements))),
    };
    done.extend(reports.into_iter().map(|report| Event::GateChecked { report }));
    done.extend(finished);
    Ok(match error {
        Some(error) => Performed::Failed(done, error.into()),
        None => Performed::Facts(done),
    })
}

async fn apply_fixes(session: &Session<'_>, gates: Vec<String>) -> Result<Performed, Error> {
    let captured = ownership::record_user_changes(session).await?;
    session.watch.distrust(session.host);
    let reports = session.with_machine(|machine| machine.run.reports().to_vec());
    let known = session.judged.borrow().clone();
    let judged = match known {
        Some(judged) => Some(judged),
        None => {
            let now = snapshot::evidence(session.host, &is_judged).await?;
            let tree = session.with_machine(|machine| machine.run.judged_tree().map(str::to_owned));
            Some(now).filter(|now| tree.as_ref() == Some(&now.tree))
        }
    };
    // A fix does the builder's work.
    let rights = Rights::executor().under(&session.settings.policy);
    let mut facts = Vec::new();
    for report in reports.iter().filter(|report| gates.contains(&report.gate)) {
        let Some(fix) = &report.fix else { continue };
        let denial = rights.denial("", Deed::Write(&fix.file));
        let before = captured.as_ref().and_then(|captured| captured.files.get(&fix.file).copied());
        // The gate proposed the fix for the file that it judged.
        let is_other = judged.as_ref().is_none_or(|judged| judged.get(&fix.file) != before) && captured.is_some();
        if denial.is_some() || is_other {
            let why = match denial {
                Some(rule) => format!("the policy denies it ({})", rule.source()),
                None => "the file changed since".to_owned(),
            };
            facts.push(Event::status(format!("The fix of {} for {} is not written: {why}.", report.gate, fix.file)));
            continue;
        }
        let mut write = Write { path: fix.file.clone(), before, ..Write::default() };
        if session.host.git.is_some() {
            let oid = Oid::of_blob(fix.content.as_bytes());
            write.after = Some(Entry { mode: before.map_or(Mode::File, |before| before.mode), oid });
            ownership::announce(session, vec![write.clone()]).await?;
        }
        let existed = gate::apply_fix(session.host, fix).await?;
        let change = if existed { FileChangeKind::Modified } else { FileChangeKind::Created };
        facts.push(Event::status(format!("{} failed twice: {}", report.gate, fix.description)));
        facts.push(FileWrite { write, change }.by(ChangedBy::Harness));
    }
    facts.push(Event::FixesApplied { gates });
    Ok(Performed::Facts(facts))
}

async fn wait(session: &Session<'_>, ms: u64) -> Result<Performed, Error> {
    session.watch.distrust(session.host);
    let retry = Abort::new();
    session.control.retry.replace(retry.clone());
    let clock = &*session.host.clock;
    let began = clock.now();
    let slept = session.control.abort.race(retry.race(clock.sleep(ms))).await;
    // A retry by the user ends the wait early.
    let waited = |_| Event::Waited { ms: clock.now().saturating_sub(began) }.into();
    Ok(slept.map_or_else(|_| Performed::aborted(), waited))
}

/// Asks the user through the host's hook. Without one, the question stays open.
async fn ask(session: &Session<'_>, kind: QuestionKind) -> Result<Performed, Error> {
    if kind == QuestionKind::Whose && is_answered_by_edits(session).await? {
        return Ok(Performed::Facts(Vec::new()));
    }
    let Asked { open, interrupted, .. } = session.with_machine(|machine| machine.run.asked.clone());
    let Some(question) = open else {
        let question = session.expiring(session.with_machine(|machine| machine.question(kind)));
        return Ok(Event::QuestionAsked { question }.into());
    };
    let (id, abort) = (question.id.clone(), &session.control.abort);
    if let Some(answer) = question.expired(session.now()) {
        return Ok(Event::QuestionAnswered { id, answer }.into());
    }
    if interrupted && kind == QuestionKind::PullRequest {
        let text = "The page was closed while the pull request was opened: see whether it exists.";
        return Ok(Performed::Facts(vec![Event::status(text), Event::QuestionUnanswered { id }]));
    }
    let answer = match session.host.hooks.as_deref() {
        Some(hooks) => {
            // A hook is the IDE's code and may change files.
            session.watch.distrust(session.host);
            let hook = async { hooks.ask(&question, abort).await.map(|answer| of_hook(kind, answer)) };
            match question.answer_in_time(&*session.host.clock, abort, hook).await {
                Ok(answer) => answer,
                Err(_) => return Ok(Performed::aborted()),
            }
        }
        None => None,
    };
    if kind == QuestionKind::Whose && is_answered_by_edits(session).await? {
        return Ok(Performed::Facts(Vec::new()));
    }
    let Some(answer) = answer else { return Ok(Event::QuestionUnanswered { id }.into()) };
    if kind == QuestionKind::PullRequest && answer.decision != Decision::Allow {
        let text = format!("The pull request was not opened: {}", answer.reason.unwrap_or_default());
        return Ok(Performed::Facts(vec![Event::status(text), Event::QuestionUnanswered { id }]));
    }
    session.with_machine(|machine| machine.check_answer(&answer)).map_err(|problem| {
        let message = format!("the hook's answer to the question {id} is unusable: {problem}");
        Error::new(ErrorCode::InvalidArgument, message)
    })?;
    Ok(Event::QuestionAnswered { id, answer }.into())
}

/// Whether `run.edited` answers the question for every file.
async fn is_answered_by_edits(session: &Session<'_>) -> Result<bool, Error> {
    ownership::record_user_changes(session).await?;
    Ok(session.with_machine(|machine| machine.run.ledger.unclear().is_empty()))
}

fn of_hook(kind: QuestionKind, answer: Answer) -> Answer {
    let answer = answer.tidy();
    match (kind, answer.decision) {
        // The IDE wants another plan.
        (QuestionKind::Plan, Decision::Deny) => Answer { decision: Decision::Revise, ..answer },
        _ => answer,
    }
}

/// A digest of what the agent changed in the present piece of work.
pub(crate) async fn work_digest(session: &Session<'_>) -> Result<String, Error> {
    let files = session.ledger().changed_by(ChangedBy::Agent).into_iter().collect();
    digest(session, &files).await
}

/// A digest of these files and their contents; empty for none. Reads the files that may have changed since the last
/// digest.
pub(crate) async fn digest(session: &Session<'_>, files: &BTreeSet<String>) -> Result<String, Error> {
    let mut hashes = session.hashes.take();
    match session.watch.take_changed(Follower::Digest) {
        None => hashes.clear(),
        Some(changed) => {
            let may_differ = |path: &str| path::folders_above(path).chain([path]).any(|path| changed.contains(path));
            hashes.retain(|path, _| !may_differ(path));
        }
    }
    let project = session.host.project();
    let mut lines = String::new();
    for path in files {
        if !hashes.contains_key(path) {
            let content = match project.lstat(path).await? {
                Some(stat) if stat.kind == FileKind::File => project.read(path).await?,
                _ => None,
            };
            hashes.insert(path.clone(), content.map(|bytes| task::hash_bytes(&bytes)).unwrap_or_default());
        }
        let hash = hashes.get(path).map(String::as_str).unwrap_or_default();
        lines.push_str(&format!("{hash} {path}\n"));
    }
    session.hashes.replace(hashes);
    Ok(task::hash(&lines).unwrap_or_default())
}
