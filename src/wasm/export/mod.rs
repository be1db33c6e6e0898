//! What the package calls. Reports and events cross as JSON text, contents as bytes.
#![allow(unreachable_pub, reason = "wasm-bindgen exports only `pub` functions")]

mod plan;
mod run;
mod snapshot;
mod task;

use super::error::js_error;
use crate::error::{Error, ErrorCode};
use js_sys::Promise;
use serde::Serialize;
use std::future::Future;
use std::pin::Pin;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

/// A panic is a fault of loopgate: the console shows where.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// The JSON text of a report, or the error as the package throws it.
fn json<T: Serialize>(result: Result<T, Error>) -> Result<JsValue, JsValue> {
    let report = result.map_err(js_error)?;
    let text = serde_json::to_string(&report);
    text.map(JsValue::from).map_err(|error| js_error(Error::new(ErrorCode::Internal, error.to_string())))
}

/// A promise of what `work` gives. It is boxed, so that the module has the machinery of promises once, not once for
/// each export.
pub(super) fn promise(work: impl Future<Output = Result<JsValue, JsValue>> + 'static) -> Promise {
    let work: Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>> = Box::pin(work);
    future_to_promise(work)
}
