//! Saving: blobs, trees and the commit, flush, the ref, flush, in this order. An interrupted save leaves objects that no
//! ref points to, but no ref without its objects.

use super::compare::{self, Evidence};
use super::git::{Manifest, Message, Mode, NamedCommit, Oid, clean, tags};
use super::info::SnapshotInfo;
use super::worktree::{Base, Index, Staged, Watch, stat_cache};
use super::{git_of, state, with_outcome};
use crate::error::{Error, ErrorCode};
use crate::port::{ClockPort, Commit, FsPort, GitPort, Host, Person};
use futures_util::future::join;
use std::collections::BTreeSet;

/// What to call a snapshot.
#[derive(Debug, Clone, Default)]
pub struct SaveOptions {
    /// The commit's message; default: the tag.
    pub message: Option<String>,
    /// The tag; default: `manual-{milliseconds}`.
    pub tag: Option<String>,
}

/// The ref that a save writes.
pub(super) struct RefToWrite {
    /// The tag, or the full name of another ref.
    pub name: String,
    /// The next snapshots follow this one.
    pub is_tag: bool,
    /// Flush after writing the ref.
    pub is_flushed: bool,
}

pub(super) struct Saved {
    pub info: SnapshotInfo,
    pub index: Box<Index>,
    stored: Option<BTreeSet<Oid>>,
}

impl Saved {
    /// Gives the index to the watch, unless the end of the save failed.
    pub(super) fn update(self, watch: &Watch) -> SnapshotInfo {
        if let Some(stored) = self.stored {
            watch.update(self.index, stored);
        }
        self.info
    }
}

/// Saves the project under a tag. Without changes since the newest snapshot, or a rollback, the tag points to that
/// snapshot's commit, with its own message and time. The tag of a snapshot moves; any other tag does not.
///
/// # Errors
/// `unsupported` without git; `invalid-argument` for a tag that git refuses; `conflict` for a tag that is not a
/// snapshot or conflicts with another tag; otherwise what a port returns. Earlier snapshots are intact in any case.
pub async fn save<H: Host>(host: &H, options: &SaveOptions) -> Result<SnapshotInfo, Error> {
    save_in(host, &Watch::default(), options).await
}

/// Saves the project under a tag in a run: looks only at paths that changed since the run's last snapshot.
pub async fn save_in<H: Host>(host: &H, watch: &Watch, options: &SaveOptions) -> Result<SnapshotInfo, Error> {
    match save_if(host, watch, options, &|_| None).await? {
        Ok(info) => Ok(info),
        Err(_) => Err(Error::new(ErrorCode::Internal, "a save without a condition was refused")),
    }
}

/// Saves the project under a tag if the files that `counts` selects are those that were judged. Otherwise returns these
/// files.
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
    // Boxed, because the callers' futures are near the stack limit of a browser tab.
    let saved = Box::pin(async {
        let _turn = watch.turn(host).await;
        let base = Base::load(host, git, watch).await?;
        let place = ref_for(host, git, options).await?;
        // In a run with an index, the tag is one of the harness.
        if options.tag.is_some() && !base.is_up_to_date() {
            refuse_conflict(git, &place.name).await?;
        }
        let staged = base.stage(host, git, &place.name, &Manifest::new()).await?;
        if let Some(now) = outdated(&staged.index.files) {
            return Ok(Err(now));
        }
        commit(host, git, staged, &place, options.message.as_deref()).await.map(Ok)
    });
    Ok(saved.await.map_err(not_saved)?.map(|saved| saved.update(watch)))
}

/// The error of a save.
pub(super) fn not_saved(error: Error) -> Error {
    with_outcome(error, "nothing was saved, earlier snapshots are intact")
}

