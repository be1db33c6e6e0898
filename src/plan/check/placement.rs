//! Checks that components are inside their allowed parents.

use super::{Finding, Plan, alternatives};
use crate::plan::language::equal;

/// Components that `App` may contain once.
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
            [] => format!("`{}` is not allowed in `{}`. It can only be the root.", component.name, around.name),
            parents => {
                format!(
                    "`{}` is not allowed in `{}`. Move it into {}.",
                    component.name,
                    around.name,
                    alternatives(parents)
                )
            }
        };
        findings.push(Finding::warning("misplaced", element.place, message));
    }
    for name in ONCE {
        for later in plan.tree.in_root(name).skip(1) {
            let message = format!("`App` already has a `{name}`. Merge the two.");
            findings.push(Finding::warning("misplaced", later.place, message));
        }
    }
}
