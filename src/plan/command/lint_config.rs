//! `plan lint-config`: the plan's rules as JSON, for linters.

use super::PlanAnswer;
use crate::error::{Error, ErrorCode};
use crate::layout::{LINT_CONFIG, PLAN};
use crate::plan::diff::parse_plan;
use crate::plan::position::Positions;
use serde_json::{Map, Value, json};

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
    for (_, rule) in tree.named("Rule") {
        for (kind, severity) in KINDS {
            let Some(text) = rule.text(kind) else { continue };
            rules.push(json!({
                "id": format!("{kind}-{}", slug(text)),
                "kind": kind,
                "severity": severity,
                "text": text,
                "line": positions.at(rule.place.start).0,
            }));
        }
    }
    let theme = tree.in_root("Theme").next();
    let props = theme.map_or(&[][..], |theme| &theme.attributes);
    let theme: Map<String, Value> = props
        .iter()
        .filter_map(|prop| Some((prop.name.to_owned(), serde_json::to_value(prop.prop()?).ok()?)))
        .collect();
    let count = rules.len();
    let config = json!({ "plan": PLAN, "theme": theme, "rules": rules });
    let text = serde_json::to_string_pretty(&config)
        .map_err(|error| Error::new(ErrorCode::Internal, format!("the rules cannot be serialised ({error})")))?;
    let mut answer = PlanAnswer::done(format!("Wrote {count} rules of the plan to {LINT_CONFIG}."));
    answer.write = Some((LINT_CONFIG, text + "\n"));
    Ok(answer)
}

/// `hardcoded colors` as `hardcoded-colors`.
fn slug(text: &str) -> String {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| word.to_lowercase())
        .collect();
    words.join("-")
}
