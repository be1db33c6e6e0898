//! The host's file system with the guard's checks.

mod resolve;
mod turns;

use async_trait::async_trait;
use resolve::{Follow, Found, LINKS_MAX, refuse_special};
pub(super) use resolve::{Resolved, link_target};
pub use turns::Turns;

use super::fact::{FileChangeKind, FileWrite};
use super::guard::{Access, Denied, Rule, decide};
use super::write_ahead::{After, Planned, WriteAhead};
use crate::path::{self, join};
use crate::port::{FileKind, FsPort, FsSupport, PortError, PortErrorKind, PortResult, ProjectDir, Rights, Stat, Walk};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A file system that checks every operation with the guard. Built-in tools, the IDE's tools and the shell use it. Paths
/// are absolute, or relative to the project's folder.
///
/// Links are resolved here, component by component, and the guard checks every path that they lead to. The underlying file
/// system gets paths without links. Records denials, changed files and touched paths until the caller takes them.
///
/// What is checked must still be true when the host's file system is called, so changing calls wait for each other.
pub struct GuardedFs<'a> {
    fs: &'a dyn FsPort,
    dir: &'a str,
    rights: &'a Rights,
    /// The tool that the calls belong to.
    tool: &'a str,
    /// Records what an operation will write.
    ahead: Option<&'a dyn WriteAhead>,
    denials: RefCell<Vec<(String, String)>>,
    changes: RefCell<BTreeMap<String, FileWrite>>,
    touched: RefCell<Vec<String>>,
    ended: Rc<Cell<bool>>,
    turns: Rc<Turns>,
}

impl<'a> GuardedFs<'a> {
    /// `dir` is the project's folder: absolute, without a trailing slash.
    pub fn new(fs: &'a dyn FsPort, dir: &'a str, rights: &'a Rights) -> Self {
        let (denials, changes, touched) = Default::default();
        let (ended, turns) = Default::default();
        Self { fs, dir, rights, tool: "", ahead: None, denials, changes, touched, ended, turns }
    }

    /// The calls belong to this tool.
    #[must_use]
    pub fn calling(self, tool: &'a str) -> Self {
        Self { tool, ..self }
    }

    /// Records every write before it happens.
    #[must_use]
    pub(super) fn recording(self, ahead: &'a dyn WriteAhead) -> Self {
        Self { ahead: Some(ahead), ..self }
    }

    /// Whether the agent may write a path, which has no links.
    ///
    /// # Errors
    /// The rule that refuses it.
    pub(super) fn check(&self, path: &str) -> Result<(), Denied> {
        self.decide(path, Access::Write).map(drop)
    }

    /// Whether the agent may read a path, which has no links.
    pub(super) fn may_read(&self, path: &str) -> bool {
        self.decide(path, Access::Read).is_ok()
    }

    fn decide(&self, path: &str, access: Access) -> Result<String, Denied> {
        decide(self.dir, path, access, self.rights, self.tool)
    }

    /// Once `ended` is set, every operation that would change something fails, even one that has already started.
    #[must_use]
    pub fn until(self, ended: &Rc<Cell<bool>>) -> Self {
        Self { ended: Rc::clone(ended), ..self }
    }

    /// Changing calls wait for the changing calls of every file system with these turns.
    #[must_use]
    pub fn taking(self, turns: &Rc<Turns>) -> Self {
        Self { turns: Rc::clone(turns), ..self }
    }

    /// The stat of a path, with all links followed.
    ///
    /// # Errors
    /// Denials of the guard and errors of the file system.
    pub async fn stat(&self, path: &str) -> PortResult<Stat> {
        let (entry, stat) = self.resolve_from(path, "stat", path, Access::Read, Follow::All).await?;
        match stat {
            Some(stat) => Ok(stat),
            None => self.fs.lstat(&self.absolute(&entry)).await,
        }
    }

    /// The relative path with all links resolved.
    ///
    /// # Errors
    /// Denials of the guard and errors of the file system.
    pub async fn follow(&self, path: &str) -> PortResult<String> {
        self.resolve("stat", path, Access::Read, Follow::All).await
    }

