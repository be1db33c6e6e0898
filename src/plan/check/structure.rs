//! Checks of screens and data: there are screens, with unique names, sections and navigation, and endpoints have a schema.

use super::{Findings, Plan};
use crate::nearest::nearest;
use std::collections::BTreeSet;

pub(super) fn has_screens(plan: &Plan<'_, '_>, findings: &mut Findings) {
    if plan.tree.in_root("Screen").next().is_none() {
        let message = "There is no `Screen` directly in `App`. Add one, such as `<Screen name=\"home\">…</Screen>`.";
        findings.add(plan.root_place(), message.to_owned());
    }
}

pub(super) fn no_empty_screens(plan: &Plan<'_, '_>, findings: &mut Findings) {
    let mut filled = vec![false; plan.tree.elements.len()];
    for (around, _) in plan.tree.elements_named("Section").flat_map(|(section, _)| plan.tree.around(section)) {
        filled.get_mut(around).into_iter().for_each(|filled| *filled = true);
    }
    for (_, screen) in plan.tree.elements_named("Screen").filter(|(index, _)| filled.get(*index) == Some(&false)) {
        let name = screen.text("name").map_or_else(String::new, |name| format!(" \"{name}\""));
        let message = format!("The screen{name} has no `Section`. Add one, such as `<Section gumdrop=\"hero\" />`.");
        findings.add(screen.place, message);
    }
}

pub(super) fn unique_names(plan: &Plan<'_, '_>, findings: &mut Findings) {
    let mut names = BTreeSet::new();
    for (_, screen) in plan.tree.elements_named("Screen") {
        if let Some(name) = screen.text("name")
            && !names.insert(name)
        {
            let message = format!("Another screen is already named \"{name}\". Give each screen a unique name.");
            findings.add(screen.place, message);
        }
    }
}

pub(super) fn missing_nav(plan: &Plan<'_, '_>, findings: &mut Findings) {
    let screens = plan.tree.in_root("Screen").count();
    if screens > 1 && plan.tree.elements_named("Nav").next().is_none() {
        let message =
            format!("There are {screens} screens but no `Nav`. Add a `<Nav>` with a `<NavItem to=\"…\" />` for each.");
        findings.add(plan.root_place(), message);
    }
}

pub(super) fn schema_endpoint_match(plan: &Plan<'_, '_>, findings: &mut Findings) {
    let names: Vec<&str> = plan.tree.elements_named("Schema").filter_map(|(_, schema)| schema.text("name")).collect();
    let mut known = BTreeSet::new();
    known.extend(names.iter().map(|name| singular(name)));
    for resource in plan.tree.elements_named("Endpoint").filter_map(|(_, endpoint)| endpoint.attribute("resource")) {
        let Some(name) = findings.text(resource, "Name a `Schema`, for example", "user") else { continue };
        if !known.contains(&singular(name)) {
            let near = nearest(name, names.iter().copied());
            let otherwise = format!("Add `<Schema name=\"{name}\" fields={{…}} />`.");
            findings.add_unknown(resource.place, &format!("There is no `Schema` for \"{name}\"."), near, &otherwise);
        }
    }
}

/// Lower case, without one trailing `s`.
fn singular(name: &str) -> String {
    let name = name.to_lowercase();
    name.strip_suffix('s').map(str::to_owned).unwrap_or(name)
}
