//! The lists that a part renders: mapped values, and elements of one kind side by side.

use super::evaluate::{Each, Element, Identity, Node, Origin, Value};
use super::identity;
use super::tree::is_component;
use super::words;
use std::rc::Rc;

/// A list that a part renders.
#[derive(Debug, Clone)]
pub struct ItemList {
    pub kind: Kind,
    /// It stands in an item of another list.
    pub is_nested: bool,
    /// There may be items that the sources do not show.
    pub is_open: bool,
    pub items: Vec<Item>,
    /// What an item is rendered as.
    pub tag: Rc<str>,
    /// What the sources call it.
    pub called: Option<Rc<str>>,
    /// Stems of what the sources call it.
    pub names: Vec<String>,
    /// Stems of what stands around it.
    pub surroundings: Vec<String>,
    /// The lists that it is put together from, where there are several.
    pub parts: Vec<ItemList>,
}

/// An item of a list.
#[derive(Debug, Clone)]
pub struct Item {
    pub identity: Identity,
    pub origin: Origin,
}

/// How surely it is a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// One element: a list only beside a longer one in the other state.
    Single,
    /// Elements side by side that may be prose or controls.
    Loose,
    /// A mapped list of controls.
    Control,
    /// Elements of one kind side by side.
    Repeated,
    /// A mapped list.
    Mapped,
}

impl ItemList {
    pub fn identities(&self) -> Vec<Identity> {
        self.items.iter().map(|item| item.identity.clone()).collect()
    }
}

/// Tags whose repetition says little.
const LOOSE: [&str; 40] = [
    "p", "span", "a", "button", "img", "input", "label", "br", "hr", "strong", "em", "small", "b", "i", "code", "td",
    "dd", "option", "svg", "path", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "Button", "Link",
    "Icon", "Input", "Text", "Heading", "Divider", "Spacer", "Image", "source",
];
/// Tags that are items where they are repeated.
const ITEMS: [&str; 9] = ["li", "article", "figure", "blockquote", "details", "tr", "dt", "fieldset", "picture"];
/// Tags of controls.
const CONTROLS: [&str; 5] = ["option", "button", "input", "label", "a"];

/// The lists among rendered nodes, outer ones before those in them.
pub fn lists(nodes: &[Node]) -> Vec<ItemList> {
    let mut lists = Vec::new();
    let nodes: Vec<&Node> = nodes.iter().collect();
    collect(&nodes, &Around::default(), &mut lists);
    lists
}

/// What stands around the nodes that are looked at.
#[derive(Clone, Default)]
struct Around {
    is_nested: bool,
    /// The part's own element is at depth 1: what it is called says nothing of one list.
    depth: u32,
    words: Vec<String>,
}

/// Elements and mapped items of one kind side by side.
struct Group<'n> {
    tag: Rc<str>,
    classes: Rc<str>,
    members: Vec<Member<'n>>,
    heading: Vec<String>,
    /// A heading came after it.
    is_closed: bool,
}

