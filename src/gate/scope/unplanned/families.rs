//! Lists that one list was split into, or that were merged into one, count as one list.

use crate::gate::scope::identity;
use crate::gate::scope::lists::ItemList;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Joins the lists of each state that have the items of one list of the other state between them.
pub(super) fn join(had: &mut Vec<ItemList>, has: &mut Vec<ItemList>) {
    let (split, merged) = (families(has, had), families(had, has));
    join_all(has, &split);
    join_all(had, &merged);
}

/// The names of the items.
type Names = BTreeSet<Rc<str>>;

/// The places of the lists that belong together, one set for each list of the other state that they share.
fn families(lists: &[ItemList], others: &[ItemList]) -> Vec<Vec<usize>> {
    let names = |lists: &[ItemList]| lists.iter().map(names).collect::<Vec<Names>>();
    let (names, others) = (names(lists), names(others));
    let shared = |own: &Names, other: &Names| own.intersection(other).count();
    // Each list belongs to the one that it has the most items of.
    let origin = |own: &Names| {
        let counts = others.iter().enumerate().map(|(at, other)| (shared(own, other), at));
        counts.filter(|(count, _)| *count > 0).reduce(|best, next| if next.0 > best.0 { next } else { best })
    };
    let origins: Vec<_> = names.iter().map(origin).collect();
    let mut families = Vec::new();
    for (at, other) in others.iter().enumerate() {
        let of_other = origins.iter().enumerate().filter(|(_, origin)| origin.is_some_and(|(_, found)| found == at));
        let mut members: Vec<(usize, usize)> =
            of_other.filter_map(|(own, origin)| Some((origin.as_ref()?.0, own))).collect();
        members.sort_by_key(|(count, own)| (std::cmp::Reverse(*count), *own));
        // A copy of some items, such as a choice for the front page, adds none.
        let mut known = Names::new();
        let mut family = Vec::new();
        for (_, own) in members {
            let Some(names) = names.get(own) else { continue };
            if names.intersection(other).any(|name| !known.contains(name)) {
                known.extend(names.iter().cloned());
                family.push(own);
            }
        }
        if family.len() > 1 {
            family.sort_unstable();
            families.push(family);
        }
    }
    families
}

fn names(list: &ItemList) -> Names {
    let names = list.items.iter().filter_map(|item| identity::label(&item.identity));
    names.filter(|name| name.chars().any(char::is_alphabetic)).collect()
}

/// Joins each family into its first list.
fn join_all(lists: &mut Vec<ItemList>, families: &[Vec<usize>]) {
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    for family in families {
        let mut members = family.iter().filter_map(|at| lists.get(*at).cloned());
        let Some(mut joined) = members.next() else { continue };
        for member in members {
            joined.absorb(member);
        }
        let mut places = family.iter();
        if let Some(first) = places.next().and_then(|at| lists.get_mut(*at)) {
            *first = joined;
        }
        gone.extend(places);
    }
    let mut at = 0;
    lists.retain(|_| {
        at += 1;
        !gone.contains(&(at - 1))
    });
}
