//! Ordered collections on sorted vectors.
//!
//! The standard library's trees and sorts would be in the binary once for every type that they hold, and they are long.
//! What stands here once for every type is a few lines; the only sort is one of places.

use serde::{Serialize, Serializer};
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::{mem, slice, vec};

/// Sorts; equal items keep their order.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let swaps = sorting_swaps(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    for (a, b) in swaps {
        items.swap(a, b);
    }
}

/// Sorts; equal items keep their order.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// The swaps of places that sort as many items, which are compared by their places.
fn sorting_swaps(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let mut sources: Vec<usize> = (0..len).collect();
    sources.sort_by(|a, b| compare(*a, *b));
    let mut swaps = Vec::new();
    for start in 0..len {
        let mut place = start;
        while let Some(source) = sources.get_mut(place).map(|source| mem::replace(source, place))
            && source != start
        {
            swaps.push((place, source));
            place = source;
        }
    }
    swaps
}

/// Where among sorted items the one is that `compare` calls equal, or else where it would be.
fn search(len: usize, compare: &dyn Fn(usize) -> Ordering) -> Result<usize, usize> {
    let (mut from, mut to) = (0, len);
    while from < to {
        let middle = from.midpoint(to);
        match compare(middle) {
            Ordering::Less => from = middle + 1,
            Ordering::Equal => return Ok(middle),
            Ordering::Greater => to = middle,
        }
    }
    Err(from)
}

/// Values by their keys, in the order of the keys.
///
/// Inserting a key in front of others moves them. Many that come in no order are best collected.
#[derive(Debug, Clone, PartialEq)]
pub struct Map<K, V>(Vec<(K, V)>);

impl<K: Ord, V> Map<K, V> {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    /// The value of a key.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.0.get_mut(place).map(|(_, value)| value)
    }

    /// The key has a value.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Gives a key its value; the one that it had comes back.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(place) => self.0.get_mut(place).map(|(_, old)| mem::replace(old, value)),
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// Removes a key.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| self.0.remove(place).1)
    }

    /// Keeps what the predicate holds for.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        self.0.retain(|(key, value)| keep(key, value));
    }

    /// The pairs.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The pairs whose keys do not come before this one.
    pub fn iter_from<Q: Ord + ?Sized>(&self, key: &Q) -> impl Iterator<Item = (&K, &V)>
    where
        K: Borrow<Q>,
    {
        let (Ok(place) | Err(place)) = self.place(key);
        self.0.get(place..).unwrap_or_default().iter().map(|(key, value)| (key, value))
    }

    /// The keys.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// Where a key is, or else where it would be.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        search(self.len(), &|at| self.0.get(at).map_or(Ordering::Greater, |(other, _)| other.borrow().cmp(key)))
    }

    /// Puts pairs that came in any order in theirs; the last of one key stands.
    fn settle(&mut self) {
        sort_by(&mut self.0, |(a, _), (b, _)| a.cmp(b));
        self.0.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                mem::swap(&mut later.1, &mut earlier.1);
            }
            same
        });
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// What comes later stands for what comes earlier with the same key.
impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let mut map = Self::default();
        map.extend(pairs);
        map
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, pairs: I) {
        self.0.extend(pairs);
        self.settle();
    }
}

type Iter<'a, K, V> = std::iter::Map<slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> (&'a K, &'a V)>;

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(key, value)| (key, value))
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: Serialize, V: Serialize> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// Items in order, each once.
///
/// Inserting an item in front of others moves them. Many that come in no order are best collected.
#[derive(Debug, Clone, PartialEq)]
pub struct Set<T>(Map<T, ()>);

impl<T: Ord> Set<T> {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// It is one of them.
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.contains_key(item)
    }

    /// Adds an item that is not one of them; whether it was none.
    pub fn insert(&mut self, item: T) -> bool {
        self.0.insert(item, ()).is_none()
    }

    /// The items.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.0.keys()
    }
}

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self(Map::default())
    }
}

impl<T: Ord> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().map(|item| (item, ())).collect())
    }
}

impl<T: Ord> Extend<T> for Set<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.0.extend(items.into_iter().map(|item| (item, ())));
    }
}

impl<T> IntoIterator for Set<T> {
    type Item = T;
    type IntoIter = std::iter::Map<vec::IntoIter<(T, ())>, fn((T, ())) -> T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(|(item, ())| item)
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn a_sort_is_that_of_the_standard_library(mut items in vec((0..20_u8, any::<u16>()), 0..60)) {
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            sort_by(&mut items, |(a, _), (b, _)| a.cmp(b));
            prop_assert_eq!(&items, &expected);
            expected.sort();
            sort(&mut items);
            prop_assert_eq!(items, expected);
        }

        #[test]
        fn a_map_is_that_of_the_standard_library(
            collected in vec((0..30_u8, any::<u16>()), 0..60),
            inserted in vec((0..30_u8, any::<u16>()), 0..60),
            extended in vec((0..30_u8, any::<u16>()), 0..60),
            removed in vec(0..30_u8, 0..20),
            from in 0..30_u8,
        ) {
            let mut map: Map<u8, u16> = collected.iter().copied().collect();
            let mut expected: BTreeMap<u8, u16> = collected.into_iter().collect();
            for (key, value) in inserted {
                prop_assert_eq!(map.insert(key, value), expected.insert(key, value));
            }
            map.extend(extended.iter().copied());
            expected.extend(extended);
            for key in removed {
                prop_assert_eq!(map.remove(&key), expected.remove(&key));
                prop_assert_eq!(map.get(&key), None);
            }
            prop_assert!(map.iter().eq(&expected));
            prop_assert!(map.iter_from(&from).eq(expected.range(from..)));
            for key in 0..30 {
                prop_assert_eq!(map.get(&key), expected.get(&key));
                prop_assert_eq!(map.get_mut(&key), expected.get_mut(&key));
                prop_assert_eq!(map.contains_key(&key), expected.contains_key(&key));
            }
            map.retain(|key, _| key % 2 == 0);
            expected.retain(|key, _| key % 2 == 0);
            prop_assert_eq!((map.len(), map.is_empty()), (expected.len(), expected.is_empty()));
            prop_assert_eq!(serde_json::to_string(&map).unwrap(), serde_json::to_string(&expected).unwrap());
            prop_assert!(map.into_iter().eq(expected));
        }

        #[test]
        fn a_set_is_that_of_the_standard_library(
            collected in vec(0..30_u8, 0..30),
            inserted in vec(0..30_u8, 0..30),
            extended in vec(0..30_u8, 0..30),
        ) {
            let mut set: Set<u8> = collected.iter().copied().collect();
            let mut expected: BTreeSet<u8> = collected.into_iter().collect();
            for item in inserted {
                prop_assert_eq!(set.insert(item), expected.insert(item));
            }
            set.extend(extended.iter().copied());
            expected.extend(extended);
            prop_assert_eq!((set.len(), set.is_empty()), (expected.len(), expected.is_empty()));
            prop_assert!((0..30).all(|item| set.contains(&item) == expected.contains(&item)));
            prop_assert!(set.iter().eq(&expected));
            prop_assert!(set.into_iter().eq(expected));
        }
    }
}
