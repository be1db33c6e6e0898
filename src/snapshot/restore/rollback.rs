//! Rollback and undo: save the files as they are, write the redo log, apply and verify it, mark it as done. Recovery after
//! a crash finishes a redo log, and removes the torn tag of a save.

use super::apply::{apply, revert};
use super::names::{leads_away, leave_names};
use super::plan::{RestorePlan, RestoreTarget, Scope};
use super::redo_log::{self, RedoLog, SnapshotRef};
use super::selection::Selection;
use crate::error::{Error, ErrorCode};
use crate::port::{GitPort, Host};
use crate::snapshot::compare::differing;
use crate::snapshot::git::{Catalog, Interrupted, Manifest, NamedCommit, Oid, StoredTree, list, tags, tree_of_commit};
use crate::snapshot::info::Rollback;
use crate::snapshot::names::TAG_REFS;
use crate::snapshot::save::{RefToWrite, before_rollback, commit, ref_for};
use crate::snapshot::worktree::{Base, Head, Watch, stat_cache};
use crate::snapshot::{git_of, with_outcome};
use futures_util::future::try_join;
use std::collections::BTreeSet;

pub(super) const UNCHANGED: &str = "nothing was rolled back, the files are unchanged";
const HALF_DONE: &str = "the rollback is half done; the next save or rollback finishes it";

/// Rolls the project back to a snapshot and saves what it replaces first. A tag that is not a snapshot needs its full
/// name (`refs/tags/v1`). Ignored files and submodules do not change. A dry run changes nothing.
///
/// # Errors
/// `not-found` with the nearest tags; `conflict` if something that a rollback never changes is in the way, before
/// any file is changed; `unsupported` without git; otherwise what a port returns.
pub async fn rollback(host: &Host, tag: &str, dry_run: bool) -> Result<Rollback, Error> {
    if !dry_run {
        return rollback_in(host, &Watch::default(), tag).await;
    }
    let git = git_of(host)?;
    Box::pin(preview(host, git, &find(git, tag).await?, Scope::All)).await
}

/// Rolls files and folders back to a snapshot; all others stay, and so do the files of the task. What the snapshot does not
/// have is deleted. Saves what it replaces first; [`undo`] restores that alone. A dry run changes nothing.
///
/// # Errors
/// As [`rollback`]; `invalid-argument` for a path that is outside of the project, or that no partial rollback changes;
/// `not-found` for a path that neither the snapshot nor the project has.
pub async fn rollback_paths(host: &Host, tag: &str, paths: &[String], dry_run: bool) -> Result<Rollback, Error> {
    let git = git_of(host)?;
    let selection = Selection::parse(&host.dir, paths)?;
    if dry_run {
        return Box::pin(preview(host, git, &find(git, tag).await?, Scope::Paths(&selection))).await;
    }
    let watch = Watch::default();
    let _turn = watch.turn(host).await;
    let target = find(git, tag).await?;
    let base = Box::pin(Base::load(host, git, &watch)).await?;
    Box::pin(restore(host, git, &watch, base, &target.name, target.tree, Scope::Paths(&selection))).await
}

/// Rolls back in a run: looks only at paths that changed since the last snapshot, and at those that differ.
pub async fn rollback_in(host: &Host, watch: &Watch, tag: &str) -> Result<Rollback, Error> {
    let git = git_of(host)?;
    let _turn = watch.turn(host).await;
    let target = find(git, tag).await?;
    let base = Box::pin(Base::load(host, git, watch)).await?;
    Box::pin(restore(host, git, watch, base, &target.name, target.tree, Scope::All)).await
}

