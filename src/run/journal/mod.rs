//! The journal: every fact of a run, one line each, in `.loopgate/journal/<run>/<first seq>.jsonl`.
//!
//! The file systems of a browser cannot append, so a segment is written anew with every line; it is sealed at a
//! barrier and at 64 KB. What a barrier made durable is therefore never written again, and the cost of an event
//! does not grow with the run.

mod line;

use super::event::Envelope;
use crate::error::{Error, ErrorCode};
use crate::layout::{JOURNAL as FOLDER, STATE_IGNORE};
use crate::port::{FsPort, ProjectDir};
use serde::de::DeserializeOwned;
use std::cell::RefCell;

const SEGMENT_BYTES: usize = 64 * 1024;

/// The journal of one run, open for writing.
pub(super) struct Journal<'a, F> {
    project: ProjectDir<'a, F>,
    run_id: String,
    tail: RefCell<Tail>,
}

/// The segment that is not sealed.
#[derive(Debug, Default)]
struct Tail {
    first_seq: u64,
    next_seq: u64,
    text: String,
}

/// A journal as it was found.
#[derive(Debug)]
pub(super) struct Found<R> {
    /// The facts, in order.
    pub events: Vec<Envelope<R>>,
    /// What was damaged and left out.
    pub repaired: Vec<String>,
}

impl<'a, F: FsPort> Journal<'a, F> {
    /// Begins the journal of a new run.
    ///
    /// # Errors
    /// As [`require_new`].
    pub(super) async fn create(project: ProjectDir<'a, F>, run_id: &str) -> Result<Self, Error> {
        require_new(project, run_id).await?;
        project.make_dirs(&format!("{FOLDER}/{run_id}")).await?;
        if project.lstat(STATE_IGNORE).await?.is_none() {
            project.write(STATE_IGNORE, "*\n").await?;
        }
        Ok(Self { project, run_id: run_id.to_owned(), tail: RefCell::default() })
    }

    /// Opens the journal of a run to resume it.
    ///
    /// # Errors
    /// As [`read`].
    pub(super) async fn open<R: DeserializeOwned>(
        project: ProjectDir<'a, F>,
        run_id: &str,
    ) -> Result<(Self, Found<R>), Error> {
        let found = read(project, run_id).await?;
        let next_seq = found.events.last().map_or(0, |last| last.seq + 1);
        let tail = RefCell::new(Tail { first_seq: next_seq, next_seq, text: String::new() });
        Ok((Self { project, run_id: run_id.to_owned(), tail }, found))
    }

    /// Writes the JSON text of the fact with the number [`Self::next_seq`]. It is durable after the next barrier, which the
    /// fact itself may be.
    ///
    /// # Errors
    /// `fs`; the fact then did not happen.
    pub(super) async fn append(&self, json: &str, is_barrier: bool) -> Result<(), Error> {
        let line = line::seal(json);
        let (first_seq, text) = {
            let tail = self.tail.borrow();
            let fits = tail.text.is_empty() || tail.text.len() + line.len() <= SEGMENT_BYTES;
            let (first_seq, before) = if fits { (tail.first_seq, tail.text.as_str()) } else { (tail.next_seq, "") };
            (first_seq, format!("{before}{line}"))
        };
        self.project.write(&segment(&self.run_id, first_seq), &text).await?;
        if is_barrier {
            self.project.flush().await?;
        }
        let next_seq = self.next_seq() + 1;
        *self.tail.borrow_mut() = if is_barrier {
            Tail { first_seq: next_seq, next_seq, text: String::new() }
        } else {
            Tail { first_seq, next_seq, text }
        };
        Ok(())
    }

    /// The run.
    pub(super) fn run_id(&self) -> &str {
        &self.run_id
    }

    /// The position of the next fact.
    pub(super) fn next_seq(&self) -> u64 {
        self.tail.borrow().next_seq
    }
}

/// Nothing is journaled under this id yet.
///
/// # Errors
/// `conflict` where something is; `fs`.
pub(super) async fn require_new<F: FsPort>(project: ProjectDir<'_, F>, run_id: &str) -> Result<(), Error> {
    let folder = format!("{FOLDER}/{run_id}");
    if project.lstat(&folder).await?.is_none() {
        return Ok(());
    }
    let message = format!("run {run_id} exists already: pass it as `resume` to go on with it");
    Err(Error::new(ErrorCode::Conflict, message).at_path(folder))
}

/// The ids of all runs of a project, oldest first as their ids sort.
///
/// # Errors
/// `fs`.
pub(super) async fn runs<F: FsPort>(project: ProjectDir<'_, F>) -> Result<Vec<String>, Error> {
    Ok(project.read_dir(FOLDER).await?.unwrap_or_default())
}

/// Reads a run's journal. A torn last line is left out with a note: its fact did not happen.
///
/// # Errors
/// `not-found`; `corrupt` for damage before the last line, with the file and the line; `unsupported` for an event of
/// another version: to skip it could repeat or undo work, so the run waits for a version that reads it. Nothing is
/// written.
pub(super) async fn read<F: FsPort, R: DeserializeOwned>(
    project: ProjectDir<'_, F>,
    run_id: &str,
) -> Result<Found<R>, Error> {
    let folder = format!("{FOLDER}/{run_id}");
    let Some(names) = project.read_dir(&folder).await? else {
        let message = format!("there is no run {run_id} in {FOLDER}: see findUnfinishedRun");
        return Err(Error::new(ErrorCode::NotFound, message).at_path(folder));
    };
    let mut found = Found { events: Vec::new(), repaired: Vec::new() };
    let segments: Vec<String> = names.into_iter().filter(|name| name.ends_with(".jsonl")).collect();
    let last = segments.len().saturating_sub(1);
    for (index, name) in segments.iter().enumerate() {
        let path = format!("{folder}/{name}");
        let text = project.read_text(&path).await?.unwrap_or_default();
        read_segment(&mut found, run_id, &path, &text, index == last)?;
    }
    Ok(found)
}

fn read_segment<R: DeserializeOwned>(
    found: &mut Found<R>,
    run_id: &str,
    path: &str,
    text: &str,
    last: bool,
) -> Result<(), Error> {
    let count = text.lines().count();
    for (index, line) in text.lines().enumerate() {
        let expected = found.events.last().map_or(0, |event| event.seq + 1);
        match line::decode(line, run_id) {
            Ok(envelope) if envelope.seq == expected => found.events.push(envelope),
            Ok(_) => return Err(corrupt(path, index, "a line before it is missing")),
            Err(line::Unreadable::Unsupported(why)) => {
                let line = index + 1;
                let message =
                    format!("{path}:{line} was written by another version of loopgate ({why}): update to open it");
                return Err(Error::new(ErrorCode::Unsupported, message).at_path(path));
            }
            // After a torn line, the segment of the page that resumed begins with its number.
            Err(line::Unreadable::Damaged) if index + 1 == count => {
                if last {
                    found.repaired.push(format!("{path}: the last line was torn and is left out"));
                }
            }
            Err(line::Unreadable::Damaged) => return Err(corrupt(path, index, "its checksum does not fit")),
        }
    }
    Ok(())
}

fn corrupt(path: &str, index: usize, why: &str) -> Error {
    let line = index + 1;
    let message = format!("{path}:{line} is damaged ({why}); nothing was changed. Start a new run to go on.");
    let mut error = Error::new(ErrorCode::Corrupt, message).at_path(path);
    error.line = u32::try_from(line).ok();
    error
}

fn segment(run_id: &str, first_seq: u64) -> String {
    format!("{FOLDER}/{run_id}/{first_seq:08}.jsonl")
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests;
