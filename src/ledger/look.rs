//! What the working tree has and the ledger does not expect.

use super::{ChangedBy, Ledger, Write, is_followed};
use crate::path::{self, folders_above};
use crate::snapshot::{Entry, Manifest, Oid};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The unexpected changes, by author, in the order in which they happened.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Look {
    /// Announced writes whose end is not recorded.
    pub announced: Vec<(ChangedBy, Write)>,
    /// Those since an interrupted call began.
    pub call: Vec<Write>,
    pub user: Vec<Write>,
}

/// Compares the files that were found with the expected ones: the last snapshot, `saved`, with the changes
/// since. An announced change is its author's. All others are those since a call began, if one `is_interrupted`, and
/// the user's otherwise.
pub(crate) fn compare(ledger: &Ledger, saved: &Manifest, found: &Manifest, is_interrupted: bool) -> Look {
    let mut look = Look::default();
    let mut announced: BTreeMap<&str, Vec<&(ChangedBy, Write)>> = BTreeMap::new();
    for write in ledger.announced() {
        announced.entry(&write.1.path).or_default().push(write);
    }
    let expected = |path: &str| ledger.known(path).unwrap_or_else(|| saved.get(path).copied());
    let paths: BTreeSet<&String> = saved.keys().chain(found.keys()).chain(ledger.known.keys()).collect();
    for path in paths.into_iter().filter(|path| is_followed(path)) {
        let (before, after) = (expected(path), found.get(path).copied());
        if before == after {
            continue;
        }
        let write = Write { path: path.clone(), from: None, before, after };
        let announced = announced.get(path.as_str()).map(Vec::as_slice).unwrap_or_default();
        match (joined(announced, |announced| announced.after == after), joined(announced, |_| true)) {
            (Some(announced), _) => look.announced.push(announced),
            // The write happened, and its result changed.
            (None, Some((by @ ChangedBy::Agent, announced))) if announced.may_precede(after) => {
                let later = if is_interrupted { &mut look.call } else { &mut look.user };
                later.push(Write { before: announced.after, ..write });
                look.announced.push((by, announced));
            }
            _ if is_interrupted => look.call.push(write),
            _ => look.user.push(write),
        }
    }
    // The target of a move takes over what is known of its source.
    look.announced.sort_by_key(|(_, write)| write.from.is_none());
    pair_moves(&mut look.call);
    pair_moves(&mut look.user);
    look
}

/// The announced writes to a file as one, up to the last one that counts; `None` if none does.
fn joined(announced: &[&(ChangedBy, Write)], counts: impl Fn(&Write) -> bool) -> Option<(ChangedBy, Write)> {
    let last = announced.iter().rposition(|(_, write)| counts(write))?;
    let mut joined: Option<(ChangedBy, Write)> = None;
    for (by, write) in announced.iter().take(last + 1) {
        let mut write = write.clone();
        if let Some((_, earlier)) = joined {
            write.before = earlier.before;
            write.from = write.from.or(earlier.from);
        }
        joined = Some((*by, write));
    }
    joined
}

impl Ledger {
    /// The changes between two captures around a call: first of the call, then of the user, who `edited` these files
    /// and folders.
    pub(crate) fn between(before: &Manifest, after: &Manifest, edited: &BTreeSet<String>) -> (Vec<Write>, Vec<Write>) {
        let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let writes = paths.into_iter().filter(|path| before.get(*path) != after.get(*path)).map(|path| Write {
            path: path.clone(),
            from: None,
            before: before.get(path).copied(),
            after: after.get(path).copied(),
        });
        let (mut calls, mut users): (Vec<Write>, Vec<Write>) = writes.partition(|write| !is_in(edited, &write.path));
        pair_moves(&mut calls);
        pair_moves(&mut users);
        (calls, users)
    }
}

/// A file that is gone and a new one with the same content are one file that moved; those with the same name first. Puts the
/// targets of moves before their sources.
fn pair_moves(writes: &mut [Write]) {
    let mut gone: BTreeMap<Entry, VecDeque<String>> = BTreeMap::new();
    for write in writes.iter().filter(|write| write.after.is_none()) {
        // Empty files are alike.
        if let Some(before) = write.before.filter(|before| before.oid != Oid::of_blob(b"")) {
            gone.entry(before).or_default().push_back(write.path.clone());
        }
    }
    for is_of_name in [true, false] {
        for write in writes.iter_mut().filter(|write| write.before.is_none() && write.from.is_none()) {
            let Some(sources) = write.after.and_then(|after| gone.get_mut(&after)) else { continue };
            let is_same = |source: &String| !is_of_name || path::name(source) == path::name(&write.path);
            write.from = sources.iter().position(is_same).and_then(|at| sources.remove(at));
        }
    }
    writes.sort_by_key(|write| write.from.is_none());
}

/// Whether the path is one of these, or below one.
pub(crate) fn is_in(paths: &BTreeSet<String>, path: &str) -> bool {
    paths.contains(path) || folders_above(path).any(|folder| paths.contains(folder))
}
