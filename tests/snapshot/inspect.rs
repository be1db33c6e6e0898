//! Inspecting snapshots.

use crate::snapshot::project::{git, project, save};
use loopgate::ErrorCode;
use loopgate::snapshot::{self, Change, FileChange};
use wasm_bindgen_test::wasm_bindgen_test;

fn change(path: &str, change: Change, from: Option<&str>) -> FileChange {
    FileChange { path: path.to_owned(), change, from: from.map(str::to_owned) }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_diff_has_every_changed_file() {
    let host = project([("a", "1"), ("b", "2"), ("c", "3"), ("same", "4")]);
    save(&host, "one").await;
    host.put("a", "one");
    host.fs.delete("/project/b");
    host.fs.delete("/project/c");
    host.put("moved/c", "3");
    host.put("new", "5");
    let expected = [
        change("a", Change::Modified, None),
        change("b", Change::Deleted, None),
        change("moved/c", Change::Renamed, Some("c")),
        change("new", Change::Added, None),
    ];
    assert_eq!(snapshot::diff(&host, "one", None).await.unwrap(), expected);
    save(&host, "two").await;
    assert_eq!(snapshot::diff(&host, "one", Some("two")).await.unwrap(), expected);
    assert_eq!(snapshot::diff(&host, "two", None).await.unwrap(), []);
    assert_eq!(snapshot::diff(&host, "none", None).await.unwrap_err().code, ErrorCode::NotFound);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_status_names_the_snapshot_that_equals_the_files() {
    let host = project([("a", "1")]);
    let status = snapshot::status(&host).await.unwrap();
    assert_eq!((status.current, status.last), (None, None));
    assert_eq!(status.changes, [change("a", Change::Added, None)]);
    save(&host, "one").await;
    assert_eq!(snapshot::status(&host).await.unwrap().current.as_deref(), Some("one"));
    host.put("a", "2");
    let two = save(&host, "two").await;
    host.put("a", "1");
    let status = snapshot::status(&host).await.unwrap();
    assert_eq!(status.current.as_deref(), Some("one"), "the files are as in an older one");
    assert_eq!(status.changes, [change("a", Change::Modified, None)]);
    assert_eq!(status.last, Some(two));
    host.put("a", "3");
    assert_eq!(snapshot::status(&host).await.unwrap().current, None);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn after_a_rollback_changes_count_from_its_target() {
    let host = project([("a", "1"), ("b", "1")]);
    save(&host, "one").await;
    host.put("a", "2");
    save(&host, "task-1-post").await;
    snapshot::rollback(&host, "one", false).await.unwrap();
    let status = snapshot::status(&host).await.unwrap();
    assert_eq!((status.current.as_deref(), status.changes), (Some("one"), Vec::new()));
    host.put("b", "2");
    assert_eq!(snapshot::status(&host).await.unwrap().changes, [change("b", Change::Modified, None)]);
    host.put("c", "3");
    save(&host, "two").await;
    host.put("a", "3");
    assert_eq!(snapshot::status(&host).await.unwrap().changes, [change("a", Change::Modified, None)]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn inspecting_writes_nothing() {
    let host = project([("a", "1")]);
    save(&host, "one").await;
    host.put("a", "2");
    let before = (host.fs.tree("/"), host.fs.writes());
    snapshot::status(&host).await.unwrap();
    snapshot::diff(&host, "one", None).await.unwrap();
    snapshot::verify(&host, "one").await.unwrap();
    snapshot::list(&host).await.unwrap();
    snapshot::read_file(&host, "one", "a").await.unwrap();
    assert_eq!((host.fs.tree("/"), host.fs.writes()), before);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn verify_ignores_the_stat_cache() {
    let host = project([("a", "one"), ("b", "two")]);
    host.clock.advance(3_600_000);
    save(&host, "one").await;
    host.clock.advance(3_600_000);
    save(&host, "one").await;
    // The same size and time: only the bytes differ.
    host.put("a", "eno");
    host.fs.set_mtime("/project/a", 1_700_000_000_000.0);
    let verified = snapshot::verify(&host, "one").await.unwrap();
    assert_eq!((verified.ok, verified.different), (false, vec!["a".to_owned()]));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_is_read_from_a_snapshot() {
    let host = project([("src/deep/a.ts", "one")]);
    host.fs.put_link("/project/link", "src");
    save(&host, "one").await;
    host.put("src/deep/a.ts", "two");
    let read = async |path: &str| snapshot::read_file(&host, "one", path).await.unwrap();
    assert_eq!(read("src/deep/a.ts").await.as_deref(), Some(b"one".as_slice()));
    assert_eq!(read("./src//deep/a.ts").await.as_deref(), Some(b"one".as_slice()));
    assert_eq!(read("link").await.as_deref(), Some(b"src".as_slice()));
    for path in ["", "src", "src/deep", "src/deep/a.ts/x", "none", "../project/src"] {
        assert_eq!(read(path).await, None, "{path:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn broken_tags_are_left_out_of_the_list() {
    let host = project([("a", "one")]);
    let one = save(&host, "one").await;
    host.put(".git/refs/tags/torn", "12ab");
    host.put(".git/refs/tags/dangling", &"ab".repeat(20));
    assert_eq!(snapshot::list(&host).await.unwrap(), [one]);
    let status = snapshot::status(&host).await.unwrap();
    assert_eq!(status.warnings.len(), 2, "{:?}", status.warnings);
    assert_eq!(crate::snapshot::project::names(git(&host)).await.len(), 3);
}
