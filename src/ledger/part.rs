//! The run's part of a file: taken out of the working tree, or put on top of a commit.

use super::ChangedBy;
use super::history::{History, Step};
use crate::error::Error;
use crate::port::Host;
use crate::snapshot::{Entry, Manifest, merge_entries};
use futures_util::future::LocalBoxFuture;

/// A state of a file that has the changes of one side only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    State(Option<Entry>),
    /// Both sides changed the same lines, or it is not a text. This is the last state that the user left.
    Conflict(Option<Entry>),
}

/// The file without what the run changed after the first `start` steps of its history: its state then, with the changes
/// of the user since. `present` is what the working tree has; it may differ from the history's last state, then the user
/// changed that.
///
/// # Errors
/// What a port returns.
pub(crate) async fn take_back(
    host: &Host,
    history: &History,
    present: Option<Entry>,
    start: usize,
) -> Result<Part, Error> {
    let last = Step { by: ChangedBy::User, to: present, or: None };
    let base = history.state_after(start);
    let (mut without, mut before, mut conflicts) = (base, base, false);
    for Step { by, to, .. } in history.steps().iter().skip(start).chain([&last]) {
        if *by == ChangedBy::User && before != *to {
            without = match (before, *to, without) {
                (before, to, without) if before == without || to.is_none() || before.is_none() => to,
                (_, to, without) if to == without => to,
                (before, to, without) => {
                    // The user may have changed a file that the run made: the lines of both cannot be told apart.
                    let merged = match without {
                        Some(_) => merge_entries(host, before, to, without).await?,
                        None => None,
                    };
                    conflicts |= merged.is_none();
                    merged.unwrap_or(to)
                }
            };
        }
        before = *to;
    }
    Ok(if conflicts { Part::Conflict(without) } else { Part::State(without) })
}

/// The file of a commit with what the run changed on top: `head` are the files of the commit. Changes of the user that
/// are not committed are left out.
///
/// # Errors
/// What a port returns.
pub(crate) fn commit<'a>(
    host: &'a Host,
    path: &'a str,
    history: &'a History,
    head: &'a Manifest,
) -> LocalBoxFuture<'a, Result<Part, Error>> {
    Box::pin(async move {
        let (mut committed, mut before, steps) = match history.origin() {
            // A rename of the user that is not committed is not part of the commit either, unless the run made the file.
            Some(origin) if history.is_moved_by_user() && origin.history.of_file().first().is_some() => {
                let steps = history.steps_since_move();
                (head.get(path).copied(), steps.first().and_then(|moved| moved.to), steps.get(1..).unwrap_or_default())
            }
            Some(origin) => match commit(host, &origin.path, &origin.history, head).await? {
                Part::State(state) => (state, origin.history.last(), history.steps_since_move()),
                Part::Conflict(state) => return Ok(Part::Conflict(state)),
            },
            None => (head.get(path).copied(), history.first(), history.steps()),
        };
        for Step { by, to, .. } in steps {
            if *by != ChangedBy::User && before != *to {
                committed = match (before, *to, committed) {
                    (before, to, committed) if before == committed || before.is_none() || to.is_none() => to,
                    (_, to, committed) if to == committed => to,
                    // The user's file is not committed, so a commit would have all of it.
                    (_, _, None) => return Ok(Part::Conflict(None)),
                    (before, to, committed) => match merge_entries(host, before, committed, to).await? {
                        Some(merged) => merged,
                        None => return Ok(Part::Conflict(committed)),
                    },
                };
            }
            before = *to;
        }
        Ok(Part::State(committed))
    })
}
