//! Sentences split into clauses: stretches that each request or state one thing.

use super::lexicon::*;
use super::tokens::{Kind, Text};
use std::ops::Range;

/// One stretch of a sentence.
#[derive(Debug, Clone)]
pub(super) struct Clause {
    pub words: Range<usize>,
    /// Where the content starts, after "please", "can you" and the like.
    pub core: usize,
    /// "I want", "can we have": what follows names a thing.
    pub is_wish: bool,
    pub asks: bool,
    pub is_item: bool,
    pub is_pasted: bool,
    /// First of its sentence.
    pub opens: bool,
    pub opens_paragraph: bool,
    /// Its sentence ends with a colon.
    pub heads: bool,
}

/// Lead-ins of a request: a verb follows.
const REQUESTS: &str = "can you|could you|would you mind|would you|will you|can u|could u|can we|could we|i want you to|\
     i would like you to|i need you to|id like you to|i want to be able to|i want to|we want to|i would like to|\
     i would love to|id like to|id love to|we would like to|wed like to|i need to|we need to|we should|\
     you should|you must|you can|you could|you may|lets|let us|dont forget to|remember to|make sure to|\
     make sure that|make sure|go ahead and|try to|help me to|help me|it would be great if you could|\
     it would be nice if you could|would it be possible to|is it possible to|it would be great to|\
     it would be nice to|would be great to|i think we should|you to|us to|to be able to|look into why|\
     by the way|while youre at it|while you are at it|while youre there|when you are in there|\
     when youre in there|while you fix that|while there|what bugs me is|want to|need to|able to|put together";
/// Lead-ins of a wish: a thing follows.
const WISHES: &str = "can we have|can we get|could we have|could we get|can i have|can i get|could i get|may we have|\
     i want to have|i would like to have|id like to have|i would love to have|id love to have|we need to have|\
     i also want|i also need|we also need|what we do need is|what i want is|what we need is|all i want is|\
     i really want|i really need|i want|we want|i need|we need|i would like|id like|we would like|wed like|\
     i would love|id love|i wish for|id prefer|i would prefer|how about|what about|you need|there should be|\
     there needs to be|there must be|there could be|there has to be|we could use|could use|\
     it would be great to have|would be great to have|it would be nice to have|would be nice to have|it needs|\
     it should have|it must have|must have|should have|i am looking for|im looking for|looking for|\
     i am thinking of|im thinking of|they want|she wants|he wants|he also wants|she also wants|need|want|\
     instead i want";

/// What starts a subordinate clause, which does not end before its main clause.
const CONDITIONS: &str = "when if while after once because since before as until";

/// Words of a label before a colon.
const LABEL: usize = 8;

/// The clauses of a message.
pub(super) fn clauses(text: &Text<'_>) -> Vec<Clause> {
    let mut clauses = Vec::new();
    for sentence in &text.sentences {
        let mut opens = true;
        for words in split(text, &sentence.tokens) {
            let (core, is_wish) = match sentence.is_pasted {
                true => (words.start, false),
                false => core(text, &words),
            };
            clauses.push(Clause {
                core,
                is_wish,
                asks: sentence.asks,
                is_item: sentence.is_item,
                is_pasted: sentence.is_pasted,
                opens,
                opens_paragraph: sentence.opens_paragraph && opens,
                heads: sentence.heads,
                words,
            });
            opens = false;
        }
    }
    clauses
}

