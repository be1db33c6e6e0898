//! Turns of those who change the snapshots of a project, as `turn.js` gives them.

use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen(module = "/src/wasm/turn.js")]
extern "C" {
    fn turn(name: &str) -> Promise;
}

/// A turn; it ends when it is dropped.
pub(super) struct JsTurn {
    /// Counted for the project in this page.
    pub number: f64,
    end: JsValue,
}

impl JsTurn {
    /// Waits for the turn of the project in this folder.
    pub(super) async fn of(dir: &str) -> Self {
        let answer = JsFuture::from(turn(&format!("loopgate:snapshots:{dir}"))).await.unwrap_or_default();
        let answer = Array::from(&answer);
        Self { number: answer.get(0).as_f64().unwrap_or_default(), end: answer.get(1) }
    }
}

impl Drop for JsTurn {
    fn drop(&mut self) {
        if let Some(end) = self.end.dyn_ref::<Function>() {
            // It resolves a promise and cannot fail.
            let _ = end.call0(&JsValue::UNDEFINED);
        }
    }
}
