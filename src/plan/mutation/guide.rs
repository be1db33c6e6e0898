//! What the agent is told about the update: the parts that the task concerns, and the markers to write.

use crate::plan::diff::parse_plan;
use crate::plan::targets::{Kind, Target, spoken_of, targets};
use crate::plan::task_file::{TaskFile, marker, preserved};

/// The requirements with the parts that they name and their markers, one a line, then the sections that none names. For a
/// plan that does not parse, the markers alone.
pub fn update_guide(plan: &str, task: &TaskFile) -> String {
    let tree = parse_plan(plan.strip_prefix('\u{FEFF}').unwrap_or(plan)).ok();
    let targets = tree.as_ref().map(targets).unwrap_or_default();
    let mut lines = Vec::new();
    let mut named: Vec<usize> = Vec::new();
    for requirement in &task.requirements {
        let line = marker(task.number, requirement.kind, &requirement.text);
        lines.push(format!("- {}: {{/* {line} */}}", places(&targets, &requirement.text, &mut named)));
    }
    for kept in &task.preserve {
        if !spoken_of(&targets, kept).is_empty() {
            lines.push(format!("- {}: {{/* {} */}}", places(&targets, kept, &mut named), preserved(kept)));
        }
    }
    let is_named = |target: &&Target| {
        named.contains(&target.element) || target.screen.is_some_and(|screen| named.contains(&screen))
    };
    let sections = targets.iter().filter(|target| target.kind == Kind::Section);
    let others: Vec<&str> = sections.filter(|target| !is_named(target)).map(|target| target.name.as_str()).collect();
    if !others.is_empty() {
        let number = task.number;
        lines.push(format!("- named by no requirement, {}: {{/* NO CHANGES for task-{number} */}}", others.join(", ")));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn places(targets: &[Target], text: &str, named: &mut Vec<usize>) -> String {
    let meant = spoken_of(targets, text);
    named.extend(meant.iter().map(|target| target.element));
    let names: Vec<&str> = meant.iter().map(|target| target.name.as_str()).collect();
    if names.is_empty() { "the section that it concerns, or a new one".to_owned() } else { names.join(", ") }
}
