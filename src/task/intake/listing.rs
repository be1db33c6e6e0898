//! Lists: which of their pieces are things of their own, and which are details of the thing before.

use super::act::Act;
use super::clause::Clause;
use super::lexicon::*;
use super::noun;
use super::segment::{Joint, Segment};
use super::text::Text;
use super::token::Kind;
use std::ops::Range;

/// Words that are looked at around a joint of a list.
const NEAR: usize = 250;

/// Whether a fragment is another item of the list that a clause began: a request of its own.
pub(super) fn is_item(text: &Text<'_>, clause: &Clause, segment: &Segment, start: usize) -> bool {
    let words = start..segment.tokens.end.min(start + NEAR);
    let before = clause.object.max(clause.range.end.saturating_sub(NEAR))..clause.range.end;
    let unnamed = before.clone().all(|at| text.has(at, NEW | INDEFINITE) || text.number(at).is_some());
    if words.is_empty() || unnamed || !matches!(segment.joint, Joint::Comma | Joint::And | Joint::Turn | Joint::Colon) {
        return false;
    }
    let definite = text.has(start, DEFINITE) && !text.has(start, INDEFINITE);
    match clause.act {
        Act::Add => {
            let thing = !definite && segment.joint != Joint::Colon && is_thing(text, &words);
            let apposed = segment.joint == Joint::Comma && is_apposition(text, &before, &words);
            let told = apposed || is_detail(text, clause, &before, &words);
            thing && !told && !shares_head(text, &before, segment, &words)
        }
        Act::Remove | Act::Fix => {
            let place = before.clone().any(|at| text.is_one_of(at, "from between in on of"));
            let whole = definite && text.is_one_of(words.end - 1, "section page button");
            segment.joint != Joint::Colon && is_thing(text, &words) && (!place || whole)
        }
        Act::Modify => {
            let parallel = [&words, &before].into_iter().all(|words| {
                words.clone().skip(1).any(|at| text.is_one_of(at, "for in on of") && text.has(at + 1, DEFINITE))
            });
            let compared = text.has(start, COMPARATIVE) && !text.has(clause.verb, COMMAND) && words.len() > 1;
            let changed = definite && has_change(text, &words) && has_change(text, &before);
            compared || changed || parallel && text.has(start, INDEFINITE)
        }
        _ => false,
    }
}

/// "for Driftwood, a small coffee roastery": after a comma, what somebody or something is that has a name. In a list more
/// would follow, or it would name a part of a page.
pub(super) fn is_apposition(text: &Text<'_>, before: &Range<usize>, words: &Range<usize>) -> bool {
    let is_capital = |at: &usize| text.slice(&(*at..at + 1)).starts_with(char::is_uppercase);
    let name = before.clone().rev().take_while(is_capital).last();
    let is_named = name.is_some_and(|at| {
        at > before.start && text.is_one_of(at - 1, "for from of by at about called named") && !text.has(at, PART)
    });
    let is_new = |at: usize| text.has(at, INDEFINITE) || text.number(at).is_some();
    let inner = words.clone().any(|at| text.is_one_of(at, "and or plus &") && is_new(at + 1));
    let told = text.is_one_of(words.end, ",") && text.is_one_of(words.end + 1, "with that which where who");
    let goes_on = !told && text.is_one_of(words.end, ", ; and or plus &");
    let head = noun::head(text, &(words.start..noun::end(text, words.start, words.end)));
    is_named && text.has(words.start, INDEFINITE) && !inner && !goes_on && !text.has(head, PART)
}

/// "with a title and a photo", "4 entries": more of the thing before.
fn is_detail(text: &Text<'_>, clause: &Clause, before: &Range<usize>, words: &Range<usize>) -> bool {
    let start = words.start;
    let head = noun::head(text, &(start..noun::end(text, start, words.end)));
    let number = text.number(start).is_some() && !text.has(start + 1, UNIT);
    let spread = number && text.is_one_of(words.end - 1, "each apiece");
    let counted = number || text.norm(start) == "another" || text.has(start, INDEFINITE) && text.has(start + 1, NEW);
    let alike = counted && text.number(clause.object).is_some();
    text.is_one_of(head, "entries items points rows examples lines") || spread || holds(text, before, start) && !alike
}

