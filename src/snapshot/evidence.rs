//! What gates judge: a hash of the project's files, so that a verdict is bound to what it saw.

use super::compare::differing;
use super::manifest::{self, Manifest};
use super::position::Position;
use super::scan::{Basis, scan};
use crate::error::Error;
use crate::port::Host;

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
