//! Writing git's objects. An object that exists is never written again.
//!
//! A save that was interrupted may leave torn objects, which git ports do not replace because they exist. Therefore
//! `.loopgate/saving` names the objects while a save writes them, and whoever finds that file first removes the torn ones.

use super::format::{Object, ObjectKind, encode_pack};
use super::oid::Oid;
use super::tree::{Tree, tree_id};
use crate::error::{Error, ErrorCode};
use crate::port::{Commit, GitPort, Host, PortResult, TreeEntry};
use crate::sealed::{seal, unseal};
use crate::snapshot::state;
use std::collections::BTreeSet;

const SAVING: &str = crate::layout::SAVING;

/// A save that was interrupted.
pub(crate) struct Interrupted {
    /// The ref that it was about to write, as in `RefToWrite`; empty if there is none, or it is
    /// not known.
    pub name: String,
    /// The objects that it was writing.
    in_doubt: Vec<(ObjectKind, Oid)>,
}

impl Interrupted {
    /// The save that was interrupted, if there is one.
    pub(crate) async fn load(host: &Host) -> PortResult<Option<Self>> {
        let Some(bytes) = host.project().read(SAVING).await? else { return Ok(None) };
        let mut lines = unseal(&host.state_key, SAVING, &bytes).text().unwrap_or_default().lines();
        let name = lines.next().unwrap_or_default().to_owned();
        let object = |line: &str| {
            let (kind, oid) = line.split_once(' ')?;
            Some((ObjectKind::parse(kind)?, Oid::parse(oid)?))
        };
        Ok(Some(Self { name, in_doubt: lines.filter_map(object).collect() }))
    }

    /// Removes the objects that are torn. After that, the save is over.
    pub(crate) async fn clean_up(&self, host: &Host, git: &dyn GitPort) -> PortResult<()> {
        let project = host.project();
        for (kind, oid) in &self.in_doubt {
            let path = loose_path(*oid);
            if project.lstat(&path).await?.is_some() && !is_intact(git, *kind, *oid).await {
                project.remove_file(&path).await?;
            }
        }
        project.remove_file(SAVING).await
    }
}

/// Git returns this object.
async fn is_intact(git: &dyn GitPort, kind: ObjectKind, oid: Oid) -> bool {
    let text = oid.to_string();
    match kind {
        ObjectKind::Blob => git.read_blob(&text).await.is_ok_and(|found| Oid::of_blob(&found) == oid),
        ObjectKind::Tree => git.read_tree(&text).await.is_ok_and(|found| tree_id(&found) == Some(oid)),
        ObjectKind::Commit => git.read_commit(&text).await.is_ok(),
    }
}

/// Stores a blob outside of a save. It is read back, because an interrupted call may have left the same object torn.
///
/// # Errors
/// `corrupt` if the object cannot be replaced; otherwise what a port returns.
pub(crate) async fn write_checked(host: &Host, git: &dyn GitPort, bytes: &[u8]) -> Result<Oid, Error> {
    let oid = Oid::of_blob(bytes);
    git.write_blob(bytes).await?;
    if is_intact(git, ObjectKind::Blob, oid).await {
        return Ok(oid);
    }
    host.project().remove_file(&loose_path(oid)).await?;
    git.write_blob(bytes).await?;
    if is_intact(git, ObjectKind::Blob, oid).await {
        return Ok(oid);
    }
    let message = format!("object {oid} in the repository is corrupt and could not be replaced; delete it");
    Err(Error::new(ErrorCode::Corrupt, message))
}

fn loose_path(oid: Oid) -> String {
    let text = oid.to_string();
    let (head, tail) = text.split_at(2);
    format!(".git/objects/{head}/{tail}")
}

/// From this number of new objects on, they go into one pack: each file costs several calls. Every reader searches every
/// pack, so fewer objects are files.
const PACK_FROM: usize = 4;

/// How many files of objects are made at once.
const FILES_AT_ONCE: usize = 50;

/// How many bytes of objects may wait in memory.
const WAITING_MAX: usize = 32 * 1024 * 1024;

/// The git port stores larger objects, in bytes: it compresses them, and no further copy is in memory.
const FINISHED_MAX: usize = 4 * 1024 * 1024;

/// Writes objects, each once. They wait until the commit is written: for one pack with the commit, or for one call if they
/// are few.
pub(crate) struct ObjectWriter<'a> {
    host: &'a Host,
    git: &'a dyn GitPort,
    /// The tag or the full name of the ref that the save writes; empty for none.
    name: &'a str,
    /// Objects that exist, or wait to be written.
    stored: BTreeSet<Oid>,
    waiting: Vec<Object>,
    waiting_bytes: usize,
    /// `.loopgate` exists.
    pub is_prepared: bool,
    pub has_written: bool,
    /// The objects that `.loopgate/saving` names.
    in_doubt: Vec<(ObjectKind, Oid)>,
}

