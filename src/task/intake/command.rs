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
    (
        "get rid of|do away with|take out|take away|take off|throw out|throw away|no longer need|rip out|cut out|\
         strip out|leave out",
        Act::Remove,
    ),
    ("come up with|set up|bring back|throw in|put in|put together|make it possible", Act::Add),
    ("cut down|cut off|clean up|make room for|make use of|make sure|scale|work on|play around with", Act::Modify),
    ("hold on to|stick with|stick to", Act::Keep),
    ("sort out|look into", Act::Fix),
];

/// Reads the words from `at` as a command, if they are one.
pub(super) fn read(text: &Text<'_>, at: usize, range: &Range<usize>, mood: Mood) -> Option<Reading> {
    let reading = |act, object| Some(Reading { act, object, ..Reading::at(at) });
    if let Some((object, act)) = PHRASES.iter().find_map(|(phrases, act)| Some((text.after_any(at, phrases)?, *act))) {
        return reading(act, object);
    }
    if makes_do(text, at, range.end) {
        return reading(Act::Modify, at + 1);
    }
    if takes_out(text, at, range.end) {
        return reading(Act::Remove, at + 1);
    }
    if !is_verb(text, at, range, mood) {
        return None;
    }
    // "add in" has a particle, "move in the footer" a place.
    let adds = text.has(at, ADD);
    let small = |at: usize| {
        text.is_one_of(at, "me us out up down also just only please then again") || adds && text.norm(at) == "in"
    };
    let object = (at + 1..range.end).find(|at| !small(*at)).unwrap_or(range.end);
    reading(act(text, at, object, range.end), object)
}

/// "get the form to send mails"
fn makes_do(text: &Text<'_>, at: usize, end: usize) -> bool {
    let mut near = at + 2..(at + 8).min(end);
    text.norm(at) == "get" && text.has(at + 1, DEFINITE) && near.any(|at| text.norm(at) == "to")
}

/// "take the logo out of the footer"
fn takes_out(text: &Text<'_>, at: usize, end: usize) -> bool {
    let mut near = at + 1..(at + 8).min(end);
    text.is_one_of(at, "take throw pull get kick")
        && near.any(|at| text.is_one_of(at, "out away off") && !text.has(at + 1, DEFINITE))
}

/// Whether a command begins here: a verb in its base form, and something that it is done to.
fn is_verb(text: &Text<'_>, at: usize, range: &Range<usize>, mood: Mood) -> bool {
    let next = at + 1;
    if !text.has(at, COMMAND) {
        return mood != Mood::Wished && is_unknown_verb(text, at, mood);
    }
    if mood == Mood::Asked {
        return !text.has(at, INFLECTED) || text.norm(at).ends_with("ing");
    }
    if text.has(at, INFLECTED) || mood == Mood::Wished || text.norm(next) == "-" {
        return false;
    }
    let nounish = text.has(at, NOUNISH);
    let have = text.norm(at) == "have";
    if next >= range.end {
        return !have && (!nounish || text.norm(next) == ":");
    }
    if noun::begins(text, next) || !have && text.is_one_of(next, "to from up down out") {
        return true;
    }
    // "edit button" and "a filter and sort menu" name things.
    let joined = text.has(range.start.wrapping_sub(1), AND);
    !is_said_of(text, next, nounish) && (!nounish || !joined || text.has(next, STYLE | PART | COMPARATIVE))
}

/// "Search is broken" and "Delete does nothing" say what a thing does that is called like a verb.
fn is_said_of(text: &Text<'_>, next: usize, nounish: bool) -> bool {
    const SAID: &str = "does do did has works work working button icon option feature functionality mode bar";
    let third = text.norm(next).ends_with('s');
    let acts = nounish && text.has(next, BEHAVE) && text.has(next, INFLECTED);
    text.has(next, COPULA | NEGATED | MODAL) || text.is_one_of(next, SAID) || third && (acts || text.has(next, BROKEN))
}

