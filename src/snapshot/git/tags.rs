//! Tags: which ref a name means, which task a tag belongs to, and which one a caller named.

use super::catalog::Catalog;
use super::list::{Listing, list_newest, tags};
use super::message::Message;
use super::objects::bad_id;
use super::oid::Oid;
use super::read::read_commit;
use crate::error::{Error, ErrorCode};
use crate::layout::{SNAPSHOT_REFS, task_of_tag};
use crate::nearest::nearest;
use crate::path::caseless;
use crate::port::{Commit, GitPort, Host, PortErrorKind, PortResult};
use crate::snapshot::info::SnapshotInfo;
use crate::snapshot::names::{TAG_REFS, is_snapshot_tag, snapshot_ref, tag_of_snapshot_ref};
use std::cmp::Ordering;

/// The commit of a tag or of another ref.
#[derive(Debug, Clone)]
pub(crate) struct NamedCommit {
    /// The tag, or the full name of another ref.
    pub name: String,
    /// The commit, or the annotated tag on it.
    pub oid: Oid,
    pub tree: Oid,
    /// `None` if the commit is not a snapshot.
    pub message: Option<Message>,
}

impl NamedCommit {
    fn new(name: &str, oid: &str, commit: &Commit) -> Result<Self, Error> {
        Ok(Self {
            name: name.to_owned(),
            oid: Oid::parse(oid).ok_or_else(|| bad_id("resolveRef", oid))?,
            tree: Oid::parse(&commit.tree).ok_or_else(|| bad_id("readCommit", &commit.tree))?,
            message: Message::decode(&commit.message),
        })
    }

    /// The snapshot as callers see it.
    pub(crate) fn info(&self, message: &Message) -> SnapshotInfo {
        SnapshotInfo {
            tag: self.name.clone(),
            kind: message.kind,
            run_id: message.run.clone(),
            name: None,
            pinned: false,
            oid: self.oid.to_string(),
            tree: self.tree.to_string(),
            message: message.text.clone(),
            at: message.at,
            files: message.files,
            changed: message.changed,
            warnings: Vec::new(),
        }
    }
}

/// The refs that a name may mean, the first one that exists: the harness's own snapshots, then git's tags, which have
/// the tags of earlier releases. A full name and `HEAD` mean themselves.
pub(crate) fn refs_of(name: &str) -> Vec<String> {
    if name == "HEAD" || name.starts_with("refs/") {
        return vec![name.to_owned()];
    }
    let tag = format!("{TAG_REFS}/{name}");
    if is_snapshot_tag(name) { vec![snapshot_ref(name), tag] } else { vec![tag] }
}

/// The object that a name means, and its ref; `None` if there is none.
pub(crate) async fn resolve(git: &dyn GitPort, name: &str) -> PortResult<Option<(String, String)>> {
    for full in refs_of(name) {
        if let Some(oid) = git.resolve_ref(&full).await? {
            return Ok(Some((full, oid)));
        }
    }
    Ok(None)
}

/// The name in the list of the snapshot at this ref.
pub(crate) fn short(name: &str) -> String {
    let own = name.strip_prefix(SNAPSHOT_REFS).and_then(|rest| tag_of_snapshot_ref(rest.strip_prefix('/')?));
    let tag = || name.strip_prefix(TAG_REFS)?.strip_prefix('/').map(str::to_owned);
    own.or_else(tag).unwrap_or_else(|| name.to_owned())
}

/// Reads the commit of a tag, of a ref given by its full name, or of `HEAD`; `None` if the ref does not exist. The id of a
/// commit names that commit.
///
/// # Errors
/// `corrupt` if the ref does not point to a commit; `git` if `HEAD` cannot be resolved.
pub(crate) async fn read(git: &dyn GitPort, name: &str) -> Result<Option<NamedCommit>, Error> {
    if Oid::parse(name).is_some() {
        return read_at(git, name, name, name.to_owned()).await;
    }
    for full in refs_of(name) {
        let found = match git.resolve_ref(&full).await {
            // Such as a tag that leads to itself.
            Err(error) if error.kind == PortErrorKind::Other && name != "HEAD" => {
                let message = format!("{full} cannot be resolved: {}", error.message);
                return Err(Error::new(ErrorCode::Corrupt, message).caused_by(error));
            }
            found => found?,
        };
        if let Some(oid) = found {
            return read_at(git, name, &full, oid).await;
        }
    }
    Ok(None)
}

