//! What cannot all be done: a thing stays and goes, is there and is not, is bigger and smaller.

use super::act::Act;
use super::clause::Clause;
use super::lexicon::*;
use super::noun;
use super::text::Text;
use super::token::Kind;
use std::ops::Range;

/// More clauses than this are not held against each other.
const COMPARED: usize = 48;

/// Two clauses that cannot both be done; twice the same where one contradicts itself.
pub(super) fn find<'c>(text: &Text<'_>, clauses: &'c [Clause]) -> Option<(&'c Clause, &'c Clause)> {
    let clauses = clauses.get(..COMPARED.min(clauses.len())).unwrap_or_default();
    let torn = clauses.iter().find(|clause| clause.act == Act::Modify && opposed(text, clause, clause));
    torn.map(|clause| (clause, clause)).or_else(|| {
        clauses.iter().enumerate().find_map(|(index, first)| {
            let mut others = clauses.iter().skip(index + 1);
            others.find(|second| contradict(text, first, second)).map(|second| (first, second))
        })
    })
}

/// A new app that shall have what it shall not have: "a page with a search … no search box".
pub(super) fn denies_itself(text: &Text<'_>, clauses: &[Clause]) -> bool {
    let denied =
        (0..text.len()).filter(|at| text.is_one_of(*at, "no without") && text.kind(at + 1) == Some(Kind::Word));
    denied.take(COMPARED).any(|no| {
        let name = no + 1..noun::end(text, no + 1, (no + 4).min(text.len()));
        let mut asked = clauses
            .iter()
            .take(COMPARED)
            .filter(|clause| matches!(clause.act, Act::Add | Act::App) && !clause.range.contains(&no));
        asked.any(|clause| {
            let head = text.norm(head(text, clause));
            name.clone().any(|at| noun::same(text.norm(at), head))
        })
    })
}

fn contradict(text: &Text<'_>, first: &Clause, second: &Clause) -> bool {
    match (first.act, second.act) {
        (Act::Keep, _) => takes_away(text, first, second),
        (_, Act::Keep) => takes_away(text, second, first),
        (Act::Remove, Act::Add) | (Act::Add, Act::Remove) => {
            let exchange = is_exchange(text, &first.range) || is_exchange(text, &second.range);
            same_thing(text, first, second) && !exchange
                || works_on(text, first, second)
                || works_on(text, second, first)
        }
        (Act::Remove, Act::Modify) => works_on(text, first, second),
        (Act::Modify, Act::Remove) => works_on(text, second, first),
        (Act::Modify, Act::Modify) => same_thing(text, first, second) && opposed(text, first, second),
        _ => false,
    }
}

/// "keep all six" and "swap two of them".
fn takes_away(text: &Text<'_>, kept: &Clause, other: &Clause) -> bool {
    const SWAPS: &str = "swap replace convert turn exchange substitute transform cut";
    const ALL: &str = "all|every|everything|each|exactly|unchanged|untouched|as it is|as is|as they are";
    let takes = other.act == Act::Remove || other.act == Act::Modify && text.is_one_of(other.verb, SWAPS);
    let elsewhere = kept.range.clone().any(|at| text.is_one_of(at, "rest others other else") || text.has(at, BROKEN));
    let behind = other.range.start >= kept.range.end;
    let of_them = other.range.clone().any(|at| text.is_one_of(at, "them it those its their"));
    let whole = behind && of_them && text.find(kept.range.clone(), ALL).is_some();
    takes && !elsewhere && (whole || same_thing(text, kept, other))
}

/// "remove the cart" and "add a field to the cart": the words of the first thing stand in the second clause.
fn works_on(text: &Text<'_>, gone: &Clause, other: &Clause) -> bool {
    if gone.act != Act::Remove {
        return false;
    }
    let head = head(text, gone);
    let replaced = |range: &Range<usize>| range.clone().any(|at| text.is_one_of(at, "instead place replacement"));
    if !text.has(gone.object, DEFINITE)
        || text.has(head + 1, PREPOSITION)
        || replaced(&gone.range)
        || replaced(&other.range)
    {
        return false;
    }
    let length = head.saturating_sub(gone.object);
    length > 0
        && other.range.clone().any(|at| {
            let end = at + length + 1;
            let alone = end >= other.range.end
                || text.kind(end) != Some(Kind::Word)
                || text.has(end, PREPOSITION | AND | FILLER | COMPARATIVE);
            let equal = |offset: usize| noun::same(text.norm(at + offset), text.norm(gone.object + offset));
            text.has(at, DEFINITE) && alone && (1..=length).all(equal)
        })
}

/// Both are about things of one name.
fn same_thing(text: &Text<'_>, first: &Clause, second: &Clause) -> bool {
    let (left, right) = (head(text, first), head(text, second));
    // "the blue button" and "the red button" are two; "the button" may be either.
    let before = |at: usize| at.saturating_sub(1);
    let plain = |at: usize| {
        text.has(before(at), DEFINITE | INDEFINITE | EXISTING | COMMAND) || text.kind(before(at)) != Some(Kind::Word)
    };
    let alike = text.norm(before(left)) == text.norm(before(right)) || plain(left) && plain(right);
    alike && noun::same(text.norm(left), text.norm(right))
}

fn head(text: &Text<'_>, clause: &Clause) -> usize {
    noun::head(text, &(clause.object..noun::end(text, clause.object, clause.range.end)))
}

/// "remove the old map and add a new one", "add it to the menu and remove it from the page".
fn is_exchange(text: &Text<'_>, range: &Range<usize>) -> bool {
    range.clone().any(|at| {
        let told = text.has(at, NEW | EXISTING | SHARE) || text.number(at).is_some();
        told || text.is_one_of(at, "from to in on")
    })
}

/// "bigger" against "smaller".
fn opposed(text: &Text<'_>, first: &Clause, second: &Clause) -> bool {
    const PAIRS: &[(&str, &str)] = &[
        ("bigger larger", "smaller"),
        ("darker", "lighter brighter"),
        ("longer", "shorter"),
        ("wider", "narrower"),
        ("higher", "lower"),
        ("bolder", "softer"),
        ("hide", "show"),
        ("enable", "disable"),
    ];
    let says = |clause: &Clause, words: &str| clause.range.clone().any(|at| text.is_one_of(at, words));
    PAIRS.iter().any(|(one, other)| says(first, one) && says(second, other) || says(first, other) && says(second, one))
}
