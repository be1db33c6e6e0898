//! Accepting the work of an attempt: one commit on the branch.

use super::{SEARCHED_MAX, full_name, head, index, is_ancestor, moved, tree_near, tree_with};
use crate::error::Error;
use crate::port::{Commit, Host, Person};
use crate::snapshot::compare;
use crate::snapshot::git::{Entry, ObjectWriter, StoredTree, read_commit};
use crate::snapshot::git_of;
use crate::snapshot::info::FileChange;
use crate::snapshot::protect::is_protected;
use crate::snapshot::restore::recover;
use std::collections::BTreeMap;

/// What to commit, and where.
pub struct Acceptance<'a> {
    /// Without `refs/heads/`.
    pub branch: &'a str,
    /// The commit to build on; `None` for a branch without one.
    pub base: Option<&'a str>,
    /// What to commit at each path; `None` removes the file. Every object is stored.
    pub changes: &'a BTreeMap<String, Option<Entry>>,
    /// The first line is cut at 72 characters; its rest goes to the body.
    pub message: &'a str,
    /// The author and the committer.
    pub author: Person,
}

/// The result of [`accept`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accepted {
    /// The branch has the commit.
    Committed {
        /// Its id.
        commit: String,
        /// How its files differ from its parent.
        files: Vec<FileChange>,
        /// What the user should know about: tree entries without a path, staged files that the index keeps; usually empty.
        warnings: Vec<String>,
    },
    /// Nothing was committed: the branch has commits of others on top of the base. This is the newest.
    Moved(String),
    /// Nothing was committed: a folder above these paths directly contains a name that is not UTF-8, or an entry that cannot
    /// be read, which the commit would change. Or a file and a folder would have the same name.
    Unmergeable {
        /// Sorted.
        paths: Vec<String>,
    },
}

/// Commits changes on the branch, then brings them into git's index, beside what the user staged. A folder without a change
/// keeps its tree. Called again after a crash, it completes the same commit.
///
/// # Errors
/// `conflict` if HEAD is not at the branch, or the branch does not follow the base; `unsupported` without git, or with a split
/// or sparse index; otherwise what a port returns.
pub async fn accept(host: &Host, acceptance: &Acceptance<'_>) -> Result<Accepted, Error> {
    let git = git_of(host)?;
    let full = full_name(acceptance.branch)?;
    let _turn = host.locks.turn().await;
    recover(host, git).await?;
    index::require_index(host).await?;
    let base = match acceptance.base {
        Some(base) => tree_near(git, base, &[]).await?,
        None => StoredTree::default(),
    };
    let changes = acceptance.changes.iter().filter(|(path, _)| !is_protected(path));
    let changes = changes.map(|(path, state)| (path.clone(), *state)).collect();
    let (files, cache, trees) = match tree_with(&base, &changes) {
        Ok(tree) => tree,
        Err(paths) => return Ok(Accepted::Unmergeable { paths }),
    };
    let commit = Commit {
        tree: cache.root().to_string(),
        parents: acceptance.base.iter().map(|base| (*base).to_owned()).collect(),
        message: message_of(acceptance.message),
        author: person_of(&acceptance.author),
    };
    let (now, tip) = (head(host).await?, git.resolve_ref(&full).await?);
    if now.branch.as_deref() != Some(acceptance.branch) {
        return Err(moved(&now, acceptance.branch, acceptance.base));
    }
    let oid = match tip.as_deref() {
        // A branch without a commit has nothing to lose: a crash may have torn its ref.
        tip if tip == acceptance.base || tip.is_none() => {
            let mut objects = ObjectWriter::new(host, git, "", base.objects());
            objects.write_trees(trees).await?;
            let oid = objects.write_commit(&commit).await?.to_string();
            host.fs.flush().await?;
            git.move_ref(&full, &oid, tip).await?;
            host.fs.flush().await?;
            objects.end().await?;
            oid
        }
        tip => match find_commit(host, acceptance, tip.unwrap_or_default(), &commit).await? {
            Found::Own(oid) => oid,
            Found::Others(tip) => return Ok(Accepted::Moved(tip)),
            Found::Elsewhere => return Err(moved(&now, acceptance.branch, acceptance.base)),
        },
    };
    let left = index::update(host, &base.manifest, &files, acceptance.changes.keys().map(String::as_str)).await?;
    host.fs.flush().await?;
    let warnings = base.warnings.into_iter().chain(index::left_staged(&left)).collect();
    Ok(Accepted::Committed { commit: oid, files: compare::changes(&base.manifest, &files), warnings })
}

/// What the branch has on top of the base.
enum Found {
    /// The commit that an interrupted call wrote, maybe below commits of others.
    Own(String),
    /// Commits of others; the newest.
    Others(String),
    /// It does not follow the base.
    Elsewhere,
}

async fn find_commit(host: &Host, acceptance: &Acceptance<'_>, tip: &str, wanted: &Commit) -> Result<Found, Error> {
    let git = git_of(host)?;
    let (mut oid, mut seen) = (tip.to_owned(), 0);
    while acceptance.base != Some(oid.as_str()) && seen < SEARCHED_MAX {
        let found = read_commit(git, &oid).await?;
        if found.tree == wanted.tree
            && found.parents == wanted.parents
            && found.message.trim_matches('\n') == wanted.message.trim_matches('\n')
        {
            return Ok(Found::Own(oid));
        }
        seen += 1;
        match found.parents.into_iter().next() {
            Some(parent) => oid = parent,
            None => break,
        }
    }
    let follows = match acceptance.base {
        Some(base) => is_ancestor(host, base, tip).await?,
        None => true,
    };
    Ok(if follows { Found::Others(tip.to_owned()) } else { Found::Elsewhere })
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
