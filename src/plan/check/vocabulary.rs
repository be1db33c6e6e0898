//! Checks for unknown components, unknown props, dynamic values, and components outside their allowed parents.

use super::{Findings, Plan, alternatives};
use crate::nearest::nearest;
use crate::plan::language::{COMPONENTS, equal};
use crate::plan::tree::AttributeValue;

pub(super) fn dynamic_prop(plan: &Plan<'_, '_>, findings: &mut Findings) {
    for element in plan.tree.elements.iter().filter(|element| element.component.is_some()) {
        for attribute in &element.attributes {
            let message = match attribute.value {
                AttributeValue::Text(_) | AttributeValue::Literal(_) => continue,
                AttributeValue::Spread => {
                    "A spread cannot be read, because a plan is never run. Write out the props.".to_owned()
                }
                AttributeValue::Dynamic => format!(
                    "`{}` cannot be read, because a plan is never run. Write a string, a number, a boolean, or a flat array or \
                     object of these.",
                    attribute.name
                ),
            };
            findings.add(attribute.place, message);
        }
    }
    for place in &plan.tree.unreadable {
        let message =
            "The expression in these braces cannot be read, because a plan is never run. Write out the elements.";
        findings.add(*place, message.to_owned());
    }
}

pub(super) fn unknown_component(plan: &Plan<'_, '_>, findings: &mut Findings) {
    for element in plan.tree.elements.iter().filter(|element| element.component.is_none()) {
        let near = nearest(&element.name, COMPONENTS.iter().map(|component| component.name));
        let message = format!("`{}` is not a plan component.", element.name);
        let otherwise = "Describe what it should be with `<Custom intent=\"…\" />`.";
        findings.add_unknown(element.place, &message, near, otherwise);
    }
}

pub(super) fn unknown_prop(plan: &Plan<'_, '_>, findings: &mut Findings) {
    for element in &plan.tree.elements {
        let Some(component) = element.component else { continue };
        for attribute in &element.attributes {
            if !attribute.is_literal() || component.props.iter().any(|known| equal(known, attribute.name)) {
                continue;
            }
            let near = nearest(attribute.name, component.props.iter().copied());
            let message = format!("`{}` has no prop `{}`.", component.name, attribute.name);
            let otherwise = match component.props {
                [] => "It has none.".to_owned(),
                props => format!("It has `{}`.", props.join("`, `")),
            };
            findings.add_unknown(attribute.place, &message, near, &otherwise);
        }
    }
}

pub(super) fn misplaced(plan: &Plan<'_, '_>, findings: &mut Findings) {
    for (index, element) in plan.tree.elements.iter().enumerate().skip(1) {
        let around = plan.tree.around(index).find_map(|(_, around)| around.component);
        let (Some(component), Some(around)) = (element.component, around) else { continue };
        if component.parents.iter().any(|parent| equal(parent, around.name)) {
            continue;
        }
        let advice = match component.parents {
            [] => "It can only be the root.".to_owned(),
            parents => format!("Move it into {}.", alternatives(parents)),
        };
        findings.add(element.place, format!("`{}` is not allowed in `{}`. {advice}", component.name, around.name));
    }
    // `App` may contain each of these once.
    for name in ["Theme", "Data"] {
        for later in plan.tree.in_root(name).skip(1) {
            findings.add(later.place, format!("`App` already has a `{name}`. Merge the two."));
        }
    }
}
