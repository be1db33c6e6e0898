//! Rollback and undo: save what is there, journal the intent, perform it, verify it, journal the end.
//!
//! An error on the way brings back what was there. A crash on the way is finished by the next call that writes, or
//! by [`finish_rollback`] when the project is opened.

use super::info::Rollback;
use super::intent::{self, Intent, Point};
use super::manifest::{Manifest, Mode};
use super::objects::{self, read_listing};
use super::oid::Oid;
use super::position::Position;
use super::save::{SaveOptions, save};
use super::scan::{Basis, scan};
use super::stat_cache;
use super::steps;
use super::tags::{self, Target};
use super::{apply, git_of};
use crate::error::{Error, ErrorCode};
use crate::port::{FsPort, GitPort, Host};

const HALF_DONE: &str = "the rollback is half done; the next call that saves or rolls back finishes it";

/// Where a rollback goes.
struct Goal {
    name: String,
    tree: Oid,
    manifest: Manifest,
    warnings: Vec<String>,
}

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
    finish_rollback(host).await?;
    let hint = Position::load(host, git).await?.listing.manifest;
    let goal = goal_of(host, git, &target.name, target.tree, &hint).await?;
    restore(host, git, goal).await
}

/// Brings back what the last rollback, or undo, replaced, saving the present first.
///
/// # Errors
/// `not-found` where nothing was rolled back; as [`rollback`].
pub async fn undo<H: Host>(host: &H) -> Result<Rollback, Error> {
    let git = git_of(host)?;
    finish_rollback(host).await?;
    let Some(Intent { undo: Point { name, tree }, .. }) = intent::load(host).await? else {
        return Err(Error::new(ErrorCode::NotFound, "there is nothing to undo: no rollback was made in this project"));
    };
    let tree = Oid::parse(&tree).ok_or_else(broken_record)?;
    let hint = Position::load(host, git).await?.listing.manifest;
    let goal = goal_of(host, git, &name, tree, &hint).await?;
    restore(host, git, goal).await
}

/// Finishes a rollback that was cut off, and removes the tag of a save that was; called when a project is opened.
/// Gives what was finished, if anything was.
///
/// # Errors
/// What a port says; then it is tried again by the next call.
pub async fn finish_rollback<H: Host>(host: &H) -> Result<Option<Rollback>, Error> {
    let Some(git) = host.git() else { return Ok(None) };
    remove_torn_tag(host, git).await?;
    let Some(intent) = intent::load(host).await?.filter(|intent| !intent.is_done) else { return Ok(None) };
    // After a crash the times of files may be older than what is in them.
    host.project().remove_file(stat_cache::PATH).await?;
    let tree = Oid::parse(&intent.target.tree).ok_or_else(broken_record)?;
    let finished = async {
        let goal = goal_of(host, git, &intent.target.name, tree, &Manifest::new()).await?;
        perform(host, git, &goal.manifest, &intent).await?;
        Ok(goal.warnings)
    };
    match finished.await {
        Ok(warnings) => Ok(Some(outcome(intent, warnings))),
        Err(error) => {
            let saved = saved_before(git, &intent).await;
            Err(match saved {
                Ok(saved) => give_up(host, git, error, &intent, &saved, None).await,
                Err(_) => told(error, HALF_DONE),
            })
        }
    }
}

async fn saved_before(git: &impl GitPort, intent: &Intent) -> Result<Manifest, Error> {
    let tree = Oid::parse(&intent.undo.tree).ok_or_else(broken_record)?;
    Ok(read_listing(git, tree, &Manifest::new()).await?.manifest)
}

/// A crash may have torn the tag of a save: real git would call the repository broken.
async fn remove_torn_tag<H: Host>(host: &H, git: &H::Git) -> Result<(), Error> {
    let Some(tag) = objects::interrupted(host).await? else { return Ok(()) };
    if !git.list_tags().await?.contains(&tag) {
        return Ok(());
    }
    match tags::read(git, &tag, &tags::full(&tag)).await {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Ok(git.delete_ref(&tags::full(&tag)).await?),
        Err(error) if error.code == ErrorCode::Corrupt => Ok(git.delete_ref(&tags::full(&tag)).await?),
        Err(error) => Err(error),
    }
}

/// Reads where to go. What the host cannot hold is left out; what cannot be read stops it.
async fn goal_of<H: Host>(host: &H, git: &H::Git, name: &str, tree: Oid, hint: &Manifest) -> Result<Goal, Error> {
    let listing = read_listing(git, tree, hint).await?;
    if let Some(skipped) = listing.skipped.first() {
        let message = format!("{name} cannot be read whole, so nothing was touched: {skipped}; check the git port");
        return Err(Error::new(ErrorCode::Corrupt, message));
    }
    let (mut manifest, mut warnings) = (listing.manifest, Vec::new());
    if !host.fs().support().symlinks {
        let links = manifest.iter().filter(|(_, entry)| entry.mode == Mode::Symlink);
        warnings.extend(links.map(|(path, _)| format!("{path} is left out: the file system has no links")));
        manifest.retain(|_, entry| entry.mode != Mode::Symlink);
    }
    Ok(Goal { name: name.to_owned(), tree, manifest, warnings })
}

async fn look<H: Host>(host: &H, git: &H::Git, target: &Target) -> Result<Rollback, Error> {
    let position = Position::load(host, git).await?;
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

async fn restore<H: Host>(host: &H, git: &H::Git, mut goal: Goal) -> Result<Rollback, Error> {
    let options = SaveOptions { message: Some(format!("before the rollback to {}", goal.name)), tag: None };
    let saved = save(host, git, &options, &goal.manifest).await?;
    let kept = steps::kept(host, git, &saved.manifest, &goal.manifest).await?;
    let steps = steps::between(&saved.manifest, &goal.manifest, host.fs().support().chmod, &kept);
    steps::check_way(&steps, &saved.left)?;
    let before = intent::load(host).await?;
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

async fn perform<H: Host>(host: &H, git: &H::Git, target: &Manifest, intent: &Intent) -> Result<(), Error> {
    apply::apply(host, git, target, &intent.steps).await?;
    apply::verify(host, target, &intent.steps).await?;
    host.fs().flush().await?;
    Ok(intent::store(host, &Intent { is_done: true, ..intent.clone() }).await?)
}

/// After a rollback failed: brings back what was there and says how it ended.
async fn give_up<H: Host>(
    host: &H,
    git: &H::Git,
    error: Error,
    intent: &Intent,
    saved: &Manifest,
    before: Option<&Intent>,
) -> Error {
    match take_back(host, git, intent, saved, before).await {
        Ok(()) => told(error, "nothing was rolled back, the files are as they were"),
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

fn outcome(intent: Intent, warnings: Vec<String>) -> Rollback {
    Rollback {
        tag: intent.target.name,
        restored: intent.steps.restore,
        deleted: intent.steps.delete,
        undo: intent.undo.name,
        warnings,
    }
}

fn told(error: Error, outcome: &str) -> Error {
    Error { message: format!("{} ({outcome})", error.message), ..error }
}

fn broken_record() -> Error {
    Error::new(ErrorCode::Corrupt, "the record of the last rollback, .loopgate/undo, makes no sense; remove it")
}
