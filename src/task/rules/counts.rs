//! How many new items a request names, how many exist, and what an addition keeps.

use super::clauses::is_plural;
use super::tokens::Text;
use super::words::*;
use crate::task::structured::{Marker, Requirement};
use crate::text::prefix;
use crate::words::words;
use std::ops::Range;

/// Larger numbers count no items.
const YEARS: u32 = 1_000;
/// Bytes of a summary that are read.
const SUMMARY: usize = 4_000;

/// From how many items to how many: "from 5 to 7 questions", "9 questions instead of 6", "expand the grid to 16".
pub(super) fn growth(text: &Text<'_>, words: &Range<usize>) -> Option<(Option<u32>, u32)> {
    let item = |at: usize| text.number(at).filter(|_| !text.has(at + 1, UNIT | STYLE));
    // "the padding of the cards from 4 to 6": a measure has values.
    let is_measure =
        |at: usize| (text.has(at, STYLE | UNIT) || text.is(at, MEASURES)) && text.has(at + 1, PREPOSITION | BEHAVE);
    words.clone().take_while(|at| !is_measure(*at)).find_map(|at| {
        let value = item(at)?;
        let second = |word| {
            let word = text.find(at + 1..words.end.min(at + 4), word)?;
            (word + 1..words.end.min(word + 3)).find(|at| item(*at).is_some())
        };
        let before = at - 1;
        let verb = text
            .find(at.saturating_sub(8).max(words.start)..at, "more|expand|extend|grow|increase|raise|go|bring|bump|up");
        let is_total = text.norm(before) == "to" && verb.is_some_and(|verb| !text.says(&(verb..at), "from"))
            || text.norm(before) == "have" && text.has(before - 1, MODAL)
            || text.is(before, "it that them") && text.norm(before - 1) == "make"
            || text.is(before, "want need") && !text.any(at + 1..at + 4, NEW) && near(text, words, value).is_some()
            || text.says(&(at..words.end.min(at + 8)), "in total|altogether");
        // "from 5 to 7 questions", but not "from 4 to 5 €" and "a slider from 1 to 10".
        let counts = |verb| text.is(verb, "expand extend grow") || (verb..at).any(|at| is_plural(text.norm(at)));
        let grows =
            |total: &usize| text.norm(before) == "from" && (names_items(text, *total) || verb.is_some_and(counts));
        if let Some(total) = second("to").filter(grows).and_then(item).filter(|total| *total > value) {
            Some((Some(value), total))
        } else if let Some(old) = second("instead").and_then(item).filter(|old| *old < value) {
            Some((Some(old), value))
        } else {
            is_total.then_some((None, value))
        }
    })
}

/// Nouns that have a value, beside those for the look.
const MEASURES: &str = "width height radius gap opacity duration delay timeout interval price limit speed zoom weight volume \
    rate rating score discount percentage maximum minimum depth length";

/// How many new items a request names, and how many exist.
pub(super) fn counted(text: &Text<'_>, words: &[Range<usize>], items: &[(String, u32)]) -> (Option<u32>, Option<u32>) {
    let stated = words.iter().flat_map(Clone::clone).filter(|at| is_existing(text, *at) && names_items(text, *at));
    let stated = stated.filter_map(|at| text.number(at)).next();
    let in_summary = || {
        let named = crate::words::words(text.slice(words.first()?));
        let (_, count) =
            items.iter().find(|(noun, _)| crate::words::words(noun).iter().all(|word| named.contains(word)))?;
        Some(*count)
    };
    if let Some((from, total)) = words.iter().find_map(|words| growth(text, words)) {
        let beside = || words.iter().find_map(|words| near(text, words, total));
        let existing = from.or(stated).or_else(beside).or_else(in_summary);
        return (existing.and_then(|existing| total.checked_sub(existing)).filter(|new| *new > 0), existing);
    }
    let count = words.iter().find_map(|words| new_items(text, words));
    (count, stated.or_else(in_summary).filter(|_| count.is_some()))
}