/// Checks out these paths from a commit of the branch. They are files of the commit that is `left`, or absent, and not edited.
///
/// # Errors
/// As [`rollback`]; `conflict` if another file is in the way of one of the paths.
pub(crate) async fn check_out_paths(
    host: &Host,
    watch: &Watch,
    branch: &str,
    commit: &str,
    paths: &BTreeSet<String>,
    left: &Manifest,
) -> Result<Rollback, Error> {
    let git = git_of(host)?;
    let tree = tree_of_commit(git, commit).await?;
    // The index of the run lacks files that are ignored and tracked by git.
    watch.distrust(host);
    let _turn = watch.turn(host).await;
    let base = Box::pin(Base::load(host, git, watch)).await?;
    Box::pin(restore(host, git, watch, base, branch, tree, Scope::CheckOut(paths, left))).await
}

/// Restores what the last rollback, or undo, replaced: all files, or the files of a partial rollback. Saves the files as they
/// are first.
///
/// # Errors
/// `not-found` if there was no rollback; as [`rollback`].
pub async fn undo(host: &Host) -> Result<Rollback, Error> {
    let git = git_of(host)?;
    let watch = Watch::default();
    let _turn = watch.turn(host).await;
    let base = Box::pin(Base::load(host, git, &watch)).await?;
    let Some((undo, paths)) = base.last.as_ref().map(|last| (last.undo.clone(), last.paths.clone())) else {
        return Err(Error::new(ErrorCode::NotFound, "there is nothing to undo: this project was never rolled back"));
    };
    let selection = paths.as_deref().map(Selection::from_paths);
    let scope = selection.as_ref().map_or(Scope::Undo, Scope::UndoPaths);
    Box::pin(restore(host, git, &watch, base, &undo.name, undo.tree_id()?, scope)).await
}

