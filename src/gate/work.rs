//! What is known of the task that is judged, beside the project's files as they are.

use super::{ChangedFile, Comparison};

/// What the run knows of the task that the gates judge.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskFacts {
    /// The project compared with what it was before the task.
    pub comparison: Comparison,
    /// It makes the app: in an empty project, or anew. Else it changes what is there, and what was wrong before is not its
    /// fault.
    pub builds_app: bool,
    /// The agent's own work; nothing where no task is judged.
    pub work: Option<Work>,
    /// What the task has to do with the plan.
    pub plan: TaskPlan,
}

impl From<Comparison> for TaskFacts {
    /// Of a task that changes what is there.
    fn from(comparison: Comparison) -> Self {
        Self { comparison, ..Self::default() }
    }
}

/// What the task has to do with the plan on disk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TaskPlan {
    /// Nothing: the task has no plan, or the plan is that of an earlier task.
    #[default]
    None,
    /// The task wrote it, and it was accepted.
    New,
    /// The task updated it, and it was accepted: the source before the update.
    Updated(String),
}

/// The evidence of the agent's work: what the journal says that it changed, and what differs from the state before the
/// task. Paths of `.ralph/` and of the harness are not among them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Work {
    /// What the agent changed, by the journal: through the guard, or while a shell or a tool of the IDE ran for it.
    pub by_agent: Vec<String>,
    /// What the harness changed, by the journal.
    pub by_harness: Vec<String>,
    /// The agent may have changed more than the journal says: a crash cut an iteration off, or the agent called a tool of
    /// the IDE, which may write without having said so.
    pub is_incomplete: bool,
    /// The paths whose contents differ from the state before the task; nothing where that state is not known.
    pub differing: Option<Vec<String>>,
    /// Paths that the agent changed and that no snapshot holds, because git ignores them.
    pub ignored: Vec<String>,
    /// What the user asks for is known, and it is no change of white space ([`may_ask_for_white_space`]).
    pub asks_for_more: bool,
}

/// What the evidence says of the agent's work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkDone {
    /// The agent changed these files, and they differ from the state before the task.
    Changed(Vec<String>),
    /// The agent changed only files that git ignores, which cannot be compared.
    Ignored(Vec<String>),
    /// The agent changed files, and the state before the task is not known.
    Unknown,
    /// Nothing. These files changed by another hand.
    Nothing(Vec<String>),
}

impl Work {
    /// Weighs the evidence. A change counts as the agent's where the journal says so and the contents differ, so that
    /// neither a file that the user saves meanwhile nor a change that is undone is work.
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

/// Whether a user's words may ask for a change of white space or for an empty file. Parts of words count, so that a doubt
/// is a yes.
pub fn may_ask_for_white_space(message: &str) -> bool {
    let message = message.to_lowercase();
    WHITE_SPACE.iter().any(|word| message.contains(word))
}

/// Parts of words that speak of white space, of how code is written, or of empty files.
const WHITE_SPACE: [&str; 25] = [
    "space", "spacing", "indent", "format", "prettier", "lint", "beautif", "tidy", "clean", "style", "align", "wrap",
    "tab", "line", "crlf", "eol", "break", "blank", "empty", "file", "keep", "nojekyll", "einrück", "leer", "zeile",
];

/// The file is where it was, and only white space or its mode differs; also a new file without text. Not for a file that
/// was not read.
pub fn is_blank_change(file: &ChangedFile) -> bool {
    let before = match &file.was {
        None => Some(""),
        Some(was) if *was == file.path => file.before.as_deref(),
        Some(_) => None,
    };
    let (Some(before), Some(after)) = (before, file.after.as_deref()) else { return false };
    file.is_there && before.split_whitespace().flat_map(str::chars).eq(after.split_whitespace().flat_map(str::chars))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(paths: &[&str]) -> Vec<String> {
        paths.iter().map(|path| (*path).to_owned()).collect()
    }

    #[test]
    fn work_is_what_the_agent_changed_and_still_differs() {
        let work = |by_agent: &[&str], differing: Option<&[&str]>| Work {
            by_agent: paths(by_agent),
            by_harness: paths(&["src/theme.css"]),
            differing: differing.map(paths),
            ..Work::default()
        };
        let cut = |differing: Option<&[&str]>| Work { is_incomplete: true, ..work(&[], differing) };
        let ignored = |differing: &[&str]| Work { ignored: paths(&[".env"]), ..work(&[".env"], Some(differing)) };
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
    fn white_space_alone_is_a_blank_change() {
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
