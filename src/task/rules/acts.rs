//! What a clause requests or states.

use super::clauses::{Clause, command, predicate, prohibited};
use super::counts::growth;
use super::tokens::{Kind, Text};
use super::words::*;
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Add,
    Modify,
    /// A command to repair.
    Fix,
    /// A statement that something is broken.
    Bug,
    Remove,
    Keep,
    /// The present app is given up.
    Restart,
    /// It could mean new items as well as changed ones.
    Ambiguous,
    /// A thing without a verb: "habit tracker, mobile first".
    Name,
    /// It says more about another clause.
    Detail,
    /// It requests nothing.
    Talk,
}

/// Where a clause excludes something: "except the hero", "everything but the hero".
pub(super) fn exception(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    let is_all = |at: usize| text.says(&(at.saturating_sub(8).max(words.start)..at), "all|everything|every");
    words.clone().find(|at| text.after(*at, EXCEPT).is_some() || text.norm(*at) == "but" && is_all(*at))
}

/// What a clause does; the first rule that fits decides. The request starts at `from`.
pub(super) fn act(text: &Text<'_>, clause: &Clause<'_>, from: usize) -> Act {
    let words = &clause.words;
    let rest = &(from..words.end);
    let verb = command(text, from, words.end);
    // "Can the cards flip?"
    let may_change = text.is(from, "can could") && text.has(from + 1, DEFINITE | PRONOUN);
    match () {
        () if text.kind(words.start) == Some(Kind::Trace) => Act::Bug,
        () if clause.sentence.is_pasted => Act::Detail,
        () if restart(text, words).is_some() || text.is(clause.core, "forget ditch") && rest.len() <= 4 => Act::Restart,
        () if text.says(words, UNDECIDED) => Act::Ambiguous,
        () if wonders(text, rest) => Act::Bug,
        () if keeps(text, rest, verb) && !(clause.sentence.is_item && demands(text, rest)) => Act::Keep,
        () if prohibited(text, rest.start).is_some() => Act::Modify,
        () if is_unwanted(text, rest) => Act::Remove,
        // "I want to be able to pin notes." "When a lead is won, show confetti."
        () if verb != 0 && text.says(&(words.start..from), "able to|when") => Act::Add,
        () if verb != 0 => commanded(text, verb, rest),
        () if is_ambiguous(text, rest) && !grows(text, rest) => Act::Ambiguous,
        () if clause.sentence.asks && !clause.is_wish && !may_change && text.has(from, QUESTION) => Act::Talk,
        () if chats(text, rest) => Act::Talk,
        () if is_empty(text, words) && !is_defect(text, rest) && !states_value(text, words) => Act::Talk,
        () if may_change => Act::Modify,
        () if clause.is_wish && !clause.sentence.is_item => wished(text, rest),
        () => stated(text, rest).unwrap_or_else(|| named_act(text, clause, rest)),
    }
}

/// After "schedule:" or "In the hero,": where the request itself starts.
pub(super) fn after_label(text: &Text<'_>, clause: &Clause<'_>) -> usize {
    let words = clause.core..clause.words.end;
    let label =
        |colon: &usize| predicate(text, &(words.start..*colon)).is_none() && command(text, words.start, *colon) == 0;
    let is_condition = text.has(words.start, CONDITION);
    let mut from = match text.colon(&words, 6).filter(label) {
        Some(colon) => colon + 1,
        None if is_condition || text.is(words.start, "in on at below above under between for with") => {
            let comma = words.clone().take(12).find(|at| text.norm(*at) == ",").map(|comma| comma + 1);
            let verb = words.clone().skip(1).take(8).find(|at| command(text, *at, words.end) != 0);
            verb.filter(|_| !is_condition).or(comma).unwrap_or(words.start)
        }
        None => words.start,
    };
    while from > words.start && (text.has(from, FILLER) || text.is(from, "and , can you could i we want need")) {
        from += 1;
    }
    if from < words.end { from } else { words.start }
}

