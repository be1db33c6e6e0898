//! Keeps the ledger of a run: what the user changed is looked for before a step reads, reverts or commits; what the
//! harness's own commands change is bracketed; what the run changed is taken back. A resume is in [`resumed`](super::resumed).

use super::envelope::Envelope;
use super::event::{ChangedBy, Event, UserEdit};
use super::journal;
use super::lease::RENEW_MS;
use super::recipe::chunks;
use super::resumed::{changed_at, lost};
use super::session::Session;
use super::unfinished::{self, Abandoned};
use super::written;
use crate::agent::{Bracket, Changes, FileWrite, Observer};
use crate::error::Error;
use crate::ledger::{self, History, Ledger, Plan, Write};
use crate::port::{BuildPort, Host, Rights};
use crate::snapshot::branch;
use crate::snapshot::{self, Capture, Manifest, Oid, Step, Watch, restore_files};
use std::collections::{BTreeMap, BTreeSet};

/// Captures the working tree and records what the user changed. `None` without git.
pub(crate) async fn record_user_changes(session: &Session<'_>) -> Result<Option<Capture>, Error> {
    if session.host.git.is_none() {
        return Ok(None);
    }
    let captured = snapshot::capture(session.host, &session.watch, &expected(session).await?).await?;
    record_found(session, &captured.files, false).await?;
    Ok(Some(captured))
}

/// The files that the run expects, or that changed in it. Ignore rules may hide them from a scan.
pub(crate) async fn expected(session: &Session<'_>) -> Result<BTreeSet<String>, Error> {
    let ledger = session.ledger();
    let mut paths = ledger.paths();
    if let Some(tree) = ledger.anchor() {
        load_saved(session, tree).await?;
        paths.extend(session.saved.borrow().iter().flat_map(|(_, files)| files.keys()).cloned());
    }
    Ok(paths)
}

/// Reads the files of the last snapshot, unless they are known.
async fn load_saved(session: &Session<'_>, tree: &str) -> Result<(), Error> {
    if session.saved.borrow().as_ref().is_none_or(|(known, _)| known != tree) {
        let files = snapshot::files_of_tree(session.host, tree).await?;
        session.saved.replace(Some((tree.to_owned(), files)));
    }
    Ok(())
}

/// Records what the run does not expect in the working tree: the agent's writes that a crash left unrecorded, and the
/// changes of the user. Returns what else changed since a call began, if one `is_interrupted`.
pub(crate) async fn record_found(
    session: &Session<'_>,
    files: &Manifest,
    is_interrupted: bool,
) -> Result<Vec<Write>, Error> {
    let ledger = session.ledger();
    let Some(tree) = ledger.anchor() else { return Ok(Vec::new()) };
    load_saved(session, tree).await?;
    let mut found = match session.saved.borrow().as_ref() {
        Some((_, saved)) => ledger::compare(&ledger, saved, files, is_interrupted),
        None => return Ok(Vec::new()),
    };
    let edited = session.take_edited();
    let is_edited = |write: &Write| [&edited, ledger.edited()].iter().any(|paths| ledger::is_in(paths, &write.path));
    let (users, calls) = found.call.into_iter().partition(is_edited);
    found.call = calls;
    found.user.extend::<Vec<Write>>(users);
    found.user.extend(ledger.answered(&edited));
    // What is not there yet comes during the next call.
    let is_seen = |path: &&String| found.user.iter().any(|write| write.path == **path);
    session.announce_edited(edited.iter().filter(|path| !is_seen(path)).cloned());
    // A merge needs what the agent wrote before the user changed it.
    for before in found.user.iter().filter_map(|write| write.before) {
        if let Some(bytes) = session.watch.unsaved(before.oid) {
            snapshot::keep(session.host, &session.watch, &bytes).await?;
        }
    }
    ledger::pair_similar(session.host, &ledger, &mut found.user).await?;
    for (by, write) in found.announced {
        session.record(FileWrite::from(write).by(by)).await?;
    }
    record_users(session, found.user).await?;
    Ok(found.call)
}

/// Records what changed in a round of gates: files that the host's build writes are the harness's, all others the user's.
pub(crate) async fn after_gates(session: &Session<'_>) -> Result<(), Error> {
    // The user may have edited files meanwhile.
    session.watch.distrust(session.host);
    let patterns = session.host.build.as_deref().map(BuildPort::writes).unwrap_or_default();
    if patterns.is_empty() || session.host.git.is_none() {
        return Ok(());
    }
    let captured = snapshot::capture(session.host, &session.watch, &expected(session).await?).await?;
    let (built, users): (Vec<Write>, Vec<Write>) = record_found(session, &captured.files, true)
        .await?
        .into_iter()
        .partition(|write| Rights::matches(patterns, &write.path));
    session.record_all(facts(ChangedBy::Harness, built)).await?;
    record_users(session, users).await
}

