//! `.loopgate/names`: snapshots that share the commit of another one because nothing changed between the two.
//!
//! A commit has one message and one time, those of its first snapshot. The other snapshots have a record here. A record is
//! valid while its ref points to its commit. Without the file, all snapshots of a commit have the commit's message.

use super::info::SnapshotInfo;
use super::message::Message;
use super::state_dir;
use super::tags::Target;
use crate::port::{Host, PortResult};
use serde::{Deserialize, Serialize};

const PATH: &str = ".loopgate/names";

/// Maximum of records; older snapshots show the message of their commit.
const KEPT: usize = 500;

/// A snapshot that shares a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Name {
    name: String,
    oid: String,
    at: u64,
    text: String,
    changed: u32,
}

/// All records, oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Names(Vec<Name>);

impl Names {
    /// Reads the file; empty if it is missing or damaged.
    pub(super) async fn load<H: Host>(host: &H) -> PortResult<Self> {
        let text = state_dir::published(host, PATH).await?.unwrap_or_default();
        Ok(Self(text.lines().filter_map(|line| crate::json::read(line).ok()).collect()))
    }

    /// Adds a snapshot, replaces an older record of its name, and stores the file; durable with the next flush.
    pub(super) async fn add<H: Host>(&mut self, host: &H, target: &Target, message: &Message) -> PortResult<()> {
        self.0.retain(|other| other.name != target.name);
        self.0.push(Name {
            name: target.name.clone(),
            oid: target.oid.to_string(),
            at: message.at,
            text: message.text.clone(),
            changed: message.changed,
        });
        self.0.drain(..self.0.len().saturating_sub(KEPT));
        let lines: Vec<String> = self.0.iter().filter_map(|name| serde_json::to_string(name).ok()).collect();
        state_dir::publish(host, PATH, &lines.join("\n")).await
    }

    /// Whether there is a record of this snapshot.
    pub(super) fn has(&self, name: &str, oid: &str) -> bool {
        self.of(name, oid).is_some()
    }

    /// Sets the message, time and count of a snapshot from its record. Returns whether there is one.
    pub(super) fn complete(&self, info: &mut SnapshotInfo) -> bool {
        let Some(name) = self.of(&info.tag, &info.oid) else { return false };
        (info.message, info.at, info.changed) = (name.text.clone(), name.at, name.changed);
        true
    }

    /// The newest tag of this snapshot's commit.
    pub(super) fn newest_tag_of(&self, target: Target) -> Target {
        let oid = target.oid.to_string();
        let tags = self.0.iter().filter(|name| name.oid == oid && !name.name.starts_with("refs/"));
        match (tags.max_by_key(|name| name.at), target.message) {
            (Some(Name { name, at, text, changed, .. }), Some(message)) if *at >= message.at => Target {
                name: name.clone(),
                message: Some(Message { text: text.clone(), tag: name.clone(), at: *at, changed: *changed, ..message }),
                ..target
            },
            (_, message) => Target { message, ..target },
        }
    }

    fn of(&self, name: &str, oid: &str) -> Option<&Name> {
        self.0.iter().find(|other| other.name == name && other.oid == oid)
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::port::memory::MemoryHost;
    use crate::snapshot::oid::Oid;

    fn target(name: &str, oid: Oid, text: &str, at: u64) -> (Target, Message) {
        let message = Message { text: text.to_owned(), tag: name.to_owned(), at, files: 3, changed: 0 };
        (Target { name: name.to_owned(), oid, tree: oid, message: Some(message.clone()) }, message)
    }

    fn info(name: &str, oid: Oid) -> SnapshotInfo {
        let (target, message) = target(name, oid, "of the commit", 1);
        target.info(&message)
    }

    #[tokio::test]
    async fn records_come_back_and_only_the_newest_are_kept() {
        let host = MemoryHost::new([("a", "1")]);
        let oid = Oid::of_blob(b"commit");
        let mut names = Names::default();
        for number in 0..KEPT as u64 + 1 {
            let (target, message) = target(&format!("tag-{number}"), oid, "two\nlines \"🍓\"", number);
            names.add(&host, &target, &message).await.unwrap();
        }
        let names = Names::load(&host).await.unwrap();
        assert!(!names.complete(&mut info("tag-0", oid)), "the oldest is gone");
        let mut first = info("tag-1", oid);
        assert!(names.complete(&mut first));
        assert_eq!((first.message.as_str(), first.at, first.changed), ("two\nlines \"🍓\"", 1, 0));
        assert!(!names.has("tag-1", &Oid::of_blob(b"another commit").to_string()), "the tag was moved");
    }

    #[tokio::test]
    async fn a_damaged_file_holds_no_records() {
        let host = MemoryHost::new([(".loopgate/names", "{\"name\":\"a\"")]);
        assert!(Names::load(&host).await.unwrap().0.is_empty());
    }

    #[tokio::test]
    async fn the_newest_tag_of_a_commit_is_no_iteration() {
        let host = MemoryHost::new([("a", "1")]);
        let oid = Oid::of_blob(b"commit");
        let mut names = Names::default();
        for (name, at) in [("post", 7), ("undo", 8), ("refs/loopgate/iterations/run/1", 9)] {
            let (target, message) = target(name, oid, name, at);
            names.add(&host, &target, &message).await.unwrap();
        }
        let newest = names.newest_tag_of(target("pre", oid, "pre", 6).0);
        assert_eq!((newest.name.as_str(), newest.message.map(|message| message.at)), ("undo", Some(8)));
    }
}
