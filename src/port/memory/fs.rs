//! An in-memory file system, as strict as POSIX, that can inject faults.

use super::MemoryClock;
use crate::port::{ClockPort, FileKind, FsPort, FsSupport, PortError, PortErrorKind, PortResult, Stat};
use async_trait::async_trait;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::rc::Rc;

/// The effect of a fault on a write operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// This write fails without an effect; later writes succeed.
    Fail,
    /// This write and all later ones fail, as after the tab was closed.
    Crash,
    /// Half of the bytes are written; this write and all later ones fail.
    Tear,
    /// As [`Fault::Tear`], with this part of the bytes.
    TearTo(Torn),
    /// This write and all later ones never return, as in a tab that is gone.
    Kill,
}

/// How many bytes of a torn write arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Torn {
    Nothing,
    OneByte,
    Half,
    /// Up to the end of the last complete line that is not all of them.
    Line,
    AllButOne,
}

impl Torn {
    /// One for each class of lengths.
    pub const ALL: [Self; 5] = [Self::Nothing, Self::OneByte, Self::Half, Self::Line, Self::AllButOne];

    /// The bytes that arrive.
    pub fn part(self, bytes: &[u8]) -> &[u8] {
        let all_but_one = bytes.len().saturating_sub(1);
        let count = match self {
            Self::Nothing => 0,
            Self::OneByte => bytes.len().min(1),
            Self::Half => bytes.len() / 2,
            Self::Line => bytes.iter().take(all_but_one).rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1),
            Self::AllButOne => all_but_one,
        };
        bytes.get(..count).unwrap_or_default()
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    File { bytes: Rc<[u8]>, mode: u32, mtime_ms: f64 },
    Directory,
    Symlink { target: String, mtime_ms: f64 },
    Special,
}

/// Paths and bytes are shared, so that a flush is cheap.
type Nodes = BTreeMap<Rc<str>, Node>;

/// The entries at a moment, the entries at the last flush, and the time.
#[derive(Debug, Clone, PartialEq)]
pub struct FsState {
    nodes: Nodes,
    durable: Nodes,
    now: u64,
}

/// Clones share the files. File times come from the clock, which does not advance by itself: two consecutive edits get
/// the same time. Faults and counts apply only to calls of [`FsPort`].
#[derive(Clone)]
pub struct MemoryFs {
    state: Rc<State>,
    clock: MemoryClock,
    support: FsSupport,
    appends: bool,
}

#[derive(Default)]
struct State {
    nodes: RefCell<Nodes>,
    /// The nodes at the last flush.
    durable: RefCell<Nodes>,
    fault: Cell<Option<(u64, Fault)>>,
    writes: Cell<u64>,
    calls: Cell<u64>,
    bytes: Cell<u64>,
    flushes: Cell<u64>,
    pauses: Cell<u64>,
    /// The entry to remove, and before which call.
    vanishing: RefCell<Option<(String, u64)>>,
    forbidden: RefCell<Option<String>>,
    /// The states before each write, once they are kept.
    kept: RefCell<Option<Vec<FsState>>>,
}

impl Default for MemoryFs {
    fn default() -> Self {
        Self::new(&MemoryClock::default())
    }
}

impl MemoryFs {
    /// An empty file system with this clock.
    pub fn new(clock: &MemoryClock) -> Self {
        let nodes = RefCell::new(BTreeMap::from([("/".into(), Node::Directory)]));
        let state = State { durable: nodes.clone(), nodes, ..State::default() };
        Self {
            state: Rc::new(state),
            clock: clock.clone(),
            support: FsSupport { symlinks: true, chmod: true },
            appends: true,
        }
    }

    /// The same files in a host that only writes whole files.
    #[must_use]
    pub fn without_append(self) -> Self {
        Self { appends: false, ..self }
    }

    /// The same files in a host with fewer features.
    #[must_use]
    pub fn with_support(mut self, support: FsSupport) -> Self {
        self.support = support;
        self
    }