/// Records changes of the user.
pub(super) async fn record_users(session: &Session<'_>, users: Vec<Write>) -> Result<(), Error> {
    match users.is_empty() {
        true => Ok(()),
        false => session.record(Event::UserChanged { files: users.into_iter().map(UserEdit::from).collect() }).await,
    }
}

/// The facts of these changes.
pub(crate) fn facts(by: ChangedBy, writes: Vec<Write>) -> Vec<Event> {
    writes.into_iter().map(|write| FileWrite::from(write).by(by)).collect()
}

/// Records what the harness is about to write. If a crash repeats the call, what is written already is not the user's.
pub(crate) async fn announce(session: &Session<'_>, writes: Vec<Write>) -> Result<(), Error> {
    session.record(Event::WriteStarted { writes, by: ChangedBy::Harness }).await
}

/// Sets files to the states before these changes. Another page that resumes the run completes it.
pub(crate) async fn undo(session: &Session<'_>, writes: &[Write], name: &str) -> Result<(), Error> {
    let back: Vec<Write> = writes.iter().map(Write::back).collect();
    if !back.is_empty() {
        announce(session, back.clone()).await?;
        restore(session.host, &session.watch, &back, name).await?;
    }
    Ok(())
}

/// What a command of the harness did.
pub(crate) struct Bracketed {
    pub files: Vec<FileWrite>,
    notes: Vec<String>,
}

impl Bracketed {
    /// The facts of a command whose changes stay.
    pub(crate) fn kept(mut self) -> Vec<Event> {
        let files = std::mem::take(&mut self.files);
        files.into_iter().map(|file| file.by(ChangedBy::Harness)).chain(self.undone()).collect()
    }

    /// The facts of a command whose changes are taken back.
    pub(crate) fn undone(self) -> Vec<Event> {
        self.notes.into_iter().map(Event::status).chain([Event::UnguardedEnded]).collect()
    }
}

/// Runs a command of the harness. Returns its result and what it changed, which the caller keeps or, if it is `undone`,
/// takes back. Such a command does not move git.
pub(crate) async fn bracketed<T>(
    session: &Session<'_>,
    what: &str,
    undone: bool,
    work: impl Future<Output = T>,
) -> Result<(T, Bracketed), Error> {
    let bracket = Bracket::open(session.host, &session.watch, session, undone).await?;
    let (what, by, head) = (what.to_owned(), ChangedBy::Harness, bracket.head());
    session.record(Event::UnguardedStarted { what, by, undone, head }).await?;
    let result = work.await;
    let Changes { files, git: notes } = bracket.close(&[]).await?;
    Ok((result, Bracketed { files, notes }))
}

/// What was taken back.
#[derive(Debug, Default)]
pub(crate) struct TakenBack {
    pub restored: Vec<String>,
    pub deleted: Vec<String>,
    /// The files that the user changed in the same lines, or whose place is taken; they are as they were.
    pub conflicts: Vec<String>,
    /// The snapshot of what was replaced; empty if nothing was.
    pub undo: String,
}

/// Takes the run's changes since the last settlement back, and keeps the changes of the user. Nothing but these files changes.
pub(crate) async fn take_back(session: &Session<'_>, name: &str) -> Result<TakenBack, Error> {
    let Some(captured) = record_user_changes(session).await? else { return Ok(TakenBack::default()) };
    let Plan { writes, conflicts, users } =
        ledger::plan(session.host, &session.ledger(), &captured.files, &|_| true).await?;
    if !writes.is_empty() {
        announce(session, writes.clone()).await?;
    }
    let mut taken = restore(session.host, &session.watch, &writes, name).await?;
    let mut done: Vec<Write> = writes.into_iter().filter(|write| !taken.conflicts.contains(&write.path)).collect();
    let is_done = |users: &Write| done.iter().any(|write| write.path == users.path);
    let users: Vec<Write> = users.into_iter().filter(is_done).collect();
    for write in &mut done {
        let users = users.iter().find(|users| users.path == write.path);
        write.after = users.map_or(write.after, |users| users.before);
    }
    session.record_all(facts(ChangedBy::Harness, done)).await?;
    record_users(session, users).await?;
    taken.conflicts.extend(conflicts);
    Ok(taken)
}

