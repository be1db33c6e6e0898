//! Accepting the work of an attempt: one commit on the branch.

use super::merge::merge;
use super::{HeadState, full_name, head, is_ancestor, moved, point_head, tree_near, write_index};
use crate::error::Error;
use crate::path::folders_above;
use crate::port::{Commit, FsPort, GitPort, Host, Person};
use crate::snapshot::compare;
use crate::snapshot::git::{
    CacheTree, Entry, Manifest, Mode, ObjectWriter, Oid, StoredTree, has_below, read_blob, read_commit, tags,
};
use crate::snapshot::git_of;
use crate::snapshot::info::FileChange;
use crate::snapshot::protect::is_protected;
use crate::snapshot::restore::recover;
use crate::snapshot::worktree::Head;
use std::collections::BTreeSet;

/// What to commit, and where.
pub struct Acceptance<'a> {
    /// Without `refs/heads/`.
    pub branch: &'a str,
    /// The commit of the branch before the attempt; `None` for a branch without one.
    pub base: Option<&'a str>,
    /// The tag of the snapshot before the attempt.
    pub before: &'a str,
    /// The tag of the snapshot after the attempt.
    pub candidate: &'a str,
    /// The paths that the agent changed; `None` for all that differ between the snapshots.
    pub paths: Option<&'a BTreeSet<String>>,
    /// Further paths to commit as the candidate has them, even if the user had changed them before.
    pub also: &'a [String],
    /// The first line is cut at 72 characters; its rest goes to the body.
    pub message: &'a str,
    /// The author and the committer.
    pub author: Person,
    /// The agent may have moved the branch or HEAD: its commits are replaced by this one.
    pub moved_by_agent: bool,
}

/// The result of [`accept`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accepted {
    /// The branch has the commit.
    Committed {
        /// The commit.
        commit: String,
        /// How its files differ from those of its parent.
        files: Vec<FileChange>,
        /// What the user should know about, such as a tree entry without a path; usually empty.
        warnings: Vec<String>,
    },
    /// Nothing was committed, because the user had changed these files before, and the agent's changes cannot be separated.
    Unmergeable {
        /// Sorted.
        paths: Vec<String>,
    },
}

/// Commits the agent's changes on the branch, then updates git's index. Files that the user changed before or meanwhile are
/// left out; one that both changed is merged. Called again after a crash, it completes the same commit.
///
/// # Errors
/// `conflict` if HEAD or the branch is not at `base` and the agent did not move it; `not-found` for an unknown tag;
/// `corrupt` if a tree cannot be read completely; `unsupported` without git; otherwise what a port returns.
pub async fn accept<H: Host>(host: &H, acceptance: &Acceptance<'_>) -> Result<Accepted, Error> {
    let git = git_of(host)?;
    let full = full_name(acceptance.branch)?;
    let _turn = host.turn().await;
    let after_crash = recover(host, git).await?.after_crash;
    let saved = Head::load(host, git).await?;
    let candidate = tags::find(git, acceptance.candidate).await?.tree;
    let candidate = StoredTree::read(git, candidate, &saved.hints()).await?;
    let before = tags::find(git, acceptance.before).await?.tree;
    let before = StoredTree::read(git, before, &[&candidate.manifest]).await?;
    let base = match acceptance.base {
        Some(base) => tree_near(git, base, &[&before.manifest, &candidate.manifest]).await?,
        None => StoredTree::default(),
    };

    let change = TreeChange::new(git, &base.manifest, &before.manifest, &candidate.manifest, acceptance).await?;
    if !change.unmergeable.is_empty() {
        return Ok(Accepted::Unmergeable { paths: change.unmergeable.into_iter().collect() });
    }
    let (cache, trees) = CacheTree::of(&change.files);
    let commit = Commit {
        tree: cache.root().to_string(),
        parents: acceptance.base.iter().map(|base| (*base).to_owned()).collect(),
        message: message_of(acceptance.message),
        author: person_of(&acceptance.author),
    };
    let (now, tip) = (head(host).await?, git.resolve_ref(&full).await?);
    let oid = match find_commit(host, git, acceptance, &now, tip.as_deref(), &commit).await? {
        Some(oid) => oid,
        None => {
            let mut stored = candidate.objects();
            stored.append(&mut base.objects());
            let mut objects = ObjectWriter::new(host, git, acceptance.candidate, stored, after_crash);
            for bytes in change.merged {
                objects.write_blob(bytes).await?;
            }
            objects.write_trees(trees).await?;
            let oid = objects.write_commit(&commit).await?.to_string();
            host.fs().flush().await?;
            git.move_ref(&full, &oid, tip.as_deref()).await?;
            host.fs().flush().await?;
            // The objects of a save that was interrupted are still to be checked by the next one.
            if !after_crash {
                objects.end().await?;
            }
            oid
        }
    };
    point_head(host, git, acceptance.branch, &now).await?;
    write_index(git, &change.files, change.paths.iter().map(String::as_str)).await?;
    host.fs().flush().await?;
    let warnings = [before.warnings, candidate.warnings, base.warnings].concat();
    Ok(Accepted::Committed { commit: oid, files: compare::changes(&base.manifest, &change.files), warnings })
}

