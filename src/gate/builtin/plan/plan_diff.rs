//! `plan-diff`: reports which parts of the plan are not built. It only informs: other gates decide what must be built.

use crate::gate::contract::only_if;
use crate::gate::{Gate, Judgement, Round};
use crate::plan::{self, DiffStatus, PLAN_DIFF, PlanDiff};
use crate::port::{Host, PortResult};
use futures_util::future::LocalBoxFuture;

/// Maximum number of entries in the feedback.
const SHOWN: usize = 10;

/// Applies if there is a plan. Warns if the plan and the sources differ, and writes the complete report to
/// `.ralph/plan-diff.md`. It never fails.
pub(crate) struct PlanDiffGate;

impl<H: Host> Gate<H> for PlanDiffGate {
    fn name(&self) -> &str {
        "plan-diff"
    }

    fn description(&self) -> &str {
        "the sources contain what the plan asks for"
    }

    fn applies(&self, round: &Round<'_, H>) -> Result<(), String> {
        only_if(round.project.plan_diff().is_some(), "there is no plan")
    }

    fn check<'a>(&'a self, round: &'a Round<'a, H>) -> LocalBoxFuture<'a, PortResult<Judgement>> {
        Box::pin(async move {
            match round.project.plan_diff() {
                None => Ok(Judgement::pass()),
                Some(Err(error)) => Ok(Judgement::warn(error.message.clone())),
                Some(Ok(compared)) => {
                    round.host.project().write(PLAN_DIFF, &compared.report).await?;
                    Ok(judge(compared))
                }
            }
        })
    }
}

fn judge(compared: &PlanDiff) -> Judgement {
    let mut open = compared.entries.iter().filter(|entry| entry.status != DiffStatus::Implemented).peekable();
    if open.peek().is_none() {
        return Judgement::pass();
    }
    let mut lines = vec![format!("{} See {PLAN_DIFF}.", plan::summary(&compared.entries))];
    lines.extend(open.by_ref().take(SHOWN).map(|entry| format!("- {}", plan::line(entry))));
    let more = open.count();
    if more > 0 {
        lines.push(format!("- and {more} more"));
    }
    Judgement::warn(lines.join("\n"))
}
