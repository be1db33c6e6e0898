//! What a stretch of words asks for, or says, or is.

use super::act::{Act, Reading};
use super::lexicon::*;
use super::opening::{Mood, skip};
use super::text::{Sentence, Text};
use super::{command, elliptic, noun, statement, unclear};
use std::ops::Range;

/// Words of a stretch that are read. Nobody writes longer ones, but somebody may paste them.
const LONGEST: usize = 250;

/// Reads a stretch of a sentence.
pub(super) fn read(text: &Text<'_>, range: &Range<usize>, sentence: &Sentence) -> Reading {
    let range = &(range.start..range.end.min(range.start + LONGEST));
    let (at, mood) = skip(text, range);
    let reading = read_from(text, at, range, sentence, mood);
    // "I want a new site for a bar" asks for it, "build me something else" only for something else.
    let names_it = reading.act == Act::Add && {
        let end = noun::end(text, reading.object, range.end);
        let general = (reading.object..end).any(|at| text.is_one_of(at, "else project different"));
        !general || range.end > end + 1
    };
    let act = if !names_it && is_restart(text, &(at..range.end)) { Act::Restart } else { reading.act };
    Reading { act, ..reading }
}

fn read_from(text: &Text<'_>, at: usize, range: &Range<usize>, sentence: &Sentence, mood: Mood) -> Reading {
    const CANCELS: &str = "never mind|nevermind|nvm|forget it|forget that|scratch that|cancel that|wait no|no wait|\
                           on second thought|on second thoughts|or wait|wait|actually no|hang on|ignore that|\
                           disregard that";
    let words = at..range.end;
    let is = |act| Reading { act, ..Reading::at(at) };
    if words.is_empty() {
        return is(if mood == Mood::Plain { Act::Talk } else { Act::Fragment });
    }
    if text.after_any(at, CANCELS).is_some() {
        return is(Act::Cancel);
    }
    // The other questions with "why" were passed over.
    if text.after_any(at, "why|warum|pourquoi|how come").is_some() {
        return is(Act::Bug);
    }
    if unclear::is_ambiguous(text, &words, mood) {
        return is(Act::Unclear);
    }
    let negated = || command::negated(text, at, range).filter(|_| mood != Mood::Wished);
    let able = || text.after_any(at, "be able to|see|have the option to").filter(|_| mood == Mood::Asked);
    let spared = || text.after(at, "no more").filter(|next| words.len() > 2 && text.norm(*next) != "than");
    let statement = || match text.has(at, CONDITION) {
        true => conditional(text, at, range, sentence),
        false => statement::read(text, at, range),
    };
    negated()
        .or_else(|| able().map(|_| is(Act::Add)))
        .or_else(|| spared().map(|object| Reading { object, ..is(Act::Remove) }))
        .or_else(|| asked_of(text, at, range, sentence).filter(|_| mood == Mood::Plain))
        .or_else(|| command::read(text, at, range, mood))
        .or_else(|| command::last_verb(text, at, range))
        .or_else(|| (mood == Mood::Wished).then(|| wished(text, at, range)))
        .or_else(|| exchanged(text, at, range))
        .or_else(|| placed(text, at, range))
        .or_else(statement)
        .or_else(|| elliptic::read(text, at, range, sentence))
        .unwrap_or_else(|| is(if is_talk(text, &words) { Act::Talk } else { Act::Fragment }))
}

/// The user wants another app, or this one anew.
pub(super) fn is_restart(text: &Text<'_>, words: &Range<usize>) -> bool {
    const ANEW: &str = "start over|starting over|start again from|start fresh|start anew|start from zero|\
                        start from scratch|starting from scratch|from scratch|from zero|begin again|new project|\
                        new idea|brand new app|completely new app|something else|something completely different|\
                        something totally different|something entirely different|something different|different app|\
                        different project|different website|different site|clean slate|fresh start|other project|\
                        another project|another app|another website|new app|new website|new site|von vorne|\
                        neues projekt|de zero|desde cero";
    const ALL: &str = "everything|it all|all of it|all of this|the whole thing|this project|the whole project|\
                       the whole app|the entire project|the current project|the current app|this app|all that|\
                       what we have";
    if let Some(place) = text.find(words.clone(), ANEW) {
        return !text.is_one_of(place.wrapping_sub(1), "add the");
    }
    let start = words.start;
    let this = text.is_one_of(start, "scrap forget trash ditch") && text.norm(start + 1) == "this" && words.len() == 2;
    let discards = text.has(start, REMOVE) || text.after_any(start, "forget|throw away|throw out|get rid of").is_some();
    // "delete everything below the pricing" leaves what is above.
    let all = text.find(start..words.end.min(start + 4), ALL).filter(|_| discards);
    let limited = |all: usize| (all + 1..words.end.min(all + 5)).any(|at| noun::opens_detail(text, at));
    this || all.is_some_and(|all| !limited(all))
}

/// "could the cards flip?": how a thing ought to be.
fn asked_of(text: &Text<'_>, at: usize, range: &Range<usize>, sentence: &Sentence) -> Option<Reading> {
    if !sentence.asks || !text.is_one_of(at, "can could would") || !text.has(at + 1, DEFINITE | PRONOUN) {
        return None;
    }
    let verb = (at + 2..range.end).find(|at| text.is_one_of(*at, "be have get include contain"));
    let act = match verb {
        Some(_) if text.find(range.clone(), "instead of|rather than").is_some() => Act::Modify,
        Some(verb) if text.norm(verb) != "be" && noun::is_new(text, verb + 1) => Act::Add,
        Some(verb) if text.has(verb + 1, REMOVE) => Act::Remove,
        Some(verb) if text.has(verb + 1, FIX) => Act::Fix,
        _ if text.has(at + 1, DEFINITE) => Act::Modify,
        _ => Act::Detail,
    };
    Some(Reading { act, object: at + 1, ..Reading::at(at) })
}

