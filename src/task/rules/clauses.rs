//! Sentences split into clauses: stretches that each request or state one thing.

use super::tokens::{Kind, Sentence, Text};
use super::words::*;
use std::ops::Range;

/// One stretch of a sentence.
pub(super) struct Clause<'t> {
    pub sentence: &'t Sentence,
    pub words: Range<usize>,
    /// Where the content starts, after "please", "can you" and the like.
    pub core: usize,
    /// "I want", "can we have": what follows names a thing.
    pub is_wish: bool,
}

impl Clause<'_> {
    /// First of its sentence.
    pub(super) fn opens(&self) -> bool {
        self.words.start == self.sentence.tokens.start
    }
}

/// What starts a subordinate clause, which does not end before its main clause.
const SUBORDINATES: &str = "when if while after once because since before as until";

/// The clauses of a message.
pub(super) fn clauses<'t>(text: &'t Text<'_>) -> Vec<Clause<'t>> {
    let mut clauses = Vec::new();
    for sentence in &text.sentences {
        let parts = if sentence.is_pasted { vec![sentence.tokens.clone()] } else { split(text, &sentence.tokens) };
        for words in parts {
            let (core, is_wish) = core(text, &words);
            clauses.push(Clause { sentence, words, core, is_wish });
        }
    }
    clauses
}

/// Splits a sentence at the separators after which a new clause starts.
fn split(text: &Text<'_>, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut clauses: Vec<Range<usize>> = Vec::new();
    // The last clause has a predicate: with another one, a new clause starts.
    let mut is_complete = false;
    for piece in pieces(text, sentence, is_separator) {
        let is_clause = is_clause(text, &piece);
        let start = core(text, &piece).0;
        let commands = command(text, start, piece.end) & !NOUNISH != 0 || is_unknown_command(text, start);
        let follows = |last: &Range<usize>| is_complete || commands && !text.is(core(text, last).0, SUBORDINATES);
        match clauses.last_mut() {
            None => clauses.push(sentence.start..piece.end),
            Some(last) if is_clause && piece.len() > 1 && follows(last) => clauses.push(piece),
            Some(last) => last.end = piece.end,
        }
        is_complete |= is_clause;
    }
    clauses
}

