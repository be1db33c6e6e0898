//! Statements of what stays and of what may go.

use super::lexicon::*;
use super::text::Text;
use std::ops::Range;

/// "the cart must not change", "the rest stays as it is", "the hero is fine": where that begins.
pub(super) fn kept(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    const SPARED: &str = "untouched|unchanged|intact|as is|as it is|as they are|as-is|unaffected|off limits|\
                          off-limits";
    const NOTHING: &str = "no changes to|no changes in|no change to|no other changes|nothing else changes|\
                           nothing else|nothing more|no more changes|hands off";
    if let Some(place) = text.find(words.clone(), SPARED) {
        return (place > words.start && !is_failing(text, words)).then_some(words.start);
    }
    // "nothing on the first page changes"
    let nothing = text.norm(words.start) == "nothing"
        && words.clone().any(|at| text.is_one_of(at, "change changes changed touched moves moved"));
    if nothing {
        return Some(words.start);
    }
    text.find(words.clone(), NOTHING).or_else(|| {
        let mut places = words.clone().skip(1);
        places.any(|at| is_spared(text, at, words)).then_some(words.start)
    })
}

fn is_spared(text: &Text<'_>, at: usize, words: &Range<usize>) -> bool {
    if text.has(at, MODAL) && text.norm(at + 1) == "not" || text.is_one_of(at, "shouldnt mustnt neednt") {
        let verb = at + 1 + usize::from(text.norm(at + 1) == "not");
        return text.has(verb + usize::from(text.is_one_of(verb, "be get")), HARM);
    }
    let others = |at: usize| text.is_one_of(at, "rest else other others remaining");
    let same = text.has(at, MODAL) && text.find(at..(at + 6).min(words.end), "same").is_some();
    if same && words.clone().take(8).any(others) || text.norm(at) == "nicht" && text.has(at + 1, HARM) {
        return true;
    }
    let very = usize::from(text.is_one_of(at + 1, "already still really just very so absolutely"));
    let praised = text.has(at, COPULA) && text.has(at + 1 + very, PRAISE);
    let works = text.norm(at) == "works" && text.has(at + 1, PRAISE);
    (stays(text, at) || praised || works) && !is_failing(text, &(at..words.end))
}

fn stays(text: &Text<'_>, at: usize) -> bool {
    let verb = text.is_one_of(at, "stay stays remain remains staying bleibt bleiben reste restent queda");
    let meant = text.has(at - 1, MODAL) || text.norm(at - 1) == "to";
    let many = text.is_one_of(at, "stay remain") && !text.has(at + 1, BROKEN | DAMAGED);
    verb && (meant || many || !is_stuck(text, at + 1))
        || text.after_any(at, "be kept|be left|be preserved|can stay").is_some()
}

/// "stays open", "stays 0": not what anybody wishes to keep.
pub(super) fn is_stuck(text: &Text<'_>, at: usize) -> bool {
    const STUCK: &str = "open on off there forever blank visible even after grey gray hidden in until active \
                         selected";
    text.number(at).is_some() || text.has(at, BROKEN | DAMAGED) || text.is_one_of(at, STUCK)
}

fn is_failing(text: &Text<'_>, words: &Range<usize>) -> bool {
    words.clone().any(|at| text.has(at, BROKEN | NEGATED) && !text.is_one_of(at, "error errors missing"))
}

/// "the popup can go", "we no longer need the map", "the banner should be removed".
pub(super) fn unwanted(text: &Text<'_>, words: &Range<usize>) -> bool {
    const USELESS: &str = "no longer needed|no longer need|no longer necessary|no longer want|no longer use|\
                           no longer offer|no longer required|not needed|isnt needed|arent needed|dont need|\
                           do not need|can go|has to go|have to go|must go|needs to go|need to go|should go away|\
                           should be gone|should disappear|is not necessary|isnt necessary|is obsolete|\
                           is redundant|kann weg|muss weg";
    if let Some(place) = text.find(words.clone(), USELESS) {
        let definite = words.clone().any(|at| text.has(at, DEFINITE | PRONOUN) || text.is_one_of(at, "anymore longer"));
        return definite && !text.is_one_of(place + 2, "to");
    }
    words.clone().any(|at| {
        let be = text.has(at, MODAL) && text.after_any(at + 1, "be|to be|get|to get").is_some();
        be && (at + 1..at + 4).any(|verb| text.has(verb, REMOVE) && text.has(verb, INFLECTED))
    })
}
