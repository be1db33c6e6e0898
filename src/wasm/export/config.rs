//! Exports for the configuration.

use super::{json, promise};
use crate::agent::{self, Asked, Reason};
use crate::config::{self, Origins};
use crate::error::Error;
use crate::port::{AgentRole, Phase, PolicyRule, ProjectDir, Rights};
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

/// The rules of a `Config`; none for `undefined`.
///
/// # Errors
/// `invalid-argument` for an invalid `Config`.
pub(in crate::wasm) fn rules_of(config: &JsValue) -> Result<Vec<PolicyRule>, Error> {
    if config.is_undefined() {
        return Ok(Vec::new());
    }
    let Loaded { values, origins } = from_js(config).map_err(|why| why.of_argument("`config`"))?;
    config::policy(&values, &origins)
}

/// A call, for `explainPolicy`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Call {
    tool: String,
    path: Option<String>,
    command: Option<String>,
    #[serde(default = "builder")]
    role: AgentRole,
    #[serde(default)]
    phase: Option<Phase>,
    #[serde(default)]
    read_only: bool,
    #[serde(default)]
    has_git: bool,
}

fn builder() -> AgentRole {
    AgentRole::Builder
}

/// Which rule of a `Config` or of the harness decides about a call, as JSON text. Rejects with `invalid-argument` for an invalid
/// `Config` or call.
#[wasm_bindgen(js_name = explainPolicy, unchecked_return_type = "Promise<string>")]
pub fn explain_policy(fs: JsValue, dir: JsValue, config: JsValue, call: JsValue) -> Promise {
    promise(async move { json(explained(&fs, &dir, &config, &call).await) })
}

async fn explained(fs: &JsValue, dir: &JsValue, config: &JsValue, call: &JsValue) -> Result<Reason, Error> {
    let call: Call = from_js(call).map_err(|why| why.of_argument("`call`"))?;
    let (fs, dir, rules) = (JsFs::new(fs)?, project_dir(dir)?, rules_of(config)?);
    let Call { tool, path, command, role, phase, read_only, has_git } = call;
    let phase = phase.unwrap_or(match role {
        AgentRole::Planner => Phase::Plan,
        AgentRole::Verifier | AgentRole::Reviewer => Phase::Review,
        _ => Phase::Build,
    });
    let (path, command) = (path.as_deref(), command.as_deref());
    let asked = Asked { tool: &tool, path, command, is_reader: read_only, has_git };
    Ok(agent::explain_linked(&fs, &dir, &Rights::for_role(role, phase).under(&rules), &asked).await)
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
