//! The guarded file system as an object, for the IDE's tools, gates and shell.

use super::error::{fs_error, js_error};
use super::export::config::rules_of;
use super::export::promise;
use super::fs::JsFs;
use super::host::project_dir;
use super::value::{bytes, object, own_bytes, set, to_js};
use crate::agent::{self, Turns};
use crate::error::{Error, ErrorCode};
use crate::port::{FileKind, FsPort, Phase, PortError, PortErrorKind, PortResult, Rights, Stat};
use js_sys::{Function, Promise};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Refusals since they were last taken: the requested path and the rule.
pub(super) type Denials = Rc<RefCell<Vec<(String, String)>>>;

/// The project for the IDE's tools and gates.
#[derive(Clone)]
pub(super) struct Project {
    pub fs: JsFs,
    /// The project's folder; empty for the root.
    pub dir: String,
    /// Converts a [`GuardedFs`] to an `FsPort`.
    pub shape: Option<Function>,
    /// Of all tools and gates.
    pub turns: Rc<Turns>,
}

impl Project {
    /// The folder in the host's form.
    pub(super) fn dir(&self) -> &str {
        if self.dir.is_empty() { "/" } else { &self.dir }
    }

    /// The guarded project, until `grant` ends.
    pub(super) fn guarded(&self, rights: Rights, tool: &str, grant: &Grant, denials: &Denials) -> JsValue {
        let guarded = Guarded {
            fs: self.fs.clone(),
            dir: self.dir.clone(),
            rights,
            tool: tool.to_owned(),
            ended: grant.0.clone(),
            turns: self.turns.clone(),
            denials: denials.clone(),
            on_denied: None,
        };
        let guarded = JsValue::from(GuardedFs(Rc::new(guarded)));
        match &self.shape {
            Some(shape) => shape.call1(&JsValue::UNDEFINED, &guarded).unwrap_or(guarded),
            None => guarded,
        }
    }
}

/// How long a tool or gate may use the files: later calls are refused.
pub(super) struct Grant(Rc<Cell<bool>>);

impl Grant {
    /// Ends on drop.
    pub(super) fn new() -> Self {
        Self(Rc::default())
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        self.0.set(true);
    }
}

/// The host's file system with the guard's rules. Every promise rejects with the host's error or with code `EACCES`.
#[wasm_bindgen]
pub struct GuardedFs(Rc<Guarded>);

struct Guarded {
    fs: JsFs,
    dir: String,
    rights: Rights,
    tool: String,
    ended: Rc<Cell<bool>>,
    turns: Rc<Turns>,
    denials: Denials,
    on_denied: Option<Function>,
}

impl Guarded {
    fn report(&self, path: String, rule: String) {
        if let Some(on_denied) = &self.on_denied {
            let event = object([("path", path.as_str().into()), ("rule", rule.as_str().into())]);
            if let Err(thrown) = on_denied.call1(&JsValue::UNDEFINED, &event) {
                web_sys::console::error_2(&"loopgate: onDenied threw".into(), &thrown);
            }
        }
        self.denials.borrow_mut().push((path, rule));
    }
}

#[wasm_bindgen]
impl GuardedFs {
    /// `phase` is a phase's name. In PLAN, only the agent's own `.ralph/` files are writable. `policy` is a `Config`, whose rules
    /// hold for the calls of `tool`; `undefined` for none.
    #[wasm_bindgen(constructor)]
    pub fn new(
        fs: &JsValue,
        dir: &JsValue,
        phase: &str,
        on_denied: Option<Function>,
        config: &JsValue,
        tool: &str,
    ) -> Result<GuardedFs, JsValue> {
        let read = || {
            let phase = Phase::from_name(phase).ok_or_else(|| {
                let message = format!("`phase` is {phase:?}: it must be plan, build, check, review or accept");
                Error::new(ErrorCode::InvalidArgument, message)
            })?;
            let rights = Rights::task(phase, true).under(&rules_of(config)?);
            let tool = tool.to_owned();
            let (fs, dir) = (JsFs::new(fs)?, project_dir(dir)?);
            let (ended, turns, denials) = Default::default();
            let guarded = Guarded { fs, dir, rights, tool, ended, turns, denials, on_denied };
            Ok(GuardedFs(Rc::new(guarded)))
        };
        read().map_err(js_error)
    }

