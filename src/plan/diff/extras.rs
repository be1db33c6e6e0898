//! Finds sections and screens that are not planned.

use super::compare::Comparison;
use super::entry::{DiffCategory, DiffStatus, PlanDiffEntry};
use super::names::{Wanted, key};
use super::planned::Planned;
use super::sections::wanted;
use crate::path::stem;

/// Folders whose files are screens.
const SCREENS: [&str; 4] = ["pages", "screens", "views", "routes"];
/// Files in these folders that are not screens.
const NO_SCREENS: [&str; 7] = ["layout", "root", "error", "notfound", "404", "loading", "index"];

/// Files that are a section or a screen by folder or name and that the plan does not contain. `known` are the files
/// that build planned parts.
pub(super) fn judge(project: &Comparison<'_>, planned: &Planned, known: &[&str]) -> Vec<PlanDiffEntry> {
    let sections: Vec<Wanted> = planned.sections().map(|(screen, section)| wanted(screen, section)).collect();
    let screens: Vec<Wanted> = planned.screens.iter().map(|screen| Wanted::screen(&screen.name)).collect();
    let graph = &project.graph;
    let (mut entries, mut pages) = (Vec::new(), Vec::new());
    let the_page = the_page(project, planned, known);
    for (at, module) in graph.modules.iter().enumerate() {
        let mut shown = graph.nodes_of(at).filter(|node| graph.renders(*node)).peekable();
        if known.contains(&module.path) || shown.peek().is_none() || !project.is_of_app(module.path) {
            continue;
        }
        let name = key(stem(module.path));
        if sections.iter().chain(&screens).any(|wanted| wanted.is(&name)) {
            continue;
        }
        let is_section = folder(module.path) == "sections" || name.len() > "section".len() && name.ends_with("section");
        let (category, entries) = match is_section {
            true => (DiffCategory::Section, &mut entries),
            false if is_page(module.path) && the_page != Some(at) => (DiffCategory::Screen, &mut pages),
            false => continue,
        };
        let is_shown = shown.any(|node| project.is_shown(node));
        let detail =
            if is_shown { "the plan does not have it" } else { "the plan does not have it, and nothing renders it" };
        let (found, detail) = (Some(module.path.to_owned()), Some(detail.to_owned()));
        entries.push(PlanDiffEntry { status: DiffStatus::Extra, category, planned: String::new(), found, detail });
    }
    entries.append(&mut pages);
    entries
}

/// The page that is the screen of a one-screen app, whatever its name: the one that shows most of the plan, or, without
/// any section, the only one shown. `None` if the screen is another page.
fn the_page(project: &Comparison<'_>, planned: &Planned, known: &[&str]) -> Option<usize> {
    if planned.screens.len() != 1 || known.iter().any(|path| is_page(path)) {
        return None;
    }
    let graph = &project.graph;
    let is_shown = |module: usize| graph.nodes_of(module).any(|node| project.is_shown(node));
    let pages: Vec<(usize, usize)> = (0..graph.modules.len())
        .filter(|at| graph.modules.get(*at).is_some_and(|module| is_page(module.path)) && is_shown(*at))
        .map(|at| {
            let reached = graph.reach(&graph.exports_of(at), &[]);
            let shows = |path: &&&str| {
                graph.nodes().any(|node| reached.get(node) == Some(&true) && graph.path_of(node) == **path)
            };
            (known.iter().filter(shows).count(), at)
        })
        .collect();
    let most = pages.iter().map(|(count, _)| *count).max()?;
    // In addition to the screen itself.
    let is_section_found = known.len() > 1;
    let is_only = pages.len() == 1 && !is_section_found;
    pages.iter().find(|(count, _)| *count == most && (most > 0 || is_only)).map(|(_, at)| *at)
}

/// The folder of a file; for an index file, the folder above its own.
fn folder(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    if parts.next().is_some_and(|name| name.starts_with("index.")) {
        parts.next();
    }
    parts.next().unwrap_or_default()
}

/// Whether a file is a page by its folder and name.
fn is_page(path: &str) -> bool {
    let name = key(stem(path));
    SCREENS.contains(&folder(path)) && !NO_SCREENS.contains(&name.as_str()) && !crate::path::name(path).starts_with('_')
}
