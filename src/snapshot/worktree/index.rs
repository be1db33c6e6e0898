//! The index of a run: the files as its last snapshot saw them. With the paths that were touched since, a snapshot looks
//! at those alone.
//!
//! That is right as long as every change passes the guard or is the harness's own. Code that lets others change files (a
//! shell, a tool, a hook, a build of the host) calls [`Watch::distrust`], and the next snapshot scans the working tree.
//! So does a snapshot after an error, and one that finds that others saved or rolled back. Edits by a person past the
//! guard are found by the next scan: at the start of a task, before gates judge, and before the task is accepted. A
//! rollback saves what it overwrites in any case.

use super::head::Head;
use super::ignore::{RulesOf, is_ignored_by};
use super::scan::{Scan, mode_of, read_content};
use super::stat_cache::{StatEntry, grain};
use crate::error::Error;
use crate::path::folders_above;
use crate::port::{FileKind, Host, PortResult, Stat, Turn};
use crate::snapshot::AT_ONCE;
use crate::snapshot::git::{CacheTree, Entry, Manifest, Mode, NamedCommit, ObjectWriter, Oid, Tree, has_below};
use crate::snapshot::protect::{is_protected, is_refused_link};
use futures_util::future::join_all;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// A run's watch over the project's files. A new one has no index.
#[derive(Default)]
pub struct Watch {
    /// The id of the run; `None` outside of one.
    run: Option<String>,
    state: RefCell<WatchState>,
    /// What [`Watch::take_changed`] returns to each follower.
    changed: RefCell<[Option<BTreeSet<String>>; 3]>,
    /// The files that the agent wrote through the guard, until a scan finds them stored.
    written: RefCell<BTreeMap<String, Written>>,
    /// The ignored files that the last capture read.
    ignored: RefCell<BTreeMap<String, StatEntry>>,
    /// Those with a later time are racy, as in the stat cache; in milliseconds.
    ignored_settled_ms: Cell<f64>,
}

/// A file that the agent wrote.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub entry: Entry,
    pub bytes: Vec<u8>,
    /// The host's time before and after the write, in milliseconds.
    pub during: [u64; 2],
}

/// Who follows the changes of a run, besides its snapshots.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Follower {
    /// The list of files in the prompts.
    FileList,
    /// The digest of the files at the end of an iteration.
    Digest,
    /// The files of the harness, which it writes before each command.
    Harness,
}

#[derive(Default)]
pub(super) struct WatchState {
    /// The files after the last snapshot.
    pub index: Option<Box<Index>>,
    /// The paths that may have changed since.
    pub touched: BTreeSet<String>,
    /// Objects that are completely stored.
    pub stored: BTreeSet<Oid>,
    /// How often others could change files.
    pub distrusted: u32,
    /// The value of `distrusted` when the index was last taken.
    index_at: u32,
}

impl WatchState {
    /// Nothing but the touched paths changed since the index was made.
    pub(super) fn is_trusted(&self) -> bool {
        self.distrusted == self.index_at
    }
}

impl Watch {
    /// The watch of a run.
    pub(crate) fn of_run(id: &str) -> Self {
        Self { run: Some(id.to_owned()), ..Self::default() }
    }

    /// The id of the run; `None` outside of one.
    pub(crate) fn run(&self) -> Option<&str> {
        self.run.as_deref()
    }

    /// A path, relative to the project and without links, may change from here on.
    pub fn touch(&self, path: &str) {
        self.state.borrow_mut().touched.insert(path.to_owned());
        for changed in self.changed.borrow_mut().iter_mut().flatten() {
            changed.insert(path.to_owned());
        }
    }

    /// The agent wrote a file, or removed it.
    pub(crate) fn wrote(&self, path: &str, written: Option<Written>) {
        match written {
            Some(written) => drop(self.written.borrow_mut().insert(path.to_owned(), written)),
            None => drop(self.written.borrow_mut().remove(path)),
        }
    }

