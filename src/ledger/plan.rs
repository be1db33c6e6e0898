//! Taking the run's part out of all files.

use super::history::Origin;
use super::home::{Homes, homes};
use super::{Ledger, Part, Write, is_followed, take_back};
use crate::error::Error;
use crate::path::folders_above;
use crate::port::Host;
use crate::snapshot::branch::{self, files_of};
use crate::snapshot::{Entry, Manifest, Mode};
use std::collections::{BTreeMap, BTreeSet};

/// How the run's part is taken out of all files.
#[derive(Default)]
pub(crate) struct Plan {
    pub writes: Vec<Write>,
    /// The files where that is not possible.
    pub conflicts: Vec<String>,
    /// What the user changed in files that come back from where the run moved them. The writes have it.
    pub users: Vec<Write>,
}

/// Takes the run's part out of the present files.
///
/// # Errors
/// What a port returns.
pub(crate) async fn plan(
    host: &Host,
    ledger: &Ledger,
    files: &Manifest,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Plan, Error> {
    let Homes { places: homes, users } = homes(host, ledger, files, is_wanted).await?;
    let (mut writes, mut conflicts) = (Vec::new(), Vec::new());
    for (path, after) in &homes {
        let (before, after) = (files.get(path).copied(), *after);
        writes.push(Write { path: path.clone(), from: None, before, after });
    }
    let of_run = ledger.histories().iter().filter(|(path, _)| is_wanted(path) && !homes.contains_key(*path));
    for (path, history) in of_run.map(|(path, history)| (path, history.of_file())).filter(|(_, file)| file.has_run()) {
        let history = &*history;
        let before = files.get(path).copied();
        match take_back(host, history, before, 0).await? {
            Part::State(after) if after == before => {}
            Part::State(after) => writes.push(Write { path: path.clone(), from: None, before, after }),
            Part::Conflict(last) => {
                // The harness writes its notes, too.
                let after = if is_followed(path) { last } else { history.first() };
                if is_followed(path) {
                    conflicts.push(path.clone());
                }
                if after != before {
                    writes.push(Write { path: path.clone(), from: None, before, after });
                }
            }
        }
    }
    // The user has a file in place of a folder, or a folder in place of a file.
    let is_file = |(_, entry): &(&String, &Entry)| entry.mode != Mode::Submodule;
    let mut left: BTreeSet<&String> = files.iter().filter(is_file).map(|(path, _)| path).collect();
    for write in &writes {
        left.remove(&write.path);
    }
    let is_blocked = |write: &Write| {
        let below = format!("{}/", write.path);
        write.after.is_some()
            && (folders_above(&write.path).any(|folder| left.contains(&folder.to_owned()))
                || left.iter().any(|path| path.starts_with(&below)))
    };
    let (blocked, mut free): (Vec<Write>, Vec<Write>) = writes.iter().cloned().partition(is_blocked);
    conflicts.extend(blocked.into_iter().map(|write| write.path));
    for at in 0..free.len() {
        let Some(lost) = homeless(host, ledger, files, &homes, &free, at).await? else { continue };
        if let Some(write) = free.get_mut(at) {
            write.after = Some(lost);
            conflicts.push(write.path.clone());
        }
    }
    free.retain(|write| write.before != write.after);
    Ok(Plan { writes: free, conflicts, users })
}

/// The file that the target of a move would be without the run's changes, if removing the target would lose it: the user
/// has another file in its old place, and HEAD does not have it.
async fn homeless(
    host: &Host,
    ledger: &Ledger,
    files: &Manifest,
    homes: &BTreeMap<String, Option<Entry>>,
    writes: &[Write],
    at: usize,
) -> Result<Option<Entry>, Error> {
    let Some(Write { path, after: None, .. }) = writes.get(at).filter(|write| !homes.contains_key(&write.path)) else {
        return Ok(None);
    };
    let mut origin = ledger.histories().get(path).and_then(|history| history.origin());
    while let Some(Origin { path: old, history, .. }) = origin {
        origin = history.origin();
        let (Part::State(Some(lost)) | Part::Conflict(Some(lost))) =
            take_back(host, &history.of_file(), history.last(), 0).await?
        else {
            continue;
        };
        let planned = writes.iter().find(|write| write.path == *old);
        let present = planned.map_or_else(|| files.get(old).copied(), |write| write.after);
        if present == Some(lost) {
            return Ok(None);
        }
        let head = branch::head(host).await?;
        let is_committed = files_of(host, head.commit.as_deref()).await?.get(old) == Some(&lost);
        return Ok((!is_committed).then_some(lost));
    }
    Ok(None)
}
