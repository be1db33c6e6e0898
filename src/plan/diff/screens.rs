//! Finds the component of a screen.

use super::compare::Comparison;
use super::entries::file_route;
use super::names::{Wanted, key};
use super::planned::Screen;
use crate::js::graph::{Node, Target};
use crate::js::outline::UseKind;

#[derive(Debug, Default)]
pub(super) struct Built<'s> {
    pub path: Option<&'s str>,
    /// Its components; empty if it has none of its own.
    pub roots: Vec<Node>,
    /// It exists but nothing renders it.
    pub unused: bool,
    /// The file of an exported component with its name that renders nothing.
    pub empty: Option<&'s str>,
}

/// Names of an app's first screen.
const FIRST: [&str; 4] = ["home", "index", "landing", "main"];

/// Finds where a screen is built: the component of a route whose path ends in the screen's name (the first screen and
/// `home` may also be `/`), a file with such a route, a rendered component with its name, or what is rendered where a
/// value is compared with its name.
pub(super) fn built<'s>(project: &Comparison<'s>, screen: &Screen, is_first: bool) -> Built<'s> {
    let Comparison { graph, sightings, reached, entries, .. } = project;
    let wanted = Wanted::screen(&screen.name);
    let is_first = is_first || FIRST.contains(&wanted.key());
    let by_file = |node: &Node| {
        let route = file_route(graph.path_of(*node));
        route.is_some_and(|route| leads_to(&route, &wanted, is_first)) && graph.renders(*node)
    };
    if let Some(built) = route(project, &wanted, is_first) {
        return built;
    }
    if let Some(node) = entries.iter().copied().find(by_file) {
        return Built { path: Some(graph.path_of(node)), roots: vec![node], ..Built::default() };
    }
    let rendered = sightings.of_wanted(&wanted, reached);
    if let Some(node) = rendered.iter().find_map(|sighting| sighting.target) {
        return Built { path: Some(graph.path_of(node)), roots: vec![node], ..Built::default() };
    }
    if let Some(node) = case(project, &wanted) {
        return Built { path: Some(graph.path_of(node)), ..Built::default() };
    }
    let unused = sightings.nodes_named(&wanted).find(|node| graph.renders(*node));
    let is_exported = |node: &Node| graph.exports_of(graph.module_of(*node)).contains(node);
    let empty = sightings.nodes_named(&wanted).find(|node| {
        !graph.renders(*node)
            && graph.is_component(*node)
            && is_exported(node)
            && project.is_of_app(graph.path_of(*node))
    });
    let path_of = |node: Option<Node>| node.map(|node| graph.path_of(node));
    Built { path: path_of(unused), unused: unused.is_some(), empty: path_of(empty), ..Built::default() }
}

/// The most specific route of the screen.
fn route<'s>(project: &Comparison<'s>, wanted: &Wanted, is_first: bool) -> Option<Built<'s>> {
    let graph = &project.graph;
    let mut best: Option<(u32, Built<'s>)> = None;
    for node in graph.nodes().filter(|node| project.is_shown(*node)) {
        for (route, _) in graph.uses(node).filter(|(used, _)| used.kind == UseKind::Route) {
            let width = route.end - route.start;
            if !leads_to(route.text, wanted, is_first)
                || best.as_ref().is_some_and(|(narrowest, _)| *narrowest <= width)
            {
                continue;
            }
            let shown = graph.uses(node).filter(|(used, _)| used.start > route.start && used.end <= route.end);
            let roots: Vec<Node> = shown
                .filter_map(|(_, target)| match target? {
                    Target::Part { node, .. } if graph.renders(node) => Some(node),
                    _ => None,
                })
                .collect();
            let path = graph.path_of(roots.first().copied().unwrap_or(node));
            best = Some((width, Built { path: Some(path), roots, ..Built::default() }));
        }
    }
    best.map(|(_, built)| built)
}

fn leads_to(path: &str, wanted: &Wanted, is_first: bool) -> bool {
    match last_segment(path) {
        "" => is_first,
        segment => wanted.is(&key(segment)),
    }
}

/// The last segment of a path that is not a parameter: `shop` for `/shop/:id`.
fn last_segment(path: &str) -> &str {
    let named = |segment: &&str| !segment.is_empty() && !segment.starts_with([':', '*', '$', '[']);
    path.rsplit('/').find(named).unwrap_or_default()
}

/// The part that compares a value with the screen's name.
fn case(project: &Comparison<'_>, wanted: &Wanted) -> Option<Node> {
    let graph = &project.graph;
    let mut nodes = graph.nodes().filter(|node| project.is_shown(*node) && graph.renders(*node));
    nodes.find(|node| graph.uses(*node).any(|(used, _)| used.kind == UseKind::Case && key(used.text) == wanted.key()))
}
