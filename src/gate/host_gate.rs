//! Adapts the IDE's own gates to [`Gate`].

use super::feedback::clip;
use super::{Gate, Judgement, Round};
use crate::port::{GatePort, Host, PortResult, with_timeout};
use futures_util::future::LocalBoxFuture;

/// Timeout of a gate of the IDE, in milliseconds.
pub(super) const LIMIT_MS: u64 = 60_000;

pub(super) struct HostGate<'h, G>(pub &'h G);

impl<H: Host<Gate = G>, G: GatePort> Gate<H> for HostGate<'_, G> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn description(&self) -> &str {
        self.0.description()
    }

    fn applies(&self, _round: &Round<'_, H>) -> Result<(), String> {
        Ok(())
    }

    fn check<'a>(&'a self, round: &'a Round<'a, H>) -> LocalBoxFuture<'a, PortResult<Judgement>> {
        Box::pin(async move {
            let call = self.0.check(round.phase, round.abort);
            let answer = with_timeout(round.host.clock(), round.abort, LIMIT_MS, ("gate", "check"), call).await?;
            let feedback = answer.feedback.filter(|text| !text.trim().is_empty()).map(|text| clip(&text));
            Ok(if answer.pass {
                Judgement { feedback, ..Judgement::pass() }
            } else {
                Judgement::fail(feedback.unwrap_or_else(|| self.default_feedback()))
            })
        })
    }
}

impl<G: GatePort> HostGate<'_, G> {
    fn default_feedback(&self) -> String {
        format!("This gate of the IDE failed without saying why. It checks: {}", clip(self.0.description()))
    }
}
