//! The one error at the edge: what a host of the library sees when a call rejects.

use crate::port::{Cause, PortError, PortErrorKind};
use serde::{Deserialize, Serialize};
use std::ops::{Deref, DerefMut};

/// A stable, machine-readable class of error. The texts may change, the codes do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
pub enum ErrorCode {
    /// An argument of the call is wrong.
    InvalidArgument,
    /// A configuration value is wrong.
    InvalidConfig,
    /// What was named does not exist.
    NotFound,
    /// The guard or a hook refused it.
    Denied,
    /// Something changed underneath.
    Conflict,
    /// The file system failed.
    Fs,
    /// Git failed.
    Git,
    /// The model failed.
    Model,
    /// The shell, or another of the IDE's tools, failed.
    Shell,
    /// Stored state cannot be trusted.
    Corrupt,
    /// The host lacks a port, or this version lacks the feature.
    Unsupported,
    /// A fault of loopgate.
    Internal,
}

/// What went wrong, where, and what to do about it. One pointer wide, because every call carries it in its result.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}", self.message)]
pub struct Error(Box<ErrorReport>);

/// What an [`Error`] tells.
#[derive(Debug, Clone)]
pub struct ErrorReport {
    /// The stable class.
    pub code: ErrorCode,
    /// What, where, and what to do.
    pub message: String,
    /// The same call may succeed later, unchanged.
    pub retryable: bool,
    /// The file that it is about, if any.
    pub path: Option<String>,
    /// 1-based line in that file.
    pub line: Option<u32>,
    /// 1-based column in UTF-16 code units.
    pub column: Option<u32>,
    /// What the host threw, kept as it was.
    pub cause: Option<Cause>,
}

impl Deref for Error {
    type Target = ErrorReport;

    fn deref(&self) -> &ErrorReport {
        &self.0
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut ErrorReport {
        &mut self.0
    }
}

impl Error {
    /// An error of `code` with a message that says what, where, and what to do.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let (message, retryable) = (message.into(), false);
        Self(Box::new(ErrorReport { code, message, retryable, path: None, line: None, column: None, cause: None }))
    }

    /// Names the file that the error is about.
    #[must_use]
    pub fn at_path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }
}

impl From<PortError> for Error {
    fn from(error: PortError) -> Self {
        let code = match (error.port, error.kind) {
            (_, PortErrorKind::Denied) => ErrorCode::Denied,
            (_, PortErrorKind::Unsupported) => ErrorCode::Unsupported,
            ("fs", _) => ErrorCode::Fs,
            ("git", _) => ErrorCode::Git,
            ("model", _) => ErrorCode::Model,
            _ => ErrorCode::Shell,
        };
        let mut report = Self::new(code, error.to_string());
        report.retryable = error.is_retryable();
        report.path.clone_from(&error.path);
        report.cause.clone_from(&error.cause);
        report
    }
}
