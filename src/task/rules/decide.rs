//! The type of the task, its requirements, or what to ask.

use super::acts::{Act, demands, exception};
use super::app;
use super::clauses::{clauses, command};
use super::counts::{counted, counted_items, keep_existing};
use super::requirement::{Wish, wishes};
use super::tokens::{Kind, Text};
use super::words::*;
use crate::task::structured::{Marker, ParsedBy, Requirement, StructuredTask, TaskContext, TaskScope, TaskType};
use crate::task::texts::TITLE;
use crate::text::{one_line, shortened};
use crate::words::words;
use std::collections::BTreeSet;
use std::ops::Range;

/// Characters of a description.
pub(crate) const DESCRIPTION: usize = 400;
/// Maximum number of questions.
pub(crate) const MOST: usize = 4;
/// The question about a message without a request, in a project where something is built.
pub(crate) const OPEN: &str = "What should be changed?";
/// Characters of a message that a question repeats.
const REPEATED: usize = 60;
/// Entries of what must stay, paths that are looked up, and requests that are compared with each removal.
const COMPARED: usize = 60;

/// Why a message needs an answer.
enum Doubt {
    /// These words could mean new things or changed ones.
    Ambiguous(Range<usize>),
    /// These two cannot both be done.
    Contradiction(Range<usize>, Range<usize>),
    /// A change or a repair without an object.
    Vague(Act),
    /// The present app is given up, and no other one is named.
    Restart,
    /// The message contains no task.
    NoTask,
}

/// Parses a message by rules alone. Never fails, and takes time in proportion to the length of the message.
pub fn parse_by_rules(message: &str, context: &TaskContext) -> StructuredTask {
    let text = Text::new(message);
    let mut task = StructuredTask {
        kind: TaskType::NeedsClarification,
        title: crate::task::title(message),
        task_number: context.task_number.unwrap_or(1),
        previous_tag: context.previous_tag.clone(),
        requirements: Vec::new(),
        scope: TaskScope::default(),
        raw_message: message.to_owned(),
        questions: None,
        parsed_by: ParsedBy::Rules,
    };
    let doubt = match decide(&text, wishes(&text, &clauses(&text)), context) {
        Ok((kind, wishes)) => {
            // A new app replaces what the summary counts.
            let items = if kind == TaskType::Fresh { Vec::new() } else { counted_items(&context.last_summary) };
            let units = units(message);
            task.requirements = wishes.iter().filter_map(|wish| requirement(&text, wish, &items, &units)).collect();
            if !task.requirements.is_empty() {
                task.kind = kind;
                task.title = title(&task.requirements);
                let preserve = &mut task.scope.preserve;
                preserve.extend(wishes.iter().filter_map(|wish| preserved(&text, wish)).take(COMPARED));
                keep_existing(preserve, &task.requirements);
                task.scope.affected_files = affected_files(&text, &wishes, context);
                return task;
            }
            Doubt::NoTask
        }
        Err(doubt) => doubt,
    };
    task.questions = Some(questions(&text, &doubt, context));
    task
}

