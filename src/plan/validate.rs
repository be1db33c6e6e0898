//! From source text to report.

use super::check::{self, Finding, Plan, Severity};
use super::markers::{self, Label, Marker};
use super::position::Positions;
use super::registry::Registry;
use super::report::{ChangeMarker, Diagnostic, PlanNode, PlanReport};
use super::tree::{self, Element, Parsed};
use crate::js::{self, Excess, SyntaxError};
use std::iter::Peekable;

/// Validates the source of a plan. Total: any text gives a report, within bounds of time and stack.
///
/// With the number of the current task, markers of other tasks are told.
pub fn validate(source: &str, registry: &Registry, task_number: Option<u32>) -> PlanReport {
    let source = without_bom(source);
    match tree::parse(source) {
        Ok(parsed) => {
            let positions = Positions::new(source);
            let report = report(&parsed, registry, task_number, &positions);
            PlanReport { root: root_of(parsed, &positions), ..report }
        }
        Err(excess) => too_large(excess),
    }
}

/// [`validate`] without the tree, which is most of a report: for an editor that asks at every keystroke.
pub fn diagnose(source: &str, registry: &Registry, task_number: Option<u32>) -> PlanReport {
    let source = without_bom(source);
    match tree::parse(source) {
        Ok(parsed) => report(&parsed, registry, task_number, &Positions::new(source)),
        Err(excess) => too_large(excess),
    }
}

/// The tree that [`validate`] reports.
pub fn root(source: &str) -> Option<PlanNode> {
    let source = without_bom(source);
    root_of(tree::parse(source).ok()?, &Positions::new(source))
}

fn without_bom(source: &str) -> &str {
    source.strip_prefix('\u{FEFF}').unwrap_or(source)
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
        parsed.errors.iter().map(unparseable).collect()
    };

    let (failures, warnings): (Vec<_>, Vec<_>) =
        findings.into_iter().partition(|finding| finding.severity == Severity::Failure);
    PlanReport {
        ok: failures.is_empty(),
        root: None,
        failures: failures.into_iter().map(|finding| diagnostic(finding, positions)).collect(),
        warnings: warnings.into_iter().map(|finding| diagnostic(finding, positions)).collect(),
        markers: markers.into_iter().map(|marker| change_marker(marker, positions)).collect(),
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
            "The source nests so that reading it takes too long. Write the plan as plain elements.".to_owned()
        }
    };
    let failure = Diagnostic { id: "too-large".to_owned(), message, line: 1, column: 1, ..Diagnostic::default() };
    PlanReport { failures: vec![failure], ..PlanReport::default() }
}

fn unparseable(error: &SyntaxError) -> Finding {
    Finding::failure("parseable", error.place, error.message.clone())
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

fn change_marker(marker: Marker, positions: &Positions<'_>) -> ChangeMarker {
    ChangeMarker {
        kind: marker.kind,
        task: marker.task,
        count: marker.count,
        existing: marker.existing,
        text: marker.text,
        screen: marker.screen,
        section: marker.section.map(|label| match label {
            Label::Name(name) => name,
            Label::At(place) => format!("#{}", positions.at(place).0),
        }),
        line: positions.at(marker.place.start).0,
    }
}

fn root_of(parsed: Parsed<'_>, positions: &Positions<'_>) -> Option<PlanNode> {
    node(&mut parsed.tree.elements.into_iter().peekable(), positions)
}

/// The next element with everything in it.
fn node<'s>(elements: &mut Peekable<impl Iterator<Item = Element<'s>>>, positions: &Positions<'_>) -> Option<PlanNode> {
    let element = elements.next()?;
    let (line, column) = positions.at(element.place.start);
    let mut children = Vec::new();
    while elements.peek().is_some_and(|next| next.level > element.level) {
        children.extend(node(elements, positions));
    }
    let props = element.attributes.iter();
    let props = props.filter_map(|attribute| Some((attribute.name.to_owned(), attribute.prop()?))).collect();
    Some(PlanNode { component: element.name.into_owned(), props, children, line, column })
}
