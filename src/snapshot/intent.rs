//! `.loopgate/undo`: what a rollback is about to do, so that one that was cut off can be finished, and what the last
//! one replaced, so that it can be undone.
//!
//! A record is written beside the old one and then renamed: one of the two is always whole. The one beside is the
//! newer one.

use super::oid::Oid;
use super::state_dir;
use crate::json::{Fields, FromJson, Unfit};
use crate::port::{FsPort, Host, PortResult};
use serde::Serialize;
use serde_json::Value;

const PATH: &str = ".loopgate/undo";
const NEXT: &str = ".loopgate/undo.next";

/// A rollback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Intent {
    /// It was verified to the end.
    pub is_done: bool,
    /// The snapshot that was asked for.
    pub target: Point,
    /// The snapshot of what it replaces.
    pub undo: Point,
    /// What it does.
    pub steps: Steps,
}

impl FromJson for Intent {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self {
            is_done: fields.get("is_done")?,
            target: fields.get("target")?,
            undo: fields.get("undo")?,
            steps: fields.get("steps")?,
        })
    }
}

/// A snapshot, also when its tag is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Point {
    /// As it was named.
    pub name: String,
    /// Its tree, as hex digits.
    pub tree: String,
}

impl FromJson for Point {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self { name: fields.get("name")?, tree: fields.get("tree")? })
    }
}

/// The paths that a rollback touches, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Steps {
    /// To be written as the snapshot has them.
    pub restore: Vec<String>,
    /// To be removed, with the folders that this empties.
    pub delete: Vec<String>,
}

impl FromJson for Steps {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self { restore: fields.get("restore")?, delete: fields.get("delete")? })
    }
}

/// The last record; nothing where there is none that is whole.
pub async fn load<H: Host>(host: &H) -> PortResult<Option<Intent>> {
    for path in [NEXT, PATH] {
        if let Some(intent) = host.project().read(path).await?.as_deref().and_then(decode) {
            return Ok(Some(intent));
        }
    }
    Ok(None)
}

/// Makes a record the last one, durably.
pub async fn store<H: Host>(host: &H, intent: &Intent) -> PortResult<()> {
    state_dir::prepare(host).await?;
    let project = host.project();
    project.write(NEXT, encode(intent)).await?;
    host.fs().rename(&project.absolute(NEXT), &project.absolute(PATH)).await?;
    project.flush().await
}

/// Takes a record back: the one before is the last one again, durably.
pub async fn withdraw<H: Host>(host: &H, before: Option<&Intent>) -> PortResult<()> {
    match before {
        Some(before) => store(host, before).await,
        None => {
            host.project().remove_file(NEXT).await?;
            host.project().remove_file(PATH).await?;
            host.project().flush().await
        }
    }
}

fn encode(intent: &Intent) -> String {
    let json = serde_json::to_string(intent).unwrap_or_default();
    let sum = Oid::of_blob(json.as_bytes());
    format!("{json}\n{sum}\n")
}

fn decode(bytes: &[u8]) -> Option<Intent> {
    let (json, sum) = std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?.rsplit_once('\n')?;
    (Oid::parse(sum)? == Oid::of_blob(json.as_bytes())).then(|| crate::json::read(json).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_back_as_it_was_and_notices_any_damage() {
        let point = |name: &str| Point { name: name.to_owned(), tree: "0".repeat(40) };
        let steps = Steps { restore: vec!["a\n\"b\"".to_owned()], delete: vec!["🍓".to_owned()] };
        let intent = Intent { is_done: false, target: point("task-1-pre"), undo: point("manual-1"), steps };
        let bytes = encode(&intent).into_bytes();
        assert_eq!(decode(&bytes), Some(intent));
        assert!((0..bytes.len()).all(|end| decode(&bytes[..end]).is_none()));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(decode(&damaged), None, "byte {at}");
        }
    }
}
