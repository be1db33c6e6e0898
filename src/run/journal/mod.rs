//! The journal: the facts of a run in segments, `.loopgate/journal/<run>/<first seq>-<lease>.jsonl`. A line is the JSON text
//! of an event with a seal: `{"v":1,"seq":n,"at":ms,…,"type":…,"sum":"…"}`. A journal whose first line was sealed elsewhere is
//! never read: it could name any command and any change.
//!
//! A write that a crash tears loses only its own lines: it adds them to its segment, or, on a host that cannot append, writes
//! the whole segment beside and moves it into place. A barrier and 8 KB end a segment, so the cost of an event does not grow
//! with the run. Holders of different leases never write the same segment. Where their numbers overlap, the lines of the
//! later lease are read.

mod line;
mod opened;
mod runs;

use super::envelope::Envelope;
use super::event::Event;
use super::lease::Lease;
use crate::error::{Error, ErrorCode};
use crate::layout::{JOURNAL as FOLDER, LOOPGATE};
use crate::port::{PortResult, ProjectDir};
use line::{Line, ReadEvent, Unreadable, decode, is_foreign, seal};
pub(super) use opened::Opened;
pub(super) use runs::{KnownRun, Runs, newest_run, save as save_runs};
use serde_json::Value;
use std::borrow::Borrow;
use std::cell::RefCell;

/// The facts of a tool call have about 1 KB. A call therefore writes 4 to 5 KB on average, and a run of 1,000 calls has
/// about 130 segments to read when it is resumed.
const SEGMENT_BYTES: usize = 8 * 1024;

/// How many bytes of lines may wait. A write has these and one more line, which is far below what a file may have.
const HELD_BYTES: usize = 1024 * 1024;

/// The journal of a run, open for writing.
pub(super) struct Journal<'a> {
    lease: &'a Lease<'a>,
    run_id: String,
    tail: RefCell<Tail>,
}

/// The last segment, which may still grow.
#[derive(Debug, Clone, Default)]
struct Tail {
    first_seq: u64,
    /// The lines that are written.
    text: String,
    /// The lines that wait for the next write, and the number of the first one.
    held: String,
    held_from: u64,
    next_seq: u64,
    /// A write failed: the segment may have a part of it, so the next write replaces the segment.
    is_torn: bool,
}

/// When a line reaches the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durability {
    /// With the next line that does not wait.
    Waits,
    /// At once.
    Written,
    /// At once, with a flush: the fact is a barrier.
    Flushed,
}

impl Tail {
    /// A new segment.
    fn at(seq: u64) -> Self {
        Self { first_seq: seq, held_from: seq, next_seq: seq, ..Self::default() }
    }
}

/// The contents of a journal.
#[derive(Debug)]
pub(super) struct Found {
    pub events: Vec<Envelope>,
    /// Descriptions of the lines that are lost or left out.
    pub repaired: Vec<String>,
    /// The files of writes that were cut off.
    cut_off: Vec<String>,
}

impl<'a> Journal<'a> {
    /// Creates the journal of a new run.
    ///
    /// # Errors
    /// As [`require_new`].
    pub(super) async fn create(lease: &'a Lease<'a>) -> Result<Self, Error> {
        require_new(lease.project, lease.run_id()).await?;
        lease.project.make_dirs(&format!("{FOLDER}/{}", lease.run_id())).await?;
        Ok(Self { lease, run_id: lease.run_id().to_owned(), tail: RefCell::default() })
    }

    /// Opens the journal of a run to resume it.
    ///
    /// # Errors
    /// As [`read`].
    pub(super) async fn open(lease: &'a Lease<'a>) -> Result<(Self, Found), Error> {
        Self::open_run(lease, lease.run_id()).await
    }

    /// Opens the journal of another run, to end it.
    ///
    /// # Errors
    /// As [`read`].
    pub(super) async fn open_run(lease: &'a Lease<'a>, run_id: &str) -> Result<(Self, Found), Error> {
        let runs = lease.runs.borrow().clone();
        let found = read_whole(lease.project, &runs, run_id).await?;
        // Its loss is reported once.
        for path in &found.cut_off {
            lease.project.remove_file(path).await?;
        }
        let next_seq = found.events.last().map_or(0, |last| last.seq + 1);
        Ok((Self { lease, run_id: run_id.to_owned(), tail: RefCell::new(Tail::at(next_seq)) }, found))
    }

