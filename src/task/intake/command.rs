//! A stretch of words that begins with a verb: what the verb asks for.

use super::act::{Act, Reading};
use super::lexicon::*;
use super::opening::Mood;
use super::text::Text;
use super::token::Kind;
use super::{count, noun};
use std::ops::Range;

/// Verbs of several words, and what they ask for.
const PHRASES: &[(&str, Act)] = &[
    ("get rid of", Act::Remove),
    ("do away with", Act::Remove),
    ("take out", Act::Remove),
    ("take away", Act::Remove),
    ("take off", Act::Remove),
    ("throw out", Act::Remove),
    ("throw away", Act::Remove),
    ("no longer need", Act::Remove),
    ("rip out", Act::Remove),
    ("cut out", Act::Remove),
    ("strip out", Act::Remove),
    ("leave out", Act::Remove),
    ("cut down", Act::Modify),
    ("cut off", Act::Modify),
    ("clean up", Act::Modify),
    ("come up with", Act::Add),
    ("set up", Act::Add),
    ("bring back", Act::Add),
    ("throw in", Act::Add),
    ("put in", Act::Add),
    ("put together", Act::Add),
    ("make room for", Act::Modify),
    ("make use of", Act::Modify),
    ("make sure", Act::Modify),
    ("make it possible", Act::Add),
    ("scale", Act::Modify),
    ("hold on to", Act::Keep),
    ("stick with", Act::Keep),
    ("stick to", Act::Keep),
    ("sort out", Act::Fix),
    ("look into", Act::Fix),
    ("work on", Act::Modify),
    ("play around with", Act::Modify),
    ("deal with", Act::Modify),
    ("do something about", Act::Modify),
    ("do something with", Act::Modify),
    ("log in", Act::None),
];

/// Reads the words from `at` as a command, if they are one.
pub(super) fn read(text: &Text<'_>, at: usize, range: &Range<usize>, mood: Mood) -> Option<Reading> {
    if let Some((phrase, act)) = PHRASES.iter().find(|(phrase, _)| text.after(at, phrase).is_some()) {
        let object = text.after(at, phrase)?;
        return Some(Reading { act: *act, object, ..Reading::at(at) }).filter(|_| *act != Act::None);
    }
    if text.is_one_of(at, "take throw pull get kick")
        && (at + 1..(at + 8).min(range.end)).any(|at| text.is_one_of(at, "out away off") && !text.has(at + 1, DEFINITE))
    {
        return Some(Reading { act: Act::Remove, object: at + 1, ..Reading::at(at) });
    }
    if !is_verb(text, at, range, mood) {
        return None;
    }
    let mut object = at + 1;
    while text.is_one_of(object, "me us out up down also just only please then again in") && object < range.end {
        // "add in" and "clean up" have particles; "put in the footer" has a place.
        if text.is_one_of(object, "in") && !text.has(at, ADD) {
            break;
        }
        object += 1;
    }
    let act = act(text, at, object, range);
    Some(Reading { act, object, ..Reading::at(at) })
}

/// Whether a command begins here: a verb in its base form, and something that it is done to.
fn is_verb(text: &Text<'_>, at: usize, range: &Range<usize>, mood: Mood) -> bool {
    if !text.has(at, COMMAND) {
        return mood != Mood::Wished && is_unknown_verb(text, at, mood);
    }
    if text.has(at, INFLECTED) {
        return mood == Mood::Asked && text.norm(at).ends_with("ing");
    }
    if mood == Mood::Asked {
        return true;
    }
    if mood == Mood::Wished || text.is_mark(at + 1) && text.norm(at + 1) == "-" {
        return false;
    }
    let next = at + 1;
    if next >= range.end {
        return text.norm(at) != "have" && (!text.has(at, NOUNISH) || text.norm(next) == ":");
    }
    if noun::begins(text, next) || text.is_one_of(next, "to from up down out") && text.norm(at) != "have" {
        return true;
    }
    // "Search is broken" and "Delete does nothing" say what a thing does; "edit button" is one.
    let label = text.has(next, COPULA | NEGATED | MODAL)
        || {
            let third = text.norm(next).ends_with('s');
            third
                && (text.has(next, BROKEN)
                    || text.has(next, BEHAVE) && text.has(next, INFLECTED) && text.has(at, NOUNISH))
        }
        || text.is_one_of(
            next,
            "does do did has works work working button icon option feature functionality mode \
                                 bar",
        );
    !label
        && (!text.has(at, NOUNISH)
            || !text.has(range.start.wrapping_sub(1), AND)
            || text.has(next, STYLE | PART | COMPARATIVE))
}

