//! What the agent's calls wrote, from their arguments in the journal. Between two snapshots nothing else has these bytes if
//! the user changed the file while no page was open, and a merge needs them.

use super::envelope::Envelope;
use super::event::{ChangedBy, Event};
use crate::agent;
use crate::error::Error;
use crate::ledger::Write;
use crate::port::Host;
use crate::snapshot::{self, Entry, Oid, Watch};
use serde_json::Value;
use std::collections::BTreeMap;

/// Stores what the agent wrote since the last snapshot. Returns it.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(super) async fn keep(host: &Host, watch: &Watch, events: &[Envelope]) -> Result<BTreeMap<Oid, Vec<u8>>, Error> {
    let (mut written, mut call) = (BTreeMap::new(), None);
    for envelope in events {
        match &envelope.event {
            Event::SnapshotSaved { .. } => written.clear(),
            Event::ToolCall { name, args, .. } => call = Some((name, args)),
            Event::WriteStarted { writes, by: ChangedBy::Agent } => {
                for write in writes {
                    if let (Some(call), Some(after)) = (call, write.after)
                        && let Some(bytes) = bytes_of(host, call, write, after, &written).await
                    {
                        written.insert(after.oid, bytes);
                    }
                }
            }
            _ => {}
        }
    }
    for bytes in written.values() {
        snapshot::keep(host, watch, bytes).await?;
    }
    Ok(written)
}

/// The bytes that a call wrote; `None` if its arguments do not have them.
async fn bytes_of(
    host: &Host,
    (name, args): (&String, &Value),
    write: &Write,
    after: Entry,
    written: &BTreeMap<Oid, Vec<u8>>,
) -> Option<Vec<u8>> {
    let is_it = |bytes: &Vec<u8>| Oid::of_blob(bytes) == after.oid;
    if let Some(bytes) = agent::written_by(name, args, b"").filter(is_it) {
        return Some(bytes);
    }
    let before = match written.get(&write.before?.oid) {
        Some(bytes) => bytes.clone(),
        None => snapshot::read_object(host, write.before?).await.ok()?,
    };
    agent::written_by(name, args, &before).filter(is_it)
}
