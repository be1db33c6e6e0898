//! The user's answer to questions. The message and the answer are parsed as one text.

use super::answer::fitting;
use crate::task::rules::{DESCRIPTION, exists, orders, parse_by_rules, title};
use crate::task::structured::{Marker, ParsedBy, Requirement, StructuredTask, TaskContext, TaskScope, TaskType};
use crate::text::{one_line, shortened};
use serde::{Deserialize, Serialize};

/// Questions to the user about a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
/// Sentences of an answer that only refuse the options, and those that only agree.
const REFUSALS: &str = "no nope none neither nothing of these those them the options fits really";
const CONSENT: &str = "yes yeah yep sure ok okay please exactly right correct do it that go ahead";

/// Parses message and answer by the rules. Never asks again. The answer refines the message: its type and marker are those
/// of the message, unless the answer is a request of its own. An answer that only agrees, or refuses the options, leaves
/// the message as it is.
pub(super) fn parse_answered(asked: &Clarification, answer: &str, context: &TaskContext) -> StructuredTask {
    let both = asked.with(answer);
    let is_clear = |task: &StructuredTask| task.kind != TaskType::NeedsClarification;
    let said = &chosen(asked, answer);
    let first = parse_by_rules(&asked.message, context);
    let meant = Meant { asked, first: first.requirements.first().map(|requirement| requirement.marker), context };
    if said.is_empty() {
        return match is_clear(&first) {
            true => StructuredTask { raw_message: both, ..first },
            false => meant.only(&one_line(&asked.message), meant.marker(""), both),
        };
    }
    let description = shortened(&format!("{}: {}", one_line(&asked.message), one_line(said)), DESCRIPTION);
    let alone = parse_by_rules(said, context);
    if refers(said) || !is_clear(&alone) {
        let joined = parse_by_rules(&both, context);
        if is_clear(&joined) && !refers(said) {
            return joined;
        }
        return meant.only(&description, meant.marker(said), both);
    }
    // "It should go to …" says how, "Remove the map" says what.
    if !orders(said)
        && let Some(marker) = meant.stated()
    {
        return meant.only(&description, marker, both);
    }
    moved(alone, said, both)
}

/// What the user says about the message: a number chooses a question, and sentences that only agree or refuse the options
/// say nothing.
fn chosen(asked: &Clarification, answer: &str) -> String {
    let number = answer.trim().trim_end_matches(['.', ')']).parse::<usize>().ok();
    if let Some(question) = number.and_then(|number| asked.questions.get(number.checked_sub(1)?)) {
        return question.clone();
    }
    let says = |part: &&str| {
        let only = |known: &str| crate::words::words(part).iter().all(|word| known.split(' ').any(|one| one == word));
        !only(REFUSALS) && !only(CONSENT)
    };
    let end = answer.split_inclusive(['.', '!', ',', ';', ':', '-', '–', '\n']).take_while(|part| !says(part));
    answer.get(end.map(str::len).sum()..).unwrap_or_default().trim().to_owned()
}

/// What the asked message is understood as.
struct Meant<'a> {
    asked: &'a Clarification,
    /// The marker of its first requirement, if it has one.
    first: Option<Marker>,
    context: &'a TaskContext,
}

impl Meant<'_> {
    /// The marker of the message or of its first question; `None` if the question is open.
    fn stated(&self) -> Option<Marker> {
        let question = self.asked.questions.first().map_or("", String::as_str);
        self.first.or_else(|| marker(question))
    }

    fn marker(&self, answer: &str) -> Marker {
        marker(answer).or_else(|| self.stated()).unwrap_or_else(|| usual(self.context))
    }

    fn only(&self, description: &str, marker: Marker, raw_message: String) -> StructuredTask {
        task_from_answer(marker, shortened(description, DESCRIPTION), raw_message, self.context)
    }
}

/// The default marker of a message.
fn usual(context: &TaskContext) -> Marker {
    if exists(context) { Marker::Modify } else { Marker::Add }
}