/// Splits a sentence where a new clause starts, outside of brackets.
fn split(text: &Text<'_>, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut at, mut depth) = (sentence.start, sentence.start, 0_usize);
    // The present clause has a predicate: with another one, a new clause starts.
    let mut is_complete = is_clause(text, &(start..next_separator(text, start, sentence.end)));
    while at < sentence.end {
        match text.norm(at) {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let end = at;
        while depth == 0 && at < sentence.end && is_separator(text, at) {
            at += 1;
        }
        if at == end {
            at += 1;
            continue;
        }
        let part = at..next_separator(text, at, sentence.end);
        let joins = at == sentence.end || end == start;
        // Directly after the colon of a label ("schedule: move lunch") the clause goes on.
        let strong = command(text, part.start, part.end) & !NOUNISH != 0
            || core(text, &part).0 > part.start && command(text, core(text, &part).0, part.end) != 0;
        let waits = text.is(start, CONDITIONS);
        let opens = !joins
            && part.len() > 1
            && is_clause(text, &part)
            && (is_complete || text.norm(end) == "-" || strong && !waits);
        if opens {
            parts.push(start..end);
            start = at;
        }
        is_complete |= is_clause(text, &part);
    }
    if start < sentence.end {
        parts.push(start..sentence.end);
    }
    parts
}

pub(super) fn is_separator(text: &Text<'_>, at: usize) -> bool {
    text.has(at, AND) || text.is(at, ", - but then also so while") && text.after(at, "so that|while you").is_none()
}

fn next_separator(text: &Text<'_>, from: usize, end: usize) -> usize {
    let mut depth = 0_usize;
    for at in from..end {
        match text.norm(at) {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ if depth == 0 && is_separator(text, at) => return at,
            _ => {}
        }
    }
    end
}

/// Whether the words have a verb that requests, or a subject with its predicate.
fn is_clause(text: &Text<'_>, words: &Range<usize>) -> bool {
    // "schedule: move lunch"
    let colon = words.clone().skip(1).take(LABEL).find(|at| text.norm(*at) == ":");
    is_plain_clause(text, words)
        || colon.is_some_and(|colon| colon + 2 < words.end && is_plain_clause(text, &(colon + 1..words.end)))
}

fn is_plain_clause(text: &Text<'_>, words: &Range<usize>) -> bool {
    let (core, is_wish) = core(text, words);
    let started = core > words.start && text.after(words.start, REQUESTS).is_some();
    is_wish
        || started
        || command(text, core, words.end) != 0
        || is_prohibition(text, core)
        || predicate(text, &(core..words.end)).is_some() && !text.is(core, CONDITIONS) && !text.is(core, "with for")
        || text.has(core, PREPOSITION)
            && !text.is(core, CONDITIONS)
            && (core + 1..words.end).any(|at| {
                command(text, at, words.end) != 0 && !text.has(at.wrapping_sub(1), DEFINITE | INDEFINITE | PREPOSITION)
            })
}

/// Where the content starts, and whether a wish leads in.
fn core(text: &Text<'_>, words: &Range<usize>) -> (usize, bool) {
    let (mut at, mut is_wish) = (words.start, false);
    while at < words.end {
        let after_wish = text.after(at, WISHES).filter(|end| *end < words.end);
        let after_request = text.after(at, REQUESTS).filter(|end| *end < words.end);
        if let Some(end) = after_request {
            at = end;
        } else if let Some(end) = after_wish
            && !(text.is(at, "need want") && at > words.start)
        {
            (at, is_wish) = (end, true);
        } else if (text.has(at, FILLER) || text.has(at, CHAT) && at == words.start && text.norm(at + 1) == ",")
            && !text.is(at, "first lot bit quite")
            || text.kind(at) == Some(Kind::Mark) && !text.is(at, "( [ <")
        {
            at += 1;
        } else {
            break;
        }
    }
    (at.min(words.end.saturating_sub(1)).max(words.start), is_wish)
}

/// The classes of the verb that commands at a place; 0 where there is none.
pub(super) fn command(text: &Text<'_>, at: usize, end: usize) -> Classes {
    let verb = text.has(at, COMMAND) && !text.has(at, INFLECTED) && text.is_word(at) && at < end;
    let last = at + 1 == end;
    // "filter by price" commands, "filter bar" does not.
    let names = text.has(at, NOUNISH)
        && !(text.has(at + 1, DEFINITE | INDEFINITE | PRONOUN | EXISTING | NEW | SHARE)
            || text.number(at + 1).is_some()
            || matches!(text.kind(at + 1), Some(Kind::Quote | Kind::Path))
            || text.is(at + 1, "by to up")
            || is_plural(text.norm(at + 1)) && !text.has(at + 1, INFLECTED)
            || text.is(
                at,
                "show use move put turn set give write hide call swap switch move have update change drop cut",
            ));
    let is_noun = text.has(at + 1, MODAL | COPULA | BROKEN)
        || text.norm(at + 1) == ":" && text.has(at, NOUNISH)
        || last && text.has(at, NOUNISH);
    if verb && !names && !is_noun { classes_of(text, at) } else { 0 }
}

fn classes_of(text: &Text<'_>, at: usize) -> Classes {
    [ADD, CREATE, MODIFY, FIX, REMOVE, KEEP, ENABLE, GENERIC].into_iter().filter(|class| text.has(at, *class)).sum()
}

pub(super) fn is_plural(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s') && !word.ends_with("ss")
}

/// "don't touch", "do not change", "without changing".
pub(super) fn is_prohibition(text: &Text<'_>, at: usize) -> bool {
    let verb = if text.after(at, "do not").is_some() { at + 2 } else { at + 1 };
    text.is(at, "dont never without not do") && (verb == at + 2 || text.norm(at) != "do") && {
        let verb = if text.is(verb, "ever you please") { verb + 1 } else { verb };
        text.has(verb, TOUCH | COMMAND | BEHAVE)
    }
}

/// Where the predicate of a statement is: "is", "should", "doesn't", "opens". Relative clauses do not count.
pub(super) fn predicate(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    // The verb of a relative clause is not the predicate.
    let mut relatives = 0_usize;
    words.clone().take_while(|at| !(text.is(*at, "so where") && *at > words.start)).find(|at| {
        let at = *at;
        if text.is(at, "that which who") && at > words.start {
            relatives += 1;
            return false;
        }
        let is_verb = at > words.start
            && (text.has(at, MODAL | NEGATED) && !text.is(at, "need no not") && text.norm(at) != "never"
                || text.is(at,
                    "is are was were has have looks feels seems gets stays stay says remains becomes remain does do keeps isnt needs went go goes")
                || text.is(at,
                    "crashes fails breaks overlap overlaps disappear disappears vanish freezes flickers crashed stopped need left joined")
                || text.has(at, BEHAVE) && text.has(at, INFLECTED) && text.norm(at).ends_with('s') && !text.has(at + 1, COPULA | MODAL)
                    && at + 1 < words.end && !is_noun_here(text, at));
        if is_verb && relatives > 0 {
            relatives -= 1;
            return false;
        }
        is_verb
    })
}

/// "the links", "feature shows": a plural noun looks like a verb.
fn is_noun_here(text: &Text<'_>, at: usize) -> bool {
    text.has(at.wrapping_sub(1), DEFINITE | INDEFINITE | PREPOSITION & !PRONOUN | NEW | EXISTING)
        || text.has(at.wrapping_sub(1), COMMAND) && !text.has(at.wrapping_sub(1), NOUNISH)
        || text.kind(at.wrapping_sub(1)) == Some(Kind::Mark)
        || text.kind(at + 1) == Some(Kind::Mark) && text.norm(at + 1) != ":"
        || text.number(at.wrapping_sub(1)).is_some()
        || text.is(at, "links loads looks counts prints starts reads displays runs")
            && !text.has(at + 1, DEFINITE | INDEFINITE | PRONOUN | PREPOSITION)
}
