//! The error of the library, with which calls reject.

use crate::port::{PortError, PortErrorKind};
use serde::{Deserialize, Serialize};
use std::fmt::{Display, Formatter};
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// A stable, machine-readable class of error. Messages may change; codes do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum ErrorCode {
    InvalidArgument,
    InvalidConfig,
    NotFound,
    /// The guard or a hook refused.
    Denied,
    /// Another run has the project's lease; [`ErrorReport::holder`] names it.
    Locked,
    /// Something changed concurrently, or already exists.
    Conflict,
    Fs,
    Git,
    Model,
    /// The shell or another IDE tool failed.
    Shell,
    /// Stored state is damaged.
    Corrupt,
    /// The host lacks a port, or this version lacks a feature.
    Unsupported,
    /// A bug in loopgate.
    Internal,
}

/// What went wrong, where, and what to do about it. One pointer wide, because every call has it in its result.
#[derive(Debug, Clone)]
pub struct Error(Box<ErrorReport>);

/// The run that has a project's lease.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    /// The run that writes the project.
    pub run_id: String,
    /// Random for each start and resume, because a run may be resumed elsewhere.
    pub id: String,
    /// Milliseconds since the epoch.
    pub since: u64,
}

/// The content of an [`Error`].
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct ErrorReport {
    pub code: ErrorCode,
    /// What, where, and what to do.
    pub message: String,
    /// The same call may succeed later.
    pub retryable: bool,
    pub path: Option<String>,
    /// 1-based line in that file.
    pub line: Option<u32>,
    /// 1-based, in UTF-16 code units.
    pub column: Option<u32>,
    /// Who has the lease, with the code `locked`.
    pub holder: Option<Holder>,
    /// The [`PortError`] or [`Cause`](crate::port::Cause), also as [`std::error::Error::source`].
    pub source: Option<Rc<dyn std::error::Error>>,
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

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref()
    }
}

impl Error {
    /// The message says what, where, and what to do.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let (message, retryable) = (message.into(), false);
        Self(Box::new(ErrorReport {
            code,
            message,
            retryable,
            path: None,
            line: None,
            column: None,
            holder: None,
            source: None,
        }))
    }

    #[must_use]
    #[expect(missing_docs, reason = "where a name says it all")]
    pub fn at_path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    #[must_use]
    #[expect(missing_docs, reason = "where a name says it all")]
    pub fn caused_by(mut self, source: impl std::error::Error + 'static) -> Self {
        self.source = Some(Rc::new(source));
        self
    }

    /// The port failure that caused it, if any.
    pub fn port_error(&self) -> Option<&PortError> {
        self.source.as_deref()?.downcast_ref()
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
        report.caused_by(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::Cause;
    use std::error::Error as _;

    #[test]
    fn the_sources_of_an_error_are_the_ports_failure_and_what_the_host_threw() {
        let mut failure = PortError::new("fs", "writeFile", PortErrorKind::Quota, "full").at_path("a");
        failure.cause = Some(Cause(Rc::new(7)));
        let error = Error::from(failure);
        assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Fs, Some("a")));
        assert_eq!(error.port_error().map(|failure| failure.kind), Some(PortErrorKind::Quota));
        let thrown = error.source().and_then(|failure| failure.source()).and_then(|source| source.downcast_ref());
        assert_eq!(thrown.and_then(|Cause(thrown)| thrown.downcast_ref()), Some(&7));
    }
}
