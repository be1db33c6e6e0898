//! Facts about the task that gates judge besides the project's files.

use super::{ChangedFile, Comparison};

/// Facts of the task, from the run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskFacts {
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
    /// The request is known and does not concern white space ([`may_ask_for_white_space`]).
    pub asks_for_more: bool,
}

/// The agent's work according to the evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkDone {
    /// The agent changed these files, and they differ from the state before the task.
    Changed(Vec<String>),
    /// The agent changed only files that git ignores. They cannot be compared.
    Ignored(Vec<String>),
    /// The agent changed files, but the state before the task is not known.
    Unknown,
    /// The agent changed nothing. These files differ for other reasons.
    Nothing(Vec<String>),
}

impl WorkEvidence {
    /// Evaluates the evidence. A change counts if the journal attributes it to the agent and the contents differ. Changes
    /// that the user saved and changes that were undone do not count.
    pub fn done(&self) -> WorkDone {
        let Some(differing) = &self.differing else {
            let may_have_worked = self.is_incomplete || !self.by_agent.is_empty();
            return if may_have_worked { WorkDone::Unknown } else { WorkDone::Nothing(Vec::new()) };
        };
        let is_in = |paths: &[String], path: &str| paths.iter().any(|other| other.eq_ignore_ascii_case(path));
        let is_mine =
            |path: &String| is_in(&self.by_agent, path) || self.is_incomplete && !is_in(&self.by_harness, path);
        let (mine, others): (Vec<String>, Vec<String>) = differing.iter().cloned().partition(is_mine);
        match (mine.is_empty(), self.ignored.is_empty()) {
            (false, _) => WorkDone::Changed(mine),
            (true, false) => WorkDone::Ignored(self.ignored.clone()),
            (true, true) => WorkDone::Nothing(others),
        }
    }
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

/// Whether only the white space or the mode of the file differs, or the file is new and blank. `false` for a moved or
/// unread file.
pub(super) fn is_blank_change(file: &ChangedFile) -> bool {
    let letters = |text: &'_ str| text.split_whitespace().collect::<String>();
    texts(file).is_some_and(|(before, after)| letters(before) == letters(after))
}

/// Whether only blank lines, indentation, line ends or the mode differ, so that the words are the same. A blank change
/// that splits or joins words ("Nightbar" to "Night bar") may be visible to the user.
pub(super) fn keeps_words(file: &ChangedFile) -> bool {
    texts(file).is_some_and(|(before, after)| before.split_whitespace().eq(after.split_whitespace()))
}

/// The texts of a file that was not moved, before and after the task.
fn texts(file: &ChangedFile) -> Option<(&str, &str)> {
    let before = match &file.was {
        None => "",
        Some(was) if *was == file.path => file.before.as_deref()?,
        Some(_) => return None,
    };
    Some((before, file.after.as_deref().filter(|_| file.is_there)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(paths: &[&str]) -> Vec<String> {
        paths.iter().map(|path| (*path).to_owned()).collect()
    }

    #[test]
    fn work_is_a_change_of_the_agent_that_still_differs() {
        let work = |by_agent: &[&str], differing: Option<&[&str]>| WorkEvidence {
            by_agent: paths(by_agent),
            by_harness: paths(&["src/theme.css"]),
            differing: differing.map(paths),
            ..WorkEvidence::default()
        };
        let cut = |differing: Option<&[&str]>| WorkEvidence { is_incomplete: true, ..work(&[], differing) };
        let ignored =
            |differing: &[&str]| WorkEvidence { ignored: paths(&[".env"]), ..work(&[".env"], Some(differing)) };
        for (case, work, expected) in [
            ("nothing", work(&[], Some(&[])), WorkDone::Nothing(vec![])),
            ("undone", work(&["a"], Some(&[])), WorkDone::Nothing(vec![])),
            ("by the user", work(&[], Some(&["b"])), WorkDone::Nothing(paths(&["b"]))),
            ("by the harness", work(&[], Some(&["src/theme.css"])), WorkDone::Nothing(paths(&["src/theme.css"]))),
            ("by both", work(&["a"], Some(&["a", "b"])), WorkDone::Changed(paths(&["a"]))),
            ("undone, and the user saved", work(&["a"], Some(&["b"])), WorkDone::Nothing(paths(&["b"]))),
            ("before is not known", work(&["a"], None), WorkDone::Unknown),
            ("before is not known, nothing done", work(&[], None), WorkDone::Nothing(vec![])),
            ("cut off", cut(Some(&["a", "src/theme.css"])), WorkDone::Changed(paths(&["a"]))),
            ("cut off, nothing done", cut(Some(&[])), WorkDone::Nothing(vec![])),
            ("cut off, not known", cut(None), WorkDone::Unknown),
            ("by another case of its name", work(&["SRC/A"], Some(&["src/a"])), WorkDone::Changed(paths(&["src/a"]))),
            ("only ignored", ignored(&["b"]), WorkDone::Ignored(paths(&[".env"]))),
        ] {
            assert_eq!(work.done(), expected, "{case}");
        }
    }

    #[test]
    fn a_message_that_speaks_of_layout_may_ask_for_white_space() {
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

    #[test]
    fn a_change_of_white_space_is_blank() {
        for (file, expected) in [
            (ChangedFile::of("a.ts", "f( 1 )", "f(\n1)\n"), true),
            (ChangedFile::of("a.ts", "f(1)", "f(1)"), true),
            (ChangedFile::of("a.ts", "f(1)", "f(2)"), false),
            (ChangedFile { after: Some(" ".to_owned()), ..ChangedFile::of("a.ts", "", "x") }, true),
            (ChangedFile::of("a.ts", "f(1)", ""), false),
            (ChangedFile::renamed("a.ts", "b.ts", "f(1)"), false),
            (ChangedFile::unread("logo.png"), false),
        ] {
            assert_eq!(is_blank_change(&file), expected, "{file:?}");
        }
    }
}
