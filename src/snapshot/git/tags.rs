//! Tags: which are snapshots, what their names mean, and which one a caller meant.

use super::message::Message;
use super::names::Names;
use super::objects::bad_id;
use super::oid::Oid;
use crate::error::{Error, ErrorCode};
use crate::join;
use crate::port::{Commit, GitPort, Host, PortErrorKind};
use crate::snapshot::info::SnapshotInfo;
use std::cmp::Ordering;

/// A commit that somebody named.
#[derive(Debug, Clone)]
pub(in crate::snapshot) struct Target {
    /// As it was named.
    pub name: String,
    /// The commit, or the annotated tag on it.
    pub oid: Oid,
    /// Its tree.
    pub tree: Oid,
    /// What a snapshot says about itself; nothing for any other commit.
    pub message: Option<Message>,
}

impl Target {
    fn new(name: &str, oid: &str, commit: &Commit) -> Result<Self, Error> {
        Ok(Self {
            name: name.to_owned(),
            oid: Oid::parse(oid).ok_or_else(|| bad_id("resolveRef", oid))?,
            tree: Oid::parse(&commit.tree).ok_or_else(|| bad_id("readCommit", &commit.tree))?,
            message: Message::decode(&commit.message),
        })
    }

    /// What callers see of a snapshot.
    pub(in crate::snapshot) fn info(&self, message: &Message) -> SnapshotInfo {
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

/// The full ref of a tag; of a full name, itself.
pub(in crate::snapshot) fn full(name: &str) -> String {
    if name.starts_with("refs/") { name.to_owned() } else { format!("refs/tags/{name}") }
}

/// The snapshots among the tags, oldest first, and what is wrong with tags that cannot be read.
pub(in crate::snapshot) async fn list(
    git: &impl GitPort,
    names: &Names,
) -> Result<(Vec<SnapshotInfo>, Vec<String>), Error> {
    let (mut found, mut warnings) = (Vec::new(), Vec::new());
    let mut tags = git.list_tags().await?;
    let listed = tags.len();
    tags.retain(|tag| !tag.is_empty());
    let nameless = "the git port listed a tag without a name; it is left out";
    warnings.extend((tags.len()..listed).map(|_| nameless.to_owned()));
    for some in tags.chunks(join::AT_ONCE) {
        let reads = join::each(some, |tag| Box::pin(async move { read(git, tag, &full(tag)).await }));
        for (tag, target) in some.iter().zip(reads.await) {
            match target {
                Ok(Some(target)) => found.extend(Listed::of(&target, names)),
                Ok(None) => warnings.push(format!("tag {tag} is broken; it is left out")),
                Err(error) if error.code == ErrorCode::Corrupt => warnings.push(error.message.clone()),
                Err(error) => return Err(error),
            }
        }
    }
    Ok((in_order(found), warnings))
}

/// A snapshot of the list.
struct Listed {
    info: SnapshotInfo,
    /// Its message, time and count are those of another snapshot, which the commit was made for.
    is_borrowed: bool,
}

impl Listed {
    fn of(target: &Target, names: &Names) -> Option<Self> {
        let message = target.message.as_ref()?;
        let mut info = target.info(message);
        let is_borrowed = !names.complete(&mut info) && message.tag != info.tag;
        Some(Self { info, is_borrowed })
    }
}

/// Oldest first. Every snapshot has its own time; one that borrows it follows the one that it borrows from, unchanged.
fn in_order(mut found: Vec<Listed>) -> Vec<SnapshotInfo> {
    let key = |listed: &Listed| (listed.info.at, listed.is_borrowed);
    found.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| natural(&a.info.tag, &b.info.tag)));
    let mut infos: Vec<SnapshotInfo> = Vec::new();
    for Listed { mut info, is_borrowed } in found {
        if is_borrowed && infos.last().is_some_and(|before| (before.at, &before.tree) == (info.at, &info.tree)) {
            info.changed = 0;
        }
        infos.push(info);
    }
    infos
}

/// The commit of a full ref; `None` where there is no such ref.
///
/// # Errors
/// `corrupt` where the ref points to nothing that is a commit.
pub(in crate::snapshot) async fn read(git: &impl GitPort, name: &str, full: &str) -> Result<Option<Target>, Error> {
    let Some(oid) = git.resolve_ref(full).await? else { return Ok(None) };
    match super::read::commit(git, &oid).await {
        Ok(commit) => Target::new(name, &oid, &commit).map(Some),
        Err(error) if matches!(error.kind, PortErrorKind::NotFound | PortErrorKind::Other) => {
            let message = format!("{full} points to {oid}, which cannot be read as a commit: {}", error.message);
            Err(Error::new(ErrorCode::Corrupt, message).caused_by(error))
        }
        Err(error) => Err(error.into()),
    }
}

