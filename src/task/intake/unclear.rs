//! What cannot be told: new things or changed ones, or what at all.

use super::act::Act;
use super::clause::Clause;
use super::lexicon::*;
use super::noun;
use super::opening::Mood;
use super::text::Text;
use super::token::Kind;
use std::ops::Range;

/// Whether these words could mean new things as well as changed or removed ones.
pub(super) fn is_ambiguous(text: &Text<'_>, words: &Range<usize>, mood: Mood) -> bool {
    const ERRANDS: &str = "do something|do sth|deal with|work on|play around with|handle|mach was";
    let errand =
        text.after_any(words.start, ERRANDS).is_some() && text.find(words.clone(), "so that|because").is_none();
    errand
        || shares_ought(text, words)
        || converts_share(text, words)
        || is_more_for(text, words, mood)
        || has_alternatives(text, words)
        || is_undecided(text, words)
}

/// "at least a third of the menu should be vegan", "some animals should become mascots".
fn shares_ought(text: &Text<'_>, words: &Range<usize>) -> bool {
    let share = |at: usize| {
        let part = text.has(at, SHARE) || text.is_one_of(at, "third quarter fifth percent tenth");
        part || text.number(at).is_some() || text.norm(at).ends_with('%')
    };
    let opens = words.start..(words.start + 4).min(words.end);
    let of = opens.into_iter().any(|at| share(at) && text.norm(at + 1) == "of" && text.has(at + 2, DEFINITE | PRONOUN));
    let some = text.has(words.start + usize::from(text.has(words.start, INDEFINITE)), SHARE);
    let ought = |verbs: &str| words.clone().any(|at| text.has(at, MODAL) && text.is_one_of(at + 1, verbs));
    let clear =
        words.clone().any(|at| text.has(at, BROKEN | NEGATED) || text.has(at, REMOVE | FIX) && text.has(at, INFLECTED));
    let ought = |verbs: &str| ought(verbs) || text.find(words.clone(), "to be|to become").is_some();
    !clear && (of && ought("be become") || some && ought("be become turn"))
}

/// "make some of the cards into quotes": which ones, or new ones?
fn converts_share(text: &Text<'_>, words: &Range<usize>) -> bool {
    let verb = words.start;
    let converts =
        text.has(verb, CREATE) || text.has(verb, MODIFY) && !text.has(verb, ADD) || text.norm(verb) == "have";
    let Some(share) = (verb + 1..(verb + 5).min(words.end)).find(|at| text.has(*at, SHARE)) else { return false };
    let of = text.norm(share + 1) == "of";
    let whole = share + 1 + usize::from(of);
    let becomes = text.has(verb, CREATE) || text.find(whole..words.end, "into|to|for|be|as|a|with").is_some();
    converts && becomes && (of || text.has(whole, DEFINITE | PRONOUN | EXISTING))
}

/// "more for nighttime": more of what?
fn is_more_for(text: &Text<'_>, words: &Range<usize>, mood: Mood) -> bool {
    let at = words.start;
    if mood == Mood::Asked || !text.is_one_of(at, "more mehr mas") || words.len() < 3 {
        return false;
    }
    let thing = noun::end(text, at + 1, words.end);
    let wished = mood == Mood::Wished;
    // "I want more black and white in the gallery"
    let qualities = (at + 1..words.end).take_while(|at| text.has(*at, ADJECTIVE | AND)).count();
    let next = at + 1 + qualities;
    if wished && qualities > 0 && (next >= words.end || text.has(next, PREPOSITION | FILLER)) {
        return true;
    }
    let unnamed = text.is_one_of(at + 1, "for in on at fur pour para of from about");
    let purpose = !wished && thing > at + 1 && text.is_one_of(thing, "for fur pour para");
    unnamed || purpose
}

