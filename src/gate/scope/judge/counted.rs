//! How many items of a list there are, with those that stand in lists of their own in the same section.

use super::Case;
use crate::gate::scope::choose::Pair;
use crate::gate::scope::lists::{Item, ItemList, Kind, is_own_kind};
use crate::gate::scope::words::fit;

/// The items of a list before and after the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    pub before: usize,
    pub after: usize,
    /// New items in lists that may be of other things.
    pub doubtful: usize,
    pub is_open: bool,
}

/// Counts a list with the lists that came or went beside it and hold the same kind of items.
pub fn count(case: &Case<'_>, pair: &Pair<'_>) -> Counted {
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
        if is_like(pair, list) {
            counted.is_open |= list.is_open;
            after.extend(new);
        } else if list.kind >= Kind::Repeated && !list.is_nested && is_named_alike(pair, list) {
            counted.doubtful += new.len();
        }
    }
    Counted { before: before.len(), after: after.len(), ..counted }
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

/// They are one item, shown twice.
fn is_one(left: &Item, right: &Item) -> bool {
    left.origin == right.origin || left.identity.iter().any(|pair| right.identity.contains(pair))
}

/// A list holds the same kind of items: they are called or built alike.
fn is_like(pair: &Pair<'_>, list: &ItemList) -> bool {
    pair.sides().any(|known| {
        if known.is_nested != list.is_nested || known.items.is_empty() {
            return false;
        }
        if known.tag == list.tag && is_own_kind(&known.tag) && known.tag.starts_with(char::is_uppercase) {
            return true;
        }
        let is_called_alike = fit(&known.nouns, &list.nouns) > 1;
        let is_sure = list.kind > Kind::Loose || is_own_kind(&list.tag);
        is_sure && is_called_alike || known.tag == list.tag && are_alike(&known.shape, &list.shape)
    })
}

/// The items of both go by the same fields, several of them: `id` and `title`.
fn is_named_alike(pair: &Pair<'_>, list: &ItemList) -> bool {
    let fields = |list: &ItemList| -> Vec<std::rc::Rc<str>> {
        list.items.first().map(|item| item.identity.iter().map(|(name, _)| name.clone()).collect()).unwrap_or_default()
    };
    let own = fields(list);
    own.len() > 1 && pair.sides().any(|known| fields(known) == own)
}

/// At least half of the tags in either are in both.
fn are_alike<T: PartialEq>(left: &[T], right: &[T]) -> bool {
    let shared = left.iter().filter(|tag| right.contains(tag)).count();
    let all = left.len() + right.len() - shared;
    shared * 2 >= all
}
