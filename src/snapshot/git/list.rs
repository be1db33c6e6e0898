//! The lists of snapshots, from the names of the refs and the [catalog](super::catalog). Their cost does not grow with the
//! number of the snapshots.

use super::catalog::{Catalog, Record};
use super::oid::Oid;
use super::tags::{NamedCommit, natural, read, read_at, refs_of, resolve, short, task_number};
use crate::error::{Error, ErrorCode};
use crate::layout::{SNAPSHOT_REFS, task_of_tag};
use crate::port::{GitPort, ListedRef, PortResult};
use crate::snapshot::AT_ONCE;
use crate::snapshot::info::{SnapshotInfo, SnapshotKind};
use crate::snapshot::names::{TAG_REFS, is_snapshot_tag, numbered, snapshot_ref, tag_of_snapshot_ref};
use futures_util::future::{join_all, try_join};
use std::collections::{BTreeMap, BTreeSet};

/// A snapshot that a tag names.
pub(crate) struct Listed {
    pub commit: NamedCommit,
    pub info: SnapshotInfo,
    /// The message comes from the snapshot for which the commit was made.
    pub is_borrowed: bool,
}

/// Snapshots, oldest first.
#[derive(Default)]
pub(crate) struct Listing {
    pub listed: Vec<Listed>,
    /// One for every ref that cannot be read.
    pub warnings: Vec<String>,
    /// What was read from git, because the catalog did not have it.
    pub read: Vec<Record>,
}

/// A tag with a higher number is the user's.
const NUMBER_MAX: u32 = 1_000_000;

/// The names of all refs that may be snapshots.
#[derive(Default)]
pub(crate) struct Names {
    /// The harness's own.
    pub own: BTreeSet<String>,
    /// Git's tags.
    pub tags: Vec<String>,
    /// The objects of refs by their full names, where the list has them.
    oids: BTreeMap<String, String>,
    warnings: Vec<String>,
}

impl Names {
    /// Lists the refs: one call of git, or two, however many there are, if the port can list refs.
    pub(crate) async fn read(git: &dyn GitPort, catalog: &Catalog) -> PortResult<Self> {
        let known = [known_tags(catalog, &format!("{TAG_REFS}/")), known_own(catalog)].concat();
        if let Some(refs) = git.read_refs(&[SNAPSHOT_REFS, TAG_REFS], &known).await? {
            return Ok(Self::of_refs(refs));
        }
        let (refs, tags) = try_join(own_refs(git, catalog), tags(git, catalog)).await?;
        Ok(Self::of_names(refs, tags))
    }

    fn of_refs(refs: Vec<ListedRef>) -> Self {
        let (mut own, mut tags, mut oids) = (Vec::new(), Vec::new(), BTreeMap::new());
        for ListedRef { name, oid } in refs {
            let below = |folder: &str| name.strip_prefix(folder)?.strip_prefix('/').map(str::to_owned);
            own.extend(below(SNAPSHOT_REFS));
            tags.extend(below(TAG_REFS));
            oids.extend(oid.map(|oid| (name, oid)));
        }
        Self { oids, ..Self::of_names(own, tags) }
    }

    fn of_names(refs: Vec<String>, tags: Vec<String>) -> Self {
        let (tags, nameless): (Vec<_>, Vec<_>) = tags.into_iter().partition(|tag| !tag.is_empty());
        // Git's own files, while it writes a ref; and names that git has for no ref, which would lead to other files.
        let is_ref =
            |name: &String| !name.ends_with(".lock") && !name.split('/').any(|part| matches!(part, "" | "." | ".."));
        let tags = tags.into_iter().filter(is_ref).collect();
        let own = refs.into_iter().filter(is_ref).map(|name| match tag_of_snapshot_ref(&name) {
            Some(tag) => tag,
            None => format!("{SNAPSHOT_REFS}/{name}"),
        });
        let warnings = nameless.iter().map(|_| "the git port listed a tag without a name; it is left out".to_owned());
        Self { own: own.collect(), tags, oids: BTreeMap::new(), warnings: warnings.collect() }
    }