/// The commit that an interrupted call wrote; `None` if it is to be written.
///
/// # Errors
/// `conflict` if HEAD or the branch moved and the agent did not do that.
async fn find_commit<H: Host>(
    host: &H,
    git: &H::Git,
    acceptance: &Acceptance<'_>,
    now: &HeadState,
    tip: Option<&str>,
    commit: &Commit,
) -> Result<Option<String>, Error> {
    let Acceptance { branch, base, moved_by_agent, .. } = acceptance;
    let conflict = || Err(moved(now, branch, *base));
    if now.branch.as_deref() != Some(*branch) && !moved_by_agent {
        return conflict();
    }
    // A branch without a commit has nothing to lose: a crash may have torn its ref.
    let Some(tip) = tip.filter(|tip| Some(*tip) != *base) else { return Ok(None) };
    let found = read_commit(git, tip).await?;
    if found.tree == commit.tree
        && found.parents == commit.parents
        && found.message.trim_matches('\n') == commit.message.trim_matches('\n')
    {
        return Ok(Some(tip.to_owned()));
    }
    let is_agents = match base {
        _ if !moved_by_agent => false,
        Some(base) => is_ancestor(host, base, tip).await? || is_ancestor(host, tip, base).await?,
        None => true,
    };
    if is_agents { Ok(None) } else { conflict() }
}

/// What the commit changes.
#[derive(Default)]
struct TreeChange {
    /// All files of the commit.
    files: Manifest,
    /// The paths at which they differ from those of the parent.
    paths: BTreeSet<String>,
    /// The contents of files that were merged.
    merged: Vec<Vec<u8>>,
    unmergeable: BTreeSet<String>,
}

impl TreeChange {
    async fn new(
        git: &impl GitPort,
        base: &Manifest,
        before: &Manifest,
        candidate: &Manifest,
        acceptance: &Acceptance<'_>,
    ) -> Result<Self, Error> {
        let mut change = Self { files: base.clone(), ..Self::default() };
        let also: BTreeSet<&str> = acceptance.also.iter().map(String::as_str).collect();
        let is_agents = |path: &&str| acceptance.paths.is_none_or(|paths| paths.contains(*path));
        let mut paths = also.clone();
        paths.extend(compare::differing(before, candidate).into_iter().filter(is_agents));
        for path in paths.into_iter().filter(|path| !path.is_empty() && !is_protected(path)) {
            let [ours, old, theirs] = [base, before, candidate].map(|files| files.get(path).copied());
            // Snapshots take submodules from the commits, so an agent cannot change them.
            let is_submodule = [ours, theirs].iter().flatten().any(|entry| entry.mode == Mode::Submodule);
            if ours == theirs || is_submodule {
                continue;
            }
            if ours == old || also.contains(path) {
                change.set(path, theirs);
                continue;
            }
            match merge_files(git, old, ours, theirs).await? {
                Some((entry, bytes)) => {
                    change.merged.push(bytes);
                    change.set(path, Some(entry));
                }
                None => drop(change.unmergeable.insert(path.to_owned())),
            }
        }
        // The user replaced a file by a folder, or a folder by a file, and the agent changed what is there.
        let Self { files, paths, .. } = &change;
        let is_both =
            |path: &str| folders_above(path).any(|folder| files.contains_key(folder)) || has_below(files, path);
        let both = paths.iter().filter(|path| files.contains_key(*path) && is_both(path)).cloned().collect::<Vec<_>>();
        change.unmergeable.extend(both);
        Ok(change)
    }

    fn set(&mut self, path: &str, entry: Option<Entry>) {
        self.paths.insert(path.to_owned());
        match entry {
            Some(entry) => drop(self.files.insert(path.to_owned(), entry)),
            None => drop(self.files.remove(path)),
        }
    }
}

/// Merges a file that the user changed from `ours` (HEAD's) to `old`, and the agent from `old` to `theirs`, without the
/// user's change; `None` if that is not possible.
async fn merge_files(
    git: &impl GitPort,
    old: Option<Entry>,
    ours: Option<Entry>,
    theirs: Option<Entry>,
) -> Result<Option<(Entry, Vec<u8>)>, Error> {
    let (Some(old), Some(ours), Some(theirs)) = (old, ours, theirs) else { return Ok(None) };
    let is_text = matches!(ours.mode, Mode::File | Mode::Executable);
    if !is_text || old.mode != ours.mode || theirs.mode != ours.mode {
        return Ok(None);
    }
    let read = async |entry: Entry| read_blob(git, &entry.oid.to_string()).await;
    let merged = merge(&read(old).await?, &read(ours).await?, &read(theirs).await?);
    Ok(merged.map(|bytes| (Entry { mode: ours.mode, oid: Oid::of_blob(&bytes) }, bytes)))
}

/// In characters.
const SUBJECT_MAX: usize = 72;

/// The message as git stores it: without NUL and carriage returns, with the first line cut.
fn message_of(text: &str) -> String {
    let text = text.replace(['\0', '\r'], "");
    let text = text.trim_matches('\n');
    let subject = text.lines().next().unwrap_or_default();
    match subject.char_indices().nth(SUBJECT_MAX).and_then(|(end, _)| text.split_at_checked(end)) {
        Some((subject, rest)) => format!("{subject}\n\n{rest}\n"),
        None => format!("{text}\n"),
    }
}

/// A person whose name and email fit into the line of a commit.
fn person_of(person: &Person) -> Person {
    let clean = |text: &str, default: &str| {
        let text: String = text.chars().filter(|c| !c.is_control() && !matches!(c, '<' | '>')).collect();
        if text.trim().is_empty() { default.to_owned() } else { text.trim().to_owned() }
    };
    let (name, email) = (clean(&person.name, "loopgate"), clean(&person.email, "loopgate@localhost"));
    Person { name, email, ..person.clone() }
}
