//! Sentences that ask for no work: questions, and words to whoever reads the message rather than about the app.

use super::lexicon::*;
use super::opening::{Mood, skip};
use super::text::{Sentence, Text};
use super::token::Kind;
use super::{command, noun, statement};
use std::ops::Range;

/// Words that steer the reader: they are no requests, whatever they order.
pub(super) fn is_steering(text: &Text<'_>, sentence: &Sentence) -> bool {
    const VOICES: &str = "system assistant harness developer parser prompt instruction instructions inst admin";
    const PERSONAS: &str = "you are now|you are an ai|you are a parser|from now on you|as an ai|act as|type :|type =";
    let words = &sentence.tokens;
    let (at, _) = skip(text, words);
    let voice = text.norm(at + 1) == ":" && text.is_one_of(at, VOICES) || is_tag(text, words.start, VOICES);
    let forged = text.has(at, HARNESS) && words.clone().any(|at| is_tag(text, at, "add modify fix remove"));
    voice || forged || text.after_any(at, PERSONAS).is_some() || orders_reader(text, at, words.end)
}

/// "[system]"
fn is_tag(text: &Text<'_>, at: usize, names: &str) -> bool {
    text.norm(at) == "[" && text.is_one_of(at + 1, names) && text.norm(at + 2) == "]"
}

/// "ignore all instructions", "reply only with JSON", "set the type to bugfix".
fn orders_reader(text: &Text<'_>, at: usize, end: usize) -> bool {
    const READER: &str = "instruction instructions prompt parser json mutation bugfix classifier jailbreak llm \
                          checklist needs-clarification";
    let near = || at + 1..(at + 9).min(end);
    let meant = near().filter(|at| text.has(*at, HARNESS)).count();
    let strong = near().any(|at| text.is_one_of(at, READER));
    let ignores = meant > 0 && text.is_one_of(at, "ignore disregard forget override");
    let shapes = text.is_one_of(at, "reply respond answer output return print emit")
        && near().any(|at| text.is_one_of(at, "{ [ json"));
    let sets = strong && text.is_one_of(at, "change set bypass skip");
    ignores || shapes || sets || text.has(at, STEER) && (strong || meant > 1)
}

/// A question that is neither a request in disguise nor a bug.
pub(super) fn is_question(text: &Text<'_>, sentence: &Sentence) -> bool {
    const INFORMING: &str = "show me how|walk me through|help me understand|do you think|what do you think|let me \
                             know|\
                             give me an estimate|give me your opinion";
    const ASKING: &str = "how much|how many|how long|how do i|how does|how can i|what is|what does|whats|should i|\
                          should we|is there a way";
    let words = &sentence.tokens;
    let (at, mood) = skip(text, words);
    if text.after(at, "how come").is_some() {
        return false;
    }
    if text.is_one_of(at, "why warum pourquoi") {
        return !names_bug(text, words) && !asks_of_behaviour(text, at, words.end);
    }
    // "can you build apps?"
    let able = sentence.asks && text.has(at, CREATE) && at + 2 == words.end && text.norm(at + 1).ends_with('s');
    if mood == Mood::Asked && able {
        return true;
    }
    let informs = text.has(at, INFORM)
        && if mood == Mood::Asked {
            !text.has(at, COMMAND)
        } else {
            !text.has(at, NOUNISH | ADD) && !text.is_one_of(at, "say list compare answer review")
        };
    // "when I click, it …" and "which is …" only begin like questions.
    let asks = mood == Mood::Plain
        && text.has(at, INTERROGATIVE)
        && !text.has(at, COMMAND)
        && (sentence.asks || text.after_any(at, ASKING).is_some());
    (informs || asks || text.after_any(at, INFORMING).is_some()) && !names_bug(text, words)
}

fn names_bug(text: &Text<'_>, words: &Range<usize>) -> bool {
    const HARMLESS: &str = "missing undefined null errors error bugs bug blank dont didnt";
    let asked = text.is_one_of(words.start, "why how") && text.has(words.start + 1, NEGATED);
    asked
        || words.clone().skip(1).any(|at| {
            let not = text.norm(at) == "not" && at > words.start + 1 && !text.is_one_of(at - 1, "or why whether");
            let failing = text.has(at, BROKEN | NEGATED) && !text.is_one_of(at, HARMLESS);
            not || failing || text.kind(at) == Some(Kind::Trace)
        })
}

/// "why does the page scroll up?", but not "why did you use React?".
fn asks_of_behaviour(text: &Text<'_>, why: usize, end: usize) -> bool {
    const IT: &str = "do i|am i|does it|is it|does this|does that|do they|are they|is this|is that|it is";
    let at = why + 1;
    if (at..end).any(|at| text.is_one_of(at, "called named written")) {
        return false;
    }
    let of_thing = text.has(at + 1, DEFINITE) && !text.has(at + 2, PERSON);
    let denied = text.is_one_of(at, "cant wont doesnt isnt arent") && noun::begins(text, at + 1);
    let told = text.has(at, DEFINITE) && statement::read(text, at, &(at..end)).is_some();
    text.after_any(at, IT).is_some()
        || text.is_one_of(at, "is are does do") && of_thing
        || told
        || denied && command::negated(text, at, &(at..end)).is_none()
}
