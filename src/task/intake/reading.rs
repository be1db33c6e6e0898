//! What a stretch of words asks for, or says, or is.

use super::act::{Act, Reading};
use super::lexicon::*;
use super::opening::{Mood, skip};
use super::text::{Sentence, Text};
use super::token::Kind;
use super::{command, noun, statement, unclear};
use std::ops::Range;

/// Words of a stretch that are read. Nobody writes longer ones, but somebody may paste them.
const LONGEST: usize = 250;

/// Reads a stretch of a sentence.
pub(super) fn read(text: &Text<'_>, range: &Range<usize>, sentence: &Sentence) -> Reading {
    let range = &(range.start..range.end.min(range.start + LONGEST));
    let reading = read_words(text, range, sentence);
    let words = skip(text, range).0..range.end;
    let named = reading.act == Act::Add && {
        let name = reading.object..noun::end(text, reading.object, words.end);
        let general = name.clone().any(|at| text.is_one_of(at, "else project different")) && words.end <= name.end + 1;
        !general
    };
    let discards = !named && is_restart(text, &words);
    if discards { Reading { act: Act::Restart, ..reading } } else { reading }
}

fn read_words(text: &Text<'_>, range: &Range<usize>, sentence: &Sentence) -> Reading {
    let (at, mood) = skip(text, range);
    let words = at..range.end;
    if words.is_empty() {
        let act = if mood == Mood::Plain { Act::Talk } else { Act::Fragment };
        return Reading { act, ..Reading::at(at) };
    }
    if text.after_any(at, CANCELS).is_some() {
        return Reading { act: Act::Cancel, ..Reading::at(at) };
    }
    // The other questions with "why" were passed over.
    if text.is_one_of(at, "why warum pourquoi") || text.after(at, "how come").is_some() {
        return Reading { act: Act::Bug, ..Reading::at(at) };
    }
    if unclear::is_ambiguous(text, &words, mood) {
        return Reading { act: Act::Unclear, ..Reading::at(at) };
    }
    if mood != Mood::Wished
        && let Some(reading) = command::negated(text, at, range)
    {
        return reading;
    }
    if text.after_any(at, "be able to|see|have the option to").is_some() && mood == Mood::Asked {
        return Reading { act: Act::Add, ..Reading::at(at) };
    }
    if mood == Mood::Plain && text.after(at, "no more").is_some() && range.len() > 2 && !text.is_one_of(at + 2, "than")
    {
        return Reading { act: Act::Remove, object: at + 2, ..Reading::at(at) };
    }
    if mood == Mood::Plain
        && sentence.asks
        && text.is_one_of(at, "can could would")
        && text.has(at + 1, DEFINITE | PRONOUN)
    {
        return asked_of(text, at, range);
    }
    let command = command::read(text, at, range, mood);
    // "Delete does nothing" begins like a command.
    let command = command.or_else(|| command::last_verb(text, at, range));
    let reading = command.or_else(|| (mood == Mood::Wished).then(|| wished(text, at, range)));
    let reading = reading.or_else(|| exchanged(text, at, range)).or_else(|| placed(text, at, range));
    let reading = reading.or_else(|| {
        if text.has(at, CONDITION) { conditional(text, at, range, sentence) } else { statement::read(text, at, range) }
    });
    let reading = reading.or_else(|| elliptic(text, at, range, sentence));
    reading.unwrap_or_else(|| {
        if is_talk(text, &words) { Reading { act: Act::Talk, ..Reading::at(at) } } else { Reading::at(at) }
    })
}

/// What takes back the words before it.
const CANCELS: &str = "never mind|nevermind|nvm|forget it|forget that|scratch that|cancel that|wait no|no wait|on \
                       second thought|on second thoughts|or wait|wait|actually no|hang on|ignore that|disregard that";

/// The user wants another app, or this one anew.
pub(super) fn is_restart(text: &Text<'_>, words: &Range<usize>) -> bool {
    let phrases = "start over|starting over|start again from|start fresh|start anew|start from zero|start from \
                   scratch|starting from scratch|from scratch|from zero|begin again|new project|new idea|brand new \
                   app|completely new app|something else|something completely different|something totally different|\
                   something entirely different|something different|different app|different project|different \
                   website|different site|clean slate|fresh start|other project|another project|von vorne|neues \
                   projekt|de zero|desde cero|another app|another website|new app|new website|new site";
    if let Some(place) = text.find(words.clone(), phrases) {
        return !text.is_one_of(place.wrapping_sub(1), "add the");
    }
    if text.is_one_of(words.start, "scrap forget trash ditch")
        && text.norm(words.start + 1) == "this"
        && words.len() == 2
    {
        return true;
    }
    let discards = text.has(words.start, REMOVE)
        || text.after_any(words.start, "forget|throw away|throw out|get rid of|scrap").is_some();
    discards
        && text
            .find(
                words.clone(),
                "everything|it all|all of it|all of this|the whole thing|this project|the whole project|the whole \
                 app|the entire project|the current project|the current app|this app|all that|what we have",
            )
            .is_some_and(|place| place <= words.start + 3)
}

