//! The verdict on each marker.

mod added;
mod changed;
mod counted;
mod preserved;
mod removed;
mod used;

use super::ScopeVerdict::{self, Fail, Warn};
use super::choose::{self, Pair};
use super::identity;
use super::lists::{ItemList, Kind};
use super::markers::Marker;
use super::own::Fault;
use super::part::Side;
use super::request::Nouns;
use super::sources::Sources;
use super::words::{self, Wording};
use crate::plan::MarkerKind;

/// A verdict and its message: what was expected, what was found, where, and what to do.
pub(super) type Judged = (ScopeVerdict, String);

/// A marker's part before and after the task.
pub(super) struct Case<'c> {
    pub key: &'c str,
    pub before: &'c Side,
    pub after: &'c Side,
    pub pairs: Vec<Pair<'c>>,
    /// All markers of the task on this part.
    pub markers: Vec<&'c Marker>,
    /// The part was shown before the task and is shown after it.
    pub was_shown: bool,
    pub is_shown: bool,
    old: &'c Sources<'c>,
    new: &'c Sources<'c>,
}

impl<'c> Case<'c> {
    pub(super) fn new(
        key: &'c str,
        markers: Vec<&'c Marker>,
        (old, before): (&'c Sources<'c>, &'c Side),
        (new, after): (&'c Sources<'c>, &'c Side),
    ) -> Self {
        // A file that existed before and is rendered only after the task is a new part.
        let is_mounted = before.is_reached == Some(false) && after.is_reached == Some(true);
        let was_shown = before.file.is_some() && !is_mounted;
        // A part that is unreachable after the task counts as removed only if it was reachable before.
        let can_tell = !was_shown || before.is_reached == Some(true);
        let is_shown = after.file.is_some() && !(can_tell && after.is_reached == Some(false));
        let shown = |is_shown: bool, side: &'c Side| if is_shown { side.lists.as_slice() } else { &[] };
        let pairs = choose::pairs(shown(was_shown, before), shown(is_shown, after));
        Self { key, before, after, pairs, markers, was_shown, is_shown, old, new }
    }

    pub(super) fn judge(&self, marker: &Marker) -> Judged {
        let key = self.key;
        match &self.after.own {
            Some(Err(Fault::Broken { path, line, message })) => {
                let text = format!(
                    "{path}:{line} does not parse: {message} The content of \"{key}\" cannot be read. Fix the syntax."
                );
                return (Fail, text);
            }
            Some(Err(Fault::Unreadable { path })) => {
                let text =
                    format!("{path} nests too deep to be read, so \"{key}\" cannot be compared. Reduce the nesting.");
                return (Warn, text);
            }
            _ => {}
        }
        match marker.kind {
            MarkerKind::Add => added::judge(self, marker),
            MarkerKind::Preserved => preserved::judge(self, marker),
            MarkerKind::Remove => removed::judge(self, marker),
            MarkerKind::Modify => changed::modified(self),
            MarkerKind::Fix => changed::fixed(self),
            MarkerKind::NoChanges => changed::unchanged(self),
        }
    }

    /// The pairs that are certainly lists of items; without any, the pairs of controls.
    fn lists(&self) -> impl Iterator<Item = &Pair<'c>> {
        let has_main = self.pairs.iter().any(Pair::is_main);
        let is_control = |pair: &&Pair<'_>| !pair.is_nested() && pair.kind() == Kind::Control;
        self.pairs.iter().filter(move |pair| if has_main { pair.is_main() } else { is_control(pair) })
    }

    fn texts(&self, kind: MarkerKind) -> impl Iterator<Item = &'c str> {
        self.markers.iter().filter(move |marker| marker.kind == kind).map(|marker| marker.text.as_str())
    }

    /// The names of the part's items.
    fn nouns(&self) -> Nouns {
        let mut nouns = Nouns::default();
        // The task may have added words to the names of an existing list.
        for list in self.lists().filter_map(|pair| pair.before.or(pair.after)) {
            nouns.heads.extend(list.nouns.iter().cloned());
            nouns.words.extend(list.names.iter().cloned());
            nouns.words.extend(common_endings(list));
        }
        let key = words::telling(words::stems(self.key));
        nouns.heads.extend(key.last().cloned());
        nouns.words.extend(key);
        for wording in self.texts(MarkerKind::Preserved).map(Wording::from_text) {
            nouns.heads.extend(wording.phrase.last().cloned());
            nouns.words.extend(wording.phrase);
        }
        nouns
    }

    /// The number of items in the part's `PRESERVED` marker.
    fn existing(&self) -> Option<usize> {
        self.texts(MarkerKind::Preserved).find_map(|text| Wording::from_text(text).count())
    }

    /// The own source differs in more than white space and comments; `None` if one side cannot be read.
    fn has_changed(&self) -> Option<bool> {
        match (&self.before.own, &self.after.own) {
            (Some(Ok(before)), Some(Ok(after))) => {
                let looks_same = || self.before.appearance.with_code == self.after.appearance.with_code;
                Some(!(before.is_same(after) || before.is_moved(after) && looks_same()))
            }
            (None, None) => Some(false),
            (None, Some(_)) | (Some(_), None) => Some(true),
            _ => None,
        }
    }

    /// The part's own files that differ.
    fn changed_files(&self) -> String {
        let (Some(Ok(before)), Some(Ok(after))) = (&self.before.own, &self.after.own) else {
            return self.place();
        };
        let mut files: Vec<&str> = Vec::new();
        if before.text != after.text {
            files.push(&self.after.path);
        }
        let differing = after.data.iter().filter(|piece| !before.data.contains(piece));
        let missing = before.data.iter().filter(|piece| !after.data.contains(piece));
        for piece in differing.chain(missing) {
            if !files.contains(&piece.path.as_str()) {
                files.push(&piece.path);
            }
        }
        files.join(", ")
    }

    /// The verdict if the part could not be read before the task.
    fn unread(&self) -> Judged {
        (Warn, format!("\"{}\" could not be read before the task and cannot be compared.", self.key))
    }

    fn place(&self) -> String {
        if self.after.path.is_empty() { self.before.path.clone() } else { self.after.path.clone() }
    }

    /// The file and line of the list's first item.
    fn place_of(&self, pair: &Pair<'_>) -> String {
        let (list, sources) = match (pair.after.filter(|list| !list.items.is_empty()), pair.before) {
            (Some(list), _) => (list, self.new),
            (None, Some(list)) => (list, self.old),
            (None, None) => return self.place(),
        };
        let Some(first) = list.items.first() else { return self.place() };
        let path = sources.path(first.origin.file);
        match path {
            "" => self.place(),
            path if sources.module(first.origin.file).is_none() => path.to_owned(),
            path => {
                let line = crate::js::line_of(sources.text(first.origin.file), first.origin.at as usize);
                format!("{path}:{line}")
            }
        }
    }
}

/// Words at the end of several item names: `Harvest walk`, `Night walk`.
fn common_endings(list: &ItemList) -> Vec<String> {
    let names = list.items.iter().filter_map(|item| identity::label(&item.identity));
    let endings: Vec<String> = names.filter_map(|name| words::telling(words::stems(&name)).pop()).collect();
    let is_common = |ending: &&String| endings.iter().filter(|other| other == ending).count() > 1;
    endings.iter().filter(is_common).cloned().collect()
}
