//! Validation: from the source of a plan to its report.

use super::check::{self, Finding, Plan, Severity};
use super::markers::{self, Marker};
use super::position::Positions;
use super::registry::Registry;
use super::report::{ChangeMarker, Diagnostic, PlanNode, PlanReport};
use super::targets::{Target, targets};
use super::tree::{self, Element, Parsed, Place, Tree};
use super::tree_json::tree_json;
use crate::js::{self, Excess};
use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::iter::Peekable;

/// Validates the source of a plan. Total: any text gives a report, within bounds of time and stack.
///
/// With the number of the current task, markers of other tasks give a warning.
pub fn validate(source: &str, registry: &Registry, task_number: Option<u32>) -> PlanReport {
    match tree::parse(source) {
        Ok(parsed) => {
            let positions = Positions::new(source);
            let report = report(&parsed, registry, task_number, &positions);
            PlanReport { root: tree_of(parsed, &positions), ..report }
        }
        Err(excess) => too_large(excess),
    }
}

/// [`validate`] for JavaScript: the report without its tree, and the tree as JSON text.
pub fn validate_to_json(source: &str, registry: &Registry, task_number: Option<u32>) -> (PlanReport, String) {
    match tree::parse(source) {
        Ok(parsed) => {
            let positions = Positions::new(source);
            let tree = tree_json(&parsed.tree.elements, &positions);
            (report(&parsed, registry, task_number, &positions), tree)
        }
        Err(excess) => (too_large(excess), "null".to_owned()),
    }
}

/// The tree of [`validate`].
pub fn root(source: &str) -> Option<PlanNode> {
    tree_of(tree::parse(source).ok()?, &Positions::new(source))
}

fn report(parsed: &Parsed<'_>, registry: &Registry, task_number: Option<u32>, positions: &Positions<'_>) -> PlanReport {
    let (markers, of_markers) = markers::read(&parsed.tree, task_number);
    let findings = if parsed.errors.is_empty() {
        let mut findings = check::run(&Plan { tree: &parsed.tree, registry });
        if findings.iter().all(|finding| finding.id != "has-app-root") {
            findings.extend(of_markers);
        }
        findings.sort_by_key(|a| a.place.start);
        findings
    } else {
        let errors = parsed.errors.iter();
        errors.map(|error| Finding::failure("parseable", error.place, error.message.clone())).collect()
    };
    let (failures, warnings): (Vec<_>, Vec<_>) =
        findings.into_iter().partition(|finding| finding.severity == Severity::Failure);
    PlanReport {
        ok: failures.is_empty(),
        root: None,
        failures: failures.into_iter().map(|finding| diagnostic(finding, positions)).collect(),
        warnings: warnings.into_iter().map(|finding| diagnostic(finding, positions)).collect(),
        markers: change_markers(&parsed.tree, markers, positions),
    }
}

fn too_large(excess: Excess) -> PlanReport {
    let message = match excess {
        Excess::Bytes => format!("The source has more than {} bytes. Make the plan smaller.", js::MAX_BYTES),
        Excess::Levels => format!("The source nests more than {} levels. Make the plan flatter.", js::MAX_LEVELS),
        Excess::Elements => {
            format!("The source has more than {} elements. Make the plan smaller.", js::MAX_ELEMENTS)
        }
        Excess::Reads => {
            "The nesting of the source makes it too slow to parse. Write the plan as plain elements.".to_owned()
        }
    };
    let failure = Diagnostic { id: "too-large".to_owned(), message, line: 1, column: 1, ..Diagnostic::default() };
    PlanReport { failures: vec![failure], ..PlanReport::default() }
}

fn diagnostic(finding: Finding, positions: &Positions<'_>) -> Diagnostic {
    let (line, column) = positions.at(finding.place.start);
    let (end_line, end_column) = positions.at(finding.place.end);
    Diagnostic {
        id: finding.id.to_owned(),
        message: format!("Line {line}: {}", finding.message),
        line,
        column,
        end_line: Some(end_line),
        end_column: Some(end_column),
        suggestions: Some(finding.suggestions).filter(|names| !names.is_empty()),
    }
}

fn change_markers(tree: &Tree<'_>, markers: Vec<Marker>, positions: &Positions<'_>) -> Vec<ChangeMarker> {
    let targets = LazyCell::new(|| targets(tree));
    let change_marker = |marker: Marker| {
        let line = |place: Place| positions.at(place.start).0;
        let owner = tree.elements.get(marker.owner);
        let section = owner.filter(|owner| owner.name == "Section").map(|owner| {
            match targets.binary_search_by_key(&marker.owner, |target| target.element) {
                Ok(at) => targets.get(at).map_or_else(String::new, Target::label),
                Err(_) => format!("#{}", line(owner.place)),
            }
        });
        let around = owner.into_iter().chain(tree.around(marker.owner).map(|(_, around)| around));
        let screen = around.take_while(|around| around.name != "Theme").find(|around| around.name == "Screen");
        ChangeMarker {
            kind: marker.kind,
            task: marker.task,
            count: markers::leading_number(&marker.text).map(|(number, _)| number),
            existing: marker.existing,
            text: marker.text,
            screen: screen.and_then(|screen| screen.text("name")).map(str::to_owned),
            section,
            line: line(marker.place),
        }
    };
    markers.into_iter().map(change_marker).collect()
}

fn tree_of(parsed: Parsed<'_>, positions: &Positions<'_>) -> Option<PlanNode> {
    node(&mut parsed.tree.elements.into_iter().peekable(), positions)
}

/// The next element with its descendants.
fn node<'s>(elements: &mut Peekable<impl Iterator<Item = Element<'s>>>, positions: &Positions<'_>) -> Option<PlanNode> {
    let element = elements.next()?;
    let (line, column) = positions.at(element.place.start);
    let mut children = Vec::new();
    while elements.peek().is_some_and(|next| next.level > element.level) {
        children.extend(node(elements, positions));
    }
    let mut props = BTreeMap::new();
    props.extend(element.attributes.iter().filter_map(|prop| Some((prop.name.to_owned(), prop.prop()?))));
    Some(PlanNode { component: element.name.into_owned(), props, children, line, column })
}