/// "could the cards flip?": how a thing ought to be.
fn asked_of(text: &Text<'_>, at: usize, range: &Range<usize>) -> Reading {
    let verb = (at + 2..range.end).find(|at| text.is_one_of(*at, "be have get include contain"));
    let act = match verb {
        Some(verb) if text.norm(verb) != "be" && noun::is_new(text, verb + 1) => Act::Add,
        Some(verb) if text.has(verb + 1, REMOVE) => Act::Remove,
        Some(verb) if text.has(verb + 1, FIX) => Act::Fix,
        _ if text.has(at + 1, PRONOUN) && !text.has(at + 1, DEFINITE) => Act::Detail,
        _ => Act::Modify,
    };
    Reading { act, object: at + 1, ..Reading::at(at) }
}

/// "in the header add a logo", "for the footer use this text": the place comes first.
fn placed(text: &Text<'_>, at: usize, range: &Range<usize>) -> Option<Reading> {
    let place = noun::opens_detail(text, at) && !text.has(at, CONDITION) || text.kind(at) == Some(Kind::Path);
    let verb = (at + 1..(at + 9).min(range.end)).filter(|_| place).find(|verb| {
        let thing = text.has(verb - 1, INDEFINITE | DEFINITE | ADJECTIVE | PREPOSITION | MODAL | PERSON | NEGATED);
        text.has(*verb, COMMAND)
            && !text.has(*verb, INFLECTED)
            && *verb > at
            && !thing
            && (noun::begins(text, verb + 1) || !text.has(*verb, NOUNISH))
    })?;
    let reading = command::read(text, verb, range, Mood::Plain)?;
    Some(Reading { start: at, ..reading })
}

/// "instead of a grid I would like a poster"
fn exchanged(text: &Text<'_>, at: usize, range: &Range<usize>) -> Option<Reading> {
    let wish = (at + 2..range.end).find(|at| text.is_one_of(*at, "i we id wed please use show make put"));
    (text.after_any(at, "instead of|rather than").is_some() && wish.is_some())
        .then(|| Reading { act: Act::Modify, ..Reading::at(at) })
}

/// "when I save nothing happens", "when the cart is empty show a hint": the condition ends without a comma.
fn conditional(text: &Text<'_>, at: usize, range: &Range<usize>, sentence: &Sentence) -> Option<Reading> {
    let command = (at + 2..range.end).find(|at| {
        let verb = text.has(*at, COMMAND) && !text.has(*at, INFLECTED | NOUNISH);
        let free = !text.has(at - 1, MODAL | NEGATED | PERSON | PREPOSITION | PRONOUN | INDEFINITE | DEFINITE);
        verb && free && text.norm(at - 1) != "to" && noun::begins(text, at + 1)
    });
    if let Some(verb) = command {
        return command::read(text, verb, range, Mood::Plain).map(|reading| Reading { start: at, ..reading });
    }
    if let Some(wish) = (at + 2..range.end)
        .find(|at| text.is_one_of(*at, "i we id wed") && text.is_one_of(at + 1, "want need would like love"))
    {
        let (thing, mood) = skip(text, &(wish..range.end));
        return command::read(text, thing, range, mood)
            .or_else(|| Some(wished(text, thing, range)))
            .map(|reading| Reading { start: at, ..reading });
    }
    let whole = range.end == sentence.tokens.end && !text.is_one_of(at, "because so while as whereas");
    let reading = whole.then(|| statement::read(text, at, range))?;
    let told = reading.filter(|reading| reading.act == Act::Bug);
    told.or_else(|| {
        (whole && tells_steps(text, at) && range.len() > 6).then(|| Reading { act: Act::Bug, ..Reading::at(at) })
    })
}

/// "when I …": steps that lead to something that is wrong.
pub(super) fn tells_steps(text: &Text<'_>, at: usize) -> bool {
    let idle = "you have|you get|you can|you are|youre|you want|i have time|im back|i get back|we are done";
    text.is_one_of(at, "when after if once whenever wenn quand cuando")
        && text.is_one_of(at + 1, "i you we users someone a the")
        && text.after_any(at + 1, idle).is_none()
        && (text.has(at + 2, PERSON) || !text.has(at + 1, DEFINITE | INDEFINITE))
}

