//! What a call costs, counted in calls of the file system.

use crate::project::{git, project, save};
use loopgate::port::GitPort;
use loopgate::port::memory::{MemoryGit, MemoryHost};
use loopgate::snapshot::{self, Change, Contents, Iteration, SaveOptions, Watch};
use wasm_bindgen_test::wasm_bindgen_test;

const FILES: usize = 3_000;

/// One `stat` per file and folder except for the root (including `.loopgate`), and one listing per folder.
const WALK: u64 = (FILES as u64 + 152) + 152;

/// The looks at the files of `.loopgate`, which must not be links.
const LOOKS: u64 = 8;

/// A project with 20 files per folder, saved long after they were written. Calls of git are not counted.
async fn project_of(files: usize) -> MemoryHost {
    let host = MemoryHost { git: Some(MemoryGit::default()), ..project([]) };
    for number in 0..files {
        host.put(&format!("src/part-{}/file-{number}.ts", number / 20), &format!("content {number}"));
    }
    host.clock.advance(3_600_000);
    save(&host, "base").await;
    host.clock.advance(3_600_000);
    host
}

async fn large_project() -> MemoryHost {
    project_of(FILES).await
}

/// Changes one file in each of the first folders, through the watch of a run.
fn change(host: &MemoryHost, watch: &Watch, count: usize, text: &str) {
    for number in 0..count {
        let path = format!("src/part-{number}/file-{}.ts", number * 20);
        watch.touch(&path);
        host.put(&path, &format!("{text} {number}"));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn in_a_run_a_snapshot_costs_the_same_at_any_size() {
    for files in [50, 300, 1_000, 3_000] {
        let host = project_of(files).await;
        let watch = Watch::default();
        let tagged = |tag: &str| SaveOptions { tag: Some(tag.to_owned()), message: None };
        snapshot::save_in(&host, &watch, &tagged("task-1-pre")).await.unwrap();
        for round in 0..3 {
            change(&host, &watch, 3, &round.to_string());
            let (calls, objects) = (host.fs.calls(), git(&host).object_count());
            let info = snapshot::save_in(&host, &watch, &tagged(&format!("round-{round}"))).await.unwrap();
            assert_eq!((info.changed, info.files as usize), (3, files));
            assert!(host.fs.calls() - calls <= 12, "{files} files, round {round}");
            // Three blobs, three folders, `src`, the root, the commit.
            assert!(git(&host).object_count() - objects <= 9, "{files} files, round {round}");
        }
        for number in 1..4 {
            change(&host, &watch, 3, &format!("iteration {number}"));
            let calls = host.fs.calls();
            let iteration = Iteration { run: "run", number, message: "work", kept: 100 };
            let info = snapshot::save_iteration(&host, &watch, &iteration).await.unwrap();
            assert_eq!(info.changed, 3);
            assert!(host.fs.calls() - calls <= 12, "{files} files, iteration {number}");
        }
        snapshot::save_in(&host, &watch, &tagged("more")).await.unwrap();
        let calls = host.fs.calls();
        let info = snapshot::save_in(&host, &watch, &tagged("task-1-post")).await.unwrap();
        assert_eq!(info.changed, 0, "nothing was touched");
        assert!(host.fs.calls() - calls <= 4, "a record, a flush, and a read of the redo log");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn in_a_run_a_rollback_costs_the_same_at_any_size() {
    for files in [200, 1_000, 3_000] {
        let host = project_of(files).await;
        let watch = Watch::default();
        snapshot::save_in(&host, &watch, &SaveOptions::default()).await.unwrap();
        change(&host, &watch, 6, "changed");
        let calls = host.fs.calls();
        let done = snapshot::rollback_in(&host, &watch, "base").await.unwrap();
        assert_eq!(done.restored.len(), 6);
        assert!(host.fs.calls() - calls <= 49, "{files} files");
        assert!(snapshot::verify(&host, "base").await.unwrap().ok);
        let calls = host.fs.calls();
        let done = snapshot::rollback_in(&host, &watch, &done.undo).await.unwrap();
        assert_eq!(done.restored.len(), 6);
        assert!(host.fs.calls() - calls <= 49, "the index followed the rollback: {files} files");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_save_reads_and_writes_only_what_changed() {
    let host = large_project().await;
    for number in [0, 1, 2_999] {
        host.put(&format!("src/part-{}/file-{number}.ts", number / 20), "changed");
    }
    let (objects, calls) = (git(&host).object_count(), host.fs.calls());
    let info = save(&host, "next").await;
    assert_eq!(info.changed, 3);
    // One blob (the three are equal), two folders, `src`, the root, the commit.
    assert!(git(&host).object_count() - objects <= 6);
    // Three files are read; the rest is the harness's own state.
    let calls = host.fs.calls() - calls;
    assert!(calls <= WALK + 3 + 18 + LOOKS, "{calls} calls");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn changes_since_a_snapshot_come_from_evidence_without_a_call() {
    let host = large_project().await;
    let counts = |path: &str| !path.ends_with("-7.ts");
    for number in [0, 1, 7] {
        host.put(&format!("src/part-0/file-{number}.ts"), "changed");
    }
    host.fs.delete("/project/src/part-9/file-180.ts");
    let now = snapshot::evidence(&host, &counts).await.unwrap();
    let calls = host.fs.calls();
    let saved = Contents::of(&host, "base", &now, &counts).await.unwrap();
    let changes: Vec<_> = saved.changes(&now).into_iter().map(|change| (change.path, change.change)).collect();
    let path = |number: usize| format!("src/part-{}/file-{number}.ts", number / 20);
    assert_eq!(changes, [(path(0), Change::Modified), (path(1), Change::Modified), (path(180), Change::Deleted)]);
    assert_eq!(saved.read(&host, &path(1)).await.unwrap().as_deref(), Some(b"content 1".as_slice()));
    assert_eq!(saved.read(&host, &path(7)).await.unwrap(), None);
    assert_eq!(host.fs.calls() - calls, 0);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_first_save_over_a_users_commit_writes_only_what_differs() {
    let host = project([("a.txt", "1"), ("b.txt", "2")]);
    crate::save::user_commit(&host, "base").await;
    host.put("b.txt", "3");
    let objects = git(&host).object_count();
    assert_eq!(save(&host, "one").await.changed, 1);
    assert!(git(&host).object_count() - objects <= 3, "a blob, the root, the commit");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_writes_only_files_that_differ() {
    let host = large_project().await;
    for number in 0..6 {
        host.put(&format!("src/part-{number}/file-{}.ts", number * 20), "changed");
    }
    let (calls, writes) = (host.fs.calls(), host.fs.writes());
    let done = snapshot::rollback(&host, "base", false).await.unwrap();
    assert_eq!(done.restored.len(), 6);
    assert!(host.fs.writes() - writes <= 13);
    let calls = host.fs.calls() - calls;
    assert!(calls <= WALK + 55 + LOOKS, "{calls} calls");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_save_reads_a_bounded_number_of_tags_and_finds_the_newest_snapshot_among_them() {
    for count in [1_000, 4_000] {
        let host = project([("a.txt", "1")]);
        let commit = save(&host, "task-1-pre").await.oid;
        for number in 2..count {
            host.put(&format!(".git/refs/tags/task-{number}-pre"), &commit);
        }
        host.put("a.txt", "2");
        let last = save(&host, &format!("task-{count}-post")).await;
        host.fs.delete("/project/.loopgate");
        host.put("a.txt", "3");
        let calls = host.fs.calls();
        let saved = save(&host, "after").await;
        assert!(host.fs.calls() - calls < 3_000, "{count} tags: {} calls", host.fs.calls() - calls);
        assert!(
            saved.at > last.at && saved.warnings.iter().any(|text| text.contains("snapshots were not read")),
            "{saved:?}"
        );
        assert_eq!(git(&host).read_commit(&saved.oid).await.unwrap().parents, [last.oid]);
        assert_eq!(snapshot::list(&host).await.unwrap().len(), count + 1, "the list has every tag");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_scan_pauses_between_the_entries_of_a_folder() {
    let host = project([(".gitignore", "*.log\n*.tmp\n")]);
    for number in 0..500 {
        host.put(&format!("src/{number}.log"), "");
    }
    let pauses = host.fs.pauses();
    snapshot::status(&host).await.unwrap();
    assert!(host.fs.pauses() - pauses >= 500, "{} pauses", host.fs.pauses() - pauses);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn tags_of_releases_are_not_reported() {
    let host = project([("a.txt", "1")]);
    let commit = save(&host, "task-1-pre").await.oid;
    for number in 0..1_000 {
        host.put(&format!(".git/refs/tags/v1.{number}"), &commit);
    }
    host.fs.delete("/project/.loopgate");
    host.put("a.txt", "2");
    let saved = save(&host, "task-1-post").await;
    assert_eq!(saved.warnings, Vec::<String>::new());
    assert_eq!(git(&host).read_commit(&saved.oid).await.unwrap().parents, [commit]);
}
