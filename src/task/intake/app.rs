//! A new app: the request for the whole of it, and one for each part that is named.

use super::act::Act;
use super::clause::{Clause, Clauses};
use super::lexicon::*;
use super::noun;
use super::segment::{Joint, segments};
use super::text::{Sentence, Text};
use super::token::Kind;
use super::{listing, opening};
use crate::task::structured::TaskContext;
use std::ops::Range;

/// The clause that asks for an app as a whole, if one does.
pub(super) fn whole(text: &Text<'_>, clauses: &Clauses, context: &TaskContext) -> Option<usize> {
    let asks = |clause: &Clause| clause.act == Act::Add;
    let creates = |clause: &Clause| text.has(clause.verb, CREATE) || !text.has(clause.verb, ADD);
    let named = clauses.found.iter().position(|clause| {
        asks(clause)
            && creates(clause)
            && names_app(text, clause)
            && (!context.plan_exists || is_another(text, clause, clauses.restarts))
    });
    // Where nothing is, or nothing shall stay, the first thing that is asked for is the app.
    let empty = !context.plan_exists && is_bare(context);
    let first = || clauses.found.iter().position(asks).filter(|_| clauses.restarts || empty);
    // "I want to track my expenses"
    let any = || clauses.found.iter().position(|clause| clause.act == Act::Modify).filter(|_| empty);
    named.or_else(first).or_else(any)
}

/// Nothing is there, or what a starter brings along.
pub(super) fn is_bare(context: &TaskContext) -> bool {
    const STARTER: &str = "app main index vite vite-env tailwind postcss eslint setuptests reportwebvitals next";
    !context.file_list.iter().any(|file| {
        let name = file.rsplit('/').next().unwrap_or_default();
        let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
        let code = ["tsx", "jsx", "ts", "js", "vue", "svelte"].iter().any(|code| ending.ends_with(code));
        code && !STARTER.split(' ').any(|known| known.eq_ignore_ascii_case(stem))
    })
}

/// Whether what is asked for is a whole app by its name.
pub(super) fn names_app(text: &Text<'_>, clause: &Clause) -> bool {
    let name = clause.object..noun::end(text, clause.object, clause.range.end);
    name.clone().any(|at| text.has(at, APP)) || text.is_one_of(noun::head(text, &name), "one it something")
}

/// Beside a plan, only what can be nothing but an app of its own.
fn is_another(text: &Text<'_>, clause: &Clause, restarts: bool) -> bool {
    const KINDS: &str =
        "app application website site webapp game clone platform store shop tracker planner marketplace portal saas";
    const PARTS: &str = "section button existing beside below under header footer navbar sidebar component our \
                         current";
    let name = clause.object..noun::end(text, clause.object, clause.range.end);
    let part = clause.range.clone().any(|at| text.is_one_of(at, PARTS));
    let placed = clause
        .range
        .clone()
        .any(|at| text.is_one_of(at, "to into onto in") && text.has(at + 1, DEFINITE) && !text.has(at + 1, PERSON));
    let new = text.has(clause.object, INDEFINITE | PRONOUN | NEW) && text.is_one_of(noun::head(text, &name), KINDS);
    restarts || new && !part && !placed
}

