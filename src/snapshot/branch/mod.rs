//! The branch of a run: HEAD, one commit for each accepted chunk, and git's index. Only the recipe of the chunks uses it.
//!
//! Every call can be repeated after a crash: it completes what an earlier one began. Objects are durable before the branch
//! points to them, and the branch is before HEAD does. The user's branch never moves.

mod accept;
mod merge;

pub use super::restore::rollback_paths;
pub use accept::{Acceptance, Accepted, accept};

use super::git::{DirCache, Manifest, Mode, Oid, StoredTree, read_commit, tags};
use super::info::{Change, FileChange};
use super::restore::{recover, rollback_in};
use super::worktree::{Head, Watch, scan};
use super::{compare, git_of};
use crate::error::{Error, ErrorCode};
use crate::port::{ClockPort, FsPort, GitPort, Host, Person};
use std::collections::BTreeSet;

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
pub async fn head<H: Host>(host: &H) -> Result<HeadState, Error> {
    let git = git_of(host)?;
    Ok(HeadState { branch: git.current_branch().await?, commit: git.resolve_ref("HEAD").await? })
}

/// The author of the next commit: the repository's user, or loopgate.
pub async fn author<H: Host>(host: &H) -> Result<Person, Error> {
    let user = git_of(host)?.user().await?;
    let (name, email) = user.unwrap_or_else(|| ("loopgate".to_owned(), "loopgate@localhost".to_owned()));
    let timestamp = i64::try_from(host.clock().now() / 1_000).unwrap_or(i64::MAX);
    Ok(Person { name, email, timestamp, timezone_offset: 0 })
}

/// The files that differ from HEAD, by path: modified, deleted, or untracked and not ignored. A rename is a deletion and an
/// addition. Files that rollbacks skip are left out.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub async fn dirty<H: Host>(host: &H) -> Result<Vec<FileChange>, Error> {
    let commit = head(host).await?.commit;
    let files = tree_of(git_of(host)?, commit.as_deref()).await?.manifest;
    differing(host, &files).await
}

/// Points HEAD to the branch. Creates it at HEAD's commit if it does not exist; checks it out if it has another commit and
/// no file differs from HEAD.
///
/// # Errors
/// `invalid-argument` for a name that git refuses; `conflict` if a branch prevents the name, or files would be overwritten;
/// `unsupported` without git; otherwise what a port returns.
pub async fn switch<H: Host>(host: &H, watch: &Watch, branch: &str) -> Result<HeadState, Error> {
    let git = git_of(host)?;
    let full = full_name(branch)?;
    git.init().await?;
    // After a crash, a checkout may be half done.
    {
        let _turn = watch.turn(host).await;
        recover(host, git).await?;
    }
    let now = head(host).await?;
    if now.branch.as_deref() == Some(branch) {
        return Ok(now);
    }
    match (git.resolve_ref(&full).await?, &now.commit) {
        (Some(tip), commit) if commit.as_ref() != Some(&tip) => check_out(host, watch, &now, branch, &tip).await?,
        (None, Some(commit)) => {
            refuse_folder(git, branch).await?;
            git.move_ref(&full, commit, None).await?;
        }
        _ => {}
    }
    host.fs().flush().await?;
    git.write_head(branch).await?;
    host.fs().flush().await?;
    head(host).await
}

/// Moves the branch back to `base` if the agent moved it, and HEAD back to the branch. Without a `base` the branch is
/// removed. The index gets the entries of `base` where the agent's commits changed files.
///
/// # Errors
/// `conflict` if the branch or HEAD moved and the agent did not do that; `unsupported` without git; otherwise what a port
/// returns.
pub async fn reset<H: Host>(host: &H, branch: &str, base: Option<&str>, moved_by_agent: bool) -> Result<(), Error> {
    let git = git_of(host)?;
    let full = full_name(branch)?;
    let _turn = host.turn().await;
    let now = head(host).await?;
    let tip = git.resolve_ref(&full).await?;
    let is_elsewhere = now.branch.as_deref() != Some(branch);
    let is_moved = tip.as_deref() != base;
    // A branch without a commit has nothing to lose: a crash may have torn its ref.
    if !moved_by_agent && (is_elsewhere || (is_moved && tip.is_some())) {
        return Err(moved(&now, branch, base));
    }
    if is_moved {
        let files = tree_of(git, base).await?.manifest;
        let agents = tree_of(git, tip.as_deref()).await?.manifest;
        write_index(git, &files, compare::differing(&files, &agents)).await?;
        host.fs().flush().await?;
        match base {
            Some(base) => git.move_ref(&full, base, tip.as_deref()).await?,
            None => git.delete_ref(&full).await?,
        }
    }
    point_head(host, git, branch, &now).await
}

