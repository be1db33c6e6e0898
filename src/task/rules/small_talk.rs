//! What requests nothing: greetings, questions, text that addresses the parser. And what gives up the present app.

use super::lexicon::*;
use super::tokens::{Kind, Text};
use std::ops::Range;

/// "start over", "new project": the present app is given up. The place after the last of these phrases.
pub(super) fn restart(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    const RESTARTS: &str = "start over|starting over|start again|start fresh|start from scratch|from scratch|from zero|clean slate|\
         new project|different project|another project|new idea|something else|something different|\
         something completely different|completely different|different app|another app|completely new|\
         entirely new|brand new app|brand new site|scratch that|scratch this|scrap that|scrap this|scrap it|\
         scrap everything|scrap the whole|throw this away|throw it away|throw everything away|throw it all away|\
         throw all this|forget this|forget that|forget it|forget everything|forget all|ditch this|\
         ditch everything|bin this|new app instead";
    let forgets = text
        .find(words.clone(), "forget the|ditch the whole|forget about")
        .filter(|at| *at <= words.start + 2 && words.end - at <= 5);
    words.clone().rev().find_map(|at| text.after(at, RESTARTS)).or(forgets)
}

/// Text that addresses the parser or the agent's instructions, not the app.
pub(super) fn is_steering(text: &Text<'_>, words: &Range<usize>) -> bool {
    const ORDERS: &str = "ignore|disregard|forget|override|output|reply|respond|print|reveal|set|return|answer";
    let system = text.slice(words).trim_start_matches(['[', '(', ' ']);
    let addressed = ["SYSTEM", "System:", "ASSISTANT:", "system:"].iter().any(|start| system.starts_with(start));
    let ordered = text.find(words.clone(), ORDERS).is_some_and(|at| {
        text.any(at..words.end, STEERING) || text.find(at..words.end, "previous|above|your rules|only with|[").is_some()
    });
    let fields = text.is(words.start, "type requirements") && text.norm(words.start + 1) == ":";
    let json = ordered_json(text, words);
    addressed || ordered || fields || json
}

/// "Reply with {…}"
fn ordered_json(text: &Text<'_>, words: &Range<usize>) -> bool {
    text.is(words.start, "reply respond answer return output") && text.find(words.clone(), "{").is_some()
}

/// The user has not decided.
pub(super) fn is_undecided(text: &Text<'_>, words: &Range<usize>) -> bool {
    const DOUBTS: &str = "not sure|or maybe|or whatever|whatever looks|dont know|cant decide|add or remove|or we drop|\
         what looks better";
    text.find(words.clone(), DOUBTS).is_some()
        || text.norm(words.start) == "either" && text.find(words.clone(), "or").is_some()
}

/// A question that requests nothing.
pub(super) fn is_question(text: &Text<'_>, words: &Range<usize>) -> bool {
    let start = words.start;
    let advice = text.after(
        start,
        "should we|should i|should the|should there|do you|did you|are you|can i|is there|is it|is this|\
             is my|what|which|who|how long|how hard|how many|how much|how do|how does|how would|how can|how are",
    );
    let is_asked = text.has(start, QUESTION) || advice.is_some();
    let wish = text.is(start, "can could would will") && asks_for_change(text, words)
        || text.is(start, "how what") && text.norm(start + 1) == "about";
    is_asked && !wish && !super::bug_reports::is_reported_as_question(text, words)
}

/// "Can the hero have a video?", "could the cards flip?"
fn asks_for_change(text: &Text<'_>, words: &Range<usize>) -> bool {
    text.has(words.start + 1, DEFINITE)
        || text.is(words.start + 1, "we it users they visitors people")
        || text.is(words.start + 2, "be have")
}

/// Greetings, thanks and praise.
pub(super) fn is_chat(text: &Text<'_>, words: &Range<usize>) -> bool {
    const CHATS: &str = "thank you|thanks|good morning|good job|great job|great work|well done|never mind|nevermind|love it|\
         love the|love how|i love how|looks great|looks good|how it turned out|sorry to|so far|i have an idea|\
         are the best";
    is_empty(text, words) && super::bug_reports::reported(text, words).is_none()
        || text
            .find(words.clone(), CHATS)
            .is_some_and(|at| at <= words.start + 4 && !text.is(at + 2, "page note message screen"))
}

/// It names nothing specific.
pub(super) fn is_empty(text: &Text<'_>, words: &Range<usize>) -> bool {
    !words.clone().any(|at| is_specific(text, at))
}

/// A word that says what a clause is about. A verb that names no specific change says nothing.
pub(super) fn is_specific(text: &Text<'_>, at: usize) -> bool {
    match text.kind(at) {
        // An about page: the word is its name.
        Some(Kind::Word) if text.norm(at) == "about" => text.is(at + 1, "page section screen tab link us me"),
        Some(Kind::Word) => !text.has(at, FUNCTION) && (text.norm(at).len() > 1 || !text.norm(at).is_ascii()),
        Some(Kind::Quote | Kind::Path | Kind::Trace) => true,
        Some(Kind::Number(number)) => number >= 100,
        Some(Kind::Mark) | None => false,
    }
}