/// A word that is in no list, before "the": "declutter the header".
fn is_unknown_verb(text: &Text<'_>, at: usize, mood: Mood) -> bool {
    let word = text.norm(at);
    if let Some((_, verb)) = word.rsplit_once('-') {
        // "right-align the button"
        let classes = look_up(verb);
        return classes & COMMAND != 0 && classes & INFLECTED == 0 && text.has(at + 1, DEFINITE);
    }
    let particle = usize::from(text.is_one_of(at + 1, "out up down"));
    if particle == 1
        && text.has(at + 2, DEFINITE)
        && text.kind(at) == Some(Kind::Word)
        && !text.has(at, PERSON | PRONOUN | CHAT | DEFINITE | PREPOSITION | INFLECTED)
    {
        return true;
    }
    let base = !["s", "ing", "ed", "ly"].iter().any(|ending| word.ends_with(ending)) && word.len() > 2;
    let known = text.has(at, !(NOUNISH | PART | APP | PERSON | UNIT | HARM | BEHAVE | STEER))
        || text.has(at, PERSON) && text.is_one_of(at, "i you we");
    let them = text.is_one_of(at + 1, "it them")
        && (text.is_one_of(at + 2, "up down out off in to a")
            || text.has(at + 2, COMPARATIVE | ADJECTIVE | PREPOSITION)
            || text.kind(at + 2).is_none_or(|kind| kind == Kind::Mark));
    let thing = text.has(at + 1, DEFINITE | INDEFINITE)
        || them
        || mood == Mood::Asked && text.kind(at + 1) == Some(Kind::Word) && !text.has(at, INFORM);
    text.kind(at) == Some(Kind::Word)
        && base
        && !known
        && thing
        && !(text.norm(at) == "do" && !text.has(at + 1, INDEFINITE))
        && !text
            .is_one_of(at, "not forget had got theres hope guess love like hate see find thank notice remember than")
}

/// What a verb asks for, given what it is done to.
fn act(text: &Text<'_>, verb: usize, object: usize, range: &Range<usize>) -> Act {
    let phrase = object..noun::end(text, object, range.end);
    let style = text.has(noun::head(text, &phrase), STYLE);
    let indefinite = noun::is_new(text, object);
    let word = text.norm(verb);
    match word {
        "make" | "mach" | "mache" | "haz" | "fais" | "making" => made(text, object, range),
        "give" | "giving" => given(text, object, range),
        "have" => {
            if indefinite || !text.has(object, DEFINITE | PRONOUN) {
                Act::Add
            } else {
                Act::Modify
            }
        }
        "put" | "place" if text.is_one_of(object, "them it") => Act::Modify,
        "put" | "place" | "show" | "display" | "insert" | "setze" | "pon" => {
            if indefinite && !is_conversion(text, object, range) { Act::Add } else { Act::Modify }
        }
        "write" | "draft" | "schreibe" if text.has(object, NEW) && text.has(noun::head(text, &phrase), COPY) => {
            Act::Modify
        }
        "drop" | "throw" | "toss" if indefinite => Act::Add,
        "cut" if text.find(object..range.end, "in half|down|short|to").is_some() => Act::Modify,
        "lose" | "scratch" | "cut" | "dump" if !text.has(object, DEFINITE) && !text.has(object, PART) => Act::Modify,
        "turn" | "switch" if indefinite => Act::Modify,
        "leave" | "laisse" if indefinite => Act::Add,
        "keep" if text.is_one_of(object, "in it to up going") => Act::Modify,
        "use" if text.has(object, INDEFINITE) && text.find(object..range.end, "instead").is_none() && !style => {
            Act::Modify
        }
        "design" | "draft" | "craft" | "write" | "schreibe"
            if !indefinite && text.has(object, DEFINITE) && !text.has(phrase.end, PREPOSITION) =>
        {
            Act::Modify
        }
        _ if text.has(verb, FIX) => {
            if is_taste(text, &phrase) {
                Act::Modify
            } else {
                Act::Fix
            }
        }
        _ if text.has(verb, KEEP) => Act::Keep,
        _ if text.has(verb, ENABLE) && !text.has(verb, MODIFY) => Act::Add,
        _ if text.has(verb, REMOVE) => Act::Remove,
        _ if text.has(verb, ADD) && !text.has(verb, MODIFY) => {
            // More space is a change of what is there.
            if style && !noun::is_counted(text, object) && !text.has(object, INDEFINITE) && is_space(text, &phrase) {
                Act::Modify
            } else {
                Act::Add
            }
        }
        "enable" | "link" | "duplicate" | "clone" if indefinite => Act::Add,
        "extend" | "expand" | "increase" | "bump" | "raise" | "bring"
            if count::asks_for_more(text, &(object..range.end)) =>
        {
            Act::Add
        }
        _ if text.find(object..range.end, "number of|amount of").is_some()
            && count::asks_for_more(text, &(object..range.end)) =>
        {
            Act::Add
        }
        _ if indefinite && !text.has(verb, COMMAND) => Act::Add,
        _ => Act::Modify,
    }
}

