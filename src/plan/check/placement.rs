//! Which component stands in which.

use super::{Finding, Plan, alternatives};
use crate::plan::language::equal;

/// Components that `App` has once.
const ONCE: [&str; 2] = ["Theme", "Data"];

pub(super) fn misplaced(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    for (index, element) in plan.tree.elements.iter().enumerate().skip(1) {
        let Some(component) = element.component else { continue };
        let around = plan.tree.around(index).find_map(|(_, around)| around.component);
        let Some(around) = around.filter(|around| !component.parents.iter().any(|parent| equal(parent, around.name)))
        else {
            continue;
        };
        let message = match component.parents {
            [] => format!("`{}` stands in `{}`. It can only be the root.", component.name, around.name),
            parents => {
                format!("`{}` stands in `{}`. Move it into {}.", component.name, around.name, alternatives(parents))
            }
        };
        findings.push(Finding::warning("misplaced", element.place, message));
    }
    for name in ONCE {
        for later in plan.tree.in_root(name).skip(1) {
            let message = format!("`App` has a `{name}` already. Make one of the two.");
            findings.push(Finding::warning("misplaced", later.place, message));
        }
    }
}
