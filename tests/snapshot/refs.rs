//! Which refs snapshots have, what a list says about them, and what git does to them meanwhile.

use crate::snapshot::crash::FAULTS;
use crate::snapshot::project::{check_repository, git, project, save};
use loopgate::ErrorCode;
use loopgate::port::memory::{Fault, MemoryHost};
use loopgate::port::{Commit, FsPort, GitPort, Person};
use loopgate::snapshot::{self, Iteration, LabelChange, SaveOptions, SavedBy, SnapshotInfo, SnapshotKind, Watch};
use wasm_bindgen_test::wasm_bindgen_test;

fn by(run: &str, tag: &str, kind: SnapshotKind) -> SaveOptions {
    let by = SavedBy::Run { id: run.to_owned(), kind };
    SaveOptions { tag: Some(tag.to_owned()), by, ..SaveOptions::default() }
}

/// Saves as a run does.
async fn save_by(host: &MemoryHost, run: &str, tag: &str) -> SnapshotInfo {
    snapshot::save(host, &by(run, tag, SnapshotKind::Pre)).await.unwrap()
}

async fn unnamed(host: &MemoryHost) -> SnapshotInfo {
    snapshot::save(host, &SaveOptions::default()).await.unwrap()
}

async fn tags(host: &MemoryHost) -> Vec<String> {
    snapshot::list(host).await.unwrap().into_iter().map(|info| info.tag).collect()
}

async fn pin(host: &MemoryHost, tag: &str) -> SnapshotInfo {
    snapshot::label(host, tag, &LabelChange { pinned: Some(true), name: None }).await.unwrap()
}

/// A snapshot as an earlier release saved it, with a git tag.
async fn old_snapshot(host: &MemoryHost, tag: &str, text: &str, at: u64) -> String {
    let tree = git(host).write_tree(&[]).await.unwrap();
    let message =
        format!("{text}\n\nLoopgate-Snapshot: {tag}\nLoopgate-At: {at}\nLoopgate-Files: 0\nLoopgate-Changed: 0\n");
    let author = Person { name: "a".into(), email: "a@b".into(), timestamp: 1, timezone_offset: 0 };
    let oid = git(host).write_commit(&Commit { tree, parents: Vec::new(), message, author }).await.unwrap();
    git(host).write_ref(&format!("refs/tags/{tag}"), &oid).await.unwrap();
    oid
}

/// Moves all refs to `packed-refs`, as `git pack-refs --all --prune` does.
fn pack(host: &MemoryHost) {
    let refs = git(host).refs();
    let lines: String = refs.iter().map(|(name, oid)| format!("{oid} {name}\n")).collect();
    host.put(".git/packed-refs", &format!("# pack-refs with: peeled fully-peeled sorted \n{lines}"));
    for name in refs.keys() {
        host.fs.delete(&format!("/project/.git/{name}"));
    }
}

