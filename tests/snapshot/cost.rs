//! What a call costs, counted in calls of the file system.

use crate::snapshot::project::{git, project, save};
use loopgate::port::GitPort;
use loopgate::port::memory::{MemoryGit, MemoryHost};
use loopgate::snapshot::{self, Change, Contents, Iteration, SaveOptions, SavedBy, SnapshotKind, Watch};
use wasm_bindgen_test::wasm_bindgen_test;

const FILES: usize = 3_000;

/// One `stat` per file and folder except for the root (including `.loopgate`), and one listing per folder.
const WALK: u64 = (FILES as u64 + 152) + 152;

/// The looks at the files of `.loopgate`, which must not be links.
const LOOKS: u64 = 8;

/// A project with 20 files per folder, saved long after they were written. Calls of git are not counted.
async fn project_of(files: usize) -> MemoryHost {
    let host = project([]).with(|ports| ports.git = Some(MemoryGit::default()));
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
        let tagged = |tag: &str| SaveOptions { tag: Some(tag.to_owned()), ..SaveOptions::default() };
        snapshot::save_in(&host, &watch, &tagged("task-1-pre")).await.unwrap();
        for round in 0..3 {
            change(&host, &watch, 3, &round.to_string());
            let (calls, objects) = (host.fs.calls(), git(&host).object_count());
            let info = snapshot::save_in(&host, &watch, &tagged(&format!("round-{round}"))).await.unwrap();
            assert_eq!((info.changed, info.files as usize), (3, files));
            // Two for the catalog of other tabs, two to store it.
            assert!(host.fs.calls() - calls <= 16, "{files} files, round {round}: {}", host.fs.calls() - calls);
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
        assert!(host.fs.calls() - calls <= 6, "a record, a flush, and reads of the redo log and the catalog");
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
        assert!(host.fs.calls() - calls <= 53, "{files} files: {}", host.fs.calls() - calls);
        assert!(snapshot::verify(&host, "base").await.unwrap().ok);
        let calls = host.fs.calls();
        let done = snapshot::rollback_in(&host, &watch, &done.undo).await.unwrap();
        assert_eq!(done.restored.len(), 6);
        assert!(host.fs.calls() - calls <= 53, "the index followed the rollback: {files} files");
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
    assert!(calls <= WALK + 3 + 20 + LOOKS, "{calls} calls");
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
    let saved = Contents::since_tag(&host, "base", &now, &counts).await.unwrap();
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
    crate::snapshot::save::user_commit(&host, "base").await;
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
    let (writes, calls) = (host.fs.writes() - writes, host.fs.calls() - calls);
    assert!(writes <= 15, "{writes} writes, {calls} calls");
    assert!(calls <= WALK + 57 + LOOKS, "{calls} calls");
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

/// The snapshots of earlier runs: unnamed ones, snapshots of tasks and chunks, and tags of the user.
fn earlier(kind: &str, number: usize) -> SaveOptions {
    let by = |tag: String| {
        let by = SavedBy::Run { id: format!("run-{number}"), kind: SnapshotKind::Pre };
        SaveOptions { tag: Some(tag), by, ..SaveOptions::default() }
    };
    match kind {
        "tasks" => by(format!("task-{number}-pre")),
        "chunks" => by("chunks/shop/pre".to_owned()),
        "named" => SaveOptions { tag: Some(format!("mine-{number}")), ..SaveOptions::default() },
        _ => SaveOptions::default(),
    }
}

/// The calls of the file system, git's included, of a list, a save, a save of a run, and a save without the stat
/// cache, beside this many snapshots.
async fn calls_beside(kind: &str, count: usize) -> [u64; 4] {
    let host = project([("a.txt", "0")]);
    for number in 1..=count {
        host.put("a.txt", &format!("text {number}"));
        host.clock.advance(1_000);
        snapshot::save(&host, &earlier(kind, number)).await.unwrap();
    }
    let mut calls = [0; 4];
    for (at, calls) in calls.iter_mut().enumerate() {
        host.put("a.txt", &format!("next {at}"));
        if at == 3 {
            host.fs.delete("/project/.loopgate/stat-cache");
        }
        let before = host.fs.calls();
        match at {
            0 => drop(snapshot::list(&host).await.unwrap()),
            1 => drop(snapshot::save(&host, &SaveOptions::default()).await.unwrap()),
            _ => drop(snapshot::save(&host, &earlier("chunks", count + at)).await.unwrap()),
        }
        *calls = host.fs.calls() - before;
    }
    assert_eq!(snapshot::list(&host).await.unwrap().len(), count + 3);
    calls
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn lists_and_saves_cost_the_same_beside_any_number_of_snapshots() {
    for kind in ["unnamed", "tasks", "chunks", "named"] {
        let (few, many) = (calls_beside(kind, 10).await, calls_beside(kind, 240).await);
        // Of tags that users named, the newest 32 are looked at.
        let looks = if kind == "named" { 32 } else { 0 };
        for at in 0..4 {
            assert!(few[at] <= [12, 80, 80, 85][at] + looks, "{kind}: {few:?} calls beside 10");
            assert!(many[at] <= few[at] + looks, "{kind}: {few:?} calls beside 10, {many:?} beside 240");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_list_beside_any_number_of_tags_reads_each_once() {
    let host = project([("a.txt", "1")]);
    let saved = save(&host, "task-1-pre").await.oid;
    let release = crate::snapshot::save::user_commit(&host, "release").await;
    for number in 0..3_000 {
        host.put(&format!(".git/refs/tags/v{number}"), &release);
        host.put(&format!(".git/refs/tags/task-{number}-post"), &saved);
    }
    assert_eq!(snapshot::list(&host).await.unwrap().len(), 3_001);
    let calls = host.fs.calls();
    assert_eq!(snapshot::list(&host).await.unwrap().len(), 3_001);
    assert!(host.fs.calls() - calls <= 12, "{} calls", host.fs.calls() - calls);
}
