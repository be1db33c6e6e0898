//! What each clause requests or states, and the clauses that belong together.

use super::attachment;
use super::bug_reports;
use super::clauses::{Clause, command, is_prohibition, predicate};
use super::lexicon::*;
use super::preserve;
use super::small_talk;
use super::tokens::{Kind, Text};
use std::ops::Range;

/// What a clause does.
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

/// A clause with what it does, and the clauses that say more about it.
#[derive(Debug, Clone)]
pub(super) struct Wish {
    pub act: Act,
    pub words: Range<usize>,
    /// Where its verb or its first content word is.
    pub core: usize,
    pub also: Vec<Range<usize>>,
    /// It starts with a verb of [`CREATE`] or a wish: it may name an app.
    pub creates: bool,
    pub asks: bool,
    pub is_item: bool,
    pub opens_paragraph: bool,
}

impl Wish {
    pub(super) fn is_request(&self) -> bool {
        matches!(self.act, Act::Add | Act::Modify | Act::Fix | Act::Bug | Act::Remove)
    }
}

/// Reads the clauses and joins those that belong together.
pub(super) fn wishes(text: &Text<'_>, clauses: &[Clause]) -> Vec<Wish> {
    let mut wishes: Vec<Wish> = Vec::new();
    // The verb of "add:" before a list.
    let mut heading: Option<Act> = None;
    let mut is_steered = false;
    for clause in clauses {
        // Text that addresses the parser steers nothing, up to the end of its sentence.
        is_steered = is_steered && !clause.opens || !clause.is_pasted && small_talk::is_steering(text, &clause.words);
        if is_steered {
            continue;
        }
        let mut act = act(text, clause);
        if act == Act::Talk {
            continue;
        }
        if clause.is_item && matches!(act, Act::Name | Act::Detail) {
            act = heading.unwrap_or(act);
        } else if !clause.is_item && !clause.is_pasted {
            heading = None;
        }
        if clause.heads && clause.words.len() < 8 && !matches!(act, Act::Restart) {
            heading = Some(act).filter(|act| matches!(act, Act::Add | Act::Modify | Act::Remove | Act::Fix | Act::Bug));
            let verb_only = clause.words.end.saturating_sub(clause.core) <= 2;
            if verb_only || matches!(act, Act::Bug | Act::Name | Act::Detail) && !clause.is_item {
                if matches!(act, Act::Name | Act::Detail) && !small_talk::is_empty(text, &clause.words) {
                    attachment::attach(text, &mut wishes, &wish(text, clause, Act::Name));
                }
                continue;
            }
        }
        attachment::attach(text, &mut wishes, &wish(text, clause, act));
    }
    wishes
}

fn wish(text: &Text<'_>, clause: &Clause, act: Act) -> Wish {
    Wish {
        act,
        words: clause.words.clone(),
        core: if act == Act::Restart || clause.is_pasted { clause.core } else { after_label(text, clause) },
        also: Vec::new(),
        creates: clause.is_wish || text.has(clause.core, CREATE) || text.is(clause.core, "have get see"),
        asks: clause.asks,
        is_item: clause.is_item && clause.opens,
        opens_paragraph: clause.opens_paragraph,
    }
}

/// What a clause does, by its first words; the first rule that fits decides.
fn act(text: &Text<'_>, clause: &Clause) -> Act {
    let words = clause.words.clone();
    if text.kind(words.start) == Some(Kind::Trace) {
        return Act::Bug;
    }
    if clause.is_pasted {
        return Act::Detail;
    }
    if small_talk::restart(text, &words).is_some() {
        return Act::Restart;
    }
    let from = after_label(text, clause);
    let rest = from..words.end;
    let is_why = text.after(from, "why|how come").is_some() && clause.asks;
    if is_why && bug_reports::is_reported_as_question(text, &rest) {
        return Act::Bug;
    }
    if small_talk::is_undecided(text, &words) {
        return Act::Ambiguous;
    }
    if preserve::keeps(text, &rest) {
        return Act::Keep;
    }
    if is_prohibition(text, from) {
        return Act::Talk;
    }
    if removes(text, &rest) {
        return Act::Remove;
    }
    let verb = command(text, from, words.end);
    if verb == 0 && from > clause.core && text.any(clause.core..from, BROKEN) {
        return Act::Bug;
    }
    if verb != 0 {
        // "When a lead is won, show confetti." "I want to be able to pin notes."
        let is_reaction = text.has(clause.core, CONDITION) && text.is(from, "show ask send open play display");
        if is_reaction || text.find(words.start..from, "able to").is_some() {
            return Act::Add;
        }
        return commanded(text, verb, &rest);
    }
    if is_ambiguous(text, &rest) {
        return Act::Ambiguous;
    }
    if clause.asks && !clause.is_wish && small_talk::is_question(text, &rest) {
        return Act::Talk;
    }
    if small_talk::is_chat(text, &rest) {
        return Act::Talk;
    }
    // "Get the form to send emails."
    if text.norm(from) == "get" && text.has(from + 1, DEFINITE) && text.find(rest.clone(), "to").is_some() {
        return Act::Modify;
    }
    // "Can the cards flip?"
    if text.is(from, "can could would") && text.has(from + 1, DEFINITE | PRONOUN) {
        let has = text.find(rest.clone(), "have|get").filter(|has| text.has(has + 1, INDEFINITE | NEW));
        return if has.is_some() && text.find(rest.clone(), "instead").is_none() { Act::Add } else { Act::Modify };
    }
    if clause.is_wish && (!clause.is_item || predicate(text, &rest).is_none()) {
        return wished(text, &rest);
    }
    if let Some(act) = stated(text, &rest) {
        return act;
    }
    named(text, clause, &rest)
}