/// The infos of the list, and git agrees with each.
async fn checked_list(host: &MemoryHost) -> Vec<SnapshotInfo> {
    let infos = snapshot::list(host).await.unwrap();
    for info in &infos {
        let (_, oid) =
            snapshot::resolve(host, &info.tag).await.unwrap().unwrap_or_else(|| panic!("{} is gone", info.tag));
        assert_eq!(oid, info.oid, "{}", info.tag);
        assert_eq!(git(host).read_commit(&oid).await.unwrap().tree, info.tree, "{}", info.tag);
    }
    infos
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn only_what_callers_name_and_the_snapshots_of_tasks_are_git_tags() {
    let host = project([("a.txt", "1")]);
    save(&host, "mine").await;
    save_by(&host, "run", "task-1-pre").await;
    for tag in ["chunks/shop/pre", "spec/0001-a%20b/base", "stall-1-recovery"] {
        host.put("a.txt", tag);
        assert_eq!(save_by(&host, "run", tag).await.tag, tag);
    }
    let manual = unnamed(&host).await.tag;
    let undo = snapshot::rollback(&host, "mine", false).await.unwrap().undo;
    let own = |tag: &str| format!("refs/loopgate/snapshots/{}", tag.replace('/', "="));
    let mut expected = vec!["refs/tags/mine".to_owned(), "refs/tags/task-1-pre".to_owned()];
    expected.extend(["chunks/shop/pre", "spec/0001-a%20b/base", "stall-1-recovery", &manual, &undo].map(own));
    expected.sort();
    assert_eq!(git(&host).refs().into_keys().collect::<Vec<_>>(), expected);
    for info in checked_list(&host).await {
        snapshot::rollback(&host, &info.tag, false).await.unwrap();
        assert!(snapshot::verify(&host, &info.tag).await.unwrap().ok, "{}", info.tag);
    }
    snapshot::rollback(&host, &own("chunks/shop/pre"), false).await.unwrap();
    assert_eq!(host.text("a.txt").as_deref(), Some("chunks/shop/pre"), "the full name means the same");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_list_says_why_each_snapshot_was_saved_also_without_the_catalog() {
    let host = project([("a.txt", "1")]);
    let watch = Watch::default();
    save(&host, "mine").await;
    for (number, kind) in
        [SnapshotKind::Pre, SnapshotKind::Base, SnapshotKind::Candidate, SnapshotKind::Post].iter().enumerate()
    {
        host.put("a.txt", &format!("step {number}"));
        snapshot::save(&host, &by("run-1", &format!("spec/0001-a/{number}"), *kind)).await.unwrap();
    }
    host.put("a.txt", "iteration");
    let iteration = Iteration { run: "run-1", number: 1, message: "work", kept: 100 };
    snapshot::save_iteration(&host, &watch, &iteration).await.unwrap();
    host.put("a.txt", "unsaved");
    snapshot::rollback(&host, "mine", false).await.unwrap();
    let said = |infos: &[SnapshotInfo]| -> Vec<(SnapshotKind, Option<String>)> {
        infos.iter().map(|info| (info.kind, info.run_id.clone())).collect()
    };
    let run = || Some("run-1".to_owned());
    let expected = [
        (SnapshotKind::Manual, None),
        (SnapshotKind::Pre, run()),
        (SnapshotKind::Base, run()),
        (SnapshotKind::Candidate, run()),
        (SnapshotKind::Post, run()),
        (SnapshotKind::Undo, None),
    ];
    let listed = checked_list(&host).await;
    assert_eq!(said(&listed), expected, "without iterations");
    let kinds = [SnapshotKind::Iteration, SnapshotKind::Undo];
    let some = snapshot::list_kinds(&host, &kinds).await.unwrap();
    assert_eq!(said(&some), [(SnapshotKind::Iteration, run()), (SnapshotKind::Undo, None)]);
    assert_eq!(snapshot::list_kinds(&host, &[]).await.unwrap(), []);
    host.fs.delete("/project/.loopgate");
    assert_eq!(checked_list(&host).await, listed, "the commits say it, too");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_later_run_does_not_overwrite_the_snapshots_of_an_earlier_one() {
    let host = project([("a.txt", "0")]);
    let expected = [("run-1", "chunks/shop/pre"), ("run-2", "chunks/shop/pre-2"), ("run-3", "chunks/shop/pre-3")];
    for (run, tag) in expected {
        for text in ["first", "again"] {
            host.put("a.txt", &format!("{run} {text}"));
            assert_eq!(save_by(&host, run, "chunks/shop/pre").await.tag, tag, "within a run the tag moves");
        }
        host.fs.delete("/project/.loopgate/stat-cache");
    }
    // Without changes, the commit is the last run's.
    assert_eq!(save_by(&host, "run-4", "chunks/shop/pre").await.tag, "chunks/shop/pre-4");
    assert_eq!(save_by(&host, "run-4", "chunks/shop/pre").await.tag, "chunks/shop/pre-4");
    for (run, tag) in expected {
        let text = snapshot::read_file(&host, tag, "a.txt").await.unwrap().unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), format!("{run} again"));
    }
    host.fs.delete("/project/.loopgate");
    assert_eq!(save_by(&host, "run-3", "chunks/shop/cart/base").await.tag, "chunks/shop/cart/base");
    assert_eq!(save_by(&host, "run-5", "chunks/shop/pre").await.tag, "chunks/shop/pre-5");
    checked_list(&host).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_run_does_not_move_its_own_tag_if_that_is_pinned() {
    let host = project([("a.txt", "1")]);
    for (tag, next) in
        [("chunks/shop/cart/candidate", "chunks/shop/cart/candidate-2"), ("task-1-post", "task-1-post-2")]
    {
        let first = save_by(&host, "run", tag).await;
        assert!(pin(&host, tag).await.pinned);
        host.put("a.txt", tag);
        assert_eq!(save_by(&host, "run", tag).await.tag, next);
        let listed = checked_list(&host).await;
        let pinned = listed.iter().find(|info| info.tag == tag).unwrap();
        assert_eq!((pinned.pinned, &pinned.oid), (true, &first.oid));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn tags_of_earlier_releases_are_found_and_not_moved() {
    let host = project([("a.txt", "1")]);
    let mut old = Vec::new();
    for (at, (tag, text)) in
        [("chunks/shop/pre", "x"), ("stall-1-recovery", "x"), ("manual-7", "before the rollback to chunks/shop/pre")]
            .into_iter()
            .enumerate()
    {
        old.push((tag, old_snapshot(&host, tag, text, at as u64 + 1).await));
    }
    let kinds: Vec<SnapshotKind> = checked_list(&host).await.into_iter().map(|info| info.kind).collect();
    assert_eq!(kinds, [SnapshotKind::Pre, SnapshotKind::Base, SnapshotKind::Undo]);
    assert_eq!(save_by(&host, "run", "chunks/shop/pre").await.tag, "chunks/shop/pre-2");
    assert_eq!(save_by(&host, "run", "stall-1-recovery").await.tag, "stall-1-recovery-2");
    for (tag, oid) in &old {
        assert_eq!(git(&host).refs()[&format!("refs/tags/{tag}")], *oid);
        assert_eq!(snapshot::rollback(&host, tag, true).await.unwrap().deleted, ["a.txt"]);
    }
    assert_eq!(checked_list(&host).await.len(), 5);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_users_tag_of_the_same_name_neither_hides_a_snapshot_nor_is_lost() {
    let host = project([("a.txt", "ours")]);
    let ours = unnamed(&host).await;
    host.put("a.txt", "theirs");
    let theirs = save(&host, "theirs").await;
    let full = format!("refs/tags/{}", ours.tag);
    git(&host).write_ref(&full, &theirs.oid).await.unwrap();
    for catalog in [true, false] {
        if !catalog {
            host.fs.delete("/project/.loopgate");
        }
        let listed: Vec<_> = checked_list(&host).await.into_iter().map(|info| (info.tag, info.oid)).collect();
        assert!(listed.contains(&(ours.tag.clone(), ours.oid.clone())), "{listed:?}");
        assert!(listed.contains(&(full.clone(), theirs.oid.clone())), "{listed:?}");
    }
    for (tag, text) in [(ours.tag.as_str(), "ours"), (full.as_str(), "theirs")] {
        snapshot::rollback(&host, tag, false).await.unwrap();
        assert_eq!(host.text("a.txt").as_deref(), Some(text), "{tag}");
    }
    let error = snapshot::save(&host, &SaveOptions { tag: Some(ours.tag.clone()), ..SaveOptions::default() }).await;
    assert_eq!(error.unwrap_err().code, ErrorCode::Conflict, "a caller does not replace a snapshot of the harness");
    assert_eq!(save(&host, "chunks/mine").await.tag, "chunks/mine");
    assert!(git(&host).refs().contains_key("refs/tags/chunks/mine"), "a tag that a caller names is a git tag");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_list_follows_what_git_does_to_tags() {
    let host = project([("a.txt", "0")]);
    for tag in ["mine", "task-1-pre", "other"] {
        host.put("a.txt", tag);
        save(&host, tag).await;
    }
    host.put("a.txt", "manual");
    let manual = unnamed(&host).await;
    let all = checked_list(&host).await;
    for name in ["refs/tags/mine.lock", "refs/loopgate/snapshots/manual-1.lock"] {
        host.put(&format!(".git/{name}"), "");
    }
    let warnings = snapshot::status(&host).await.unwrap().warnings;
    assert_eq!(warnings, Vec::<String>::new(), "git is writing a ref");
    for name in ["refs/tags/mine.lock", "refs/loopgate/snapshots/manual-1.lock"] {
        host.fs.delete(&format!("/project/.git/{name}"));
    }
    pack(&host);
    assert_eq!(checked_list(&host).await, all, "packed refs are the same");
    assert_eq!(save_by(&host, "run", "stall-1-recovery").await.changed, 0);

    let refs = git(&host);
    let task = all[1].oid.clone();
    refs.delete_ref("refs/tags/task-1-pre").await.unwrap();
    refs.delete_ref(&format!("refs/loopgate/snapshots/{}", manual.tag)).await.unwrap();
    refs.write_ref("refs/tags/made/by-git", &task).await.unwrap();
    assert_eq!(tags(&host).await, ["mine", "made/by-git", "other", "stall-1-recovery"]);
    refs.write_ref("refs/tags/mine", &all[2].oid).await.unwrap();
    let moved = checked_list(&host).await.into_iter().find(|info| info.tag == "mine").unwrap();
    assert_eq!(moved.oid, all[2].oid, "git tag --force");
    refs.delete_ref("refs/tags/mine").await.unwrap();
    refs.write_ref("refs/tags/mine/below", &task).await.unwrap();
    assert!(tags(&host).await.contains(&"mine/below".to_owned()), "a tag became a folder of tags");
    checked_list(&host).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_catalog_that_is_wrong_about_the_newest_snapshot_is_ignored() {
    let host = project([("a.txt", "0")]);
    let first = save(&host, "task-1-pre").await;
    host.put("a.txt", "1");
    save(&host, "task-1-post").await;
    // The catalog still has the commit that the tag had.
    git(&host).write_ref("refs/tags/task-1-post", &first.oid).await.unwrap();
    host.fs.delete("/project/.loopgate/stat-cache");
    host.put("a.txt", "2");
    let next = save(&host, "next").await;
    assert_eq!(git(&host).read_commit(&next.oid).await.unwrap().parents, [first.oid]);
    checked_list(&host).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_lost_damaged_or_foreign_catalog_is_read_from_git_again() {
    let host = project([("a.txt", "0")]);
    for number in 0..20 {
        host.put("a.txt", &format!("text {number}"));
        unnamed(&host).await;
    }
    let all = checked_list(&host).await;
    for text in [None, Some("{\"name\":\"man"), Some("\n\n\u{1}"), Some("[1,2]\n0123456789abcdef0123456789abcdef\n")] {
        host.fs.delete("/project/.loopgate/names");
        if let Some(text) = text {
            host.put(".loopgate/names", text);
        }
        assert_eq!(checked_list(&host).await, all, "{text:?}");
        let calls = host.fs.calls();
        assert_eq!(checked_list(&host).await, all, "{text:?}");
        let read = 20 * 5;
        assert!(host.fs.calls() - calls < read + 60, "the list stored what it read: {}", host.fs.calls() - calls);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_name_and_a_pin_belong_to_the_snapshot() {
    let host = project([("a.txt", "1")]);
    let named = SaveOptions { name: Some(" Before the redesign 🍓 ".to_owned()), ..SaveOptions::default() };
    let saved = snapshot::save(&host, &named).await.unwrap();
    assert_eq!(saved.name.as_deref(), Some("Before the redesign 🍓"));
    assert_eq!(snapshot::list(&host).await.unwrap(), std::slice::from_ref(&saved));
    let change = |name: Option<&str>, pinned| LabelChange { name: name.map(str::to_owned), pinned };
    let pinned = snapshot::label(&host, &saved.tag, &change(None, Some(true))).await.unwrap();
    assert_eq!((pinned.name.clone(), pinned.pinned), (saved.name.clone(), true), "the name stays");
    assert_eq!(snapshot::list(&host).await.unwrap(), std::slice::from_ref(&pinned));
    assert_eq!(snapshot::status(&host).await.unwrap().last, Some(pinned));
    let full = format!("refs/loopgate/snapshots/{}", saved.tag);
    let none = snapshot::label(&host, &full, &change(Some(""), Some(false))).await.unwrap();
    assert_eq!((none.tag.as_str(), none.name.clone(), none.pinned), (saved.tag.as_str(), None, false));
    assert_eq!(snapshot::list(&host).await.unwrap(), [none]);

    save(&host, "mine").await;
    snapshot::label(&host, "mine", &change(Some("Mine"), Some(true))).await.unwrap();
    host.put("a.txt", "2");
    let mine = SaveOptions { tag: Some("mine".to_owned()), ..SaveOptions::default() };
    let error = snapshot::save(&host, &mine).await.unwrap_err();
    assert!(error.code == ErrorCode::Conflict && error.message.contains("pinned"), "{error}");
    snapshot::label(&host, "mine", &change(None, Some(false))).await.unwrap();
    assert_eq!(snapshot::save(&host, &mine).await.unwrap().name, None, "another snapshot has the tag");
    assert_eq!(checked_list(&host).await.last().unwrap().name, None);

    git(&host).write_ref("refs/tags/v1", &crate::snapshot::save::user_commit(&host, "v1").await).await.unwrap();
    for (tag, name, code) in [
        ("none", Some("x"), ErrorCode::NotFound),
        ("v1", Some("x"), ErrorCode::InvalidArgument),
        ("mine", Some("two\nlines"), ErrorCode::InvalidArgument),
        ("mine", Some(&"x".repeat(201)), ErrorCode::InvalidArgument),
    ] {
        assert_eq!(snapshot::label(&host, tag, &change(name, None)).await.unwrap_err().code, code, "{tag} {name:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_pinned_iteration_is_not_removed() {
    let host = project([("a.txt", "0")]);
    let watch = Watch::default();
    save(&host, "task-1-pre").await;
    for number in 1..=5 {
        watch.touch("a.txt");
        host.put("a.txt", &format!("iteration {number}"));
        let iteration = Iteration { run: "run", number, message: "work", kept: 2 };
        snapshot::save_iteration(&host, &watch, &iteration).await.unwrap();
        if number == 1 {
            pin(&host, "refs/loopgate/iterations/run/1").await;
        }
    }
    let listed = snapshot::list_iterations(&host).await.unwrap();
    let said: Vec<_> = listed.iter().map(|info| (info.tag.rsplit('/').next().unwrap(), info.pinned)).collect();
    assert_eq!(said, [("1", true), ("4", false), ("5", false)]);
    git(&host).delete_ref("refs/loopgate/iterations/run/4").await.unwrap();
    assert_eq!(snapshot::list_iterations(&host).await.unwrap().len(), 2, "git removed one");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_another_tab_saves_names_and_pins_during_a_run_stays() {
    let host = project([("a.txt", "0"), ("b.txt", "0")]);
    let (watch, other) = (Watch::default(), host.clone());
    snapshot::save_in(&host, &watch, &by("run", "task-1-pre", SnapshotKind::Pre)).await.unwrap();
    host.clock.advance(10);
    let shared = SaveOptions { message: Some("words of the other tab".to_owned()), ..SaveOptions::default() };
    let theirs = snapshot::save(&other, &shared).await.unwrap();
    let pinned = pin(&other, "task-1-pre").await;
    host.clock.advance(10);
    watch.touch("a.txt");
    host.put("a.txt", "1");
    let options = SaveOptions { tag: Some("in-run".to_owned()), ..SaveOptions::default() };
    let ours = snapshot::save_in(&host, &watch, &options).await.unwrap();
    assert_eq!(snapshot::list(&host).await.unwrap(), [pinned, theirs, ours]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_crash_at_any_write_of_a_named_save_leaves_a_list_that_git_agrees_with() {
    // The files at each save of the second run: a new tag, the same commit, the tag moves, and it moves to an older state.
    const TEXTS: [&str; 4] = ["1", "1", "2", "0"];
    let options =
        || SaveOptions { name: Some("Named".to_owned()), ..by("run-2", "chunks/shop/pre", SnapshotKind::Pre) };
    for (fault, loses) in FAULTS {
        for step in 0..TEXTS.len() {
            let mut number = 0;
            loop {
                let host = project([("a.txt", "0"), ("dir/b.txt", "0")]);
                save_by(&host, "run-1", "chunks/shop/pre").await;
                let first = git(&host).refs();
                for text in &TEXTS[..step] {
                    host.put("a.txt", text);
                    snapshot::save(&host, &options()).await.unwrap();
                }
                host.put("a.txt", TEXTS[step]);
                host.fs.flush().await.unwrap();
                let writes = host.fs.writes();
                host.fs.fail_write(number, fault);
                let result = snapshot::save(&host, &options()).await;
                let is_past = host.fs.writes() - writes <= number;
                host.fs.heal();
                if loses {
                    host.fs.lose_unflushed();
                }
                let place = format!("{fault:?} at write {number} of save {step}, loses: {loses}");
                checked_list(&host).await;
                snapshot::finish_rollback(&host).await.unwrap();
                check_repository(git(&host)).await;
                let listed = checked_list(&host).await;
                if let Ok(saved) = result {
                    assert_eq!(saved.tag, "chunks/shop/pre-2", "{place}");
                    let found = listed.iter().find(|info| info.tag == saved.tag).unwrap();
                    assert_eq!(found.name.as_deref(), Some("Named"), "{place}");
                }
                let again = snapshot::save(&host, &options()).await.unwrap();
                assert_eq!(again.tag, "chunks/shop/pre-2", "{place}");
                assert_eq!(checked_list(&host).await.len(), 2, "{place}");
                let name = "refs/loopgate/snapshots/chunks=shop=pre";
                assert_eq!(git(&host).refs()[name], first[name], "{place}");
                if is_past {
                    break;
                }
                number += 1;
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_seal_of_another_key_gives_no_names_and_no_pins() {
    let host = project([("a.txt", "0")]);
    let saved = unnamed(&host).await;
    pin(&host, &saved.tag).await;
    let label = host.text(".loopgate/labels").unwrap();
    host.put(".loopgate/labels", &label.replace("true", "false"));
    assert_eq!(snapshot::list(&host).await.unwrap(), [saved]);
    assert!(host.project().read(".loopgate/labels").await.unwrap().is_none(), "it was set aside");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_tag_that_some_file_systems_do_not_distinguish_from_another_one_is_refused() {
    let host = project([("a.txt", "1")]);
    let first = save(&host, "first").await;
    save(&host, "v/1").await;
    host.put("a.txt", "2");
    for tag in ["FIRST", "First", "first/below", "V/2", "v"] {
        let options = SaveOptions { tag: Some(tag.to_owned()), ..SaveOptions::default() };
        let error = snapshot::save(&host, &options).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::Conflict, "{tag}: {error}");
    }
    assert_eq!(git(&host).refs()["refs/tags/first"], first.oid);
    save(&host, "v/2").await;
    save(&host, "first").await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_named_save_that_fails_leaves_the_name_of_the_snapshot_before() {
    let named = |name: &str| SaveOptions {
        tag: Some("x".to_owned()),
        name: Some(name.to_owned()),
        message: Some(name.to_owned()),
        ..SaveOptions::default()
    };
    let mut failed = 0;
    for (text, number) in ["1", "2"].into_iter().flat_map(|text| (0..30).map(move |number| (text, number))) {
        let host = project([("a.txt", "1")]);
        snapshot::save(&host, &named("The good one")).await.unwrap();
        host.put("a.txt", text);
        host.fs.fail_write(number, Fault::Fail);
        let result = snapshot::save(&host, &named("Other")).await;
        host.fs.heal();
        let found = &checked_list(&host).await[0];
        let expected = if result.is_ok() { "Other" } else { "The good one" };
        // The same commit has one label, which is written first.
        if text == "2" || result.is_ok() {
            assert_eq!(found.name.as_deref(), Some(expected), "write {number}");
        }
        failed += u32::from(result.is_err());
        snapshot::save(&host, &named("Last")).await.unwrap();
        assert_eq!(host.text(".loopgate/labels").unwrap().matches("\"tag\"").count(), 1, "write {number}");
    }
    assert!(failed > 8, "{failed}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_save_without_changes_returns_the_name_of_its_snapshot() {
    let host = project([("a.txt", "1")]);
    let named = SaveOptions { tag: Some("x".to_owned()), name: Some("Name".to_owned()), ..SaveOptions::default() };
    snapshot::save(&host, &named).await.unwrap();
    assert_eq!(save(&host, "x").await.name.as_deref(), Some("Name"));
    host.put("a.txt", "2");
    assert_eq!(save(&host, "x").await.name, None, "another snapshot");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn only_a_listed_snapshot_can_be_named_or_pinned() {
    let host = project([("a.txt", "1")]);
    let saved = save(&host, "x").await;
    git(&host).write_ref("refs/heads/b", &saved.oid).await.unwrap();
    for name in
        [&saved.oid, "refs/heads/b", "HEAD", "refs/tags/../tags/x", "../tags/x", "refs/loopgate/snapshots/../../tags/x"]
    {
        let change = LabelChange { pinned: Some(true), name: Some("N".to_owned()) };
        let error = snapshot::label(&host, name, &change).await.unwrap_err();
        assert!(matches!(error.code, ErrorCode::InvalidArgument | ErrorCode::NotFound), "{name}: {error}");
        assert_eq!(checked_list(&host).await[0].name, None);
    }
    assert!(pin(&host, "refs/tags/x").await.pinned);
    assert!(checked_list(&host).await[0].pinned);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_id_of_a_commit_is_no_tag() {
    let host = project([("a.txt", "1")]);
    let options = SaveOptions { tag: Some("f".repeat(40)), ..SaveOptions::default() };
    assert_eq!(snapshot::save(&host, &options).await.unwrap_err().code, ErrorCode::InvalidArgument);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_error_names_the_folder_that_a_deleted_tag_left() {
    let host = project([("a.txt", "1")]);
    host.fs.put_dir("/project/.git/refs/tags/v");
    let options = SaveOptions { tag: Some("v".to_owned()), ..SaveOptions::default() };
    let error = snapshot::save(&host, &options).await.unwrap_err();
    assert!(error.code == ErrorCode::Conflict && error.message.contains("folder refs/tags/v"), "{error}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_error_of_a_refused_rollback_has_a_name_that_rollback_accepts() {
    let host = project([("a.txt", "1")]);
    let commit = crate::snapshot::save::user_commit(&host, "by the user").await;
    git(&host).write_ref("refs/tags/v1", &commit).await.unwrap();
    for (tag, full) in [("HEAD", "refs/heads/main"), ("v1", "refs/tags/v1")] {
        let error = snapshot::rollback(&host, tag, true).await.unwrap_err();
        assert!(error.code == ErrorCode::InvalidArgument && error.message.contains(full), "{error}");
        snapshot::rollback(&host, full, true).await.unwrap();
    }
    let error = snapshot::rollback(&host, &commit, true).await.unwrap_err();
    assert!(error.message.contains("make a git tag"), "{error}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_status_names_no_tag_that_git_moved() {
    let host = project([("a.txt", "1")]);
    save(&host, "mine").await;
    save_by(&host, "run", "task-1-pre").await;
    host.put("a.txt", "2");
    let second = save_by(&host, "run", "task-1-post").await;
    git(&host).write_ref("refs/tags/task-1-pre", &second.oid).await.unwrap();
    host.put("a.txt", "1");
    assert_eq!(snapshot::status(&host).await.unwrap().current.as_deref(), Some("mine"));
}
