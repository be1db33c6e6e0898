//! The file system over any object with the shape of `fs.promises`: LightningFS, ZenFS, memfs, `node:fs/promises`.
//!
//! Some file systems differ from POSIX in ways that lose files, so the port checks before it acts. In LightningFS,
//! `rename` onto the same path deletes the file, onto a folder replaces the folder with its contents, and of a link
//! moves the link's target. `unlink` removes folders with their contents. `readFile` returns `undefined` for a folder,
//! and also for a file whose write was cut off by a crash: that has an entry but no bytes, so it is read as empty.

use super::call::{Call, pause};
use super::value::{bytes, get, given, method, own_bytes};
use crate::error::{Error, ErrorCode};
use crate::port::{FileKind, FsPort, FsSupport, PortErrorKind, PortResult, Stat};
use async_trait::async_trait;
use js_sys::{Array, Date, Float64Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// As in `list.js`.
const FOLDER: u8 = 1;
/// As in `list.js`.
const LINK: u8 = 2;
/// As in `list.js`.
const SPECIAL: u8 = 3;

#[wasm_bindgen(module = "/src/wasm/list.js")]
extern "C" {
    fn list(fs: &JsValue, folder: &str, lstat: &str) -> JsValue;
}

/// Timeout of a call. A file system that never settles (IndexedDB in a page without an origin of its own) must end a run.
pub(super) const LIMIT_MS: u32 = 60_000;

/// Required methods.
const REQUIRED: [&str; 8] = ["readFile", "writeFile", "readdir", "mkdir", "rmdir", "unlink", "rename", "stat"];

/// The files of a host. Clones share them.
#[derive(Clone)]
pub struct JsFs {
    fs: JsValue,
    support: FsSupport,
    lstat: &'static str,
}

impl JsFs {
    /// Wraps an object with the shape of `fs.promises`, or one that has it as `promises` (a LightningFS instance,
    /// `node:fs`).
    pub fn new(value: &JsValue) -> Result<Self, Error> {
        // A remote proxy returns a function for every property.
        let fs = given(value, "promises").filter(JsValue::is_object).unwrap_or_else(|| value.clone());
        if let Some(missing) = REQUIRED.iter().find(|name| method(&fs, name).is_none()) {
            let message = format!("`fs` has no method `{missing}`; pass an object of the `fs.promises` shape");
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        let has = |name| method(&fs, name).is_some();
        let has_links = has("lstat") && has("readlink") && has("symlink") && get(&fs, "hasLinks") != JsValue::FALSE;
        let support = FsSupport { symlinks: has_links, chmod: has("chmod") };
        let lstat = if has("lstat") { "lstat" } else { "stat" };
        Ok(Self { fs, support, lstat })
    }

    async fn call(&self, call: Call<'_>, arguments: &[JsValue]) -> PortResult<JsValue> {
        call.method(&self.fs, &arguments.iter().collect::<Array>()).await
    }

    async fn is_directory(&self, path: &str) -> PortResult<bool> {
        match self.lstat(path).await {
            Ok(stat) => Ok(stat.kind == FileKind::Directory),
            Err(error) if error.is_not_found() || error.kind == PortErrorKind::NotDirectory => Ok(false),
            Err(error) => Err(error),
        }
    }
}

#[async_trait(?Send)]

impl FsPort for JsFs {
    fn support(&self) -> FsSupport {
        self.support
    }

    async fn read_file(&self, path: &str) -> PortResult<Vec<u8>> {
        let call = on("readFile", path);
        let answer = self.call(call, &[path.into()]).await?;
        match bytes(&answer) {
            Some(bytes) => Ok(bytes),
            None if self.is_directory(path).await? => Err(call.error(PortErrorKind::IsDirectory, "it is a directory")),
            None if answer.is_undefined() => Ok(Vec::new()),
            None => Err(call.unexpected(&answer, "bytes or text")),
        }
    }

    async fn write_file(&self, path: &str, bytes: &[u8]) -> PortResult<()> {
        self.call(on("writeFile", path), &[path.into(), own_bytes(bytes)]).await.map(drop)
    }

    async fn append_file(&self, path: &str, bytes: &[u8]) -> PortResult<bool> {
        if method(&self.fs, "appendFile").is_none() {
            return Ok(false);
        }
        self.call(on("appendFile", path), &[path.into(), own_bytes(bytes)]).await.map(|_| true)
    }

    async fn read_dir(&self, path: &str) -> PortResult<Vec<String>> {
        let call = on("readdir", path);
        let answer = self.call(call, &[path.into()]).await?;
        let Some(entries) = answer.dyn_ref::<Array>() else { return Err(call.unexpected(&answer, "an array")) };
        // Some hosts return `Dirent`s.
        let name = |entry: JsValue| {
            entry
                .as_string()
                .or_else(|| get(&entry, "name").as_string())
                .ok_or_else(|| call.unexpected(&entry, "a name"))
        };
        entries.iter().map(name).collect()
    }

    async fn list(&self, path: &str) -> PortResult<Option<Vec<(String, Stat)>>> {
        // If one call for all stats times out, the entries are read one by one.
        let answer = on("readdir", path).answer(list(&self.fs, path, self.lstat)).await.unwrap_or_default();
        let Some(answer) = answer.dyn_ref::<Array>() else { return Ok(None) };
        let names = answer.get(0).as_string().unwrap_or_default();
        let looks = Float64Array::new(&answer.get(1)).to_vec();
        let stat_of = |look: &[f64]| match *look {
            [kind, size, mtime_ms, mode] => Some(Stat {
                kind: match kind as u8 {
                    FOLDER => FileKind::Directory,
                    LINK => FileKind::Symlink,
                    SPECIAL => FileKind::Special,
                    _ => FileKind::File,
                },
                size: size as u64,
                mtime_ms,
                mode: (!mode.is_nan()).then_some(mode as u32),
            }),
            _ => None,
        };
        let entries = names.split('/').zip(looks.chunks(4));
        Ok(entries.map(|(name, look)| Some((name.to_owned(), stat_of(look)?))).collect())
    }

    async fn make_dir(&self, path: &str) -> PortResult<()> {
        self.call(on("mkdir", path), &[path.into()]).await.map(drop)
    }

    async fn remove_dir(&self, path: &str) -> PortResult<()> {
        self.call(on("rmdir", path), &[path.into()]).await.map(drop)
    }

    async fn remove_file(&self, path: &str) -> PortResult<()> {
        let call = on("unlink", path);
        if self.is_directory(path).await? {
            return Err(call.error(PortErrorKind::IsDirectory, "it is a directory"));
        }
        self.call(call, &[path.into()]).await.map(drop)
    }

    async fn rename(&self, from: &str, to: &str) -> PortResult<()> {
        let call = on("rename", from);
        let moved = self.lstat(from).await?;
        if from == to {
            return Ok(());
        }
        if to.strip_prefix(from).is_some_and(|rest| rest.starts_with('/')) {
            return Err(call.error(PortErrorKind::Other, format!("a folder cannot move into itself, to {to}")));
        }
        if self.is_directory(to).await? {
            return Err(call.error(PortErrorKind::IsDirectory, format!("{to} is a directory")));
        }
        if moved.kind == FileKind::Symlink {
            let target = self.read_link(from).await?;
            match self.remove_file(to).await {
                Err(error) if !error.is_not_found() => return Err(error),
                _ => self.symlink(&target, to).await?,
            }
            return self.remove_file(from).await;
        }
        self.call(call, &[from.into(), to.into()]).await.map(drop)
    }

    async fn lstat(&self, path: &str) -> PortResult<Stat> {
        let call = on(self.lstat, path);
        let answer = self.call(call, &[path.into()]).await?;
        read_stat(&answer).ok_or_else(|| call.unexpected(&answer, "a stat with `isFile` and `isDirectory`"))
    }

    async fn read_link(&self, path: &str) -> PortResult<String> {
        let call = on("readlink", path);
        let answer = self.call(call, &[path.into()]).await?;
        answer.as_string().ok_or_else(|| call.error(PortErrorKind::Other, "it is not a symbolic link"))
    }

    async fn symlink(&self, target: &str, path: &str) -> PortResult<()> {
        let call = on("symlink", path);
        match self.lstat(path).await {
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error),
            Ok(_) => return Err(call.error(PortErrorKind::Exists, "it already exists")),
        }
        self.call(call, &[target.into(), path.into()]).await.map(drop)
    }

    async fn chmod(&self, path: &str, mode: u32) -> PortResult<()> {
        self.call(on("chmod", path), &[path.into(), mode.into()]).await.map(drop)
    }

    async fn flush(&self) -> PortResult<()> {
        match method(&self.fs, "flush") {
            Some(_) => {
                let call = Call { port: "fs", operation: "flush", path: None, limit_ms: Some(LIMIT_MS) };
                self.call(call, &[]).await.map(drop)
            }
            None => Ok(()),
        }
    }

    async fn pause(&self) {
        pause().await;
    }
}

fn on<'a>(operation: &'a str, path: &'a str) -> Call<'a> {
    Call { port: "fs", operation, path: Some(path), limit_ms: Some(LIMIT_MS) }
}

/// Lenient: the time may be missing or a `Date`, and the mode may be missing.
fn read_stat(stat: &JsValue) -> Option<Stat> {
    let says = |name| method(stat, name).and_then(|method| method.call0(stat).ok()).map(|answer| answer.is_truthy());
    let kind = if says("isSymbolicLink") == Some(true) {
        FileKind::Symlink
    } else if says("isDirectory")? {
        FileKind::Directory
    } else {
        if says("isFile")? { FileKind::File } else { FileKind::Special }
    };
    let modified = get(stat, "mtime").dyn_ref::<Date>().map(Date::get_time);
    Some(Stat {
        kind,
        size: get(stat, "size").as_f64().unwrap_or_default() as u64,
        mtime_ms: get(stat, "mtimeMs").as_f64().or(modified).unwrap_or_default(),
        mode: get(stat, "mode").as_f64().map(|mode| mode as u32),
    })
}