fn decide(text: &Text<'_>, mut wishes: Vec<Wish>, context: &TaskContext) -> Result<(TaskType, Vec<Wish>), Doubt> {
    if let Some(unclear) = wishes.iter().find(|wish| wish.act == Act::Ambiguous) {
        return Err(Doubt::Ambiguous(unclear.words.clone()));
    }
    let restarts = wishes.iter().any(|wish| wish.act == Act::Restart);
    let none = if restarts { Doubt::Restart } else { Doubt::NoTask };
    if let Some(app) = app::find(text, &mut wishes, context) {
        let parts = app::parts(text, wishes, app);
        let names =
            |app: &Wish| names_something(text, app) || restarts && app.words.clone().any(|at| text.is_specific(at));
        let is_named = parts.len() > 1 || parts.first().is_some_and(names);
        return if is_named { Ok((TaskType::Fresh, parts)) } else { Err(none) };
    }
    if let Some((first, second)) = contradiction(text, &wishes) {
        return Err(Doubt::Contradiction(first, second));
    }
    let vague = wishes.iter().find(|wish| wish.is_request()).map_or(none, |wish| Doubt::Vague(wish.act));
    let has_clear = wishes.iter().any(|wish| wish.is_request() && is_clear(text, wish));
    // Without a clear request, the first statement that says enough is one.
    let mut has_quoted = false;
    let wanted = wishes.into_iter().filter_map(|wish| match wish.act {
        Act::Keep => Some(wish),
        _ if wish.is_request() => Some(wish).filter(|wish| is_clear(text, wish)),
        _ if has_clear => quoted(text, &wish, context).filter(|_| wish.act == Act::Name || wish.is_item),
        _ => quoted(text, &wish, context).filter(|wish| wish.is_item || !std::mem::replace(&mut has_quoted, true)),
    });
    let mut all: Vec<Wish> = wanted.collect();
    if all.iter().all(|wish| wish.act == Act::Keep) {
        all.iter_mut().find(|wish| demands(text, &wish.words)).ok_or(vague)?.act = Act::Modify;
    }
    let is_bug = all.iter().all(|wish| matches!(wish.act, Act::Bug | Act::Fix | Act::Keep));
    let has_files = context.file_list.as_ref().is_none_or(|files| !files.is_empty());
    let kind = match () {
        () if is_bug && has_files && !restarts => TaskType::Bugfix,
        () if context.plan_exists && !restarts => TaskType::Mutation,
        () => TaskType::Fresh,
    };
    Ok((kind, all))
}

/// Whether a message has a command, not only statements.
pub(crate) fn orders(message: &str) -> bool {
    let text = Text::new(message);
    clauses(&text).iter().any(|clause| command(&text, clause.core, clause.words.end) != 0)
}

/// A message without a verb, or a statement: one requirement in the user's words, if it says enough.
fn quoted(text: &Text<'_>, wish: &Wish, context: &TaskContext) -> Option<Wish> {
    let specific = wish.words.clone().filter(|at| text.is_specific(*at)).count();
    let act = match wish.act {
        // "A customer wrote:", a question that is not understood
        _ if (wish.heads || wish.asks && !text.any(wish.words.clone(), MODAL)) && app::exists(context) => return None,
        // "Deduplicate the drinks": an unknown verb, and an object that exists.
        Act::Name if !app::is_bare(context) && specific > 1 && text.has(wish.words.start + 1, DEFINITE) => Act::Modify,
        Act::Name if wish.is_item && specific > 0 || specific > 1 => Act::Add,
        Act::Detail if specific > 1 && !wish.asks => Act::Modify,
        _ => return None,
    };
    Some(Wish { act, ..wish.clone() })
}

/// An app needs a name or a verb that creates it.
fn names_something(text: &Text<'_>, app: &Wish) -> bool {
    let words = || app.all_words().flat_map(Clone::clone);
    let specific = words().filter(|at| text.is_specific(*at) && !(*at == app.core && text.has(*at, COMMAND))).count();
    let is_ordered = app.creates && !app.asks || text.any(app.words.clone(), INDEFINITE);
    let is_app = is_ordered && words().any(|at| text.has(at, APP));
    is_app || specific > 1 || specific == 1 && (text.has(app.core, COMMAND | APP))
}

/// It names what is to be done or where.
fn is_clear(text: &Text<'_>, wish: &Wish) -> bool {
    let words = || wish.all_words().flat_map(Clone::clone);
    // "refactor the app" names a change, "fix the app" does not.
    let is_said = |at: usize| at != wish.core || !text.has(at, COMMAND) || text.has(at, MODIFY) && !text.has(at, VAGUE);
    // "the first one", "the last two"
    let refers = |at: usize| (text.has(at, ORDINAL) || text.is(at, "first last other")) && text.has(at - 1, DEFINITE);
    let is_app = |at: usize| text.has(at, APP) && text.has(at - 1, ARTICLE);
    words().any(|at| text.is_specific(at) && is_said(at) && !(text.is_word(at) && text.has(at, BROKEN | FIX)))
        || wish.act != Act::Add && words().any(refers)
        || wish.act == Act::Modify && words().any(|at| text.has(at, COMPARATIVE) && !text.has(at, VAGUE))
        || text.has(wish.core, ADD) && wish.act == Act::Add && words().any(is_app)
}