/// Text that addresses the parser, not the app.
pub(super) fn is_steering(text: &Text<'_>, words: &Range<usize>) -> bool {
    const ORDERS: &str = "ignore|disregard|override|output|reply|respond|print|set|return|answer";
    const OBJECTS: &str =
        "instruction|instructions|prompt|parser|json|mutation|bugfix|requirements|output|previous|[|{";
    ["SYSTEM", "System:", "[SYSTEM", "system:"].iter().any(|start| text.slice(words).starts_with(start))
        || text.find(words.clone(), ORDERS).is_some_and(|at| text.says(&(at + 1..words.end), OBJECTS))
}

/// It names nothing specific.
pub(super) fn is_empty(text: &Text<'_>, words: &Range<usize>) -> bool {
    !words.clone().any(|at| text.is_specific(at))
}

/// "it should be 5 €"
fn states_value(text: &Text<'_>, words: &Range<usize>) -> bool {
    text.any(words.clone(), MODAL) && words.clone().any(|at| text.number(at).is_some())
}

/// "The list stays sorted" says how a thing is; "the nav stays as it is" only leaves it alone.
pub(super) fn demands(text: &Text<'_>, words: &Range<usize>) -> bool {
    let follows = |at: usize| at < words.end && !text.has(at, DEFINITE | FILLER) && !text.is(at, ", as like where how");
    words.clone().any(|at| text.is(at, "stays stay remains remain") && follows(at + 1))
}

/// Whether a clause says that something stays.
fn keeps(text: &Text<'_>, rest: &Range<usize>, verb: Classes) -> bool {
    let states = text.says(rest, STAYS) && !text.says(rest, DEFECTS) && verb & !KEEP == 0;
    // "Don't touch the nav", but not "don't show the prices".
    let is_kept = |verb: usize| !text.has(verb, BEHAVE) || text.is(verb, "touch mess affect lose remove delete add");
    prohibited(text, rest.start).is_some_and(is_kept) || states || verb & KEEP != 0
}

/// Greetings, thanks and praise, but not "should say thank you" and "looks great, but the footer is too small".
fn chats(text: &Text<'_>, rest: &Range<usize>) -> bool {
    let chat = text.find(rest.start..rest.end.min(rest.start + 5), CHATS);
    text.is(rest.start, "explain tell recommend advise")
        || chat.is_some_and(|at| !text.any(rest.start..at, MODAL) && !text.says(&(at..rest.end), "but"))
}

/// "we no longer need X", "X can go", "take X out", "no emojis".
fn is_unwanted(text: &Text<'_>, rest: &Range<usize>) -> bool {
    let last = rest.clone().rev().find(|at| !text.has(*at, FILLER)).unwrap_or(rest.start);
    let ends =
        |at: usize| at > last || text.is_mark(at) || text.has(at, AND) || text.is(at, "away completely entirely");
    let goes = || text.find(rest.clone(), GOES).and_then(|at| text.after(at, GOES)).is_some_and(ends);
    let takes = || text.is(rest.start, "take rip kick") && text.is(last, "out away");
    let is_without =
        || text.norm(rest.start) == "no" && text.is_word(rest.start + 1) && predicate(text, rest).is_none();
    text.says(rest, GONE) || goes() || takes() || is_without()
}

/// The words that give up the present app. "The slideshow should start again" and "a start over button" do not.
pub(super) fn restart(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    let is_ordered = |at: usize| {
        let before = at - 1;
        at == words.start
            || text.is_mark(before)
            || text.has(before, AND | FILLER)
            || text.is(before, "lets us you i we")
            || text.is(before, "to should must can could have need")
                && text.is(before - 1, "want need we i like you have")
    };
    let ends = |at: usize| {
        at >= words.end
            || text.is_mark(at)
            || text.has(at, AND | FILLER)
            || text.is(at, "with as this that using into instead")
            || text.norm(at) == "from" && text.is(at + 2, "start beginning")
    };
    // "Drop all of this", "get rid of everything", "throw it all away".
    let removes = |at: usize| {
        let verb = text.has(at, REMOVE) || text.is(at, "wipe reset forget throw toss");
        let object = text.after(at, "get rid of").or_else(|| verb.then_some(at + 1))?;
        // "Throw this out", "drop it and make me a map", but "remove this" is about a part.
        let makes = |end: usize| {
            text.has(end, AND) && text.is(end + 1, "make build create do start") && text.is(end + 2, "me us a an")
        };
        let gives_up = |end: &usize| text.is(*end, "away out") || text.is(at, "scrap ditch bin forget") || makes(*end);
        let this = || text.after(object, "this|that|it").filter(gives_up);
        let end = text.after(object, WHOLE).or_else(this)?;
        Some(end + usize::from(text.is(end, "away out")))
    };
    let ordered = |at: usize| text.after(at, RESTART_COMMANDS).or_else(|| removes(at)).filter(|_| is_ordered(at));
    let is_whole = exception(text, words).is_none();
    let command = words.clone().find_map(|at| ordered(at).filter(|end| is_whole && ends(*end)));
    command.or_else(|| words.clone().rev().find_map(|at| text.after(at, RESTARTS)))
}

