//! Setting single files to known states. A file that somebody changed meanwhile stays, and so does one whose place is
//! taken; the others are set nevertheless.

use super::apply::{apply, is_blocked, present, remove_emptied, remove_file, replace, revert};
use super::names::leads_away;
use super::plan::RestorePlan;
use super::redo_log::{RedoLog, SnapshotRef};
use super::rollback::{UNCHANGED, failed};
use crate::error::Error;
use crate::port::Host;
use crate::snapshot::git::{CacheTree, Entry, Manifest};
use crate::snapshot::protect::is_in_snapshots;
use crate::snapshot::save::{RefToWrite, before_rollback, commit, ref_for};
use crate::snapshot::worktree::{Base, Watch};
use crate::snapshot::{git_of, with_outcome};
use std::collections::{BTreeMap, BTreeSet};

/// A file to set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// What it should be now; otherwise it stays as it is.
    pub before: Option<Entry>,
    pub after: Option<Entry>,
}

/// What [`restore_files`] did.
#[derive(Debug, Default)]
pub(crate) struct Restored {
    pub restored: Vec<String>,
    pub deleted: Vec<String>,
    /// The files that stay: they changed meanwhile, something is in their way, or their name leads away.
    pub left: Vec<String>,
    /// The snapshot of what was replaced; empty if nothing was.
    pub undo: String,
}

/// Sets files to states; one without a state is deleted. Every other file stays as it is. A tag keeps what is replaced, so
/// [`undo`](super::undo) restores it; ignored files and files of other repositories are in no snapshot and stay as they become here.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn restore_files(
    host: &Host,
    watch: &Watch,
    name: &str,
    wanted: &BTreeMap<String, Step>,
) -> Result<Restored, Error> {
    let git = git_of(host)?;
    let _turn = watch.turn(host).await;
    let mut base = Box::pin(Base::load(host, git, watch)).await?;
    base.refresh_catalog(host, git).await?;
    base.touch(wanted.keys().filter(|path| is_in_snapshots(path)).cloned());
    let before = base.last.clone();
    let place = RefToWrite { is_flushed: false, ..ref_for(host, git, base.catalog(), &before_rollback(watch)).await? };
    let mut staged = Box::pin(base.stage(host, git, &place.full, &Manifest::new())).await?;
    let mut files = staged.index.files.clone();
    let is_left_out = |path: &String| staged.index.is_left_out(path);
    let may_restore =
        |(path, step): &(&String, &Step)| is_in_snapshots(path) && !(step.after.is_some() && leads_away(path, &files));
    let (wanted, refused): (Vec<_>, Vec<_>) = wanted.iter().partition(may_restore);
    let (left_out, ours): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|(path, _)| is_left_out(path));
    let left = refused.into_iter().map(|(path, _)| path.clone()).collect();
    let mut done = Restored { left, ..Restored::default() };
    let mut target = files.clone();
    for (path, step) in ours {
        let now = files.get(path).copied();
        if is_same(host, now, step.before) {
            set(&mut target, path, step.after);
        } else if !is_same(host, now, step.after) {
            done.left.push(path.clone());
        }
    }
    let mut plan = RestorePlan::exact(&files, &target, host.fs.support().chmod);
    let deleted = left_out.iter().filter(|(_, step)| step.after.is_none()).map(|(path, _)| path.as_str()).collect();
    for path in leave_blocked(host, &mut plan, &files, &deleted).await? {
        set(&mut target, &path, files.get(&path).copied());
        done.left.push(path);
    }
    let log = if plan.is_empty() {
        staged.objects.write_all().await?;
        let stored = staged.objects.end().await?;
        watch.update(staged.index, stored);
        None
    } else {
        let (cache, trees) = CacheTree::from_manifest(&target);
        staged.objects.write_trees(trees).await?;
        staged.objects.write_all().await?;
        let text = format!("before {name}");
        let saved =
            commit(host, git, staged, &place, Some(&text)).await.map_err(|error| with_outcome(error, UNCHANGED))?;
        watch.forget_changed();
        let target = SnapshotRef { name: name.to_owned(), tree: cache.root().to_string() };
        Some(RedoLog::begin(host, target, &saved.info, plan, None, before.as_ref()).await?)
    };
    // What is deleted may be in the way of a file that is written.
    let (written, deleted): (Vec<_>, Vec<_>) = left_out.into_iter().partition(|(_, step)| step.after.is_some());
    for (path, step) in deleted {
        let now = present(host, path).await?;
        if now.is_none() {
            continue;
        }
        if is_same(host, now, step.before) {
            remove_file(host, path).await?;
            done.deleted.push(path.clone());
        } else {
            done.left.push(path.clone());
        }
        watch.touch(path);
    }
    remove_emptied(host, &done.deleted, &|_| false).await?;
    if let Some(mut log) = log {
        done.left.extend(leave_changed(host, &mut log.plan, &files).await?);
        done.left.extend(leave_blocked(host, &mut log.plan, &files, &BTreeSet::new()).await?);
        let applied = async {
            log.keep_target(git).await?;
            apply(host, git, &target, &log).await
        };
        if let Err(error) = applied.await {
            return Err(failed(error, revert(host, git, &log, &mut files, &target, before.as_ref()).await));
        }
        done.restored.extend(log.plan.restore);
        done.deleted.extend(log.plan.delete);
        done.undo = log.undo.name;
    }
    for (path, Step { before, after }) in written {
        let (now, Some(after)) = (present(host, path).await?, *after) else { continue };
        if is_same(host, now, Some(after)) {
            continue;
        }
        if is_same(host, now, *before) && !is_blocked(host, path, &|_| false).await? {
            replace(host, git, path, after).await?;
            done.restored.push(path.clone());
        } else {
            done.left.push(path.clone());
        }
        watch.touch(path);
    }
    Ok(done)
}

