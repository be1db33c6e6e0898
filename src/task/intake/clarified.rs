//! The user's answer to questions. The message and the answer are parsed as one text.

use super::answer::fitting;
use crate::task::rules::{DESCRIPTION, parse_by_rules, title};
use crate::task::structured::{Marker, ParsedBy, Requirement, StructuredTask, TaskContext, TaskScope, TaskType};
use crate::task::texts::{one_line, shortened};

/// Questions to the user about a message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Clarification {
    pub message: String,
    pub questions: Vec<String>,
}

impl Clarification {
    /// The message and the answer as one text. If they are equal, the text is not repeated.
    pub fn with(&self, answer: &str) -> String {
        if self.message.trim() == answer.trim() {
            answer.to_owned()
        } else {
            format!("{}{BETWEEN}{answer}", self.message)
        }
    }
}

/// The separator between message and answer.
const BETWEEN: &str = "\n\n";

/// Words of an answer that has no meaning without the message: "new ones".
const SHORT: usize = 3;
/// Words that refer to the message: "yes, they should be added".
const REFERENCES: [&str; 10] = ["yes", "no", "they", "them", "it", "those", "these", "ones", "both", "neither"];

/// Parses message and answer by the rules. Never asks again: if the rules find no requirement, the user's words become
/// one.
pub(super) fn parse_answered(asked: &Clarification, answer: &str, context: &TaskContext) -> StructuredTask {
    let both = asked.with(answer);
    let is_clear = |task: &StructuredTask| task.kind != TaskType::NeedsClarification;
    let refers = refers(answer);
    let joined = parse_by_rules(&both, context);
    if is_clear(&joined) && !refers {
        return joined;
    }
    let alone = parse_by_rules(answer, context);
    let words = format!("{}: {}", one_line(&asked.message), one_line(answer));
    let description = shortened(&words, DESCRIPTION);
    if is_clear(&alone) {
        let mut task = moved(alone, both);
        if let ([only], true) = (task.requirements.as_mut_slice(), refers) {
            if only.marker == Marker::Modify {
                only.marker = marker(answer, context);
            }
            only.description = description;
            task.title = title(&task.requirements);
        }
        return task;
    }
    said(marker(answer, context), description, both, context)
}

/// The task of a message that the rules ask about, as if the user had said yes to the first question.
pub(super) fn most_likely(asking: &StructuredTask, context: &TaskContext) -> StructuredTask {
    let question = asking.questions.iter().flatten().next().map(String::as_str).unwrap_or_default();
    let description = shortened(&one_line(&asking.raw_message), DESCRIPTION);
    said(marker(question, context), description, asking.raw_message.clone(), context)
}

/// A task with one requirement.
fn said(marker: Marker, description: String, raw_message: String, context: &TaskContext) -> StructuredTask {
    let requirements = vec![Requirement { marker, description, count: None, existing: None, span: None }];
    let stated = if marker == Marker::Fix { TaskType::Bugfix } else { TaskType::Mutation };
    StructuredTask {
        kind: fitting(stated, &requirements, context),
        title: title(&requirements),
        task_number: context.task_number.unwrap_or(1),
        previous_tag: context.previous_tag.clone(),
        requirements,
        scope: TaskScope::default(),
        raw_message,
        questions: None,
        parsed_by: ParsedBy::Rules,
    }
}

/// Whether an answer has no meaning without the message.
fn refers(answer: &str) -> bool {
    answer.split_whitespace().count() <= SHORT || has_word(answer, &REFERENCES)
}

fn has_word(text: &str, words: &[&str]) -> bool {
    text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
}

/// The task of an answer, for both texts: its spans start after the first one.
fn moved(mut task: StructuredTask, both: String) -> StructuredTask {
    let before = both.encode_utf16().count() - task.raw_message.encode_utf16().count();
    let before = u32::try_from(before).unwrap_or(u32::MAX);
    for requirement in &mut task.requirements {
        requirement.span = requirement.span.map(|span| span.map(|at| at.saturating_add(before)));
    }
    StructuredTask { raw_message: both, ..task }
}