/// The caller's tag, or one from the time that does not exist yet.
pub(super) async fn ref_for<H: Host>(host: &H, git: &H::Git, options: &SaveOptions) -> Result<RefToWrite, Error> {
    let tag_ref = |name| RefToWrite { name, is_tag: true, is_flushed: true };
    let Some(tag) = &options.tag else {
        let mut ms = host.clock().now();
        while git.resolve_ref(&tags::full_name(&format!("manual-{ms}"))).await?.is_some() {
            ms += 1;
        }
        return Ok(tag_ref(format!("manual-{ms}")));
    };
    let name = tag.strip_prefix("refs/tags/").unwrap_or(tag);
    if !tags::is_valid(name) {
        let message = format!("{tag:?} is not a valid tag; use letters, digits, '-', '_', '.' and '/'");
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    match tags::read(git, name).await {
        Ok(Some(NamedCommit { message: None, .. })) => {
            let message = format!("tag {name} exists and is not a snapshot, so it is not moved; choose another name");
            Err(Error::new(ErrorCode::Conflict, message))
        }
        Ok(_) => Ok(tag_ref(name.to_owned())),
        Err(error) if error.code == ErrorCode::Corrupt => Ok(tag_ref(name.to_owned())),
        Err(error) => Err(error),
    }
}

/// Refuses a tag that git cannot store beside another one. Git ports that pack refs would write it anyway.
async fn refuse_conflict(git: &impl GitPort, tag: &str) -> Result<(), Error> {
    match tags::conflicting(tag, &git.list_tags().await?) {
        Some(other) => {
            let message = format!("git cannot store tag {tag} beside tag {other}; choose another name");
            Err(Error::new(ErrorCode::Conflict, message))
        }
        None => Ok(()),
    }
}

/// Makes staged files a snapshot.
pub(super) async fn commit<H: Host>(
    host: &H,
    git: &H::Git,
    staged: Staged<'_, H>,
    place: &RefToWrite,
    text: Option<&str>,
) -> Result<Saved, Error> {
    let Staged { mut index, mut objects, trees, changed, read } = staged;
    let root = index.cache_tree.root();
    let before = [index.iteration.as_ref().filter(|_| !place.is_tag), index.head.newest.as_ref()];
    let same = before.iter().flatten().find(|snapshot| snapshot.tree == root);
    // After a rollback, a commit of its own records that the project comes from the same files again.
    let same = same.filter(|_| !place.is_tag || index.head.rolled_back_to.is_none());
    let is_new = same.is_none();
    let at = time_after(&before).max(host.clock().now());
    let files = count(index.files.values().filter(|entry| entry.mode != Mode::Submodule).count());
    let (target, message) = match same {
        Some(same) => {
            let message = match same.message.as_ref().filter(|_| same.name == place.name) {
                // A save under the same name replaces the message of the snapshot.
                Some(own) => Message { text: text.and_then(clean).unwrap_or(own.text.clone()), ..own.clone() },
                None => message_for(place, text, at, files, 0),
            };
            let is_unchanged = same.message.as_ref() == Some(&message);
            let target = NamedCommit { name: place.name.clone(), message: Some(message.clone()), ..(*same).clone() };
            if !is_unchanged {
                // Before the ref: a record without its ref is not valid.
                index.is_prepared |= objects.is_prepared;
                state::prepare(host, &mut index.is_prepared).await?;
                index.head.shared.add(host, &target, &message).await?;
            }
            (target, message)
        }
        None => {
            objects.write_trees(trees).await?;
            let changed = match changed.filter(|_| !place.is_tag) {
                Some(changed) => count(changed),
                None => compare::count(&index.head.stored.manifest, &index.files),
            };
            let message = message_for(place, text, at, files, changed);
            let oid = objects.write_commit(&port_commit(&message, root, index.head.parent)).await?;
            let target = NamedCommit { name: place.name.clone(), oid, tree: root, message: Some(message.clone()) };
            (target, message)
        }
    };
    if objects.has_written {
        host.fs().flush().await?;
    }
    let (name, oid) = (tags::full_name(&place.name), target.oid.to_string());
    let mut info = target.info(&message);
    info.warnings.append(&mut index.head.warnings);
    // The stat cache is keyed by this commit, so it is useless unless the tag was written.
    let is_cached = !is_new && read.is_none_or(|read| read == 0 && index.head.is_cached);
    let cached = async {
        if place.is_tag && !is_cached {
            state::prepare(host, &mut index.is_prepared).await?;
            stat_cache::store(host, &target, index.scanned_at, &index.stats).await?;
        }
        Ok(())
    };
    let (written, cached) = join(git.write_ref(&name, &oid), cached).await;
    written?;
    if place.is_flushed {
        host.fs().flush().await?;
    }
    index.is_prepared |= objects.is_prepared;
    let stored = match cached {
        Ok(()) => objects.end().await,
        Err(error) => Err(error),
    };
    // The snapshot is complete already.
    let stored =
        stored.map_err(|error| info.warnings.push(format!("the next snapshot will take longer: {error}"))).ok();
    match (place.is_tag, is_new) {
        (true, true) => {
            let Index { head, files, .. } = &mut *index;
            head.advance(&target, files);
        }
        (true, false) => index.head.newest = Some(target),
        (false, _) => index.iteration = Some(target),
    }
    Ok(Saved { info, index, stored })
}

/// A time that no snapshot before has, even if the clock went back: snapshots are listed in the order of their times.
fn time_after(before: &[Option<&NamedCommit>]) -> u64 {
    let times = before.iter().flatten().filter_map(|snapshot| snapshot.message.as_ref());
    times.map(|message| message.at.saturating_add(1)).max().unwrap_or_default()
}

fn message_for(place: &RefToWrite, text: Option<&str>, at: u64, files: u32, changed: u32) -> Message {
    let text = text.and_then(clean).unwrap_or_else(|| place.name.clone());
    Message { text, tag: place.name.clone(), at, files, changed }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn port_commit(message: &Message, tree: Oid, parent: Option<Oid>) -> Commit {
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
