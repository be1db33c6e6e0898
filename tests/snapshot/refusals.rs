//! Full disks, missing permissions, and files that vanish during a scan.

use crate::snapshot::project::{check_repository, files, git, project, save};
use loopgate::ErrorCode;
use loopgate::port::memory::{Fault, MemoryGit, MemoryHost};
use loopgate::port::{FsPort, GitPort};
use loopgate::snapshot::{self, Iteration, SaveOptions, Watch};
use wasm_bindgen_test::wasm_bindgen_test;

fn tagged(tag: &str) -> SaveOptions {
    SaveOptions { tag: Some(tag.to_owned()), ..SaveOptions::default() }
}

/// Saved as `old` in a run, then changed.
async fn known_project() -> (MemoryHost, Watch) {
    let host = project([("a.txt", "1"), ("src/b.ts", "1"), ("src/c.ts", "1")]);
    let watch = Watch::default();
    snapshot::save_in(&host, &watch, &tagged("old")).await.unwrap();
    for (path, text) in [("a.txt", "two"), ("src/b.ts", "two"), ("src/new/d.ts", "two")] {
        watch.touch(path);
        host.put(path, text);
    }
    (host, watch)
}

/// The snapshot from before is intact, and the next save is complete.
async fn check(host: &MemoryHost, watch: &Watch, place: &str) {
    host.fs.heal();
    check_repository(git(host)).await;
    let old = git(host).refs()["refs/tags/old"].clone();
    assert!(git(host).read_commit(&old).await.is_ok(), "{place}");
    snapshot::save_in(host, watch, &tagged("next")).await.unwrap();
    assert!(snapshot::verify(host, "next").await.unwrap().ok, "{place}");
    check_repository(git(host)).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_full_disk_is_reported_and_earlier_snapshots_are_intact() {
    for in_run in [true, false] {
        let mut number = 0;
        loop {
            let (host, watch) = known_project().await;
            let watch = if in_run { watch } else { Watch::default() };
            let before = files(&host);
            let writes = host.fs.writes();
            host.fs.fail_write(number, Fault::Crash);
            let result = snapshot::save_in(&host, &watch, &tagged("new")).await;
            let is_past = host.fs.writes() - writes <= number;
            let place = format!("write {number}, in a run: {in_run}");
            if let Err(error) = result {
                assert!(matches!(error.code, ErrorCode::Fs | ErrorCode::Git), "{place}: {error}");
                assert!(error.message.contains("Quota"), "{place}: {error}");
                assert!(error.message.contains("nothing was saved, earlier snapshots are intact"), "{place}: {error}");
            }
            assert_eq!(files(&host), before, "{place}");
            check(&host, &watch, &place).await;
            if is_past {
                break;
            }
            number += 1;
        }
        assert!(number > 7, "{number} writes");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_full_disk_in_a_rollback_of_a_run_leaves_no_mixture() {
    let mut number = 0;
    loop {
        let (host, watch) = known_project().await;
        let now = files(&host);
        let writes = host.fs.writes();
        host.fs.fail_write(number, Fault::Fail);
        let result = snapshot::rollback_in(&host, &watch, "old").await;
        let is_past = host.fs.writes() - writes <= number;
        let after = files(&host);
        let place = format!("write {number}");
        assert!(after == now || host.text("a.txt").as_deref() == Some("1"), "{place}");
        if after == now {
            assert!(result.is_err(), "{place}");
        } else {
            assert!(snapshot::verify(&host, "old").await.unwrap().ok, "{place}");
        }
        check(&host, &watch, &place).await;
        if is_past {
            break;
        }
        number += 1;
    }
    assert!(number > 15, "{number} writes");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_crash_in_a_rollback_of_a_run_is_finished() {
    let mut finished = 0;
    for number in 0..40 {
        let (host, watch) = known_project().await;
        let now = files(&host);
        host.fs.fail_write(number, Fault::Tear);
        let _ = snapshot::rollback_in(&host, &watch, "old").await;
        host.fs.heal();
        finished += u32::from(snapshot::finish_rollback(&host).await.unwrap().is_some());
        let is_old = snapshot::verify(&host, "old").await.unwrap().ok;
        assert!(is_old || files(&host) == now, "write {number}: a mixture");
        check(&host, &watch, &format!("write {number}")).await;
    }
    assert!(finished > 5, "{finished}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_that_the_user_makes_executable_after_a_crash_in_a_rollback_stays_so() {
    let mut finished = 0;
    for number in 0..40 {
        let (host, watch) = known_project().await;
        host.put("src/b.ts", "changed");
        host.fs.fail_write(number, Fault::Tear);
        let _ = snapshot::rollback_in(&host, &watch, "old").await;
        host.fs.heal();
        host.fs.set_mode("/project/src/b.ts", 0o755);
        if number % 2 == 1 {
            host.fs.fail_write(number % 7, Fault::Fail);
            finished += u32::from(snapshot::finish_rollback(&host).await.is_ok_and(|done| done.is_some()));
            host.fs.heal();
        }
        finished += u32::from(snapshot::finish_rollback(&host).await.unwrap().is_some());
        let stat = host.fs.lstat("/project/src/b.ts").await.unwrap();
        assert!(stat.is_executable(), "write {number}");
    }
    assert!(finished > 2, "{finished}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_that_vanishes_during_a_scan_is_left_out() {
    for after in 0..40 {
        let (host, watch) = known_project().await;
        host.fs.vanish("/project/src/b.ts", after);
        let info = snapshot::save_in(&host, &watch, &tagged("new")).await.unwrap();
        let is_there = host.fs.lstat("/project/src/b.ts").await.is_ok();
        assert!(info.files == 4 || !is_there, "after {after} calls: {info:?}");
        watch.distrust(&host);
        check(&host, &watch, &format!("after {after} calls")).await;
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_unreadable_file_is_named_and_nothing_is_saved() {
    for in_run in [true, false] {
        let (host, watch) = known_project().await;
        let watch = if in_run { watch } else { Watch::default() };
        host.fs.forbid("/project/src/b.ts");
        let error = snapshot::save_in(&host, &watch, &tagged("new")).await.unwrap_err();
        assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Denied, Some("/project/src/b.ts")), "{error}");
        assert!(error.message.contains("nothing was saved, earlier snapshots are intact"), "{error}");
        let iteration = Iteration { run: "run", number: 1, message: "work", kept: 3 };
        assert!(snapshot::save_iteration(&host, &watch, &iteration).await.is_err());
        assert!(!git(&host).refs().contains_key("refs/tags/new"));
        host.fs.heal();
        check(&host, &watch, &format!("in a run: {in_run}")).await;
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn unreadable_ignore_rules_refuse_a_save() {
    let host = project([("a.txt", "1"), (".env", "secret"), (".git/info/exclude", ".env\n")]);
    save(&host, "old").await;
    host.put("a.txt", "2");
    let before = files(&host);
    for path in [".git/info/exclude", ".gitignore"] {
        host.put(".gitignore", "");
        host.fs.forbid(&format!("/project/{path}"));
        for error in [
            snapshot::save(&host, &tagged("new")).await.unwrap_err(),
            snapshot::rollback(&host, "old", false).await.unwrap_err(),
            snapshot::rollback(&host, "old", true).await.unwrap_err(),
        ] {
            assert_eq!(error.code, ErrorCode::Denied, "{error}");
            assert!(error.path.as_deref().is_some_and(|named| named.ends_with(path)), "{error}");
        }
        host.fs.heal();
        host.fs.delete("/project/.gitignore");
        assert_eq!(files(&host), before);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_unreadable_blob_is_reported_with_its_file() {
    // So few objects are files.
    let host = project([("a.txt", "1")]);
    save(&host, "old").await;
    host.put("a.txt", "two");
    let now = files(&host);
    for object in host.fs.tree("/project/.git/objects").into_keys() {
        let bytes = host.fs.get(&object).unwrap();
        if bytes.windows(6).any(|part| part == b"blob 1") {
            host.fs.put(&object, b"torn");
        }
    }
    let error = snapshot::rollback(&host, "old", false).await.unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Git, Some("a.txt")), "{error}");
    assert!(error.message.contains("the files are unchanged"), "{error}");
    assert_eq!(files(&host), now);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_read_only_repository_is_reported() {
    let (host, _) = known_project().await;
    let repository = loopgate::port::memory::MemoryFs::default();
    let host = host.with(|ports| ports.git = Some(MemoryGit::new(&repository, "/.git")));
    repository.fail_write(5, Fault::Crash);
    let error = snapshot::save(&host, &SaveOptions::default()).await.unwrap_err();
    assert!(error.message.contains("Quota"), "{error}");
    repository.heal();
    save(&host, "again").await;
    assert!(snapshot::verify(&host, "again").await.unwrap().ok);
    check_repository(git(&host)).await;
}
