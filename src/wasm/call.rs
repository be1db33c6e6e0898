//! Calls JavaScript. No other module does.

use super::error::port_error;
use super::value::{Unreadable, from_js, get, kind};
use crate::port::{Abort, PortError, PortErrorKind, PortResult};
use futures_util::future::{Either, select};
use gloo::timers::future::TimeoutFuture;
use js_sys::{Array, Function, Promise, Reflect};
use serde::de::DeserializeOwned;
use std::cell::Cell;
use std::future::Future;
use std::pin::pin;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal, DomException};

#[wasm_bindgen(module = "/src/wasm/page.js")]
extern "C" {
    #[wasm_bindgen(js_name = pause)]
    fn due_pause() -> Option<Promise>;
}

/// Lets other tasks of the thread run if the last pause is some time ago.
pub(super) async fn pause() {
    if let Some(pause) = due_pause() {
        let _ = JsFuture::from(pause).await;
    }
}

#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    /// As in [`PortError::port`].
    pub port: &'static str,
    /// The method's name in the host.
    pub operation: &'a str,
    pub path: Option<&'a str>,
    /// Timeout in milliseconds; `None` if the core sets the timeout or a person is asked.
    pub limit_ms: Option<u32>,
}

impl Call<'_> {
    /// Calls a method with the right `this` and awaits its result, which need not be a promise.
    pub(super) async fn method(&self, target: &JsValue, arguments: &Array) -> PortResult<JsValue> {
        let method = get(target, self.operation);
        match method.dyn_ref::<Function>() {
            Some(method) => self.function(method, target, arguments).await,
            None => Err(self.error(
                PortErrorKind::Unsupported,
                format!("the host's {} port has no method `{}`", self.port, self.operation),
            )),
        }
    }

    /// Calls a function and awaits its result.
    pub(super) async fn function(&self, function: &Function, this: &JsValue, arguments: &Array) -> PortResult<JsValue> {
        let answer = Reflect::apply(function, this, arguments).map_err(|thrown| self.thrown(thrown))?;
        self.answer(answer).await
    }

    /// Awaits the result of a call, and lets the thread do other work from time to time.
    pub(super) async fn answer(&self, answer: JsValue) -> PortResult<JsValue> {
        // A value that is not a promise is awaited too, so synchronous hosts behave like others.
        let answer = pin!(JsFuture::from(Promise::resolve(&answer)));
        let settled = match self.limit_ms {
            None => answer.await,
            Some(limit) => match select(answer, TimeoutFuture::new(limit)).await {
                Either::Left((settled, _)) => settled,
                Either::Right(_) => {
                    let port = self.port;
                    return Err(self.error(
                        PortErrorKind::Timeout,
                        format!("no answer within {limit} ms; check that the host's {port} port settles its promises"),
                    ));
                }
            },
        };
        pause().await;
        settled.map_err(|thrown| self.thrown(thrown))
    }

    pub(super) fn read<T: DeserializeOwned>(&self, answer: &JsValue) -> PortResult<T> {
        from_js(answer).map_err(|Unreadable { why, cause }| {
            let mut error = self.unreadable(&why);
            error.cause = cause;
            error
        })
    }

    fn unreadable(&self, why: &str) -> PortError {
        self.error(PortErrorKind::Other, format!("the answer cannot be read: {why}"))
    }

    /// An error for a result of the wrong kind.
    pub(super) fn unexpected(&self, answer: &JsValue, expected: &str) -> PortError {
        self.unreadable(&format!("{} instead of {expected}", kind(answer)))
    }

    pub(super) fn error(&self, kind: PortErrorKind, message: impl Into<String>) -> PortError {
        let error = PortError::new(self.port, self.operation, kind, message);
        match self.path {
            Some(path) => error.at_path(path),
            None => error,
        }
    }

    fn thrown(&self, thrown: JsValue) -> PortError {
        let mut error = port_error(self.port, self.operation, thrown);
        error.path = self.path.map(str::to_owned);
        error
    }

    /// Makes a call with an `AbortSignal`. The signal fires when `abort` does, and when the future is dropped; later
    /// results are ignored.
    pub(super) async fn abortable<T, F>(&self, abort: &Abort, make: impl FnOnce(AbortSignal) -> F) -> PortResult<T>
    where
        F: Future<Output = PortResult<T>>,
    {
        let controller = AbortController::new().map_err(|thrown| self.thrown(thrown))?;
        let cancel = Cancel { controller, settled: Cell::new(false) };
        match abort.race(make(cancel.controller.signal())).await {
            Ok(result) => {
                cancel.settled.set(true);
                result
            }
            Err(aborted) => {
                cancel.fire(&aborted.reason);
                Err(self.error(PortErrorKind::Aborted, aborted.reason))
            }
        }
    }
}

/// Aborts the host's call once, unless the call has settled.
struct Cancel {
    controller: AbortController,
    settled: Cell<bool>,
}

impl Cancel {
    /// Hosts expect the same reason as from `fetch`.
    fn fire(&self, reason: &str) {
        if !self.settled.replace(true) {
            match DomException::new_with_message_and_name(reason, "AbortError") {
                Ok(reason) => self.controller.abort_with_reason(&reason),
                Err(_) => self.controller.abort(),
            }
        }
    }
}

impl Drop for Cancel {
    fn drop(&mut self) {
        self.fire("the caller no longer waits for the answer");
    }
}
