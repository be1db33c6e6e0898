//! A project in memory with its repository in `.git`.

use loopgate::port::memory::{MemoryGit, MemoryHost, MemoryPorts};
use loopgate::port::{EntryKind, GitPort};
use loopgate::snapshot::{self, SaveOptions, SnapshotInfo};
use std::collections::BTreeMap;

/// A project with these files. Its git port takes packs and finished objects, as `isomorphicGit` does.
pub(crate) fn project<const N: usize>(files: [(&str, &str); N]) -> MemoryHost {
    let host = MemoryHost::new(files);
    host.with(|ports| ports.git = Some(plain_git(ports).with_fast_paths()))
}

/// The same repository behind a git port that takes neither packs nor finished objects.
pub(crate) fn plain_git(ports: &MemoryPorts) -> MemoryGit {
    MemoryGit::new(&ports.fs, "/project/.git")
}

pub(crate) fn git(host: &MemoryHost) -> &MemoryGit {
    host.git.as_ref().unwrap()
}

/// Saves under a tag.
pub(crate) async fn save(host: &MemoryHost, tag: &str) -> SnapshotInfo {
    let options = SaveOptions { tag: Some(tag.to_owned()), ..SaveOptions::default() };
    snapshot::save(host, &options).await.unwrap()
}

/// The user's files, links as their targets, without `.git` and `.loopgate`.
pub(crate) fn files(host: &MemoryHost) -> BTreeMap<String, Vec<u8>> {
    let tree = host.fs.tree("/project").into_iter();
    let files = tree.map(|(path, bytes)| (path.trim_start_matches("/project/").to_owned(), bytes));
    files.filter(|(path, _)| !path.starts_with(".git/") && !path.starts_with(".loopgate/")).collect()
}

/// The user's folders.
pub(crate) fn folders(host: &MemoryHost) -> Vec<String> {
    let all = host.fs.dirs("/project").into_iter().map(|path| path.trim_start_matches("/project/").to_owned());
    all.filter(|path| !path.starts_with(".git") && !path.starts_with(".loopgate")).collect()
}

/// The full names of git's tags and of the harness's snapshots, also of torn ones.
pub(crate) async fn names(git: &MemoryGit) -> Vec<String> {
    let mut names = Vec::new();
    for folder in ["refs/tags", "refs/loopgate/snapshots"] {
        let listed = git.list_refs(folder, &[]).await.unwrap().unwrap();
        names.extend(listed.into_iter().map(|name| format!("{folder}/{name}")));
    }
    names
}

/// Every ref of a snapshot points to a commit whose trees, blobs and ancestors can all be read, as `git fsck` asks.
pub(crate) async fn check_repository(git: &MemoryGit) {
    for name in names(git).await {
        let oid = git.resolve_ref(&name).await.unwrap();
        let mut commits = vec![oid.unwrap_or_else(|| panic!("{name} is torn"))];
        while let Some(oid) = commits.pop() {
            let commit = git.read_commit(&oid).await.unwrap();
            commits.extend(commit.parents);
            let mut trees = vec![commit.tree];
            while let Some(tree) = trees.pop() {
                for entry in git.read_tree(&tree).await.unwrap() {
                    match entry.kind {
                        EntryKind::Tree => trees.push(entry.oid),
                        EntryKind::Blob => drop(git.read_blob(&entry.oid).await.unwrap()),
                        EntryKind::Commit => {}
                    }
                }
            }
        }
    }
}