/// Takes the attempts of abandoned runs back, and ends these runs. Describes what it did.
pub(crate) async fn take_back_abandoned(session: &Session<'_>) -> Result<Vec<String>, Error> {
    let mut repaired = Vec::new();
    if session.host.git.is_none() {
        return Ok(repaired);
    }
    let (project, mut unreadable) = (session.host.project(), Vec::new());
    let found = unfinished::abandoned(project, &session.runs(), session.run_id(), &mut unreadable).await?;
    for text in unreadable {
        session.status(text).await?;
    }
    for abandoned in found {
        let Abandoned { branch, head, .. } = &abandoned;
        if branch::repair(session.host, branch, head.as_deref()).await? {
            repaired.push(format!("the ref of {branch} is set to its last known commit"));
        }
        // The page was closed between the commit and its record.
        let shipped = chunks::shipped_by(session.host, &abandoned).await?;
        let Abandoned { run_id, chunk, ledger, events, .. } = abandoned;
        if let Some(commit) = shipped {
            repaired.push(format!("the commit {commit} of {chunk} of run {run_id} counts as shipped"));
            end(session, &run_id).await?;
            continue;
        }
        let written = written::keep(session.host, &session.watch, &events).await?;
        let unclear = left_unclear(&ledger);
        if !unclear.is_empty() {
            session.status(format!("Of run {run_id}:{unclear}")).await?;
        }
        if let Some(text) = left_by_command(session, &run_id, &ledger).await? {
            session.status(text).await?;
        }
        let name = format!("the unfinished attempt at {chunk} of run {run_id} is taken back");
        let ledger = up_to_now(session.host, &session.watch, &ledger, &written, &events).await?;
        let taken = take_back_of(session.host, &session.watch, &ledger, &|_| true, &name).await?;
        let kept = match taken.conflicts.as_slice() {
            [] => String::new(),
            paths => format!("; these files keep changes of the user in the same lines: {}", paths.join(", ")),
        };
        let text = format!("the unfinished attempt at {chunk} of run {run_id} is reverted{kept}");
        if !taken.conflicts.is_empty() {
            // Nothing takes the attempt back again once its run has ended, so the files are named before.
            session.status(text.clone()).await?;
        }
        repaired.push(text);
        end(session, &run_id).await?;
    }
    Ok(repaired)
}

/// Names the files that changed since the page of a run was closed during a command; `None` without one.
pub(super) async fn left_by_command(
    session: &Session<'_>,
    run_id: &str,
    ledger: &Ledger,
) -> Result<Option<String>, Error> {
    let (Some(_), Some(tree)) = (ledger.interrupted(), ledger.anchor()) else { return Ok(None) };
    let saved = snapshot::files_of_tree(session.host, tree).await?;
    let expected = ledger.paths().into_iter().chain(saved.keys().cloned()).collect();
    let captured = snapshot::capture(session.host, &session.watch, &expected).await?;
    let names: Vec<String> =
        ledger::compare(ledger, &saved, &captured.files, true).call.into_iter().map(|write| write.path).collect();
    let named = names.join(", ");
    Ok((!names.is_empty()).then(|| {
        format!(
            "The page of run {run_id} was closed during a command. These files changed since, by the command or by you, and are \
             left as they are: {named}."
        )
    }))
}

/// Names the changes whose author the user has not named; empty without one. They stay.
pub(crate) fn left_unclear(ledger: &Ledger) -> String {
    let paths: Vec<&str> = ledger.unclear().keys().map(String::as_str).collect();
    match paths.is_empty() {
        true => String::new(),
        false => format!(" These files stay as they are, because a command or you changed them: {}.", paths.join(", ")),
    }
}

/// Ends an abandoned run.
pub(super) async fn end(session: &Session<'_>, run_id: &str) -> Result<(), Error> {
    match unfinished::end(session.lease(), run_id, session.now()).await {
        Ok(()) => journal::save_runs(session.lease()).await,
        Err(error) => session.status(format!("The run {run_id} cannot be ended: {error}")).await,
    }
}

/// The announced writes of another run that happened, although their end is not recorded. `written`: what its agent wrote.
pub(super) async fn happened(
    host: &Host,
    watch: &Watch,
    ledger: &Ledger,
    written: &BTreeMap<Oid, Vec<u8>>,
) -> Result<Vec<(ChangedBy, Write)>, Error> {
    if ledger.announced().is_empty() {
        return Ok(Vec::new());
    }
    happened_in(host, ledger, &snapshot::capture(host, watch, &ledger.paths()).await?.files, written).await
}

