//! What the IDE can run: its shell, its build, its preview.

use super::{Abort, Host, PortError, PortErrorKind, PortResult, with_timeout};
use crate::json;
use async_trait::async_trait;
use serde::Deserialize;
use serde_json::Value;

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellOutput {
    /// Zero means success.
    pub exit_code: u8,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// What the host's shell returned. Its exit code may be any value.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ShellAnswer {
    exit_code: Value,
    stdout: String,
    stderr: String,
}

impl ShellAnswer {
    /// The result of the command.
    ///
    /// # Errors
    /// [`Other`](PortErrorKind::Other), for the author of the port, if the exit code is not an integer from 0 to 255. Some
    /// shells have -1 or no exit code for a killed process.
    pub fn into_output(self) -> PortResult<ShellOutput> {
        let number = self.exit_code.as_f64();
        let is_exit_code = |number: &f64| number.fract() == 0.0 && (0.0..=255.0).contains(number);
        if let Some(code) = number.filter(is_exit_code) {
            return Ok(ShellOutput { exit_code: code as u8, stdout: self.stdout, stderr: self.stderr });
        }
        let returned = match (number, &self.exit_code) {
            (Some(number), _) => format!("the exit code {}", json::number(number)),
            (None, Value::Null) => "no exit code".to_owned(),
            (None, _) => "an exit code that is not a number".to_owned(),
        };
        let message = format!(
            "the shell returned {returned}; a shell port must return `exitCode`, an integer from 0 to 255. For a killed \
             process, return 128 plus the number of the signal"
        );
        Err(PortError::new("shell", "execute", PortErrorKind::Other, message))
    }
}

/// The host's shell.
#[async_trait(?Send)]
pub trait ShellPort {
    /// Runs a command in `cwd`.
    async fn execute(&self, command: &str, cwd: &str, timeout_ms: u64, abort: &Abort) -> PortResult<ShellOutput>;
    /// The commands that exist, as a text for the model.
    fn describe(&self) -> Option<String>;
}

/// Runs a command in the project's folder. The port ends it after `timeout_ms`; a port that does not is given up shortly
/// after, with [`Timeout`](super::PortErrorKind::Timeout).
pub async fn run_command(
    host: &Host,
    shell: &dyn ShellPort,
    command: &str,
    timeout_ms: u64,
    abort: &Abort,
) -> PortResult<ShellOutput> {
    let (call, limit) = (shell.execute(command, &host.dir, timeout_ms, abort), timeout_ms.saturating_add(GRACE_MS));
    with_timeout(&*host.clock, abort, limit, ("shell", "execute"), call).await
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
#[async_trait(?Send)]
pub trait BuildPort {
    /// The patterns of the files that a build writes, as in a `.gitignore`.
    fn writes(&self) -> &[String] {
        &[]
    }
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
#[async_trait(?Send)]
pub trait PreviewPort {
    /// Errors that the running project threw.
    async fn runtime_errors(&self) -> PortResult<Vec<BuildMessage>>;
    /// The console, if the host captures it.
    async fn console(&self) -> PortResult<Option<Vec<ConsoleMessage>>>;
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use serde_json::json;

    fn output(answer: Value) -> PortResult<ShellOutput> {
        json::from_value::<ShellAnswer>(answer).unwrap().into_output()
    }

    #[test]
    fn an_exit_code_is_an_integer_from_0_to_255() {
        for (exit_code, expected) in [(json!(0), 0), (json!(2.0), 2), (json!(255), 255)] {
            let output = output(json!({ "exitCode": exit_code, "stdout": "out" })).unwrap();
            assert_eq!(output, ShellOutput { exit_code: expected, stdout: "out".to_owned(), stderr: String::new() });
        }
    }

    #[test]
    fn another_exit_code_is_an_error_that_says_what_a_port_must_return() {
        for (answer, words) in [
            (json!({ "exitCode": 300 }), "returned the exit code 300; a"),
            (json!({ "exitCode": -1 }), "returned the exit code -1; a"),
            (json!({ "exitCode": 1.5 }), "returned the exit code 1.5; a"),
            (json!({ "exitCode": null }), "returned no exit code; a"),
            (json!({}), "returned no exit code; a"),
            (json!({ "exitCode": "0" }), "returned an exit code that is not a number; a"),
        ] {
            let error = output(answer).unwrap_err();
            assert_eq!((error.port, error.operation.as_str(), error.kind), ("shell", "execute", PortErrorKind::Other));
            let must = "must return `exitCode`, an integer from 0 to 255";
            assert!(error.message.contains(words) && error.message.contains(must), "{error}");
        }
    }
}
