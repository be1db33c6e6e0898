//! Checks for unknown components, unknown props and dynamic values.

use super::{Finding, Plan};
use crate::nearest::nearest;
use crate::plan::language::{COMPONENTS, equal};
use crate::plan::tree::AttributeValue;

pub(super) fn dynamic_prop(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
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
            findings.push(Finding::warning("dynamic-prop", attribute.place, message));
        }
    }
    for place in &plan.tree.unreadable {
        let message =
            "The expression in these braces cannot be read, because a plan is never run. Write out the elements.";
        findings.push(Finding::warning("dynamic-prop", *place, message));
    }
}

pub(super) fn unknown_component(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    for element in plan.tree.elements.iter().filter(|element| element.component.is_none()) {
        let names = nearest(&element.name, COMPONENTS.iter().map(|component| component.name));
        findings.push(
            Finding::warning(
                "unknown-component",
                element.place,
                format!("`{}` is not a plan component.", element.name),
            )
            .or_meant(names, "Describe what it should be with `<Custom intent=\"…\" />`."),
        );
    }
}

pub(super) fn unknown_prop(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    for element in &plan.tree.elements {
        let Some(component) = element.component else { continue };
        for attribute in &element.attributes {
            if !attribute.is_literal() || component.props.iter().any(|known| equal(known, attribute.name)) {
                continue;
            }
            let otherwise = match component.props {
                [] => "It has none.".to_owned(),
                props => format!("It has `{}`.", props.join("`, `")),
            };
            findings.push(
                Finding::warning(
                    "unknown-prop",
                    attribute.place,
                    format!("`{}` has no prop `{}`.", component.name, attribute.name),
                )
                .or_meant(nearest(attribute.name, component.props.iter().copied()), &otherwise),
            );
        }
    }
}
