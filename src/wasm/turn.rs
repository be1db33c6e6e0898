//! Turns of those who change the snapshots of a project, as `turn.js` gives them.

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen(module = "/src/wasm/turn.js")]
extern "C" {
    fn turn(name: &str) -> Promise;
}

/// A turn; it ends when it is dropped.
pub struct Turn(JsValue);

impl Turn {
    /// Waits for the turn of the project in this folder.
    pub async fn of(dir: &str) -> Self {
        Self(JsFuture::from(turn(&format!("loopgate:snapshots:{dir}"))).await.unwrap_or_default())
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(end) = self.0.dyn_ref::<Function>() {
            // It resolves a promise and cannot fail.
            let _ = end.call0(&JsValue::UNDEFINED);
        }
    }
}
