//! Switching to the branch of a run while the user has work that is not committed.

use crate::snapshot::branch::{BRANCH, Tree, commit_tree, everything, repository, state};
use crate::snapshot::project::{files, git, plain_git, project, save};
use loopgate::ErrorCode;
use loopgate::port::memory::{MemoryFs, MemoryGit, MemoryHost};
use loopgate::port::{FsSupport, GitPort};
use loopgate::snapshot::Watch;
use loopgate::snapshot::branch;
use wasm_bindgen_test::wasm_bindgen_test;

fn tree<const N: usize>(files: [(&str, &str); N]) -> Tree {
    files.into_iter().map(|(path, text)| (path.to_owned(), ("100644".to_owned(), text.into()))).collect()
}

/// A project at `main` with the files `left`; the branch of the run has the files `target`. Returns its commit.
async fn at_main<const N: usize, const M: usize>(
    left: [(&str, &str); N],
    target: [(&str, &str); M],
) -> (MemoryHost, String) {
    let (host, base) = repository(left).await;
    let tip = commit_tree(&host, &tree(target), &[&base], &format!("refs/heads/{BRANCH}")).await;
    git(&host).write_head("main").await.unwrap();
    (host, tip)
}

/// Expects that the switch is refused and changes nothing; returns the message.
async fn refused(host: &MemoryHost, path: &str) -> String {
    let now = async || (files(host), git(host).refs(), git(host).read_index().await.unwrap());
    let before = now().await;
    let error = branch::switch(host, &Watch::default(), BRANCH, None).await.unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Conflict, Some(path)), "{error}");
    assert_eq!(now().await, before);
    assert_eq!(branch::head(host).await.unwrap().branch.as_deref(), Some("main"));
    error.message.clone()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn work_that_is_not_committed_is_carried_along() {
    let left =
        [("same", "1"), ("gone", "1"), ("edited", "1"), ("both", "1"), ("dir/old", "1"), (".gitignore", "out\n")];
    let target = [("same", "1"), ("edited", "1"), ("both", "2"), ("dir/new", "2"), (".gitignore", "out\n")];
    let (host, tip) = at_main(left, target).await;
    host.put("edited", "dirty");
    host.fs.delete("/project/same");
    host.put("dir/mine", "untracked");
    host.put("out/ignored", "1");
    // The user has made these changes of the branch already.
    host.put("dir/new", "2");
    host.fs.delete("/project/gone");
    assert_eq!(branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap(), state(BRANCH, Some(&tip)));
    let expected = [
        ("edited", "dirty"),
        ("both", "2"),
        ("dir/mine", "untracked"),
        ("dir/new", "2"),
        ("out/ignored", "1"),
        (".gitignore", "out\n"),
    ];
    assert_eq!(everything(&host).await, tree(expected));
    let dirty = branch::dirty(&host).await.unwrap().into_iter().map(|change| change.path);
    assert_eq!(dirty.collect::<Vec<_>>(), ["dir/mine", "edited", "same"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn every_file_that_a_switch_would_overwrite_is_named() {
    let (host, _) = at_main(
        [("edited", "1"), ("removed", "1"), ("deleted", "1"), ("fine", "1"), (".gitignore", "ignored\n")],
        [
            ("edited", "2"),
            ("removed", "2"),
            ("fine", "2"),
            ("ignored", "2"),
            ("untracked", "2"),
            ("a/b", "2"),
            ("c", "2"),
        ],
    )
    .await;
    host.put("edited", "dirty");
    let message = refused(&host, "edited").await;
    assert!(message.contains("edited") && !message.contains("more"), "{message}");
    assert!(message.contains("commit, stash or remove"), "{message}");
    host.fs.delete("/project/removed");
    host.put("deleted", "dirty");
    host.put("ignored", "the user's");
    let message = refused(&host, "deleted").await;
    assert!(message.contains("deleted, edited, ignored, removed;"), "{message}");
    host.put("untracked", "1");
    // A file in place of a folder, and a folder in place of a file.
    host.put("a", "1");
    host.put("c/d", "1");
    let message = refused(&host, "a").await;
    assert!(message.contains("a, c/d, deleted, edited, ignored and 2 more;"), "{message}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn ignored_files_in_the_way_of_a_switch_prevent_it() {
    let left = [(".gitignore", "out\n")];
    for (path, target, named) in [("out", "out/x", "out"), ("out/x", "out", "out"), ("out/x", "out/x", "out/x")] {
        let (host, _) = at_main(left, [(".gitignore", "out\n"), (target, "2")]).await;
        host.put(path, "ignored");
        refused(&host, named).await;
        host.put(path, "2");
        if path == target {
            branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
            assert_eq!(host.text(path).as_deref(), Some("2"), "it is the target's version");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_tracked_file_that_the_branch_removed_and_ignores_is_deleted() {
    let left = [("out/x", "1"), ("a", "1")];
    let (host, _) = at_main(left, [(".gitignore", "out\n"), ("a", "1")]).await;
    host.put("out/mine", "untracked");
    // A snapshot on the branch of the run does not have the file.
    git(&host).write_head(BRANCH).await.unwrap();
    host.fs.delete("/project/out/x");
    host.put(".gitignore", "out\n");
    save(&host, "on-branch").await;
    host.fs.delete("/project/.gitignore");
    host.put("out/x", "1");
    git(&host).write_head("main").await.unwrap();
    branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
    assert_eq!(everything(&host).await, tree([(".gitignore", "out\n"), ("a", "1"), ("out/mine", "untracked")]));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_switch_from_a_branch_without_a_commit_keeps_every_file() {
    let (host, tip) = at_main([("a", "1")], [("a", "2"), ("b", "2")]).await;
    git(&host).write_head("unborn").await.unwrap();
    host.put("mine", "1");
    let error = branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Conflict, Some("a")));
    host.put("a", "2");
    assert_eq!(branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap(), state(BRANCH, Some(&tip)));
    assert_eq!(everything(&host).await, tree([("a", "2"), ("b", "2"), ("mine", "1")]));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn files_that_no_snapshot_has_and_submodules_do_not_prevent_a_switch_and_stay() {
    let log = ".handoff/specs/x/iterations/1/log";
    let (host, base) = repository([("a", "1"), (log, "1")]).await;
    let submodule = |oid: &str| ("160000".to_owned(), oid.repeat(40).into_bytes());
    let mut work = tree([("a", "2"), (log, "2")]);
    work.insert("vendor/lib".to_owned(), submodule("1"));
    let tip = commit_tree(&host, &work, &[&base], &format!("refs/heads/{BRANCH}")).await;
    git(&host).write_head("main").await.unwrap();
    host.put(log, "edited");
    host.put("vendor/lib/file", "of the submodule");
    branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
    let expected = tree([("a", "2"), (log, "edited"), ("vendor/lib/file", "of the submodule")]);
    assert_eq!(everything(&host).await, expected);

    work.insert("vendor/lib".to_owned(), submodule("2"));
    commit_tree(&host, &work, &[&tip], "refs/heads/next").await;
    branch::switch(&host, &Watch::default(), "next", None).await.unwrap();
    assert_eq!(everything(&host).await, expected);
    // A file in place of the submodule.
    work.insert("vendor/lib".to_owned(), ("100644".to_owned(), b"file".to_vec()));
    commit_tree(&host, &work, &[&tip], "refs/heads/file").await;
    let error = branch::switch(&host, &Watch::default(), "file", None).await.unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Conflict, Some("vendor/lib")));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_switch_without_links_and_mode_bits_ignores_them() {
    let host = project([("a", "1"), ("run.sh", "1")]);
    let support = FsSupport { chmod: false, symlinks: false };
    let fs = MemoryFs::new(&host.clock).with_support(support);
    fs.put("/project/a", "1");
    fs.put("/project/run.sh", "1");
    let host = host.with(|ports| ports.fs = fs);
    let host = host.with(|ports| ports.git = Some(plain_git(ports)));
    let entry = |mode: &str, text: &str| (mode.to_owned(), text.as_bytes().to_vec());
    let mut files: Tree = tree([("a", "1"), ("run.sh", "1")]);
    files.insert("link".to_owned(), entry("120000", "a"));
    let base = commit_tree(&host, &files, &[], "refs/heads/main").await;
    files.insert("link".to_owned(), entry("120000", "run.sh"));
    files.insert("run.sh".to_owned(), entry("100755", "1"));
    files.insert("a".to_owned(), entry("100755", "2"));
    commit_tree(&host, &files, &[&base], &format!("refs/heads/{BRANCH}")).await;
    // As after a crash: the content is written, and no mode can be.
    host.put("a", "2");
    branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
    assert_eq!((host.text("a").as_deref(), host.text("run.sh").as_deref()), (Some("2"), Some("1")));
    assert_eq!(branch::dirty(&host).await.unwrap(), []);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_operation_of_the_user_in_progress_prevents_a_switch() {
    let table = [
        ("MERGE_HEAD", "merge"),
        ("CHERRY_PICK_HEAD", "cherry-pick"),
        ("REVERT_HEAD", "revert"),
        ("BISECT_LOG", "bisect"),
        ("rebase-merge/onto", "rebase"),
        ("rebase-apply/next", "rebase"),
        ("sequencer/todo", "cherry-pick or revert"),
    ];
    for (path, operation) in table {
        let (host, base) = repository([("a", "1")]).await;
        git(&host).write_head("main").await.unwrap();
        assert_eq!(branch::in_progress(&host).await.unwrap(), None);
        host.put(&format!(".git/{path}"), &base);
        let before = files(&host);
        assert_eq!(branch::in_progress(&host).await.unwrap(), Some(operation), "{path}");
        for name in [BRANCH, "another", "main"] {
            let error = branch::switch(&host, &Watch::default(), name, None).await.unwrap_err();
            assert_eq!(error.code, ErrorCode::Conflict, "{path}");
            assert!(error.message.contains(&format!("a {operation} is in progress")), "{error}");
        }
        assert_eq!((branch::head(&host).await.unwrap(), files(&host)), (state("main", Some(&base)), before));
        host.fs.delete(&format!("/project/.git/{}", path.split('/').next().unwrap()));
        branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_merge_of_several_branches_is_in_progress() {
    let (host, base) = repository([("a", "1")]).await;
    host.put(".git/MERGE_HEAD", &format!("{base}\n{base}\n"));
    assert_eq!(branch::in_progress(&host).await.unwrap(), Some("merge"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_ref_of_a_rebase_counts_only_where_its_folder_cannot_be_read() {
    let (mut host, base) = repository([("a", "1")]).await;
    git(&host).write_ref("REBASE_HEAD", &base).await.unwrap();
    assert_eq!(branch::in_progress(&host).await.unwrap(), None);
    let elsewhere = |host: &MemoryHost| MemoryGit::new(&host.fs, "/repository");
    for (path, bytes) in host.fs.tree("/project/.git") {
        host.fs.put(&path.replacen("/project/.git", "/repository", 1), bytes);
    }
    host.fs.delete("/project/.git");
    for link in [false, true] {
        if link {
            host.put(".git", "gitdir: /repository\n");
        }
        host.git = Some(elsewhere(&host));
        assert_eq!(branch::in_progress(&host).await.unwrap(), Some("rebase"));
        git(&host).delete_ref("REBASE_HEAD").await.unwrap();
        assert_eq!(branch::in_progress(&host).await.unwrap(), None);
        for (name, operation) in
            [("REVERT_HEAD", "revert"), ("CHERRY_PICK_HEAD", "cherry-pick"), ("MERGE_HEAD", "merge")]
        {
            git(&host).write_ref(name, &base).await.unwrap();
            assert_eq!(branch::in_progress(&host).await.unwrap(), Some(operation));
            git(&host).delete_ref(name).await.unwrap();
        }
        git(&host).write_ref("REBASE_HEAD", &base).await.unwrap();
    }
}
