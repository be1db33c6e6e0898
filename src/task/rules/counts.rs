//! How many new items a request names, and how many exist.

use super::lexicon::*;
use super::tokens::{Kind, Text};
use std::ops::Range;

/// Bytes of a summary that are read.
const SUMMARY: usize = 4_000;

/// From how many items to how many: "from 5 to 7 questions", "9 questions instead of 6".
pub(super) fn growth(text: &Text<'_>, words: &Range<usize>) -> Option<(Option<u32>, u32)> {
    let measured = |at: usize| text.has(at + 1, UNIT) || text.has(at + 1, STYLE) || text.is(at + 1, "% : h");
    for at in words.clone() {
        let Some(value) = text.number(at) else { continue };
        if measured(at) {
            continue;
        }
        let next = (at + 1..words.end.min(at + 4)).find(|next| text.is(*next, "to instead"));
        let other = next.and_then(|next| (next + 1..words.end.min(next + 3)).find(|at| text.number(*at).is_some()));
        let other_value = other.filter(|other| !measured(*other)).and_then(|other| text.number(other));
        match (next.map(|next| text.norm(next)), other_value) {
            (Some("to"), Some(total)) if text.norm(at.wrapping_sub(1)) == "from" && total > value => {
                return Some((Some(value), total));
            }
            (Some("instead"), Some(old)) if value > old => return Some((Some(old), value)),
            _ => {}
        }
        let total = text.norm(at.wrapping_sub(1)) == "to"
            && text
                .find(at.saturating_sub(8).max(words.start)..at, "expand|extend|grow|increase|go|bring|bump|up")
                .is_some();
        let has = text.norm(at.wrapping_sub(1)) == "have" && text.has(at.wrapping_sub(2), MODAL);
        let that = text.is(at.wrapping_sub(1), "that it") && text.is(at.wrapping_sub(2), "make");
        let want = text.is(at.wrapping_sub(1), "want need") && at + 1 == words.end;
        if total || has || that || want {
            return Some((None, value));
        }
    }
    None
}

/// How many new items a request names, and how many exist.
pub(super) fn counted(text: &Text<'_>, words: &[Range<usize>], items: &[(String, u32)]) -> (Option<u32>, Option<u32>) {
    let Some(first) = words.first() else { return (None, None) };
    let stated = words
        .iter()
        .flat_map(Clone::clone)
        .find(|at| text.number(*at).is_some() && is_existing(text, *at))
        .and_then(|at| text.number(at));
    let in_summary = || among(text, first, items);
    let grown = words.iter().find_map(|words| growth(text, words));
    if let Some((from, to)) = grown
        && let Some(existing) = from.or(stated).or_else(in_summary).or_else(|| before(text, first, to))
        && existing < to
    {
        return (Some(to - existing), Some(existing));
    }
    let count = words.iter().find_map(|words| new_items(text, words));
    let existing = stated.or_else(in_summary).filter(|_| count.is_some());
    (count, existing)
}

/// "the grid has 10 animals now, i want 12": the number in a clause before.
fn before(text: &Text<'_>, words: &Range<usize>, total: u32) -> Option<u32> {
    (words.start.saturating_sub(12)..words.start)
        .rev()
        .find_map(|at| text.number(at).filter(|number| *number < total && !text.has(at + 1, UNIT)))
}

/// The number of new items in a clause.
pub(super) fn new_items(text: &Text<'_>, words: &Range<usize>) -> Option<u32> {
    words.clone().find_map(|at| {
        if text.is(at, "dozen") {
            return Some(if text.after(at.wrapping_sub(2), "half a").is_some() {
                6
            } else {
                text.number(at.wrapping_sub(1)).unwrap_or(1) * 12
            });
        }
        if text.is(at, "couple pair")
            && text.has(at.wrapping_sub(1), INDEFINITE)
            && (text.is(at + 1, "of more") || text.is_word(at + 1))
        {
            return Some(2);
        }
        let one = text.norm(at) == "another" && !text.has(at + 1, STYLE) && text.number(at + 1).is_none()
            || text.has(at, ORDINAL)
                && text.has(at.wrapping_sub(1), INDEFINITE)
                && !text.is(at, "second") | text.is_word(at + 1)
            || text.norm(at) == "extra" && text.norm(at.wrapping_sub(1)) == "an";
        if one {
            return Some(1);
        }
        text.number(at).filter(|number| (1..1_000).contains(number) && counts_items(text, at, words))
    })
}