/// "add or replace", "either this or that".
fn has_alternatives(text: &Text<'_>, words: &Range<usize>) -> bool {
    let marker = |at: usize| {
        let classes = [ADD, MODIFY & !ADD, REMOVE, KEEP];
        classes.into_iter().position(|class| text.has(at, class) && !text.has(at, INFLECTED))
    };
    let Some(or) = words.clone().skip(1).find(|at| text.norm(*at) == "or") else { return false };
    let either = text.norm(words.start) == "either";
    let second = or + 1 + usize::from(text.is_one_of(or + 1, "just maybe simply rather"));
    let named = noun::begins(text, second + 1);
    let spoken = named || either || text.is_one_of(or - 1, "add change replace remove keep modify update");
    let differ = match (marker(words.start + usize::from(either)), marker(second)) {
        (Some(first), Some(second)) => first != second,
        _ => false,
    };
    differ && spoken && (named || !text.has(second, NOUNISH))
}

/// "not sure whether …", "or maybe just one".
fn is_undecided(text: &Text<'_>, words: &Range<usize>) -> bool {
    const UNDECIDED: &str = "not sure|unsure|undecided|idk|i am not sure|im not sure|i dont know";
    const UNSURE: &str = "not sure if|not sure whether|not sure what|not sure which|not sure how|dont know if|\
                          dont know whether|dont know what|cant decide|could go either way";
    let alone = words.len() <= 4 && text.after_any(words.start, UNDECIDED).is_some();
    let or = text.norm(words.start) == "or" && text.is_one_of(words.start + 1, "maybe perhaps we should just");
    alone || or && words.len() > 2 || text.find(words.clone(), UNSURE).is_some()
}

/// Whether a request names nothing that could be worked on: "make it better", "it doesn't work".
pub(super) fn is_vague(text: &Text<'_>, clause: &Clause) -> bool {
    if !clause.act.is_request() || clause.act == Act::Remove || orders_app(text, clause) {
        return false;
    }
    // A command's verb says nothing of what it is done to; a statement's verb stands behind that.
    let command = clause.act != Act::Bug && text.has(clause.verb, COMMAND) && clause.object > clause.verb;
    let verb = if command { clause.verb..clause.object } else { clause.verb..clause.verb };
    clause.range.clone().filter(|at| !verb.contains(at)).all(|at| match text.kind(at) {
        Some(Kind::Mark | Kind::Number(_)) => true,
        Some(Kind::Word) => text.has(at, EMPTY) && !text.has(at, REMOVE) || text.is_one_of(at, HOLLOW),
        _ => false,
    })
}

/// "build a page", "create the app": little said, but nothing to ask (`seeds/003 §11`: "build me", "create").
fn orders_app(text: &Text<'_>, clause: &Clause) -> bool {
    let opens = clause.verb..clause.object.max(clause.verb) + 1;
    let builds = text.is_one_of(clause.verb, "build create develop implement generate");
    let makes = text.has(clause.verb, CREATE) && opens.clone().any(|at| text.has(at, INDEFINITE));
    let name = clause.object..noun::end(text, clause.object, clause.range.end);
    clause.act != Act::Bug
        && (builds || makes)
        && name.clone().any(|at| text.has(at, APP) && text.norm(at) != "something")
}

/// Classes of words that name nothing.
const EMPTY: Classes = ANYTHING
    | DEFINITE
    | PRONOUN
    | VAGUE
    | FILLER
    | AND
    | COPULA
    | INDEFINITE
    | COMPARATIVE
    | CHAT
    | MODAL
    | NEGATED
    | PERSON;

/// Words that name nothing, of no such class.
const HOLLOW: &str = "very much lot way really kinda sort of somehow some any used like love hate since yesterday \
                      today \
                      broke last week update change morning working work works worked broken wrong buggy failing fails \
                      fail off weird with to up for me us bit at in on do does happens happening nothing none properly \
                      anymore make get look looks be been not no feel seems see es funktioniert nicht geht mehr alles \
                      irgendwas il ca marche pas rien funciona nada";