    /// The file at a path that may be written, with all links followed, for several operations.
    ///
    /// # Errors
    /// Denials of the guard and errors of the file system.
    pub(super) async fn file(&self, operation: &str, path: &str) -> PortResult<Resolved> {
        let (path, stat) = self.resolve_from(path, operation, path, Access::Write, Follow::All).await?;
        Ok(Resolved { path, stat, content: RefCell::default() })
    }

    /// The content of a file, for the agent.
    ///
    /// # Errors
    /// Denials of the guard and errors of the file system.
    pub(super) async fn content(&self, path: &str) -> PortResult<Content> {
        self.read_resolved("readFile", path, Follow::All, async |file, stat| self.content_of(&file, stat).await).await
    }

    async fn content_of(&self, file: &str, stat: Option<Stat>) -> PortResult<Content> {
        match stat.filter(|stat| stat.size > READ_MAX) {
            Some(Stat { size, .. }) => Ok(Content::TooLarge { size, max: READ_MAX }),
            None => self.fs.read_file(&self.absolute(file)).await.map(Content::Bytes),
        }
    }

    /// The same as [`Self::file`] for the entry itself, which may be a link or a folder.
    ///
    /// # Errors
    /// As of [`Self::file`].
    pub(super) async fn entry_at(&self, operation: &str, path: &str) -> PortResult<Resolved> {
        let path = self.resolve(operation, path, Access::Write, Follow::Parents).await?;
        let stat = self.entry(&path).await?;
        Ok(Resolved { path, stat, content: RefCell::default() })
    }

    /// The content of a resolved file, for the agent.
    ///
    /// # Errors
    /// Errors of the file system.
    pub(super) async fn read(&self, file: &Resolved) -> PortResult<Content> {
        let content = self.content_of(&file.path, file.stat).await?;
        if let (Some(_), Content::Bytes(bytes)) = (self.ahead, &content) {
            file.content.replace(Some(bytes.clone()));
        }
        Ok(content)
    }

    /// Creates or replaces a resolved file.
    ///
    /// # Errors
    /// Errors of the file system, and a denial if the call has ended.
    pub(super) async fn write(&self, file: &Resolved, bytes: &[u8]) -> PortResult<()> {
        let planned = Planned { path: &file.path, from: None, stat: file.stat, after: After::Bytes(bytes) };
        self.perform("writeFile", &[planned], file.content.take(), async || {
            self.fs.write_file(&self.absolute(&file.path), bytes).await
        })
        .await
    }

    /// Removes a resolved file or link.
    ///
    /// # Errors
    /// As of [`Self::write`].
    pub(super) async fn remove(&self, file: &Resolved) -> PortResult<()> {
        let planned = Planned { path: &file.path, from: None, stat: file.stat, after: After::Nothing };
        self.perform("unlink", &[planned], file.content.take(), async || {
            self.fs.remove_file(&self.absolute(&file.path)).await
        })
        .await
    }