/// The stretches between separators, outside of brackets.
pub(super) fn pieces(
    text: &Text<'_>,
    words: &Range<usize>,
    is_separator: fn(&Text<'_>, usize) -> bool,
) -> Vec<Range<usize>> {
    let (mut pieces, mut start, mut depth) = (Vec::new(), words.start, 0_usize);
    for at in words.clone() {
        depth = (depth + usize::from(text.is(at, "( ["))).saturating_sub(usize::from(text.is(at, ") ]")));
        if depth == 0 && at + 1 < words.end && is_separator(text, at) {
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

fn is_separator(text: &Text<'_>, at: usize) -> bool {
    text.has(at, AND) || text.is(at, ", - but then also so while") && text.after(at, "so that|while you").is_none()
}

/// Whether the words have a verb that requests, or a subject with its predicate; perhaps after a label.
fn is_clause(text: &Text<'_>, words: &Range<usize>) -> bool {
    let (core, is_wish) = core(text, words);
    is_wish
        || command(text, core, words.end) != 0
        || is_unknown_command(text, core)
        || prohibited(text, core).is_some()
        || !text.is(core, SUBORDINATES) && predicate(text, &(core..words.end)).is_some()
        || text.colon(words, 8).is_some_and(|colon| command(text, colon + 1, words.end) != 0)
}

/// "deduplicate the drinks": a word that is not known, and an object that exists.
pub(super) fn is_unknown_command(text: &Text<'_>, at: usize) -> bool {
    const OBJECTS: &str = "the this these those my our your its their all";
    text.is_word(at) && text.is_specific(at) && !text.has(at, BEHAVE) && text.is(at + 1, OBJECTS)
}

/// Where the content starts, and whether a wish leads in.
fn core(text: &Text<'_>, words: &Range<usize>) -> (usize, bool) {
    let (mut at, mut is_wish) = (words.start, false);
    while at < words.end {
        if let Some(end) = text.after(at, REQUESTS).filter(|end| *end < words.end) {
            at = end;
        } else if let Some(end) = text.after(at, WISHES).filter(|end| *end < words.end) {
            (at, is_wish) = (end, true);
        } else if text.has(at, FILLER) || text.is_mark(at) && !text.is(at, "( [ <") {
            at += 1;
        } else {
            break;
        }
    }
    (at.min(words.end.saturating_sub(1)).max(words.start), is_wish)
}

/// The classes of the verb that commands at a place; 0 where there is none.
pub(super) fn command(text: &Text<'_>, at: usize, end: usize) -> Classes {
    const VERBS: &str = "show use move put turn set give write hide call swap switch have update change drop cut";
    const TARGETS: &str = "to into as from";
    let is_verb = text.has(at, COMMAND) && !text.has(at, INFLECTED);
    // "filter by price" commands, "filter bar" does not.
    let has_object = text.is(at, VERBS)
        || text.has(at + 1, ARTICLE | PRONOUN | EXISTING | NEW | SHARE)
        || text.is(at + 1, "by to up")
        || matches!(text.kind(at + 1), Some(Kind::Number(_) | Kind::Quote | Kind::Path))
        || is_plural(text.norm(at + 1))
        // "upgrade React to 19", "mark Sencha as sold out"
        || (at + 2..end.min(at + 4)).any(|to| text.is(to, TARGETS));
    let is_noun = text.is_word(at + 1) && text.has(at + 1, MODAL | COPULA | BROKEN)
        || is_verb && names_subject(text, at, end)
        || text.has(at, NOUNISH) && (text.norm(at + 1) == ":" || at + 1 == end || !has_object);
    let classes = [ADD, CREATE, MODIFY, FIX, REMOVE, KEEP].into_iter().filter(|class| text.has(at, *class));
    text.after(at, RID).map_or(if is_verb && !is_noun { classes.sum() } else { 0 }, |_| REMOVE)
}

/// "Delete button is broken", "search results don't load": the verb is part of a name.
fn names_subject(text: &Text<'_>, at: usize, end: usize) -> bool {
    let is_name = |at: usize| text.is_word(at) && !text.has(at, FUNCTION | COMPARATIVE | BEHAVE | INFLECTED);
    let after = (at + 1..end.min(at + 4)).find(|at| !is_name(*at)).filter(|after| *after > at + 1);
    !text.has(at, FIX) && after.is_some_and(|at| text.is(at, "is are was were does do"))
}

pub(super) fn is_plural(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s') && !word.ends_with("ss")
}

/// The verb of "don't touch", "do not change", "without changing".
pub(super) fn prohibited(text: &Text<'_>, at: usize) -> Option<usize> {
    let verb = text.after(at, "do not|dont ever|dont you|please dont|dont|never|without|not")?;
    text.has(verb, COMMAND | BEHAVE).then_some(verb)
}

/// Where the predicate of a statement is: "is", "should", "doesn't", "opens".
pub(super) fn predicate(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    const VERBS: &str = "is are was were has have looks feels seems gets stays stay says remains becomes remain does do \
        keeps isnt needs went go goes crashes fails breaks overlap overlaps disappear disappears vanish freezes flickers \
        crashed stopped need left joined";
    let mut body = (words.start + 1..words.end).take_while(|at| !text.is(*at, "so where"));
    body.find(|at| {
        text.has(*at, MODAL | NEGATED) && !text.is(*at, "need no not never")
            || VERBS.split_ascii_whitespace().any(|verb| verb == text.norm(*at))
            || *at + 1 < words.end && text.has(*at, BEHAVE) && text.has(*at, INFLECTED) && is_third_person(text, *at)
    })
}

/// "the menu opens", but not "the links" and "feature shows".
fn is_third_person(text: &Text<'_>, at: usize) -> bool {
    let follows = |classes| text.has(at - 1, classes);
    let is_noun = follows(ARTICLE | NEW | EXISTING) || follows(COMMAND) && !follows(NOUNISH);
    text.norm(at).ends_with('s') && !is_noun && !text.is_mark(at - 1) && !text.is(at + 1, ", . - ( )")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_clause_starts_with_its_own_verb() {
        for (message, expected) in [
            ("add a map, a form and a footer", &["add a map, a form and a footer"][..]),
            ("add a map and remove the form", &["add a map", "remove the form"]),
            ("make the hero blue, red and big", &["make the hero blue, red and big"]),
            ("when I click, close the menu", &["when I click, close the menu"]),
            (
                "the cart is empty and the menu (which opens, then closes) flickers",
                &["the cart is empty", "the menu (which opens, then closes) flickers"],
            ),
        ] {
            let text = Text::new(message);
            let found: Vec<_> = clauses(&text).iter().map(|clause| text.slice(&clause.words)).collect();
            assert_eq!(found, expected);
        }
    }
}
