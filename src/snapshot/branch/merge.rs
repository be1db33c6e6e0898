//! Merging the branch of a run into the branch that it began on: a fast-forward, or a commit with both as parents.

use super::switch::check_out;
use super::{
    SEARCHED_MAX, author, full_name, head, index, is_ancestor, join_paths, refuse_in_progress, tip, tree_of, tree_with,
    walk,
};
use crate::error::{Error, ErrorCode};
use crate::port::{Commit, Host};
use crate::snapshot::compare;
use crate::snapshot::git::{Entry, ObjectWriter};
use crate::snapshot::git_of;
use crate::snapshot::merge::merge_entries;
use crate::snapshot::restore::recover;
use crate::snapshot::worktree::Watch;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What [`merge`] did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Merged {
    /// The commit of the branch.
    pub commit: String,
    /// The branch needed no commit of its own.
    pub fast_forward: bool,
}

/// Merges the branch `from` into the branch `into`. If HEAD is at one of them, it is at `into` afterwards. Files that are
/// not committed stay as they are. Called again after a crash, it completes the merge.
///
/// # Errors
/// `not-found` if a branch does not exist; `conflict` if both changed the same lines, a file that is not committed would be
/// overwritten, or an operation of the user is in progress. Nothing is changed then. `unsupported` without git, or with a
/// split or sparse index; otherwise what a port returns.
pub async fn merge(host: &Host, watch: &Watch, from: &str, into: &str) -> Result<Merged, Error> {
    let git = git_of(host)?;
    {
        let _turn = watch.turn(host).await;
        recover(host, git).await?;
    }
    refuse_in_progress(host).await?;
    index::require_index(host).await?;
    let full = full_name(into)?;
    let (theirs, ours) = (tip_of(host, from).await?, tip_of(host, into).await?);
    let now = head(host).await?;
    let (tip, fast_forward) = if is_ancestor(host, &theirs, &ours).await? {
        (ours.clone(), true)
    } else if is_ancestor(host, &ours, &theirs).await? {
        (theirs, true)
    } else {
        (merge_commit(host, (from, &theirs), (into, &ours)).await?, false)
    };
    let is_at = |branch: &str| now.branch.as_deref() == Some(branch);
    if (is_at(from) || is_at(into)) && now.commit.as_ref() != Some(&tip) {
        check_out(host, watch, &now, into, &tip).await?;
    }
    host.fs.flush().await?;
    if ours != tip {
        git.move_ref(&full, &tip, Some(&ours)).await?;
        host.fs.flush().await?;
    }
    if is_at(from) {
        git.write_head(into).await?;
        host.fs.flush().await?;
    }
    Ok(Merged { commit: tip, fast_forward })
}

async fn tip_of(host: &Host, branch: &str) -> Result<String, Error> {
    tip(host, branch).await?.ok_or_else(|| {
        Error::new(ErrorCode::NotFound, format!("branch {branch} does not exist; check its name with `git branch`"))
    })
}

/// Writes the commit that has the changes of both branches. No branch points to it yet.
async fn merge_commit(host: &Host, (from, theirs): (&str, &str), (into, ours): (&str, &str)) -> Result<String, Error> {
    let git = git_of(host)?;
    let Some(base) = merge_base(host, ours, theirs).await? else {
        let message = format!(
            "branches {from} and {into} have no common commit among their newest {SEARCHED_MAX}; merge them with git"
        );
        return Err(Error::new(ErrorCode::Conflict, message));
    };
    let base = tree_of(git, Some(&base)).await?;
    let left = tree_of(git, Some(ours)).await?;
    let right = tree_of(git, Some(theirs)).await?;
    let entry = |path: &str| [&base, &left, &right].map(|tree| tree.manifest.get(path).copied());
    let (mut changes, mut refused) = (BTreeMap::<String, Option<Entry>>::new(), BTreeSet::new());
    for path in compare::differing(&base.manifest, &right.manifest) {
        let [base, ours, theirs] = entry(path);
        match merge_entries(host, base, ours, theirs).await? {
            Some(merged) => drop(changes.insert(path.to_owned(), merged)),
            None => drop(refused.insert(path.to_owned())),
        }
    }
    let (_, cache, trees) = match tree_with(&left, &changes) {
        Ok(tree) if refused.is_empty() => tree,
        Ok(_) => return Err(conflict(from, into, &refused)),
        Err(paths) => return Err(conflict(from, into, &refused.into_iter().chain(paths).collect())),
    };
    let commit = Commit {
        tree: cache.root().to_string(),
        parents: vec![ours.to_owned(), theirs.to_owned()],
        message: format!("Merge branch '{from}'\n"),
        author: author(host).await?,
    };
    let mut objects = ObjectWriter::new(host, git, "", left.objects());
    objects.write_trees(trees).await?;
    let oid = objects.write_commit(&commit).await?.to_string();
    host.fs.flush().await?;
    objects.end().await?;
    Ok(oid)
}

fn conflict(from: &str, into: &str, paths: &BTreeSet<String>) -> Error {
    let message = format!(
        "branches {from} and {into} both changed {}; nothing is merged: merge {from} with git, or undo one of the changes",
        join_paths(paths)
    );
    let error = Error::new(ErrorCode::Conflict, message);
    match paths.first() {
        Some(first) => error.at_path(first),
        None => error,
    }
}

/// The newest common ancestor. Crossed histories have several; the first one found counts.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn merge_base(host: &Host, ours: &str, theirs: &str) -> Result<Option<String>, Error> {
    let mut known = BTreeSet::new();
    walk(host, ours, |oid| {
        known.insert(oid.to_owned());
        true
    })
    .await?;
    let mut common: Vec<String> = Vec::new();
    walk(host, theirs, |oid| {
        let is_common = known.contains(oid);
        if is_common {
            common.push(oid.to_owned());
        }
        !is_common
    })
    .await?;
    for (at, oid) in common.iter().enumerate() {
        let mut is_newest = true;
        for (_, other) in common.iter().enumerate().filter(|(other, _)| *other != at) {
            is_newest &= !is_ancestor(host, oid, other).await?;
        }
        if is_newest {
            return Ok(Some(oid.clone()));
        }
    }
    Ok(None)
}
