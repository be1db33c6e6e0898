//! The branch of a run: HEAD, what differs from it, and switching.

use crate::snapshot::project::{files, git, plain_git, project, save};
use loopgate::ErrorCode;
use loopgate::port::memory::{MemoryGit, MemoryHost};
use loopgate::port::{Commit, EntryKind, GitPort, Person, TreeEntry};
use loopgate::snapshot::branch::{self, Acceptance, Accepted, HeadState};
use loopgate::snapshot::{Entry, FileChange, Watch};
use std::collections::{BTreeMap, BTreeSet};
use wasm_bindgen_test::wasm_bindgen_test;

pub(crate) const BRANCH: &str = "spec/checkout";

pub(crate) fn author() -> Person {
    Person { name: "U".to_owned(), email: "u@example.com".to_owned(), timestamp: 1_700_000_000, timezone_offset: -90 }
}

/// Files by path: their modes and bytes, as the port writes and reads them.
pub(crate) type Tree = BTreeMap<String, (String, Vec<u8>)>;

/// Writes the tree of these files below a folder; independent of the core.
async fn write_tree(git: &MemoryGit, files: &Tree, folder: &str) -> String {
    let (mut entries, mut folders) = (Vec::new(), BTreeSet::new());
    for (path, (mode, bytes)) in files.iter().filter(|(path, _)| path.starts_with(folder)) {
        let rest = &path[folder.len()..];
        if let Some((name, _)) = rest.split_once('/') {
            folders.insert(name.to_owned());
            continue;
        }
        let (kind, oid) = match mode.as_str() {
            "160000" => (EntryKind::Commit, String::from_utf8(bytes.clone()).unwrap()),
            _ => (EntryKind::Blob, git.write_blob(bytes).await.unwrap()),
        };
        entries.push(TreeEntry { mode: mode.clone(), path: rest.to_owned(), oid, kind });
    }
    for name in folders {
        let oid = Box::pin(write_tree(git, files, &format!("{folder}{name}/"))).await;
        entries.push(TreeEntry { mode: "040000".to_owned(), path: name, oid, kind: EntryKind::Tree });
    }
    git.write_tree(&entries).await.unwrap()
}

/// Reads the files of a commit; independent of the core.
pub(crate) async fn tree_of(git: &MemoryGit, commit: &str) -> Tree {
    let mut open = vec![(String::new(), git.read_commit(commit).await.unwrap().tree)];
    let mut files = Tree::new();
    while let Some((folder, oid)) = open.pop() {
        for entry in git.read_tree(&oid).await.unwrap() {
            let path = format!("{folder}{}", entry.path);
            match entry.kind {
                EntryKind::Tree => open.push((format!("{path}/"), entry.oid)),
                EntryKind::Commit => drop(files.insert(path, (entry.mode, entry.oid.into_bytes()))),
                EntryKind::Blob => {
                    let bytes = git.read_blob(&entry.oid).await.unwrap();
                    files.insert(path, (entry.mode, bytes));
                }
            }
        }
    }
    files
}

/// The texts of a commit's files.
pub(crate) async fn texts(host: &MemoryHost, commit: &str) -> BTreeMap<String, String> {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    tree_of(git(host), commit).await.into_iter().map(|(path, (_, bytes))| (path, text(bytes))).collect()
}

pub(crate) fn map<const N: usize>(files: [(&str, &str); N]) -> BTreeMap<String, String> {
    files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect()
}

/// Commits a tree on a ref, as the user or the agent would.
pub(crate) async fn commit_tree(host: &MemoryHost, files: &Tree, parents: &[&str], place: &str) -> String {
    let git = git(host);
    git.init().await.unwrap();
    let tree = write_tree(git, files, "").await;
    let parents = parents.iter().map(|parent| (*parent).to_owned()).collect();
    let commit = Commit { tree, parents, message: "by the user\n".to_owned(), author: author() };
    let oid = git.write_commit(&commit).await.unwrap();
    git.write_ref(place, &oid).await.unwrap();
    oid
}

