//! Saving: blobs, trees and the commit, flush, the ref, flush, in this order. An interrupted save leaves objects that no
//! ref points to, but no ref without its objects.

use super::compare::{self, Evidence};
use super::git::{Catalog, Manifest, Message, Mode, NamedCommit, Oid, clean, list, tags};
use super::info::{SnapshotInfo, SnapshotKind};
use super::labels::{self, Labels};
use super::worktree::{Base, Index, Staged, Watch, stat_cache};
use super::{git_of, state, with_outcome};
use crate::error::{Error, ErrorCode};
use crate::port::{Commit, GitPort, Host, Person, PortError, PortErrorKind};
use crate::snapshot::names::{TAG_REFS, is_snapshot_tag, snapshot_ref};
use futures_util::future::join;
use std::collections::BTreeSet;

/// What to call a snapshot.
#[derive(Debug, Clone, Default)]
pub struct SaveOptions {
    /// The commit's message; default: the tag.
    pub message: Option<String>,
    /// The tag; default: `manual-{milliseconds}`.
    pub tag: Option<String>,
    /// The name for people.
    pub name: Option<String>,
    /// Who saves. For a run, `tag` is the name without a number; the saved tag may have one.
    pub by: SavedBy,
}

/// Who saves a snapshot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SavedBy {
    /// The user, the IDE or the agent. A tag that they name is a git tag.
    #[default]
    Caller,
    /// A rollback, of what it replaces.
    Rollback {
        /// The run that rolls back, if one does.
        run: Option<String>,
    },
    /// A step of a run.
    Run {
        /// Its id.
        id: String,
        /// Why.
        kind: SnapshotKind,
    },
}