/// The message of a commit; `None` if it does not exist.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub async fn message<H: Host>(host: &H, commit: &str) -> Result<Option<String>, Error> {
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
pub async fn is_ancestor<H: Host>(host: &H, commit: &str, of: &str) -> Result<bool, Error> {
    let git = git_of(host)?;
    let (mut level, mut seen) = (vec![of.to_owned()], BTreeSet::new());
    while !level.is_empty() && seen.len() < SEARCHED_MAX {
        if level.iter().any(|oid| oid == commit) {
            return Ok(true);
        }
        let mut parents = Vec::new();
        for oid in level {
            match read_commit(git, &oid).await {
                Ok(found) => parents.extend(found.parents.into_iter().filter(|parent| seen.insert(parent.clone()))),
                // The history of a shallow clone ends here.
                Err(error) if error.is_not_found() && oid != of => {}
                Err(error) => return Err(error.into()),
            }
        }
        level = parents;
    }
    Ok(false)
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

/// Git cannot store the branch `a/b` beside the branch `a`.
async fn refuse_folder(git: &impl GitPort, branch: &str) -> Result<(), Error> {
    for folder in crate::path::folders_above(branch) {
        if git.resolve_ref(&format!("refs/heads/{folder}")).await?.is_some() {
            let message = format!(
                "git cannot store branch {branch} beside branch {folder}; rename {folder}, or use another branch"
            );
            return Err(Error::new(ErrorCode::Conflict, message));
        }
    }
    Ok(())
}

/// The tree of a commit with all files, also those that no snapshot has.
///
/// # Errors
/// `corrupt` if the commit cannot be read completely.
pub(super) async fn tree_of(git: &impl GitPort, commit: Option<&str>) -> Result<StoredTree, Error> {
    let Some(oid) = commit else { return Ok(StoredTree::default()) };
    tree_near(git, oid, &[]).await
}

/// As [`tree_of`]; trees that one of the `hints` has are not read.
async fn tree_near(git: &impl GitPort, oid: &str, hints: &[&Manifest]) -> Result<StoredTree, Error> {
    let tree = read_commit(git, oid).await?.tree;
    let root = Oid::parse(&tree)
        .ok_or_else(|| Error::new(ErrorCode::Git, format!("commit {oid} has no valid tree; check the git port")))?;
    let stored = StoredTree::read_all(git, root, hints).await?;
    if stored.is_incomplete {
        let reason = stored.warnings.join("; ");
        let message = format!("commit {oid} cannot be read completely: {reason}; check the git port");
        return Err(Error::new(ErrorCode::Corrupt, message));
    }
    Ok(stored)
}

/// How the working tree differs from the files of a commit.
async fn differing<H: Host>(host: &H, commit: &Manifest) -> Result<Vec<FileChange>, Error> {
    let links = host.fs().support().symlinks;
    let counts = |path: &str, mode: Mode| {
        mode != Mode::Submodule && (links || mode != Mode::Symlink) && !super::protect::is_protected(path)
    };
    let head = Head::load(host, git_of(host)?).await?;
    let now = scan(host, head.cache.as_ref(), &[commit], None).await?.manifest();
    let paths = compare::differing(commit, &now).into_iter();
    let changes = paths.filter_map(|path| {
        let (old, new) = (commit.get(path), now.get(path));
        let old = old.filter(|entry| counts(path, entry.mode));
        let new = new.filter(|entry| counts(path, entry.mode));
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

/// Makes the files and the index those of `tip`, if they are those of HEAD, or an earlier call made them those of `tip`.
async fn check_out<H: Host>(host: &H, watch: &Watch, now: &HeadState, branch: &str, tip: &str) -> Result<(), Error> {
    let git = git_of(host)?;
    let target = tree_of(git, Some(tip)).await?.manifest;
    if !differing(host, &target).await?.is_empty() {
        let current = tree_of(git, now.commit.as_deref()).await?.manifest;
        let mut dirty: BTreeSet<String> =
            differing(host, &current).await?.into_iter().map(|change| change.path).collect();
        dirty.extend(read_index(git).await?.map(|index| index.staged(&current)).unwrap_or_default());
        if let Some(first) = dirty.first() {
            let message = format!(
                "branch {branch} has other commits than HEAD, and {} changed files, such as {first}, would be lost; \
                 commit or remove them, or switch to {branch} yourself, and start again",
                dirty.len()
            );
            return Err(Error::new(ErrorCode::Conflict, message).at_path(first));
        }
        rollback_in(host, watch, &format!("refs/heads/{branch}")).await?;
    }
    let mut index = read_index(git).await?.unwrap_or_default();
    index.check_out(&target);
    Ok(git.write_index(&index.encode()).await?)
}

/// The index; `None` if there is none that can be read.
async fn read_index(git: &impl GitPort) -> Result<Option<DirCache>, Error> {
    Ok(git.read_index().await?.as_deref().and_then(DirCache::decode))
}

/// Makes the index have what a commit has at these paths. Without a readable index, writes that of the commit.
async fn write_index<'a>(
    git: &impl GitPort,
    files: &Manifest,
    paths: impl IntoIterator<Item = &'a str>,
) -> Result<(), Error> {
    let before = git.read_index().await?;
    let index = match before.as_deref().and_then(DirCache::decode) {
        Some(mut index) => {
            index.follow(files, paths);
            index
        }
        None => DirCache::of(files),
    };
    let bytes = index.encode();
    if before.as_ref() != Some(&bytes) {
        git.write_index(&bytes).await?;
    }
    Ok(())
}

/// Points HEAD to the branch, if it `now` is elsewhere.
async fn point_head<H: Host>(host: &H, git: &H::Git, branch: &str, now: &HeadState) -> Result<(), Error> {
    host.fs().flush().await?;
    if now.branch.as_deref() != Some(branch) {
        git.write_head(branch).await?;
        host.fs().flush().await?;
    }
    Ok(())
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
         nothing was committed or reset; restore the branch, or start a new run"
    );
    Error::new(ErrorCode::Conflict, message)
}
