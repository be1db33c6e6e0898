//! The list of snapshots: order, messages and counts.

use crate::snapshot::project::{git, project, save};
use crate::snapshot::save::user_commit;
use loopgate::ErrorCode;
use loopgate::port::GitPort;
use loopgate::port::memory::MemoryHost;
use loopgate::snapshot::{self, Iteration, SaveOptions, SnapshotInfo, Watch};
use wasm_bindgen_test::wasm_bindgen_test;

async fn save_with(host: &MemoryHost, tag: &str, message: &str) -> SnapshotInfo {
    let options =
        SaveOptions { tag: Some(tag.to_owned()), message: Some(message.to_owned()), ..SaveOptions::default() };
    snapshot::save(host, &options).await.unwrap()
}

/// Tag, message and count of each, in order.
async fn listed(host: &MemoryHost) -> Vec<(String, String, u32)> {
    let infos = snapshot::list(host).await.unwrap().into_iter();
    infos.map(|info| (info.tag, info.message, info.changed)).collect()
}

fn line(tag: &str, message: &str, changed: u32) -> (String, String, u32) {
    (tag.to_owned(), message.to_owned(), changed)
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn after_a_rollback_the_list_ends_with_the_undo_point_and_its_own_message() {
    // The clock does not advance.
    let host = project([("a.txt", "one"), ("b.txt", "same")]);
    save_with(&host, "task-1-pre", "before task 1").await;
    host.put("a.txt", "two");
    save_with(&host, "task-1-post", "after task 1").await;
    let undo = snapshot::rollback(&host, "task-1-pre", false).await.unwrap().undo;
    let mut expected = vec![
        line("task-1-pre", "before task 1", 2),
        line("task-1-post", "after task 1", 1),
        line(&undo, "before the rollback to task-1-pre", 0),
    ];
    assert_eq!(listed(&host).await, expected);

    let second = snapshot::undo(&host).await.unwrap().undo;
    expected.push(line(&second, &format!("before the rollback to {undo}"), 1));
    assert_eq!(listed(&host).await, expected);
    save_with(&host, "task-2-pre", "before task 2").await;
    expected.push(line("task-2-pre", "before task 2", 1));
    assert_eq!(listed(&host).await, expected);
    let status = snapshot::status(&host).await.unwrap();
    assert_eq!(status.last.map(|last| last.tag).as_deref(), Some("task-2-pre"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn snapshots_without_changes_are_listed_in_the_order_in_which_they_were_saved() {
    let host = project([("a.txt", "one")]);
    for tag in ["m", "z", "a", "task-1-pre"] {
        save_with(&host, tag, &format!("words of {tag}")).await;
    }
    let expected =
        ["m", "z", "a", "task-1-pre"].map(|tag| line(tag, &format!("words of {tag}"), u32::from(tag == "m")));
    assert_eq!(listed(&host).await, expected);
    host.fs.delete("/project/.loopgate/stat-cache");
    host.put("a.txt", "two");
    save(&host, "b").await;
    assert_eq!(listed(&host).await.last(), Some(&line("b", "b", 1)), "also if only the tags show which is the newest");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn saving_again_under_one_name_replaces_the_message_and_not_the_count() {
    let host = project([("a.txt", "one")]);
    let first = save_with(&host, "stall-1-recovery", "first").await;
    let again = save_with(&host, "stall-1-recovery", "second").await;
    assert_eq!((again.changed, again.at, again.message.as_str()), (first.changed, first.at, "second"));
    assert_eq!(snapshot::list(&host).await.unwrap(), [again]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_the_records_a_shared_commit_is_listed_first_under_its_own_tag() {
    let host = project([("a.txt", "one")]);
    for tag in ["m", "z", "a"] {
        save(&host, tag).await;
    }
    host.fs.delete("/project/.loopgate");
    assert_eq!(listed(&host).await, [line("m", "m", 1), line("a", "m", 0), line("z", "m", 0)]);
    save(&host, "b").await;
    assert_eq!(listed(&host).await.last(), Some(&line("b", "b", 0)));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_newest_snapshot_counts_even_if_its_commit_was_made_for_a_deleted_tag() {
    let host = project([("a.txt", "one"), ("b.txt", "one")]);
    save(&host, "one").await;
    host.put("a.txt", "two");
    save(&host, "two").await;
    save(&host, "shared").await;
    git(&host).delete_ref("refs/tags/two").await.unwrap();
    host.fs.delete("/project/.loopgate/stat-cache");
    host.put("b.txt", "two");
    assert_eq!(save(&host, "three").await.changed, 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn iterations_without_changes_have_their_own_messages() {
    let host = project([("a.txt", "one")]);
    let watch = Watch::default();
    save(&host, "task-1-pre").await;
    for number in 1..=3 {
        if number == 2 {
            watch.touch("a.txt");
            host.put("a.txt", "two");
        }
        let message = format!("iteration {number}");
        let iteration = Iteration { run: "run", number, message: &message, kept: 100 };
        snapshot::save_iteration(&host, &watch, &iteration).await.unwrap();
    }
    let infos = snapshot::list_iterations(&host).await.unwrap();
    let said: Vec<_> = infos.iter().map(|info| (info.message.as_str(), info.changed)).collect();
    assert_eq!(said, [("iteration 1", 0), ("iteration 2", 1), ("iteration 3", 0)]);
    host.put("a.txt", "three");
    assert_eq!(save(&host, "task-1-post").await.changed, 1);
    assert_eq!(listed(&host).await, [line("task-1-pre", "task-1-pre", 1), line("task-1-post", "task-1-post", 1)]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_first_snapshot_counts_from_the_users_commit() {
    let host = project([("a.txt", "one"), ("b.txt", "one")]);
    user_commit(&host, "base").await;
    host.put("b.txt", "two");
    save(&host, "one").await;
    assert_eq!(listed(&host).await, [line("one", "one", 1)]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_tag_that_leads_to_itself_is_left_out_with_a_warning() {
    let host = project([("a.txt", "one")]);
    save(&host, "task-1-pre").await;
    host.put(".git/refs/tags/task-2-pre", "ref: refs/tags/task-2-pre\n");
    host.fs.delete("/project/.loopgate/stat-cache");
    assert_eq!(listed(&host).await, [line("task-1-pre", "task-1-pre", 1)]);
    host.put("a.txt", "two");
    let saved = save(&host, "task-1-post").await;
    assert!(matches!(&saved.warnings[..], [only] if only.contains("refs/tags/task-2-pre")), "{:?}", saved.warnings);
    save(&host, "task-2-pre").await;
    let tags: Vec<String> = listed(&host).await.into_iter().map(|(tag, ..)| tag).collect();
    assert_eq!(tags, ["task-1-pre", "task-1-post", "task-2-pre"], "a save replaces the broken tag");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_head_that_leads_to_itself_is_a_git_error_that_names_it() {
    let host = project([("a.txt", "one"), (".git/HEAD", "ref: refs/heads/a\n")]);
    host.put(".git/refs/heads/a", "ref: refs/heads/b\n");
    host.put(".git/refs/heads/b", "ref: refs/heads/a\n");
    let error = snapshot::save(&host, &SaveOptions::default()).await.unwrap_err();
    assert!(error.code == ErrorCode::Git && error.message.contains("HEAD"), "{error}");
}
