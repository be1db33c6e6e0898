//! The clauses of a message: one for each thing that it asks for or says, with all of its details.

use super::act::{Act, Reading};
use super::belonging::{Place, belongs_to_last, belongs_to_next, refers_back};
use super::lexicon::*;
use super::opening::skip;
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
    /// Words that name a thing.
    pub(super) fn of_thing(act: Act, words: Range<usize>, sentence: usize) -> Self {
        Self { act, verb: words.start, object: words.start, range: words, sentence, also: Vec::new() }
    }
}

/// What was found in a message.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    /// In the order of their sentences.
    pub found: Vec<Clause>,
    /// Words that belong to no clause.
    pub strays: Vec<Range<usize>>,
    /// The user wants a new start.
    pub restarts: bool,
}

/// Reads a message.
pub(super) fn clauses(text: &Text<'_>) -> Clauses {
    let mut builder =
        Builder { text, clauses: Clauses::default(), heading: None, pending: None, index: 0, after_item: false };
    for (index, sentence) in text.sentences.iter().enumerate() {
        builder.index = index;
        builder.sentence(sentence);
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
    /// The sentence that is read.
    index: usize,
    /// The sentence before it is an item of a list.
    after_item: bool,
}

impl Builder<'_, '_> {
    fn sentence(&mut self, sentence: &Sentence) {
        if sentence.item.is_none() && sentence.opens_line {
            self.heading = None;
        }
        if sentence.pasted {
            return self.pasted(sentence);
        }
        if reading::is_restart(self.text, &sentence.tokens) {
            self.clauses.restarts = true;
        }
        if talk::is_steering(self.text, sentence) || talk::is_question(self.text, sentence) {
            return;
        }
        let before = self.clauses.found.len();
        for segment in segments(self.text, sentence) {
            self.segment(sentence, &segment, before);
        }
        if let Some(words) = self.pending.take() {
            self.leftover(sentence, words);
        }
        if sentence.heads {
            self.heading = self.heading_act(sentence, before);
        }
    }

    /// Reads a segment; the clauses from `before` on are of its sentence.
    fn segment(&mut self, sentence: &Sentence, segment: &Segment, before: usize) {
        let read = reading::read(self.text, &segment.tokens, sentence);
        let in_sentence = self.clauses.found.len() > before;
        let end = segment.tokens.end;
        match read.act {
            Act::Talk if segment.joint == Joint::Start => {}
            Act::Cancel => self.clauses.strays.extend(self.clauses.found.pop().map(|clause| clause.range)),
            Act::Restart => self.clauses.restarts = true,
            Act::Fragment | Act::Detail | Act::Talk if in_sentence && self.pending.is_none() => {
                self.continued(segment, read);
            }
            Act::Detail if self.may_extend(sentence) && self.pending.is_none() => self.extend(end),
            Act::Fragment | Act::Detail | Act::Talk => {
                let start = self.pending.take().map_or(read.start.min(end), |words| words.start);
                self.pending = Some(start..end);
            }
            act => match self.joined(sentence, segment, &read, in_sentence) {
                Some(joined) => {
                    self.pending = None;
                    self.extend(end);
                    self.clauses.found.last_mut().into_iter().for_each(|last| last.act = joined);
                }
                None => self.begin(act, sentence, &read, end),
            },
        }
    }

    /// What the last clause becomes when this segment says more of it.
    fn joined(&self, sentence: &Sentence, segment: &Segment, read: &Reading, in_sentence: bool) -> Option<Act> {
        // "The answers are in English, translate them": of what was just said, not of the sentence before.
        let told = |words: &Range<usize>| {
            self.text.has(skip(self.text, words).0, DEFINITE) && words.clone().any(|at| self.text.has(at, COPULA))
        };
        let is_free = in_sentence || self.may_extend(sentence) && !self.pending.as_ref().is_some_and(told);
        let last = self.clauses.found.last().filter(|_| is_free)?;
        let place = Place { joint: segment.joint, end: segment.tokens.end, in_sentence };
        belongs_to_last(self.text, last, read, place).then(|| {
            // "The popup annoys me, remove it"; "it should open a dialog but opens a page"
            let contrary = read.act == Act::Bug && last.act == Act::Modify && segment.joint == Joint::Turn;
            // "Prices run into each other, please fix that" only looked like "a map, please".
            let named = read.act == Act::Fix && last.act == Act::Add && !self.text.has(last.verb, COMMAND);
            if contrary || named || read.act == Act::Remove { read.act } else { last.act }
        })
    }

    /// A clause of its own, with the words that waited for it.
    fn begin(&mut self, act: Act, sentence: &Sentence, read: &Reading, end: usize) {
        let text = self.text;
        let start = match self.pending.take() {
            Some(words) if belongs_to_next(text, &words, read, end) => words.start,
            Some(words) => {
                self.clauses.strays.push(words);
                read.start
            }
            None => {
                self.spared(sentence, read, end).or_else(|| self.referred(sentence, read, end)).unwrap_or(read.start)
            }
        };
        // "Two more artists are coming. Put them on the page."
        let puts = act == Act::Modify && text.is_one_of(read.start, "put place list show include");
        let act = if puts && (start..read.start).any(|at| text.has(at, NEW)) { Act::Add } else { act };
        let clause = Clause::of_thing(act, start..end, self.index);
        self.clauses.found.push(Clause { verb: read.start, object: read.object, ..clause });
    }

    /// "Don't remove the cards, just make them smaller": where the cards are named.
    fn spared(&self, sentence: &Sentence, read: &Reading, end: usize) -> Option<usize> {
        let last = self.clauses.found.last()?;
        let kept = matches!(last.act, Act::Keep | Act::Forbid) && sentence.tokens.contains(&last.range.start);
        (kept && read.act.is_request() && refers_back(self.text, read, end)).then_some(last.object)
    }

    /// Where the words begin that "make that shorter" refers to, when they stood for themselves.
    fn referred(&mut self, sentence: &Sentence, read: &Reading, end: usize) -> Option<usize> {
        let before = self.text.sentences.get(self.index.checked_sub(1)?)?.tokens.clone();
        let adjacent = refers_back(self.text, read, end) && !sentence.opens_paragraph && read.act.is_request();
        let within = |stray: &mut Range<usize>| adjacent && before.start <= stray.start && stray.end <= before.end;
        self.clauses.strays.pop_if(within).map(|stray| stray.start)
    }

    /// A fragment after a clause of its sentence: another item of its list, or a detail.
    fn continued(&mut self, segment: &Segment, read: Reading) {
        let text = self.text;
        let end = segment.tokens.end;
        let words = read.start.min(end)..end;
        let Some(last) = self.clauses.found.last_mut() else { return };
        if last.object >= last.range.end {
            // "Add: a map, a form": the first of them.
            last.object = words.start;
            return self.extend(end);
        }
        // "two columns instead of one, and a sticky bar"
        let verbless = !text.has(last.verb, COMMAND) && !last.range.clone().any(|at| text.has(at, MODAL | COPULA));
        let new = last.act == Act::Modify && verbless && listing::names_new_part(text, &words);
        let item = || listing::is_item(text, last, segment, words.start).then_some(last.act);
        match (if new { Some(Act::Add) } else { item() }).filter(|_| read.act == Act::Fragment) {
            Some(act) => self.clauses.found.push(Clause::of_thing(act, words, self.index)),
            None => self.extend(end),
        }
    }

    /// Words of a sentence without any clause.
    fn leftover(&mut self, sentence: &Sentence, words: Range<usize>) {
        let (at, _) = skip(self.text, &words);
        // "After I delete a row, another one comes back": steps, and what comes of them.
        let symptom = reading::tells_steps(self.text, at) && words.clone().any(|at| self.text.norm(at) == ",");
        let listed = self.heading.filter(|_| sentence.item.is_some() && !sentence.heads);
        if symptom {
            self.clauses.found.push(Clause::of_thing(Act::Bug, at..words.end, self.index));
        } else if let Some(act) = listed {
            self.clauses.found.push(Clause::of_thing(act, words, self.index));
        } else if self.may_extend(sentence) && !sentence.heads {
            self.extend(words.end);
        } else {
            self.clauses.strays.push(words);
        }
    }

    /// Whether a sentence may go on with what the last one said: they share a paragraph, or it is an item below it.
    fn may_extend(&self, sentence: &Sentence) -> bool {
        // Only an indented item tells more of the one above it, and what follows a list is no part of it.
        let apart = sentence.item.map_or(self.after_item, |indent| indent == 0);
        let opens = sentence.opens_paragraph || sentence.opens_line && apart;
        !opens && !self.clauses.found.is_empty()
    }

    fn extend(&mut self, end: usize) {
        self.clauses.found.last_mut().into_iter().for_each(|last| last.range.end = end);
    }

    /// A stack trace is a bug, or tells more of one. Anything else that is pasted is material.
    fn pasted(&mut self, sentence: &Sentence) {
        let words = sentence.tokens.clone();
        if self.text.kind(words.start) != Some(Kind::Trace) {
            return;
        }
        let mut told = self.clauses.found.iter_mut().rev().take_while(|clause| clause.sentence + 2 >= self.index);
        match told.find(|clause| matches!(clause.act, Act::Bug | Act::Fix)) {
            Some(clause) => clause.range.end = words.end,
            None => {
                let before = self.clauses.strays.pop_if(|stray| stray.end == words.start);
                let start = before.map_or(words.start, |stray| stray.start);
                let clause = Clause::of_thing(Act::Bug, start..words.end, self.index);
                self.clauses.found.push(Clause { verb: words.start, object: words.start, ..clause });
            }
        }
    }

    /// What a line above a list says of its items: "Please remove:", "Bugs:", "To do:".
    fn heading_act(&mut self, sentence: &Sentence, before: usize) -> Option<Act> {
        const HEADINGS: &[(Act, &str)] = &[
            (Act::Bug, "bug bugs issue issues problem problems broken fixes"),
            (Act::Remove, "remove removals delete"),
            (Act::Add, "add additions new missing features"),
            (Act::Modify, "change changes tweaks updates edits"),
            (Act::Keep, "keep preserve unchanged untouched"),
        ];
        let text = self.text;
        let last = self.clauses.found.get(before..).and_then(<[Clause]>::last).filter(|last| last.act.is_request());
        if let Some(last) = last {
            const EMPTY: Classes = DEFINITE | PRONOUN | FILLER | ANYTHING | AND | NEW;
            let hollow = |at: usize| text.is_mark(at) || text.has(at, EMPTY) || text.norm(at) == "following";
            let bare = unclear::is_vague(text, last) || (last.object..last.range.end).all(hollow);
            let act = last.act;
            return bare.then(|| self.clauses.found.pop()).map(|_| act);
        }
        let says = |words: &str| sentence.tokens.clone().any(|at| text.is_one_of(at, words));
        HEADINGS.iter().find(|(_, words)| says(words)).map(|(act, _)| *act)
    }
}
