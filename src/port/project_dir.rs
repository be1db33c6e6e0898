//! A project's files by paths relative to its folder.

use super::{FileKind, FsPort, PortError, PortErrorKind, PortResult, Stat};
use crate::layout::{self, FOREIGN, LOOPGATE};
use crate::path::{folders_above, name, parent};
use crate::sealed::StateKey;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A view of a file system from one project's folder. Paths are normal relative POSIX paths
/// (`src/App.tsx`), already decided by whoever lets them in; the empty path is the folder itself.
///
/// The project may come from strangers, and its links may lead anywhere. So no method except [`Self::lstat`] follows a
/// link in the path of a file of [`layout`]. What is in the way of the harness's state, such as a folder in place of a
/// file, counts as missing when it is read and is set aside when it is written.
#[derive(Clone, Copy)]
pub struct ProjectDir<'a> {
    fs: &'a dyn FsPort,
    dir: &'a str,
    seen: Option<&'a Seen>,
    key: &'a StateKey,
}

/// Larger files of the harness are neither read nor written, in bytes: a file of the project may have any size.
pub(crate) const SIZE_MAX: u64 = 64 * 1024 * 1024;

const READ: &str = "readFile";

/// Paths that are not links, as names by their folder. Forgotten when files may have changed outside of the guard.
#[derive(Debug, Clone, Default)]
pub struct Seen(RefCell<BTreeMap<String, BTreeSet<String>>>);

/// How many names of a folder are remembered: a run writes any number of segments of its journal, one after another.
const NAMES_MAX: usize = 32;

/// How many folders are remembered: a run writes a folder for the record of each iteration.
const FOLDERS_MAX: usize = 64;

impl Seen {
    /// Every path may have become a link.
    pub fn forget(&self) {
        self.0.borrow_mut().clear();
    }

    fn has(&self, path: &str) -> bool {
        self.0.borrow().get(parent(path)).is_some_and(|names| names.contains(name(path)))
    }

    fn add(&self, path: &str) {
        let mut folders = self.0.borrow_mut();
        if folders.len() >= FOLDERS_MAX && !folders.contains_key(parent(path)) {
            folders.clear();
        }
        let names = folders.entry(parent(path).to_owned()).or_default();
        if names.len() >= NAMES_MAX {
            names.clear();
        }
        names.insert(name(path).to_owned());
    }
}

impl<'a> ProjectDir<'a> {
    /// `dir` is absolute and has no trailing slash.
    pub fn new(fs: &'a dyn FsPort, dir: &'a str) -> Self {
        Self { fs, dir, seen: None, key: &StateKey::NONE }
    }

    /// Looks only once at a path, until `seen` is forgotten.
    #[must_use]
    pub fn remembering(self, seen: &'a Seen) -> Self {
        Self { seen: Some(seen), ..self }
    }

    /// The files of the harness's state are sealed with this key. Without one, no state is read.
    #[must_use]
    pub fn sealed_with(self, key: &'a StateKey) -> Self {
        Self { key, ..self }
    }

