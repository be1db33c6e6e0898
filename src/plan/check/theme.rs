//! Checks of the theme: there is one, and its values are known.

use super::{Findings, Plan, alternatives, has};
use crate::json;
use crate::nearest::nearest;
use crate::plan::PropValue;
use crate::plan::tree::{Attribute, AttributeValue};

/// A list of names up to this length is shown completely if none of them is similar.
const SHORT_LIST: usize = 12;

pub(super) fn has_theme(plan: &Plan<'_, '_>, findings: &mut Findings) {
    if plan.tree.in_root("Theme").next().is_none() {
        let message =
            "There is no `Theme` directly in `App`. Add one, such as `<Theme mood=\"minimal\" seed={210} />`.";
        findings.add(plan.root_place(), message.to_owned());
    }
}

pub(super) fn valid_mood(plan: &Plan<'_, '_>, findings: &mut Findings) {
    valid_names(plan, findings, "mood", "mood or preset", &[&plan.registry.moods, &plan.registry.presets]);
}

pub(super) fn valid_font(plan: &Plan<'_, '_>, findings: &mut Findings) {
    valid_names(plan, findings, "font", "font", &[&plan.registry.fonts]);
    valid_names(plan, findings, "monoFont", "font", &[&plan.registry.fonts]);
}

pub(super) fn valid_pattern(plan: &Plan<'_, '_>, findings: &mut Findings) {
    valid_names(plan, findings, "pattern", "pattern", &[&plan.registry.patterns]);
}

pub(super) fn valid_shadow(plan: &Plan<'_, '_>, findings: &mut Findings) {
    valid_names(plan, findings, "shadowProfile", "shadow profile", &[&plan.registry.shadow_profiles]);
}

pub(super) fn valid_radius(plan: &Plan<'_, '_>, findings: &mut Findings) {
    valid_names(plan, findings, "radius", "radius", &[&plan.registry.radii]);
}

pub(super) fn valid_seed(plan: &Plan<'_, '_>, findings: &mut Findings) {
    for seed in theme_props(plan, "seed") {
        let problem = match &seed.value {
            AttributeValue::Dynamic | AttributeValue::Spread => continue,
            AttributeValue::Literal(PropValue::Number(hue)) if (0.0..=360.0).contains(hue) => continue,
            AttributeValue::Literal(PropValue::Number(hue)) => format!("`seed` is {}.", json::number(*hue)),
            AttributeValue::Text(_) | AttributeValue::Literal(_) => "`seed` is not a number.".to_owned(),
        };
        let message = format!("{problem} It is a hue: write a number from 0 to 360, for example `seed={{210}}`.");
        findings.add(seed.place, message);
    }
}

/// Checks that a prop of the theme is one of the `known` names. A dynamic value is left to `dynamic-prop`.
fn valid_names(plan: &Plan<'_, '_>, findings: &mut Findings, prop: &'static str, what: &str, known: &[&[String]]) {
    for attribute in theme_props(plan, prop) {
        let Some(text) = findings.text(attribute, "Write", "…") else { continue };
        if known.iter().any(|names| has(names, text)) {
            continue;
        }
        let names: Vec<&str> = known.iter().copied().flatten().map(String::as_str).collect();
        let otherwise = if names.len() > SHORT_LIST {
            format!("Choose one of the registry's {} names.", names.len())
        } else {
            format!("Choose {}.", alternatives(&names))
        };
        let message = format!("`{prop}` is \"{text}\", which is not a known {what}.");
        findings.add_unknown(attribute.place, &message, nearest(text, names), &otherwise);
    }
}

fn theme_props<'p>(plan: &'p Plan<'_, '_>, prop: &'static str) -> impl Iterator<Item = &'p Attribute<'p>> {
    plan.tree.elements_named("Theme").filter_map(move |(_, theme)| theme.attribute(prop))
}
