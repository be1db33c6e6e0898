//! The host's file system with the guard's checks.

use super::fact::FileChangeKind;
use super::guard::{Access, Denied, Policy, Rule, decide};
use crate::path::{self, join};
use crate::port::{FileKind, FsPort, FsSupport, PortError, PortErrorKind, PortResult, ProjectDir, Stat, Walk};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A file system that checks every operation with the guard. Built-in tools, the IDE's tools and the shell use it. Paths
/// are absolute, or relative to the project's folder.
///
/// Links are resolved here, component by component, and the guard checks every path that they lead to. The underlying file
/// system gets paths without links. Records denials, changed files and touched paths until the caller takes them.
pub struct GuardedFs<'a, F> {
    fs: &'a F,
    dir: &'a str,
    policy: Policy,
    closed: &'a [String],
    denials: RefCell<Vec<(String, Rule)>>,
    changes: RefCell<BTreeMap<String, FileChangeKind>>,
    touched: RefCell<Vec<String>>,
    ended: Rc<Cell<bool>>,
}

impl<'a, F: FsPort> GuardedFs<'a, F> {
    /// `dir` is the project's folder: absolute, without a trailing slash.
    pub fn new(fs: &'a F, dir: &'a str, policy: Policy) -> Self {
        let (denials, changes, touched) = Default::default();
        Self { fs, dir, policy, closed: &[], denials, changes, touched, ended: Rc::default() }
    }

    /// These files and folders are closed for writing, too.
    #[must_use]
    pub fn closing(self, closed: &'a [String]) -> Self {
        Self { closed, ..self }
    }

    /// The decision of the guard, with the files and folders that the configuration closes.
    fn decide(&self, path: &str, access: Access) -> Result<String, Denied> {
        let normal = decide(self.dir, path, access, self.policy)?;
        let folded = path::fold(&normal);
        let is_closed = |closed: &&String| {
            let closed = path::fold(closed.trim_end_matches('/'));
            folded == closed || path::is_below(&folded, &closed)
        };
        match self.closed.iter().find(is_closed).filter(|_| access != Access::Read) {
            None => Ok(normal),
            Some(closed) => {
                let message = format!(
                    "{path:?} is closed by the project's configuration (`{closed}`): do the work without changing it"
                );
                Err(Denied { rule: Rule::UserFile, message })
            }
        }
    }

    /// Once `ended` is set, every operation that would change something fails, even one that has already started.
    #[must_use]
    pub fn until(self, ended: &Rc<Cell<bool>>) -> Self {
        Self { ended: Rc::clone(ended), ..self }
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
        Ok(Resolved { path, stat })
    }

    /// The same for the entry itself, which may be a link or a folder.
    ///
    /// # Errors
    /// As of [`Self::file`].
    pub(super) async fn entry_at(&self, operation: &str, path: &str) -> PortResult<Resolved> {
        let path = self.resolve(operation, path, Access::Write, Follow::Parents).await?;
        let stat = self.entry(&path).await?;
        Ok(Resolved { path, stat })
    }

    /// The content of a resolved file.
    ///
    /// # Errors
    /// Errors of the file system.
    pub(super) async fn read(&self, file: &Resolved) -> PortResult<Vec<u8>> {
        self.fs.read_file(&self.absolute(&file.path)).await
    }

    /// Creates or replaces a resolved file.
    ///
    /// # Errors
    /// Errors of the file system, and a denial if the call has ended.
    pub(super) async fn write(&self, file: &Resolved, bytes: &[u8]) -> PortResult<()> {
        let kind = match file.stat {
            Some(_) => FileChangeKind::Modified,
            None => FileChangeKind::Created,
        };
        self.require_open("writeFile")?;
        self.touch(&file.path);
        self.fs.write_file(&self.absolute(&file.path), bytes).await?;
        self.note_change(&file.path, kind);
        Ok(())
    }

    /// Removes a resolved file or link.
    ///
    /// # Errors
    /// As of [`Self::write`].
    pub(super) async fn remove(&self, file: &Resolved) -> PortResult<()> {
        self.require_open("unlink")?;
        self.touch(&file.path);
        self.fs.remove_file(&self.absolute(&file.path)).await?;
        self.note_change(&file.path, FileChangeKind::Deleted);
        Ok(())
    }

