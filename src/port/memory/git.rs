//! A repository in memory that refuses what real git would find broken.

use crate::port::{Commit, EntryKind, GitPort, PortError, PortErrorKind, PortResult, TreeEntry};
use sha1::{Digest, Sha1};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Debug, Clone)]
enum Object {
    Blob(Vec<u8>),
    Tree(Vec<TreeEntry>),
    Commit(Commit),
}

/// A shared repository: clones see the same objects.
#[derive(Clone, Default)]
pub struct MemoryGit {
    objects: Rc<RefCell<BTreeMap<String, Object>>>,
    refs: Rc<RefCell<BTreeMap<String, String>>>,
}

impl MemoryGit {
    /// All refs, for comparisons.
    pub fn refs(&self) -> BTreeMap<String, String> {
        self.refs.borrow().clone()
    }

    /// How many objects there are.
    pub fn object_count(&self) -> usize {
        self.objects.borrow().len()
    }

    fn store(&self, kind: &str, body: &[u8], object: Object) -> String {
        let mut hash = Sha1::new();
        hash.update(format!("{kind} {}\0", body.len()));
        hash.update(body);
        let oid: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        self.objects.borrow_mut().insert(oid.clone(), object);
        oid
    }

    fn missing(operation: &str, oid: &str) -> PortError {
        PortError::new("git", operation, PortErrorKind::NotFound, format!("object {oid} does not exist"))
    }
}

impl GitPort for MemoryGit {
    async fn init(&self) -> PortResult<()> {
        Ok(())
    }

    async fn resolve_ref(&self, name: &str) -> PortResult<Option<String>> {
        Ok(self.refs.borrow().get(name).cloned())
    }

    async fn write_ref(&self, name: &str, oid: &str) -> PortResult<()> {
        if !self.objects.borrow().contains_key(oid) {
            return Err(Self::missing("writeRef", oid));
        }
        self.refs.borrow_mut().insert(name.to_owned(), oid.to_owned());
        Ok(())
    }

    async fn delete_ref(&self, name: &str) -> PortResult<()> {
        self.refs.borrow_mut().remove(name);
        Ok(())
    }

    async fn list_tags(&self) -> PortResult<Vec<String>> {
        Ok(self.refs.borrow().keys().filter_map(|name| name.strip_prefix("refs/tags/")).map(str::to_owned).collect())
    }

    async fn read_commit(&self, oid: &str) -> PortResult<Commit> {
        match self.objects.borrow().get(oid) {
            Some(Object::Commit(commit)) => Ok(commit.clone()),
            _ => Err(Self::missing("readCommit", oid)),
        }
    }

    async fn read_tree(&self, oid: &str) -> PortResult<Vec<TreeEntry>> {
        match self.objects.borrow().get(oid) {
            Some(Object::Tree(entries)) => Ok(entries.clone()),
            _ => Err(Self::missing("readTree", oid)),
        }
    }

    async fn read_blob(&self, oid: &str) -> PortResult<Vec<u8>> {
        match self.objects.borrow().get(oid) {
            Some(Object::Blob(bytes)) => Ok(bytes.clone()),
            _ => Err(Self::missing("readBlob", oid)),
        }
    }

    async fn write_blob(&self, bytes: &[u8]) -> PortResult<String> {
        Ok(self.store("blob", bytes, Object::Blob(bytes.to_vec())))
    }

    async fn write_tree(&self, entries: &[TreeEntry]) -> PortResult<String> {
        let mut sorted = entries.to_vec();
        sorted.sort_by_key(
            |entry| {
                if entry.kind == EntryKind::Tree { format!("{}/", entry.path) } else { entry.path.clone() }
            },
        );
        let mut body = Vec::new();
        for entry in &sorted {
            if entry.kind != EntryKind::Commit && !self.objects.borrow().contains_key(&entry.oid) {
                return Err(Self::missing("writeTree", &entry.oid));
            }
            if entry.path.is_empty() || entry.path.contains('/') || entry.path == ".git" {
                let message = format!("{:?} is no name of a tree's entry", entry.path);
                return Err(PortError::new("git", "writeTree", PortErrorKind::Other, message));
            }
            body.extend_from_slice(format!("{} {}\0", entry.mode.trim_start_matches('0'), entry.path).as_bytes());
            body.extend_from_slice(&hex(&entry.oid));
        }
        Ok(self.store("tree", &body, Object::Tree(sorted)))
    }

    async fn write_commit(&self, commit: &Commit) -> PortResult<String> {
        for oid in commit.parents.iter().chain([&commit.tree]) {
            if !self.objects.borrow().contains_key(oid) {
                return Err(Self::missing("writeCommit", oid));
            }
        }
        let body = format!("{commit:?}");
        Ok(self.store("commit", body.as_bytes(), Object::Commit(commit.clone())))
    }
}

fn hex(oid: &str) -> Vec<u8> {
    oid.as_bytes()
        .chunks(2)
        .filter_map(|pair| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok()))
        .collect()
}
