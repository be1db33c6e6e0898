//! The journal: the facts of a run in segments, `.loopgate/journal/<run>/<first seq>.jsonl`. A line is the JSON text of an
//! event with a checksum: `{"v":1,"seq":n,"at":ms,…,"type":…,"sum":"…"}`.
//!
//! The file systems of a browser cannot append, so every write rewrites its segment. A barrier and 8 KB end a segment:
//! durable lines are never rewritten, and the cost of an event does not grow with the run.

use super::event::{Envelope, Event, VERSION};
use super::options::Work;
use crate::error::{Error, ErrorCode};
use crate::layout::{JOURNAL as FOLDER, STATE_IGNORE};
use crate::port::{FsPort, ProjectDir};
use crate::{hex, json};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha1::{Digest, Sha1};
use std::cell::RefCell;

/// The facts of a tool call have about 1 KB. A call therefore writes 4 to 5 KB on average, and a run of 1,000 calls has
/// about 130 segments to read when it is resumed.
const SEGMENT_BYTES: usize = 8 * 1024;

/// The journal of one run, open for writing.
pub(super) struct Journal<'a, F> {
    project: ProjectDir<'a, F>,
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
pub(super) struct Found<R> {
    pub events: Vec<Envelope<R>>,
    /// Descriptions of the lines that were damaged and left out.
    pub repaired: Vec<String>,
}

impl<'a, F: FsPort> Journal<'a, F> {
    /// Creates the journal of a new run.
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
        let tail = RefCell::new(Tail::at(next_seq));
        Ok((Self { project, run_id: run_id.to_owned(), tail }, found))
    }

    /// Adds the JSON text of the fact with the number [`Self::next_seq`]. The lines that wait are in the same write as the
    /// first one that does not.
    ///
    /// # Errors
    /// `fs`; the fact is then not in the journal, and the lines that wait still wait.
    pub(super) async fn append(&self, json: &str, durability: Durability) -> Result<(), Error> {
        let line = seal(json);
        if durability == Durability::Waits {
            let mut tail = self.tail.borrow_mut();
            tail.held.push_str(&line);
            tail.next_seq += 1;
            return Ok(());
        }
        let Tail { first_seq, mut text, held, next_seq, .. } = {
            let mut tail = self.tail.borrow_mut();
            if !tail.text.is_empty() && tail.text.len() + tail.held.len() + line.len() > SEGMENT_BYTES {
                // Even if the write fails: the next one then replaces the torn segment.
                (tail.first_seq, tail.text) = (tail.held_from, String::new());
            }
            tail.clone()
        };
        text.push_str(&held);
        text.push_str(&line);
        self.project.write(&format!("{FOLDER}/{}/{first_seq:08}.jsonl", self.run_id), &text).await?;
        let mut tail = Tail { first_seq, text, ..Tail::at(next_seq + 1) };
        if durability == Durability::Flushed {
            self.project.flush().await?;
            tail = Tail::at(next_seq + 1);
        }
        *self.tail.borrow_mut() = tail;
        Ok(())
    }

    pub(super) fn run_id(&self) -> &str {
        &self.run_id
    }

    pub(super) fn next_seq(&self) -> u64 {
        self.tail.borrow().next_seq
    }
}

/// Checks that the run has no journal.
///
/// # Errors
/// `conflict` if it has one; `fs`.
pub(super) async fn require_new<F: FsPort>(project: ProjectDir<'_, F>, run_id: &str) -> Result<(), Error> {
    let folder = format!("{FOLDER}/{run_id}");
    if project.lstat(&folder).await?.is_none() {
        return Ok(());
    }
    let message = format!("run {run_id} exists already: pass it as `resume` to go on with it");
    Err(Error::new(ErrorCode::Conflict, message).at_path(folder))
}

/// The ids of all runs of a project, sorted: oldest first.
///
/// # Errors
/// `fs`.
pub(super) async fn runs<F: FsPort>(project: ProjectDir<'_, F>) -> Result<Vec<String>, Error> {
    Ok(project.read_dir(FOLDER).await?.unwrap_or_default())
}

/// Reads a run's journal without writing anything. A torn last line is left out and reported in `repaired`.
///
/// # Errors
/// `not-found`; `corrupt` for damage before the last line, with the file and the line; `unsupported` for an event of
/// another version, because a run that skips an event could repeat or undo work.
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

