//! What a resume may take for the run's: the announced writes that happened, and what it knows of a call during which the
//! page was closed. What the call or the user changed stays.

use super::envelope::Envelope;
use super::event::{ChangedBy, Event, UserEdit};
use super::journal::Opened;
use super::ownership::{expected, facts, record_found, record_users, torn, undo};
use super::recipe::Kind;
use super::session::Session;
use super::written;
use crate::agent::{FileWrite, Observer};
use crate::config::Whose;
use crate::error::Error;
use crate::layout::is_source;
use crate::ledger::{Call, Claim, Ledger, Write};
use crate::port::{FileKind, Host, PortErrorKind};
use crate::snapshot::{self, Entry, Manifest, Oid, branch};
use std::collections::BTreeMap;

/// Looks at the working tree of a resumed run. `is_lost`: the end of the journal is lost.
pub(super) async fn resume(session: &Session<'_>, is_lost: bool) -> Result<(), Error> {
    session.record_all(session.kind().resume(session).await?).await?;
    let ledger = session.ledger();
    if session.host.git.is_none() {
        for (by, write) in ledger.announced() {
            let present = session.host.project().read(&write.path).await?.map(|bytes| Oid::of_blob(&bytes));
            if present == write.after.map(|after| after.oid) {
                session.record(FileWrite::from(write.clone()).by(*by)).await?;
            }
        }
        return Ok(());
    }
    let mut call = ledger.interrupted().cloned();
    if call.is_none() && is_lost {
        // The lines that are lost may have said that a call began.
        let (what, by, closed) = ("a call that the journal lost".to_owned(), ChangedBy::Agent, ledger.closed());
        call = Some(Call { what, by, is_undone: false, head: None, began: 0, closed });
    }
    let captured = snapshot::capture(session.host, &session.watch, &expected(session).await?).await?;
    keep_written(session, &captured.files).await?;
    let changes = record_found(session, &captured.files, call.is_some()).await?;
    if let Some(call) = call {
        cut_off(session, &call, changes).await?;
        name_moved(session, &call).await?;
        session.record(Event::UnguardedEnded).await?;
    }
    Ok(())
}

/// Names the commit that HEAD has since an interrupted call began. It stays: the call or the user made it.
async fn name_moved(session: &Session<'_>, call: &Call) -> Result<(), Error> {
    let now = branch::head(session.host).await?.commit.unwrap_or_default();
    let Some(before) = call.head.as_ref().filter(|before| **before != now) else { return Ok(()) };
    let text = format!(
        "The page was closed during a call ({}). Since it began, it or you moved HEAD from {before} to {now}, which stays.",
        call.what
    );
    session.status(text).await
}

/// Records whose the changes since an interrupted call began are, and takes back what is certain to be a call's that is
/// taken back.
async fn cut_off(session: &Session<'_>, call: &Call, changes: Vec<Write>) -> Result<(), Error> {
    // A chunk is committed or taken back, and so depends on it. A task and a spec keep all changes.
    let default = if session.kind() == Kind::Chunks { Whose::Ask } else { Whose::User };
    let settings = session.settings.approvals.whose.unwrap_or(default);
    let announced = session.ledger();
    // The page was closed while the harness took the call's changes back.
    let is_announced = |write: &Write| {
        announced.announced().iter().any(|(by, back)| *by == ChangedBy::Harness && *back == write.back())
    };
    let (mut users, mut undone, mut unclear) = (Vec::new(), Vec::new(), Vec::new());
    for write in changes {
        let claim = match is_announced(&write) {
            true => Claim::Undone,
            false => call.claim(changed_at(session.host, &write).await?),
        };
        let can_be_undone = is_source(&write.path) && !session.watch.is_left_out(&write.path);
        match claim {
            Claim::User => users.push(write),
            Claim::Undone if can_be_undone => undone.push(write),
            Claim::Unclear if settings == Whose::Agent && call.is_undone && can_be_undone => undone.push(write),
            Claim::Undone | Claim::Unclear => unclear.push(write),
        }
    }
    record_users(session, users).await?;
    if !undone.is_empty() {
        let names: Vec<&str> = undone.iter().map(|write| write.path.as_str()).collect();
        let text = format!(
            "The page was closed during a call ({}). What it changed is taken back: {}.",
            call.what,
            names.join(", ")
        );
        session.status(text).await?;
        undo(session, &undone, "undoing an interrupted call").await?;
    }
    if unclear.is_empty() {
        return Ok(());
    }
    let whose = match settings {
        Whose::Agent if !call.is_undone => return session.record_all(facts(call.by, unclear)).await,
        // Nothing that the run commits or takes back depends on a call that is taken back.
        _ if call.is_undone => Whose::User,
        settings => settings,
    };
    let names: Vec<&str> = unclear.iter().map(|write| write.path.as_str()).collect();
    let count_as = match whose {
        Whose::Ask => "stay until you say whose they are",
        _ => "count as yours",
    };
    let text = format!(
        "The page was closed during a call ({}). It or you changed these files, and they {count_as}: {}.",
        call.what,
        names.join(", ")
    );
    session.status(text).await?;
    let files = unclear.into_iter().map(UserEdit::from).collect();
    session.record(Event::ChangesUnclear { what: call.what.clone(), by: call.by, whose, files }).await
}

