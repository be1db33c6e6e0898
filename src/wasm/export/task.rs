//! Tasks.

use super::{json, promise};
use crate::error::{Error, ErrorCode};
use crate::task::{self, StructuredTask, TaskContext};
use crate::wasm::clock::JsClock;
use crate::wasm::error::js_error;
use crate::wasm::model::JsModel;
use crate::wasm::signal::Listening;
use crate::wasm::value::from_js;
use js_sys::Promise;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

/// Takes a message apart, with the model where there is one; a `StructuredTask` as JSON text. Rejects with
/// `invalid-argument` for a context or a model that cannot be read, and for nothing else.
#[wasm_bindgen(js_name = parseTask, unchecked_return_type = "Promise<string>")]
pub fn parse(message: String, context: JsValue, model: JsValue, signal: JsValue) -> Promise {
    promise(async move {
        let context: TaskContext = argument("context", &context).map_err(js_error)?;
        let given = !model.is_undefined() && !model.is_null();
        let model = given.then(|| JsModel::new(&model)).transpose().map_err(js_error)?;
        let clock = JsClock::new(&JsValue::UNDEFINED);
        let listening = Listening::to(&signal);
        json(Ok(task::parse_task(&message, &context, model.as_ref(), &clock, &listening.abort).await))
    })
}

/// The text of `.ralph/task.md`.
///
/// # Errors
/// `invalid-argument`, naming the field of the task that cannot be read.
#[wasm_bindgen(js_name = formatTask)]
pub fn format(task: &JsValue) -> Result<String, JsValue> {
    let task: StructuredTask = argument("task", task).map_err(js_error)?;
    Ok(task::format_task(&task))
}

fn argument<T: DeserializeOwned>(name: &str, value: &JsValue) -> Result<T, Error> {
    from_js(value).map_err(|why| Error::new(ErrorCode::InvalidArgument, format!("the {name} cannot be read: {why}")))
}
