//! What a commit of a run has: the files of HEAD with the agent's part on top.

use crate::error::{Error, ErrorCode};
use crate::layout::is_source;
use crate::ledger::{self, ChangedBy, History, Ledger, Part};
use crate::port::Host;
use crate::snapshot::{Entry, Manifest, branch};
use std::collections::{BTreeMap, BTreeSet};

/// The source files that the agent changed.
pub(in crate::run) fn of_agent(ledger: &Ledger) -> impl Iterator<Item = (&String, &History)> {
    let paths = ledger.changed_by(ChangedBy::Agent);
    ledger.histories().iter().filter(move |(path, _)| paths.contains(*path) && is_source(path))
}

/// What a commit of the agent's changes has.
pub(in crate::run) struct Committed {
    /// The files of the commit.
    pub files: Manifest,
    /// How they differ from HEAD's.
    pub changes: BTreeMap<String, Option<Entry>>,
    /// The new files that git ignores, which no commit has.
    pub ignored: BTreeSet<String>,
}

/// The error of changes that no commit can have.
pub(in crate::run) fn uncommittable(paths: &[String]) -> Error {
    let names = paths.join(", ");
    let message = format!(
        "the agent changed files that cannot be committed without changes of the user that are not committed, or beside a file \
         whose name is not UTF-8: {names}. Commit your changes of these files and resume the run; in a run \
         over chunks, a new run takes the attempt back instead. The files are unchanged, and no attempt is counted"
    );
    Error::new(ErrorCode::Conflict, message).at_path(paths.first().map(String::as_str).unwrap_or_default())
}

/// The files of HEAD's `commit` with the agent's part on top.
///
/// # Errors
/// `conflict` if a change cannot be committed without the user's own uncommitted lines, with the files and what to do;
/// errors of the ports.
pub(in crate::run) async fn committed(
    host: &Host,
    commit: Option<&str>,
    ledger: &Ledger,
    ignored: &BTreeSet<String>,
) -> Result<Committed, Error> {
    let head = branch::files_of(host, commit).await?;
    let (mut changes, mut unmergeable) = (BTreeMap::new(), Vec::new());
    let mut left = BTreeSet::new();
    for (path, history) in of_agent(ledger) {
        if ignored.contains(path) && !head.contains_key(path) {
            left.insert(path.clone());
            continue;
        }
        match ledger::commit(host, path, history, &head).await? {
            Part::State(state) if state == head.get(path).copied() => {}
            Part::State(state) => drop(changes.insert(path.clone(), state)),
            Part::Conflict(_) => unmergeable.push(path.clone()),
        }
    }
    let unmergeable = [unmergeable, branch::inexact(host, commit, changes.keys()).await?].concat();
    if !unmergeable.is_empty() {
        return Err(uncommittable(&unmergeable));
    }
    let mut files = head;
    for (path, state) in &changes {
        match state {
            Some(entry) => drop(files.insert(path.clone(), *entry)),
            None => drop(files.remove(path)),
        }
    }
    Ok(Committed { files, changes, ignored: left })
}