/// The ref that a save writes.
pub(super) struct RefToWrite {
    /// The tag, or the full name of another ref.
    pub name: String,
    /// The full name of the ref.
    pub full: String,
    pub kind: SnapshotKind,
    /// The run that saves.
    pub run: Option<String>,
    /// The name for people.
    pub label: Option<String>,
    /// The labels, if the ref may have had one.
    pub labels: Labels,
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
pub async fn save(host: &Host, options: &SaveOptions) -> Result<SnapshotInfo, Error> {
    save_in(host, &Watch::default(), options).await
}

/// Saves the project under a tag in a run: looks only at paths that changed since the run's last snapshot.
pub async fn save_in(host: &Host, watch: &Watch, options: &SaveOptions) -> Result<SnapshotInfo, Error> {
    match save_if(host, watch, options, &|_| None).await? {
        Ok(info) => Ok(info),
        Err(_) => Err(Error::new(ErrorCode::Internal, "a save without a condition was refused")),
    }
}

/// Saves the project under a tag if the files that `counts` selects are those that were judged. Otherwise returns these
/// files.
pub async fn save_judged(
    host: &Host,
    watch: &Watch,
    options: &SaveOptions,
    judged: &str,
    counts: &dyn Fn(&str) -> bool,
) -> Result<Result<SnapshotInfo, Evidence>, Error> {
    let outdated = |files: &Manifest| Some(Evidence::from_files(files, counts)).filter(|now| now.tree != judged);
    save_if(host, watch, options, &outdated).await
}

async fn save_if(
    host: &Host,
    watch: &Watch,
    options: &SaveOptions,
    outdated: &dyn Fn(&Manifest) -> Option<Evidence>,
) -> Result<Result<SnapshotInfo, Evidence>, Error> {
    let git = git_of(host)?;
    // Boxed, because the callers' futures are near the stack limit of a browser tab.
    let saved = Box::pin(async {
        let _turn = watch.turn(host).await;
        let mut base = Base::load(host, git, watch).await?;
        base.refresh_catalog(host, git).await?;
        let place = ref_for(host, git, base.catalog(), options).await?;
        if options.by == SavedBy::Caller && options.tag.is_some() {
            refuse_conflict(git, base.catalog(), &place.name).await?;
        }
        let staged = base.stage(host, git, &place.full, &Manifest::new()).await?;
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

/// The options of the snapshot of what a rollback replaces.
pub(super) fn before_rollback(watch: &Watch) -> SaveOptions {
    SaveOptions { by: SavedBy::Rollback { run: watch.run().map(str::to_owned) }, ..SaveOptions::default() }
}

/// The ref for a snapshot. A caller's tag and a task's tag are git tags. All others are the harness's own.
pub(super) async fn ref_for(
    host: &Host,
    git: &dyn GitPort,
    catalog: &Catalog,
    options: &SaveOptions,
) -> Result<RefToWrite, Error> {
    let label = options.name.as_deref().map(labels::checked).transpose()?.flatten();
    let (kind, run) = match &options.by {
        SavedBy::Caller => (SnapshotKind::Manual, None),
        SavedBy::Rollback { run } => (SnapshotKind::Undo, run.clone()),
        SavedBy::Run { id, kind } => (*kind, Some(id.clone())),
    };
    let place = |name: String, full: String, labels: Labels| RefToWrite {
        name,
        full,
        kind,
        run,
        label,
        labels,
        is_tag: true,
        is_flushed: true,
    };
    let Some(tag) = &options.tag else {
        let mut ms = host.clock.now();
        while tags::resolve(git, &format!("manual-{ms}")).await?.is_some() {
            ms += 1;
        }
        let name = format!("manual-{ms}");
        let full = snapshot_ref(&name);
        return Ok(place(name, full, Labels::default()));
    };
    if let SavedBy::Run { id, .. } = &options.by {
        let labels = Labels::load(host).await?;
        let is_pinned = |commit: &NamedCommit| labels.pins(&commit.name, &commit.oid.to_string());
        let (name, full) = list::tag_of_run(git, catalog, tag, id, &is_pinned).await?;
        if full.starts_with(TAG_REFS) {
            refuse_other(git, &name, &full).await?;
        }
        return Ok(place(name, full, labels));
    }
    let name = tag.strip_prefix("refs/tags/").unwrap_or(tag);
    if !tags::is_valid(name) {
        let message = format!("{tag:?} is not a valid tag; use letters, digits, '-', '_', '.' and '/'");
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    let conflict = |message: String| Err(Error::new(ErrorCode::Conflict, message));
    if is_snapshot_tag(name) && git.resolve_ref(&snapshot_ref(name)).await?.is_some() {
        return conflict(format!(
            "{name} is a snapshot that loopgate saved, so it is not replaced; choose another name"
        ));
    }
    let full = format!("{TAG_REFS}/{name}");
    let mut labels = Labels::default();
    if let Some(oid) = refuse_other(git, name, &full).await? {
        labels = Labels::load(host).await?;
        if labels.pins(name, &oid) {
            return conflict(format!(
                "snapshot {name} is pinned, so it is not replaced; remove the pin, or choose another name"
            ));
        }
    }
    Ok(place(name.to_owned(), full, labels))
}

/// Refuses a git tag that exists and is not a snapshot. Returns the commit of one that is.
async fn refuse_other(git: &dyn GitPort, name: &str, full: &str) -> Result<Option<String>, Error> {
    match tags::read(git, full).await {
        Ok(Some(NamedCommit { message: None, .. })) => {
            let message = format!("tag {name} exists and is not a snapshot, so it is not moved; choose another name");
            Err(Error::new(ErrorCode::Conflict, message))
        }
        Ok(found) => Ok(found.map(|commit| commit.oid.to_string())),
        Err(error) if error.code == ErrorCode::Corrupt => Ok(None),
        Err(error) => Err(error),
    }
}

/// Refuses a tag that some file systems do not distinguish from an existing one. Git could store both here, and a clone on such
/// a file system would lose one.
async fn refuse_conflict(git: &dyn GitPort, catalog: &Catalog, tag: &str) -> Result<(), Error> {
    match tags::conflicting(tag, &list::tags(git, catalog).await?) {
        Some(other) => {
            let message =
                format!("git cannot store tag {tag} beside tag {other} on every file system; choose another name");
            Err(Error::new(ErrorCode::Conflict, message))
        }
        None => Ok(()),
    }
}

/// Makes staged files a snapshot.
pub(super) async fn commit(
    host: &Host,
    git: &dyn GitPort,
    staged: Staged<'_>,
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
    let at = time_after(&before).max(host.clock.now());
    let files = count(index.files.values().filter(|entry| entry.mode != Mode::Submodule).count());
    let (target, message) = match same {
        Some(same) => {
            let message = match same.message.as_ref().filter(|_| same.name == place.name) {
                // A save under the same name replaces the message of the snapshot.
                Some(own) => {
                    let text = text.and_then(clean).unwrap_or(own.text.clone());
                    Message { text, kind: place.kind, run: place.run.clone(), ..own.clone() }
                }
                None => message_for(place, text, at, files, 0),
            };
            let target = NamedCommit { name: place.name.clone(), message: Some(message.clone()), ..(*same).clone() };
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
    let is_recorded = index.head.catalog.describes(&target);
    if !is_recorded && (place.is_tag || !is_new) {
        // Before the ref: a record without its ref is not valid.
        index.is_prepared |= objects.is_prepared;
        state::prepare(host, &mut index.is_prepared).await?;
        index.head.catalog.add(host, &target).await?;
    }
    if let Some(name) = &place.label {
        labels::set_name(host, &target, name).await?;
    }
    if objects.has_written {
        host.fs.flush().await?;
    }
    let oid = target.oid.to_string();
    let mut info = target.info(&message);
    // A tag that stays at its commit keeps its label.
    place.labels.add_to(std::slice::from_mut(&mut info));
    info.name = place.label.clone().or(info.name);
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
    let (written, cached) = join(git.write_ref(&place.full, &oid), cached).await;
    written.map_err(|error| not_written(place, error))?;
    if place.label.is_some() {
        // An outdated label has no effect, so a failure is ignored.
        let _ = labels::drop_outdated(host, &target).await;
    }
    if place.is_flushed {
        host.fs.flush().await?;
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

fn not_written(place: &RefToWrite, error: PortError) -> Error {
    if error.kind != PortErrorKind::IsDirectory {
        return error.into();
    }
    let message = format!(
        "the repository has a folder {}, which a deleted tag left, so git cannot write this ref; delete the folder, or \
         choose another name",
        place.full
    );
    Error::new(ErrorCode::Conflict, message).caused_by(error)
}

/// A time that no snapshot before has, even if the clock went back: snapshots are listed in the order of their times.
fn time_after(before: &[Option<&NamedCommit>]) -> u64 {
    let times = before.iter().flatten().filter_map(|snapshot| snapshot.message.as_ref());
    times.map(|message| message.at.saturating_add(1)).max().unwrap_or_default()
}

fn message_for(place: &RefToWrite, text: Option<&str>, at: u64, files: u32, changed: u32) -> Message {
    let text = text.and_then(clean).unwrap_or_else(|| place.name.clone());
    Message { text, tag: place.name.clone(), at, files, changed, kind: place.kind, run: place.run.clone() }
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