/// All files of the project.
pub(crate) async fn everything(host: &MemoryHost) -> Tree {
    use loopgate::port::{FileKind, FsPort};
    let mut all = Tree::new();
    for (path, bytes) in files(host) {
        let stat = host.fs.lstat(&format!("/project/{path}")).await.unwrap();
        let mode = match stat.kind {
            FileKind::Symlink => "120000",
            _ if stat.is_executable() => "100755",
            _ => "100644",
        };
        all.insert(path, (mode.to_owned(), bytes));
    }
    all
}

/// A project whose files are committed on `main`, with HEAD at the branch of the run.
pub(crate) async fn repository<const N: usize>(files: [(&str, &str); N]) -> (MemoryHost, String) {
    let host = project(files);
    let base = commit_tree(&host, &everything(&host).await, &[], "refs/heads/main").await;
    branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
    (host, base)
}

/// What to commit.
pub(crate) type Changes = BTreeMap<String, Option<Entry>>;

/// The present states of the files that differ from `before`. Their objects are stored.
pub(crate) async fn changes_since(host: &MemoryHost, before: &Tree) -> Changes {
    let (now, mut changes) = (everything(host).await, Changes::new());
    for path in before.keys().chain(now.keys()).filter(|path| before.get(*path) != now.get(*path)) {
        let state = match now.get(path) {
            Some((mode, bytes)) => {
                let oid = git(host).write_blob(bytes).await.unwrap();
                Some(Entry::try_from(format!("{mode} {oid}")).unwrap())
            }
            None => None,
        };
        changes.insert(path.clone(), state);
    }
    changes
}

/// Performs `work` and returns what it changed.
pub(crate) async fn changes_of(host: &MemoryHost, work: impl FnOnce(&MemoryHost)) -> Changes {
    let before = everything(host).await;
    work(host);
    changes_since(host, &before).await
}

pub(crate) fn acceptance<'a>(base: Option<&'a str>, changes: &'a Changes) -> Acceptance<'a> {
    Acceptance { branch: BRANCH, base, changes, message: "Add the cart", author: author() }
}

pub(crate) async fn accept(host: &MemoryHost, acceptance: &Acceptance<'_>) -> String {
    match branch::accept(host, acceptance).await.unwrap() {
        Accepted::Committed { commit, .. } => commit,
        refused => panic!("{refused:?}"),
    }
}

pub(crate) fn listed(changes: &[FileChange]) -> Vec<String> {
    changes.iter().map(|FileChange { path, change, .. }| format!("{change:?} {path}")).collect()
}

