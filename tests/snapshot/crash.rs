//! Faults at every write of a save and of a rollback.

use crate::snapshot::project::{check_repository, files, git, plain_git, project, save};
use loopgate::port::FsPort;
use loopgate::port::memory::{Fault, MemoryGit, MemoryHost};
use loopgate::snapshot::{self, SaveOptions, Watch};
use std::collections::BTreeMap;
use wasm_bindgen_test::wasm_bindgen_test;

/// The fault of a write, and whether unflushed writes are lost with it.
pub(crate) const FAULTS: [(Fault, bool); 5] =
    [(Fault::Fail, false), (Fault::Crash, false), (Fault::Tear, false), (Fault::Crash, true), (Fault::Tear, true)];

/// Saved as `old`, then changed in every way.
async fn changed_project() -> (MemoryHost, BTreeMap<String, Vec<u8>>) {
    let host = project([("edited", "1"), ("removed/x", "1"), ("same", "1"), ("type", "file"), ("dir/y", "1")]);
    host.put("run.sh", "x");
    host.fs.put_link("/project/link", "same");
    save(&host, "old").await;
    let old = files(&host);
    host.put("edited", "two");
    host.fs.delete("/project/removed");
    host.put("added/deep/z", "3");
    host.fs.delete("/project/type");
    host.put("type/now/dir", "4");
    host.fs.delete("/project/dir");
    host.put("dir", "now a file");
    host.fs.put_link("/project/link", "edited");
    host.fs.set_mode("/project/run.sh", 0o755);
    host.fs.flush().await.unwrap();
    (host, old)
}

