//! A stretch of words that says something of a thing: that it is broken, that it stays, how it ought to be.

use super::act::{Act, Reading};
use super::lexicon::*;
use super::noun;
use super::text::Text;
use super::token::Kind;
use std::ops::Range;

/// Reads the words from `at` as a statement, if they are one. Its subject may stand behind a place or a time: "on
/// phones the menu covers the logo".
pub(super) fn read(text: &Text<'_>, at: usize, range: &Range<usize>) -> Option<Reading> {
    plain(text, at, range).or_else(|| {
        let opened = noun::opens_detail(text, at) || text.has(at, CONDITION);
        let subjects = (at + 2..(at + 10).min(range.end)).filter(|subject| {
            opened
                && text.has(*subject, DEFINITE)
                && !noun::opens_detail(text, subject - 1)
                && !text.has(subject - 1, CONDITION)
        });
        let read = subjects.into_iter().find_map(|subject| plain(text, subject, range))?;
        Some(Reading { start: at, ..read })
    })
}

fn plain(text: &Text<'_>, at: usize, range: &Range<usize>) -> Option<Reading> {
    let words = at..range.end;
    if words.is_empty() {
        return None;
    }
    let refers = refers(text, at);
    let reading = |act, object| Some(Reading { act, object, refers, start: at });
    if let Some(place) = kept(text, &words) {
        return reading(Act::Keep, place);
    }
    if removed(text, &words) {
        return reading(Act::Remove, at);
    }
    if let Some(place) = broken(text, &words) {
        return reading(Act::Bug, place);
    }
    if text
        .after_any(
            at,
            &[
                "i clicked",
                "i tried",
                "i pressed",
                "i opened",
                "i entered",
                "i typed",
                "i submitted",
                "i uploaded",
                "i logged",
                "i went",
                "there is a",
                "there is an",
                "there is no",
                "there are no",
                "there are some",
                "theres a",
                "theres an",
                "theres no",
            ],
        )
        .is_some()
        && !words.clone().any(|at| text.has(at, MODAL))
    {
        return reading(Act::Bug, at);
    }
    // "That should not be possible."
    let wrong = words
        .clone()
        .find(|at| text.is_one_of(*at, "shouldnt mustnt") || text.has(*at, MODAL) && text.norm(at + 1) == "not");
    if let Some(place) = wrong.filter(|place| refers && *place <= at + 2 && !text.has(place + 1, HARM)) {
        return reading(Act::Bug, at.min(place));
    }
    if let Some((act, place)) = ought(text, &words) {
        return if refers && act != Act::Remove { reading(Act::Detail, place) } else { reading(act, place) };
    }
    if let Some(place) = disliked(text, &words) {
        return reading(
            if refers && text.norm(at) != "i" && text.norm(at) != "we" { Act::Detail } else { Act::Modify },
            place,
        );
    }
    if let Some(place) = behaves(text, &words) {
        return reading(Act::Bug, place);
    }
    let verb =
        text.has(at + 1, COPULA | MODAL | NEGATED) || text.has(at + 1, INFLECTED) && text.norm(at + 1).ends_with('s');
    (text.has(at, PRONOUN) && !text.has(at, DEFINITE) && verb).then_some(())?;
    reading(Act::Detail, at)
}

/// Its subject was named before, or names nothing.
fn refers(text: &Text<'_>, at: usize) -> bool {
    let pronoun = text.has(at, PRONOUN) && !noun_follows(text, at) && text.norm(at) != "everything"
        || text.is_one_of(at, "nothing i we you");
    let one = text.has(at, DEFINITE)
        && (at + 1..at + 3).any(|at| {
            text.is_one_of(at, "one ones")
                && !text.is_one_of(at + 1, "called named that with in on which labelled labeled titled for")
        });
    let general = one
        || text.has(at, DEFINITE)
            && text.is_one_of(
                at + 1,
                "page screen console error browser app site website message result same whole thing",
            );
    let symptom = text.is_one_of(at, "console error expected actual happens only same steps sometimes always looks");
    pronoun || general || symptom
}

/// "this button" and "each card" name a thing, "this is" does not.
fn noun_follows(text: &Text<'_>, at: usize) -> bool {
    text.has(at, DEFINITE)
        && text.kind(at + 1).is_some_and(|kind| kind != Kind::Mark)
        && !text.has(at + 1, COPULA | MODAL | NEGATED | BEHAVE | BROKEN)
}