    /// Writes a file and its folders.
    pub fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        self.insert(path, Node::File { bytes: bytes.as_ref().into(), mode: 0o644, mtime_ms: self.now() });
    }

    /// Creates a link and its folders.
    pub fn put_link(&self, path: &str, target: &str) {
        self.insert(path, Node::Symlink { target: target.to_owned(), mtime_ms: self.now() });
    }

    /// Creates a pipe and its folders. To open it fails; on a real file system it waits.
    pub fn put_pipe(&self, path: &str) {
        self.insert(path, Node::Special);
    }

    /// Creates a folder and its parents.
    pub fn put_dir(&self, path: &str) {
        self.insert(path, Node::Directory);
    }

    /// Sets the mode bits of a file.
    pub fn set_mode(&self, path: &str, bits: u32) {
        if let Some(Node::File { mode, .. }) = self.state.nodes.borrow_mut().get_mut(path) {
            *mode = bits;
        }
    }

    /// Sets the time of a file.
    pub fn set_mtime(&self, path: &str, ms: f64) {
        if let Some(Node::File { mtime_ms, .. }) = self.state.nodes.borrow_mut().get_mut(path) {
            *mtime_ms = ms;
        }
    }

    /// The bytes of a file.
    pub fn get(&self, path: &str) -> Option<Vec<u8>> {
        match self.state.nodes.borrow().get(path) {
            Some(Node::File { bytes, .. }) => Some(bytes.to_vec()),
            _ => None,
        }
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<String> {
        self.get(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Removes an entry with everything below it.
    pub fn delete(&self, path: &str) {
        let below = format!("{path}/");
        self.state.nodes.borrow_mut().retain(|other, _| **other != *path && !other.starts_with(&below));
    }

    /// All folders below a folder.
    pub fn dirs(&self, below: &str) -> Vec<String> {
        let nodes = self.state.nodes.borrow();
        let dirs = entries_below(&nodes, below).filter(|(_, node)| **node == Node::Directory);
        dirs.map(|(path, _)| path.to_string()).collect()
    }

    /// All files and links below a folder, with their bytes; for a link, its target.
    pub fn tree(&self, below: &str) -> BTreeMap<String, Vec<u8>> {
        let nodes = self.state.nodes.borrow();
        let files = entries_below(&nodes, below).filter_map(|(path, node)| match node {
            Node::File { bytes, .. } => Some((path.to_string(), bytes.to_vec())),
            Node::Symlink { target, .. } => Some((path.to_string(), target.clone().into_bytes())),
            Node::Directory | Node::Special => None,
        });
        files.collect()
    }

    /// Injects `fault` at the write with this 0-based number, counted from now.
    pub fn fail_write(&self, number: u64, fault: Fault) {
        self.state.fault.set(Some((self.state.writes.get() + number, fault)));
    }

    /// Removes an entry after this many more calls, as another program might.
    pub fn vanish(&self, path: &str, after: u64) {
        *self.state.vanishing.borrow_mut() = Some((path.to_owned(), self.state.calls.get() + after));
    }

    /// Makes a file unreadable.
    pub fn forbid(&self, path: &str) {
        *self.state.forbidden.borrow_mut() = Some(path.to_owned());
    }

    /// Removes all faults, like a reload of the page.
    pub fn heal(&self) {
        self.state.fault.set(None);
        *self.state.vanishing.borrow_mut() = None;
        *self.state.forbidden.borrow_mut() = None;
    }

    /// Discards unflushed changes, as LightningFS does when its tab is killed: the entries are as at the last flush,
    /// but files that existed then have their new bytes.
    pub fn lose_unflushed(&self) {
        let mut nodes = self.state.nodes.borrow_mut();
        let lost = std::mem::replace(&mut *nodes, self.state.durable.borrow().clone());
        for (path, node) in nodes.iter_mut() {
            if let (Node::File { bytes, .. }, Some(Node::File { bytes: newer, .. })) = (node, lost.get(path)) {
                bytes.clone_from(newer);
            }
        }
    }

    /// Keeps the state before each write from now on.
    pub fn keep_states(&self) {
        *self.state.kept.borrow_mut() = Some(Vec::new());
    }

    /// The states before the writes since [`Self::keep_states`].
    pub fn kept_states(&self) -> Vec<FsState> {
        self.state.kept.borrow_mut().take().unwrap_or_default()
    }

    /// The present state.
    pub fn state(&self) -> FsState {
        let (nodes, durable) = (self.state.nodes.borrow().clone(), self.state.durable.borrow().clone());
        FsState { nodes, durable, now: self.clock.now() }
    }

    /// Continues from a state, as another page does after the one that wrote it was closed. The clock goes on from its time.
    pub fn continue_from(&self, state: &FsState) {
        self.state.nodes.borrow_mut().clone_from(&state.nodes);
        self.state.durable.borrow_mut().clone_from(&state.durable);
        self.clock.advance(state.now.saturating_sub(self.clock.now()));
    }

    /// The number of writes so far, including failed ones.
    pub fn writes(&self) -> u64 {
        self.state.writes.get()
    }

    /// The number of calls so far.
    pub fn calls(&self) -> u64 {
        self.state.calls.get()
    }

    /// The bytes of files that were read or written so far, including the bytes of failed writes.
    pub fn bytes(&self) -> u64 {
        self.state.bytes.get()
    }

    /// The number of flushes so far.
    pub fn flushes(&self) -> u64 {
        self.state.flushes.get()
    }

    /// The number of pauses so far.
    pub fn pauses(&self) -> u64 {
        self.state.pauses.get()
    }

    fn now(&self) -> f64 {
        self.clock.now() as f64
    }

    fn insert(&self, path: &str, node: Node) {
        let mut nodes = self.state.nodes.borrow_mut();
        for (at, _) in path.char_indices().filter(|(at, c)| *c == '/' && *at > 0) {
            nodes.entry(path.get(..at).unwrap_or_default().into()).or_insert(Node::Directory);
        }
        nodes.insert(path.into(), node);
    }

    fn call(&self) {
        let gone = self.state.vanishing.borrow_mut().take_if(|(_, at)| *at <= self.state.calls.get());
        if let Some((path, _)) = gone {
            self.delete(&path);
        }
        self.state.calls.set(self.state.calls.get() + 1);
    }

    fn count(&self, bytes: &[u8]) {
        self.state.bytes.set(self.state.bytes.get() + bytes.len() as u64);
    }

    /// Counts a write and applies its fault. Returns the part of its bytes that the caller must write, if not all.
    async fn write(&self, operation: &str, path: &str) -> PortResult<Option<Torn>> {
        self.call();
        if self.state.kept.borrow().is_some() {
            let state = self.state();
            self.state.kept.borrow_mut().get_or_insert_default().push(state);
        }
        let number = self.state.writes.get();
        self.state.writes.set(number + 1);
        let Some((at, fault)) = self.state.fault.get() else { return Ok(None) };
        let has_bytes = operation == "writeFile" || operation == "appendFile";
        match fault {
            Fault::Tear if number == at && has_bytes => Ok(Some(Torn::Half)),
            Fault::TearTo(torn) if number == at && has_bytes => Ok(Some(torn)),
            Fault::Fail if number != at => Ok(None),
            _ if number < at => Ok(None),
            Fault::Kill => std::future::pending().await,
            _ => Err(error(operation, path, PortErrorKind::Quota, "QuotaExceededError: the test says so")),
        }
    }

    async fn put_bytes(&self, operation: &str, path: &str, bytes: &[u8]) -> PortResult<()> {
        self.count(bytes);
        let torn = self.write(operation, path).await?;
        let path = self.resolve(operation, path, 0)?;
        self.require_parent(operation, &path)?;
        let mtime_ms = self.now();
        let mut nodes = self.state.nodes.borrow_mut();
        let (mode, mut all) = match nodes.get(path.as_str()) {
            Some(Node::Directory) => return Err(errno(operation, &path, PortErrorKind::IsDirectory)),
            Some(Node::Special) => return Err(error(operation, &path, PortErrorKind::Other, OPENED)),
            Some(Node::File { mode, bytes, .. }) if operation == "appendFile" => (*mode, bytes.to_vec()),
            Some(Node::File { mode, .. }) => (*mode, Vec::new()),
            _ => (0o644, Vec::new()),
        };
        all.extend_from_slice(torn.map_or(bytes, |torn| torn.part(bytes)));
        nodes.insert(path.as_str().into(), Node::File { bytes: all.into(), mode, mtime_ms });
        match torn {
            Some(_) => Err(error(operation, &path, PortErrorKind::Other, "torn: the test says so")),
            None => Ok(()),
        }
    }

    fn require_parent(&self, operation: &str, path: &str) -> PortResult<()> {
        let parent = crate::path::parent(path);
        self.require_directory(operation, path, if parent.is_empty() { "/" } else { parent })
    }

    fn require_directory(&self, operation: &str, path: &str, directory: &str) -> PortResult<()> {
        match self.state.nodes.borrow().get(directory) {
            Some(Node::Directory) => Ok(()),
            Some(_) => Err(errno(operation, path, PortErrorKind::NotDirectory)),
            None => Err(errno(operation, path, PortErrorKind::NotFound)),
        }
    }

    /// Adds an entry where there is none.
    async fn create(&self, operation: &str, path: &str, node: Node) -> PortResult<()> {
        self.write(operation, path).await?;
        let path = self.resolve_parent(operation, path)?;
        if self.state.nodes.borrow().contains_key(path.as_str()) {
            return Err(errno(operation, &path, PortErrorKind::Exists));
        }
        self.require_parent(operation, &path)?;
        self.state.nodes.borrow_mut().insert(path.into(), node);
        Ok(())
    }

    /// Resolves links in every component.
    fn resolve(&self, operation: &str, path: &str, depth: u32) -> PortResult<String> {
        if depth > 40 {
            return Err(error(operation, path, PortErrorKind::Other, "ELOOP: too many symbolic links"));
        }
        let nodes = self.state.nodes.borrow();
        let ends = path.char_indices().filter(|(at, c)| *c == '/' && *at > 0).map(|(at, _)| at).chain([path.len()]);
        for end in ends {
            let (head, rest) = path.split_at(end);
            if let Some(Node::Symlink { target, .. }) = nodes.get(head) {
                let base = head.rsplit_once('/').map_or("", |(base, _)| base);
                let next =
                    if target.starts_with('/') { format!("{target}{rest}") } else { format!("{base}/{target}{rest}") };
                drop(nodes);
                return self.resolve(operation, &normal(&next), depth + 1);
            }
        }
        Ok(path.to_owned())
    }

    fn resolve_parent(&self, operation: &str, path: &str) -> PortResult<String> {
        match path.rsplit_once('/') {
            Some((parent, name)) if !parent.is_empty() => Ok(format!("{}/{name}", self.resolve(operation, parent, 0)?)),
            _ => Ok(path.to_owned()),
        }
    }
}

#[async_trait(?Send)]

impl FsPort for MemoryFs {
    fn support(&self) -> FsSupport {
        self.support
    }

    async fn read_file(&self, path: &str) -> PortResult<Vec<u8>> {
        self.call();
        let path = self.resolve("readFile", path, 0)?;
        if self.state.forbidden.borrow().as_ref() == Some(&path) {
            return Err(errno("readFile", &path, PortErrorKind::Denied));
        }
        match self.state.nodes.borrow().get(path.as_str()) {
            Some(Node::File { bytes, .. }) => {
                self.count(bytes);
                Ok(bytes.to_vec())
            }
            Some(Node::Special) => Err(error("readFile", &path, PortErrorKind::Other, OPENED)),
            Some(_) => Err(errno("readFile", &path, PortErrorKind::IsDirectory)),
            None => Err(errno("readFile", &path, PortErrorKind::NotFound)),
        }
    }

    async fn write_file(&self, path: &str, bytes: &[u8]) -> PortResult<()> {
        self.put_bytes("writeFile", path, bytes).await
    }

    async fn append_file(&self, path: &str, bytes: &[u8]) -> PortResult<bool> {
        if !self.appends {
            return Ok(false);
        }
        self.put_bytes("appendFile", path, bytes).await.map(|()| true)
    }

    async fn read_dir(&self, path: &str) -> PortResult<Vec<String>> {
        self.call();
        let path = self.resolve("readdir", path, 0)?;
        self.require_directory("readdir", &path, &path)?;
        let nodes = self.state.nodes.borrow();
        let length = path.trim_end_matches('/').len() + 1;
        let names = entries_below(&nodes, &path).filter_map(|(path, _)| path.get(length..));
        Ok(names.filter(|name| !name.is_empty() && !name.contains('/')).map(str::to_owned).collect())
    }

    async fn make_dir(&self, path: &str) -> PortResult<()> {
        self.create("mkdir", path, Node::Directory).await
    }

    async fn remove_dir(&self, path: &str) -> PortResult<()> {
        self.write("rmdir", path).await?;
        let path = self.resolve_parent("rmdir", path)?;
        self.require_directory("rmdir", &path, &path)?;
        let mut nodes = self.state.nodes.borrow_mut();
        if entries_below(&nodes, &path).next().is_some() {
            return Err(errno("rmdir", &path, PortErrorKind::NotEmpty));
        }
        nodes.remove(path.as_str());
        Ok(())
    }

    async fn remove_file(&self, path: &str) -> PortResult<()> {
        self.write("unlink", path).await?;
        let path = self.resolve_parent("unlink", path)?;
        let mut nodes = self.state.nodes.borrow_mut();
        match nodes.get(path.as_str()) {
            Some(Node::Directory) => Err(errno("unlink", &path, PortErrorKind::IsDirectory)),
            Some(_) => {
                nodes.remove(path.as_str());
                Ok(())
            }
            None => Err(errno("unlink", &path, PortErrorKind::NotFound)),
        }
    }

    async fn rename(&self, from: &str, to: &str) -> PortResult<()> {
        self.write("rename", from).await?;
        let (from, to) = (self.resolve_parent("rename", from)?, self.resolve_parent("rename", to)?);
        self.require_parent("rename", &to)?;
        let mut nodes = self.state.nodes.borrow_mut();
        let Some(node) = nodes.get(from.as_str()).cloned() else {
            return Err(errno("rename", &from, PortErrorKind::NotFound));
        };
        if to.starts_with(&format!("{from}/")) {
            return Err(error("rename", &to, PortErrorKind::Other, "EINVAL: a folder cannot move into itself"));
        }
        if from != to && nodes.get(to.as_str()) == Some(&Node::Directory) {
            return Err(errno("rename", &to, PortErrorKind::IsDirectory));
        }
        let below: Vec<_> = entries_below(&nodes, &from).map(|(path, _)| Rc::clone(path)).collect();
        for path in below {
            if let (Some(node), Some(rest)) = (nodes.remove(&path), path.strip_prefix(from.as_str())) {
                nodes.insert(format!("{to}{rest}").into(), node);
            }
        }
        nodes.remove(from.as_str());
        nodes.insert(to.into(), node);
        Ok(())
    }

    async fn lstat(&self, path: &str) -> PortResult<Stat> {
        self.call();
        let path = self.resolve_parent("lstat", path)?;
        let (kind, size, mtime_ms, mode) = match self.state.nodes.borrow().get(path.as_str()) {
            Some(Node::File { bytes, mode, mtime_ms }) => (FileKind::File, bytes.len(), *mtime_ms, 0o100_000 | mode),
            Some(Node::Directory) => (FileKind::Directory, 0, 0.0, 0o040_755),
            Some(Node::Symlink { target, mtime_ms }) => (FileKind::Symlink, target.len(), *mtime_ms, 0o120_777),
            Some(Node::Special) => (FileKind::Special, 0, 0.0, 0o010_644),
            None => return Err(errno("lstat", &path, PortErrorKind::NotFound)),
        };
        Ok(Stat { kind, size: size as u64, mtime_ms, mode: Some(mode) })
    }

    async fn read_link(&self, path: &str) -> PortResult<String> {
        self.call();
        let path = self.resolve_parent("readlink", path)?;
        match self.state.nodes.borrow().get(path.as_str()) {
            Some(Node::Symlink { target, .. }) => Ok(target.clone()),
            Some(_) => Err(error("readlink", &path, PortErrorKind::Other, "EINVAL: not a symbolic link")),
            None => Err(errno("readlink", &path, PortErrorKind::NotFound)),
        }
    }

    async fn symlink(&self, target: &str, path: &str) -> PortResult<()> {
        self.create("symlink", path, Node::Symlink { target: target.to_owned(), mtime_ms: self.now() }).await
    }

    async fn chmod(&self, path: &str, new_mode: u32) -> PortResult<()> {
        self.write("chmod", path).await?;
        let path = self.resolve("chmod", path, 0)?;
        match self.state.nodes.borrow_mut().get_mut(path.as_str()) {
            Some(Node::File { mode, .. }) => {
                *mode = new_mode & 0o777;
                Ok(())
            }
            Some(_) => Ok(()),
            None => Err(errno("chmod", &path, PortErrorKind::NotFound)),
        }
    }

    async fn flush(&self) -> PortResult<()> {
        self.call();
        self.state.flushes.set(self.state.flushes.get() + 1);
        self.state.durable.borrow_mut().clone_from(&self.state.nodes.borrow());
        Ok(())
    }

    async fn pause(&self) {
        self.state.pauses.set(self.state.pauses.get() + 1);
    }
}

/// Everything below a folder.
fn entries_below<'n>(nodes: &'n Nodes, folder: &str) -> impl Iterator<Item = (&'n Rc<str>, &'n Node)> {
    let prefix = format!("{}/", folder.trim_end_matches('/'));
    nodes
        .range::<str, _>((Bound::Excluded(prefix.as_str()), Bound::Unbounded))
        .take_while(move |(path, _)| path.starts_with(&prefix))
}

const OPENED: &str = "a pipe was opened";

/// The error of a POSIX file system.
fn errno(operation: &str, path: &str, kind: PortErrorKind) -> PortError {
    let message = match kind {
        PortErrorKind::NotFound => "ENOENT: no such file or directory",
        PortErrorKind::Exists => "EEXIST: file already exists",
        PortErrorKind::NotDirectory => "ENOTDIR: not a directory",
        PortErrorKind::IsDirectory => "EISDIR: is a directory",
        PortErrorKind::NotEmpty => "ENOTEMPTY: directory not empty",
        _ => "EACCES: permission denied",
    };
    error(operation, path, kind, message)
}

fn error(operation: &str, path: &str, kind: PortErrorKind, message: &str) -> PortError {
    PortError::new("fs", operation, kind, message).at_path(path)
}

fn normal(path: &str) -> String {
    format!("/{}", crate::path::normalise(path))
}
