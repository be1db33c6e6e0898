//! The branch of a run: HEAD, one commit for each accepted chunk or spec, and git's index. Only `run/branch` and the recipes that commit use it.
//!
//! Every call can be repeated after a crash: it completes what an earlier one began. Objects are durable before the branch
//! points to them, and the branch is before HEAD does. The user's branch never moves.

mod accept;
mod beginning;
mod in_progress;
mod index;
mod merge;
mod state;
mod switch;

pub use accept::{Acceptance, Accepted, accept};
pub use beginning::Beginning;
pub(crate) use beginning::{beginning, beginnings, record_beginning};
pub use in_progress::in_progress;
pub(crate) use in_progress::refuse_in_progress;
pub(crate) use index::require_index;
pub(crate) use merge::merge_base;
pub use merge::{Merged, merge};
pub(crate) use state::{GitState, repair, restore, state};
pub use switch::switch;
pub(crate) use switch::{refuse_folder, switch_with};

use super::git::{CacheTree, Entry, Manifest, Mode, StoredTree, Tree, has_below, read_commit, tags, tree_of_commit};
use super::info::{Change, FileChange};
use super::protect::is_protected;
use super::worktree::{Head, scan};
use super::{compare, git_of};
use crate::error::{Error, ErrorCode};
use crate::path::folders_above;
use crate::port::{GitPort, Host, Person};
use crate::text::listed;
use std::collections::{BTreeMap, BTreeSet};

/// Where HEAD is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadState {
    /// Without `refs/heads/`; `None` if HEAD is detached, or there is no repository.
    pub branch: Option<String>,
    /// `None` if the branch has no commit.
    pub commit: Option<String>,
}

/// Reads HEAD.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub async fn head(host: &Host) -> Result<HeadState, Error> {
    let git = git_of(host)?;
    Ok(HeadState { branch: git.current_branch().await?, commit: git.resolve_ref("HEAD").await? })
}

/// The commit of a branch; `None` if it does not exist or has none.
///
/// # Errors
/// `invalid-argument` for a name that git refuses; `unsupported` without git; otherwise what a port returns.
pub(crate) async fn tip(host: &Host, branch: &str) -> Result<Option<String>, Error> {
    Ok(git_of(host)?.resolve_ref(&full_name(branch)?).await?)
}

/// The author of the next commit: the repository's user, or loopgate.
pub async fn author(host: &Host) -> Result<Person, Error> {
    let user = git_of(host)?.user().await?;
    let (name, email) = user.unwrap_or_else(|| ("loopgate".to_owned(), "loopgate@localhost".to_owned()));
    let timestamp = i64::try_from(host.clock.now() / 1_000).unwrap_or(i64::MAX);
    Ok(Person { name, email, timestamp, timezone_offset: 0 })
}

/// The files that differ from HEAD, by path: modified, deleted, or untracked and not ignored. A rename is a deletion and an
/// addition. Files that rollbacks skip are left out.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub async fn dirty(host: &Host) -> Result<Vec<FileChange>, Error> {
    let commit = head(host).await?.commit;
    let files = tree_of(git_of(host)?, commit.as_deref()).await?.manifest;
    differing(host, &files).await
}

