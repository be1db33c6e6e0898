//! Carrying a rollback out, forwards or, after an error, back.

use super::apply;
use super::intent::{self, Intent};
use crate::error::{Error, ErrorCode};
use crate::layout::UNDO;
use crate::port::{FsPort, Host};
use crate::snapshot::git::listing::read_listing;
use crate::snapshot::git::manifest::{Manifest, Mode};
use crate::snapshot::git::oid::Oid;
use crate::snapshot::info::Rollback;
use crate::snapshot::told;

/// What became of the files.
pub(in crate::snapshot) const UNTOUCHED: &str = "nothing was rolled back, the files are as they were";
/// What became of the files.
pub(in crate::snapshot) const HALF_DONE: &str =
    "the rollback is half done; the next call that saves or rolls back finishes it";

/// Where a rollback goes.
pub(in crate::snapshot) struct Goal {
    /// As it was named.
    pub name: String,
    /// Its tree.
    pub tree: Oid,
    /// Its files, without what the host cannot hold.
    pub manifest: Manifest,
    /// What the user should know about.
    pub warnings: Vec<String>,
}

/// Reads where to go. What the host cannot hold is left out.
///
/// # Errors
/// `corrupt` where the tree cannot be read whole.
pub(in crate::snapshot) async fn goal_of<H: Host>(
    host: &H,
    git: &H::Git,
    name: &str,
    tree: Oid,
    hints: &[&Manifest],
) -> Result<Goal, Error> {
    let listing = read_listing(git, tree, hints).await?;
    if listing.is_incomplete {
        let why = listing.skipped.join("; ");
        let message = format!("{name} cannot be read whole, so nothing was touched: {why}; check the git port");
        return Err(Error::new(ErrorCode::Corrupt, message));
    }
    let (mut manifest, mut warnings) = (listing.manifest, listing.skipped);
    if !host.fs().support().symlinks {
        let links = manifest.iter().filter(|(_, entry)| entry.mode == Mode::Symlink);
        warnings.extend(links.map(|(path, _)| format!("{path} is left out: the file system has no links")));
        manifest.retain(|_, entry| entry.mode != Mode::Symlink);
    }
    Ok(Goal { name: name.to_owned(), tree, manifest, warnings })
}

/// Carries an intent out, checks the outcome and journals the end.
///
/// # Errors
/// As [`apply::apply`] and [`apply::verify`].
pub(in crate::snapshot) async fn perform<H: Host>(
    host: &H,
    git: &H::Git,
    target: &Manifest,
    intent: &Intent,
) -> Result<(), Error> {
    apply::apply(host, git, target, &intent.steps).await?;
    apply::verify(host, target, &intent.steps).await?;
    host.fs().flush().await?;
    Ok(intent::store(host, &Intent { is_done: true, ..intent.clone() }).await?)
}

/// After a rollback failed: brings back what was there and says how it ended.
pub(in crate::snapshot) async fn give_up<H: Host>(
    host: &H,
    git: &H::Git,
    error: Error,
    intent: &Intent,
    saved: &Manifest,
    before: Option<&Intent>,
) -> Error {
    match take_back(host, git, intent, saved, before).await {
        Ok(()) => told(error, UNTOUCHED),
        Err(_) => told(error, HALF_DONE),
    }
}

/// The way back: every path that the rollback may have touched.
async fn take_back<H: Host>(
    host: &H,
    git: &H::Git,
    intent: &Intent,
    saved: &Manifest,
    before: Option<&Intent>,
) -> Result<(), Error> {
    let (restore, delete) = intent.steps.restore.iter().cloned().partition(|path| saved.contains_key(path));
    let mut back = intent::Steps { restore, delete };
    back.restore.extend(intent.steps.delete.iter().cloned());
    apply::apply(host, git, saved, &back).await?;
    apply::verify(host, saved, &back).await?;
    host.fs().flush().await?;
    Ok(intent::withdraw(host, before).await?)
}

/// What callers see of a rollback.
pub(in crate::snapshot) fn outcome(intent: Intent, warnings: Vec<String>) -> Rollback {
    Rollback {
        tag: intent.target.name,
        restored: intent.steps.restore,
        deleted: intent.steps.delete,
        undo: intent.undo.name,
        warnings,
    }
}

/// The record names no tree.
pub(in crate::snapshot) fn broken_record() -> Error {
    Error::new(ErrorCode::Corrupt, format!("the record of the last rollback, {UNDO}, is corrupt; delete it"))
}
