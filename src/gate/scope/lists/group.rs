//! Groups sibling elements and mapped items by kind.

use super::{ItemList, Kind, LOOSE, handed_over, is_own_kind, join, stems};
use crate::gate::scope::evaluate::{Element, Entry, List, Node};
use crate::gate::scope::identity;
use crate::gate::scope::part::count;
use crate::gate::scope::vocabulary::has;
use crate::js::tree::is_component;
use std::rc::Rc;

/// The context of a group.
#[derive(Clone, Default)]
pub(super) struct Around {
    pub is_nested: bool,
    /// The part's root element has depth 1; its name does not identify a list.
    depth: u32,
    pub words: Vec<Rc<str>>,
}

/// Tags of controls.
const CONTROLS: &str = "option button input label a";

/// Siblings of one kind.
struct Group<'n> {
    tag: Rc<str>,
    classes: Rc<str>,
    /// Elements and mapped lists.
    members: Vec<&'n Node>,
    heading: Option<Rc<str>>,
    /// A heading follows.
    is_closed: bool,
}

/// Adds the lists among the nodes and their descendants.
pub(super) fn collect(nodes: &[&Node], around: &Around, lists: &mut Vec<ItemList>) {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut heading = None;
    for node in nodes {
        let root = match node {
            Node::Element(element) => {
                if !around.is_nested && is_heading(&element.tag) {
                    heading = Some(text_of(element));
                    let others = groups.iter_mut().filter(|group| group.tag != element.tag);
                    others.for_each(|group| group.is_closed = true);
                }
                Some(element)
            }
            Node::Each(each) => each.entries.iter().find_map(|row| row.nodes().iter().find_map(as_element)),
            Node::Text(_) | Node::Opaque(_) => continue,
        };
        let tag = root.map(|root| root.tag.clone()).unwrap_or_default();
        let classes = root.map(|root| classes(root)).unwrap_or_default();
        match groups.iter_mut().find(|group| group.takes(node, &tag, &classes)) {
            Some(group) => group.members.push(node),
            None => {
                groups.push(Group { tag, classes, members: vec![node], heading: heading.clone(), is_closed: false })
            }
        }
    }
    groups.iter().for_each(|group| group.list(around, lists));
}

impl<'n> Group<'n> {
    fn takes(&self, member: &Node, tag: &Rc<str>, classes: &Rc<str>) -> bool {
        if self.is_closed || self.tag != *tag || tag.is_empty() {
            return false;
        }
        let is_mapped = matches!(member, Node::Each(_)) || self.eachs().next().is_some();
        let is_alike = is_own_kind(tag) || share_a_class(&self.classes, classes);
        is_alike && (!is_mapped || !has(LOOSE, tag) && (is_own_kind(tag) || !classes.is_empty()))
    }