/// A word that is in no list, before "the": "declutter the header", "right-align the button", "grey out the card".
fn is_unknown_verb(text: &Text<'_>, at: usize, mood: Mood) -> bool {
    const NO_VERB: &str = "not forget had got theres hope guess love like hate see find thank notice remember than";
    const OPEN: Classes = NOUNISH | PART | APP | PERSON | UNIT | HARM | BEHAVE | STEER;
    let (word, next) = (text.norm(at), at + 1);
    if text.kind(at) != Some(Kind::Word) {
        return false;
    }
    if let Some((_, verb)) = word.rsplit_once('-') {
        let classes = look_up(verb);
        return classes & COMMAND != 0 && classes & INFLECTED == 0 && text.has(next, DEFINITE);
    }
    if text.is_one_of(next, "out up down") && text.has(next + 1, DEFINITE) {
        return !text.has(at, PERSON | PRONOUN | CHAT | DEFINITE | PREPOSITION | INFLECTED);
    }
    let base = word.len() > 2 && !["s", "ing", "ed", "ly"].iter().any(|ending| word.ends_with(ending));
    let known = text.has(at, !OPEN) || text.is_one_of(at, "i you we") || text.is_one_of(at, NO_VERB);
    let helps = word == "do" && !text.has(next, INDEFINITE);
    let asked = mood == Mood::Asked && text.kind(next) == Some(Kind::Word);
    base && !known && !helps && (asked || text.has(next, DEFINITE | INDEFINITE) || is_done_to_it(text, next))
}

/// "loosen it up"; but not "hope it works".
fn is_done_to_it(text: &Text<'_>, at: usize) -> bool {
    let next = at + 1;
    let ends = text.kind(next).is_none_or(|kind| kind == Kind::Mark);
    let goes_on =
        text.is_one_of(next, "up down out off in to a") || text.has(next, COMPARATIVE | ADJECTIVE | PREPOSITION);
    text.is_one_of(at, "it them") && (ends || goes_on)
}

/// What a verb asks for, given what it is done to.
fn act(text: &Text<'_>, verb: usize, object: usize, end: usize) -> Act {
    let name = object..noun::end(text, object, end);
    let head = noun::head(text, &name);
    let new = noun::is_new(text, object);
    let definite = text.has(object, DEFINITE);
    let says = |phrases: &str| text.find(object..end, phrases).is_some();
    let grows = || count::asks_for_more(text, &(object..end));
    let either = |first: bool, act: Act, other: Act| if first { act } else { other };
    match text.norm(verb) {
        "make" | "mach" | "mache" | "haz" | "fais" | "making" => {
            // "make that 25"
            let total =
                text.is_one_of(object, "it that them") && text.number(object + 1).is_some() && object + 2 >= end;
            either(total || new && text.norm(object + 1) != "of" && !says(CONVERSION), Act::Add, Act::Modify)
        }
        "exclude" | "omit" if says("from") => Act::Keep,
        "give" | "giving" => given(text, object, end),
        "have" => either(new || !text.has(object, DEFINITE | PRONOUN), Act::Add, Act::Modify),
        "put" | "place" | "show" | "display" | "insert" | "setze" | "pon" => {
            either(new && !says(CONVERSION), Act::Add, Act::Modify)
        }
        "write" | "draft" | "schreibe" if text.has(object, NEW) && text.has(head, COPY) => Act::Modify,
        "drop" | "throw" | "toss" | "leave" | "laisse" if new => Act::Add,
        "cut" if says("in half|down|short|to") => Act::Modify,
        "lose" | "scratch" | "cut" | "dump" if !definite && !text.has(object, PART) => Act::Modify,
        "turn" | "switch" if new => Act::Modify,
        "keep" if text.is_one_of(object, "in it to up going") => Act::Modify,
        "design" | "draft" | "craft" | "write" | "schreibe" if definite && !text.has(name.end, PREPOSITION) => {
            Act::Modify
        }
        _ if text.has(verb, FIX) => either(is_taste(text, &name), Act::Modify, Act::Fix),
        _ if text.has(verb, KEEP) => Act::Keep,
        _ if text.has(verb, ENABLE) && !text.has(verb, MODIFY) => Act::Add,
        _ if text.has(verb, REMOVE) => Act::Remove,
        // More space is a change of what is there.
        _ if text.has(verb, ADD) && !text.has(verb, MODIFY) => {
            either(is_space(text, object, head), Act::Modify, Act::Add)
        }
        "enable" | "link" | "duplicate" | "clone" if new => Act::Add,
        _ if text.is_one_of(verb, count::GROWING) && grows() => Act::Add,
        _ if says("number of|amount of") && grows() => Act::Add,
        _ => either(new && !text.has(verb, COMMAND), Act::Add, Act::Modify),
    }
}

