//! The task: its type, its requirements, its title.

use super::act::Act;
use super::clause::{Clause, Clauses, clauses};
use super::questions::{Doubt, questions};
use super::text::Text;
use super::{app, count, reading, scope, unclear};
use crate::task::structured::{Marker, ParsedBy, Requirement, StructuredTask, TaskContext, TaskScope, TaskType};
use std::ops::Range;

/// Characters of a description.
const DESCRIPTION: usize = 400;
/// Characters of a title.
const TITLE: usize = 72;

/// Takes a message apart by rules alone: never fails, and never asks anybody.
pub fn parse_by_rules(message: &str, context: &TaskContext) -> StructuredTask {
    let text = Text::new(message);
    let all = clauses(&text);
    let strays = all.strays.clone();
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
    match judge(&text, all, context) {
        Judged::Task(kind, clauses) => {
            task.kind = kind;
            let mut positions = Positions { message, byte: 0, units: 0 };
            let summary =
                if kind == TaskType::Fresh && app::is_bare(context) { "" } else { context.last_summary.as_str() };
            task.requirements =
                clauses.iter().filter_map(|clause| requirement(&text, clause, summary, &mut positions)).collect();
            task.scope.preserve = scope::preserved(&text, &clauses, &strays);
            for requirement in task.requirements.iter().filter(|requirement| requirement.marker == Marker::Add) {
                if let Some(existing) = requirement.existing {
                    let kept = format!("All {existing} existing items unchanged: {}", requirement.description);
                    task.scope.preserve.push(kept);
                }
            }
            task.scope.affected_files = scope::affected_files(&text, &clauses, context);
            task.title = title(&task.requirements);
        }
        Judged::Doubtful(questions) => {
            task.questions = Some(questions);
            task.title = shortened(&crate::task::title(message), TITLE);
        }
    }
    task
}

enum Judged {
    Task(TaskType, Vec<Clause>),
    Doubtful(Vec<String>),
}

/// The type of the task, and the clauses that count (`seeds/003 §5`).
fn judge(text: &Text<'_>, mut all: Clauses, context: &TaskContext) -> Judged {
    let doubtful = |doubt: Doubt<'_>| Judged::Doubtful(questions(text, &doubt, context));
    if let Some(clause) = all.found.iter().find(|clause| clause.act == Act::Unclear) {
        return doubtful(Doubt::Ambiguous(clause.range.clone()));
    }
    name_alone(text, &mut all, context);
    let whole = app::whole(text, &all, context);
    let fresh = whole.is_some() && (!context.plan_exists || all.restarts || whole.is_some());
    if !fresh && let Some((first, second)) = unclear::contradiction(text, &all.found) {
        return doubtful(Doubt::Contradiction(first, second));
    }
    if let Some(whole) = whole {
        let parts = app::parts(text, all, whole);
        if let [only] = parts.as_slice()
            && only.also.is_empty()
            && unclear::is_vague(text, only)
        {
            return doubtful(Doubt::NoTask);
        }
        if unclear::denies_itself(text, &parts) {
            return doubtful(Doubt::Denied);
        }
        return Judged::Task(TaskType::Fresh, parts);
    }
    let (vague, specific): (Vec<Clause>, Vec<Clause>) =
        all.found.into_iter().partition(|clause| unclear::is_vague(text, clause));
    if !specific.iter().any(|clause| clause.act.is_request()) {
        return match vague.first() {
            Some(clause) => doubtful(Doubt::Vague(clause)),
            None => doubtful(Doubt::NoTask),
        };
    }
    let broken = |clause: &&Clause| matches!(clause.act, Act::Bug | Act::Fix);
    let kind = match () {
        () if all.restarts => TaskType::Fresh,
        () if specific.iter().filter(|clause| clause.act.is_request()).all(|clause| broken(&clause))
            && !context.file_list.is_empty() =>
        {
            TaskType::Bugfix
        }
        () if context.plan_exists => TaskType::Mutation,
        () => TaskType::Fresh,
    };
    Judged::Task(kind, specific)
}