#[derive(Clone, Copy)]
enum Member<'n> {
    Element(&'n Rc<Element>),
    Each(&'n Rc<Each>),
}

fn collect(nodes: &[&Node], around: &Around, lists: &mut Vec<ItemList>) {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut heading = Vec::new();
    for node in nodes {
        let (member, tag, classes) = match node {
            Node::Element(element) => {
                if is_heading(&element.tag) {
                    heading = words::stems(&text_of(element));
                    let others = groups.iter_mut().filter(|group| group.tag != element.tag);
                    others.for_each(|group| group.is_closed = true);
                }
                (Member::Element(element), element.tag.clone(), classes(element))
            }
            Node::Each(each) => {
                let root = each.rows.iter().find_map(|row| row.nodes.iter().find_map(as_element));
                let tag = root.map_or_else(|| Rc::from(""), |root| root.tag.clone());
                (Member::Each(each), tag, root.map_or_else(|| Rc::from(""), |root| classes(root)))
            }
            Node::Text(_) | Node::Opaque => continue,
        };
        match groups.iter_mut().find(|group| group.takes(member, &tag, &classes)) {
            Some(group) => group.members.push(member),
            None => {
                groups.push(Group { tag, classes, members: vec![member], heading: heading.clone(), is_closed: false })
            }
        }
    }
    groups.iter().for_each(|group| group.list(around, lists));
}

impl<'n> Group<'n> {
    fn takes(&self, member: Member<'_>, tag: &Rc<str>, classes: &Rc<str>) -> bool {
        if self.is_closed || self.tag != *tag || tag.is_empty() {
            return false;
        }
        let is_mapped = matches!(member, Member::Each(_)) || self.eachs().next().is_some();
        let is_alike = is_own_kind(tag) || share_a_class(&self.classes, classes);
        is_alike && (!is_mapped || !is_loose(tag) && (is_own_kind(tag) || !classes.is_empty()))
    }

    fn eachs(&self) -> impl Iterator<Item = &'n Rc<Each>> {
        self.members.iter().filter_map(|member| match member {
            Member::Each(each) => Some(*each),
            Member::Element(_) => None,
        })
    }

    fn elements(&self) -> impl Iterator<Item = &'n Rc<Element>> {
        self.members.iter().filter_map(|member| match member {
            Member::Element(element) => Some(*element),
            Member::Each(_) => None,
        })
    }

    /// Adds the group's list, those of its parts where it has several, and those in its items.
    fn list(&self, around: &Around, lists: &mut Vec<ItemList>) {
        let mut list = self.of_members(&self.members, around);
        if self.eachs().count() > 1 {
            list.parts = self.eachs().map(|each| self.of_members(&[Member::Each(each)], around)).collect();
        }
        lists.push(list);
        let elements: Vec<_> = self.elements().collect();
        let are_items = elements.len() > 1 && self.are_items(&elements);
        let mut inner = Vec::new();
        for each in self.eachs() {
            let around = Around { is_nested: true, depth: around.depth + 1, words: Vec::new() };
            for row in &each.rows {
                inner.push(nested(row.nodes.iter(), &around));
            }
        }
        for element in elements {
            lists.extend(handed_over(element, around));
            let mut words = around.words.clone();
            if around.depth > 0 && !are_items {
                words = words_of(element);
                words.extend(self.heading.iter().cloned());
            }
            let around = Around { is_nested: around.is_nested || are_items, depth: around.depth + 1, words };
            let content: Vec<&Node> = element.content().collect();
            if are_items {
                let mut found = Vec::new();
                collect(&content, &around, &mut found);
                inner.push(found);
            } else {
                collect(&content, &around, lists);
            }
        }
        lists.extend(joined(inner));
    }

    /// Whether its elements are the items, not the columns of a layout that holds them.
    fn are_items(&self, elements: &[&Rc<Element>]) -> bool {
        let holds_a_list = |element: &&&Rc<Element>| {
            let each = |node: &Node| matches!(node, Node::Each(each) if each.rows.len() > 1);
            element.content().any(|node| each(node) || as_element(node).is_some_and(|inner| inner.content().any(each)))
        };
        !is_loose(&self.tag) && (is_own_kind(&self.tag) || !elements.iter().any(|element| holds_a_list(&element)))
    }

    fn of_members(&self, members: &[Member<'_>], around: &Around) -> ItemList {
        let (mut items, mut names, mut is_open, mut is_mapped) = (Vec::<Item>::new(), Vec::new(), false, false);
        for member in members {
            match member {
                Member::Element(element) => {
                    items.push(Item { identity: identity::of_element(element), origin: element.origin });
                }
                Member::Each(each) => {
                    is_mapped = true;
                    is_open |= each.is_open;
                    names.extend(each.names.iter().flat_map(|name| words::stems(name)));
                    for row in &each.rows {
                        let known = items.iter().any(|item| item.origin == row.origin);
                        if !known {
                            items.push(Item { identity: identity::of_row(row), origin: row.origin });
                        }
                    }
                }
            }
        }
        let is_control = CONTROLS.contains(&&*self.tag) && self.classes.is_empty();
        let kind = match (is_mapped, items.len()) {
            (true, _) if is_control => Kind::Control,
            (true, _) => Kind::Mapped,
            (false, 0 | 1) => Kind::Single,
            (false, _) if is_loose(&self.tag) || !is_own_kind(&self.tag) && self.classes.is_empty() => Kind::Loose,
            (false, _) => Kind::Repeated,
        };
        names.extend(words::stems(&self.tag));
        names.extend(self.classes.split_whitespace().flat_map(words::stems));
        let mut surroundings = around.words.clone();
        surroundings.extend(self.heading.iter().cloned());
        ItemList {
            kind,
            is_nested: around.is_nested,
            is_open,
            items,
            tag: self.tag.clone(),
            called: self.eachs().find_map(|each| each.names.first().cloned()),
            names: words::telling(names),
            surroundings: words::telling(surroundings),
            parts: Vec::new(),
        }
    }
}

