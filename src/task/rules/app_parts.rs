//! A new app: the clause that names it, and its parts, each of which is an addition.

use super::attachment::{FIRST_WORDS, describes_name, pieces};
use super::clauses::{command, predicate};
use super::lexicon::*;
use super::requirements::{Act, Wish};
use super::small_talk::{is_empty, restart};
use super::tokens::{Kind, Text};
use crate::layout::is_task_file;
use crate::task::structured::TaskContext;
use std::ops::Range;

/// Files of a starter project: what a template has before anything is built.
const STARTER: &str = "main app index vite package tsconfig eslint readme logo favicon react setup reportwebvitals tailwind postcss \
                       env gitignore package-lock pnpm-lock yarn tsconfig";

/// Whether nothing is built: no plan, and only the files of a template. Unknown files may be anything.
pub(crate) fn is_bare(context: &TaskContext) -> bool {
    let is_starter = |file: &String| {
        let name = crate::path::name(file).trim_start_matches('.').to_lowercase();
        let name = name.split('.').next().unwrap_or_default();
        is_task_file(file) || STARTER.split(' ').any(|known| name == known)
    };
    !context.plan_exists && context.file_list.as_ref().is_some_and(|files| files.iter().all(is_starter))
}

/// The clause that asks for a new app; [`Act::Restart`] clauses are cut down to the app that they name.
pub(super) fn app(text: &Text<'_>, wishes: &mut [Wish], context: &TaskContext) -> Option<usize> {
    if let Some(restart) = wishes.iter().position(|wish| wish.act == Act::Restart) {
        let named = wishes.iter_mut().position(|wish| wish.act == Act::Restart && names_in_restart(text, wish));
        let wanted = |wish: &Wish| matches!(wish.act, Act::Add | Act::Name) || wish.act == Act::Modify && wish.creates;
        let later = || wishes.iter().enumerate().position(|(at, wish)| at > restart && wanted(wish));
        return named.or_else(later).or_else(|| wishes.iter().position(wanted));
    }
    let bare = is_bare(context);
    // "Build the app": without a plan and a list of files, it may be a new one.
    let may_exist = context.file_list.is_none() && !context.plan_exists;
    wishes.iter().position(|wish| match wish.act {
        Act::Add => {
            bare || (wish.creates || text.is(wish.core, "a an"))
                && names_app(text, wish, may_exist)
                && !is_placed(text, wish, context)
        }
        Act::Name => bare || !context.plan_exists && names_app(text, wish, false),
        Act::Modify | Act::Detail => {
            bare && !is_empty(text, &wish.words)
                && (wish.creates || wish.act == Act::Modify || names_app(text, wish, false))
        }
        _ => false,
    })
}

/// "start over with a dashboard": what follows the words that give up the present app.
fn names_in_restart(text: &Text<'_>, wish: &mut Wish) -> bool {
    let Some(end) = restart(text, &wish.words) else { return false };
    let from = (end.saturating_sub(1)..wish.words.end).find(|at| {
        text.has(*at, INDEFINITE)
            || text.is(at.wrapping_sub(1), "with : , -") && text.is_word(*at) && !text.has(*at, FILLER)
            || text.has(*at, APP) && !text.has(*at, ANYTHING)
            || text.is(*at, "site website app") && text.find(wish.words.clone(), "for").is_some()
    });
    let Some(from) = from.filter(|from| !is_empty(text, &(*from..wish.words.end))) else { return false };
    (wish.words.start, wish.core) = (from, from);
    true
}

/// Whether the first noun phrase of a clause names an app: "a landing page for …".
pub(super) fn names_app(text: &Text<'_>, wish: &Wish, may_exist: bool) -> bool {
    let end = (wish.core + 1..wish.words.end)
        .find(|at| {
            text.has(*at, PREPOSITION & !DEFINITE) && !text.has(*at, PRONOUN)
                || text.kind(*at) == Some(Kind::Mark)
                || text.has(*at, AND)
        })
        .unwrap_or(wish.words.end);
    let noun = (wish.core..end).rev().find(|at| text.is_word(*at) && !text.has(*at, FILLER | VAGUE));
    noun.is_some_and(|noun| text.has(noun, APP))
        && (may_exist || !text.any(wish.core..end, DEFINITE | ORDINAL | NEW))
        && !(wish.core..end)
            .any(|at| text.is(at, "settings about contact detail second faq more another profile login"))
}

