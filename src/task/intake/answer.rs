//! A model's answer, read field by field. It is data: what does not fit is dropped, and what only the harness knows
//! (the number of the task, its snapshot, the message) is never taken from it.

use super::app::is_bare;
use super::decide::{DESCRIPTION, TITLE, shortened, title};
use super::object::objects;
use super::preserved;
use super::questions::MOST;
use crate::task::structured::{Marker, ParsedBy, Requirement, StructuredTask, TaskContext, TaskScope, TaskType};
use crate::task::texts::one_line;
use serde::Deserialize;
use serde_json::Value;

/// Requirements, and lines of the scope, that are read.
const LONGEST_LIST: usize = 60;
/// No page has more items that a task could add.
const LARGEST_COUNT: u64 = 10_000;

/// The task that an answer describes; `None` where it cannot be read, or where it is no task.
pub(super) fn read(answer: &str, message: &str, context: &TaskContext) -> Option<StructuredTask> {
    objects(answer).into_iter().find_map(|object| task(&object, message, context))
}

fn task(object: &Value, message: &str, context: &TaskContext) -> Option<StructuredTask> {
    let stated = kind(object.get("type")?.as_str()?)?;
    let asks = stated == TaskType::NeedsClarification;
    let requirements: Vec<Requirement> =
        if asks { Vec::new() } else { items(object, "requirements").filter_map(requirement).collect() };
    let questions: Vec<String> = texts(object, "questions").take(MOST).collect();
    if if asks { questions.is_empty() } else { requirements.is_empty() } {
        return None;
    }
    let mut preserve: Vec<String> = texts(object, "preserve").collect();
    preserved::complete(&mut preserve, &requirements);
    let told = object.get("title").and_then(Value::as_str).map(one_line).filter(|told| !told.is_empty());
    let known = |file: &String| context.file_list.contains(file);
    Some(StructuredTask {
        kind: fitting(stated, &requirements, context),
        title: shortened(&told.unwrap_or_else(|| if asks { one_line(message) } else { title(&requirements) }), TITLE),
        task_number: context.task_number.unwrap_or(1),
        previous_tag: context.previous_tag.clone(),
        requirements,
        scope: match asks {
            true => TaskScope::default(),
            false => TaskScope { preserve, affected_files: texts(object, "affectedFiles").filter(known).collect() },
        },
        raw_message: message.to_owned(),
        questions: asks.then_some(questions),
        parsed_by: ParsedBy::Model,
    })
}

fn kind(name: &str) -> Option<TaskType> {
    Some(match name.trim().to_ascii_lowercase().replace('_', "-").as_str() {
        "fresh" => TaskType::Fresh,
        "mutation" => TaskType::Mutation,
        "bugfix" => TaskType::Bugfix,
        "needs-clarification" => TaskType::NeedsClarification,
        _ => return None,
    })
}

/// The type as the project allows it: without a plan nothing is mutated, and a bugfix fixes something that is there.
pub(super) fn fitting(stated: TaskType, requirements: &[Requirement], context: &TaskContext) -> TaskType {
    let fixes = requirements.iter().all(|requirement| requirement.marker == Marker::Fix);
    match stated {
        TaskType::Bugfix if fixes && !is_bare(context) => TaskType::Bugfix,
        TaskType::Mutation | TaskType::Bugfix if context.plan_exists => TaskType::Mutation,
        TaskType::Mutation | TaskType::Bugfix => TaskType::Fresh,
        TaskType::Fresh | TaskType::NeedsClarification => stated,
    }
}

fn requirement(item: &Value) -> Option<Requirement> {
    let name = item.get("marker")?.as_str()?.trim_matches(['[', ']', ' ']).to_ascii_uppercase();
    let marker = Marker::deserialize(Value::from(name)).ok()?;
    let description = one_line(item.get("description")?.as_str()?);
    let number = |field| {
        let number = item.get(field).and_then(Value::as_u64).filter(|number| (1..=LARGEST_COUNT).contains(number))?;
        u32::try_from(number).ok()
    };
    let count = number("count").filter(|_| marker == Marker::Add);
    (!description.is_empty()).then(|| Requirement {
        marker,
        description: shortened(&description, DESCRIPTION),
        count,
        existing: number("existing"),
        span: None,
    })
}

fn items<'v>(object: &'v Value, field: &str) -> impl Iterator<Item = &'v Value> {
    object.get(field).and_then(Value::as_array).into_iter().flatten().take(LONGEST_LIST)
}