fn set(files: &mut Manifest, path: &str, state: Option<Entry>) {
    match state {
        Some(entry) => drop(files.insert(path.to_owned(), entry)),
        None => drop(files.remove(path)),
    }
}

fn is_same(host: &Host, a: Option<Entry>, b: Option<Entry>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => RestorePlan::is_same(&a, &b, host.fs.support().chmod),
        (None, None) => true,
        _ => false,
    }
}

/// Takes the files that are no longer as they were `saved` out of the plan, and returns them.
async fn leave_changed(host: &Host, plan: &mut RestorePlan, saved: &Manifest) -> Result<BTreeSet<String>, Error> {
    let mut changed = BTreeSet::new();
    for path in plan.paths() {
        if !is_same(host, present(host, path).await?, saved.get(path).copied()) {
            changed.insert(path.clone());
        }
    }
    plan.leave(&changed);
    Ok(changed)
}

/// Takes the files whose place is taken out of the plan, and returns them. The files in `deleted` will be gone.
async fn leave_blocked(
    host: &Host,
    plan: &mut RestorePlan,
    files: &Manifest,
    deleted: &BTreeSet<&str>,
) -> Result<BTreeSet<String>, Error> {
    let gone: BTreeSet<&str> = plan.delete.iter().map(String::as_str).chain(deleted.iter().copied()).collect();
    let mut blocked = BTreeSet::new();
    for path in &plan.restore {
        if RestorePlan::is_in_submodule(files, path) || is_blocked(host, path, &|path| gone.contains(path)).await? {
            blocked.insert(path.clone());
        }
    }
    plan.leave(&blocked);
    Ok(blocked)
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::port::memory::MemoryHost;
    use crate::snapshot::{Mode, SnapshotKind, capture};

    /// Captures, changes the files, captures again, lets the user act, and takes the change back.
    async fn take_back(host: &MemoryHost, change: impl Fn(), user: impl Fn()) -> Restored {
        let watch = Watch::of_run("run-1");
        let before = capture(host, &watch, &BTreeSet::new()).await.unwrap();
        change();
        let after = capture(host, &watch, &before.files.keys().cloned().collect()).await.unwrap();
        let paths = before.files.keys().chain(after.files.keys());
        let step = |path: &str| Step { before: after.files.get(path).copied(), after: before.files.get(path).copied() };
        let wanted: BTreeMap<_, _> = paths.map(|path| (path.clone(), step(path))).collect();
        let wanted = wanted.into_iter().filter(|(_, step)| step.before != step.after).collect();
        user();
        restore_files(host, &watch, "test", &wanted).await.unwrap()
    }

    fn project() -> MemoryHost {
        MemoryHost::new([(".gitignore", ".env\nbuild\n"), (".env", "USER"), ("data", "x"), ("a", "1")])
    }

    #[tokio::test]
    async fn an_obstacle_leaves_one_file_and_the_rest_is_restored() {
        let host = project();
        let change = || {
            for path in [".env", "data", "a"] {
                host.fs.delete(&format!("/project/{path}"));
            }
            host.put(".env/x", "AGENT");
            host.put("data/build/x", "AGENT");
        };
        let done = take_back(&host, change, || {}).await;
        assert_eq!((done.restored, done.left), (vec!["a".to_owned()], vec!["data".to_owned(), ".env".to_owned()]));
        assert_eq!(host.text("a").as_deref(), Some("1"));
        assert_eq!(host.text("data/build/x").as_deref(), Some("AGENT"));
        let listed = crate::snapshot::list(&host).await.unwrap();
        assert_eq!((listed[0].kind, listed[0].run_id.as_deref()), (SnapshotKind::Undo, Some("run-1")));
    }

    #[tokio::test]
    async fn what_the_user_saves_meanwhile_stays() {
        let host = project();
        let change = || [".env", "data", "a"].iter().for_each(|path| host.put(path, "AGENT"));
        let user = || [".env", "data"].iter().for_each(|path| host.put(path, "USER 2"));
        let done = take_back(&host, change, user).await;
        assert_eq!((done.restored, done.left), (vec!["a".to_owned()], vec!["data".to_owned(), ".env".to_owned()]));
        assert_eq!(host.text(".env").as_deref(), Some("USER 2"));
        assert_eq!(host.text("data").as_deref(), Some("USER 2"));
    }

    #[tokio::test]
    async fn the_mode_of_an_ignored_file_is_restored() {
        let host = project();
        let done = take_back(&host, || host.fs.set_mode("/project/.env", 0o755), || {}).await;
        assert_eq!(done.restored, [".env"]);
        assert_eq!(present(&host, ".env").await.unwrap().map(|entry| entry.mode), Some(Mode::File));
    }

    #[tokio::test]
    async fn a_folder_comes_back_in_place_of_a_link_to_it() {
        let host = project();
        host.put("src/dir/x", "USER");
        let change = || {
            host.put("src/other/x", "USER");
            host.fs.delete("/project/src/dir/x");
            host.fs.delete("/project/src/dir");
            host.fs.put_link("/project/src/dir", "other");
        };
        let done = take_back(&host, change, || {}).await;
        assert_eq!((done.deleted, done.left), (vec!["src/dir".to_owned(), "src/other/x".to_owned()], vec![]));
        assert_eq!(host.text("src/dir/x").as_deref(), Some("USER"));
        assert_eq!(host.text("src/other/x"), None);
    }
}
