//! What cannot be told: new things or changed ones, this or its opposite, what at all.

use super::act::Act;
use super::clause::Clause;
use super::lexicon::*;
use super::noun;
use super::opening::Mood;
use super::text::Text;
use super::token::Kind;
use std::ops::Range;

/// More clauses than this are not held against each other.
const COMPARED: usize = 48;

/// Whether these words could mean new things as well as changed or removed ones.
pub(super) fn is_ambiguous(text: &Text<'_>, words: &Range<usize>, mood: Mood) -> bool {
    is_partial_conversion(text, words)
        || is_more_for(text, words, mood)
        || has_alternatives(text, words)
        || is_errand(text, words)
}

/// "make some of the cards into quotes": which ones, or new ones?
fn is_partial_conversion(text: &Text<'_>, words: &Range<usize>) -> bool {
    // "at least a third of the menu should be vegan"
    let fraction = (words.start..(words.start + 4).min(words.end)).any(|at| {
        let part = text.has(at, SHARE)
            || text.number(at).is_some()
            || text.is_one_of(at, "third quarter fifth percent tenth")
            || text.norm(at).ends_with('%');
        part && text.norm(at + 1) == "of" && text.has(at + 2, DEFINITE | PRONOUN)
    });
    let ought = words.clone().any(|at| text.has(at, MODAL) && text.norm(at + 1) == "be");
    if fraction
        && ought
        && !words
            .clone()
            .any(|at| text.has(at, BROKEN | NEGATED) || text.has(at, REMOVE | FIX) && text.has(at, INFLECTED))
    {
        return true;
    }
    let article = usize::from(text.has(words.start, INDEFINITE));
    let becomes = words
        .clone()
        .any(|at| text.is_one_of(at, "become") || text.has(at, MODAL) && text.is_one_of(at + 1, "be become turn"));
    if text.has(words.start + article, SHARE) && (text.norm(words.start + article + 1) == "of" || becomes) {
        // "some of the cards should be quotes"
        return words.clone().any(|at| text.has(at, MODAL))
            && !words.clone().any(|at| text.has(at, BROKEN | NEGATED | REMOVE));
    }
    if !text.has(words.start, MODIFY | ADD) && text.norm(words.start) != "have" {
        return false;
    }
    let of = (words.start + 1..(words.start + 5).min(words.end)).find(|at| text.has(*at, SHARE));
    let Some(share) = of else { return false };
    let whole = share + 1 + usize::from(text.norm(share + 1) == "of");
    let existing = text.norm(share + 1) == "of" || text.has(whole, DEFINITE | PRONOUN | EXISTING);
    let becomes = text.find(whole..words.end, "into|to|for|be|as|a|with").is_some() || text.has(words.start, CREATE);
    existing && becomes && (text.has(words.start, CREATE) || !text.has(words.start, ADD))
}

/// "more for nighttime": more of what?
fn is_more_for(text: &Text<'_>, words: &Range<usize>, mood: Mood) -> bool {
    let at = words.start;
    let plain = mood == Mood::Plain && text.is_one_of(at, "more mehr mas plus")
        || mood == Mood::Wished && text.is_one_of(at, "more mehr mas");
    if !plain {
        return false;
    }
    let name = at + 1..noun::end(text, at + 1, words.end);
    let qualities = mood == Mood::Wished
        && (at + 1..words.end).take_while(|at| text.has(*at, ADJECTIVE | AND)).count() > 0
        && (at + 1..words.end)
            .find(|at| !text.has(*at, ADJECTIVE | AND))
            .is_none_or(|next| text.has(next, PREPOSITION | FILLER));
    if qualities {
        return !name.is_empty();
    }
    let to = text.is_one_of(at + 1, "for in on at fur pour para of from about");
    let thing = noun::end(text, at + 1, words.end);
    let elliptic = mood == Mood::Plain && text.is_one_of(thing, "for fur pour para") && thing > at + 1;
    (to || elliptic) && words.len() > 2
}