/// As [`read`], of the ref `full` with the object `oid`.
///
/// # Errors
/// As [`read`].
pub(crate) async fn read_at(
    git: &dyn GitPort,
    name: &str,
    full: &str,
    oid: String,
) -> Result<Option<NamedCommit>, Error> {
    match read_commit(git, &oid).await {
        Ok(commit) => NamedCommit::new(name, &oid, &commit).map(Some),
        Err(error) if matches!(error.kind, PortErrorKind::NotFound | PortErrorKind::Other) => {
            let message = format!("{full} points to {oid}, which cannot be read as a commit: {}", error.message);
            Err(Error::new(ErrorCode::Corrupt, message).caused_by(error))
        }
        Err(error) => Err(error.into()),
    }
}

/// Finds the commit that a caller named: a tag, the full name of a ref, or `HEAD`.
///
/// # Errors
/// `not-found` with the nearest tags, or the newest if none is near.
pub(crate) async fn find(git: &dyn GitPort, name: &str) -> Result<NamedCommit, Error> {
    if !name.is_empty()
        && let Some(found) = read(git, name).await?
    {
        return Ok(found);
    }
    let Listing { listed, .. } = list_newest(git, &mut Catalog::default(), None).await?;
    Err(Error::new(ErrorCode::NotFound, unknown(name, listed.iter().map(|snapshot| &snapshot.info))))
}

/// Why a name was not found, with the nearest tags, or the newest if none is near.
pub(crate) fn unknown<'a>(name: &str, listed: impl DoubleEndedIterator<Item = &'a SnapshotInfo>) -> String {
    let tags: Vec<&str> = listed.map(|info| info.tag.as_str()).collect();
    let hint = match nearest(name, tags.iter().copied()) {
        _ if tags.is_empty() => "no snapshot was saved yet".to_owned(),
        near if near.is_empty() => {
            let newest: Vec<&str> = tags.into_iter().rev().take(3).collect();
            format!("the newest are {}", newest.join(", "))
        }
        near => format!("the nearest are {}", near.join(", ")),
    };
    format!("there is no snapshot {name:?}; {hint}")
}

/// The tasks of a project, by its counter and its tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownTasks {
    /// The number of the next task: above the counter and above every tag of a task, so that a rollback of the
    /// counter repeats no number.
    pub next: u32,
    /// The snapshot of the newest accepted task that was not rolled back. A rollback takes the counter back too, so
    /// tasks above the counter do not count.
    pub accepted: Option<String>,
}

/// Finds the tasks of a project. `counter` is the number in the project's counter file, 0 if it has none.
pub async fn known_tasks(host: &Host, counter: u32) -> Result<KnownTasks, Error> {
    let tags = match host.git.as_deref() {
        Some(git) => tags(git, &Catalog::load(host).await?).await?,
        None => Vec::new(),
    };
    let mut tasks = KnownTasks { next: counter, accepted: None };
    let mut newest = 0;
    for tag in tags {
        let Some(number) = task_number(&tag) else { continue };
        tasks.next = tasks.next.max(number);
        let is_current = counter == 0 || number <= counter;
        if is_current && number >= newest && tag.ends_with("-post") {
            newest = number;
            tasks.accepted = Some(tag);
        }
    }
    tasks.next = tasks.next.saturating_add(1);
    Ok(tasks)
}

/// No project counts up to this number. A tag with a larger one is the user's.
const NUMBER_MAX: u32 = 1_000_000_000;

/// The number of the task in a tag of the harness.
pub(super) fn task_number(tag: &str) -> Option<u32> {
    let digits = match task_of_tag(tag) {
        Some(digits) => digits,
        None => tag.strip_prefix("stall-")?.split_once("-recovery")?.0,
    };
    let number = if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None };
    number.filter(|number| *number < NUMBER_MAX)
}

