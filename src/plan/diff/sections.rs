//! Finds the sections of a screen.

use super::compare::Comparison;
use super::entry::{DiffCategory, DiffStatus, PlanDiffEntry, PlanSection};
use super::names::{Wanted, key, same};
use super::planned::{Screen, Section};
use super::report::line;
use super::sighting::{By, Sighting};
use crate::js::graph::{Node, Target};
use crate::js::links::Import;
use crate::js::outline::UseKind;
use crate::path::{extension, stem};
use std::fmt::Write;

/// The part that builds a section, and how it differs.
struct Finding {
    path: Option<String>,
    detail: Option<String>,
    /// Nothing in the files renders it; a file that was not read may.
    is_unseen: bool,
    /// Its component exists and renders nothing.
    is_empty: bool,
}

impl Finding {
    fn unseen(path: Option<String>, detail: String) -> Self {
        Self { path, detail: Some(detail), is_unseen: true, is_empty: false }
    }
}

pub(super) struct Judged {
    pub entry: PlanDiffEntry,
    /// Its screen renders it.
    pub is_rendered: bool,
    pub section: PlanSection,
}

/// The detail for a component without elements.
pub(super) const EMPTY: &str = "its component renders nothing";

/// Maximum number of unread files to name.
const UNREAD_SHOWN: usize = 3;

/// Judges a section. `scope` are the nodes that the screen shows.
pub(super) fn judge(project: &Comparison<'_>, screen: &Screen, section: &Section, scope: &[bool]) -> Judged {
    let wanted = wanted(screen, section);
    let finding = rendered(project, section, &wanted, scope)
        .or_else(|| elsewhere(project, &wanted))
        .or_else(|| unused(project, &wanted))
        .or_else(|| unread(project, &wanted));
    let Finding { path, detail: more, is_unseen, is_empty } = finding.unwrap_or_else(|| {
        Finding::unseen(None, format!("no component of that name: write {} and render it", section.suggested_file))
    });
    let status = DiffStatus::from_state(path.is_some(), more.is_some());
    let mut detail = if screen.name.is_empty() { String::new() } else { format!("Screen {:?}, ", screen.name) };
    let _ = write!(detail, "line {}", section.line);
    if let Some(more) = more {
        let _ = write!(detail, ": {more}");
    }
    let others = project.unread.iter().map(|(path, _)| path.as_str()).filter(|other| path.as_deref() != Some(other));
    let unread: Vec<&str> = others.take(UNREAD_SHOWN).collect();
    if is_unseen && !unread.is_empty() {
        let _ = write!(detail, "; not judged: {}", unread.join(", "));
    }
    let is_stub = is_empty && path.as_deref().is_some_and(|path| matches!(extension(path), "tsx" | "jsx"));
    let has_its_name = project.sightings.nodes_named(&wanted).next().is_some()
        || project.graph.modules.iter().any(|module| wanted.is(&key(stem(module.path))));
    let (is_there, is_rendered) = (path.is_some() && !is_empty, path.is_some() && !is_unseen);
    let (category, planned, detail) = (DiffCategory::Section, section.label.clone(), Some(detail));
    let entry = PlanDiffEntry { status, category, planned, found: path, detail };
    let section = PlanSection {
        screen: screen.name.clone(),
        label: section.label.clone(),
        gumdrop: section.gumdrop.clone(),
        is_there,
        is_named: has_its_name && !is_stub,
        line: line(&entry),
    };
    Judged { entry, is_rendered, section }
}

/// The names that a section's component may have.
pub(super) fn wanted(screen: &Screen, section: &Section) -> Wanted {
    Wanted::section(&section.gumdrop, &screen.name, &section.variant)
}

/// Rendered in its screen, as planned or with deviations.
fn rendered(project: &Comparison<'_>, section: &Section, wanted: &Wanted, scope: &[bool]) -> Option<Finding> {
    let found = project.sightings.of_wanted(wanted, scope);
    let Some(sighting) = found.get(section.nth) else {
        let count = match found.len() {
            0 => return None,
            1 => "1 is".to_owned(),
            count => format!("{count} are"),
        };
        let detail = format!("it is number {} of its kind, and {count} rendered", section.nth + 1);
        return Some(Finding::unseen(None, detail));
    };
    let path = path_of(project, sighting);
    let is_empty = sighting.by != By::Entry && sighting.target.is_some_and(|node| !project.graph.renders(node));
    let detail = match missing_fields(project, &path, &section.fields).as_slice() {
        _ if is_empty => Some(EMPTY.to_owned()),
        [] => None,
        missing => Some(format!("without {}", missing.join(", "))),
    };
    Some(Finding { path: Some(path), detail, is_unseen: false, is_empty })
}

/// Rendered only where another screen is shown.
fn elsewhere(project: &Comparison<'_>, wanted: &Wanted) -> Option<Finding> {
    let found = project.sightings.of_wanted(wanted, &project.reached);
    let sighting = found.first()?;
    let at = project.graph.path_of(sighting.node);
    let detail = format!("it is rendered in {at}, which this screen does not show");
    Some(Finding::unseen(Some(path_of(project, sighting)), detail))
}

/// Exists, but the app does not render it, or it renders nothing.
fn unused(project: &Comparison<'_>, wanted: &Wanted) -> Option<Finding> {
    let graph = &project.graph;
    let named = || project.sightings.nodes_named(wanted).filter(|node| project.is_of_app(graph.path_of(*node)));
    let node: Node =
        named().find(|node| graph.renders(*node)).or_else(|| named().find(|node| graph.is_component(*node)))?;
    let is_empty = !graph.renders(node);
    let deviation = |why: String| {
        let why = if is_empty { format!("{EMPTY}, and {why}") } else { why };
        Some(Finding { is_empty, ..Finding::unseen(Some(graph.path_of(node).to_owned()), why) })
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
    Some(Finding { is_unseen: false, ..Finding::unseen(Some(path.clone()), why.clone()) })
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
        let uses = modules.iter().flat_map(|module| graph.nodes_of(*module)).flat_map(|node| graph.uses(node));
        let mut words = uses.filter(|(used, _)| matches!(used.kind, UseKind::Word | UseKind::Value));
        words.any(|(used, _)| same(used.text, field))
    };
    fields.iter().filter(|field| !names(field)).cloned().collect()
}