    /// A file that the agent wrote moved, or its mode changed.
    pub(crate) fn moved(&self, from: &str, to: &str, entry: Entry) {
        let mut written = self.written.borrow_mut();
        if let Some(moved) = written.remove(from) {
            written.insert(to.to_owned(), Written { entry, ..moved });
        }
    }

    /// What a file contains, if its stat is as in the last scan, or after the agent's last write.
    pub(crate) fn sight(&self, path: &str, stat: &Stat) -> Option<Entry> {
        if let Some(Written { entry, bytes, during: [from, to] }) = self.written.borrow().get(path) {
            let is_own = stat.size == bytes.len() as u64
                && stat.mtime_ms >= *from as f64
                && stat.mtime_ms < to.saturating_add(1) as f64;
            if is_own {
                return Some(*entry);
            }
        }
        let state = self.state.borrow();
        let known =
            state.index.as_ref().and_then(|index| index.stats.get(path).copied()).or_else(|| self.ignored(path))?;
        (known.size == stat.size && known.mtime_ms == stat.mtime_ms).then_some(known.entry)
    }

    /// An ignored file with its stat, as the last capture found it.
    fn ignored(&self, path: &str) -> Option<StatEntry> {
        self.ignored.borrow().get(path).copied()
    }

    /// An ignored file that is as the last capture found it, except for its mode bits.
    pub(crate) fn unchanged_ignored(&self, path: &str, stat: &Stat, mode: Mode) -> Option<Entry> {
        let known = self.ignored(path)?;
        let is_same = known.size == stat.size
            && known.mtime_ms == stat.mtime_ms
            && (known.entry.mode == Mode::Symlink) == (mode == Mode::Symlink);
        (is_same && !stat.is_racy(self.ignored_settled_ms.get())).then_some(Entry { mode, ..known.entry })
    }

    /// The ignored files that a capture found, which began at this time.
    pub(crate) fn set_ignored(&self, files: BTreeMap<String, StatEntry>, began_at: u64) {
        self.ignored_settled_ms.set(began_at as f64 - grain(&files));
        self.ignored.replace(files);
    }

    /// The bytes that the agent wrote, if no scan has stored them.
    pub(crate) fn unsaved(&self, oid: Oid) -> Option<Vec<u8>> {
        let written = self.written.borrow();
        written.values().find(|written| written.entry.oid == oid).map(|written| written.bytes.clone())
    }

    /// The name under which the run follows an existing file: on a file system that ignores case, the agent may use
    /// another one.
    pub(crate) async fn canonical(&self, host: &Host, path: &str, stat: Option<Stat>) -> PortResult<String> {
        let other = {
            let state = self.state.borrow();
            let files = state.index.as_ref().map(|index| &index.files);
            let is_known =
                self.written.borrow().contains_key(path) || files.is_none_or(|files| files.contains_key(path));
            let mut others = files.into_iter().flat_map(|files| files.keys()).filter(|_| stat.is_some() && !is_known);
            others.find(|other| other.eq_ignore_ascii_case(path)).cloned()
        };
        match other {
            Some(other) if host.project().lstat(&other).await? == stat => Ok(other),
            _ => Ok(path.to_owned()),
        }
    }

    /// Whether the run stored the object.
    pub(crate) fn has_stored(&self, oid: &Oid) -> bool {
        self.state.borrow().stored.contains(oid)
    }

    /// Whether the last snapshot or capture has the file with this content.
    pub(crate) fn has_saved(&self, path: &str, oid: &Oid) -> bool {
        let state = self.state.borrow();
        state.index.as_ref().and_then(|index| index.files.get(path)).is_some_and(|entry| entry.oid == *oid)
    }

    /// Whether the last snapshot or capture has no such file, although others may have made one since.
    pub(crate) fn lacks(&self, path: &str) -> bool {
        self.state
            .borrow()
            .index
            .as_ref()
            .is_some_and(|index| !index.files.contains_key(path) && !index.is_left_out(path))
    }

