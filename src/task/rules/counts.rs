//! How many new items a request names, how many exist, and what an addition keeps.

use super::clauses::is_plural;
use super::tokens::Text;
use super::words::*;
use crate::task::structured::{Marker, Requirement};
use crate::words::words;
use std::ops::Range;

/// Bytes of a summary that are read.
const SUMMARY: usize = 4_000;

/// From how many items to how many: "from 5 to 7 questions", "9 questions instead of 6", "expand the grid to 16".
pub(super) fn growth(text: &Text<'_>, words: &Range<usize>) -> Option<(Option<u32>, u32)> {
    let item = |at: usize| text.number(at).filter(|_| !text.has(at + 1, UNIT | STYLE));
    words.clone().find_map(|at| {
        let value = item(at)?;
        let second = |word| {
            let word = text.find(at + 1..words.end.min(at + 4), word)?;
            (word + 1..words.end.min(word + 3)).find_map(item)
        };
        let before = at - 1;
        let verb = text.find(at.saturating_sub(8).max(words.start)..at, "expand|extend|grow|increase|go|bring|bump|up");
        let is_total = text.norm(before) == "to" && verb.is_some()
            || text.norm(before) == "have" && text.has(before - 1, MODAL)
            || text.is(before, "want need") && at + 1 == words.end;
        if let Some(total) = second("to").filter(|total| text.norm(before) == "from" && *total > value) {
            Some((Some(value), total))
        } else if let Some(old) = second("instead").filter(|old| *old < value) {
            Some((Some(old), value))
        } else {
            is_total.then_some((None, value))
        }
    })
}

/// How many new items a request names, and how many exist.
pub(super) fn counted(text: &Text<'_>, words: &[Range<usize>], items: &[(String, u32)]) -> (Option<u32>, Option<u32>) {
    let stated = words.iter().flat_map(Clone::clone).filter(|at| is_existing(text, *at)).find_map(|at| text.number(at));
    let in_summary = || {
        let named = crate::words::words(text.slice(words.first()?));
        let (_, count) =
            items.iter().find(|(noun, _)| crate::words::words(noun).iter().all(|word| named.contains(word)))?;
        Some(*count)
    };
    // "the grid has 10 animals now, i want 12"
    let before = |total| {
        let start = words.first()?.start;
        let number = |at: usize| text.number(at).filter(|number| *number < total && !text.has(at + 1, UNIT));
        (start.saturating_sub(12)..start).rev().find_map(number)
    };
    if let Some((from, total)) = words.iter().find_map(|words| growth(text, words))
        && let Some(existing) = from.or(stated).or_else(in_summary).or_else(|| before(total))
        && existing < total
    {
        return (Some(total - existing), Some(existing));
    }
    let count = words.iter().find_map(|words| new_items(text, words));
    (count, stated.or_else(in_summary).filter(|_| count.is_some()))
}

/// The number of new items in a clause.
fn new_items(text: &Text<'_>, words: &Range<usize>) -> Option<u32> {
    words.clone().find_map(|at| {
        let before = at - 1;
        if text.norm(at) == "dozen" {
            let is_half = text.after(at - 2, "half a").is_some();
            return Some(if is_half { 6 } else { text.number(before).unwrap_or(1).saturating_mul(12) });
        }
        if text.is(at, "couple pair") && text.has(before, INDEFINITE) {
            return Some(2);
        }
        let is_one = text.norm(at) == "another" && text.number(at + 1).is_none()
            || text.has(at, ORDINAL) && text.has(before, INDEFINITE) && text.is_word(at + 1);
        let number = || text.number(at).filter(|number| (1..1_000).contains(number) && counts_items(text, at, words));
        if is_one { Some(1) } else { number() }
    })
}

