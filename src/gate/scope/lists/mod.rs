//! The lists that a part renders: mapped arrays, and siblings of one kind.

mod group;
mod tags;

pub(super) use tags::is_own_kind;

use super::evaluate::{Element, Identity, Node, Origin, Value};
use super::words;
use crate::js::tree::is_component;
use group::{Around, collect};
use std::collections::BTreeSet;
use std::rc::Rc;

#[derive(Debug, Clone)]
pub(super) struct ItemList {
    pub kind: Kind,
    /// It is in an item of another list.
    pub is_nested: bool,
    /// There may be unknown items.
    pub is_open: bool,
    pub items: Vec<Item>,
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
}

#[derive(Debug, Clone)]
pub(super) struct Item {
    pub identity: Identity,
    pub origin: Origin,
}

/// How certain it is that this is a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// One element: a list only if the other state has more.
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

impl ItemList {
    pub(super) fn identities(&self) -> Vec<Identity> {
        self.items.iter().map(|item| item.identity.clone()).collect()
    }
}

/// The lists among rendered nodes; outer lists come before nested ones.
pub(super) fn lists(nodes: &[Node]) -> Vec<ItemList> {
    let mut drafts = Vec::new();
    let nodes: Vec<&Node> = nodes.iter().collect();
    collect(&nodes, &Around::default(), &mut drafts);
    drafts.into_iter().map(Draft::finish).collect()
}

/// A list before its words are stemmed: lists in several items are joined first.
struct Draft {
    kind: Kind,
    is_nested: bool,
    is_open: bool,
    items: Vec<Item>,
    origins: BTreeSet<Origin>,
    tag: Rc<str>,
    called: Option<Rc<str>>,
    names: Vec<Rc<str>>,
    nouns: Vec<Rc<str>>,
    shape: Vec<Rc<str>>,
    fields: Rc<[Rc<str>]>,
    surroundings: Vec<Rc<str>>,
    parts: Vec<Draft>,
}

/// Types that do not name an item.
const FOREIGN_TYPES: [&str; 8] = ["Array", "ReadonlyArray", "Readonly", "Record", "Partial", "Set", "Map", "Props"];

impl Draft {
    /// Adds an item, unless it is already in the list.
    fn push(&mut self, origin: Origin, identity: impl FnOnce() -> Identity) {
        if self.origins.insert(origin) {
            self.items.push(Item { identity: identity(), origin });
        }
    }

    fn finish(self) -> ItemList {
        let stems = |texts: &[Rc<str>]| words::telling(texts.iter().flat_map(|text| words::stems(text)).collect());
        let is_own = |name: &&Rc<str>| !FOREIGN_TYPES.contains(&&***name);
        let nouns = self.nouns.iter().filter(is_own).filter_map(|name| words::telling(words::stems(name)).pop());
        let values = self.items.iter().flat_map(|item| item.identity.iter().map(|(_, value)| value.clone()));
        ItemList {
            kind: self.kind,
            is_nested: self.is_nested,
            is_open: self.is_open,
            values: values.collect(),
            names: stems(&self.names),
            nouns: nouns.collect(),
            shape: self.shape,
            fields: self.fields,
            surroundings: stems(&self.surroundings),
            items: self.items,
            tag: self.tag,
            called: self.called,
            parts: self.parts.into_iter().map(Draft::finish).collect(),
        }
    }
}

/// Joins lists of the same kind in several items.
fn join(joined: &mut Vec<Draft>, lists: Vec<Draft>) {
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
fn handed_over(element: &Element, around: &Around, lists: &mut Vec<Draft>) {
    if element.is_known || !is_component(&element.tag) {
        return;
    }
    for (name, value) in &element.attributes {
        let Value::List(list) = value else { continue };
        if list.entries.iter().all(|entry| matches!(entry.value, Value::Number(_) | Value::Nothing)) {
            continue;
        }
        let mut draft = Draft {
            kind: Kind::Mapped,
            is_nested: around.is_nested,
            is_open: list.is_open,
            items: Vec::new(),
            origins: BTreeSet::default(),
            tag: element.tag.clone(),
            called: list.names.first().cloned(),
            names: list.names.iter().chain([name, &element.tag]).cloned().collect(),
            nouns: list.names.iter().chain([name, &element.tag]).cloned().collect(),
            shape: vec![element.tag.clone()],
            fields: list.fields.clone(),
            surroundings: around.words.clone(),
            parts: Vec::new(),
        };
        list.entries.iter().for_each(|entry| draft.push(entry.origin, || entry.identity.clone()));
        lists.push(draft);
    }
}