/// After "schedule:" or "In the hero,": where the request itself starts.
fn after_label(text: &Text<'_>, clause: &Clause) -> usize {
    let core = clause.core;
    let colon = (core + 1..clause.words.end.min(core + 6))
        .find(|at| text.norm(*at) == ":" && text.kind(*at) == Some(Kind::Mark));
    let colon = colon.filter(|colon| predicate(text, &(core..*colon)).is_none() && command(text, core, *colon) == 0);
    let mut from = match colon {
        Some(colon) if colon + 1 < clause.words.end => colon + 1,
        None if text.has(core, CONDITION) || text.is(core, "in on at below above under between for with") => {
            let comma = (core..clause.words.end.min(core + 12)).find(|at| text.norm(*at) == ",").map(|comma| comma + 1);
            let verb = (core + 1..clause.words.end.min(core + 9)).find(|at| {
                command(text, *at, clause.words.end) != 0
                    && !text.has(at.wrapping_sub(1), DEFINITE | INDEFINITE | PREPOSITION)
                    && !text.has(core, CONDITION)
            });
            verb.or(comma).unwrap_or(core)
        }
        _ => core,
    };
    while from + 1 < clause.words.end
        && (text.has(from, FILLER)
            || text.is(from, "and ,")
            || text.is(from, "can you could i we want need") && from > core)
    {
        from += 1;
    }
    if from < clause.words.end { from } else { core }
}

/// "we no longer need X", "X can go".
fn removes(text: &Text<'_>, rest: &Range<usize>) -> bool {
    const GONE: &str = "no longer need|no longer needed|no longer want|get rid of|got rid of|can go|has to go|have to go|\
         must go|should go|needs to go|should be removed|should be deleted|gone from|out of there|rip out|\
         not needed anymore|kick out";
    let any_more = text.find(rest.clone(), "any more|anymore|any longer").is_some();
    let unwanted = text.find(rest.clone(), "dont need|dont want|do not need|do not want").is_some();
    let taken_out = text.is(rest.start, "take get kick rip throw") && text.find(rest.clone(), "out|off|away").is_some();
    let no_more = text.after(rest.start, "no more|no").is_some()
        && text.find(rest.clone(), "needed|necessary|required|idea").is_none()
        && predicate(text, rest).is_none();
    text.find(rest.clone(), GONE).is_some_and(|at| text.norm(at + 2) != "a")
        || any_more && unwanted
        || unwanted && text.find(rest.clone(), "dont need the|do not need the").is_some()
        || taken_out
        || no_more && text.any(rest.start + 1..rest.end, !0) && text.norm(rest.start) == "no"
}

/// What a verb commands.
fn commanded(text: &Text<'_>, verb: Classes, rest: &Range<usize>) -> Act {
    let object = rest.start + 1;
    if verb & KEEP != 0 {
        return Act::Keep;
    }
    if is_ambiguous(text, rest) && verb & (REMOVE | ADD & !CREATE) == 0 {
        return Act::Ambiguous;
    }
    if verb & FIX != 0 {
        // "fix the tone" changes what is not broken.
        let style = text.is(rest.end.wrapping_sub(1), "tone copy wording mood vibe");
        return if style { Act::Modify } else { Act::Fix };
    }
    if verb & REMOVE != 0 {
        let shortens = text.is(rest.start, "cut drop") && text.find(rest.clone(), "to|down").is_some();
        return if shortens { Act::Modify } else { Act::Remove };
    }
    if text.norm(rest.start) == "make" {
        return made(text, rest);
    }
    // "put the map above the form" moves it; "put a map" adds one.
    if text.is(rest.start, "put place have give write") {
        let gives_look =
            text.norm(rest.start) == "give" && text.any(rest.clone(), STYLE) && !text.any(rest.clone(), NEW);
        let moves = (text.has(object, DEFINITE | PRONOUN) || text.is(object, "new")) && text.norm(rest.start) != "give";
        return if gives_look || moves || text.norm(rest.start) == "write" && text.kind(object) == Some(Kind::Quote) {
            Act::Modify
        } else {
            Act::Add
        };
    }
    if verb & ENABLE != 0 {
        return Act::Add;
    }
    if verb & ADD != 0 {
        return Act::Add;
    }
    if grows(text, rest)
        || text.is(rest.start, "design show")
            && (text.has(object, NEW) || text.has(object, INDEFINITE) && text.norm(rest.start) == "design")
    {
        return Act::Add;
    }
    Act::Modify
}

