//! Time: the host's `now`, or the machine's; timers of the platform.

use super::value::method;
use crate::port::ClockPort;
use gloo::timers::future::TimeoutFuture;
use wasm_bindgen::JsValue;

/// Browsers take a longer timeout for none at all.
const LONGEST_TIMEOUT_MS: u64 = i32::MAX as u64;

/// The clock of a host.
pub struct JsClock {
    host: JsValue,
}

impl JsClock {
    /// Asks `host.now()` where the host has it.
    pub fn new(host: &JsValue) -> Self {
        Self { host: host.clone() }
    }
}

impl ClockPort for JsClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock port")]
    fn now(&self) -> u64 {
        let told = method(&self.host, "now").and_then(|now| now.call0(&self.host).ok()).and_then(|now| now.as_f64());
        told.filter(|now| now.is_finite()).unwrap_or_else(js_sys::Date::now) as u64
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
