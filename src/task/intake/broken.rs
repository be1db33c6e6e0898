//! Statements of what is broken: said outright, or told because it should be otherwise.

use super::lexicon::*;
use super::text::Text;
use super::token::Kind;
use super::{noun, staying};
use std::ops::Range;

/// The place of the word that says that something is broken.
pub(super) fn says_so(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    words.clone().find(|at| {
        let behind = *at > words.start;
        text.kind(*at) == Some(Kind::Trace)
            || is_failure(text, *at)
            || text.after_any(*at, IDLE).is_some()
            || behind && (is_denied(text, *at) || is_damaged(text, *at) || goes_wrong(text, *at))
    })
}

/// Behaviour that nobody wants.
const IDLE: &str = "nothing happens|does nothing|do nothing|did nothing|goes nowhere|go nowhere|lead nowhere|\
                    leads nowhere|shows nothing|no effect|cut off|cuts off|white screen|used to work|\
                    stopped working|off by one|out of sync|not working|on top of each other|at once|anyway|\
                    even though|even when|even if|keeps loading|keeps reloading|loads forever|cant";

/// "broken", "404", "crashes"; but not an "error page" or a page "without errors".
fn is_failure(text: &Text<'_>, at: usize) -> bool {
    let thing = text.is_one_of(at, "error errors missing blank bug bugs dead typo typos")
        && text.is_one_of(at.wrapping_sub(1), "no an without add new");
    text.has(at, BROKEN) && !text.has(at + 1, PART | STYLE) && !thing
}

/// "doesn't open", "is not loading"; but not "don't like".
fn is_denied(text: &Text<'_>, at: usize) -> bool {
    const REFUSED: &str = "like want need have know care mind think understand wish convert add remove touch change \
                           forget get";
    const UNWANTED: &str = "need want like have needed necessary required wanted offer use sell";
    const DENIED: &str = "do not|does not|did not|is not|are not|was not|will not|can not|could not|no longer";
    let refused = text.is_one_of(at + 1, REFUSED);
    if text.has(at, NEGATED) && !(refused && text.is_one_of(at, "dont doesnt never")) {
        return !text.is_one_of(at + 1, "needed necessary");
    }
    if text.after_any(at, DENIED).is_some() && !refused {
        return !text.is_one_of(at + 2, UNWANTED);
    }
    text.norm(at) == "not" && text.has(at + 1, INFLECTED) && text.norm(at + 1).ends_with("ing")
}

/// "is greyed out", "stays open".
fn is_damaged(text: &Text<'_>, at: usize) -> bool {
    let said = text.has(at - 1, COPULA)
        || text.has(at.wrapping_sub(2), COPULA)
        || text.is_one_of(at - 1, "appears comes appear come");
    let stuck = text.is_one_of(at, "stays stay remains remain") && staying::is_stuck(text, at + 1);
    text.has(at, DAMAGED) && said || stuck
}

/// "still shows", "keeps jumping", "is supposed to open".
fn goes_wrong(text: &Text<'_>, at: usize) -> bool {
    let still = text.norm(at) == "still" && text.has(at + 1, BEHAVE | COMMAND) && !text.has(at - 1, MODAL | COPULA);
    let keeps = text.norm(at) == "keeps" && text.norm(at + 1).ends_with("ing");
    let supposed = text.after_any(at, "supposed to|meant to").is_some() && text.has(at - 1, COPULA);
    still || keeps || supposed
}

/// "I clicked …", "there is a …": reports of what somebody met with.
pub(super) fn reports(text: &Text<'_>, words: &Range<usize>) -> bool {
    const REPORTS: &str = "i clicked|i tried|i pressed|i opened|i entered|i typed|i submitted|i uploaded|i logged|\
                           i went|there is a|there is an|there is no|there are no|there are some|theres a|\
                           theres an|theres no";
    // "scrolls to the top when I type", but not "links to the shops"
    let start = words.start;
    let third = text.has(start, INFLECTED) && text.has(start, BEHAVE) && text.norm(start).ends_with('s');
    let verb = third && !text.has(start, PART | COPULA | NOUNISH) && noun::opens_detail(text, start + 1);
    let acts = verb || third && text.is_one_of(start, "says shows opens gives throws returns");
    (acts || text.after_any(words.start, REPORTS).is_some()) && !words.clone().any(|at| text.has(at, MODAL))
}

