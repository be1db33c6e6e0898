//! What a guarded operation will write, recorded before it does: with the state that it replaces, of which every byte is
//! kept. After a crash, or if the user edits the file meanwhile, the record shows whose a change is.

use super::fact::{FileChangeKind, FileWrite, IterationFact, Observer};
use crate::error::Error;
use crate::ledger::{Write, is_followed};
use crate::port::{FileKind, Host, PortError, PortErrorKind, PortResult, Stat};
use crate::snapshot::{Entry, Mode, Oid, Watch, Written, capture, keep, keep_reachable};
use futures_util::future::LocalBoxFuture;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// A change of one path by an operation that has not begun.
pub(super) struct Planned<'a> {
    pub path: &'a str,
    /// The path and the stat of the file that moves here.
    pub from: Option<(&'a str, Stat)>,
    /// What is at the path.
    pub stat: Option<Stat>,
    pub after: After<'a>,
}

/// What is at a path afterwards.
#[derive(Clone, Copy)]
pub(super) enum After<'a> {
    Bytes(&'a [u8]),
    Link(&'a str),
    /// The file that moves here.
    Moved,
    /// The same file with these mode bits.
    Mode(u32),
    Nothing,
}

impl Planned<'_> {
    /// The change without its states.
    pub(super) fn unrecorded(&self) -> FileWrite {
        let write =
            Write { path: self.path.to_owned(), from: self.from.map(|(from, _)| from.to_owned()), ..Write::default() };
        FileWrite { write, change: self.kind() }
    }

    fn kind(&self) -> FileChangeKind {
        match (self.stat, self.after) {
            (_, After::Nothing) => FileChangeKind::Deleted,
            (Some(_), _) => FileChangeKind::Modified,
            (None, After::Mode(_)) => FileChangeKind::Modified,
            (None, _) => FileChangeKind::Created,
        }
    }
}

/// Records the writes of guarded operations. A trait object, so that the guard needs no other port than the files.
pub(super) trait WriteAhead {
    /// Records the changes of an operation, with their states. `content` belongs to the first file, if it was read.
    fn begin<'a>(
        &'a self,
        planned: &'a [Planned<'a>],
        content: Option<Vec<u8>>,
    ) -> LocalBoxFuture<'a, PortResult<Vec<FileWrite>>>;

    /// The operation succeeded.
    fn end(&self, planned: &[Planned<'_>], writes: &[FileWrite]);
}

/// The recorder of one tool call.
pub(super) struct Recorder<'a> {
    host: &'a Host,
    watch: &'a Watch,
    observer: &'a dyn Observer,
    began: Cell<u64>,
    /// The writes that began and did not succeed.
    unfinished: RefCell<Vec<Write>>,
    /// The error of the journal, which ends the iteration.
    failure: RefCell<Option<Error>>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(host: &'a Host, watch: &'a Watch, observer: &'a dyn Observer) -> Self {
        Self {
            host,
            watch,
            observer,
            began: Cell::default(),
            unfinished: RefCell::default(),
            failure: RefCell::default(),
        }
    }

    /// What the writes that failed left, compared with the states before them.
    ///
    /// # Errors
    /// The error of the journal that made one fail; errors of the file system.
    pub(super) async fn finish(&self) -> Result<Vec<FileWrite>, Error> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let mut left = Vec::new();
        for write in self.unfinished.take() {
            let stat = self.host.project().lstat(&write.path).await?;
            let after = self.present(&write.path, stat, None).await.map_err(Error::from)?;
            if after != write.before {
                left.push(FileWrite::from(Write { after, ..write }));
            }
        }
        Ok(left)
    }

    /// What is at a path. Bytes that no snapshot has are kept.
    async fn present(&self, path: &str, stat: Option<Stat>, content: Option<Vec<u8>>) -> PortResult<Option<Entry>> {
        let is_file = |stat: &Stat| !matches!(stat.kind, FileKind::Directory | FileKind::Special);
        let Some(stat) = stat.filter(is_file) else { return Ok(None) };
        if self.host.git.is_none() {
            return Ok(None);
        }
        let known = self.watch.sight(path, &stat);
        if known.is_some() && content.is_none() {
            return Ok(known);
        }
        let absolute = self.host.project().absolute(path);
        let (mode, bytes) = match (stat.kind, content) {
            (FileKind::Symlink, _) if !self.host.fs.support().symlinks => return Ok(None),
            (FileKind::Symlink, _) => (Mode::Symlink, self.host.fs.read_link(&absolute).await?.into_bytes()),
            (_, Some(content)) => (mode_of(&stat), content),
            (_, None) => (mode_of(&stat), self.host.fs.read_file(&absolute).await?),
        };
        let oid = Oid::of_blob(&bytes);
        match known.filter(|known| known.oid == oid) {
            Some(known) => Ok(Some(known)),
            None => {
                self.keep_unsaved(path).await?;
                let oid = keep(self.host, self.watch, &bytes).await.map_err(port_error)?;
                let entry = Entry { mode, oid };
                if is_followed(path) && !self.watch.has_saved(path, &oid) {
                    keep_reachable(self.host, entry).await.map_err(port_error)?;
                }
                // The write that follows replaces the only copy.
                self.host.fs.flush().await?;
                Ok(Some(entry))
            }
        }
    }

    /// Keeps what the agent wrote to a file that the user changed since: a merge needs it.
    async fn keep_unsaved(&self, path: &str) -> PortResult<()> {
        let known = self.observer.ledger().known(path).flatten();
        if let Some(bytes) = known.and_then(|known| self.watch.unsaved(known.oid)) {
            keep(self.host, self.watch, &bytes).await.map_err(port_error)?;
        }
        Ok(())
    }

    /// Looks at the working tree before an operation on a file that the run does not know: the user may have moved one of the
    /// run's files there.
    async fn look_at_new(&self, planned: &[Planned<'_>]) -> PortResult<()> {
        let ends = planned.iter().map(|planned| (planned.path, planned.stat));
        let mut files = ends.filter(|(path, stat)| is_followed(path) && stat.is_some_and(|s| s.kind == FileKind::File));
        let ledger = self.observer.ledger();
        let is_new = |path: &str| self.watch.lacks(path) && ledger.known(path).is_none();
        if self.host.git.is_none() || ledger.histories().is_empty() || !files.any(|(path, _)| is_new(path)) {
            return Ok(());
        }
        let found = async {
            let captured = capture(self.host, self.watch, &self.observer.expected().await?).await?;
            self.observer.record_found(&captured.files).await
        };
        Box::pin(found).await.map_err(port_error)
    }

    /// The journal has the path without its secrets, and the run could not find the file again.
    fn refuse_secret(&self, planned: &Planned<'_>) -> PortResult<()> {
        let paths = [Some(planned.path), planned.from.map(|(from, _)| from)];
        match paths.into_iter().flatten().find(|path| self.host.redactor.text(path) != *path) {
            Some(path) => {
                let message = "the path has a secret, or a name that looks like the key of a service: use another name";
                Err(PortError::new("fs", "writeFile", PortErrorKind::Denied, message).at_path(path))
            }
            None => Ok(()),
        }
    }

    async fn plan(&self, planned: &Planned<'_>, content: Option<Vec<u8>>) -> PortResult<FileWrite> {
        let path = self.watch.canonical(self.host, planned.path, planned.stat).await?;
        let before = self.present(&path, planned.stat, content).await?;
        if let Some(before) = before.filter(|_| is_followed(&path) && self.watch.is_left_out(&path)) {
            keep_reachable(self.host, before).await.map_err(port_error)?;
        }
        let mode =
            before.map_or(Mode::File, |before| if before.mode == Mode::Symlink { Mode::File } else { before.mode });
        let after = match planned.after {
            After::Bytes(bytes) => Some(Entry { mode, oid: Oid::of_blob(bytes) }),
            After::Link(target) => Some(Entry { mode: Mode::Symlink, oid: Oid::of_blob(target.as_bytes()) }),
            After::Moved => match planned.from {
                Some((from, stat)) => self.present(from, Some(stat), None).await?,
                None => None,
            },
            After::Mode(bits) if bits & 0o100 != 0 => before.map(|before| Entry { mode: Mode::Executable, ..before }),
            After::Mode(_) => before.map(|before| Entry { mode: Mode::File, ..before }),
            After::Nothing => None,
        };
        let write = Write { path, from: planned.from.map(|(from, _)| from.to_owned()), before, after };
        Ok(FileWrite { write, change: planned.kind() })
    }
}

