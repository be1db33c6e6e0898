//! HEAD, its branch and git's index around a call of the agent: what the call moves is put back.

use super::{HeadState, full_name, head};
use crate::error::Error;
use crate::layout::KEPT_REFS as KEPT;
use crate::port::Host;
use crate::snapshot::git_of;

/// HEAD and the index at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GitState {
    pub head: HeadState,
    index: Option<Vec<u8>>,
}

/// Reads HEAD and the index.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn state(host: &Host) -> Result<GitState, Error> {
    Ok(GitState { head: head(host).await?, index: git_of(host)?.read_index().await? })
}

/// Puts HEAD, its branch and the index back. Returns what was put back, as a sentence each; a commit that the branch
/// loses stays below a ref. No file changes.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn restore(host: &Host, before: &GitState) -> Result<Vec<String>, Error> {
    let git = git_of(host)?;
    let _turn = host.locks.turn().await;
    let (now, mut done) = (state(host).await?, Vec::new());
    let Some(branch) = before.head.branch.as_deref() else { return Ok(done) };
    let full = full_name(branch)?;
    let tip = git.resolve_ref(&full).await?;
    if tip != before.head.commit {
        if let Some(lost) = &tip {
            git.write_ref(&format!("{KEPT}/{lost}"), lost).await?;
            done.push(format!("The commit {lost} on {branch} is undone; {KEPT}/{lost} keeps it."));
        }
        host.fs.flush().await?;
        match &before.head.commit {
            Some(commit) => git.move_ref(&full, commit, tip.as_deref()).await?,
            None => git.delete_ref(&full).await?,
        }
    }
    if now.head.branch.as_deref() != Some(branch) {
        host.fs.flush().await?;
        git.write_head(branch).await?;
        done.push(format!("HEAD is back at {branch}."));
    }
    if now.index != before.index
        && let Some(index) = &before.index
    {
        git.write_index(index).await?;
        done.push("What was staged is unstaged.".to_owned());
    }
    if !done.is_empty() {
        host.fs.flush().await?;
    }
    Ok(done)
}

/// Points HEAD's branch to its last commit in the run's record, if a crash tore its ref. Returns whether it did.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn repair(host: &Host, branch: &str, commit: Option<&str>) -> Result<bool, Error> {
    let (git, now) = (git_of(host)?, head(host).await?);
    let Some(commit) = commit.filter(|_| now.commit.is_none() && now.branch.as_deref() == Some(branch)) else {
        return Ok(false);
    };
    git.move_ref(&full_name(branch)?, commit, None).await?;
    host.fs.flush().await?;
    Ok(true)
}
