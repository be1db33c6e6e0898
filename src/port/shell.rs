//! What the IDE can run: its shell, its build, its preview.

use super::{Abort, PortResult};
use crate::json::{Fields, FromJson, Unfit};
use serde_json::Value;

/// What a command gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellOutput {
    /// Zero means success.
    pub exit_code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl FromJson for ShellOutput {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self {
            exit_code: fields.get("exitCode")?,
            stdout: fields.get_or_default("stdout")?,
            stderr: fields.get_or_default("stderr")?,
        })
    }
}

/// The host's shell.
pub trait ShellPort {
    /// Runs a command in `cwd`.
    async fn execute(&self, command: &str, cwd: &str, timeout_ms: u64, abort: &Abort) -> PortResult<ShellOutput>;
    /// What the model is told that it may run.
    fn describe(&self) -> Option<String>;
}

/// A message of a build or of the running preview.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
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

impl FromJson for BuildMessage {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self {
            message: fields.get("message")?,
            file: fields.get("file")?,
            line: fields.get("line")?,
            column: fields.get("column")?,
        })
    }
}

/// What a build gave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BuildReport {
    /// It produced an output.
    pub success: bool,
    /// What stops it.
    pub errors: Vec<BuildMessage>,
    /// What does not.
    pub warnings: Vec<BuildMessage>,
}

impl FromJson for BuildReport {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self {
            success: fields.get("success")?,
            errors: fields.get_or_default("errors")?,
            warnings: fields.get_or_default("warnings")?,
        })
    }
}

/// The host's bundler.
pub trait BuildPort {
    /// Builds the project as it is.
    async fn build(&self, abort: &Abort) -> PortResult<BuildReport>;
}

/// A line of the preview's console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsoleMessage {
    /// `log`, `warn`, `error`, …
    pub level: String,
    /// The text.
    pub message: String,
}

impl FromJson for ConsoleMessage {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self { level: fields.get("level")?, message: fields.get("message")? })
    }
}

/// The host's preview of the running project.
pub trait PreviewPort {
    /// Errors that the project threw while it ran.
    async fn runtime_errors(&self) -> PortResult<Vec<BuildMessage>>;
    /// The console, where the host captures it.
    async fn console(&self) -> PortResult<Option<Vec<ConsoleMessage>>>;
}
