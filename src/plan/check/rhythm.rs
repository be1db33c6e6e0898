//! Checks of the variety of sections.

use super::gumdrops::{is_registered, uses};
use super::{Finding, Plan};
use crate::plan::language::equal;
use std::collections::BTreeMap;

/// Minimum number of distinct gumdrops.
const DIVERSE: usize = 3;

pub(super) fn adjacent_grids(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    // For each parent: the gumdrop of its last section, if that is a grid.
    let mut last: BTreeMap<Option<usize>, Option<&str>> = BTreeMap::new();
    for (_, section) in plan.tree.named("Section") {
        let grid = section
            .text("gumdrop")
            .filter(|gumdrop| plan.registry.grid_heavy_gumdrops.iter().any(|grid| equal(grid, gumdrop)));
        let before = last.insert(section.parent, grid).flatten();
        if let (Some(before), Some(grid)) = (before, grid) {
            let message = format!(
                "\"{grid}\" follows \"{before}\": two grids in a row are monotonous. Put another kind of section between them."
            );
            findings.push(Finding::warning("adjacent-grids", section.place, message));
        }
    }
}

pub(super) fn low_diversity(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    let mut used: Vec<&str> = Vec::new();
    for gumdrop in plan.tree.elements.iter().flat_map(uses).filter_map(|attribute| attribute.text()) {
        if !used.iter().any(|other| equal(other, gumdrop)) && is_registered(plan, gumdrop) {
            used.push(gumdrop);
        }
        if used.len() == DIVERSE {
            return;
        }
    }
    if plan.tree.named("Section").next().is_some() {
        let message =
            format!("The plan uses {} of the registry's gumdrops. Use at least {DIVERSE} different ones.", used.len());
        findings.push(Finding::warning("low-diversity", plan.root_place(), message));
    }
}
