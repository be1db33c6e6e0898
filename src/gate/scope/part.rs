//! A part of the plan in one state of the project: its file, own source, and rendered content.

use super::alike;
use super::appearance::Appearance;
use super::evaluate::{Evaluator, Node, Record, Value};
use super::lists::{self, ItemList};
use super::locate;
use super::own::{self, Fault, OwnSource};
use super::sources::{FileId, Sources};
use super::words;
use crate::plan::Part;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::rc::Rc;

/// One state of the project and the plan's parts in it.
pub(super) struct State<'s> {
    pub sources: &'s Sources<'s>,
    parts: Vec<(Part, FileId)>,
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
    /// Both states with the files of their parts. A part that only one state has under its names is followed to the
    /// same content in the other one.
    pub(super) fn pair(old: &'s Sources<'s>, new: &'s Sources<'s>, parts: &[Part]) -> (Self, Self) {
        let of = |sources| {
            let mut files: Vec<(Part, FileId)> = Vec::new();
            for part in parts {
                let is_known = files.iter().any(|(known, _)| known == part);
                files.extend(locate::file(sources, part).filter(|_| !is_known).map(|file| (part.clone(), file)));
            }
            Self { parts: files, sources }
        };
        let (mut old, mut new) = (of(old), of(new));
        new.follow(&old);
        old.follow(&new);
        let is_unknown = |part: &&Part| old.file(part).is_none() && new.file(part).is_none();
        let sections = parts.iter().filter(|part| matches!(part, Part::Section(_)));
        let unknown: Vec<&Part> = sections.filter(is_unknown).collect();
        if !unknown.is_empty() {
            unknown.iter().for_each(|part| old.find_alike(part));
            new.follow(&old);
            unknown.iter().for_each(|part| new.find_alike(part));
            old.follow(&new);
        }
        (old, new)
    }

    /// Finds a part that has no file yet by what it shows.
    fn find_alike(&mut self, part: &Part) {
        if self.file(part).is_none() {
            let found = alike::find(self.sources, part, &self.closed());
            self.parts.extend(found.map(|file| (part.clone(), file)));
        }
    }

    /// Finds the parts of the other state that this one lacks: in the same file, or in one that only this state has and
    /// that renders most of their text.
    fn follow(&mut self, other: &Self) {
        for (part, file) in &other.parts {
            let own = self.file(part);
            let is_used = own.is_some_and(|own| locate::is_reached(self.sources, own, part) != Some(false));
            if is_used || own.is_some() && locate::is_reached(other.sources, *file, part) == Some(false) {
                continue;
            }
            let found = own.is_none().then(|| self.sources.find(other.sources.path(*file))).flatten();
            if let Some(found) = found.or_else(|| self.successor(part, *file, other)) {
                self.parts.retain(|(known, _)| known != part);
                self.parts.push((part.clone(), found));
            }
        }
    }

    fn successor(&self, part: &Part, file: FileId, other: &Self) -> Option<FileId> {
        let look = |state: &Self, file: FileId| {
            let (file, name) = locate::component(state.sources, file, part)?;
            Some(Look::from_nodes(&state.render(file, &name)?))
        };
        let wanted = look(other, file)?;
        let is_new = |file: &FileId| {
            let path = self.sources.path(*file);
            let is_taken = self.parts.iter().any(|(_, known)| known == file);
            locate::is_component_file(path) && other.sources.find(path).is_none() && !is_taken
        };
        let is_shown = |file: &FileId| locate::is_reached(self.sources, *file, part) != Some(false);
        let new = self.sources.ids().filter(is_new).filter(is_shown);
        let alike = new.filter_map(|file| Some((look(self, file)?.likeness(&wanted)?, file)));
        alike.max_by_key(|(likeness, file)| (*likeness, Reverse(*file))).map(|(_, file)| file)
    }

    fn file(&self, part: &Part) -> Option<FileId> {
        self.parts.iter().find(|(known, _)| known == part).map(|(_, file)| *file)
    }

    /// The files of all parts.
    fn closed(&self) -> Vec<FileId> {
        self.parts.iter().map(|(_, file)| *file).collect()
    }

    /// Evaluates a part.
    pub(super) fn side(&self, part: &Part) -> Side {
        let Some(file) = self.file(part) else { return Side::default() };
        let component = locate::component(self.sources, file, part);
        let is_reached = locate::is_reached(self.sources, file, part);
        let mut nodes = component.and_then(|(file, name)| self.render(file, &name)).unwrap_or_default();
        let mut own = own::own_source(self.sources, file);
        // A section that is written in the file of its page.
        let is_shared = self.parts.iter().any(|(other, known)| other != part && *known == file);
        if (is_shared || locate::page(self.sources) == Some(file))
            && let Part::Section(key) = part
        {
            if let Some(element) = locate::with_key(&nodes, key).cloned() {
                nodes = vec![Node::Element(element)];
            }
            own = own.map(|_| OwnSource::rendered(Appearance::from_nodes(&nodes).with_code));
        }
        let mut text = String::new();
        nodes.iter().for_each(|node| node.write_text(&mut text));
        Side {
            file: Some(file),
            path: self.sources.path(file).to_owned(),
            own: Some(own),
            is_reached,
            lists: lists::lists(&nodes),
            appearance: Appearance::from_nodes(&nodes),
            text,
            elements: count(&nodes),
            is_opaque: is_opaque(&nodes),
        }
    }

    /// What a part's component renders. If that includes lists with unknown items, evaluates again with the props that
    /// the page passes.
    fn render(&self, file: FileId, component: &str) -> Option<Vec<Node>> {
        let unknown = || Value::Record(Rc::new(Record { is_open: true, ..Record::default() }));
        let nodes = Evaluator::new(self.sources, self.closed()).render(file, component, unknown())?;
        let lists = lists::lists(&nodes);
        if !lists.is_empty() && lists.iter().all(|list| !list.is_open) {
            return Some(nodes);
        }
        let mut page = Evaluator::new(self.sources, self.closed());
        for caller in locate::page(self.sources).into_iter().chain(self.closed()).filter(|caller| *caller != file) {
            let part = Part::Screen(String::new());
            if let Some((caller, name)) = locate::component(self.sources, caller, &part) {
                page.render(caller, &name, unknown());
            }
            if let Some(props) = page.given(file) {
                return Evaluator::new(self.sources, self.closed()).render(file, component, props);
            }
        }
        Some(nodes)
    }
}

