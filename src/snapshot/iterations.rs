//! Snapshots of a run's iterations: commits under `refs/loopgate/iterations/<run>/<n>`. Users can go back to any of them
//! by that name.
//!
//! The parent of each is the newest snapshot that has a tag. No snapshot follows them, so removing an old one breaks
//! nothing, and git's garbage collection frees it. `.loopgate/iterations` lists their refs, oldest first; a ref is listed
//! before it is written, so that every ref can be found and removed without a list of all refs.

use super::git::{Catalog, Manifest, tags};
use super::info::{SnapshotInfo, SnapshotKind};
use super::labels::Labels;
use super::save::{RefToWrite, commit, not_saved};
use super::worktree::{Base, Watch};
use super::{AT_ONCE, git_of, state};
use crate::error::{Error, ErrorCode};
use crate::port::{GitPort, Host, PortResult};
use futures_util::future::join_all;
use std::collections::BTreeMap;

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
pub async fn save_iteration(host: &Host, watch: &Watch, iteration: &Iteration<'_>) -> Result<SnapshotInfo, Error> {
    let git = git_of(host)?;
    let name = format!("{REFS}/{}/{}", iteration.run, iteration.number);
    let place = RefToWrite {
        full: name.clone(),
        name,
        kind: SnapshotKind::Iteration,
        run: Some(iteration.run.to_owned()),
        label: None,
        labels: Labels::default(),
        is_tag: false,
        is_flushed: false,
    };
    let saved = Box::pin(async {
        let _turn = watch.turn(host).await;
        let base = Base::load(host, git, watch).await?;
        let mut staged = base.stage(host, git, &place.full, &Manifest::new()).await?;
        let mut names = match staged.index.iterations.take() {
            Some(names) => names,
            None => names(host, git).await?,
        };
        names.retain(|name| *name != place.name);
        names.push(place.name.clone());
        staged.index.head.catalog.keep_iterations(&names);
        state::prepare(host, &mut staged.index.is_prepared).await?;
        state::write(host, PATH, &names.join("\n")).await?;
        let mut saved = commit(host, git, staged, &place, Some(iteration.message)).await?;
        // Last, so that all old ones exist if this one cannot be saved. Their names leave the file with the next save.
        saved.info.warnings.extend(prune(host, git, &mut names, iteration.kept).await);
        saved.index.iterations = Some(names);
        Ok(saved)
    });
    Ok(saved.await.map_err(not_saved)?.update(watch))
}

/// The snapshots of all iterations, oldest first.
pub async fn list_iterations(host: &Host) -> Result<Vec<SnapshotInfo>, Error> {
    let (git, catalog) = (git_of(host)?, Catalog::load(host).await?);
    let mut infos = Vec::new();
    for name in names(host, git).await? {
        let mut commit = match tags::read(git, &name).await {
            Ok(Some(commit)) => commit,
            Ok(None) => continue,
            Err(error) if error.code == ErrorCode::Corrupt => continue,
            Err(error) => return Err(error),
        };
        if !catalog.complete(&mut commit)
            && let Some(message) = commit.message.as_mut()
        {
            // Another snapshot may have the same commit.
            message.kind = SnapshotKind::Iteration;
            message.run = name.strip_prefix(REFS).and_then(|rest| rest.split('/').nth(1)).map(str::to_owned);
        }
        infos.extend(commit.message.as_ref().map(|message| commit.info(message)));
    }
    Labels::load(host).await?.add_to(&mut infos);
    Ok(infos)
}

/// The refs that may exist, oldest first. Without the file, those that exist.
pub(super) async fn names(host: &Host, git: &dyn GitPort) -> Result<Vec<String>, Error> {
    match recorded_names(host).await? {
        Some(names) => Ok(names),
        None => sorted(git, existing(git).await?).await,
    }
}

/// As [`names`]; `None` if the refs would have to be read, for their order.
pub(super) async fn known_names(host: &Host, git: &dyn GitPort) -> PortResult<Option<Vec<String>>> {
    match recorded_names(host).await? {
        Some(names) => Ok(Some(names)),
        None => Ok(existing(git).await?.is_empty().then(Vec::new)),
    }
}

