//! Finds where components are rendered, and by which names.

use super::names::{Wanted, key};
use crate::js::graph::{Graph, Node, Target, is_component_name};
use crate::js::outline::{Module, UseKind};
use crate::path::{extension, stem};
use std::collections::BTreeMap;

/// A place where something is rendered.
#[derive(Debug)]
pub(super) struct Sighting {
    /// The part that renders it.
    pub node: Node,
    pub by: By,
    /// Its name in that part; empty if it has none.
    here: Name,
    /// Its name in the module it is imported from; empty if that is a part of the project, which has its own names.
    there: Name,
    /// The rendered part, if it is in the project.
    pub target: Option<Node>,
}

/// How it is rendered, from strong to weak evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// An entry point of the app.
    Entry,
    /// A tag, a loaded module or a label.
    Name,
    /// An HTML element with that name.
    HostTag,
    /// A component passed as a value: in a list, as a prop, or to a call.
    Value,
}

/// All sightings in a project, and the names of its parts.
pub(super) struct Sightings {
    all: Vec<Sighting>,
    /// By node: its own names.
    of_nodes: Vec<Vec<Name>>,
    names: Names,
}

/// The index of a name in [`Names`].
type Name = usize;

/// Each different name once, as a key, so that it is compared once.
#[derive(Default)]
struct Names(BTreeMap<String, Name>);

impl Names {
    fn add(&mut self, key: String) -> Name {
        let next = self.0.len();
        *self.0.entry(key).or_insert(next)
    }

    /// By name: whether it matches.
    fn matching(&self, wanted: &Wanted) -> Vec<bool> {
        let mut matching = vec![false; self.0.len()];
        for (key, name) in &self.0 {
            if let Some(is) = matching.get_mut(*name) {
                *is = wanted.is(key);
            }
        }
        matching
    }
}

impl Sightings {
    pub(super) fn from_entries(graph: &Graph<'_>, entries: &[Node]) -> Self {
        let (mut names, mut of_nodes) = (Names::default(), Vec::new());
        for (at, module) in graph.modules.iter().enumerate() {
            add_names(graph, at, module, &mut names, &mut of_nodes);
        }
        let none = names.add(String::new());
        let entry = |node: &Node| Sighting { node: *node, by: By::Entry, here: none, there: none, target: Some(*node) };
        let mut all: Vec<Sighting> = entries.iter().map(entry).collect();
        for node in graph.nodes() {
            for (used, target) in graph.uses(node) {
                let by = match used.kind {
                    UseKind::Tag | UseKind::Load(_) | UseKind::Label => By::Name,
                    UseKind::HostTag => By::HostTag,
                    UseKind::Value | UseKind::Member => By::Value,
                    _ => continue,
                };
                let mut there = none;
                let target = match target {
                    Some(Target::Part { node: other, .. }) => {
                        if by == By::Value && (other == node || !graph.renders(other)) {
                            continue;
                        }
                        Some(other)
                    }
                    Some(Target::Package { from, name }) => {
                        if is_icons(from) || by == By::Value && !is_component_name(name) {
                            continue;
                        }
                        there = names.add(key(name));
                        None
                    }
                    Some(Target::Module(module)) => {
                        there = graph.modules.get(module).map_or(none, |module| names.add(key(stem(module.path))));
                        None
                    }
                    None if by == By::Value => continue,
                    None => None,
                };
                let here = match used.kind {
                    UseKind::Tag => names.add(key(used.text.rsplit('.').next().unwrap_or_default())),
                    UseKind::Label | UseKind::HostTag => names.add(key(used.text)),
                    _ => none,
                };
                all.push(Sighting { node, by, here, there, target });
            }
        }
        Self { all, of_nodes, names }
    }

    /// The parts that match.
    pub(super) fn nodes_named(&self, wanted: &Wanted) -> impl Iterator<Item = Node> {
        let matching = self.names.matching(wanted);
        (0..self.of_nodes.len()).filter(move |node| self.is_named(*node, &matching))
    }

    fn is_named(&self, node: Node, matching: &[bool]) -> bool {
        self.of_nodes.get(node).is_some_and(|names| names.iter().any(|name| matches(matching, *name)))
    }

    /// Where it is rendered within these nodes, by the strongest evidence. Sightings inside a component that matches
    /// belong to that component.
    pub(super) fn of_wanted(&self, wanted: &Wanted, within: &[bool]) -> Vec<&Sighting> {
        let (matching, exact) = (self.names.matching(wanted), self.names.0.get(wanted.key()));
        let is = |sighting: &Sighting| match sighting.by {
            // An HTML element matches only the exact name.
            By::HostTag => Some(&sighting.here) == exact,
            _ => {
                matches(&matching, sighting.here)
                    || matches(&matching, sighting.there)
                    || sighting.target.is_some_and(|target| self.is_named(target, &matching))
            }
        };
        let mut found: Vec<&Sighting> = self
            .all
            .iter()
            .filter(|sighting| within.get(sighting.node) == Some(&true))
            .filter(|sighting| is(sighting))
            .filter(|sighting| sighting.by == By::Entry || !self.is_named(sighting.node, &matching))
            .collect();
        for best in [By::Name, By::Entry, By::HostTag] {
            if found.iter().any(|sighting| sighting.by == best) {
                found.retain(|sighting| sighting.by == best);
                break;
            }
        }
        found
    }
}

fn matches(matching: &[bool], name: Name) -> bool {
    matching.get(name) == Some(&true)
}

/// Adds the names of each part: its own, and its file's if it is the file's main part.
fn add_names(graph: &Graph<'_>, at: usize, module: &Module<'_>, all: &mut Names, of_nodes: &mut Vec<Vec<Name>>) {
    let defaults = module.exports.iter().filter(|export| export.name == "default" && export.from.is_none());
    let defaults: Vec<&str> = defaults.map(|export| export.local).collect();
    let rendering: Vec<Node> = graph.nodes_of(at).filter(|node| graph.renders(*node)).collect();
    let empty = || graph.nodes_of(at).filter(|node| is_empty_component(graph, *node));
    let shown = if rendering.is_empty() { empty().collect() } else { rendering };
    for (node, part) in graph.nodes_of(at).zip(&module.parts) {
        let mut names = Vec::new();
        if !matches!(part.name, "" | "default") {
            names.push(all.add(key(part.name)));
        }
        let is_only = shown == [node];
        if !part.name.is_empty() && (defaults.contains(&part.name) || is_only) {
            names.push(all.add(key(stem(module.path))));
        }
        of_nodes.push(names);
    }
}

/// A component, by its name and file, without elements.
fn is_empty_component(graph: &Graph<'_>, node: Node) -> bool {
    let is_named = graph.part(node).is_some_and(|part| is_component_name(part.name));
    is_named && matches!(extension(graph.path_of(node)), "tsx" | "jsx")
}

/// Icons are named after things that they do not build.
fn is_icons(package: &str) -> bool {
    package.contains("icon") || package.contains("lucide")
}
