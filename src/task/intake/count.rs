//! How many new items a request asks for.

use super::existing::{grows, is_existing};
use super::lexicon::*;
use super::text::Text;
use std::ops::Range;

/// The number of new items that a request for something new states. `existing` turns a total into it.
pub(super) fn count(text: &Text<'_>, words: &Range<usize>, existing: Option<u32>) -> Option<u32> {
    let grown = words.clone().find_map(|at| grows(text, at, words)).map(|(from, to)| to - from);
    let stated = || words.clone().find_map(|at| stated(text, at, words));
    let total = || {
        let at = words.clone().find(|at| text.number(*at).is_some() && is_total(text, *at, words))?;
        let total = text.number(at)?;
        match existing {
            Some(existing) => total.checked_sub(existing).filter(|more| *more > 0),
            None => text.norm(at.wrapping_sub(1)).eq("have").then_some(total),
        }
    };
    grown.or_else(stated).or_else(total).filter(|count| *count > 0)
}

/// Whether it is said that there shall be more items than there are: "from 5 to 7", "by three".
pub(super) fn asks_for_more(text: &Text<'_>, words: &Range<usize>) -> bool {
    words.clone().any(|at| {
        let by = text.is_one_of(at, "by with") && text.number(at + 1).is_some();
        // "expand the list to 16 animals"
        let to = text.norm(at) == "to" && text.norm(at + 2).ends_with('s');
        (by || to) && counts_things(text, at + 1, words) || grows(text, at, words).is_some()
    })
}

/// The number that the words at a place say, if they count new items.
fn stated(text: &Text<'_>, at: usize, words: &Range<usize>) -> Option<u32> {
    const ONE_MORE: &str = "extra additional further second third fourth fifth sixth seventh eighth ninth tenth";
    let before = at.wrapping_sub(1);
    let article = text.has(at, INDEFINITE);
    if text.is_one_of(at, "another noch") || article && text.is_one_of(at + 1, ONE_MORE) {
        return text.number(at + 1).is_none().then_some(1);
    }
    if article && is_ordinal(text.norm(at + 1)) {
        return Some(1);
    }
    match text.norm(at) {
        "couple" if !text.is_one_of(at + 2, "the my our") => Some(2),
        "pair" if text.norm(at + 1) == "of" => Some(2),
        "dozen" if text.norm(before) == "half" || text.norm(at.wrapping_sub(2)) == "half" => Some(6),
        "dozen" => Some(text.number(before).unwrap_or(1).saturating_mul(12)),
        _ if text.norm(at + 1) == "dozen" => None,
        _ => text.number(at).filter(|_| counts_things(text, at, words) && !is_total(text, at, words)),
    }
}

/// "7th", "22nd".
fn is_ordinal(word: &str) -> bool {
    let number = ["th", "nd", "rd", "st"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a number counts new things, rather than measuring, ranking, limiting or telling what is there.
fn counts_things(text: &Text<'_>, at: usize, words: &Range<usize>) -> bool {
    let fresh = text.has(at + 1, NEW);
    let next = at + 1 + usize::from(fresh);
    let before = at.wrapping_sub(1);
    let measured =
        text.has(next, UNIT) || text.is_one_of(next, "of x / % : . th nd rd € $ £") || text.number(next).is_some();
    // "courses (6 of them)"
    let measured = measured && !(text.norm(before) == "(" && text.after(next, "of them").is_some());
    let date = text.is_one_of(before, MONTHS) || text.is_one_of(next, MONTHS);
    let year = text.number(at).is_some_and(|number| (1900..2100).contains(&number));
    let ends = next >= words.end || text.is_mark(next) && text.norm(next) != "(";
    let placed = ends && text.is_one_of(before, "at by in from");
    // "three photos per animal"
    let mut near = (next..(next + 4).min(words.end)).take_while(|at| !text.is_mark(*at));
    let spread = near.any(|at| text.is_one_of(at, "per each every") && !text.has(at + 1, UNIT));
    let there = !fresh && is_existing(text, at, words.end);
    // "an entry about refunds and one about guests"
    let another = at > words.start && text.norm(at) == "one" && text.has(before, AND);
    !(another || measured || date || year || placed || spread || there || is_ranked(text, at, fresh))
}

const MONTHS: &str = "january february march april may june july august september october november december jan feb \
                      mar \
                      apr jun jul aug sep sept oct nov dec";

/// "at most 5", "up to 5", "page 5", "3-5".
fn is_ranked(text: &Text<'_>, at: usize, fresh: bool) -> bool {
    let before = at.wrapping_sub(1);
    let limit = text.has(before, LIMIT) && !(fresh && text.is_one_of(before, "first last"));
    let placed = !fresh && text.is_one_of(before, "up at = #");
    let range = text.norm(before) == "-" && text.number(before.wrapping_sub(1)).is_some();
    let most = text.norm(before) == "to" && text.norm(before.wrapping_sub(1)) == "up";
    limit || placed || range || most || text.norm(before) == "/"
}

/// Verbs that make more of what is there.
pub(super) const GROWING: &str = "extend expand increase bump raise bring grow";

/// "10 in total", "a total of 10", "so that there are 10".
fn is_total(text: &Text<'_>, at: usize, words: &Range<usize>) -> bool {
    const AFTER: &str = "in total|total|altogether|overall|all together|all in all";
    const BEFORE: &str =
        "total of|there are|we have|up to|bring it to|total to|makes|making it|should have|must have|to have";
    let after = text.find(at + 1..(at + 5).min(words.end + 1), AFTER).is_some();
    let before = text.find(at.saturating_sub(4).max(words.start)..at, BEFORE).is_some();
    let expanded = text.norm(at.wrapping_sub(1)) == "to" && words.clone().take(3).any(|at| text.is_one_of(at, GROWING));
    let alone = at + 1 >= words.end || text.is_mark(at + 1);
    let more = text.has(at + 1, NEW);
    (after || before || expanded) && !more || alone && text.is_one_of(at.wrapping_sub(1), "want need like make it that")
}