/// The task of a message that the rules ask about, as if the user had said yes to the first question.
pub(super) fn most_likely(asking: &StructuredTask, context: &TaskContext) -> StructuredTask {
    let question = asking.questions.iter().flatten().next().map(String::as_str).unwrap_or_default();
    let description = shortened(&one_line(&asking.raw_message), DESCRIPTION);
    let marker = marker(question).unwrap_or_else(|| usual(context));
    task_from_answer(marker, description, asking.raw_message.clone(), context)
}

/// A task with one requirement.
fn task_from_answer(marker: Marker, description: String, raw_message: String, context: &TaskContext) -> StructuredTask {
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
    answer.split_whitespace().count() <= SHORT && !orders(answer) || has_word(answer, &REFERENCES)
}

fn has_word(text: &str, words: &[&str]) -> bool {
    text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
}

/// The task of an answer, for both texts: its spans start where it does.
fn moved(mut task: StructuredTask, said: &str, both: String) -> StructuredTask {
    let before = both.rfind(said).and_then(|at| both.get(..at)).unwrap_or_default().encode_utf16().count();
    let before = u32::try_from(before).unwrap_or(u32::MAX);
    for requirement in &mut task.requirements {
        requirement.span = requirement.span.map(|span| span.map(|at| at.saturating_add(before)));
    }
    StructuredTask { raw_message: both, ..task }
}

/// What a question or an answer that repeats one asks for; a removal is never read into it.
fn marker(text: &str) -> Option<Marker> {
    if has_word(text, &["problem", "problems", "broken", "fix", "fixed"]) {
        Some(Marker::Fix)
    } else if has_word(text, &["add", "added", "built", "new"]) {
        Some(Marker::Add)
    } else if has_word(text, &["change", "changed", "replaced"]) {
        Some(Marker::Modify)
    } else {
        None
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
    fn an_answer_refines_the_message_and_keeps_its_marker() {
        use Marker::{Add, Fix, Modify, Remove};
        let files = TaskContext { file_list: Some(vec!["src/Menu.tsx".to_owned()]), ..TaskContext::default() };
        for (message, answer, marker, description) in [
            ("fix it", "It should go to https://a.b/shop", Fix, "fix it: It should go to https://a.b/shop"),
            ("fix it", "The link", Fix, "fix it: The link"),
            ("fix it", "2", Fix, "fix it: Is the problem in the texts?"),
            ("fix it", "yes", Fix, "fix it"),
            ("fix it", "no", Fix, "fix it"),
            ("fix it", "No, none of these.", Fix, "fix it"),
            ("fix it", "Remove the link", Remove, "Remove the link"),
            ("make it better", "none of them. Remove the map", Remove, "Remove the map"),
            ("make it better", "neither, just compress the images", Modify, "Compress the images"),
            ("make it better", "yes, the hero", Modify, "make it better: the hero"),
            ("more drinks", "yes", Add, "more drinks"),
            ("thanks!", "make the footer blue", Modify, "Make the footer blue"),
            ("thanks!", "no", Modify, "thanks!"),
            ("start over", "a bakery", Add, "start over: a bakery"),
        ] {
            let task = parse_answered(&asked(message, &files), answer, &files);
            let [only] = task.requirements.as_slice() else { panic!("{answer}: {:?}", task.requirements) };
            assert_eq!((only.marker, only.description.as_str()), (marker, description), "{message}: {answer}");
            let kind = if marker == Fix { TaskType::Bugfix } else { TaskType::Fresh };
            assert_eq!((task.kind, task.questions), (kind, None), "{message}: {answer}");
        }
        // Questions of a model about a message that the rules understand.
        let message = "Protect the /admin pages with a password".to_owned();
        let asked = Clarification { message, questions: vec!["Which server?".to_owned()] };
        for answer in ["No, none of these.", "No, none of these. Protect the admin pages of the existing server."] {
            let task = parse_answered(&asked, answer, &files);
            assert!(task.requirements.len() == 1 && task.requirements[0].marker == Modify, "{task:?}");
            assert!(task.requirements[0].description.starts_with("Protect the"), "{task:?}");
        }
    }

    #[test]
    fn an_answer_that_refers_to_the_message_includes_it() {
        let asked = asked("more for nighttime", &context());
        for (answer, description) in [
            ("new ones", "more for nighttime: new ones"),
            ("add some", "more for nighttime: add some"),
            ("yes, they should be added", "more for nighttime: they should be added"),
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
