//! Checks of gumdrops: every section has one, and all of them are registered.

use super::{Finding, Plan};
use crate::nearest::nearest;
use crate::plan::language::equal;
use crate::plan::tree::{Attribute, Element};

/// The props that name a gumdrop, on any component.
const GUMDROP_PROPS: [&str; 2] = ["gumdrop", "use"];

pub(super) fn valid_gumdrops(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    for gumdrop in plan.tree.elements.iter().filter(|element| element.component.is_some()).flat_map(uses) {
        let prop = gumdrop.name;
        match (gumdrop.text(), gumdrop.is_literal()) {
            (None, false) => {}
            (Some(name), _) if is_registered(plan, name) => {}
            (Some(name), _) => findings.push(
                Finding::failure("valid-gumdrops", gumdrop.place, format!("Unknown gumdrop \"{name}\".")).or_meant(
                    nearest(name, plan.registry.gumdrops.iter().map(String::as_str)),
                    "Choose one from the registry.",
                ),
            ),
            (None, true) => {
                let message = format!(
                    "`{prop}` must be a string. Name a gumdrop from the registry, for example `{prop}=\"hero\"`."
                );
                findings.push(Finding::failure("valid-gumdrops", gumdrop.place, message));
            }
        }
    }
}

pub(super) fn sections_have_gumdrops(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    for (_, section) in plan.tree.named("Section") {
        if section.attribute("gumdrop").is_none() {
            let message =
                "The section has no gumdrop. Name one from the registry, for example `<Section gumdrop=\"hero\" />`.";
            findings.push(Finding::failure("sections-have-gumdrops", section.place, message));
        }
    }
}

/// The attributes of an element that name a gumdrop.
pub(super) fn uses<'p, 's>(element: &'p Element<'s>) -> impl Iterator<Item = &'p Attribute<'s>> {
    element.attributes.iter().filter(|attribute| GUMDROP_PROPS.iter().any(|prop| equal(prop, attribute.name)))
}

pub(super) fn is_registered(plan: &Plan<'_, '_>, gumdrop: &str) -> bool {
    plan.registry.gumdrops.iter().any(|known| equal(known, gumdrop))
}
