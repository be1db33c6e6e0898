//! The bindings: ports over JavaScript objects, and what the package calls.

use crate::plan::{Registry, validate};
use wasm_bindgen::prelude::*;

/// Validates a plan; the report as JSON text.
#[wasm_bindgen(js_name = validatePlan)]
pub fn validate_plan(source: &str) -> Result<String, JsError> {
    Ok(serde_json::to_string(&validate(source, Registry::builtin(), None))?)
}
