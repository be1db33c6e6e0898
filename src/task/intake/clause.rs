//! The clauses of a message: one for each thing that it asks for or says, with all of its details.

use super::act::{Act, Reading};
use super::lexicon::*;
use super::segment::{Joint, Segment, segments};
use super::text::{Sentence, Text};
use super::token::Kind;
use super::{listing, reading, talk, unclear};
use std::ops::Range;

/// What is asked for, or said.
#[derive(Debug, Clone)]
pub(super) struct Clause {
    pub act: Act,
    /// All of its words, with its details.
    pub range: Range<usize>,
    /// Where the verb stands, or the first word that matters.
    pub verb: usize,
    /// Where what it is about begins.
    pub object: usize,
    /// The sentence that it begins in.
    pub sentence: usize,
    /// What else is said of it elsewhere in the message.
    pub also: Vec<Range<usize>>,
}

impl Clause {
    /// A thing that is asked for by these words alone.
    pub fn of_thing(words: Range<usize>, sentence: usize) -> Self {
        Self { act: Act::Add, verb: words.start, object: words.start, range: words, sentence, also: Vec::new() }
    }
}

/// What was found in a message.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    pub found: Vec<Clause>,
    /// Words that belong to no clause.
    pub strays: Vec<Range<usize>>,
    /// The user wants a new start.
    pub restarts: bool,
}

/// Reads a message.
pub(super) fn clauses(text: &Text<'_>) -> Clauses {
    let mut builder = Builder { text, clauses: Clauses::default(), heading: None, pending: None, after_item: false };
    for (index, sentence) in text.sentences.iter().enumerate() {
        builder.sentence(index, sentence);
        builder.after_item = sentence.item.is_some();
    }
    builder.clauses
}

struct Builder<'t, 'm> {
    text: &'t Text<'m>,
    clauses: Clauses,
    /// What the items of the list that follows are, by the words above it.
    heading: Option<Act>,
    /// Words at the beginning of a sentence that wait for what they belong to.
    pending: Option<Range<usize>>,
    /// The sentence before is an item of a list.
    after_item: bool,
}

impl Builder<'_, '_> {
    fn sentence(&mut self, index: usize, sentence: &Sentence) {
        if sentence.item.is_none() && sentence.opens_line {
            self.heading = None;
        }
        if sentence.pasted {
            return self.pasted(index, sentence);
        }
        if reading::is_restart(self.text, &sentence.tokens) {
            self.clauses.restarts = true;
        }
        if talk::is_steering(self.text, sentence) || talk::is_question(self.text, sentence) {
            return;
        }
        let before = self.clauses.found.len();
        for segment in segments(self.text, sentence) {
            self.segment(index, sentence, &segment, before);
        }
        if let Some(words) = self.pending.take() {
            self.leftover(index, sentence, words);
        }
        if sentence.heads {
            self.heading = self.heading_act(sentence, before);
        }
    }

    fn segment(&mut self, index: usize, sentence: &Sentence, segment: &Segment, before: usize) {
        let text = self.text;
        let read = reading::read(text, &segment.tokens, sentence);
        let in_sentence = self.clauses.found.len() > before;
        match read.act {
            Act::Talk if segment.joint == Joint::Start => {}
            Act::Cancel => {
                self.clauses.strays.extend(self.clauses.found.pop().map(|clause| clause.range));
            }
            Act::Restart => self.clauses.restarts = true,
            Act::Fragment | Act::Detail | Act::Talk if in_sentence && self.pending.is_none() => {
                self.continued(index, segment, read)
            }
            Act::Detail if self.may_extend(sentence) && self.pending.is_none() => self.extend(segment.tokens.end),
            Act::Fragment | Act::Detail | Act::Talk => {
                let start = self.pending.take().map_or(read.start.min(segment.tokens.end), |words| words.start);
                self.pending = Some(start..segment.tokens.end);
            }
            _ if self.belongs_to_last(sentence, segment, &read, in_sentence) => {
                self.pending = None;
                if let Some(last) = self.clauses.found.last_mut() {
                    if read.act == Act::Remove
                        || read.act == Act::Bug && last.act == Act::Modify && segment.joint == Joint::Turn
                    {
                        last.act = read.act;
                    }
                    last.range.end = segment.tokens.end;
                }
            }
            act => {
                let start = match self.pending.take() {
                    Some(words) if belongs_to_next(text, &words, act, &read) => words.start,
                    Some(words) => {
                        self.clauses.strays.push(words);
                        read.start
                    }
                    None => self.referred(index, sentence, &read).unwrap_or(read.start),
                };
                // "Two more artists are coming. Put them on the page."
                let new = act == Act::Modify
                    && text.is_one_of(read.start, "put place list show include")
                    && start < read.start
                    && (start..read.start).any(|at| text.has(at, NEW));
                let act = if new { Act::Add } else { act };
                self.clauses.found.push(Clause {
                    act,
                    range: start..segment.tokens.end,
                    verb: read.start,
                    object: read.object,
                    sentence: index,
                    also: Vec::new(),
                });
            }
        }
    }

