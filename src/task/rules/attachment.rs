//! Joins "fix it" to the bug before it and a detail to its request; separates the items of a list.

use super::bug_reports::is_about_the_same;
use super::lexicon::*;
use super::requirements::{Act, Wish};
use super::tokens::{Kind, Text};
use std::ops::Range;

/// Words of a stretch that are searched, so that a growing one is not read again and again.
pub(super) const FIRST_WORDS: usize = 40;

/// Adds a clause to those before it.
pub(super) fn attach(text: &Text<'_>, wishes: &mut Vec<Wish>, wish: &Wish) {
    let mut wish = wish.clone();
    if let Act::Add | Act::Modify | Act::Fix | Act::Remove = wish.act
        && names_pronoun(text, &wish)
        && let Some(last) = wishes.last_mut()
        && (last.is_request() || matches!(last.act, Act::Detail | Act::Name | Act::Keep))
    {
        // "The navbar should stick. The answers are in English, translate them."
        let said_between = last.is_request() && wish.core + 2 < wish.words.end && last.act != Act::Bug;
        if said_between && let Some(about) = last.also.pop() {
            wish.also.push(wish.words.clone());
            wishes.push(Wish { core: about.start, words: about, ..wish });
            return;
        }
        // "The letters dance around. Fix that." A request and its repetition are one.
        let adopts = matches!(last.act, Act::Detail | Act::Name | Act::Bug | Act::Keep)
            || wish.act == Act::Remove && last.act == Act::Modify;
        if adopts {
            last.act = if wish.act == Act::Add { Act::Modify } else { wish.act };
        }
        last.also.push(wish.words.clone());
        return;
    }
    let last = wishes.last_mut();
    match (wish.act, last) {
        (Act::Name, Some(last))
            if matches!(last.act, Act::Bug | Act::Fix | Act::Modify) && !wish.is_item && !wish.opens_paragraph =>
        {
            last.also.push(wish.words.clone());
            return;
        }
        (Act::Detail, Some(last))
            if last.act != Act::Restart && !wish.is_item && (!wish.opens_paragraph || last.is_request()) =>
        {
            last.also.push(wish.words.clone());
            return;
        }
        (Act::Bug, Some(last)) if matches!(last.act, Act::Bug | Act::Fix) => {
            let is_trace = text.kind(wish.words.start) == Some(Kind::Trace);
            let follows_trace = text.kind(last.words.start) == Some(Kind::Trace);
            if is_trace
                || follows_trace
                || !wish.is_item
                    && (is_about_the_same(text, &wish.words) || last.act == Act::Fix && names_pronoun(text, last))
            {
                last.also.push(wish.words.clone());
                return;
            }
        }
        // "It happens when I scroll." "Error in the console: …"
        (Act::Bug, Some(last))
            if !wish.is_item
                && !last.is_item
                && (last.act == Act::Detail
                    || last.act == Act::Name && text.kind(wish.words.start) == Some(Kind::Trace)) =>
        {
            last.act = Act::Bug;
            last.also.push(wish.words.clone());
            return;
        }
        (Act::Modify, Some(last))
            if matches!(last.act, Act::Modify | Act::Bug) && !wish.is_item && is_repeated(text, last, &wish) =>
        {
            last.also.push(wish.words.clone());
            return;
        }
        (Act::Modify, Some(last)) if last.act == Act::Modify && !wish.is_item && text.is(wish.core, "more less") => {
            last.also.push(wish.words.clone());
            return;
        }
        (Act::Fix, Some(last))
            if last.act == Act::Detail
                && !super::small_talk::is_empty(text, &last.words)
                && wish.core + 2 >= wish.words.end =>
        {
            last.act = Act::Fix;
            return;
        }
        _ => {}
    }
    let parts = parts(text, &wish);
    let mut parts = parts.into_iter();
    if let Some(first) = parts.next() {
        wish.words = first;
        wishes.push(wish.clone());
    }
    wishes.extend(parts.map(|words| Wish {
        core: words.start,
        words,
        also: Vec::new(),
        creates: false,
        opens_paragraph: false,
        ..wish.clone()
    }));
}

/// The change names what was complained about: "The headline is too long. Cut it."
fn is_repeated(text: &Text<'_>, last: &Wish, wish: &Wish) -> bool {
    let complaint = text.find(last.words.clone(), "too|ugly|dont like").is_some();
    let subject = text.is(wish.core, "it they that this") && text.has(wish.core + 1, MODAL | COPULA);
    complaint && !text.any(wish.core..wish.words.end.min(wish.core + 1), INFLECTED) && (last.act == Act::Modify)
        || subject
}

/// Its object is only a pronoun: "remove it", "please fix that".
fn names_pronoun(text: &Text<'_>, wish: &Wish) -> bool {
    let object = wish.core + 1;
    let alone = text.is(object, "it that this them these those")
        && (object + 1..wish.words.end).all(|at| {
            text.has(at, FILLER | CHAT | PRONOUN | VAGUE | ANYTHING)
                || text.kind(at) == Some(Kind::Mark)
                || text.is(at, "up for me to completely")
        });
    let bare = wish.act == Act::Fix && object >= wish.words.end;
    let about = text.is(object, "it them that") && text.has(wish.core, COMMAND) && !text.is(wish.core, "build create");
    alone && text.has(wish.core, COMMAND) || bare || about
}