/// Whether a number counts new items: not a limit, a unit, a date, a price or what exists.
fn counts_items(text: &Text<'_>, at: usize, words: &Range<usize>) -> bool {
    let before = at.wrapping_sub(1);
    let is_limit =
        at > words.start && text.has(before, LIMIT) && !text.is(before, "first last") && !text.has(before, ORDINAL)
            || at > words.start && text.is(before, "first last at");
    let is_measure = text.has(at + 1, UNIT) && !text.is(at + 1, "columns rows people words points stars things")
        || text.is(at + 1, "% : . - / € £ $ am pm")
            && text.kind(at + 1) == Some(Kind::Mark)
            && !text.is(at + 1, ": . -");
    let named = text.slice(&(before..at)).starts_with(char::is_uppercase)
        && at > words.start + 1
        && text.has(before, ANYTHING | LIMIT);
    let each = text.is(at + 1, "each")
        || text.find(at..words.end.min(at + 4), "each|per").is_some()
            && text.find(at + 1..words.end, "each").is_some_and(|each| each <= at + 3);
    let one = text.norm(at) == "one" && !text.is(at + 1, "more extra new additional");
    let place = text.is(
        before,
        "june july may april march august september october november december january february street road",
    );
    !is_limit && !is_measure && !named && !each && !one && !place && !is_existing(text, at)
}

/// "the 8", "8 existing", "the 8 we have".
fn is_existing(text: &Text<'_>, at: usize) -> bool {
    let before = at.wrapping_sub(1);
    let there = text.has(at + 1, EXISTING)
        || (at + 1..at + 4)
            .any(|at| text.after(at, "we have|we already|already|you have|that are there|in there").is_some());
    let article =
        text.has(before, DEFINITE) && !text.is(before, "each every these my our") || text.has(before, EXISTING);
    let from = text.norm(before) == "from"
        || text.norm(before) == "of"
            && text.norm(at.wrapping_sub(2)) != "list"
            && text.norm(at.wrapping_sub(2)) != "gallery";
    let instead = text.after(at.wrapping_sub(2), "instead of").is_some();
    article || there || from && text.norm(before) == "from" || instead
}

/// How many of what a request names exist, by the counts of the summary.
fn among(text: &Text<'_>, words: &Range<usize>, items: &[(String, u32)]) -> Option<u32> {
    let stem = |word: &str| word.trim_end_matches('s').trim_end_matches("ie").trim_end_matches('y').to_owned();
    let named = words.clone().filter(|at| text.is_word(*at) && text.norm(*at).len() > 2 && !text.has(*at, FUNCTION));
    let named: Vec<String> = named.map(|at| stem(text.norm(at))).collect();
    items.iter().find(|(noun, _)| named.contains(&stem(noun))).map(|(_, count)| *count)
}

/// The items that a summary counts, by their noun. "added 2 drinks", "2 new drinks" and "four of the drinks" are not all of them.
pub(crate) fn counted_items(summary: &str) -> Vec<(String, u32)> {
    let text = Text::new(summary.get(..summary.floor_char_boundary(SUMMARY)).unwrap_or_default());
    let plurals = (0..text.len()).filter(|at| text.is_word(*at) && super::clauses::is_plural(text.norm(*at)));
    let counted = plurals.filter_map(|noun| {
        let before = (noun.saturating_sub(3)..noun).rev().take_while(|at| text.kind(*at) != Some(Kind::Mark));
        let number = before.into_iter().find(|at| text.number(*at).is_some())?;
        let changed = text.is(number.wrapping_sub(1), "added removed changed fixed converted")
            || text.is(number + 1, "of new more");
        let between = (number + 1..noun).any(|at| super::clauses::is_plural(text.norm(at)));
        text.number(number).filter(|_| !changed && !between).map(|count| (text.norm(noun).to_owned(), count))
    });
    counted.collect()
}

/// The number of new items that a description names.
pub(crate) fn count_of(description: &str) -> Option<u32> {
    let text = Text::new(description);
    new_items(&text, &(0..text.len()))
}
