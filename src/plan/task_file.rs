//! Reads `.ralph/task.md`.

use super::report::MarkerKind;
use crate::layout::{TASK, TASK_COUNTER};
use crate::port::{PortResult, ProjectDir};

/// A task as read from its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskFile {
    /// The task's counter.
    pub number: u32,
    /// In the order of the file.
    pub requirements: Vec<Requirement>,
    /// Descriptions of what must not change.
    pub preserve: Vec<String>,
}

/// A line such as `- [ADD] 2 drinks`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The kind of change.
    pub kind: MarkerKind,
    /// A single line.
    pub text: String,
}

/// The marker of a requirement, without the comment delimiters.
pub(super) fn marker(task: u32, kind: MarkerKind, what: &str) -> String {
    format!("TASK-{task} [{}]: {}", kind.name(), in_comment(what))
}

/// The marker of something that must not change, without the comment delimiters.
pub(super) fn preserved(what: &str) -> String {
    format!("PRESERVED: {}", in_comment(what))
}

/// Escapes the end of a comment.
fn in_comment(text: &str) -> String {
    text.replace("*/", "* /")
}

/// The number of the current task; `None` if the file is missing or unreadable.
///
/// # Errors
/// `fs`.
pub async fn number(project: ProjectDir<'_>) -> PortResult<Option<u32>> {
    let counter = project.read_text(TASK_COUNTER).await?;
    Ok(counter.and_then(|text| text.trim().parse().ok()))
}

/// The current task. Defaults: number 1, no requirements.
///
/// # Errors
/// `fs`.
pub(super) async fn read(project: ProjectDir<'_>) -> PortResult<TaskFile> {
    let (text, number) = (project.read_text(TASK).await?.unwrap_or_default(), number(project).await?);
    Ok(parse(&text, number))
}

/// Parses the text: the counter in the header, and the lists under `Requirements` and `Scope`. The quoted message is ignored.
pub fn parse(text: &str, counter: Option<u32>) -> TaskFile {
    let mut task = TaskFile { number: counter.unwrap_or(1), requirements: Vec::new(), preserve: Vec::new() };
    let mut heading = "";
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            heading = title.split(" (").next().unwrap_or(title).trim();
        }
        let item = line.strip_prefix("- ").map(|item| item.strip_prefix("[ ] ").unwrap_or(item).trim());
        match (heading, item) {
            ("", _) => {
                let number = line.strip_prefix("Counter:").and_then(|number| number.trim().parse().ok());
                task.number = number.unwrap_or(task.number);
            }
            ("Requirements", Some(item)) => task.requirements.extend(requirement(item)),
            ("Scope", Some(item)) => {
                task.preserve.extend(item.strip_prefix("PRESERVE:").map(|what| what.trim().to_owned()))
            }
            _ => {}
        }
    }
    task
}

fn requirement(item: &str) -> Option<Requirement> {
    let (kind, text) = item.strip_prefix('[')?.split_once(']')?;
    let kind = MarkerKind::of_task(kind)?;
    Some(Requirement { kind, text: text.trim_start_matches([':', ' ']).trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_and_scope_are_parsed_and_the_quoted_message_is_ignored() {
        let text = "# Task: Refine\nType: mutation\nCounter: 3\n\n## Requirements\n- [MODIFY] Refine the hero\n- [ADD] 2 teas\n\
                    - [PAINT] it black\n\n## Scope\n- PRESERVE: All 8 teas\n- AFFECTED FILES: a.tsx\n\n## Original Message\n\
                    > - [REMOVE] everything\n- [REMOVE] everything\n";
        let task = parse(text, Some(2));
        assert_eq!(task.number, 3);
        let found: Vec<_> = task.requirements.iter().map(|one| (one.kind, one.text.as_str())).collect();
        assert_eq!(found, [(MarkerKind::Modify, "Refine the hero"), (MarkerKind::Add, "2 teas")]);
        assert_eq!(task.preserve, ["All 8 teas"]);
        assert_eq!(parse("", Some(7)), TaskFile { number: 7, requirements: Vec::new(), preserve: Vec::new() });
    }
}