/// What exists, beside a total: "the grid has 10 animals now, i want 12", "i want 12, there are 10".
fn near(text: &Text<'_>, words: &Range<usize>, total: u32) -> Option<u32> {
    let states = |at: &usize| text.is(at - 1, "are is has have only currently") && !text.has(at + 1, UNIT);
    let mut places = (words.start.saturating_sub(12).max(2)..words.start).rev().chain(words.end..words.end + 12);
    places.find_map(|at| text.number(at).filter(|number| *number < total && states(&at)))
}

/// The number of new items in a clause.
fn new_items(text: &Text<'_>, words: &Range<usize>) -> Option<u32> {
    words.clone().find_map(|at| {
        let before = at - 1;
        if text.norm(at) == "dozen" {
            let dozens = || text.number(before).unwrap_or(1).saturating_mul(12);
            return Some(if text.after(at - 2, "half a").is_some() { 6 } else { dozens() });
        }
        let pair = (text.is(at, "couple pair") && text.has(before, INDEFINITE)).then_some(2);
        let is_one = text.norm(at) == "another" && text.number(at + 1).is_none()
            || text.has(at, ORDINAL) && text.has(before, INDEFINITE) && text.is_word(at + 1);
        let number = || text.number(at).filter(|number| (1..YEARS).contains(number) && counts_items(text, at, words));
        if is_one { Some(1) } else { pair.or_else(number) }
    })
}

/// Whether a number counts new items: not a limit, a unit, a date, a price or what exists.
fn counts_items(text: &Text<'_>, at: usize, words: &Range<usize>) -> bool {
    let before = at - 1;
    let is_limit =
        at > words.start && (text.has(before, LIMIT) || text.is(before, MONTHS) || text.is(before, "$ € £ #"));
    // "Add 1 green tea"
    let is_one = text.number(at) == Some(1) && text.is_word(at + 1) && text.has(before, COMMAND | FUNCTION);
    let is_pronoun = text.norm(at) == "one" && !text.has(at + 1, NEW);
    !is_limit
        && !text.has(at + 1, UNIT)
        && !is_pronoun
        && !is_existing(text, at)
        && (names_items(text, at) || is_one)
        && !is_of(text, at, words)
}

/// Words after a number among which its noun is.
const NEAR: usize = 5;

/// "8 drinks", "2 more", "add 3": a number with a plural, or alone after a verb. "iPhone 15", "12 May", "404 page" and
/// "20 %" name or measure.
fn names_items(text: &Text<'_>, at: usize) -> bool {
    let ends = |at: &usize| {
        !text.is_word(*at)
            || text.has(*at, AND | MODAL | COPULA)
            || text.has(*at, PREPOSITION) && !text.has(*at, EXISTING | NEW)
    };
    let nouns = at + 1..(at + 1..at + NEAR).find(ends).unwrap_or(at + NEAR);
    let is_few = text.number(at).is_some_and(|number| number <= FEW);
    let is_ordered =
        text.has(at - 1, COMMAND | NEW | DEFINITE) || text.is(at - 1, "with want need by") || is_list(text, at - 1);
    let is_plural = nouns.clone().any(|at| is_plural(text.norm(at)) && !text.is(at, MONTHS));
    let has_noun = text.any(nouns.clone(), NEW | EXISTING) || is_plural;
    // "3 FAQ", "2 Karten": the plural is not known.
    let may_count = is_few && is_ordered && (nouns.is_empty() || !text.has(at + 1, STYLE));
    let is_layout = text.norm(nouns.end) == "per" && text.is(nouns.end + 1, "row line column page screen slide");
    // "teachers (3)"
    let is_alone = is_few && text.norm(at - 1) == "(" && text.norm(at + 1) == ")";
    // "Safari 15", "route 66": the word before the number names something together with it.
    let may_name =
        text.is_word(at - 1) && text.is_specific(at - 1) && !text.has(at - 1, COMMAND | NEW | EXISTING | SHARE);
    let is_named = may_name && (!is_plural || !text.slice(&(at - 1..at)).chars().all(char::is_lowercase));
    let is_of_them = text.after(at + 1, "of them|of those|of each").is_some();
    let is_measured = text.is_mark(at + 1) && text.is(at + 1, "€ $ £ % ° + -");
    !is_named && !is_measured && !is_layout && (has_noun || may_count || is_of_them || is_alone)
}