/// The time of a changed file in milliseconds since the epoch; `None` if it is deleted.
pub(super) async fn changed_at(host: &Host, write: &Write) -> Result<Option<f64>, Error> {
    let path = format!("{}/{}", &host.dir, write.path);
    match host.fs.lstat(&path).await {
        Ok(stat) if stat.kind != FileKind::Directory => Ok(Some(stat.mtime_ms)),
        Ok(_) => Ok(None),
        Err(error) if error.kind == PortErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Keeps what the agent wrote before the page was closed, and records what the crash made of it: a write that is torn, and
/// one that is lost, so the file is as an earlier one of the agent's calls found or left it.
async fn keep_written(session: &Session<'_>, files: &Manifest) -> Result<(), Error> {
    let is_start = |event: &Event| matches!(event, Event::SnapshotSaved { .. });
    let events = Opened::open(session.host.project(), session.run_id()).await?.since_last(&is_start).await?;
    let written = written::keep(session.host, &session.watch, &events).await?;
    for (by, write) in torn(session.host, &session.ledger(), files, &written).await? {
        session.record(FileWrite::from(write).by(by)).await?;
    }
    for write in lost(session.host, &session.ledger(), files, &events).await? {
        session.record(FileWrite::from(write).by(ChangedBy::Agent)).await?;
    }
    Ok(())
}

/// The changes by a crash that lost writes of the agent: since before the page was closed, a file is as an earlier call of the
/// agent found or left it.
///
/// # Errors
/// What a port returns.
pub(super) async fn lost(
    host: &Host,
    ledger: &Ledger,
    files: &Manifest,
    events: &[Envelope],
) -> Result<Vec<Write>, Error> {
    // What a snapshot has is durable.
    let start = events.iter().rposition(|envelope| matches!(envelope.event, Event::SnapshotSaved { .. }));
    let mut lost = BTreeMap::new();
    for envelope in events.iter().skip(start.unwrap_or_default()) {
        match &envelope.event {
            Event::FileChanged { path, by: ChangedBy::Agent, before, after, .. } => {
                let is_earlier = |present: &&Entry| [*before, *after].contains(&Some(**present));
                if let Some(present) = files.get(path).filter(is_earlier) {
                    lost.insert(path, (*before, *present));
                }
            }
            Event::WriteStarted { writes, by: ChangedBy::Agent } => {
                // Of a deleted file, only the name is back.
                for Write { path, before, .. } in writes.iter().filter(|write| write.after.is_none()) {
                    if let Some(present) = files.get(path).filter(|present| present.oid == Oid::of_blob(b"")) {
                        lost.insert(path, (*before, *present));
                    }
                }
            }
            _ => {}
        }
    }
    let mut writes = Vec::new();
    for (path, (before, after)) in lost {
        let before = ledger.known(path).unwrap_or(before);
        let write = Write { path: path.clone(), from: None, before, after: Some(after) };
        let changed = changed_at(host, &write).await?;
        let is_users = ledger.closed().zip(changed).is_some_and(|(closed, changed)| changed > closed as f64);
        if before != Some(after) && !is_users {
            writes.push(write);
        }
    }
    Ok(writes)
}