/// The message of a commit; `None` if it does not exist.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub async fn message(host: &Host, commit: &str) -> Result<Option<String>, Error> {
    match read_commit(git_of(host)?, commit).await {
        Ok(commit) => Ok(Some(commit.message)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Whether `commit` is `of` or one of its ancestors. Only the newest thousand commits are searched.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub async fn is_ancestor(host: &Host, commit: &str, of: &str) -> Result<bool, Error> {
    let mut is_found = false;
    walk(host, of, |oid| {
        is_found |= oid == commit;
        !is_found
    })
    .await?;
    Ok(is_found)
}

/// Visits a commit and its ancestors, newer levels first, up to [`SEARCHED_MAX`]. Where `visit` returns false, it does not
/// go on to the parents.
async fn walk(host: &Host, from: &str, mut visit: impl FnMut(&str) -> bool) -> Result<(), Error> {
    let git = git_of(host)?;
    let (mut level, mut seen) = (vec![from.to_owned()], BTreeSet::new());
    while !level.is_empty() && seen.len() < SEARCHED_MAX {
        let mut parents = Vec::new();
        for oid in level {
            if !visit(&oid) {
                continue;
            }
            match read_commit(git, &oid).await {
                Ok(found) => parents.extend(found.parents.into_iter().filter(|parent| seen.insert(parent.clone()))),
                // The history of a shallow clone ends here.
                Err(error) if error.is_not_found() && oid != from => {}
                Err(error) => return Err(error.into()),
            }
        }
        level = parents;
    }
    Ok(())
}

const SEARCHED_MAX: usize = 1_000;

/// The full name of a branch.
fn full_name(branch: &str) -> Result<String, Error> {
    if tags::is_valid(branch) {
        return Ok(format!("refs/heads/{branch}"));
    }
    let message = format!("{branch:?} is not a valid branch; use letters, digits, '-', '_', '.' and '/'");
    Err(Error::new(ErrorCode::InvalidArgument, message))
}

/// The files of a commit; none without one.
///
/// # Errors
/// `corrupt` if the commit cannot be read completely; `unsupported` without git; otherwise what a port returns.
pub(crate) async fn files_of(host: &Host, commit: Option<&str>) -> Result<Manifest, Error> {
    Ok(tree_of(git_of(host)?, commit).await?.manifest)
}

/// The newest commit of a branch whose message has `mark`, back to the commit `base`, with what it changed. The page may
/// have been closed before git's index had it, so that follows here, if HEAD is on the branch.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn find_marked(
    host: &Host,
    branch: &str,
    base: Option<&str>,
    mark: &str,
) -> Result<Option<(String, Vec<FileChange>)>, Error> {
    let git = git_of(host)?;
    let mut next = git.resolve_ref(&full_name(branch)?).await?;
    for _ in 0..SEARCHED_MAX {
        let Some(oid) = next.take().filter(|oid| Some(oid.as_str()) != base) else { break };
        let commit = read_commit(git, &oid).await?;
        let parent = commit.parents.into_iter().next();
        if commit.message.contains(mark) {
            let (before, after) = (files_of(host, parent.as_deref()).await?, files_of(host, Some(&oid)).await?);
            // The index of another branch has nothing of it.
            if git.current_branch().await?.as_deref() == Some(branch) {
                index::update(host, &before, &after, compare::differing(&before, &after)).await?;
                host.fs.flush().await?;
            }
            return Ok(Some((oid, compare::changes(&before, &after))));
        }
        next = parent;
    }
    Ok(None)
}

/// For each mark, the newest commit from `tip` back to the commit `base` whose message has it, with what it changed.
/// Without a base, only the newest commits are searched.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn find_all_marked(
    host: &Host,
    tip: &str,
    base: Option<&str>,
    marks: &[String],
) -> Result<Vec<Option<(String, Vec<FileChange>)>>, Error> {
    let git = git_of(host)?;
    let mut found = vec![None; marks.len()];
    let mut next = Some(tip.to_owned());
    for _ in 0..if base.is_some() { SEARCHED_MAX } else { SEARCHED_BLINDLY } {
        let Some(oid) = next.take().filter(|oid| Some(oid.as_str()) != base) else { break };
        if found.iter().all(Option::is_some) {
            break;
        }
        let commit = read_commit(git, &oid).await?;
        let parent = commit.parents.into_iter().next();
        for (mark, found) in marks.iter().zip(&mut found) {
            if found.is_none() && commit.message.contains(mark) {
                let (before, after) = (files_of(host, parent.as_deref()).await?, files_of(host, Some(&oid)).await?);
                *found = Some((oid.clone(), compare::changes(&before, &after)));
            }
        }
        next = parent;
    }
    Ok(found)
}

/// How many commits are searched for a mark if it is not known where to stop.
const SEARCHED_BLINDLY: usize = 200;

/// The paths that no commit on top of this one can change, because a folder above them cannot be written again.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn inexact(
    host: &Host,
    commit: Option<&str>,
    paths: impl Iterator<Item = &String>,
) -> Result<Vec<String>, Error> {
    let Some(commit) = commit else { return Ok(Vec::new()) };
    let inexact = tree_near(git_of(host)?, commit, &[]).await?.inexact;
    let is_inexact = |path: &&String| folders_above(path).chain([""]).any(|folder| inexact.contains(folder));
    Ok(paths.filter(is_inexact).cloned().collect())
}

