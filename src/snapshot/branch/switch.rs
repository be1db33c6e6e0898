//! Switching to the branch of a run, as `git switch` does: only the paths at which the two commits differ change, in the
//! working tree and in the index. What the user changed, staged or created elsewhere stays.

use super::index::Index;
use super::{HeadState, full_name, head, in_progress, index, is_file, join_paths, tree_of};
use crate::error::{Error, ErrorCode};
use crate::path::folders_above;
use crate::port::{FileKind, FsSupport, Host};
use crate::snapshot::git::{DirCache, Entry, Manifest};
use crate::snapshot::restore::{check_out_paths, recover};
use crate::snapshot::worktree::{Head, Watch, scan};
use crate::snapshot::{compare, git_of};
use std::collections::{BTreeMap, BTreeSet};

/// Points HEAD to the branch. Creates it at the commit `start`, or at HEAD's, if it does not exist; checks it out if it has
/// another commit. Files that are not committed stay as they are, also their entries in the index.
///
/// # Errors
/// `invalid-argument` for a name that git refuses; `conflict` if a branch prevents the name, a file that is not committed would be
/// overwritten, or an operation of the user is [`in_progress()`]; `unsupported` without git, or with a split or sparse index that a
/// checkout would change; otherwise what a port returns.
pub async fn switch(host: &Host, watch: &Watch, branch: &str, start: Option<&str>) -> Result<HeadState, Error> {
    Ok(switch_with(host, watch, branch, start).await?.0)
}

/// As [`switch`], with what the user should know about, such as a link that is left out.
///
/// # Errors
/// As [`switch`].
pub(crate) async fn switch_with(
    host: &Host,
    watch: &Watch,
    branch: &str,
    start: Option<&str>,
) -> Result<(HeadState, Vec<String>), Error> {
    let git = git_of(host)?;
    let full = full_name(branch)?;
    git.init().await?;
    // After a crash, a checkout may be half done.
    {
        let _turn = watch.turn(host).await;
        recover(host, git).await?;
    }
    in_progress::refuse_in_progress(host).await?;
    let now = head(host).await?;
    if now.branch.as_deref() == Some(branch) {
        return Ok((now, Vec::new()));
    }
    let mut warnings = Vec::new();
    match (git.resolve_ref(&full).await?, &now.commit) {
        (Some(tip), commit) if commit.as_ref() != Some(&tip) => {
            warnings = check_out(host, watch, &now, branch, &tip).await?;
        }
        (None, Some(commit)) => {
            refuse_folder(host, branch).await?;
            let start = start.unwrap_or(commit);
            if start != commit {
                warnings = check_out(host, watch, &now, branch, start).await?;
            }
            git.move_ref(&full, start, None).await?;
        }
        _ => {}
    }
    host.fs.flush().await?;
    git.write_head(branch).await?;
    host.fs.flush().await?;
    Ok((head(host).await?, warnings))
}

/// Git cannot store the branch `a/b` beside the branch `a`.
///
/// # Errors
/// `conflict` if there is such a branch; `unsupported` without git; otherwise what a port returns.
pub(crate) async fn refuse_folder(host: &Host, branch: &str) -> Result<(), Error> {
    let git = git_of(host)?;
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

/// Checks out `tip` into the working tree and the index at the paths at which it differs from HEAD's commit. An earlier call may
/// have done that for some paths. Links that lead out of the project are left out; returns warnings that name them.
pub(super) async fn check_out(
    host: &Host,
    watch: &Watch,
    now: &HeadState,
    branch: &str,
    tip: &str,
) -> Result<Vec<String>, Error> {
    let git = git_of(host)?;
    let index = match index::read(git).await? {
        Index::Read(index) => Some(index),
        Index::Absent => None,
        Index::Damaged => return Err(damaged_index(branch)),
    };
    let left = tree_of(git, now.commit.as_deref()).await?.manifest;
    let target = tree_of(git, Some(tip)).await?.manifest;
    let saved = Head::load(host, git).await?;
    let scan = scan(host, saved.cache.as_ref(), &[&left, &target], None).await?;
    let found =
        Found { files: &scan.manifest(), skipped: &scan.skipped, index: index.as_ref(), support: host.fs.support() };
    let paths = plan(&left, &target, &found).map_err(|paths| would_be_overwritten(branch, &paths))?;
    let warnings = match paths.is_empty() {
        true => Vec::new(),
        false => check_out_paths(host, watch, &full_name(branch)?, tip, &paths, &left).await?.warnings,
    };
    // The plan refuses a path at which the index has something else.
    index::update(host, &left, &target, compare::differing(&left, &target)).await?;
    Ok(warnings)
}

/// What a checkout finds.
struct Found<'a> {
    /// The working tree.
    files: &'a Manifest,
    /// What it has besides: ignored or protected entries and other repositories.
    skipped: &'a BTreeMap<String, FileKind>,
    index: Option<&'a DirCache>,
    support: FsSupport,
}

