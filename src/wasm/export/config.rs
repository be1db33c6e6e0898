//! Exports for the configuration.

use super::{json, promise};
use crate::config::{self, Origins};
use crate::error::Error;
use crate::port::ProjectDir;
use crate::wasm::error::js_error;
use crate::wasm::fs::JsFs;
use crate::wasm::host::project_dir;
use crate::wasm::value::from_js;
use js_sys::Promise;
use serde::Deserialize;
use serde_json::Value;
use wasm_bindgen::prelude::*;

/// What `explainConfig` needs of a `Config`.
#[derive(Deserialize)]
struct Loaded {
    values: Value,
    origins: Origins,
}

/// Reads the project's configuration; returns a `Config` as JSON text. `spec` may be `null`. Rejects like
/// [`config::load`], or like [`config::load_lenient`].
#[wasm_bindgen(js_name = loadConfig, unchecked_return_type = "Promise<string>")]
pub fn load(fs: JsValue, dir: JsValue, global: Option<String>, spec: JsValue, lenient: bool) -> Promise {
    let loaded = async move {
        let (fs, dir) = (JsFs::new(&fs)?, project_dir(&dir)?);
        let spec: Option<Value> = from_js(&spec).map_err(|why| why.of_argument("`spec`"))?;
        let (project, global) = (ProjectDir::new(&fs, &dir), global.as_deref());
        match lenient {
            true => config::load_lenient(project, global, spec.as_ref()).await,
            false => config::load(project, global, spec.as_ref()).await,
        }
    };
    promise(async move { json(loaded.await) })
}

/// A value of a `Config` and where it is set, as JSON text.
///
/// # Errors
/// `not-found` with the nearest keys; `invalid-argument` for a value that is no `Config`.
#[wasm_bindgen(js_name = explainConfig, unchecked_return_type = "string")]
pub fn explain(loaded: &JsValue, key: &str) -> Result<JsValue, JsValue> {
    let Loaded { values, origins } = from_js(loaded).map_err(|why| js_error(why.of_argument("`config`")))?;
    json(config::explain(&values, &origins, key))
}

/// Changes the project's configuration; returns `null` as JSON text. Rejects like [`config::save`].
#[wasm_bindgen(js_name = saveConfig, unchecked_return_type = "Promise<string>")]
pub fn save(fs: JsValue, dir: JsValue, changes: JsValue) -> Promise {
    promise(async move { json(change(&fs, &dir, &changes).await) })
}

async fn change(fs: &JsValue, dir: &JsValue, changes: &JsValue) -> Result<(), Error> {
    let (fs, dir) = (JsFs::new(fs)?, project_dir(dir)?);
    let changes: Value = from_js(changes).map_err(|why| why.of_argument("`changes`"))?;
    config::save(ProjectDir::new(&fs, &dir), &changes).await
}