/// "why is the page blank?", "how come the prices are in dollars?", but not "why did you use Tailwind?"
fn wonders(text: &Text<'_>, rest: &Range<usize>) -> bool {
    const STATES: &str = "is|are|was|were|does|do|has|have";
    let Some(why) = text.after(rest.start, "why|how come") else { return false };
    let subject = text.after(why, STATES).unwrap_or(why);
    let is_state = (subject > why || text.norm(why - 1) == "come")
        && (text.has(subject, DEFINITE) || text.is(subject, "there nothing everything nobody"));
    is_defect(text, rest) || is_state && !text.says(rest, "use|used|need|needed|required|important|you")
}

/// What a verb commands.
fn commanded(text: &Text<'_>, verb: Classes, rest: &Range<usize>) -> Act {
    let (first, object) = (rest.start, rest.start + 1);
    let adds = match text.norm(first) {
        _ if is_ambiguous(text, rest) && !grows(text, rest) => return Act::Ambiguous,
        _ if verb & FIX != 0 => return Act::Fix,
        "cut" | "drop" if text.says(rest, "to|down") => false,
        _ if verb & REMOVE != 0 => return Act::Remove,
        _ if grows(text, rest) => true,
        "make" => {
            // "make a page" adds, "make the page blue" changes.
            let names_app = !text.any(object..object + 2, DEFINITE | PRONOUN) && text.any(object..rest.end, APP);
            let changes = text.any(object..rest.end, COMPARATIVE);
            text.is(object, "me us") || names_app && !changes
        }
        "give" => !text.any(rest.clone(), STYLE),
        // "put the map above the form" moves it; "put a map" adds one.
        "put" | "place" | "have" | "write" => !text.has(object, DEFINITE | PRONOUN),
        "design" | "show" => text.has(object, INDEFINITE | NEW) || text.number(object).is_some(),
        _ => verb & ADD != 0,
    };
    if adds { Act::Add } else { Act::Modify }
}

/// The number of items rises: "expand the grid to 16", "extend the FAQ by 3 questions".
fn grows(text: &Text<'_>, words: &Range<usize>) -> bool {
    let by = || text.find(words.clone(), "by").is_some_and(|by| text.number(by + 1).is_some());
    growth(text, words).is_some() || text.is(words.start, "extend increase grow expand") && by()
}

/// "I want X": a thing, or a change of one.
fn wished(text: &Text<'_>, rest: &Range<usize>) -> Act {
    let is_placed = text.has(rest.start, DEFINITE) && text.says(rest, "to be|as|like|in|on|before|after");
    match stated(text, rest) {
        Some(act) if act != Act::Detail => act,
        _ if is_placed || text.says(rest, "instead") || text.has(rest.start, COMPARATIVE) => Act::Modify,
        _ => Act::Add,
    }
}

/// A statement about a thing; `None` without a predicate.
fn stated(text: &Text<'_>, rest: &Range<usize>) -> Option<Act> {
    const ASKS: &str = "should|must|shall|ought|needs|need|has to|have to|could be|can be|could have|would be|gets a|\
        gets an|gets one|could use";
    let predicate = predicate(text, rest);
    let asked = predicate.filter(|at| text.after(*at, ASKS).is_some());
    match asked {
        _ if is_share(text, rest) => Some(Act::Ambiguous),
        _ if text.says(rest, "would be great|would be nice|would help") => Some(Act::Add),
        Some(modal) => Some(wanted(text, rest, modal)),
        None if text.says(rest, "too|dont like|dont love|ugly") && !text.any(rest.clone(), BROKEN) => Some(Act::Modify),
        None if is_defect(text, rest) => Some(Act::Bug),
        None => predicate.map(|_| Act::Detail),
    }
}

