//! Snapshots of a run's iterations: commits under `refs/loopgate/iterations/<run>/<n>`, so that a user can go back to
//! any of them by that name.
//!
//! Each follows the newest snapshot that has a tag, and nothing follows it: an old one that is removed takes nothing
//! with it, and git's garbage collection frees it. Which there are stands in `.loopgate/iterations`, oldest first; a
//! name is in there before its ref is, so that every ref can be found and removed.

use super::git_of;
use super::info::SnapshotInfo;
use super::save::{Place, keep, not_saved};
use super::state_dir;
use crate::error::{Error, ErrorCode};
use crate::port::{GitPort, Host, PortResult};
use crate::snapshot::git::manifest::Manifest;
use crate::snapshot::git::names::Names;
use crate::snapshot::git::tags;
use crate::snapshot::worktree::present::Start;
use crate::snapshot::worktree::watch::Watch;
use serde_json::Value;

const PATH: &str = crate::layout::ITERATIONS;
const REFS: &str = crate::layout::ITERATION_REFS;

/// How many are kept where the configuration says nothing.
pub const KEPT: u32 = 100;

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

/// How many are kept, by a configuration layer: `{ snapshots: { iterations?: number } }`. None are taken where it is 0.
///
/// # Errors
/// `invalid-config` naming the key that is not of this shape.
pub fn kept_by_config(layer: &Value) -> Result<u32, Error> {
    let wrong = |key: &str, expected: &str| {
        Error::new(ErrorCode::InvalidConfig, format!("`config.snapshots{key}` must be {expected}"))
    };
    let Some(snapshots) = layer.get("snapshots") else { return Ok(KEPT) };
    let snapshots = snapshots.as_object().ok_or_else(|| wrong("", "an object"))?;
    if let Some(other) = snapshots.keys().find(|key| *key != "iterations") {
        return Err(wrong(&format!(".{other}"), "`iterations`"));
    }
    let Some(kept) = snapshots.get("iterations") else { return Ok(KEPT) };
    let whole = kept.as_f64().filter(|kept| kept.fract() == 0.0 && (0.0..=10_000.0).contains(kept));
    whole.map(|kept| kept as u32).ok_or_else(|| wrong(".iterations", "a whole number from 0 to 10000"))
}

/// Saves the project as it is after an iteration, and removes the oldest beyond those that are kept. It is durable with
/// the next flush.
///
/// # Errors
/// `unsupported` without git; otherwise what a port says. Earlier snapshots are intact whatever happens.
pub async fn save_iteration<H: Host>(
    host: &H,
    watch: &Watch,
    iteration: &Iteration<'_>,
) -> Result<SnapshotInfo, Error> {
    let git = git_of(host)?;
    let name = format!("{REFS}/{}/{}", iteration.run, iteration.number);
    let place = Place { name, is_tag: false, is_flushed: false };
    let saved = Box::pin(async {
        let _turn = watch.turn(host).await;
        let start = Start::of(host, git, watch).await?;
        let mut present = start.look(host, git, &place.name, &Manifest::new()).await?;
        let mut names = match present.known.iterations.take() {
            Some(names) => names,
            None => names(host).await?,
        };
        names.retain(|name| *name != place.name);
        names.push(place.name.clone());
        state_dir::prepare_once(host, &mut present.known.is_prepared).await?;
        state_dir::publish(host, PATH, &names.join("\n")).await?;
        let mut saved = keep(host, git, present, &place, Some(iteration.message)).await?;
        // The old ones go last: where this one could not be kept, they are all there. Their names go from the list with the
        // next one.
        saved.info.warnings.extend(prune(git, &mut names, iteration.kept).await);
        saved.known.iterations = Some(names);
        Ok(saved)
    });
    match saved.await {
        Ok(saved) => Ok(saved.tell(watch)),
        Err(error) => Err(not_saved(error)),
    }
}

/// The snapshots of all iterations that are kept, oldest first.
///
/// # Errors
/// `unsupported` without git; otherwise what a port says.
pub async fn list_iterations<H: Host>(host: &H) -> Result<Vec<SnapshotInfo>, Error> {
    let git = git_of(host)?;
    let (mut infos, shared) = (Vec::new(), Names::load(host).await?);
    for name in names(host).await? {
        match tags::read(git, &name, &name).await {
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

/// The names of all that may be there.
pub(super) async fn names<H: Host>(host: &H) -> PortResult<Vec<String>> {
    let text = state_dir::published(host, PATH).await?.unwrap_or_default();
    // What somebody else wrote into the file is no name of ours.
    Ok(text.lines().filter(|name| name.starts_with(REFS)).map(str::to_owned).collect())
}

/// Removes the oldest. One that cannot be removed stays in the list, for the next time.
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_layer_says_how_many_are_kept() {
        for (layer, kept) in [
            (json!({}), KEPT),
            (json!({ "snapshots": {} }), KEPT),
            (json!({ "snapshots": { "iterations": 0 } }), 0),
            (json!({ "snapshots": { "iterations": 7.0 } }), 7),
        ] {
            assert_eq!(kept_by_config(&layer).unwrap(), kept, "{layer}");
        }
        for (layer, key) in [
            (json!({ "snapshots": 3 }), "`config.snapshots`"),
            (json!({ "snapshots": { "iteration": 3 } }), "`config.snapshots.iteration`"),
            (json!({ "snapshots": { "iterations": "3" } }), "`config.snapshots.iterations`"),
            (json!({ "snapshots": { "iterations": -1 } }), "`config.snapshots.iterations`"),
            (json!({ "snapshots": { "iterations": 2.5 } }), "`config.snapshots.iterations`"),
        ] {
            let error = kept_by_config(&layer).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidConfig, "{layer}");
            assert!(error.message.contains(key), "{}", error.message);
        }
    }
}
