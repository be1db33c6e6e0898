//! The type of the task, its requirements, or what to ask.

use super::app_parts;
use super::clauses::clauses;
use super::contradictions;
use super::lexicon::*;
use super::requirements::{Act, Wish, wishes};
use super::small_talk::is_specific;
use super::tokens::{Kind, Text};
use super::{counts, files, preserve, questions};
use crate::task::structured::{Marker, ParsedBy, Requirement, StructuredTask, TaskContext, TaskScope, TaskType};
use questions::Doubt;
use std::ops::Range;

/// Characters of a description.
pub(crate) const DESCRIPTION: usize = 400;
/// Entries of what must stay.
const PRESERVED: usize = 100;
/// Characters of a title.
pub(crate) const TITLE: usize = 72;

/// Parses a message by rules alone. Never fails, and takes time in proportion to the length of the message.
pub fn parse_by_rules(message: &str, context: &TaskContext) -> StructuredTask {
    let text = Text::new(message);
    let mut task = StructuredTask {
        kind: TaskType::NeedsClarification,
        title: String::new(),
        task_number: context.task_number.unwrap_or(1),
        previous_tag: context.previous_tag.clone(),
        requirements: Vec::new(),
        scope: TaskScope::default(),
        raw_message: message.to_owned(),
        questions: None,
        parsed_by: ParsedBy::Rules,
    };
    let decided = decide(&text, wishes(&text, &clauses(&text)), context);
    let doubt = match decided {
        Ok((kind, wishes)) => {
            // A new app replaces what the summary counts.
            let items = if kind == TaskType::Fresh { Vec::new() } else { counts::counted_items(&context.last_summary) };
            let mut units = Units { message, byte: 0, units: 0 };
            task.requirements = wishes.iter().filter_map(|wish| requirement(&text, wish, &items, &mut units)).collect();
            if task.requirements.is_empty() {
                Doubt::NoTask
            } else {
                task.kind = kind;
                task.scope.preserve = wishes.iter().filter_map(|wish| preserved(&text, wish)).take(PRESERVED).collect();
                preserve::complete(&mut task.scope.preserve, &task.requirements);
                task.scope.affected_files = files::affected(&text, &wishes, context);
                task.title = title(&task.requirements);
                return task;
            }
        }
        Err(doubt) => doubt,
    };
    task.title = shortened(&crate::task::title(message), TITLE);
    task.questions = Some(questions::questions(&text, &doubt, context));
    task
}

fn decide(text: &Text<'_>, mut wishes: Vec<Wish>, context: &TaskContext) -> Result<(TaskType, Vec<Wish>), Doubt> {
    if let Some(unclear) = wishes.iter().find(|wish| wish.act == Act::Ambiguous) {
        return Err(Doubt::Ambiguous(unclear.words.clone()));
    }
    let restarts = wishes.iter().any(|wish| wish.act == Act::Restart);
    if let Some(app) = app_parts::app(text, &mut wishes, context) {
        let parts = app_parts::parts(text, wishes, app);
        let named = parts.first().is_some_and(|app| names_something(text, app));
        return match named || parts.iter().filter(|wish| wish.is_request()).count() > 1 {
            true if contradictions::denies(text, &parts) => Err(Doubt::Denied),
            true => Ok((TaskType::Fresh, parts)),
            false => Err(Doubt::NoTask),
        };
    }
    if let Some((first, second)) = contradictions::find(text, &wishes) {
        return Err(Doubt::Contradiction(first, second));
    }
    let (requests, others): (Vec<Wish>, Vec<Wish>) = wishes.into_iter().partition(Wish::is_request);
    let (specific, vague): (Vec<Wish>, Vec<Wish>) = requests.into_iter().partition(|wish| is_clear(text, wish));
    let mut all = specific;
    if all.is_empty() {
        let quoted = others.iter().find_map(|wish| quoted(text, wish, context));
        match (quoted, vague.into_iter().next()) {
            (Some(wish), _) => all.push(wish),
            (None, Some(vague)) => return Err(Doubt::Vague(vague.act)),
            (None, None) => return Err(Doubt::NoTask),
        }
    } else {
        all.extend(
            others
                .iter()
                .filter(|wish| wish.act == Act::Name || wish.is_item)
                .filter_map(|wish| quoted(text, wish, context)),
        );
    }
    let is_bug = all.iter().all(|wish| matches!(wish.act, Act::Bug | Act::Fix));
    let has_files = context.file_list.as_ref().is_none_or(|files| !files.is_empty());
    let kind = match () {
        () if restarts => TaskType::Fresh,
        () if is_bug && has_files => TaskType::Bugfix,
        () if context.plan_exists => TaskType::Mutation,
        () => TaskType::Fresh,
    };
    all.extend(others.into_iter().filter(|wish| wish.act == Act::Keep));
    all.sort_by_key(|wish| wish.words.start);
    Ok((kind, all))
}