/// "add or replace", "either this or that".
fn has_alternatives(text: &Text<'_>, words: &Range<usize>) -> bool {
    let verb = |at: usize| {
        [ADD, MODIFY & !ADD, REMOVE, KEEP].into_iter().position(|class| text.has(at, class) && !text.has(at, INFLECTED))
    };
    let either = words.clone().find(|at| text.norm(*at) == "or").is_some_and(|or| {
        let after = or + 1 + usize::from(text.is_one_of(or + 1, "just maybe simply rather"));
        let first = verb(words.start + usize::from(text.norm(words.start) == "either"));
        let differs = verb(after).is_some_and(|second| first.is_some_and(|first| first != second));
        let begins = noun::begins(text, after + 1)
            || text.is_one_of(or - 1, "add change replace remove keep modify update")
            || text.norm(words.start) == "either";
        differs && begins && !(text.has(after, NOUNISH) && !noun::begins(text, after + 1))
    });
    let undecided = words.len() <= 4
        && text.after_any(words.start, "not sure|unsure|undecided|idk|i am not sure|im not sure|i dont know").is_some();
    let opens = text.norm(words.start) == "or"
        && text.is_one_of(words.start + 1, "maybe perhaps we should just")
        && words.len() > 2;
    if undecided || opens {
        return true;
    }
    let unsure = "not sure if|not sure whether|not sure what|not sure which|not sure how|dont know if|dont know \
                  whether|dont know what|cant decide|could go either way";
    either || text.find(words.clone(), &unsure).is_some()
}

/// "do something with the footer".
fn is_errand(text: &Text<'_>, words: &Range<usize>) -> bool {
    text.after_any(words.start, "do something|do sth|deal with|work on|play around with|handle|mach was").is_some()
        && text.find(words.clone(), "so that|because").is_none()
}

/// Whether a request names nothing that could be worked on: "make it better", "it doesn't work".
pub(super) fn is_vague(text: &Text<'_>, clause: &Clause) -> bool {
    let verb = match clause.act {
        Act::Bug => clause.range.start..clause.range.start,
        Act::Modify | Act::Fix | Act::Add | Act::App if clause.object > clause.verb => clause.verb..clause.object,
        Act::Modify | Act::Fix | Act::Add | Act::App => clause.range.start..clause.range.start,
        _ => return false,
    };
    // A statement's verb stands behind what it is about.
    let verb = if text.has(clause.verb, COMMAND) { verb } else { clause.range.start..clause.range.start };
    let empty = ANYTHING
        | DEFINITE
        | PRONOUN
        | VAGUE
        | FILLER
        | AND
        | COPULA
        | INDEFINITE
        | COMPARATIVE
        | CHAT
        | MODAL
        | NEGATED
        | PERSON;
    clause.range.clone().filter(|at| !verb.contains(at)).all(|at| match text.kind(at) {
        Some(Kind::Mark | Kind::Number(_)) => true,
        Some(Kind::Word) => {
            let says = "very much lot way really kinda sort of somehow some any used like love hate es funktioniert \
                        nicht geht mehr alles irgendwas il ca marche pas rien no funciona nada since yesterday today broke last week update change morning working work works worked broken wrong buggy failing fails fail off weird \
                        with to up for me us bit at in on do does happens happening nothing none properly anymore \
                        make get look looks be been not no feel seems see";
            text.has(at, empty) && !text.has(at, REMOVE) || text.is_one_of(at, says)
        }
        _ => false,
    })
}

/// A new app that shall have what it shall not have: "a page with a search … no search box".
pub(super) fn denies_itself(text: &Text<'_>, clauses: &[Clause]) -> bool {
    let denied = (0..text.len())
        .filter(|at| text.is_one_of(*at, "no without") && text.kind(at + 1) == Some(Kind::Word))
        .take(COMPARED);
    denied.into_iter().any(|no| {
        let name = no + 1..noun::end(text, no + 1, (no + 4).min(text.len()));
        clauses
            .iter()
            .take(COMPARED)
            .filter(|clause| matches!(clause.act, Act::Add | Act::App) && !clause.range.contains(&no))
            .any(|clause| {
                let head = noun::head(text, &(clause.object..noun::end(text, clause.object, clause.range.end)));
                name.clone().any(|at| noun::same(text.norm(at), text.norm(head)))
            })
    })
}

/// Two clauses that cannot both be done: all of a thing stays, and some of it goes; a thing is added and is not wanted.
pub(super) fn contradiction<'c>(text: &Text<'_>, clauses: &'c [Clause]) -> Option<(&'c Clause, &'c Clause)> {
    let clauses = clauses.get(..COMPARED.min(clauses.len())).unwrap_or_default();
    if let Some(clause) = clauses.iter().find(|clause| clause.act == Act::Modify && opposed(text, clause, clause)) {
        return Some((clause, clause));
    }
    clauses.iter().enumerate().find_map(|(index, first)| {
        let others = clauses.iter().skip(index + 1);
        others.into_iter().find(|second| contradicts(text, first, second)).map(|second| (first, second))
    })
}

