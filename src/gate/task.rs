//! The facts of a task that gates judge besides the project's files.

use crate::plan::MarkerKind;

/// Facts of the task, from the run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskFacts {
    /// The number of the task; `None` outside a run.
    pub number: Option<u32>,
    /// The commit of the snapshot before it; `None` if there is none.
    pub before: Option<String>,
    /// What the user asked for.
    pub request: TaskRequest,
    /// The difference between the project and its state before the task.
    pub comparison: Comparison,
    /// The task builds the app, in an empty project or from scratch. Any other task changes an existing app, and defects from
    /// before the task do not count against it.
    pub builds_app: bool,
    /// The evidence of the agent's work; `None` without a task.
    pub work: Option<WorkEvidence>,
    /// The task's relation to the plan.
    pub plan: TaskPlan,
}

impl From<Comparison> for TaskFacts {
    /// The facts of a task that changes an existing app.
    fn from(comparison: Comparison) -> Self {
        Self { comparison, ..Self::default() }
    }
}

/// The requirements of a task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskRequest {
    /// In the order of the message.
    pub requirements: Vec<RequestedChange>,
    /// Parts that must not change.
    pub preserve: Vec<String>,
    /// The user sent messages while the task ran, so the requirements may be incomplete.
    pub is_steered: bool,
    /// What the user wrote: the message of the task, then later ones. Empty if unknown.
    pub messages: Vec<String>,
    /// A message asks for another look, which may replace styles and layout.
    pub asks_for_look: bool,
    /// Every requirement of the task, also for a new app, whose `requirements` are empty because there is nothing to
    /// compare.
    pub all: Vec<RequestedChange>,
}

/// One requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedChange {
    /// Whether to add, modify, fix or remove.
    pub kind: MarkerKind,
    /// The user's words.
    pub text: String,
    /// The number of new items.
    pub count: Option<usize>,
}

/// How the task relates to the plan on disk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TaskPlan {
    /// The task has no plan, or the plan is from an earlier task.
    #[default]
    None,
    /// The task wrote the accepted plan.
    New,
    /// The task updated the accepted plan; the source before the update.
    Updated(String),
}

/// The evidence of the agent's work: its changes according to the journal, and the differences from the state before the
/// task. Without paths of `.ralph/` and of the harness.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkEvidence {
    /// Paths that the agent changed through the guard, a shell or a tool of the IDE.
    pub by_agent: Vec<String>,
    /// Paths that the harness changed.
    pub by_harness: Vec<String>,
    /// The journal may miss changes of the agent: a crash interrupted an iteration, or a tool of the IDE wrote files without
    /// declaring it.
    pub is_incomplete: bool,
    /// Paths whose contents differ from the state before the task; `None` if that state is not known.
    pub differing: Option<Vec<String>>,
    /// Paths that the agent changed and git ignores, so that no snapshot contains them.
    pub ignored: Vec<String>,
    /// The request is known and does not concern blank lines or line ends ([`may_ask_for_white_space`]).
    pub asks_for_more: bool,
}

/// Whether the message may ask for a change of white space or for an empty file. Matches parts of words, so that it errs
/// on the side of `true`.
pub fn may_ask_for_white_space(message: &str) -> bool {
    let message = message.to_lowercase();
    WHITE_SPACE.iter().any(|word| message.contains(word))
}

/// Parts of words about white space, formatting and empty files.
const WHITE_SPACE: [&str; 25] = [
    "space", "spacing", "indent", "format", "prettier", "lint", "beautif", "tidy", "clean", "style", "align", "wrap",
    "tab", "line", "crlf", "eol", "break", "blank", "empty", "file", "keep", "nojekyll", "einrück", "leer", "zeile",
];

/// The difference between the project and its state before the task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Comparison {
    /// Not known: there is no git.
    #[default]
    None,
    /// Not known although it should be; the reason.
    Impossible(String),
    /// The changed files, by path, without the harness's files and the agent's notes.
    Changed(Vec<ChangedFile>),
}

impl Comparison {
    /// The change of the file at this path; `None` if it did not change or the changes are not known.
    pub fn changed_file(&self, path: &str) -> Option<&ChangedFile> {
        self.files()?.iter().find(|file| file.path == path)
    }

    /// The changed files, if they are known.
    pub fn files(&self) -> Option<&[ChangedFile]> {
        match self {
            Comparison::Changed(files) => Some(files),
            Comparison::None | Comparison::Impossible(_) => None,
        }
    }
}

/// A file that a task changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangedFile {
    /// Relative to the project; the former path if the file was removed.
    pub path: String,
    /// The path before the task; `None` for a new file.
    pub was: Option<String>,
    /// The file exists after the task.
    pub is_there: bool,
    /// The text before the task; `None` if the file is new, not a source, or too large.
    pub before: Option<String>,
    /// The text after the task; `None` likewise.
    pub after: Option<String>,
}

#[cfg(test)]
impl ChangedFile {
    /// A file with these texts; an empty text means that the file did not exist.
    pub fn from_texts(path: &str, before: &str, after: &str) -> Self {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let was = text(before).map(|_| path.to_owned());
        Self { path: path.to_owned(), was, is_there: !after.is_empty(), before: text(before), after: text(after) }
    }

    /// A file that moved unchanged.
    pub fn renamed(from: &str, to: &str, text: &str) -> Self {
        Self { was: Some(from.to_owned()), ..Self::from_texts(to, text, text) }
    }

    /// A changed file whose texts were not read.
    pub fn unread(path: &str) -> Self {
        Self { before: None, after: None, ..Self::from_texts(path, "1", "2") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_about_layout_may_ask_for_white_space() {
        for (message, expected) in [
            ("Run prettier on src/App.tsx", true),
            ("fix the indentation of the header", true),
            ("Use CRLF", true),
            ("There is a space missing between the names", true),
            ("add an empty .gitkeep", true),
            ("Fix the wrong label of the button", false),
            ("add 2 more drinks", false),
        ] {
            assert_eq!(may_ask_for_white_space(message), expected, "{message}");
        }
    }
}
