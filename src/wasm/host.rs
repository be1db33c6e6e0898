//! A host, read from the object that the IDE passes.

use super::guarded_fs::Project;
use super::value::{bytes, from_js, get, given, method, wrong};
use super::{JsBuild, JsClock, JsFs, JsGate, JsGit, JsHooks, JsModel, JsPreview, JsPrices, JsRecipes, JsShell, JsTool};
use crate::error::{Error, ErrorCode};
use crate::plan::Registry;
use crate::port::{Host, LockPort, ModelPort, RunLock, Seen, StateKey, Turn};
use crate::redact::{Redactor, SECRET_MIN};
use async_trait::async_trait;
use js_sys::{Array, Function, Object, Promise, Reflect, Symbol, Uint8Array};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Reads an object of the type `Host`. `shape` converts a [`super::GuardedFs`] to an `FsPort`; without it, tools and gates
/// get the `GuardedFs`.
///
/// The key of the package is loaded asynchronously: a host without an own key gets it by [`open`], or by [`load_key`].
pub fn read(host: &JsValue, shape: Option<Function>) -> Result<Host, Error> {
    let fs = JsFs::new(&get(host, "fs"))?;
    let dir = project_dir(&get(host, "dir"))?;
    let project = Project { fs: fs.clone(), dir: dir.clone(), shape, turns: Rc::default() };
    let git = port(host, "git", JsGit::new)?.map(|git| git.in_project(&fs, &dir));
    let locks = port(host, "locks", locks)?.unwrap_or_default();
    let project_id = project_id(host, &dir)?;
    Ok(Host {
        clock: Rc::new(JsClock::new(host)?),
        locks: Rc::new(JsLocks { dir: dir.clone(), locks, last_turn: Cell::default() }),
        git: git.map(|git| Rc::new(git) as _),
        model: port(host, "model", JsModel::new)?.map(|model| Rc::new(model) as _),
        models: models(host)?,
        shell: port(host, "shell", JsShell::new)?.map(|shell| Rc::new(shell) as _),
        build: port(host, "build", JsBuild::new)?.map(|build| Rc::new(build) as _),
        preview: port(host, "preview", JsPreview::new)?.map(|preview| Rc::new(preview) as _),
        tools: list(host, "tools", |tool, at| Ok(Rc::new(JsTool::new(tool, at, &project)?) as _))?,
        gates: list(host, "gates", |gate, at| Ok(Rc::new(JsGate::new(gate, at, &project)?) as _))?,
        hooks: port(host, "hooks", JsHooks::new)?.map(|hooks| Rc::new(hooks) as _),
        recipes: port(host, "recipes", JsRecipes::new)?
            .filter(|recipes| !recipes.is_empty())
            .map(|recipes| Rc::new(recipes) as _),
        prices: port(host, "prices", JsPrices::new)?.map(|prices| Rc::new(prices) as _),
        redactor: redactor(host)?,
        seen: Seen::default(),
        state_key: given_key(host)?.map_or(StateKey::NONE, |key| key.of_project(&project_id)),
        fs: Rc::new(fs),
        dir,
    })
}

/// [`read`] for a call that starts at once.
pub async fn open(host: &JsValue, shape: Option<Function>) -> Result<Host, Error> {
    let mut read = read(host, shape)?;
    load_key(&mut read, host).await?;
    Ok(read)
}

/// Loads the key of the package, unless `given` has its own.
pub async fn load_key(host: &mut Host, given: &JsValue) -> Result<(), Error> {
    host.state_key = state_key(given, &host.dir).await?;
    Ok(())
}

/// The locks of the page, or the host's own.
struct JsLocks {
    dir: String,
    /// The host's own locks, or undefined.
    locks: JsValue,
    last_turn: Cell<Option<f64>>,
}

#[async_trait(?Send)]
impl LockPort for JsLocks {
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

#[wasm_bindgen(module = "/src/wasm/page.js")]
extern "C" {
    fn turn(name: &str) -> Promise;
    fn take(name: &str, locks: &JsValue) -> Promise;
}

#[wasm_bindgen(module = "/src/wasm/state_key.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = defaultKey)]
    fn default_key() -> Result<Promise, JsValue>;
}

/// The key of a host for the project in `dir`; by default, the key of the package.
pub(super) async fn state_key(host: &JsValue, dir: &str) -> Result<StateKey, Error> {
    let key = match given_key(host)? {
        Some(key) => key,
        None => package_key().await,
    };
    Ok(key.of_project(&project_id(host, dir)?))
}

/// What the seals of a project hold for: the IDE's id of the project, or its folder.
fn project_id(host: &JsValue, dir: &str) -> Result<String, Error> {
    let id = port(host, "projectId", |value| {
        let id = value.as_string().filter(|id| !id.is_empty() && !id.contains('\0'));
        id.ok_or_else(|| wrong("projectId", "a text that is not empty", value))
    })?;
    Ok(id.unwrap_or_else(|| dir.to_owned()))
}

async fn package_key() -> StateKey {
    let Ok(key) = default_key() else { return StateKey::NONE };
    let key = JsFuture::from(key).await.unwrap_or_default();
    bytes(&key).map_or(StateKey::NONE, |key| StateKey::new(&key))
}

/// The key that the IDE passes.
fn given_key(host: &JsValue) -> Result<Option<StateKey>, Error> {
    port(host, "stateKey", |value| {
        let key = value.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec).filter(|key| key.len() >= KEY_MIN);
        key.map(|key| StateKey::new(&key)).ok_or_else(|| wrong("stateKey", "a Uint8Array of at least 16 bytes", value))
    })
}

/// The fewest bytes of a key: fewer can be guessed.
const KEY_MIN: usize = 16;

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
fn models(host: &JsValue) -> Result<BTreeMap<String, Rc<dyn ModelPort>>, Error> {
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
        models.insert(id, Rc::new(JsModel::new(&value)?) as _);
    }
    Ok(models)
}

/// The host's own secrets, and the secrets of the package's adapters among its models.
fn redactor(host: &JsValue) -> Result<Redactor, Error> {
    let mut secrets = list(host, "secrets", |secret, name| match secret.as_string() {
        Some(secret) if secret.trim().chars().count() >= SECRET_MIN => Ok(secret),
        Some(_) => Err(Error::new(
            ErrorCode::InvalidArgument,
            format!("`{name}` has fewer than {SECRET_MIN} characters: such a text also occurs by chance, leave it out"),
        )),
        None => Err(wrong(name, "a string", secret)),
    })?;
    let named = get(host, "models").dyn_into().map(|models: Object| Object::values(&models)).unwrap_or_default();
    for model in named.iter().chain([get(host, "model")]) {
        let of_adapter = Reflect::get(&model, &Symbol::for_("loopgate.secrets")).unwrap_or_default();
        let found = of_adapter.dyn_into().ok().and_then(|of_adapter: Function| of_adapter.call0(&model).ok());
        let found = found.map(|found| Array::from(&found).to_vec()).unwrap_or_default();
        secrets.extend(found.iter().filter_map(JsValue::as_string));
    }
    Ok(Redactor::new(secrets))
}

fn list<T>(host: &JsValue, name: &str, read: impl Fn(&JsValue, &str) -> Result<T, Error>) -> Result<Vec<T>, Error> {
    let Some(value) = given(host, name) else { return Ok(Vec::new()) };
    let Some(items) = value.dyn_ref::<Array>() else {
        return Err(wrong(name, "an array", &value));
    };
    items.iter().enumerate().map(|(at, item)| read(&item, &format!("{name}[{at}]"))).collect()
}
