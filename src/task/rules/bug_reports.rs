//! Statements that something is broken, and complaints.

use super::lexicon::*;
use super::requirements::Act;
use super::tokens::Text;
use std::ops::Range;

/// What a statement reports: a defect, a complaint about a style, or nothing.
pub(super) fn reported(text: &Text<'_>, words: &Range<usize>) -> Option<Act> {
    const DEFECTS: &str = "nothing happens|does nothing|do nothing|supposed to|should be possible|used to work|no longer works|\
         not working|not possible|goes nowhere|go nowhere|stays open|stays blank|stays empty|over and over|\
         each time|no matter|jumps back|cut off|off screen|cut off|by itself|two clicks|jumps around|logs me|\
         keeps logging|logging me|run out of|runs out of|in a row|big gap|off by|take forever|takes forever|\
         like ã|too slow|so slow|really slow|broken|at once|even though|even when|but i count|multiple times|\
         keeps running|says thank|without an email|get a white";
    const UNWANTED: &str =
        "dont like|do not like|dont want|do not want|dont need|do not need|dont think|not sure|dont know";
    if text.find(words.clone(), "is fine|are fine").is_some() {
        return None;
    }
    if text.find(words.clone(), "too|dont like|dont love|ugly|way too").is_some() && !text.any(words.clone(), BROKEN) {
        let at = text.find(words.clone(), "too").unwrap_or(words.end);
        if at + 1 < words.end || at == words.end {
            return Some(if super::small_talk::is_empty(text, words) { Act::Detail } else { Act::Modify });
        }
    }
    let negated = words.clone().any(|at| {
        text.has(at, NEGATED)
            && at + 1 < words.end
            && !text.is(at, "no")
            && !text.is(at + 1, "only just sure want need")
    }) && text.find(words.clone(), UNWANTED).is_none();
    let broken = text.any(words.clone(), BROKEN)
        || text.find(words.clone(), DEFECTS).is_some()
        || (words.start + 1..words.end).any(|at| text.is(at, "lost lose loses"));
    let behaves = super::clauses::predicate(text, words).is_some_and(|at| {
        let verb = text.has(at, BEHAVE) && text.has(at, INFLECTED) || text.is(at, "keeps goes");
        verb && !text.any(words.start..at, PERSON)
    });
    let still = text.find(words.clone(), "still|suddenly|somehow").is_some();
    (negated || broken || behaves || still).then_some(Act::Bug)
}

/// "why is X not opening?", "is it normal that …?"
pub(super) fn is_reported_as_question(text: &Text<'_>, words: &Range<usize>) -> bool {
    let why = text.after(words.start, "why|how come").is_some()
        && text.find(words.clone(), "called|named").is_none()
        && (text.find(words.clone(), "why do|why does|how come").is_some() || reported(text, words).is_some());
    why || text.find(words.clone(), "is it normal|whats wrong with|what is wrong with").is_some()
        || !text.has(words.start, QUESTION) && reported(text, words).is_some()
}

/// "It should be DD.MM": the wish only says what the defect before it means.
pub(super) fn is_defect_of_wish(text: &Text<'_>, words: &Range<usize>, modal: usize) -> bool {
    modal == words.start + 1
        && text.is(words.start, "that it this")
        && text.find(words.clone(), "possible|not be").is_some()
}

/// It has no subject of its own: "shows NaN", "only happens in Safari", "console says …".
pub(super) fn is_about_the_same(text: &Text<'_>, words: &Range<usize>) -> bool {
    let start = (words.start..words.end)
        .find(|at| !text.has(*at, FILLER & !QUESTION) && !text.is(*at, "and , ( it's"))
        .unwrap_or(words.start);
    text.has(start, PRONOUN) && !text.has(start + 1, BEHAVE) | !text.is(start, "this that these those both each")
        || text.has(start, BEHAVE | BROKEN)
            && (text.has(start, INFLECTED) || text.is(start, "crashes throws fails"))
            && text.norm(start).ends_with('s')
        || text.after(start, "page says|it says").is_some()
        || text.is(
            start,
            "only happens happened console says log logs error it in since when worked today yesterday nothing i",
        )
}
