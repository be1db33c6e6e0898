//! The scope gate over plain sources.

use super::json;
use crate::gate::check_scope;
use crate::wasm::error::js_error;
use crate::wasm::value::from_js;
use wasm_bindgen::prelude::*;

/// Judges the change markers of a task in a plan; a `ScopeReport` as JSON text. `before` and `after` are sources by
/// their paths.
///
/// # Errors
/// `invalid-argument` for what is no map of sources; never for a plan or a source.
#[wasm_bindgen(js_name = checkScope, unchecked_return_type = "string")]
pub fn scope(plan: &str, task_number: u32, before: &JsValue, after: &JsValue) -> Result<JsValue, JsValue> {
    let files = |sources| from_js(sources).map_err(|why| js_error(why.of_argument("the map of sources")));
    json(Ok(check_scope(plan, task_number, &files(before)?, &files(after)?)))
}
