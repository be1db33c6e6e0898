//! The caller's `AbortSignal`, heard as long as somebody waits.

use super::value::{get, method};
use crate::port::Abort;
use js_sys::Array;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// Fires its [`Abort`] when the signal does, until it is dropped.
pub(super) struct Listening {
    pub abort: Abort,
    signal: JsValue,
    listener: Closure<dyn Fn()>,
}

impl Listening {
    /// Listens to a signal; what is none is never heard.
    pub fn to(signal: &JsValue) -> Self {
        let abort = Abort::new();
        let (fired, heard) = (abort.clone(), signal.clone());
        let listener = Closure::<dyn Fn()>::new(move || fired.fire(&reason(&heard)));
        let listening = Self { abort, signal: signal.clone(), listener };
        if get(signal, "aborted").is_truthy() {
            listening.abort.fire(&reason(signal));
        } else {
            listening.call("addEventListener");
        }
        listening
    }

    fn call(&self, name: &str) {
        if let Some(call) = method(&self.signal, name) {
            let _ = call.apply(&self.signal, &Array::of2(&"abort".into(), self.listener.as_ref().unchecked_ref()));
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.call("removeEventListener");
    }
}

fn reason(signal: &JsValue) -> String {
    get(&get(signal, "reason"), "message").as_string().unwrap_or_else(|| "aborted by the caller".to_owned())
}