/// A message that only names a thing: a new app where there is none, a new part beside a plan.
fn name_alone(text: &Text<'_>, all: &mut Clauses, context: &TaskContext) {
    use super::lexicon::{ANYTHING, APP, DEFINITE, INDEFINITE};
    let first = all.found.iter().find(|clause| clause.act.is_request()).map(|clause| clause.range.start);
    let told = first.is_some()
        && (context.plan_exists
            || !app::is_bare(context)
            || all.found.iter().any(|clause| app::names_app(text, clause)));
    if told {
        return;
    }
    let anew = all
        .strays
        .iter()
        .find(|words| all.restarts && words.len() > 1 && !reading::is_restart(text, words))
        .filter(|_| first.is_none());
    let listed = anew.or_else(|| {
        all.strays.first().filter(|words| {
            let mut sentences = text.sentences.iter().filter(|sentence| sentence.tokens.contains(&words.start));
            !context.plan_exists && sentences.any(|sentence| sentence.item.is_some()) && all.strays.len() > 1
        })
    });
    let named = listed.or_else(|| {
        all.strays.iter().filter(|words| first.is_none_or(|first| words.start < first)).find(|words| {
            let purpose =
                text.is_one_of(words.start, "something") && text.is_one_of(words.start + 1, "to that where like for");
            let thing = (*words).clone().any(|at| text.has(at, APP) && !text.is_one_of(at, "one something")) || purpose;
            let new = (*words).clone().take(3).any(|at| text.has(at, INDEFINITE));
            let existing = (text.has(words.start, DEFINITE)
                || text.has(words.start, ANYTHING) && !text.has(words.start, APP))
                && !new
                && !purpose;
            !existing
                && (!context.plan_exists
                    && (thing || words.len() > 1 && app::is_bare(context) && noun_phrase(text, words))
                    || words.len() > 1 && noun_phrase(text, words) && context.plan_exists)
        })
    });
    if let Some(words) = named.cloned() {
        let sentence = text.sentences.iter().position(|sentence| sentence.tokens.contains(&words.start)).unwrap_or(0);
        all.found.insert(0, Clause::of_thing(words, sentence));
    }
}

/// Words that name a thing and say nothing of it: "keyboard shortcuts".
fn noun_phrase(text: &Text<'_>, words: &Range<usize>) -> bool {
    use super::lexicon::{
        ANYTHING, BROKEN, CHAT, CONDITION, COPULA, INTERROGATIVE, MODAL, NEGATED, PERSON, PRONOUN, SHARE, STYLE, VAGUE,
    };
    let said = MODAL
        | COPULA
        | NEGATED
        | BROKEN
        | CHAT
        | PERSON
        | PRONOUN
        | CONDITION
        | INTERROGATIVE
        | ANYTHING
        | VAGUE
        | SHARE
        | STYLE;
    let asked = text.sentences.iter().any(|sentence| sentence.asks && sentence.tokens.contains(&words.start));
    !asked && words.clone().take(8).all(|at| !text.has(at, said) || text.has(at, super::lexicon::PART))
}

fn requirement(text: &Text<'_>, clause: &Clause, summary: &str, positions: &mut Positions<'_>) -> Option<Requirement> {
    let marker = match clause.act {
        Act::Add | Act::App => Marker::Add,
        Act::Modify => Marker::Modify,
        Act::Fix | Act::Bug => Marker::Fix,
        Act::Remove => Marker::Remove,
        _ => return None,
    };
    let words = clause.range.clone();
    let countable = clause.act == Act::Add;
    let existing = countable.then(|| count::existing(text, words.clone(), clause.object, summary)).flatten();
    let count = countable.then(|| count::count(text, words.clone(), existing)).flatten();
    Some(Requirement {
        marker,
        description: shortened(&described(text, clause), DESCRIPTION),
        count,
        existing: existing.filter(|_| count.is_some()),
        span: Some(positions.span(&text.bytes(&words))),
    })
}

/// The clause in the user's words, with what is said of it elsewhere.
fn described(text: &Text<'_>, clause: &Clause) -> String {
    let mut description = scope::phrase(text, &clause.range);
    for more in &clause.also {
        let more = scope::phrase(text, more);
        if !more.is_empty() {
            description.push_str(". ");
            description.push_str(&more);
        }
    }
    description
}

/// The requirements in one short line.
fn title(requirements: &[Requirement]) -> String {
    let mut title = String::new();
    for requirement in requirements {
        let part = shortened(&requirement.description, TITLE);
        if !title.is_empty() && title.chars().count() + part.chars().count() + 2 > TITLE {
            break;
        }
        if !title.is_empty() {
            title.push_str("; ");
        }
        title.push_str(&part);
    }
    title
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// Bytes of the message to UTF-16 code units, walked once as long as they rise.
struct Positions<'m> {
    message: &'m str,
    byte: usize,
    units: u32,
}

impl Positions<'_> {
    fn span(&mut self, bytes: &Range<usize>) -> [u32; 2] {
        let start = self.at(bytes.start);
        let (byte, units) = (self.byte, self.units);
        let end = self.at(bytes.end);
        (self.byte, self.units) = (byte, units);
        [start, end]
    }

    fn at(&mut self, byte: usize) -> u32 {
        if byte < self.byte {
            (self.byte, self.units) = (0, 0);
        }
        let passed = self.message.get(self.byte..byte).unwrap_or_default();
        self.units += u32::try_from(passed.encode_utf16().count()).unwrap_or(u32::MAX);
        self.byte = byte;
        self.units
    }
}
