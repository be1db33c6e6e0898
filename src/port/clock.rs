//! Time, as an argument.

use super::{Abort, PortError, PortErrorKind, PortResult};
use async_trait::async_trait;
use futures_util::future::{Either, select};
use std::future::Future;
use std::pin::pin;

/// The host's clock.
#[async_trait(?Send)]
pub trait ClockPort {
    /// Milliseconds since the epoch.
    fn now(&self) -> u64;
    /// Resolves after `ms` milliseconds.
    async fn sleep(&self, ms: u64);
}

/// Awaits a port's call for at most `limit_ms`, and ends at once when `abort` fires. A late answer is dropped.
pub async fn with_timeout<T>(
    clock: &dyn ClockPort,
    abort: &Abort,
    limit_ms: u64,
    (port, operation): (&'static str, &str),
    call: impl Future<Output = PortResult<T>>,
) -> PortResult<T> {
    match abort.race(select(pin!(call), pin!(clock.sleep(limit_ms)))).await {
        Err(aborted) => Err(PortError::new(port, operation, PortErrorKind::Aborted, aborted.reason)),
        Ok(Either::Left((result, _))) => result,
        Ok(Either::Right(_)) => Err(late(port, operation, limit_ms)),
    }
}

fn late(port: &'static str, operation: &str, limit_ms: u64) -> PortError {
    let message = format!("no answer within {limit_ms} ms; check that the host's {port} port settles its promises");
    PortError::new(port, operation, PortErrorKind::Timeout, message)
}
