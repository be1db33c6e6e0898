//! Pairs the lists of a part before and after the task, and chooses the list that a marker refers to.

use super::evaluate::Identity;
use super::identity;
use super::lists::{Item, ItemList, Kind, is_own_kind};
use super::words::{Wording, fit, stems};
use std::cmp::Reverse;

#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'l> {
    pub before: Option<&'l ItemList>,
    pub after: Option<&'l ItemList>,
}

impl<'l> Pair<'l> {
    pub(super) fn counts(&self) -> (usize, usize) {
        let count = |list: Option<&ItemList>| list.map_or(0, |list| list.items.len());
        (count(self.before), count(self.after))
    }

    /// The number of items is unknown on one side.
    pub(super) fn is_open(&self) -> bool {
        self.sides().any(|list| list.is_open)
    }

    pub(super) fn is_nested(&self) -> bool {
        self.sides().all(|list| list.is_nested)
    }

    pub(super) fn kind(&self) -> Kind {
        self.sides().map(|list| list.kind).max().unwrap_or(Kind::Single)
    }

    pub(super) fn had(&self) -> Vec<Identity> {
        self.before.map(ItemList::identities).unwrap_or_default()
    }

    /// The items after the task, with those that moved to another of these lists.
    pub(super) fn has(&self, lists: &[ItemList]) -> Vec<Identity> {
        let mut has = self.after.map(ItemList::identities).unwrap_or_default();
        let Some(before) = self.before else { return has };
        let had = self.had();
        let others = lists.iter().filter(|list| self.after.is_none_or(|own| !std::ptr::eq(own, *list)));
        let others = others.filter(|list| !list.values.is_disjoint(&before.values));
        let mut moved: Vec<Identity> = Vec::new();
        for item in others.flat_map(ItemList::identities).filter(|item| !item.is_empty()) {
            let is_new = |is_same: fn(&Identity, &Identity) -> bool| {
                let is_among = |items: &[Identity]| items.iter().any(|known| is_same(known, &item));
                is_among(&had) && !is_among(&has) && !is_among(&moved)
            };
            // Each list may number its items anew.
            if is_new(identity::is_one) || is_new(identity::is_called_alike) {
                moved.push(item);
            }
        }
        has.extend(moved);
        has
    }

    /// The name of the list in a message.
    pub(super) fn called(&self) -> String {
        match self.sides().filter_map(|list| list.called.as_ref()).next_back() {
            Some(name) => format!("`{name}`"),
            None => match self.sides().next_back() {
                Some(list) if !list.tag.is_empty() => format!("the <{}> elements", list.tag),
                _ => "its items".to_owned(),
            },
        }
    }

    pub(super) fn sides(&self) -> impl DoubleEndedIterator<Item = &'l ItemList> {
        self.before.into_iter().chain(self.after)
    }

    /// It is certainly a list, and not nested in another one.
    pub(super) fn is_main(&self) -> bool {
        !self.is_nested() && self.kind() >= Kind::Repeated
    }
}

/// Minimum likeness of two lists that count as one.
const LIKELY: i64 = 50;

/// Pairs the lists of both states: by their items first, then by their names and markup.
pub(super) fn pairs<'l>(before: &'l [ItemList], after: &'l [ItemList]) -> Vec<Pair<'l>> {
    let mut likely = Vec::new();
    for (old_place, old) in before.iter().enumerate() {
        for (new_place, new) in after.iter().enumerate() {
            let likeness = likeness(old, new) - old_place.abs_diff(new_place).min(9) as i64;
            if likeness >= LIKELY {
                likely.push((likeness, old_place, new_place));
            }
        }
    }
    // Of equally likely pairs, the first.
    likely.sort_by_key(|(likeness, ..)| Reverse(*likeness));
    let (mut of_old, mut is_taken) = (vec![None; before.len()], vec![false; after.len()]);
    for (_, old, new) in likely {
        if let (Some(found @ None), Some(taken @ false)) = (of_old.get_mut(old), is_taken.get_mut(new)) {
            (*found, *taken) = (Some(new), true);
        }
    }
    let mut pairs: Vec<Pair<'l>> = Vec::new();
    for (old, new) in before.iter().zip(of_old) {
        pairs.push(Pair { before: Some(old), after: new.and_then(|new| after.get(new)) });
    }
    let added = after.iter().zip(is_taken).filter(|(_, is_taken)| !is_taken);
    pairs.extend(added.map(|(new, _)| Pair { before: None, after: Some(new) }));
    join_the_last(&mut pairs);
    pairs
}

/// Pairs the only list that was removed with the only new one: it was rewritten. Groups whose items are a list of their own
/// now were not.
fn join_the_last(pairs: &mut Vec<Pair<'_>>) {
    let is_ungrouped = |pair: &Pair<'_>| {
        pair.before.is_some_and(|list| list.is_nested) && pair.after.is_some_and(|list| !list.is_nested)
    };
    if pairs.iter().any(is_ungrouped) {
        return;
    }
    let lonely = |is_old: bool| {
        let alone =
            move |pair: &Pair<'_>| pair.is_main() && pair.before.is_some() == is_old && pair.after.is_none() == is_old;
        let mut places = pairs.iter().enumerate().filter(move |(_, pair)| alone(pair)).map(|(place, _)| place);
        (places.next(), places.next())
    };
    if let ((Some(old), None), (Some(new), None)) = (lonely(true), lonely(false)) {
        let after = pairs.remove(new).after;
        if let Some(pair) = pairs.get_mut(old) {
            pair.after = after;
        }
    }
}

