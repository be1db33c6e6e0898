//! How two states of the project's files differ, and the evidence that gates judge.

use super::git::{Entry, Manifest, Message, Mode, Oid, StoredTree, read_blob, read_commit, root_of, tags};
use super::git_of;
use super::info::{Change, FileChange};
use super::worktree::Head;
use crate::error::Error;
use crate::port::{Host, PortErrorKind};
use std::collections::{BTreeMap, BTreeSet};

/// The project's files at one time. A verdict of the gates is bound to their tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The id of the git tree that the files make.
    pub tree: String,
    files: Manifest,
}

impl Evidence {
    /// The evidence of those files that `counts` selects.
    pub(super) fn from_files(files: &Manifest, counts: &dyn Fn(&str) -> bool) -> Self {
        let mut files = files.clone();
        files.retain(|path, _| counts(path));
        Self { tree: root_of(&files).to_string(), files }
    }

    /// The file at this path.
    pub(crate) fn get(&self, path: &str) -> Option<Entry> {
        self.files.get(path).copied()
    }

    /// One of the files has this path.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The files as text, for storage.
    pub fn to_text(&self) -> String {
        let line = |(path, entry): (&String, &Entry)| format!("{} {} {path}\0", entry.mode.as_str(), entry.oid);
        self.files.iter().map(line).collect()
    }

    /// Reads a stored text; `None` if it is damaged.
    pub fn from_text(text: &str) -> Option<Self> {
        let entry = |line: &str| {
            let mut fields = line.splitn(3, ' ');
            let entry = Entry::parse(fields.next()?, fields.next()?)?;
            Some((fields.next()?.to_owned(), entry))
        };
        let files = text.split_terminator('\0').map(entry).collect::<Option<_>>()?;
        Some(Self::from_files(&files, &|_| true))
    }

    /// The paths at which the files differ.
    pub fn differing(&self, other: &Evidence) -> Vec<String> {
        differing(&self.files, &other.files).into_iter().map(str::to_owned).collect()
    }
}

/// Scans the working tree for the files that `counts` selects. Works without git, but then reads every file.
pub async fn evidence(host: &Host, counts: &dyn Fn(&str) -> bool) -> Result<Evidence, Error> {
    let head = match host.git.as_deref() {
        Some(git) => Head::load(host, git).await?,
        None => Head::default(),
    };
    let scan = head.scan(host, &Manifest::new()).await?;
    Ok(Evidence::from_files(&scan.manifest(), counts))
}

