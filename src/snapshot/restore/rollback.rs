//! Rollback and undo: save what is there, journal the intent, perform it, verify it, journal the end.

use super::intent::{self, Intent, Point};
use super::perform::{UNTOUCHED, broken_record, give_up, goal_of, outcome, perform};
use super::steps;
use crate::error::{Error, ErrorCode};
use crate::port::{FsPort, Host};
use crate::snapshot::compare::differing;
use crate::snapshot::git::oid::Oid;
use crate::snapshot::git::tags::{self, Target};
use crate::snapshot::git_of;
use crate::snapshot::info::Rollback;
use crate::snapshot::save::{Place, SaveOptions, keep, place_of};
use crate::snapshot::told;
use crate::snapshot::worktree::position::Position;
use crate::snapshot::worktree::present::Start;
use crate::snapshot::worktree::scan::{Basis, scan};
use crate::snapshot::worktree::watch::Watch;

/// Brings the project back to a snapshot, saving what it replaces first. A tag that is no snapshot must be named
/// fully (`refs/tags/v1`). Ignored files and submodules are not touched. A dry run changes nothing.
///
/// # Errors
/// `not-found` with the nearest tags; `conflict` where something that must not be touched is in the way, before
/// anything is touched; `unsupported` without git; otherwise what a port says.
pub async fn rollback<H: Host>(host: &H, tag: &str, dry_run: bool) -> Result<Rollback, Error> {
    if !dry_run {
        return rollback_in(host, &Watch::default(), tag).await;
    }
    let git = git_of(host)?;
    Box::pin(look(host, git, &target_of(git, tag).await?)).await
}

/// Brings the project back to a snapshot in a run, looking only at what the run's watch does not know, and at what
/// differs.
///
/// # Errors
/// As [`rollback`].
pub async fn rollback_in<H: Host>(host: &H, watch: &Watch, tag: &str) -> Result<Rollback, Error> {
    let git = git_of(host)?;
    let _turn = watch.turn(host).await;
    let target = target_of(git, tag).await?;
    let start = Box::pin(Start::of(host, git, watch)).await?;
    Box::pin(restore(host, git, watch, start, &target.name, target.tree)).await
}

/// Brings back what the last rollback, or undo, replaced, saving the present first.
///
/// # Errors
/// `not-found` where nothing was rolled back; as [`rollback`].
pub async fn undo<H: Host>(host: &H) -> Result<Rollback, Error> {
    let git = git_of(host)?;
    let watch = Watch::default();
    let _turn = host.turn().await;
    let start = Box::pin(Start::of(host, git, &watch)).await?;
    let Some(Point { name, tree }) = start.last.as_ref().map(|last| last.undo.clone()) else {
        return Err(Error::new(ErrorCode::NotFound, "there is nothing to undo: no rollback was made in this project"));
    };
    let tree = Oid::parse(&tree).ok_or_else(broken_record)?;
    Box::pin(restore(host, git, &watch, start, &name, tree)).await
}

async fn target_of<G: crate::port::GitPort>(git: &G, tag: &str) -> Result<Target, Error> {
    let target = tags::find(git, tag).await?;
    if target.message.is_none() && !tag.starts_with("refs/") {
        let message = format!("{tag} is no snapshot; to roll back to it all the same, name it fully: refs/tags/{tag}");
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    Ok(target)
}

async fn look<H: Host>(host: &H, git: &H::Git, target: &Target) -> Result<Rollback, Error> {
    let position = Position::load(host, git).await?;
    let goal = goal_of(host, git, &target.name, target.tree, &position.hints()).await?;
    let tracked = [position.tracked(), &goal.manifest];
    let scan = scan(host, Basis { cache: position.cache.as_ref(), tracked: &tracked }).await?;
    let current = scan.manifest();
    let kept = steps::kept(host, git, &current, &goal.manifest).await?;
    let steps = steps::between(&current, &goal.manifest, host.fs().support().chmod, &kept);
    steps::check_way(host, &steps, &current, &scan.left).await?;
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
    watch: &Watch,
    mut start: Start,
    name: &str,
    tree: Oid,
) -> Result<Rollback, Error> {
    let mut goal = goal_of(host, git, name, tree, &start.hints()).await?;
    // Whatever is to be overwritten is looked at, and so saved, whoever wrote it.
    let differ: Vec<String> = differing(start.files(), &goal.manifest).into_iter().map(str::to_owned).collect();
    start.touch(differ);
    let before = start.last.clone();
    let saved = async {
        // The record of the rollback is flushed next.
        let place = Place { is_flushed: false, ..place_of(host, git, &SaveOptions::default()).await? };
        let present = start.look(host, git, &place.name, &goal.manifest).await?;
        let files = present.known.files.clone();
        let kept = steps::kept(host, git, &files, &goal.manifest).await?;
        let steps = steps::between(&files, &goal.manifest, host.fs().support().chmod, &kept);
        // Before anything is saved: a rollback that is refused leaves no snapshot.
        steps::check_way(host, &steps, &files, &present.known.left).await?;
        let text = format!("before the rollback to {name}");
        Ok((keep(host, git, present, &place, Some(&text)).await?, files, steps))
    };
    let (mut saved, files, steps) = saved.await.map_err(|error| told(error, UNTOUCHED))?;
    let intent = Intent {
        is_done: false,
        target: Point { name: goal.name.clone(), tree: goal.tree.to_string() },
        undo: Point { name: saved.info.tag.clone(), tree: saved.info.tree.clone() },
        steps,
    };
    if let Err(error) = intent::store(host, &intent).await {
        // Where even this fails, the next call performs the rollback: whole again.
        let _ = intent::withdraw(host, before.as_ref()).await;
        return Err(error.into());
    }
    if let Err(error) = perform(host, git, &goal.manifest, &intent).await {
        return Err(give_up(host, git, error, &intent, &files, before.as_ref()).await);
    }
    goal.warnings.extend(std::mem::take(&mut saved.info.warnings));
    if is_known_after(host, &intent) {
        saved.known.became(&goal.manifest, intent.steps.restore.iter().chain(&intent.steps.delete).cloned());
        saved.known.position.rolled_back(&goal);
        saved.known.record = Some(intent::stored_form(&Intent { is_done: true, ..intent.clone() }));
        saved.tell(watch);
    }
    Ok(outcome(intent, goal.warnings))
}

/// A run knows the files after a rollback: other ignore rules would make other files count, and where the host has no
/// mode bits, which mode is recorded depends on the snapshot before.
fn is_known_after<H: Host>(host: &H, intent: &Intent) -> bool {
    let paths = intent.steps.restore.iter().chain(&intent.steps.delete);
    host.fs().support().chmod && !paths.into_iter().any(|path| path.rsplit('/').next() == Some(".gitignore"))
}