    /// Performs an operation that changes files. What it will write is recorded before it begins. `content` belongs to the
    /// first file, if it was read.
    async fn perform(
        &self,
        operation: &str,
        planned: &[Planned<'_>],
        content: Option<Vec<u8>>,
        work: impl AsyncFnOnce() -> PortResult<()>,
    ) -> PortResult<()> {
        self.require_open(operation)?;
        planned.iter().for_each(|planned| self.touch(planned.path));
        let writes = match self.ahead {
            Some(ahead) => {
                let writes = ahead.begin(planned, content).await?;
                self.require_open(operation)?;
                writes
            }
            None => planned.iter().map(Planned::unrecorded).collect(),
        };
        work().await?;
        if let Some(ahead) = self.ahead {
            ahead.end(planned, &writes);
        }
        writes.into_iter().for_each(|write| self.note_change(write));
        Ok(())
    }

    /// Creates the missing parent folders of a path.
    ///
    /// # Errors
    /// Denials of the guard and errors of the file system.
    pub async fn make_parents(&self, path: &str) -> PortResult<()> {
        let normal = self.decide(path, Access::Read).map_err(|denied| self.refuse("mkdir", path, denied))?;
        let parent = path::parent(&normal);
        if parent.is_empty() {
            return Ok(());
        }
        let _turn = self.turns.wait().await;
        let (parent, stat) = self.resolve_from(parent, "mkdir", path, Access::Read, Follow::All).await?;
        if stat.is_some() {
            return Ok(());
        }
        // Below a folder that is missing, there is nothing to look at.
        let mut is_missing = false;
        for folder in path::folders_above(&parent).chain([parent.as_str()]) {
            is_missing = is_missing || self.entry(folder).await?.is_none();
            if !is_missing {
                continue;
            }
            self.decide(folder, Access::MakeDir).map_err(|denied| self.refuse("mkdir", path, denied))?;
            self.require_open("mkdir")?;
            match self.fs.make_dir(&self.absolute(folder)).await {
                Err(error) if error.kind != PortErrorKind::Exists => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes and returns the refused paths, as the caller wrote them, with the names of the rules that refused them.
    pub fn take_denials(&self) -> Vec<(String, String)> {
        self.denials.take()
    }

    /// Removes and returns the recorded changes: moved files first, then by path.
    pub fn take_changes(&self) -> Vec<FileWrite> {
        let mut changes: Vec<FileWrite> = self.changes.take().into_values().collect();
        changes.sort_by_key(|change| change.write.from.is_none());
        changes
    }

    /// Removes and returns the resolved paths that may have changed, including the paths of operations that failed or were
    /// cancelled. The next snapshot must scan them.
    pub fn take_touched(&self) -> Vec<String> {
        self.touched.take()
    }

    fn touch(&self, path: &str) {
        self.touched.borrow_mut().push(path.to_owned());
    }

    /// Records a change. Several changes of one file are one.
    pub(super) fn note_change(&self, change: impl Into<FileWrite>) {
        use FileChangeKind::{Created, Deleted, Modified};
        let FileWrite { mut write, change: mut kind } = change.into();
        let mut changes = self.changes.borrow_mut();
        if let Some(earlier) = changes.remove(&write.path) {
            kind = match (earlier.change, kind) {
                (Created, Deleted) => return,
                (Created, _) => Created,
                (Deleted, _) => Modified,
                (_, kind) => kind,
            };
            (write.before, write.from) = (earlier.write.before, write.from.or(earlier.write.from));
        }
        changes.insert(write.path.clone(), FileWrite { write, change: kind });
    }

    /// Records a denial and turns it into an error.
    pub(super) fn refuse(&self, operation: &str, path: &str, denied: Denied) -> PortError {
        self.denials.borrow_mut().push((path.to_owned(), denied.name().to_owned()));
        PortError::new("fs", operation, PortErrorKind::Denied, denied.message).at_path(path)
    }

    /// The relative path, with links resolved, that an operation works on. `follow` says whether that includes the last
    /// component.
    async fn resolve(&self, operation: &str, path: &str, access: Access, follow: Follow) -> PortResult<String> {
        Ok(self.resolve_from(path, operation, path, access, follow).await?.0)
    }

    /// [`Self::resolve`] from another path than the one in the messages, with the stat of what is there. There is no stat
    /// if nothing is there, or with [`Follow::Parents`].
    async fn resolve_from(
        &self,
        start: &str,
        operation: &str,
        path: &str,
        access: Access,
        follow: Follow,
    ) -> PortResult<(String, Option<Stat>)> {
        let ask = |wanted: &str| self.decide(wanted, access);
        let mut resolved = ask(start).map_err(|denied| self.refuse(operation, path, denied))?;
        for _ in 0..LINKS_MAX {
            let (link, target) = match self.first_link(&resolved, follow).await? {
                Found::Link { link, target } => (link, target),
                Found::End(stat) => {
                    if operation != "stat" {
                        refuse_special(operation, path, stat)?;
                    }
                    return Ok((resolved, stat));
                }
            };
            let Some(target) = target else {
                let message = format!("{path:?} goes through the link {link:?}, which this host cannot follow");
                return Err(self.refuse(operation, path, Denied::new(Rule::Link, message)));
            };
            let rest = resolved.strip_prefix(&link).unwrap_or_default();
            resolved = ask(&link_target(&link, &target, rest)).map_err(|denied| {
                let message =
                    format!("{path:?} goes through the link {link:?}, which leads to {target:?}: {}", denied.message);
                self.refuse(operation, path, Denied::new(Rule::Link, message))
            })?;
        }
        let message = format!("{path:?} goes through too many links");
        Err(self.refuse(operation, path, Denied::new(Rule::Link, message)))
    }

    /// Reads at a path with its links resolved. If a call makes or moves a link meanwhile, the read may have followed it: it is
    /// repeated after that call.
    async fn read_resolved<T>(
        &self,
        operation: &str,
        path: &str,
        follow: Follow,
        read: impl AsyncFn(String, Option<Stat>) -> PortResult<T>,
    ) -> PortResult<T> {
        let look = async || {
            let (entry, stat) = self.resolve_from(path, operation, path, Access::Read, follow).await?;
            read(entry, stat).await
        };
        let links = self.turns.links();
        let found = look().await?;
        if !self.turns.has_moved_links(links) {
            return Ok(found);
        }
        let _turn = self.turns.wait().await;
        look().await
    }

    /// Looks at what a move brought, because others may make links without the guard. If one leads to a closed path, the move
    /// is undone; if something else is there by now, the link is removed.
    async fn check_moved(&self, source: &str, target: &str) -> PortResult<()> {
        if !self.support().symlinks {
            return Ok(());
        }
        let stat = self.entry(target).await?;
        for (file, _) in self.below(target, stat).await?.iter().filter(|(_, stat)| stat.kind == FileKind::Symlink) {
            let link = join(target, file);
            let leads_to = self.fs.read_link(&self.absolute(&link)).await?;
            let Err(mut denied) = self.check_link("rename", &link, &link, &leads_to).await else { continue };
            let is_undone = self.entry(source).await?.is_none()
                && self.fs.rename(&self.absolute(target), &self.absolute(source)).await.is_ok();
            if !is_undone {
                self.fs.remove_file(&self.absolute(&link)).await?;
            }
            let outcome = if is_undone { "the move is undone" } else { "the link is removed" };
            denied.message = format!("{link:?} leads to {leads_to:?}: {}; {outcome}", denied.message);
            return Err(denied);
        }
        Ok(())
    }

    async fn first_link(&self, path: &str, follow: Follow) -> PortResult<Found> {
        let last = (follow == Follow::All && !path.is_empty()).then_some(path);
        let mut end = None;
        for prefix in path::folders_above(path).chain(last) {
            match self.entry(prefix).await? {
                None => return Ok(Found::End(None)),
                Some(stat) if stat.kind != FileKind::Symlink => {
                    end = last.filter(|last| *last == prefix).and(Some(stat))
                }
                Some(_) => {
                    let link = prefix.to_owned();
                    let target = match self.support().symlinks {
                        true => Some(self.fs.read_link(&self.absolute(prefix)).await?),
                        false => None,
                    };
                    return Ok(Found::Link { link, target });
                }
            }
        }
        Ok(Found::End(end))
    }

    /// Allows a link only if the agent may write its target, because the harness and the IDE write through links without the
    /// guard. `..` is allowed only at the start of a target, because file systems resolve `..` from a link's target and not
    /// from the link.
    async fn check_link(&self, operation: &str, path: &str, link: &str, target: &str) -> PortResult<()> {
        let names = target.split('/').filter(|name| !matches!(*name, "" | "."));
        if names.skip_while(|name| *name == "..").any(|name| name == "..") {
            let message = format!("the link target {target:?} has `..` after a name; use the shortest path");
            return Err(self.refuse(operation, path, Denied::new(Rule::Link, message)));
        }
        let start = link_target(link, target, "");
        self.resolve_from(&start, operation, path, Access::Write, Follow::All).await.map(drop)
    }

    /// Checked immediately before a change, because resolving the path is asynchronous.
    fn require_open(&self, operation: &str) -> PortResult<()> {
        if self.ended.get() {
            let message = "the call that this file system belongs to has ended";
            return Err(PortError::new("fs", operation, PortErrorKind::Denied, message));
        }
        Ok(())
    }

    async fn entry(&self, path: &str) -> PortResult<Option<Stat>> {
        self.project().lstat(path).await
    }

    /// The files below a folder, relative to it, or the file itself.
    async fn below(&self, start: &str, stat: Option<Stat>) -> PortResult<Vec<(String, Stat)>> {
        if let Some(stat) = stat.filter(|stat| stat.kind != FileKind::Directory) {
            return Ok(vec![(String::new(), stat)]);
        }
        let (mut walk, mut files) = (Walk::new(self.project(), start, usize::MAX), Vec::new());
        while let Some((path, stat)) = walk.next().await? {
            if stat.kind == FileKind::Directory {
                walk.enter(&path, |_| true).await?;
            } else if stat.kind != FileKind::Special {
                let inner = path.get(start.len()..).unwrap_or_default().trim_start_matches('/');
                files.push((inner.to_owned(), stat));
            }
        }
        Ok(files)
    }

    fn project(&self) -> ProjectDir<'a> {
        ProjectDir::new(self.fs, self.dir)
    }

    fn absolute(&self, path: &str) -> String {
        self.project().absolute(path)
    }
}

#[async_trait(?Send)]

impl FsPort for GuardedFs<'_> {
    fn support(&self) -> FsSupport {
        self.fs.support()
    }

    async fn read_file(&self, path: &str) -> PortResult<Vec<u8>> {
        self.read_resolved("readFile", path, Follow::All, async |file, _| {
            self.fs.read_file(&self.absolute(&file)).await
        })
        .await
    }

    async fn write_file(&self, path: &str, bytes: &[u8]) -> PortResult<()> {
        let _turn = self.turns.wait().await;
        self.write(&self.file("writeFile", path).await?, bytes).await
    }

    /// Omits names that the agent may not read, so that a walk does not fail at them.
    async fn read_dir(&self, path: &str) -> PortResult<Vec<String>> {
        self.read_resolved("readdir", path, Follow::All, async |folder, _| {
            let mut names = self.fs.read_dir(&self.absolute(&folder)).await?;
            names.retain(|name| self.decide(&join(&folder, name), Access::Read).is_ok());
            Ok(names)
        })
        .await
    }

    async fn make_dir(&self, path: &str) -> PortResult<()> {
        let _turn = self.turns.wait().await;
        let asked = self.resolve("mkdir", path, Access::Read, Follow::Parents).await?;
        if self.entry(&asked).await?.is_some() {
            let message = "file already exists";
            return Err(PortError::new("fs", "mkdir", PortErrorKind::Exists, message).at_path(path));
        }
        let folder = self.resolve("mkdir", path, Access::MakeDir, Follow::Parents).await?;
        self.require_open("mkdir")?;
        self.fs.make_dir(&self.absolute(&folder)).await
    }

    async fn remove_dir(&self, path: &str) -> PortResult<()> {
        let _turn = self.turns.wait().await;
        let folder = self.resolve("rmdir", path, Access::Write, Follow::Parents).await?;
        self.require_open("rmdir")?;
        self.fs.remove_dir(&self.absolute(&folder)).await
    }

    async fn remove_file(&self, path: &str) -> PortResult<()> {
        let _turn = self.turns.wait().await;
        let path = self.resolve("unlink", path, Access::Write, Follow::Parents).await?;
        let stat = if self.ahead.is_some() { self.entry(&path).await? } else { None };
        refuse_special("unlink", &path, stat)?;
        self.remove(&Resolved { path, stat, content: RefCell::default() }).await
    }

    /// A folder moves only if the agent may write every file in it, at both ends, and the targets of its links at the new
    /// place. An existing link at the new place counts as its target.
    async fn rename(&self, from: &str, to: &str) -> PortResult<()> {
        let _turn = self.turns.wait_for_links().await;
        let source = self.resolve("rename", from, Access::Write, Follow::Parents).await?;
        self.resolve("rename", to, Access::Write, Follow::All).await?;
        let target = self.resolve("rename", to, Access::Write, Follow::Parents).await?;
        let stat = self.entry(&source).await?;
        refuse_special("rename", from, stat)?;
        let is_folder = stat.is_some_and(|stat| stat.kind == FileKind::Directory);
        let moved = self.below(&source, stat).await?;
        let replaced = self.entry(&target).await?.filter(|stat| stat.kind != FileKind::Directory);
        for (file, stat) in &moved {
            for (end, asked) in [(&source, from), (&target, to)] {
                self.decide(&join(end, file), Access::Write).map_err(|denied| self.refuse("rename", asked, denied))?;
            }
            if stat.kind == FileKind::Symlink && self.support().symlinks {
                let leads_to = self.fs.read_link(&self.absolute(&join(&source, file))).await?;
                self.check_link("rename", to, &join(&target, file), &leads_to).await?;
            }
        }
        let ends: Vec<_> = moved.iter().map(|(file, stat)| (join(&source, file), join(&target, file), *stat)).collect();
        let mut planned = Vec::new();
        for (from, to, stat) in &ends {
            let replaced = replaced.filter(|_| !is_folder);
            planned.push(Planned { path: to, from: Some((from, *stat)), stat: replaced, after: After::Moved });
        }
        for (from, _, stat) in &ends {
            planned.push(Planned { path: from, from: None, stat: Some(*stat), after: After::Nothing });
        }
        if is_folder && replaced.is_some() {
            planned.push(Planned { path: &target, from: None, stat: replaced, after: After::Nothing });
        }
        self.perform("rename", &planned, None, async || {
            self.fs.rename(&self.absolute(&source), &self.absolute(&target)).await?;
            self.check_moved(&source, &target).await
        })
        .await
    }

    async fn lstat(&self, path: &str) -> PortResult<Stat> {
        self.read_resolved("lstat", path, Follow::Parents, async |entry, _| self.fs.lstat(&self.absolute(&entry)).await)
            .await
    }

    async fn read_link(&self, path: &str) -> PortResult<String> {
        self.read_resolved("readlink", path, Follow::Parents, async |link, _| {
            self.fs.read_link(&self.absolute(&link)).await
        })
        .await
    }

    async fn symlink(&self, target: &str, path: &str) -> PortResult<()> {
        let _turn = self.turns.wait_for_links().await;
        let link = self.resolve("symlink", path, Access::Write, Follow::Parents).await?;
        if !self.support().symlinks {
            let message = "this host has no symbolic links; copy the file instead".to_owned();
            return Err(self.refuse("symlink", path, Denied::new(Rule::Link, message)));
        }
        self.check_link("symlink", path, &link, target).await?;
        let planned = Planned { path: &link, from: None, stat: None, after: After::Link(target) };
        self.perform("symlink", &[planned], None, async || self.fs.symlink(target, &self.absolute(&link)).await).await
    }

    async fn chmod(&self, path: &str, mode: u32) -> PortResult<()> {
        let _turn = self.turns.wait().await;
        let (file, stat) = self.resolve_from(path, "chmod", path, Access::Write, Follow::All).await?;
        let planned = Planned { path: &file, from: None, stat, after: After::Mode(mode) };
        self.perform("chmod", &[planned], None, async || self.fs.chmod(&self.absolute(&file), mode).await).await
    }

    async fn flush(&self) -> PortResult<()> {
        self.fs.flush().await
    }
}

/// Larger files are not read for the agent, in bytes.
pub(super) const READ_MAX: u64 = 8 * 1024 * 1024;

/// What the agent gets of a file.
pub(super) enum Content {
    Bytes(Vec<u8>),
    /// The sizes are in bytes.
    TooLarge {
        size: u64,
        max: u64,
    },
}

#[cfg(test)]
mod races;
#[cfg(test)]
mod tests;
