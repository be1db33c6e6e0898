//! A host, read from the object that the IDE passes.

use super::guarded_fs::Project;
use super::value::{bytes, from_js, get, given, method, wrong};
use super::{JsBuild, JsClock, JsFs, JsGate, JsGit, JsHooks, JsModel, JsPreview, JsPrices, JsRecipes, JsShell, JsTool};
use crate::error::{Error, ErrorCode};
use crate::plan::Registry;
use crate::port::{Host, PricesPort, RunLock, Seen, StateKey, Turn, ports_from_fields};
use crate::redact::{Redactor, SECRET_MIN};
use js_sys::{Array, Function, Object, Promise, Reflect, Symbol, Uint8Array};
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::rc::Rc;
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
    redactor: Redactor,
    /// The host's own locks, or undefined.
    locks: JsValue,
    last_turn: Cell<Option<f64>>,
    seen: Seen,
    state_key: OnceCell<StateKey>,
    /// What the seals of the state hold for.
    project_id: String,
}

impl JsHost {
    /// There is neither a main model nor one by an id.
    pub fn has_no_model(&self) -> bool {
        self.model.is_none() && self.models.is_empty()
    }

    /// Reads an object of the type `Host`. `shape` converts a [`super::GuardedFs`] to an `FsPort`; without it, tools
    /// and gates get the `GuardedFs`.
    pub fn new(host: &JsValue, shape: Option<Function>) -> Result<Self, Error> {
        let fs = JsFs::new(&get(host, "fs"))?;
        let dir = project_dir(&get(host, "dir"))?;
        let project = Project { fs: fs.clone(), dir: dir.clone(), shape, turns: Rc::default() };
        let project_id = project_id(host, &dir)?;
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
            recipes: port(host, "recipes", JsRecipes::new)?.filter(|recipes| !recipes.is_empty()),
            prices: port(host, "prices", JsPrices::new)?,
            redactor: redactor(host)?,
            locks: port(host, "locks", locks)?.unwrap_or_default(),
            last_turn: Cell::default(),
            seen: Seen::default(),
            state_key: given_key(host)?.map(|key| key.of_project(&project_id).into()).unwrap_or_default(),
            project_id,
        })
    }

    /// [`Self::new`] for a call that starts at once.
    pub async fn open(host: &JsValue, shape: Option<Function>) -> Result<Self, Error> {
        let host = Self::new(host, shape)?;
        host.load_key().await;
        Ok(host)
    }

    /// Loads the key of the package, unless the IDE passes its own.
    pub async fn load_key(&self) {
        if self.state_key.get().is_none() {
            // Another caller may have set it meanwhile, to the same.
            let _ = self.state_key.set(package_key().await.of_project(&self.project_id));
        }
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

    fn state_key(&self) -> &StateKey {
        self.state_key.get().unwrap_or(&StateKey::NONE)
    }

    fn prices(&self) -> Option<&dyn PricesPort> {
        self.prices.as_ref().map(|prices| prices as &dyn PricesPort)
    }

    fn redactor(&self) -> &Redactor {
        &self.redactor
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
