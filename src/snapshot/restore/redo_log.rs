//! The redo log, `.loopgate/undo`: what a rollback will do, so that it can be finished after a crash, and what the last
//! one replaced, so that it can be undone.

use super::plan::RestorePlan;
use crate::error::{Error, ErrorCode};
use crate::json;
use crate::layout::ROLLBACK_REF;
use crate::port::{GitPort, Host, PortResult, StateKey};
use crate::sealed::{seal, unseal};
use crate::snapshot::SnapshotInfo;
use crate::snapshot::git::Oid;
use crate::snapshot::protect::is_in_snapshots;
use crate::snapshot::state;
use serde::{Deserialize, Serialize};

use crate::layout::UNDO as PATH;

/// A rollback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RedoLog {
    /// The rollback was applied and verified.
    pub is_done: bool,
    /// The snapshot that was asked for.
    pub target: SnapshotRef,
    /// The snapshot of what the rollback replaces.
    pub undo: SnapshotRef,
    #[serde(rename = "steps")]
    pub plan: RestorePlan,
    /// The files and folders of a partial rollback; `None` for a full one. With paths, `target.tree` is the tree of all files
    /// after the rollback, not the tree of the snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<String>>,
}

/// A snapshot whose tag may be gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SnapshotRef {
    /// The tag, or the full name of another ref.
    pub name: String,
    /// 40 hex digits.
    pub tree: String,
}

impl SnapshotRef {
    /// The id of the tree.
    pub(super) fn tree_id(&self) -> Result<Oid, Error> {
        Oid::parse(&self.tree).ok_or_else(corrupt)
    }
}

/// The log has what no rollback writes.
pub(super) fn corrupt() -> Error {
    Error::new(ErrorCode::Corrupt, format!("the record of the last rollback, {PATH}, is corrupt; delete it"))
}

impl RedoLog {
    /// The bytes of the stored log: they change with every rollback.
    pub(crate) async fn read_bytes(host: &Host) -> PortResult<Option<Vec<u8>>> {
        host.project().read(PATH).await
    }

    /// The log of the last rollback; `None` if there is no complete one. One with a path that no rollback changes is set
    /// aside.
    pub(crate) async fn load(host: &Host) -> PortResult<Option<Self>> {
        let Some(log) = state::read(host, PATH).await?.as_deref().and_then(|json| json::read::<Self>(json).ok()) else {
            return Ok(None);
        };
        if log.plan.paths().chain(log.paths.iter().flatten()).all(|path| is_in_snapshots(path)) {
            return Ok(Some(log));
        }
        host.project().set_aside(PATH).await?;
        Ok(None)
    }

    /// Stores the log of a rollback to `target`, before its first change. If that fails, the log `before` stays the last
    /// one; if that fails too, the next call performs the complete rollback.
    pub(super) async fn begin(
        host: &Host,
        target: SnapshotRef,
        undo: &SnapshotInfo,
        plan: RestorePlan,
        paths: Option<Vec<String>>,
        before: Option<&Self>,
    ) -> PortResult<Self> {
        let undo = SnapshotRef { name: undo.tag.clone(), tree: undo.tree.clone() };
        let log = Self { is_done: false, target, undo, plan, paths };
        if let Err(error) = log.store(host).await {
            let _ = Self::withdraw(host, before).await;
            return Err(error);
        }
        Ok(log)
    }

    /// Keeps the tree of the target: no commit has the tree of a partial rollback, so git's garbage collection would remove it.
    pub(super) async fn keep_target(&self, git: &dyn GitPort) -> PortResult<()> {
        git.write_ref(ROLLBACK_REF, &self.target.tree).await
    }

    /// Stores the log and makes it durable.
    pub(super) async fn store(&self, host: &Host) -> PortResult<()> {
        state::write(host, PATH, &self.to_json()).await?;
        host.project().flush().await
    }

    /// Restores the log of the rollback before, and makes that durable.
    pub(super) async fn withdraw(host: &Host, before: Option<&Self>) -> PortResult<()> {
        match before {
            Some(before) => before.store(host).await,
            None => {
                state::remove(host, PATH).await?;
                host.project().flush().await
            }
        }
    }

    /// The bytes of the stored log, as [`Self::read_bytes`] returns them.
    pub(super) fn encode(&self, key: &StateKey) -> Vec<u8> {
        seal(key, PATH, &self.to_json()).into_bytes()
    }

    /// Reads stored bytes; `None` if they are not a log of this harness.
    pub(crate) fn decode(key: &StateKey, bytes: &[u8]) -> Option<Self> {
        json::read(unseal(key, PATH, bytes).text()?).ok()
    }

    fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_log_reads_back() {
        let point = |name: &str| SnapshotRef { name: name.to_owned(), tree: "0".repeat(40) };
        let plan = RestorePlan { restore: vec!["a\n\"b\"".to_owned()], delete: vec!["🍓".to_owned()] };
        let log = RedoLog { is_done: false, target: point("task-1-pre"), undo: point("manual-1"), plan, paths: None };
        assert_eq!(
            serde_json::to_value(&log).unwrap()["steps"],
            serde_json::json!({ "restore": ["a\n\"b\""], "delete": ["🍓"] })
        );
        let key = StateKey::new(b"key");
        assert_eq!(RedoLog::decode(&key, &log.encode(&key)), Some(log));
    }
}