/// "That should not be possible."
pub(super) fn denies(text: &Text<'_>, words: &Range<usize>) -> bool {
    words.clone().take(3).any(|at| {
        let denied = text.is_one_of(at, "shouldnt mustnt") || text.has(at, MODAL) && text.norm(at + 1) == "not";
        denied && !text.has(at + 1, HARM)
    })
}

/// "the link opens our old page": what a thing does is told because it should do something else.
pub(super) fn behaves(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    const ODD: &str = "instead|twice|even though|again and again|every time";
    let gerund = text.norm(words.start).ends_with("ing");
    let named = text.has(words.start, DEFINITE)
        || matches!(text.kind(words.start), Some(Kind::Quote | Kind::Path))
        || gerund && words.len() > 2
        || is_bare_subject(text, words)
        || text.find(words.clone(), ODD).is_some();
    let person = words.clone().take(4).any(|at| text.has(at, PERSON) && !text.has(at + 1, PART));
    let planned = words.clone().any(|at| text.is_one_of(at, "later soon tomorrow will"));
    // "The headline reads "Hello"" only tells which one it is.
    let quotes =
        words.len() > 2 && text.kind(words.end - 1) == Some(Kind::Quote) && text.is_one_of(words.end - 2, "reads says");
    if planned || quotes || !named || person && !gerund {
        return None;
    }
    words.clone().skip(1).take(12).find(|at| *at + 1 < words.end && is_verb(text, *at, words.start))
}

/// Whether a word says what the subject does that begins at `start`.
fn is_verb(text: &Text<'_>, at: usize, start: usize) -> bool {
    const NO_SUBJECT: Classes = DEFINITE | INDEFINITE | PREPOSITION | ADJECTIVE | EXISTING | NEW;
    let subject = !text.has(at - 1, NO_SUBJECT) && !text.is_mark(at - 1) && text.number(at - 1).is_none();
    let goes_on = text.kind(at + 1).is_some_and(|kind| kind != Kind::Mark);
    let later = at > start + 1;
    let third = text.has(at, INFLECTED) && text.norm(at).ends_with('s') && text.has(at, BEHAVE | COMMAND);
    // "all umlauts look like that"
    let many = text.has(at, BEHAVE | COPULA)
        && !text.has(at, INFLECTED)
        && !text.is_one_of(at, "is are were was looks feels seems sounds gets reads")
        && text.norm(at - 1).ends_with('s')
        && !text.has(at - 1, COPULA | UNIT | COMMAND | INFLECTED);
    let unknown = later && is_verb_like(text, at) && noun::begins(text, at + 1);
    let noun = text.has(at, NOUNISH) && text.has(at + 1, COPULA | MODAL);
    subject && goes_on && !noun && (third || many || unknown)
}

/// A word that is in no list and ends like a verb of the third person.
fn is_verb_like(text: &Text<'_>, at: usize) -> bool {
    let word = text.norm(at);
    let ending = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us");
    text.kind(at) == Some(Kind::Word) && ending && !text.has(at, !INFLECTED & !NOUNISH)
}

/// "Score says 11/10": a thing without its article, and what it does.
fn is_bare_subject(text: &Text<'_>, words: &Range<usize>) -> bool {
    const NO_SUBJECT: Classes = CHAT
        | FILLER
        | PERSON
        | PRONOUN
        | PREPOSITION
        | INTERROGATIVE
        | COMMAND
        | AND
        | NEW
        | INDEFINITE
        | MODAL
        | ANYTHING
        | HARNESS;
    let verb = (words.start + 1..(words.start + 4).min(words.end)).find(|at| {
        let known = text.has(*at, INFLECTED) && text.has(*at, BEHAVE) && !text.has(*at, PART | STYLE);
        known && text.norm(*at).ends_with('s') || is_verb_like(text, *at) && noun::begins(text, at + 1)
    });
    let names = |at: usize| !text.has(at, NO_SUBJECT) || text.has(at, NOUNISH);
    // "catalog images take forever"
    let many = || {
        (words.start + 1..(words.start + 3).min(words.end)).find(|at| {
            text.has(*at, BEHAVE)
                && !text.has(*at, INFLECTED | PART)
                && text.norm(at - 1).ends_with('s')
                && !text.has(at - 1, COMMAND)
        })
    };
    verb.or_else(many).is_some_and(|verb| (words.start..verb).all(|at| text.kind(at) == Some(Kind::Word) && names(at)))
}
