//! What the IDE can run: its shell, its build, its preview.

use super::{Abort, Host, PortResult, with_timeout};
use serde::Deserialize;

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShellOutput {
    /// Zero means success.
    pub exit_code: i32,
    /// Standard output.
    #[serde(default)]
    pub stdout: String,
    /// Standard error.
    #[serde(default)]
    pub stderr: String,
}

/// The host's shell.
pub trait ShellPort {
    /// Runs a command in `cwd`.
    async fn execute(&self, command: &str, cwd: &str, timeout_ms: u64, abort: &Abort) -> PortResult<ShellOutput>;
    /// The commands that exist, as a text for the model.
    fn describe(&self) -> Option<String>;
}

/// Runs a command in the project's folder. The port ends it after `timeout_ms`; a port that does not is given up shortly
/// after, with [`Timeout`](super::PortErrorKind::Timeout).
pub async fn run_command<H: Host>(
    host: &H,
    shell: &H::Shell,
    command: &str,
    timeout_ms: u64,
    abort: &Abort,
) -> PortResult<ShellOutput> {
    let (call, limit) = (shell.execute(command, host.dir(), timeout_ms, abort), timeout_ms.saturating_add(GRACE_MS));
    with_timeout(host.clock(), abort, limit, ("shell", "execute"), call).await
}

/// Extra time for the shell to report its own timeout, in milliseconds.
const GRACE_MS: u64 = 2_000;

/// A message of a build or of the running preview.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub struct BuildMessage {
    /// What is wrong.
    pub message: String,
    /// The file, relative to the project.
    pub file: Option<String>,
    /// 1-based.
    pub line: Option<u32>,
    /// 1-based.
    pub column: Option<u32>,
}

/// The result of a build.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub struct BuildReport {
    /// It produced an output.
    pub success: bool,
    /// Fatal messages.
    #[serde(default)]
    pub errors: Vec<BuildMessage>,
    /// Other messages.
    #[serde(default)]
    pub warnings: Vec<BuildMessage>,
}

/// The host's bundler.
pub trait BuildPort {
    /// Builds the project as it is.
    async fn build(&self, abort: &Abort) -> PortResult<BuildReport>;
}

/// A line of the preview's console.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ConsoleMessage {
    /// `log`, `warn`, `error`, …
    pub level: String,
    /// The text.
    pub message: String,
}

/// The host's preview of the running project.
pub trait PreviewPort {
    /// Errors that the running project threw.
    async fn runtime_errors(&self) -> PortResult<Vec<BuildMessage>>;
    /// The console, if the host captures it.
    async fn console(&self) -> PortResult<Option<Vec<ConsoleMessage>>>;
}