/// The items of "a map, a form and two cards": each is a request of its own.
fn parts(text: &Text<'_>, wish: &Wish) -> Vec<Range<usize>> {
    let one = vec![wish.words.clone()];
    let verb = text.has(wish.core, COMMAND) && !text.has(wish.core, INFLECTED);
    let from = if verb { wish.core + 1 } else { wish.core };
    let separates = match wish.act {
        Act::Add | Act::Remove | Act::Fix => !text.has(wish.core, ENABLE) && !grouped(text, from, wish.words.end),
        Act::Modify => verb,
        _ => false,
    };
    if !separates || text.find(wish.words.clone(), "should|needs|when|so that").is_some() && wish.act != Act::Modify {
        return one;
    }
    let pieces = pieces(text, &(from..wish.words.end));
    let mut parts: Vec<Range<usize>> = Vec::new();
    for piece in pieces {
        match parts.last_mut() {
            None => parts.push(wish.words.start..piece.end),
            Some(last) if !begins_item(text, wish.act, last, &piece) => last.end = piece.end,
            Some(_) => parts.push(piece),
        }
    }
    parts
}

/// "three new teachers, Ana, Bo and Cem": the list names what is counted.
fn grouped(text: &Text<'_>, from: usize, end: usize) -> bool {
    // "one more speaker: Ada, …"
    if (from + 1..end).any(|at| text.norm(at) == ":") && text.norm(from) != ":" {
        return true;
    }
    let counted =
        (from..end.min(from + 3)).any(|at| text.number(at).is_some_and(|number| number > 1) || text.is(at, "couple"));
    counted
        && !(from + 1..end).any(|at| {
            text.has(at, INDEFINITE) && super::clauses::is_separator(text, at.wrapping_sub(1))
                || super::clauses::is_separator(text, at.wrapping_sub(1)) && text.number(at).is_some()
        })
}

fn begins_item(text: &Text<'_>, act: Act, last: &Range<usize>, piece: &Range<usize>) -> bool {
    const CONTENTS: &str =
        "with including showing where that which containing featuring from about so about styled because who like as";
    // A long piece is described by its first words.
    let last = &(last.start..last.end.min(last.start + FIRST_WORDS));
    let start = piece.start;
    let explicit =
        text.has(start, INDEFINITE | ORDINAL | NEW) || text.number(start).is_some() && !text.has(start + 1, UNIT);
    let inside = last.clone().any(|at| text.is(at, CONTENTS));
    let place = last.clone().any(|at| text.has(at, PREPOSITION) && !text.has(at, PRONOUN | DEFINITE));
    let is_noun = (text.is_word(start) && text.norm(start).starts_with(char::is_alphabetic)
        || text.kind(start) == Some(Kind::Quote))
        && !text.has(start, PREPOSITION | FILLER | MODAL | CONDITION | COMPARATIVE | QUESTION)
        && !text.is(start, "same all each both no not nothing one");
    let named = text.slice(&(start..start + 1)).starts_with(char::is_uppercase);
    let described = describes_name(text, last.end, piece);
    match act {
        Act::Remove | Act::Fix => (explicit || is_noun && !text.has(start, PERSON | PRONOUN)) && !inside,
        Act::Modify => {
            text.has(start, DEFINITE)
                && (start..piece.end).any(|at| text.is(at, "to into"))
                && last.clone().any(|at| text.is(at, "to into"))
                || text.has(start, COMPARATIVE)
                    && last.clone().any(|at| text.has(at, COMPARATIVE | INDEFINITE))
                    && (start + 1..piece.end).any(|at| text.has(at, STYLE))
        }
        _ if inside => explicit && !described && text.norm(start.wrapping_sub(1)) != "and",
        _ if place => explicit && !described,
        _ => (explicit || is_noun && !named || text.kind(start) == Some(Kind::Quote)) && !described,
    }
}

/// "Ada Bell, an early customer", "Driftwood, a roastery by the sea": an apposition to a name.
pub(super) fn describes_name(text: &Text<'_>, end: usize, piece: &Range<usize>) -> bool {
    let name = end.wrapping_sub(1);
    let is_name = text.is_word(name) && text.slice(&(name..end)).starts_with(char::is_uppercase);
    let end = piece.clone().find(|at| text.norm(*at) == ",").unwrap_or(piece.end);
    is_name
        && text.has(piece.start, INDEFINITE)
        && (piece.start..end).any(|at| {
            text.is(
                at,
                "by from in customer
                ",
            ) || text.has(at, PERSON)
                || at + 1 == end && text.norm(end + 1) == "with"
        })
}

/// The stretches between commas and "and", outside of brackets.
pub(super) fn pieces(text: &Text<'_>, words: &Range<usize>) -> Vec<Range<usize>> {
    let (mut pieces, mut start, mut depth) = (Vec::new(), words.start, 0_usize);
    for at in words.clone() {
        match text.norm(at) {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let names = text.norm(at) == "and" && text.norm(at.wrapping_sub(1)) == "drag";
        let separates =
            depth == 0 && !names && (text.has(at, AND) || text.is(at, ", then plus ; also") || text.norm(at) == "then");
        if separates {
            if start < at {
                pieces.push(start..at);
            }
            start = at + 1;
        }
    }
    if start < words.end {
        pieces.push(start..words.end);
    }
    pieces
}
