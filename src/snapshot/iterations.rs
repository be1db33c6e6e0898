//! Snapshots of a run's iterations: commits under `refs/loopgate/iterations/<run>/<n>`. Users can go back to any of them
//! by that name.
//!
//! The parent of each is the newest snapshot that has a tag. No snapshot follows them, so removing an old one breaks
//! nothing, and git's garbage collection frees it. `.loopgate/iterations` lists their refs, oldest first; a ref is listed
//! before it is written, so that every ref can be found and removed.

use super::git::{Manifest, SharedCommits, tags};
use super::info::SnapshotInfo;
use super::save::{RefToWrite, commit, not_saved};
use super::worktree::{Base, Watch};
use super::{git_of, state};
use crate::error::{Error, ErrorCode};
use crate::port::{GitPort, Host, PortResult};

const PATH: &str = crate::layout::ITERATIONS;
const REFS: &str = crate::layout::ITERATION_REFS;

/// The iteration that ended.
#[derive(Debug, Clone, Copy)]
pub struct Iteration<'a> {
    /// The run's id.
    pub run: &'a str,
    /// 1-based.
    pub number: u32,
    /// The commit's message.
    pub message: &'a str,
    /// How many are kept, of all runs, this one included.
    pub kept: u32,
}

/// Saves the project after an iteration and removes the oldest iterations beyond `kept`. Durable with the next flush.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns. Earlier snapshots are intact in any case.
pub async fn save_iteration<H: Host>(
    host: &H,
    watch: &Watch,
    iteration: &Iteration<'_>,
) -> Result<SnapshotInfo, Error> {
    let git = git_of(host)?;
    let name = format!("{REFS}/{}/{}", iteration.run, iteration.number);
    let place = RefToWrite { name, is_tag: false, is_flushed: false };
    let saved = Box::pin(async {
        let _turn = watch.turn(host).await;
        let base = Base::load(host, git, watch).await?;
        let mut staged = base.stage(host, git, &place.name, &Manifest::new()).await?;
        let mut names = match staged.index.iterations.take() {
            Some(names) => names,
            None => names(host).await?,
        };
        names.retain(|name| *name != place.name);
        names.push(place.name.clone());
        state::prepare(host, &mut staged.index.is_prepared).await?;
        state::write(host, PATH, &names.join("\n")).await?;
        let mut saved = commit(host, git, staged, &place, Some(iteration.message)).await?;
        // Last, so that all old ones exist if this one cannot be saved. Their names leave the file with the next save.
        saved.info.warnings.extend(prune(git, &mut names, iteration.kept).await);
        saved.index.iterations = Some(names);
        Ok(saved)
    });
    Ok(saved.await.map_err(not_saved)?.update(watch))
}

/// The snapshots of all iterations, oldest first.
pub async fn list_iterations<H: Host>(host: &H) -> Result<Vec<SnapshotInfo>, Error> {
    let git = git_of(host)?;
    let (mut infos, shared) = (Vec::new(), SharedCommits::load(host).await?);
    for name in names(host).await? {
        match tags::read(git, &name).await {
            Ok(found) => {
                let info = found.and_then(|target| target.message.as_ref().map(|message| target.info(message)));
                infos.extend(info.map(|mut info| {
                    shared.complete(&mut info);
                    info
                }));
            }
            Err(error) if error.code == ErrorCode::Corrupt => {}
            Err(error) => return Err(error),
        }
    }
    Ok(infos)
}

/// The refs that may exist.
pub(super) async fn names<H: Host>(host: &H) -> PortResult<Vec<String>> {
    let text = state::read(host, PATH).await?.unwrap_or_default();
    // Other lines were not written by the harness.
    Ok(text.lines().filter(|name| name.starts_with(REFS)).map(str::to_owned).collect())
}

/// Removes the oldest. One that cannot be removed stays in the list, for the next save.
async fn prune(git: &impl GitPort, names: &mut Vec<String>, kept: u32) -> Vec<String> {
    let old = names.len().saturating_sub(kept.max(1) as usize);
    let mut warnings = Vec::new();
    let mut left = Vec::new();
    for name in names.drain(..old).collect::<Vec<_>>() {
        if let Err(error) = git.delete_ref(&name).await {
            warnings.push(format!("{name} could not be removed: {error}"));
            left.push(name);
        }
    }
    names.splice(0..0, left);
    warnings
}