/// Two requests that cannot both be done: "remove the cart. add a field to the cart", "keep all cards but swap two of them".
fn contradiction(text: &Text<'_>, wishes: &[Wish]) -> Option<(Range<usize>, Range<usize>)> {
    let of_them = |words: &&Range<usize>| text.says(words, "of them|of those|of its|one of|two of");
    let keep = wishes.iter().find(|wish| wish.act == Act::Keep && text.says(&wish.words, "all|exactly"));
    let changes = wishes.iter().filter(|wish| matches!(wish.act, Act::Modify | Act::Remove));
    if let Some(keep) = keep
        && let Some(changed) = keep.also.iter().chain(changes.map(|wish| &wish.words)).find(of_them)
    {
        return Some((keep.words.clone(), changed.clone()));
    }
    // What the words after an article name.
    let named = |the: usize| -> Vec<String> {
        let nouns = (the + 1..the + 8).take_while(|at| text.is_specific(*at) && !text.is(*at, "completely"));
        nouns.map(|at| text.slice(&(at..at + 1)).to_lowercase().trim_end_matches('s').to_owned()).collect()
    };
    let removals = wishes.iter().filter(|wish| wish.act == Act::Remove && text.has(wish.core + 1, DEFINITE));
    removals.take(COMPARED).find_map(|removal| {
        let removed = Some(named(removal.core + 1)).filter(|removed| !removed.is_empty())?;
        let needs = |wish: &&Wish| {
            let mut known = wish.words.clone().filter(|at| text.has(*at, DEFINITE)).take(COMPARED);
            wish.act != Act::Remove && known.any(|the| named(the) == removed)
        };
        let other = wishes.iter().take(COMPARED).find(needs)?;
        Some((removal.words.clone(), other.words.clone()))
    })
}

fn requirement(text: &Text<'_>, wish: &Wish, items: &[(String, u32)], units: &[u32]) -> Option<Requirement> {
    let marker = match wish.act {
        Act::Add => Marker::Add,
        Act::Modify => Marker::Modify,
        Act::Fix | Act::Bug => Marker::Fix,
        Act::Remove => Marker::Remove,
        _ => return None,
    };
    let description = phrases(text, wish.all_words());
    let words: Vec<Range<usize>> = wish.all_words().cloned().collect();
    let (count, existing) = if marker == Marker::Add { counted(text, &words, items) } else { (None, None) };
    // "Make it 12 drinks": nothing is new if there are 12 or more, and how many there are may not be known.
    let is_less = marker == Marker::Add
        && count.is_none()
        && (existing.is_some() || text.number(wish.core + 2).is_some() && text.has(wish.core + 1, PRONOUN));
    let (marker, existing) = if is_less { (Marker::Modify, None) } else { (marker, existing) };
    let bytes = text.bytes(&trimmed(text, &wish.words));
    let span = Some([bytes.start, bytes.end].map(|byte| units.get(byte).copied().unwrap_or_default()));
    (!description.is_empty()).then_some(Requirement { marker, description, count, existing, span })
}

/// What a clause says that stays.
fn preserved(text: &Text<'_>, wish: &Wish) -> Option<String> {
    let stays = |words: &Range<usize>| Some(exception(text, words)?..words.end);
    let inside = || Some(phrases(text, std::iter::once(&wish.all_words().find_map(stays)?)));
    let all = (wish.act == Act::Keep).then(|| phrases(text, wish.all_words())).filter(|phrase| !phrase.is_empty());
    all.or_else(inside)
}

/// The user's words, in one line.
fn phrases<'w>(text: &Text<'_>, words: impl Iterator<Item = &'w Range<usize>>) -> String {
    let phrases: Vec<String> = words.map(|words| phrase(text, words)).filter(|phrase| !phrase.is_empty()).collect();
    let joined = phrases.iter().fold(String::new(), |text, phrase| match text.is_empty() {
        true => phrase.clone(),
        false => format!("{}. {phrase}", text.strip_suffix('.').unwrap_or(&text)),
    });
    shortened(&joined, DESCRIPTION)
}

/// The user's words in one line, without politeness, starting with a capital letter.
fn phrase(text: &Text<'_>, words: &Range<usize>) -> String {
    let words = trimmed(text, words);
    let line = one_line(text.slice(&words));
    let mut letters = line.chars();
    match letters.next() {
        Some(first) if matches!(text.kind(words.start), Some(Kind::Word | Kind::Number(_))) => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => line,
    }
}

