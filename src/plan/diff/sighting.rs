//! Finds where components are rendered, and by which names.

use super::names::{Wanted, key};
use crate::js::graph::{Graph, Node, Target, is_component_name};
use crate::js::outline::{Module, UseKind};
use crate::path::{extension, stem};

/// A place where something is rendered.
#[derive(Debug)]
pub(super) struct Sighting {
    /// The part that renders it.
    pub node: Node,
    pub by: By,
    /// Its name in that part, as a key; empty if it has none.
    here: String,
    /// Its name in the module it is imported from, as a key; empty if that is a part of the project, which has its own
    /// names.
    there: String,
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
    /// By node: its own names, as keys.
    names: Vec<Vec<String>>,
}

impl Sightings {
    pub(super) fn of(graph: &Graph<'_>, entries: &[Node]) -> Self {
        let mut names = Vec::new();
        for (at, module) in graph.modules.iter().enumerate() {
            add_names(graph, at, module, &mut names);
        }
        let entry = |node: &Node| Sighting {
            node: *node,
            by: By::Entry,
            here: String::new(),
            there: String::new(),
            target: Some(*node),
        };
        let mut all: Vec<Sighting> = entries.iter().map(entry).collect();
        for node in graph.nodes() {
            for (used, target) in graph.uses(node) {
                let by = match used.kind {
                    UseKind::Tag | UseKind::Load(_) | UseKind::Label => By::Name,
                    UseKind::HostTag => By::HostTag,
                    UseKind::Value | UseKind::Member => By::Value,
                    _ => continue,
                };
                let mut there = String::new();
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
                        there = key(name);
                        None
                    }
                    Some(Target::Module(module)) => {
                        there = graph.modules.get(module).map_or_else(String::new, |module| key(stem(module.path)));
                        None
                    }
                    None if by == By::Value => continue,
                    None => None,
                };
                let here = match used.kind {
                    UseKind::Tag => key(used.text.rsplit('.').next().unwrap_or_default()),
                    UseKind::Label | UseKind::HostTag => key(used.text),
                    _ => String::new(),
                };
                all.push(Sighting { node, by, here, there, target });
            }
        }
        Self { all, names }
    }

    /// The parts that match.
    pub(super) fn named(&self, wanted: &Wanted) -> impl Iterator<Item = Node> {
        let named = self.names.iter().enumerate().filter(|(_, keys)| keys.iter().any(|key| wanted.is(key)));
        named.map(|(node, _)| node)
    }

    pub(super) fn is_named(&self, node: Node, wanted: &Wanted) -> bool {
        self.names.get(node).is_some_and(|keys| keys.iter().any(|key| wanted.is(key)))
    }

    fn is(&self, sighting: &Sighting, wanted: &Wanted) -> bool {
        match sighting.by {
            // An HTML element matches only the exact name.
            By::HostTag => sighting.here == wanted.key(),
            _ => {
                wanted.is(&sighting.here)
                    || wanted.is(&sighting.there)
                    || sighting.target.is_some_and(|target| self.is_named(target, wanted))
            }
        }
    }

    /// Where it is rendered within these nodes, by the strongest evidence. Sightings inside a component that matches
    /// belong to that component.
    pub(super) fn of_wanted(&self, wanted: &Wanted, within: &[bool]) -> Vec<&Sighting> {
        let mut found: Vec<&Sighting> = self
            .all
            .iter()
            .filter(|sighting| within.get(sighting.node) == Some(&true))
            .filter(|sighting| self.is(sighting, wanted))
            .filter(|sighting| sighting.by == By::Entry || !self.is_named(sighting.node, wanted))
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

/// Adds the names of each part: its own, and its file's if it is the file's main part.
fn add_names(graph: &Graph<'_>, at: usize, module: &Module<'_>, all: &mut Vec<Vec<String>>) {
    let defaults = module.exports.iter().filter(|export| export.name == "default" && export.from.is_none());
    let defaults: Vec<&str> = defaults.map(|export| export.local).collect();
    let rendering: Vec<Node> = graph.nodes_of(at).filter(|node| graph.renders(*node)).collect();
    let empty = || graph.nodes_of(at).filter(|node| is_empty_component(graph, *node));
    let shown = if rendering.is_empty() { empty().collect() } else { rendering };
    for (node, part) in graph.nodes_of(at).zip(&module.parts) {
        let mut names = Vec::new();
        if !matches!(part.name, "" | "default") {
            names.push(key(part.name));
        }
        let is_only = shown == [node];
        if !part.name.is_empty() && (defaults.contains(&part.name) || is_only) {
            names.push(key(stem(module.path)));
        }
        all.push(names);
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
