//! A stretch of words that says something of a thing: that it stays, that it is broken, how it ought to be.

use super::act::{Act, Reading};
use super::lexicon::*;
use super::text::Text;
use super::token::Kind;
use super::{broken, count, noun, staying};
use std::ops::Range;

/// Reads the words from `at` as a statement, if they are one. Its subject may stand behind a place or a time: "on
/// phones the menu covers the logo".
pub(super) fn read(text: &Text<'_>, at: usize, range: &Range<usize>) -> Option<Reading> {
    plain(text, at, range).or_else(|| {
        let opened = noun::opens_detail(text, at) || text.has(at, CONDITION);
        let mut subjects = (at + 2..(at + 10).min(range.end)).filter(|subject| {
            let free = !noun::opens_detail(text, subject - 1) && !text.has(subject - 1, CONDITION);
            opened && free && text.has(*subject, DEFINITE)
        });
        let read = subjects.find_map(|subject| plain(text, subject, range))?;
        Some(Reading { start: at, ..read })
    })
}

/// The subject stands first.
fn plain(text: &Text<'_>, at: usize, range: &Range<usize>) -> Option<Reading> {
    let words = at..range.end;
    if words.is_empty() {
        return None;
    }
    let refers = refers(text, at);
    let reading = |act, object| Some(Reading { act, object, refers, start: at });
    if let Some(place) = staying::kept(text, &words) {
        return reading(Act::Keep, place);
    }
    if staying::unwanted(text, &words) {
        return reading(Act::Remove, at);
    }
    if let Some(place) = broken::says_so(text, &words) {
        return reading(Act::Bug, place);
    }
    if broken::reports(text, &words) || refers && broken::denies(text, &words) {
        return reading(Act::Bug, at);
    }
    if let Some((act, place)) = wish(text, &words).or_else(|| became(text, &words)).or_else(|| ought(text, &words)) {
        let detail = refers && act != Act::Remove;
        return reading(if detail { Act::Detail } else { act }, place);
    }
    if let Some(place) = disliked(text, &words) {
        let detail = refers && !text.is_one_of(at, "i we");
        return reading(if detail { Act::Detail } else { Act::Modify }, place);
    }
    if let Some(place) = broken::behaves(text, &words) {
        return reading(Act::Bug, place);
    }
    let third = text.has(at + 1, INFLECTED) && text.norm(at + 1).ends_with('s');
    let verb = third || text.has(at + 1, COPULA | MODAL | NEGATED);
    let pronoun = text.has(at, PRONOUN) && !text.has(at, DEFINITE);
    if pronoun && verb { reading(Act::Detail, at) } else { None }
}

/// Its subject was named before, or names nothing.
fn refers(text: &Text<'_>, at: usize) -> bool {
    const GENERAL: &str = "page screen console error browser app site website message result same whole thing";
    const SYMPTOM: &str = "console error expected actual happens only same steps sometimes always looks";
    const NAMING: &str = "called named that with in on which labelled labeled titled for";
    let pronoun = text.has(at, PRONOUN) && !noun_follows(text, at) && text.norm(at) != "everything";
    let article = text.has(at, DEFINITE);
    // "the last one", but not "the one called Fix"
    let one = (at + 1..at + 3).any(|at| text.is_one_of(at, "one ones") && !text.is_one_of(at + 1, NAMING));
    let general = text.is_one_of(at + 1, GENERAL);
    pronoun || text.is_one_of(at, "nothing i we you") || article && (one || general) || text.is_one_of(at, SYMPTOM)
}

/// "this button" and "each card" name a thing, "this is" does not.
fn noun_follows(text: &Text<'_>, at: usize) -> bool {
    text.has(at, DEFINITE)
        && text.kind(at + 1).is_some_and(|kind| kind != Kind::Mark)
        && !text.has(at + 1, COPULA | MODAL | NEGATED | BEHAVE | BROKEN)
}

