//! One line of the journal: `{"v":1,"seq":n,"at":ms,"type":…,"sum":"…"}`.

use super::recall::{self, Fields};
use crate::error::{Error, ErrorCode};
use crate::plan::PlanReport;
use crate::run::event::{Envelope, Event, VERSION};
use serde_json::Value;
use sha1::{Digest, Sha1};
use std::borrow::Cow;

/// Hex digits of the checksum.
const SUM: usize = 16;
const SUM_KEY: &str = r#","sum":""#;

/// Arguments that nest deeper are written as their text.
const ARGUMENT_LEVELS: u32 = 64;

/// Why a line gives no event.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// It was written by a version that is newer than this one.
    Newer(u32),
    /// It is torn, or not ours.
    Damaged,
}

pub(super) fn encode(envelope: &Envelope) -> Result<String, Error> {
    let body = serde_json::to_string(&*written(&envelope.event)).map_err(|error| {
        Error::new(ErrorCode::Internal, format!("an event could not be written as JSON ({error}): please report it"))
    })?;
    let fields = body.strip_prefix('{').unwrap_or(&body);
    let (seq, at) = (envelope.seq, envelope.at);
    let open = format!(r#"{{"v":{VERSION},"seq":{seq},"at":{at},{}"#, fields.strip_suffix('}').unwrap_or(fields));
    let sum = checksum(&open);
    Ok(format!("{open}{SUM_KEY}{sum}\"}}\n"))
}

pub(super) fn decode(line: &str, run_id: &str) -> Result<Envelope, Unreadable> {
    let end = line.len().checked_sub(SUM_KEY.len() + SUM + 2).ok_or(Unreadable::Damaged)?;
    let (open, tail) = line.split_at_checked(end).ok_or(Unreadable::Damaged)?;
    let sum = tail.strip_prefix(SUM_KEY).and_then(|tail| tail.strip_suffix("\"}")).ok_or(Unreadable::Damaged)?;
    if sum != checksum(open) {
        return Err(Unreadable::Damaged);
    }
    let line: Value = serde_json::from_str(line).map_err(|_| Unreadable::Damaged)?;
    let damaged = |_| Unreadable::Damaged;
    let fields = Fields(line.as_object().ok_or(Unreadable::Damaged)?);
    let v = fields.get("v").map_err(damaged)?;
    if v > VERSION {
        return Err(Unreadable::Newer(v));
    }
    Ok(Envelope {
        seq: fields.get("seq").map_err(damaged)?,
        at: fields.get("at").map_err(damaged)?,
        run_id: run_id.to_owned(),
        event: recall::event(&fields).map_err(damaged)?,
    })
}

/// What is written of an event: the reader of JSON stops at 128 levels, and neither the tree of a plan nor what a model
/// nests in its arguments is folded.
fn written(event: &Event) -> Cow<'_, Event> {
    match event {
        Event::PlanChecked { report, plan, accepted, feedback } if report.root.is_some() => {
            let PlanReport { ok, failures, warnings, markers, .. } = report;
            let (failures, warnings, markers) = (failures.clone(), warnings.clone(), markers.clone());
            let report = PlanReport { ok: *ok, root: None, failures, warnings, markers };
            let (plan, feedback) = (plan.clone(), feedback.clone());
            Cow::Owned(Event::PlanChecked { report, plan, accepted: *accepted, feedback })
        }
        Event::ToolCall { id, name, args, provider_data } if is_deeper(args, ARGUMENT_LEVELS) => {
            let (args, provider_data) = (Value::String(args.to_string()), provider_data.clone());
            Cow::Owned(Event::ToolCall { id: id.clone(), name: name.clone(), args, provider_data })
        }
        event => Cow::Borrowed(event),
    }
}

fn is_deeper(value: &Value, levels: u32) -> bool {
    match value {
        Value::Array(items) => levels == 0 || items.iter().any(|item| is_deeper(item, levels - 1)),
        Value::Object(fields) => levels == 0 || fields.values().any(|field| is_deeper(field, levels - 1)),
        _ => false,
    }
}

fn checksum(text: &str) -> String {
    Sha1::digest(text).iter().take(SUM / 2).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn envelope() -> Envelope {
        let event = Event::Steered { message: "a \"quoted\" text, 🦀 and a\nline".to_owned() };
        Envelope { seq: 7, at: 1_700_000_000_000, run_id: "run".to_owned(), event }
    }

    #[test]
    fn a_line_reads_as_it_was_written() {
        let line = encode(&envelope()).unwrap();
        assert!(line.starts_with(r#"{"v":1,"seq":7,"at":1700000000000,"type":"steered","#), "{line}");
        assert_eq!(decode(line.trim_end(), "run"), Ok(envelope()));
    }

    #[test]
    fn every_changed_or_missing_byte_is_noticed() {
        let line = encode(&envelope()).unwrap();
        let line = line.trim_end();
        for end in (0..line.len()).filter(|end| line.is_char_boundary(*end)) {
            assert_eq!(decode(&line[..end], "run"), Err(Unreadable::Damaged), "cut at {end}");
        }
        for (at, c) in line.char_indices() {
            let changed = format!("{}{}{}", &line[..at], if c == 'x' { 'y' } else { 'x' }, &line[at + c.len_utf8()..]);
            assert_eq!(decode(&changed, "run"), Err(Unreadable::Damaged), "changed at {at}");
        }
    }

    #[test]
    fn a_newer_version_is_told_from_damage() {
        let line = encode(&envelope()).unwrap().replace(r#"{"v":1"#, r#"{"v":2"#);
        let open = &line[..line.find(SUM_KEY).unwrap()];
        let resealed = format!("{open}{SUM_KEY}{}\"}}", checksum(open));
        assert_eq!(decode(&resealed, "run"), Err(Unreadable::Newer(2)));
    }

    #[test]
    fn what_nests_deeper_than_the_reader_reads_leaves_the_line_readable() {
        let plan = format!("export default {}{}", "<App>".repeat(200), "</App>".repeat(200));
        let report = crate::plan::validate(&plan, crate::plan::Registry::builtin(), None);
        let args: Value = serde_json::from_str(&format!("{}{}", "[".repeat(120), "]".repeat(120))).unwrap();
        let deep = [
            Event::PlanChecked { report, plan: None, accepted: true, feedback: "read on".to_owned() },
            Event::ToolCall { id: "a".to_owned(), name: "b".to_owned(), args, provider_data: None },
        ];
        for event in deep {
            let line = encode(&Envelope { event, ..envelope() }).unwrap();
            assert!(decode(line.trim_end(), "run").is_ok(), "{}", line.len());
        }
    }
}
