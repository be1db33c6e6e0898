//! An event with its place in the journal.

use super::event::Event;
use crate::error::{Error, ErrorCode};
use serde_json::Value;

/// The version of the envelope and of the journal's lines.
pub(super) const VERSION: u32 = 1;

/// An event with its place in the journal: the contract's `RunEvent`.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Envelope {
    /// The position in the journal; a delta repeats the last one.
    pub seq: u64,
    /// Milliseconds since the epoch.
    pub at: u64,
    pub run_id: String,
    /// The number of the lease that the run had.
    pub lease: u64,
    pub event: Event,
}

impl Envelope {
    /// An event at this place.
    pub fn new(seq: u64, at: u64, run_id: String, lease: u64, event: Event) -> Self {
        Self { seq, at, run_id, lease, event }
    }

    /// The published JSON text. A line of the journal is this text with a seal.
    ///
    /// # Errors
    /// `internal` if the event has a value that JSON cannot hold.
    pub fn to_json(&self) -> Result<String, Error> {
        let json = || -> serde_json::Result<String> {
            let mut fields = self.event.to_flat()?;
            let Self { seq, at, lease, .. } = *self;
            let own = [("v", VERSION.into()), ("seq", seq.into()), ("at", at.into()), ("lease", lease.into())];
            fields.extend(own.map(|(name, value): (&str, Value)| (name.to_owned(), value)));
            fields.insert("runId".to_owned(), self.run_id.clone().into());
            serde_json::to_string(&fields)
        };
        json().map_err(|error| {
            Error::new(ErrorCode::Internal, format!("an event cannot be written as JSON ({error}): please report it"))
        })
    }
}
