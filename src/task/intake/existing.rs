//! How many items are there already: as the message says, or as the summary of the last task counts them.

use super::lexicon::*;
use super::noun;
use super::text::Text;
use super::token::{self, Kind, Token};
use std::ops::Range;

/// Bytes of a summary that are read.
const LONGEST: usize = 4_000;
/// Words of a name that may be what a summary counts.
const NAMED: usize = 4;

/// What the last task left behind, in its words.
pub(super) struct Summary(Vec<Token>);

impl Summary {
    /// Reads a summary.
    pub(super) fn new(summary: &str) -> Self {
        let read = summary.get(..summary.floor_char_boundary(LONGEST)).unwrap_or_default();
        let mut words = Vec::new();
        token::tokens(read, 0, &mut words);
        Self(words)
    }

    /// How many items of a kind it counts: 8 for `drink` in "a grid with 8 energy drinks". What it tells of some of them
    /// ("added 2 drinks", "four of the drinks", "2 new drinks") is not how many there are.
    fn count(&self, noun: &str) -> Option<u32> {
        let same = |word: &Token| noun.len() > 2 && word.norm.ends_with('s') && noun::same(&word.norm, noun);
        let named = self.0.iter().enumerate().filter(|(_, word)| same(word));
        let mut counted = named.map(|(position, _)| self.number_before(position));
        counted.find(|number| number.is_none_or(|(at, _)| !self.counts_some(at)))?.map(|(_, value)| value)
    }

    /// The number that a noun has before it, and where it stands.
    fn number_before(&self, noun: usize) -> Option<(usize, u32)> {
        let before = (noun.saturating_sub(3)..noun).rev().map_while(|at| Some(at).zip(self.0.get(at)));
        before.take_while(|(_, word)| word.kind != Kind::Mark).find_map(|(at, word)| match word.kind {
            Kind::Number(value) => Some((at, value)),
            _ => None,
        })
    }

    fn counts_some(&self, at: usize) -> bool {
        let word = |at: usize| self.0.get(at).map_or(("", 0), |word| (word.norm.as_str(), word.classes));
        let ((before, done), (after, classes)) = (word(at.wrapping_sub(1)), word(at + 1));
        let changed = done & (MODIFY | FIX | REMOVE) != 0 && before.ends_with("ed");
        changed || before == "added" || after == "of" || classes & NEW != 0
    }
}

/// How many items of what a request is about are there.
pub(super) fn existing(text: &Text<'_>, words: &Range<usize>, object: usize, summary: &Summary) -> Option<u32> {
    let stated = words.clone().find(|at| text.number(*at).is_some() && is_existing(text, *at, words.end));
    let grown = || words.clone().find_map(|at| grows(text, at, words)).map(|(from, _)| from);
    let counted = || {
        let name = object..noun::end(text, object, words.end);
        let head = noun::head(text, &name);
        let names = std::iter::once(head).chain(name.rev().take(NAMED));
        names.into_iter().find_map(|at| summary.count(text.norm(at)))
    };
    stated.and_then(|at| text.number(at)).or_else(grown).or_else(counted)
}

/// "the 8", "8 existing", "the 8 we have", "of our 10".
pub(super) fn is_existing(text: &Text<'_>, at: usize, end: usize) -> bool {
    const THERE: &str = "we have|we already|already|you have|that are there|that exist";
    let before = at.wrapping_sub(1);
    let article = text.has(before, DEFINITE) && !text.is_one_of(before, "each every");
    // "so that we have 11" tells how many there shall be.
    let aim = text.is_one_of(before.wrapping_sub(1), "we you it there")
        && text.is_one_of(before.wrapping_sub(2), "so that then until");
    let has = text.is_one_of(before, "has have got") && !aim;
    let named = article || text.has(before, EXISTING) || has;
    let there = text.has(at + 1, EXISTING)
        || text.after_any(at + 1, THERE).is_some()
        || text.after_any(at + 2, "we have|we already|you have|there are").is_some()
        || (at + 1..(at + 4).min(end)).any(|at| text.is_one_of(at, "already existing"));
    named && !text.has(at + 1, NEW) || there
}

/// "from 5 to 7 cards", where the `from` stands, or "7 cards instead of 5", where the 7 stands: 5 and 7.
pub(super) fn grows(text: &Text<'_>, from: usize, words: &Range<usize>) -> Option<(u32, u32)> {
    const MEASURES: &str =
        "column columns size width height font padding margin price opacity speed duration gap radius";
    if let Some(second) = text.number(from) {
        let end = words.end.min(from + 6);
        let instead = text.find(from + 1..end, "instead of")?;
        let first = text.number(instead + 2)?;
        let measured = (from + 1..instead).any(|at| text.has(at, UNIT) || text.is_one_of(at, MEASURES));
        return (second > first && instead > from + 1 && !measured).then_some((first, second));
    }
    if text.norm(from) != "from" {
        return None;
    }
    let first = text.number(from + 1)?;
    let to = (from + 2..(from + 5).min(words.end)).find(|at| text.norm(*at) == "to")?;
    let second = text.number(to + 1)?;
    let mut near = from.saturating_sub(8).max(words.start)..(to + 6).min(words.end);
    let measured = text.has(from + 2, UNIT) || text.has(to + 2, UNIT) || near.any(|at| text.is_one_of(at, MEASURES));
    (second > first && !measured).then_some((first, second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_counts_what_is_there_and_not_what_was_done_to_some_of_it() {
        for (summary, drinks) in [
            ("Built a landing page: hero, flavor grid with 8 drinks, CTA.", Some(8)),
            ("A grid of drinks and 4 pricing cards.", None),
            ("The shop has ten energy drinks now: two for the night joined.", Some(10)),
            ("Included 8 drinks and a footer.", Some(8)),
            ("Mended the toggle, and four of the drinks are for the night now.", None),
            ("Four of the 12 drinks are for the night.", Some(12)),
            ("Added 2 drinks for the night.", None),
            ("Added 2 drinks, so that the grid has 10 drinks.", Some(10)),
            ("Replaced 3 drinks.", None),
            ("2 new drinks, and 8 drinks as before", Some(8)),
            ("two more drinks", None),
            ("drinks", None),
            ("", None),
        ] {
            assert_eq!(Summary::new(summary).count("drink"), drinks, "{summary}");
        }
    }
}
