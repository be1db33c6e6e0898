//! Git's index after a commit or a checkout: it gets what changed, and keeps what the user staged.

use crate::error::{Error, ErrorCode};
use crate::port::{GitPort, Host};
use crate::snapshot::git::{DirCache, Manifest, Unread};
use crate::snapshot::git_of;
use crate::snapshot::merge::merge_entries;

/// What is read of git's index.
pub(super) enum Index {
    Absent,
    /// Git cannot read it either.
    Damaged,
    Read(DirCache),
}

/// Reads git's index.
///
/// # Errors
/// `unsupported` for one that would lose what only its form says; what a port returns.
pub(super) async fn read(git: &dyn GitPort) -> Result<Index, Error> {
    let Some(bytes) = git.read_index().await? else { return Ok(Index::Absent) };
    let (form, command) = match DirCache::decode(&bytes) {
        Ok(index) => return Ok(Index::Read(index)),
        Err(Unread::Damaged) => return Ok(Index::Damaged),
        Err(Unread::Split) => (
            "split",
            "run `git config core.splitIndex false` and `git update-index --no-split-index`, which keep what is staged",
        ),
        Err(Unread::Sparse) => (
            "sparse",
            "run `git sparse-checkout reapply --no-sparse-index`, which keeps the sparse checkout and what is staged",
        ),
        Err(Unread::Other) => ("of an unknown form", "commit what is staged, and run `git read-tree HEAD`"),
    };
    let message =
        format!("git's index is {form}, and a run over chunks cannot write it: {command}, then start or resume");
    Err(Error::new(ErrorCode::Unsupported, message))
}

/// Refuses an index that a commit could not write.
///
/// # Errors
/// As [`read`]; `unsupported` without git.
pub(crate) async fn require_index(host: &Host) -> Result<(), Error> {
    read(git_of(host)?).await.map(drop)
}

/// Brings the change from `before` to `after` at these paths into the index. Where the user staged something else, the
/// entry gets both, as in a merge. Returns the paths where that is not possible; their entries stay. Without a readable index,
/// writes the name of `after`, unless a name may be lossy.
///
/// # Errors
/// As [`read`]; `unsupported` without git.
pub(super) async fn update<'a>(
    host: &Host,
    before: &Manifest,
    after: &Manifest,
    paths: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<String>, Error> {
    let (git, mut left) = (git_of(host)?, Vec::new());
    let index = match read(git).await? {
        Index::Read(mut index) => {
            let mut changes = Vec::new();
            for path in paths {
                let (old, new) = (before.get(path).copied(), after.get(path).copied());
                let merged = match index.staged(path) {
                    Some(staged) => merge_entries(host, old, staged, new).await?,
                    None => None,
                };
                match merged {
                    Some(entry) => changes.push((path, entry)),
                    None => left.push(path.to_owned()),
                }
            }
            // A merge may have stored an object.
            host.fs.flush().await?;
            // A file that goes may be in the way of one that comes.
            changes.sort_by_key(|(_, entry)| entry.is_some());
            left.extend(
                changes.into_iter().filter(|(path, entry)| !index.set(path, *entry)).map(|(path, _)| path.to_owned()),
            );
            index
        }
        Index::Absent | Index::Damaged if after.keys().any(|path| path.contains(char::REPLACEMENT_CHARACTER)) => {
            return Ok(left);
        }
        Index::Absent | Index::Damaged => DirCache::from_files(after),
    };
    let bytes = index.encode();
    if git.read_index().await?.as_ref() != Some(&bytes) {
        git.write_index(&bytes).await?;
    }
    Ok(left)
}

/// Names files whose entries stay in the index; `None` without one.
pub(super) fn left_staged(paths: &[String]) -> Option<String> {
    (!paths.is_empty()).then(|| {
        let names = paths.join(", ");
        format!("What you staged of these files stays, without the changes of the commit in the same lines: {names}")
    })
}