/// What a run works on, by its first event; `None` if it cannot be read.
///
/// # Errors
/// `fs`.
pub(super) async fn work<F: FsPort>(project: ProjectDir<'_, F>, run_id: &str) -> Result<Option<Work>, Error> {
    #[derive(Deserialize)]
    struct First {
        work: Work,
    }
    let folder = format!("{FOLDER}/{run_id}");
    let names = project.read_dir(&folder).await?.unwrap_or_default();
    let Some(first) = names.iter().find(|name| name.ends_with(".jsonl")) else { return Ok(None) };
    let text = project.read_text(&format!("{folder}/{first}")).await?.unwrap_or_default();
    Ok(text.lines().next().and_then(|line| json::read::<First>(line).ok()).map(|first| first.work))
}

/// The events from the last one that `is_start` selects. Reads only the segments that have them.
///
/// # Errors
/// `fs`. Damaged lines are left out.
pub(super) async fn since_last<F: FsPort, R: DeserializeOwned>(
    project: ProjectDir<'_, F>,
    run_id: &str,
    is_start: &dyn Fn(&Event<R>) -> bool,
) -> Result<Vec<Envelope<R>>, Error> {
    let folder = format!("{FOLDER}/{run_id}");
    let mut names = project.read_dir(&folder).await?.unwrap_or_default();
    names.retain(|name| name.ends_with(".jsonl"));
    let mut events = Vec::new();
    while let Some(name) = names.pop() {
        let text = project.read_text(&format!("{folder}/{name}")).await?.unwrap_or_default();
        let segment: Vec<Envelope<R>> = text.lines().filter_map(|line| decode(line, run_id).ok()).collect();
        let start = segment.iter().rposition(|envelope| is_start(&envelope.event));
        events.splice(0..0, segment.into_iter().skip(start.unwrap_or_default()));
        if start.is_some() {
            break;
        }
    }
    Ok(events)
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
        match decode(line, run_id) {
            Ok(envelope) if envelope.seq == expected => found.events.push(envelope),
            Ok(_) => return Err(corrupt(path, index, "a line before it is missing")),
            Err(Unreadable::Unsupported(why)) => {
                let line = index + 1;
                let message =
                    format!("{path}:{line} was written by another version of loopgate ({why}): update to open it");
                return Err(Error::new(ErrorCode::Unsupported, message).at_path(path));
            }
            // A run that resumes after a torn line begins a segment with the number of that line.
            Err(Unreadable::Damaged) if index + 1 == count => {
                if last {
                    found.repaired.push(format!("{path}: the last line was torn and is left out"));
                }
            }
            Err(Unreadable::Damaged) => return Err(corrupt(path, index, "its checksum does not fit")),
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

/// Hex digits of the checksum.
const SUM: usize = 16;
const SUM_KEY: &str = r#","sum":""#;

/// Why a line gives no event.
#[derive(Debug, PartialEq, Eq)]
enum Unreadable {
    /// Another version wrote it; the text says what cannot be read.
    Unsupported(String),
    /// It is torn, or not a line of a journal.
    Damaged,
}

/// The line of an event's JSON text.
fn seal(json: &str) -> String {
    let open = json.strip_suffix('}').unwrap_or(json);
    format!("{open}{SUM_KEY}{}\"}}\n", checksum(open))
}

fn decode<F: DeserializeOwned>(line: &str, run_id: &str) -> Result<Envelope<F>, Unreadable> {
    /// The fields of every line, whatever its version.
    #[derive(Deserialize)]
    struct Head {
        v: u32,
        seq: u64,
        at: u64,
        #[serde(rename = "type")]
        kind: String,
    }
    let (open, sum) = line.rsplit_once(SUM_KEY).ok_or(Unreadable::Damaged)?;
    if sum.strip_suffix("\"}") != Some(&checksum(open)) {
        return Err(Unreadable::Damaged);
    }
    let value = json::value(line).map_err(|_| Unreadable::Damaged)?;
    let Head { v, seq, at, kind } = json::from_value(value.clone()).map_err(|_| Unreadable::Damaged)?;
    if v > VERSION {
        return Err(Unreadable::Unsupported(format!("version {v} of the journal")));
    }
    let event = Event::read(&value)
        .map_err(|error| Unreadable::Unsupported(format!("event `{kind}` cannot be read: {error}")))?;
    Ok(Envelope { seq, at, run_id: run_id.to_owned(), event })
}

fn checksum(text: &str) -> String {
    hex::of(Sha1::digest(text).get(..SUM / 2).unwrap_or_default())
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests;
