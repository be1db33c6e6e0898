//! What a call costs, counted in calls of the file system: free of noise.

use crate::project::{git, project, save};
use loopgate::port::memory::{MemoryGit, MemoryHost};
use loopgate::snapshot;
use wasm_bindgen_test::wasm_bindgen_test;

const FILES: usize = 3_000;

/// A `stat` of every file and of every folder but the root (with `.loopgate`), a list of every folder but that.
const WALK: u64 = (FILES as u64 + 152) + 152;

/// 3,000 files in 150 folders, saved long after they were written. Git's own calls are not counted.
async fn large_project() -> MemoryHost {
    let host = MemoryHost { git: Some(MemoryGit::default()), ..project([]) };
    for number in 0..FILES {
        host.put(&format!("src/part-{}/file-{number}.ts", number / 20), &format!("content {number}"));
    }
    host.clock.advance(3_600_000);
    save(&host, "base").await;
    host.clock.advance(3_600_000);
    host
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn case_134_only_what_changed_is_read_and_written() {
    let host = large_project().await;
    for number in [0, 1, 2_999] {
        host.put(&format!("src/part-{}/file-{number}.ts", number / 20), "changed");
    }
    let (objects, calls) = (git(&host).object_count(), host.fs.calls());
    let info = save(&host, "next").await;
    assert_eq!(info.changed, 3);
    // One blob (the three are equal), two folders, `src`, the root, the commit.
    assert_eq!(git(&host).object_count() - objects, 6);
    assert_eq!(host.fs.calls() - calls, WALK + 3 + 13, "three files are read; the rest is the harness's own state");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_first_save_over_a_users_commit_writes_only_what_differs() {
    let host = project([("a.txt", "1"), ("b.txt", "2")]);
    crate::save::user_commit(&host, "base").await;
    host.put("b.txt", "3");
    let objects = git(&host).object_count();
    assert_eq!(save(&host, "one").await.changed, 1);
    assert_eq!(git(&host).object_count() - objects, 3, "a blob, the root, the commit");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_touches_what_differs() {
    let host = large_project().await;
    for number in 0..6 {
        host.put(&format!("src/part-{number}/file-{}.ts", number * 20), "changed");
    }
    let (calls, writes) = (host.fs.calls(), host.fs.writes());
    let done = snapshot::rollback(&host, "base", false).await.unwrap();
    assert_eq!(done.restored.len(), 6);
    assert_eq!(host.fs.writes() - writes, 13);
    assert_eq!(host.fs.calls() - calls, WALK + 53);
}