/// A message without a verb, or a statement: one requirement in the user's words, if it says enough.
fn quoted(text: &Text<'_>, wish: &Wish, context: &TaskContext) -> Option<Wish> {
    let specific = wish.words.clone().filter(|at| is_specific(text, *at) && !text.is(*at, "same")).count();
    let exists = context.plan_exists || !app_parts::is_bare(context);
    let act = match wish.act {
        // "Deduplicate the drinks": an unknown verb, and an object that exists.
        Act::Name if exists && specific > 1 && text.has(wish.words.start + 1, DEFINITE) => Act::Modify,
        Act::Name if wish.is_item && specific > 0 || specific > 1 => Act::Add,
        Act::Detail if specific > 1 && exists && !wish.asks => Act::Modify,
        _ => return None,
    };
    Some(Wish { act, ..wish.clone() })
}

/// An app needs a name or a verb that creates it.
fn names_something(text: &Text<'_>, app: &Wish) -> bool {
    let words = || app.words.clone().chain(app.also.iter().flat_map(Clone::clone));
    let specific =
        words().filter(|at| *at != app.core || !text.has(*at, COMMAND)).filter(|at| is_specific(text, *at)).count();
    let is_app = words()
        .any(|at| text.has(at, APP) && !text.is(at, "one project something") && !text.norm(at).ends_with("apps"));
    let ordered = app.creates && !app.asks || words().any(|at| text.has(at, INDEFINITE));
    specific > 1
        || is_app && (ordered || specific > 0 || words().count() == 1 && !words().any(|at| text.has(at, ANYTHING)))
        || specific == 1 && (app.creates || text.has(app.core, COMMAND))
}

/// It names what is to be done or where.
fn is_clear(text: &Text<'_>, wish: &Wish) -> bool {
    let words = || wish.words.clone().chain(wish.also.iter().flat_map(Clone::clone));
    words().any(|at| {
        let is_verb = at == wish.core && text.has(at, COMMAND) && (text.has(at, GENERIC) || !text.has(at, MODIFY));
        !is_verb && is_specific(text, at) && !text.has(at, BROKEN | FIX)
    }) || words().any(|at| text.has(at, BROKEN) && text.is(at, "404 500 nan undefined")) && words().count() > 3
        || matches!(wish.act, Act::Remove | Act::Modify)
            && words().any(|at| text.has(at, STYLE | UNIT) && !text.is(at, "look feel design"))
        || wish.act == Act::Modify && wish.words.clone().any(|at| text.has(at, COMPARATIVE) && !text.has(at, VAGUE))
        || wish.act == Act::Add
            && text.has(wish.core, CREATE)
            && words().any(|at| {
                text.has(at, APP)
                    && (text.has(at.wrapping_sub(1), INDEFINITE)
                        || text.norm(wish.core) == "build" && text.has(at.wrapping_sub(1), DEFINITE))
            })
}