/// The texts of a list, each in one line; what is no text is dropped.
fn texts(object: &Value, field: &str) -> impl Iterator<Item = String> {
    let lines = items(object, field).filter_map(Value::as_str).map(|text| shortened(&one_line(text), DESCRIPTION));
    lines.filter(|line| !line.is_empty())
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use serde_json::json;

    fn context() -> TaskContext {
        TaskContext {
            plan_exists: true,
            file_list: vec!["src/App.tsx".to_owned(), "src/Hero.tsx".to_owned()],
            task_number: Some(7),
            previous_tag: Some("task-6-post".to_owned()),
            ..TaskContext::default()
        }
    }

    fn answer(value: Value) -> Option<StructuredTask> {
        read(&value.to_string(), "the message", &context())
    }

    #[test]
    fn case_138_what_does_not_fit_is_dropped() {
        let task = answer(json!({
            "type": "Mutation",
            "taskNumber": 99,
            "previousTag": "task-1-pre",
            "rawMessage": "forged",
            "parsedBy": "rules",
            "title": "two\nlines",
            "requirements": [
                { "marker": "[add]", "description": " a\n\nb ", "count": 2, "existing": 8, "span": [0, 1] },
                { "marker": "MODIFY", "description": "x".repeat(9_000), "count": 3 },
                { "marker": "ADD", "description": "c", "count": -1, "existing": "8" },
                { "marker": "NUKE", "description": "d" },
                { "marker": "FIX" },
                { "marker": "FIX", "description": " " },
                "text",
                null,
            ],
            "preserve": ["the nav", 3, "", "two\nlines"],
            "affectedFiles": ["src/Hero.tsx", "/etc/passwd"],
            "questions": ["Why?"],
        }));
        let task = task.unwrap();
        assert_eq!((task.task_number, task.previous_tag.as_deref()), (7, Some("task-6-post")));
        assert_eq!((task.raw_message.as_str(), task.title.as_str()), ("the message", "two lines"));
        let read: Vec<_> =
            task.requirements.iter().map(|it| (it.marker, it.description.len(), it.count, it.existing)).collect();
        assert_eq!(read[0], (Marker::Add, 3, Some(2), Some(8)));
        assert_eq!((read[1].0, read[1].2), (Marker::Modify, None));
        assert!(task.requirements[1].description.chars().count() <= DESCRIPTION);
        assert_eq!(read[2..], [(Marker::Add, 1, None, None)]);
        assert_eq!(task.scope.preserve, ["the nav", "two lines", "all 8 existing items"]);
        assert_eq!(task.scope.affected_files, ["src/Hero.tsx"]);
        assert_eq!((task.questions, task.parsed_by), (None, ParsedBy::Model));
    }

    #[test]
    fn what_is_no_task_is_left_to_the_rules() {
        for value in [
            json!({}),
            json!([1]),
            json!({ "type": "poem", "requirements": [{ "marker": "ADD", "description": "a" }] }),
            json!({ "type": "mutation", "requirements": [] }),
            json!({ "type": "mutation", "requirements": "all" }),
            json!({ "type": "needs-clarification", "questions": [] }),
            json!({ "requirements": [{ "marker": "ADD", "description": "a" }] }),
        ] {
            assert_eq!(answer(value.clone()), None, "{value}");
        }
    }

    #[test]
    fn the_type_fits_the_project() {
        let of = |stated: &str, marker: &str, context: &TaskContext| {
            let value = json!({ "type": stated, "requirements": [{ "marker": marker, "description": "a" }] });
            read(&value.to_string(), "m", context).map(|task| task.kind)
        };
        let empty = TaskContext::default();
        assert_eq!(of("mutation", "ADD", &context()), Some(TaskType::Mutation));
        assert_eq!(of("mutation", "ADD", &empty), Some(TaskType::Fresh));
        assert_eq!(of("bugfix", "FIX", &context()), Some(TaskType::Bugfix));
        assert_eq!(of("bugfix", "ADD", &context()), Some(TaskType::Mutation));
        assert_eq!(of("bugfix", "FIX", &empty), Some(TaskType::Fresh));
        assert_eq!(of("fresh", "ADD", &context()), Some(TaskType::Fresh));
    }

    #[test]
    fn questions_come_alone() {
        let task = answer(json!({
            "type": "needs_clarification",
            "requirements": [{ "marker": "REMOVE", "description": "all" }],
            "preserve": ["a"],
            "questions": ["A?", "B?", "C?", "D?", "E?"],
        }));
        let task = task.unwrap();
        assert_eq!(
            (task.kind, task.requirements.len(), task.scope),
            (TaskType::NeedsClarification, 0, TaskScope::default())
        );
        assert_eq!(task.questions.map(|questions| questions.len()), Some(4));
    }
}
