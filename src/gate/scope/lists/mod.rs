//! The lists that a part renders: mapped arrays, and siblings of one kind.

mod group;

use super::evaluate::{Element, Identity, List, Node, Origin, Value};
use super::vocabulary::has;
use super::words;
use crate::js::tree::is_component;
use group::{Around, collect};
use std::collections::BTreeSet;
use std::rc::Rc;

#[derive(Debug, Clone, Default)]
pub(super) struct ItemList {
    pub kind: Kind,
    /// It is in an item of another list.
    pub is_nested: bool,
    /// There may be unknown items.
    pub is_open: bool,
    pub items: Vec<Item>,
    /// Number of elements of the items that are not mapped.
    pub elements: usize,
    pub origins: BTreeSet<Origin>,
    /// All values that identify its items.
    pub values: BTreeSet<Rc<str>>,
    /// The tag of its items.
    pub tag: Rc<str>,
    /// Its name in the sources.
    pub called: Option<Rc<str>>,
    /// Stems of its names in the sources.
    pub names: Vec<String>,
    /// The head noun of each name: `show` for `lateShows`.
    pub nouns: Vec<String>,
    /// The tags in an item.
    pub shape: Vec<Rc<str>>,
    /// The declared fields of an item; a string has one field without a name.
    pub fields: Rc<[Rc<str>]>,
    /// Stems of the words around it.
    pub surroundings: Vec<String>,
    /// The lists that it is concatenated from, if several.
    pub parts: Vec<ItemList>,
    /// In the lists of a project: the files that hold its items or the components that render it.
    pub homes: Vec<String>,
}

#[derive(Debug, Clone)]
pub(super) struct Item {
    pub identity: Identity,
    pub origin: Origin,
}

/// How certain it is that this is a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// One element: a list only if the other state has more.
    #[default]
    Single,
    /// Siblings that may be prose or controls.
    Loose,
    /// A mapped list of controls.
    Control,
    /// Siblings of one kind.
    Repeated,
    /// A mapped list.
    Mapped,
}

/// Types that do not name an item.
const FOREIGN_TYPES: &str = "Array ReadonlyArray Readonly Record Partial Set Map Props";
/// Tags that are often repeated without being items.
const LOOSE: &str = "\
    p span a button img input label br hr strong em small b i code td dd option svg path h1 h2 h3 h4 h5 h6 ul ol dl table \
    Button Link Icon Input Text Heading Divider Spacer Image source";
/// Tags that are items if they are repeated.
const ITEMS: &str = "li article figure blockquote details tr dt fieldset picture";

/// Elements with this tag are of one kind, even with different classes.
pub(super) fn is_own_kind(tag: &str) -> bool {
    has(ITEMS, tag) || is_component(tag) && !has(LOOSE, tag)
}

impl ItemList {
    pub(super) fn identities(&self) -> Vec<Identity> {
        self.items.iter().map(|item| item.identity.clone()).collect()
    }

    /// Adds an item, unless it is already in the list.
    pub(super) fn push(&mut self, origin: Origin, identity: impl FnOnce() -> Identity) {
        if self.origins.insert(origin) {
            let identity = identity();
            self.values.extend(identity.iter().map(|(_, value)| value.clone()));
            self.items.push(Item { identity, origin });
        }
    }

    /// Takes the names of another list with the same items.
    pub(super) fn take_names(&mut self, other: Self) {
        let joined = |own: &mut Vec<String>, other| *own = words::telling([std::mem::take(own), other].concat());
        self.kind = self.kind.max(other.kind);
        self.is_nested &= other.is_nested;
        self.is_open &= other.is_open;
        self.called = self.called.take().or(other.called);
        joined(&mut self.names, other.names);
        joined(&mut self.nouns, other.nouns);
        joined(&mut self.surroundings, other.surroundings);
        let new = other.homes.into_iter().filter(|home| !self.homes.contains(home));
        self.homes.extend(new.collect::<Vec<_>>());
    }

    /// Takes the items of another list.
    pub(super) fn absorb(&mut self, mut other: Self) {
        let called = self.called.iter().chain(&other.called).map(|name| &**name).collect::<Vec<_>>().join(" + ");
        let is_open = self.is_open || other.is_open;
        self.elements += other.elements;
        std::mem::take(&mut other.items).into_iter().for_each(|item| self.push(item.origin, || item.identity));
        self.take_names(other);
        self.called = Some(called.into()).filter(|name: &Rc<str>| !name.is_empty());
        self.is_open = is_open;
    }

    /// Sets the names and their head nouns.
    pub(super) fn name<'n>(&mut self, names: impl Iterator<Item = &'n Rc<str>> + Clone) {
        let own = names.clone().filter(|name| !has(FOREIGN_TYPES, name));
        self.nouns = own.filter_map(|name| words::telling(words::stems(name)).pop()).collect();
        self.names = stems(names);
    }
}

/// The distinct stems of several texts.
fn stems<'n>(texts: impl Iterator<Item = &'n Rc<str>>) -> Vec<String> {
    words::telling(texts.flat_map(|text| words::stems(text)).collect())
}

/// The lists among rendered nodes; outer lists come before nested ones.
pub(super) fn lists(nodes: &[Node]) -> Vec<ItemList> {
    let mut lists = Vec::new();
    let nodes: Vec<&Node> = nodes.iter().collect();
    collect(&nodes, &Around::default(), &mut lists);
    lists
}

/// Joins lists of the same kind in several items.
fn join(joined: &mut Vec<ItemList>, lists: Vec<ItemList>) {
    for list in lists {
        match joined.iter_mut().find(|known| known.tag == list.tag && known.names == list.names) {
            Some(known) => {
                known.kind = known.kind.max(list.kind);
                known.is_open |= list.is_open;
                list.items.into_iter().for_each(|item| known.push(item.origin, || item.identity));
            }
            None => joined.push(list),
        }
    }
}

/// Adds lists passed to a component whose source is not in the project.
fn handed_over(element: &Element, around: &Around, lists: &mut Vec<ItemList>) {
    if element.is_known || !is_component(&element.tag) {
        return;
    }
    for (name, value) in &element.attributes {
        let Value::List(list) = value else { continue };
        if list.entries.iter().all(|entry| matches!(entry.value, Value::Number(_) | Value::Nothing)) {
            continue;
        }
        let mut handed = ItemList {
            is_nested: around.is_nested,
            tag: element.tag.clone(),
            shape: vec![element.tag.clone()],
            surroundings: stems(around.words.iter()),
            ..of_values(list)
        };
        handed.name(list.names.iter().chain([name, &element.tag]));
        lists.push(handed);
    }
}

/// A list of data, without names.
pub(super) fn of_values(list: &List) -> ItemList {
    let mut items = ItemList {
        kind: Kind::Mapped,
        is_open: list.is_open,
        called: list.names.first().cloned(),
        fields: list.fields.clone(),
        ..ItemList::default()
    };
    list.entries.iter().for_each(|entry| items.push(entry.origin, || entry.identity.clone()));
    items
}
