//! The theme: that there is one, and that its values are known.

use super::{Finding, Plan, alternatives};
use crate::json;
use crate::nearest::nearest;
use crate::plan::PropValue;
use crate::plan::language::equal;
use crate::plan::tree::{Attribute, AttributeValue};

/// A list of names up to this length is told whole when none of them is near.
const SHORT_LIST: usize = 12;

pub(super) fn has_theme(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    if plan.tree.in_root("Theme").next().is_none() {
        let message =
            "There is no `Theme` directly in `App`. Add one, such as `<Theme mood=\"minimal\" seed={210} />`.";
        findings.push(Finding::failure("has-theme", plan.root_place(), message));
    }
}

pub(super) fn valid_mood(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    let known = || plan.registry.moods.iter().chain(&plan.registry.presets);
    valid_names(plan, findings, "valid-mood", "mood", "mood and no preset", known);
}

pub(super) fn valid_font(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    valid_names(plan, findings, "valid-font", "font", "font", || plan.registry.fonts.iter());
    valid_names(plan, findings, "valid-font", "monoFont", "font", || plan.registry.fonts.iter());
}

pub(super) fn valid_pattern(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    valid_names(plan, findings, "valid-pattern", "pattern", "pattern", || plan.registry.patterns.iter());
}

pub(super) fn valid_shadow(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    let known = || plan.registry.shadow_profiles.iter();
    valid_names(plan, findings, "valid-shadow", "shadowProfile", "shadow profile", known);
}

pub(super) fn valid_radius(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    valid_names(plan, findings, "valid-radius", "radius", "radius", || plan.registry.radii.iter());
}

pub(super) fn valid_seed(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    for seed in theme_props(plan, "seed") {
        let problem = match &seed.value {
            AttributeValue::Dynamic | AttributeValue::Spread => continue,
            AttributeValue::Literal(PropValue::Number(hue)) if (0.0..=360.0).contains(hue) => continue,
            AttributeValue::Literal(PropValue::Number(hue)) => format!("`seed` is {}.", json::number(*hue)),
            AttributeValue::Text(_) | AttributeValue::Literal(_) => "`seed` is no number.".to_owned(),
        };
        let message = format!("{problem} It is a hue: write a number from 0 to 360, as in `seed={{210}}`.");
        findings.push(Finding::failure("valid-seed", seed.place, message));
    }
}

/// A prop of a theme that must be one of the `known` names. One that cannot be read is `dynamic-prop` alone.
fn valid_names<'p, Names: Iterator<Item = &'p String>>(
    plan: &'p Plan<'_, '_>,
    findings: &mut Vec<Finding>,
    id: &'static str,
    prop: &'static str,
    what: &str,
    known: impl Fn() -> Names,
) {
    for attribute in theme_props(plan, prop) {
        let finding = match attribute.text() {
            None if !attribute.is_literal() => continue,
            Some(text) if known().any(|name| equal(name, text)) => continue,
            Some(text) => {
                let names: Vec<&str> = known().map(String::as_str).collect();
                let otherwise = if names.len() > SHORT_LIST {
                    format!("Choose one of the registry's {} names.", names.len())
                } else {
                    format!("Choose {}.", alternatives(&names))
                };
                Finding::failure(id, attribute.place, format!("`{prop}` is \"{text}\", which is no known {what}."))
                    .or_meant(nearest(text, names), &otherwise)
            }
            None => Finding::failure(id, attribute.place, format!("`{prop}` is no text. Write `{prop}=\"…\"`.")),
        };
        findings.push(finding);
    }
}

fn theme_props<'p>(plan: &'p Plan<'_, '_>, prop: &'static str) -> impl Iterator<Item = &'p Attribute<'p>> {
    plan.tree.named("Theme").filter_map(move |(_, theme)| theme.attribute(prop))
}
