//! Export of `checkGates`.

use super::{json, promise};
use crate::gate::{CheckOptions, check_gates};
use crate::wasm::error::js_error;
use crate::wasm::host;
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;

/// Judges the project; returns an array of `GateReport` as JSON text. `shape` converts a `GuardedFs` to an `FsPort` for
/// the IDE's gates.
#[wasm_bindgen(js_name = checkGates, unchecked_return_type = "Promise<string>")]
pub fn check(host: JsValue, only: Option<Vec<String>>, task_number: Option<u32>, shape: Function) -> Promise {
    promise(async move {
        let host = host::open(&host, Some(shape)).await.map_err(js_error)?;
        json(check_gates(&host, &CheckOptions { only, task_number }).await)
    })
}
