//! Retries of the model: how long to wait, and when to give up.

use crate::run::fault::{Fault, FaultKind};
use crate::text::counted;
use serde::{Deserialize, Serialize};

/// Why the run waits, and which try follows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Wait {
    pub reason: String,
    /// The number of the next try.
    pub attempt: u32,
    /// The number of the last try.
    pub of: u32,
}

impl Wait {
    /// The wait after this many failures, of which `max` are one too many.
    pub(crate) fn after(failures: u32, max: u32, reason: &str) -> Self {
        Self { reason: reason.to_owned(), attempt: failures.saturating_add(1), of: max }
    }
}

/// The wait before the next model call after this many failures in a row, in milliseconds; `None` if the model is not
/// called again. Overload and lost connections usually end, silence rarely, a refusal never.
pub(super) fn retry(fault: &Fault, failures: u32, max: u32) -> Option<u64> {
    let wait = fault.retry_after_ms.unwrap_or_else(|| backoff(failures));
    (failures <= retries(fault.kind, max) && wait <= WAIT_MAX_MS).then_some(wait)
}

/// How often a call that failed like this is repeated, if others are repeated `max` times.
pub(super) fn retries(kind: FaultKind, max: u32) -> u32 {
    match kind {
        FaultKind::RateLimited | FaultKind::Unavailable => max,
        FaultKind::Timeout => max.min(1),
        FaultKind::Lasting => 0,
    }
}

/// The longest wait that a provider may ask for, in milliseconds. A longer one ends the run: the user resumes it later.
const WAIT_MAX_MS: u64 = 600_000;

/// The fault of a model that is not called again.
pub(super) fn given_up(fault: &Fault) -> Fault {
    match fault.retry_after_ms.filter(|wait| *wait > WAIT_MAX_MS) {
        Some(wait) => {
            let minutes = counted(wait.div_ceil(60_000), "minute");
            let message = format!("{}; the provider asks for a wait of {minutes}: resume the run then", fault.message);
            Fault { message, ..fault.clone() }
        }
        None => fault.clone(),
    }
}

/// 2, 4, 8, 16, 32, 60, 60 … seconds.
pub(crate) fn backoff(failures: u32) -> u64 {
    2_000_u64.checked_shl(failures.saturating_sub(1)).unwrap_or(60_000).min(60_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorCode;

    #[test]
    fn the_configured_number_of_retries_is_the_limit_also_above_the_default() {
        let fault = |kind| Fault { kind, ..Fault::new(ErrorCode::Model, "busy") };
        for (kind, max, retries) in [
            (FaultKind::RateLimited, 12, 12),
            (FaultKind::Unavailable, 12, 12),
            (FaultKind::Unavailable, 2, 2),
            (FaultKind::Timeout, 12, 1),
            (FaultKind::Timeout, 0, 0),
            (FaultKind::Lasting, 12, 0),
        ] {
            let waits = (1..=20).map_while(|failures| retry(&fault(kind), failures, max)).count();
            assert_eq!(waits, retries, "{kind:?} with at most {max}");
        }
    }

    #[test]
    fn the_wait_is_the_one_that_the_provider_asks_for() {
        let fault = |ms| Fault {
            kind: FaultKind::RateLimited,
            retry_after_ms: Some(ms),
            ..Fault::new(ErrorCode::Model, "busy")
        };
        assert_eq!(retry(&fault(7_000), 3, 5), Some(7_000));
        assert_eq!(retry(&fault(WAIT_MAX_MS + 1), 1, 5), None);
    }

    #[test]
    fn backoff_doubles_up_to_a_minute() {
        let waits: Vec<u64> = (1..=7).map(backoff).collect();
        assert_eq!(waits, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
        assert_eq!(backoff(u32::MAX), 60_000);
    }
}
