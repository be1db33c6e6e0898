//! Time: the host's `now` or the system clock, and timers.

use super::value::{given, method, wrong};
use crate::error::Error;
use crate::port::ClockPort;
use async_trait::async_trait;
use gloo::timers::future::TimeoutFuture;
use wasm_bindgen::JsValue;

/// Browsers treat a longer timeout as 0.
const LONGEST_TIMEOUT_MS: u64 = i32::MAX as u64;

/// The clock of a host.
pub struct JsClock {
    host: JsValue,
}

impl JsClock {
    /// Uses `host.now()` if present.
    pub fn new(host: &JsValue) -> Result<Self, Error> {
        match given(host, "now").filter(|now| !now.is_function()) {
            Some(now) => Err(wrong("now", "a function", &now)),
            None => Ok(Self { host: host.clone() }),
        }
    }

    /// The system clock.
    pub(super) fn system() -> Self {
        Self { host: JsValue::UNDEFINED }
    }
}

#[async_trait(?Send)]

impl ClockPort for JsClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock port")]
    fn now(&self) -> u64 {
        let reported =
            method(&self.host, "now").and_then(|now| now.call0(&self.host).ok()).and_then(|now| now.as_f64());
        reported.filter(|now| now.is_finite()).unwrap_or_else(js_sys::Date::now) as u64
    }

    async fn sleep(&self, ms: u64) {
        let mut left = ms;
        while left > LONGEST_TIMEOUT_MS {
            TimeoutFuture::new(LONGEST_TIMEOUT_MS as u32).await;
            left -= LONGEST_TIMEOUT_MS;
        }
        TimeoutFuture::new(left as u32).await;
    }
}
