//! The requests of a message: clauses that belong together are joined, and lists are separated.

use super::acts::{Act, act, after_label, exception, is_empty, is_steering};
use super::clauses::{Clause, pieces};
use super::tokens::{Kind, Text};
use super::words::*;
use std::ops::Range;

/// A clause with what it does, and the clauses that say more about it.
#[derive(Debug, Clone)]
pub(super) struct Wish {
    pub act: Act,
    pub words: Range<usize>,
    /// Where its verb or its first content word is.
    pub core: usize,
    pub also: Vec<Range<usize>>,
    /// It starts with a verb of [`CREATE`] or a wish: it may name an app.
    pub creates: bool,
    pub asks: bool,
    pub is_item: bool,
    /// It ends with a colon.
    pub heads: bool,
    pub opens_paragraph: bool,
}

impl Wish {
    pub(super) fn is_request(&self) -> bool {
        matches!(self.act, Act::Add | Act::Modify | Act::Fix | Act::Bug | Act::Remove)
    }

    /// A part of the wish, as a wish of its own.
    pub(super) fn part(&self, words: Range<usize>) -> Self {
        Self { core: words.start, words, also: Vec::new(), creates: false, opens_paragraph: false, ..self.clone() }
    }

    pub(super) fn all_words(&self) -> impl Iterator<Item = &Range<usize>> {
        std::iter::once(&self.words).chain(&self.also)
    }
}

/// Reads the clauses and joins those that belong together.
pub(super) fn wishes(text: &Text<'_>, clauses: &[Clause<'_>]) -> Vec<Wish> {
    let mut wishes: Vec<Wish> = Vec::new();
    // What "add:" before a list requests of its items.
    let mut heading: Option<Act> = None;
    let mut is_steered = false;
    for (at, clause) in clauses.iter().enumerate() {
        // Text that addresses the parser requests nothing, up to the end of its sentence.
        is_steered = is_steered && !clause.opens() || !clause.sentence.is_pasted && is_steering(text, &clause.words);
        let core = if clause.sentence.is_pasted { clause.core } else { after_label(text, clause) };
        let mut act = act(text, clause, core);
        if is_steered || act == Act::Talk {
            continue;
        }
        if !clause.sentence.is_item {
            heading = heading.filter(|_| clause.sentence.is_pasted);
        } else if matches!(act, Act::Name | Act::Detail) {
            act = heading.unwrap_or(act);
        }
        let wish = Wish {
            act,
            words: clause.words.clone(),
            core,
            also: Vec::new(),
            creates: clause.is_wish || text.has(clause.core, CREATE),
            asks: clause.sentence.asks,
            heads: clause.sentence.heads,
            is_item: clause.sentence.is_item && clause.opens(),
            opens_paragraph: clause.sentence.opens_paragraph && clause.opens(),
        };
        if clause.sentence.heads && clause.words.len() < 8 {
            heading = Some(act).filter(|_| wish.is_request());
            // "Please finish this list:"
            let is_verb = act == Act::Bug || text.says(&clause.words, "these|following|this list|do this");
            if wish.is_request() && is_verb && clauses.get(at + 1).is_some_and(|next| next.sentence.is_item) {
                continue;
            }
        }
        attach(text, &mut wishes, wish);
    }
    wishes
}

/// Adds a clause to the one that it belongs to, or as requests of its own.
fn attach(text: &Text<'_>, wishes: &mut Vec<Wish>, mut wish: Wish) {
    if let Some(last) = wishes.last_mut() {
        let (is_request, is_near) = (last.is_request(), !wish.is_item && (!wish.opens_paragraph || last.heads));
        let is_trace = [&wish.words, &last.words].into_iter().any(|words| text.kind(words.start) == Some(Kind::Trace));
        let says_same = |classes| text.is(wish.core, "it they that this") && text.has(wish.core + 1, classes);
        let complains = || last.act == Act::Modify && text.says(&last.words, "too|ugly|dont like");
        let belongs = match (wish.act, last.act) {
            (Act::Add | Act::Modify | Act::Fix | Act::Remove, act) if names_pronoun(text, &wish) => act != Act::Restart,
            (Act::Name, Act::Bug | Act::Fix | Act::Modify) => is_near,
            // "There are four cards, I want six."
            (Act::Add, Act::Detail) => is_near && is_empty(text, &(wish.core..wish.words.end)),
            (Act::Detail, act) => act != Act::Restart && is_near,
            (Act::Bug, Act::Bug | Act::Fix) => is_trace || wish.heads || !wish.is_item && continues(text, &wish),
            (Act::Bug, Act::Detail | Act::Name) => is_trace || last.act == Act::Detail && is_near,
            // "Refine the copy! Less generic, more adult."
            (Act::Modify, Act::Modify) if is_near && text.is(wish.core, "less more") => {
                !text.has(last.core, COMPARATIVE)
            }
            (Act::Modify, Act::Modify | Act::Bug) => !wish.is_item && (says_same(MODAL | COPULA) || complains()),
            _ => false,
        };
        // "The navbar should stick. The answers are in English, translate them." The last statement is about another thing.
        if belongs
            && last.act != Act::Bug
            && let Some(about) = last.also.pop()
        {
            wish.also.push(std::mem::replace(&mut wish.words, about));
            return wishes.push(wish);
        }
        if belongs {
            // "The letters dance around. Fix that.", but "It should be 5 €" says what is right instead.
            if wish.is_request() && (!is_request || last.act == Act::Bug) && !says_same(MODAL) {
                last.act = wish.act;
            }
            return last.also.push(wish.words);
        }
    }
    let mut parts = parts(text, &wish).into_iter();
    let first = parts.next().unwrap_or_else(|| wish.words.clone());
    let others: Vec<Wish> = parts.map(|words| wish.part(words)).collect();
    wishes.push(Wish { words: first, ..wish });
    wishes.extend(others);
}

