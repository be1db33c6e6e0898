//! A project's files by paths relative to its folder.

use super::{FileKind, FsPort, PortErrorKind, PortResult, Stat};

/// A view of a file system from one project's folder. Paths are normal relative POSIX paths
/// (`src/App.tsx`), already decided by whoever lets them in; the empty path is the folder itself.
pub struct ProjectDir<'a, F> {
    fs: &'a F,
    dir: &'a str,
}

impl<F> Clone for ProjectDir<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for ProjectDir<'_, F> {}

impl<'a, F: FsPort> ProjectDir<'a, F> {
    /// `dir` is absolute and has no trailing slash.
    pub fn new(fs: &'a F, dir: &'a str) -> Self {
        Self { fs, dir }
    }

    /// The file system behind it.
    pub fn fs(&self) -> &'a F {
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

    /// The bytes of a file; `None` where there is none.
    pub async fn read(&self, path: &str) -> PortResult<Option<Vec<u8>>> {
        found(self.fs.read_file(&self.absolute(path)).await)
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
        found(self.fs.lstat(&self.absolute(path)).await)
    }

    /// The names in a directory, sorted; `None` where there is none.
    pub async fn read_dir(&self, path: &str) -> PortResult<Option<Vec<String>>> {
        let names = found(self.fs.read_dir(&self.absolute(path)).await)?;
        Ok(names.map(|mut names| {
            names.sort();
            names
        }))
    }

    /// The names in a directory, sorted, with their kinds if the host returns them; `None` if there is no such directory.
    pub async fn list(&self, path: &str) -> PortResult<Option<Vec<(String, Option<Stat>)>>> {
        let Some(entries) = self.fs.list(&self.absolute(path)).await? else {
            let names = self.read_dir(path).await?;
            return Ok(names.map(|names| names.into_iter().map(|name| (name, None)).collect()));
        };
        let mut entries: Vec<_> = entries.into_iter().map(|(name, stat)| (name, Some(stat))).collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(Some(entries))
    }

    /// Creates or replaces a file, and the folders above it.
    pub async fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> PortResult<()> {
        let absolute = self.absolute(path);
        match self.fs.write_file(&absolute, bytes.as_ref()).await {
            Err(error) if error.is_not_found() => {
                if let Some((parent, _)) = path.rsplit_once('/') {
                    self.make_dirs(parent).await?;
                }
                self.fs.write_file(&absolute, bytes.as_ref()).await
            }
            result => result,
        }
    }

    /// Creates a directory and those above it; one that exists is no error.
    pub async fn make_dirs(&self, path: &str) -> PortResult<()> {
        let whole = self.absolute(path);
        for (end, _) in whole.char_indices().filter(|(at, c)| *c == '/' && *at > 0).chain([(whole.len(), '/')]) {
            let Some(folder) = whole.get(..end) else { continue };
            match self.fs.make_dir(folder).await {
                Ok(()) => {}
                Err(error) => match self.fs.lstat(folder).await {
                    Ok(stat) if stat.kind != FileKind::File => {}
                    _ => return Err(error),
                },
            }
        }
        Ok(())
    }

    /// Removes a file; one that does not exist is no error.
    pub async fn remove_file(&self, path: &str) -> PortResult<()> {
        found(self.fs.remove_file(&self.absolute(path)).await).map(drop)
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

/// A path below a file does not exist either.
fn found<T>(result: PortResult<T>) -> PortResult<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if matches!(error.kind, PortErrorKind::NotFound | PortErrorKind::NotDirectory) => Ok(None),
        Err(error) => Err(error),
    }
}