impl WriteAhead for Recorder<'_> {
    fn begin<'a>(
        &'a self,
        planned: &'a [Planned<'a>],
        mut content: Option<Vec<u8>>,
    ) -> LocalBoxFuture<'a, PortResult<Vec<FileWrite>>> {
        Box::pin(async move {
            self.look_at_new(planned).await?;
            let mut writes = Vec::new();
            for planned in planned {
                self.refuse_secret(planned)?;
                writes.push(self.plan(planned, content.take()).await?);
            }
            let all: Vec<Write> = writes.iter().map(|write| write.write.clone()).collect();
            self.began.set(self.host.clock.now());
            // The tool tries again after it made the folders.
            if all.iter().all(|write| self.unfinished.borrow().contains(write)) {
                return Ok(writes);
            }
            self.unfinished.borrow_mut().extend(all.iter().cloned());
            if let Err(error) = self.observer.observe(IterationFact::WriteStarted(all)).await {
                let failed = port_error(error.clone());
                self.failure.replace(Some(error));
                return Err(failed);
            }
            Ok(writes)
        })
    }

    fn end(&self, planned: &[Planned<'_>], writes: &[FileWrite]) {
        let during = [self.began.get(), self.host.clock.now()];
        let ended: BTreeMap<&str, &Write> =
            writes.iter().map(|ended| (ended.write.path.as_str(), &ended.write)).collect();
        self.unfinished.borrow_mut().retain(|unfinished| ended.get(unfinished.path.as_str()) != Some(&unfinished));
        for (planned, FileWrite { write, .. }) in planned.iter().zip(writes) {
            match (planned.after, write.after) {
                (After::Bytes(bytes), Some(entry)) => {
                    self.watch.wrote(&write.path, Some(Written { entry, bytes: bytes.to_vec(), during }));
                }
                (After::Moved | After::Mode(_), Some(entry)) => {
                    self.watch.moved(write.from.as_deref().unwrap_or(&write.path), &write.path, entry);
                }
                _ => self.watch.wrote(&write.path, None),
            }
        }
    }
}

fn mode_of(stat: &Stat) -> Mode {
    if stat.is_executable() { Mode::Executable } else { Mode::File }
}

fn port_error(error: Error) -> PortError {
    PortError::new("fs", "writeFile", PortErrorKind::Other, error.message.clone())
}
