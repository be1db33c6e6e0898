//! Finds the sections of a screen.

use super::compare::Comparison;
use super::entry::{DiffCategory, DiffStatus, PlanDiffEntry};
use super::names::{Wanted, key, same};
use super::planned::{Screen, Section};
use super::sighting::{By, Sighting, stem};
use crate::js::graph::{Node, Target};
use crate::js::links::Import;
use crate::js::outline::UseKind;
use crate::path::extension;
use std::fmt::Write;

/// How a section compares with the plan, and the part that builds it.
struct Finding {
    status: DiffStatus,
    path: Option<String>,
    detail: Option<String>,
    /// Nothing in the files renders it; a file that was not read may.
    is_unseen: bool,
    /// Its component exists and renders nothing.
    is_empty: bool,
}

pub(super) struct Judged {
    pub entry: PlanDiffEntry,
    /// Its screen renders it.
    pub is_rendered: bool,
    /// A component builds it and renders something, whether or not the app shows it.
    pub is_there: bool,
    /// There is only a component file (`.tsx`, `.jsx`) whose component renders nothing.
    pub is_stub: bool,
}

/// The detail for a component without elements.
const EMPTY: &str = "its component renders nothing";

/// Maximum number of unread files to name.
const UNREAD_SHOWN: usize = 3;

/// Judges a section. `scope` are the nodes that the screen shows.
pub(super) fn judge(project: &Comparison<'_>, screen: &Screen, section: &Section, scope: &[bool]) -> Judged {
    let wanted = wanted(screen, section);
    let finding = rendered(project, section, &wanted, scope)
        .or_else(|| elsewhere(project, &wanted))
        .or_else(|| unused(project, &wanted))
        .or_else(|| unread(project, &wanted))
        .unwrap_or_else(|| Finding {
            status: DiffStatus::Missing,
            path: None,
            detail: Some(format!("no component of that name: write {} and render it", section.suggested_file)),
            is_unseen: true,
            is_empty: false,
        });
    let mut detail = if screen.name.is_empty() {
        format!("line {}", section.line)
    } else {
        format!("Screen {:?}, line {}", screen.name, section.line)
    };
    if let Some(more) = finding.detail {
        let _ = write!(detail, ": {more}");
    }
    let others =
        project.unread.iter().map(|(path, _)| path.as_str()).filter(|path| finding.path.as_deref() != Some(path));
    let unread: Vec<&str> = others.take(UNREAD_SHOWN).collect();
    if finding.is_unseen && !unread.is_empty() {
        let _ = write!(detail, "; not judged: {}", unread.join(", "));
    }
    let is_rendered = !finding.is_unseen && finding.path.is_some();
    let is_there = finding.path.is_some() && !finding.is_empty;
    let is_stub =
        finding.is_empty && finding.path.as_deref().is_some_and(|path| matches!(extension(path), "tsx" | "jsx"));
    let entry = PlanDiffEntry {
        status: finding.status,
        category: DiffCategory::Section,
        planned: section.label.clone(),
        found: finding.path,
        detail: Some(detail),
    };
    Judged { entry, is_rendered, is_there, is_stub }
}

/// The names that a section's component may have.
pub(super) fn wanted(screen: &Screen, section: &Section) -> Wanted {
    Wanted::section(&section.gumdrop, &screen.name, &section.variant)
}

/// Whether a declaration or file has the section's name, even if it is not a component.
pub(super) fn is_named(project: &Comparison<'_>, screen: &Screen, section: &Section) -> bool {
    let wanted = wanted(screen, section);
    project.sightings.named(&wanted).next().is_some()
        || project.graph.modules.iter().any(|module| wanted.is(&key(stem(module.path))))
}

/// Rendered in its screen, as planned or with deviations.
fn rendered(project: &Comparison<'_>, section: &Section, wanted: &Wanted, scope: &[bool]) -> Option<Finding> {
    let found = project.sightings.of_wanted(wanted, scope);
    let Some(sighting) = found.get(section.nth) else {
        return found.first().map(|_| Finding {
            status: DiffStatus::Missing,
            path: None,
            detail: Some(format!(
                "it is number {} of its kind, and {} rendered",
                section.nth + 1,
                is_or_are(found.len())
            )),
            is_unseen: true,
            is_empty: false,
        });
    };
    let path = path_of(project, sighting);
    let missing = missing_fields(project, &path, &section.fields);
    let is_empty = sighting.by != By::Entry && sighting.target.is_some_and(|node| !project.graph.renders(node));
    let (status, detail) = match () {
        () if is_empty => (DiffStatus::Deviation, Some(EMPTY.to_owned())),
        () if !missing.is_empty() => (DiffStatus::Deviation, Some(format!("without {}", missing.join(", ")))),
        () => (DiffStatus::Implemented, None),
    };
    Some(Finding { status, path: Some(path), detail, is_unseen: false, is_empty })
}