/// "I want …": a new thing, unless it says how an existing one ought to be.
fn wished(text: &Text<'_>, at: usize, range: &Range<usize>) -> Reading {
    let name = at..noun::end(text, at, range.end);
    let definite = text.has(at, DEFINITE | PRONOUN) && !text.is_one_of(at, "all both each");
    let compared = name.into_iter().any(|at| text.has(at, COMPARATIVE) && !text.has(at, NEW));
    let says = |phrases: &str| text.find(at..range.end, phrases).is_some();
    let have = (at..range.end).find_map(|at| text.after_any(at, "to have|to include|to contain|to get"));
    let act = match definite {
        true if have.is_some_and(|next| noun::is_new(text, next)) => Act::Add,
        true if says("removed|gone|deleted|out") => Act::Remove,
        true if says("fixed|repaired|to work") => Act::Fix,
        true if says("to stay|to remain|kept|unchanged|untouched") => Act::Keep,
        true => Act::Modify,
        false if compared || says("instead of|rather than") => Act::Modify,
        false if text.norm(at) == "to" => Act::Fragment,
        false => Act::Add,
    };
    Reading { act, object: at, refers: definite && says("to"), ..Reading::at(at) }
}

/// "instead of a grid I would like a poster"
fn exchanged(text: &Text<'_>, at: usize, range: &Range<usize>) -> Option<Reading> {
    text.after_any(at, "instead of|rather than")?;
    let mut rest = at + 2..range.end;
    let asks = |at: usize| text.has(at, COMMAND) && !text.has(at, INFLECTED | NOUNISH);
    let wish = rest.any(|at| asks(at) || text.is_one_of(at, "i we id wed please use show make put offer"));
    wish.then(|| Reading { act: Act::Modify, ..Reading::at(at) })
}

/// "in the header add a logo", "for the footer use this text": the place comes first.
fn placed(text: &Text<'_>, at: usize, range: &Range<usize>) -> Option<Reading> {
    const NO_VERB: Classes = INDEFINITE | DEFINITE | ADJECTIVE | PREPOSITION | MODAL | PERSON | NEGATED;
    let place = noun::opens_detail(text, at) && !text.has(at, CONDITION) || noun::is_path(text, at);
    let verb = (at + 1..(at + 9).min(range.end)).filter(|_| place).find(|verb| {
        let base = text.has(*verb, COMMAND) && !text.has(*verb, INFLECTED);
        base && !text.has(verb - 1, NO_VERB) && (noun::begins(text, verb + 1) || !text.has(*verb, NOUNISH))
    })?;
    command::read(text, verb, range, Mood::Plain).map(|reading| Reading { start: at, ..reading })
}

/// "when I save nothing happens", "when the cart is empty show a hint": the condition ends without a comma.
fn conditional(text: &Text<'_>, at: usize, range: &Range<usize>, sentence: &Sentence) -> Option<Reading> {
    const NO_VERB: Classes = MODAL | NEGATED | PERSON | PREPOSITION | PRONOUN | INDEFINITE | DEFINITE;
    let inside = || at + 2..range.end;
    let command = inside().find(|at| {
        let base = text.has(*at, COMMAND) && !text.has(*at, INFLECTED | NOUNISH);
        base && !text.has(at - 1, NO_VERB) && noun::begins(text, at + 1)
    });
    let wish = || {
        inside().find(|at| {
            text.after_any(
                *at,
                "i want|i need|i would like|i would love|id like|id love|we \
                                                          want|we need|wed like",
            )
            .is_some()
        })
    };
    let asked = command.and_then(|verb| command::read(text, verb, range, Mood::Plain)).or_else(|| {
        let (thing, mood) = skip(text, &(wish()?..range.end));
        command::read(text, thing, range, mood).or_else(|| Some(wished(text, thing, range)))
    });
    if let Some(reading) = asked {
        return Some(Reading { start: at, ..reading });
    }
    if range.end < sentence.tokens.end || text.is_one_of(at, "because so while as whereas") {
        return None;
    }
    let told = statement::read(text, at, range).filter(|reading| reading.act == Act::Bug);
    let steps = tells_steps(text, at) && range.len() > 6;
    told.or_else(|| steps.then(|| Reading { act: Act::Bug, ..Reading::at(at) }))
}

/// "when I …": steps that lead to something that is wrong.
pub(super) fn tells_steps(text: &Text<'_>, at: usize) -> bool {
    const IDLE: &str = "you have|you get|you can|you are|youre|you want|i have time|im back|i get back|we are done";
    let user = at + 1 + usize::from(text.has(at + 1, DEFINITE | INDEFINITE));
    text.is_one_of(at, "when after if once whenever wenn quand cuando")
        && (text.has(user, PERSON) && user > at + 1 || text.is_one_of(user, "i you we users someone"))
        && text.after_any(at + 1, IDLE).is_none()
}

/// Applause, jokes, small talk: nothing that is named could be part of a request.
fn is_talk(text: &Text<'_>, words: &Range<usize>) -> bool {
    const IDLE: Classes = CHAT | FILLER | PRONOUN | PRAISE | COPULA | VAGUE | INDEFINITE;
    words.clone().all(|at| text.is_mark(at) || text.has(at, IDLE))
}