    /// The files after the last snapshot or capture.
    pub(crate) fn files(&self) -> Option<Manifest> {
        self.state.borrow().index.as_ref().map(|index| index.files.clone())
    }

    /// Whether no snapshot has a path, by the last snapshot or capture: git ignores it, or it is in another repository.
    pub(crate) fn is_left_out(&self, path: &str) -> bool {
        self.state.borrow().index.as_ref().is_some_and(|index| index.is_left_out(path))
    }

    /// Any file of the host may have changed.
    pub fn distrust(&self, host: &Host) {
        host.seen.forget();
        let mut state = self.state.borrow_mut();
        state.distrusted = state.distrusted.wrapping_add(1);
        self.forget_changed();
    }

    /// The paths that may have changed since the follower's last call; `None` if any file may have.
    pub(crate) fn take_changed(&self, follower: Follower) -> Option<BTreeSet<String>> {
        let mut changed = self.changed.borrow_mut();
        let [files, digest, harness] = &mut *changed;
        let changed = match follower {
            Follower::FileList => files,
            Follower::Digest => digest,
            Follower::Harness => harness,
        };
        changed.replace(BTreeSet::new())
    }

    /// A snapshot or a rollback changed files, or found that others did.
    pub(crate) fn forget_changed(&self) {
        self.changed.take();
    }

    /// Waits for the project's turn. If others had one meanwhile, they may have changed files.
    pub(crate) async fn turn(&self, host: &Host) -> Turn {
        let turn = host.locks.turn().await;
        if self.state.borrow().index.is_none() {
            host.seen.forget();
        }
        if turn.others {
            self.distrust(host);
        }
        turn
    }

    /// Takes the index; without a call of [`Watch::update`] the next snapshot scans.
    pub(super) fn take(&self) -> WatchState {
        let mut state = self.state.borrow_mut();
        let distrusted = state.distrusted;
        std::mem::replace(&mut *state, WatchState { distrusted, index_at: distrusted, ..WatchState::default() })
    }

    /// Sets the index as it is after [`Watch::take`] and a snapshot. A run has any number of snapshots, so the objects of
    /// older ones are dropped when they are the larger part.
    pub(crate) fn update(&self, index: Box<Index>, mut stored: BTreeSet<Oid>) {
        if stored.len() > 2 * index.files.len() + STORED_MIN {
            let current: BTreeSet<Oid> =
                index.files.values().map(|entry| entry.oid).chain(index.cache_tree.ids()).collect();
            stored.retain(|oid| current.contains(oid));
        }
        self.written.borrow_mut().retain(|path, written| {
            index.stats.get(path).is_none_or(|known| known.mtime_ms.is_nan()) || !stored.contains(&written.entry.oid)
        });
        let mut state = self.state.borrow_mut();
        (state.index, state.stored) = (Some(index), stored);
    }
}

/// Up to this number, a run keeps the ids of all objects that it stored.
const STORED_MIN: usize = 500;

/// The files of the working tree after a snapshot.
pub(crate) struct Index {
    pub head: Head,
    /// All files, also ignored ones that the snapshot has.
    pub files: Manifest,
    pub cache_tree: CacheTree,
    /// The newest snapshot of an iteration.
    pub iteration: Option<NamedCommit>,
    /// The refs of all snapshots of iterations, if they were read.
    pub iterations: Option<Vec<String>>,
    /// `.loopgate` exists.
    pub is_prepared: bool,
    /// When the last scan began, by the host's clock.
    pub scanned_at: u64,
    /// The files with the stats of the last scan; without the files that changed since.
    pub stats: BTreeMap<String, StatEntry>,
    /// The bytes of the redo log.
    pub record: Option<Vec<u8>>,
    /// The trees of a capture, which the next snapshot stores.
    pub unstored: Vec<Tree>,
    /// As in [`Scan`].
    pub skipped: BTreeMap<String, FileKind>,
    rules: RulesOf,
}