/// The existing tag that some file systems cannot hold beside a new one: one is a folder of the other (`a`, `a/b`), or both
/// differ in the case or the normal form of a name only (`a`, `A`; `a/b`, `A/c`).
pub(crate) fn conflicting<'a>(tag: &str, tags: &'a [String]) -> Option<&'a str> {
    if tags.iter().any(|other| other == tag) {
        return None;
    }
    tags.iter().find(|other| !other.is_empty() && conflicts(tag, other)).map(String::as_str)
}

fn conflicts(tag: &str, other: &str) -> bool {
    let (mut names, mut others) = (tag.split('/'), other.split('/'));
    loop {
        match (names.next(), others.next()) {
            (Some(name), Some(other)) if name == other => {}
            (Some(name), Some(other)) => return caseless(name) == caseless(other),
            (None, None) => return false,
            _ => return true,
        }
    }
}

/// Git accepts the name for a tag (`git check-ref-format`), and it is neither `HEAD`, nor the id of a commit, nor the full
/// name of a ref, which could be one of the user's branches.
pub(crate) fn is_valid(tag: &str) -> bool {
    let is_bad = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    let is_bad_part = |part: &str| part.is_empty() || part.starts_with('.') || part.ends_with(".lock");
    tag.len() <= 200
        && !tag.starts_with('-')
        && !tag.ends_with('.')
        && !matches!(tag, "@" | "HEAD")
        && Oid::parse(tag).is_none()
        && !tag.starts_with("refs/")
        && !tag.contains(is_bad)
        && !tag.contains("..")
        && !tag.contains("@{")
        && !tag.split('/').any(is_bad_part)
}

/// Sorts as people count: `task-2-post` before `task-10-post`, `pre` before `post`.
pub(super) fn natural(a: &str, b: &str) -> Ordering {
    let key = |tag: &str| (task_number(tag), !tag.ends_with("-pre"), tag.ends_with("-post"));
    key(a).cmp(&key(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tags_of_the_harness_have_a_task_number() {
        assert_eq!(task_number("task-12-pre"), Some(12));
        assert_eq!(task_number("task-3-post"), Some(3));
        assert_eq!(task_number("stall-4-recovery"), Some(4));
        for tag in [
            "task--pre",
            "task-+1-pre",
            "task-1",
            "task-1-x",
            "task-99999999999-pre",
            "task-4294967295-post",
            "manual-5",
            "v1",
            "",
        ] {
            assert_eq!(task_number(tag), None, "{tag}");
        }
    }

    #[test]
    fn tags_with_one_time_sort_by_task_number() {
        let mut tags = ["task-10-pre", "task-2-post", "task-2-pre", "stall-2-recovery", "manual-1"];
        tags.sort_by(|a, b| natural(a, b));
        assert_eq!(tags, ["manual-1", "task-2-pre", "stall-2-recovery", "task-2-post", "task-10-pre"]);
    }

    #[test]
    fn a_tag_is_valid_if_git_accepts_it() {
        for tag in ["task-1-pre", "before/redesign", "v1.0", "größe"] {
            assert!(is_valid(tag), "{tag}");
        }
        for tag in [
            "",
            "a b",
            "a..b",
            "-a",
            "a.",
            ".a",
            "a/.b",
            "a//b",
            "/a",
            "a/",
            "a.lock",
            "a~1",
            "a@{b",
            "@",
            "a\nb",
            "HEAD",
            "refs/heads/main",
            "refs/tags/a",
            "0123456789abcdef0123456789ABCDEF01234567",
            "refs/loopgate/iterations/run/1",
        ] {
            assert!(!is_valid(tag), "{tag:?}");
        }
    }

    #[test]
    fn two_tags_of_one_name_on_some_file_system_are_in_conflict() {
        let tags = ["", "a/b", "c", "task-1-pre", "Größe", "twin", "Twin"].map(str::to_owned);
        for (tag, other) in [
            ("a", Some("a/b")),
            ("A", Some("a/b")),
            ("c/d/e", Some("c")),
            ("C/d", Some("c")),
            ("C", Some("c")),
            ("a/B", Some("a/b")),
            ("A/c", Some("a/b")),
            ("Task-1-pre", Some("task-1-pre")),
            ("gro\u{308}ße", Some("Größe")),
            ("Twin", None),
            ("a/b", None),
            ("a/c", None),
            ("ab", None),
        ] {
            assert_eq!(conflicting(tag, &tags), other, "{tag}");
        }
    }
}
