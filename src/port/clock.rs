//! Time, as an argument.

use super::{Abort, PortError, PortErrorKind, PortResult};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

/// The host's clock.
pub trait ClockPort {
    /// Milliseconds since the epoch.
    fn now(&self) -> u64;
    /// Resolves after `ms` milliseconds.
    async fn sleep(&self, ms: u64);
}

/// Awaits a port's call for at most `limit_ms`, and ends at once when `abort` fires. A late answer is dropped.
pub async fn with_timeout<T>(
    clock: &impl ClockPort,
    abort: &Abort,
    limit_ms: u64,
    (port, operation): (&'static str, &str),
    call: impl Future<Output = PortResult<T>>,
) -> PortResult<T> {
    let (mut fired, mut call, mut over) = (pin!(abort.fired()), pin!(call), pin!(clock.sleep(limit_ms)));
    poll_fn(|context| {
        if let Poll::Ready(aborted) = fired.as_mut().poll(context) {
            return Poll::Ready(Err(PortError::new(port, operation, PortErrorKind::Aborted, aborted.reason)));
        }
        if let Poll::Ready(result) = call.as_mut().poll(context) {
            return Poll::Ready(result);
        }
        over.as_mut().poll(context).map(|()| Err(late(port, operation, limit_ms)))
    })
    .await
}

fn late(port: &'static str, operation: &str, limit_ms: u64) -> PortError {
    let message = format!("no answer within {limit_ms} ms; check that the host's {port} port settles its promises");
    PortError::new(port, operation, PortErrorKind::Timeout, message)
}
