//! The branch of a run: HEAD, one commit for each accepted chunk, and git's index.

use crate::project::{check_repository, files, git, plain_git, project, save};
use loopgate::ErrorCode;
use loopgate::port::memory::{MemoryGit, MemoryHost};
use loopgate::port::{Commit, EntryKind, GitPort, Person, TreeEntry};
use loopgate::snapshot::branch::{self, Acceptance, Accepted, HeadState};
use loopgate::snapshot::{Change, FileChange, Watch};
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
async fn texts(host: &MemoryHost, commit: &str) -> BTreeMap<String, String> {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    tree_of(git(host), commit).await.into_iter().map(|(path, (_, bytes))| (path, text(bytes))).collect()
}

fn map<const N: usize>(files: [(&str, &str); N]) -> BTreeMap<String, String> {
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
async fn repository<const N: usize>(files: [(&str, &str); N]) -> (MemoryHost, String) {
    let host = project(files);
    let base = commit_tree(&host, &everything(&host).await, &[], "refs/heads/main").await;
    branch::switch(&host, &Watch::default(), BRANCH).await.unwrap();
    (host, base)
}

/// An acceptance of all changes between the snapshots `before` and `after`.
pub(crate) fn acceptance(base: Option<&str>) -> Acceptance<'_> {
    Acceptance {
        branch: BRANCH,
        base,
        before: "before",
        candidate: "after",
        paths: None,
        also: &[],
        message: "Add the cart",
        author: author(),
        moved_by_agent: false,
    }
}

async fn accept(host: &MemoryHost, acceptance: &Acceptance<'_>) -> String {
    match branch::accept(host, acceptance).await.unwrap() {
        Accepted::Committed { commit, .. } => commit,
        Accepted::Unmergeable { paths } => panic!("not mergeable: {paths:?}"),
    }
}

fn listed(changes: &[FileChange]) -> Vec<String> {
    changes.iter().map(|FileChange { path, change, .. }| format!("{change:?} {path}")).collect()
}