fn is_or_are(count: usize) -> String {
    if count == 1 { "1 is".to_owned() } else { format!("{count} are") }
}

/// Rendered only where another screen is shown.
fn elsewhere(project: &Comparison<'_>, wanted: &Wanted) -> Option<Finding> {
    let found = project.sightings.of_wanted(wanted, &project.reached);
    let sighting = found.first()?;
    let at = project.graph.path_of(sighting.node);
    Some(Finding {
        status: DiffStatus::Deviation,
        path: Some(path_of(project, sighting)),
        detail: Some(format!("it is rendered in {at}, which this screen does not show")),
        is_unseen: true,
        is_empty: false,
    })
}

/// Exists, but the app does not render it, or it renders nothing.
fn unused(project: &Comparison<'_>, wanted: &Wanted) -> Option<Finding> {
    let graph = &project.graph;
    let named = || project.sightings.named(wanted).filter(|node| project.is_of_app(graph.path_of(*node)));
    let node: Node =
        named().find(|node| graph.renders(*node)).or_else(|| named().find(|node| graph.is_component(*node)))?;
    let is_empty = !graph.renders(node);
    let deviation = |why: String| {
        let why = if is_empty { format!("{EMPTY}, and {why}") } else { why };
        let path = Some(graph.path_of(node).to_owned());
        Some(Finding { status: DiffStatus::Deviation, path, detail: Some(why), is_unseen: true, is_empty })
    };
    let anywhere = vec![true; project.reached.len()];
    let seen = project.sightings.of_wanted(wanted, &anywhere);
    if let Some(sighting) = seen.iter().find(|sighting| sighting.by == By::Name) {
        let at = graph.path_of(sighting.node);
        return deviation(format!("only {at} renders it, in a component that the app does not show"));
    }
    let is_it = |(import, file): (&Import<&str>, Option<usize>)| {
        let exported = file.and_then(|file| graph.exported(file, import.name));
        !import.local.is_empty()
            && (file == Some(graph.module_of(node))
                || matches!(exported, Some(Target::Part { node: other, .. }) if other == node))
    };
    let mut modules = graph.modules.iter().enumerate();
    let importer = modules.find(|(at, _)| graph.imports(*at).any(is_it));
    deviation(match importer {
        Some((_, module)) => format!("{} imports it and does not render it", module.path),
        None => "nothing that the app shows renders it".to_owned(),
    })
}

/// A file with its name could not be read.
fn unread(project: &Comparison<'_>, wanted: &Wanted) -> Option<Finding> {
    let (path, why) = project.unread.iter().find(|(path, _)| wanted.is(&key(stem(path))))?;
    Some(Finding {
        status: DiffStatus::Deviation,
        path: Some(path.clone()),
        detail: Some(why.clone()),
        is_unseen: false,
        is_empty: false,
    })
}

/// The file of the rendered component; if that is not in the project, the file that renders it.
fn path_of(project: &Comparison<'_>, sighting: &Sighting) -> String {
    project.graph.path_of(sighting.target.unwrap_or(sighting.node)).to_owned()
}

/// The fields that neither the file nor its imports name.
fn missing_fields(project: &Comparison<'_>, path: &str, fields: &[String]) -> Vec<String> {
    let graph = &project.graph;
    let Some(own) = graph.modules.iter().position(|module| module.path == path) else { return Vec::new() };
    let mut modules = vec![own];
    modules.extend(graph.imports(own).filter_map(|(_, file)| file));
    // A barrel file re-exports the declarations of other files.
    for barrel in modules.clone() {
        modules.extend(graph.exports(barrel).filter_map(|(_, file)| file));
    }
    let names = |field: &str| {
        let mut nodes = modules.iter().flat_map(|module| graph.nodes_of(*module));
        nodes.any(|node| {
            graph
                .uses(node)
                .any(|(used, _)| matches!(used.kind, UseKind::Word | UseKind::Value) && same(used.text, field))
        })
    };
    fields.iter().filter(|field| !names(field)).cloned().collect()
}
