//! `plan-diff`: reports which parts of the plan are not built. It only informs: other gates decide what must be built.

use crate::gate::contract::{FileGate, only_if};
use crate::gate::{Judgement, Project, ReportFile};
use crate::layout::PLAN_DIFF;
use crate::plan::{self, DiffStatus, PlanDiff};

/// Maximum number of entries in the feedback.
const SHOWN: usize = 10;

/// Applies if there is a plan. Warns if plan and sources differ, and never fails.
pub(crate) const GATE: FileGate = FileGate {
    name: "plan-diff",
    description: "the sources have what the plan asks for",
    applies: |project| only_if(project.plan_diff().is_some(), "there is no plan"),
    judge,
};

fn judge(project: &Project) -> Judgement {
    match project.plan_diff() {
        None => Judgement::pass(),
        Some(Err(error)) => Judgement::warn(error.message.clone()),
        Some(Ok(compared)) => {
            differences(compared).with_file(ReportFile { path: PLAN_DIFF, text: Some(compared.report.clone()) })
        }
    }
}

fn differences(compared: &PlanDiff) -> Judgement {
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
