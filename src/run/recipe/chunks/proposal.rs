//! The planner's proposal of chunks for a spec.

use super::list::{self, Chunk};
use crate::agent::{AnswerShape, ProjectRules, Prompt, Sections};
use crate::answer;
use serde_json::{Value, json};

/// The planner's prompt.
pub(super) fn prompt(
    (spec_path, spec): (&str, &str),
    rules: &ProjectRules,
    codebase: &str,
    files: &str,
    feedback: &str,
) -> Prompt {
    let mut user = Sections::after("");
    user.text("\n# Divide this specification into chunks\n\n").section(spec_path, spec);
    rules.add_to(&mut user);
    user.optional("## Codebase Context", "the codebase", codebase)
        .optional("## Files", "the project's files", files)
        .optional("## The last answer was not usable", "the reason", feedback)
        .text(
            "\n## Your Task\nRead the files that the specification concerns, then call `complete_task` with the chunks in the \
             order in which they should run. If you cannot call tools, answer with the same JSON object and nothing else.\n",
        );
    Prompt { system: include_str!("prompts/planner.md").to_owned(), user: user.render() }
}

/// The arguments of `complete_task` for the planner.
pub(super) fn shape() -> AnswerShape {
    let strings = json!({ "type": "array", "items": { "type": "string" } });
    let chunk = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "description": "Short and unique: letters, digits and dashes" },
            "title": { "type": "string", "description": "The first line of the commit message" },
            "description": { "type": "string", "description": "What to build, step by step" },
            "relevantFiles": strings,
            "dependencies": { "type": "array", "items": { "type": "string" }, "description": "The ids of other chunks" },
        },
        "required": ["id", "title", "description"],
        "additionalProperties": false,
    });
    AnswerShape {
        description: "Proposes the chunks. The user approves them before anything runs.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": { "chunks": { "type": "array", "items": chunk } },
            "required": ["chunks"],
            "additionalProperties": false,
        }),
    }
}

/// The proposed chunks.
///
/// # Errors
/// What is wrong, for the planner.
pub(super) fn read(answer: Option<&Value>) -> Result<Vec<Chunk>, String> {
    let missing = || "The answer has no chunks. Call `complete_task` with the chunks.".to_owned();
    let is_list = |value: &Value| value.get("chunks").is_some() || value.is_array();
    let value = answer.map(answer::data).into_iter().flatten().find(is_list).ok_or_else(missing)?;
    let chunks = list::from_value(value).map_err(|problem| format!("The chunks are not usable: {problem}."))?;
    if chunks.is_empty() { Err(missing()) } else { Ok(chunks) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_read_from_data_and_from_text() {
        let chunk = json!({ "id": "a", "title": "A", "description": "Do a." });
        let list = json!({ "chunks": [chunk] });
        for answer in [
            list.clone(),
            json!(list.to_string()),
            json!(format!("Here:\n```json\n{list}\n```")),
            json!(json!([chunk]).to_string()),
        ] {
            assert_eq!(read(Some(&answer)).map(|chunks| chunks.len()), Ok(1), "{answer}");
        }
        for (answer, words) in [
            (None, "no chunks"),
            (Some(json!("I would make two chunks.")), "no chunks"),
            (Some(json!({ "chunks": [] })), "no chunks"),
            (Some(json!({ "chunks": [{ "id": "a" }] })), "title"),
            (Some(json!({ "chunks": [chunk, chunk] })), "two chunks"),
        ] {
            let error = read(answer.as_ref()).unwrap_err();
            assert!(error.contains(words), "{answer:?}: {error}");
        }
    }
}