/// Whether a number counts new items: not a limit, a unit, a date, a price or what exists.
fn counts_items(text: &Text<'_>, at: usize, words: &Range<usize>) -> bool {
    const MONTHS: &str = "june july may april march august september october november december january february";
    let before = at - 1;
    let is_limit =
        at > words.start && (text.has(before, LIMIT) || text.is(before, MONTHS) || text.is(before, "$ € £ #"));
    let is_pronoun = text.norm(at) == "one" && !text.has(at + 1, NEW);
    !is_limit && !text.has(at + 1, UNIT) && !is_pronoun && !is_existing(text, at)
}

/// "the 8", "8 existing", "the 8 we have".
fn is_existing(text: &Text<'_>, at: usize) -> bool {
    let before = at - 1;
    text.has(at + 1, EXISTING)
        || text.has(before, DEFINITE) && !text.is(before, "each every these my our")
        || text.has(before, EXISTING)
        || text.norm(before) == "from"
        || text.after(at - 2, "instead of").is_some()
}

/// The items that a summary counts, by their noun. "added 2 drinks", "2 new drinks" and "four of the drinks" are not all of them.
pub(crate) fn counted_items(summary: &str) -> Vec<(String, u32)> {
    let text = Text::new(summary.get(..summary.floor_char_boundary(SUMMARY)).unwrap_or_default());
    let nouns = text.all().filter(|at| text.is_word(*at) && is_plural(text.norm(*at)));
    let counted = nouns.filter_map(|noun| {
        let mut before = (noun.saturating_sub(3)..noun).rev();
        let number = before.find(|at| text.number(*at).is_some() || text.is_mark(*at) || is_plural(text.norm(*at)))?;
        let is_change =
            text.is(number - 1, "added removed changed fixed converted") || text.is(number + 1, "of new more");
        text.number(number).filter(|_| !is_change).map(|count| (text.norm(noun).to_owned(), count))
    });
    counted.collect()
}

/// The number of new items that a description names.
pub(crate) fn count_of(description: &str) -> Option<u32> {
    let text = Text::new(description);
    new_items(&text, &text.all())
}

/// Adds the items that additions preserve, and removes entries that only repeat a requirement.
pub(crate) fn keep_existing(preserve: &mut Vec<String>, requirements: &[Requirement]) {
    let described: Vec<Vec<String>> = requirements.iter().map(|requirement| words(&requirement.description)).collect();
    preserve.retain(|entry| described.iter().all(|described| !described.starts_with(&words(entry))));
    for requirement in requirements.iter().filter(|requirement| requirement.marker == Marker::Add) {
        let Some(existing) = requirement.existing else { continue };
        let text = Text::new(&requirement.description);
        let start = text.all().find(|at| text.number(*at).is_some()).unwrap_or(text.all().start);
        let noun = (start..text.all().end).find(|at| is_plural(text.norm(*at)));
        let items = noun.map_or("items", |noun| text.norm(noun));
        let is_said = |said: &String| said.contains(&existing.to_string()) && said.contains(items);
        if !preserve.iter().any(is_said) {
            preserve.push(format!("all {existing} existing {items}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_addition_preserves_its_existing_items_by_name_and_repeats_no_entry() {
        let adding = |description: &str, existing| Requirement {
            marker: Marker::Add,
            description: description.to_owned(),
            count: Some(2),
            existing,
            span: None,
        };
        for (description, preserved) in [
            ("Add 2 more drinks for nighttime", "all 8 existing drinks"),
            ("Add two new nighttime flavors to the grid", "all 8 existing flavors"),
            ("2 quotes", "all 8 existing quotes"),
            ("Add another story", "all 8 existing items"),
            ("Add a couple of cards", "all 8 existing cards"),
            ("2 more", "all 8 existing items"),
        ] {
            let mut preserve = vec![description.to_lowercase(), "the nav".to_owned()];
            keep_existing(&mut preserve, &[adding(description, Some(8))]);
            assert_eq!(preserve, ["the nav", preserved], "{description}");
        }
        let mut preserve = vec!["All 8 drinks as they are".to_owned()];
        keep_existing(&mut preserve, &[adding("Add 2 drinks", Some(8)), adding("Add 2 quotes", None)]);
        assert_eq!(preserve, ["All 8 drinks as they are"]);
    }
}
