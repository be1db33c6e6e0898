//! What a snapshot holds, listed once for many questions.

use super::compare;
use super::evidence::Evidence;
use super::git_of;
use super::info::FileChange;
use crate::error::Error;
use crate::port::Host;
use crate::snapshot::git::listing::read_listing;
use crate::snapshot::git::manifest::{Manifest, Mode};
use crate::snapshot::git::read;
use crate::snapshot::git::tags;

/// The files of a snapshot; by default there are none.
#[derive(Default)]
pub struct Contents {
    files: Manifest,
}

impl Contents {
    /// Lists those files that count. Git is asked only for the trees that `now` has not as well.
    ///
    /// # Errors
    /// `not-found` with the nearest tags; `unsupported` without git; otherwise what a port says.
    pub async fn of<H: Host>(
        host: &H,
        tag: &str,
        now: &Evidence,
        counts: &dyn Fn(&str) -> bool,
    ) -> Result<Self, Error> {
        let git = git_of(host)?;
        let mut files = read_listing(git, tags::find(git, tag).await?.tree, &[now.files()]).await?.manifest;
        files.retain(|path, _| counts(path));
        Ok(Self { files })
    }

    /// What changed since.
    pub fn changes(&self, now: &Evidence) -> Vec<FileChange> {
        compare::changes(&self.files, now.files())
    }

    /// The bytes of a file, or the target of a link; `None` where there is no such file.
    ///
    /// # Errors
    /// What git says.
    pub async fn read<H: Host>(&self, host: &H, path: &str) -> Result<Option<Vec<u8>>, Error> {
        match self.files.get(path).filter(|entry| entry.mode != Mode::Submodule) {
            Some(entry) => Ok(Some(read::blob(git_of(host)?, &entry.oid.to_string()).await?)),
            None => Ok(None),
        }
    }
}