    /// Creates the missing parent folders of a path.
    ///
    /// # Errors
    /// Denials of the guard and errors of the file system.
    pub async fn make_parents(&self, path: &str) -> PortResult<()> {
        let normal =
            decide(self.dir, path, Access::Read, self.policy).map_err(|denied| self.refuse("mkdir", path, denied))?;
        for (end, _) in normal.match_indices('/') {
            match self.make_dir(normal.get(..end).unwrap_or_default()).await {
                Err(error) if error.kind != PortErrorKind::Exists => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes and returns the refused paths, as the caller wrote them, with the rules that refused them.
    pub fn take_denials(&self) -> Vec<(String, Rule)> {
        self.denials.take()
    }

    /// Removes and returns the recorded changes, by relative path.
    pub fn take_changes(&self) -> Vec<(String, FileChangeKind)> {
        self.changes.take().into_iter().collect()
    }

    /// Removes and returns the resolved paths that may have changed, including those of operations that failed or were
    /// cancelled. The next snapshot must scan them.
    pub fn take_touched(&self) -> Vec<String> {
        self.touched.take()
    }

    fn touch(&self, path: &str) {
        self.touched.borrow_mut().push(path.to_owned());
    }

    /// Records a change that was made elsewhere.
    pub(super) fn note_change(&self, path: &str, kind: FileChangeKind) {
        use FileChangeKind::{Created, Deleted, Modified};
        let mut changes = self.changes.borrow_mut();
        let merged = match (changes.get(path), kind) {
            (Some(Created), Deleted) => None,
            (Some(Created), _) => Some(Created),
            (Some(Deleted), _) => Some(Modified),
            (_, kind) => Some(kind),
        };
        match merged {
            Some(kind) => changes.insert(path.to_owned(), kind),
            None => changes.remove(path),
        };
    }

    /// Records a denial and turns it into an error.
    pub(super) fn refuse(&self, operation: &str, path: &str, denied: Denied) -> PortError {
        self.denials.borrow_mut().push((path.to_owned(), denied.rule));
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
                Found::End(stat) => return Ok((resolved, stat)),
            };
            let Some(target) = target else {
                let message = format!("{path:?} goes through the link {link:?}, which this host cannot follow");
                return Err(self.refuse(operation, path, Denied { rule: Rule::Link, message }));
            };
            let rest = resolved.strip_prefix(&link).unwrap_or_default();
            resolved = ask(&link_target(&link, &target, rest)).map_err(|denied| {
                let message =
                    format!("{path:?} goes through the link {link:?}, which leads to {target:?}: {}", denied.message);
                self.refuse(operation, path, Denied { rule: Rule::Link, message })
            })?;
        }
        let message = format!("{path:?} goes through too many links");
        Err(self.refuse(operation, path, Denied { rule: Rule::Link, message }))
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
            return Err(self.refuse(operation, path, Denied { rule: Rule::Link, message }));
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

    /// The files below a folder, relative to it, and whether each is a link.
    async fn below(&self, start: &str) -> PortResult<Vec<(String, bool)>> {
        let (mut walk, mut files) = (Walk::new(self.project(), start, usize::MAX), Vec::new());
        while let Some((path, stat)) = walk.next().await? {
            match stat.kind {
                FileKind::Directory => walk.enter(&path, |_| true).await?,
                kind => {
                    let inner = path.get(start.len()..).unwrap_or_default().trim_start_matches('/');
                    files.push((inner.to_owned(), kind == FileKind::Symlink));
                }
            }
        }
        Ok(files)
    }

    fn project(&self) -> ProjectDir<'a, F> {
        ProjectDir::new(self.fs, self.dir)
    }

    fn absolute(&self, path: &str) -> String {
        self.project().absolute(path)
    }
}

impl<F: FsPort> FsPort for GuardedFs<'_, F> {
    fn support(&self) -> FsSupport {
        self.fs.support()
    }

    async fn read_file(&self, path: &str) -> PortResult<Vec<u8>> {
        let file = self.resolve("readFile", path, Access::Read, Follow::All).await?;
        self.fs.read_file(&self.absolute(&file)).await
    }

    async fn write_file(&self, path: &str, bytes: &[u8]) -> PortResult<()> {
        self.write(&self.file("writeFile", path).await?, bytes).await
    }

    /// Omits names that the agent may not read, so that a walk does not fail at them.
    async fn read_dir(&self, path: &str) -> PortResult<Vec<String>> {
        let folder = self.resolve("readdir", path, Access::Read, Follow::All).await?;
        let mut names = self.fs.read_dir(&self.absolute(&folder)).await?;
        names.retain(|name| decide(self.dir, &join(&folder, name), Access::Read, self.policy).is_ok());
        Ok(names)
    }

    async fn make_dir(&self, path: &str) -> PortResult<()> {
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
        let folder = self.resolve("rmdir", path, Access::Write, Follow::Parents).await?;
        self.require_open("rmdir")?;
        self.fs.remove_dir(&self.absolute(&folder)).await
    }

