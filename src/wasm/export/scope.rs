//! The scope gate over plain sources.

use super::json;
use crate::error::{Error, ErrorCode};
use crate::gate::check_scope;
use crate::wasm::error::js_error;
use crate::wasm::value::from_js;
use serde_json::Value;
use wasm_bindgen::prelude::*;

/// Judges the change markers of a task in a plan; a `ScopeReport` as JSON text. `before` and `after` are sources by
/// their paths.
///
/// # Errors
/// `invalid-argument` for what is no map of sources; never for a plan or a source.
#[wasm_bindgen(js_name = checkScope, unchecked_return_type = "string")]
pub fn scope(plan: &str, task_number: u32, before: &JsValue, after: &JsValue) -> Result<JsValue, JsValue> {
    let files = |sources: &JsValue| {
        let unreadable = || js_error(Error::new(ErrorCode::InvalidArgument, "sources must be texts by their paths"));
        let Ok(Value::Object(files)) = from_js(sources) else { return Err(unreadable()) };
        let mut sources = Vec::new();
        for (path, text) in files {
            match text {
                Value::String(text) => sources.push((path, text)),
                _ => return Err(unreadable()),
            }
        }
        Ok(sources.into_iter().collect())
    };
    json(Ok(check_scope(plan, task_number, &files(before)?, &files(after)?)))
}