/// The lists in one item.
fn nested<'n>(nodes: impl Iterator<Item = &'n Node>, around: &Around) -> Vec<ItemList> {
    let mut lists = Vec::new();
    for node in nodes {
        match node {
            Node::Element(element) => {
                lists.extend(handed_over(element, around));
                let content: Vec<&Node> = element.content().collect();
                collect(&content, around, &mut lists);
            }
            node => collect(&[node], around, &mut lists),
        }
    }
    lists
}

/// Lists of the same kind in several items are one.
fn joined(of_items: Vec<Vec<ItemList>>) -> Vec<ItemList> {
    let mut joined: Vec<ItemList> = Vec::new();
    for list in of_items.into_iter().flatten() {
        match joined.iter_mut().find(|known| known.tag == list.tag && known.names == list.names) {
            Some(known) => {
                known.kind = known.kind.max(list.kind);
                known.is_open |= list.is_open;
                for item in list.items {
                    if known.items.iter().all(|other| other.origin != item.origin) {
                        known.items.push(item);
                    }
                }
            }
            None => joined.push(list),
        }
    }
    joined
}

/// Lists that go to a component whose source is not here: it will show them.
fn handed_over(element: &Element, around: &Around) -> Vec<ItemList> {
    let mut lists = Vec::new();
    let attributes = element.attributes.iter().filter(|_| !element.is_known && is_component(&element.tag));
    for (name, value) in attributes {
        let Value::List(list) = value else { continue };
        if list.entries.iter().all(|entry| matches!(entry.value, Value::Number(_) | Value::Nothing)) {
            continue;
        }
        let items = list.entries.iter();
        let items = items.map(|entry| Item { identity: entry.identity.clone(), origin: entry.origin });
        let names = list.names.iter().chain([name, &element.tag]).flat_map(|name| words::stems(name));
        lists.push(ItemList {
            kind: Kind::Mapped,
            is_nested: around.is_nested,
            is_open: list.is_open,
            items: items.collect(),
            tag: element.tag.clone(),
            called: list.names.first().cloned(),
            names: words::telling(names.collect()),
            surroundings: words::telling(around.words.clone()),
            parts: Vec::new(),
        });
    }
    lists
}

fn as_element(node: &Node) -> Option<&Rc<Element>> {
    match node {
        Node::Element(element) => Some(element),
        _ => None,
    }
}

fn is_heading(tag: &str) -> bool {
    matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "Heading")
}

fn is_loose(tag: &str) -> bool {
    LOOSE.contains(&tag)
}

/// Elements of this tag are of one kind whatever their classes are.
pub fn is_own_kind(tag: &str) -> bool {
    ITEMS.contains(&tag) || is_component(tag) && !is_loose(tag)
}

/// The fixed classes of an element.
fn classes(element: &Element) -> Rc<str> {
    element.text_attribute("className").or_else(|| element.text_attribute("class")).unwrap_or_else(|| Rc::from(""))
}

fn share_a_class(left: &str, right: &str) -> bool {
    left.is_empty() && right.is_empty()
        || left.split_whitespace().any(|class| right.split_whitespace().any(|other| other == class))
}

fn words_of(element: &Element) -> Vec<String> {
    let mut words = words::stems(&classes(element));
    for name in ["id", "aria-label", "title", "heading"] {
        words.extend(element.text_attribute(name).iter().flat_map(|text| words::stems(text)));
    }
    words
}

fn text_of(element: &Element) -> String {
    let mut text = String::new();
    element.content().for_each(|node| node.write_text(&mut text));
    text
}