/// The commit that a caller named: a tag, or any ref by its full name.
///
/// # Errors
/// `not-found` with the nearest tags.
pub(in crate::snapshot) async fn find(git: &impl GitPort, name: &str) -> Result<Target, Error> {
    let full = if name.starts_with("refs/") || name == "HEAD" { name.to_owned() } else { full(name) };
    let found = if name.is_empty() { None } else { read(git, name, &full).await? };
    match found {
        Some(target) => Ok(target),
        None => {
            let tags: Vec<String> = list(git, &Names::default()).await?.0.into_iter().map(|info| info.tag).collect();
            Err(Error::new(ErrorCode::NotFound, format!("there is no snapshot {name:?}; {}", hint(name, &tags))))
        }
    }
}

/// The tasks that a project knows of, by its counter and its tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownTasks {
    /// The number of the next task: above the counter and above every tag of a task, so that a rollback of the
    /// counter repeats no number.
    pub next: u32,
    /// The snapshot of the newest task that was accepted and not rolled back, which takes the counter back; none where there
    /// is no such snapshot.
    pub accepted: Option<String>,
}

/// Looks them up. `counter` is the number that the project's own file tells (`seeds/003 §4`), 0 where it tells none.
///
/// # Errors
/// What a port says.
pub async fn known_tasks<H: Host>(host: &H, counter: u32) -> Result<KnownTasks, Error> {
    let tags = match host.git() {
        Some(git) => git.list_tags().await?,
        None => Vec::new(),
    };
    let mut known = KnownTasks { next: counter, accepted: None };
    let mut newest = 0;
    for tag in tags {
        let Some(number) = task_number(&tag) else { continue };
        known.next = known.next.max(number);
        let stands = counter == 0 || number <= counter;
        if stands && number >= newest && tag.ends_with("-post") {
            newest = number;
            known.accepted = Some(tag);
        }
    }
    known.next = known.next.saturating_add(1);
    Ok(known)
}

/// A number that no project counts up to: such a tag is the user's, and leaves room for the numbers after it.
const NUMBER_MAX: u32 = 1_000_000_000;

/// The task that a tag of the harness belongs to.
fn task_number(tag: &str) -> Option<u32> {
    let digits = match crate::layout::task_of_tag(tag) {
        Some(digits) => digits,
        None => tag.strip_prefix("stall-")?.strip_suffix("-recovery")?,
    };
    let number = if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None };
    number.filter(|number| *number < NUMBER_MAX)
}

/// The tag that stands where another one needs a folder, or the other way round: no repository can hold both (`a`, `a/b`).
pub(in crate::snapshot) fn in_the_way<'a>(tag: &str, tags: &'a [String]) -> Option<&'a str> {
    let is_below = |lower: &str, upper: &str| lower.strip_prefix(upper).is_some_and(|rest| rest.starts_with('/'));
    let is_in_the_way = |other: &&String| !other.is_empty() && (is_below(other, tag) || is_below(tag, other));
    tags.iter().find(is_in_the_way).map(String::as_str)
}

/// Git takes it as the name of a tag (`git check-ref-format`), and nobody for something else: `HEAD`, or the full name of
/// a ref, which would be a branch of the user's.
pub(in crate::snapshot) fn is_valid(tag: &str) -> bool {
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

/// The tags that a caller may have meant.
fn hint(name: &str, tags: &[String]) -> String {
    let mut near: Vec<(f64, &String)> = tags.iter().map(|tag| (strsim::jaro_winkler(name, tag), tag)).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| natural(a.1, b.1)));
    let near: Vec<&str> = near.iter().take(3).map(|(_, tag)| tag.as_str()).collect();
    if near.is_empty() { "nothing was saved yet".to_owned() } else { format!("the nearest are {}", near.join(", ")) }
}

/// As people count: `task-2-post` before `task-10-post`, `pre` before `post`.
fn natural(a: &str, b: &str) -> Ordering {
    let key = |tag: &str| (task_number(tag), !tag.ends_with("-pre"), tag.ends_with("-post"));
    key(a).cmp(&key(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_the_harness_own_tags_alone() {
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
    fn tags_sort_as_people_count() {
        let mut tags = ["task-10-pre", "task-2-post", "task-2-pre", "stall-2-recovery", "manual-1"];
        tags.sort_by(|a, b| natural(a, b));
        assert_eq!(tags, ["manual-1", "task-2-pre", "stall-2-recovery", "task-2-post", "task-10-pre"]);
    }

    #[test]
    fn only_names_that_git_takes_are_valid() {
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
            assert_eq!(in_the_way(tag, &tags), other, "{tag}");
        }
    }

    #[test]
    fn a_hint_names_the_nearest() {
        let tags = ["task-1-pre", "task-1-post", "task-2-pre", "manual-17"].map(str::to_owned);
        assert!(hint("task-1-prr", &tags).starts_with("the nearest are task-1-pre, "));
        assert_eq!(hint("x", &[]), "nothing was saved yet");
    }
}
