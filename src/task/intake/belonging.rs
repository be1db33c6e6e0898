//! Which clause a stretch of words belongs to: its own, the one before, or the one that follows.

use super::act::{Act, Reading};
use super::clause::Clause;
use super::lexicon::*;
use super::noun;
use super::segment::Joint;
use super::text::Text;
use super::token::Kind;
use std::ops::Range;

/// Where a stretch stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub joint: Joint,
    /// Where it ends: a token.
    pub end: usize,
    /// The last clause is of the same sentence.
    pub in_sentence: bool,
}

/// Whether a stretch says more of the last clause: "make it red", "it crashes then".
pub(super) fn belongs_to_last(text: &Text<'_>, last: &Clause, read: &Reading, place: Place) -> bool {
    if place.in_sentence && (works_on_it(text, last, read, place) || does_more(text, last, read, place)) {
        return true;
    }
    let it = is_about_it(text, read, place);
    match read.act {
        Act::Bug => is_symptom(text, last, read, place),
        Act::Modify if read.refers && last.act == Act::Bug => true,
        Act::Modify | Act::Fix => it && !matches!(last.act, Act::Keep | Act::Forbid),
        Act::Remove => it && matches!(last.act, Act::Bug | Act::Modify | Act::Remove),
        Act::Add => it && last.act == Act::Add && !text.has(read.object, NEW),
        Act::Keep => read.refers && last.act == Act::Keep,
        _ => false,
    }
}

/// "write "Sold out" on it"
fn works_on_it(text: &Text<'_>, last: &Clause, read: &Reading, place: Place) -> bool {
    let asks = matches!(read.act, Act::Add | Act::Modify) && last.act != Act::Keep;
    asks && !text.has(read.object, DEFINITE)
        && (read.object..place.end).any(|at| {
            let it = text.is_one_of(at + 1, "it them") && !text.has(at + 2, COPULA);
            it && text.is_one_of(at, "on in to under below above for next of at from with")
        })
}

/// "the editor should save every minute and show when it did"
fn does_more(text: &Text<'_>, last: &Clause, read: &Reading, place: Place) -> bool {
    let both = read.act == Act::Modify && last.act == Act::Modify && place.joint == Joint::And;
    let stated = !text.has(last.verb, COMMAND) && (last.range.start..last.object).any(|at| text.has(at, MODAL));
    both && stated && read.start == read.object.saturating_sub(1) && text.has(read.start, NOUNISH | BEHAVE)
}

/// Its object is "it", or "this" alone.
fn is_about_it(text: &Text<'_>, read: &Reading, place: Place) -> bool {
    stands_alone(text, read.object, place.end) && text.norm(read.object) != "everything"
}

/// A pronoun that no name follows in a stretch that ends at `end`: "fix that", but not "fix that card".
fn stands_alone(text: &Text<'_>, at: usize, end: usize) -> bool {
    text.has(at, PRONOUN)
        && (!text.has(at, DEFINITE) || (at + 1..end).all(|at| text.has(at, CHAT | FILLER) || text.is_mark(at)))
}

/// What is broken is told further, or is what a request before it is about.
fn is_symptom(text: &Text<'_>, last: &Clause, read: &Reading, place: Place) -> bool {
    match (place.joint, last.act) {
        // "It should open a dialog but it opens a page"
        (Joint::Turn, Act::Modify) if place.in_sentence && read.refers => return true,
        // "New colleague: Ada joins us"
        (Joint::Colon, Act::Add) if place.in_sentence => return true,
        _ => {}
    }
    let verb = text.has(read.start, NEGATED | BROKEN | INFLECTED) && !text.norm(read.start).ends_with("ing");
    let goes_on = place.in_sentence && verb && matches!(place.joint, Joint::Comma | Joint::And);
    let told = match last.act {
        Act::Bug | Act::Fix | Act::Unclear => true,
        Act::Modify => !place.in_sentence,
        _ => false,
    };
    told && (read.refers || goes_on)
}

/// Words that wait belong to what follows: a condition, a label, the subject of a statement. Others are talk.
pub(super) fn belongs_to_next(text: &Text<'_>, words: &Range<usize>, read: &Reading, end: usize) -> bool {
    let placed = text.is_one_of(words.start, "on in for at under inside") || noun::is_path(text, words.start);
    let condition = placed || words.clone().any(|at| text.has(at, CONDITION));
    let stated = read.act == Act::Modify && read.object > read.start && !text.has(read.start, COMMAND);
    let subject = stated || matches!(read.act, Act::Bug | Act::Keep);
    let it = stands_alone(text, read.object, end);
    // "The grid has 10 cards, I want 12"
    let alone = text.kind(read.object + 1) != Some(Kind::Word);
    let total = read.act == Act::Add && text.number(read.object).is_some() && alone;
    let label = words.len() <= 3 && text.norm(words.end) == ":";
    condition || subject || it || total || label
}

/// "make that shorter", "that should not happen": of what was just told.
pub(super) fn refers_back(text: &Text<'_>, read: &Reading, end: usize) -> bool {
    let it = stands_alone(text, read.object, end);
    let that = text.is_one_of(read.object, "that this")
        && (text.has(read.object + 1, COMPARATIVE | ADJECTIVE) || text.number(read.object + 1).is_some());
    it || that || read.refers && read.act == Act::Bug
}
