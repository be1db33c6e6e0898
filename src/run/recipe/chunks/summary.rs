//! What a shipped chunk accomplished, for the chunks that depend on it.

use super::list::Chunk;
use crate::agent::{Prompt, Sections};
use crate::answer;
use crate::snapshot::{Change, FileChange};
use crate::text::{counted, head_and_tail, listed, one_line};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a chunk accomplished. The lists of files and exports come from its commit, the rest from the summarizer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Summary {
    pub summary: String,
    pub files_created: Vec<String>,
    pub files_modified: Vec<String>,
    pub exports_added: Vec<String>,
    pub tests_added: Vec<String>,
    pub verification_steps: Vec<String>,
    /// The summarizer gave no usable answer: the text is made from the changed files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fallback: bool,
}

impl Summary {
    /// The summary from the commit alone.
    pub(super) fn of_changes(title: &str, files: &[FileChange], exports: Vec<String>) -> Self {
        let created = |change: &&FileChange| matches!(change.change, Change::Added | Change::Renamed);
        let paths = |changes: Vec<&FileChange>| changes.into_iter().map(|change| change.path.clone()).collect();
        let files_created: Vec<String> = paths(files.iter().filter(created).collect());
        let files_modified: Vec<String> =
            paths(files.iter().filter(|change| change.change == Change::Modified).collect());
        let deleted = files.iter().filter(|change| change.change == Change::Deleted).count();
        let tests_added = files_created.iter().filter(|path| is_test(path)).cloned().collect();
        let summary = format!(
            "{title}: {} created, {} modified, {deleted} deleted.",
            counted(files_created.len(), "file"),
            files_modified.len()
        );
        let verification_steps = Vec::new();
        Self {
            summary,
            files_created,
            files_modified,
            exports_added: exports,
            tests_added,
            verification_steps,
            fallback: true,
        }
    }

    /// The summary with the texts of the summarizer's answer; unchanged if the answer has none.
    pub(super) fn with_answer(self, said: &str) -> Self {
        let values = answer::values(said);
        let text = |value: &Value| {
            value
                .get("summary")
                .and_then(Value::as_str)
                .map(str::trim)
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
        };
        let Some((value, summary)) = values.iter().find_map(|value| Some((value, text(value)?))) else { return self };
        let steps = value.get("verificationSteps").and_then(Value::as_array).into_iter().flatten();
        let steps = steps.filter_map(Value::as_str).take(LISTED).map(beginning).collect();
        Self { summary: beginning(&summary), verification_steps: steps, fallback: false, ..self }
    }

    /// The text for the prompt of a dependent chunk.
    pub(super) fn text(&self) -> String {
        let list = |name: &str, items: &[String]| match items {
            [] => String::new(),
            items => format!("{name}: {}\n", listed(items, LISTED)),
        };
        let note = if self.fallback { "(made from the changed files)\n" } else { "" };
        format!(
            "{}\n{note}{}{}{}",
            self.summary,
            list("Files created", &self.files_created),
            list("Files modified", &self.files_modified),
            list("Exports available", &self.exports_added)
        )
    }
}

/// Maximum number of items of a list.
const LISTED: usize = 50;

/// Maximum size of a text of the summarizer, in bytes.
const TEXT_MAX: usize = 2_000;

/// Maximum size of the executor's output in the prompt, in bytes.
const OUTPUT_MAX: usize = 16_000;

fn beginning(text: &str) -> String {
    head_and_tail(text, TEXT_MAX, &|_, _| "shortened".to_owned())
}

fn is_test(path: &str) -> bool {
    [".test.", ".spec.", "__tests__/"].iter().any(|mark| path.contains(mark))
}

/// The summarizer's prompt.
pub(super) fn prompt(chunk: &Chunk, output: &str, files: &[FileChange]) -> Prompt {
    let output = head_and_tail(output, OUTPUT_MAX, &|_, _| "the record of the attempt has all of it".to_owned());
    let changed: String = files.iter().map(|file| format!("{:?} {}\n", file.change, file.path)).collect();
    let mut user = Sections::after("");
    user.text(&format!("\nTask: {}\n\n", one_line(&chunk.title)))
        .section("the description of the task", &chunk.description)
        .text("\n")
        .section("the output", &output)
        .text("\n")
        .section("the changed files", &changed)
        .text(
            "\nReturn only JSON:\n{\n  \"summary\": \"2 or 3 sentences: what exists and how to use it\",\n  \
             \"verificationSteps\": [\"how to see that it works\"]\n}\n",
        );
    let system = "Summarize the output of a completed task for the developers of the tasks that depend on it. Name \
                  what they can call or import. State only what the output and the changed files show."
        .to_owned();
    Prompt { system, user: user.render() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(path: &str, change: Change) -> FileChange {
        FileChange { path: path.to_owned(), change, from: None }
    }

    fn from_files() -> Summary {
        let files = [
            change("src/a.ts", Change::Added),
            change("src/b.ts", Change::Modified),
            change("src/a.test.ts", Change::Added),
        ];
        Summary::of_changes("Login", &files, vec!["login".to_owned()])
    }

    #[test]
    fn the_lists_come_from_the_commit_whatever_the_summarizer_says() {
        let answer =
            r#"Sure! {"summary":"Adds login().","filesCreated":["src/lie.ts"],"verificationSteps":["call login()"]}"#;
        let summary = from_files().with_answer(answer);
        assert_eq!(summary.summary, "Adds login().");
        assert_eq!(summary.files_created, ["src/a.ts", "src/a.test.ts"]);
        assert_eq!((summary.tests_added.len(), summary.verification_steps.len(), summary.fallback), (1, 1, false));
    }

    #[test]
    fn without_a_usable_answer_the_changed_files_are_the_summary() {
        for answer in ["", "I added login.", r#"{"summary":" "}"#, r#"{"summary": 3}"#, r#"{"summary":"cut"#] {
            let summary = from_files().with_answer(answer);
            assert!(
                summary.fallback && summary.text().contains("src/a.ts") && summary.text().contains("login"),
                "{answer}"
            );
        }
    }
}
