//! A task that the caller gives: parsed before the run and shown to the user, who may have changed it.

use super::structured::{StructuredTask, TaskType};
use super::texts::one_line;
use crate::error::{Error, ErrorCode};
use crate::json::{FromJson, Unfit};
use serde_json::{Value, json};

/// A task as a caller writes it: without what the harness alone knows, its number, its snapshot and the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenTask(pub StructuredTask);

impl FromJson for GivenTask {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let mut task = value.clone();
        if let Some(fields) = task.as_object_mut() {
            fields.insert("taskNumber".to_owned(), 0.into());
            fields.insert("rawMessage".to_owned(), "".into());
            fields.remove("previousTag");
            for (field, default) in [("scope", json!({})), ("parsedBy", "rules".into())] {
                if fields.get(field).is_none_or(Value::is_null) {
                    fields.insert(field.to_owned(), default);
                }
            }
        }
        StructuredTask::from_json(&task).map(Self)
    }
}

impl GivenTask {
    /// Refuses what no run can be started with.
    ///
    /// # Errors
    /// `invalid-argument`, naming the field.
    pub fn check(&self) -> Result<(), Error> {
        let task = &self.0;
        let says_nothing = |text: &String| one_line(text).is_empty();
        let silent = task.requirements.iter().position(|requirement| says_nothing(&requirement.description));
        let wrong = if says_nothing(&task.title) {
            "title is empty: say in one line what the task is".to_owned()
        } else if let Some(at) = silent {
            format!("requirements[{at}].description is empty: say what it is about, or leave the requirement out")
        } else if self.asks() && task.questions.iter().flatten().all(says_nothing) {
            "questions is empty: a task of the type needs-clarification has at least one".to_owned()
        } else if !self.asks() && task.requirements.is_empty() {
            "requirements is empty: a task has at least one".to_owned()
        } else {
            return Ok(());
        };
        Err(Error::new(ErrorCode::InvalidArgument, format!("work.parsed.{wrong}")))
    }

    /// It asks the user something before anything can be done.
    pub fn asks(&self) -> bool {
        self.0.kind == TaskType::NeedsClarification
    }

    /// The task with what the harness knows of it. Questions go with the type that asks them.
    pub fn adopted(&self, number: u32, previous_tag: Option<String>, raw_message: String) -> StructuredTask {
        let mut task = self.0.clone();
        if !self.asks() {
            task.questions = None;
        }
        StructuredTask { task_number: number, previous_tag, raw_message, ..task }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::task::ParsedBy;

    const GIVEN: &str = r#"{"type":"mutation","title":"More teas","taskNumber":99,"previousTag":"task-98-post","rawMessage":"forged",
        "requirements":[{"marker":"ADD","description":"2 teas","count":2}],"scope":{"preserve":["the nav"]},
        "questions":["Which?"]}"#;

    fn read(text: &str) -> GivenTask {
        json::read(text).unwrap()
    }

    #[test]
    fn what_the_harness_alone_knows_is_never_taken_from_it() {
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
    fn what_is_wrong_is_named() {
        for (from, to, message) in [
            (
                "\"mutation\"",
                "\"poem\"",
                "`type` must be one of fresh, mutation, bugfix, needs-clarification, not \"poem\"",
            ),
            ("\"ADD\"", "\"NUKE\"", "`requirements[0].marker` must be one of ADD, MODIFY, FIX, REMOVE, not \"NUKE\""),
            ("\"description\":\"2 teas\",", "", "`requirements[0].description` is missing"),
            ("[\"the nav\"]", "\"the nav\"", "`scope.preserve` must be an array, not \"the nav\""),
        ] {
            let unfit = json::read::<GivenTask>(&GIVEN.replace(from, to)).unwrap_err();
            assert_eq!(unfit.to_string(), message);
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
