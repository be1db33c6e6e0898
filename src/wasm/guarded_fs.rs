//! The guarded file system as an object, for the IDE's tools, gates and shell.

use super::error::{fs_error, js_error};
use super::export::promise;
use super::fs::JsFs;
use super::host::project_dir;
use super::value::{object, own_bytes, set};
use crate::agent::{self, Policy, Rule};
use crate::error::{Error, ErrorCode};
use crate::port::{FileKind, FsPort, Phase, PortError, PortErrorKind, PortResult, Stat};
use futures_util::future::LocalBoxFuture;
use js_sys::{Array, Function, Promise};
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
}

impl Project {
    /// The folder in the host's form.
    pub(super) fn dir(&self) -> &str {
        if self.dir.is_empty() { "/" } else { &self.dir }
    }

    /// The guarded project, until `lease` ends.
    pub(super) fn guarded(&self, phase: Phase, plan_required: bool, lease: &Lease, denials: &Denials) -> JsValue {
        let guarded = Guarded {
            fs: self.fs.clone(),
            dir: self.dir.clone(),
            policy: Policy { phase, plan_required },
            ended: lease.0.clone(),
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
pub(super) struct Lease(Rc<Cell<bool>>);

impl Lease {
    /// Ends on drop.
    pub(super) fn new() -> Self {
        Self(Rc::default())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.0.set(true);
    }
}

/// The host's file system with the guard's rules. Every promise rejects with the host's error or with code `EACCES`.
#[wasm_bindgen]
pub struct GuardedFs(Rc<Guarded>);

/// A call of [`GuardedFs`]. Boxed, so the code around it is compiled once.
type Work = Box<dyn for<'a> FnOnce(&'a agent::GuardedFs<'a, JsFs>) -> LocalBoxFuture<'a, PortResult<JsValue>>>;

struct Guarded {
    fs: JsFs,
    dir: String,
    policy: Policy,
    ended: Rc<Cell<bool>>,
    denials: Denials,
    on_denied: Option<Function>,
}

impl GuardedFs {
    /// Runs `work` with the guarded file system, then reports refusals.
    fn guarded<F>(&self, work: F) -> Promise
    where
        F: AsyncFnOnce(&agent::GuardedFs<'_, JsFs>) -> PortResult<JsValue> + 'static,
    {
        fn boxed<F>(work: F) -> Work
        where
            F: for<'a> FnOnce(&'a agent::GuardedFs<'a, JsFs>) -> LocalBoxFuture<'a, PortResult<JsValue>> + 'static,
        {
            Box::new(work)
        }
        self.perform(boxed(|fs| Box::pin(work(fs))))
    }

    fn perform(&self, work: Work) -> Promise {
        let inner = self.0.clone();
        promise(async move {
            if inner.ended.get() {
                let message = "the call that was given this file system has ended";
                return Err(fs_error(PortError::new("fs", "call", PortErrorKind::Denied, message)));
            }
            let guarded = agent::GuardedFs::new(&inner.fs, &inner.dir, inner.policy).until(&inner.ended);
            let result = work(&guarded).await;
            guarded.take_denials().into_iter().for_each(|(path, rule)| inner.report(path, rule));
            result.map_err(fs_error)
        })
    }
}

impl Guarded {
    fn report(&self, path: String, rule: Rule) {
        let rule = rule.as_str();
        if let Some(on_denied) = &self.on_denied {
            let event = object([("path", path.as_str().into()), ("rule", rule.into())]);
            if let Err(thrown) = on_denied.call1(&JsValue::UNDEFINED, &event) {
                web_sys::console::error_2(&"loopgate: onDenied threw".into(), &thrown);
            }
        }
        self.denials.borrow_mut().push((path, rule.to_owned()));
    }
}

#[wasm_bindgen]
impl GuardedFs {
    /// `phase` is a phase's name. In PLAN, only the agent's own `.ralph/` files are writable.
    ///
    /// # Errors
    /// `invalid-argument` with the invalid argument.
    #[wasm_bindgen(constructor)]
    pub fn new(fs: &JsValue, dir: &JsValue, phase: &str, on_denied: Option<Function>) -> Result<GuardedFs, JsValue> {
        let read = || {
            let phase = Phase::named(phase).ok_or_else(|| {
                let message = format!("`phase` is {phase:?}: it must be plan, build, check, review or accept");
                Error::new(ErrorCode::InvalidArgument, message)
            })?;
            let policy = Policy { phase, plan_required: phase == Phase::Plan };
            let (fs, dir) = (JsFs::new(fs)?, project_dir(dir)?);
            let guarded = Guarded { fs, dir, policy, ended: Rc::default(), denials: Denials::default(), on_denied };
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

    /// The bytes of a file.
    #[wasm_bindgen(js_name = readFile, unchecked_return_type = "Promise<Uint8Array>")]
    pub fn read_file(&self, path: String) -> Promise {
        self.guarded(async move |fs| fs.read_file(&path).await.map(|bytes| own_bytes(&bytes)))
    }

    /// Creates or replaces a file.
    #[wasm_bindgen(js_name = writeFile, unchecked_return_type = "Promise<void>")]
    pub fn write_file(&self, path: String, bytes: Vec<u8>) -> Promise {
        self.guarded(async move |fs| fs.write_file(&path, &bytes).await.map(nothing))
    }

    /// The names in a directory, without unreadable ones.
    #[wasm_bindgen(unchecked_return_type = "Promise<string[]>")]
    pub fn readdir(&self, path: String) -> Promise {
        self.guarded(async move |fs| {
            let names = fs.read_dir(&path).await?;
            Ok(names.iter().map(|name| JsValue::from_str(name)).collect::<Array>().into())
        })
    }

    /// Creates a directory. `recursive` also creates its parents and accepts an existing directory.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn mkdir(&self, path: String, recursive: bool) -> Promise {
        self.guarded(async move |fs| {
            if recursive {
                fs.make_parents(&path).await?;
            }
            match fs.make_dir(&path).await {
                Err(error) if recursive && error.kind == PortErrorKind::Exists => match fs.stat(&path).await?.kind {
                    FileKind::Directory => Ok(JsValue::UNDEFINED),
                    _ => Err(error),
                },
                result => result.map(nothing),
            }
        })
    }

    /// Removes an empty directory.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn rmdir(&self, path: String) -> Promise {
        self.guarded(async move |fs| fs.remove_dir(&path).await.map(nothing))
    }

    /// Removes a file or a link.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn unlink(&self, path: String) -> Promise {
        self.guarded(async move |fs| fs.remove_file(&path).await.map(nothing))
    }

    /// Moves an entry.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn rename(&self, from: String, to: String) -> Promise {
        self.guarded(async move |fs| fs.rename(&from, &to).await.map(nothing))
    }

    /// The entry after following links.
    #[wasm_bindgen(unchecked_return_type = "Promise<GuardedStat>")]
    pub fn stat(&self, path: String) -> Promise {
        self.guarded(async move |fs| fs.stat(&path).await.map(|stat| stat_object(&stat)))
    }

    /// The entry, without following links.
    #[wasm_bindgen(unchecked_return_type = "Promise<GuardedStat>")]
    pub fn lstat(&self, path: String) -> Promise {
        self.guarded(async move |fs| fs.lstat(&path).await.map(|stat| stat_object(&stat)))
    }

    /// The target of a link.
    #[wasm_bindgen(unchecked_return_type = "Promise<string>")]
    pub fn readlink(&self, path: String) -> Promise {
        self.guarded(async move |fs| fs.read_link(&path).await.map(JsValue::from))
    }

    /// Creates a link.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn symlink(&self, target: String, path: String) -> Promise {
        self.guarded(async move |fs| fs.symlink(&target, &path).await.map(nothing))
    }

    /// Sets mode bits.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn chmod(&self, path: String, mode: u32) -> Promise {
        self.guarded(async move |fs| fs.chmod(&path, mode).await.map(nothing))
    }

    /// Makes all writes so far durable.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn flush(&self) -> Promise {
        self.guarded(async |fs| fs.flush().await.map(nothing))
    }
}

#[wasm_bindgen(typescript_custom_section)]
const STAT: &str = r#"
/** A stat without methods. */
export interface GuardedStat { kind: "file" | "directory" | "symlink"; size: number; mtimeMs: number; mode?: number }
"#;

fn nothing((): ()) -> JsValue {
    JsValue::UNDEFINED
}

fn stat_object(stat: &Stat) -> JsValue {
    let kind = match stat.kind {
        FileKind::File => "file",
        FileKind::Directory => "directory",
        FileKind::Symlink => "symlink",
    };
    let read = object([("kind", kind.into()), ("size", (stat.size as f64).into()), ("mtimeMs", stat.mtime_ms.into())]);
    if let Some(mode) = stat.mode {
        set(&read, "mode", &mode.into());
    }
    read
}