/// Without filler words and marks at the start and the end.
fn trimmed(text: &Text<'_>, words: &Range<usize>) -> Range<usize> {
    let is_lead = |at: usize| text.has(at, FILLER | AND) || text.is_mark(at) && !text.is(at, "( [ < { # /");
    let start = words.clone().find(|at| !is_lead(*at)).unwrap_or(words.start);
    let is_end = |at: usize| !text.is(at, "please pls plz thanks thx and , - ; : &");
    start..(start..words.end).rev().find(|at| is_end(*at)).map_or(words.end, |last| last + 1)
}

/// The requirements in one short line.
pub(crate) fn title(requirements: &[Requirement]) -> String {
    let descriptions: Vec<&str> = requirements.iter().map(|requirement| requirement.description.as_str()).collect();
    shortened(&descriptions.join("; "), TITLE)
}

/// The project's files that the message names, by path or by the name of what they contain.
fn affected_files(text: &Text<'_>, wishes: &[Wish], context: &TaskContext) -> Vec<String> {
    const GENERAL: &str =
        "section page component view panel app index main screen container wrapper list api grid use strip block src";
    let places = text.all().filter(|at| matches!(text.kind(*at), Some(Kind::Path | Kind::Trace)));
    let places: Vec<&str> = places.take(COMPARED).map(|at| text.slice(&(at..at + 1))).collect();
    let requests = wishes.iter().filter(|wish| wish.is_request());
    let mentioned: BTreeSet<String> = requests.flat_map(Wish::all_words).flat_map(|at| words(text.slice(at))).collect();
    let is_affected = |file: &&String| {
        let name = crate::path::name(file);
        let parts = words(name.split('.').next().unwrap_or_default());
        let subject = parts.iter().find(|part| !GENERAL.split(' ').any(|word| word == *part));
        subject.is_some_and(|subject| mentioned.contains(subject)) || places.iter().any(|place| place.contains(name))
    };
    context.file_list.iter().flatten().filter(is_affected).cloned().collect()
}

/// The questions for a doubt: one that is open, or some that can be answered with yes.
fn questions(text: &Text<'_>, doubt: &Doubt, context: &TaskContext) -> Vec<String> {
    let said = |words: &Range<usize>| shortened(&phrase(text, words), REPEATED);
    match doubt {
        Doubt::Ambiguous(words) => {
            let said = said(words);
            vec![
                format!("“{said}”: should new items be added, and the existing ones stay?"),
                format!("“{said}”: should existing items be changed, so that their number stays?"),
                format!("“{said}”: should existing items be replaced by new ones?"),
            ]
        }
        Doubt::Contradiction(first, second) => {
            [first, second].map(|words| format!("Should only this be done: “{}”?", said(words))).into()
        }
        Doubt::Vague(act) => {
            let verb = if matches!(act, Act::Bug | Act::Fix) { "Is the problem in" } else { "Should the change be in" };
            places(context).map(|place| format!("{verb} {place}?")).collect()
        }
        Doubt::Restart => vec!["What should be built?".to_owned()],
        Doubt::NoTask if app::exists(context) => vec![OPEN.to_owned()],
        Doubt::NoTask => ["a landing page", "an app with several pages", "a dashboard"]
            .map(|app| format!("Should {app} be built?"))
            .into(),
    }
}

/// Where something may be meant: the sections of the plan; without them, what every page has.
fn places(context: &TaskContext) -> impl Iterator<Item = String> {
    let sections = context.plan_sections.iter().take(MOST);
    let general: &[&str] =
        if context.plan_sections.is_empty() { &["the layout", "the texts", "the colors"] } else { &[] };
    let sections = sections.map(|name| format!("the section “{}”", shortened(name, REPEATED)));
    sections.chain(general.iter().map(|place| (*place).to_owned()))
}

/// How many UTF-16 code units, which index strings in JavaScript, are before each byte.
fn units(message: &str) -> Vec<u32> {
    let lengths = message.bytes().map(|byte| match byte {
        0x80..=0xBF => 0,
        0xF0.. => 2,
        _ => 1,
    });
    let after = lengths.scan(0_u32, |units, length| {
        *units = units.saturating_add(length);
        Some(*units)
    });
    std::iter::once(0).chain(after).collect()
}
