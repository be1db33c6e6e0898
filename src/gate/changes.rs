//! The files that a task changed, before and after.

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

impl ChangedFile {
    /// The extension of the present path.
    pub fn extension(&self) -> &str {
        crate::path::extension(&self.path)
    }
}

#[cfg(test)]
impl ChangedFile {
    /// A file with these texts; an empty text means that the file did not exist.
    pub fn of(path: &str, before: &str, after: &str) -> Self {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let was = text(before).map(|_| path.to_owned());
        Self { path: path.to_owned(), was, is_there: !after.is_empty(), before: text(before), after: text(after) }
    }

    /// A file that moved unchanged.
    pub fn renamed(from: &str, to: &str, text: &str) -> Self {
        Self { was: Some(from.to_owned()), ..Self::of(to, text, text) }
    }

    /// A changed file whose texts were not read.
    pub fn unread(path: &str) -> Self {
        Self { before: None, after: None, ..Self::of(path, "1", "2") }
    }
}