async fn happened_in(
    host: &Host,
    ledger: &Ledger,
    files: &Manifest,
    written: &BTreeMap<Oid, Vec<u8>>,
) -> Result<Vec<(ChangedBy, Write)>, Error> {
    let mut torn = torn(host, ledger, files, written).await?;
    let is_torn = |path: &String| torn.iter().any(|(_, write)| write.path == *path);
    let is_done = |(by, write): &&(ChangedBy, Write)| {
        let present = files.get(&write.path).copied();
        let is_same = present == write.after || (*by == ChangedBy::Agent && write.may_precede(present));
        // During a call, the harness takes back only what the ledger does not have.
        let is_undo = *by == ChangedBy::Harness && ledger.interrupted().is_some();
        present != write.before && is_same && !is_undo
    };
    let whole: Vec<(ChangedBy, Write)> =
        ledger.announced().iter().filter(is_done).filter(|(_, write)| !is_torn(&write.path)).cloned().collect();
    torn.extend(whole);
    Ok(torn)
}

/// The announced writes that a crash tore: the file has a part of what the agent wrote.
pub(super) async fn torn(
    host: &Host,
    ledger: &Ledger,
    files: &Manifest,
    written: &BTreeMap<Oid, Vec<u8>>,
) -> Result<Vec<(ChangedBy, Write)>, Error> {
    let mut torn = Vec::new();
    for (by, write) in ledger.announced() {
        let present = files.get(&write.path).copied();
        let after = write.after.and_then(|after| written.get(&after.oid));
        let (Some(present), Some(after)) = (present.filter(|_| present != write.before), after) else { continue };
        let is_part = after.starts_with(&snapshot::read_object(host, present).await?);
        let part = Write { after: Some(present), ..write.clone() };
        if is_part && part != *write && !is_later(host, ledger, &part).await? {
            torn.push((*by, part));
        }
    }
    Ok(torn)
}

/// Whether the file changed after the page before was alive last.
async fn is_later(host: &Host, ledger: &Ledger, write: &Write) -> Result<bool, Error> {
    let changed = changed_at(host, write).await?;
    Ok(ledger.closed().zip(changed).is_some_and(|(closed, changed)| changed > (closed + RENEW_MS) as f64))
}

/// The ledger of another run with what came after its journal: writes that happened, writes of these `events` that the crash
/// lost, and files that the user renamed since.
pub(super) async fn up_to_now(
    host: &Host,
    watch: &Watch,
    ledger: &Ledger,
    written: &BTreeMap<Oid, Vec<u8>>,
    events: &[Envelope],
) -> Result<Ledger, Error> {
    let (files, mut ledger) = (snapshot::capture(host, watch, &ledger.paths()).await?.files, ledger.clone());
    for (by, write) in happened_in(host, &ledger, &files, written).await? {
        ledger.record(by, &write);
    }
    for write in lost(host, &ledger, &files, events).await? {
        ledger.record(ChangedBy::Agent, &write);
    }
    let is_gone = |(path, history): (&String, &History)| {
        let is_users = history.last().is_some() || history.removed_by_user().is_some();
        is_users && !files.contains_key(path) && history.of_file().has_run()
    };
    let Some(anchor) = ledger.anchor().filter(|_| ledger.histories().iter().any(is_gone)) else { return Ok(ledger) };
    // Without the files of the snapshot, no file is known to be new.
    let Ok(saved) = snapshot::files_of_tree(host, anchor).await else { return Ok(ledger) };
    let mut users = ledger::compare(&ledger, &saved, &files, false).user;
    ledger::pair_similar(host, &ledger, &mut users).await?;
    let sources: BTreeSet<String> = users.iter().filter_map(|write| write.from.clone()).collect();
    for write in users.iter().filter(|write| write.from.is_some() || sources.contains(&write.path)) {
        ledger.record(ChangedBy::User, write);
    }
    Ok(ledger)
}

/// As [`take_back`], for the ledger of another run, [`up_to_now`], and these files.
pub(super) async fn take_back_of(
    host: &Host,
    watch: &Watch,
    ledger: &Ledger,
    is_wanted: &dyn Fn(&str) -> bool,
    name: &str,
) -> Result<TakenBack, Error> {
    let captured = snapshot::capture(host, watch, &ledger.paths()).await?;
    let Plan { writes, conflicts, .. } = ledger::plan(host, ledger, &captured.files, is_wanted).await?;
    let mut taken = restore(host, watch, &writes, name).await?;
    taken.conflicts.extend(conflicts);
    Ok(taken)
}

/// Does the writes. What cannot be done is a conflict.
async fn restore(host: &Host, watch: &Watch, writes: &[Write], name: &str) -> Result<TakenBack, Error> {
    let wanted: BTreeMap<String, Step> =
        writes.iter().map(|write| (write.path.clone(), Step { before: write.before, after: write.after })).collect();
    if wanted.is_empty() {
        return Ok(TakenBack::default());
    }
    let done = restore_files(host, watch, name, &wanted).await?;
    Ok(TakenBack { restored: done.restored, deleted: done.deleted, conflicts: done.left, undo: done.undo })
}