/// "an export would be great", "on top there should be a strip"
fn wish(text: &Text<'_>, words: &Range<usize>) -> Option<(Act, usize)> {
    const THERE: &str = "there should be|there must be|there needs to be|there has to be|there could be";
    let there = words.clone().find_map(|at| text.after_any(at, THERE)).filter(|next| noun::is_new(text, *next));
    if let Some(next) = there {
        return Some((Act::Add, next));
    }
    let place = text.find(words.clone(), "would be|would also be|would help").filter(|place| *place > words.start)?;
    let praised =
        (place..words.end).any(|at| text.has(at, PRAISE) || text.is_one_of(at, "cool helpful useful help amazing"));
    let act = if text.has(words.start, DEFINITE) { Act::Modify } else { Act::Add };
    praised.then_some((act, words.start))
}

/// "the shop is now closed on Mondays": the page has to say so.
fn became(text: &Text<'_>, words: &Range<usize>) -> Option<(Act, usize)> {
    const CHANGED: &str = "becomes|become|has changed to|have changed to|changed to|moved to";
    let now = words.clone().skip(1).find(|at| {
        text.has(*at, COPULA) && text.is_one_of(at + 1, "now henceforth") || text.after_any(*at, CHANGED).is_some()
    });
    now.map(|now| (Act::Modify, now))
}

/// "the headline should be bigger", "the page needs a map".
fn ought(text: &Text<'_>, words: &Range<usize>) -> Option<(Act, usize)> {
    const LACKING: &str = "could use|lacks|lack|would look better|deserves|is missing|has to|have to|could be";
    let at = words.clone().skip(1).find(|at| {
        text.has(*at, MODAL) && !text.is_one_of(*at, "can may will would could shall")
            || text.is_one_of(*at, "gets get receives") && noun::is_new(text, at + 1)
            || text.after_any(*at, LACKING).is_some()
    })?;
    let small = "also to use be have has really just always only not get probably instead";
    let next = (at + 1..words.end).find(|at| !text.is_one_of(*at, small)).unwrap_or(words.end);
    let act = if text.is_one_of(next, "fixed repaired fixing repair") {
        Act::Fix
    } else if text.is_one_of(next, "removed deleted gone") {
        Act::Remove
    } else if text.has(next, KEEP) || text.is_one_of(next, "stay remain") {
        Act::Keep
    } else if text.norm(next - 1) == "be"
        || text.norm(next - 1) == "get" && text.has(next, INFLECTED)
        || !gains(text, at, next, words.end)
    {
        Act::Modify
    } else {
        Act::Add
    };
    Some((act, next))
}

/// Whether a thing ought to have what it has not: "needs a map", but not "needs more contrast".
fn gains(text: &Text<'_>, modal: usize, next: usize, end: usize) -> bool {
    let adds = text.has(next, ADD | ENABLE);
    let object = if adds || text.is_one_of(next, "contain show list") { next + 1 } else { next };
    let name = object..noun::end(text, object, end);
    let compared = text.has(object, COMPARATIVE) && !text.has(object, NEW);
    let restyled = compared || text.has(noun::head(text, &name), STYLE);
    let measured = text.number(object).is_some() && text.has(object + 1, UNIT);
    let exchanged = measured || text.find(object..end, "instead").is_some();
    let thing = text.kind(object) == Some(Kind::Word) && !text.has(object, INFLECTED | VAGUE);
    let named = thing && (text.has(object, DEFINITE) || !text.has(object, PRONOUN));
    let needs = text.is_one_of(modal, "needs need lacks lack deserves") && next == modal + 1 && named;
    let grown = count::asks_for_more(text, &(object..end));
    !restyled && (grown || !exchanged) && (adds || needs || noun::is_new(text, object))
}

/// "the text is too small", "the hero looks boring", "I don't like the green".
fn disliked(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    const HATED: &str =
        "dont like|do not like|dislike|hate|not a fan of|not happy with|cant stand|dont love|do not love";
    const DULL: &str = "boring dull generic ugly outdated old-fashioned dated cluttered crowded bland plain hideous \
                        cramped confusing messy tiny huge cheap weak long-winded empty unprofessional childish \
                        inconsistent uneven cheesy hard";
    let hated = text.find(words.clone(), HATED).filter(|place| *place <= words.start + 3);
    hated.or_else(|| {
        words.clone().skip(1).find(|at| {
            let too = text.norm(*at) == "too" && *at + 1 < words.end && !text.is_mark(*at + 1);
            let mut said = *at + 1..(*at + 4).min(words.end);
            too || text.has(*at, COPULA) && said.any(|at| text.is_one_of(at, DULL))
        })
    })
}
