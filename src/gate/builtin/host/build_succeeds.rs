//! `build-succeeds`: the IDE's bundler makes something of the project.

use super::port_report::{keep, line, shown};
use crate::gate::contract::only_if;
use crate::gate::{Gate, Judgement, Round};
use crate::port::{BuildPort, Host, PortResult, with_timeout};
use futures_util::future::LocalBoxFuture;

/// How long a build may take, in milliseconds.
pub(super) const LIMIT_MS: u64 = 120_000;

/// Where the errors of the last build stand (`state-layout.md`). Gone after a build that succeeds.
const REPORT: &str = ".ralph/build-errors.md";

/// Applies where the host has a build. A build that cannot be run, or is not done in time, is no verdict.
pub(crate) struct BuildSucceeds;

impl<H: Host> Gate<H> for BuildSucceeds {
    fn name(&self) -> &str {
        "build-succeeds"
    }

    fn description(&self) -> &str {
        "the project builds"
    }

    fn applies(&self, round: &Round<'_, H>) -> Result<(), String> {
        only_if(round.host.build().is_some(), "the host has no build")
    }

    fn check<'a>(&'a self, round: &'a Round<'a, H>) -> LocalBoxFuture<'a, PortResult<Judgement>> {
        Box::pin(async move {
            let host = round.host;
            let Some(port) = host.build() else { return Ok(Judgement::pass()) };
            let build = port.build(round.abort);
            let built = with_timeout(host.clock(), round.abort, LIMIT_MS, ("build", "build"), build).await?;
            let mut errors: Vec<String> = built.errors.iter().map(|message| line(host, message)).collect();
            if built.success {
                keep(host, REPORT, "Build errors", &[]).await?;
                let warnings: Vec<String> = built.warnings.iter().map(|message| line(host, message)).collect();
                return Ok(match warnings.as_slice() {
                    [] => Judgement::pass(),
                    warnings => Judgement::warn(format!("The build succeeds, with warnings:\n{}", shown(warnings))),
                });
            }
            if errors.is_empty() {
                errors.push("the build failed without saying why".to_owned());
            }
            keep(host, REPORT, "Build errors", &errors).await?;
            Ok(Judgement::fail(format!(
                "The build fails:\n{}\nFix the first error first; later ones often follow from it. All of them are in \
                 {REPORT}.",
                shown(&errors)
            )))
        })
    }
}