/// The tree of a commit with all files, also those that no snapshot has.
///
/// # Errors
/// `corrupt` if the commit cannot be read completely.
pub(super) async fn tree_of(git: &dyn GitPort, commit: Option<&str>) -> Result<StoredTree, Error> {
    let Some(oid) = commit else { return Ok(StoredTree::default()) };
    let stored = tree_near(git, oid, &[]).await?;
    if stored.is_incomplete {
        let reason = stored.warnings.join("; ");
        let message = format!("commit {oid} cannot be read completely: {reason}; check the git port");
        return Err(Error::new(ErrorCode::Corrupt, message));
    }
    Ok(stored)
}

/// As [`tree_of`], with what can be read. Trees that one of the `hints` has are not read.
async fn tree_near(git: &dyn GitPort, oid: &str, hints: &[&Manifest]) -> Result<StoredTree, Error> {
    let root = tree_of_commit(git, oid).await?;
    StoredTree::read_all(git, root, hints).await
}

/// How the working tree differs from the files of a commit.
async fn differing(host: &Host, commit: &Manifest) -> Result<Vec<FileChange>, Error> {
    let links = host.fs.support().symlinks;
    let head = Head::load(host, git_of(host)?).await?;
    let now = scan(host, head.cache.as_ref(), &[commit], None).await?.manifest();
    let paths = compare::differing(commit, &now).into_iter();
    let changes = paths.filter_map(|path| {
        let (old, new) = (commit.get(path), now.get(path));
        let old = old.filter(|entry| is_file(path, entry.mode, links));
        let new = new.filter(|entry| is_file(path, entry.mode, links));
        let change = match (old, new) {
            (Some(_), Some(_)) => Change::Modified,
            (Some(_), None) => Change::Deleted,
            (None, Some(_)) => Change::Added,
            (None, None) => return None,
        };
        Some(FileChange { path: path.to_owned(), change, from: None })
    });
    Ok(changes.collect())
}

/// A commit's entry of this mode has a file that snapshots contain, on a host with `links` or without.
fn is_file(path: &str, mode: Mode, links: bool) -> bool {
    mode != Mode::Submodule && (links || mode != Mode::Symlink) && !is_protected(path)
}

/// The tree of a commit with these changes: its files, its folders, and the trees to write.
///
/// # Errors
/// The paths at which that is not possible: a file and a folder would have the same name, or a folder above contains a name
/// or an entry that cannot be written again.
fn tree_with(
    base: &StoredTree,
    changes: &BTreeMap<String, Option<Entry>>,
) -> Result<(Manifest, CacheTree, Vec<Tree>), Vec<String>> {
    let mut files = base.manifest.clone();
    for (path, state) in changes {
        match state {
            Some(entry) => drop(files.insert(path.clone(), *entry)),
            None => drop(files.remove(path)),
        }
    }
    let paths: BTreeSet<String> =
        changes.keys().filter(|path| files.get(*path) != base.manifest.get(*path)).cloned().collect();
    let is_both = |path: &str| folders_above(path).any(|folder| files.contains_key(folder)) || has_below(&files, path);
    // The trees above a change are written from what was read.
    let is_inexact = |path: &str| folders_above(path).chain([""]).any(|folder| base.inexact.contains(folder));
    let refused = paths.iter().filter(|path| (files.contains_key(*path) && is_both(path)) || is_inexact(path));
    let refused: Vec<String> = refused.cloned().collect();
    if !refused.is_empty() {
        return Err(refused);
    }
    let (cache, trees) = match base.trees.folders().next() {
        None => CacheTree::from_manifest(&files),
        Some(_) => {
            let mut cache = base.trees.clone();
            let trees = cache.update(&files, &paths);
            (cache, trees)
        }
    };
    Ok((files, cache, trees))
}

/// How many files an error names.
const NAMED_MAX: usize = 5;

fn join_paths(paths: &BTreeSet<String>) -> String {
    listed(&paths.iter().collect::<Vec<_>>(), NAMED_MAX)
}

fn moved(now: &HeadState, branch: &str, base: Option<&str>) -> Error {
    let place = match (&now.branch, &now.commit) {
        (Some(branch), Some(commit)) => format!("branch {branch} at commit {commit}"),
        (Some(branch), None) => format!("branch {branch} without a commit"),
        (None, Some(commit)) => format!("the detached commit {commit}"),
        (None, None) => "nothing".to_owned(),
    };
    let base = base.map_or("without a commit".to_owned(), |base| format!("at commit {base}"));
    let message = format!(
        "branch {branch} must be checked out {base}, but it was moved during the run (HEAD is {place}); \
         nothing was committed; restore the branch, or start a new run"
    );
    Error::new(ErrorCode::Conflict, message)
}