/// "make a page" makes a new thing, "make the page darker" changes one.
fn made(text: &Text<'_>, object: usize, range: &Range<usize>) -> Act {
    let new = noun::is_new(text, object) && !text.is_one_of(object + 1, "of");
    let counted = noun::is_counted(text, object) && !text.is_one_of(object + 1, "of");
    if (new || counted) && !is_conversion(text, object, range) { Act::Add } else { Act::Modify }
}

/// "give the button a shadow" changes its look, "give each card a price" adds to it.
fn given(text: &Text<'_>, object: usize, range: &Range<usize>) -> Act {
    let gift = (object + 1..range.end).find(|at| text.has(*at, INDEFINITE) || noun::is_counted(text, *at));
    match gift {
        Some(gift) => {
            let head = noun::head(text, &(gift..noun::end(text, gift, range.end)));
            let restyled = text.has(head, STYLE | ADJECTIVE)
                || text.has(gift + 1, COMPARATIVE)
                || text.is_one_of(
                    head,
                    "makeover facelift refresh redesign update boost polish lift effect hover \
                                         name title outline line glow",
                );
            if restyled { Act::Modify } else { Act::Add }
        }
        None => Act::Modify,
    }
}

/// "into …", "instead of …".
fn is_conversion(text: &Text<'_>, object: usize, range: &Range<usize>) -> bool {
    text.find(object..range.end, "into|instead of|instead").is_some()
}

/// Nothing is broken about a tone or a style that somebody dislikes.
fn is_taste(text: &Text<'_>, object: &Range<usize>) -> bool {
    object.clone().any(|at| {
        text.is_one_of(
            at,
            "tone wording style voice vibe feel look copy phrasing mood aesthetic palette writing \
                            language grammar-wise",
        ) && !object.clone().any(|at| text.has(at, BROKEN) || text.is_one_of(at, "toggle switch switcher"))
    })
}

fn is_space(text: &Text<'_>, object: &Range<usize>) -> bool {
    text.is_one_of(
        noun::head(text, object),
        "padding margin margins spacing space whitespace contrast room air color colour focus",
    )
}

/// Languages that put the verb last: "ein Feld hinzufügen", "die Galerie so lassen".
pub(super) fn last_verb(text: &Text<'_>, at: usize, range: &Range<usize>) -> Option<Reading> {
    const INFINITIVES: &[(Act, &str)] = &[
        (Act::Add, "hinzufugen einfugen erganzen erstellen bauen einbauen anlegen"),
        (
            Act::Modify,
            "andern machen anpassen umbenennen verschieben ersetzen ubersetzen tauschen austauschen vergrossern \
             verkleinern umgestalten",
        ),
        (Act::Remove, "entfernen loschen streichen rausnehmen herausnehmen weglassen"),
        (Act::Fix, "reparieren beheben korrigieren fixen"),
        (Act::Keep, "lassen behalten belassen"),
    ];
    let found = (at + 1..range.end)
        .filter(|verb| text.norm(verb - 1) != "nicht")
        .find_map(|verb| INFINITIVES.iter().find(|(_, words)| text.is_one_of(verb, words)));
    found.map(|(act, _)| Reading { act: *act, ..Reading::at(at) })
}

/// "don't …": what must not be done, or what is not needed.
pub(super) fn negated(text: &Text<'_>, at: usize, range: &Range<usize>) -> Option<Reading> {
    let next = text.after_any(
        at,
        "dont|do not|never|must not|should not|no need to|dont you dare|please dont|avoid|not to|not|nicht|ne|no",
    )?;
    let forbidding = !text.is_one_of(at, "not nicht no");
    if text.is_one_of(next, "need want require") && forbidding {
        let definite = text.has(next + 1, DEFINITE | PRONOUN);
        let over = text.find(next..range.end, "anymore|any more|any longer|now").is_some();
        let act = if definite || over { Act::Remove } else { Act::Fragment };
        return Some(Reading { act, object: next + 1, ..Reading::at(at) });
    }
    let kept = text.has(next, HARM | ADD | MODIFY | REMOVE) && (forbidding || text.kind(next) == Some(Kind::Word));
    let act = if !kept || text.is_one_of(at, "no") && !text.has(next, HARM) { Act::Fragment } else { Act::Forbid };
    (forbidding || act == Act::Forbid).then(|| Reading { act, object: next + 1, ..Reading::at(at) })
}
