//! What gates judge: a hash of the project's files, so that a verdict is bound to what it saw.

use super::compare::differing;
use crate::error::Error;
use crate::port::Host;
use crate::snapshot::git::manifest::{self, Entry, Manifest, Mode};
use crate::snapshot::git::oid::Oid;
use crate::snapshot::worktree::position::Position;
use crate::snapshot::worktree::scan::{Basis, scan};

/// The project's files at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The id of the git tree that they make.
    pub tree: String,
    files: Manifest,
}

impl Evidence {
    /// Of those files that count.
    pub(super) fn of(files: &Manifest, counts: &dyn Fn(&str) -> bool) -> Self {
        let mut files = files.clone();
        files.retain(|path, _| counts(path));
        Self { tree: manifest::root(&manifest::trees(&files)).to_string(), files }
    }

    /// The files.
    pub(super) fn files(&self) -> &Manifest {
        &self.files
    }

    /// There is a file at this path that counts.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The files as text, for storage.
    pub fn to_text(&self) -> String {
        let line = |(path, entry): (&String, &Entry)| format!("{} {} {path}\0", entry.mode.as_str(), entry.oid);
        self.files.iter().map(line).collect()
    }

    /// The files of a stored text; `None` if it is damaged.
    pub fn from_text(text: &str) -> Option<Self> {
        let entry = |line: &str| {
            let (mode, rest) = line.split_once(' ')?;
            let (oid, path) = rest.split_once(' ')?;
            Some((path.to_owned(), Entry { mode: Mode::parse(mode)?, oid: Oid::parse(oid)? }))
        };
        let files: Option<Vec<(String, Entry)>> = text.split_terminator('\0').map(entry).collect();
        Some(Self::of(&files?.into_iter().collect(), &|_| true))
    }

    /// The paths at which the files were others at another time.
    pub fn differing(&self, other: &Evidence) -> Vec<String> {
        differing(&self.files, &other.files).into_iter().map(str::to_owned).collect()
    }
}

/// Looks at every file that `counts`. Works without git, but then reads them all.
///
/// # Errors
/// What a port says.
pub async fn evidence<H: Host>(host: &H, counts: &dyn Fn(&str) -> bool) -> Result<Evidence, Error> {
    let position = match host.git() {
        Some(git) => Position::load(host, git).await?,
        None => Position::default(),
    };
    let tracked = [position.tracked()];
    let scan = scan(host, Basis { cache: position.cache.as_ref(), tracked: &tracked }).await?;
    Ok(Evidence::of(&scan.manifest(), counts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_files_are_read_back_and_damaged_text_is_refused() {
        let entry = |mode| Entry { mode, oid: Oid::of_blob(b"1") };
        let files = [("a b\nc".to_owned(), entry(Mode::Executable)), ("src/é.ts".to_owned(), entry(Mode::Symlink))];
        let evidence = Evidence::of(&files.into_iter().collect(), &|_| true);
        assert_eq!(Evidence::from_text(&evidence.to_text()), Some(evidence));
        assert!(Evidence::from_text("").is_some_and(|empty| empty.files.is_empty()));
        assert_eq!(Evidence::from_text("100644 12 a\0"), None);
    }
}