/// "a sticky bar", "export button": a part of a page, named like something that is not there yet.
pub(super) fn names_new_part(text: &Text<'_>, words: &Range<usize>) -> bool {
    let name = words.start..noun::end(text, words.start, words.end);
    let part = text.has(noun::head(text, &name), PART)
        && name.len() > 1
        && !text.has(words.start, DEFINITE | COMPARATIVE | PREPOSITION)
        && !text.is_one_of(words.start, "no not");
    is_thing(text, words) && (text.has(words.start, INDEFINITE) || part)
}

/// Whether the last words of a clause tell details, so that what follows a comma tells more of them.
pub(super) fn opens_details(text: &Text<'_>, words: &Range<usize>) -> bool {
    let near = words.start.max(words.end.saturating_sub(NEAR))..words.end;
    near.skip(1)
        .any(|at| noun::opens_detail(text, at) || text.norm(at) == ":" || text.norm(at) == "-" && text.is_mark(at))
}

/// Whether a list of details is open that a fragment goes on with, in the way that it began: with articles or without.
fn holds(text: &Text<'_>, before: &Range<usize>, start: usize) -> bool {
    let opener = before.clone().skip(1).rev().find(|at| {
        let place = text.is_one_of(
            *at,
            "for to in on at into under below above beside next near after before from between onto of",
        ) && (text.has(at + 1, DEFINITE | EXISTING) || text.norm(at + 1) == "to");
        noun::opens_detail(text, *at) && !place || text.norm(*at) == ":" || text.norm(*at) == "-" && text.is_mark(*at)
    });
    let Some(opener) = opener else { return false };
    let article = |at: usize| text.has(at, INDEFINITE) || text.number(at).is_some();
    !text.is_one_of(opener, "for of about on to in at by") || article(opener + 1) == article(start)
}

/// A fragment that names a thing, rather than saying how something is.
fn is_thing(text: &Text<'_>, words: &Range<usize>) -> bool {
    const RESTATING: &str = "not no nothing only preferably ideally maybe all each every similar same just either";
    let start = words.start;
    let name = start..noun::end(text, start, words.end);
    let compares = text.has(start, COMPARATIVE) && !text.has(start, NEW);
    let opens = text.has(start, PREPOSITION | CONDITION | PRONOUN) && !text.has(start, DEFINITE);
    let style = text.has(noun::head(text, &name), STYLE) && text.has(start, ADJECTIVE | COMPARATIVE);
    let said = (start..name.end + 1).any(|at| text.has(at, MODAL | COPULA));
    // "styled like the badge"
    let participle = text.norm(start).ends_with("ed")
        && (noun::opens_detail(text, start + 1) || text.is_one_of(start + 1, "like as to"));
    let person = text.has(start, PERSON) && !text.has(start + 1, PART);
    let named = name.into_iter().any(|at| match text.kind(at) {
        Some(Kind::Word) => !text.has(at, ADJECTIVE | FILLER | INDEFINITE | DEFINITE | VAGUE),
        Some(Kind::Quote | Kind::Path) => true,
        _ => false,
    });
    // "three quotes from customers and one from a company"
    let counted = text.number(start).is_some() && noun::opens_detail(text, start + 1);
    (named || counted)
        && !(compares || opens || style || said || participle || person || text.is_one_of(start, RESTATING))
}

/// "a light and dark mode toggle", "name and email fields": one thing with two names.
pub(super) fn shares_head(text: &Text<'_>, before: &Range<usize>, segment: &Segment, words: &Range<usize>) -> bool {
    if segment.joint != Joint::And
        || text.has(words.start, INDEFINITE | DEFINITE | NEW)
        || text.number(words.start).is_some()
    {
        return false;
    }
    let article = text.has(before.start, INDEFINITE) || text.number(before.start).is_some();
    let first = before.len() - usize::from(article);
    let name = words.start..noun::end(text, words.start, words.end);
    let plural = text.norm(noun::head(text, &name)).ends_with('s');
    first == 1 && name.len() >= 2 && plural != article
}

/// A fragment that says how its thing ought to be: "the button text to …", "the body smaller".
fn has_change(text: &Text<'_>, words: &Range<usize>) -> bool {
    words.clone().skip(1).any(|at| {
        text.has(at, COMPARATIVE | ADJECTIVE) || text.is_one_of(at, "to into with as above below left right up down")
    })
}
