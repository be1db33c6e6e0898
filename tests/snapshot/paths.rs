//! Partial rollbacks.

use crate::snapshot::crash::FAULTS;
use crate::snapshot::project::{check_repository, files, folders, git, project, save};
use loopgate::ErrorCode;
use loopgate::port::memory::{Fault, MemoryHost};
use loopgate::port::{FsPort, GitPort};
use loopgate::snapshot::{self, Rollback, SnapshotKind};
use std::collections::BTreeMap;
use wasm_bindgen_test::wasm_bindgen_test;

fn paths(paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

async fn roll_back(host: &MemoryHost, selected: &[&str]) -> Rollback {
    snapshot::rollback_paths(host, "old", &paths(selected), false).await.unwrap()
}

/// Saved as `old`, then changed in every way.
async fn changed_project() -> (MemoryHost, BTreeMap<String, Vec<u8>>) {
    let host = project([("a.txt", "old"), ("b.txt", "old"), ("src/deep/c.ts", "old"), ("src/gone.ts", "old")]);
    host.put(".ralph/task-counter.txt", "1");
    host.put("type", "file");
    save(&host, "old").await;
    let old = files(&host);
    for path in ["a.txt", "b.txt", "src/deep/c.ts", "src/deep/new/d.ts", "src/added.ts"] {
        host.put(path, "new text");
    }
    host.put(".ralph/task-counter.txt", "22");
    host.put(".ralph/plan.tsx", "plan");
    host.fs.delete("/project/src/gone.ts");
    host.fs.delete("/project/type");
    host.put("type/now/dir", "new text");
    host.fs.flush().await.unwrap();
    (host, old)
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn only_the_named_files_and_folders_change() {
    let (host, old) = changed_project().await;
    let new = files(&host);
    let plan = snapshot::rollback_paths(&host, "old", &paths(&["src", "type"]), true).await.unwrap();
    assert_eq!(files(&host), new, "a dry run changes nothing");
    let done = roll_back(&host, &["src", "/project/type"]).await;
    assert_eq!(done.restored, ["src/deep/c.ts", "src/gone.ts", "type"]);
    assert_eq!(done.deleted, ["src/added.ts", "src/deep/new/d.ts", "type/now/dir"]);
    assert_eq!((plan.restored, plan.deleted, plan.undo), (done.restored, done.deleted, String::new()));
    let mut expected = old;
    for path in ["a.txt", "b.txt", ".ralph/task-counter.txt", ".ralph/plan.tsx"] {
        expected.insert(path.to_owned(), new[path].clone());
    }
    assert_eq!(files(&host), expected);
    assert_eq!(folders(&host), ["/.ralph", "/src", "/src/deep"].map(|path| path.trim_start_matches('/').to_owned()));
    let undo = snapshot::list(&host).await.unwrap().into_iter().find(|info| info.tag == done.undo).unwrap();
    assert_eq!((undo.kind, undo.message.as_str()), (SnapshotKind::Undo, "before the rollback of 2 paths to old"));
    let status = snapshot::status(&host).await.unwrap();
    assert_eq!(status.changes, [], "changes count from the files as they are now");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn undo_restores_what_was_replaced_and_nothing_else() {
    let (host, _) = changed_project().await;
    let new = files(&host);
    roll_back(&host, &["src", "a.txt"]).await;
    let partly = files(&host);
    host.put("b.txt", "edited later");
    host.put(".ralph/task-counter.txt", "333");
    let done = snapshot::undo(&host).await.unwrap();
    assert_eq!(done.restored, ["a.txt", "src/added.ts", "src/deep/c.ts", "src/deep/new/d.ts"]);
    assert_eq!(done.deleted, ["src/gone.ts"]);
    let mut expected = new;
    expected.insert("b.txt".to_owned(), b"edited later".to_vec());
    expected.insert(".ralph/task-counter.txt".to_owned(), b"333".to_vec());
    assert_eq!(files(&host), expected);
    snapshot::undo(&host).await.unwrap();
    let mut expected = partly;
    expected.insert("b.txt".to_owned(), b"edited later".to_vec());
    expected.insert(".ralph/task-counter.txt".to_owned(), b"333".to_vec());
    assert_eq!(files(&host), expected, "an undo can be undone");
    check_repository(git(&host)).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_of_equal_files_changes_nothing() {
    let (host, _) = changed_project().await;
    roll_back(&host, &["a.txt"]).await;
    let now = files(&host);
    let done = roll_back(&host, &["a.txt"]).await;
    assert_eq!((done.restored, done.deleted, files(&host)), (vec![], vec![], now));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_path_that_cannot_be_rolled_back_is_refused_before_anything_is_saved() {
    let (host, _) = changed_project().await;
    host.put(".gitignore", "ignored\n");
    host.put("ignored/x", "kept");
    let (before, refs) = (files(&host), git(&host).refs());
    for (path, code) in [
        ("../outside", ErrorCode::InvalidArgument),
        ("", ErrorCode::InvalidArgument),
        (".git", ErrorCode::InvalidArgument),
        (".loopgate/undo", ErrorCode::InvalidArgument),
        (".ralph/task-counter.txt", ErrorCode::InvalidArgument),
        ("none.txt", ErrorCode::NotFound),
        ("ignored/x", ErrorCode::NotFound),
    ] {
        for dry_run in [true, false] {
            let error = snapshot::rollback_paths(&host, "old", &paths(&["a.txt", path]), dry_run).await.unwrap_err();
            assert_eq!(error.code, code, "{path:?}: {error}");
            assert_eq!(error.path.as_deref(), Some(path), "{error}");
        }
    }
    let error = snapshot::rollback_paths(&host, "none", &paths(&["a.txt"]), false).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
    assert_eq!((files(&host), git(&host).refs()), (before, refs));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_in_the_way_that_is_not_named_is_a_conflict() {
    let host = project([("dir/a.txt", "1")]);
    save(&host, "old").await;
    host.fs.delete("/project/dir");
    host.put("dir", "a file now");
    let error = snapshot::rollback_paths(&host, "old", &paths(&["dir/a.txt"]), false).await.unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Conflict, Some("dir")));
    assert_eq!(host.text("dir").as_deref(), Some("a file now"));
    assert_eq!(roll_back(&host, &["dir"]).await.restored, ["dir/a.txt"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn odd_names_and_links_are_restored() {
    let odd = ["with space", "q\"uo'te", "🍓/ü", "-rf", "new\nline", "src/[x]*?.ts", "a=b"];
    let host = project([("kept", "1")]);
    for path in odd {
        host.put(path, "old");
    }
    host.fs.put_link("/project/link", "kept");
    host.fs.put_link("/project/away", "/etc");
    save(&host, "old").await;
    for path in odd {
        host.put(path, "new text");
    }
    host.put("kept", "22");
    for link in ["link", "away"] {
        host.fs.delete(&format!("/project/{link}"));
    }
    let mut selected = odd.to_vec();
    selected.extend(["link", "away"]);
    let done = roll_back(&host, &selected).await;
    assert_eq!(done.restored.len(), odd.len() + 1);
    assert!(done.warnings.iter().any(|warning| warning.contains("away")), "{:?}", done.warnings);
    assert!(odd.iter().all(|path| host.text(path).as_deref() == Some("old")));
    assert_eq!((host.text("kept").as_deref(), files(&host)["link"].as_slice()), (Some("22"), b"kept".as_slice()));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_partial_rollback_with_a_fault_is_absent_or_finished() {
    for (fault, loses) in FAULTS {
        let (mut number, mut finished) = (0, 0);
        loop {
            let (host, _) = changed_project().await;
            let new = files(&host);
            let expected = {
                let (other, _) = changed_project().await;
                roll_back(&other, &["src", "type"]).await;
                files(&other)
            };
            let writes = host.fs.writes();
            host.fs.fail_write(number, fault);
            let result = snapshot::rollback_paths(&host, "old", &paths(&["src", "type"]), false).await;
            let is_past = host.fs.writes() - writes <= number;
            host.fs.heal();
            if loses {
                host.fs.lose_unflushed();
            }
            let place = format!("{fault:?} at write {number}, loses: {loses}");
            finished += u32::from(snapshot::finish_rollback(&host).await.unwrap().is_some());
            check_repository(git(&host)).await;
            let now = files(&host);
            assert!(now == expected || now == new, "{place}: a mixture: {:?}", now.keys());
            if result.is_ok() {
                assert_eq!(now, expected, "{place}");
            }
            if now == expected {
                host.put("b.txt", "edited later");
                snapshot::undo(&host).await.unwrap();
                let mut back = new.clone();
                back.insert("b.txt".to_owned(), b"edited later".to_vec());
                assert_eq!(files(&host), back, "{place}");
            }
            if is_past {
                break;
            }
            number += 1;
        }
        assert!(number > 15, "{fault:?} met only {number} writes");
        assert!(fault == Fault::Fail || finished > 3, "{fault:?} left only {finished} rollbacks to finish");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_that_another_commit_of_git_has_is_restored_by_the_full_name_of_its_tag() {
    let host = project([("a.txt", "one"), ("b.txt", "one")]);
    let commit = crate::snapshot::save::user_commit(&host, "v1").await;
    git(&host).write_ref("refs/tags/v1", &commit).await.unwrap();
    host.put("a.txt", "changed");
    host.put("b.txt", "changed");
    save(&host, "now").await;
    let done = snapshot::rollback_paths(&host, "refs/tags/v1", &paths(&["a.txt"]), false).await.unwrap();
    assert_eq!(
        (done.restored, host.text("a.txt").as_deref(), host.text("b.txt").as_deref()),
        (vec!["a.txt".to_owned()], Some("one"), Some("changed"))
    );
}
