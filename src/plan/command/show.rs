//! `plan show` and `plan lint-config`: what a plan says, for readers and for linters.

use super::PlanAnswer;
use crate::error::Error;
use crate::layout::{LINT_CONFIG, PLAN};
use crate::plan::diff::parse_plan;
use crate::plan::position::Positions;
use crate::plan::tree::Element;
use serde_json::{Map, Value, json};

/// The components in the outline, each with the props to show.
const SHOWN: [(&str, &[&str]); 7] = [
    ("App", &["name"]),
    ("Theme", &["mood", "pattern", "font"]),
    ("Screen", &["name"]),
    ("Section", &["gumdrop", "variant"]),
    ("Data", &[]),
    ("Schema", &["name"]),
    ("Endpoint", &["resource", "pattern"]),
];

/// Screens, sections and data with their lines and comments.
///
/// # Errors
/// `invalid-argument` if the plan cannot be parsed.
pub(super) fn show(plan: &str) -> Result<PlanAnswer, Error> {
    let tree = parse_plan(plan)?;
    let positions = Positions::new(plan);
    let mut text = String::new();
    for (at, element) in tree.elements.iter().enumerate() {
        let Some((name, props)) = SHOWN.iter().find(|(name, _)| *name == element.name) else { continue };
        let shown = |outer: &Element<'_>| SHOWN.iter().any(|(name, _)| *name == outer.name);
        let indent = "  ".repeat(tree.around(at).filter(|(_, outer)| shown(outer)).count());
        let props: String =
            props.iter().filter_map(|prop| Some(format!(" {prop}={:?}", element.text(prop)?))).collect();
        text.push_str(&format!("{indent}{name}{props} (line {})\n", positions.at(element.place.start).0));
        for comment in tree.comments.iter().filter(|comment| comment.parent == at) {
            let words: Vec<&str> = comment.text.split_whitespace().collect();
            text.push_str(&format!("{indent}  · {}\n", words.join(" ")));
        }
    }
    Ok(PlanAnswer::done(text))
}

/// The props of a `Rule`, with the severity of a violation.
const KINDS: [(&str, &str); 3] = [("no", "error"), ("always", "error"), ("prefer", "warn")];

/// `{ plan, theme: { mood, font, … }, rules: [{ id, kind, severity, text, line }] }`: every `Rule` of the theme, and the
/// theme's own props.
///
/// # Errors
/// `invalid-argument` if the plan cannot be parsed.
pub(super) fn lint_config(plan: &str) -> Result<PlanAnswer, Error> {
    let tree = parse_plan(plan)?;
    let positions = Positions::new(plan);
    let mut rules = Vec::new();
    for (_, rule) in tree.elements_named("Rule") {
        for (kind, severity) in KINDS {
            let Some(text) = rule.text(kind) else { continue };
            let lower = text.to_lowercase();
            let words: Vec<&str> =
                lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            let (id, line) = (format!("{kind}-{}", words.join("-")), positions.at(rule.place.start).0);
            rules.push(json!({ "id": id, "kind": kind, "severity": severity, "text": text, "line": line }));
        }
    }
    let props = tree.in_root("Theme").next().into_iter().flat_map(|theme| &theme.attributes);
    let mut theme: Map<String, Value> = Map::new();
    theme.extend(props.filter_map(|prop| Some((prop.name.to_owned(), serde_json::to_value(prop.prop()?).ok()?))));
    let mut answer = PlanAnswer::done(format!("Wrote {} rules of the plan to {LINT_CONFIG}.", rules.len()));
    answer.write = Some((LINT_CONFIG, format!("{:#}\n", json!({ "plan": PLAN, "theme": theme, "rules": rules }))));
    Ok(answer)
}
