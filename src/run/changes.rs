//! What a run changed, by author, and taking back the part of the agent, from the run's journal.

use super::envelope::Envelope;
use super::journal::{self, Runs};
use super::lease::Lease;
use super::machine::fold_ledger;
use super::options::check_run_id;
use super::ownership;
use super::spending;
use super::written;
use crate::error::{Error, ErrorCode};
use crate::ledger::{self, ChangedBy, History, Ledger, Part, is_followed};
use crate::nearest::nearest;
use crate::port::Host;
use crate::run::diff::count_lines;
use crate::snapshot::{self, Change, Contents, Entry, FileChange, Manifest, Watch};
use serde::Serialize;
use std::collections::BTreeSet;

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunRef {
    /// By its id.
    Run(String),
    /// The newest run of the task with this number.
    Task(u32),
}

/// Whose a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum Author {
    /// The agent, or the harness for it.
    Agent,
    User,
    Both,
}

/// A file that changed in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct RunChange {
    pub path: String,
    pub change: Change,
    /// Where a renamed file was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    pub by: Author,
    /// The number of new lines; 0 for a file that is not text.
    pub added: u32,
    pub removed: u32,
}

/// What was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reverted {
    /// The files that changed.
    pub reverted: Vec<String>,
    /// The files with changes of the user in the same lines; they are unchanged.
    pub conflicts: Vec<String>,
    /// The snapshot of the state before; empty if no file that snapshots have changed.
    pub undo: String,
}

/// The files that changed in a run, and by whom. Changes after the run are not part of it.
///
/// # Errors
/// `not-found` for an unknown run; `corrupt` or `unsupported` if its journal cannot be read; what a port returns.
pub async fn changes(host: &Host, of: &RunRef) -> Result<Vec<RunChange>, Error> {
    let events = events_of(host, of).await?;
    written::keep(host, &Watch::default(), &events).await?;
    let ledger = ledger_of(&events);
    let (mut before, mut after) = (Manifest::new(), Manifest::new());
    let (mut moved, mut others) = (Vec::new(), BTreeSet::new());
    for (path, history) in ledger.histories().iter().filter(|(path, _)| is_followed(path)) {
        history.first().map(|entry| before.insert(path.clone(), entry));
        history.last().map(|entry| after.insert(path.clone(), entry));
        others.insert(path.clone());
    }
    for (path, history) in ledger.histories().iter().filter(|(path, _)| after.contains_key(*path)) {
        let is_source = |source: &&str| before.contains_key(*source) && !after.contains_key(*source);
        let source = history.sources().into_iter().find(is_source).map(str::to_owned);
        if let Some(from) = source.filter(|from| !before.contains_key(path) && others.remove(from)) {
            others.remove(path);
            moved.push(FileChange { path: path.clone(), change: Change::Renamed, from: Some(from) });
        }
    }
    let (saved, now) = (Contents::from(before.clone()), Contents::from(after.clone()));
    let mut found = saved.changes_at(&now, &others);
    found.extend(moved);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    let mut changes = Vec::new();
    for change in found {
        let old = change.from.as_deref().unwrap_or(&change.path);
        let (mut is_agents, mut is_users) = (false, false);
        for history in [old, &change.path].into_iter().filter_map(|path| ledger.histories().get(path)) {
            let (agent, user) = authors(host, history).await?;
            (is_agents, is_users) = (is_agents || agent, is_users || user);
        }
        let by = match (is_agents, is_users) {
            (true, true) => Author::Both,
            (true, false) => Author::Agent,
            (false, _) => Author::User,
        };
        let read = async |entry: Option<&Entry>| match entry {
            // Git may have removed what no snapshot has.
            Some(entry) => snapshot::read_object(host, *entry).await.or_else(|error| match error.code {
                ErrorCode::Git => Ok(Vec::new()),
                _ => Err(error),
            }),
            None => Ok(Vec::new()),
        };
        let texts = (read(before.get(old)).await?, read(after.get(&change.path)).await?);
        let (added, removed) = count_lines(&texts.0, &texts.1);
        changes.push(RunChange { path: change.path, change: change.change, from: change.from, by, added, removed });
    }
    Ok(changes)
}

/// Whether the run and the user each have a part in the file.
async fn authors(host: &Host, history: &History) -> Result<(bool, bool), Error> {
    let file = history.of_file();
    let without = ledger::take_back(host, &file, history.last(), 0).await?;
    let is_agents = file.has_run() && without != Part::State(history.last());
    Ok((is_agents, history.has(ChangedBy::User) || !is_agents))
}

