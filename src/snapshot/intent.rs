//! `.loopgate/undo`: what a rollback is about to do, so that one that was cut off can be finished, and what the last
//! one replaced, so that it can be undone.

use super::state_dir;
use crate::port::{Host, PortResult};
use serde::{Deserialize, Serialize};

const PATH: &str = ".loopgate/undo";

/// A rollback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Intent {
    /// It was verified to the end.
    pub is_done: bool,
    /// The snapshot that was asked for.
    pub target: Point,
    /// The snapshot of what it replaces.
    pub undo: Point,
    /// What it does.
    pub steps: Steps,
}

/// A snapshot, also when its tag is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Point {
    /// As it was named.
    pub name: String,
    /// Its tree, as hex digits.
    pub tree: String,
}

/// The paths that a rollback touches, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Steps {
    /// To be written as the snapshot has them.
    pub restore: Vec<String>,
    /// To be removed, with the folders that this empties.
    pub delete: Vec<String>,
}

/// The last record as it is stored: the same bytes mean that nobody rolled back.
pub(super) async fn stored<H: Host>(host: &H) -> PortResult<Option<Vec<u8>>> {
    host.project().read(PATH).await
}

/// The last record; nothing where there is none that is whole.
pub(super) async fn load<H: Host>(host: &H) -> PortResult<Option<Intent>> {
    Ok(state_dir::published(host, PATH).await?.as_deref().and_then(decode))
}

/// Makes a record the last one, durably.
pub(super) async fn store<H: Host>(host: &H, intent: &Intent) -> PortResult<()> {
    state_dir::publish(host, PATH, &encode(intent)).await?;
    host.project().flush().await
}

/// Takes a record back: the one before is the last one again, durably.
pub(super) async fn withdraw<H: Host>(host: &H, before: Option<&Intent>) -> PortResult<()> {
    match before {
        Some(before) => store(host, before).await,
        None => {
            state_dir::withdraw(host, PATH).await?;
            host.project().flush().await
        }
    }
}

/// A record as it is stored.
pub(super) fn stored_form(intent: &Intent) -> Vec<u8> {
    state_dir::seal(&encode(intent)).into_bytes()
}

/// A record that was stored; nothing where it is damaged.
pub(super) fn read_stored(bytes: &[u8]) -> Option<Intent> {
    decode(state_dir::unseal(bytes)?)
}

fn encode(intent: &Intent) -> String {
    serde_json::to_string(intent).unwrap_or_default()
}

fn decode(json: &str) -> Option<Intent> {
    crate::json::read(json).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_back_as_it_was() {
        let point = |name: &str| Point { name: name.to_owned(), tree: "0".repeat(40) };
        let steps = Steps { restore: vec!["a\n\"b\"".to_owned()], delete: vec!["🍓".to_owned()] };
        let intent = Intent { is_done: false, target: point("task-1-pre"), undo: point("manual-1"), steps };
        assert_eq!(read_stored(&stored_form(&intent)), Some(intent));
    }
}