    /// The object of a name in the list, if the list has it.
    fn oid(&self, name: &str) -> Option<(String, &str)> {
        let listed = |full: &String| self.own.contains(name) || full.starts_with(TAG_REFS);
        let full = refs_of(name).into_iter().find(listed)?;
        let oid = self.oids.get(&full)?;
        Some((full, oid))
    }

    /// The names as callers use them. A tag that one of the harness hides has its full name.
    fn all(&self) -> BTreeSet<String> {
        let tags = self.tags.iter().map(|tag| match self.own.contains(tag) || Oid::parse(tag).is_some() {
            true => format!("{TAG_REFS}/{tag}"),
            false => tag.clone(),
        });
        tags.chain(self.own.iter().cloned()).collect()
    }

    /// The highest number of a name ([`numbered`]) that is taken; 0 for none.
    fn taken(&self, name: &str) -> u32 {
        let number = |other: &String| match other.strip_prefix(name)? {
            "" => Some(1),
            rest => rest
                .strip_prefix('-')?
                .parse()
                .ok()
                .filter(|number| *number < NUMBER_MAX)
                .filter(|number| numbered(name, *number) == *other),
        };
        self.own.iter().chain(&self.tags).filter_map(number).max().unwrap_or_default()
    }
}

/// The names of git's tags.
pub(crate) async fn tags(git: &dyn GitPort, catalog: &Catalog) -> PortResult<Vec<String>> {
    Ok(git.list_refs(TAG_REFS, &known_tags(catalog, "")).await?.unwrap_or_default())
}

/// The tags in the catalog that cannot be folders: a user may replace the tag `a` by `a/b`.
fn known_tags(catalog: &Catalog, prefix: &str) -> Vec<String> {
    catalog.names().filter(|name| task_of_tag(name).is_some()).map(|name| format!("{prefix}{name}")).collect()
}

/// The refs in the catalog that are the harness's own.
fn known_own(catalog: &Catalog) -> Vec<String> {
    catalog.names().filter(|name| is_snapshot_tag(name)).map(snapshot_ref).collect()
}

/// The names in [`SNAPSHOT_REFS`]. A git port that cannot list them is asked for each that the catalog has.
async fn own_refs(git: &dyn GitPort, catalog: &Catalog) -> PortResult<Vec<String>> {
    let known = known_own(catalog);
    let name_of = |full: &String| full.strip_prefix(SNAPSHOT_REFS)?.strip_prefix('/').map(str::to_owned);
    let names: Vec<String> = known.iter().filter_map(name_of).collect();
    if let Some(listed) = git.list_refs(SNAPSHOT_REFS, &names).await? {
        return Ok(listed);
    }
    let mut found = Vec::new();
    for (full, name) in known.iter().zip(names) {
        found.extend(git.resolve_ref(full).await?.map(|_| name));
    }
    Ok(found)
}

/// The names of the refs in the list. Some are no snapshots.
pub(crate) async fn names(git: &dyn GitPort, catalog: &Catalog) -> PortResult<BTreeSet<String>> {
    Ok(Names::read(git, catalog).await?.all())
}

/// The snapshots that have a tag.
pub(crate) async fn list(git: &dyn GitPort, catalog: &Catalog) -> Result<Listing, Error> {
    let names = Names::read(git, catalog).await?;
    let all = names.all().into_iter().collect();
    read_all(git, catalog, &names, all, Vec::new()).await
}

/// How many tags are read for the newest snapshot. A project may come with any number.
const READ_MAX: usize = 200;