    /// Where the words begin that "make that shorter" refers to, when they stood for themselves.
    fn referred(&mut self, index: usize, sentence: &Sentence, read: &Reading) -> Option<usize> {
        let text = self.text;
        let before = text.sentences.get(index.checked_sub(1)?)?;
        let refers = text.has(read.object, PRONOUN) && !text.has(read.object, DEFINITE)
            || read.refers && read.act == Act::Bug
            || text.is_one_of(read.object, "that this") && text.has(read.object + 1, COMPARATIVE | ADJECTIVE);
        let adjacent = refers && !sentence.opens_paragraph && read.act.is_request();
        self.clauses
            .strays
            .pop_if(|stray| adjacent && before.tokens.start <= stray.start && stray.end <= before.tokens.end)
            .map(|stray| stray.start)
    }

    /// A segment that says more of a clause before it: "make it red", "it crashes then".
    fn belongs_to_last(&self, sentence: &Sentence, segment: &Segment, read: &Reading, in_sentence: bool) -> bool {
        let text = self.text;
        let Some(last) = self.clauses.found.last() else { return false };
        if !in_sentence && !self.may_extend(sentence) {
            return false;
        }
        let goes_on = in_sentence
            && matches!(read.act, Act::Add | Act::Modify)
            && !text.has(read.object, DEFINITE)
            && last.act != Act::Keep
            && (read.object..segment.tokens.end).any(|at| {
                text.is_one_of(at, "on in to under below above for next of at from with")
                    && text.is_one_of(at + 1, "it them")
                    && !text.has(at + 2, COPULA)
            });
        let does_more = in_sentence
            && segment.joint == Joint::And
            && read.act == Act::Modify
            && last.act == Act::Modify
            && read.start == segment.tokens.start
            && text.has(read.start, NOUNISH | BEHAVE)
            && !text.has(last.verb, COMMAND)
            && (last.range.start..last.object).any(|at| text.has(at, MODAL));
        if goes_on || does_more {
            return true;
        }
        let object = text.has(read.object, PRONOUN)
            && !text.has(read.object, DEFINITE)
            && !text.is_one_of(read.object, "everything")
            || text.has(read.object, DEFINITE)
                && text.has(read.object, PRONOUN)
                && read.object + 1 >= segment.tokens.end;
        match read.act {
            // "It should open a dialog but it opens a page"; "New colleague: Ada joins us"
            Act::Bug if in_sentence && read.refers && segment.joint == Joint::Turn && last.act == Act::Modify => true,
            Act::Bug if in_sentence && segment.joint == Joint::Colon && last.act == Act::Add => true,
            Act::Bug => {
                let subject = read.refers
                    || in_sentence
                        && (segment.joint == Joint::Comma || segment.joint == Joint::And)
                        && text.has(read.start, NEGATED | BROKEN | INFLECTED)
                        && !text.norm(read.start).ends_with("ing");
                let symptom = subject && matches!(last.act, Act::Bug | Act::Fix | Act::Modify | Act::Unclear);
                symptom && !(last.act == Act::Modify && in_sentence)
            }
            Act::Modify if read.refers && last.act == Act::Bug => true,
            Act::Modify | Act::Fix => object && last.act != Act::Keep && last.act != Act::Forbid,
            Act::Remove => object && matches!(last.act, Act::Bug | Act::Modify | Act::Remove),
            Act::Add => object && last.act == Act::Add && !text.has(read.object, NEW),
            Act::Keep => read.refers && last.act == Act::Keep,
            _ => false,
        }
    }

    /// A fragment after a clause of its sentence: another item of its list, or a detail.
    fn continued(&mut self, index: usize, segment: &Segment, read: Reading) {
        let start = read.start.min(segment.tokens.end);
        if let Some(last) = self.clauses.found.last_mut()
            && last.object >= last.range.end
        {
            // "Add: a map, a form": the first of them.
            last.object = start;
            return self.extend(segment.tokens.end);
        }
        let Some(last) = self.clauses.found.last() else { return };
        // "two columns instead of one, and a sticky bar"
        let elliptic = last.act == Act::Modify
            && !text_has_verb(self.text, last)
            && listing::names_new_part(self.text, &(start..segment.tokens.end));
        if elliptic && read.act == Act::Fragment {
            return self.clauses.found.push(Clause::of_thing(start..segment.tokens.end, index));
        }
        if read.act == Act::Fragment && listing::is_item(self.text, last, segment, start) {
            let clause = Clause {
                act: last.act,
                range: start..segment.tokens.end,
                verb: start,
                object: start,
                sentence: index,
                also: Vec::new(),
            };
            self.clauses.found.push(clause);
        } else {
            self.extend(segment.tokens.end);
        }
    }

