//! Reads a model's answer field by field. The answer is data: invalid values are corrected or dropped, and values that
//! only the harness knows (the task's number, its snapshot, the message) are never taken from it.

use crate::answer::values;
use crate::nearest::nearest;
use crate::task::rules::{DESCRIPTION, MOST, count_of, is_bare, keep_existing, title};
use crate::task::structured::{Marker, ParsedBy, Requirement, StructuredTask, TaskContext, TaskScope, TaskType};
use crate::task::texts::TITLE;
use crate::text::{one_line, shortened};
use crate::words::words;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Maximum number of requirements and of scope entries.
const LONGEST_LIST: usize = 60;
/// Maximum count; larger numbers do not count items.
const LARGEST_COUNT: f64 = 10_000.0;
/// Maximum nesting of objects in which the task is searched for.
const NESTED: usize = 3;

/// Reads the task from an answer.
///
/// # Errors
/// What is wrong with the answer, for the model.
pub(super) fn read(answer: &str, message: &str, context: &TaskContext) -> Result<StructuredTask, String> {
    let found = values(answer).iter().find_map(|value| task_object(value, NESTED));
    let object = found.ok_or("it has no JSON object with `type` and `requirements`, or the object is not closed")?;
    Answer { object: &object, message, context }.task()
}

/// The task's object: on its own, under a key such as `task`, or as a list of requirements.
fn task_object(value: &Value, depth: usize) -> Option<Map<String, Value>> {
    match value {
        Value::Object(fields) if ["type", "requirements", "questions"].iter().any(|key| fields.contains_key(*key)) => {
            let is_requirement = fields.contains_key("description") && !fields.contains_key("requirements");
            if is_requirement { task_object(&json!([value]), 0) } else { Some(fields.clone()) }
        }
        Value::Object(fields) if fields.contains_key("marker") => task_object(&json!([value]), 0),
        Value::Object(fields) if depth > 0 => fields.values().find_map(|value| task_object(value, depth - 1)),
        Value::Array(items) => {
            let is_list = items.iter().any(|item| item.get("description").is_some());
            let listed = || Map::from_iter([("requirements".to_owned(), value.clone())]);
            if is_list {
                Some(listed())
            } else {
                items.iter().find_map(|item| task_object(item, depth.checked_sub(1)?))
            }
        }
        _ => None,
    }
}

struct Answer<'a> {
    object: &'a Map<String, Value>,
    message: &'a str,
    context: &'a TaskContext,
}