/// The clauses of a new app, where `whole` asks for it: the app with everything that says how it is, then its parts.
pub(super) fn parts(text: &Text<'_>, clauses: Clauses, whole: usize) -> Vec<Clause> {
    let Some(mut app) = clauses.found.get(whole).cloned() else { return clauses.found };
    app.act = Act::App;
    let mut listed = Listed { text, parts: Vec::new(), looks: Vec::new(), sentence: app.sentence, trailing: false };
    // Clauses stand in the order of their sentences.
    let mut next = 0;
    for (index, sentence) in text.sentences.iter().enumerate().skip(app.sentence) {
        listed.sentence = index;
        let own = clauses.found.iter().enumerate().skip(next).take_while(|(_, clause)| clause.sentence <= index);
        next += own.clone().count();
        let mut own = own.filter(|(at, clause)| *at != whole && clause.sentence == index).map(|(_, clause)| clause);
        if index == app.sentence {
            listed.of_app(&app, sentence.tokens.end);
        } else if sentence.pasted || own.clone().any(|clause| matches!(clause.act, Act::Keep | Act::Forbid)) {
            continue;
        } else if sentence.item.is_some() {
            listed.item(&sentence.tokens, own.next());
        } else if let Some(label) = label(text, &sentence.tokens) {
            listed.list(label..sentence.tokens.end);
        } else {
            listed.sentence(&sentence.tokens, &own.collect::<Vec<_>>());
        }
    }
    // What was said before it tells what it is for.
    let intro = text.sentences.get(..app.sentence).unwrap_or_default().iter().filter(|sentence| !sentence.pasted);
    app.also =
        intro.map(|sentence| sentence.tokens.clone()).filter(|words| words.len() > 3).chain(listed.looks).collect();
    let first_part = listed.parts.iter().map(|part| part.range.start).filter(|start| *start > app.object).min();
    let own_end = text.sentences.get(app.sentence).map_or(app.range.end, |sentence| sentence.tokens.end);
    // Friends open a bar "and need a website": the sentence from its start, without greetings.
    if let Some(sentence) = text.sentences.get(app.sentence) {
        app.range.start = app.range.start.min(opening::skip(text, &sentence.tokens).0.max(sentence.tokens.start));
    }
    let end = first_part.unwrap_or(own_end).min(own_end);
    // "a page with" and "an app where users can" end before what opened the list.
    let opener = PREPOSITION | AND | MODAL | PERSON | DEFINITE | PRONOUN | INDEFINITE;
    let opens = |at: usize| text.has(at, opener) || text.is_mark(at) || text.is_one_of(at, "has have be able");
    app.range.end = (app.object + 1..end + 1).rev().find(|end| !opens(end - 1)).unwrap_or(end);
    let kept = clauses.found.into_iter().filter(|clause| matches!(clause.act, Act::Keep | Act::Forbid));
    std::iter::once(app).chain(listed.parts).chain(kept).collect()
}

/// The parts that were found, and what was found to say how the app looks.
struct Listed<'t, 'm> {
    text: &'t Text<'m>,
    parts: Vec<Clause>,
    looks: Vec<Range<usize>>,
    sentence: usize,
    /// The words are a sentence of their own after the app's: "Rounded cards" tells how it looks.
    trailing: bool,
}

/// Before what users can do with the app.
const ABILITIES: &str = "be able to|users can|user can|people can|visitors can|customers can|i can|we can|you can|\
                         players can|they can|lets me|lets users|lets you|let users|let me|let people|let visitors|\
                         allow users to|allows users to|allow me to|lets people|guests can|students can|everyone can|\
                         members can|clients can";

/// What users do with apps.
const DOES: &str = "see view track save share manage browse search create edit rate log book buy sell invite join \
                    vote like comment post read write watch listen \
                    upload download add delete remove filter sort find pay order plan set choose compare check get \
                    send mark export import play";

impl Listed<'_, '_> {
    /// The parts in the sentence of the app: after a colon, "with" or "that has", or after the first comma.
    fn of_app(&mut self, app: &Clause, end: usize) {
        const SKIPPED: &str =
            "has contains includes shows lists displays these the following pages sections parts features :";
        let text = self.text;
        let words = || outside_brackets(text, app.object + 1..end);
        let new = |at: usize| text.has(at, INDEFINITE) || text.number(at).is_some_and(|number| number > 1);
        // "a page for my shop, a hero with a photo and a menu"
        let stop = |from: usize| (from..end).find(|at| text.norm(*at) == ",").unwrap_or(end);
        let is_apposed = |at: usize| listing::is_apposition(text, &(app.object..at), &(at + 1..stop(at + 1)));
        let listed = words().find(|at| text.norm(*at) == "," && new(at + 1) && !is_apposed(*at));
        let colon = words().find(|at| text.norm(*at) == ":" && at + 1 < end);
        let opener = colon.or_else(|| words().find(|at| opens_list(text, *at)));
        let bare = || {
            let comma = words().find(|at| text.norm(*at) == ",").filter(|at| !is_apposed(*at));
            comma.filter(|at| bare_list(text, &(at + 1..end)).is_some())
        };
        if let Some(opens) = opener.filter(|opens| listed.is_none_or(|comma| *opens < comma)) {
            let start = (opens + 1..end).find(|at| !text.is_one_of(*at, SKIPPED)).unwrap_or(end);
            self.list(start..end);
        } else if let Some(start) = words().find_map(|at| ability(text, at)) {
            // What the app is for; its parts, where it has no list of them.
            let mut after = text.sentences.iter().skip(app.sentence + 1);
            if !after.any(|sentence| sentence.item.is_some() || label(text, &sentence.tokens).is_some()) {
                self.list(start..end);
            }
        } else if let Some(comma) = listed.or_else(bare) {
            self.trailing = true;
            self.list(comma + 1..end);
        }
    }

    /// An item of a list under the app.
    fn item(&mut self, words: &Range<usize>, clause: Option<&Clause>) {
        let start =
            clause.filter(|clause| clause.act.is_request()).map_or(words.start, |clause| clause.object.min(words.end));
        self.push(start..words.end);
    }