/// "the cart must not change", "the rest stays as it is", "the hero is fine".
fn kept(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    let spared = [
        "untouched",
        "unchanged",
        "intact",
        "as is",
        "as it is",
        "as they are",
        "as-is",
        "unaffected",
        "off limits",
        "off-limits",
    ];
    if let Some(place) = text.find(words.clone(), &spared) {
        return (place > words.start && !is_failing(text, words)).then_some(words.start);
    }
    if let Some(place) = text.find(
        words.clone(),
        &[
            "no changes to",
            "no changes in",
            "no change to",
            "no other changes",
            "nothing else changes",
            "nothing else",
            "nothing more",
            "no more changes",
            "hands off",
        ],
    ) {
        return Some(place);
    }
    words.clone().skip(1).find_map(|at| {
        let others = text.has(at, MODAL)
            && text.find(at..(at + 6).min(words.end), &["same"]).is_some()
            && (words.start..at).any(|at| text.is_one_of(at, "rest else other others remaining"));
        if others {
            return Some(words.start);
        }
        let denied =
            text.has(at, MODAL) && text.norm(at + 1) == "not" || text.is_one_of(at, "shouldnt mustnt neednt maynt");
        if denied {
            let verb = at + 1 + usize::from(text.norm(at + 1) == "not");
            let verb = verb + usize::from(text.is_one_of(verb, "be get"));
            return text.has(verb, HARM).then_some(words.start);
        }
        if text.norm(at) == "nicht" && text.has(at + 1, HARM) {
            return Some(words.start);
        }
        let stays = text.is_one_of(at, "stay stays remain remains staying bleibt bleiben reste restent queda");
        let stays = stays
            && (text.has(at - 1, MODAL)
                || text.norm(at - 1) == "to"
                || text.is_one_of(at, "stay remain") && !text.has(at + 1, BROKEN | DAMAGED)
                || !is_stuck(text, at + 1))
            || text.after_any(at, &["be kept", "be left", "be preserved", "can stay"]).is_some();
        let praised = text.has(at, COPULA)
            && (text.has(at + 1, PRAISE)
                || text.is_one_of(at + 1, "already still really just very so absolutely") && text.has(at + 2, PRAISE));
        let works = text.is_one_of(at, "works") && text.has(at + 1, PRAISE);
        ((stays || praised || works) && !is_failing(text, &(at..words.end))).then_some(words.start)
    })
}

/// "stays open", "stays 0": not what anybody wishes to keep.
fn is_stuck(text: &Text<'_>, at: usize) -> bool {
    text.number(at).is_some()
        || text.has(at, BROKEN | DAMAGED)
        || text.is_one_of(
            at,
            "open on off there forever blank visible even after grey gray hidden in until active selected",
        )
}

fn is_failing(text: &Text<'_>, words: &Range<usize>) -> bool {
    words.clone().any(|at| text.has(at, BROKEN | NEGATED) && !text.is_one_of(at, "error errors missing"))
}

/// "the popup can go", "we no longer need the map", "the banner should be removed".
fn removed(text: &Text<'_>, words: &Range<usize>) -> bool {
    let useless = [
        "no longer needed",
        "no longer need",
        "no longer necessary",
        "not needed",
        "isnt needed",
        "arent needed",
        "dont need",
        "do not need",
        "can go",
        "has to go",
        "have to go",
        "must go",
        "needs to go",
        "need to go",
        "should go away",
        "should be gone",
        "is not necessary",
        "isnt necessary",
        "should disappear",
        "no longer want",
        "no longer use",
        "no longer offer",
        "no longer required",
        "is obsolete",
        "is redundant",
        "kann weg",
        "muss weg",
    ];
    if let Some(place) = text.find(words.clone(), &useless) {
        let definite = words.clone().any(|at| text.has(at, DEFINITE | PRONOUN) || text.is_one_of(at, "anymore longer"));
        return definite && !text.is_one_of(place + 2, "to");
    }
    words.clone().any(|at| {
        let be = text.has(at, MODAL)
            && (text.norm(at + 1) == "be"
                || text.norm(at + 1) == "to" && text.norm(at + 2) == "be"
                || text.is_one_of(at + 1, "get"));
        be && (at + 1..at + 4).any(|verb| text.has(verb, REMOVE) && text.has(verb, INFLECTED))
            && !text.has(at + 1, NEGATED)
            && text.norm(at + 1) != "not"
    })
}