fn contradicts(text: &Text<'_>, first: &Clause, second: &Clause) -> bool {
    if let (Act::Remove, Act::Add | Act::Modify) | (Act::Add | Act::Modify, Act::Remove) = (first.act, second.act) {
        let (gone, other) = if first.act == Act::Remove { (first, second) } else { (second, first) };
        if goes_on(text, gone, other) {
            return true;
        }
    }
    let (kept, other) = match (first.act, second.act) {
        (Act::Keep, _) => (first, second),
        (_, Act::Keep) => (second, first),
        (Act::Add, Act::Remove) | (Act::Remove, Act::Add) => {
            return same_thing(text, first, second) && !is_exchange(text, first, second);
        }
        (Act::Modify, Act::Modify) => return same_thing(text, first, second) && opposed(text, first, second),
        _ => return false,
    };
    let takes = other.act == Act::Remove
        || other.act == Act::Modify
            && text.is_one_of(other.verb, "swap replace convert turn exchange substitute transform cut");
    let elsewhere = kept.range.clone().any(|at| text.is_one_of(at, "rest others other else") || text.has(at, BROKEN));
    let partial = other.range.clone().any(|at| text.is_one_of(at, "them it those its their"));
    takes
        && !elsewhere
        && (same_thing(text, kept, other)
            || partial
                && other.range.start >= kept.range.end
                && text
                    .find(
                        kept.range.clone(),
                        "all|every|everything|each|exactly|unchanged|untouched|as it is|as is|as they are",
                    )
                    .is_some())
}

/// "remove the cart" and "add a field to the cart".
fn goes_on(text: &Text<'_>, gone: &Clause, other: &Clause) -> bool {
    let name = gone.object..noun::end(text, gone.object, gone.range.end);
    let head = noun::head(text, &name);
    let whole = text.has(gone.object, DEFINITE) && !text.has(name.end, PREPOSITION) && head > gone.object;
    let length = head - gone.object;
    let replaced =
        gone.range.clone().chain(other.range.clone()).any(|at| text.is_one_of(at, "instead place replacement"));
    whole
        && !replaced
        && other.range.clone().any(|at| {
            let end = at + length + 1;
            let alone = text.kind(end) != Some(Kind::Word)
                || end >= other.range.end
                || text.has(end, PREPOSITION | AND | FILLER | COMPARATIVE);
            text.has(at, DEFINITE)
                && alone
                && (1..=length).all(|offset| noun::same(text.norm(at + offset), text.norm(gone.object + offset)))
        })
}

/// Both are about things of one name.
fn same_thing(text: &Text<'_>, first: &Clause, second: &Clause) -> bool {
    let name = |clause: &Clause| {
        let end = noun::end(text, clause.object, clause.range.end);
        noun::head(text, &(clause.object..end))
    };
    let (left, right) = (name(first), name(second));
    noun::same(text.norm(left), text.norm(right)) && {
        // "the blue button" and "the red button" are two; "the button" may be either.
        let (a, b) = (text.norm(left.saturating_sub(1)), text.norm(right.saturating_sub(1)));
        let plain = |at: usize| {
            text.has(at.saturating_sub(1), DEFINITE | INDEFINITE | EXISTING | COMMAND)
                || text.number(at.saturating_sub(1)).is_some()
                || text.kind(at.saturating_sub(1)) != Some(Kind::Word)
        };
        a == b || plain(left) && plain(right)
    }
}

/// "remove the old map and add a new one" exchanges it.
fn is_exchange(text: &Text<'_>, first: &Clause, second: &Clause) -> bool {
    [first, second].into_iter().any(|clause| {
        clause
            .range
            .clone()
            .any(|at| text.has(at, NEW | EXISTING | SHARE) || text.number(at).is_some() || text.norm(at) == "from")
    }) || first.range.clone().chain(second.range.clone()).any(|at| text.is_one_of(at, "to in on from"))
}

/// "bigger" against "smaller".
fn opposed(text: &Text<'_>, first: &Clause, second: &Clause) -> bool {
    const PAIRS: &[(&str, &str)] = &[
        ("bigger", "smaller"),
        ("larger", "smaller"),
        ("darker", "lighter"),
        ("darker", "brighter"),
        ("longer", "shorter"),
        ("wider", "narrower"),
        ("higher", "lower"),
        ("bolder", "softer"),
        ("hide", "show"),
        ("enable", "disable"),
    ];
    let says = |clause: &Clause, word: &str| clause.range.clone().any(|at| text.norm(at) == word);
    PAIRS.iter().any(|(one, other)| says(first, one) && says(second, other) || says(first, other) && says(second, one))
}
