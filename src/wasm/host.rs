//! A host, read from the object that the IDE passes.

use super::guarded_fs::Project;
use super::value::{from_js, get, given, method, wrong};
use super::{JsBuild, JsClock, JsFs, JsGate, JsGit, JsHooks, JsModel, JsPreview, JsPrices, JsRecipes, JsShell, JsTool};
use crate::error::{Error, ErrorCode};
use crate::plan::Registry;
use crate::port::{Host, PricesPort, RunLock, Turn, ports_from_fields};
use js_sys::{Array, Function, Object, Promise};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The ports of the IDE.
pub struct JsHost {
    dir: String,
    fs: JsFs,
    clock: JsClock,
    git: Option<JsGit>,
    model: Option<JsModel>,
    models: BTreeMap<String, JsModel>,
    shell: Option<JsShell>,
    build: Option<JsBuild>,
    preview: Option<JsPreview>,
    tools: Vec<JsTool>,
    gates: Vec<JsGate>,
    hooks: Option<JsHooks>,
    recipes: Option<JsRecipes>,
    prices: Option<JsPrices>,
    /// The host's own locks, or undefined.
    locks: JsValue,
    last_turn: Cell<Option<f64>>,
}

impl JsHost {
    /// Reads an object of the type `Host`. `shape` converts a [`super::GuardedFs`] to an `FsPort`; without it, tools
    /// and gates get the `GuardedFs`.
    pub fn new(host: &JsValue, shape: Option<Function>) -> Result<Self, Error> {
        let fs = JsFs::new(&get(host, "fs"))?;
        let dir = project_dir(&get(host, "dir"))?;
        let project = Project { fs: fs.clone(), dir: dir.clone(), shape };
        let git = port(host, "git", JsGit::new)?.map(|git| git.in_project(&fs, &dir));
        Ok(Self {
            fs,
            dir,
            clock: JsClock::new(host)?,
            git,
            model: port(host, "model", JsModel::new)?,
            models: models(host)?,
            shell: port(host, "shell", JsShell::new)?,
            build: port(host, "build", JsBuild::new)?,
            preview: port(host, "preview", JsPreview::new)?,
            tools: list(host, "tools", |tool, at| JsTool::new(tool, at, &project))?,
            gates: list(host, "gates", |gate, at| JsGate::new(gate, at, &project))?,
            hooks: port(host, "hooks", JsHooks::new)?,
            recipes: port(host, "recipes", JsRecipes::new)?,
            prices: port(host, "prices", JsPrices::new)?,
            locks: port(host, "locks", locks)?.unwrap_or_default(),
            last_turn: Cell::default(),
        })
    }
}

impl Host for JsHost {
    type Fs = JsFs;
    type Git = JsGit;
    type Model = JsModel;
    type Shell = JsShell;
    type Build = JsBuild;
    type Preview = JsPreview;
    type Clock = JsClock;
    type Tool = JsTool;
    type Gate = JsGate;
    type Hooks = JsHooks;
    type Recipes = JsRecipes;

    ports_from_fields!();

    fn dir(&self) -> &str {
        &self.dir
    }

    fn prices(&self) -> Option<&dyn PricesPort> {
        self.prices.as_ref().map(|prices| prices as &dyn PricesPort)
    }

    async fn turn(&self) -> Turn {
        let turn = turn(&format!("loopgate:snapshots:{}", self.dir));
        let answer = Array::from(&JsFuture::from(turn).await.unwrap_or_default());
        let number = answer.get(0).as_f64().unwrap_or_default();
        let last = self.last_turn.replace(Some(number));
        Turn { others: last.is_some_and(|last| last + 1.0 != number), held: Box::new(Held(answer.get(1))) }
    }

    async fn run_lock(&self) -> RunLock {
        let taken = take(&run_name(&self.dir), &self.locks);
        match JsFuture::from(taken).await.unwrap_or_default() {
            release if release.is_function() => RunLock::Held(Box::new(Held(release))),
            answer if answer.is_null() => RunLock::Taken,
            _ => RunLock::Absent,
        }
    }
}

#[wasm_bindgen(module = "/src/wasm/locks.js")]
extern "C" {
    fn turn(name: &str) -> Promise;
    fn take(name: &str, locks: &JsValue) -> Promise;
}

/// A function of `locks.js` that is called on drop.
struct Held(JsValue);

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(end) = self.0.dyn_ref::<Function>() {
            // It only resolves a promise, so it cannot fail.
            let _ = end.call0(&JsValue::UNDEFINED);
        }
    }
}

/// The registry of a host or an option; the built-in one if it has none.
pub(super) fn registry(value: &JsValue) -> Result<Cow<'static, Registry>, Error> {
    if value.is_undefined() || value.is_null() {
        return Ok(Cow::Borrowed(Registry::builtin()));
    }
    from_js(value).map(Cow::Owned).map_err(|why| why.of_argument("`registry`"))
}

/// The name of the lock and of the channel of a project's runs.
pub(super) fn run_name(dir: &str) -> String {
    format!("loopgate:run:{dir}")
}

/// Normalises an absolute POSIX path: no trailing slash, empty for the root.
pub(super) fn project_dir(value: &JsValue) -> Result<String, Error> {
    let refused =
        |why: String| Error::new(ErrorCode::InvalidArgument, format!("`dir` must be an absolute path, {why}"));
    let Some(dir) = value.as_string() else { return Err(wrong("dir", "an absolute path", value)) };
    if !dir.starts_with('/') || dir.contains('\0') {
        return Err(refused(format!("such as /project, not {dir:?}")));
    }
    let parts: Vec<_> = dir.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        return Err(refused(format!("without `..`, not {dir:?}")));
    }
    Ok(parts.iter().map(|part| format!("/{part}")).collect())
}

/// The host's own locks.
fn locks(value: &JsValue) -> Result<JsValue, Error> {
    match method(value, "request") {
        Some(_) => Ok(value.clone()),
        None => Err(wrong("locks", "an object with a method `request`", value)),
    }
}

fn port<T>(host: &JsValue, name: &str, read: impl Fn(&JsValue) -> Result<T, Error>) -> Result<Option<T>, Error> {
    given(host, name).map(|value| read(&value)).transpose()
}

/// The models by their ids.
fn models(host: &JsValue) -> Result<BTreeMap<String, JsModel>, Error> {
    let Some(value) = given(host, "models") else { return Ok(BTreeMap::new()) };
    let Some(object) = value.dyn_ref::<Object>().filter(|_| !value.is_function()) else {
        return Err(wrong("models", "an object", &value));
    };
    let mut models = BTreeMap::new();
    for id in Object::keys(object).iter().filter_map(|id| id.as_string()) {
        let value = get(&value, &id);
        if value.dyn_ref::<Function>().is_none() {
            return Err(wrong(&format!("models.{id}"), "a function", &value));
        }
        models.insert(id, JsModel::new(&value)?);
    }
    Ok(models)
}

fn list<T>(host: &JsValue, name: &str, read: impl Fn(&JsValue, &str) -> Result<T, Error>) -> Result<Vec<T>, Error> {
    let Some(value) = given(host, name) else { return Ok(Vec::new()) };
    let Some(items) = value.dyn_ref::<Array>() else {
        return Err(wrong(name, "an array", &value));
    };
    items.iter().enumerate().map(|(at, item)| read(&item, &format!("{name}[{at}]"))).collect()
}