/// "… to the app", "… below the page": a part of the present app. In a planned app only a complete app is new.
fn is_placed(text: &Text<'_>, wish: &Wish, context: &TaskContext) -> bool {
    let placed = wish.words.clone().any(|at| {
        text.is(at, "to into onto in on below above under beside next between after before")
            && text.has(at + 1, DEFINITE)
            && (at + 2..at + 4).any(|at| text.has(at, APP) || text.norm(at) == "project")
    });
    let part = !(wish.core..wish.words.end)
        .any(|at| text.is(at, "app application website site webapp game store shop portfolio homepage"))
        || !text.has(wish.core, CREATE);
    placed || context.plan_exists && part
}

/// The app and its parts, as additions; what describes its look belongs to the app.
pub(super) fn parts(text: &Text<'_>, wishes: Vec<Wish>, app: usize) -> Vec<Wish> {
    let mut all: Vec<Wish> = Vec::new();
    for (at, wish) in wishes.into_iter().enumerate() {
        let details = std::iter::once(wish.words.clone()).chain(wish.also.clone());
        match wish.act {
            _ if at == app => {
                let (own, parts) = app_and_parts(text, &wish);
                all.insert(0, Wish { act: Act::Add, words: own, also: Vec::new(), ..wish.clone() });
                all.extend(parts.into_iter().map(|words| part(&wish, words)));
                for detail in wish.also.iter() {
                    add(text, &mut all, &wish, detail.clone());
                }
            }
            Act::Keep => all.push(wish),
            Act::Talk | Act::Restart | Act::Ambiguous => {}
            Act::Remove if at < app => {}
            // "No blog, no shop."
            Act::Remove if text.is(wish.core, "no") => describe(&mut all, wish.words.clone()),
            Act::Remove => all.push(wish),
            _ if at < app && !matches!(wish.act, Act::Add) => {}
            _ => details.for_each(|words| add(text, &mut all, &wish, words)),
        }
    }
    all
}

fn part(wish: &Wish, words: Range<usize>) -> Wish {
    Wish { act: Act::Add, core: words.start, words, also: Vec::new(), creates: false, ..wish.clone() }
}

fn describe(all: &mut [Wish], words: Range<usize>) {
    if let Some(app) = all.first_mut() {
        app.also.push(words);
    }
}

