//! Checks of gumdrops: every section has one, all are registered, and they vary.

use super::{Findings, Plan, has};
use crate::nearest::nearest;
use crate::plan::language::equal;
use crate::plan::tree::{Attribute, Element};
use std::collections::BTreeMap;

/// The props that name a gumdrop, on any component.
const GUMDROP_PROPS: [&str; 2] = ["gumdrop", "use"];

/// Minimum number of distinct gumdrops.
const DIVERSE: usize = 3;

pub(super) fn valid_gumdrops(plan: &Plan<'_, '_>, findings: &mut Findings) {
    for gumdrop in plan.tree.elements.iter().filter(|element| element.component.is_some()).flat_map(uses) {
        let advice = "Name a gumdrop from the registry, for example";
        let Some(name) = findings.text(gumdrop, advice, "hero") else { continue };
        if !has(&plan.registry.gumdrops, name) {
            let near = nearest(name, plan.registry.gumdrops.iter().map(String::as_str));
            let message = format!("Unknown gumdrop \"{name}\".");
            findings.add_unknown(gumdrop.place, &message, near, "Choose one from the registry.");
        }
    }
}

pub(super) fn sections_have_gumdrops(plan: &Plan<'_, '_>, findings: &mut Findings) {
    for (_, section) in plan.tree.elements_named("Section") {
        if section.attribute("gumdrop").is_none() {
            let message =
                "The section has no gumdrop. Name one from the registry, for example `<Section gumdrop=\"hero\" />`.";
            findings.add(section.place, message.to_owned());
        }
    }
}

pub(super) fn adjacent_grids(plan: &Plan<'_, '_>, findings: &mut Findings) {
    // For each parent: the gumdrop of its last section, if that is a grid.
    let mut last: BTreeMap<Option<usize>, Option<&str>> = BTreeMap::new();
    for (_, section) in plan.tree.elements_named("Section") {
        let grid = section.text("gumdrop").filter(|gumdrop| has(&plan.registry.grid_heavy_gumdrops, gumdrop));
        let before = last.insert(section.parent, grid).flatten();
        if let (Some(before), Some(grid)) = (before, grid) {
            let message = format!(
                "\"{grid}\" follows \"{before}\": two grids in a row are monotonous. Put another kind of section between them."
            );
            findings.add(section.place, message);
        }
    }
}

pub(super) fn low_diversity(plan: &Plan<'_, '_>, findings: &mut Findings) {
    let mut used: Vec<&str> = Vec::new();
    for gumdrop in plan.tree.elements.iter().flat_map(uses).filter_map(|attribute| attribute.text()) {
        if !used.contains(&gumdrop) && has(&plan.registry.gumdrops, gumdrop) {
            used.push(gumdrop);
        }
        if used.len() == DIVERSE {
            return;
        }
    }
    if plan.tree.elements_named("Section").next().is_some() {
        let message =
            format!("The plan uses {} of the registry's gumdrops. Use at least {DIVERSE} different ones.", used.len());
        findings.add(plan.root_place(), message);
    }
}

pub(super) fn no_data_for_stateful(plan: &Plan<'_, '_>, findings: &mut Findings) {
    let mut uses = plan.tree.elements.iter().flat_map(uses).filter_map(|used| Some((used.place, used.text()?)));
    if let Some((place, name)) = uses.find(|(_, name)| has(&plan.registry.stateful_gumdrops, name))
        && plan.tree.elements_named("Data").next().is_none()
    {
        let message = format!(
            "\"{name}\" shows stored data, but the plan has no `Data`. Add `<Data>` with its schemas to `App`."
        );
        findings.add(place, message);
    }
}

/// The attributes of an element that name a gumdrop.
fn uses<'p, 's>(element: &'p Element<'s>) -> impl Iterator<Item = &'p Attribute<'s>> {
    element.attributes.iter().filter(|attribute| GUMDROP_PROPS.iter().any(|prop| equal(prop, attribute.name)))
}
