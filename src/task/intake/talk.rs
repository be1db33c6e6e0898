//! Sentences that ask for no work: questions, and words to whoever reads the message rather than about the app.

use super::lexicon::*;
use super::opening::{Mood, skip};
use super::text::{Sentence, Text};
use super::token::Kind;
use super::{command, noun, statement};

/// Words that steer the reader: they are no requests, whatever they order.
pub(super) fn is_steering(text: &Text<'_>, sentence: &Sentence) -> bool {
    let words = sentence.tokens.clone();
    let (at, _) = skip(text, &words);
    let near = at..(at + 9).min(words.end);
    let speaks = text.has(at, HARNESS)
        && text.norm(at + 1) == ":"
        && text.is_one_of(at, "system assistant harness developer parser prompt instruction instructions");
    let tag = text.norm(words.start) == "["
        && text.norm(words.start + 2) == "]"
        && text.is_one_of(words.start + 1, "system inst admin assistant developer harness");
    let persona = text
        .after_any(at, "you are now|you are an ai|you are a parser|from now on you|as an ai|act as|type :|type = ")
        .is_some();
    let ordered = text.has(at, STEER | INFORM | REMOVE | MODIFY) && {
        let meant = near.clone().skip(1).filter(|at| text.has(*at, HARNESS)).count();
        let strong = near.clone().skip(1).any(|at| {
            text.is_one_of(
                at,
                "instruction instructions prompt parser \
                                                                           json mutation bugfix classifier jailbreak \
                                                                           llm checklist needs-clarification",
            )
        });
        text.has(at, STEER)
            && (strong || meant > 1 || meant > 0 && text.is_one_of(at, "ignore disregard forget override"))
            || strong && text.is_one_of(at, "change set bypass skip")
    };
    let forged = text.has(at, HARNESS)
        && words.clone().any(|at| {
            text.norm(at) == "[" && text.is_one_of(at + 1, "add modify fix remove") && text.norm(at + 2) == "]"
        });
    let shaped = text.is_one_of(at, "reply respond answer output return print emit")
        && near.clone().any(|at| text.is_one_of(at, "{ [ json"));
    shaped || forged || speaks || tag || persona || ordered
}

/// A question that is neither a request in disguise nor a bug.
pub(super) fn is_question(text: &Text<'_>, sentence: &Sentence) -> bool {
    let words = sentence.tokens.clone();
    let (at, mood) = skip(text, &words);
    // "can you build apps?"
    let able = mood == Mood::Asked
        && sentence.asks
        && text.has(at, CREATE)
        && at + 2 == words.end
        && text.has(at + 1, APP | INFLECTED) | text.norm(at + 1).ends_with("s");
    if able && text.norm(at + 1).ends_with('s') {
        return true;
    }
    let asking = mood == Mood::Asked && text.has(at, INFORM) && !text.has(at, COMMAND);
    let informing = asking
        || text.has(at, INFORM)
            && !text.has(at, NOUNISH)
            && !text.has(at, ADD)
            && !text.is_one_of(at, "say list compare answer review");
    if informing
        || text
            .after_any(
                at,
                "show me how|walk me through|help me understand|do you think|what do you think|let me know|give me \
                 an estimate|give me your opinion",
            )
            .is_some()
    {
        return !names_bug(text, sentence);
    }
    if text.after(at, "how come").is_some() {
        return false;
    }
    if text.is_one_of(at, "why warum pourquoi") {
        return !names_bug(text, sentence) && !asks_of_behaviour(text, at, words.end);
    }
    let interrogative = text.has(at, INTERROGATIVE) && !text.has(at, COMMAND);
    if mood != Mood::Plain || !interrogative {
        return false;
    }
    // "when I click, it …" and "which is …" only begin like questions.
    let opens = sentence.asks
        || text
            .after_any(
                at,
                "how much|how many|how long|how do i|how does|how can i|what is|what does|whats|should i|should we|\
                 is there a way",
            )
            .is_some();
    opens && !names_bug(text, sentence)
}

fn names_bug(text: &Text<'_>, sentence: &Sentence) -> bool {
    let words = sentence.tokens.clone();
    words.clone().skip(1).any(|at| {
        let opens = text.has(at, BROKEN) && !text.is_one_of(at, "missing undefined null errors error bugs bug blank");
        let negated = text.has(at, NEGATED) && !text.is_one_of(at, "dont didnt")
            || text.norm(at) == "not" && !text.is_one_of(at.wrapping_sub(1), "or why whether") && at > words.start + 1;
        opens || negated || text.kind(at) == Some(Kind::Trace)
    }) || text.has(words.start + 1, NEGATED) && text.is_one_of(words.start, "why how")
}

/// "why does the page scroll up?", but not "why did you use React?".
fn asks_of_behaviour(text: &Text<'_>, at: usize, end: usize) -> bool {
    let thing = at + 2;
    if (at..end).any(|at| text.is_one_of(at, "called named written")) {
        return false;
    }
    text.after_any(at + 1, "do i|am i|does it|is it|does this|does that|do they|are they|is this|is that|it is")
        .is_some()
        || text.is_one_of(at + 1, "is are does do") && text.has(thing, DEFINITE) && !text.has(thing + 1, PERSON)
        || text.has(at + 1, DEFINITE) && statement::read(text, at + 1, &(at + 1..end)).is_some()
        || command::negated(text, at + 1, &(at + 1..end)).is_none()
            && text.is_one_of(at + 1, "cant wont doesnt isnt arent")
            && noun::begins(text, thing)
}