impl Answer<'_> {
    fn task(&self) -> Result<StructuredTask, String> {
        let stated = self.kind()?;
        let asks = stated == Some(TaskType::NeedsClarification);
        let questions: Vec<String> = self.texts("questions").take(MOST).collect();
        let requirements = if asks { Vec::new() } else { self.requirements()? };
        if asks && questions.is_empty() {
            return Err("`questions` is empty: a task of the type needs-clarification has at least one".to_owned());
        }
        let kind = stated.unwrap_or_else(|| inferred(&requirements));
        let mut preserve: Vec<String> = self.texts("preserve").collect();
        keep_existing(&mut preserve, &requirements);
        let stated_title =
            self.object.get("title").and_then(Value::as_str).map(one_line).filter(|title| !title.is_empty());
        let title = stated_title.unwrap_or_else(|| if asks { one_line(self.message) } else { title(&requirements) });
        let affected_files = self.texts("affectedFiles").filter_map(|file| self.file(&file)).collect::<BTreeSet<_>>();
        Ok(StructuredTask {
            kind: fitting(kind, &requirements, self.context),
            title: shortened(&title, TITLE),
            task_number: self.context.task_number.unwrap_or(1),
            previous_tag: self.context.previous_tag.clone(),
            requirements,
            scope: match asks {
                true => TaskScope::default(),
                false => TaskScope { preserve, affected_files: affected_files.into_iter().collect() },
            },
            raw_message: self.message.to_owned(),
            questions: asks.then_some(questions),
            parsed_by: ParsedBy::Model,
        })
    }

    /// The stated type; `None` if the answer has none.
    fn kind(&self) -> Result<Option<TaskType>, String> {
        let Some(name) = self.object.get("type").filter(|name| !name.is_null()) else { return Ok(None) };
        let name = name.as_str().unwrap_or_default().trim().to_ascii_lowercase().replace(['_', ' '], "-");
        Ok(Some(match name.as_str() {
            "fresh" | "new" => TaskType::Fresh,
            "mutation" | "change" | "update" => TaskType::Mutation,
            "bugfix" | "bug-fix" | "fix" => TaskType::Bugfix,
            "needs-clarification" | "needsclarification" | "clarification" => TaskType::NeedsClarification,
            _ => return Err("`type` must be one of fresh, mutation, bugfix, needs-clarification".to_owned()),
        }))
    }

    /// The requirements that share words with the message. The others are invented.
    fn requirements(&self) -> Result<Vec<Requirement>, String> {
        let items = self.object.get("requirements").and_then(Value::as_array).into_iter().flatten();
        let known: BTreeSet<String> = stems(self.message);
        let (mut requirements, mut invented) = (Vec::new(), None);
        for requirement in items.take(LONGEST_LIST).filter_map(|item| self.requirement(item)) {
            if stems(&requirement.description).is_disjoint(&known) && !known.is_empty() {
                invented = Some(requirement.description);
            } else {
                requirements.push(requirement);
            }
        }
        match (requirements.is_empty(), invented) {
            (false, _) => Ok(requirements),
            (true, Some(invented)) => Err(format!(
                "the message does not ask for “{invented}”: describe each requirement in the words of the message"
            )),
            (true, None) => {
                Err("`requirements` has no readable requirement: each needs a marker and a description".to_owned())
            }
        }
    }

    fn requirement(&self, item: &Value) -> Option<Requirement> {
        let text = |names: &[&str]| names.iter().find_map(|name| item.get(name)?.as_str()).map(one_line);
        let (name, stated) = (text(&["marker", "type"])?, text(&["description", "text"])?);
        let marker = marker(&name)?;
        let quote = text(&["words", "quote"]).filter(|quote| !quote.is_empty());
        let bytes = quote.as_deref().and_then(|quote| find(self.message, quote));
        let mut description = stated;
        if let (Some(quote), true) = (&quote, bytes.is_some())
            && !stems(quote).is_subset(&stems(&description))
        {
            description = if description.is_empty() { quote.clone() } else { format!("{description} (“{quote}”)") };
        }
        if description.is_empty() {
            return None;
        }
        if let Some(section) = text(&["section"]).and_then(|section| self.section(&section))
            && stems(&section).is_disjoint(&stems(&description))
        {
            description = format!("{description} (section {section})");
        }
        let number = |name| item.get(name).and_then(number);
        Some(Requirement {
            marker,
            // If the model gives no count, the user's words may have one.
            count: (marker == Marker::Add).then(|| number("count").or_else(|| count_of(&description))).flatten(),
            existing: number("existing"),
            description: shortened(&description, DESCRIPTION),
            span: bytes.map(|bytes| [units(self.message, bytes.0), units(self.message, bytes.1)]),
        })
    }

    /// The plan's section with this name; `None` for an invented one.
    fn section(&self, name: &str) -> Option<String> {
        nearest(name, self.context.plan_sections.iter().map(String::as_str)).into_iter().next()
    }

    /// The project's file with this path, this name or a similar spelling. Without a file list: a file that the message
    /// names.
    fn file(&self, file: &str) -> Option<String> {
        let file = file.trim_start_matches("./");
        let Some(files) = &self.context.file_list else {
            return self.message.contains(file).then(|| file.to_owned());
        };
        let name = |path: &str| crate::path::name(path).to_lowercase();
        let same =
            files.iter().find(|known| *known == file).or_else(|| files.iter().find(|known| name(known) == name(file)));
        same.cloned()
    }

    /// The texts in a list, each in one line. A string counts as a list of one.
    fn texts(&self, field: &str) -> impl Iterator<Item = String> {
        let value = self.object.get(field);
        let value = value.or_else(|| self.object.get("scope").and_then(|scope| scope.get(field)));
        let single = value.filter(|value| value.is_string());
        let items = single.into_iter().chain(value.and_then(Value::as_array).into_iter().flatten()).take(LONGEST_LIST);
        let lines = items.filter_map(Value::as_str).map(|text| shortened(&one_line(text), DESCRIPTION));
        lines.filter(|line| !line.is_empty())
    }
}