fn requirement(text: &Text<'_>, wish: &Wish, items: &[(String, u32)], units: &mut Units<'_>) -> Option<Requirement> {
    let marker = match wish.act {
        Act::Add => Marker::Add,
        Act::Modify => Marker::Modify,
        Act::Fix | Act::Bug => Marker::Fix,
        Act::Remove => Marker::Remove,
        _ => return None,
    };
    let phrases = std::iter::once(&wish.words).chain(&wish.also).map(|words| phrase(text, words));
    let description = phrases.filter(|phrase| !phrase.is_empty()).collect::<Vec<_>>().join(". ");
    if description.is_empty() {
        return None;
    }
    let counted: Vec<Range<usize>> = std::iter::once(wish.words.clone()).chain(wish.also.iter().cloned()).collect();
    let (count, existing) = if marker == Marker::Add { counts::counted(text, &counted, items) } else { (None, None) };
    Some(Requirement {
        marker,
        description: shortened(&description, DESCRIPTION),
        count,
        existing,
        span: Some(units.span(&text.bytes(&trimmed(text, &wish.words)))),
    })
}

fn preserved(text: &Text<'_>, wish: &Wish) -> Option<String> {
    let words = match wish.act {
        Act::Keep => wish.words.clone(),
        _ => std::iter::once(&wish.words).chain(&wish.also).find_map(|words| preserve::inside(text, words))?,
    };
    let details = if wish.act == Act::Keep { wish.also.as_slice() } else { &[] };
    let phrases = std::iter::once(&words).chain(details).map(|words| phrase(text, words));
    Some(shortened(&phrases.collect::<Vec<_>>().join(". "), DESCRIPTION)).filter(|phrase| !phrase.is_empty())
}

/// The user's words in one line, without politeness, starting with a capital letter.
pub(super) fn phrase(text: &Text<'_>, words: &Range<usize>) -> String {
    let words = trimmed(text, words);
    let line = crate::task::texts::one_line(text.slice(&words));
    let mut letters = line.chars();
    match letters.next() {
        Some(first) if matches!(text.kind(words.start), Some(Kind::Word | Kind::Number(_))) => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => line,
    }
}

/// Without politeness at the start and the end.
fn trimmed(text: &Text<'_>, words: &Range<usize>) -> Range<usize> {
    let mut words = words.clone();
    let is_filler = |at: usize| {
        (text.has(at, FILLER) || text.is(at, "and")) && !text.is(at, "first")
            || text.kind(at) == Some(Kind::Mark) && !text.is(at, "( [ < { # /")
            || text.is(at, "can could you would will u i we want lets")
                && text.after(at, "can you|could you|can u|could u|would you|will you").is_some()
            || at > 0 && text.is(at, "you u") && text.is(at.wrapping_sub(1), "can could would will")
    };
    while words.len() > 1 && is_filler(words.start) {
        words.start += 1;
    }
    while words.len() > 1 && (text.is(words.end.wrapping_sub(1), "please pls plz thanks thx and , - ; : &")) {
        words.end -= 1;
    }
    words
}

/// The requirements in one short line.
pub(crate) fn title(requirements: &[Requirement]) -> String {
    let mut title = String::new();
    for requirement in requirements {
        let part = shortened(&requirement.description, TITLE);
        if title.is_empty() {
            title = part;
        } else if title.chars().count() + part.chars().count() + 2 <= TITLE {
            title = format!("{title}; {part}");
        } else {
            break;
        }
    }
    title
}

/// A text cut to so many characters.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// Bytes to UTF-16 code units, which index strings in JavaScript. Rising places are walked once.
struct Units<'m> {
    message: &'m str,
    byte: usize,
    units: u32,
}

impl Units<'_> {
    fn span(&mut self, bytes: &Range<usize>) -> [u32; 2] {
        let start = self.at(bytes.start);
        [start, start.saturating_add(self.length(bytes.clone()))]
    }

    fn at(&mut self, byte: usize) -> u32 {
        if byte < self.byte {
            (self.byte, self.units) = (0, 0);
        }
        self.units = self.units.saturating_add(self.length(self.byte..byte));
        self.byte = byte;
        self.units
    }

    fn length(&self, bytes: Range<usize>) -> u32 {
        let slice = self.message.get(bytes).unwrap_or_default();
        u32::try_from(slice.encode_utf16().count()).unwrap_or(u32::MAX)
    }
}