/// A statement without a subject of its own: "shows NaN", "only happens in Safari", "console says …".
fn continues(text: &Text<'_>, wish: &Wish) -> bool {
    const STARTS: &str = "only happens happened console log logs error in since when worked nothing page";
    text.has(wish.core, PRONOUN) || text.is(wish.core, STARTS)
}

/// Its object is only a pronoun: "remove it", "please fix that".
fn names_pronoun(text: &Text<'_>, wish: &Wish) -> bool {
    let object = wish.core + 1;
    let is_alone = || text.is(object, "this these those one") && is_empty(text, &(object + 1..wish.words.end));
    text.has(wish.core, COMMAND)
        && (text.is(object, "it them that") || is_alone() || wish.act == Act::Fix && object >= wish.words.end)
}

/// Words of a stretch that are searched, so that a growing one is not read again and again.
const FIRST_WORDS: usize = 40;

/// The items of "a map, a form and two cards": each is a request of its own.
fn parts(text: &Text<'_>, wish: &Wish) -> Vec<Range<usize>> {
    let from = wish.core + usize::from(text.has(wish.core, COMMAND));
    // "One more speaker: Ada": the list names what is counted.
    let is_one =
        text.says(&(from + 1..wish.words.end), ":") || text.says(&wish.words, "let|allow|should|needs|when|so that");
    let separates = match wish.act {
        Act::Add | Act::Remove | Act::Fix => !is_one,
        Act::Modify => from > wish.core,
        _ => false,
    };
    let mut parts: Vec<Range<usize>> = Vec::new();
    let end = exception(text, &wish.words).unwrap_or(wish.words.end);
    for piece in pieces(text, &(from..wish.words.end), is_list_mark).into_iter().filter(|_| separates) {
        match parts.last_mut() {
            None => parts.push(wish.words.start..piece.end),
            Some(last) if piece.start < end && begins_item(text, wish.act, last, &piece) => parts.push(piece),
            Some(last) => last.end = piece.end,
        }
    }
    parts
}

pub(super) fn is_list_mark(text: &Text<'_>, at: usize) -> bool {
    text.has(at, AND) && text.norm(at - 1) != "drag" || text.is(at, ", then also")
}

fn begins_item(text: &Text<'_>, act: Act, last: &Range<usize>, piece: &Range<usize>) -> bool {
    const CONTENTS: &str =
        "with including showing where that which containing featuring from about so styled because who like as";
    // A long item is described by its first words.
    let last = last.start..last.end.min(last.start + FIRST_WORDS);
    let start = piece.start;
    let is_explicit = text.number(start).is_some() || text.has(start, INDEFINITE | ORDINAL | NEW);
    let is_noun = matches!(text.kind(start), Some(Kind::Word | Kind::Quote))
        && !text.has(start, PREPOSITION | FILLER | MODAL | COMPARATIVE | QUESTION)
        && !text.is(start, "same all each both no not nothing one");
    let has_contents = last.clone().any(|at| text.is(at, CONTENTS));
    // "a testimonials section with 3 quotes and a pricing section"
    const PARTS: &str = "section footer header navbar sidebar banner hero card";
    let is_part = |words: &Range<usize>| text.is(phrase_end(text, words.start, words.end) - 1, PARTS);
    let is_placed = last.clone().any(|at| text.has(at, PREPOSITION));
    match act {
        Act::Modify => text.has(start, DEFINITE) && text.says(piece, "to|into"),
        _ if describes_name(text, piece) => false,
        Act::Remove | Act::Fix => (is_explicit || is_noun) && !has_contents,
        _ if has_contents => is_explicit && (text.norm(start - 1) != "and" || is_part(&last) && is_part(piece)),
        _ => is_explicit || is_noun && !is_placed && !text.is_capital(start),
    }
}

/// The end of the noun phrase that starts at a place.
pub(super) fn phrase_end(text: &Text<'_>, start: usize, end: usize) -> usize {
    let ends = |at: usize| {
        text.has(at, PREPOSITION & !ARTICLE) && !text.has(at, PRONOUN) || text.is_mark(at) || text.has(at, AND)
    };
    (start + 1..end).find(|at| ends(*at)).unwrap_or(end)
}

/// "Ada Bell, an early customer", "Driftwood, a roastery by the sea": an apposition to a name.
pub(super) fn describes_name(text: &Text<'_>, piece: &Range<usize>) -> bool {
    let name = piece.start - 2;
    let end = piece.clone().find(|at| text.norm(*at) == ",").unwrap_or(piece.end);
    let is_described =
        text.says(&(piece.start..end), "by|from|in|customer|client|company|friend") || text.norm(end + 1) == "with";
    text.is_word(name) && text.is_capital(name) && text.has(piece.start, INDEFINITE) && is_described
}
