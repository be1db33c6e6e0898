//! Plans.

use super::json;
use crate::plan;
use crate::wasm::error::js_error;
use crate::wasm::host::registry;
use wasm_bindgen::prelude::*;

/// Validates the source of a plan; the `PlanReport` as JSON text, but its `root` null: [`plan_root`] has it.
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
    json(Ok(plan::diagnose(source, &registry, task_number)))
}

/// The tree of a plan, a `PlanNode` or null as JSON text.
///
/// # Errors
/// None for a source.
#[wasm_bindgen(js_name = planRoot, unchecked_return_type = "string")]
pub fn plan_root(source: &str) -> Result<JsValue, JsValue> {
    json(Ok(plan::root(source)))
}
