//! The gates that call the host: `build-succeeds`, `runtime-errors`, `console-capture`, and the IDE's own gates.

use crate::gate::feedback::{clip, list_entries};
use crate::gate::{Check, Finding, Gate, Judgement, ReportFile};
use crate::layout::{BUILD_ERRORS, CONSOLE, RUNTIME_ERRORS as ERRORS};
use crate::port::{Abort, BuildMessage, BuildReport, ConsoleMessage, GatePort, Host, Phase, PortResult, with_timeout};
use crate::text::{bullets, shortened};

/// The IDE's bundler builds the project. Applies if the host has a build. A build that cannot run or times out gives no
/// verdict.
pub(super) const BUILD_SUCCEEDS: Gate =
    Gate { name: "build-succeeds", description: "the project builds", check: Check::Build };
/// Applies if the host has a preview.
pub(super) const RUNTIME_ERRORS: Gate =
    Gate { name: "runtime-errors", description: "the project runs without throwing", check: Check::RuntimeErrors };
/// Applies if the host has a preview. Errors on the console warn and never fail, because libraries and browsers write there
/// too. Exceptions of the project are checked by `runtime-errors`.
pub(super) const CONSOLE_CAPTURE: Gate =
    Gate { name: "console-capture", description: "the console shows no errors", check: Check::Console };

/// Timeout of a build, in milliseconds.
const BUILD_LIMIT_MS: u64 = 120_000;
/// Timeout of the preview and of a gate of the IDE, in milliseconds.
const LIMIT_MS: u64 = 60_000;
/// Maximum number of messages in a report file.
const FILED: usize = 100;
/// Maximum length of a message, in characters.
const MESSAGE_CHARS: usize = 500;

pub(super) async fn build(host: &Host, abort: &Abort) -> PortResult<Finding> {
    let Some(port) = host.build.as_deref() else { return Ok(Err("the host has no build".to_owned())) };
    let built = with_timeout(&*host.clock, abort, BUILD_LIMIT_MS, ("build", "build"), port.build(abort)).await?;
    Ok(Ok(of_build(&built, &host.dir)))
}

fn of_build(built: &BuildReport, dir: &str) -> Judgement {
    let (mut errors, warnings) = (lines(&built.errors, dir), lines(&built.warnings, dir));
    if built.success {
        let judgement = match warnings.as_slice() {
            [] => Judgement::pass(),
            warnings => Judgement::warn(format!("The build succeeds, with warnings:\n{}", list_entries(warnings))),
        };
        return Judgement { file: file(BUILD_ERRORS, "Build errors", &[]), ..judgement };
    }
    if errors.is_empty() {
        errors.push("the build failed without an error message".to_owned());
    }
    let text = format!(
        "The build failed:\n{}\nFix the first error first; later errors often follow from it. {BUILD_ERRORS} lists all of \
         them.",
        list_entries(&errors)
    );
    Judgement { file: file(BUILD_ERRORS, "Build errors", &errors), ..Judgement::fail(text) }
}

pub(super) async fn runtime_errors(host: &Host, abort: &Abort) -> PortResult<Finding> {
    let Some(port) = host.preview.as_deref() else { return Ok(no_preview()) };
    let call = ("preview", "runtimeErrors");
    let errors = with_timeout(&*host.clock, abort, LIMIT_MS, call, port.runtime_errors()).await?;
    let errors = lines(&errors, &host.dir);
    let judgement = match errors.as_slice() {
        [] => Judgement::pass(),
        errors => Judgement::fail(format!(
            "The project throws while it runs:\n{}\nFind and fix the cause of each error. {ERRORS} lists all of them.",
            list_entries(errors)
        )),
    };
    Ok(Ok(Judgement { file: file(ERRORS, "Runtime errors", &errors), ..judgement }))
}

pub(super) async fn console(host: &Host, abort: &Abort) -> PortResult<Finding> {
    let Some(port) = host.preview.as_deref() else { return Ok(no_preview()) };
    let console = with_timeout(&*host.clock, abort, LIMIT_MS, ("preview", "console"), port.console()).await?;
    Ok(Ok(console.map_or_else(Judgement::pass, |console| of_console(&console))))
}

