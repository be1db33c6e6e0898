//! Git plumbing: objects and refs. Porcelain is slow in browsers and changes the working tree.

use super::PortResult;
use crate::{hex, json};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// Who made a commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Person {
    pub name: String,
    pub email: String,
    /// Seconds since the epoch.
    pub timestamp: i64,
    /// Minutes west of UTC, as JavaScript and isomorphic-git count them.
    pub timezone_offset: i32,
}

/// A commit without its id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Commit {
    pub tree: String,
    pub parents: Vec<String>,
    pub message: String,
    pub author: Person,
}

impl Commit {
    /// The object's body. The message ends with one line end, as isomorphic-git writes it.
    pub fn encode(&self) -> String {
        let parents: String = self.parents.iter().map(|parent| format!("parent {parent}\n")).collect();
        let Person { name, email, timestamp, timezone_offset } = &self.author;
        let (sign, minutes) = if *timezone_offset > 0 { ('-', *timezone_offset) } else { ('+', -timezone_offset) };
        let person = format!("{name} <{email}> {timestamp} {sign}{:02}{:02}", minutes / 60, minutes % 60);
        let message = self.message.replace('\r', "");
        let message = message.trim_matches('\n');
        format!("tree {}\n{parents}author {person}\ncommitter {person}\n\n{message}\n", self.tree)
    }

    /// A commit from its object's body; `None` if it is malformed.
    pub fn decode(body: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(body);
        let (head, message) = text.split_once("\n\n")?;
        let values = |key: &'static str| head.lines().filter_map(move |line| line.strip_prefix(key)?.strip_prefix(' '));
        Some(Self {
            tree: values("tree").next()?.to_owned(),
            parents: values("parent").map(str::to_owned).collect(),
            message: message.to_owned(),
            author: Person::decode(values("author").next()?)?,
        })
    }
}

impl Person {
    /// From a line of a commit.
    fn decode(text: &str) -> Option<Self> {
        let (name, rest) = text.split_once(" <")?;
        let (email, rest) = rest.split_once("> ")?;
        let (timestamp, zone) = rest.split_once(' ')?;
        let zone: i32 = zone.parse().ok()?;
        Some(Self {
            name: name.to_owned(),
            email: email.to_owned(),
            timestamp: timestamp.parse().ok()?,
            timezone_offset: -(zone / 100 * 60 + zone % 100),
        })
    }
}

/// What a tree's entry points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// A file or a link.
    Blob,
    /// A directory.
    Tree,
    /// A submodule; never changed.
    Commit,
}

/// One entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeEntry {
    /// `100644`, `100755`, `120000`, `040000` or `160000`.
    pub mode: String,
    /// The name, one component; empty if the host gave none.
    #[serde(default, deserialize_with = "json::or_default")]
    pub path: String,
    /// The id of what it points to; empty if the host gave none.
    #[serde(default, deserialize_with = "json::or_default")]
    pub oid: String,
    /// What it points to.
    #[serde(rename = "type")]
    pub kind: EntryKind,
}

impl TreeEntry {
    /// The entries of a tree from its object's body; `None` if it is malformed.
    pub fn read_all(mut body: &[u8]) -> Option<Vec<Self>> {
        let mut entries = Vec::new();
        while !body.is_empty() {
            let end = body.iter().position(|byte| *byte == 0)?;
            let head = String::from_utf8_lossy(body.get(..end)?).into_owned();
            let (mode, path) = head.split_once(' ')?;
            let kind = match mode {
                "40000" => EntryKind::Tree,
                "160000" => EntryKind::Commit,
                _ => EntryKind::Blob,
            };
            let oid = hex::encode(body.get(end + 1..end + 21)?);
            entries.push(Self { mode: format!("{mode:0>6}"), path: path.to_owned(), oid, kind });
            body = body.get(end + 21..)?;
        }
        Some(entries)
    }
}

/// A ref in a list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ListedRef {
    /// The full name.
    #[serde(rename = "ref")]
    pub name: String,
    /// The object; `None` if the ref must be resolved.
    pub oid: Option<String>,
}

