//! The checks of a plan: the table of the rules, and one function per rule.

mod gumdrops;
mod structure;
mod theme;
mod vocabulary;

use super::language::equal;
use super::registry::Registry;
use super::tree::{Attribute, Place, Tree};
use Severity::{Failure, Warning};

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

type Check = fn(&Plan<'_, '_>, &mut Findings);

const CHECKS: [(&str, Severity, Check); 21] = [
    ("has-theme", Failure, theme::has_theme),
    ("has-screens", Failure, structure::has_screens),
    ("valid-mood", Failure, theme::valid_mood),
    ("valid-font", Failure, theme::valid_font),
    ("valid-pattern", Failure, theme::valid_pattern),
    ("valid-shadow", Failure, theme::valid_shadow),
    ("valid-radius", Failure, theme::valid_radius),
    ("valid-seed", Failure, theme::valid_seed),
    ("valid-gumdrops", Failure, gumdrops::valid_gumdrops),
    ("sections-have-gumdrops", Failure, gumdrops::sections_have_gumdrops),
    ("no-empty-screens", Failure, structure::no_empty_screens),
    ("schema-endpoint-match", Failure, structure::schema_endpoint_match),
    ("unique-names", Failure, structure::unique_names),
    ("adjacent-grids", Warning, gumdrops::adjacent_grids),
    ("low-diversity", Warning, gumdrops::low_diversity),
    ("missing-nav", Warning, structure::missing_nav),
    ("no-data-for-stateful", Warning, gumdrops::no_data_for_stateful),
    ("dynamic-prop", Warning, vocabulary::dynamic_prop),
    ("unknown-component", Warning, vocabulary::unknown_component),
    ("unknown-prop", Warning, vocabulary::unknown_prop),
    ("misplaced", Warning, vocabulary::misplaced),
];

/// Runs every check. If the root is not `App`, that is the only finding.
pub(super) fn run(plan: &Plan<'_, '_>) -> Vec<Finding> {
    if let Some(root) = plan.tree.root().filter(|root| root.name != "App") {
        let message = format!("The root is `{}`. Make `App` the root and put everything into it.", root.name);
        return vec![Finding::failure("has-app-root", root.place, message)];
    }
    let mut all = Vec::new();
    for (id, severity, check) in CHECKS {
        let mut findings = Findings { id, severity, all };
        check(plan, &mut findings);
        all = findings.all;
    }
    all
}

impl Finding {
    pub(super) fn failure(id: &'static str, place: Place, message: String) -> Self {
        Self { severity: Failure, id, place, message, suggestions: Vec::new() }
    }

    pub(super) fn warning(id: &'static str, place: Place, message: String) -> Self {
        Self { severity: Warning, ..Self::failure(id, place, message) }
    }
}

/// The findings so far; new ones belong to the check with this id.
struct Findings {
    id: &'static str,
    severity: Severity,
    all: Vec<Finding>,
}

impl Findings {
    fn add(&mut self, place: Place, message: String) {
        self.all.push(Finding { severity: self.severity, id: self.id, place, message, suggestions: Vec::new() });
    }

    /// Suggests the nearest names; if there are none, appends `otherwise` to the message.
    fn add_unknown(&mut self, place: Place, message: &str, suggestions: Vec<String>, otherwise: &str) {
        let message = match suggestions.as_slice() {
            [] => format!("{message} {otherwise}"),
            names => format!("{message} Did you mean {}?", alternatives(names)),
        };
        self.all.push(Finding { severity: self.severity, id: self.id, place, message, suggestions });
    }

    /// The attribute's text. A literal of another type is a finding; `advice` ends before the `example` of a value.
    fn text<'a>(&mut self, attribute: &'a Attribute<'_>, advice: &str, example: &str) -> Option<&'a str> {
        if attribute.text().is_none() && attribute.is_literal() {
            let name = attribute.name;
            self.add(attribute.place, format!("`{name}` must be a string. {advice} `{name}=\"{example}\"`."));
        }
        attribute.text()
    }
}

fn has(names: &[String], name: &str) -> bool {
    names.iter().any(|known| equal(known, name))
}

/// `` `a`, `b` or `c` ``.
fn alternatives(names: &[impl AsRef<str>]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match names.as_slice() {
        [several @ .., last] if !several.is_empty() => format!("{} or {last}", several.join(", ")),
        names => names.concat(),
    }
}

impl Plan<'_, '_> {
    /// The position of the root, for parts missing from the plan.
    fn root_place(&self) -> Place {
        self.tree.root().map_or(Place { start: 0, end: 0 }, |root| root.place)
    }
}