/// The place of the word that says that something is broken.
fn broken(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    words.clone().find(|at| {
        let at = *at;
        if text.kind(at) == Some(Kind::Trace) {
            return true;
        }
        if text.has(at, BROKEN)
            && !text.has(at + 1, PART | STYLE)
            && !(text.is_one_of(at, "error errors missing blank bug bugs twice dead typo typos")
                && text.is_one_of(at.wrapping_sub(1), "no an without add new"))
        {
            return true;
        }
        let subject = at > words.start;
        let refused = text.is_one_of(
            at + 1,
            "like want need have know care mind think understand wish convert add remove touch change forget get",
        );
        if text.has(at, NEGATED) && subject && !(refused && text.is_one_of(at, "dont doesnt never")) {
            return !text.is_one_of(at + 1, "needed necessary");
        }
        let damaged = text.has(at, DAMAGED)
            && subject
            && (text.has(at - 1, COPULA)
                || text.has(at - 2, COPULA)
                || text.is_one_of(at - 1, "appears comes appear come"));
        let stuck = text.is_one_of(at, "stays stay remains remain") && subject && is_stuck(text, at + 1);
        if damaged || stuck {
            return true;
        }
        let negated = text.after_any(
            at,
            &[
                "do not",
                "does not",
                "did not",
                "is not",
                "are not",
                "was not",
                "will not",
                "can not",
                "could not",
                "not working",
                "no longer",
            ],
        );
        if negated.is_some() && subject && !refused {
            return !text.is_one_of(at + 2, "need want like have needed necessary required wanted offer use sell");
        }
        let failing =
            text.norm(at) == "not" && subject && text.has(at + 1, INFLECTED) && text.norm(at + 1).ends_with("ing");
        if failing {
            return true;
        }
        // "the prices still show in dollars"
        if text.norm(at) == "still"
            && subject
            && text.has(at + 1, BEHAVE | COMMAND)
            && !text.has(at - 1, MODAL | COPULA)
        {
            return true;
        }
        if text.norm(at) == "keeps" && subject && text.norm(at + 1).ends_with("ing") {
            return true;
        }
        if text.after_any(at, &["supposed to", "meant to"]).is_some() && subject && text.has(at - 1, COPULA) {
            return true;
        }
        let idle = [
            "nothing happens",
            "does nothing",
            "do nothing",
            "did nothing",
            "goes nowhere",
            "go nowhere",
            "lead nowhere",
            "leads nowhere",
            "shows nothing",
            "no effect",
            "cut off",
            "cuts off",
            "white screen",
            "used to work",
            "stopped working",
            "off by one",
            "out of sync",
            "not working",
            "on top of each other",
            "at once",
            "anyway",
            "even though",
            "even when",
            "even if",
            "keeps loading",
            "keeps reloading",
            "loads forever",
            "cant",
        ];
        text.after_any(at, &idle).is_some()
    })
}

/// "the headline should be bigger", "the page needs a map".
fn ought(text: &Text<'_>, words: &Range<usize>) -> Option<(Act, usize)> {
    if let Some(place) = text.find(words.clone(), &["would be", "would also be", "would help"])
        && (place..words.end).any(|at| text.has(at, PRAISE) || text.is_one_of(at, "cool helpful useful help amazing"))
        && place > words.start
    {
        let act = if text.has(words.start, DEFINITE) { Act::Modify } else { Act::Add };
        return Some((act, words.start));
    }
    // "the shop is now closed on Mondays"
    if let Some(now) = words.clone().skip(1).find(|at| {
        text.has(*at, COPULA) && text.is_one_of(at + 1, "now henceforth")
            || text.is_one_of(*at, "becomes become")
            || text.after_any(*at, &["has changed to", "have changed to", "changed to", "moved to"]).is_some()
    }) {
        return Some((Act::Modify, now));
    }
    let at = words.clone().skip(1).find(|at| {
        text.has(*at, MODAL) && !text.is_one_of(*at, "can may will would could shall")
            || text.is_one_of(*at, "gets get receives") && noun::is_new(text, at + 1)
            || text
                .after_any(
                    *at,
                    &[
                        "could use",
                        "lacks",
                        "lack",
                        "would look better",
                        "deserves",
                        "is missing",
                        "has to",
                        "have to",
                        "could be",
                    ],
                )
                .is_some()
    })?;
    let mut next = at + 1;
    while text.is_one_of(next, "also to use be have has really just always only not get probably instead") {
        next += 1;
    }
    let be = text.is_one_of(next.saturating_sub(1), "be get");
    let act = if text.is_one_of(next, "fixed repaired fixing repair") {
        Act::Fix
    } else if text.is_one_of(next, "removed deleted gone") {
        Act::Remove
    } else if text.has(next, KEEP) || text.is_one_of(next, "stay remain") {
        Act::Keep
    } else if be {
        Act::Modify
    } else {
        let object =
            if text.has(next, ADD | ENABLE) || text.is_one_of(next, "contain show list") { next + 1 } else { next };
        let name = object..noun::end(text, object, words.end);
        let restyled =
            text.has(noun::head(text, &name), STYLE) || text.has(object, COMPARATIVE) && !text.has(object, NEW);
        let needs = text.is_one_of(at, "needs need lacks lack deserves")
            && text.kind(object) == Some(Kind::Word)
            && next == at + 1
            && !text.has(object, INFLECTED | VAGUE)
            && (text.has(object, DEFINITE) || !text.has(object, PRONOUN));
        let gains = noun::is_new(text, object) || needs || object > next && text.has(next, ADD | ENABLE);
        let exchanged = text.number(object).is_some() && text.has(object + 1, UNIT)
            || text.find(object..words.end, &["instead"]).is_some();
        if gains && !restyled && !exchanged { Act::Add } else { Act::Modify }
    };
    Some((act, next))
}

