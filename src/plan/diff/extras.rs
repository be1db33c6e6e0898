//! Finds sections and screens that are not planned.

use super::compare::Comparison;
use super::entry::{DiffCategory, DiffStatus, PlanDiffEntry};
use super::names::{Wanted, key};
use super::planned::Planned;
use super::sections::wanted;
use crate::js::graph::{Graph, Node, Target};
use crate::js::outline::UseKind;
use crate::path::stem;
use crate::words::words;
use std::collections::BTreeSet;

/// Folders whose files are screens.
const SCREENS: [&str; 4] = ["pages", "screens", "views", "routes"];
/// Files in these folders that are not screens.
const NO_SCREENS: [&str; 7] = ["layout", "root", "error", "notfound", "404", "loading", "index"];

/// The last word in the names of widgets, as `words` returns it.
const WIDGETS: &str = "\
    toggle button switch switcher icon logo badge chip tag avatar card link input select picker dropdown menu tooltip \
    popover modal dialog drawer toast spinner loader cursor indicator progress divider separator provider";
/// Elements of widgets.
const CONTROLS: &str = "button input select label a svg img progress";
/// Elements with content that a widget does not have.
const BLOCKS: &str =
    "section article aside header footer main nav form h1 h2 h3 h4 h5 h6 p ul ol dl table figure blockquote";

/// Files that are a section or a screen and that the plan does not contain: by folder or name, or because the page shows them
/// beside planned parts and they are not widgets. Files outside of the app's folder count if the app shows them. `known` are
/// the files that build planned parts.
pub(super) fn judge(project: &Comparison<'_>, planned: &Planned, known: &[&str]) -> Vec<PlanDiffEntry> {
    let sections: Vec<Wanted> = planned.sections().map(|(screen, section)| wanted(screen, section)).collect();
    let screens: Vec<Wanted> = planned.screens.iter().map(|screen| Wanted::screen(&screen.name)).collect();
    let graph = &project.graph;
    let (mut entries, mut pages) = (Vec::new(), Vec::new());
    let the_page = the_page(project, planned, known);
    let beside = beside(project, known);
    for (at, module) in graph.modules.iter().enumerate() {
        let mut rendering = graph.nodes_of(at).filter(|node| graph.renders(*node)).peekable();
        if known.contains(&module.path) || rendering.peek().is_none() {
            continue;
        }
        let is_shown = rendering.any(|node| project.is_shown(node));
        if !is_shown && !project.is_of_app(module.path) {
            continue;
        }
        let name = key(stem(module.path));
        if sections.iter().chain(&screens).any(|wanted| wanted.is(&name)) {
            continue;
        }
        let is_section = folder(module.path) == "sections" || name.len() > "section".len() && name.ends_with("section");
        let (category, entries) = match is_page(module.path) {
            _ if is_section => (DiffCategory::Section, &mut entries),
            true if the_page != Some(at) => (DiffCategory::Screen, &mut pages),
            false if beside.contains(&at) && !is_frame(module.path) && !is_widget(graph, at) => {
                (DiffCategory::Section, &mut entries)
            }
            _ => continue,
        };
        let detail =
            if is_shown { "the plan does not have it" } else { "the plan does not have it, and nothing renders it" };
        let (found, detail) = (Some(module.path.to_owned()), Some(detail.to_owned()));
        entries.push(PlanDiffEntry { status: DiffStatus::Extra, category, planned: String::new(), found, detail });
    }
    entries.append(&mut pages);
    entries
}

/// The modules with a component that the app shows beside a component of a planned part, in the same part of a file. What is
/// around a planned part, such as a layout, is not beside it.
fn beside(project: &Comparison<'_>, known: &[&str]) -> BTreeSet<usize> {
    let graph = &project.graph;
    let mut found = BTreeSet::new();
    for node in graph.nodes().filter(|node| project.is_shown(*node)) {
        let tags = graph.uses(node).filter_map(|(used, target)| match target {
            Some(Target::Part { node: other, .. }) if used.kind == UseKind::Tag => Some((used.start, used.end, other)),
            _ => None,
        });
        let tags = tags.filter(|(.., other)| graph.module_of(*other) != graph.module_of(node));
        let (planned, others): (Vec<_>, Vec<_>) = tags.partition(|(.., other)| known.contains(&graph.path_of(*other)));
        let is_beside = |(start, end, other): &(u32, u32, Node)| {
            let is_around = |(inner, last, _): &(u32, u32, Node)| start <= inner && last <= end;
            graph.renders(*other) && !planned.is_empty() && !planned.iter().any(is_around)
        };
        found.extend(others.iter().filter(|tag| is_beside(tag)).map(|(.., other)| graph.module_of(*other)));
    }
    found
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

/// Whether a file has a control or a sign, by its name or because it renders no block of content. Each part of a page may
/// have some, and a plan does not list them.
fn is_widget(graph: &Graph<'_>, module: usize) -> bool {
    let path = graph.modules.get(module).map_or("", |module| module.path);
    let tags = graph.nodes_of(module).flat_map(|node| graph.uses(node));
    let tags: Vec<&str> = tags.filter(|(used, _)| used.kind == UseKind::HostTag).map(|(used, _)| used.text).collect();
    let has = |list: &str, word: &str| list.split(' ').any(|known| known == word);
    let is_named = words(stem(path)).last().is_some_and(|last| has(WIDGETS, last));
    let has_content = tags.iter().any(|tag| has(BLOCKS, tag));
    is_named && !tags.contains(&"section") || tags.iter().any(|tag| has(CONTROLS, tag)) && !has_content
}

/// Whether a file is a page by its folder and name.
fn is_page(path: &str) -> bool {
    SCREENS.contains(&folder(path)) && !is_frame(path)
}

/// Whether a file is around the pages, or in their place, by its name.
fn is_frame(path: &str) -> bool {
    NO_SCREENS.contains(&key(stem(path)).as_str()) || crate::path::name(path).starts_with('_')
}
