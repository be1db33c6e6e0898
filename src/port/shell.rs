//! What the IDE can run: its shell, its build, its preview.

use super::{Abort, PortResult};
use serde::Deserialize;

/// What a command gave.
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
    /// What the model is told that it may run.
    fn describe(&self) -> Option<String>;
}

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

/// What a build gave.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub struct BuildReport {
    /// It produced an output.
    pub success: bool,
    /// What stops it.
    #[serde(default)]
    pub errors: Vec<BuildMessage>,
    /// What does not.
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
    /// Errors that the project threw while it ran.
    async fn runtime_errors(&self) -> PortResult<Vec<BuildMessage>>;
    /// The console, where the host captures it.
    async fn console(&self) -> PortResult<Option<Vec<ConsoleMessage>>>;
}
