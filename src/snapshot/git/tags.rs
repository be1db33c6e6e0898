//! Tags: which are snapshots, which task they belong to, and which one a caller named.

use super::message::{Message, SharedCommits};
use super::objects::bad_id;
use super::oid::Oid;
use super::read::read_commit;
use crate::error::{Error, ErrorCode};
use crate::nearest::nearest;
use crate::port::{Commit, GitPort, Host, PortErrorKind};
use crate::snapshot::AT_ONCE;
use crate::snapshot::info::SnapshotInfo;
use futures_util::future::join_all;
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

/// The full name of a ref, given the tag, the full name or `HEAD`.
pub(crate) fn full_name(name: &str) -> String {
    if name == "HEAD" || name.starts_with("refs/") { name.to_owned() } else { format!("refs/tags/{name}") }
}

/// A snapshot that a tag names.
pub(crate) struct Listed {
    pub commit: NamedCommit,
    pub info: SnapshotInfo,
    /// The message is that of the snapshot which the commit was made for.
    pub is_borrowed: bool,
}

/// The snapshots among the tags, oldest first, and a warning for every tag that cannot be read.
pub(crate) async fn list(
    git: &impl GitPort,
    shared: &SharedCommits,
) -> Result<(Vec<SnapshotInfo>, Vec<String>), Error> {
    let (listed, warnings) = read_all(git, shared, git.list_tags().await?).await?;
    Ok((listed.into_iter().map(|snapshot| snapshot.info).collect(), warnings))
}

/// How many tags are read for the newest snapshot. A project may come with any number.
const READ_MAX: usize = 200;

/// As [`list`], but of many tags only those that are likely newest. `known` is the tag of a new snapshot.
pub(crate) async fn list_newest(
    git: &impl GitPort,
    shared: &SharedCommits,
    known: Option<&str>,
) -> Result<(Vec<Listed>, Vec<String>), Error> {
    let mut tags = git.list_tags().await?;
    let is_manual = |tag: &str| tag.starts_with("manual-");
    let mut omitted = Vec::new();
    if tags.len() > READ_MAX {
        // The most likely ones have the highest keys.
        let key = |tag: &String| {
            let is_known = u8::from(known == Some(tag) || shared.has_name(tag));
            let number = task_number(tag).map_or(0, |number| number.saturating_add(1));
            format!("{is_known}{}{number:010}{tag}", u8::from(is_manual(tag)))
        };
        let mut keys: Vec<String> = tags.iter().map(key).collect();
        keys.sort_unstable();
        tags = keys.iter().rev().filter_map(|key| key.get(12..)).map(str::to_owned).collect();
        omitted = tags.split_off(READ_MAX);
    }
    let (listed, mut warnings) = read_all(git, shared, tags).await?;
    // Other tags are rarely snapshots: a project may have a tag for each release.
    let snapshots = omitted.iter().filter(|tag| is_manual(tag) || task_number(tag).is_some()).count();
    if snapshots > 0 {
        warnings.push(format!(
            "{snapshots} snapshots were not read to find the newest one; delete the tags that are not needed"
        ));
    }
    Ok((listed, warnings))
}