/// "make a page" adds, "make the page blue" changes.
fn made(text: &Text<'_>, rest: &Range<usize>) -> Act {
    let object = rest.start + 1;
    let object = if text.is(object, "me us") { object + 1 } else { object };
    let creates = object > rest.start + 1 || text.has(object, INDEFINITE | NEW) || text.number(object).is_some();
    let changes = text.any(object + 1..rest.end, COMPARATIVE) && text.any(object..rest.end, DEFINITE);
    let names_app = !text.any(object..object + 2, DEFINITE | PRONOUN)
        && text.any(object..rest.end, APP)
        && !text.any(object..rest.end, COMPARATIVE);
    if creates && !changes || grows(text, rest) || names_app { Act::Add } else { Act::Modify }
}

/// The number of items rises: "from 5 to 7 questions", "expand the grid to 16".
pub(super) fn grows(text: &Text<'_>, words: &Range<usize>) -> bool {
    let by = words.clone().find(|at| {
        text.norm(*at) == "by" && text.number(at + 1).is_some() && !text.has(at + 2, UNIT) && text.is_word(at + 2)
    });
    super::counts::growth(text, words).is_some() || by.is_some() && text.is(words.start, "extend increase grow expand")
}

/// "I want X": a thing, or a change of one.
fn wished(text: &Text<'_>, rest: &Range<usize>) -> Act {
    let start = rest.start;
    let instead = text.find(rest.clone(), "instead").is_some();
    if is_share(text, rest) {
        return Act::Ambiguous;
    }
    if text.norm(start) == "more" || text.norm(start) == "less" {
        return if text.has(start + 1, STYLE) && text.norm(start + 1) != "black" {
            Act::Modify
        } else {
            Act::Ambiguous
        };
    }
    if let Some(act) = stated(text, rest).filter(|act| *act != Act::Detail) {
        return act;
    }
    let changes =
        text.has(start, COMPARATIVE) || instead && text.number(start).is_some() || instead && text.has(start, DEFINITE);
    if changes
        || text.has(start, DEFINITE) && text.find(rest.clone(), "to be|to have|as|like|in|on|before|after").is_some()
    {
        let gets = text.find(rest.clone(), "to have").is_some();
        return if gets { Act::Add } else { Act::Modify };
    }
    Act::Add
}

/// A statement about a thing.
fn stated(text: &Text<'_>, rest: &Range<usize>) -> Option<Act> {
    if is_share(text, rest) {
        return Some(Act::Ambiguous);
    }
    let at = predicate(text, rest);
    let modal = at.filter(|at| {
        text.has(*at, MODAL) && !text.is(*at, "will would may can could")
            || text.is(*at, "needs need")
            || text
                .after(*at, "has to|have to|could be|can be|could have|would be|gets a|gets an|gets one|could use")
                .is_some()
    });
    if text.find(rest.clone(), "would be great|would be nice|would help").is_some() {
        return Some(Act::Add);
    }
    if let Some(modal) = modal.filter(|_| text.find(rest.clone(), "supposed to").is_none()) {
        return Some(wanted(text, rest, modal));
    }
    if let Some(act) = bug_reports::reported(text, rest) {
        return Some(act);
    }
    at.filter(|_| !text.has(rest.start, PREPOSITION & !PRONOUN & !DEFINITE)).map(|_| Act::Detail)
}