fn state(branch: &str, commit: Option<&str>) -> HeadState {
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
        let head = branch::switch(&host, &Watch::default(), BRANCH).await.unwrap();
        assert_eq!(head, state(BRANCH, Some(&base)));
        assert_eq!(git(&host).refs()["refs/heads/main"], base);
        assert_eq!(files(&host), before);
    }
    assert_eq!(host.fs.text("/project/.git/HEAD").unwrap(), format!("ref: refs/heads/{BRANCH}\n"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_switch_without_a_commit_points_head_to_the_branch() {
    let host = project([("a", "1")]);
    assert_eq!(branch::switch(&host, &Watch::default(), BRANCH).await.unwrap(), state(BRANCH, None));
    assert_eq!(branch::switch(&host, &Watch::default(), BRANCH).await.unwrap(), state(BRANCH, None));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_branch_with_other_commits_is_checked_out_if_no_file_is_dirty() {
    let (host, base) = repository([("a", "1"), ("b", "1"), (".gitignore", "out\n")]).await;
    let work = map([("a", "2"), ("new/c", "3"), (".gitignore", "out\n")]);
    let tree = work.iter().map(|(path, text)| (path.clone(), ("100644".to_owned(), text.clone().into_bytes())));
    let tip = commit_tree(&host, &tree.collect(), &[&base], &format!("refs/heads/{BRANCH}")).await;
    host.put("out/ignored", "mine");
    git(&host).write_head("main").await.unwrap();

    host.put("b", "dirty");
    let error = branch::switch(&host, &Watch::default(), BRANCH).await.unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Conflict, Some("b")));
    assert_eq!(branch::head(&host).await.unwrap(), state("main", Some(&base)));
    assert_eq!(host.text("b").as_deref(), Some("dirty"));

    host.put("b", "1");
    assert_eq!(branch::switch(&host, &Watch::default(), BRANCH).await.unwrap(), state(BRANCH, Some(&tip)));
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
        let error = branch::switch(&host, &Watch::default(), name).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArgument, "{name:?}");
    }
    git(&host).write_ref("refs/heads/topic", &base).await.unwrap();
    let error = branch::switch(&host, &Watch::default(), "topic/chunk").await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Conflict);
    assert_eq!(branch::head(&host).await.unwrap(), state(BRANCH, Some(&base)));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_accepted_attempt_is_one_commit_of_the_agents_changes() {
    let (host, base) =
        repository([("kept", "1"), ("edited", "1"), ("removed/x", "1"), ("mine", "1"), ("gone", "1")]).await;
    // The user's own work, before and during the attempt.
    host.put("mine", "dirty");
    host.put("notes", "untracked");
    host.fs.delete("/project/gone");
    save(&host, "before").await;
    host.put("edited", "2");
    host.fs.delete("/project/removed/x");
    host.put("added/y", "3");
    host.put("kept", "edited by the user meanwhile");
    save(&host, "after").await;
    let now = files(&host);

    let paths = ["edited", "removed/x", "added/y"].map(str::to_owned).into();
    let acceptance = Acceptance { paths: Some(&paths), ..acceptance(Some(&base)) };
    let accepted = branch::accept(&host, &acceptance).await.unwrap();
    let Accepted::Committed { commit, files: changes, warnings } = &accepted else { panic!("{accepted:?}") };
    assert_eq!(listed(changes), ["Added added/y", "Modified edited", "Deleted removed/x"]);
    assert_eq!(warnings, &[] as &[String]);
    let expected = map([("kept", "1"), ("edited", "2"), ("mine", "1"), ("gone", "1"), ("added/y", "3")]);
    assert_eq!(texts(&host, commit).await, expected);
    let found = git(&host).read_commit(commit).await.unwrap();
    assert_eq!((found.parents, found.message.as_str(), found.author), (vec![base.clone()], "Add the cart\n", author()));
    assert_eq!(files(&host), now);
    assert_eq!(
        listed(&branch::dirty(&host).await.unwrap()),
        ["Deleted gone", "Modified kept", "Modified mine", "Added notes"]
    );
    assert_eq!(git(&host).refs()["refs/heads/main"], base);
    // Again, as after a crash.
    assert_eq!(branch::accept(&host, &acceptance).await.unwrap(), accepted);
    assert_eq!(branch::head(&host).await.unwrap(), state(BRANCH, Some(commit)));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_that_the_user_and_the_agent_changed_is_merged_or_the_commit_is_refused() {
    let lines = "1\n2\n3\n4\n5\n";
    let all = ["merges", "overlaps", "binary", "removed", "mode", "link"];
    let (host, base) = repository(all.map(|path| (path, lines))).await;
    host.put("merges", "user\n2\n3\n4\n5\n");
    host.put("overlaps", "1\n2\nuser\n4\n5\n");
    host.put("binary", "1\n2\n3\n4\n5\n\0");
    host.put("removed", "user");
    host.put("mode", "user");
    host.put("untracked", "user");
    host.put("link", "user");
    save(&host, "before").await;
    host.put("merges", "user\n2\n3\n4\nagent\n");
    save(&host, "after").await;
    let first = accept(&host, &acceptance(Some(&base))).await;
    assert_eq!(texts(&host, &first).await["merges"], "1\n2\n3\n4\nagent\n");
    assert_eq!(host.text("merges").as_deref(), Some("user\n2\n3\n4\nagent\n"));

    save(&host, "before").await;
    host.put("overlaps", "1\n2\nagent\n4\n5\n");
    host.put("binary", "0\n1\n2\n3\n4\n5\n\0");
    host.fs.delete("/project/removed");
    host.fs.set_mode("/project/mode", 0o755);
    host.put("untracked", "agent");
    host.fs.put_link("/project/link", "mode");
    save(&host, "after").await;
    let (before, refs) = (files(&host), git(&host).refs());
    let again = branch::accept(&host, &acceptance(Some(&first))).await.unwrap();
    let paths = ["binary", "link", "mode", "overlaps", "removed", "untracked"].map(str::to_owned).to_vec();
    assert_eq!(again, Accepted::Unmergeable { paths });
    assert_eq!((files(&host), git(&host).refs()), (before, refs));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn further_paths_are_committed_although_they_were_dirty() {
    let (host, base) = repository([("plan", "1"), ("other", "1")]).await;
    host.put("plan", "of the harness");
    host.put("other", "of the user");
    save(&host, "before").await;
    host.put("new", "of the agent");
    save(&host, "after").await;
    let also = ["plan", "", ".loopgate/lease"].map(str::to_owned);
    let commit = accept(&host, &Acceptance { also: &also, ..acceptance(Some(&base)) }).await;
    assert_eq!(texts(&host, &commit).await, map([("plan", "of the harness"), ("other", "1"), ("new", "of the agent")]));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_in_place_of_a_folder_of_the_user_is_not_mergeable() {
    let (host, base) = repository([("a", "file"), ("b/x", "1")]).await;
    host.fs.delete("/project/a");
    host.put("a/mine", "the user's folder");
    save(&host, "before").await;
    host.put("a/agents", "1");
    save(&host, "after").await;
    let accepted = branch::accept(&host, &acceptance(Some(&base))).await.unwrap();
    assert_eq!(accepted, Accepted::Unmergeable { paths: vec!["a/agents".to_owned()] });
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_first_commit_of_a_branch_has_no_parent() {
    let host = project([("mine", "untracked")]);
    branch::switch(&host, &Watch::default(), BRANCH).await.unwrap();
    save(&host, "before").await;
    host.put("a", "1");
    save(&host, "after").await;
    let commit = accept(&host, &acceptance(None)).await;
    assert_eq!(accept(&host, &acceptance(None)).await, commit);
    assert_eq!(texts(&host, &commit).await, map([("a", "1")]));
    assert_eq!(git(&host).read_commit(&commit).await.unwrap().parents, Vec::<String>::new());
    branch::reset(&host, BRANCH, None, true).await.unwrap();
    assert_eq!(branch::head(&host).await.unwrap(), state(BRANCH, None));
    branch::reset(&host, BRANCH, None, false).await.unwrap();
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn links_modes_submodules_and_files_that_no_snapshot_has_survive() {
    let host =
        project([("a", "1"), ("run.sh", "1"), (".handoff/specs/x/iterations/1/log", "tracked"), ("deep/er/b", "1")]);
    host.fs.set_mode("/project/run.sh", 0o755);
    host.fs.put_link("/project/link", "a");
    let mut tree = everything(&host).await;
    tree.insert("vendor/lib".to_owned(), ("160000".to_owned(), b"0123456789012345678901234567890123456789".to_vec()));
    host.fs.put_dir("/project/vendor/lib");
    let base = commit_tree(&host, &tree, &[], "refs/heads/main").await;
    branch::switch(&host, &Watch::default(), BRANCH).await.unwrap();
    assert_eq!(branch::dirty(&host).await.unwrap(), []);
    save(&host, "before").await;
    host.put("a", "2");
    host.put("tool", "1");
    host.fs.set_mode("/project/tool", 0o755);
    host.fs.put_link("/project/other", "b");
    host.put(".handoff/specs/x/iterations/2/log", "an attempt");
    host.put(".loopgate/journal/x", "1");
    save(&host, "after").await;
    let commit = accept(&host, &acceptance(Some(&base))).await;
    let mut put = |path: &str, mode: &str, text: &str| tree.insert(path.to_owned(), (mode.to_owned(), text.into()));
    put("a", "100644", "2");
    put("tool", "100755", "1");
    put("other", "120000", "b");
    assert_eq!(tree_of(git(&host), &commit).await, tree);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn tree_entries_without_a_path_are_left_out_with_a_warning() {
    let (mut host, base) = repository([("a", "1"), ("b", "1")]).await;
    save(&host, "before").await;
    host.put("a", "2");
    save(&host, "after").await;
    host.git = Some(plain_git(&host).behind_broken_bridge());
    let accepted = branch::accept(&host, &acceptance(Some(&base))).await.unwrap();
    let Accepted::Committed { commit, warnings, .. } = accepted else { panic!("{accepted:?}") };
    assert!(warnings.iter().any(|warning| warning.contains("invalid entry")), "{warnings:?}");
    host.git = Some(plain_git(&host));
    assert_eq!(texts(&host, &commit).await, map([("a", "2"), ("b", "1")]));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_message_is_kept_with_its_first_line_cut_and_nothing_is_run() {
    let (host, mut base) = repository([("a", "1")]).await;
    let long = format!("{}{}", "é".repeat(72), "x".repeat(228));
    let cut = format!("{}\n\n{}\n", "é".repeat(72), "x".repeat(228));
    let table = [
        (
            "--amend \"quoted\" 'x' `y` $(z)\n\nbody\n# no comment",
            "--amend \"quoted\" 'x' `y` $(z)\n\nbody\n# no comment\n",
        ),
        ("title\nsecond line\n\n\n", "title\nsecond line\n"),
        ("a\0b\r\nc", "ab\nc\n"),
        ("\n\n", "\n"),
        (&long, &cut),
    ];
    for (at, (message, expected)) in table.into_iter().enumerate() {
        save(&host, "before").await;
        host.put("a", &format!("edit {at}"));
        save(&host, "after").await;
        let odd = Person { name: "A <b>\nparent x".to_owned(), email: "<\n>".to_owned(), ..author() };
        let acceptance = Acceptance { message, author: odd, ..acceptance(Some(&base)) };
        let commit = accept(&host, &acceptance).await;
        assert_eq!(accept(&host, &acceptance).await, commit, "{message:?} is found again");
        let found = git(&host).read_commit(&commit).await.unwrap();
        assert_eq!((found.message.as_str(), &found.parents), (expected, &vec![base]));
        assert_eq!((found.author.name.as_str(), found.author.email.as_str()), ("A bparent x", "loopgate@localhost"));
        base = commit;
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_agents_own_commits_are_replaced_or_removed() {
    let (host, base) = repository([("a", "1"), ("user", "1")]).await;
    save(&host, "before").await;
    let mut tip = base.clone();
    for number in 1..4 {
        host.put("a", &format!("commit {number}"));
        tip = commit_tree(&host, &everything(&host).await, &[&tip], &format!("refs/heads/{BRANCH}")).await;
    }
    save(&host, "after").await;
    assert!(branch::is_ancestor(&host, &base, &tip).await.unwrap());
    assert!(!branch::is_ancestor(&host, &tip, &base).await.unwrap());

    let refused = branch::accept(&host, &acceptance(Some(&base))).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict);
    let refused = branch::reset(&host, BRANCH, Some(&base), false).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict);
    assert_eq!(branch::head(&host).await.unwrap(), state(BRANCH, Some(&tip)));

    branch::reset(&host, BRANCH, Some(&base), true).await.unwrap();
    assert_eq!(branch::head(&host).await.unwrap(), state(BRANCH, Some(&base)));
    git(&host).write_ref(&format!("refs/heads/{BRANCH}"), &tip).await.unwrap();
    // The agent also left the branch.
    git(&host).write_ref("refs/heads/feature", &tip).await.unwrap();
    git(&host).write_head("feature").await.unwrap();
    let acceptance = Acceptance { moved_by_agent: true, ..acceptance(Some(&base)) };
    let commit = accept(&host, &acceptance).await;
    assert_eq!(git(&host).read_commit(&commit).await.unwrap().parents, [base]);
    assert_eq!(texts(&host, &commit).await["a"], "commit 3");
    assert_eq!(branch::head(&host).await.unwrap(), state(BRANCH, Some(&commit)));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_branch_or_head_that_another_moved_is_a_conflict() {
    let (host, base) = repository([("a", "1")]).await;
    save(&host, "before").await;
    host.put("a", "2");
    save(&host, "after").await;
    let other = commit_tree(&host, &everything(&host).await, &[], "refs/heads/other").await;
    let place = format!("refs/heads/{BRANCH}");
    for (tip, head) in [(&other, BRANCH), (&base, "main"), (&base, "other")] {
        git(&host).write_ref(&place, tip).await.unwrap();
        git(&host).write_head(head).await.unwrap();
        let (refs, before) = (git(&host).refs(), branch::head(&host).await.unwrap());
        let error = branch::accept(&host, &acceptance(Some(&base))).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::Conflict);
        assert_eq!(branch::reset(&host, BRANCH, Some(&base), false).await.unwrap_err().code, ErrorCode::Conflict);
        assert_eq!((git(&host).refs(), branch::head(&host).await.unwrap()), (refs, before));
        assert_eq!(host.text("a").as_deref(), Some("2"));
    }
    // Commits that do not follow the base are not the agent's.
    git(&host).write_ref(&place, &other).await.unwrap();
    git(&host).write_head(BRANCH).await.unwrap();
    let acceptance = Acceptance { moved_by_agent: true, ..acceptance(Some(&base)) };
    assert_eq!(branch::accept(&host, &acceptance).await.unwrap_err().code, ErrorCode::Conflict);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_of_paths_leaves_every_other_file() {
    let (host, _) = repository([("agents", "1"), ("users", "1"), ("removed/x", "1"), (".gitignore", "out\n")]).await;
    host.put("agents", "dirty");
    let watch = Watch::default();
    save(&host, "before").await;
    host.put("agents", "agent");
    host.put("new/deep/y", "agent");
    host.fs.delete("/project/removed");
    host.put("users", "user");
    host.put("new/mine", "user");
    host.put("out/ignored", "1");
    host.put(".handoff/specs/x/iterations/1/log", "1");
    let mut expected = files(&host);
    expected.insert("agents".to_owned(), b"dirty".to_vec());
    expected.insert("removed/x".to_owned(), b"1".to_vec());
    expected.remove("new/deep/y");

    let paths = ["agents", "new/deep/y", "removed/x", "absent"].map(str::to_owned).into();
    let done = branch::rollback_paths(&host, &watch, "before", Some(&paths)).await.unwrap();
    assert_eq!(
        (done.restored, done.deleted),
        (vec!["agents".to_owned(), "removed/x".to_owned()], vec!["new/deep/y".to_owned()])
    );
    assert_eq!(files(&host), expected);
    // What was replaced is saved.
    let again = branch::rollback_paths(&host, &watch, "before", Some(&paths)).await.unwrap();
    assert_eq!((again.restored, again.deleted), (vec![], vec![]));
    host.put("users", "more");
    watch.touch("users");
    let all = branch::rollback_paths(&host, &watch, &done.undo, None).await.unwrap();
    assert_eq!(
        (all.restored, all.deleted),
        (vec!["agents".to_owned(), "new/deep/y".to_owned(), "users".to_owned()], vec!["removed/x".to_owned()])
    );
    assert_eq!(host.text("agents").as_deref(), Some("agent"));
    assert_eq!(host.text("users").as_deref(), Some("user"));
    check_repository(git(&host)).await;
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

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn changes_of_the_same_bytes_elsewhere_are_renames() {
    let (host, base) = repository([("old", "the same text"), ("b", "1")]).await;
    save(&host, "before").await;
    host.fs.delete("/project/old");
    host.put("new", "the same text");
    save(&host, "after").await;
    let accepted = branch::accept(&host, &acceptance(Some(&base))).await.unwrap();
    let Accepted::Committed { files, .. } = accepted else { panic!("{accepted:?}") };
    assert_eq!(files, [FileChange { path: "new".to_owned(), change: Change::Renamed, from: Some("old".to_owned()) }]);
}