impl<'a> ObjectWriter<'a> {
    /// For a save of this ref; the `stored` objects exist.
    pub(crate) fn new(host: &'a Host, git: &'a dyn GitPort, name: &'a str, stored: BTreeSet<Oid>) -> Self {
        let (waiting, in_doubt) = (Vec::new(), Vec::new());
        Self { host, git, name, stored, waiting, waiting_bytes: 0, is_prepared: false, has_written: false, in_doubt }
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
        self.write_waiting(None).await.map(drop)
    }

    /// Stores everything that waits, then the commit.
    pub(crate) async fn write_commit(&mut self, commit: &Commit) -> Result<Oid, Error> {
        let object = Object::new(ObjectKind::Commit, commit.encode().into_bytes());
        let oid = object.oid;
        if self.write_waiting(Some(object)).await? {
            return Ok(oid);
        }
        let text = self.git.write_commit(commit).await?;
        Oid::parse(&text).ok_or_else(|| bad_id("writeCommit", &text))
    }

    /// Ends a save that is complete. Returns the objects that exist.
    pub(crate) async fn end(self) -> PortResult<BTreeSet<Oid>> {
        if self.has_written {
            self.host.project().remove_file(SAVING).await?;
        }
        Ok(self.stored)
    }

    /// These objects are written next.
    async fn begin(&mut self, objects: &[Object]) -> PortResult<()> {
        if self.has_written && objects.is_empty() {
            return Ok(());
        }
        self.in_doubt.extend(objects.iter().map(|object| (object.kind, object.oid)));
        let lines: String = self.in_doubt.iter().map(|(kind, oid)| format!("\n{} {oid}", kind.name())).collect();
        state::prepare(self.host, &mut self.is_prepared).await?;
        let sealed = seal(&self.host.state_key, SAVING, &format!("{}{lines}", self.name));
        self.host.project().write(SAVING, sealed).await?;
        self.has_written = true;
        Ok(())
    }

    async fn write(&mut self, object: Object) -> Result<(), Error> {
        if self.has(&object.oid) {
            return Ok(());
        }
        let oid = object.oid;
        if object.body.len() > FINISHED_MAX {
            self.begin(std::slice::from_ref(&object)).await?;
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

    /// Writes what waits, then the commit. Whether the commit is written: a git port that takes neither packs nor finished
    /// objects makes it itself.
    async fn write_waiting(&mut self, commit: Option<Object>) -> Result<bool, Error> {
        let mut waiting = std::mem::take(&mut self.waiting);
        self.waiting_bytes = 0;
        waiting.extend(commit);
        if waiting.is_empty() {
            return Ok(true);
        }
        if self.git.takes_packs() && waiting.len() >= PACK_FROM && self.write_pack(&waiting).await? {
            return Ok(true);
        }
        self.begin(&waiting).await?;
        if !self.git.takes_objects() {
            for object in waiting.iter().filter(|object| object.kind != ObjectKind::Commit) {
                self.write_loose(object).await?;
            }
            return Ok(false);
        }
        for chunk in waiting.chunks(FILES_AT_ONCE) {
            let files: Vec<_> = chunk.iter().map(|object| (object.oid.to_string(), object.to_loose())).collect();
            self.git.write_objects(&files).await?;
        }
        Ok(true)
    }

    /// Whether git took the pack and reads from it; otherwise the objects are written as files. On a full disk, those
    /// writes report the error.
    async fn write_pack(&mut self, objects: &[Object]) -> Result<bool, Error> {
        self.begin(&[]).await?;
        let (pack, index) = encode_pack(objects);
        let is_taken = self.git.write_pack(&pack, &index).await.is_ok();
        Ok(is_taken && matches!(objects.last(), Some(last) if is_intact(self.git, last.kind, last.oid).await))
    }

    async fn write_loose(&self, object: &Object) -> Result<(), Error> {
        let (oid, written) = (object.oid, self.store(object).await?);
        if Oid::parse(&written) != Some(oid) {
            let message = format!("the git port stored {written:?} for {oid}; it must store objects unchanged");
            return Err(Error::new(ErrorCode::Git, message));
        }
        Ok(())
    }

    async fn store(&self, object: &Object) -> PortResult<String> {
        match object.kind {
            ObjectKind::Tree => self.git.write_tree(&TreeEntry::read_all(&object.body).unwrap_or_default()).await,
            _ => self.git.write_blob(&object.body).await,
        }
    }
}

/// A git port returned something that is not an id.
pub(super) fn bad_id(operation: &str, text: &str) -> Error {
    Error::new(ErrorCode::Git, format!("git.{operation} returned {text:?}, which is not a SHA-1 id of 40 hex digits"))
}
