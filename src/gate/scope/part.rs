//! A part of the plan in one state of the project: its file, own source, and rendered content.

use super::appearance::Appearance;
use super::evaluate::{Evaluator, Node, Record, Value};
use super::lists::{self, ItemList};
use super::locate;
use super::own::{self, Fault, OwnSource};
use super::sources::{FileId, Sources};
use crate::plan::Part;
use std::rc::Rc;

/// One state of the project and the plan's parts in it.
pub(super) struct State<'s> {
    pub sources: &'s Sources<'s>,
    parts: Vec<FileId>,
}

#[derive(Default)]
pub(super) struct Side {
    pub file: Option<FileId>,
    pub path: String,
    pub own: Option<Result<OwnSource, Fault>>,
    /// Whether the page reaches its component; `None` if unknown.
    pub is_reached: Option<bool>,
    pub lists: Vec<ItemList>,
    pub appearance: Appearance,
    /// The rendered text.
    pub text: String,
    /// The number of rendered elements.
    pub elements: usize,
    /// It renders content that the sources do not show.
    pub is_opaque: bool,
}

impl<'s> State<'s> {
    pub(super) fn new(sources: &'s Sources<'s>, parts: &[Part]) -> Self {
        let mut files: Vec<FileId> = Vec::new();
        for part in parts {
            files.extend(locate::file(sources, part).filter(|file| !files.contains(file)));
        }
        Self { parts: files, sources }
    }

    /// Evaluates a part. `known` is its file in the other state.
    pub(super) fn side(&self, part: &Part, known: Option<&str>) -> Side {
        let file = locate::file(self.sources, part).or_else(|| self.sources.find(known?));
        let Some(file) = file else { return Side::default() };
        let component = locate::component(self.sources, file, part);
        let is_reached = match (self.sources.reached(), &component) {
            (Some(reached), Some((file, name))) => Some(reached.contains(*file, name)),
            _ => None,
        };
        let nodes = component.and_then(|(file, name)| self.render(file, &name)).unwrap_or_default();
        let mut text = String::new();
        nodes.iter().for_each(|node| node.write_text(&mut text));
        Side {
            file: Some(file),
            path: self.sources.path(file).to_owned(),
            own: Some(own::own_source(self.sources, file)),
            is_reached,
            lists: lists::lists(&nodes),
            appearance: Appearance::of(&nodes),
            text,
            elements: count(&nodes),
            is_opaque: is_opaque(&nodes),
        }
    }

    /// What a part's component renders. If that includes lists with unknown items, evaluates again with the props that
    /// the page passes.
    fn render(&self, file: FileId, component: &str) -> Option<Vec<Node>> {
        let unknown = || Value::Record(Rc::new(Record { is_open: true, ..Record::default() }));
        let nodes = Evaluator::new(self.sources, self.parts.clone()).render(file, component, unknown())?;
        let lists = lists::lists(&nodes);
        if !lists.is_empty() && lists.iter().all(|list| !list.is_open) {
            return Some(nodes);
        }
        let mut page = Evaluator::new(self.sources, self.parts.clone());
        let app =
            ["src/App.tsx", "src/App.jsx", "src/App.js", "App.tsx"].iter().find_map(|path| self.sources.find(path));
        for caller in app.into_iter().chain(self.parts.iter().copied()).filter(|caller| *caller != file) {
            let part = Part::Screen(String::new());
            if let Some((caller, name)) = locate::component(self.sources, caller, &part) {
                page.render(caller, &name, unknown());
            }
            if let Some(props) = page.given(file) {
                return Evaluator::new(self.sources, self.parts.clone()).render(file, component, props);
            }
        }
        Some(nodes)
    }
}

fn is_opaque(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Opaque(_) => true,
        Node::Element(element) => element.content().any(|node| is_opaque(std::slice::from_ref(node))),
        Node::Each(each) => each.is_open,
        Node::Text(_) => false,
    })
}

/// The number of elements, including descendants.
pub(super) fn count(nodes: &[Node]) -> usize {
    let of = |node: &Node| match node {
        Node::Element(element) => 1 + element.content().map(|node| count(std::slice::from_ref(node))).sum::<usize>(),
        Node::Each(each) => each.entries.iter().map(|row| count(row.nodes())).sum(),
        Node::Text(_) | Node::Opaque(_) => 0,
    };
    nodes.iter().map(of).sum()
}