/// What a component shows, to find it under another name.
#[derive(Default)]
struct Look {
    words: BTreeSet<String>,
    tags: Vec<Rc<str>>,
    has_list: bool,
}

impl Look {
    fn from_nodes(nodes: &[Node]) -> Self {
        let (mut text, mut look) = (String::new(), Self::default());
        nodes.iter().for_each(|node| node.write_text(&mut text));
        look.words.extend(words::stems(&text));
        look.add_tags(nodes);
        look
    }

    fn add_tags(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Element(element) => {
                    self.tags.push(element.tag.clone());
                    element.content().for_each(|node| self.add_tags(std::slice::from_ref(node)));
                }
                Node::Each(_) => self.has_list = true,
                Node::Text(_) | Node::Opaque(_) => {}
            }
        }
    }

    /// How alike they are, if they have most words in common, or the same elements and no lists.
    fn likeness(&self, wanted: &Self) -> Option<usize> {
        let shared = self.words.intersection(&wanted.words).count();
        let is_text = shared > 0 && shared * 2 >= wanted.words.len().max(self.words.len() / 2);
        let is_markup = self.tags.len() > 2 && self.tags == wanted.tags && !self.has_list && !wanted.has_list;
        (is_text || is_markup).then(|| shared * 1000 / (self.words.len() + wanted.words.len()).max(1))
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