/// As [`list`], but of many tags that the catalog lacks, only those that are likely newest are read. Forgets what is gone.
/// `known`: the tag in the stat cache, which is probably the newest.
pub(crate) async fn list_newest(
    git: &dyn GitPort,
    catalog: &mut Catalog,
    known: Option<&str>,
) -> Result<Listing, Error> {
    let found = Names::read(git, catalog).await?;
    let (names, mut warnings) = (found.all(), Vec::new());
    catalog.keep(&names.iter().map(String::as_str).collect());
    let (mut names, mut unread): (Vec<String>, Vec<String>) =
        names.into_iter().partition(|name| catalog.known(name).is_some());
    let is_manual = |tag: &str| tag.starts_with("manual-");
    if unread.len() > READ_MAX {
        // The most likely ones have the highest keys.
        let key = |tag: &String| {
            let is_known = u8::from(known == Some(tag) || catalog.has_name(tag));
            let number = task_number(tag).map_or(0, |number| number.saturating_add(1));
            format!("{is_known}{}{number:010}{tag}", u8::from(is_manual(tag)))
        };
        let mut keys: Vec<String> = unread.iter().map(key).collect();
        keys.sort_unstable();
        unread = keys.iter().rev().filter_map(|key| key.get(12..)).map(str::to_owned).collect();
        let omitted = unread.split_off(READ_MAX);
        // Other tags are rarely snapshots: a project may have a tag for each release.
        let snapshots = omitted.iter().filter(|tag| is_manual(tag) || task_number(tag).is_some()).count();
        if snapshots > 0 {
            warnings.push(format!(
                "{snapshots} snapshots were not read to find the newest one; delete the tags that are not needed"
            ));
        }
    }
    names.append(&mut unread);
    read_all(git, catalog, &found, names, warnings).await
}

/// How many tags of the user are looked at although the catalog has them, because `git tag --force` may have moved them.
const LOOKED_AT_MAX: usize = 32;

/// The newest tags that users named.
fn looked_at<'a>(catalog: &Catalog, names: &'a [String]) -> BTreeSet<&'a str> {
    let is_users = |name: &&String| !is_snapshot_tag(name) && task_of_tag(name).is_none() && !name.starts_with("refs/");
    let snapshot = |name: &'a String| catalog.known(name).and_then(Record::at).map(|at| (at, name.as_str()));
    let mut users: Vec<(u64, &str)> = names.iter().filter(is_users).filter_map(snapshot).collect();
    users.sort_unstable();
    users.into_iter().rev().take(LOOKED_AT_MAX).map(|(_, name)| name).collect()
}

async fn read_all(
    git: &dyn GitPort,
    catalog: &Catalog,
    found: &Names,
    names: Vec<String>,
    mut warnings: Vec<String>,
) -> Result<Listing, Error> {
    let (mut listed, mut learned) = (Vec::new(), Vec::new());
    warnings.splice(0..0, found.warnings.iter().cloned());
    let read = async |name: &str| match found.oid(name) {
        Some((full, oid)) => read_at(git, name, &full, oid.to_owned()).await,
        None => read(git, name).await,
    };
    let resolve = async |name: &str| match found.oid(name) {
        Some((_, oid)) => Ok(Some(oid.to_owned())),
        None => Ok::<_, Error>(resolve(git, name).await?.map(|(_, oid)| oid)),
    };
    let looked_at = looked_at(catalog, &names);
    for chunk in names.chunks(AT_ONCE) {
        let reads = chunk.iter().map(async |name| {
            let Some(known) = catalog.known(name) else { return Ok(Err(read(name).await)) };
            let is_current = match looked_at.contains(name.as_str()) {
                true => resolve(name).await?.is_some_and(|oid| oid == known.oid),
                false => true,
            };
            Ok::<_, Error>(if is_current { Ok(known) } else { Err(read(name).await) })
        });
        for (name, found) in chunk.iter().zip(join_all(reads).await) {
            let (commit, is_borrowed) = match found? {
                Ok(known) => (known.commit(), known.is_borrowed),
                Err(Ok(Some(mut commit))) => {
                    let is_own = catalog.complete(&mut commit);
                    if let Some(message) = commit.message.as_mut().filter(|_| !is_own) {
                        catalog.bound(message);
                    }
                    let made_for = commit.message.as_ref().map(|message| message.tag.clone()).unwrap_or_default();
                    let is_borrowed = !is_own && made_for != short(name);
                    if let Some(message) = commit.message.as_mut().filter(|_| is_borrowed) {
                        message.kind = SnapshotKind::guess(&short(name), &message.text);
                        message.run = catalog.run_of(name).map(str::to_owned);
                    }
                    learned.push(Record::from_commit(&commit, is_borrowed));
                    (Some(commit), is_borrowed)
                }
                Err(Ok(None)) => {
                    warnings.push(format!("tag {name} is broken; it is left out"));
                    continue;
                }
                Err(Err(error)) if error.code == ErrorCode::Corrupt => {
                    warnings.push(format!("{}; it is left out", error.message));
                    continue;
                }
                Err(Err(error)) => return Err(error),
            };
            listed.extend(commit.and_then(|commit| {
                let info = commit.message.as_ref().map(|message| commit.info(message))?;
                Some(Listed { commit, info, is_borrowed })
            }));
        }
    }
    sort(&mut listed);
    Ok(Listing { listed, warnings, read: learned })
}