    fn eachs(&self) -> impl Iterator<Item = &'n Rc<List>> + Clone {
        self.members.iter().filter_map(|member| match member {
            Node::Each(each) => Some(each),
            _ => None,
        })
    }

    fn elements(&self) -> impl Iterator<Item = &'n Rc<Element>> {
        self.members.iter().copied().filter_map(as_element)
    }

    /// Adds the group's list, the lists it is concatenated from, and the lists in its items.
    fn list(&self, around: &Around, lists: &mut Vec<ItemList>) {
        let eachs = self.eachs().count();
        // Inside an item, only certain lists count.
        if !around.is_nested || eachs > 0 || self.members.len() > 1 && !has(LOOSE, &self.tag) {
            let mut list = self.of_members(&self.members, around);
            if eachs > 1 {
                let eachs = self.members.iter().filter(|member| matches!(member, Node::Each(_)));
                list.parts = eachs.map(|each| self.of_members(&[*each], around)).collect();
            }
            lists.push(list);
        }
        let mut inner = Vec::new();
        let in_items = Around { is_nested: true, depth: around.depth + 1, words: Vec::new() };
        for row in self.eachs().flat_map(|each| each.entries.iter()) {
            let mut found = Vec::new();
            for node in row.nodes() {
                match as_element(node) {
                    Some(element) => inside(element, &in_items, &mut found),
                    None => collect(&[node], &in_items, &mut found),
                }
            }
            join(&mut inner, found);
        }
        let are_items = self.are_items();
        for element in self.elements() {
            if are_items {
                let mut found = Vec::new();
                inside(element, &in_items, &mut found);
                join(&mut inner, found);
            } else {
                let mut words = around.words.clone();
                if around.depth > 0 && !around.is_nested {
                    words = words_of(element);
                    words.extend(self.heading.clone());
                }
                let around = Around { is_nested: around.is_nested, depth: around.depth + 1, words };
                inside(element, &around, lists);
            }
        }
        lists.append(&mut inner);
    }

    /// Whether its elements are items, not the columns of a layout.
    fn are_items(&self) -> bool {
        if has(LOOSE, &self.tag) || self.elements().nth(1).is_none() {
            return false;
        }
        is_own_kind(&self.tag) || !self.elements().any(|element| holds_a_list(element))
    }

    fn of_members(&self, members: &[&Node], around: &Around) -> ItemList {
        let mut list = ItemList {
            is_nested: around.is_nested,
            tag: self.tag.clone(),
            called: self.eachs().find_map(|each| each.names.first().cloned()),
            shape: members.first().map(|member| shape(member)).unwrap_or_default(),
            fields: self.eachs().next().map(|each| each.fields.clone()).unwrap_or_default(),
            surroundings: stems(around.words.iter().chain(&self.heading)),
            ..ItemList::default()
        };
        let mut names: Vec<&Rc<str>> = Vec::new();
        let mut is_mapped = false;
        for member in members {
            match member {
                Node::Element(element) => {
                    list.elements += count(std::slice::from_ref(*member));
                    list.push(element.origin, || identity::of_element(element));
                }
                Node::Each(each) => {
                    is_mapped = true;
                    list.is_open |= each.is_open;
                    names.extend(&each.names);
                    each.entries.iter().for_each(|row| list.push(row.origin, || identity::of_row(row)));
                }
                Node::Text(_) | Node::Opaque(_) => {}
            }
        }
        list.name(names.iter().copied().chain(Some(&self.tag).filter(|tag| is_component(tag))));
        list.names = stems(names.into_iter().chain([&self.tag, &self.classes]));
        list.kind = match (is_mapped, list.items.len()) {
            (true, _) if has(CONTROLS, &self.tag) && self.classes.is_empty() => Kind::Control,
            (true, _) => Kind::Mapped,
            (false, 0 | 1) => Kind::Single,
            (false, _) if is_own_kind(&self.tag) => Kind::Repeated,
            (false, _) if has(LOOSE, &self.tag) => Kind::Loose,
            (false, _) if self.classes.is_empty() && !self.are_headed() => Kind::Loose,
            (false, _) => Kind::Repeated,
        };
        list
    }

    /// Each element has a heading and no list of its own: cards, even without a class.
    fn are_headed(&self) -> bool {
        self.elements().all(|element| {
            let has_heading = element.content().filter_map(as_element).any(|inner| is_heading(&inner.tag));
            has_heading && !holds_a_list(element)
        })
    }
}

/// The distinct tags in an item.
fn shape(member: &Node) -> Vec<Rc<str>> {
    let mut tags: Vec<Rc<str>> = Vec::new();
    let first = match member {
        Node::Each(each) => each.entries.first().map(Entry::nodes).unwrap_or_default(),
        member => std::slice::from_ref(member),
    };
    let mut open: Vec<&Rc<Element>> = first.iter().filter_map(as_element).collect();
    while let Some(element) = open.pop() {
        if !tags.contains(&element.tag) {
            tags.push(element.tag.clone());
        }
        open.extend(element.content().filter_map(as_element));
    }
    tags
}

/// Adds the lists that an element renders or receives as props.
fn inside(element: &Element, around: &Around, lists: &mut Vec<ItemList>) {
    handed_over(element, around, lists);
    let content: Vec<&Node> = element.content().collect();
    collect(&content, around, lists);
}

fn holds_a_list(element: &Element) -> bool {
    let each = |node: &Node| matches!(node, Node::Each(each) if each.entries.len() > 1);
    element.content().any(|node| each(node) || as_element(node).is_some_and(|inner| inner.content().any(each)))
}

fn is_heading(tag: &str) -> bool {
    matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "Heading")
}

fn as_element(node: &Node) -> Option<&Rc<Element>> {
    match node {
        Node::Element(element) => Some(element),
        _ => None,
    }
}

/// The constant classes of an element.
fn classes(element: &Element) -> Rc<str> {
    element.text_attribute("className").or_else(|| element.text_attribute("class")).unwrap_or_default()
}

fn share_a_class(left: &str, right: &str) -> bool {
    left.is_empty() && right.is_empty()
        || left.split_whitespace().any(|class| right.split_whitespace().any(|other| other == class))
}

fn words_of(element: &Element) -> Vec<Rc<str>> {
    let named = ["id", "aria-label", "title", "heading"].into_iter().filter_map(|name| element.text_attribute(name));
    named.chain([classes(element)]).collect()
}

fn text_of(element: &Element) -> Rc<str> {
    let mut text = String::new();
    element.content().for_each(|node| node.write_text(&mut text));
    text.into()
}