/// "X should be Y" changes; "X needs a Y" and "X should have 3 Y" add.
fn wanted(text: &Text<'_>, rest: &Range<usize>, modal: usize) -> Act {
    if bug_reports::is_defect_of_wish(text, rest, modal) {
        return Act::Detail;
    }
    let gets = text.after(
        modal,
        "should get|should have|should show|should contain|should include|should list|must have|must show|\
             gets|needs|need|could have|could use|should also have",
    );
    if text.norm(modal.wrapping_sub(1)) == "there" {
        return Act::Add;
    }
    let Some(object) = gets.filter(|object| *object < rest.end && text.norm(*object) != "to") else {
        return if grows(text, rest) { Act::Add } else { Act::Modify };
    };
    if grows(text, rest) {
        return Act::Add;
    }
    let is_new =
        text.has(object, INDEFINITE | NEW | ORDINAL) || text.number(object).is_some() || text.norm(object) == "one";
    let unit = text.any(object..rest.end.min(object + 4), UNIT) || text.find(rest.clone(), "instead").is_some();
    let styled = text.any(object..rest.end, STYLE | COMPARATIVE) && !text.any(object..rest.end, NEW & !COMPARATIVE);
    let shows = text.is(object.wrapping_sub(1), "show") && !is_new;
    if unit || styled || shows && !is_new { Act::Modify } else { Act::Add }
}

/// "some of the X", "half of the X", "two of the X": which, and what of them?
fn is_share(text: &Text<'_>, rest: &Range<usize>) -> bool {
    let modal = text.find(rest.clone(), "should|could|must|into|become|be|are");
    let Some(share) =
        (rest.start..rest.end.min(rest.start + 5)).find(|at| text.has(*at, SHARE) || text.number(*at).is_some())
    else {
        return false;
    };
    let of = text.is(share + 1, "of") && text.has(share + 2, DEFINITE)
        || text.norm(share) == "some" && !text.has(share + 1, INDEFINITE);
    of && modal.is_some_and(|modal| modal > share)
        && !text.is(share, "couple") | text.has(share + 2, DEFINITE)
        && bug_reports::reported(text, rest).is_none()
}

/// It could mean new items as well as changed ones.
fn is_ambiguous(text: &Text<'_>, rest: &Range<usize>) -> bool {
    let (first, second) = (rest.start, rest.start + 1);
    let converts = text.find(rest.clone(), "into").is_some() || text.is(first, "swap replace convert turn");
    let verb = text.has(first, MODIFY | ADD);
    let object = if verb { second } else { first };
    let object = if text.is(object, "a an") && text.norm(first) == "make" { object + 1 } else { object };
    let share = text.has(object, SHARE) || text.has(object + 1, SHARE) && text.has(object, INDEFINITE);
    let of = (object..rest.end.min(object + 4)).any(|at| text.norm(at) == "of" && text.has(at + 1, DEFINITE));
    let verb = verb || text.norm(first) == "make";
    let of = of || share && text.norm(first) == "make";
    let more = text.norm(object) == "more"
        && (!text.has(object + 1, STYLE) || text.is(object + 1, "black"))
        && (!verb || text.is(first, "make show"))
        && (text.find(object + 1..rest.end, "for|in|of|about|with").is_some() || rest.end - object <= 2);
    share && of && verb && converts || more && !text.has(first, ADD & !MODIFY)
}

/// A clause without a verb.
fn named(text: &Text<'_>, clause: &Clause, rest: &Range<usize>) -> Act {
    let start = rest.start;
    let start = if text.norm(clause.core) == "new" { clause.core } else { start };
    let is_new = text.has(start, INDEFINITE | ORDINAL)
        || text.is(start, "another new one")
        || text.number(start).is_some() && !text.has(start + 1, UNIT) && text.norm(start + 1) != "of"
        || text.has(start, SHARE) && text.norm(start + 1) == "more"
        || text.after(start, "half a dozen").is_some();
    let compares = text.has(start, COMPARATIVE) && text.norm(start) != "more" || text.after(start, "more").is_some();
    let instead = text.find(rest.clone(), "instead|instead of|now|everywhere").is_some();
    let labelled = start > clause.core;
    if text.norm(start) == "no" {
        return Act::Talk;
    }
    let content = !small_talk::is_empty(text, rest);
    if !content {
        return Act::Detail;
    }
    if compares || instead || text.any(rest.clone(), COMPARATIVE & !NEW) && labelled {
        return if text.norm(start) == "one" || text.number(start).is_some() && text.norm(start + 1) == "more" {
            Act::Add
        } else {
            Act::Modify
        };
    }
    if is_new && text.has(start + 1, STYLE | COPY) && text.norm(start) == "new" {
        return Act::Modify;
    }
    let polite = text.find(clause.words.clone(), "please|pls|plz").is_some();
    if is_new || polite && clause.opens || text.find(rest.clone(), "would be great|would be nice|would help").is_some()
    {
        return Act::Add;
    }
    // "Headline: …" says what is shown.
    if labelled && text.any(clause.core..start, COPY) {
        return Act::Detail;
    }
    if labelled && clause.opens { Act::Modify } else { Act::Name }
}