    /// A sentence after the app's: "It should have …", "Add …", "Ten questions and a timer."
    fn sentence(&mut self, words: &Range<usize>, own: &[&Clause]) {
        let text = self.text;
        self.trailing = true;
        let added: Vec<&&Clause> = own.iter().filter(|clause| clause.act == Act::Add).collect();
        if text.has(words.start, INDEFINITE) && words.clone().any(|at| text.has(at, MODAL)) {
            // "A second page should list all members"
            self.push(words.clone());
        } else if let (Some(first), Some(last)) = (added.first(), added.last()) {
            self.list(first.object..last.range.end.min(words.end));
        } else if let Some(start) = words.clone().find_map(|at| text.after_any(at, ABILITIES)) {
            self.list(start..words.end);
        } else if let Some(start) = bare_list(text, words) {
            self.list(start..words.end);
        } else if let Some(has) = words.clone().find(|at| has_parts(text, *at, words.start)) {
            let start =
                (has + 1..words.end).find(|at| !text.is_one_of(*at, "to have include also")).unwrap_or(words.end);
            self.list(start..words.end);
        } else if words.len() > 1 {
            self.looks.push(words.clone());
        }
        self.trailing = false;
    }

    /// Splits a list into its parts.
    fn list(&mut self, words: Range<usize>) {
        let text = self.text;
        let mut nested = false;
        let commas = words.clone().any(|at| text.norm(at) == ",");
        let mut current: Option<Range<usize>> = None;
        for segment in segments(text, &Sentence::of(words)) {
            let start = opening::skip(text, &segment.tokens).0.min(segment.tokens.end);
            let words = start..segment.tokens.end;
            nested |= segment.joint == Joint::Colon && current.is_some();
            let belongs = current.as_ref().is_some_and(|part| match segment.joint {
                _ if nested => true,
                Joint::And => {
                    let new = text.is_one_of(start, DOES)
                        || text.has(start, INDEFINITE | NEW)
                        || text.number(start).is_some();
                    listing::shares_head(text, part, &segment, &words)
                        || !new && !commas && listing::opens_details(text, part)
                }
                Joint::Colon | Joint::Dash => true,
                // "4 answers each"
                Joint::Comma => text.number(start).is_some() && words.clone().any(|at| text.is_one_of(at, "each per")),
                Joint::Turn | Joint::Start => false,
            });
            if !belongs && names_part(text, &words) {
                current.take().into_iter().for_each(|part| self.push(part));
                current = Some(words);
            } else if let Some(part) = &mut current {
                part.end = segment.tokens.end;
            }
        }
        current.into_iter().for_each(|part| self.push(part));
    }

    /// A part, unless the words tell how the app looks.
    fn push(&mut self, words: Range<usize>) {
        let text = self.text;
        let start = opening::skip(text, &words).0;
        let verb = |at: usize| {
            text.is_one_of(at, "add include have create build make put insert also allow let") && at + 1 < words.end
        };
        let start = (start..words.end).find(|at| !verb(*at)).unwrap_or(words.end);
        let words = start..words.end;
        if is_look(text, &words, self.trailing) {
            self.looks.push(words);
        } else if names_part(text, &words) {
            self.parts.push(Clause::of_thing(Act::Add, words, self.sentence));
        }
    }
}