/// What is at a path. `content` is `None` if the file is ignored or vanished.
#[derive(Default)]
struct Observed {
    stat: Option<Stat>,
    content: Option<(Mode, Vec<u8>)>,
}

impl Index {
    /// The index after a scan.
    pub(super) fn new(head: Head, scan: Scan, files: Manifest, cache_tree: CacheTree, record: Option<Vec<u8>>) -> Self {
        let Scan { began_at: scanned_at, files: stats, skipped, rules, .. } = scan;
        // The stat cache is in `.loopgate`.
        let (iteration, iterations, is_prepared) = (None, None, head.is_cached);
        let head = Head { cache: None, ..head };
        let unstored = Vec::new();
        Self {
            head,
            files,
            cache_tree,
            iteration,
            iterations,
            is_prepared,
            scanned_at,
            stats,
            record,
            unstored,
            skipped,
            rules,
        }
    }

    /// Looks at these paths and stores what changed. Ignored files count if `also_tracked` has them. Returns the new
    /// trees, children before their parents, and the number of changed files; `None` if this needs a scan, because
    /// ignore rules changed or something unexpected is in the way.
    pub(super) async fn refresh(
        &mut self,
        host: &Host,
        paths: &BTreeSet<String>,
        also_tracked: &Manifest,
        objects: &mut ObjectWriter<'_>,
    ) -> Result<Option<(Vec<Tree>, usize)>, Error> {
        let mut changed = BTreeSet::new();
        let mut blocked: BTreeSet<&str> = BTreeSet::new();
        let ours: Vec<&String> = paths.iter().filter(|path| !is_protected(path)).collect();
        for chunk in ours.chunks(AT_ONCE) {
            let observed = join_all(chunk.iter().map(|path| self.observe(host, path, also_tracked))).await;
            for (path, observed) in chunk.iter().copied().zip(observed) {
                if self.changes_rules(path)
                    || self.is_foreign(path, also_tracked)
                    || self.reopens_a_folder(path, also_tracked)
                {
                    return Ok(None);
                }
                let is_link = |folder: &str| self.files.get(folder).is_some_and(|entry| entry.mode == Mode::Symlink);
                let is_blocked = folders_above(path).any(|folder| blocked.contains(folder) || is_link(folder));
                let Observed { stat, content } = if is_blocked { Observed::default() } else { observed? };
                if stat.is_some_and(|stat| stat.kind != FileKind::Directory) {
                    blocked.insert(path);
                }
                let is_link = stat.is_some_and(|stat| stat.kind == FileKind::Symlink);
                if is_link && (!host.fs.support().symlinks || is_refused_link(path)) {
                    return Ok(None);
                }
                let mut entry = None;
                if let Some((mode, bytes)) = content {
                    let oid = objects.write_blob(bytes).await.map_err(|error| error.at_path(path))?;
                    entry = Some(Entry { mode, oid });
                }
                self.set_skipped(path, stat, entry.is_some());
                if self.set_entry(path, entry) {
                    changed.insert(path.clone());
                }
            }
        }
        let is_file_and_folder = |path: &String| {
            self.files.contains_key(path)
                && (folders_above(path).any(|folder| self.files.contains_key(folder)) || has_below(&self.files, path))
        };
        if paths.iter().any(is_file_and_folder) {
            return Ok(None);
        }
        let trees = self.cache_tree.update(&self.files, &changed);
        Ok(Some((trees, changed.len())))
    }

    /// The harness itself wrote these files of `target`, or removed them if `target` lacks them.
    pub(crate) fn restored(&mut self, target: &Manifest, paths: impl Iterator<Item = String>) {
        let paths: BTreeSet<String> = paths.collect();
        for path in &paths {
            self.set_entry(path, target.get(path).copied());
        }
        self.cache_tree.update(&self.files, &paths);
    }