/// "I want …": a new thing, unless it says how an existing one ought to be.
fn wished(text: &Text<'_>, at: usize, range: &Range<usize>) -> Reading {
    let name = at..noun::end(text, at, range.end);
    let definite = text.has(at, DEFINITE | PRONOUN) && !text.is_one_of(at, "all both each");
    let compared = (at..name.end).any(|at| text.has(at, COMPARATIVE) && !text.has(at, NEW));
    let to_have = (at..range.end).find_map(|at| text.after_any(at, "to have|to include|to contain|to get"));
    let act = match () {
        () if definite && to_have.is_some_and(|next| noun::is_new(text, next)) => Act::Add,
        () if definite && text.find(at..range.end, "removed|gone|deleted|out").is_some() => Act::Remove,
        () if definite && text.find(at..range.end, "fixed|repaired|to work").is_some() => Act::Fix,
        () if definite && text.find(at..range.end, "to stay|to remain|kept|unchanged|untouched").is_some() => Act::Keep,
        () if definite || compared => Act::Modify,
        () if text.norm(at) == "to" => Act::Fragment,
        () => Act::Add,
    };
    Reading { act, object: at, refers: definite && text.find(at..range.end, "to").is_some(), ..Reading::at(at) }
}

/// No verb at all: "one more card", "a darker footer", "euros instead of dollars".
fn elliptic(text: &Text<'_>, at: usize, range: &Range<usize>, sentence: &Sentence) -> Option<Reading> {
    let words = at..range.end;
    let before = sentence.tokens.start..range.start;
    let joined = !before.is_empty() && before.clone().all(|at| text.has(at, AND));
    let opens = before.is_empty() || joined || text.norm(range.start - 1) == ":" || text.norm(range.start) == "also";
    let name = at..noun::end(text, at, range.end);
    let polite = sentence.polite;
    let reading = |act| Some(Reading { act, ..Reading::at(at) }).filter(|_| !sentence.asks || polite);
    let named =
        |from: usize| (from..name.end).any(|at| text.kind(at) == Some(Kind::Word) && !text.has(at, FILLER | ADJECTIVE));
    let bracket = words.clone().find(|at| text.norm(*at) == "(").unwrap_or(words.end);
    if opens && text.find(at..bracket, "instead of|rather than").is_some_and(|place| place > at) {
        return reading(Act::Modify);
    }
    let article = usize::from(text.has(at, INDEFINITE));
    // "And an author box": one more request, like those before it.
    let goes_on = opens
        && text.has(at, INDEFINITE)
        && (sentence.item.is_some()
            || joined
            || text.is_one_of(range.start, "also additionally besides furthermore moreover then next plus"));
    if goes_on && named(at + 1) {
        return reading(Act::Add);
    }
    let subject = text.is_one_of(noun::head(text, &name), "requirement request task idea wish ticket todo feature")
        && text.norm(range.end) == ":";
    if subject {
        return Some(Reading { act: Act::Add, object: range.end, ..Reading::at(at) });
    }
    let more = text.number(at).is_some() && text.has(at + 1, NEW)
        || text.norm(at) == "another"
        || text.norm(at + article) == "new" && opens;
    let alone = text.number(at).is_some() && name.len() == 2;
    if more && (named(at + 1) || alone) {
        return reading(Act::Add);
    }
    let compared = text.has(at + article, COMPARATIVE) && !text.has(at + article, NEW);
    if opens && compared && (named(at + article + 1) || polite && text.has(at + article + 1, ADJECTIVE)) {
        return reading(Act::Modify);
    }
    let first = before.is_empty() || joined;
    let said = words.clone().any(|at| text.has(at, COPULA | MODAL | NEGATED | PERSON));
    if first
        && polite
        && !said
        && text.norm(range.end) != ":"
        && !text.has(at, DEFINITE | PRONOUN | CONDITION)
        && named(at)
    {
        return reading(Act::Add);
    }
    None
}

/// Applause, jokes, small talk: nothing that is named could be part of a request.
fn is_talk(text: &Text<'_>, words: &Range<usize>) -> bool {
    words
        .clone()
        .all(|at| text.has(at, CHAT | FILLER | PRONOUN | PRAISE | COPULA | VAGUE | INDEFINITE) || text.is_mark(at))
}