    /// The host supports links.
    #[wasm_bindgen(getter, js_name = hasLinks)]
    pub fn has_links(&self) -> bool {
        self.0.fs.support().symlinks
    }

    /// The host supports modes.
    #[wasm_bindgen(getter, js_name = hasModes)]
    pub fn has_modes(&self) -> bool {
        self.0.fs.support().chmod
    }

    /// Calls a method of `fs.promises`. `argument` is what the method takes after the path: bytes, another path, mode
    /// bits; for `mkdir`, whether to create its parents and accept an existing directory.
    #[wasm_bindgen(unchecked_return_type = "Promise<unknown>")]
    pub fn call(&self, method: String, path: String, argument: JsValue) -> Promise {
        let inner = self.0.clone();
        // A call by the host's own file system, inside of a call: it does not wait for that one.
        let turns = if inner.turns.is_inside() { Rc::default() } else { inner.turns.clone() };
        // Copied at once: the caller may reuse its buffer.
        let content = bytes(&argument);
        promise(async move {
            if inner.ended.get() {
                let message = "the call that was given this file system has ended";
                return Err(fs_error(PortError::new("fs", "call", PortErrorKind::Denied, message)));
            }
            let guarded = agent::GuardedFs::new(&inner.fs, &inner.dir, &inner.rights)
                .calling(&inner.tool)
                .until(&inner.ended)
                .taking(&turns);
            let result = inner.turns.run(perform(&guarded, &method, &path, &argument, content)).await;
            guarded.take_denials().into_iter().for_each(|(path, rule)| inner.report(path, rule));
            result.map_err(fs_error)
        })
    }
}

async fn perform(
    fs: &agent::GuardedFs<'_>,
    method: &str,
    path: &str,
    argument: &JsValue,
    content: Option<Vec<u8>>,
) -> PortResult<JsValue> {
    let text = || argument.as_string().unwrap_or_default();
    let invalid = |message| PortError::new("fs", method, PortErrorKind::Other, message);
    match method {
        "readFile" => return fs.read_file(path).await.map(|bytes| own_bytes(&bytes)),
        "readdir" => return fs.read_dir(path).await.map(|names| to_js(&names)),
        "readlink" => return fs.read_link(path).await.map(JsValue::from),
        "stat" => return fs.stat(path).await.map(|stat| stat_object(&stat)),
        "lstat" => return fs.lstat(path).await.map(|stat| stat_object(&stat)),
        "writeFile" => fs.write_file(path, &content.ok_or_else(|| invalid("no bytes to write"))?).await?,
        "mkdir" => make_dir(fs, path, argument.is_truthy()).await?,
        "rmdir" => fs.remove_dir(path).await?,
        "unlink" => fs.remove_file(path).await?,
        "rename" => fs.rename(path, &text()).await?,
        // As in `fs.promises`, the target comes first.
        "symlink" => fs.symlink(path, &text()).await?,
        "chmod" => fs.chmod(path, argument.as_f64().unwrap_or_default() as u32).await?,
        "flush" => fs.flush().await?,
        _ => return Err(invalid("unknown method")),
    }
    Ok(JsValue::UNDEFINED)
}

async fn make_dir(fs: &agent::GuardedFs<'_>, path: &str, recursive: bool) -> PortResult<()> {
    if recursive {
        fs.make_parents(path).await?;
    }
    match fs.make_dir(path).await {
        Err(error) if recursive && error.kind == PortErrorKind::Exists => match fs.stat(path).await?.kind {
            FileKind::Directory => Ok(()),
            _ => Err(error),
        },
        result => result,
    }
}

#[wasm_bindgen(typescript_custom_section)]
const STAT: &str = r#"
/** A stat without methods. */
export interface GuardedStat { kind: "file" | "directory" | "symlink" | "special"; size: number; mtimeMs: number; mode?: number }
"#;

fn stat_object(stat: &Stat) -> JsValue {
    let kind = match stat.kind {
        FileKind::File => "file",
        FileKind::Directory => "directory",
        FileKind::Symlink => "symlink",
        FileKind::Special => "special",
    };
    let read = object([("kind", kind.into()), ("size", (stat.size as f64).into()), ("mtimeMs", stat.mtime_ms.into())]);
    if let Some(mode) = stat.mode {
        set(&read, "mode", &mode.into());
    }
    read
}
