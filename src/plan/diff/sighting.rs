//! Where components are rendered, and under which names.

use super::graph::{Graph, Node, Target};
use super::module::UseKind;
use super::names::{Wanted, key};

/// A place where something is rendered.
#[derive(Debug)]
pub struct Sighting {
    /// The part that it stands in.
    pub node: Node,
    pub by: By,
    /// The names that it goes by, as keys: here, where it comes from, and of its file.
    pub keys: Vec<String>,
    /// The part that is rendered, where it is one of the project.
    pub target: Option<Node>,
}

/// What tells that something is rendered, the best evidence first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// It is where the app begins.
    Entry,
    /// A tag, a loaded module or a label.
    Name,
    /// An element of HTML of that name.
    HostTag,
    /// A component that is handed on: in a list, as a prop, to a call.
    Value,
}

/// All sightings of a project, and the names of its parts.
pub struct Sightings {
    all: Vec<Sighting>,
    /// By node: its own names, as keys.
    names: Vec<Vec<String>>,
}

impl Sightings {
    pub fn of(graph: &Graph<'_>, entries: &[Node]) -> Self {
        let names: Vec<Vec<String>> = graph.nodes().map(|node| names_of(graph, node)).collect();
        let mut all: Vec<Sighting> = entries
            .iter()
            .filter_map(|node| {
                let keys = names.get(*node)?.clone();
                Some(Sighting { node: *node, by: By::Entry, keys, target: Some(*node) })
            })
            .collect();
        for node in graph.nodes() {
            for (used, target) in graph.uses(node) {
                let by = match used.kind {
                    UseKind::Tag | UseKind::Load(_) | UseKind::Label => By::Name,
                    UseKind::HostTag => By::HostTag,
                    UseKind::Value => By::Value,
                    _ => continue,
                };
                let own = match used.kind {
                    UseKind::Tag => used.text.rsplit('.').next(),
                    UseKind::Label | UseKind::HostTag => Some(used.text),
                    _ => None,
                };
                let mut keys: Vec<String> = own.map(key).into_iter().collect();
                let target = match target {
                    Some(Target::Part { node: other, .. }) => {
                        if by == By::Value && (other == node || !graph.renders(other)) {
                            continue;
                        }
                        keys.extend(names.get(other).into_iter().flatten().cloned());
                        Some(other)
                    }
                    Some(Target::Package { from, name }) => {
                        if is_icons(from) || by == By::Value && !is_component(name) {
                            continue;
                        }
                        keys.push(key(name));
                        None
                    }
                    Some(Target::Module(module)) => {
                        keys.extend(graph.modules.get(module).map(|module| key(stem(module.path))));
                        None
                    }
                    None if by == By::Value => continue,
                    None => None,
                };
                all.push(Sighting { node, by, keys, target });
            }
        }
        Self { all, names }
    }

    /// The parts of this name.
    pub fn named(&self, wanted: &Wanted) -> impl Iterator<Item = Node> {
        let named = self.names.iter().enumerate().filter(|(_, keys)| keys.iter().any(|key| wanted.is(key)));
        named.map(|(node, _)| node)
    }

    pub fn is_named(&self, node: Node, wanted: &Wanted) -> bool {
        self.names.get(node).is_some_and(|keys| keys.iter().any(|key| wanted.is(key)))
    }

    /// Where it is rendered in these parts, by the best evidence there is. What stands in a component of that name
    /// belongs to it.
    pub fn of_wanted(&self, wanted: &Wanted, within: &[bool]) -> Vec<&Sighting> {
        let mut found: Vec<&Sighting> = self
            .all
            .iter()
            .filter(|sighting| within.get(sighting.node) == Some(&true))
            .filter(|sighting| sighting.keys.iter().any(|key| wanted.is(key)))
            .filter(|sighting| sighting.by == By::Entry || !self.is_named(sighting.node, wanted))
            // An element of HTML is only what its name says.
            .filter(|sighting| sighting.by != By::HostTag || sighting.keys.iter().any(|key| key == wanted.key()))
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

/// The names of a part: its own, and its file's where it is what the file is for.
fn names_of(graph: &Graph<'_>, node: Node) -> Vec<String> {
    let (Some(part), Some(module)) = (graph.part(node), graph.modules.get(graph.module_of(node))) else {
        return Vec::new();
    };
    if part.name.is_empty() {
        return Vec::new();
    }
    let mut names: Vec<String> = [part.name].iter().filter(|name| **name != "default").map(|name| key(name)).collect();
    let is_default = module
        .exports
        .iter()
        .any(|export| export.name == "default" && export.from.is_none() && export.local == part.name);
    let mut others = graph.nodes_of(graph.module_of(node)).filter(|other| *other != node);
    if is_default || graph.renders(node) && !others.any(|other| graph.renders(other)) {
        names.push(key(stem(module.path)));
    }
    names
}

/// `Hero` of `src/sections/Hero.tsx` and of `src/sections/Hero/index.tsx`.
pub fn stem(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    match name.rsplit_once('.').map_or(name, |(stem, _)| stem) {
        "index" => parts.next().unwrap_or_default(),
        stem => stem,
    }
}

/// Icons have the names of things that they do not build.
fn is_icons(package: &str) -> bool {
    package.contains("icon") || package.contains("lucide")
}

/// `Hero`, not `HEROES` and not `hero`.
fn is_component(name: &str) -> bool {
    name.starts_with(|c: char| c.is_uppercase()) && name.contains(|c: char| c.is_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_after_its_folder_where_it_is_an_index() {
        let cases = [
            ("src/sections/Hero.tsx", "Hero"),
            ("src/Hero/index.tsx", "Hero"),
            ("src/hero.section.tsx", "hero.section"),
            ("index", ""),
        ];
        for (path, expected) in cases {
            assert_eq!(stem(path), expected, "{path}");
        }
    }
}