fn of_console(console: &[ConsoleMessage]) -> Judgement {
    let lines: Vec<String> =
        console.iter().map(|entry| single(&format!("{}: {}", entry.level, entry.message))).collect();
    let errors = console.iter().filter(|entry| entry.level.eq_ignore_ascii_case("error"));
    let errors: Vec<String> = errors.map(|entry| single(&entry.message)).collect();
    let judgement = match errors.as_slice() {
        [] => Judgement::pass(),
        errors => Judgement::warn(format!(
            "The console shows {} error(s); see {CONSOLE}:\n{}",
            errors.len(),
            list_entries(errors)
        )),
    };
    Judgement { file: file(CONSOLE, "Console", &lines), ..judgement }
}

fn no_preview() -> Finding {
    Err("the host has no preview".to_owned())
}

/// The judgement of a gate of the IDE.
pub(crate) async fn ide_gate(gate: &dyn GatePort, host: &Host, abort: &Abort) -> PortResult<Finding> {
    let call = gate.check(Phase::Check, abort);
    let answer = with_timeout(&*host.clock, abort, LIMIT_MS, ("gate", "check"), call).await?;
    let feedback = answer.feedback.filter(|text| !text.trim().is_empty()).map(|text| clip(&text));
    if answer.pass {
        return Ok(Ok(Judgement { feedback, ..Judgement::pass() }));
    }
    let default = || format!("This gate of the IDE failed without saying why. It checks: {}", clip(gate.description()));
    Ok(Ok(Judgement::fail(feedback.unwrap_or_else(default))))
}

/// The messages as a file; without messages it is removed.
fn file(path: &'static str, title: &str, messages: &[String]) -> Option<ReportFile> {
    let text = (!messages.is_empty()).then(|| format!("# {title}\n\n{}\n", bullets(messages, FILED, messages.len())));
    Some(ReportFile { path, text })
}

fn lines(messages: &[BuildMessage], dir: &str) -> Vec<String> {
    messages.iter().map(|message| line(message, dir)).collect()
}

/// A message with its position: `src/App.tsx:3:7: Unexpected token`. `dir` is the project's folder.
fn line(message: &BuildMessage, dir: &str) -> String {
    let file = message.file.as_deref().map(|file| relative(file, dir));
    let place = match (file, message.line, message.column) {
        (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}: "),
        (Some(file), Some(line), None) => format!("{file}:{line}: "),
        (Some(file), None, _) => format!("{file}: "),
        (None, ..) => String::new(),
    };
    let text = message.message.trim();
    single(&format!("{place}{}", if text.is_empty() { "(no message)" } else { text }))
}

/// A text as one list entry: bounded, with later lines indented.
fn single(text: &str) -> String {
    shortened(clip(text).trim(), MESSAGE_CHARS).replace('\n', "\n  ")
}

fn relative<'a>(file: &'a str, dir: &str) -> &'a str {
    match file.strip_prefix(dir) {
        Some(rest) if !dir.is_empty() && rest.starts_with('/') => rest.trim_start_matches('/'),
        _ => file.strip_prefix("./").unwrap_or(file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_the_known_part_of_its_position() {
        for (file, at, column, expected) in [
            (Some("src/a.ts"), Some(3), Some(7), "src/a.ts:3:7: no"),
            (Some("/project/src/a.ts"), Some(3), None, "src/a.ts:3: no"),
            (Some("./src/a.ts"), None, Some(7), "src/a.ts: no"),
            (Some("/projects/a.ts"), None, None, "/projects/a.ts: no"),
            (None, Some(3), Some(7), "no"),
        ] {
            let message = BuildMessage { message: "no".to_owned(), file: file.map(str::to_owned), line: at, column };
            assert_eq!(line(&message, "/project"), expected);
        }
        assert_eq!(line(&BuildMessage::default(), "/project"), "(no message)");
    }

    #[test]
    fn messages_are_bounded() {
        assert_eq!(single(&"é".repeat(9_999)).chars().count(), MESSAGE_CHARS);
        assert_eq!(single("a\nb\u{1b}[0m"), "a\n  b");
    }
}
