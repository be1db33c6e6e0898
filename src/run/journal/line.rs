//! One line of the journal: the JSON text of an event with a checksum, `{"v":1,"seq":n,"at":ms,…,"type":…,"sum":"…"}`.

use crate::run::event::{Envelope, Event, VERSION};
use crate::{hex, json};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha1::{Digest, Sha1};

/// Hex digits of the checksum.
const SUM: usize = 16;
const SUM_KEY: &str = r#","sum":""#;

/// Why a line gives no event.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// Another version wrote it: what cannot be read.
    Unsupported(String),
    /// It is torn, or not a line of a journal.
    Damaged,
}

/// The line of an event's JSON text.
pub(super) fn seal(json: &str) -> String {
    let open = json.strip_suffix('}').unwrap_or(json);
    format!("{open}{SUM_KEY}{}\"}}\n", checksum(open))
}

pub(super) fn decode<F: DeserializeOwned>(line: &str, run_id: &str) -> Result<Envelope<F>, Unreadable> {
    /// The fields of every line, whatever its version.
    #[derive(Deserialize)]
    struct Head {
        v: u32,
        seq: u64,
        at: u64,
        #[serde(rename = "type")]
        kind: String,
    }
    let end = line.len().checked_sub(SUM_KEY.len() + SUM + 2).ok_or(Unreadable::Damaged)?;
    let (open, tail) = line.split_at_checked(end).ok_or(Unreadable::Damaged)?;
    let sum = tail.strip_prefix(SUM_KEY).and_then(|tail| tail.strip_suffix("\"}")).ok_or(Unreadable::Damaged)?;
    if sum != checksum(open) {
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
mod tests {
    use super::*;
    use crate::run::recipe::task::TaskFact;

    fn envelope() -> Envelope<TaskFact> {
        let event = Event::Steered { message: "a \"quoted\" text, 🦀 and a\nline".to_owned() };
        Envelope { seq: 7, at: 1_700_000_000_000, run_id: "run".to_owned(), event }
    }

    fn line() -> String {
        seal(&envelope().to_json().unwrap()).trim_end().to_owned()
    }

    /// A line with another text in it and the checksum of that.
    fn resealed(from: &str, to: &str) -> String {
        let line = line().replace(from, to);
        let open = &line[..line.find(SUM_KEY).unwrap()];
        format!("{open}{SUM_KEY}{}\"}}", checksum(open))
    }

    #[test]
    fn a_line_reads_as_it_was_written() {
        assert!(
            line().starts_with(r#"{"v":1,"seq":7,"at":1700000000000,"runId":"run","type":"steered","#),
            "{}",
            line()
        );
        assert_eq!(decode(&line(), "run"), Ok(envelope()));
    }

    #[test]
    fn a_line_without_the_run_id_is_read() {
        assert_eq!(decode(&resealed(r#""runId":"run","#, ""), "run"), Ok(envelope()));
    }

    #[test]
    fn every_changed_or_missing_byte_is_noticed() {
        let line = line();
        for end in (0..line.len()).filter(|end| line.is_char_boundary(*end)) {
            assert_eq!(decode::<TaskFact>(&line[..end], "run"), Err(Unreadable::Damaged), "cut at {end}");
        }
        for (at, c) in line.char_indices() {
            let changed = format!("{}{}{}", &line[..at], if c == 'x' { 'y' } else { 'x' }, &line[at + c.len_utf8()..]);
            assert_eq!(decode::<TaskFact>(&changed, "run"), Err(Unreadable::Damaged), "changed at {at}");
        }
    }

    #[test]
    fn a_line_of_another_version_is_not_damaged() {
        for (from, to, named) in [
            (r#"{"v":1"#, r#"{"v":2"#, "version 2"),
            ("steered", "teleported", "teleported"),
            (r#""message""#, r#""words""#, "steered"),
        ] {
            let Err(Unreadable::Unsupported(why)) = decode::<TaskFact>(&resealed(from, to), "run") else {
                panic!("{to} is read")
            };
            assert!(why.contains(named), "{why}");
        }
    }
}