/// The tag for a snapshot of a run, and its ref. A run moves its own tag. If an earlier run has the tag, or its snapshot is
/// pinned, the tag gets the next number. The tag of a task moves whoever saved it, unless it is pinned.
pub(crate) async fn tag_of_run(
    git: &dyn GitPort,
    catalog: &Catalog,
    wanted: &str,
    run: &str,
    is_pinned: &dyn Fn(&NamedCommit) -> bool,
) -> Result<(String, String), Error> {
    let is_task = task_of_tag(wanted).is_some();
    let full = |tag: &str| if is_task { format!("{TAG_REFS}/{tag}") } else { snapshot_ref(tag) };
    let names = if is_task && resolve(git, wanted).await?.is_none() {
        Names::default()
    } else {
        Names::read(git, catalog).await?
    };
    let taken = names.taken(wanted).max(1);
    let tag = numbered(wanted, taken);
    let is_free = match read(git, &full(&tag)).await {
        Ok(Some(mut commit)) => {
            commit.name.clone_from(&tag);
            let is_own = catalog.complete(&mut commit) || commit.message.as_ref().is_some_and(|own| own.tag == tag);
            let message = commit.message.as_ref();
            let is_of_run = is_task
                // A crash may have left the record without its ref.
                || catalog.run_of(&tag) == Some(run)
                || is_own && message.is_some_and(|message| message.run.as_deref() == Some(run));
            is_of_run && !is_pinned(&commit)
        }
        // Only a git tag has this name, such as one of an earlier version, so the next number is used.
        Ok(None) => !names.tags.contains(&tag) || is_task,
        Err(error) if error.code == ErrorCode::Corrupt => true,
        Err(error) => return Err(error),
    };
    let tag = if is_free { tag } else { numbered(wanted, taken + 1) };
    let full = full(&tag);
    Ok((tag, full))
}

/// Sorts by time. A snapshot with a borrowed message follows that snapshot and has no changes.
fn sort(listed: &mut [Listed]) {
    listed.sort_by(|a, b| {
        let key = |snapshot: &Listed| (snapshot.info.at, snapshot.is_borrowed);
        key(a).cmp(&key(b)).then_with(|| natural(&a.info.tag, &b.info.tag))
    });
    let mut before: Option<(u64, String)> = None;
    for Listed { info, is_borrowed, .. } in listed {
        let state = Some((info.at, info.tree.clone()));
        if *is_borrowed && before == state {
            info.changed = 0;
        }
        before = state;
    }
}

/// The snapshot with the highest number of a name.
pub(crate) async fn newest_of(git: &dyn GitPort, catalog: &Catalog, name: &str) -> Result<Option<NamedCommit>, Error> {
    let taken = Names::read(git, catalog).await?.taken(name);
    for number in (1..=taken).rev() {
        match read(git, &numbered(name, number)).await {
            Ok(Some(commit)) if commit.message.is_some() => return Ok(Some(commit)),
            Err(error) if error.code != ErrorCode::Corrupt => return Err(error),
            _ => {}
        }
    }
    Ok(None)
}
