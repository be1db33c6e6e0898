//! Time, as an argument.

use super::{Abort, PortError, PortErrorKind, PortResult};
use futures_util::future::{Either, select};
use std::future::Future;
use std::pin::pin;

/// The host's clock.
pub trait ClockPort {
    /// Milliseconds since the epoch.
    fn now(&self) -> u64;
    /// Resolves after `ms` milliseconds.
    async fn sleep(&self, ms: u64);
}

/// Awaits a port's call, but no longer than `limit_ms`, and ends at once when `abort` fires. The call's late
/// answer is dropped with it.
pub async fn with_timeout<T>(
    clock: &impl ClockPort,
    abort: &Abort,
    limit_ms: u64,
    (port, operation): (&'static str, &str),
    call: impl Future<Output = PortResult<T>>,
) -> PortResult<T> {
    let limited = async {
        match select(pin!(call), pin!(clock.sleep(limit_ms))).await {
            Either::Left((result, _)) => result,
            Either::Right(_) => Err(PortError::new(
                port,
                operation,
                PortErrorKind::Timeout,
                format!("no answer within {limit_ms} ms; check that the host's {port} port settles its promises"),
            )),
        }
    };
    match abort.race(limited).await {
        Ok(result) => result,
        Err(aborted) => Err(PortError::new(port, operation, PortErrorKind::Aborted, aborted.reason)),
    }
}
