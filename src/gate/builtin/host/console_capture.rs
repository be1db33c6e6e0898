//! `console-capture`: reports what the project writes to the console of the IDE's preview.

use super::port_report::{file, shown, single};
use super::runtime_errors::LIMIT_MS;
use crate::gate::contract::only_if;
use crate::gate::{Gate, Judgement, Round};
use crate::layout::CONSOLE;
use crate::port::{Host, PortResult, PreviewPort, with_timeout};
use futures_util::future::LocalBoxFuture;

/// Applies if the host has a preview. Errors on the console warn and never fail, because libraries and browsers write there
/// too. Exceptions of the project are checked by `runtime-errors`.
pub(crate) struct ConsoleCapture;

impl<H: Host> Gate<H> for ConsoleCapture {
    fn name(&self) -> &str {
        "console-capture"
    }

    fn description(&self) -> &str {
        "the console shows no errors"
    }

    fn applies(&self, round: &Round<'_, H>) -> Result<(), String> {
        only_if(round.host.preview().is_some(), "the host has no preview")
    }

    fn check<'a>(&'a self, round: &'a Round<'a, H>) -> LocalBoxFuture<'a, PortResult<Judgement>> {
        Box::pin(async move {
            let host = round.host;
            let Some(port) = host.preview() else { return Ok(Judgement::pass()) };
            let call = ("preview", "console");
            let console = with_timeout(host.clock(), round.abort, LIMIT_MS, call, port.console()).await?;
            let Some(console) = console else { return Ok(Judgement::pass()) };
            let lines: Vec<String> =
                console.iter().map(|entry| single(&format!("{}: {}", entry.level, entry.message))).collect();
            let is_error = |level: &str| level.eq_ignore_ascii_case("error");
            let errors: Vec<String> =
                console.iter().filter(|entry| is_error(&entry.level)).map(|entry| single(&entry.message)).collect();
            let judgement = match errors.as_slice() {
                [] => Judgement::pass(),
                errors => Judgement::warn(format!(
                    "The console shows {} error(s); see {CONSOLE}:\n{}",
                    errors.len(),
                    shown(errors)
                )),
            };
            Ok(judgement.with_file(file(CONSOLE, "Console", &lines)))
        })
    }
}