impl Found<'_> {
    /// The entry, if the host has a file for it that may change.
    fn file<'a>(&self, files: &'a Manifest, path: &str) -> Option<&'a Entry> {
        files.get(path).filter(|entry| is_file(path, entry.mode, self.support.symlinks))
    }

    fn is_same(&self, a: Option<&Entry>, b: Option<&Entry>) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => {
                compare::content(a) == compare::content(b) && (!self.support.chmod || a.mode == b.mode)
            }
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    fn is_staged(&self, path: &str, entry: Option<&Entry>) -> bool {
        self.index.is_none_or(|index| index.is_at(path, entry))
    }
}

/// The files that a checkout writes or deletes; `Err` has those that prevent it, because they are neither as in the commit
/// that is left nor as in the target, or in the way of a file of the target.
fn plan(left: &Manifest, target: &Manifest, found: &Found<'_>) -> Result<BTreeSet<String>, BTreeSet<String>> {
    let differing = compare::differing(left, target);
    let changing: BTreeSet<&str> = differing.iter().copied().collect();
    let staged = found.index.map(DirCache::paths).unwrap_or_default();
    let mut present: BTreeSet<&str> = staged.iter().map(String::as_str).collect();
    present.extend(found.files.keys().chain(found.skipped.keys()).map(String::as_str));
    let (mut paths, mut refused) = (BTreeSet::new(), BTreeSet::new());
    for path in differing {
        let [old, new, now] = [left, target, found.files].map(|files| found.file(files, path));
        let (is_old, is_new) = (found.is_same(now, old), found.is_same(now, new));
        let may_move = found.is_staged(path, left.get(path)) || (is_new && found.is_staged(path, target.get(path)));
        if !may_move || !(is_old || is_new) {
            refused.insert(path.to_owned());
            continue;
        }
        if !is_new {
            paths.insert(path.to_owned());
            // Another repository in place of the file.
            refused.extend((new.is_some() && found.skipped.contains_key(path)).then(|| path.to_owned()));
        }
        // Nothing is in the way of what is there already.
        if target.contains_key(path) && !(is_new && found.is_staged(path, target.get(path))) {
            let below = format!("{path}/");
            let below = present.range(below.as_str()..).copied().take_while(|other| other.starts_with(&below));
            let above = folders_above(path).filter(|folder| present.contains(folder));
            let in_the_way = above.chain(below).filter(|other| !changing.contains(other));
            refused.extend(in_the_way.map(str::to_owned));
        }
    }
    if refused.is_empty() { Ok(paths) } else { Err(refused) }
}

fn would_be_overwritten(branch: &str, paths: &BTreeSet<String>) -> Error {
    let message = format!(
        "switching to branch {branch} would overwrite files that are not committed: {}; commit, stash or remove them, \
         then start again",
        join_paths(paths)
    );
    let error = Error::new(ErrorCode::Conflict, message);
    match paths.first() {
        Some(first) => error.at_path(first),
        None => error,
    }
}

fn damaged_index(branch: &str) -> Error {
    let message = format!(
        "branch {branch} has another commit than HEAD, and git's index is damaged, so staged files could be lost; switch to {branch} with git, then start again"
    );
    Error::new(ErrorCode::Conflict, message)
}