async fn find(git: &dyn GitPort, tag: &str) -> Result<NamedCommit, Error> {
    let target = tags::find(git, tag).await?;
    if target.message.is_none() && !tag.starts_with("refs/") {
        let full = match tag {
            "HEAD" => git.current_branch().await?.map(|branch| format!("refs/heads/{branch}")),
            _ => tags::resolve(git, tag).await?.map(|(full, _)| full),
        };
        let anyway = match full {
            Some(full) => format!("use its full name: {full}"),
            None => "make a git tag of it, and use the full name of that: refs/tags/…".to_owned(),
        };
        let message = format!("{tag} is not a snapshot; to roll back to it anyway, {anyway}");
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    Ok(target)
}

async fn preview(host: &Host, git: &dyn GitPort, target: &NamedCommit, scope: Scope<'_>) -> Result<Rollback, Error> {
    let head = Head::load(host, git).await?;
    let mut target = RestoreTarget::read(host, git, &target.name, target.tree, &head.hints()).await?;
    let scan = head.scan(host, &scope.tracked(&target.manifest)).await?;
    let files = scan.manifest();
    target.select(&scope, &files)?;
    let mut plan = RestorePlan::new(host, git, &files, &target.manifest, &scan.skipped, scope).await?;
    target.warnings.extend(leave_names(&host.dir, &files, &mut plan).warnings);
    target.warnings.extend(plan.leave_links(host, git, &target.manifest).await?);
    Ok(report(target.name, plan, String::new(), target.warnings))
}

async fn restore(
    host: &Host,
    git: &dyn GitPort,
    watch: &Watch,
    mut base: Base,
    name: &str,
    tree: Oid,
    scope: Scope<'_>,
) -> Result<Rollback, Error> {
    let mut target = RestoreTarget::read(host, git, name, tree, &base.hints()).await?;
    // Stages every file that will be overwritten, also those that were written past the guard.
    let is_in_scope = |path: &&str| scope.selection().is_none_or(|selection| selection.has(path));
    let differing = differing(base.files(), &target.manifest);
    let differing: Vec<String> = differing.into_iter().filter(is_in_scope).map(str::to_owned).collect();
    base.touch(differing);
    base.refresh_catalog(host, git).await?;
    let before = base.last.clone();
    let saved = async {
        // Writing the redo log flushes.
        let options = before_rollback(watch);
        let place = RefToWrite { is_flushed: false, ..ref_for(host, git, base.catalog(), &options).await? };
        let mut staged = base.stage(host, git, &place.full, &scope.tracked(&target.manifest)).await?;
        let files = staged.index.files.clone();
        let trees = target.select(&scope, &files)?;
        // Before anything is saved: a rollback that is refused leaves no snapshot.
        let mut plan = RestorePlan::new(host, git, &files, &target.manifest, &staged.index.skipped, scope).await?;
        let names = leave_names(&host.dir, &files, &mut plan);
        if let (Scope::CheckOut(..), Some(path)) = (scope, names.left.first()) {
            // Without the file, the checkout would look like its deletion.
            let message = format!("{}, so {name} cannot be checked out", names.warnings.join("; "));
            return Err(Error::new(ErrorCode::Unsupported, message).at_path(path));
        }
        if scope.is_of_strangers() {
            target.warnings.extend(plan.leave_links(host, git, &target.manifest).await?);
        }
        if !trees.is_empty() {
            // The redo log names the tree, whether the save makes a commit or not.
            staged.objects.write_trees(trees).await?;
            staged.objects.write_all().await?;
        }
        let text = match scope.selection() {
            Some(selection) => format!("before the rollback of {} to {name}", selection.words()),
            None => format!("before the rollback to {name}"),
        };
        Ok((commit(host, git, staged, &place, Some(&text)).await?, files, plan, names.warnings))
    };
    let (mut saved, mut files, plan, names) = saved.await.map_err(|error| with_outcome(error, UNCHANGED))?;
    watch.forget_changed();
    let restored = SnapshotRef { name: target.name.clone(), tree: target.tree.to_string() };
    let paths = scope.selection().map(Selection::paths);
    let log = RedoLog::begin(host, restored, &saved.info, plan, paths, before.as_ref()).await?;
    let applied = async {
        if scope.selection().is_some() {
            log.keep_target(git).await?;
        }
        apply(host, git, &target.manifest, &log).await
    };
    if let Err(error) = applied.await {
        return Err(failed(error, revert(host, git, &log, &mut files, &target.manifest, before.as_ref()).await));
    }
    target.warnings.extend(names);
    target.warnings.append(&mut saved.info.warnings);
    // Other ignore rules make other files count. Without mode bits, the recorded mode depends on the snapshot before. A
    // checkout of some paths makes trees that are not stored.
    let changes_rules = log.plan.paths().any(|path| crate::path::name(path) == ".gitignore");
    if host.fs.support().chmod && !changes_rules && scope.is_whole() {
        saved.index.restored(&target.manifest, log.plan.paths().cloned());
        saved.index.head.rolled_back(&target);
        saved.index.record = Some(RedoLog { is_done: true, ..log.clone() }.encode(&host.state_key));
        saved.update(watch);
    }
    Ok(report(log.target.name, log.plan, log.undo.name, target.warnings))
}

fn report(tag: String, plan: RestorePlan, undo: String, warnings: Vec<String>) -> Rollback {
    Rollback { tag, restored: plan.restore, deleted: plan.delete, undo, warnings }
}

/// Finishes a rollback that was interrupted, and removes the torn tag of a save; called when a project is opened.
/// Returns the rollback that it finished. The next save reads every file: after a crash a file may be newer than its
/// time, as in LightningFS.
pub async fn finish_rollback(host: &Host) -> Result<Option<Rollback>, Error> {
    let Some(git) = host.git.as_deref() else { return Ok(None) };
    let _turn = Watch::default().turn(host).await;
    host.project().remove_file(stat_cache::PATH).await?;
    // A save without changes marks its ref by the record alone.
    let catalog = Catalog::load(host).await?;
    if let Some(full) = catalog.newest().and_then(|name| tags::refs_of(name).into_iter().next()) {
        remove_torn_ref(git, &catalog, &full).await?;
    }
    Ok(recover(host, git).await?.finished)
}

pub(crate) struct Recovered {
    /// The rollback that was interrupted and is finished.
    pub finished: Option<Rollback>,
    /// The last rollback.
    pub last: Option<RedoLog>,
}

/// Brings the project into a consistent state after a crash.
pub(crate) async fn recover(host: &Host, git: &dyn GitPort) -> Result<Recovered, Error> {
    let (interrupted, last) = try_join(Interrupted::load(host), RedoLog::load(host)).await?;
    if let Some(save) = interrupted {
        remove_torn_ref(git, &Catalog::default(), &save.name).await?;
        // The snapshot may be newer than the cache.
        host.project().remove_file(stat_cache::PATH).await?;
        save.clean_up(host, git).await?;
    }
    let Some(log) = last.as_ref().filter(|last| !last.is_done).cloned() else {
        return Ok(Recovered { finished: None, last });
    };
    let half_done = |error| with_outcome(error, HALF_DONE);
    let tree = log.target.tree_id()?;
    let mut saved = StoredTree::read(git, log.undo.tree_id()?, &[]).await.map_err(half_done)?.manifest;
    // A redo log of the harness has a path that leads to another folder on Windows only if the project had it before.
    if log.plan.paths().any(|path| leads_away(path, &saved)) {
        return Err(redo_log::corrupt());
    }
    let mut target = match RestoreTarget::read(host, git, &log.target.name, tree, &[&saved]).await {
        Ok(target) => target,
        Err(error) if error.retryable => return Err(half_done(error)),
        // The target's files are unknown, so a file that differs from its state before the rollback counts as changed by
        // the user, and stays.
        Err(error) => return Err(failed(error, revert(host, git, &log, &mut saved, &Manifest::new(), None).await)),
    };
    let (mut rest, stored) = (log.clone(), target.manifest.clone());
    let edited = rest.plan.leave_edited(host, git, &mut target.manifest, &saved).await.map_err(half_done)?;
    let left = |path| format!("{path} changed after the rollback was interrupted; it is left as it is");
    target.warnings.extend(edited.into_iter().map(left));
    let applied = async {
        // The crash may have torn the ref.
        rest.keep_target(git).await?;
        apply(host, git, &target.manifest, &rest).await
    };
    if let Err(error) = applied.await {
        return Err(failed(error, revert(host, git, &log, &mut saved, &stored, None).await));
    }
    rest.is_done = true;
    let RedoLog { target: SnapshotRef { name, .. }, plan, undo, .. } = rest.clone();
    Ok(Recovered { finished: Some(report(name, plan, undo.name, target.warnings)), last: Some(rest) })
}

/// The error of a rollback that was reverted, or could not be.
pub(super) fn failed(error: Error, reverted: Result<BTreeSet<String>, Error>) -> Error {
    match reverted {
        Ok(left) if left.is_empty() => with_outcome(error, UNCHANGED),
        Ok(left) => {
            let left = left.into_iter().collect::<Vec<_>>().join(", ");
            let outcome = format!("nothing was rolled back; changed meanwhile, so left as they are: {left}");
            with_outcome(error, &outcome)
        }
        Err(_) => with_outcome(error, HALF_DONE),
    }
}

/// Deletes a ref that a crash left torn, because git reports the repository as broken. Does nothing if `full` is empty.
async fn remove_torn_ref(git: &dyn GitPort, catalog: &Catalog, full: &str) -> Result<(), Error> {
    let tag = full.strip_prefix(TAG_REFS).and_then(|rest| rest.strip_prefix('/'));
    let is_absent = match tag {
        Some(tag) => !list::tags(git, catalog).await?.iter().any(|other| other == tag),
        None => full.is_empty(),
    };
    if is_absent {
        return Ok(());
    }
    match tags::read(git, full).await {
        Ok(Some(_)) => Ok(()),
        Err(error) if error.code != ErrorCode::Corrupt => Err(error),
        _ => Ok(git.delete_ref(full).await?),
    }
}