/// Takes back what the agent changed in a run: at these paths, or everywhere. What the user changed stays. [`snapshot::undo`]
/// restores it. Has the project's lease meanwhile.
///
/// # Errors
/// As [`changes`]; `locked` if a run has the project; `not-found` for a path that the run did not change; `conflict` if a
/// file that no snapshot has is in the way. In these cases nothing is changed.
pub async fn revert(host: &Host, of: &RunRef, paths: Option<&[String]>) -> Result<Reverted, Error> {
    let events = events_of(host, of).await?;
    let paths = paths.map(|paths| paths.iter().map(|path| host.project().relative(path)).collect());
    // The empty path is the project.
    let paths = paths.filter(|paths: &BTreeSet<String>| !paths.contains(""));
    let name = match of {
        RunRef::Run(run_id) => format!("the changes of run {run_id} are taken back"),
        RunRef::Task(number) => format!("the changes of task {number} are taken back"),
    };
    let run_id = events.first().map(|envelope| envelope.run_id.as_str()).unwrap_or_default();
    let now = host.clock.now();
    let lease = Lease::acquire(host, run_id, &format!("revert-{run_id}-{now}"), false).await?;
    let work = async {
        let watch = Watch::default();
        let written = written::keep(host, &watch, &events).await?;
        // Without a crash, an earlier state of a file is the user's.
        let ledger = ownership::up_to_now(host, &watch, &ledger_of(&events), &written, &[]).await?;
        let wanted = paths.map(|paths| with_places(&ledger, paths)).transpose()?;
        let is_wanted =
            |path: &str| is_followed(path) && wanted.as_ref().is_none_or(|paths| ledger::is_in(paths, path));
        ownership::take_back_of(host, &watch, &ledger, &is_wanted, &name).await
    };
    let taken = lease.keep(&*host.clock, Box::pin(work)).await;
    lease.release(host.clock.now()).await;
    let taken = taken?;
    let mut reverted = [taken.restored, taken.deleted].concat();
    reverted.sort();
    Ok(Reverted { reverted, conflicts: taken.conflicts, undo: taken.undo })
}

/// The paths, and all other places of the files that were moved there or away.
fn with_places(ledger: &Ledger, mut paths: BTreeSet<String>) -> Result<BTreeSet<String>, Error> {
    let changed = || ledger.histories().iter().filter(|(path, _)| is_followed(path));
    for wanted in &paths {
        let is_in = |path: &str| {
            path.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if changed().any(|(path, history)| is_in(path) || history.sources().into_iter().any(is_in)) {
            continue;
        }
        let names = || changed().map(|(path, _)| path.as_str());
        let near = match nearest(wanted, names()) {
            near if near.is_empty() => names().take(3).map(str::to_owned).collect(),
            near => near,
        };
        let hint = if near.is_empty() { String::new() } else { format!("; it changed {}", near.join(", ")) };
        let message = format!("the run did not change {wanted}{hint}");
        return Err(Error::new(ErrorCode::NotFound, message).at_path(wanted.clone()));
    }
    // A file may be moved on from each of its places.
    loop {
        let known = paths.len();
        for (path, history) in changed() {
            let places = [history.sources(), vec![path.as_str()]].concat();
            if places.iter().any(|place| ledger::is_in(&paths, place)) {
                paths.extend(places.into_iter().map(str::to_owned));
            }
        }
        if paths.len() == known {
            return Ok(paths);
        }
    }
}

/// The ledger of a run, from its first event to its last.
fn ledger_of(events: &[Envelope]) -> Ledger {
    let mut ledger = Ledger::default();
    events.iter().for_each(|envelope| fold_ledger(&mut ledger, &envelope.event, envelope.at));
    ledger.resumed(events.last().map(|last| last.at), false);
    ledger
}

async fn events_of(host: &Host, of: &RunRef) -> Result<Vec<Envelope>, Error> {
    let project = host.project();
    let run_id = match of {
        RunRef::Run(run_id) => {
            check_run_id(run_id)?;
            run_id.clone()
        }
        RunRef::Task(number) => {
            let (runs, subject) = (Runs::read(project).await?, spending::task_subject(*number));
            let of_task = runs.own.into_iter().rev().find(|run| run.subjects.contains(&subject));
            let none = || Error::new(ErrorCode::NotFound, format!("there is no run of task {number}"));
            of_task.ok_or_else(none)?.run_id
        }
    };
    Ok(journal::read(project, &run_id).await?.events)
}
