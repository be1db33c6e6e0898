//! The seam to git's objects: what is there already is never written again, and what is read is checked.
//!
//! A save that was cut off may leave torn objects, which git ports do not write again because "they exist".
//! `.loopgate/saving` stands while a save writes; the save that finds it reads back whatever it writes.

use super::loose;
use super::manifest::{self, Tree};
use super::oid::Oid;
use super::pack::{self, Packed, PackedKind};
use crate::error::{Error, ErrorCode};
use crate::port::{Commit, GitPort, Host, PortResult, TreeEntry};
use crate::snapshot::state_dir;
use std::collections::BTreeSet;

const SAVING: &str = crate::layout::SAVING;

/// Paths longer than this are left out, in bytes.
pub(in crate::snapshot) const MAX_PATH: usize = 4_096;

/// The name of a save that was cut off, if one was.
pub(in crate::snapshot) async fn interrupted<H: Host>(host: &H) -> PortResult<Option<String>> {
    host.project().read_text(SAVING).await
}

/// From how many new objects on they go into one pack. Few are cheaper alone: every pack has to be searched by every
/// reader until git joins them.
const PACK_FROM: usize = 50;

/// How much may wait, in bytes: all of it is in memory.
const WAITING_MAX: usize = 32 * 1024 * 1024;

/// Longer ones, in bytes, are git's to store: it compresses them, and no further copy is in memory.
const FINISHED_MAX: usize = 4 * 1024 * 1024;

/// Writes objects, each once. Where git takes finished ones they wait until the commit is written: for one pack if they
/// are many, for one call otherwise.
pub(in crate::snapshot) struct Objects<'a, H: Host> {
    host: &'a H,
    git: &'a H::Git,
    name: &'a str,
    stored: BTreeSet<Oid>,
    waiting: Vec<Packed>,
    waiting_bytes: usize,
    is_prepared: bool,
    has_written: bool,
    in_doubt: bool,
}

impl<'a, H: Host> Objects<'a, H> {
    /// For a save under a name; `stored` objects exist. `in_doubt` after a save that was cut off.
    pub(in crate::snapshot) fn new(
        host: &'a H,
        git: &'a H::Git,
        name: &'a str,
        stored: BTreeSet<Oid>,
        in_doubt: bool,
    ) -> Self {
        let waiting = Vec::new();
        Self { host, git, name, stored, waiting, waiting_bytes: 0, is_prepared: false, has_written: false, in_doubt }
    }

    /// For a save in a run that may have made the folder `.loopgate` already.
    #[must_use]
    pub(in crate::snapshot) fn prepared(self, is_prepared: bool) -> Self {
        Self { is_prepared, ..self }
    }

    /// It exists, or waits to be written.
    pub(in crate::snapshot) fn has(&self, oid: &Oid) -> bool {
        self.stored.contains(oid)
    }

    /// Something was written.
    pub(in crate::snapshot) fn has_written(&self) -> bool {
        self.has_written
    }

    /// The folder `.loopgate` is there.
    pub(in crate::snapshot) fn is_prepared(&self) -> bool {
        self.is_prepared
    }

    /// These exist as well.
    pub(in crate::snapshot) fn know(&mut self, more: BTreeSet<Oid>) {
        self.stored.extend(more);
    }

    /// Stores a file's or a link's bytes.
    pub(in crate::snapshot) async fn write_blob(&mut self, bytes: Vec<u8>) -> Result<Oid, Error> {
        let oid = Oid::of_blob(&bytes);
        self.write(Packed { kind: PackedKind::Blob, oid, body: bytes }).await?;
        Ok(oid)
    }

    /// Stores trees, children first.
    pub(in crate::snapshot) async fn write_trees(&mut self, trees: Vec<Tree>) -> Result<(), Error> {
        for Tree { oid, body, .. } in trees {
            self.write(Packed { kind: PackedKind::Tree, oid, body }).await?;
        }
        Ok(())
    }

    /// Stores a commit, and before it all that waits.
    pub(in crate::snapshot) async fn write_commit(&mut self, commit: &Commit) -> Result<Oid, Error> {
        if self.git.takes_objects() && !self.in_doubt {
            let body = commit.encode();
            let oid = Oid::of("commit", body.as_bytes());
            self.write_waiting(Some((oid.to_string(), loose::file("commit", body.as_bytes())))).await?;
            return Ok(oid);
        }
        self.write_waiting(None).await?;
        self.begin().await?;
        let text = self.git.write_commit(commit).await?;
        let oid = Oid::parse(&text).ok_or_else(|| bad_id("writeCommit", &text))?;
        if self.in_doubt && !self.is_commit(&text, commit).await {
            self.discard(oid).await?;
            self.git.write_commit(commit).await?;
            self.repaired(oid, self.is_commit(&text, commit).await)?;
        }
        Ok(oid)
    }