/// The places outside of brackets.
fn outside_brackets(text: &Text<'_>, range: Range<usize>) -> impl Iterator<Item = usize> {
    let mut depth = 0_usize;
    range.filter(move |at| {
        match text.norm(*at) {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

/// "with", "that shows": what follows is a list of parts. "50 cards to start with" opens none.
fn opens_list(text: &Text<'_>, at: usize) -> bool {
    const OPENERS: &str = "including featuring containing having has contains includes mit avec con";
    let with = text.norm(at) == "with" && !text.is_mark(at + 1);
    let shows = text.is_one_of(at, "that which") && text.is_one_of(at + 1, "shows lists displays");
    with || shows || text.is_one_of(at, OPENERS) || text.norm(at) == "-" && text.is_mark(at)
}

/// Where it begins what users can do: behind "users can", "where I".
fn ability(text: &Text<'_>, at: usize) -> Option<usize> {
    let user = text.norm(at) == "where" && text.has(at + 1, PERSON | PRONOUN);
    let does = user && text.norm(at + 2) != "can";
    text.after_any(at, ABILITIES).or_else(|| text.after(at, "can")).or_else(|| does.then_some(at + 2))
}

/// "It should have", "The site needs", "include": what follows is a list.
fn has_parts(text: &Text<'_>, at: usize, start: usize) -> bool {
    let verb = text.is_one_of(at, "have include contain need needs has includes contains show list");
    let subject = at == start
        || text.has(at - 1, MODAL | PRONOUN | FILLER | APP | DEFINITE)
        || text.is_one_of(at - 1, "to site page app");
    verb && subject && !text.has(start, INTERROGATIVE)
}

/// "Ten questions, a timer and a score table", "Under it three cards": where things begin of which nothing is said.
fn bare_list(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    let thing = |at: &usize| text.has(*at, INDEFINITE) || text.number(*at).is_some();
    let placed = if noun::opens_detail(text, words.start) { words.clone().take(5).find(thing) } else { None };
    let quoted = words.len() > 2
        && text.has(words.start, PART | COPY)
        && text.norm(words.start + 1) == ":"
        && text.kind(words.start + 2) == Some(Kind::Quote);
    let listed = quoted || placed.is_some() || thing(&words.start) || words.clone().any(|at| text.joins(at));
    let said = (placed.unwrap_or(words.start)..words.end).any(|at| {
        let person = text.has(at, PERSON | PRONOUN) && !text.has(at, DEFINITE);
        person || text.has(at, MODAL | COPULA | NEGATED | CONDITION) || text.has(at, CHAT) && !text.has(at, FILLER)
    });
    let orders = text.has(words.start, MODIFY | FIX | REMOVE | KEEP) && !text.has(words.start, PART);
    (listed && !said && !orders && !text.has(words.start, DEFINITE | INTERROGATIVE))
        .then_some(placed.unwrap_or(words.start))
}

/// "Sections: …", "The pages are: …": where the list begins.
fn label(text: &Text<'_>, words: &Range<usize>) -> Option<usize> {
    const LABELS: &str = "sections section pages page features feature screens parts tabs components views includes \
                          include contents content must-haves needs \
                          functions blocks elements areas modules abschnitte seiten secciones";
    let colon = words.clone().take(6).find(|at| text.norm(*at) == ":")?;
    let short = colon - words.start <= 3
        && (words.start..colon)
            .all(|at| !text.has(at, STYLE | VAGUE | COPY | COMMAND | PERSON | COPULA) || text.has(at, PART));
    let quoted = text.kind(colon + 1) == Some(Kind::Quote);
    let general = short
        && !quoted
        && !(words.start..colon).any(|at| {
            text.is_one_of(
                at,
                "audience name language languages target tech stack note ps brand slogan title headline domain",
            )
        });
    (general || (words.start..colon).any(|at| text.is_one_of(at, LABELS))).then_some(colon + 1)
}

fn names_part(text: &Text<'_>, words: &Range<usize>) -> bool {
    let start = words.start;
    let name = start..noun::end(text, start, words.end);
    let named = name.clone().any(|at| match text.kind(at) {
        Some(Kind::Word) => {
            !text.has(at, ADJECTIVE | FILLER | INDEFINITE | DEFINITE | VAGUE) && !noun::opens_detail(text, at)
                || text.has(at, PART)
        }
        Some(Kind::Quote | Kind::Path) => true,
        _ => false,
    });
    let opens = text.has(start, CONDITION | MODAL | NEGATED)
        || noun::opens_detail(text, start)
        || text.is_one_of(start, "no not nothing");
    named && !opens
}

/// Look, tone and audience belong to the app.
fn is_look(text: &Text<'_>, words: &Range<usize>, trailing: bool) -> bool {
    let name = words.start..noun::end(text, words.start, words.end);
    let measured = text.norm(name.end) == "of"
        && (text.has(name.end.saturating_sub(1), SHARE)
            || text.is_one_of(name.end - 1, "lots lot plenty touch hint splash mix bit dash pinch"));
    let name = if measured { name.end + 1..noun::end(text, name.end + 1, words.end) } else { name };
    let head = noun::head(text, &name);
    let tool = name
        .clone()
        .any(|at| text.is_one_of(at, "toggle switch switcher picker slider selector tracker generator mode"));
    let color = look_up(noun::stem(text.norm(head))) & ADJECTIVE != 0 && !text.has(head, PART);
    let shape = trailing
        && name.len() > 1
        && text.norm(head).ends_with('s')
        && (name.start..head).all(|at| text.has(at, ADJECTIVE | COMPARATIVE));
    let mood = trailing
        && words
            .clone()
            .all(|at| text.is_mark(at) || text.has(at, AND | ADJECTIVE | FILLER) || text.norm(at).ends_with('y'))
        && !text.has(head, PART);
    let tool = tool || text.number(words.start).is_some();
    (measured || mood || text.has(head, STYLE | VAGUE) || color || shape) && !tool
}
