//! What `.ralph/task.md` says (`seeds/003 §5`).

use super::report::MarkerKind;
use crate::layout::{TASK, TASK_COUNTER};
use crate::port::{FsPort, PortResult, ProjectDir};

/// A task as its file tells it: what a plan is updated for.
#[derive(Debug, PartialEq, Eq)]
pub struct TaskFile {
    /// Its counter.
    pub number: u32,
    /// What it asks for, in its order.
    pub requirements: Vec<Requirement>,
    /// What must stay.
    pub preserve: Vec<String>,
}

/// `- [ADD] 2 drinks`.
#[derive(Debug, PartialEq, Eq)]
pub struct Requirement {
    /// What is to be done.
    pub kind: MarkerKind,
    /// In one line.
    pub text: String,
}

/// The marker that a requirement asks for, without the comment around it.
pub(super) fn marker(task: u32, kind: MarkerKind, what: &str) -> String {
    format!("TASK-{task} [{}]: {}", kind.name(), in_comment(what))
}

/// The marker of what must stay, without the comment around it.
pub(super) fn preserved(what: &str) -> String {
    format!("PRESERVED: {}", in_comment(what))
}

/// A text that ends no comment.
fn in_comment(text: &str) -> String {
    text.replace("*/", "* /")
}

/// The number of the current task, where its file tells one.
///
/// # Errors
/// `fs`.
pub async fn number<F: FsPort>(project: ProjectDir<'_, F>) -> PortResult<Option<u32>> {
    let counter = project.read_text(TASK_COUNTER).await?;
    Ok(counter.and_then(|text| text.trim().parse().ok()))
}

/// The current task; number 1 without requirements where no file tells.
///
/// # Errors
/// `fs`.
pub(super) async fn read<F: FsPort>(project: ProjectDir<'_, F>) -> PortResult<TaskFile> {
    let (text, number) = (project.read_text(TASK).await?.unwrap_or_default(), number(project).await?);
    Ok(parse(&text, number))
}

/// Reads the text: the counter in its head, the lists below `Requirements` and `Scope`. What is quoted is the user's.
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
    fn a_task_is_read_as_it_is_written() {
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
