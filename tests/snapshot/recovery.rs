//! Recovery from an interrupted rollback that cannot be finished.

use crate::snapshot::project::{git, project, save};
use loopgate::port::GitPort;
use loopgate::port::memory::{Fault, MemoryHost};
use loopgate::snapshot;
use wasm_bindgen_test::wasm_bindgen_test;

const PATHS: [&str; 5] = ["a0", "a1", "a2", "a3", "link"];
const SELECTED: [&str; 4] = ["a0", "a1", "a3", "link"];

fn put_all(host: &MemoryHost, text: &str) {
    for path in &PATHS[..4] {
        host.put(path, &format!("{text} of {path}"));
    }
    host.fs.put_link("/project/link", text);
}

/// Why a recovery fails.
#[derive(Debug, Clone, Copy)]
enum Obstacle {
    /// A write fails, once or always.
    Write(u64, Fault),
    /// The blob of a file to write is gone.
    Blob,
    /// The tree of all files after the rollback is gone.
    Tree,
}

const OBSTACLES: [Obstacle; 8] = [
    Obstacle::Write(0, Fault::Fail),
    Obstacle::Write(1, Fault::Fail),
    Obstacle::Write(2, Fault::Fail),
    Obstacle::Write(3, Fault::Fail),
    Obstacle::Write(1, Fault::Crash),
    Obstacle::Write(2, Fault::Tear),
    Obstacle::Blob,
    Obstacle::Tree,
];

fn remove_object(host: &MemoryHost, oid: &str) {
    host.fs.delete(&format!("/project/.git/objects/{}/{}", &oid[..2], &oid[2..]));
}

async fn prepare(host: &MemoryHost, obstacle: Obstacle) {
    match obstacle {
        Obstacle::Write(number, fault) => host.fs.fail_write(number, fault),
        Obstacle::Blob => {
            let tree = git(host).read_commit(&git(host).refs()["refs/tags/old"]).await.unwrap().tree;
            let entries = git(host).read_tree(&tree).await.unwrap();
            remove_object(host, &entries.iter().find(|entry| entry.path == "a3").unwrap().oid);
        }
        Obstacle::Tree => {
            let log = host.text(".loopgate/undo").unwrap_or_default();
            if let Some((_, rest)) = log.split_once(r#""tree":""#) {
                remove_object(host, &rest[..40]);
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_the_user_wrote_after_an_interrupted_rollback_stays_if_it_cannot_be_finished() {
    let (mut failed, mut interrupted) = (0, 0);
    for (obstacle, number) in OBSTACLES.into_iter().flat_map(|obstacle| (0..24).map(move |number| (obstacle, number))) {
        let host = project([]);
        put_all(&host, "old");
        save(&host, "old").await;
        put_all(&host, "new");
        host.fs.fail_write(number, Fault::Crash);
        let selected = SELECTED.map(str::to_owned);
        if snapshot::rollback_paths(&host, "old", &selected, false).await.is_ok() {
            continue;
        }
        host.fs.heal();
        interrupted += u32::from(host.text(".loopgate/undo").is_some());
        host.put("a0", "mine");
        host.fs.delete("/project/link");
        host.put("link", "mine, too");
        prepare(&host, obstacle).await;
        let place = format!("write {number}, {obstacle:?}");
        let result = snapshot::save(&host, &snapshot::SaveOptions::default()).await;
        host.fs.heal();
        if let Err(error) = &result {
            let is_restored = PATHS[1..4].iter().all(|path| host.text(path) == Some(format!("new of {path}")));
            let says_so = error.message.contains("the files are unchanged");
            assert!(!says_so || is_restored, "{place}: {error}");
            failed += u32::from(error.message.contains("left as they are: a0"));
        }
        // The next save finishes what is left.
        let again = snapshot::save(&host, &snapshot::SaveOptions::default()).await;
        assert!(again.is_ok(), "{place}: {again:?}");
        assert_eq!(host.text("a0").as_deref(), Some("mine"), "{place}: {result:?}");
        assert_eq!(host.text("link").as_deref(), Some("mine, too"), "{place}: {result:?}");
    }
    assert!(failed > 10 && interrupted > 30, "{failed} of {interrupted}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_that_was_finished_once_is_not_finished_again() {
    let mut failed = 0;
    for (first, second) in (0..20).flat_map(|first| (0..20).map(move |second| (first, second))) {
        let host = project([]);
        put_all(&host, "old");
        save(&host, "old").await;
        put_all(&host, "other");
        save(&host, "other").await;
        put_all(&host, "new");
        host.fs.fail_write(first, Fault::Crash);
        let _ = snapshot::rollback(&host, "old", false).await;
        host.fs.heal();
        host.fs.fail_write(second, Fault::Fail);
        let result = snapshot::rollback(&host, "other", false).await;
        host.fs.heal();
        if result.is_ok_and(|done| !done.restored.is_empty()) {
            continue;
        }
        failed += 1;
        // Finished here, if it was not before.
        let _ = snapshot::save(&host, &snapshot::SaveOptions::default()).await;
        put_all(&host, "new");
        save(&host, "next").await;
        assert_eq!(host.text("a1").as_deref(), Some("new of a1"), "writes {first} and {second}");
    }
    assert!(failed > 20, "{failed}");
}

/// A link that the user puts in place of a file is an edit.
#[wasm_bindgen_test(unsupported = tokio::test)]
async fn another_kind_of_file_is_an_edit() {
    let mut finished = 0;
    for number in 0..24 {
        let host = project([]);
        put_all(&host, "old");
        save(&host, "old").await;
        put_all(&host, "new");
        host.fs.fail_write(number, Fault::Crash);
        let _ = snapshot::rollback(&host, "old", false).await;
        host.fs.heal();
        host.fs.delete("/project/a1");
        host.fs.put_link("/project/a1", "a2");
        if let Some(done) = snapshot::finish_rollback(&host).await.unwrap() {
            finished += 1;
            assert!(done.warnings.iter().any(|warning| warning.contains("a1")), "{:?}", done.warnings);
            assert!(!done.restored.contains(&"a1".to_owned()));
            let files = crate::snapshot::project::files(&host);
            assert_eq!(files["a1"], b"a2", "write {number}");
        }
    }
    assert!(finished > 5, "{finished}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_files_after_a_partial_rollback_stay_reachable() {
    let host = project([("a.txt", "1"), ("b.txt", "1")]);
    save(&host, "old").await;
    host.put("a.txt", "2");
    host.put("b.txt", "2");
    snapshot::rollback_paths(&host, "old", &["a.txt".to_owned()], false).await.unwrap();
    let kept = git(&host).refs()["refs/loopgate/rollback"].clone();
    assert_eq!(save(&host, "after").await.tree, kept, "git's garbage collection leaves this tree");
}
