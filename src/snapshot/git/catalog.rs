//! The catalog, `.loopgate/names`: what each snapshot says about itself, so that a list need not read their commits.
//!
//! Git decides which snapshots exist. A list uses a record while its ref exists; all other calls resolve the ref. A missing
//! record is read from git, except the message of a snapshot that shares the commit of another one: only this file has it.

use super::{Message, NamedCommit, Oid, tags};
use crate::json;
use crate::layout::NAMES as PATH;
use crate::port::{GitPort, Host, PortResult};
use crate::snapshot::info::SnapshotKind;
use crate::snapshot::state;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A ref of a snapshot, or of something else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The tag, or the full name of the ref.
    pub name: String,
    pub oid: String,
    #[serde(default, skip_serializing_if = "is_default")]
    at: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    text: String,
    #[serde(default, skip_serializing_if = "is_default")]
    changed: u32,
    /// Empty for another ref, and in records of earlier releases, which have only what is above.
    #[serde(default, skip_serializing_if = "is_default")]
    tree: String,
    #[serde(default, skip_serializing_if = "is_default")]
    files: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    kind: SnapshotKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    /// The tag that the commit was made for.
    #[serde(default, skip_serializing_if = "is_default")]
    made_for: String,
    /// The message comes from the commit, which was made for another tag.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_borrowed: bool,
    /// The ref is no snapshot.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_other: bool,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Record {
    /// What a commit says about the snapshot under its name.
    pub(crate) fn from_commit(commit: &NamedCommit, is_borrowed: bool) -> Self {
        let message = commit.message.clone();
        let is_other = message.is_none();
        let tree = if is_other { String::new() } else { commit.tree.to_string() };
        let Message { text, tag, at, files, changed, kind, run } = message.unwrap_or_default();
        Self {
            name: commit.name.clone(),
            oid: commit.oid.to_string(),
            tree,
            made_for: tag,
            at,
            text,
            files,
            changed,
            kind,
            run,
            is_borrowed,
            is_other,
        }
    }

    /// The commit of the snapshot; `None` for another ref, and in records of earlier releases.
    pub(crate) fn commit(&self) -> Option<NamedCommit> {
        let message = Message { tag: self.made_for.clone(), ..self.message() };
        let (oid, tree) = (Oid::parse(&self.oid)?, Oid::parse(&self.tree)?);
        Some(NamedCommit { name: self.name.clone(), oid, tree, message: Some(message) }).filter(|_| !self.is_other)
    }

    fn message(&self) -> Message {
        let Self { name, at, text, changed, files, kind, run, .. } = self.clone();
        Message { text, tag: name, at, files, changed, kind, run }
    }

    /// The time of the snapshot; `None` for another ref.
    pub(crate) fn at(&self) -> Option<u64> {
        (!self.is_other).then_some(self.at)
    }

    fn is_complete(&self) -> bool {
        self.is_other || !self.tree.is_empty()
    }
}

/// The records by name, each with its place in the order of the saves.
#[derive(Debug, Clone, Default)]
pub(crate) struct Catalog(BTreeMap<String, (u64, Record)>, Option<u64>);

/// Clocks of computers differ by less, in milliseconds.
const CLOCKS_DIFFER: u64 = 24 * 60 * 60 * 1_000;

impl Catalog {
    /// Reads the records; none if the file is missing or damaged.
    pub(crate) async fn load(host: &Host) -> PortResult<Self> {
        let text = state::read(host, PATH).await?.unwrap_or_default();
        let records = text.lines().filter_map(|line| json::read::<Record>(line).ok());
        let records = (1..).zip(records).map(|(at, record)| (record.name.clone(), (at, record))).collect();
        Ok(Self(records, Some(host.clock.now().saturating_add(CLOCKS_DIFFER))))
    }

    /// As [`Self::load`], but marks the newest record as incomplete if its ref does not point to its commit: a save stores the
    /// record first, and a crash may come between the two.
    pub(crate) async fn load_checked(host: &Host, git: &dyn GitPort) -> PortResult<Self> {
        let mut catalog = Self::load(host).await?;
        if let Some((_, newest)) = catalog.0.values_mut().max_by_key(|(at, _)| *at) {
            // What cannot be resolved is reported by whoever needs it.
            let found = tags::resolve(git, &newest.name).await.ok().flatten();
            if found.is_none_or(|(_, oid)| oid != newest.oid) {
                newest.tree.clear();
            }
        }
        Ok(catalog)
    }