/// Numbers up to this one are read as counts of nouns whose plural is not known.
const FEW: u32 = 20;
const MONTHS: &str = "june july may april march august september october november december january february jan feb mar \
    apr jun jul aug sep oct nov dec";

/// "a photo of 2 cats", "for our 3 shops": part of a description, unless a word for a list is before it.
fn is_of(text: &Text<'_>, at: usize, words: &Range<usize>) -> bool {
    let of = at - 1 - usize::from(text.has(at - 1, DEFINITE));
    text.is(of, "of for from in") && of > words.start && !is_list(text, of)
}

/// The "of" in "a list of 12".
fn is_list(text: &Text<'_>, of: usize) -> bool {
    const LISTS: &str = "list grid set row series group collection table gallery total number carousel slider stack column \
        selection lot bunch pair couple deck batch";
    text.norm(of) == "of" && text.is(of - 1, LISTS)
}

/// "the 8", "8 existing", "the 8 we have".
fn is_existing(text: &Text<'_>, at: usize) -> bool {
    let before = at - 1;
    text.has(at + 1, EXISTING)
        || text.has(before, EXISTING | DEFINITE) && !text.is(before, "each every these that my our")
}

/// The items that a summary counts, by their noun. "added 2 drinks", "2 new drinks" and "four of the drinks" are not all of them.
pub(crate) fn counted_items(summary: &str) -> Vec<(String, u32)> {
    let text = Text::new(prefix(summary, SUMMARY));
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
    fn a_number_counts_items_only_with_their_noun() {
        for (message, expected) in [
            ("Add a tea called Oolong for 7 €", (None, None)),
            ("Add a tea for 7 euros", (None, None)),
            ("Add an event on 12 May 2025", (None, None)),
            ("Add a 404 page", (None, None)),
            ("Add a link to the 404 page", (None, None)),
            ("Add an iPhone 15 section", (None, None)),
            ("Support Safari 15", (None, None)),
            ("Add a banner: 20 % off all teas", (None, None)),
            ("Add a photo of our 3 gardens", (None, None)),
            ("Add a photo of 2 cats", (None, None)),
            ("Add an address: 12 Main Street", (None, None)),
            ("Add a timeline from 1990 to 2020", (None, None)),
            ("Add a slider from 1 to 10", (None, None)),
            ("Show 3 teas per row", (None, None)),
            ("Add the opening hours 9 to 5", (None, None)),
            ("Add 12 photos from 2019", (Some(12), None)),
            ("Add our 3 gardens", (Some(3), None)),
            ("Add a list of 12", (Some(12), None)),
            ("Add a glossary with 8 terms", (Some(8), None)),
            ("Give the menu 4 more pizzas", (Some(4), None)),
            ("Add 3 FAQ", (Some(3), None)),
            ("Add the teachers (3)", (Some(3), None)),
            ("A price list with about 10 repairs", (Some(10), None)),
            ("Ajoute une section FAQ avec 5 questions", (Some(5), None)),
            ("Add a section for iPhone 15 cases", (None, None)),
            ("Add 2 rooms for 4 people", (Some(2), None)),
            ("Add 2 drinks to the 8 existing drinks", (Some(2), Some(8))),
            ("Expand the FAQ from 5 to 7 questions", (Some(2), Some(5))),
            ("Increase the number of cards from 3 to 6", (Some(3), Some(3))),
        ] {
            let text = Text::new(message);
            assert_eq!(counted(&text, &[text.all()], &[]), expected, "{message}");
        }
    }

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
