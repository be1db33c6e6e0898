//! `runtime-errors`: the project runs in the IDE's preview without throwing.

use super::port_report::{file, line, shown};
use crate::gate::contract::only_if;
use crate::gate::{Gate, Judgement, Round};
use crate::layout::RUNTIME_ERRORS;
use crate::port::{Host, PortResult, PreviewPort, with_timeout};
use futures_util::future::LocalBoxFuture;

/// Timeout of the preview, in milliseconds.
pub(super) const LIMIT_MS: u64 = 60_000;

/// Applies if the host has a preview.
pub(crate) struct RuntimeErrors;

impl<H: Host> Gate<H> for RuntimeErrors {
    fn name(&self) -> &str {
        "runtime-errors"
    }

    fn description(&self) -> &str {
        "the project runs without throwing"
    }

    fn applies(&self, round: &Round<'_, H>) -> Result<(), String> {
        only_if(round.host.preview().is_some(), "the host has no preview")
    }

    fn check<'a>(&'a self, round: &'a Round<'a, H>) -> LocalBoxFuture<'a, PortResult<Judgement>> {
        Box::pin(async move {
            let host = round.host;
            let Some(port) = host.preview() else { return Ok(Judgement::pass()) };
            let call = ("preview", "runtimeErrors");
            let errors = with_timeout(host.clock(), round.abort, LIMIT_MS, call, port.runtime_errors()).await?;
            let errors: Vec<String> = errors.iter().map(|message| line(host, message)).collect();
            let judgement = match errors.as_slice() {
                [] => Judgement::pass(),
                errors => Judgement::fail(format!(
                    "The project throws while it runs:\n{}\nFind and fix the cause of each error. {RUNTIME_ERRORS} lists all of them.",
                    shown(errors)
                )),
            };
            Ok(judgement.with_file(file(RUNTIME_ERRORS, "Runtime errors", &errors)))
        })
    }
}