/// "the text is too small", "the hero looks boring".
fn disliked(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    let hated = [
        "dont like",
        "do not like",
        "dislike",
        "hate",
        "not a fan of",
        "not happy with",
        "cant stand",
        "dont love",
        "do not love",
    ];
    if let Some(place) = text.find(words.clone(), &hated).filter(|place| *place <= words.start + 3) {
        return Some(place);
    }
    words.clone().skip(1).find(|at| {
        let too = text.norm(*at) == "too" && *at + 1 < words.end && !text.is_mark(*at + 1);
        let dull = text.has(*at, COPULA) && (*at + 1..(*at + 4).min(words.end)).any(|at| {
            text.is_one_of(at, "boring dull generic ugly outdated old-fashioned dated cluttered crowded bland plain hideous cramped confusing messy tiny huge cheap weak long-winded empty unprofessional childish inconsistent uneven cheesy hard")
        });
        too || dull
    })
}

/// A word that is in no list and ends like a verb of the third person.
fn is_verb_like(text: &Text<'_>, at: usize) -> bool {
    let word = text.norm(at);
    let ending = word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("ous");
    text.kind(at) == Some(Kind::Word) && ending && !text.has(at, !INFLECTED & !NOUNISH)
}

/// "Score says 11/10": a thing without its article, and what it does.
fn is_bare_subject(text: &Text<'_>, words: &Range<usize>) -> bool {
    let verb = (words.start + 1..(words.start + 4).min(words.end)).find(|at| {
        let third = text.has(*at, INFLECTED)
            && text.has(*at, BEHAVE)
            && text.norm(*at).ends_with('s')
            && !text.has(*at, PART | STYLE);
        third || is_verb_like(text, *at) && noun::begins(text, at + 1)
    });
    let no_subject = CHAT
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
    verb.is_some_and(|verb| {
        (words.start..verb)
            .all(|at| text.kind(at) == Some(Kind::Word) && (!text.has(at, no_subject) || text.has(at, NOUNISH)))
    })
}

/// "the link opens our old page": what a thing does is told because it should do something else.
fn behaves(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    let person = words.clone().take(4).any(|at| text.has(at, PERSON) && !text.has(at + 1, PART));
    let named = text.has(words.start, DEFINITE)
        || matches!(text.kind(words.start), Some(Kind::Quote | Kind::Path))
        || is_bare_subject(text, words)
        || text.norm(words.start).ends_with("ing") && words.len() > 2
        || text.find(words.clone(), &["instead", "twice", "even though", "again and again", "every time"]).is_some();
    let quotes = words
        .clone()
        .any(|at| text.is_one_of(at, "reads says") && text.kind(at + 1) == Some(Kind::Quote) && at + 2 == words.end);
    let planned = words.clone().any(|at| text.is_one_of(at, "later soon tomorrow will"));
    if planned || !named || quotes || person && !text.norm(words.start).ends_with("ing") {
        return None;
    }
    words.clone().skip(1).take(12).find(|at| {
        let third = text.has(*at, INFLECTED) && text.norm(*at).ends_with('s') && text.has(*at, BEHAVE | COMMAND);
        let subject = !text.has(at - 1, DEFINITE | INDEFINITE | PREPOSITION | ADJECTIVE | EXISTING | NEW)
            && !text.is_mark(at - 1)
            && text.number(at - 1).is_none();
        let object = at + 1 >= words.end
            || noun::begins(text, at + 1)
            || text.has(at + 1, PREPOSITION | ADJECTIVE | FILLER)
            || text.kind(at + 1) == Some(Kind::Word);
        // "all umlauts look like that"
        let many = text.has(*at, BEHAVE | COPULA)
            && !text.norm(*at).ends_with('s')
            && !text.has(*at, INFLECTED)
            && !text.is_one_of(*at, "are were")
            && text.norm(at - 1).ends_with('s')
            && !text.has(at - 1, COPULA | UNIT)
            && *at > words.start + 1
            && at + 1 < words.end;
        let third = third || many;
        let unknown = !third && is_verb_like(text, *at) && *at > words.start + 1 && noun::begins(text, at + 1);
        (third || unknown)
            && subject
            && object
            && at + 1 < words.end
            && !(text.has(*at, NOUNISH) && text.has(at + 1, COPULA | MODAL))
    })
}
