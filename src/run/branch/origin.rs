//! The branch of a spec, and the one that it started from.

use crate::config::Branch;
use crate::error::{Error, ErrorCode};
use crate::layout::{HANDOFF_SPECS, SPECS};
use crate::port::Host;
use crate::run::lease::Lease;
use crate::run::recipe::{chunks, specs};
use crate::snapshot::Watch;
use crate::snapshot::branch::{self, Beginning, Merged};

/// The branch that a run over a spec commits to. `name` is the part of the branch that names the spec; `head` is HEAD's branch.
///
/// # Errors
/// `conflict` for a detached HEAD with `current`.
pub(in crate::run) fn branch_of(mode: Branch, name: &str, head: Option<&str>) -> Result<String, Error> {
    match (mode, head) {
        (Branch::Spec, _) => Ok(spec_branch(name)),
        (Branch::Current, Some(head)) => Ok(head.to_owned()),
        (Branch::Current, None) => {
            let message =
                "HEAD is detached, and `git.branch` is `current`: check out a branch, or set `git.branch` to `spec`";
            Err(Error::new(ErrorCode::Conflict, message))
        }
    }
}

/// The branch of a spec, unless `git.branch` is `current`.
pub(in crate::run) fn spec_branch(name: &str) -> String {
    format!("{PREFIX}{name}")
}

const PREFIX: &str = "spec/";

/// How many branches of specs are followed to the one that the first of them started from.
const FOLLOWED_MAX: usize = 32;

/// The branch from which another branch started, through the branches of all specs between them. `None` if it is no branch of a
/// spec, or its beginning is lost.
async fn origin(host: &Host, branch: &str) -> Result<Option<String>, Error> {
    let mut origin = None;
    let mut next = branch.to_owned();
    for _ in 0..FOLLOWED_MAX {
        let Some(name) = next.strip_prefix(PREFIX) else { break };
        let of_chunks = chunks::beginning(host.project(), name).await?;
        let beginning = if of_chunks.is_some() { of_chunks } else { branch::beginning(host, &next).await? };
        let Some(started) = beginning.and_then(|beginning| beginning.branch) else { break };
        origin = Some(started.clone());
        next = started;
    }
    Ok(origin)
}

/// Where the branch of a spec starts: at `base`, or at the branch that the user was on before the first spec, or at HEAD.
///
/// # Errors
/// `invalid-config` for a base that does not exist; otherwise what a port returns.
pub(in crate::run) async fn begin(host: &Host, own: &str, base: Option<&str>) -> Result<Beginning, Error> {
    let head = branch::head(host).await?;
    let from = match (base, &head.branch) {
        (Some(base), _) => Some(base.to_owned()),
        (None, Some(branch)) if branch != own => origin(host, branch).await?,
        (None, _) => None,
    };
    let Some(from) = from.filter(|from| head.branch.as_ref() != Some(from)) else {
        return Ok(Beginning { branch: head.branch.filter(|branch| branch != own), commit: head.commit });
    };
    let tip = branch::tip(host, &from).await.map_err(|error| match (error.code, base) {
        (ErrorCode::InvalidArgument, Some(_)) => {
            Error::new(ErrorCode::InvalidConfig, format!("`git.base`: {}", error.message))
        }
        _ => error,
    })?;
    match (tip, base) {
        (None, Some(_)) => {
            let message = format!(
                "`git.base` names branch {from}, which does not exist or has no commit: create it, or change `git.base`"
            );
            Err(Error::new(ErrorCode::InvalidConfig, message))
        }
        // The user removed the branch.
        (None, None) => Ok(Beginning { branch: head.branch, commit: head.commit }),
        (commit, _) => Ok(Beginning { branch: Some(from), commit }),
    }
}

/// Checks out the branch from which the spec at HEAD started. Has the project's lease meanwhile.
///
/// # Errors
/// `conflict` if HEAD is not at the branch of a spec, its beginning is not known, or files that are not committed would be
/// overwritten; `locked` if a run has the project. In these cases nothing is changed.
pub async fn leave_branch(host: &Host) -> Result<String, Error> {
    holding(host, async || {
        let head = branch::head(host).await?.branch.unwrap_or_else(|| "a detached commit".to_owned());
        let Some(origin) = origin(host, &head).await? else {
            let message = match head.starts_with(PREFIX) {
                true => format!("it is not known from which branch {head} started: switch with git (`git switch`)"),
                false => format!("HEAD is at {head}, which is not the branch of a spec: nothing to leave"),
            };
            return Err(Error::new(ErrorCode::Conflict, message));
        };
        require(host, &origin).await?;
        branch::switch(host, &Watch::default(), &origin, None).await?;
        Ok(origin)
    })
    .await
}

/// Merges the branch of a spec into the one from which it started, and checks that out. Has the project's lease meanwhile.
///
/// # Errors
/// `invalid-argument` for an id that no spec can have; `not-found` without its branch; `conflict` if its beginning is not
/// known, or as [`branch::merge`]; `locked` if a run has the project. In these cases nothing is changed.
pub async fn merge_branch(host: &Host, spec: &str) -> Result<Merged, Error> {
    // The path of a spec names it as well.
    let below = spec.strip_prefix(SPECS).and_then(|path| path.strip_prefix('/')?.strip_suffix(".md"));
    let spec = below.unwrap_or(spec);
    if spec.split('/').any(|part| matches!(part, "" | "." | "..")) {
        let message = format!(
            "{spec:?} is not the id of a spec: pass the name of its folder in `{HANDOFF_SPECS}`, or its path below \
             `{SPECS}` without `.md`"
        );
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    holding(host, async || {
        let own = spec_branch(&specs::ref_part(spec));
        // The branch itself, as events name it.
        let own = match branch::tip(host, &own).await? {
            None if spec.starts_with(PREFIX) => spec.to_owned(),
            _ => own,
        };
        require(host, &own).await?;
        let Some(origin) = origin(host, &own).await? else {
            let message =
                format!("it is not known from which branch {own} started: merge it with git (`git merge {own}`)");
            return Err(Error::new(ErrorCode::Conflict, message));
        };
        require(host, &origin).await?;
        branch::merge(host, &Watch::default(), &own, &origin).await
    })
    .await
}

async fn require(host: &Host, branch: &str) -> Result<(), Error> {
    match branch::tip(host, branch).await? {
        Some(_) => Ok(()),
        None => Err(Error::new(ErrorCode::NotFound, format!("branch {branch} does not exist; nothing is changed"))),
    }
}

/// Does this with the project's lease.
async fn holding<T>(host: &Host, work: impl AsyncFnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let now = host.clock.now();
    let lease = Lease::acquire(host, "branches", &format!("branches-{now}"), false).await?;
    let done = lease.keep(&*host.clock, Box::pin(work())).await;
    lease.release(host.clock.now()).await;
    done
}