    /// Sets or removes the entry of a path; whether it was another one.
    fn set_entry(&mut self, path: &str, entry: Option<Entry>) -> bool {
        if self.files.get(path).copied() == entry {
            return false;
        }
        match entry {
            Some(entry) => {
                self.files.insert(path.to_owned(), entry);
                self.stats.insert(path.to_owned(), StatEntry::unread(entry));
            }
            None => {
                self.files.remove(path);
                self.stats.remove(path);
            }
        }
        true
    }

    fn set_skipped(&mut self, path: &str, stat: Option<Stat>, has_entry: bool) {
        match stat.map(|stat| stat.kind) {
            // What a skipped folder contains is unknown; it stays skipped.
            Some(FileKind::Directory) if self.skipped.get(path) == Some(&FileKind::Directory) => {}
            Some(kind @ (FileKind::File | FileKind::Symlink | FileKind::Special)) if !has_entry => {
                self.skipped.insert(path.to_owned(), kind);
            }
            _ => drop(self.skipped.remove(path)),
        }
    }

    async fn observe(&self, host: &Host, path: &str, also_tracked: &Manifest) -> PortResult<Observed> {
        let tracked = [self.head.tracked(), also_tracked];
        let stat = host.project().lstat(path).await?;
        let is_skipped = self.is_ignored(path, false) && !tracked.iter().any(|manifest| manifest.contains_key(path));
        let has_content = match stat.map(|stat| stat.kind) {
            Some(FileKind::File) => !is_skipped,
            Some(FileKind::Symlink) => !is_skipped && host.fs.support().symlinks,
            Some(FileKind::Directory | FileKind::Special) | None => false,
        };
        let content = match stat.filter(|_| has_content) {
            Some(stat) => {
                let mode = mode_of(host, path, &stat, &tracked);
                read_content(host, path, mode).await?.map(|bytes| (mode, bytes))
            }
            None => None,
        };
        Ok(Observed { stat, content })
    }

    fn changes_rules(&self, path: &str) -> bool {
        crate::path::name(path) == ".gitignore" || !self.rules.contains_key("")
    }

    pub(crate) fn is_ignored(&self, path: &str, is_folder: bool) -> bool {
        is_ignored_by(&self.rules, path, is_folder)
    }

    /// The rules of the folders that have some, and of the project.
    pub(crate) fn rules(&self) -> &RulesOf {
        &self.rules
    }

    /// No snapshot has the path: git ignores it, or it is in another repository.
    pub(crate) fn is_left_out(&self, path: &str) -> bool {
        !self.files.contains_key(path) && (self.is_ignored(path, false) || self.is_foreign(path, &Manifest::new()))
    }

    /// The path is in another repository, a submodule, or below a link that the host cannot follow.
    fn is_foreign(&self, path: &str, also_tracked: &Manifest) -> bool {
        let tracked = [self.head.tracked(), also_tracked];
        let is_submodule =
            |path: &str| tracked.iter().any(|files| files.get(path).is_some_and(|entry| entry.mode == Mode::Submodule));
        let is_skipped = |path: &str| match self.skipped.get(path) {
            Some(kind) => !is_protected(path) && !self.is_ignored(path, *kind == FileKind::Directory),
            None => false,
        };
        let has_repository = |folder: &str| self.skipped.contains_key(&format!("{folder}/.git"));
        folders_above(path).any(|folder| is_submodule(folder) || is_skipped(folder) || has_repository(folder))
            || is_submodule(path)
            || is_skipped(path)
    }

    /// The path is in a folder that was skipped as ignored, but not if the target has the file.
    fn reopens_a_folder(&self, path: &str, also_tracked: &Manifest) -> bool {
        also_tracked.contains_key(path) && folders_above(path).any(|folder| self.skipped.contains_key(folder))
    }
}
