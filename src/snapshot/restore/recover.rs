//! After a crash: a rollback that was cut off is finished, by the next call that writes or when the project is opened;
//! a tag that was torn goes.

use super::intent::{self, Intent};
use super::perform::{HALF_DONE, broken_record, give_up, goal_of, outcome, perform};
use crate::error::{Error, ErrorCode};
use crate::port::{GitPort, Host};
use crate::snapshot::git::listing::read_listing;
use crate::snapshot::git::manifest::Manifest;
use crate::snapshot::git::objects;
use crate::snapshot::git::oid::Oid;
use crate::snapshot::git::tags;
use crate::snapshot::info::Rollback;
use crate::snapshot::told;
use crate::snapshot::worktree::stat_cache;

/// Finishes a rollback that was cut off, and removes the tag of a save that was; called when a project is opened
/// after a crash. Gives what was finished, if anything was. The next save reads every file: a crash may have left
/// files whose times are older than what is in them, as LightningFS does.
///
/// # Errors
/// What a port says; then it is tried again by the next call.
pub async fn finish_rollback<H: Host>(host: &H) -> Result<Option<Rollback>, Error> {
    match host.git() {
        Some(git) => {
            let _turn = host.turn().await;
            host.project().remove_file(stat_cache::PATH).await?;
            Ok(recover(host, git).await?.finished)
        }
        None => Ok(None),
    }
}

/// What was found when the project was made whole.
pub(in crate::snapshot) struct Recovered {
    /// A save was cut off: what it wrote may be torn.
    pub in_doubt: bool,
    /// The rollback that was cut off and is finished now.
    pub finished: Option<Rollback>,
    /// The last rollback that is finished.
    pub last: Option<Intent>,
}

/// Makes the project whole after a crash.
///
/// # Errors
/// As [`finish_rollback`].
pub(in crate::snapshot) async fn recover<H: Host>(host: &H, git: &H::Git) -> Result<Recovered, Error> {
    let interrupted = objects::interrupted(host).await?;
    if let Some(tag) = &interrupted {
        remove_torn_tag(git, tag).await?;
    }
    let (in_doubt, last) = (interrupted.is_some(), intent::load(host).await?);
    let Some(intent) = last.as_ref().filter(|last| !last.is_done).cloned() else {
        return Ok(Recovered { in_doubt, finished: None, last });
    };
    let tree = Oid::parse(&intent.target.tree).ok_or_else(broken_record)?;
    let finish = async {
        let goal = goal_of(host, git, &intent.target.name, tree, &[]).await?;
        perform(host, git, &goal.manifest, &intent).await?;
        Ok(goal.warnings)
    };
    match finish.await {
        Ok(warnings) => Ok(Recovered { in_doubt, finished: Some(outcome(intent, warnings)), last }),
        Err(error) => Err(match saved_before(git, &intent).await {
            Ok(saved) => give_up(host, git, error, &intent, &saved, None).await,
            Err(_) => told(error, HALF_DONE),
        }),
    }
}

async fn saved_before(git: &impl GitPort, intent: &Intent) -> Result<Manifest, Error> {
    let tree = Oid::parse(&intent.undo.tree).ok_or_else(broken_record)?;
    Ok(read_listing(git, tree, &[]).await?.manifest)
}

/// A crash may have torn the ref of a save: real git would call the repository broken.
async fn remove_torn_tag(git: &impl GitPort, tag: &str) -> Result<(), Error> {
    if !tag.starts_with("refs/") && !git.list_tags().await?.iter().any(|other| other == tag) {
        return Ok(());
    }
    match tags::read(git, tag, &tags::full(tag)).await {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Ok(git.delete_ref(&tags::full(tag)).await?),
        Err(error) if error.code == ErrorCode::Corrupt => Ok(git.delete_ref(&tags::full(tag)).await?),
        Err(error) => Err(error),
    }
}
