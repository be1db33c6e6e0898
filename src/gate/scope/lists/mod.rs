//! The lists that a part renders: mapped values, and elements of one kind side by side.

mod group;
mod tags;

pub(super) use tags::is_own_kind;

use super::evaluate::{Element, Identity, Node, Origin, Value};
use super::words;
use crate::js::tree::is_component;
use group::{Around, collect};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A list that a part renders.
#[derive(Debug, Clone)]
pub(super) struct ItemList {
    pub kind: Kind,
    /// It stands in an item of another list.
    pub is_nested: bool,
    /// There may be items that the sources do not show.
    pub is_open: bool,
    pub items: Vec<Item>,
    /// Everything that names an item of it.
    pub values: BTreeSet<Rc<str>>,
    /// What an item is rendered as.
    pub tag: Rc<str>,
    /// What the sources call it.
    pub called: Option<Rc<str>>,
    /// Stems of what the sources call it.
    pub names: Vec<String>,
    /// Of each of these names the noun: `lateShows` is of shows.
    pub nouns: Vec<String>,
    /// The tags in an item.
    pub shape: Vec<Rc<str>>,
    /// The fields of an item, where it is declared as data; of a text one without a name.
    pub fields: Rc<[Rc<str>]>,
    /// Stems of what stands around it.
    pub surroundings: Vec<String>,
    /// The lists that it is put together from, where there are several.
    pub parts: Vec<ItemList>,
}

/// An item of a list.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub identity: Identity,
    pub origin: Origin,
}

/// How surely it is a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
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
    pub(super) fn identities(&self) -> Vec<Identity> {
        self.items.iter().map(|item| item.identity.clone()).collect()
    }
}

/// The lists among rendered nodes, outer ones before those in them.
pub(super) fn lists(nodes: &[Node]) -> Vec<ItemList> {
    let mut drafts = Vec::new();
    let nodes: Vec<&Node> = nodes.iter().collect();
    collect(&nodes, &Around::default(), &mut drafts);
    drafts.into_iter().map(Draft::finish).collect()
}

/// A list whose words are as they are written: those in many items are put together before anybody reads them.
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

/// Types that name no item.
const FOREIGN_TYPES: [&str; 8] = ["Array", "ReadonlyArray", "Readonly", "Record", "Partial", "Set", "Map", "Props"];

impl Draft {
    /// Adds an item, once.
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

/// Lists of the same kind in several items are one.
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

/// Lists that go to a component whose source is not here: it will show them.
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
