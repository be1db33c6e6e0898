//! Counts the items of a list, including those in new lists of the same section.

use super::Case;
use crate::gate::scope::choose::Pair;
use crate::gate::scope::identity;
use crate::gate::scope::lists::{Item, ItemList, Kind, is_own_kind};
use crate::gate::scope::words::{Wording, fit};
use crate::js::tree::is_component;
use crate::plan::MarkerKind;
use std::rc::Rc;

/// The items of a list before and after the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counted {
    pub before: usize,
    pub after: usize,
    /// New items in lists that may have other content.
    pub doubtful: usize,
    pub is_open: bool,
}

/// Counts a list together with new and removed lists of the same kind of items. A new list is counted with the existing
/// one that has such items, because these may have moved.
pub(super) fn count(case: &Case<'_>, pair: &Pair<'_>) -> Counted {
    let is_known = |pair: &&Pair<'_>| pair.is_main() && pair.before.is_some_and(|list| list.kind > Kind::Single);
    let mut known = case.pairs.iter().filter(|other| other.after.is_some()).filter(is_known);
    let pair = match (pair.before, pair.after) {
        (None, Some(list)) => known.find(|known| is_like(known, list)).unwrap_or(pair),
        _ => pair,
    };
    let (mut before, mut after): (Vec<&Item>, Vec<&Item>) = (Vec::new(), Vec::new());
    before.extend(pair.before.iter().flat_map(|list| &list.items));
    after.extend(pair.after.iter().flat_map(|list| &list.items));
    let mut counted = Counted { before: 0, after: 0, doubtful: 0, is_open: pair.is_open() };
    let others = || case.pairs.iter().filter(|other| other.before.is_none() || other.after.is_none());
    for list in others().filter_map(|other| other.before).filter(|list| !is_same(pair.before, list)) {
        let is_kept = |item: &&Item| case.after.lists.iter().any(|list| holds(&list.items, item));
        if is_like(pair, list) && list.items.iter().filter(is_kept).count() > 0 {
            before.extend(list.items.iter().filter(|item| !among(&before, item)).collect::<Vec<_>>());
        }
    }
    for list in others().filter_map(|other| other.after).filter(|list| !is_same(pair.after, list)) {
        let new: Vec<&Item> = list.items.iter().filter(|item| !among(&after, item)).collect();
        let is_certain = list.kind >= Kind::Repeated && !list.is_nested;
        if is_like(pair, list) || is_certain && looks_alike(pair, list) && is_asked_for(case, list) {
            counted.is_open |= list.is_open;
            after.extend(new);
        } else if is_certain && is_named_alike(pair, list) {
            counted.doubtful += new.len();
        }
    }
    Counted { before: before.len(), after: after.len(), ..counted }
}

/// Whether a new list is counted with an existing one.
pub(super) fn is_counted(case: &Case<'_>, pair: &Pair<'_>) -> bool {
    let known = case.pairs.iter().filter(|other| other.before.is_some());
    pair.after.is_some_and(|list| known.into_iter().any(|known| is_like(known, list)))
}

fn is_same(known: Option<&ItemList>, list: &ItemList) -> bool {
    known.is_some_and(|known| std::ptr::eq(known, list))
}

fn among(items: &[&Item], item: &Item) -> bool {
    items.iter().any(|known| is_one(known, item))
}

fn holds(items: &[Item], item: &Item) -> bool {
    items.iter().any(|known| is_one(known, item))
}

/// Whether both are the same item, rendered twice. Each list may number its items anew.
fn is_one(left: &Item, right: &Item) -> bool {
    left.origin == right.origin
        || identity::is_one(&left.identity, &right.identity) && identity::agree(&left.identity, &right.identity)
}

/// Whether the list has the same kind of items: the same names, fields or tags.
fn is_like(pair: &Pair<'_>, list: &ItemList) -> bool {
    let is_list = list.kind > Kind::Loose;
    pair.sides().any(|known| {
        if known.is_nested != list.is_nested || known.items.is_empty() {
            return false;
        }
        let is_one_component = known.tag == list.tag && is_component(&known.tag) && is_own_kind(&known.tag);
        let is_built = |is_like: bool| is_like && (is_list || known.tag == list.tag && is_own_kind(&list.tag));
        let are_data = !known.fields.is_empty() && !list.fields.is_empty();
        is_one_component
            || is_list && fit(&known.nouns, &list.nouns) > 1
            || is_list && shared(&known.fields, &list.fields) > 1 && are_alike(&known.fields, &list.fields)
            || is_built(known.shape.len() > 1 && known.shape == list.shape)
            || is_built(are_alike(&known.shape, &list.shape) && (!are_data || known.fields == list.fields))
    })
}

/// Whether an `ADD` has a word of the list's names: `2 teas for the night` and `night`.
fn is_asked_for(case: &Case<'_>, list: &ItemList) -> bool {
    let mut texts = case.texts(MarkerKind::Add).map(Wording::from_text);
    texts.any(|wording| fit(&wording.phrase, &list.names).max(fit(&wording.others, &list.names)) > 1)
}

/// Whether the items of both have the same identifying fields, at least two.
fn is_named_alike(pair: &Pair<'_>, list: &ItemList) -> bool {
    pair.sides().any(|known| shared(&known.fields, &list.fields) > 1)
}

/// Whether the items of both have the same element, such as `<li>`.
fn looks_alike(pair: &Pair<'_>, list: &ItemList) -> bool {
    is_own_kind(&list.tag) && pair.sides().any(|known| known.tag == list.tag && known.is_nested == list.is_nested)
}

fn shared(left: &[Rc<str>], right: &[Rc<str>]) -> usize {
    left.iter().filter(|name| right.contains(name)).count()
}

/// Whether both sets share at least half of all their entries.
fn are_alike(left: &[Rc<str>], right: &[Rc<str>]) -> bool {
    let shared = shared(left, right);
    shared * 2 >= left.len() + right.len() - shared
}
