//! Rollback and undo: save what is there, journal the intent, perform it, verify it, journal the end.

use super::info::Rollback;
use super::intent::{self, Intent, Point};
use super::oid::Oid;
use super::perform::{UNTOUCHED, broken_record, give_up, goal_of, outcome, perform};
use super::position::Position;
use super::recover::{Recovered, recover};
use super::save::{SaveOptions, save_at};
use super::scan::{Basis, scan};
use super::steps;
use super::tags::{self, Target};
use super::{git_of, told};
use crate::error::{Error, ErrorCode};
use crate::port::{FsPort, Host};

/// Brings the project back to a snapshot, saving what it replaces first. A tag that is no snapshot must be named
/// fully (`refs/tags/v1`). Ignored files and submodules are not touched. A dry run changes nothing.
///
/// # Errors
/// `not-found` with the nearest tags; `conflict` where something that must not be touched is in the way, before
/// anything is touched; `unsupported` without git; otherwise what a port says.
pub async fn rollback<H: Host>(host: &H, tag: &str, dry_run: bool) -> Result<Rollback, Error> {
    let git = git_of(host)?;
    let target = tags::find(git, tag).await?;
    if target.message.is_none() && !tag.starts_with("refs/") {
        let message = format!("{tag} is no snapshot; to roll back to it all the same, name it fully: refs/tags/{tag}");
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    if dry_run {
        return look(host, git, &target).await;
    }
    let recovered = recover(host, git).await?;
    restore(host, git, recovered, &target.name, target.tree).await
}

/// Brings back what the last rollback, or undo, replaced, saving the present first.
///
/// # Errors
/// `not-found` where nothing was rolled back; as [`rollback`].
pub async fn undo<H: Host>(host: &H) -> Result<Rollback, Error> {
    let git = git_of(host)?;
    let recovered = recover(host, git).await?;
    let Some(Point { name, tree }) = recovered.last.as_ref().map(|last| last.undo.clone()) else {
        return Err(Error::new(ErrorCode::NotFound, "there is nothing to undo: no rollback was made in this project"));
    };
    let tree = Oid::parse(&tree).ok_or_else(broken_record)?;
    restore(host, git, recovered, &name, tree).await
}

async fn look<H: Host>(host: &H, git: &H::Git, target: &Target) -> Result<Rollback, Error> {
    let position = Position::load(host, git, false).await?;
    let goal = goal_of(host, git, &target.name, target.tree, &position.listing.manifest).await?;
    let tracked = [&position.listing.manifest, &goal.manifest];
    let scan = scan(host, Basis { cache: position.cache.as_ref(), tracked: &tracked }).await?;
    let current = scan.manifest();
    let kept = steps::kept(host, git, &current, &goal.manifest).await?;
    let steps = steps::between(&current, &goal.manifest, host.fs().support().chmod, &kept);
    steps::check_way(&steps, &scan.left)?;
    Ok(Rollback {
        tag: goal.name,
        restored: steps.restore,
        deleted: steps.delete,
        undo: String::new(),
        warnings: goal.warnings,
    })
}

async fn restore<H: Host>(
    host: &H,
    git: &H::Git,
    recovered: Recovered,
    name: &str,
    tree: Oid,
) -> Result<Rollback, Error> {
    let position = Position::load(host, git, recovered.in_doubt).await?;
    let mut goal = goal_of(host, git, name, tree, &position.listing.manifest).await?;
    let options = SaveOptions { message: Some(format!("before the rollback to {name}")), tag: None };
    let saved = save_at(host, git, &options, &position, &goal.manifest);
    let saved = saved.await.map_err(|error| told(error, UNTOUCHED))?;
    let kept = steps::kept(host, git, &saved.manifest, &goal.manifest).await?;
    let steps = steps::between(&saved.manifest, &goal.manifest, host.fs().support().chmod, &kept);
    steps::check_way(&steps, &saved.left)?;
    let before = recovered.last;
    let intent = Intent {
        is_done: false,
        target: Point { name: goal.name, tree: goal.tree.to_string() },
        undo: Point { name: saved.info.tag, tree: saved.info.tree },
        steps,
    };
    if let Err(error) = intent::store(host, &intent).await {
        // Where even this fails, the next call performs the rollback: whole again.
        let _ = intent::withdraw(host, before.as_ref()).await;
        return Err(error.into());
    }
    if let Err(error) = perform(host, git, &goal.manifest, &intent).await {
        return Err(give_up(host, git, error, &intent, &saved.manifest, before.as_ref()).await);
    }
    goal.warnings.extend(saved.info.warnings);
    Ok(outcome(intent, goal.warnings))
}
