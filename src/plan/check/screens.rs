//! Checks of screens: there are some, with unique names, sections, and navigation.

use super::{Finding, Plan};
use std::collections::BTreeSet;

pub(super) fn has_screens(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    if plan.tree.in_root("Screen").next().is_none() {
        let message = "There is no `Screen` directly in `App`. Add one, such as `<Screen name=\"home\">…</Screen>`.";
        findings.push(Finding::failure("has-screens", plan.root_place(), message));
    }
}

pub(super) fn no_empty_screens(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    let mut filled = vec![false; plan.tree.elements.len()];
    for (around, _) in plan.tree.named("Section").flat_map(|(section, _)| plan.tree.around(section)) {
        filled.get_mut(around).into_iter().for_each(|filled| *filled = true);
    }
    for (_, screen) in plan.tree.named("Screen").filter(|(index, _)| filled.get(*index) == Some(&false)) {
        let name = screen.text("name").map_or_else(String::new, |name| format!(" \"{name}\""));
        let message = format!("The screen{name} has no `Section`. Add one, such as `<Section gumdrop=\"hero\" />`.");
        findings.push(Finding::failure("no-empty-screens", screen.place, message));
    }
}

pub(super) fn unique_names(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    let mut names = BTreeSet::new();
    for (_, screen) in plan.tree.named("Screen") {
        if let Some(name) = screen.text("name")
            && !names.insert(name)
        {
            let message = format!("Another screen is already named \"{name}\". Give each screen a unique name.");
            findings.push(Finding::failure("unique-names", screen.place, message));
        }
    }
}

pub(super) fn missing_nav(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    let screens = plan.tree.in_root("Screen").count();
    if screens > 1 && plan.tree.named("Nav").next().is_none() {
        let message =
            format!("There are {screens} screens but no `Nav`. Add a `<Nav>` with a `<NavItem to=\"…\" />` for each.");
        findings.push(Finding::warning("missing-nav", plan.root_place(), message));
    }
}
