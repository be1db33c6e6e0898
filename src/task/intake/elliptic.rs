//! Requests without a verb: "one more card", "a darker footer", "euros instead of dollars".

use super::act::{Act, Reading};
use super::lexicon::*;
use super::text::{Sentence, Text};
use super::token::Kind;
use super::{count, noun};
use std::ops::Range;

/// Reads the words from `at` as such a request, if they are one.
pub(super) fn read(text: &Text<'_>, at: usize, range: &Range<usize>, sentence: &Sentence) -> Option<Reading> {
    const TASKS: &str = "requirement request task idea wish ticket todo feature";
    let name = at..noun::end(text, at, range.end);
    // "New requirement: a privacy page": what follows is the thing.
    if text.is_one_of(noun::head(text, &name), TASKS) && text.norm(range.end) == ":" {
        return Some(Reading { act: Act::Add, object: range.end, ..Reading::at(at) });
    }
    let act = if sentence.asks && !sentence.polite { None } else { act(text, at, range, sentence) };
    act.map(|act| Reading { act, ..Reading::at(at) })
}

fn act(text: &Text<'_>, at: usize, range: &Range<usize>, sentence: &Sentence) -> Option<Act> {
    let name_end = noun::end(text, at, range.end);
    let named =
        |from: usize| (from..name_end).any(|at| text.kind(at) == Some(Kind::Word) && !text.has(at, FILLER | ADJECTIVE));
    let before = sentence.tokens.start..range.start;
    let joined = !before.is_empty() && before.clone().all(|at| text.has(at, AND));
    let first = before.is_empty() || joined;
    let opens = first || text.norm(range.start.wrapping_sub(1)) == ":" || text.norm(range.start) == "also";
    let bracket = (at..range.end).find(|at| text.norm(*at) == "(").unwrap_or(range.end);
    if opens && text.find(at + 1..bracket, "instead of|rather than").is_some() {
        return Some(if count::asks_for_more(text, &(at..range.end)) { Act::Add } else { Act::Modify });
    }
    // "And an author box", or an item of a list: like the requests before it.
    let listed = joined
        || sentence.item.is_some()
        || text.is_one_of(range.start, "also additionally besides furthermore moreover then next plus");
    if opens && listed && text.has(at, INDEFINITE) && named(at + 1) {
        return Some(Act::Add);
    }
    let thing = at + usize::from(text.has(at, INDEFINITE));
    let counted = text.number(at).is_some();
    let more = counted && text.has(at + 1, NEW) || text.norm(at) == "another" || opens && text.norm(thing) == "new";
    if more && (named(at + 1) || counted && name_end == at + 2) {
        return Some(Act::Add);
    }
    let compared = text.has(thing, COMPARATIVE) && !text.has(thing, NEW);
    if opens && compared && (named(thing + 1) || sentence.polite && text.has(thing + 1, ADJECTIVE)) {
        return Some(Act::Modify);
    }
    // "No emojis in the reviews please" is about some that are there.
    if opens && sentence.polite && text.norm(at) == "no" {
        let placed = (at + 2..range.end).any(|at| text.is_one_of(at, "in on from at") && text.has(at + 1, DEFINITE));
        return placed.then_some(Act::Remove);
    }
    let said = (at..range.end).any(|at| text.has(at, COPULA | MODAL | NEGATED | PERSON));
    let label = text.norm(range.end) == ":";
    let new = !said && !label && !text.has(at, DEFINITE | PRONOUN | CONDITION) && named(at);
    (first && sentence.polite && new).then_some(Act::Add)
}