    /// Adds the JSON text of the fact with the number [`Self::next_seq`]. The lines that wait are in the same write as the
    /// first one that does not.
    ///
    /// # Errors
    /// `fs`, also if the line is too long to be read again; `locked` if another run has the lease. The fact is then not in
    /// the journal, and the lines that wait still wait.
    pub(super) async fn append(&self, json: &str, durability: Durability) -> Result<(), Error> {
        let line = seal(self.lease.project.key(), &self.run_id, json);
        if durability == Durability::Waits && self.tail.borrow().held.len() + line.len() <= HELD_BYTES {
            let mut tail = self.tail.borrow_mut();
            tail.held.push_str(&line);
            tail.next_seq += 1;
            return Ok(());
        }
        self.write(Some(&line), durability).await
    }

    /// Writes the lines that wait.
    ///
    /// # Errors
    /// As [`Self::append`].
    pub(super) async fn settle(&self) -> Result<(), Error> {
        if self.tail.borrow().held.is_empty() { Ok(()) } else { self.write(None, Durability::Written).await }
    }

    /// Writes the lines that wait, then this one.
    async fn write(&self, line: Option<&str>, durability: Durability) -> Result<(), Error> {
        self.lease.check().await?;
        let line = line.unwrap_or_default();
        let mut tail = self.tail.borrow().clone();
        if !tail.is_torn && tail.text.len() + tail.held.len() + line.len() > SEGMENT_BYTES {
            tail = Tail { first_seq: tail.held_from, text: String::new(), ..tail };
        }
        let is_new_file = match self.put(&tail, line).await {
            Ok(is_new_file) => is_new_file,
            Err(error) => {
                *self.tail.borrow_mut() = Tail { is_torn: !tail.text.is_empty(), ..tail };
                return Err(error.into());
            }
        };
        // A file that is durable keeps its later bytes after a crash; a new one may be lost.
        if is_new_file || durability == Durability::Flushed {
            self.lease.project.flush().await?;
        }
        let Tail { first_seq, mut text, held, mut next_seq, .. } = tail;
        text.push_str(&held);
        text.push_str(line);
        next_seq += u64::from(!line.is_empty());
        let after = Tail::at(next_seq);
        *self.tail.borrow_mut() =
            if durability == Durability::Flushed { after } else { Tail { first_seq, text, ..after } };
        Ok(())
    }

