//! Many new objects go into one pack.

use crate::snapshot::project::{check_repository, files, git, plain_git, project, save};
use loopgate::port::memory::{Fault, MemoryFs, MemoryGit, MemoryHost};
use loopgate::snapshot::{self, Iteration, SaveOptions, Watch};
use wasm_bindgen_test::wasm_bindgen_test;

/// A project of so many files.
pub(crate) fn large_project(count: usize) -> MemoryHost {
    let host = project([("empty", ""), ("a.txt", "1")]);
    for number in 0..count {
        host.put(&format!("src/part-{}/file-{number}.ts", number / 20), &format!("content {number}"));
    }
    // Larger than one stored block, and than a size of two bytes.
    host.fs.put("/project/binary", (0..=255).cycle().take(200_000).collect::<Vec<u8>>());
    host
}

fn packs(host: &MemoryHost) -> Vec<String> {
    let tree = host.fs.tree("/project/.git/objects/pack").into_keys();
    tree.map(|path| path.trim_start_matches("/project/.git/objects/pack/").to_owned()).collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_first_snapshot_is_one_pack_with_its_commit() {
    let host = large_project(100);
    let before = files(&host);
    save(&host, "one").await;
    assert_eq!((packs(&host).len(), git(&host).object_count()), (2, 2), "a pack and its index");
    check_repository(git(&host)).await;
    assert!(snapshot::verify(&host, "one").await.unwrap().ok);
    for number in 0..60 {
        host.put(&format!("src/part-0/file-{number}.ts"), "changed");
    }
    host.fs.delete("/project/binary");
    save(&host, "two").await;
    snapshot::rollback(&host, "one", false).await.unwrap();
    assert_eq!(files(&host), before);
    check_repository(git(&host)).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn from_the_fourth_object_on_a_snapshot_is_one_pack() {
    // The objects are the blob, the folders around it, the root and the commit.
    for (path, objects, files) in [("a.txt", 3, 3), ("src/a.ts", 4, 2), ("src/a/b/c/d.ts", 7, 2)] {
        let host = project([(path, "1")]);
        save(&host, "one").await;
        assert_eq!(git(&host).object_count(), files, "{path}: {objects} objects");
        assert_eq!(packs(&host).len(), if objects < 4 { 0 } else { 2 }, "{path}");
        check_repository(git(&host)).await;
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn in_a_run_a_snapshot_of_nested_folders_takes_few_calls() {
    // 8 blobs, 8 folders, `src`, the root, the commit.
    let paths: Vec<String> = (0..8).map(|number| format!("src/part-{number}/{number}.ts")).collect();
    let host = large_project(100);
    // The calls of the store are counted on their own.
    let store = MemoryFs::new(&host.clock);
    let host = host.with(|ports| ports.git = Some(MemoryGit::new(&store, "/git").with_fast_paths()));
    let watch = Watch::default();
    snapshot::save_in(&host, &watch, &SaveOptions::default()).await.unwrap();
    for round in 1..4 {
        for path in &paths {
            watch.touch(path);
            host.put(path, &format!("{path} {round}"));
        }
        let (calls, writes, before) = (host.fs.calls(), store.writes(), git(&host).object_count());
        let iteration = Iteration { run: "run", number: round, message: "work", kept: 100 };
        snapshot::save_iteration(&host, &watch, &iteration).await.unwrap();
        assert_eq!(git(&host).object_count() - before, 2, "a pack and its index for 19 objects");
        let (calls, writes) = (host.fs.calls() - calls, store.writes() - writes);
        assert!(calls <= 2 * 8 + 6, "round {round}: {calls} calls of the file system");
        assert!(writes <= 8, "round {round}: {writes} writes of the repository");
    }
    check_repository(git(&host)).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn finished_objects_have_the_same_ids() {
    let (finished, asked) = (project([("a.txt", "1"), ("b/c.txt", "2")]), project([("a.txt", "1"), ("b/c.txt", "2")]));
    let asked = asked.with(|ports| ports.git = Some(plain_git(ports)));
    let message = Some("two\n\nlines\r\n 🍓".to_owned());
    let options = SaveOptions { tag: Some("one".to_owned()), message, ..SaveOptions::default() };
    let (one, other) = (snapshot::save(&finished, &options).await, snapshot::save(&asked, &options).await);
    assert_eq!(one.unwrap().oid, other.unwrap().oid);
    check_repository(git(&finished)).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_git_port_stores_a_large_file() {
    let host = project([("a.txt", "1")]);
    host.fs.put("/project/large", vec![0; 5 * 1024 * 1024]);
    let before = files(&host);
    save(&host, "one").await;
    let stored: usize = host.fs.tree("/project/.git/objects").values().map(Vec::len).sum();
    assert!(stored < 100_000, "{stored} bytes");
    host.put("large", "small");
    snapshot::rollback(&host, "one", false).await.unwrap();
    assert_eq!(files(&host), before);
    check_repository(git(&host)).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_packs_the_ids_are_the_same() {
    let (packed, loose) = (large_project(100), large_project(100));
    let loose = loose.with(|ports| ports.git = Some(MemoryGit::default()));
    assert_eq!(save(&packed, "one").await.oid, save(&loose, "one").await.oid);
    assert!(git(&loose).object_count() > 100);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_torn_pack_is_never_trusted() {
    for fault in [Fault::Fail, Fault::Crash, Fault::Tear] {
        for loses in [false, true] {
            let mut number = 0;
            loop {
                let host = large_project(60);
                let writes = host.fs.writes();
                host.fs.fail_write(number, fault);
                let options = SaveOptions { tag: Some("one".to_owned()), ..SaveOptions::default() };
                let result = snapshot::save(&host, &options).await;
                let is_past = host.fs.writes() - writes <= number;
                host.fs.heal();
                if loses {
                    host.fs.lose_unflushed();
                }
                if host.fs.tree("/project").contains_key("/project/a.txt") {
                    let place = format!("{fault:?} at write {number}, loses: {loses}");
                    snapshot::finish_rollback(&host).await.unwrap();
                    check_repository(git(&host)).await;
                    assert!(result.is_err() || git(&host).refs().contains_key("refs/tags/one"), "{place}");
                    save(&host, "one").await;
                    assert!(snapshot::verify(&host, "one").await.unwrap().ok, "{place}");
                    check_repository(git(&host)).await;
                }
                if is_past {
                    break;
                }
                number += 1;
            }
            assert!(number > 10, "{fault:?} met only {number} writes");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn if_git_refuses_a_pack_every_object_is_written_as_a_file() {
    let host = large_project(60);
    host.put(".git/objects/pack", "a file where the folder goes");
    save(&host, "one").await;
    assert!(git(&host).object_count() > 60);
    assert!(snapshot::verify(&host, "one").await.unwrap().ok);
    check_repository(git(&host)).await;
}
