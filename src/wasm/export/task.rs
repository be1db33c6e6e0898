//! Exports of `taskContext`, `parseTask` and `formatTask`.

use super::{json, promise};
use crate::port::{Abort, ModelPort};
use crate::run::task_context;
use crate::task::{self, StructuredTask, TaskContext};
use crate::wasm::clock::JsClock;
use crate::wasm::error::js_error;
use crate::wasm::host;
use crate::wasm::model::JsModel;
use crate::wasm::value::from_js;
use futures_util::future::{Either, select};
use js_sys::Promise;
use std::pin::pin;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// The context of the next task; returns a `TaskContext` as JSON text.
#[wasm_bindgen(js_name = taskContext, unchecked_return_type = "Promise<string>")]
pub fn context_of_task(host: JsValue) -> Promise {
    promise(async move {
        let host = host::open(&host, None).await.map_err(js_error)?;
        json(task_context(&host).await)
    })
}

/// Parses a message; returns a `StructuredTask` as JSON text. When `aborted` settles, the rules replace the model.
/// Rejects with `invalid-argument` for an invalid context or model; never for a message.
#[wasm_bindgen(js_name = parseTask, unchecked_return_type = "Promise<string>")]
pub fn parse_task(message: String, context: JsValue, model: JsValue, aborted: Option<Promise>) -> Promise {
    promise(async move {
        let context: TaskContext = from_js(&context).map_err(|why| js_error(why.of_argument("the context")))?;
        let model = if model.is_undefined() { None } else { Some(JsModel::new(&model).map_err(js_error)?) };
        let model = model.as_ref().map(|model| model as &dyn ModelPort);
        let (clock, abort) = (JsClock::system(), Abort::new());
        let parsed = pin!(task::parse_task(&message, &context, model, &clock, &abort));
        let Some(aborted) = aborted else { return json(Ok(parsed.await)) };
        match select(parsed, JsFuture::from(aborted)).await {
            Either::Left((parsed, _)) => json(Ok(parsed)),
            Either::Right((_, parsed)) => {
                abort.fire("the caller aborted");
                json(Ok(parsed.await))
            }
        }
    })
}

/// The text of `.ralph/task.md`.
#[wasm_bindgen(js_name = formatTask)]
pub fn format_task(task: &JsValue) -> Result<String, JsValue> {
    let task: StructuredTask = from_js(task).map_err(|why| js_error(why.of_argument("the task")))?;
    Ok(task::format_task(&task))
}