    /// The run of the last save under a tag.
    pub(crate) fn run_of(&self, tag: &str) -> Option<&str> {
        self.get(tag)?.run.as_deref()
    }

    /// Adds a snapshot as the newest, which replaces one of the same name, and stores all; durable with the next flush.
    pub(crate) async fn add(&mut self, host: &Host, commit: &NamedCommit) -> PortResult<()> {
        let last = self.0.values().map(|(at, _)| *at).max().unwrap_or_default();
        self.0.insert(commit.name.clone(), (last + 1, Record::from_commit(commit, false)));
        self.store(host).await
    }

    /// Adds what was read from git.
    pub(crate) fn learn(&mut self, read: Vec<Record>) {
        for record in read {
            let at = self.0.get(&record.name).map_or(0, |(at, _)| *at);
            self.0.insert(record.name.clone(), (at, record));
        }
    }

    /// Forgets the snapshots that are gone; iterations have a list of their own.
    pub(crate) fn keep(&mut self, names: &BTreeSet<&str>) {
        self.0.retain(|name, _| name.starts_with(crate::layout::ITERATION_REFS) || names.contains(name.as_str()));
    }

    /// Forgets the iterations that are gone.
    pub(crate) fn keep_iterations(&mut self, names: &[String]) {
        let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        self.0.retain(|name, _| !name.starts_with(crate::layout::ITERATION_REFS) || names.contains(name.as_str()));
    }

    /// Stores all records; durable with the next flush.
    pub(crate) async fn store(&mut self, host: &Host) -> PortResult<()> {
        let mut records: Vec<&(u64, Record)> = self.0.values().collect();
        records.sort_by_key(|(at, _)| *at);
        let lines: Vec<String> =
            records.into_iter().filter_map(|(_, record)| serde_json::to_string(record).ok()).collect();
        state::write(host, PATH, &lines.join("\n")).await
    }

    /// The name of the newest save.
    pub(crate) fn newest(&self) -> Option<&str> {
        self.0.values().max_by_key(|(at, _)| *at).map(|(_, record)| record.name.as_str())
    }

