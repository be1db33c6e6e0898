//! Writing git's objects. An object that exists is never written again.
//!
//! A save that was interrupted may leave torn objects, which git ports do not replace because they exist.
//! `.loopgate/saving` exists while a save writes. A save that finds it reads back whatever it writes.

use super::format::{Object, ObjectKind, encode_pack};
use super::oid::Oid;
use super::tree::{Tree, tree_id};
use crate::error::{Error, ErrorCode};
use crate::port::{Commit, GitPort, Host, PortResult, TreeEntry};
use crate::sealed::{seal, unseal};
use crate::snapshot::state;
use std::collections::BTreeSet;

const SAVING: &str = crate::layout::SAVING;

/// The name of the save that was interrupted, if there is one; empty if it is not known.
pub(crate) async fn interrupted_save<H: Host>(host: &H) -> PortResult<Option<String>> {
    let name = |bytes: Vec<u8>| unseal(host.state_key(), SAVING, &bytes).text().unwrap_or_default().to_owned();
    Ok(host.project().read(SAVING).await?.map(name))
}

/// From this number of new objects on, they go into one pack. Every reader searches every pack, so few objects are
/// cheaper as files.
const PACK_FROM: usize = 50;

/// How many bytes of objects may wait in memory.
const WAITING_MAX: usize = 32 * 1024 * 1024;

/// The git port stores larger objects, in bytes: it compresses them, and no further copy is in memory.
const FINISHED_MAX: usize = 4 * 1024 * 1024;

/// Writes objects, each once. Where the git port takes finished objects, they wait until the commit is written: for one
/// pack if there are many, for one call otherwise.
pub(crate) struct ObjectWriter<'a, H: Host> {
    host: &'a H,
    git: &'a H::Git,
    /// What is saved, for `.loopgate/saving`.
    name: &'a str,
    /// Objects that exist, or wait to be written.
    stored: BTreeSet<Oid>,
    waiting: Vec<Object>,
    waiting_bytes: usize,
    /// `.loopgate` exists.
    pub is_prepared: bool,
    pub has_written: bool,
    /// A save was interrupted: existing objects may be torn.
    after_crash: bool,
}

impl<'a, H: Host> ObjectWriter<'a, H> {
    /// For a save under this name; the `stored` objects exist.
    pub(crate) fn new(host: &'a H, git: &'a H::Git, name: &'a str, stored: BTreeSet<Oid>, after_crash: bool) -> Self {
        let waiting = Vec::new();
        Self { host, git, name, stored, waiting, waiting_bytes: 0, is_prepared: false, has_written: false, after_crash }
    }

    /// The object exists, or waits to be written.
    pub(crate) fn has(&self, oid: &Oid) -> bool {
        self.stored.contains(oid)
    }

    /// These objects exist as well.
    pub(crate) fn add_stored(&mut self, more: BTreeSet<Oid>) {
        self.stored.extend(more);
    }

    /// Stores the bytes of a file, or a link's target.
    pub(crate) async fn write_blob(&mut self, bytes: Vec<u8>) -> Result<Oid, Error> {
        let blob = Object::new(ObjectKind::Blob, bytes);
        let oid = blob.oid;
        self.write(blob).await?;
        Ok(oid)
    }

    /// Stores trees, children first.
    pub(crate) async fn write_trees(&mut self, trees: Vec<Tree>) -> Result<(), Error> {
        for Tree { oid, body, .. } in trees {
            self.write(Object { kind: ObjectKind::Tree, oid, body }).await?;
        }
        Ok(())
    }

    /// Stores everything that waits.
    pub(crate) async fn write_all(&mut self) -> Result<(), Error> {
        self.write_waiting(None).await
    }

    /// Stores everything that waits, then the commit.
    pub(crate) async fn write_commit(&mut self, commit: &Commit) -> Result<Oid, Error> {
        if self.git.takes_objects() && !self.after_crash {
            let object = Object::new(ObjectKind::Commit, commit.encode().into_bytes());
            let oid = object.oid;
            self.write_waiting(Some(object)).await?;
            return Ok(oid);
        }
        self.write_waiting(None).await?;
        self.begin().await?;
        let text = self.git.write_commit(commit).await?;
        let oid = Oid::parse(&text).ok_or_else(|| bad_id("writeCommit", &text))?;
        if self.after_crash && !self.is_intact_commit(&text, commit).await {
            self.remove_loose(oid).await?;
            self.git.write_commit(commit).await?;
            require_intact(oid, self.is_intact_commit(&text, commit).await)?;
        }
        Ok(oid)
    }

    /// Ends a save that is complete. Returns the objects that exist.
    pub(crate) async fn end(self) -> PortResult<BTreeSet<Oid>> {
        if self.has_written || self.after_crash {
            self.host.project().remove_file(SAVING).await?;
        }
        Ok(self.stored)
    }

