//! Saving: blobs, trees and the commit, flush, the ref, flush, in this order. Cut off anywhere, it leaves objects
//! that nothing points to, and no ref that points to nothing.

use super::compare;
use super::evidence::Evidence;
use super::git_of;
use super::info::SnapshotInfo;
use super::state_dir;
use super::told;
use crate::error::{Error, ErrorCode};
use crate::port::{ClockPort, Commit, FsPort, GitPort, Host, Person, PortResult};
use crate::snapshot::git::manifest::{Manifest, Mode};
use crate::snapshot::git::message::{self, Message};
use crate::snapshot::git::oid::Oid;
use crate::snapshot::git::tags::{self, Target};
use crate::snapshot::worktree::known::Known;
use crate::snapshot::worktree::position::Position;
use crate::snapshot::worktree::present::{Present, Start};
use crate::snapshot::worktree::scan::Scan;
use crate::snapshot::worktree::stat_cache::{self, StatCache};
use crate::snapshot::worktree::watch::Watch;
use futures_util::future::join;
use std::collections::BTreeSet;

/// What to save.
#[derive(Debug, Clone, Default)]
pub struct SaveOptions {
    /// The commit's message; default: the tag.
    pub message: Option<String>,
    /// The tag; default: `manual-{milliseconds}`.
    pub tag: Option<String>,
}

/// Where a snapshot is kept.
pub(super) struct Place {
    /// Its name: a tag, or the full name of another ref.
    pub name: String,
    /// The snapshots after it follow it.
    pub is_tag: bool,
    /// It is durable at once, not with the next flush.
    pub is_flushed: bool,
}

/// What was saved.
pub(super) struct Saved {
    /// For the caller.
    pub info: SnapshotInfo,
    /// The project as it was saved.
    pub known: Box<Known>,
    stored: Option<BTreeSet<Oid>>,
    asked_at: u32,
}

impl Saved {
    /// Lets the watch know what is known, unless the save did not come to its end.
    pub(super) fn tell(self, watch: &Watch) -> SnapshotInfo {
        if let Some(stored) = self.stored {
            watch.give(self.known, stored, self.asked_at);
        }
        self.info
    }
}

/// Saves the project under a tag. Without changes since the newest snapshot, or a rollback, the tag is set to that
/// one's commit, with a message and a time of its own. A tag of a snapshot is moved; one that is none is not.
///
/// # Errors
/// `unsupported` without git; `invalid-argument` for a tag that git refuses; `conflict` for a tag that is no
/// snapshot, or that cannot stand beside another; otherwise what a port says. Earlier snapshots are intact whatever happens.
pub async fn save<H: Host>(host: &H, options: &SaveOptions) -> Result<SnapshotInfo, Error> {
    save_in(host, &Watch::default(), options).await
}

/// Saves the project under a tag in a run, looking only at what the run's watch does not know.
///
/// # Errors
/// As [`save`].
pub async fn save_in<H: Host>(host: &H, watch: &Watch, options: &SaveOptions) -> Result<SnapshotInfo, Error> {
    match save_if(host, watch, options, &|_| None).await? {
        Ok(info) => Ok(info),
        Err(_) => Err(Error::new(ErrorCode::Internal, "a save without a condition was not made")),
    }
}

/// Saves the project under a tag, if the files that count are those that were judged; otherwise gives what they are now.
///
/// # Errors
/// As [`save`].
pub async fn save_judged<H: Host>(
    host: &H,
    watch: &Watch,
    options: &SaveOptions,
    judged: &str,
    counts: &dyn Fn(&str) -> bool,
) -> Result<Result<SnapshotInfo, Evidence>, Error> {
    let outdated = |files: &Manifest| Some(Evidence::of(files, counts)).filter(|now| now.tree != judged);
    save_if(host, watch, options, &outdated).await
}

