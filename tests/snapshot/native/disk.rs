//! A project on disk, for real git.

use loopgate::port::memory::MemoryHost;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder that is removed when it is dropped.
pub(super) struct Disk(PathBuf);

impl Disk {
    pub(super) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("loopgate-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(super) fn path(&self, relative: &str) -> PathBuf {
        self.0.join(relative)
    }

    pub(super) fn write(&self, relative: &str, bytes: &[u8]) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::File::create(path).unwrap().write_all(bytes).unwrap();
    }

    /// Copies a memory project here, its repository included, its state not.
    pub(super) async fn copy_from(&self, host: &MemoryHost) {
        use loopgate::port::{FileKind, FsPort};
        for (path, bytes) in host.fs.tree("/project") {
            let relative = path.trim_start_matches("/project/").to_owned();
            let stat = host.fs.lstat(&path).await.unwrap();
            if stat.kind == FileKind::Symlink {
                fs::create_dir_all(self.path(&relative).parent().unwrap()).unwrap();
                symlink(String::from_utf8(bytes).unwrap(), self.path(&relative)).unwrap();
            } else if !relative.starts_with(".loopgate/") {
                self.write(&relative, &bytes);
                let mode = if stat.is_executable() { 0o755 } else { 0o644 };
                fs::set_permissions(self.path(&relative), fs::Permissions::from_mode(mode)).unwrap();
            }
        }
    }

    /// Puts all files below a folder here into a memory file system.
    pub(super) fn copy_to(&self, relative: &str, host: &MemoryHost) {
        for entry in fs::read_dir(self.path(relative)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let below = if relative.is_empty() { name } else { format!("{relative}/{name}") };
            let kind = fs::symlink_metadata(self.path(&below)).unwrap();
            if kind.is_dir() {
                self.copy_to(&below, host);
            } else if kind.is_symlink() {
                let target = fs::read_link(self.path(&below)).unwrap();
                host.fs.put_link(&format!("/project/{below}"), target.to_str().unwrap());
            } else {
                host.fs.put(&format!("/project/{below}"), read(&self.path(&below)));
                host.fs.set_mode(&format!("/project/{below}"), kind.permissions().mode() & 0o777);
            }
        }
    }

    /// Runs git here without any configuration; `Err` is its standard error.
    pub(super) fn git(&self, args: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
        let mut command = Command::new("git");
        command.current_dir(&self.0).args(args);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", &self.0);
        for (role, name) in [("AUTHOR", "A"), ("COMMITTER", "C")] {
            command.env(format!("GIT_{role}_NAME"), name).env(format!("GIT_{role}_EMAIL"), "user@example.com");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        match output.status.code() {
            Some(0) => Ok(output.stdout),
            _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(super) fn read(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    fs::File::open(path).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}