    async fn begin(&mut self) -> PortResult<()> {
        if !self.has_written {
            state::prepare(self.host, &mut self.is_prepared).await?;
            let sealed = seal(self.host.state_key(), SAVING, self.name);
            self.host.project().write(SAVING, sealed).await?;
            self.has_written = true;
        }
        Ok(())
    }

    /// After a crash, objects are written one by one and read back: git finds a torn loose object before that of a pack.
    async fn write(&mut self, object: Object) -> Result<(), Error> {
        if self.has(&object.oid) {
            return Ok(());
        }
        let oid = object.oid;
        let can_wait = self.git.takes_packs() || self.git.takes_objects();
        if self.after_crash || !can_wait || object.body.len() > FINISHED_MAX {
            self.write_loose(&object).await?;
        } else {
            self.waiting_bytes += object.body.len();
            self.waiting.push(object);
            if self.waiting_bytes > WAITING_MAX {
                self.write_waiting(None).await?;
            }
        }
        self.stored.insert(oid);
        Ok(())
    }

    /// Writes what waits, then `last`.
    async fn write_waiting(&mut self, last: Option<Object>) -> Result<(), Error> {
        let mut waiting = std::mem::take(&mut self.waiting);
        self.waiting_bytes = 0;
        if waiting.len() >= PACK_FROM && self.write_pack(&waiting).await? {
            waiting.clear();
        }
        if !self.git.takes_objects() {
            for object in &waiting {
                self.write_loose(object).await?;
            }
            return Ok(());
        }
        waiting.extend(last);
        for chunk in waiting.chunks(PACK_FROM) {
            self.begin().await?;
            let files: Vec<_> = chunk.iter().map(|object| (object.oid.to_string(), object.to_loose())).collect();
            self.git.write_objects(&files).await?;
        }
        Ok(())
    }

    /// Whether git took the pack and reads from it; otherwise the objects are written as files. On a full disk, those
    /// writes report the error.
    async fn write_pack(&mut self, objects: &[Object]) -> Result<bool, Error> {
        self.begin().await?;
        let (pack, index) = encode_pack(objects);
        let is_taken = self.git.write_pack(&pack, &index).await.is_ok();
        Ok(is_taken && matches!(objects.last(), Some(last) if self.is_intact(last).await))
    }

    async fn write_loose(&mut self, object: &Object) -> Result<(), Error> {
        self.begin().await?;
        let (oid, written) = (object.oid, self.store(object).await?);
        if Oid::parse(&written) != Some(oid) {
            let message = format!("the git port stored {written:?} for {oid}; it must store objects unchanged");
            return Err(Error::new(ErrorCode::Git, message));
        }
        if self.after_crash && !self.is_intact(object).await {
            self.remove_loose(oid).await?;
            self.store(object).await?;
            require_intact(oid, self.is_intact(object).await)?;
        }
        Ok(())
    }

    async fn store(&self, object: &Object) -> PortResult<String> {
        match object.kind {
            ObjectKind::Tree => self.git.write_tree(&TreeEntry::read_all(&object.body).unwrap_or_default()).await,
            _ => self.git.write_blob(&object.body).await,
        }
    }

    /// Git returns what was stored.
    async fn is_intact(&self, object: &Object) -> bool {
        let oid = object.oid.to_string();
        match object.kind {
            ObjectKind::Tree => self.git.read_tree(&oid).await.is_ok_and(|found| tree_id(&found) == Some(object.oid)),
            _ => self.git.read_blob(&oid).await.is_ok_and(|found| found == object.body),
        }
    }

    async fn is_intact_commit(&self, oid: &str, commit: &Commit) -> bool {
        self.git.read_commit(oid).await.is_ok_and(|found| found.tree == commit.tree && found.parents == commit.parents)
    }

    /// Removes the file of a torn object, so that git writes it again.
    async fn remove_loose(&self, oid: Oid) -> PortResult<()> {
        let text = oid.to_string();
        let (head, tail) = text.split_at(2);
        self.host.project().remove_file(&format!(".git/objects/{head}/{tail}")).await
    }
}

fn require_intact(oid: Oid, is_intact: bool) -> Result<(), Error> {
    if is_intact {
        return Ok(());
    }
    let message = format!("object {oid} in the repository is corrupt and could not be replaced; delete it");
    Err(Error::new(ErrorCode::Corrupt, message))
}

/// A git port returned something that is not an id.
pub(super) fn bad_id(operation: &str, text: &str) -> Error {
    Error::new(ErrorCode::Git, format!("git.{operation} returned {text:?}, which is not a SHA-1 id of 40 hex digits"))
}
