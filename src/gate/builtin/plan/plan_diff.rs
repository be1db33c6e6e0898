//! `plan-diff`: reports which parts of the plan are not built. It only informs: other gates decide what must be built.

use crate::gate::feedback::shown;
use crate::gate::{Check, Finding, Gate, Judgement, Project, ReportFile};
use crate::layout::PLAN_DIFF;
use crate::plan::{self, DiffStatus};

/// Applies if there is a plan. Warns if plan and sources differ, and never fails.
pub(crate) const GATE: Gate =
    Gate { name: "plan-diff", description: "the sources have what the plan asks for", check: Check::Project(check) };

fn check(project: &Project) -> Finding {
    let compared = match project.plan_diff().ok_or("there is no plan")? {
        Ok(compared) => compared,
        Err(error) => return Ok(Judgement::warn(error.message.clone())),
    };
    let open = compared.entries.iter().filter(|entry| entry.status != DiffStatus::Implemented);
    let open: Vec<String> = open.map(plan::line).collect();
    let judgement = match open.as_slice() {
        [] => Judgement::pass(),
        open => Judgement::warn(format!("{} See {PLAN_DIFF}.\n{}", plan::summary(&compared.entries), shown(open))),
    };
    Ok(Judgement { file: Some(ReportFile { path: PLAN_DIFF, text: Some(compared.report.clone()) }), ..judgement })
}