/// The tree of a snapshot; `None` if no snapshot has this id: 40 hex digits of a commit that a save wrote.
async fn tree_of(host: &Host, id: &str) -> Result<Option<Oid>, Error> {
    let git = git_of(host)?;
    if Oid::parse(id).is_none() {
        return Ok(None);
    }
    match read_commit(git, id).await {
        Ok(commit) => Ok(Message::decode(&commit.message).and_then(|_| Oid::parse(&commit.tree))),
        Err(error) if matches!(error.kind, PortErrorKind::NotFound | PortErrorKind::Other) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The tree of those files of a snapshot that `counts` selects; `None` if no snapshot has this id.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn judged_tree(host: &Host, id: &str, counts: &dyn Fn(&str) -> bool) -> Result<Option<String>, Error> {
    let Some(tree) = tree_of(host, id).await? else { return Ok(None) };
    let files = StoredTree::read(git_of(host)?, tree, &[]).await?.manifest;
    Ok(Some(Evidence::from_files(&files, counts).tree))
}

/// The files of a snapshot, read once for several questions; none by default.
#[derive(Default)]
pub struct Contents {
    files: Manifest,
}

impl From<Manifest> for Contents {
    fn from(files: Manifest) -> Self {
        Self { files }
    }
}

impl Contents {
    /// Reads the list of those files that `counts` selects. Trees that `now` has as well are not read.
    ///
    /// # Errors
    /// `not-found` with the nearest tags; `unsupported` without git; otherwise what a port returns.
    pub async fn since_tag(
        host: &Host,
        tag: &str,
        now: &Evidence,
        counts: &dyn Fn(&str) -> bool,
    ) -> Result<Self, Error> {
        let git = git_of(host)?;
        let mut files = StoredTree::read(git, tags::find(git, tag).await?.tree, &[&now.files]).await?.manifest;
        files.retain(|path, _| counts(path));
        Ok(Self { files })
    }

    /// All files of a commit; none without one.
    ///
    /// # Errors
    /// `unsupported` without git; otherwise what a port returns.
    pub async fn of_commit(host: &Host, commit: Option<&str>) -> Result<Self, Error> {
        Ok(Self { files: super::branch::tree_of(git_of(host)?, commit).await?.manifest })
    }

    /// How `after` differs from this state at these paths.
    pub fn changes_at(&self, after: &Self, paths: &BTreeSet<String>) -> Vec<FileChange> {
        let at_paths = |files: &Manifest| -> Manifest {
            let entries = files.iter().filter(|(path, _)| paths.contains(*path));
            entries.map(|(path, entry)| (path.clone(), *entry)).collect()
        };
        changes(&at_paths(&self.files), &at_paths(&after.files))
    }

    /// What changed since the snapshot.
    pub fn changes(&self, now: &Evidence) -> Vec<FileChange> {
        changes(&self.files, &now.files)
    }

    /// The file at this path, unless it is another repository.
    pub(crate) fn entry(&self, path: &str) -> Option<Entry> {
        self.files.get(path).copied().filter(|entry| entry.mode != Mode::Submodule)
    }

    /// The bytes of a file, or the target of a link; `None` if there is no such file.
    pub async fn read(&self, host: &Host, path: &str) -> Result<Option<Vec<u8>>, Error> {
        match self.files.get(path).filter(|entry| entry.mode != Mode::Submodule) {
            Some(entry) => Ok(Some(read_blob(git_of(host)?, &entry.oid.to_string()).await?)),
            None => Ok(None),
        }
    }
}

/// What changed between two manifests, by path. A deleted and an added file with the same bytes are one rename.
/// Submodules are left out.
pub(super) fn changes(from: &Manifest, to: &Manifest) -> Vec<FileChange> {
    let mut changes = Vec::new();
    let mut deleted: BTreeMap<(Oid, bool), BTreeSet<(&str, &str)>> = BTreeMap::new();
    for (path, entry) in from.iter().filter(|(_, entry)| entry.mode != Mode::Submodule) {
        match to.get(path) {
            Some(other) if other == entry => {}
            Some(_) => changes.push(change(path, Change::Modified, None)),
            None => drop(deleted.entry(content(entry)).or_default().insert((crate::path::name(path), path))),
        }
    }
    let added = to.iter().filter(|(path, entry)| entry.mode != Mode::Submodule && !from.contains_key(*path));
    for (path, entry) in added {
        let source = deleted.get_mut(&content(entry)).filter(|_| entry.oid != Oid::of_blob(b""));
        changes.push(match source.and_then(|paths| take_nearest(paths, path)) {
            Some(source) => change(path, Change::Renamed, Some(source)),
            None => change(path, Change::Added, None),
        });
    }
    changes.extend(deleted.values().flatten().map(|(_, path)| change(path, Change::Deleted, None)));
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    changes
}

fn change(path: &str, change: Change, from: Option<&str>) -> FileChange {
    FileChange { path: path.to_owned(), change, from: from.map(str::to_owned) }
}

/// The paths at which two manifests differ, sorted.
pub(super) fn differing<'a>(a: &'a Manifest, b: &'a Manifest) -> Vec<&'a str> {
    let changed = a.iter().filter(|(path, entry)| b.get(*path) != Some(*entry)).map(|(path, _)| path);
    let added = b.keys().filter(|path| !a.contains_key(*path));
    let mut paths: Vec<&str> = changed.chain(added).map(String::as_str).collect();
    paths.sort_unstable();
    paths
}

/// How many paths differ.
pub(super) fn count(from: &Manifest, to: &Manifest) -> u32 {
    u32::try_from(differing(from, to).len()).unwrap_or(u32::MAX)
}

/// What two entries with the same content have in common, whatever their mode bits.
pub(super) fn content(entry: &Entry) -> (Oid, bool) {
    (entry.oid, entry.mode == Mode::Symlink)
}

/// Takes the path with the same file name, or the first. The paths are sorted by their names.
fn take_nearest<'a>(paths: &mut BTreeSet<(&'a str, &'a str)>, to: &'a str) -> Option<&'a str> {
    let name = crate::path::name(to);
    let same = paths.range((name, "")..).next().filter(|(other, _)| *other == name);
    let taken = *same.or_else(|| paths.first())?;
    paths.remove(&taken);
    Some(taken.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(files: &[(&str, &str)]) -> Manifest {
        let entry = |bytes: &str| match bytes.strip_prefix("->") {
            Some(target) => Entry { mode: Mode::Symlink, oid: Oid::of_blob(target.as_bytes()) },
            None => Entry { mode: Mode::File, oid: Oid::of_blob(bytes.as_bytes()) },
        };
        files.iter().map(|(path, bytes)| ((*path).to_owned(), entry(bytes))).collect()
    }

    fn described(from: &[(&str, &str)], to: &[(&str, &str)]) -> Vec<String> {
        let describe = |change: FileChange| match change.from {
            Some(from) => format!("{from} => {}", change.path),
            None => format!("{:?} {}", change.change, change.path),
        };
        changes(&manifest(from), &manifest(to)).into_iter().map(describe).collect()
    }

    #[test]
    fn every_kind_of_change_is_found() {
        let from = [("a", "1"), ("b", "2"), ("c", "3"), ("old/d", "4"), ("l", "->1")];
        let to = [("a", "1"), ("b", "two"), ("e", "5"), ("new/d", "4"), ("l", "1")];
        assert_eq!(described(&from, &to), ["Modified b", "Deleted c", "Added e", "Modified l", "old/d => new/d"]);
        assert_eq!(count(&manifest(&from), &manifest(&to)), 6);
    }

    #[test]
    fn a_rename_prefers_the_same_file_name_and_uses_each_source_once() {
        let from = [("a/x", "same"), ("b/y", "same")];
        assert_eq!(described(&from, &[("c/y", "same"), ("d/x", "same")]), ["b/y => c/y", "a/x => d/x"]);
        assert_eq!(described(&[("a", "same")], &[("b", "same"), ("c", "same")]), ["a => b", "Added c"]);
    }

    #[test]
    fn empty_files_and_links_are_never_renames() {
        assert_eq!(described(&[("a", "")], &[("b", "")]), ["Deleted a", "Added b"]);
        assert_eq!(described(&[("a", "x")], &[("b", "->x")]), ["Deleted a", "Added b"]);
    }

    #[test]
    fn stored_evidence_reads_back_unless_it_is_damaged() {
        let entry = |mode| Entry { mode, oid: Oid::of_blob(b"1") };
        let files = [("a b\nc".to_owned(), entry(Mode::Executable)), ("src/é.ts".to_owned(), entry(Mode::Symlink))];
        let evidence = Evidence::from_files(&files.into_iter().collect(), &|_| true);
        assert_eq!(Evidence::from_text(&evidence.to_text()), Some(evidence));
        assert!(Evidence::from_text("").is_some_and(|empty| empty.files.is_empty()));
        assert_eq!(Evidence::from_text("100644 12 a\0"), None);
    }
}
