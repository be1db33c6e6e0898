//! The task: its type, its requirements, its title.

use super::act::Act;
use super::clause::{Clause, Clauses, clauses};
use super::existing::{Summary, existing};
use super::position::Positions;
use super::questions::{Doubt, questions};
use super::text::Text;
use super::{app, contradiction, count, files, naming, preserved, scope, unclear};
use crate::task::structured::{Marker, ParsedBy, Requirement, StructuredTask, TaskContext, TaskScope, TaskType};

/// Characters of a description.
pub(super) const DESCRIPTION: usize = 400;
/// Characters of a title.
pub(super) const TITLE: usize = 72;

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
            let mut positions = Positions::new(message);
            // A new app replaces what the last task built.
            let replaced = clauses.iter().any(|clause| clause.act == Act::App);
            let summary = Summary::new(if replaced { "" } else { &context.last_summary });
            task.requirements =
                clauses.iter().filter_map(|clause| requirement(&text, clause, &summary, &mut positions)).collect();
            task.scope.preserve = scope::preserved(&text, &clauses, &strays);
            preserved::complete(&mut task.scope.preserve, &task.requirements);
            task.scope.affected_files = files::affected(&text, &clauses, &context.file_list);
            task.title = title(&task.requirements);
            if task.requirements.is_empty() {
                asking(&mut task, questions(&text, &Doubt::NoTask, context));
            }
        }
        Judged::Doubtful(questions) => asking(&mut task, questions),
    }
    task
}

/// Makes it a task that needs an answer first.
fn asking(task: &mut StructuredTask, questions: Vec<String>) {
    task.kind = TaskType::NeedsClarification;
    task.questions = Some(questions);
    task.title = shortened(&crate::task::title(&task.raw_message), TITLE);
    task.scope = TaskScope::default();
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
    naming::add_named(text, &mut all, context);
    let whole = app::whole(text, &all, context);
    if whole.is_none()
        && let Some((first, second)) = contradiction::find(text, &all.found)
    {
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
        if contradiction::denies_itself(text, &parts) {
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

fn requirement(
    text: &Text<'_>,
    clause: &Clause,
    summary: &Summary,
    positions: &mut Positions<'_>,
) -> Option<Requirement> {
    let marker = match clause.act {
        Act::Add | Act::App => Marker::Add,
        Act::Modify => Marker::Modify,
        Act::Fix | Act::Bug => Marker::Fix,
        Act::Remove => Marker::Remove,
        _ => return None,
    };
    let description = described(text, clause);
    // Control characters alone are no words.
    if description.is_empty() {
        return None;
    }
    let words = clause.range.clone();
    let countable = clause.act == Act::Add;
    let existing = countable.then(|| existing(text, &words, clause.object, summary)).flatten();
    let count = countable.then(|| count::count(text, &words, existing)).flatten();
    Some(Requirement {
        marker,
        description: shortened(&description, DESCRIPTION),
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
pub(super) fn title(requirements: &[Requirement]) -> String {
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

/// A text cut to so many characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}