/// The app up to "with …" or ":", and the list after it.
fn app_and_parts(text: &Text<'_>, wish: &Wish) -> (Range<usize>, Vec<Range<usize>>) {
    let words = wish.words.clone();
    let mut depth = 0_usize;
    let first_words = wish.core + 1..words.end.min(wish.core + 2 * FIRST_WORDS);
    let list = first_words.clone().find(|at| {
        match text.norm(*at) {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
            && (text.is(*at, "with including featuring containing w/") && !text.is(at + 1, "who")
                || text.norm(*at) == ":" && text.kind(*at) == Some(Kind::Mark)
                || text.is(*at, "that which it") && text.is(at + 1, "has shows lists includes contains needs"))
    });
    let list = list.or_else(|| first_words.clone().find(|at| text.norm(*at) == "," && lists(text, *at, words.end)));
    let Some(list) = list else { return (words, Vec::new()) };
    let from = if text.is(list, "that which it") { list + 2 } else { list + 1 };
    let parts: Vec<_> = items(text, &(from..words.end));
    if parts.is_empty() { (words, parts) } else { (words.start..list, parts) }
}

/// More than a trait or an apposition follows the comma.
fn lists(text: &Text<'_>, comma: usize, end: usize) -> bool {
    let words = comma + 1..end;
    words.start < end && !describes_name(text, comma, &words) && !items(text, &words).is_empty()
}

/// The things of a list; traits ("mobile first", "dark") are left out.
fn items(text: &Text<'_>, words: &Range<usize>) -> Vec<Range<usize>> {
    let mut items: Vec<Range<usize>> = Vec::new();
    for piece in pieces(text, words) {
        let colon = piece.clone().find(|at| text.norm(*at) == ":" && text.kind(*at) == Some(Kind::Mark));
        let piece = match colon {
            Some(colon) if is_heading(text, &(piece.start..colon)) && colon + 1 < piece.end => colon + 1..piece.end,
            _ => piece,
        };
        let continues = text.is(piece.start, "each who where so")
            || items.last().is_some_and(|last| {
                let last = last.start..last.end.min(last.start + FIRST_WORDS);
                let names = last.clone().any(|at| text.norm(at) == ":" && text.kind(at) == Some(Kind::Mark));
                let detail =
                    last.clone().any(|at| text.is(at, "where who that which showing about like between by for"))
                        && !text.has(piece.start, INDEFINITE | NEW)
                        && text.number(piece.start).is_none()
                        && text.has(piece.start.wrapping_sub(1), AND)
                        && text.norm(piece.start.wrapping_sub(2)) != ",";
                names || detail
            });
        match items.last_mut() {
            Some(last) if continues => last.end = piece.end,
            _ if is_thing(text, &piece) => items.push(piece),
            _ => {}
        }
    }
    items
}

/// It names something to build rather than how it looks.
fn is_thing(text: &Text<'_>, words: &Range<usize>) -> bool {
    let first = words.clone().find(|at| !text.has(*at, FILLER | INDEFINITE | DEFINITE)).unwrap_or(words.start);
    let negative = text.is(first, "no not without nothing only");
    let end = words
        .clone()
        .find(|at| *at > first && text.has(*at, PREPOSITION) && !text.has(*at, DEFINITE))
        .unwrap_or(words.end);
    let noun = (first..end).rev().find(|at| matches!(text.kind(*at), Some(Kind::Word | Kind::Quote)));
    let looks = noun.is_some_and(|noun| {
        text.has(noun, STYLE | TRAIT | VAGUE | ANYTHING) && !text.is(noun, "text design colors page")
    }) && (first..end).all(|at| {
        text.has(at, STYLE | TRAIT | FUNCTION | COMPARATIVE)
            || text.kind(at) != Some(Kind::Word)
            || at != end.wrapping_sub(1)
    });
    let traits = (first..words.end).all(|at| {
        text.has(at, TRAIT | STYLE | VAGUE | COMPARATIVE | FILLER | AND | INDEFINITE)
            || text.kind(at) == Some(Kind::Mark)
    }) || text.has(end.wrapping_sub(1), STYLE)
        && !text.has(end.wrapping_sub(1), COPY)
        && !text.any(words.start..words.end, NEW | INDEFINITE);
    !negative
        && !traits
        && !looks
        && (first..words.end)
            .any(|at| super::small_talk::is_specific(text, at) || text.is(at, "page site app design") && at > first)
}

/// "Sections", "3 pages", "it needs": what follows the colon is a list of parts.
fn is_heading(text: &Text<'_>, words: &Range<usize>) -> bool {
    words.clone().any(|at| text.is(at,
        "sections section pages page features parts screens needs have include includes contains add with requirements things"))
}

/// The parts that a further clause names; what describes the look goes to the app.
fn add(text: &Text<'_>, all: &mut Vec<Wish>, wish: &Wish, words: Range<usize>) {
    if text.kind(words.start) == Some(Kind::Quote) && words.len() == 1 {
        return all.last_mut().into_iter().for_each(|last| last.also.push(words.clone()));
    }
    let colon = (words.start..words.end).find(|at| text.norm(*at) == ":" && text.kind(*at) == Some(Kind::Mark));
    let abilities = "able to|can|could|want to";
    let ability = text
        .find(words.clone(), abilities)
        .and_then(|at| text.after(at, abilities))
        .filter(|at| *at < words.end && text.any(words.start..*at, PERSON | PRONOUN));
    let has = "should have|should include|should contain|must have|needs to have|needs|has|includes|need|should be|\
         we want|i want|should show|should list|list all|features are";
    let has = text.find(words.clone(), has).and_then(|at| text.after(at, has)).filter(|at| *at < words.end);
    let core = if wish.words == words { wish.core } else { words.start };
    let verb = command(text, core, words.end) & ADD != 0;
    let list = match (colon, ability, has) {
        (Some(colon), _, _) if is_heading(text, &(words.start..colon)) && colon + 1 < words.end => colon + 1..words.end,
        (Some(_), _, _) => {
            return if is_thing(text, &words) && !text.is(core, "tone style look theme colors colours color feel") {
                all.push(part(wish, words))
            } else {
                describe(all, words)
            };
        }
        (_, Some(ability), _) => ability..words.end,
        (_, _, Some(has)) if text.norm(has) != "to" => has..words.end,
        _ if verb => core..words.end,
        _ if predicate(text, &words).is_some() && !matches!(wish.act, Act::Add | Act::Name) => {
            return describe(all, words);
        }
        _ => core..words.end,
    };
    let things = items(text, &list);
    let styles = wish.act == Act::Modify && text.any(list.clone(), STYLE);
    if things.is_empty()
        || styles
        || matches!(wish.act, Act::Detail | Act::Bug) && ability.is_none() && has.is_none() && colon.is_none()
    {
        describe(all, words);
    } else if wish.is_item && ability.is_none() {
        all.push(part(wish, words));
    } else {
        all.extend(things.into_iter().map(|words| part(wish, words)));
    }
}