/// How likely two lists are the same, in percent.
fn likeness(old: &ItemList, new: &ItemList) -> i64 {
    let named = |list: &ItemList| list.items.iter().filter(|item| !item.identity.is_empty()).count() as i64;
    let (old_named, new_named) = (named(old), named(new));
    let is_kept = |item: &&Item| item.identity.iter().any(|(_, value)| new.values.contains(value));
    let kept = old.items.iter().filter(is_kept).count() as i64;
    let by_items = match old_named > 0 && new_named > 0 {
        true => 700 * kept / old_named + 300 * kept.min(new_named) / new_named,
        false => 0,
    };
    let by_name = if old.called.is_some() && old.called == new.called {
        300
    } else {
        100 * i64::from(fit(&old.names, &new.names))
    };
    let by_tag = if old.tag == new.tag { 60 } else { 0 };
    // Most items are the same: they were grouped or ungrouped.
    let is_moved = old_named > 1 && kept * 2 > old_named;
    let by_depth = if old.is_nested == new.is_nested || is_moved { 0 } else { -600 };
    let by_kind = match (old.kind, new.kind) {
        (old, new) if old == new => 20,
        (Kind::Single, _) | (_, Kind::Single) if old.tag != new.tag => -300,
        _ => 0,
    };
    by_items + by_name + by_tag + by_kind + by_depth
}

/// The pair that a marker refers to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice<'l> {
    pub pair: Pair<'l>,
    /// The marker's words or number identify the list; otherwise it is only the likeliest one.
    pub is_named: bool,
}

/// Chooses by the marker's words, its number of existing items, and how likely each list is the part's main list.
pub(super) fn choose<'l>(
    pairs: &[Pair<'l>],
    wording: &Wording,
    existing: Option<usize>,
    key: &str,
) -> Option<Choice<'l>> {
    let key = stems(key);
    let scored = |of_one: bool| {
        let of_kind = pairs.iter().filter(move |pair| is_lone(pair) == of_one);
        let scored = of_kind.map(|pair| {
            let evidence = evidence(pair, wording, existing);
            (evidence * 10 + prior(pair, &key), evidence, pair)
        });
        scored.reduce(|best, next| if next.0 > best.0 { next } else { best })
    };
    // A single element counts as an item only if there is no list and the marker names it.
    let best = scored(false).or_else(|| scored(true).filter(|(_, evidence, _)| *evidence > 3));
    best.map(|(_, evidence, pair)| {
        let pair = named_part(pair, wording).unwrap_or(*pair);
        Choice { pair, is_named: evidence > 0 }
    })
}

/// Both sides have at most one element, and its tag is not an item's tag.
fn is_lone(pair: &Pair<'_>) -> bool {
    pair.kind() == Kind::Single && !pair.sides().any(|list| is_own_kind(&list.tag))
}

/// For a list that is concatenated from several lists: the only one of them that the marker names.
fn named_part<'l>(pair: &Pair<'l>, wording: &Wording) -> Option<Pair<'l>> {
    let (before, after) = (pair.before?, pair.after?);
    let mut parts = before.parts.iter().filter(|part| fit(&wording.phrase, &part.names) > 1);
    let (part, None) = (parts.next()?, parts.next()) else { return None };
    let mut same = after.parts.iter().filter(|other| other.called.is_some() && other.called == part.called);
    Some(Pair { before: Some(part), after: Some(same.next()?) })
}

fn evidence(pair: &Pair<'_>, wording: &Wording, existing: Option<usize>) -> i64 {
    let best = |stems: &[String], of: fn(&ItemList) -> &[String]| {
        i64::from(pair.sides().map(|list| fit(stems, of(list))).max().unwrap_or(0))
    };
    let named = best(&wording.phrase, |list| &list.names) * 3;
    let near = best(&wording.phrase, |list| &list.surroundings);
    let also = best(&wording.others, |list| &list.names) + best(&wording.others, |list| &list.surroundings) / 2;
    let counted = if existing.is_some_and(|existing| existing > 1 && existing == pair.counts().0) { 4 } else { 0 };
    named.max(near) + also + counted
}

/// How likely the list is the main list of its part.
fn prior(pair: &Pair<'_>, key: &[String]) -> i64 {
    let by_kind = match pair.kind() {
        Kind::Mapped => 40,
        Kind::Repeated => 36,
        Kind::Control => 15,
        Kind::Loose => 10,
        Kind::Single => 1,
    };
    let by_key = pair.sides().map(|list| i64::from(fit(key, &list.names))).max().unwrap_or(0) * 10;
    let by_depth = if pair.is_nested() { -45 } else { 0 };
    let (before, after) = pair.counts();
    by_kind + by_key + by_depth + before.max(after).min(9) as i64
}