async fn read_all(
    git: &impl GitPort,
    shared: &SharedCommits,
    tags: Vec<String>,
) -> Result<(Vec<Listed>, Vec<String>), Error> {
    let (mut listed, mut warnings) = (Vec::new(), Vec::new());
    let (tags, nameless): (Vec<_>, Vec<_>) = tags.into_iter().partition(|tag| !tag.is_empty());
    warnings.extend(nameless.iter().map(|_| "the git port listed a tag without a name; it is left out".to_owned()));
    for chunk in tags.chunks(AT_ONCE) {
        let reads = chunk.iter().map(async |tag| read(git, tag).await);
        for (tag, commit) in chunk.iter().zip(join_all(reads).await) {
            match commit {
                Ok(Some(commit)) => listed.extend(commit.message.clone().map(|message| {
                    let mut info = commit.info(&message);
                    let is_borrowed = !shared.complete(&mut info) && message.tag != info.tag;
                    Listed { commit, info, is_borrowed }
                })),
                Ok(None) => warnings.push(format!("tag {tag} is broken; it is left out")),
                Err(error) if error.code == ErrorCode::Corrupt => {
                    warnings.push(format!("{}; it is left out", error.message));
                }
                Err(error) => return Err(error),
            }
        }
    }
    sort(&mut listed);
    Ok((listed, warnings))
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

/// Reads the commit of a tag, of a ref given by its full name, or of `HEAD`; `None` if the ref does not exist. The id of a
/// commit names that commit.
///
/// # Errors
/// `corrupt` if the ref does not point to a commit; `git` if `HEAD` cannot be resolved.
pub(crate) async fn read(git: &impl GitPort, name: &str) -> Result<Option<NamedCommit>, Error> {
    let full = full_name(name);
    let found = match Oid::parse(name) {
        Some(_) => Some(name.to_owned()),
        None => match git.resolve_ref(&full).await {
            // Such as a tag that leads to itself.
            Err(error) if error.kind == PortErrorKind::Other && name != "HEAD" => {
                let message = format!("{full} cannot be resolved: {}", error.message);
                return Err(Error::new(ErrorCode::Corrupt, message).caused_by(error));
            }
            found => found?,
        },
    };
    let Some(oid) = found else { return Ok(None) };
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
pub(crate) async fn find(git: &impl GitPort, name: &str) -> Result<NamedCommit, Error> {
    if !name.is_empty()
        && let Some(found) = read(git, name).await?
    {
        return Ok(found);
    }
    let (listed, _) = list_newest(git, &SharedCommits::default(), None).await?;
    let hint = match nearest(name, listed.iter().map(|snapshot| snapshot.info.tag.as_str())) {
        _ if listed.is_empty() => "no snapshot was saved yet".to_owned(),
        near if near.is_empty() => {
            let newest: Vec<&str> = listed.iter().rev().take(3).map(|snapshot| snapshot.info.tag.as_str()).collect();
            format!("the newest are {}", newest.join(", "))
        }
        near => format!("the nearest are {}", near.join(", ")),
    };
    Err(Error::new(ErrorCode::NotFound, format!("there is no snapshot {name:?}; {hint}")))
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
pub async fn known_tasks<H: Host>(host: &H, counter: u32) -> Result<KnownTasks, Error> {
    let tags = match host.git() {
        Some(git) => git.list_tags().await?,
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
fn task_number(tag: &str) -> Option<u32> {
    let digits = match crate::layout::task_of_tag(tag) {
        Some(digits) => digits,
        None => tag.strip_prefix("stall-")?.strip_suffix("-recovery")?,
    };
    let number = if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None };
    number.filter(|number| *number < NUMBER_MAX)
}

/// The existing tag that no repository can hold beside this one, because one is a folder of the other (`a`, `a/b`).
pub(crate) fn conflicting<'a>(tag: &str, tags: &'a [String]) -> Option<&'a str> {
    let is_below = |lower: &str, upper: &str| lower.strip_prefix(upper).is_some_and(|rest| rest.starts_with('/'));
    let conflicts = |other: &&String| !other.is_empty() && (is_below(other, tag) || is_below(tag, other));
    tags.iter().find(conflicts).map(String::as_str)
}

/// Git accepts the name for a tag (`git check-ref-format`), and it is neither `HEAD` nor the full name of a ref, which
/// could be one of the user's branches.
pub(crate) fn is_valid(tag: &str) -> bool {
    let is_bad = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    let is_bad_part = |part: &str| part.is_empty() || part.starts_with('.') || part.ends_with(".lock");
    tag.len() <= 200
        && !tag.starts_with('-')
        && !tag.ends_with('.')
        && !matches!(tag, "@" | "HEAD")
        && !tag.starts_with("refs/")
        && !tag.contains(is_bad)
        && !tag.contains("..")
        && !tag.contains("@{")
        && !tag.split('/').any(is_bad_part)
}

/// Sorts as people count: `task-2-post` before `task-10-post`, `pre` before `post`.
fn natural(a: &str, b: &str) -> Ordering {
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
            "refs/loopgate/iterations/run/1",
        ] {
            assert!(!is_valid(tag), "{tag:?}");
        }
    }

    #[test]
    fn a_tag_and_a_folder_of_tags_cannot_have_one_name() {
        let tags = ["", "a/b", "c", "task-1-pre"].map(str::to_owned);
        for (tag, other) in [("a", Some("a/b")), ("c/d/e", Some("c")), ("a/b", None), ("a/c", None), ("ab", None)] {
            assert_eq!(conflicting(tag, &tags), other, "{tag}");
        }
    }
}