fn marker(name: &str) -> Option<Marker> {
    Some(match name.trim_matches(['[', ']', ' ']).to_ascii_uppercase().as_str() {
        "ADD" | "CREATE" | "NEW" => Marker::Add,
        "MODIFY" | "CHANGE" | "UPDATE" => Marker::Modify,
        "FIX" | "BUGFIX" | "BUG" => Marker::Fix,
        "REMOVE" | "DELETE" => Marker::Remove,
        _ => return None,
    })
}

/// A count, as a number or as text.
fn number(value: &Value) -> Option<u32> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    let is_count = number.fract() == 0.0 && (1.0..=LARGEST_COUNT).contains(&number);
    is_count.then_some(number as u32)
}

/// The type that follows from the requirements alone.
fn inferred(requirements: &[Requirement]) -> TaskType {
    let fixes = requirements.iter().all(|requirement| requirement.marker == Marker::Fix);
    if fixes { TaskType::Bugfix } else { TaskType::Mutation }
}

/// Corrects the type for the project: without a plan there is no mutation, and a bugfix needs something to fix.
pub(super) fn fitting(stated: TaskType, requirements: &[Requirement], context: &TaskContext) -> TaskType {
    let fixes = requirements.iter().all(|requirement| requirement.marker == Marker::Fix);
    match stated {
        TaskType::Bugfix if fixes && !is_bare(context) => TaskType::Bugfix,
        TaskType::Mutation | TaskType::Bugfix if context.plan_exists => TaskType::Mutation,
        TaskType::Mutation | TaskType::Bugfix => TaskType::Fresh,
        TaskType::Fresh | TaskType::NeedsClarification => stated,
    }
}

/// Prefixes of the significant words in a text.
fn stems(text: &str) -> BTreeSet<String> {
    const COMMON: &str = "the and for with that this from into are its our you your new add fix remove change modify make all more another";
    let named = words(text).into_iter().filter(|word| !COMMON.split(' ').any(|common| common == word));
    named.map(|word| word.chars().take(4).collect::<String>()).filter(|stem| stem.chars().count() > 2).collect()
}

/// The byte range of a quotation in the message, ignoring ASCII case.
fn find(message: &str, quote: &str) -> Option<(usize, usize)> {
    let start = message.to_ascii_lowercase().find(&quote.to_ascii_lowercase())?;
    Some((start, start + quote.len()))
}