    /// Writes the lines that wait, and this one, so that a torn write loses no earlier line. Returns whether the file is new.
    async fn put(&self, tail: &Tail, line: &str) -> PortResult<bool> {
        let Lease { project, number, .. } = self.lease;
        let (name, added) = (format!("{:08}-{number}.jsonl", tail.first_seq), format!("{}{line}", tail.held));
        let path = format!("{FOLDER}/{}/{name}", self.run_id);
        if tail.text.is_empty() {
            project.write(&path, &added).await?;
        } else if tail.is_torn || !project.append(&path, &added).await.unwrap_or(false) {
            let beside = format!("{FOLDER}/{}/{BESIDE}{name}", self.run_id);
            project.write(&beside, format!("{}{added}", tail.text)).await?;
            project.rename(&beside, &path).await?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    pub(super) fn run_id(&self) -> &str {
        &self.run_id
    }

    pub(super) fn lease_held(&self) -> &'a Lease<'a> {
        self.lease
    }

    /// The number of the lease that allows the writes.
    pub(super) fn lease(&self) -> u64 {
        self.lease.number
    }

    pub(super) fn next_seq(&self) -> u64 {
        self.tail.borrow().next_seq
    }
}

/// Checks that the run has no journal.
///
/// # Errors
/// `conflict` if it has one; `fs`.
pub(super) async fn require_new(project: ProjectDir<'_>, run_id: &str) -> Result<(), Error> {
    let folder = format!("{FOLDER}/{run_id}");
    if project.lstat(&folder).await?.is_none() {
        return Ok(());
    }
    let message = format!("run {run_id} exists already: pass it as `resume` to go on with it");
    Err(Error::new(ErrorCode::Conflict, message).at_path(folder))
}

/// A file of a journal. Segments are sorted by their first number; those with the same one by their lease.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Segment {
    first_seq: u64,
    lease: u64,
    path: String,
}

/// The prefix of a segment that is written beside its place.
const BESIDE: &str = "next-";

/// The folder of the journal of a run.
pub(super) fn folder(run_id: &str) -> String {
    format!("{FOLDER}/{run_id}")
}

/// The files of the journal of a run.
struct Listed {
    /// Sorted.
    segments: Vec<Segment>,
    /// The files of writes that were cut off.
    cut_off: Vec<String>,
}

/// Lists the folder of a run; `None` if there is no such run.
async fn list(project: ProjectDir<'_>, run_id: &str) -> Result<Option<Listed>, Error> {
    let folder = folder(run_id);
    let segment = |name: &String| {
        let numbers = name.strip_suffix(".jsonl")?;
        // Journals from before leases have no second number.
        let (first_seq, lease) = numbers.split_once('-').unwrap_or((numbers, "0"));
        let path = format!("{folder}/{name}");
        Some(Segment { first_seq: first_seq.parse().ok()?, lease: lease.parse().ok()?, path })
    };
    Ok(project.read_dir(&folder).await?.map(|names| {
        let mut segments: Vec<Segment> = names.iter().filter_map(segment).collect();
        segments.sort();
        let cut_off = names.iter().filter(|name| name.starts_with(BESIDE)).map(|name| format!("{folder}/{name}"));
        Listed { segments, cut_off: cut_off.collect() }
    }))
}

/// Reads a run's journal without writing anything. A torn or lost end, and what a former holder of the lease wrote after a
/// later one, are left out and reported in `repaired`.
///
/// # Errors
/// `not-found`; `corrupt` for damage before the last line, with the file and the line; `unsupported` for an event of
/// another version, because a run that skips an event could repeat or undo work.
pub(super) async fn read(project: ProjectDir<'_>, run_id: &str) -> Result<Found, Error> {
    let Lines { lines, repaired, cut_off } = read_from(project, run_id, 0, &Event::read).await?;
    Ok(Found { events: lines.into_iter().map(|line| line.into_envelope(run_id)).collect(), repaired, cut_off })
}

/// As [`read`], of a run that the index has.
///
/// # Errors
/// As [`read`]; `corrupt` if the journal ends before what the index has of it.
pub(super) async fn read_whole(project: ProjectDir<'_>, runs: &Runs, run_id: &str) -> Result<Found, Error> {
    let found = read(project, run_id).await?;
    let (count, known) = (found.events.last().map_or(0, |last| last.seq + 1), runs.events_of(run_id));
    if count >= known {
        return Ok(found);
    }
    let folder = folder(run_id);
    let message = format!(
        "{folder} has {count} events and had {known}: its end is missing; nothing was changed. Start a new run to go on."
    );
    Err(Error::new(ErrorCode::Corrupt, message).at_path(folder))
}

/// The events from a number on as published JSON, whatever their recipe. A torn last line is not an event yet.
///
/// # Errors
/// As [`read`].
pub(super) async fn read_json(project: ProjectDir<'_>, run_id: &str, from: u64) -> Result<Vec<Value>, Error> {
    let lines = read_from(project, run_id, from, &|value: &Value| Ok(value.clone())).await?.lines;
    let published = |line: Line<Value>| {
        let mut event = line.event;
        if let Value::Object(fields) = &mut event {
            fields.remove("sum");
            // Journals of older versions lack it.
            if let Some(kind) = fields.get("work").and_then(|work| work.get("kind")).cloned() {
                fields.entry("kind").or_insert(kind);
            }
            fields.insert("runId".to_owned(), run_id.into());
            fields.insert("lease".to_owned(), line.lease.into());
        }
        event
    };
    Ok(lines.into_iter().filter(|line| line.seq >= from).map(published).collect())
}

/// The lines of a journal.
struct Lines<E> {
    lines: Vec<Line<E>>,
    repaired: Vec<String>,
    cut_off: Vec<String>,
}

/// The lines of the segment that has the number `from`, and of all later ones.
async fn read_from<E>(
    project: ProjectDir<'_>,
    run_id: &str,
    from: u64,
    event: ReadEvent<'_, E>,
) -> Result<Lines<E>, Error> {
    let Some(Listed { segments, cut_off }) = list(project, run_id).await? else {
        let folder = format!("{FOLDER}/{run_id}");
        let message = format!("there is no run {run_id} in {FOLDER}: see listRuns");
        return Err(Error::new(ErrorCode::NotFound, message).at_path(folder));
    };
    let (current, former) = current(segments);
    let left_out = |Segment { path, .. }| format!("{path}: a former holder of the lease wrote it; it is left out");
    let mut repaired: Vec<String> = former.into_iter().map(left_out).collect();
    repaired.extend(cut_off.iter().map(|path| format!("{path}: a write was cut off, and its lines are lost")));
    let mut found = Lines { lines: Vec::new(), repaired, cut_off };
    let start = current.iter().rposition(|segment| segment.first_seq <= from).unwrap_or(0);
    let last = current.len().saturating_sub(1);
    for (index, segment) in current.iter().enumerate().skip(start) {
        let text = project.read_text(&segment.path).await?.unwrap_or_default();
        let first = if start == 0 { 0 } else { segment.first_seq };
        if index == 0 && text.lines().next().is_some_and(|line| is_foreign(project.key(), run_id, line)) {
            return Err(from_elsewhere(&segment.path));
        }
        let is_last = index == last;
        let decode = |line: &str| decode(project.key(), run_id, line, event);
        read_segment(&mut found, first, &segment.path, &text, is_last, &decode)?;
    }
    Ok(found)
}

/// Splits segments into those to read and those that a former holder of the lease wrote after a later one.
fn current<S: Borrow<Segment>>(segments: impl IntoIterator<Item = S>) -> (Vec<S>, Vec<S>) {
    let mut newest = 0;
    segments.into_iter().partition(|segment| {
        newest = newest.max(segment.borrow().lease);
        segment.borrow().lease == newest
    })
}

/// Adds the lines of a segment. `first` is the number of the first line that is read at all.
fn read_segment<E>(
    found: &mut Lines<E>,
    first: u64,
    path: &str,
    text: &str,
    last: bool,
    decode: &dyn Fn(&str) -> Result<Line<E>, Unreadable>,
) -> Result<(), Error> {
    let count = text.lines().count();
    if last && count == 0 {
        found.repaired.push(format!("{path} is empty: its lines are lost"));
    }
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        match decode(line) {
            Ok(line) => {
                let before = found.lines.len();
                while found.lines.last().is_some_and(|old| old.lease < line.lease && old.seq >= line.seq) {
                    found.lines.pop();
                }
                if found.lines.len() < before {
                    let seq = line.seq;
                    found.repaired.push(format!(
                        "{path}: a former holder of the lease wrote events from {seq} on; they are left out"
                    ));
                }
                if line.seq != found.lines.last().map_or(first, |last| last.seq + 1) {
                    return Err(corrupt(path, index, "a line before it is missing"));
                }
                found.lines.push(line);
            }
            Err(Unreadable::Unsupported(why)) => {
                let message =
                    format!("{path}:{number} was written by another version of loopgate ({why}): update to open it");
                return Err(Error::new(ErrorCode::Unsupported, message).at_path(path));
            }
            // A run that resumes after a torn line begins a segment with the number of that line.
            Err(Unreadable::Damaged) if number == count => {
                if last {
                    found.repaired.push(format!("{path}: the last line was torn and is left out"));
                }
            }
            Err(Unreadable::Damaged) => return Err(corrupt(path, index, "its seal does not fit")),
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

fn from_elsewhere(path: &str) -> Error {
    let message = format!(
        "{path} was not written by loopgate with this `stateKey` in this project: the state in {LOOPGATE} comes from elsewhere, \
         from another user or browser, or from another folder or `projectId`. Nothing of it is used, and nothing was changed. Start a new run"
    );
    Error::new(ErrorCode::Corrupt, message).at_path(path)
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests;
