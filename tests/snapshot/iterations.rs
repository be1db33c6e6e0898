//! Snapshots of iterations.

use crate::snapshot::project::{check_repository, files, git, project, save};
use loopgate::ErrorCode;
use loopgate::port::GitPort;
use loopgate::port::memory::{Fault, MemoryHost};
use loopgate::snapshot::{self, Iteration, SnapshotInfo, Watch, list_iterations};
use wasm_bindgen_test::wasm_bindgen_test;

fn iteration(run: &str, number: u32) -> Iteration<'_> {
    Iteration { run, number, message: "task-1, iteration: build", kept: 100 }
}

fn name(run: &str, number: u32) -> String {
    format!("refs/loopgate/iterations/{run}/{number}")
}

/// Writes a file as a run would, and saves.
async fn iterate(host: &MemoryHost, watch: &Watch, iteration: &Iteration<'_>, text: &str) -> SnapshotInfo {
    watch.touch("src/a.ts");
    host.put("src/a.ts", text);
    snapshot::save_iteration(host, watch, iteration).await.unwrap()
}

async fn listed(host: &MemoryHost) -> Vec<String> {
    list_iterations(host).await.unwrap().into_iter().map(|info| info.tag).collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_accepts_the_full_name_of_an_iteration() {
    let host = project([("src/a.ts", "start"), ("b.txt", "b")]);
    let watch = Watch::default();
    let pre = save(&host, "task-1-pre").await;
    for (number, text) in [(1, "one"), (2, "two"), (3, "three")] {
        let info = iterate(&host, &watch, &iteration("run", number), text).await;
        assert_eq!((info.tag, info.changed, info.files), (name("run", number), 1, 2));
        let commit = git(&host).read_commit(&info.oid).await.unwrap();
        assert_eq!(commit.parents, std::slice::from_ref(&pre.oid), "it follows the newest tag, whatever the number");
    }
    assert_eq!(listed(&host).await, [name("run", 1), name("run", 2), name("run", 3)]);
    assert_eq!(snapshot::list(&host).await.unwrap(), [pre], "a list of tags is one of tags");

    let back = snapshot::rollback(&host, &name("run", 2), false).await.unwrap();
    assert_eq!((host.text("src/a.ts").as_deref(), back.restored), (Some("two"), vec!["src/a.ts".to_owned()]));
    assert_eq!(snapshot::diff(&host, &name("run", 1), Some(&name("run", 3))).await.unwrap().len(), 1);
    assert!(snapshot::verify(&host, &name("run", 2)).await.unwrap().ok);
    snapshot::undo(&host).await.unwrap();
    assert_eq!(host.text("src/a.ts").as_deref(), Some("three"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_iteration_that_changed_nothing_shares_the_commit_before() {
    let host = project([("src/a.ts", "start")]);
    let watch = Watch::default();
    let pre = save(&host, "task-1-pre").await;
    let first = iterate(&host, &watch, &iteration("run", 1), "start").await;
    assert_eq!((&first.oid, first.changed), (&pre.oid, 0));
    let second = iterate(&host, &watch, &iteration("run", 2), "two").await;
    let third = iterate(&host, &watch, &iteration("run", 3), "two").await;
    assert_eq!((&third.oid, third.changed), (&second.oid, 0));
    let post = save(&host, "task-1-post").await;
    assert_eq!(git(&host).read_commit(&post.oid).await.unwrap().parents, [pre.oid], "no tag follows an iteration");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_oldest_are_removed_and_no_tag_is_broken() {
    let host = project([("src/a.ts", "start")]);
    save(&host, "task-1-pre").await;
    for run in ["run-1", "run-2"] {
        let watch = Watch::default();
        for number in 1..=3 {
            let kept = Iteration { kept: 4, ..iteration(run, number) };
            iterate(&host, &watch, &kept, &format!("{run} {number}")).await;
        }
        save(&host, &format!("{run}-post")).await;
    }
    let left = [name("run-1", 3), name("run-2", 1), name("run-2", 2), name("run-2", 3)];
    assert_eq!(listed(&host).await, left);
    let mut refs: Vec<String> = git(&host).refs().into_keys().collect();
    refs.retain(|name| name.starts_with("refs/loopgate/"));
    assert_eq!(refs, left);
    check_repository(git(&host)).await;
    for tag in ["task-1-pre", "run-1-post", "run-2-post"] {
        snapshot::rollback(&host, tag, false).await.unwrap();
    }
    let gone = snapshot::rollback(&host, &name("run-1", 1), false).await.unwrap_err();
    assert_eq!(gone.code, ErrorCode::NotFound);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_oldest_iteration_is_removed_only_after_the_new_one_is_saved() {
    let mut number = 0;
    loop {
        let host = project([("src/a.ts", "start")]);
        let watch = Watch::default();
        let only = |number| Iteration { kept: 1, ..iteration("run", number) };
        iterate(&host, &watch, &only(1), "one").await;
        host.put("src/a.ts", "two");
        host.fs.fail_write(number, Fault::Crash);
        let result = snapshot::save_iteration(&host, &Watch::default(), &only(2)).await;
        host.fs.heal();
        let expected = if result.is_ok() { 2 } else { 1 };
        assert!(listed(&host).await.contains(&name("run", expected)), "write {number}: {result:?}");
        if result.is_ok_and(|info| info.warnings.is_empty()) {
            break;
        }
        number += 1;
    }
    assert!(number > 5, "{number} writes");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_crash_at_any_write_leaves_an_iteration_absent_or_complete_and_listed() {
    for fault in [Fault::Crash, Fault::Tear] {
        let mut number = 0;
        loop {
            let host = project([("src/a.ts", "start"), ("b.txt", "b")]);
            let watch = Watch::default();
            save(&host, "task-1-pre").await;
            let kept = |number| Iteration { kept: 2, ..iteration("run", number) };
            iterate(&host, &watch, &kept(1), "one").await;
            iterate(&host, &watch, &kept(2), "two").await;
            let writes = host.fs.writes();
            watch.touch("src/a.ts");
            host.put("src/a.ts", "three");
            host.fs.fail_write(number, fault);
            let result = snapshot::save_iteration(&host, &watch, &kept(3)).await;
            let is_past = host.fs.writes() - writes <= number;
            host.fs.heal();
            let place = format!("{fault:?} at write {number}");

            snapshot::finish_rollback(&host).await.unwrap();
            let refs: Vec<String> = git(&host).refs().into_keys().filter(|name| !name.contains("/tags/")).collect();
            let names = listed(&host).await;
            assert_eq!(names, refs, "{place}");
            assert!(result.is_err() || names.contains(&name("run", 3)), "{place}");
            let again = snapshot::save_iteration(&host, &Watch::default(), &kept(3)).await.unwrap();
            assert_eq!(again.tag, name("run", 3));
            assert_eq!(listed(&host).await, [name("run", 2), name("run", 3)], "{place}");
            for name in listed(&host).await {
                let tree = git(&host).read_commit(&git(&host).refs()[&name]).await.unwrap().tree;
                assert!(git(&host).read_tree(&tree).await.is_ok(), "{place}");
            }
            assert!(snapshot::verify(&host, &name("run", 3)).await.unwrap().ok, "{place}");
            check_repository(git(&host)).await;
            if is_past {
                break;
            }
            number += 1;
        }
        assert!(number > 8, "{fault:?} met only {number} writes");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_by_another_caller_between_iterations_is_noticed() {
    let host = project([("src/a.ts", "start"), ("src/b.ts", "b")]);
    let watch = Watch::default();
    save(&host, "task-1-pre").await;
    iterate(&host, &watch, &iteration("run", 1), "one").await;
    snapshot::rollback(&host, "task-1-pre", false).await.unwrap();
    host.put("src/b.ts", "during the scan");
    let now = files(&host);
    let info = snapshot::save_iteration(&host, &watch, &iteration("run", 2)).await.unwrap();
    assert!(snapshot::verify(&host, &info.tag).await.unwrap().ok, "the next snapshot scans");
    assert_eq!(files(&host), now);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn iterations_are_listed_from_their_refs_if_the_file_is_missing() {
    let host = project([("src/a.ts", "start")]);
    save(&host, "task-1-pre").await;
    // The first run is the older one, whatever its name.
    for run in ["run-b", "run-a"] {
        let watch = Watch::default();
        for number in [1, 2, 10] {
            host.clock.advance(1_000);
            iterate(&host, &watch, &iteration(run, number), &format!("{run} {number}")).await;
        }
    }
    let all = listed(&host).await;
    for is_cleaned_later in [true, false] {
        host.fs.delete("/project/.loopgate");
        assert_eq!(listed(&host).await, all, "{is_cleaned_later}");
    }
    let kept = Iteration { kept: 3, ..iteration("run-c", 1) };
    iterate(&host, &Watch::default(), &kept, "last").await;
    let left = [name("run-a", 2), name("run-a", 10), name("run-c", 1)];
    assert_eq!(listed(&host).await, left);
    let refs: Vec<String> = git(&host).refs().into_keys().filter(|name| name.contains("/iterations/")).collect();
    assert_eq!(refs.len(), 3, "{refs:?}");
    check_repository(git(&host)).await;
}
