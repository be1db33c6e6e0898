//! Rollback and undo.

use crate::snapshot::project::{files, folders, git, plain_git, project, save};
use crate::snapshot::save::user_commit;
use loopgate::ErrorCode;
use loopgate::port::memory::MemoryHost;
use loopgate::port::{EntryKind, FsSupport, GitPort, TreeEntry};
use loopgate::snapshot::{self, KnownTasks};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_restores_every_kind_of_file() {
    let long = "x".repeat(200);
    let names = ["plain.txt", "with space.md", "quo\"te's.js", "🍓/ü.css", "a\\b", "new\nline", long.as_str()];
    let host = project([("empty", "")]);
    for name in names {
        host.put(name, &format!("text of {name}"));
    }
    let binary: Vec<u8> = (0..5_000_000_u32).map(|n| (n % 251) as u8).collect();
    host.fs.put("/project/deep/er/binary.bin", &binary);
    host.put("run.sh", "#!/bin/sh");
    host.fs.set_mode("/project/run.sh", 0o755);
    host.fs.put_link("/project/link", "plain.txt");
    host.fs.put_link("/project/dangling", "outside");
    let before = files(&host);
    save(&host, "one").await;
    for path in before.keys() {
        let absolute = format!("/project/{path}");
        match path.as_str() {
            "link" => host.fs.put(&absolute, "a file now"),
            "plain.txt" => host.fs.put_link(&absolute, "run.sh"),
            "empty" => host.fs.delete(&absolute),
            "run.sh" => host.fs.set_mode(&absolute, 0o644),
            _ => host.fs.put(&absolute, "changed"),
        }
    }
    host.fs.delete("/project/deep");
    host.put("deep", "a file where a folder was");
    host.fs.delete("/project/empty");
    host.put("empty/now/a/folder", "x");
    let changed = snapshot::verify(&host, "one").await.unwrap();
    assert_eq!(changed.missing, ["deep/er/binary.bin", "empty"]);
    assert_eq!(changed.extra, ["deep", "empty/now/a/folder"]);
    assert_eq!(changed.different.len(), before.len() - 2);

    snapshot::rollback(&host, "one", false).await.unwrap();
    assert_eq!(files(&host), before);
    let verified = snapshot::verify(&host, "one").await.unwrap();
    assert!(verified.ok, "{verified:?}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_deletes_added_files_and_undo_restores_them() {
    let host = project([("src/a.ts", "one"), (".gitignore", "dist\n"), ("dist/out.js", "built")]);
    host.fs.put_dir("/project/public");
    save(&host, "one").await;
    let (first, first_folders) = (files(&host), folders(&host));
    host.put("src/new/deep/b.ts", "added");
    host.fs.put_dir("/project/src/new/empty");
    host.put("src/a.ts", "two");
    host.put("dist/out.js", "built again");
    host.put("dist/more.js", "built");
    host.put(".loopgate/journal/r/0.jsonl", "{}");
    host.put(".handoff/specs/s/iterations/1/prompt.md", "p");
    let second = files(&host);

    let done = snapshot::rollback(&host, "one", false).await.unwrap();
    assert_eq!((done.restored, done.deleted), (vec!["src/a.ts".to_owned()], vec!["src/new/deep/b.ts".to_owned()]));
    let mut expected = first;
    for kept in ["dist/out.js", "dist/more.js", ".handoff/specs/s/iterations/1/prompt.md"] {
        expected.insert(kept.to_owned(), second[kept].clone());
    }
    assert_eq!(files(&host), expected);
    let mut left = folders(&host);
    left.retain(|path| !path.starts_with(".handoff"));
    assert_eq!(left, first_folders, "emptied folders are gone, others stay");
    assert_eq!(host.text(".loopgate/journal/r/0.jsonl").as_deref(), Some("{}"));

    assert_eq!(snapshot::undo(&host).await.unwrap().tag, done.undo);
    assert_eq!(files(&host), second);
    snapshot::undo(&host).await.unwrap();
    assert_eq!(files(&host), expected, "an undo can be undone");
    snapshot::undo(&host).await.unwrap();
    assert_eq!(files(&host), second);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_undo_without_a_rollback_is_not_found() {
    let host = project([("a.txt", "one")]);
    save(&host, "one").await;
    assert_eq!(snapshot::undo(&host).await.unwrap_err().code, ErrorCode::NotFound);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_undo_works_after_its_tag_was_deleted() {
    let host = project([("a.txt", "one")]);
    save(&host, "one").await;
    host.put("a.txt", "two");
    let done = snapshot::rollback(&host, "one", false).await.unwrap();
    git(&host).delete_ref(&format!("refs/tags/{}", done.undo)).await.unwrap();
    snapshot::undo(&host).await.unwrap();
    assert_eq!(host.text("a.txt").as_deref(), Some("two"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_dry_run_changes_nothing_and_lists_what_a_rollback_changes() {
    let host = project([("same", "1"), ("edited", "1"), ("removed", "1"), ("dir/x", "1")]);
    save(&host, "one").await;
    host.put("edited", "2");
    host.fs.delete("/project/removed");
    host.fs.delete("/project/dir");
    host.put("dir", "file");
    host.put("added/y", "2");
    let before = host.fs.tree("/");
    let (writes, flushes) = (host.fs.writes(), host.fs.flushes());
    let dry = snapshot::rollback(&host, "one", true).await.unwrap();
    assert_eq!(host.fs.tree("/"), before);
    assert_eq!((host.fs.writes(), host.fs.flushes(), dry.undo.as_str()), (writes, flushes, ""));
    assert_eq!(dry.restored, ["dir/x", "edited", "removed"]);
    assert_eq!(dry.deleted, ["added/y", "dir"]);
    let real = snapshot::rollback(&host, "one", false).await.unwrap();
    assert_eq!((real.restored, real.deleted), (dry.restored, dry.deleted));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_unknown_tag_is_reported_with_the_nearest() {
    let host = project([("a.txt", "one")]);
    for tag in ["task-1-pre", "task-1-post", "task-2-pre"] {
        save(&host, tag).await;
    }
    let error = snapshot::rollback(&host, "task-1-pots", false).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
    assert!(error.message.contains("the nearest are task-1-post"), "{error}");
    for name in ["", "refs/tags/none", "refs/../../x", "HEAD"] {
        assert_eq!(snapshot::rollback(&host, name, false).await.unwrap_err().code, ErrorCode::NotFound, "{name:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_tag_of_the_user_needs_its_full_name_and_the_files_are_saved_first() {
    let host = project([("a.txt", "released")]);
    let head = user_commit(&host, "release").await;
    git(&host).write_ref("refs/tags/v1", &head).await.unwrap();
    host.put("a.txt", "working");
    host.put("b.txt", "new");
    let error = snapshot::rollback(&host, "v1", false).await.unwrap_err();
    assert!(error.message.contains("refs/tags/v1"), "{error}");
    assert_eq!(host.text("a.txt").as_deref(), Some("working"));
    let done = snapshot::rollback(&host, "refs/tags/v1", false).await.unwrap();
    assert_eq!((host.text("a.txt").as_deref(), host.text("b.txt")), (Some("released"), None));
    assert_eq!(snapshot::read_file(&host, &done.undo, "a.txt").await.unwrap().unwrap(), b"working");
    assert_eq!(snapshot::read_file(&host, "v1", "a.txt").await.unwrap().unwrap(), b"released");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn saves_and_rollbacks_work_on_an_unborn_branch() {
    let host = project([("a.txt", "one")]);
    save(&host, "base").await;
    host.put("a.txt", "two");
    snapshot::rollback(&host, "base", false).await.unwrap();
    assert_eq!(host.text("a.txt").as_deref(), Some("one"));
    assert_eq!(git(&host).resolve_ref("HEAD").await.unwrap(), None);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_does_not_change_the_state_folder() {
    let state = [
        (".loopgate/lease", "me"),
        (".handoff/specs/s/iterations/1/review.md", "r"),
        ("runs/0001/2026-01-31T12-00-00Z/v.log", "l"),
        ("node_modules/react/index.js", "js"),
        (".git/info/exclude", "secret\n"),
        ("secret", "key"),
    ];
    let host = project([("src/a.ts", "one")]);
    state.iter().for_each(|(path, text)| host.put(path, text));
    save(&host, "base").await;
    host.put("untracked/by/the/attempt.ts", "x");
    for (path, _) in state {
        host.put(path, &format!("newer {path}"));
    }
    host.put(".git/info/exclude", "secret\n# newer\n");
    snapshot::rollback(&host, "base", false).await.unwrap();
    assert_eq!(host.text("untracked/by/the/attempt.ts"), None);
    for (path, _) in state {
        assert!(host.text(path).is_some_and(|text| text.contains("newer")), "{path}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn uncommitted_files_of_the_user_survive_a_rollback() {
    let host = project([("committed", "1")]);
    user_commit(&host, "base").await;
    host.put("committed", "dirty");
    host.put("untracked", "mine");
    let mine = files(&host);
    save(&host, "task-1-pre").await;
    host.put("committed", "by the agent");
    host.fs.delete("/project/untracked");
    snapshot::rollback(&host, "task-1-pre", false).await.unwrap();
    assert_eq!(files(&host), mine);
}

async fn known_tasks(host: &MemoryHost) -> KnownTasks {
    let counter = loopgate::plan::task_number(host.project()).await.unwrap();
    snapshot::known_tasks(host, counter.unwrap_or(0)).await.unwrap()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_restores_the_counter_and_no_task_number_is_used_twice() {
    let host = project([(".ralph/task-counter.txt", "2"), ("a.txt", "1")]);
    save(&host, "task-2-post").await;
    host.put(".ralph/task-counter.txt", "3");
    save(&host, "task-3-pre").await;
    host.put("a.txt", "2");
    save(&host, "task-3-post").await;
    assert_eq!(known_tasks(&host).await.accepted.as_deref(), Some("task-3-post"));
    snapshot::rollback(&host, "task-2-post", false).await.unwrap();
    assert_eq!(host.text(".ralph/task-counter.txt").as_deref(), Some("2"));
    let known = known_tasks(&host).await;
    assert_eq!((known.next, known.accepted.as_deref()), (4, Some("task-2-post")), "the third task is rolled back");
    host.put(".ralph/task-counter.txt", "9\n");
    assert_eq!(known_tasks(&host).await.next, 10);
    host.put(".ralph/task-counter.txt", "rubbish");
    assert_eq!(known_tasks(&host).await.next, 4);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_overwritten_ignored_file_can_be_restored() {
    let host = project([("dist/app.js", "one"), ("a.txt", "1")]);
    save(&host, "one").await;
    host.fs.delete("/project/dist");
    save(&host, "two").await;
    host.put(".gitignore", "dist\n");
    host.put("dist/app.js", "precious");
    host.put("dist/other.js", "ignored");
    snapshot::rollback(&host, "one", false).await.unwrap();
    assert_eq!(host.text("dist/app.js").as_deref(), Some("one"));
    assert_eq!(host.text("dist/other.js").as_deref(), Some("ignored"));
    snapshot::undo(&host).await.unwrap();
    assert_eq!(host.text("dist/app.js").as_deref(), Some("precious"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_that_the_snapshots_own_rules_ignore_is_not_deleted() {
    let host = project([(".gitignore", "*.env\nbuild/\n"), ("a.env", "key"), ("build/x/y", "out")]);
    save(&host, "one").await;
    host.put(".gitignore", "nothing\n");
    host.put("new.txt", "added");
    let done = snapshot::rollback(&host, "one", false).await.unwrap();
    assert_eq!((done.restored, done.deleted), (vec![".gitignore".to_owned()], vec!["new.txt".to_owned()]));
    assert_eq!(host.text("a.env").as_deref(), Some("key"));
    assert_eq!(host.text("build/x/y").as_deref(), Some("out"));
    assert!(snapshot::verify(&host, "one").await.unwrap().ok);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_refuses_to_overwrite_what_a_snapshot_skips() {
    let host = project([("out", "a file"), ("a.txt", "1")]);
    save(&host, "one").await;
    host.fs.delete("/project/out");
    save(&host, "two").await;
    host.put(".gitignore", "out/\n");
    host.put("out/precious", "ignored");
    host.put("a.txt", "2");
    let before = files(&host);
    let error = snapshot::rollback(&host, "one", false).await.unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Conflict, Some("out")));
    assert_eq!(files(&host), before);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_never_goes_through_a_link() {
    let host = project([("a.txt", "1")]);
    host.fs.put_link("/project/src", "/outside");
    save(&host, "link").await;
    host.fs.delete("/project/src");
    host.put("src/x", "inside");
    save(&host, "folder").await;
    host.fs.put("/outside/x", "not the project's");
    snapshot::rollback(&host, "link", false).await.unwrap();
    assert_eq!(host.fs.text("/outside/x").as_deref(), Some("not the project's"));
    snapshot::rollback(&host, "folder", false).await.unwrap();
    assert_eq!(host.fs.text("/outside/x").as_deref(), Some("not the project's"));
    assert_eq!(host.text("src/x").as_deref(), Some("inside"));
    assert!(snapshot::verify(&host, "folder").await.unwrap().ok);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_does_not_change_submodules() {
    let host = project([("a.txt", "1")]);
    let with_submodule = commit_with(&host, "160000", "sub", EntryKind::Commit).await;
    git(&host).write_ref("refs/heads/main", &with_submodule).await.unwrap();
    host.put("sub/inner.txt", "of the submodule");
    let info = save(&host, "one").await;
    assert_eq!(info.files, 1, "a submodule is not a file");
    let tree = git(&host).read_tree(&info.tree).await.unwrap();
    assert!(tree.iter().any(|entry| entry.path == "sub" && entry.kind == EntryKind::Commit));
    host.put("sub/inner.txt", "newer");
    host.put("a.txt", "2");
    let done = snapshot::rollback(&host, "one", false).await.unwrap();
    assert_eq!((done.restored, done.deleted), (vec!["a.txt".to_owned()], Vec::new()));
    assert_eq!(host.text("sub/inner.txt").as_deref(), Some("newer"));
    assert!(snapshot::verify(&host, "one").await.unwrap().ok);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_tree_that_cannot_be_read_completely_is_refused() {
    let host = project([("a.txt", "1")]);
    let broken = commit_with(&host, "123456", "odd", EntryKind::Blob).await;
    git(&host).write_ref("refs/tags/odd", &broken).await.unwrap();
    let error = snapshot::rollback(&host, "refs/tags/odd", false).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Corrupt);
    assert_eq!(host.text("a.txt").as_deref(), Some("1"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_save_skips_invalid_entries_of_the_tree_before() {
    let host = project([("a.txt", "1")]);
    let broken = commit_with(&host, "123456", "odd", EntryKind::Blob).await;
    git(&host).write_ref("refs/heads/main", &broken).await.unwrap();
    let info = save(&host, "one").await;
    assert_eq!(info.files, 1);
    assert!(info.warnings[0].contains("invalid entry"), "{:?}", info.warnings);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_broken_git_port_causes_errors_and_loses_nothing() {
    let host = project([("a.txt", "1")]);
    user_commit(&host, "base").await;
    let host = host.with(|ports| ports.git = Some(plain_git(ports).behind_broken_bridge()));
    let info = save(&host, "one").await;
    assert_eq!((info.files, info.warnings.len()), (1, 2), "{:?}", info.warnings);
    host.put("a.txt", "2");
    host.fs.delete("/project/.loopgate/stat-cache");
    save(&host, "two").await;
    assert_eq!(snapshot::known_tasks(&host, 0).await.unwrap().next, 1);
    assert_eq!(snapshot::list(&host).await.unwrap().len(), 2);
    host.put("b.txt", "new");
    let done = snapshot::rollback(&host, "one", false).await.unwrap();
    assert!(!done.warnings.is_empty());
    assert_eq!((host.text("a.txt").as_deref(), host.text("b.txt")), (Some("1"), None));
    assert!(snapshot::verify(&host, "one").await.unwrap().ok);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_missing_blob_refuses_a_rollback_without_a_change() {
    let host = project([("a.txt", "one"), ("b.txt", "one b")]);
    // Its objects are files.
    let host = host.with(|ports| ports.git = Some(plain_git(ports)));
    save(&host, "one").await;
    host.put("a.txt", "two");
    host.put("b.txt", "two b");
    host.put("c.txt", "new");
    let tree = git(&host).read_tree(&snapshot::list(&host).await.unwrap()[0].tree).await.unwrap();
    let blob = &tree.iter().find(|entry| entry.path == "b.txt").unwrap().oid;
    host.fs.delete(&format!("/project/.git/objects/{}/{}", &blob[..2], &blob[2..]));
    let before = files(&host);
    let error = snapshot::rollback(&host, "one", false).await.unwrap_err();
    assert!(error.message.contains("the files are unchanged"), "{error}");
    assert_eq!(files(&host), before);
    assert_eq!(snapshot::finish_rollback(&host).await.unwrap(), None, "nothing is left to finish");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn mode_bits_stay_where_the_host_has_none() {
    let host = project([("run.sh", "1"), ("a.txt", "1")]);
    host.fs.set_mode("/project/run.sh", 0o755);
    save(&host, "one").await;
    let bare = FsSupport { symlinks: true, chmod: false };
    let host = host.with(|ports| ports.fs = ports.fs.clone().with_support(bare));
    host.fs.set_mode("/project/run.sh", 0o644);
    host.put("a.txt", "2");
    let info = save(&host, "two").await;
    assert_eq!(info.changed, 1, "the recorded mode stays");
    let done = snapshot::rollback(&host, "one", false).await.unwrap();
    assert_eq!(done.restored, ["a.txt"]);
    assert!(snapshot::verify(&host, "one").await.unwrap().ok);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_protected_path_in_a_tree_is_never_restored() {
    let host = project([("a.txt", "1"), (".loopgate/lease", "mine")]);
    let base = user_commit(&host, "base").await;
    let mut commit = git(&host).read_commit(&base).await.unwrap();
    let mut entries = git(&host).read_tree(&commit.tree).await.unwrap();
    let inner = git(&host).write_tree(&[TreeEntry { path: "lease".to_owned(), ..entries[0].clone() }]).await.unwrap();
    entries.push(TreeEntry {
        mode: "040000".to_owned(),
        path: ".loopgate".to_owned(),
        oid: inner,
        kind: EntryKind::Tree,
    });
    commit.tree = git(&host).write_tree(&entries).await.unwrap();
    let foreign = git(&host).write_commit(&commit).await.unwrap();
    git(&host).write_ref("refs/tags/foreign", &foreign).await.unwrap();
    host.put("a.txt", "2");
    let done = snapshot::rollback(&host, "refs/tags/foreign", false).await.unwrap();
    assert_eq!((done.restored, done.deleted), (vec!["a.txt".to_owned()], Vec::new()));
    assert_eq!(host.text(".loopgate/lease").as_deref(), Some("mine"));
}

/// A commit with the flat files and one more entry.
async fn commit_with(host: &MemoryHost, mode: &str, name: &str, kind: EntryKind) -> String {
    let git = git(host);
    let base = user_commit(host, "base").await;
    let mut commit = git.read_commit(&base).await.unwrap();
    let mut entries = git.read_tree(&commit.tree).await.unwrap();
    let oid = entries[0].oid.clone();
    entries.push(TreeEntry { mode: mode.to_owned(), path: name.to_owned(), oid, kind });
    commit.tree = git.write_tree(&entries).await.unwrap();
    git.write_commit(&commit).await.unwrap()
}