async fn save_if<H: Host>(
    host: &H,
    watch: &Watch,
    options: &SaveOptions,
    outdated: &dyn Fn(&Manifest) -> Option<Evidence>,
) -> Result<Result<SnapshotInfo, Evidence>, Error> {
    let git = git_of(host)?;
    // Boxed: what awaits this is deep enough for the stack of a tab.
    let saved = Box::pin(async {
        let _turn = watch.turn(host).await;
        let start = Start::of(host, git, watch).await?;
        let place = place_of(host, git, options).await?;
        // Where a run spares a look at everything, the tag is the harness's own.
        if options.tag.is_some() && !start.is_trusted() {
            require_room(git, &place.name).await?;
        }
        let present = start.look(host, git, &place.name, &Manifest::new()).await?;
        if let Some(now) = outdated(&present.known.files) {
            // Nothing was read back or flushed: what was in doubt stays so, for the save that comes to its end.
            return Ok(Err(now));
        }
        keep(host, git, present, &place, options.message.as_deref()).await.map(Ok)
    });
    match saved.await {
        Ok(saved) => Ok(saved.map(|saved| saved.tell(watch))),
        Err(error) => Err(not_saved(error)),
    }
}

/// The error of a save.
pub(super) fn not_saved(error: Error) -> Error {
    told(error, "nothing was saved, earlier snapshots are intact")
}

