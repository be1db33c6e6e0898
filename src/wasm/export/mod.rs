//! The exports for the package. Reports and events cross as JSON text, file contents as bytes.
#![allow(unreachable_pub, reason = "wasm-bindgen exports only `pub` functions")]

pub(super) mod config;
mod gate;
mod plan;
mod review;
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

/// Logs panics to the console, with their location.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// A report as JSON text, or the error as the package throws it.
fn json<T: Serialize>(result: Result<T, Error>) -> Result<JsValue, JsValue> {
    json_text(&result.map_err(js_error)?).map(JsValue::from)
}

fn json_text<T: Serialize>(report: &T) -> Result<String, JsValue> {
    serde_json::to_string(report).map_err(|error| js_error(Error::new(ErrorCode::Internal, error.to_string())))
}

/// Converts a future to a promise. Boxed, so the promise code is compiled once and not per export.
pub(super) fn promise(work: impl Future<Output = Result<JsValue, JsValue>> + 'static) -> Promise {
    let work: Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>> = Box::pin(work);
    future_to_promise(work)
}
