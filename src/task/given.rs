//! A task from the caller: parsed before the run and shown to the user, who may have edited it.

use super::structured::{ParsedBy, Requirement, StructuredTask, TaskScope, TaskType};
use crate::error::{Error, ErrorCode};
use crate::json;
use crate::text::one_line;
use serde::Deserialize;

/// A task without the values that only the harness knows: its number, its snapshot and the message.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct GivenTask {
    #[serde(rename = "type")]
    pub kind: TaskType,
    pub title: String,
    pub requirements: Vec<Requirement>,
    #[serde(default, deserialize_with = "json::or_default")]
    pub scope: TaskScope,
    /// Questions to answer before work starts.
    pub questions: Option<Vec<String>>,
    #[serde(default, deserialize_with = "json::or_default")]
    pub parsed_by: ParsedBy,
}

impl GivenTask {
    /// # Errors
    /// `invalid-argument` with the name of the field.
    pub fn check(&self) -> Result<(), Error> {
        let says_nothing = |text: &String| one_line(text).is_empty();
        let silent = self.requirements.iter().position(|requirement| says_nothing(&requirement.description));
        let wrong = if says_nothing(&self.title) {
            "title is empty: say in one line what the task is".to_owned()
        } else if let Some(at) = silent {
            format!("requirements[{at}].description is empty: say what it is about, or leave the requirement out")
        } else if self.asks() && self.questions.iter().flatten().all(says_nothing) {
            "questions is empty: a task of the type needs-clarification has at least one".to_owned()
        } else if !self.asks() && self.requirements.is_empty() {
            "requirements is empty: a task has at least one".to_owned()
        } else {
            return Ok(());
        };
        Err(Error::new(ErrorCode::InvalidArgument, format!("work.parsed.{wrong}")))
    }

    /// Whether it has questions for the user.
    pub fn asks(&self) -> bool {
        self.kind == TaskType::NeedsClarification
    }

    /// Adds the harness's values. Questions are kept only if the type needs them.
    pub fn adopted(&self, number: u32, previous_tag: Option<String>, raw_message: String) -> StructuredTask {
        let Self { kind, title, requirements, scope, questions, parsed_by } = self.clone();
        let questions = questions.filter(|_| self.asks());
        StructuredTask {
            kind,
            title,
            task_number: number,
            previous_tag,
            requirements,
            scope,
            raw_message,
            questions,
            parsed_by,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: &str = r#"{"type":"mutation","title":"More teas","taskNumber":99,"previousTag":"task-98-post","rawMessage":"forged",
        "requirements":[{"marker":"ADD","description":"2 teas","count":2}],"scope":{"preserve":["the nav"]},
        "questions":["Which?"]}"#;

    fn read(text: &str) -> GivenTask {
        json::read(text).unwrap()
    }

    #[test]
    fn values_of_the_harness_are_never_taken_from_the_caller() {
        let given = read(GIVEN);
        given.check().unwrap();
        let task = given.adopted(3, Some("task-2-post".to_owned()), "add 2 teas".to_owned());
        assert_eq!(
            (task.task_number, task.previous_tag.as_deref(), task.raw_message.as_str()),
            (3, Some("task-2-post"), "add 2 teas")
        );
        assert_eq!(
            (task.scope.preserve, task.questions, task.parsed_by),
            (vec!["the nav".to_owned()], None, ParsedBy::Rules)
        );
        let asking = read(&GIVEN.replace("mutation", "needs-clarification"));
        assert_eq!(asking.adopted(1, None, String::new()).questions, Some(vec!["Which?".to_owned()]));
    }

    #[test]
    fn an_error_names_the_wrong_field() {
        for (from, to, words) in [
            ("\"mutation\"", "\"poem\"", ["`poem` is not one of `fresh`", "at `type`"]),
            ("\"ADD\"", "\"NUKE\"", ["`NUKE` is not one of `ADD`", "at `requirements[0].marker`"]),
            ("\"description\":\"2 teas\",", "", ["the field `description` is missing", "at `requirements[0]`"]),
            ("[\"the nav\"]", "\"the nav\"", ["expected an array", "at `scope.preserve`"]),
        ] {
            let unfit = json::read::<GivenTask>(&GIVEN.replace(from, to)).unwrap_err();
            assert!(words.iter().all(|words| unfit.contains(words)), "{unfit}");
        }
        for (from, to, field) in [
            ("More teas", " \\n", "work.parsed.title is empty"),
            ("2 teas", "\\t", "work.parsed.requirements[0].description is empty"),
            ("{\"marker\":\"ADD\",\"description\":\"2 teas\",\"count\":2}", "", "work.parsed.requirements is empty"),
            ("\"mutation\"", "\"needs-clarification\"", ""),
        ] {
            let checked = read(&GIVEN.replace(from, to)).check();
            assert_eq!(checked.is_err(), !field.is_empty());
            assert!(checked.is_ok() || checked.unwrap_err().message.starts_with(field), "{to}");
        }
        let asking = GIVEN.replace("mutation", "needs-clarification").replace("[\"Which?\"]", "[\" \"]");
        assert!(read(&asking).check().unwrap_err().message.starts_with("work.parsed.questions is empty"));
    }
}
