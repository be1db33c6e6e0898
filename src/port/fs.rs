//! The file system: the `fs.promises` shape without what the core does not need.

use super::PortResult;
use async_trait::async_trait;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link; never followed by [`FsPort::lstat`].
    Symlink,
    /// A pipe, a socket or a device. To open one may wait forever, so it is never read or written, and no snapshot has it.
    Special,
}

/// The metadata of an entry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stat {
    /// File, directory or symbolic link.
    pub kind: FileKind,
    /// Bytes.
    pub size: u64,
    /// Milliseconds since the epoch; the resolution depends on the host.
    pub mtime_ms: f64,
    /// POSIX mode bits, if the host has them.
    pub mode: Option<u32>,
}

impl Stat {
    /// The owner may execute it.
    pub fn is_executable(&self) -> bool {
        self.kind == FileKind::File && self.mode.is_some_and(|mode| mode & 0o100 != 0)
    }

    /// The file may change without a new stat, as a racy entry of git's index: it was written after `settled_ms`
    /// (milliseconds since the epoch), or the host has no times.
    pub fn is_racy(&self, settled_ms: f64) -> bool {
        !(self.mtime_ms > 0.0 && self.mtime_ms <= settled_ms)
    }
}

/// Optional features of a host's file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FsSupport {
    /// It has `lstat`, `readlink` and `symlink`. Without all three, links are denied and left out of snapshots.
    pub symlinks: bool,
    /// It has `chmod`.
    pub chmod: bool,
}

/// The host's files. All paths are absolute.
///
/// LightningFS lacks `chmod`; OPFS adapters lack links and modes; memfs has all. `flush` does nothing if
/// writes are durable at once.
#[async_trait(?Send)]
pub trait FsPort {
    /// What it can do.
    fn support(&self) -> FsSupport;
    /// The bytes of a file; follows links.
    async fn read_file(&self, path: &str) -> PortResult<Vec<u8>>;
    /// Creates or replaces a file. Its folder must exist.
    async fn write_file(&self, path: &str, bytes: &[u8]) -> PortResult<()>;
    /// Adds bytes to the end of a file, which it creates. A crash leaves the bytes that the file had, and maybe a part of the
    /// new ones. `false`: the host has no such call, and nothing happened.
    async fn append_file(&self, _path: &str, _bytes: &[u8]) -> PortResult<bool> {
        Ok(false)
    }
    /// The names in a directory, in no order.
    async fn read_dir(&self, path: &str) -> PortResult<Vec<String>>;
    /// The entries of a directory with their metadata, in no order, if one call is cheaper than one for each entry.
    async fn list(&self, _path: &str) -> PortResult<Option<Vec<(String, Stat)>>> {
        Ok(None)
    }
    /// Creates one directory. Its folder must exist, the directory must not.
    async fn make_dir(&self, path: &str) -> PortResult<()>;
    /// Removes an empty directory.
    async fn remove_dir(&self, path: &str) -> PortResult<()>;
    /// Removes a file or a link.
    async fn remove_file(&self, path: &str) -> PortResult<()>;
    /// Moves an entry, replacing a file that is in the way.
    async fn rename(&self, from: &str, to: &str) -> PortResult<()>;
    /// The metadata of the entry itself; a link is not followed if the host has `lstat`.
    async fn lstat(&self, path: &str) -> PortResult<Stat>;
    /// The target of a link, as stored.
    async fn read_link(&self, path: &str) -> PortResult<String>;
    /// Creates a link.
    async fn symlink(&self, target: &str, path: &str) -> PortResult<()>;
    /// Sets POSIX mode bits.
    async fn chmod(&self, path: &str, mode: u32) -> PortResult<()>;
    /// Makes everything written so far durable.
    async fn flush(&self) -> PortResult<()>;
    /// Lets other tasks of the thread run if they have waited for long. Work on many files calls it after each file.
    async fn pause(&self) {}
}