/// "X should be Y" changes; "X needs a Y" and "X should have 3 Y" add.
fn wanted(text: &Text<'_>, rest: &Range<usize>, modal: usize) -> Act {
    const GETS: &str = "should get|should have|should contain|should include|should list|must have|\
        gets|needs|need|could have|could use|should also have";
    if grows(text, rest) || text.norm(modal - 1) == "there" {
        return Act::Add;
    }
    let object = text.after(modal, GETS).filter(|object| text.norm(*object) != "to").unwrap_or(rest.end);
    let changes = text.any(object..rest.end, STYLE | COMPARATIVE);
    if object < rest.end && !changes { Act::Add } else { Act::Modify }
}

/// It says that something is broken.
pub(super) fn is_defect(text: &Text<'_>, words: &Range<usize>) -> bool {
    const UNWANTED: &str =
        "dont like|dont want|do not want|dont need|do not need|dont think|dont know|not only|not just";
    let negated = (words.start..words.end - 1).any(|at| text.has(at, NEGATED) && text.norm(at) != "no");
    let behaves = predicate(text, words).is_some_and(|at| text.has(at, BEHAVE) && text.has(at, INFLECTED));
    // "The total is 10 but should be 12."
    let is_off =
        text.find(words.clone(), "but should|but must").is_some_and(|but| states_value(text, &(but..words.end)));
    text.any(words.clone(), BROKEN)
        || text.says(words, DEFECTS)
        || is_off
        || behaves
        || negated && !text.says(words, UNWANTED)
}

/// "some of the X should …", "two of the X": which, and what of them?
fn is_share(text: &Text<'_>, rest: &Range<usize>) -> bool {
    let is_part = |at: &usize| text.has(*at, SHARE) || text.number(*at).is_some();
    let share = rest.clone().take(5).find(is_part).filter(|share| text.norm(share + 1) == "of");
    share.is_some_and(|share| text.says(&(share..rest.end), "should|could|must|into|become|be|are"))
        && !is_defect(text, rest)
}

/// It could mean new items as well as changed ones: "more for nighttime", "turn some of the cards into quotes".
fn is_ambiguous(text: &Text<'_>, rest: &Range<usize>) -> bool {
    let first = rest.start;
    let is_make = text.norm(first) == "make";
    let is_change = is_make || text.has(first, MODIFY) && !text.has(first, ADD);
    let object = first + usize::from(is_change) + usize::from(is_make && text.has(first + 1, INDEFINITE));
    let of = (object..object + 4).any(|at| text.norm(at) == "of" && text.has(at + 1, DEFINITE));
    let is_part = is_change && text.has(object, SHARE) && (of || text.says(rest, "into"));
    is_part || text.norm(object) == "more" && (!text.has(object + 1, STYLE) || text.norm(object + 1) == "black")
}

/// A clause without a verb.
fn named_act(text: &Text<'_>, clause: &Clause<'_>, rest: &Range<usize>) -> Act {
    let start = rest.start;
    let is_labelled = start > clause.core;
    let is_number = text.number(start).is_some() && !text.has(start + 1, UNIT) && text.norm(start + 1) != "of";
    match () {
        () if is_labelled && (text.any(clause.core..start, BROKEN) || text.is(clause.core, "actual")) => Act::Bug,
        // "Headline: …" says what is shown.
        () if is_labelled && (text.any(clause.core..start, COPY) || text.is(clause.core, "expected")) => Act::Detail,
        () if text.norm(start) == "new" && text.has(start + 1, STYLE | COPY) => Act::Modify,
        // "Two columns please."
        () if text.number(start).is_some() && text.is(start + 1, "columns column cols col rows row") => Act::Modify,
        () if text.has(start, COMPARATIVE) || text.says(rest, "instead|everywhere") => Act::Modify,
        () if is_number || text.has(start, INDEFINITE | ORDINAL | NEW) => Act::Add,
        () => Act::Name,
    }
}