    /// A snapshot of this name was saved, or read.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        self.get(name).is_some_and(|record| !record.is_other)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Record> {
        self.0.get(name).map(|(_, record)| record)
    }

    /// All names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// What is known about a ref without a call of git.
    pub(crate) fn known(&self, name: &str) -> Option<&Record> {
        self.get(name).filter(|record| record.is_complete())
    }

    /// The commit with the message that was saved for its name; whether there is one.
    pub(crate) fn complete(&self, commit: &mut NamedCommit) -> bool {
        let oid = commit.oid.to_string();
        let own = self.get(&commit.name).filter(|record| record.oid == oid && !record.is_borrowed && !record.is_other);
        let (Some(record), Some(message)) = (own, &mut commit.message) else { return false };
        (message.text, message.at, message.changed) = (record.text.clone(), record.at, record.changed);
        match record.is_complete() {
            true => (message.kind, message.run) = (record.kind, record.run.clone()),
            false => message.kind = SnapshotKind::guess(&record.name, &record.text),
        }
        true
    }

    /// Forgets a time in the future, of a message that only git has: the snapshots to come would be later.
    pub(crate) fn bound(&self, message: &mut Message) {
        if self.1.is_some_and(|latest| message.at > latest) {
            message.at = 0;
        }
    }

    /// Whether the newest record describes this snapshot.
    pub(crate) fn describes(&self, commit: &NamedCommit) -> bool {
        self.newest() == Some(commit.name.as_str())
            && self.get(&commit.name).is_some_and(|record| *record == Record::from_commit(commit, false))
    }

    /// The same commit under its newest tag.
    pub(crate) fn under_newest_tag(&self, commit: NamedCommit) -> NamedCommit {
        let oid = commit.oid.to_string();
        let is_tag = |record: &&Record| {
            record.oid == oid && !record.is_borrowed && !record.is_other && !record.name.starts_with("refs/")
        };
        let tags = self.0.values().map(|(_, record)| record).filter(is_tag);
        match (tags.max_by_key(|record| record.at), commit.message) {
            (Some(record), Some(message)) if record.at >= message.at => {
                let files = message.files;
                NamedCommit {
                    name: record.name.clone(),
                    message: Some(Message { files, ..record.message() }),
                    ..commit
                }
            }
            (_, message) => NamedCommit { message, ..commit },
        }
    }
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::port::memory::MemoryHost;

    fn commit(name: &str, oid: Oid, text: &str, at: u64) -> NamedCommit {
        let kind = SnapshotKind::Base;
        let message = Message { text: text.to_owned(), tag: name.to_owned(), at, files: 3, kind, ..Message::default() };
        NamedCommit { name: name.to_owned(), oid, tree: oid, message: Some(message) }
    }

    #[tokio::test]
    async fn every_record_reads_back() {
        let host = MemoryHost::new([("a", "1")]);
        let oid = Oid::of_blob(b"commit");
        let mut catalog = Catalog::default();
        for number in 0..6_000 {
            let commit = commit(&format!("tag-{number}"), oid, "two\nlines \"🍓\"", number);
            catalog.0.insert(commit.name.clone(), (number, Record::from_commit(&commit, false)));
        }
        let other = NamedCommit { message: None, ..commit("v1", oid, "", 0) };
        catalog.learn(vec![Record::from_commit(&other, false)]);
        catalog.add(&host, &commit("last", oid, "words", 7)).await.unwrap();
        let catalog = Catalog::load(&host).await.unwrap();
        assert_eq!((catalog.newest(), catalog.names().count()), (Some("last"), 6_002));
        let known = catalog.known("v1").unwrap();
        assert!(known.is_other && known.commit().is_none() && serde_json::to_string(known).unwrap().len() < 100);
        let first = commit("tag-1", oid, "two\nlines \"🍓\"", 1);
        assert_eq!(catalog.known("tag-1").and_then(Record::commit).unwrap().message, first.message);
        let mut moved = commit("tag-1", Oid::of_blob(b"another commit"), "other", 2);
        assert!(!catalog.complete(&mut moved), "the tag was moved");
    }

    #[tokio::test]
    async fn a_damaged_file_has_no_records_and_one_of_an_earlier_release_has_messages() {
        let host = MemoryHost::new([(".loopgate/names", "{\"name\":\"a\"")]);
        assert!(Catalog::load(&host).await.unwrap().0.is_empty());
        let oid = Oid::of_blob(b"commit");
        let line =
            format!(r#"{{"name":"manual-1","oid":"{oid}","at":9,"text":"before the rollback to a","changed":2}}"#);
        state::write(&host, PATH, &line).await.unwrap();
        let catalog = Catalog::load(&host).await.unwrap();
        assert_eq!(catalog.known("manual-1"), None, "git has its tree");
        let mut found = commit("manual-1", oid, "of the commit", 1);
        assert!(catalog.complete(&mut found));
        let message = found.message.unwrap();
        assert_eq!((message.at, message.changed, message.kind), (9, 2, SnapshotKind::Undo));
    }

    #[tokio::test]
    async fn what_was_read_is_older_than_what_was_saved() {
        let host = MemoryHost::new([("a", "1")]);
        let oid = Oid::of_blob(b"commit");
        let mut catalog = Catalog::default();
        catalog.add(&host, &commit("saved", oid, "", 1)).await.unwrap();
        catalog.learn(vec![Record::from_commit(&commit("read", oid, "", 2), true)]);
        assert_eq!(catalog.newest(), Some("saved"));
        assert!(!catalog.complete(&mut commit("read", oid, "", 2)), "the message is not its own");
        catalog.keep(&BTreeSet::from_iter(["read"]));
        assert!(catalog.has_name("read") && !catalog.has_name("saved"));
    }

    #[tokio::test]
    async fn the_newest_tag_of_a_commit_is_not_an_iteration() {
        let host = MemoryHost::new([("a", "1")]);
        let oid = Oid::of_blob(b"commit");
        let mut catalog = Catalog::default();
        for (name, at) in [("post", 7), ("undo", 8), ("refs/loopgate/iterations/run/1", 9)] {
            catalog.add(&host, &commit(name, oid, name, at)).await.unwrap();
        }
        let newest = catalog.under_newest_tag(commit("pre", oid, "pre", 6));
        assert_eq!((newest.name.as_str(), newest.message.map(|message| message.at)), ("undo", Some(8)));
    }
}
