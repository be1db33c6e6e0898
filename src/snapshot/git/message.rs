//! What a snapshot says about itself: the message, the time and the counts.
//!
//! They are in the commit's message. A save without changes shares the commit of another snapshot; its own message and
//! time are in `.loopgate/names`. Without that file, all snapshots of a commit have the commit's message.

use super::NamedCommit;
use crate::json;
use crate::port::{Host, PortResult};
use crate::snapshot::info::SnapshotInfo;
use crate::snapshot::state;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    /// The caller's text, without the trailers.
    pub text: String,
    /// The tag or ref that the commit was made for.
    pub tag: String,
    /// Milliseconds since the epoch.
    pub at: u64,
    /// How many files the snapshot has.
    pub files: u32,
    /// How many files differ from the snapshot before it.
    pub changed: u32,
}

const TAG: &str = "Loopgate-Snapshot";
const AT: &str = "Loopgate-At";
const FILES: &str = "Loopgate-Files";
const CHANGED: &str = "Loopgate-Changed";

impl Message {
    /// The commit's message: the text, then trailers.
    pub(crate) fn encode(&self) -> String {
        let Self { text, tag, at, files, changed } = self;
        format!("{text}\n\n{TAG}: {tag}\n{AT}: {at}\n{FILES}: {files}\n{CHANGED}: {changed}\n")
    }

    /// Reads a commit's message; `None` if the commit is not a snapshot. A number that cannot be read is 0.
    pub(crate) fn decode(message: &str) -> Option<Self> {
        let (text, trailers) = message.trim_end_matches('\n').rsplit_once("\n\n")?;
        let value =
            |key: &str| trailers.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':')).map(str::trim);
        Some(Self {
            text: text.to_owned(),
            tag: value(TAG).filter(|tag| !tag.is_empty())?.to_owned(),
            at: value(AT).and_then(|text| text.parse().ok()).unwrap_or_default(),
            files: value(FILES).and_then(|text| text.parse().ok()).unwrap_or_default(),
            changed: value(CHANGED).and_then(|text| text.parse().ok()).unwrap_or_default(),
        })
    }
}

/// The caller's text as git stores it: LF line ends, no NUL, trimmed; `None` if nothing is left.
pub(crate) fn clean(text: &str) -> Option<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}");
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

use crate::layout::NAMES as PATH;

/// Maximum of records. Older snapshots show the message of their commit.
const RECORDS_MAX: usize = 500;

/// The record of a snapshot that shares a commit. Valid while the ref points to the commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    name: String,
    oid: String,
    at: u64,
    text: String,
    changed: u32,
}

/// The records of all snapshots that share a commit, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedCommits(Vec<Record>);

impl SharedCommits {
    /// Reads the records; none if the file is missing or damaged.
    pub(crate) async fn load<H: Host>(host: &H) -> PortResult<Self> {
        let text = state::read(host, PATH).await?.unwrap_or_default();
        Ok(Self(text.lines().filter_map(|line| json::read(line).ok()).collect()))
    }

    /// Adds a record, which replaces that of the same name, and stores all; durable with the next flush.
    pub(crate) async fn add<H: Host>(&mut self, host: &H, commit: &NamedCommit, message: &Message) -> PortResult<()> {
        self.0.retain(|record| record.name != commit.name);
        self.0.push(Record {
            name: commit.name.clone(),
            oid: commit.oid.to_string(),
            at: message.at,
            text: message.text.clone(),
            changed: message.changed,
        });
        self.0.drain(..self.0.len().saturating_sub(RECORDS_MAX));
        let lines: Vec<String> = self.0.iter().filter_map(|record| serde_json::to_string(record).ok()).collect();
        state::write(host, PATH, &lines.join("\n")).await
    }

    /// The name in the newest record.
    pub(crate) fn newest(&self) -> Option<&str> {
        self.0.last().map(|record| record.name.as_str())
    }