pub(crate) fn state(branch: &str, commit: Option<&str>) -> HeadState {
    HeadState { branch: Some(branch.to_owned()), commit: commit.map(str::to_owned) }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn head_is_a_branch_with_or_without_a_commit_or_detached() {
    let host = project([("a", "1")]);
    assert_eq!(branch::head(&host).await.unwrap(), HeadState { branch: None, commit: None });
    git(&host).init().await.unwrap();
    assert_eq!(branch::head(&host).await.unwrap(), state("main", None));
    let commit = commit_tree(&host, &everything(&host).await, &[], "refs/heads/main").await;
    assert_eq!(branch::head(&host).await.unwrap(), state("main", Some(&commit)));
    host.fs.put("/project/.git/HEAD", format!("{commit}\n"));
    assert_eq!(branch::head(&host).await.unwrap(), HeadState { branch: None, commit: Some(commit) });
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_author_is_the_repositorys_user_or_loopgate() {
    let mut host = project([]);
    assert_eq!(branch::author(&host).await.unwrap().email, "loopgate@localhost");
    host.git = Some(plain_git(&host).with_user("Ada", "ada@example.com"));
    let person = branch::author(&host).await.unwrap();
    assert_eq!((person.name.as_str(), person.email.as_str()), ("Ada", "ada@example.com"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn dirty_files_are_those_that_differ_from_head() {
    let (host, _) =
        repository([("same", "1"), ("edited", "1"), ("removed", "1"), ("run.sh", "1"), (".gitignore", "out\n")]).await;
    assert_eq!(branch::dirty(&host).await.unwrap(), []);
    save(&host, "one").await;
    host.put("edited", "2");
    host.fs.delete("/project/removed");
    host.put("moved", "1");
    host.fs.set_mode("/project/run.sh", 0o755);
    host.put("out/ignored", "1");
    host.put(".loopgate/lease", "1");
    host.put(".handoff/specs/checkout/iterations/1/prompt.md", "1");
    host.put(".handoff/specs/checkout/spec.md", "1");
    // A snapshot does not change what is dirty.
    save(&host, "two").await;
    assert_eq!(
        listed(&branch::dirty(&host).await.unwrap()),
        [
            "Added .handoff/specs/checkout/spec.md",
            "Modified edited",
            "Added moved",
            "Deleted removed",
            "Modified run.sh"
        ]
    );
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_switch_creates_the_branch_and_leaves_the_users_branch_and_files() {
    let host = project([("a", "1"), ("b", "1")]);
    let base = commit_tree(&host, &everything(&host).await, &[], "refs/heads/main").await;
    host.put("a", "dirty");
    host.put("untracked", "1");
    let before = files(&host);
    for _ in 0..2 {
        let head = branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
        assert_eq!(head, state(BRANCH, Some(&base)));
        assert_eq!(git(&host).refs()["refs/heads/main"], base);
        assert_eq!(files(&host), before);
    }
    assert_eq!(host.fs.text("/project/.git/HEAD").unwrap(), format!("ref: refs/heads/{BRANCH}\n"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_switch_without_a_commit_points_head_to_the_branch() {
    let host = project([("a", "1")]);
    assert_eq!(branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap(), state(BRANCH, None));
    assert_eq!(branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap(), state(BRANCH, None));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_branch_with_other_commits_is_checked_out_unless_a_change_of_the_user_would_be_lost() {
    let (host, base) = repository([("a", "1"), ("b", "1"), (".gitignore", "out\n")]).await;
    let work = map([("a", "2"), ("new/c", "3"), (".gitignore", "out\n")]);
    let tree = work.iter().map(|(path, text)| (path.clone(), ("100644".to_owned(), text.clone().into_bytes())));
    let tip = commit_tree(&host, &tree.collect(), &[&base], &format!("refs/heads/{BRANCH}")).await;
    host.put("out/ignored", "mine");
    git(&host).write_head("main").await.unwrap();

    host.put("b", "dirty");
    let error = branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Conflict, Some("b")));
    assert_eq!(branch::head(&host).await.unwrap(), state("main", Some(&base)));
    assert_eq!(host.text("b").as_deref(), Some("dirty"));

    host.put("b", "1");
    assert_eq!(branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap(), state(BRANCH, Some(&tip)));
    assert_eq!(host.text("a").as_deref(), Some("2"));
    assert_eq!(host.text("b"), None);
    assert_eq!(host.text("new/c").as_deref(), Some("3"));
    assert_eq!(host.text("out/ignored").as_deref(), Some("mine"));
    assert_eq!(git(&host).refs()["refs/heads/main"], base);
    assert_eq!(branch::dirty(&host).await.unwrap(), []);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_branch_that_git_cannot_store_is_refused() {
    let (host, base) = repository([("a", "1")]).await;
    for name in ["", "a b", "-x", "a..b", "../../x", "refs/heads/x", "HEAD"] {
        let error = branch::switch(&host, &Watch::default(), name, None).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArgument, "{name:?}");
    }
    git(&host).write_ref("refs/heads/topic", &base).await.unwrap();
    let error = branch::switch(&host, &Watch::default(), "topic/chunk", None).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Conflict);
    assert_eq!(branch::head(&host).await.unwrap(), state(BRANCH, Some(&base)));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_search_for_an_ancestor_ends() {
    let (host, base) = repository([("a", "1")]).await;
    let tree = everything(&host).await;
    let (mut tip, mut near) = (base.clone(), base.clone());
    for number in 0..1_200 {
        tip = commit_tree(&host, &tree, &[&tip, &base], "refs/heads/long").await;
        if number == 1_000 {
            near = tip.clone();
        }
    }
    assert!(branch::is_ancestor(&host, &near, &tip).await.unwrap());
    assert!(branch::is_ancestor(&host, &tip, &tip).await.unwrap());
    assert!(!branch::is_ancestor(&host, &"0".repeat(40), &tip).await.unwrap());
    let error = branch::is_ancestor(&host, &base, &"0".repeat(40)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Git);
}
