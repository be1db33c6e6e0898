//! `build-succeeds`: the IDE's bundler builds the project.

use super::port_report::{file, line, shown};
use crate::gate::contract::only_if;
use crate::gate::{Gate, Judgement, Round};
use crate::layout::BUILD_ERRORS;
use crate::port::{BuildPort, Host, PortResult, with_timeout};
use futures_util::future::LocalBoxFuture;

/// Timeout of a build, in milliseconds.
pub(super) const LIMIT_MS: u64 = 120_000;

/// Applies if the host has a build. A build that cannot run or times out gives no verdict.
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
                let warnings: Vec<String> = built.warnings.iter().map(|message| line(host, message)).collect();
                let judgement = match warnings.as_slice() {
                    [] => Judgement::pass(),
                    warnings => Judgement::warn(format!("The build succeeds, with warnings:\n{}", shown(warnings))),
                };
                return Ok(judgement.with_file(file(BUILD_ERRORS, "Build errors", &[])));
            }
            if errors.is_empty() {
                errors.push("the build failed without an error message".to_owned());
            }
            Ok(Judgement::fail(format!(
                "The build failed:\n{}\nFix the first error first; later errors often follow from it. {BUILD_ERRORS} lists all of \
                 them.",
                shown(&errors)
            ))
            .with_file(file(BUILD_ERRORS, "Build errors", &errors)))
        })
    }
}
