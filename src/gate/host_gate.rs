//! The IDE's own gates, as gates of the round.

use super::feedback::clip;
use super::{Gate, Judgement, Round};
use crate::port::{GatePort, Host, PortResult, with_timeout};
use futures_util::future::LocalBoxFuture;

/// How long a gate of the IDE may take, in milliseconds.
pub(super) const LIMIT_MS: u64 = 60_000;

/// One of the IDE's gates.
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
                Judgement::fail(feedback.unwrap_or_else(|| self.silent_refusal()))
            })
        })
    }
}

impl<G: GatePort> HostGate<'_, G> {
    fn silent_refusal(&self) -> String {
        format!("This gate of the IDE did not pass and did not say why. It checks: {}", clip(self.0.description()))
    }
}