    async fn remove_file(&self, path: &str) -> PortResult<()> {
        let path = self.resolve("unlink", path, Access::Write, Follow::Parents).await?;
        self.remove(&Resolved { path, stat: None }).await
    }

    /// A folder moves only if the agent may write every file in it, at both ends, and the targets of its links at the new
    /// place. An existing link at the new place counts as its target.
    async fn rename(&self, from: &str, to: &str) -> PortResult<()> {
        let source = self.resolve("rename", from, Access::Write, Follow::Parents).await?;
        self.resolve("rename", to, Access::Write, Follow::All).await?;
        let target = self.resolve("rename", to, Access::Write, Follow::Parents).await?;
        let kind = self.entry(&source).await?.map(|stat| stat.kind);
        let folder = kind == Some(FileKind::Directory);
        let moved = self.below(&source).await?;
        let replaced = self.entry(&target).await?.is_some_and(|stat| stat.kind != FileKind::Directory);
        let mut changes = Vec::new();
        if folder && replaced {
            changes.push((target.clone(), FileChangeKind::Deleted));
        }
        for (file, is_link) in &moved {
            for (end, asked) in [(&source, from), (&target, to)] {
                self.decide(&join(end, file), Access::Write).map_err(|denied| self.refuse("rename", asked, denied))?;
            }
            if *is_link && self.support().symlinks {
                let leads_to = self.fs.read_link(&self.absolute(&join(&source, file))).await?;
                self.check_link("rename", to, &join(&target, file), &leads_to).await?;
            }
            let kind = if replaced && !folder { FileChangeKind::Modified } else { FileChangeKind::Created };
            changes.push((join(&source, file), FileChangeKind::Deleted));
            changes.push((join(&target, file), kind));
        }
        self.require_open("rename")?;
        changes.iter().for_each(|(path, _)| self.touch(path));
        self.fs.rename(&self.absolute(&source), &self.absolute(&target)).await?;
        changes.iter().for_each(|(path, kind)| self.note_change(path, *kind));
        Ok(())
    }

    async fn lstat(&self, path: &str) -> PortResult<Stat> {
        let entry = self.resolve("lstat", path, Access::Read, Follow::Parents).await?;
        self.fs.lstat(&self.absolute(&entry)).await
    }

    async fn read_link(&self, path: &str) -> PortResult<String> {
        let link = self.resolve("readlink", path, Access::Read, Follow::Parents).await?;
        self.fs.read_link(&self.absolute(&link)).await
    }

    async fn symlink(&self, target: &str, path: &str) -> PortResult<()> {
        let link = self.resolve("symlink", path, Access::Write, Follow::Parents).await?;
        if !self.support().symlinks {
            let message = "this host has no symbolic links; copy the file instead".to_owned();
            return Err(self.refuse("symlink", path, Denied { rule: Rule::Link, message }));
        }
        self.check_link("symlink", path, &link, target).await?;
        self.require_open("symlink")?;
        self.touch(&link);
        self.fs.symlink(target, &self.absolute(&link)).await?;
        self.note_change(&link, FileChangeKind::Created);
        Ok(())
    }

    async fn chmod(&self, path: &str, mode: u32) -> PortResult<()> {
        let file = self.resolve("chmod", path, Access::Write, Follow::All).await?;
        self.require_open("chmod")?;
        self.touch(&file);
        self.fs.chmod(&self.absolute(&file), mode).await?;
        self.note_change(&file, FileChangeKind::Modified);
        Ok(())
    }

    async fn flush(&self) -> PortResult<()> {
        self.fs.flush().await
    }
}

const LINKS_MAX: usize = 40;

/// Which components of a path are resolved if they are links.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follow {
    All,
    Parents,
}

/// A path with its links resolved, which the guard has allowed to write.
pub(super) struct Resolved {
    /// Relative to the project's folder.
    path: String,
    /// `None` if nothing is there.
    pub stat: Option<Stat>,
}

/// What is on a path.
enum Found {
    /// The first link and its target; no target if the host cannot read links.
    Link { link: String, target: Option<String> },
    /// No link; the stat of the last component, if it was wanted and exists.
    End(Option<Stat>),
}

/// The path of a link's target, relative to the folder of the link, plus the rest of the path after the link.
fn link_target(link: &str, target: &str, rest: &str) -> String {
    let target = if target.starts_with('/') { target.to_owned() } else { join(path::parent(link), target) };
    target + rest
}

#[cfg(test)]
mod tests;
