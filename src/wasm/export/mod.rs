//! What the package calls. Reports and events cross as JSON text, contents as bytes.

mod plan;
mod run;
mod snapshot;

use super::error::js_error;
use crate::error::{Error, ErrorCode};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// A panic is a fault of loopgate: the console shows where.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// The JSON text of a report, or the error as the package throws it.
fn json<T: Serialize>(result: Result<T, Error>) -> Result<String, JsValue> {
    let report = result.map_err(js_error)?;
    serde_json::to_string(&report).map_err(|error| js_error(Error::new(ErrorCode::Internal, error.to_string())))
}
