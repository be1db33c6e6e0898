//! How many: new items that a request asks for, and items that are there already.

use super::lexicon::*;
use super::noun;
use super::scope::summary_count;
use super::text::Text;
use std::ops::Range;

/// The number of new items that a request for something new states. `existing` turns a total into it.
pub(super) fn count(text: &Text<'_>, words: Range<usize>, existing: Option<u32>) -> Option<u32> {
    if let Some(more) = from_to(text, words.clone()) {
        return Some(more);
    }
    words.clone().find_map(|at| one(text, at, &words)).or_else(|| {
        let (total, _) =
            words.clone().find_map(|at| Some((text.number(at)?, at)).filter(|(_, at)| is_total(text, *at, &words)))?;
        existing.and_then(|existing| total.checked_sub(existing)).filter(|more| *more > 0)
    })
}

/// Whether it is said that there shall be more items than there are: "from 5 to 7".
pub(super) fn grows(text: &Text<'_>, words: Range<usize>) -> bool {
    let by = words.clone().any(|at| {
        text.is_one_of(at, "by with") && text.number(at + 1).is_some() && counts_things(text, at + 1, &words)
    });
    by || from_to(text, words).is_some()
}

/// The number that the words at a place say, if they count new items.
fn one(text: &Text<'_>, at: usize, words: &Range<usize>) -> Option<u32> {
    if text.is_one_of(at, "another noch")
        || text.has(at, INDEFINITE)
            && text.is_one_of(
                at + 1,
                "extra additional further second third fourth fifth sixth seventh eighth ninth tenth",
            )
    {
        return Some(1).filter(|_| text.number(at + 1).is_none());
    }
    let ordinal = text
        .norm(at + 1)
        .strip_suffix("th")
        .or_else(|| text.norm(at + 1).strip_suffix("nd"))
        .or_else(|| text.norm(at + 1).strip_suffix("rd"));
    if text.has(at, INDEFINITE)
        && ordinal.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return Some(1);
    }
    if text.norm(at) == "couple" && !text.is_one_of(at + 2, "the my our") {
        return Some(2);
    }
    if text.norm(at) == "pair" && text.norm(at + 1) == "of" {
        return Some(2);
    }
    if text.norm(at) == "dozen" {
        let half = text.is_one_of(at.wrapping_sub(1), "half") || text.is_one_of(at.wrapping_sub(2), "half");
        let times = text.number(at.wrapping_sub(1)).filter(|_| at > words.start).unwrap_or(1);
        return Some(if half { 6 } else { times.saturating_mul(12) });
    }
    let number = text.number(at)?;
    (!text.is_one_of(at + 1, "dozen") && counts_things(text, at, words) && !is_total(text, at, words)).then_some(number)
}

/// Whether a number counts new things, rather than measuring, ranking, limiting or telling what is there.
fn counts_things(text: &Text<'_>, at: usize, words: &Range<usize>) -> bool {
    let fresh = text.has(at + 1, NEW) || text.is_one_of(at + 1, "new");
    let next = if fresh { at + 2 } else { at + 1 };
    let measured =
        text.has(next, UNIT) || text.is_one_of(next, "of x / % : . th nd rd € $ £") || text.number(next).is_some();
    let before = at.checked_sub(1).filter(|before| *before >= words.start.saturating_sub(1));
    let ranked = before.is_some_and(|before| {
        text.has(before, LIMIT) && !(text.is_one_of(before, "first last") && fresh)
            || text.is_one_of(before, "up at = # of") && !fresh && text.norm(before) != "of"
            || text.norm(before) == "to" && text.norm(before.wrapping_sub(1)) == "up"
            || text.norm(before) == "/"
            || text.norm(before) == "-" && text.number(before.wrapping_sub(1)).is_some()
    });
    let date = before.is_some_and(|before| text.is_one_of(before, MONTHS)) || text.is_one_of(next, MONTHS);
    let year = text.number(at).is_some_and(|number| (1900..2100).contains(&number));
    let ends = next >= words.end || text.is_mark(next) && text.norm(next) != "(";
    let placed = before.is_some_and(|before| text.is_one_of(before, "at by in from"));
    let spread = (next..(next + 4).min(words.end))
        .take_while(|at| !text.is_mark(*at))
        .any(|at| text.is_one_of(at, "per each every") && !text.has(at + 1, UNIT));
    !measured && !spread && !ranked && !date && !year && !(ends && placed) && !(is_existing(text, at, words) && !fresh)
}

const MONTHS: &str = "january february march april may june july august september october november december jan feb \
                      mar apr jun jul aug sep sept oct nov dec";

/// "the 8", "8 existing", "the 8 we have", "of our 10".
fn is_existing(text: &Text<'_>, at: usize, words: &Range<usize>) -> bool {
    let before = at.wrapping_sub(1);
    let named = text.has(before, EXISTING)
        || text.is_one_of(before, "has have got")
        || text.has(before, DEFINITE) && text.norm(before) != "each" && text.norm(before) != "every";
    let there = text.has(at + 1, EXISTING)
        || text.after_any(at + 1, "we have|we already|already|you have|that are there|that exist").is_some();
    let had = (at + 1..(at + 4).min(words.end)).any(|at| text.is_one_of(at, "already existing"))
        || text.after_any(at + 2, "we have|we already|you have|there are").is_some();
    (named && !text.has(at + 1, NEW)) || there || had
}

/// "10 in total", "a total of 10", "so that there are 10".
fn is_total(text: &Text<'_>, at: usize, words: &Range<usize>) -> bool {
    let after = text
        .find(at + 1..(at + 5).min(words.end + 1), "in total|total|altogether|overall|all together|all in all")
        .is_some();
    let before = text
        .find(
            at.saturating_sub(4).max(words.start)..at,
            "total of|there are|we have|up to|bring it to|total to|makes|making it",
        )
        .is_some();
    let wished =
        text.is_one_of(at.wrapping_sub(1), "want need like make it") && (at + 1 >= words.end || text.is_mark(at + 1));
    after || before || wished
}

/// "from 5 to 7": two more.
fn from_to(text: &Text<'_>, words: Range<usize>) -> Option<u32> {
    words.clone().find_map(|at| {
        let first = text.number(at).filter(|_| text.norm(at.wrapping_sub(1)) == "from")?;
        let to = (at + 1..(at + 4).min(words.end)).find(|at| text.norm(*at) == "to")?;
        let second = text.number(to + 1)?;
        let measured = [at + 1, to + 2].into_iter().any(|at| text.has(at, UNIT))
            || words.clone().any(|at| {
                text.is_one_of(
                    at,
                    "column columns size width height font padding margin price opacity speed duration gap radius",
                )
            });
        second.checked_sub(first).filter(|more| *more > 0 && !measured)
    })
}

/// The number of items that are there already: as the words say, or as the last summary counts them.
pub(super) fn existing(text: &Text<'_>, words: Range<usize>, object: usize, summary: &str) -> Option<u32> {
    let stated = words
        .clone()
        .find(|at| text.number(*at).is_some() && is_existing(text, *at, &words))
        .and_then(|at| text.number(at));
    let said = stated.or_else(|| {
        let at = words.clone().find(|at| from_to(text, *at..words.end).is_some() && text.norm(*at) == "from")?;
        text.number(at + 1)
    });
    said.or_else(|| {
        let name = object..noun::end(text, object, words.end);
        let head = noun::head(text, &name);
        summary_count(summary, text.norm(head))
            .or_else(|| name.rev().find_map(|at| summary_count(summary, text.norm(at))))
    })
}
