//! `plan show`: an outline of the plan.

use super::PlanAnswer;
use crate::error::Error;
use crate::plan::diff::parse_plan;
use crate::plan::position::Positions;
use crate::plan::tree::Element;

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