/// What an answer asks for that repeats a question; a removal is never read into one.
fn marker(answer: &str, context: &TaskContext) -> Marker {
    if has_word(answer, &["problem", "problems", "broken", "fix", "fixed"]) {
        Marker::Fix
    } else if has_word(answer, &["add", "added", "built", "new"]) || !context.plan_exists {
        Marker::Add
    } else {
        Marker::Modify
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(message: &str, context: &TaskContext) -> Clarification {
        let task = parse_by_rules(message, context);
        assert_eq!(task.kind, TaskType::NeedsClarification, "{message}");
        Clarification { message: message.to_owned(), questions: task.questions.unwrap() }
    }

    fn context() -> TaskContext {
        TaskContext {
            plan_exists: true,
            plan_sections: vec!["hero".to_owned(), "features".to_owned()],
            file_list: Some(vec!["src/App.tsx".to_owned()]),
            task_number: Some(4),
            ..TaskContext::default()
        }
    }

    #[test]
    fn an_answer_that_is_a_request_is_read_as_one() {
        let asked = asked("more for nighttime", &context());
        let task = parse_answered(&asked, "é. add 2 night drinks", &context());
        assert_eq!((task.kind, task.task_number), (TaskType::Mutation, 4));
        assert_eq!(task.raw_message, "more for nighttime\n\né. add 2 night drinks");
        let [only] = task.requirements.as_slice() else { panic!("{:?}", task.requirements) };
        assert_eq!((only.marker, only.count), (Marker::Add, Some(2)));
        let [from, to] = only.span.unwrap().map(|at| at as usize);
        let units: Vec<u16> = task.raw_message.encode_utf16().collect();
        assert_eq!(String::from_utf16(&units[from..to]).unwrap(), "add 2 night drinks");
    }

    #[test]
    fn every_question_can_be_answered_with_its_own_words_or_with_yes() {
        let bare = TaskContext { task_number: Some(4), ..TaskContext::default() };
        for (message, context) in [
            ("more for nighttime", &context()),
            ("make it better", &context()),
            ("it doesn't work", &context()),
            ("hello", &context()),
            ("hello", &bare),
            ("remove the cart completely. also add a coupon field to the cart", &context()),
        ] {
            let asked = asked(message, context);
            for answer in asked.questions.iter().map(String::as_str).chain(["yes", "👍", "?"]) {
                let task = parse_answered(&asked, answer, context);
                assert_ne!(task.kind, TaskType::NeedsClarification, "{message}: {answer}");
                assert!(!task.requirements.is_empty() && !task.title.is_empty(), "{message}: {answer}");
                assert_eq!(task.raw_message, format!("{message}\n\n{answer}"));
                assert_eq!(task.questions, None);
            }
        }
        let of = |message: &str, at: usize| {
            let asked = asked(message, &context());
            parse_answered(&asked, &asked.questions[at], &context()).requirements[0].marker
        };
        assert_eq!((of("more for nighttime", 0), of("more for nighttime", 1)), (Marker::Add, Marker::Modify));
        assert_eq!(of("it doesn't work", 0), Marker::Fix);
    }

    #[test]
    fn an_answer_that_refers_to_the_message_includes_it() {
        let asked = asked("more for nighttime", &context());
        for (answer, description) in [
            ("new ones", "more for nighttime: new ones"),
            ("add some", "more for nighttime: add some"),
            ("yes, they should be added", "more for nighttime: yes, they should be added"),
            ("add 2 night drinks", "Add 2 night drinks"),
        ] {
            let task = parse_answered(&asked, answer, &context());
            let [only] = task.requirements.as_slice() else { panic!("{answer}: {:?}", task.requirements) };
            assert_eq!((only.marker, only.description.as_str()), (Marker::Add, description));
        }
    }

    #[test]
    fn a_message_that_is_sent_again_is_not_repeated() {
        let asked = asked("hello", &context());
        assert_eq!(asked.with("hello "), "hello ");
        assert_eq!(asked.with("build a shop"), "hello\n\nbuild a shop");
    }
}
