//! `shell`: runs a command in the IDE's shell.

use super::{BuiltIn, Context, Failure, Outcome, Signature, fail, text};
use crate::agent::arguments::Args;
use crate::agent::calls::RESULT_CAP;
use crate::agent::guard::{Denied, Rule};
use crate::agent::line_links::linked_denial;
use crate::path;
use crate::port::{AskedLine, Host, LineDenial, ShellOutput, ShellPort, run_command};
use crate::shell_words::{Command, Line};
use crate::text::head_and_tail;

pub(super) fn schema(host: &Host) -> Signature {
    let described =
        host.shell.as_deref().and_then(ShellPort::describe).map(|what| format!(" {what}")).unwrap_or_default();
    let description = format!("Runs a command in the project's folder. Returns its exit code and output.{described}");
    (description, const { &[text("command", "The command")] }, &["command"])
}

/// Refused in PLAN, because a command could change any file.
pub(super) async fn run(context: &Context<'_>, args: Args<'_>) -> Outcome {
    let command = args.text("command");
    let Some(shell) = context.host.shell.as_deref() else {
        return fail("this IDE has no shell; use read_file, write_file, edit_file, list_files and search");
    };
    if command.trim().is_empty() {
        return fail("`command` is empty");
    }
    let rights = context.input.rights;
    if let Some(message) = rights.no_command() {
        return Err(context.files.refuse("shell", command, Denied::new(Rule::of_area(rights), message)).into());
    }
    let (tool, dir, is_undone) = (BuiltIn::Shell.name(), &context.host.dir, context.host.git.is_some());
    let asked = AskedLine { tool, dir, line: command, is_undone };
    let denial = match rights.line_denial(asked) {
        None => {
            let linked = linked_denial(&*context.host.fs, rights, asked).await;
            linked.map(|rule| LineDenial { rule, is_guess: false })
        }
        denial => denial,
    };
    if let Some(LineDenial { rule, is_guess }) = denial {
        if is_guess {
            let message = format!(
                "this line cannot be read exactly or is too long, so the rule of the policy that may concern it holds \
                 ({}): make one call for each command, in plain words",
                rule.source()
            );
            return Err(context
                .files
                .refuse("shell", command, Denied { message, ..Denied::by_policy(rule, "") })
                .into());
        }
        return Err(context.files.refuse("shell", command, Denied::by_policy(rule, command)).into());
    }
    if let Some(theme) = rights.theme.as_ref().filter(|_| sets_theme(command)) {
        return fail(format!(
            "not run: the harness applied the plan's <Theme> (`{theme}`), and the theme is locked. Refine it with \
             `theme modify`, for example `theme modify --shift-hue <deg> --apply`"
        ));
    }
    report(&run_command(context.host, shell, command, TIMEOUT_MS, context.abort).await?)
}

/// `theme preset` or `theme generate`, with any path to the program and any options.
fn sets_theme(line: &str) -> bool {
    let sets = |words: &[String]| {
        let Some((program, arguments)) = words.split_first() else { return false };
        let subcommand = || arguments.iter().find(|word| !word.starts_with('-')).map(String::as_str);
        path::name(program) == "theme" && matches!(subcommand(), Some("preset" | "generate"))
    };
    Line::read(line).commands.iter().flat_map(Command::runs).any(|(words, anywhere)| {
        let starts = if anywhere { words.len() } else { 1 };
        (0..starts).filter_map(|start| words.get(start..)).any(sets)
    })
}

/// Both streams, truncated to their ends: the end of an output matters as much as its beginning.
fn report(output: &ShellOutput) -> Outcome {
    let streams = [("", &output.stdout), ("stderr:\n", &output.stderr)];
    let streams = streams.into_iter().filter(|(_, text)| !text.trim().is_empty()).map(|(title, text)| {
        let cut = head_and_tail(text, RESULT_CAP / 2 - 64, &|_, _| {
            "rerun it with its output in a file, then read the file by lines".to_owned()
        });
        format!("\n{title}{cut}")
    });
    let report = format!("exit code {}{}", output.exit_code, streams.collect::<String>());
    if output.exit_code == 0 { Ok(report) } else { Err(Failure(report)) }
}

/// Timeout of a command, in milliseconds.
const TIMEOUT_MS: u64 = 120_000;
