//! The checks of a plan: one function per rule, and the table that runs them.

mod data;
mod gumdrops;
mod placement;
mod rhythm;
mod screens;
mod theme;
mod vocabulary;

use super::registry::Registry;
use super::tree::{Place, Tree};

/// The input of the checks.
pub(super) struct Plan<'p, 's> {
    pub tree: &'p Tree<'s>,
    pub registry: &'p Registry,
}

/// The result of a check.
#[derive(Debug)]
pub(super) struct Finding {
    pub severity: Severity,
    /// The stable id of the check.
    pub id: &'static str,
    pub place: Place,
    /// What is wrong and what to do, without the line.
    pub message: String,
    /// The nearest known names.
    pub suggestions: Vec<String>,
}

/// Whether a finding makes the plan invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Severity {
    Failure,
    Warning,
}

type Check = fn(&Plan<'_, '_>, &mut Vec<Finding>);

const CHECKS: &[Check] = &[
    theme::has_theme,
    screens::has_screens,
    theme::valid_mood,
    theme::valid_font,
    theme::valid_pattern,
    theme::valid_shadow,
    theme::valid_radius,
    theme::valid_seed,
    gumdrops::valid_gumdrops,
    gumdrops::sections_have_gumdrops,
    screens::no_empty_screens,
    data::schema_endpoint_match,
    screens::unique_names,
    rhythm::adjacent_grids,
    rhythm::low_diversity,
    screens::missing_nav,
    data::no_data_for_stateful,
    vocabulary::dynamic_prop,
    vocabulary::unknown_component,
    vocabulary::unknown_prop,
    placement::misplaced,
];

/// Runs every check. If the root is not `App`, that is the only finding.
pub(super) fn run(plan: &Plan<'_, '_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    match plan.tree.root() {
        Some(root) if root.name != "App" => findings.push(Finding::failure(
            "has-app-root",
            root.place,
            format!("The root is `{}`. Make `App` the root and put everything into it.", root.name),
        )),
        _ => CHECKS.iter().for_each(|check| check(plan, &mut findings)),
    }
    findings
}

impl Finding {
    pub(super) fn failure(id: &'static str, place: Place, message: impl Into<String>) -> Self {
        Self { severity: Severity::Failure, id, place, message: message.into(), suggestions: Vec::new() }
    }

    pub(super) fn warning(id: &'static str, place: Place, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::failure(id, place, message) }
    }

    /// Suggests the nearest names; if there are none, appends `otherwise` to the message.
    pub(super) fn or_meant(mut self, names: Vec<String>, otherwise: &str) -> Self {
        self.message.push(' ');
        if names.is_empty() {
            self.message.push_str(otherwise);
        } else {
            self.message.push_str(&format!("Did you mean {}?", alternatives(&names)));
        }
        self.suggestions = names;
        self
    }
}

/// `` `a`, `b` or `c` ``.
fn alternatives(names: &[impl AsRef<str>]) -> String {
    let mut text = String::new();
    for (index, name) in names.iter().enumerate() {
        text.push_str(match index {
            0 => "`",
            _ if index + 1 == names.len() => "` or `",
            _ => "`, `",
        });
        text.push_str(name.as_ref());
    }
    text.push('`');
    text
}

impl Plan<'_, '_> {
    /// The position of the root, for parts missing from the plan.
    fn root_place(&self) -> Place {
        self.tree.root().map_or(Place { start: 0, end: 0 }, |root| root.place)
    }
}
