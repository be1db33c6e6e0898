//! Ordered collections, made by inserting one item after the other.
//!
//! `collect` sorts the items first, and the sort would be in the binary once for every type of item.

use std::collections::{BTreeMap, BTreeSet};

/// A map of these pairs; the last of equal keys stands.
pub fn map<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(pairs);
    map
}

/// A set of these items.
pub fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    set.extend(items);
    set
}
