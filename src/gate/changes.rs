//! What a task did to the project's files: each file that changed, before and after.

/// What is known of the project before the task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Comparison {
    /// Nothing, and nobody can: there is no git.
    #[default]
    None,
    /// It should be known and is not: why.
    Impossible(String),
    /// The files that changed since then, by path; those of the harness and the agent's notes are not among them.
    Changed(Vec<ChangedFile>),
}

impl Comparison {
    /// The change of the file at this path; `None` if there is none or it is not known.
    pub fn of(&self, path: &str) -> Option<&ChangedFile> {
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
    /// Relative to the project; where it was, if it is gone.
    pub path: String,
    /// Where it was before the task; none for a new file.
    pub was: Option<String>,
    /// It is there now.
    pub is_there: bool,
    /// Its text before the task; none where there was none, or where it is no source or too large.
    pub before: Option<String>,
    /// Its text now; as before.
    pub after: Option<String>,
}

impl ChangedFile {
    /// The extension of its path.
    pub fn extension(&self) -> &str {
        crate::path::extension(&self.path)
    }
}

#[cfg(test)]
impl ChangedFile {
    /// A file with these texts; an empty one stands for none.
    pub fn of(path: &str, before: &str, after: &str) -> Self {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let was = text(before).map(|_| path.to_owned());
        Self { path: path.to_owned(), was, is_there: !after.is_empty(), before: text(before), after: text(after) }
    }

    /// A file that moved as it was.
    pub fn renamed(from: &str, to: &str, text: &str) -> Self {
        Self { was: Some(from.to_owned()), ..Self::of(to, text, text) }
    }

    /// A file that was there, is there, and was not read.
    pub fn unread(path: &str) -> Self {
        Self { before: None, after: None, ..Self::of(path, "1", "2") }
    }
}