    /// A snapshot of this name has a record.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        self.0.iter().any(|record| record.name == name)
    }

    /// Replaces the message, time and count by those of the snapshot's record. Returns whether it has one.
    pub(crate) fn complete(&self, info: &mut SnapshotInfo) -> bool {
        let Some(record) = self.get(&info.tag, &info.oid) else { return false };
        (info.message, info.at, info.changed) = (record.text.clone(), record.at, record.changed);
        true
    }

    /// The same commit under its newest tag.
    pub(crate) fn under_newest_tag(&self, commit: NamedCommit) -> NamedCommit {
        let oid = commit.oid.to_string();
        let tags = self.0.iter().filter(|record| record.oid == oid && !record.name.starts_with("refs/"));
        match (tags.max_by_key(|record| record.at), commit.message) {
            (Some(Record { name, at, text, changed, .. }), Some(message)) if *at >= message.at => NamedCommit {
                name: name.clone(),
                message: Some(Message { text: text.clone(), tag: name.clone(), at: *at, changed: *changed, ..message }),
                ..commit
            },
            (_, message) => NamedCommit { message, ..commit },
        }
    }

    fn get(&self, name: &str, oid: &str) -> Option<&Record> {
        self.0.iter().find(|record| record.name == name && record.oid == oid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_reads_back_from_its_commit() {
        for text in ["one", "two\nlines", "para\n\ngraphs", "Loopgate-Snapshot: fake\n\nwords", "-x $(y) \"z\" 🍓"] {
            let message = Message { text: text.to_owned(), tag: "task-1-pre".to_owned(), at: 17, files: 3, changed: 2 };
            assert_eq!(Message::decode(&message.encode()), Some(message));
        }
    }

    #[test]
    fn a_commit_without_the_trailer_is_not_a_snapshot() {
        for message in ["", "fix", "fix\n\nSigned-off-by: me", "Loopgate-Snapshot: x", "a\n\nLoopgate-Snapshot:\n"] {
            assert_eq!(Message::decode(message), None, "{message:?}");
        }
    }

    #[test]
    fn an_unreadable_number_is_zero() {
        let message = Message::decode("a\n\nLoopgate-Snapshot: t\nLoopgate-Files: many").unwrap();
        assert_eq!((message.files, message.changed, message.at), (0, 0, 0));
    }

    #[test]
    fn a_text_is_cleaned_as_git_does_it() {
        assert_eq!(clean(" a\r\nb\0 \n").as_deref(), Some("a\nb\u{fffd}"));
        assert_eq!(clean(" \r\n"), None);
    }

    #[cfg(not(target_family = "wasm"))]
    mod shared {
        use super::*;
        use crate::port::memory::MemoryHost;
        use crate::snapshot::git::Oid;

        fn commit(name: &str, oid: Oid, text: &str, at: u64) -> (NamedCommit, Message) {
            let message = Message { text: text.to_owned(), tag: name.to_owned(), at, files: 3, changed: 0 };
            (NamedCommit { name: name.to_owned(), oid, tree: oid, message: Some(message.clone()) }, message)
        }

        fn info(name: &str, oid: Oid) -> SnapshotInfo {
            let (commit, message) = commit(name, oid, "of the commit", 1);
            commit.info(&message)
        }

        #[tokio::test]
        async fn only_the_newest_records_are_stored() {
            let host = MemoryHost::new([("a", "1")]);
            let oid = Oid::of_blob(b"commit");
            let mut shared = SharedCommits::default();
            for number in 0..RECORDS_MAX as u64 + 1 {
                let (commit, message) = commit(&format!("tag-{number}"), oid, "two\nlines \"🍓\"", number);
                shared.add(&host, &commit, &message).await.unwrap();
            }
            let shared = SharedCommits::load(&host).await.unwrap();
            assert!(!shared.complete(&mut info("tag-0", oid)), "the oldest is gone");
            let mut first = info("tag-1", oid);
            assert!(shared.complete(&mut first));
            assert_eq!((first.message.as_str(), first.at, first.changed), ("two\nlines \"🍓\"", 1, 0));
            assert!(shared.get("tag-1", &Oid::of_blob(b"another commit").to_string()).is_none(), "the tag was moved");
        }

        #[tokio::test]
        async fn a_damaged_file_has_no_records() {
            let host = MemoryHost::new([(".loopgate/names", "{\"name\":\"a\"")]);
            assert!(SharedCommits::load(&host).await.unwrap().0.is_empty());
        }

        #[tokio::test]
        async fn the_newest_tag_of_a_commit_is_not_an_iteration() {
            let host = MemoryHost::new([("a", "1")]);
            let oid = Oid::of_blob(b"commit");
            let mut shared = SharedCommits::default();
            for (name, at) in [("post", 7), ("undo", 8), ("refs/loopgate/iterations/run/1", 9)] {
                let (commit, message) = commit(name, oid, name, at);
                shared.add(&host, &commit, &message).await.unwrap();
            }
            let newest = shared.under_newest_tag(commit("pre", oid, "pre", 6).0);
            assert_eq!((newest.name.as_str(), newest.message.map(|message| message.at)), ("undo", Some(8)));
        }
    }
}