/// The host's repository. Ids are 40 hex digits.
#[async_trait(?Send)]
pub trait GitPort {
    /// Creates the repository where there is none.
    async fn init(&self) -> PortResult<()>;
    /// The branch that HEAD points to, without `refs/heads/`, also one without a commit; `None` if HEAD is detached.
    async fn current_branch(&self) -> PortResult<Option<String>>;
    /// Points HEAD to a branch, with or without a commit. Never leaves a partial file.
    async fn write_head(&self, branch: &str) -> PortResult<()>;
    /// The file of git's index; `None` if there is none.
    async fn read_index(&self) -> PortResult<Option<Vec<u8>>>;
    /// Replaces git's index. Never leaves a partial file.
    async fn write_index(&self, bytes: &[u8]) -> PortResult<()>;
    /// The name and the email of the repository's user, if it has both.
    async fn user(&self) -> PortResult<Option<(String, String)>>;
    /// The id that a full ref (`refs/tags/task-1-pre`, `HEAD`, `MERGE_HEAD`) points to; `None` if there is none.
    async fn resolve_ref(&self, name: &str) -> PortResult<Option<String>>;
    /// Points a full ref to an object.
    async fn write_ref(&self, name: &str, oid: &str) -> PortResult<()>;
    /// Points a full ref to an object if it points to `expected`, or does not exist for `None`.
    async fn move_ref(&self, name: &str, oid: &str, expected: Option<&str>) -> PortResult<()>;
    /// Removes a ref; one that does not exist is no error.
    async fn delete_ref(&self, name: &str) -> PortResult<()>;
    /// The names of the refs below a folder such as `refs/tags`, relative to it. `None` if the port cannot list the folder. A
    /// name is empty if the host returned none for it. The names in `known` are refs and no folders, so the port need not read
    /// their stats.
    async fn list_refs(&self, folder: &str, known: &[String]) -> PortResult<Option<Vec<String>>>;
    /// The refs below folders by their full names, each with its id if that takes no further call: packed refs are read once for
    /// all. `known` as in [`Self::list_refs`], with full names. `None` if the port has no such call.
    async fn read_refs(&self, _folders: &[&str], _known: &[String]) -> PortResult<Option<Vec<ListedRef>>> {
        Ok(None)
    }
    /// A commit; annotated tags are followed.
    async fn read_commit(&self, oid: &str) -> PortResult<Commit>;
    /// The entries of a tree.
    async fn read_tree(&self, oid: &str) -> PortResult<Vec<TreeEntry>>;
    /// The bytes of a blob.
    async fn read_blob(&self, oid: &str) -> PortResult<Vec<u8>>;
    /// Stores a blob; returns its id.
    async fn write_blob(&self, bytes: &[u8]) -> PortResult<String>;
    /// Stores a tree; returns its id.
    async fn write_tree(&self, entries: &[TreeEntry]) -> PortResult<String>;
    /// Stores a commit; returns its id. Moves no ref.
    async fn write_commit(&self, commit: &Commit) -> PortResult<String>;
    /// The file of a loose object (zlib); `None` if it is packed, or unknown.
    async fn read_object(&self, oid: &str) -> PortResult<Option<Vec<u8>>>;
    /// It has [`Self::write_objects`].
    fn takes_objects(&self) -> bool;
    /// Stores loose objects in any order: their ids and their files (zlib). An existing object stays.
    async fn write_objects(&self, objects: &[(String, Vec<u8>)]) -> PortResult<()>;
    /// It has [`Self::write_pack`].
    fn takes_packs(&self) -> bool;
    /// Stores many objects at once: a packfile and its index, both of version 2. The index must appear after its pack,
    /// and only complete.
    async fn write_pack(&self, pack: &[u8], index: &[u8]) -> PortResult<()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_written_as_git_writes_it_and_read_again() {
        let tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        for (timezone_offset, zone) in [(0, "+0000"), (-330, "+0530"), (90, "-0130")] {
            let person =
                Person { name: "A B".into(), email: "a@b.c".into(), timestamp: 1_700_000_000, timezone_offset };
            let commit = Commit {
                tree: tree.into(),
                parents: vec![tree.into()],
                message: "one\n\ntwo\n".into(),
                author: person,
            };
            let who = format!("A B <a@b.c> 1700000000 {zone}");
            let text = format!("tree {tree}\nparent {tree}\nauthor {who}\ncommitter {who}\n\none\n\ntwo\n");
            assert_eq!(commit.encode(), text);
            assert_eq!(Commit::decode(text.as_bytes()), Some(commit));
        }
        assert_eq!(Commit::decode(b"tree x"), None);
    }

    #[test]
    fn an_entry_without_a_path_is_read() {
        for path in [r#""path":null,"#, ""] {
            let json = format!(r#"{{"mode":"100644",{path}"oid":"a","type":"blob"}}"#);
            assert_eq!(json::read::<TreeEntry>(&json).unwrap().path, "");
        }
    }
}
