//! The failure of a port.

use std::any::Any;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// The result of a port's call.
pub type PortResult<T> = Result<T, PortError>;

/// What the host threw, opaque to the core. The binding that made it knows its type.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the host threw")]
pub struct Cause(pub Rc<dyn Any>);

/// The classes of failure that the core distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum PortErrorKind {
    /// No such file, ref or object.
    NotFound,
    Exists,
    NotDirectory,
    IsDirectory,
    NotEmpty,
    /// The guard or a hook refused it.
    Denied,
    Quota,
    /// A ref was not what the caller expected.
    Conflict,
    /// No answer within the limit.
    Timeout,
    /// The caller's abort ended it.
    Aborted,
    /// The host lacks it.
    Unsupported,
    /// Too many requests, or an overload with a time to wait; milliseconds to wait, if the provider gave a time.
    RateLimited(Option<u64>),
    /// A temporary fault of the other side, such as a lost connection or a 5xx answer.
    Unavailable,
    /// Anything else.
    Other,
}

/// A port's failure: which port, which call, on what, and why. One pointer wide, because every call of a port
/// carries it in its result.
#[derive(Debug, Clone)]
pub struct PortError(Box<PortFailure>);

/// The content of a [`PortError`].
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct PortFailure {
    /// `fs`, `git`, `model`, `shell`, `build`, `preview`, `tool`, `gate`, `hook` or `recipes`.
    pub port: &'static str,
    /// The call, as the host knows it: `writeFile`, `readTree`.
    pub operation: String,
    /// The file that it is about, if any.
    pub path: Option<String>,
    pub kind: PortErrorKind,
    pub message: String,
    pub cause: Option<Cause>,
}

impl Deref for PortError {
    type Target = PortFailure;

    fn deref(&self) -> &PortFailure {
        &self.0
    }
}

impl DerefMut for PortError {
    fn deref_mut(&mut self) -> &mut PortFailure {
        &mut self.0
    }
}

impl PortError {
    /// A failure of `operation` of `port`.
    pub fn new(
        port: &'static str,
        operation: impl Into<String>,
        kind: PortErrorKind,
        message: impl Into<String>,
    ) -> Self {
        let (operation, message) = (operation.into(), message.into());
        Self(Box::new(PortFailure { port, operation, path: None, kind, message, cause: None }))
    }

    /// Something is a pipe, a socket or a device.
    pub fn special(operation: &str, path: &str) -> Self {
        let message = format!(
            "{path} is a pipe, a socket or a device, which is never opened; replace it with a file, or remove it"
        );
        Self::new("fs", operation, PortErrorKind::Denied, message).at_path(path)
    }

    /// Names the file that the failure is about.
    #[must_use]
    pub fn at_path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Something does not exist.
    pub fn is_not_found(&self) -> bool {
        self.kind == PortErrorKind::NotFound
    }

    /// The same call may succeed later, unchanged.
    pub fn is_retryable(&self) -> bool {
        matches!(self.kind, PortErrorKind::Timeout | PortErrorKind::RateLimited(_) | PortErrorKind::Unavailable)
    }
}

impl fmt::Display for PortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.path.as_ref().map(|path| format!(" of {path}")).unwrap_or_default();
        match self.port {
            "model" => write!(f, "the model failed: {}", self.message),
            port => write!(f, "{port}.{}{place} failed: {}", self.operation, self.message),
        }
    }
}

impl std::error::Error for PortError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().map(|cause| cause as _)
    }
}
