//! Saving: blobs, trees and the commit, flush, the tag, flush, in this order. Cut off anywhere, it leaves objects
//! that nothing points to, and no tag that points to nothing.

use super::compare;
use super::info::SnapshotInfo;
use super::manifest::{self, Manifest, Mode};
use super::message::{self, Message};
use super::objects::Objects;
use super::oid::Oid;
use super::position::Position;
use super::recover::recover;
use super::scan::{Basis, Scan, scan_and_store};
use super::stat_cache::StatCache;
use super::state_dir;
use super::tags::{self, Target};
use super::walk;
use super::{git_of, told};
use crate::error::{Error, ErrorCode};
use crate::ordered::Map;
use crate::port::{ClockPort, Commit, FileKind, FsPort, GitPort, Host, Person, PortResult};

/// What to save.
#[derive(Debug, Clone, Default)]
pub struct SaveOptions {
    /// The commit's message; default: the tag.
    pub message: Option<String>,
    /// The tag; default: `manual-{milliseconds}`.
    pub tag: Option<String>,
}

/// What was saved, for a rollback.
pub struct Saved {
    /// For the caller.
    pub info: SnapshotInfo,
    /// All files.
    pub manifest: Manifest,
    /// What the snapshot leaves alone.
    pub left: Map<String, FileKind>,
}

/// Saves the project under a tag. Without changes since the newest snapshot the tag is set to that one's commit. A
/// tag of a snapshot is moved; one that is none is not.
///
/// # Errors
/// `unsupported` without git; `invalid-argument` for a tag that git refuses; `conflict` for a tag that is no
/// snapshot; otherwise what a port says. Earlier snapshots are intact whatever happens.
pub async fn save<H: Host>(host: &H, options: &SaveOptions) -> Result<SnapshotInfo, Error> {
    let git = git_of(host)?;
    let in_doubt = recover(host, git).await?.in_doubt;
    let saved = async {
        let position = Position::load(host, git, in_doubt).await?;
        save_at(host, git, options, &position, &Manifest::new()).await
    };
    match saved.await {
        Ok(saved) => Ok(saved.info),
        Err(error) => Err(told(error, "nothing was saved, earlier snapshots are intact")),
    }
}

/// Saves the files that follow a position; those that `also_tracked` holds count even where they are ignored.
pub async fn save_at<H: Host>(
    host: &H,
    git: &H::Git,
    options: &SaveOptions,
    position: &Position,
    also_tracked: &Manifest,
) -> Result<Saved, Error> {
    if position.newest.is_none() {
        walk::require_project(host).await?;
        git.init().await?;
    }
    let tag = choose_tag(host, git, options).await?;
    let mut objects = Objects::new(host, git, &tag, position.listing.objects(), position.in_doubt);
    let tracked = [&position.listing.manifest, also_tracked];
    let basis = Basis { cache: position.cache.as_ref(), tracked: &tracked };
    let scan = scan_and_store(host, basis, &mut objects).await?;
    let manifest = scan.manifest();
    let trees = manifest::trees(&manifest);
    let root = manifest::root(&trees);

    let unchanged = position.newest.as_ref().filter(|newest| newest.tree == root);
    let target = match unchanged {
        Some(newest) => Target { name: tag.clone(), ..newest.clone() },
        None => {
            objects.write_trees(&trees).await?;
            let message = message_for(host, options, &tag, position, &manifest);
            let oid = objects.write_commit(&commit(&message, root, position.parent)).await?;
            Target { name: tag.clone(), oid, tree: root, message: Some(message) }
        }
    };
    if objects.has_written() {
        host.fs().flush().await?;
    }
    git.write_ref(&tags::full(&tag), &target.oid.to_string()).await?;
    host.fs().flush().await?;

    let mut info = match &target.message {
        Some(message) => target.info(message),
        None => return Err(Error::new(ErrorCode::Internal, format!("snapshot {tag} has no message"))),
    };
    if unchanged.is_some() {
        info.changed = 0;
    }
    info.warnings.extend(position.warnings.iter().chain(&scan.warnings).cloned());
    let is_current = position.is_cached && unchanged.is_some() && scan.read == 0;
    let kept = if is_current { Ok(()) } else { remember(host, &target, &scan).await };
    let ended = match kept {
        Ok(()) => objects.end().await,
        Err(error) => Err(error),
    };
    // The snapshot is whole already; what is lost is speed.
    info.warnings.extend(ended.err().map(|error| format!("the next snapshot will take longer: {error}")));
    Ok(Saved { info, manifest, left: scan.left })
}

/// The caller's tag, or a time that no tag has yet.
async fn choose_tag<H: Host>(host: &H, git: &H::Git, options: &SaveOptions) -> Result<String, Error> {
    let Some(tag) = &options.tag else {
        let mut ms = host.clock().now();
        while git.resolve_ref(&tags::full(&format!("manual-{ms}"))).await?.is_some() {
            ms += 1;
        }
        return Ok(format!("manual-{ms}"));
    };
    if !tags::is_valid(tag) {
        let message = format!("{tag:?} is no name for a tag; use letters, digits, '-', '_', '.' and '/'");
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    match tags::read(git, tag, &tags::full(tag)).await {
        Ok(Some(Target { message: None, .. })) => {
            let message = format!("tag {tag} exists and is no snapshot; choose another name, it is not moved");
            Err(Error::new(ErrorCode::Conflict, message))
        }
        Ok(_) => Ok(tag.clone()),
        Err(error) if error.code == ErrorCode::Corrupt => Ok(tag.clone()),
        Err(error) => Err(error),
    }
}

/// Times never go back from one snapshot to the next, whatever the clock does.
fn message_for<H: Host>(
    host: &H,
    options: &SaveOptions,
    tag: &str,
    position: &Position,
    manifest: &Manifest,
) -> Message {
    let before = position.newest.as_ref().and_then(|newest| newest.message.as_ref());
    let earliest = before.map_or(0, |before| before.at.saturating_add(1));
    let files = manifest.values().filter(|entry| entry.mode != Mode::Submodule).count();
    Message {
        text: options.message.as_deref().and_then(message::clean).unwrap_or_else(|| tag.to_owned()),
        tag: tag.to_owned(),
        at: host.clock().now().max(earliest),
        files: u32::try_from(files).unwrap_or(u32::MAX),
        changed: compare::count(&position.listing.manifest, manifest),
    }
}

fn commit(message: &Message, tree: Oid, parent: Option<Oid>) -> Commit {
    Commit {
        tree: tree.to_string(),
        parents: parent.iter().map(Oid::to_string).collect(),
        message: message.encode(),
        author: Person {
            name: "loopgate".to_owned(),
            email: "loopgate@localhost".to_owned(),
            timestamp: i64::try_from(message.at / 1_000).unwrap_or(i64::MAX),
            timezone_offset: 0,
        },
    }
}

async fn remember<H: Host>(host: &H, target: &Target, scan: &Scan) -> PortResult<()> {
    state_dir::prepare(host).await?;
    let cache = StatCache::new(target.name.clone(), target.oid, scan.began_at, scan.files.clone());
    cache.store(host).await
}