/// What makes something of something that is there.
const CONVERSION: &str = "into|instead of|instead";

/// "give the button a shadow" changes its look, "give each card a price" adds to it.
fn given(text: &Text<'_>, object: usize, end: usize) -> Act {
    const RESTYLED: &str = "makeover facelift refresh redesign update boost polish lift effect hover name title \
                            outline \
                            line glow";
    let gift = (object + 1..end).find(|at| text.has(*at, INDEFINITE) || noun::is_counted(text, *at));
    let restyled = gift.is_none_or(|gift| {
        let head = noun::head(text, &(gift..noun::end(text, gift, end)));
        text.has(head, STYLE | ADJECTIVE) || text.has(gift + 1, COMPARATIVE) || text.is_one_of(head, RESTYLED)
    });
    if restyled { Act::Modify } else { Act::Add }
}

/// Nothing is broken about a tone or a style that somebody dislikes.
fn is_taste(text: &Text<'_>, name: &Range<usize>) -> bool {
    const TASTE: &str = "tone wording style voice vibe feel look copy phrasing mood aesthetic palette writing \
                         language";
    let any = |words: &str| name.clone().any(|at| text.is_one_of(at, words));
    any(TASTE) && !any("toggle switch switcher") && !name.clone().any(|at| text.has(at, BROKEN))
}

fn is_space(text: &Text<'_>, object: usize, head: usize) -> bool {
    const SPACE: &str = "padding margin margins spacing space whitespace contrast air color colour focus";
    !noun::is_counted(text, object) && !text.has(object, INDEFINITE) && text.is_one_of(head, SPACE)
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
    let mut verbs = (at + 1..range.end).filter(|verb| text.norm(verb - 1) != "nicht");
    let found = verbs.find_map(|verb| INFINITIVES.iter().find(|(_, words)| text.is_one_of(verb, words)));
    found.map(|(act, _)| Reading { act: *act, ..Reading::at(at) })
}

/// "don't …": what must not be done, or what is not needed.
pub(super) fn negated(text: &Text<'_>, at: usize, range: &Range<usize>) -> Option<Reading> {
    const FORBIDDING: &str = "dont|do not|never|must not|should not|no need to|avoid|ne";
    // "We don't need the map any more": what somebody does not want otherwise is often a way of saying something else.
    const NO_LONGER: &str = "i dont|we dont|i do not|we do not";
    let unwanted = text.after_any(at, NO_LONGER).filter(|next| text.is_one_of(*next, "need want require"));
    if let Some(next) = unwanted
        && text.find(next..range.end, "anymore|any more|any longer").is_some()
        && text.find(next..range.end, "to").is_none()
    {
        return Some(Reading { act: Act::Remove, object: next + 1, ..Reading::at(at) });
    }
    let (next, forbids) = match text.after_any(at, FORBIDDING) {
        Some(next) => (next, true),
        None => (text.after_any(at, "not to|not|nicht|no")?, false),
    };
    let reading = |act| Some(Reading { act, object: next + 1, ..Reading::at(at) });
    if forbids && text.is_one_of(next, "need want require") {
        let definite = text.has(next + 1, DEFINITE | PRONOUN);
        let over = text.find(next..range.end, "anymore|any more|any longer|now").is_some();
        return reading(if definite || over { Act::Remove } else { Act::Fragment });
    }
    let work = if text.norm(at) == "no" { HARM } else { HARM | ADD | MODIFY | REMOVE };
    match (text.has(next, work), forbids) {
        (true, _) => reading(Act::Forbid),
        (false, true) => reading(Act::Fragment),
        (false, false) => None,
    }
}
