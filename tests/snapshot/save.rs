//! Saving.

use crate::snapshot::project::{check_repository, files, git, project, save};
use loopgate::ErrorCode;
use loopgate::port::memory::{Fault, MemoryHost};
use loopgate::port::{Commit, FsSupport, GitPort, Person};
use loopgate::snapshot::{self, SaveOptions, Watch};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_save_returns_its_tag_commit_and_counts() {
    let host = project([("src/App.tsx", "one"), (".ralph/plan.tsx", "plan")]);
    let options = SaveOptions { message: Some("before CTA redesign\r\n".to_owned()), ..SaveOptions::default() };
    let first = snapshot::save(&host, &options).await.unwrap();
    assert_eq!((first.files, first.changed, first.message.as_str()), (2, 2, "before CTA redesign"));
    assert_eq!(first.tag, format!("manual-{}", first.at));
    host.put("src/App.tsx", "two");
    let second = snapshot::save(&host, &SaveOptions::default()).await.unwrap();
    assert_eq!((second.files, second.changed), (2, 1));
    assert_ne!(second.tag, first.tag, "two saves in the same millisecond");
    assert_eq!(second.message, second.tag);
    assert_eq!(snapshot::list(&host).await.unwrap(), [first, second]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_save_makes_no_branch() {
    let host = project([("a.txt", "1")]);
    for tag in ["refs/heads/main", "refs/remotes/origin/main", "HEAD", "refs/tags/"] {
        let options = SaveOptions { tag: Some(tag.to_owned()), ..SaveOptions::default() };
        let error = snapshot::save(&host, &options).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArgument, "{tag}: {error}");
    }
    assert_eq!(save(&host, "refs/tags/mine").await.tag, "mine");
    let refs = git(&host).refs();
    assert_eq!(refs.keys().collect::<Vec<_>>(), ["refs/tags/mine"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_path_in_a_snapshot_is_relative_or_absolute() {
    let host = project([("src/App.tsx", "app")]);
    save(&host, "one").await;
    for path in ["src/App.tsx", "./src/App.tsx", "/project/src/App.tsx"] {
        assert_eq!(
            snapshot::read_file(&host, "one", path).await.unwrap().as_deref(),
            Some(b"app".as_slice()),
            "{path}"
        );
    }
    for path in ["/src/App.tsx", "/projects/src/App.tsx", "/project", "src"] {
        assert_eq!(snapshot::read_file(&host, "one", path).await.unwrap(), None, "{path}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_snapshot_has_neither_the_state_folder_nor_git() {
    let host = project([
        ("a.txt", "1"),
        (".loopgate/journal/r/0.jsonl", "{}"),
        (".handoff/specs/s/iterations/1/prompt.md", "p"),
        (".handoff/specs/s/spec.md", "s"),
        ("runs/0001-foo/2026-01-31T12-00-00Z/plan.log", "l"),
        ("sub/.GIT/config", "c"),
    ]);
    let info = save(&host, "one").await;
    let tree = git(&host).read_tree(&info.tree).await.unwrap();
    let names: Vec<&str> = tree.iter().map(|entry| entry.path.as_str()).collect();
    assert_eq!((info.files, names), (2, vec![".handoff", "a.txt"]));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_edit_within_the_clocks_grain_is_saved() {
    let host = project([("a.txt", "one"), ("b.txt", "same")]);
    save(&host, "one").await;
    // The clock does not advance: size and time stay the same.
    host.put("a.txt", "two");
    save(&host, "two").await;
    assert_eq!(snapshot::read_file(&host, "two", "a.txt").await.unwrap().unwrap(), b"two");
    host.clock.advance(60_000);
    save(&host, "three").await;
    host.put("a.txt", "six");
    save(&host, "four").await;
    assert_eq!(snapshot::read_file(&host, "four", "a.txt").await.unwrap().unwrap(), b"six");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_coarse_clock_has_a_coarse_grain() {
    let host = project([("a.txt", "one"), ("b.txt", "same")]);
    let second = 1_700_000_000_000.0;
    for path in ["a.txt", "b.txt"] {
        host.fs.set_mtime(&format!("/project/{path}"), second);
    }
    host.clock.advance(900);
    save(&host, "one").await;
    host.clock.advance(60);
    host.put("a.txt", "two");
    host.fs.set_mtime("/project/a.txt", second);
    host.clock.advance(3_600_000);
    save(&host, "two").await;
    assert_eq!(snapshot::read_file(&host, "two", "a.txt").await.unwrap().unwrap(), b"two");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn young_files_are_read_again_if_the_hosts_clock_is_ahead() {
    let host = project([("a.txt", "one"), ("b.txt", "same")]);
    host.clock.advance(7);
    host.put("a.txt", "one");
    // The host's clock is an hour ahead of the times of files.
    host.clock.advance(3_600_000);
    let at = 1_700_000_000_007.0;
    save(&host, "one").await;
    host.fs.set_mtime("/project/.loopgate/stat-cache", at);
    host.put("a.txt", "two");
    host.fs.set_mtime("/project/a.txt", at);
    save(&host, "two").await;
    assert_eq!(snapshot::read_file(&host, "two", "a.txt").await.unwrap().unwrap(), b"two");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_save_without_changes_writes_the_tag_and_no_object() {
    let host = project([("a.txt", "one")]);
    let post = save(&host, "task-1-post").await;
    let objects = git(&host).object_count();
    let pre = save(&host, "task-2-pre").await;
    assert_eq!((pre.oid.as_str(), pre.changed), (post.oid.as_str(), 0));
    assert_eq!(git(&host).object_count(), objects);
    assert_eq!(git(&host).refs()["refs/tags/task-2-pre"], post.oid);
    assert_eq!(snapshot::list(&host).await.unwrap(), [post, pre]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_users_refs_do_not_change() {
    let host = project([("a.txt", "one")]);
    let head = user_commit(&host, "by the user").await;
    git(&host).write_ref("refs/tags/v1", &head).await.unwrap();
    host.fs.put("/project/.git/index", b"index");
    let before = git(&host).refs();
    let first = save(&host, "one").await;
    host.put("a.txt", "two");
    save(&host, "two").await;
    snapshot::rollback(&host, "one", false).await.unwrap();
    snapshot::undo(&host).await.unwrap();
    let mut after = git(&host).refs();
    after.retain(|name, _| before.contains_key(name));
    assert_eq!(after, before);
    assert_eq!(host.fs.text("/project/.git/HEAD").as_deref(), Some("ref: refs/heads/main\n"));
    assert_eq!(host.fs.text("/project/.git/index").as_deref(), Some("index"));
    assert_eq!(git(&host).read_commit(&first.oid).await.unwrap().parents, [head]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_tag_of_the_user_is_not_moved() {
    let host = project([("a.txt", "one")]);
    let head = user_commit(&host, "by the user").await;
    git(&host).write_ref("refs/tags/v1", &head).await.unwrap();
    let options = SaveOptions { tag: Some("v1".to_owned()), ..SaveOptions::default() };
    assert_eq!(snapshot::save(&host, &options).await.unwrap_err().code, ErrorCode::Conflict);
    assert_eq!(git(&host).refs()["refs/tags/v1"], head);
    assert_eq!(snapshot::list(&host).await.unwrap(), []);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_git_every_call_is_unsupported() {
    let host = project([("a.txt", "1")]).with(|ports| ports.git = None);
    let code = |error: loopgate::Error| error.code;
    assert_eq!(snapshot::save(&host, &SaveOptions::default()).await.unwrap_err().code, ErrorCode::Unsupported);
    assert_eq!(snapshot::list(&host).await.map_err(code), Err(ErrorCode::Unsupported));
    assert_eq!(snapshot::rollback(&host, "x", false).await.map_err(code), Err(ErrorCode::Unsupported));
    assert_eq!(snapshot::undo(&host).await.map_err(code), Err(ErrorCode::Unsupported));
    assert_eq!(snapshot::status(&host).await.map_err(code), Err(ErrorCode::Unsupported));
    assert_eq!(snapshot::finish_rollback(&host).await.unwrap(), None);
    assert_eq!(snapshot::known_tasks(&host, 0).await.unwrap().next, 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_project_is_empty_if_it_has_only_files_of_the_harness() {
    let host = project([(".ralph/task.md", "task"), (".loopgate/lease", "x")]);
    assert!(snapshot::is_empty(&host).await.unwrap());
    host.put("src/App.tsx", "");
    assert!(!snapshot::is_empty(&host).await.unwrap());
    let info = save(&host, "task-1-pre").await;
    assert_eq!(git(&host).read_commit(&info.oid).await.unwrap().parents, [""; 0], "the branch is unborn");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_second_stall_moves_the_tag_and_the_first_commit_stays() {
    let host = project([("a.txt", "one")]);
    let first = save(&host, "stall-1-recovery").await;
    host.put("a.txt", "two");
    let second = save(&host, "stall-1-recovery").await;
    assert_eq!(git(&host).refs()["refs/tags/stall-1-recovery"], second.oid);
    assert_eq!(git(&host).read_commit(&second.oid).await.unwrap().parents, [first.oid]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_clock_that_goes_back_does_not_reorder_snapshots() {
    let host = project([("a.txt", "one")]);
    host.clock.advance(1_000_000);
    let first = save(&host, "first").await;
    let early = host.clone().with(|ports| ports.clock = Default::default());
    early.put("a.txt", "two");
    let second = save(&early, "second").await;
    assert!(second.at > first.at);
    assert_eq!(snapshot::list(&host).await.unwrap().last().unwrap().tag, "second");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_lost_or_damaged_stat_cache_changes_nothing() {
    let host = project([("a.txt", "one"), ("deep/b.txt", "two")]);
    let first = save(&host, "one").await;
    for damage in [None, Some(""), Some("loopgate stat-cache 1\0torn"), Some("\u{0}\u{0}\u{0}")] {
        match damage {
            Some(text) => host.put(".loopgate/stat-cache", text),
            None => host.fs.delete("/project/.loopgate/stat-cache"),
        }
        let again = save(&host, "again").await;
        assert_eq!(again.oid, first.oid, "{damage:?}");
        assert_eq!(again.warnings, [""; 0]);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_new_repository_gets_every_object() {
    let host = project([("a.txt", "one"), ("deep/b.txt", "two")]);
    save(&host, "one").await;
    host.clock.advance(3_600_000);
    save(&host, "one").await;
    host.fs.delete("/project/.git");
    save(&host, "two").await;
    check_repository(git(&host)).await;
    assert!(snapshot::verify(&host, "two").await.unwrap().ok);
    // Also in a run that has an index of the old repository.
    let watch = snapshot::Watch::default();
    let options = |tag: &str| SaveOptions { tag: Some(tag.to_owned()), ..SaveOptions::default() };
    host.put("a.txt", "three");
    snapshot::save_in(&host, &watch, &options("three")).await.unwrap();
    host.fs.delete("/project/.git");
    watch.distrust(&host);
    snapshot::save_in(&host, &watch, &options("four")).await.unwrap();
    check_repository(git(&host)).await;
    assert!(snapshot::verify(&host, "four").await.unwrap().ok);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn ignored_files_are_left_out_unless_the_snapshot_before_has_them() {
    let host = project([("dist/old.js", "1"), ("src/a.ts", "1"), ("node_modules/x/index.js", "1")]);
    assert_eq!(save(&host, "one").await.files, 2, "node_modules needs no rule");
    host.put(".gitignore", "dist/\n*.log\n");
    host.put("dist/new.js", "2");
    host.put("debug.log", "2");
    host.fs.delete("/project/node_modules");
    let info = save(&host, "two").await;
    assert_eq!((info.files, info.changed), (3, 1), "what git would call tracked stays");
    assert!(snapshot::read_file(&host, "two", "dist/old.js").await.unwrap().is_some());
    assert!(snapshot::read_file(&host, "two", "dist/new.js").await.unwrap().is_none());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_repository_inside_the_project_is_skipped() {
    let host = project([("a.txt", "1"), ("other/.git/HEAD", "ref: x"), ("other/b.txt", "1")]);
    assert_eq!(save(&host, "one").await.files, 1);
    assert_eq!(save(&host, "one").await.warnings, [""; 0]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_link_that_git_refuses_is_left_out_with_a_warning() {
    let host = project([("a.txt", "1")]);
    let watch = snapshot::Watch::default();
    snapshot::save_in(&host, &watch, &SaveOptions::default()).await.unwrap();
    for (number, path) in [".gitmodules", "deep/.GitModules", "GITMOD~1"].into_iter().enumerate() {
        host.fs.put_link(&format!("/project/{path}"), "a.txt");
        watch.touch(path);
        let info = snapshot::save_in(&host, &watch, &SaveOptions::default()).await.unwrap();
        assert_eq!((info.files, info.warnings.len()), (1, number + 1), "{:?}", info.warnings);
        assert!(info.warnings.iter().any(|warning| warning.starts_with(path)), "{:?}", info.warnings);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn links_are_left_out_with_a_warning_if_the_host_has_none() {
    let host = project([("a.txt", "1")]);
    host.fs.put_link("/project/link", "a.txt");
    let support = FsSupport { symlinks: false, chmod: false };
    let host = host.with(|ports| ports.fs = ports.fs.clone().with_support(support));
    let info = save(&host, "one").await;
    assert_eq!(info.files, 1);
    assert!(info.warnings[0].starts_with("link is left out"), "{:?}", info.warnings);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_full_disk_leaves_earlier_snapshots_intact() {
    let host = project([("a.txt", "one")]);
    let first = save(&host, "one").await;
    host.put("a.txt", "two");
    host.fs.fail_write(0, Fault::Crash);
    let error = snapshot::save(&host, &SaveOptions::default()).await.unwrap_err();
    assert!(error.message.contains("Quota"), "{error}");
    assert!(error.message.contains("earlier snapshots are intact"), "{error}");
    host.fs.heal();
    assert_eq!(snapshot::list(&host).await.unwrap(), [first]);
    assert_eq!(files(&host)["a.txt"], b"two");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_missing_project_folder_is_not_saved_as_empty() {
    let host = project([("a.txt", "one")]);
    save(&host, "one").await;
    host.fs.delete("/project");
    let error = snapshot::save(&host, &SaveOptions::default()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Fs);
    assert!(error.message.contains("folder does not exist"), "{error}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_tag_that_git_refuses_is_an_invalid_argument() {
    let host = project([("a.txt", "one")]);
    for tag in ["", "a b", "../heads/main", "-f", "HEAD", "refs/heads/new"] {
        let options = SaveOptions { tag: Some(tag.to_owned()), ..SaveOptions::default() };
        assert_eq!(snapshot::save(&host, &options).await.unwrap_err().code, ErrorCode::InvalidArgument, "{tag}");
    }
    assert!(git(&host).refs().is_empty());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_save_accepts_the_full_name_of_a_tag() {
    let host = project([("a.txt", "one")]);
    assert_eq!(save(&host, "refs/tags/new").await.tag, "new");
    assert!(git(&host).refs().contains_key("refs/tags/new"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_branch_of_the_user_at_a_snapshot_is_not_moved() {
    let host = project([("a.txt", "one")]);
    let one = save(&host, "one").await;
    git(&host).write_ref("refs/heads/main", &one.oid).await.unwrap();
    host.put("a.txt", "two");
    let options = SaveOptions { tag: Some("refs/heads/main".to_owned()), ..SaveOptions::default() };
    assert_eq!(snapshot::save(&host, &options).await.unwrap_err().code, ErrorCode::InvalidArgument);
    assert_eq!(git(&host).refs()["refs/heads/main"], one.oid);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_tag_that_is_a_folder_of_another_is_a_conflict() {
    let host = project([("a.txt", "one")]);
    save(&host, "release/one").await;
    save(&host, "alone").await;
    let refs = git(&host).refs();
    for tag in ["release", "alone/two", "alone/t/w/o"] {
        let options = SaveOptions { tag: Some(tag.to_owned()), ..SaveOptions::default() };
        let error = snapshot::save(&host, &options).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::Conflict, "{tag}: {error}");
        assert!(error.message.contains("nothing was saved"), "{error}");
    }
    assert_eq!(git(&host).refs(), refs);
    save(&host, "release/two").await;
}

/// Commits the present files on `main`, as the user would.
pub(crate) async fn user_commit(host: &MemoryHost, message: &str) -> String {
    let git = git(host);
    git.init().await.unwrap();
    let mut entries = Vec::new();
    for (path, bytes) in files(host) {
        assert!(!path.contains('/'), "flat projects only");
        let oid = git.write_blob(&bytes).await.unwrap();
        entries.push(loopgate::port::TreeEntry {
            mode: "100644".to_owned(),
            path,
            oid,
            kind: loopgate::port::EntryKind::Blob,
        });
    }
    let author = Person { name: "U".to_owned(), email: "u@example.com".to_owned(), timestamp: 1, timezone_offset: -90 };
    let tree = git.write_tree(&entries).await.unwrap();
    let commit = Commit { tree, parents: Vec::new(), message: message.to_owned(), author };
    let oid = git.write_commit(&commit).await.unwrap();
    git.write_ref("refs/heads/main", &oid).await.unwrap();
    oid
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_pipe_is_in_no_snapshot_and_never_opened() {
    let host = project([("a.txt", "1"), ("b.txt", "1"), (".gitignore", "ignored\n")]);
    for path in ["pipe", "src/pipe", "ignored", ".git/info/exclude"] {
        host.fs.put_pipe(&format!("/project/{path}"));
    }
    let saved = save(&host, "one").await;
    let left_out: Vec<&str> =
        saved.warnings.iter().filter_map(|text| text.split_once(" is left out")).map(|found| found.0).collect();
    assert_eq!((saved.files, left_out), (3, vec!["pipe", "src/pipe"]));
    assert!(snapshot::verify(&host, "one").await.unwrap().ok);
    let status = snapshot::status(&host).await.unwrap();
    assert_eq!((status.changes.len(), status.current.as_deref()), (0, Some("one")));

    host.fs.delete("/project/b.txt");
    host.fs.put_pipe("/project/b.txt");
    host.put("a.txt", "2");
    let watch = Watch::default();
    for (tag, text) in [("two", "3"), ("three", "4")] {
        let options = SaveOptions { tag: Some(tag.to_owned()), ..SaveOptions::default() };
        assert_eq!(snapshot::save_in(&host, &watch, &options).await.unwrap().files, 2, "{tag}");
        host.put("a.txt", text);
        ["a.txt", "b.txt", "pipe"].into_iter().for_each(|path| watch.touch(path));
    }
    let error = snapshot::rollback(&host, "one", false).await.unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Conflict, Some("b.txt")), "{error}");
    snapshot::rollback(&host, "two", false).await.unwrap();
    assert_eq!(host.text("a.txt").as_deref(), Some("2"));
}
