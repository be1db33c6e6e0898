//! A failure of the host as data, for the journal.

use crate::error::{Error, ErrorCode};
use crate::port::{PortError, PortErrorKind};
use serde::{Deserialize, Serialize};

/// A failure of the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Fault {
    pub code: ErrorCode,
    pub message: String,
    #[serde(default, skip_serializing_if = "FaultKind::is_lasting")]
    pub kind: FaultKind,
    /// How long the provider asked to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// A resumed run repeats the step, which may succeed then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub retryable: bool,
}

/// Whether the same call may succeed later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum FaultKind {
    RateLimited,
    /// Overload or a lost connection.
    Unavailable,
    /// The model was silent for too long.
    Timeout,
    #[default]
    Lasting,
}

impl FaultKind {
    fn is_lasting(&self) -> bool {
        *self == Self::Lasting
    }
}

impl Fault {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), kind: FaultKind::Lasting, retry_after_ms: None, retryable: false }
    }

    /// A step that judges gave no verdict. The work is unchanged, and a resumed run repeats the step.
    pub(super) fn inconclusive(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { retryable: true, ..Self::new(code, message) }
    }

    /// The error that the caller gets. `cause` is the host's own error, if this page met it.
    pub(super) fn into_error(self, cause: Option<Error>) -> Error {
        let mut error = Error::new(self.code, self.message);
        error.retryable = self.retryable;
        if let Some(cause) = cause {
            (error.retryable, error.path, error.source) = (cause.retryable, cause.path.clone(), cause.source.clone());
        }
        error
    }
}

impl From<&Error> for Fault {
    fn from(error: &Error) -> Self {
        Self { retryable: error.retryable, ..Self::new(error.code, error.message.clone()) }
    }
}

impl From<&PortError> for Fault {
    fn from(error: &PortError) -> Self {
        let (kind, retry_after_ms) = match error.kind {
            PortErrorKind::RateLimited(after) => (FaultKind::RateLimited, after),
            PortErrorKind::Unavailable => (FaultKind::Unavailable, None),
            PortErrorKind::Timeout => (FaultKind::Timeout, None),
            _ => (FaultKind::Lasting, None),
        };
        Self { kind, retry_after_ms, ..Self::from(&Error::from(error.clone())) }
    }
}