/// The names in the file; `None` without a complete file.
async fn recorded_names(host: &Host) -> PortResult<Option<Vec<String>>> {
    let Some(text) = state::read(host, PATH).await? else { return Ok(None) };
    // Other lines were not written by the harness.
    Ok(Some(text.lines().filter(|name| name.starts_with(REFS)).map(str::to_owned).collect()))
}

/// How many iterations are taken over if their list is lost. A repository may come with any number of such refs.
const TAKEN_OVER_MAX: usize = 200;

/// The existing refs by their runs and numbers, with their objects where the list has them.
type Existing = BTreeMap<(String, u32), Option<String>>;

/// The newest of the existing refs, by the ids of their runs.
async fn existing(git: &dyn GitPort) -> PortResult<Existing> {
    let key = |name: &str| {
        let (run, number) = name.split_once('/').filter(|(run, _)| tags::is_valid(run))?;
        Some((run.to_owned(), number.parse().ok()?))
    };
    let mut found = Existing::new();
    if let Some(refs) = git.read_refs(&[REFS], &[]).await? {
        let below = |name: &str| key(name.strip_prefix(REFS)?.strip_prefix('/')?);
        found.extend(refs.into_iter().filter_map(|listed| Some((below(&listed.name)?, listed.oid))));
    } else {
        let mut names = git.list_refs(REFS, &[]).await?.unwrap_or_default();
        names.sort();
        for name in names.into_iter().rev() {
            if found.len() >= TAKEN_OVER_MAX {
                break;
            }
            // Some git ports list one folder.
            let numbers = match name.split_once('/') {
                Some(_) => vec![name],
                None => {
                    let numbers = git.list_refs(&format!("{REFS}/{name}"), &[]).await?.unwrap_or_default();
                    numbers.into_iter().map(|number| format!("{name}/{number}")).collect()
                }
            };
            found.extend(numbers.iter().filter_map(|name| Some((key(name)?, None))));
        }
    }
    while found.len() > TAKEN_OVER_MAX {
        found.pop_first();
    }
    Ok(found)
}

/// The names of refs by the time of their runs. A run that cannot be read is the oldest.
async fn sorted(git: &dyn GitPort, found: Existing) -> Result<Vec<String>, Error> {
    let (mut found, mut times) = (Vec::from_iter(found), BTreeMap::new());
    for chunk in found.chunks(AT_ONCE) {
        let reads = chunk.iter().map(async |((run, number), oid)| {
            let full = format!("{REFS}/{run}/{number}");
            match oid {
                Some(oid) => tags::read_at(git, &full, &full, oid.clone()).await,
                None => tags::read(git, &full).await,
            }
        });
        for (((run, _), _), read) in chunk.iter().zip(join_all(reads).await) {
            let at = match read {
                Err(error) if error.code != ErrorCode::Corrupt => return Err(error),
                read => read.ok().flatten().and_then(|commit| Some(commit.message?.at)).unwrap_or_default(),
            };
            let newest = times.entry(run.clone()).or_insert(at);
            *newest = at.max(*newest);
        }
    }
    found.sort_by_key(|((run, number), _)| (times.get(run).copied(), run.clone(), *number));
    Ok(found.into_iter().map(|((run, number), _)| format!("{REFS}/{run}/{number}")).collect())
}

/// How many iterations a save removes at most: git ports write all packed refs again for each.
const REMOVED_MAX: usize = 50;

/// Removes the oldest that are not pinned. One that cannot be removed stays in the list, for the next save.
async fn prune(host: &Host, git: &dyn GitPort, names: &mut Vec<String>, kept: u32) -> Vec<String> {
    let old = names.len().saturating_sub(kept.max(1) as usize).min(REMOVED_MAX);
    if old == 0 {
        return Vec::new();
    }
    let mut warnings = Vec::new();
    let labels = match Labels::load(host).await {
        Ok(labels) => labels,
        Err(error) => return vec![format!("no old iteration was removed, because the pins cannot be read: {error}")],
    };
    let mut left = Vec::new();
    for name in names.drain(..old).collect::<Vec<_>>() {
        if labels.pins_any(&name) {
            left.push(name);
        } else if let Err(error) = git.delete_ref(&name).await {
            warnings.push(format!("{name} could not be removed: {error}"));
            left.push(name);
        }
    }
    names.splice(0..0, left);
    warnings
}
