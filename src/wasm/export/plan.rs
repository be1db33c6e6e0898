//! Plans.

use super::{json, promise};
use crate::error::Error;
use crate::plan::{PlanAnswer, diff_project, plan_command, validate};
use crate::port::ProjectDir;
use crate::wasm::error::js_error;
use crate::wasm::fs::JsFs;
use crate::wasm::host::{project_dir, registry};
use js_sys::Promise;
use wasm_bindgen::prelude::*;

/// Validates the source of a plan; the `PlanReport` as JSON text.
///
/// # Errors
/// `invalid-argument` for a registry that cannot be read; never for a source.
#[wasm_bindgen(js_name = validatePlan, unchecked_return_type = "string")]
pub fn validate_plan(
    source: &str,
    registry_or_default: &JsValue,
    task_number: Option<u32>,
) -> Result<JsValue, JsValue> {
    let registry = registry(registry_or_default).map_err(js_error)?;
    json(Ok(validate(source, &registry, task_number)))
}

/// Compares the plan of a project with its sources; a `PlanDiff` as JSON text. Rejects with what [`diff_project`] says.
#[wasm_bindgen(js_name = diffPlan, unchecked_return_type = "Promise<string>")]
pub fn diff_plan(fs: JsValue, dir: JsValue) -> Promise {
    let compared = async move { diff_project(ProjectDir::new(&JsFs::new(&fs)?, &project_dir(&dir)?)).await };
    promise(async move { json(compared.await) })
}

/// Runs the `plan` command and writes what it asks for; a `PlanAnswer` as JSON text. Rejects with what
/// [`plan_command`] says.
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
    let answer = plan_command(project, &*registry(registry_or_default)?, args).await?;
    if let Some((path, text)) = &answer.write {
        project.write(path, text).await?;
    }
    Ok(answer)
}
