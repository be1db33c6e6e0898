//! The guide for a plan update: the parts that the task concerns, and the markers to write.

use super::due::DueUpdate;
use super::placement::{Placement, meant, place, rendering};
use crate::plan::diff::parse_plan;
use crate::plan::targets::{Kind, Target, joined, targets};
use crate::plan::task_file::{marker, preserved};

/// One line per requirement, with its part and marker, then the sections without a requirement. Only the markers if the
/// plan does not parse.
pub fn update_guide(due: &DueUpdate) -> String {
    let DueUpdate { before, task, shown } = due;
    let tree = parse_plan(before).ok();
    let targets = tree.as_ref().map(targets).unwrap_or_default();
    let (mut lines, mut named, mut is_open) = (Vec::new(), Vec::new(), false);
    for requirement in &task.requirements {
        let placement = place(&targets, requirement, shown);
        is_open |= matches!(placement, Placement::Unknown);
        let rendering = rendering(&targets, &requirement.text, shown);
        named.extend(placement.parts().iter().chain(&rendering).map(|target| target.element));
        let line = marker(task.number, requirement.kind, &requirement.text);
        lines.push(format!("- {}: {{/* {line} */}}", placement.describe()));
    }
    for kept in &task.preserve {
        let meant = meant(&targets, kept, shown);
        if !meant.is_empty() {
            named.extend(meant.iter().map(|target| target.element));
            lines.push(format!("- {}: {{/* {} */}}", joined(meant, ", "), preserved(kept)));
        }
    }
    let is_named = |target: &&Target| {
        named.contains(&target.element) || target.screen.is_some_and(|screen| named.contains(&screen))
    };
    let sections = targets.iter().filter(|target| target.kind == Kind::Section);
    let others = joined(sections.filter(|target| !is_named(target)), ", ");
    if !others.is_empty() {
        let number = task.number;
        let which = match is_open {
            true => format!("after placing every marker above, those of {others} that have no marker"),
            false => format!("not mentioned by any requirement, {others}"),
        };
        lines.push(format!("- {which}: {{/* NO CHANGES for task-{number} */}}"));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