    /// The save is whole: nothing is in doubt any more. What is stored is given back.
    pub(in crate::snapshot) async fn end(self) -> PortResult<BTreeSet<Oid>> {
        if self.has_written || self.in_doubt {
            self.host.project().remove_file(SAVING).await?;
        }
        Ok(self.stored)
    }

    async fn begin(&mut self) -> PortResult<()> {
        if !self.has_written {
            state_dir::prepare_once(self.host, &mut self.is_prepared).await?;
            self.host.project().write(SAVING, self.name).await?;
            self.has_written = true;
        }
        Ok(())
    }

    /// After a save that was cut off objects are written one by one, and read back: a torn one would hide that of a pack.
    async fn write(&mut self, object: Packed) -> Result<(), Error> {
        if self.has(&object.oid) {
            return Ok(());
        }
        let oid = object.oid;
        let is_waiting = self.git.takes_packs() || self.git.takes_objects();
        if self.in_doubt || !is_waiting || object.body.len() > FINISHED_MAX {
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

    /// Writes what waits, and after it a finished object.
    async fn write_waiting(&mut self, last: Option<(String, Vec<u8>)>) -> Result<(), Error> {
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
        let finished = |object: Packed| (object.oid.to_string(), loose::file(object.kind.name(), &object.body));
        let mut objects = waiting.into_iter().map(finished).chain(last).peekable();
        while objects.peek().is_some() {
            self.begin().await?;
            self.git.write_objects(&objects.by_ref().take(PACK_FROM).collect::<Vec<_>>()).await?;
        }
        Ok(())
    }

    /// Whether git took the pack and gives back what was put in; otherwise it is not trusted. A full disk is told by
    /// whatever is written next.
    async fn write_pack(&mut self, objects: &[Packed]) -> Result<bool, Error> {
        self.begin().await?;
        let (pack, index) = pack::encode(objects);
        let taken = self.git.write_pack(&pack, &index).await.is_ok();
        Ok(taken && matches!(objects.last(), Some(last) if self.is_whole(last).await))
    }

    async fn write_loose(&mut self, object: &Packed) -> Result<(), Error> {
        self.begin().await?;
        self.expect(object.oid, &self.store(object).await?)?;
        if self.in_doubt && !self.is_whole(object).await {
            self.discard(object.oid).await?;
            self.store(object).await?;
            self.repaired(object.oid, self.is_whole(object).await)?;
        }
        Ok(())
    }

    async fn store(&self, object: &Packed) -> PortResult<String> {
        match object.kind {
            PackedKind::Blob => self.git.write_blob(&object.body).await,
            PackedKind::Tree => self.git.write_tree(&TreeEntry::read_all(&object.body).unwrap_or_default()).await,
        }
    }

    /// Git gives back what was stored.
    async fn is_whole(&self, object: &Packed) -> bool {
        let oid = object.oid.to_string();
        match object.kind {
            PackedKind::Blob => self.git.read_blob(&oid).await.is_ok_and(|found| found == object.body),
            PackedKind::Tree => {
                self.git.read_tree(&oid).await.is_ok_and(|found| manifest::tree_id(&found) == Some(object.oid))
            }
        }
    }

    fn expect(&self, oid: Oid, written: &str) -> Result<(), Error> {
        if Oid::parse(written) == Some(oid) {
            return Ok(());
        }
        let message = format!("the git port stored {written:?} for {oid}; it must store what it gets unchanged");
        Err(Error::new(ErrorCode::Git, message))
    }

    /// Removes a torn loose object, so that it can be written again.
    async fn discard(&self, oid: Oid) -> PortResult<()> {
        let text = oid.to_string();
        let (head, tail) = text.split_at(2);
        self.host.project().remove_file(&format!(".git/objects/{head}/{tail}")).await
    }

    fn repaired(&self, oid: Oid, is_whole: bool) -> Result<(), Error> {
        if is_whole {
            return Ok(());
        }
        let message = format!("object {oid} in the repository is damaged and could not be written again; remove it");
        Err(Error::new(ErrorCode::Corrupt, message))
    }

    async fn is_commit(&self, oid: &str, commit: &Commit) -> bool {
        self.git.read_commit(oid).await.is_ok_and(|found| found.tree == commit.tree && found.parents == commit.parents)
    }
}

/// One component of a path, as git allows it.
pub(in crate::snapshot) fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\0'])
}

/// A port answered with something that is no id.
pub(in crate::snapshot) fn bad_id(operation: &str, text: &str) -> Error {
    Error::new(ErrorCode::Git, format!("git.{operation} gave {text:?}, which is no SHA-1 id of 40 hex digits"))
}