    pub(crate) fn key(&self) -> &'a StateKey {
        self.key
    }

    /// The file system behind it.
    pub fn fs(&self) -> &'a dyn FsPort {
        self.fs
    }

    /// The absolute path of a relative one.
    pub fn absolute(&self, path: &str) -> String {
        match (self.dir.is_empty(), path.is_empty()) {
            (true, true) => "/".to_owned(),
            (_, true) => self.dir.to_owned(),
            _ => format!("{}/{path}", self.dir),
        }
    }

    /// The relative path of a path that is absolute, or relative to the project.
    pub fn relative(&self, path: &str) -> String {
        let path = crate::path::normalise(&format!("/{}", path.strip_prefix(self.dir).unwrap_or(path)));
        path.trim_start_matches('/').to_owned()
    }

    /// The bytes of a file; `None` where there is none.
    pub async fn read(&self, path: &str) -> PortResult<Option<Vec<u8>>> {
        self.look_at(READ, path).await?;
        match existing(self.fs.read_file(&self.absolute(path)).await) {
            Err(error) if error.kind == PortErrorKind::IsDirectory && layout::is_harness_file(path) => {
                if layout::is_state(path) {
                    Ok(None)
                } else {
                    Err(in_the_way(READ, path))
                }
            }
            result => result,
        }
    }

    /// The text of a file, lossy where it is no UTF-8, without a BOM; `None` where there is none.
    pub async fn read_text(&self, path: &str) -> PortResult<Option<String>> {
        Ok(self.read(path).await?.map(|bytes| {
            let mut text =
                String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
            if text.starts_with('\u{feff}') {
                text.remove(0);
            }
            text
        }))
    }

    /// What is at a path; `None` where nothing is.
    pub async fn lstat(&self, path: &str) -> PortResult<Option<Stat>> {
        existing(self.fs.lstat(&self.absolute(path)).await)
    }

    /// The names in a directory, sorted; `None` where there is none.
    pub async fn read_dir(&self, path: &str) -> PortResult<Option<Vec<String>>> {
        self.look_at("readdir", path).await?;
        let names = existing(self.fs.read_dir(&self.absolute(path)).await)?;
        Ok(names.map(|mut names| {
            names.sort();
            names
        }))
    }

    /// The names in a directory, sorted, with their kinds if the host returns them; `None` if there is no such directory.
    pub async fn list(&self, path: &str) -> PortResult<Option<Vec<(String, Option<Stat>)>>> {
        self.look_at("readdir", path).await?;
        let Some(listed) = existing(self.fs.list(&self.absolute(path)).await)? else { return Ok(None) };
        let Some(entries) = listed else {
            let names = self.read_dir(path).await?;
            return Ok(names.map(|names| names.into_iter().map(|name| (name, None)).collect()));
        };
        let mut entries: Vec<_> = entries.into_iter().map(|(name, stat)| (name, Some(stat))).collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(Some(entries))
    }

    /// Creates or replaces a file, and the folders above it.
    pub async fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> PortResult<()> {
        self.look_at("writeFile", path).await?;
        refuse_size(path, bytes.as_ref())?;
        match self.put(path, bytes.as_ref()).await {
            Err(error) => {
                self.make_way("writeFile", path, FileKind::File, error).await?;
                self.put(path, bytes.as_ref()).await
            }
            written => written,
        }
    }

    /// As of [`FsPort::append_file`], in a folder that exists.
    pub(crate) async fn append(&self, path: &str, bytes: impl AsRef<[u8]>) -> PortResult<bool> {
        self.look_at("appendFile", path).await?;
        refuse_size(path, bytes.as_ref())?;
        self.fs.append_file(&self.absolute(path), bytes.as_ref()).await
    }

    async fn put(&self, path: &str, bytes: &[u8]) -> PortResult<()> {
        let absolute = self.absolute(path);
        match self.fs.write_file(&absolute, bytes).await {
            Err(error) if error.is_not_found() => {
                if let Some((parent, _)) = path.rsplit_once('/') {
                    self.look_at("mkdir", parent).await?;
                    self.create_dirs(parent).await?;
                }
                self.fs.write_file(&absolute, bytes).await
            }
            result => result,
        }
    }

    /// Creates a directory and those above it; one that exists is no error.
    pub async fn make_dirs(&self, path: &str) -> PortResult<()> {
        self.look_at("mkdir", path).await?;
        match self.create_dirs(path).await {
            Err(error) => {
                self.make_way("mkdir", path, FileKind::Directory, error).await?;
                self.create_dirs(path).await
            }
            made => made,
        }
    }

    async fn create_dirs(&self, path: &str) -> PortResult<()> {
        let whole = self.absolute(path);
        for (end, _) in whole.char_indices().filter(|(at, c)| *c == '/' && *at > 0).chain([(whole.len(), '/')]) {
            let Some(folder) = whole.get(..end) else { continue };
            match self.fs.make_dir(folder).await {
                Ok(()) => {}
                Err(error) => match self.fs.lstat(folder).await {
                    Ok(stat) if matches!(stat.kind, FileKind::Directory | FileKind::Symlink) => {}
                    _ => return Err(error),
                },
            }
        }
        Ok(())
    }

    /// Removes a file or a link; one that does not exist is no error.
    pub async fn remove_file(&self, path: &str) -> PortResult<()> {
        self.look_at("unlink", parent(path)).await?;
        match existing(self.fs.remove_file(&self.absolute(path)).await) {
            Err(error) => self.make_way("unlink", path, FileKind::File, error).await,
            removed => removed.map(drop),
        }
    }

    /// Removes a folder with its files. One with folders below is an error.
    pub async fn remove_folder(&self, path: &str) -> PortResult<()> {
        let Some(entries) = self.list(path).await? else { return Ok(()) };
        for (name, stat) in entries {
            if stat.is_none_or(|stat| stat.kind != FileKind::Directory) {
                self.remove_file(&format!("{path}/{name}")).await?;
            }
        }
        self.fs.remove_dir(&self.absolute(path)).await
    }

    /// Moves a file, replacing one that is in the way.
    pub async fn rename(&self, from: &str, to: &str) -> PortResult<()> {
        self.look_at("rename", from).await?;
        self.look_at("rename", parent(to)).await?;
        let (from, place) = (self.absolute(from), self.absolute(to));
        match self.fs.rename(&from, &place).await {
            Err(error) => {
                self.make_way("rename", to, FileKind::File, error).await?;
                self.fs.rename(&from, &place).await
            }
            renamed => renamed,
        }
    }

    /// Moves what the harness did not write to [`FOREIGN`], so that nothing reads it and nothing is lost.
    pub(crate) async fn set_aside(&self, path: &str) -> PortResult<()> {
        let taken = self.read_dir(FOREIGN).await?.unwrap_or_default();
        let name = name(path);
        let mut free = (1_u32..).map(|number| format!("{name}-{number}")).filter(|name| !taken.contains(name));
        self.look_at("mkdir", FOREIGN).await?;
        self.create_dirs(FOREIGN).await?;
        let place = format!("{FOREIGN}/{}", free.next().unwrap_or_default());
        self.fs.rename(&self.absolute(path), &self.absolute(&place)).await
    }

    /// Sets aside what made a call at a path fail, if it is in the way of the harness's state: a file in place of a folder,
    /// or a folder in place of a file.
    ///
    /// # Errors
    /// What has the wrong kind and cannot be moved; the call's error, if nothing has.
    async fn make_way(&self, operation: &str, path: &str, kind: FileKind, failed: PortError) -> PortResult<()> {
        if !layout::is_harness_file(path) {
            return Err(failed);
        }
        for (part, wanted) in folders_above(path).map(|part| (part, FileKind::Directory)).chain([(path, kind)]) {
            let Some(stat) = self.lstat(part).await? else { break };
            if stat.kind == wanted || !matches!(stat.kind, FileKind::File | FileKind::Directory) {
                continue;
            }
            let may_move = layout::is_state(part) && part != LOOPGATE && part != FOREIGN;
            return match may_move && self.set_aside(part).await.is_ok() {
                true => Ok(()),
                false => Err(in_the_way(operation, part)),
            };
        }
        Err(failed)
    }

    /// Refuses a link or a special file in the path of a file of the harness, and to read a file that is too large.
    async fn look_at(&self, operation: &str, path: &str) -> PortResult<()> {
        let has_links = self.fs.support().symlinks;
        if !layout::is_harness_file(path) || !has_links && operation != READ {
            return Ok(());
        }
        for part in folders_above(path).filter(|_| has_links).chain([path]) {
            if self.seen.is_some_and(|seen| seen.has(part)) {
                continue;
            }
            let stat = self.lstat(part).await?;
            if stat.is_some_and(|stat| stat.kind == FileKind::Symlink) {
                let message = format!(
                    "{part} is a symbolic link, and the files of loopgate are never read or written through links; \
                     replace the link with what it leads to, or remove it, and try again"
                );
                return Err(PortError::new("fs", operation, PortErrorKind::Denied, message).at_path(part));
            }
            if stat.is_some_and(|stat| stat.kind == FileKind::Special) {
                return Err(PortError::special(operation, part));
            }
            if let Some(Stat { size, .. }) = stat.filter(|stat| stat.size > SIZE_MAX && operation == READ) {
                let message = format!(
                    "{part} has {size} bytes, and files of loopgate over {SIZE_MAX} bytes are not read; \
                     make it smaller or remove it, and try again"
                );
                return Err(PortError::new("fs", operation, PortErrorKind::Other, message).at_path(part));
            }
            if let Some(seen) = self.seen {
                seen.add(part);
            }
            if stat.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Makes everything written so far durable.
    pub async fn flush(&self) -> PortResult<()> {
        self.fs.flush().await
    }

    /// As of [`FsPort::pause`].
    pub async fn pause(&self) {
        self.fs.pause().await;
    }
}

/// Refuses to write what could not be read again.
fn refuse_size(path: &str, bytes: &[u8]) -> PortResult<()> {
    let size = bytes.len() as u64;
    if size <= SIZE_MAX || !layout::is_harness_file(path) {
        return Ok(());
    }
    let message = format!("{path} would have {size} bytes, and files of loopgate over {SIZE_MAX} bytes are not read");
    Err(PortError::new("fs", "writeFile", PortErrorKind::Other, message).at_path(path))
}

fn in_the_way(operation: &str, path: &str) -> PortError {
    let message = format!(
        "{path} is in the way: it is a file where loopgate needs a folder, or a folder where it needs a file; remove or \
         rename it, and try again"
    );
    PortError::new("fs", operation, PortErrorKind::Denied, message).at_path(path)
}

/// A path below a file does not exist either.
fn existing<T>(result: PortResult<T>) -> PortResult<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if matches!(error.kind, PortErrorKind::NotFound | PortErrorKind::NotDirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::port::memory::MemoryHost;

    /// A project with a link in place of `path`, and what it leads to.
    fn linked(path: &str) -> MemoryHost {
        let host = MemoryHost::new([("src/a", "")]);
        host.fs.put("/outside/x/y", "secret");
        host.fs.put_link(&format!("/project/{path}"), "/outside");
        host
    }

    /// The kinds of the errors of all operations at a path.
    async fn refusals(host: &MemoryHost, path: &str) -> Vec<Option<PortErrorKind>> {
        let project = host.project();
        let beside = "src/a";
        let results = [
            project.read(path).await.map(drop),
            project.read_text(path).await.map(drop),
            project.read_dir(path).await.map(drop),
            project.list(path).await.map(drop),
            project.write(path, "overwritten").await,
            project.make_dirs(path).await,
            project.remove_file(path).await,
            project.rename(path, "src/moved").await,
            project.rename(beside, path).await,
        ];
        results.into_iter().map(|result| result.err().map(|error| error.kind)).collect()
    }

    #[tokio::test]
    async fn a_link_in_the_path_of_a_file_of_the_harness_is_refused() {
        for (link, path) in [
            (".loopgate", ".loopgate/journal/run/0.jsonl"),
            (".loopgate/journal", ".loopgate/journal/run/0.jsonl"),
            (".ralph", ".ralph/x/y"),
            (".handoff", ".handoff/config.yaml"),
            (".handoff/specs/shop/iterations", ".handoff/specs/shop/iterations/a/1/prompt.md"),
            ("specs/plans", "specs/plans/0001-a.md"),
            ("runs", "runs/0001-a/2026-01-31T12-00-00Z/plan.log"),
            ("runs/0001-a", "runs/0001-a/2026-01-31T12-00-00Z/plan.log"),
        ] {
            let host = linked(link);
            let before = host.fs.tree("/outside");
            assert_eq!(refusals(&host, path).await, [Some(PortErrorKind::Denied); 9], "{link}");
            assert_eq!(host.fs.tree("/outside"), before, "{link}");
            let error = host.project().read(path).await.unwrap_err();
            assert!(error.path.as_deref() == Some(link) && error.message.contains("symbolic link"), "{error}");
        }
    }

    #[tokio::test]
    async fn a_link_that_is_a_file_of_the_harness_is_only_removed_and_replaced() {
        let host = linked(".ralph/task.md");
        host.fs.put("/project/.ralph/next", "new");
        let project = host.project();
        assert!(project.read(".ralph/task.md").await.is_err() && project.write(".ralph/task.md", "").await.is_err());
        project.rename(".ralph/next", ".ralph/task.md").await.unwrap();
        assert_eq!(host.text(".ralph/task.md").as_deref(), Some("new"));
        assert_eq!(host.fs.text("/outside/x/y").as_deref(), Some("secret"));
    }

    #[tokio::test]
    async fn a_pipe_in_the_path_of_a_file_of_the_harness_is_refused() {
        for (pipe, path) in [(".loopgate", ".loopgate/journal/run/0.jsonl"), (".ralph/task.md", ".ralph/task.md")] {
            let host = MemoryHost::new([]);
            host.fs.put_pipe(&format!("/project/{pipe}"));
            let project = host.project();
            for result in
                [project.read(path).await.map(drop), project.write(path, "").await, project.make_dirs(path).await]
            {
                let error = result.unwrap_err();
                assert_eq!((error.kind, error.path.as_deref()), (PortErrorKind::Denied, Some(pipe)), "{error}");
                assert!(error.message.contains("pipe"), "{error}");
            }
        }
    }

    #[tokio::test]
    async fn what_is_in_the_way_of_the_state_is_missing_to_readers_and_set_aside_by_writers() {
        for (in_the_way, path) in [
            (".loopgate/undo/x", ".loopgate/undo"),
            (".loopgate/journal/run/0-1.jsonl/x", ".loopgate/journal/run/0-1.jsonl"),
            (".loopgate/journal", ".loopgate/journal/run/0-1.jsonl"),
            (".loopgate/journal/run", ".loopgate/journal/run/0-1.jsonl"),
            (".handoff/specs/shop/iterations/state.json/x", ".handoff/specs/shop/iterations/state.json"),
            (".handoff/specs/shop/iterations/a", ".handoff/specs/shop/iterations/a/iteration-1/context.md"),
            (".ralph/task.md/x", ".ralph/task.md"),
            ("specs/done/0001-a.md/x", "specs/done/0001-a.md"),
            ("runs/a/2026-01-31T12-00-00Z", "runs/a/2026-01-31T12-00-00Z/plan.log"),
        ] {
            for call in ["write", "rename"] {
                let host = MemoryHost::new([(in_the_way, "theirs"), (".ralph/next", "mine")]);
                let project = host.project();
                assert_eq!(project.read(path).await.unwrap(), None, "{path}");
                assert_eq!(project.read_dir(&format!("{in_the_way}/below")).await.unwrap(), None);
                assert_eq!(project.list(in_the_way).await.unwrap(), None);
                match call {
                    "write" => project.write(path, "mine").await.unwrap(),
                    _ => {
                        project.make_dirs(parent(path)).await.unwrap();
                        project.rename(".ralph/next", path).await.unwrap();
                    }
                }
                assert_eq!(host.text(path).as_deref(), Some("mine"), "{call} {path}");
                let aside = host.fs.tree("/project/.loopgate/foreign");
                assert!(aside.values().any(|bytes| bytes == b"theirs"), "{call} {path}: {aside:?}");
                project.remove_file(path).await.unwrap();
            }
        }
    }

    #[tokio::test]
    async fn what_cannot_be_set_aside_is_named_with_what_to_do() {
        for (in_the_way, path, named) in [
            (".loopgate", ".loopgate/journal/run/0-1.jsonl", ".loopgate"),
            (".loopgate/foreign", ".loopgate/foreign/x", ".loopgate/foreign"),
            (".handoff", ".handoff/specs/shop/iterations/state.json", ".handoff"),
            ("specs/plans/0001-a.json/x", "specs/plans/0001-a.json", "specs/plans/0001-a.json"),
        ] {
            let host = MemoryHost::new([(in_the_way, "theirs")]);
            let error = host.project().write(path, "mine").await.unwrap_err();
            assert_eq!((error.kind, error.path.as_deref()), (PortErrorKind::Denied, Some(named)), "{error}");
            assert!(error.message.contains("remove"), "{error}");
            assert_eq!(host.text(in_the_way).as_deref(), Some("theirs"));
        }
        let host = MemoryHost::new([(".handoff/config.yaml/x", "theirs")]);
        let error = host.project().read(".handoff/config.yaml").await.unwrap_err();
        assert_eq!(
            (error.kind, error.path.as_deref()),
            (PortErrorKind::Denied, Some(".handoff/config.yaml")),
            "{error}"
        );
    }

    #[tokio::test]
    async fn links_of_the_project_are_followed() {
        let host = linked("linked");
        assert_eq!(host.project().read("linked/x/y").await.unwrap().as_deref(), Some(b"secret".as_slice()));
    }

    #[test]
    fn what_is_remembered_does_not_grow_with_the_paths() {
        let seen = Seen::default();
        for number in 0..1_000 {
            for name in 0..100 {
                seen.add(&format!("folder-{number}/{name}"));
            }
            assert!(seen.has(&format!("folder-{number}/99")));
        }
        let names: usize = seen.0.borrow().values().map(BTreeSet::len).sum();
        assert!(names <= FOLDERS_MAX * NAMES_MAX, "{names}");
    }

    #[tokio::test]
    async fn a_path_is_looked_at_once_until_all_are_forgotten() {
        let host = MemoryHost::new([(".ralph/a", ""), (".ralph/b", "")]);
        let cost = async |path: &str| {
            let before = host.fs.calls();
            host.project().read(path).await.unwrap();
            host.fs.calls() - before
        };
        assert_eq!([cost(".ralph/a").await, cost(".ralph/a").await, cost(".ralph/b").await], [3, 1, 2]);
        host.fs.delete("/project/.ralph/a");
        host.fs.put_link("/project/.ralph/a", "b");
        host.seen.forget();
        assert_eq!(host.project().read(".ralph/a").await.unwrap_err().kind, PortErrorKind::Denied);
    }
}