fn units(message: &str, byte: usize) -> u32 {
    let before = message.get(..byte).unwrap_or_default().encode_utf16().count();
    u32::try_from(before).unwrap_or(u32::MAX)
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    const MESSAGE: &str = "🙂 refine the hero copy, add 2 more drinks to the grid and keep the nav";

    fn context() -> TaskContext {
        TaskContext {
            plan_exists: true,
            plan_sections: vec!["hero".to_owned(), "drink-grid".to_owned()],
            file_list: Some(vec!["src/App.tsx".to_owned(), "src/Hero.tsx".to_owned()]),
            task_number: Some(7),
            previous_tag: Some("task-6-post".to_owned()),
            ..TaskContext::default()
        }
    }

    fn answer(value: &Value) -> Result<StructuredTask, String> {
        read(&value.to_string(), MESSAGE, &context())
    }

    fn good() -> Value {
        json!({
            "type": "mutation",
            "title": "Drinks",
            "requirements": [
                { "marker": "MODIFY", "description": "refine the hero copy", "count": null, "existing": null },
                { "marker": "ADD", "description": "2 more drinks", "count": 2, "existing": 8 },
            ],
            "preserve": ["the nav"],
            "affectedFiles": ["src/Hero.tsx"],
            "questions": [],
        })
    }

    #[test]
    fn an_answer_is_read_in_every_form_that_models_give_it() {
        let good = good();
        let expected = answer(&good).unwrap();
        assert_eq!((expected.requirements.len(), expected.parsed_by), (2, ParsedBy::Model));
        let pretty = serde_json::to_string_pretty(&good).unwrap();
        for text in [
            format!("```json\n{pretty}\n```"),
            format!("Here is the task {{as asked}}:\n{pretty}\nLet me know!"),
            pretty.replace("\n  ]", ",\n  ]").replace("\n    }", ",\n    }"),
            pretty
                .replace("\"mutation\"", "\"Mutation\"")
                .replace("\"ADD\"", "\"add\"")
                .replace("\"MODIFY\"", "\"[modify]\""),
            pretty.replace('"', "'"),
            pretty.replacen('{', "{ // the task\n/* of the user */", 1),
            json!({ "task": good }).to_string(),
            json!({ "result": { "structured_task": good } }).to_string(),
            json!([good]).to_string(),
            pretty.replace("\"count\": 2", "\"count\": \"2\"").replace("\"existing\": 8", "\"existing\": 8.0"),
            pretty.replace("\"count\": 2,", ""),
            pretty.replace("\"count\": 2", "\"count\": null"),
            pretty.replace("\"questions\": []", "\"questions\": null"),
            pretty.replace("\"Hero.tsx\"", "\"Hero.tsx\", \"src/Invented.tsx\""),
        ] {
            assert_eq!(read(&text, MESSAGE, &context()), Ok(expected.clone()), "{text}");
        }
        let list = read(&good["requirements"].to_string(), MESSAGE, &context()).unwrap();
        assert_eq!((list.kind, list.requirements), (TaskType::Mutation, expected.requirements));
    }

    #[test]
    fn invalid_values_are_dropped() {
        let task = answer(&json!({
            "type": "mutation",
            "taskNumber": 99,
            "previousTag": "task-1-pre",
            "rawMessage": "forged",
            "parsedBy": "rules",
            "title": "two\nlines",
            "requirements": [
                { "marker": "ADD", "description": " drinks\n\nfor all ", "count": -1, "existing": 1e9, "span": [0, 1] },
                { "marker": "MODIFY", "description": format!("hero {}", "x".repeat(9_000)), "count": 3 },
                { "marker": "ADD", "description": "a chess clock" },
                { "marker": "NUKE", "description": "the hero" },
                { "marker": "FIX" },
                { "marker": "FIX", "description": " " },
                null,
            ],
            "preserve": ["the nav", 3, "", "two\nlines"],
            "affectedFiles": ["hero.tsx", "/etc/passwd"],
            "questions": ["Why?"],
        }));
        let task = task.unwrap();
        assert_eq!((task.task_number, task.previous_tag.as_deref()), (7, Some("task-6-post")));
        assert_eq!((task.raw_message.as_str(), task.title.as_str()), (MESSAGE, "two lines"));
        let [drinks, hero] = task.requirements.as_slice() else { panic!("{:?}", task.requirements) };
        assert_eq!(
            (drinks.description.as_str(), drinks.count, drinks.existing, drinks.span),
            ("drinks for all", None, None, None)
        );
        assert_eq!((hero.count, hero.description.chars().count()), (None, DESCRIPTION));
        assert_eq!(task.scope.preserve, ["the nav", "two lines"]);
        assert_eq!(task.scope.affected_files, ["src/Hero.tsx"]);
        assert_eq!((task.questions, task.parsed_by), (None, ParsedBy::Model));
    }

    #[test]
    fn a_requirement_keeps_the_users_words_their_place_and_an_existing_section() {
        let of = |section: &str, words: &str| {
            let item =
                json!({ "marker": "ADD", "description": "Extend the drinks", "section": section, "words": words });
            answer(&json!({ "type": "mutation", "requirements": [item] })).unwrap().requirements.remove(0)
        };
        let found = of("drinks_grid", "add 2 more drinks");
        assert_eq!(found.description, "Extend the drinks", "it names the section and has the words");
        let [start, end] = found.span.unwrap().map(|at| at as usize);
        let message: Vec<u16> = MESSAGE.encode_utf16().collect();
        assert_eq!(String::from_utf16(&message[start..end]).unwrap(), "add 2 more drinks");
        let found = of("testimonials", "to the grid");
        assert_eq!(found.description, "Extend the drinks (“to the grid”)", "an invented section is dropped");
        assert_eq!(of("", "not in the message").span, None);
        assert_eq!(of("Heros", "drinks").description, "Extend the drinks (section hero)");
    }

    #[test]
    fn an_answer_without_a_task_is_an_error_with_advice() {
        let cut = good().to_string();
        for (text, problem) in [
            ("", "no JSON object"),
            ("I cannot say", "no JSON object"),
            (&cut[..cut.len() / 2], "no JSON object"),
            ("{}", "no JSON object"),
            ("[1]", "no JSON object"),
            (r#"{"type":"poem","requirements":[{"marker":"ADD","description":"drinks"}]}"#, "`type`"),
            (r#"{"type":"mutation","requirements":[]}"#, "`requirements`"),
            (r#"{"type":"mutation","requirements":null}"#, "`requirements`"),
            (r#"{"type":"mutation","requirements":"all"}"#, "`requirements`"),
            (r#"{"type":"mutation","requirements":[{"marker":"ADD","description":"a chess clock"}]}"#, "chess clock"),
            (r#"{"type":"needs-clarification","questions":[]}"#, "`questions`"),
        ] {
            let error = read(text, MESSAGE, &context()).unwrap_err();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }

    #[test]
    fn the_type_fits_the_project() {
        let of = |stated: &str, marker: &str, context: &TaskContext| {
            let value = json!({ "type": stated, "requirements": [{ "marker": marker, "description": "the hero" }] });
            read(&value.to_string(), MESSAGE, context).map(|task| task.kind)
        };
        let empty = TaskContext { file_list: Some(Vec::new()), ..TaskContext::default() };
        let unknown = TaskContext::default();
        assert_eq!(of("mutation", "ADD", &context()), Ok(TaskType::Mutation));
        assert_eq!(of("mutation", "ADD", &empty), Ok(TaskType::Fresh));
        assert_eq!(of("bugfix", "FIX", &context()), Ok(TaskType::Bugfix));
        assert_eq!(of("bugfix", "ADD", &context()), Ok(TaskType::Mutation));
        assert_eq!(of("bugfix", "FIX", &empty), Ok(TaskType::Fresh));
        assert_eq!(of("bugfix", "FIX", &unknown), Ok(TaskType::Bugfix), "unknown files may be broken");
        assert_eq!(of("fresh", "ADD", &context()), Ok(TaskType::Fresh));
    }

    #[test]
    fn questions_come_alone() {
        let task = answer(&json!({
            "type": "needs_clarification",
            "requirements": [{ "marker": "REMOVE", "description": "all drinks" }],
            "preserve": ["a"],
            "questions": ["A?", "B?", "C?", "D?", "E?"],
        }));
        let task = task.unwrap();
        assert_eq!((task.kind, task.requirements.len()), (TaskType::NeedsClarification, 0));
        assert_eq!((task.scope, task.questions.map(|questions| questions.len())), (TaskScope::default(), Some(4)));
    }
}
