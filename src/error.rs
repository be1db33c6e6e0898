//! The one error at the edge: what a host of the library sees when a call rejects.

use crate::port::{Cause, PortError, PortErrorKind};
use serde::{Deserialize, Serialize};
use std::fmt;

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
    /// Another run holds the project.
    Locked,
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

/// What went wrong, where, and what to do about it.
#[derive(Debug, Clone)]
pub struct Error {
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

impl Error {
    /// An error of `code` with a message that says what, where, and what to do.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retryable: false, path: None, line: None, column: None, cause: None }
    }

    /// Names the file that the error is about.
    #[must_use]
    pub fn at_path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

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
        Self {
            code,
            message: error.to_string(),
            retryable: error.is_retryable(),
            path: error.path,
            line: None,
            column: None,
            cause: error.cause,
        }
    }
}
