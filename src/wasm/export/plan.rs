//! Exports for plans, and the scope gate over plain sources.

use super::{json, json_text, promise};
use crate::error::Error;
use crate::gate::check_scope;
use crate::plan::{self, PlanAnswer, PlanContext};
use crate::port::ProjectDir;
use crate::run::resolve_plan_context;
use crate::wasm::error::js_error;
use crate::wasm::fs::JsFs;
use crate::wasm::host::{self, project_dir, registry};
use crate::wasm::value::from_js;
use js_sys::Promise;
use wasm_bindgen::prelude::*;

/// Validates a plan; returns two lines of JSON text: the `PlanReport` with `root` null, and its `root`. The root is most
/// of the report, so the package parses it on first access.
///
/// # Errors
/// `invalid-argument` for an invalid registry; never for a plan.
#[wasm_bindgen(js_name = validatePlan, unchecked_return_type = "string")]
pub fn validate_plan(
    source: &str,
    registry_or_default: &JsValue,
    task_number: Option<u32>,
) -> Result<JsValue, JsValue> {
    let registry = registry(registry_or_default).map_err(js_error)?;
    let (report, root) = plan::validate_to_json(source, &registry, task_number);
    Ok(JsValue::from(json_text(&report)? + "\n" + &root))
}

/// Runs the plan's theme and looks up its recipes; returns the `PlanContext` as JSON text. Rejects like
/// [`resolve_plan_context`].
#[wasm_bindgen(js_name = resolvePlanContext, unchecked_return_type = "Promise<string>")]
pub fn resolve_context(host: JsValue, source: String) -> Promise {
    promise(async move {
        let host = host::open(&host, None).await.map_err(js_error)?;
        json(resolve_plan_context(&host, &source).await)
    })
}

/// The instructions that open BUILD.
#[wasm_bindgen(js_name = formatBuildInstructions)]
pub fn build_instructions(context: &JsValue, warnings: Option<String>) -> Result<String, JsValue> {
    let context: PlanContext = from_js(context).map_err(|why| js_error(why.of_argument("the context")))?;
    Ok(plan::format_build_instructions(&context, warnings.as_deref()))
}

/// Compares a project's plan with its sources; returns a `PlanDiff` as JSON text. Rejects like [`plan::diff_project`].
#[wasm_bindgen(js_name = diffPlan, unchecked_return_type = "Promise<string>")]
pub fn diff_plan(fs: JsValue, dir: JsValue) -> Promise {
    let compared = async move { plan::diff_project(ProjectDir::new(&JsFs::new(&fs)?, &project_dir(&dir)?)).await };
    promise(async move { json(compared.await) })
}

/// Runs the `plan` command and writes the files that it changes; returns a `PlanAnswer` as JSON text. Rejects like
/// [`plan::plan_command`].
#[wasm_bindgen(js_name = planCommand, unchecked_return_type = "Promise<string>")]
pub fn command(fs: JsValue, dir: JsValue, registry_or_default: JsValue, args: Vec<String>) -> Promise {
    let answer = async move { run_command(&fs, &dir, &registry_or_default, &args).await };
    promise(async move { json(answer.await) })
}

async fn run_command(
    fs: &JsValue,
    dir: &JsValue,
    registry_or_default: &JsValue,
    args: &[String],
) -> Result<PlanAnswer, Error> {
    let (fs, dir) = (JsFs::new(fs)?, project_dir(dir)?);
    let project = ProjectDir::new(&fs, &dir);
    let answer = plan::plan_command(project, &*registry(registry_or_default)?, args).await?;
    if let Some((path, text)) = &answer.write {
        project.write(path, text).await?;
    }
    Ok(answer)
}

/// Checks the change markers of a task; returns a `ScopeReport` as JSON text. `before` and `after` map paths to
/// sources.
///
/// # Errors
/// `invalid-argument` for invalid maps; never for a plan or a source.
#[wasm_bindgen(js_name = checkScope, unchecked_return_type = "string")]
pub fn scope(source: &str, task_number: u32, before: &JsValue, after: &JsValue) -> Result<JsValue, JsValue> {
    let files = |sources| from_js(sources).map_err(|why| js_error(why.of_argument("the map of sources")));
    json(Ok(check_scope(source, task_number, &files(before)?, &files(after)?)))
}