/// The caller's tag, or a time that no tag has yet.
pub(super) async fn place_of<H: Host>(host: &H, git: &H::Git, options: &SaveOptions) -> Result<Place, Error> {
    let place = |name| Place { name, is_tag: true, is_flushed: true };
    let Some(tag) = &options.tag else {
        let mut ms = host.clock().now();
        while git.resolve_ref(&tags::full(&format!("manual-{ms}"))).await?.is_some() {
            ms += 1;
        }
        return Ok(place(format!("manual-{ms}")));
    };
    let name = tag.strip_prefix("refs/tags/").unwrap_or(tag);
    if !tags::is_valid(name) {
        let message = format!("{tag:?} is no name for a tag; use letters, digits, '-', '_', '.' and '/'");
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    match tags::read(git, name, &tags::full(name)).await {
        Ok(Some(Target { message: None, .. })) => {
            let message = format!("tag {name} exists and is no snapshot; choose another name, it is not moved");
            Err(Error::new(ErrorCode::Conflict, message))
        }
        Ok(_) => Ok(place(name.to_owned())),
        Err(error) if error.code == ErrorCode::Corrupt => Ok(place(name.to_owned())),
        Err(error) => Err(error),
    }
}

/// No tag stands where this one needs a folder, or is below it: packed, git ports would write both all the same.
async fn require_room(git: &impl GitPort, tag: &str) -> Result<(), Error> {
    match tags::in_the_way(tag, &git.list_tags().await?) {
        Some(other) => {
            let message = format!("git cannot hold tag {tag} beside tag {other}; choose another name");
            Err(Error::new(ErrorCode::Conflict, message))
        }
        None => Ok(()),
    }
}

/// Keeps what a look found.
pub(super) async fn keep<H: Host>(
    host: &H,
    git: &H::Git,
    present: Present<'_, H>,
    place: &Place,
    text: Option<&str>,
) -> Result<Saved, Error> {
    let Present { mut known, mut objects, trees, changed, scan, asked_at } = present;
    let root = known.forest.root();
    let before = [known.iteration.as_ref().filter(|_| !place.is_tag), known.position.newest.as_ref()];
    let same = before.iter().flatten().find(|snapshot| snapshot.tree == root);
    // A rollback came between: it is told by this one's commit that the project comes from it again.
    let same = same.filter(|_| !place.is_tag || known.position.rolled_back_to.is_none());
    let is_new = same.is_none();
    let at = earliest(&before).max(host.clock().now());
    let target = match same {
        Some(same) => {
            let shared = match same.message.as_ref().filter(|_| same.name == place.name) {
                // A save under the same name keeps the snapshot and replaces its message.
                Some(own) => Message { text: text.and_then(message::clean).unwrap_or(own.text.clone()), ..own.clone() },
                None => message_for(place, text, at, &known.files, 0),
            };
            let target = Target { name: place.name.clone(), message: Some(shared.clone()), ..(*same).clone() };
            if same.message.as_ref() != Some(&shared) {
                // Written before its ref; a record without the ref is not valid.
                known.is_prepared |= objects.is_prepared();
                state_dir::prepare_once(host, &mut known.is_prepared).await?;
                known.position.names.add(host, &target, &shared).await?;
            }
            target
        }
        None => {
            objects.write_trees(trees).await?;
            let counted = match changed.filter(|_| !place.is_tag) {
                Some(changed) => u32::try_from(changed).unwrap_or(u32::MAX),
                None => compare::count(&known.position.listing.manifest, &known.files),
            };
            let message = message_for(place, text, at, &known.files, counted);
            let oid = objects.write_commit(&commit(&message, root, known.position.parent)).await?;
            Target { name: place.name.clone(), oid, tree: root, message: Some(message) }
        }
    };
    if objects.has_written() {
        host.fs().flush().await?;
    }
    let (name, oid) = (tags::full(&place.name), target.oid.to_string());
    let warnings = scan.as_ref().map(|scan| scan.warnings.clone()).unwrap_or_default();
    // How the files look is told of the commit: without its tag it is told to nobody.
    let cached = async {
        match place.is_tag {
            true => remember(host, &target, &mut known, scan, is_new).await,
            false => Ok(()),
        }
    };
    let (written, kept) = join(git.write_ref(&name, &oid), cached).await;
    written?;
    if place.is_flushed {
        host.fs().flush().await?;
    }

    let mut info = match &target.message {
        Some(message) => target.info(message),
        None => return Err(Error::new(ErrorCode::Internal, format!("snapshot {} has no message", place.name))),
    };
    info.warnings.extend(std::mem::take(&mut known.position.warnings));
    info.warnings.extend(warnings);
    known.is_prepared |= objects.is_prepared();
    let stored = match kept {
        Ok(()) => objects.end().await,
        Err(error) => Err(error),
    };
    match (place.is_tag, is_new) {
        (true, true) => follow(&mut known.position, &target, &known.files),
        (true, false) => known.position.newest = Some(target.clone()),
        (false, _) => {}
    }
    if !place.is_tag {
        known.iteration = Some(target);
    }
    // The snapshot is whole already; what is lost is speed.
    let lost = |error| info.warnings.push(format!("the next snapshot will take longer: {error}"));
    let stored = stored.map_err(lost).ok();
    Ok(Saved { info, known, stored, asked_at })
}

/// Times never go back from one snapshot to the next, whatever the clock does.
fn earliest(before: &[Option<&Target>]) -> u64 {
    let messages = before.iter().flatten().filter_map(|snapshot| snapshot.message.as_ref());
    messages.map(|message| message.at.saturating_add(1)).max().unwrap_or_default()
}

fn message_for(place: &Place, text: Option<&str>, at: u64, files: &Manifest, changed: u32) -> Message {
    let count = files.values().filter(|entry| entry.mode != Mode::Submodule).count();
    Message {
        text: text.and_then(message::clean).unwrap_or_else(|| place.name.clone()),
        tag: place.name.clone(),
        at,
        files: u32::try_from(count).unwrap_or(u32::MAX),
        changed,
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

/// Stores how the files of the newest snapshot look: all, where all were looked at.
async fn remember<H: Host>(
    host: &H,
    target: &Target,
    known: &mut Known,
    scan: Option<Scan>,
    is_new: bool,
) -> PortResult<()> {
    let Some(scan) = scan else {
        return match known.cache {
            _ if !is_new => Ok(()),
            Some(cache) => {
                let (files, paths) = (&known.files, &known.uncached);
                stat_cache::store_changes(host, cache, &target.name, target.oid, files, paths).await
            }
            // What is stored is that of an older snapshot.
            None => host.project().remove_file(stat_cache::PATH).await,
        };
    };
    if !is_new && known.cache.is_some() && scan.read == 0 {
        return Ok(());
    }
    known.cache = None;
    state_dir::prepare_once(host, &mut known.is_prepared).await?;
    let cache = StatCache::new(target.name.clone(), target.oid, scan.began_at, scan.files);
    (known.cache, known.uncached) = (Some(cache.store(host).await?), BTreeSet::new());
    Ok(())
}

/// The next snapshot follows this one.
fn follow(position: &mut Position, target: &Target, files: &Manifest) {
    position.newest = Some(target.clone());
    position.parent = Some(target.oid);
    position.listing.manifest.clone_from(files);
    position.rolled_back_to = None;
    position.is_cached = true;
}
