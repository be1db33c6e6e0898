//! A message that only names a thing: "a chess clock", "keyboard shortcuts".

use super::act::Act;
use super::clause::{Clause, Clauses};
use super::lexicon::*;
use super::reading::is_restart;
use super::segment::segments;
use super::text::{Sentence, Text};
use super::{app, listing};
use crate::task::structured::TaskContext;
use std::ops::Range;

/// Words without a verb that are looked at.
const LOOKED_AT: usize = 20;

/// Takes the thing that is named for one that is asked for: a new app where there is none, a new part beside a plan.
pub(super) fn add_named(text: &Text<'_>, all: &mut Clauses, context: &TaskContext) {
    let first = all.found.iter().find(|clause| clause.act.is_request()).map(|clause| clause.range.start);
    let bare = !context.plan_exists && app::is_bare(context);
    // "A todo list. Add and delete tasks.": the first words name the app, the request does not.
    let nameless = bare && !all.found.iter().any(|clause| app::names_app(text, clause));
    if first.is_some() && !nameless {
        return;
    }
    let strays = || all.strays.iter().take(LOOKED_AT).filter(|words| first.is_none_or(|first| words.start < first));
    let anew = || strays().find(|words| all.restarts && words.len() > 1 && !is_restart(text, words));
    let listed =
        || strays().next().filter(|words| !context.plan_exists && all.strays.len() > 1 && is_item(text, words));
    let named = || {
        strays().find(|words| match context.plan_exists {
            true => words.len() > 1 && is_new(text, words) && is_name(text, words),
            false => is_new(text, words) && (names_app(text, words) || bare && words.len() > 1 && is_name(text, words)),
        })
    };
    if let Some(words) = anew().or_else(listed).or_else(named).cloned() {
        let sentence = sentence_of(text, &words);
        let place = all.found.partition_point(|clause| clause.sentence < sentence);
        let things = if context.plan_exists && !all.restarts { listed_things(text, &words) } else { vec![words] };
        let things = things.into_iter().map(|words| Clause::of_thing(Act::Add, words, sentence));
        all.found.splice(place..place, things);
    }
}

/// "a badge on the cards, plus a filter for it": each thing of a list.
fn listed_things(text: &Text<'_>, words: &Range<usize>) -> Vec<Range<usize>> {
    let mut things: Vec<Range<usize>> = Vec::new();
    for segment in segments(text, &Sentence::of(words.clone())) {
        let item = things.last().is_none_or(|last| {
            listing::is_item(text, &Clause::of_thing(Act::Add, last.clone(), 0), &segment, segment.tokens.start)
        });
        match things.last_mut() {
            Some(last) if !item => last.end = segment.tokens.end,
            _ => things.push(segment.tokens),
        }
    }
    things
}

fn sentence_of(text: &Text<'_>, words: &Range<usize>) -> usize {
    text.sentences.partition_point(|sentence| sentence.tokens.end <= words.start)
}

fn is_item(text: &Text<'_>, words: &Range<usize>) -> bool {
    text.sentences.get(sentence_of(text, words)).is_some_and(|sentence| sentence.item.is_some())
}

/// "something to split bills"
fn has_purpose(text: &Text<'_>, words: &Range<usize>) -> bool {
    text.norm(words.start) == "something" && text.is_one_of(words.start + 1, "to that where like for")
}

fn names_app(text: &Text<'_>, words: &Range<usize>) -> bool {
    has_purpose(text, words) || words.clone().any(|at| text.has(at, APP) && !text.is_one_of(at, "one something"))
}

/// Not there yet: "the footer" is, and "everything".
fn is_new(text: &Text<'_>, words: &Range<usize>) -> bool {
    let article = words.clone().take(3).any(|at| text.has(at, INDEFINITE));
    let general = text.has(words.start, ANYTHING) && !text.has(words.start, APP);
    article || has_purpose(text, words) || !general && !text.has(words.start, DEFINITE)
}

/// Words that name a thing and say nothing of it.
fn is_name(text: &Text<'_>, words: &Range<usize>) -> bool {
    const SAID: Classes = MODAL
        | COPULA
        | NEGATED
        | BROKEN
        | CHAT
        | PERSON
        | PRONOUN
        | CONDITION
        | INTERROGATIVE
        | ANYTHING
        | VAGUE
        | SHARE
        | STYLE;
    let asked = text.sentences.get(sentence_of(text, words)).is_some_and(|sentence| sentence.asks);
    !asked && words.clone().take(8).all(|at| !text.has(at, SAID) || text.has(at, PART))
}
