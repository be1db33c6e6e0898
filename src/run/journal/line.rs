//! A line of a journal: the JSON text of an event, which ends with its seal.

use crate::json;
use crate::port::StateKey;
use crate::run::envelope::{Envelope, VERSION};
use crate::run::event::Event;
use crate::sealed::is_seal;
use serde::Deserialize;
use serde_json::Value;

/// A line of a journal with its event.
#[derive(Debug, PartialEq)]
pub(super) struct Line<E> {
    pub seq: u64,
    pub at: u64,
    pub lease: u64,
    pub event: E,
}

impl Line<Event> {
    pub(super) fn into_envelope(self, run_id: &str) -> Envelope {
        let Self { seq, at, lease, event } = self;
        Envelope::new(seq, at, run_id.to_owned(), lease, event)
    }
}

/// Reads the event of a line.
pub(super) type ReadEvent<'a, E> = &'a dyn Fn(&Value) -> Result<E, String>;

/// Hex digits of the seal of a line.
const SUM: usize = 32;
const SUM_KEY: &str = r#","sum":""#;

/// Why a line gives no event.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// Another version wrote it; the text says what cannot be read.
    Unsupported(String),
    /// It is torn, or not a line of a journal.
    Damaged,
}

/// The line of an event's JSON text in the journal of a run.
pub(super) fn seal(key: &StateKey, run_id: &str, json: &str) -> String {
    let open = json.strip_suffix('}').unwrap_or(json);
    format!("{open}{SUM_KEY}{}\"}}\n", key.sign(run_id, open).get(..SUM).unwrap_or_default())
}

/// Splits a complete line into the text that is sealed, and the seal.
fn parts(line: &str) -> Option<(&str, &str)> {
    let (open, sum) = line.rsplit_once(SUM_KEY)?;
    Some((open, sum.strip_suffix("\"}").filter(|sum| is_seal(sum))?))
}

fn is_own(key: &StateKey, run_id: &str, (open, sum): (&str, &str)) -> bool {
    sum.len() == SUM && key.verifies(run_id, open, sum)
}

/// Whether a line is complete, and sealed with another key, for another run or by an older release.
pub(super) fn is_foreign(key: &StateKey, run_id: &str, line: &str) -> bool {
    parts(line).is_some_and(|parts| !is_own(key, run_id, parts))
}

pub(super) fn decode<E>(
    key: &StateKey,
    run_id: &str,
    line: &str,
    event: ReadEvent<'_, E>,
) -> Result<Line<E>, Unreadable> {
    /// The fields of every line, whatever its version.
    #[derive(Deserialize)]
    struct Head {
        v: u32,
        seq: u64,
        at: u64,
        #[serde(default)]
        lease: u64,
        #[serde(rename = "type")]
        kind: String,
    }
    if !parts(line).is_some_and(|parts| is_own(key, run_id, parts)) {
        return Err(Unreadable::Damaged);
    }
    let value = json::value(line).map_err(|_| Unreadable::Damaged)?;
    let Head { v, seq, at, lease, kind } = json::from_value(value.clone()).map_err(|_| Unreadable::Damaged)?;
    if v > VERSION {
        return Err(Unreadable::Unsupported(format!("version {v} of the journal")));
    }
    let event =
        event(&value).map_err(|error| Unreadable::Unsupported(format!("event `{kind}` cannot be read: {error}")))?;
    Ok(Line { seq, at, lease, event })
}