fn reload(host: &MemoryHost, loses: bool) {
    host.fs.heal();
    if loses {
        host.fs.lose_unflushed();
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_save_with_a_fault_is_absent_or_complete() {
    save_with_faults(MemoryGit::with_fast_paths).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_save_through_a_plain_git_port_is_absent_or_complete() {
    save_with_faults(|git| git).await;
}

async fn save_with_faults(bridge: impl Fn(MemoryGit) -> MemoryGit) {
    for (fault, loses) in FAULTS {
        let mut number = 0;
        loop {
            let (mut host, old) = changed_project().await;
            host.git = Some(bridge(plain_git(&host)));
            let now = files(&host);
            let writes = host.fs.writes();
            host.fs.fail_write(number, fault);
            let options = SaveOptions { tag: Some("new".to_owned()), ..SaveOptions::default() };
            let result = snapshot::save(&host, &options).await;
            let is_past = host.fs.writes() - writes <= number;
            reload(&host, loses);
            let place = format!("{fault:?} at write {number}, loses: {loses}");

            snapshot::finish_rollback(&host).await.unwrap();
            check_repository(git(&host)).await;
            assert_eq!(files(&host), now, "{place}");
            let tags: Vec<String> = snapshot::list(&host).await.unwrap().into_iter().map(|info| info.tag).collect();
            if result.is_ok() {
                assert_eq!(tags, ["old", "new"], "{place}");
            }
            if tags.contains(&"new".to_owned()) {
                assert!(snapshot::verify(&host, "new").await.unwrap().ok, "{place}");
            }

            let again = save(&host, "new").await;
            assert!(snapshot::verify(&host, "new").await.unwrap().ok, "{place}");
            assert_eq!(again.files, u32::try_from(now.len()).unwrap(), "{place}");
            check_repository(git(&host)).await;
            assert_eq!(host.text(".loopgate/saving"), None, "{place}");
            snapshot::rollback(&host, "old", false).await.unwrap();
            assert_eq!(files(&host), old, "{place}");
            if is_past {
                break;
            }
            number += 1;
        }
        assert!(number > 7, "{fault:?} met only {number} writes");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_judged_save_that_is_refused_leaves_no_torn_object() {
    let mut in_doubt = 0;
    for number in 0..30 {
        let (host, _) = changed_project().await;
        host.fs.fail_write(number, Fault::Tear);
        let options = SaveOptions { tag: Some("new".to_owned()), ..SaveOptions::default() };
        let _ = snapshot::save(&host, &options).await;
        host.fs.heal();
        let was_in_doubt = host.text(".loopgate/saving").is_some();
        in_doubt += u32::from(was_in_doubt);

        let judged = snapshot::save_judged(&host, &Watch::default(), &options, "others", &|_| true).await.unwrap();
        assert!(judged.is_err());
        assert_eq!(host.text(".loopgate/saving"), None, "torn at {number}");
        save(&host, "new").await;
        check_repository(git(&host)).await;
        assert_eq!(host.text(".loopgate/saving"), None, "torn at {number}");
    }
    assert!(in_doubt > 5, "{in_doubt} saves were interrupted");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_object_that_was_torn_is_written_again_whichever_later_save_has_it() {
    for bridge in [MemoryGit::with_fast_paths, |git| git] {
        for number in 0..40 {
            let (mut host, _) = changed_project().await;
            host.git = Some(bridge(plain_git(&host)));
            host.fs.fail_write(number, Fault::Tear);
            let options = SaveOptions { tag: Some("torn".to_owned()), ..SaveOptions::default() };
            let _ = snapshot::save(&host, &options).await;
            host.fs.heal();
            // The next save does not have the objects of the interrupted one.
            let newest = files(&host);
            host.put("edited", "three");
            host.fs.delete("/project/added");
            save(&host, "between").await;
            host.put("edited", "two");
            host.put("added/deep/z", "3");
            save(&host, "again").await;
            check_repository(git(&host)).await;
            snapshot::rollback(&host, "again", false).await.unwrap();
            assert_eq!(files(&host), newest, "torn at {number}");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_with_a_fault_is_absent_or_finished() {
    for (fault, loses) in FAULTS {
        let (mut number, mut finished) = (0, 0);
        loop {
            let (host, old) = changed_project().await;
            let new = files(&host);
            let writes = host.fs.writes();
            host.fs.fail_write(number, fault);
            let result = snapshot::rollback(&host, "old", false).await;
            let is_past = host.fs.writes() - writes <= number;
            let place = format!("{fault:?} at write {number}, loses: {loses}");
            if fault == Fault::Fail {
                let now = files(&host);
                assert!(now == old || now == new, "{place}: a mixture, without any crash");
            }
            reload(&host, loses);

            finished += u32::from(snapshot::finish_rollback(&host).await.unwrap().is_some());
            check_repository(git(&host)).await;
            let now = files(&host);
            assert!(now == old || now == new, "{place}: a mixture: {:?}", now.keys());
            if result.is_ok() {
                assert_eq!(now, old, "{place}");
            }
            let is_rolled_back = now == old;
            if is_rolled_back {
                assert!(snapshot::verify(&host, "old").await.unwrap().ok, "{place}");
                snapshot::undo(&host).await.unwrap();
                assert_eq!(files(&host), new, "{place}");
            }
            snapshot::rollback(&host, "old", false).await.unwrap();
            assert_eq!(files(&host), old, "{place}");
            check_repository(git(&host)).await;
            if is_past {
                break;
            }
            number += 1;
        }
        assert!(number > 20, "{fault:?} met only {number} writes");
        assert!(fault == Fault::Fail || finished > 5, "{fault:?} left only {finished} rollbacks to finish");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn finishing_a_rollback_survives_another_crash() {
    for first in 0..60 {
        for second in [0, 1, 3, 6] {
            let (host, old) = changed_project().await;
            let new = files(&host);
            host.fs.fail_write(first, Fault::Tear);
            let _ = snapshot::rollback(&host, "old", false).await;
            host.fs.heal();
            host.fs.fail_write(second, Fault::Tear);
            let _ = snapshot::finish_rollback(&host).await;
            host.fs.heal();
            snapshot::finish_rollback(&host).await.unwrap();
            let now = files(&host);
            assert!(now == old || now == new, "torn at {first}, then at {second}: a mixture");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_is_finished_although_a_crash_emptied_files_or_gave_them_the_bytes_of_others() {
    let mut finished = 0;
    for number in 0..60 {
        let (host, old) = changed_project().await;
        host.fs.fail_write(number, Fault::Crash);
        let _ = snapshot::rollback(&host, "old", false).await;
        host.fs.heal();
        for (path, bytes) in [("edited", ""), ("added/deep/z", "file")] {
            if host.text(path).is_some() {
                host.put(path, bytes);
            }
        }
        if snapshot::finish_rollback(&host).await.unwrap().is_some() {
            assert_eq!(files(&host), old, "write {number}");
            finished += 1;
        }
    }
    assert!(finished > 5);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_the_user_wrote_after_an_interrupted_rollback_stays() {
    let mut finished = 0;
    for number in 0..60 {
        let (host, _) = changed_project().await;
        host.fs.fail_write(number, Fault::Crash);
        let _ = snapshot::rollback(&host, "old", false).await;
        host.fs.heal();
        host.put("edited", "mine");
        if let Some(rollback) = snapshot::finish_rollback(&host).await.unwrap() {
            assert_eq!(host.text("edited").as_deref(), Some("mine"), "write {number}");
            assert!(rollback.warnings.iter().any(|warning| warning.contains("edited")), "write {number}");
            finished += 1;
        }
    }
    assert!(finished > 5);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_save_or_rollback_finishes_an_older_rollback_first() {
    let mut finished = 0;
    for number in 0..60 {
        let (host, old) = changed_project().await;
        let new = files(&host);
        host.fs.fail_write(number, Fault::Crash);
        let _ = snapshot::rollback(&host, "old", false).await;
        host.fs.heal();
        let info = save(&host, "after").await;
        assert!(snapshot::verify(&host, "after").await.unwrap().ok);
        let now = files(&host);
        assert!(now == old || now == new, "write {number}");
        assert_eq!(info.files as usize, now.len());
        finished += u32::from(now == old);
    }
    assert!(finished > 5);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_edit_whose_time_was_lost_is_saved_after_the_project_is_opened() {
    let host = project([("a.txt", "one"), ("b.txt", "same")]);
    host.clock.advance(60_000);
    save(&host, "one").await;
    host.clock.advance(60_000);
    save(&host, "one").await;
    host.put("a.txt", "two");
    host.fs.lose_unflushed();
    assert_eq!(host.fs.lstat("/project/a.txt").await.unwrap().mtime_ms, 1_700_000_000_000.0);
    snapshot::finish_rollback(&host).await.unwrap();
    save(&host, "two").await;
    assert_eq!(snapshot::read_file(&host, "two", "a.txt").await.unwrap().unwrap(), b"two");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn finishing_a_rollback_never_goes_through_a_link() {
    // The second link leads to itself.
    for (target, number) in
        ["/outside", "src"].into_iter().flat_map(|target| (0..60).map(move |number| (target, number)))
    {
        let host = project([("a.txt", "1")]);
        host.fs.put_link("/project/src", target);
        save(&host, "link").await;
        host.fs.delete("/project/src");
        host.put("src/x", "inside");
        host.fs.put("/outside/x", "not the project's");
        host.fs.fail_write(number, Fault::Crash);
        let _ = snapshot::rollback(&host, "link", false).await;
        host.fs.heal();
        snapshot::finish_rollback(&host).await.unwrap();
        assert_eq!(host.fs.text("/outside/x").as_deref(), Some("not the project's"), "{target}, write {number}");
    }
}