    /// Words of a sentence without any clause.
    fn leftover(&mut self, index: usize, sentence: &Sentence, words: Range<usize>) {
        if self.is_symptom(&words) {
            let (at, _) = super::opening::skip(self.text, &words);
            self.clauses.found.push(Clause {
                act: Act::Bug,
                verb: at,
                object: at,
                range: at..words.end,
                sentence: index,
                also: Vec::new(),
            });
            return;
        }
        let act = self.heading.filter(|_| sentence.item.is_some() && !sentence.heads);
        if let Some(act) = act {
            self.clauses.found.push(Clause {
                act,
                verb: words.start,
                object: words.start,
                range: words,
                sentence: index,
                also: Vec::new(),
            });
        } else if self.may_extend(sentence) && !sentence.heads {
            self.extend(words.end);
        } else {
            self.clauses.strays.push(words);
        }
    }

    /// "After I delete a row, another one comes back": steps, and what comes of them.
    fn is_symptom(&self, words: &Range<usize>) -> bool {
        let (at, _) = super::opening::skip(self.text, words);
        reading::tells_steps(self.text, at) && words.clone().any(|at| self.text.norm(at) == ",")
    }

    /// Whether a sentence may go on with what the last one said: they share a paragraph, or it is an item below it.
    fn may_extend(&self, sentence: &Sentence) -> bool {
        // Only an indented item tells more of the one above it, and what follows a list is no part of it.
        let apart = sentence.item.map_or(self.after_item, |indent| indent == 0);
        let opens = sentence.opens_paragraph || sentence.opens_line && apart;
        !opens && !self.clauses.found.is_empty()
    }

    fn extend(&mut self, end: usize) {
        if let Some(last) = self.clauses.found.last_mut() {
            last.range.end = end;
        }
    }

    /// A stack trace is a bug, or tells more of one. Anything else that is pasted is material.
    fn pasted(&mut self, index: usize, sentence: &Sentence) {
        if self.text.kind(sentence.tokens.start) != Some(Kind::Trace) {
            return;
        }
        let told = self.clauses.found.iter_mut().rev().find(|clause| matches!(clause.act, Act::Bug | Act::Fix));
        match told {
            Some(clause) if clause.sentence + 2 >= index => clause.range.end = sentence.tokens.end,
            _ => {
                let at = sentence.tokens.start;
                let range = self.clauses.strays.pop_if(|stray| stray.end == at).map_or(at, |stray| stray.start)
                    ..sentence.tokens.end;
                self.clauses.found.push(Clause {
                    act: Act::Bug,
                    verb: at,
                    object: at,
                    range,
                    sentence: index,
                    also: Vec::new(),
                });
            }
        }
    }

    /// What a line above a list says of its items: "Please remove:", "Bugs:", "To do:".
    fn heading_act(&mut self, sentence: &Sentence, before: usize) -> Option<Act> {
        let text = self.text;
        let words = sentence.tokens.clone();
        if let Some(last) = self.clauses.found.get(before..).and_then(<[Clause]>::last)
            && last.act.is_request()
        {
            let act = if last.act == Act::Bug { Act::Bug } else { last.act };
            let bare = unclear::is_vague(text, last)
                || (last.object..last.range.end).all(|at| {
                    text.is_mark(at)
                        || text.has(at, DEFINITE | PRONOUN | FILLER | ANYTHING | AND | NEW)
                        || text.is_one_of(at, "following things these")
                });
            if bare {
                self.clauses.found.pop();
            }
            return Some(act).filter(|_| bare);
        }
        let says = |list: &str| words.clone().any(|at| text.is_one_of(at, list));
        match () {
            () if says("bug bugs issue issues problem problems broken fixes") => Some(Act::Bug),
            () if says("remove removals delete") => Some(Act::Remove),
            () if says("add additions new missing features") => Some(Act::Add),
            () if says("change changes tweaks updates edits") => Some(Act::Modify),
            () if says("keep preserve unchanged untouched") => Some(Act::Keep),
            () => None,
        }
    }
}

fn text_has_verb(text: &Text<'_>, clause: &Clause) -> bool {
    text.has(clause.verb, COMMAND) || clause.range.clone().any(|at| text.has(at, MODAL | COPULA))
}

/// Words that wait belong to what follows: a condition, or the subject of a statement. Others are talk.
fn belongs_to_next(text: &Text<'_>, words: &Range<usize>, act: Act, read: &Reading) -> bool {
    let condition =
        words.clone().any(|at| text.has(at, CONDITION)) || text.is_one_of(words.start, "on in for at under inside");
    let subject = matches!(act, Act::Bug | Act::Keep)
        || read.act == Act::Modify && read.object > read.start && !text.has(read.start, COMMAND);
    let referred = text.has(read.object, PRONOUN) && !text.has(read.object, DEFINITE);
    let total = act == Act::Add
        && text.number(read.object).is_some()
        && !text.kind(read.object + 1).is_some_and(|kind| kind == Kind::Word);
    let labels = total || words.len() <= 3 && text.norm(words.end) == ":";
    condition || subject || labels || referred || matches!(text.kind(words.start), Some(Kind::Path))
}
