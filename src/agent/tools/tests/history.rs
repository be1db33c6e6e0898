//! `history`: older versions of a file.

use super::{call, call_in, numbered};
use crate::port::memory::{MemoryFs, MemoryGit, MemoryHost};
use crate::port::{AgentRole, GitPort, Phase, Rights};
use crate::snapshot::{SaveOptions, list, save};
use serde_json::{Value, json};

static READ: Rights = Rights::reader(AgentRole::Reviewer, Phase::Review);

async fn saved(host: &MemoryHost, tag: &str) {
    let options =
        SaveOptions { message: Some(format!("{tag}: a change")), tag: Some(tag.to_owned()), ..SaveOptions::default() };
    save(host, &options).await.unwrap();
    host.clock.advance(60_000);
}

#[tokio::test]
async fn history_lists_the_contents_that_differ_newest_first() {
    let host = MemoryHost::new([("index.html", "")]);
    let history = async |path: &str| call_in(&READ, &host, "history", json!({ "path": path })).await.outcome;
    assert!(history("index.html").await.unwrap_err().contains("no snapshots yet"));
    saved(&host, "empty").await;
    host.put("src/ä b.ts", "one\n");
    saved(&host, "first").await;
    host.put("index.html", "other");
    saved(&host, "same").await;
    host.put("src/ä b.ts", "1\n2\n");
    saved(&host, "second").await;
    host.fs.delete("/project/src/ä b.ts");
    saved(&host, "gone").await;
    host.put("src/ä b.ts", "new");
    let expected = "gone: gone: a change (the file does not exist, 2023-11-14 22:17Z)\n\
                    second: second: a change (4 bytes, 2023-11-14 22:16Z)\n\
                    first: first: a change (4 bytes, 2023-11-14 22:14Z)";
    for path in ["src/ä b.ts", "./src//ä b.ts", "/project/src/ä b.ts"] {
        let listed = history(path).await.unwrap();
        let (head, versions) = listed.split_once('\n').unwrap();
        assert!(head.contains("newest first") && head.contains(r#""gone""#), "{head}");
        assert_eq!(versions, expected);
    }
    host.fs.delete("/project/src/ä b.ts");
    let of_deleted = history("src/ä b.ts").await.unwrap();
    assert_eq!(of_deleted.split_once('\n').unwrap().1, expected.split_once('\n').unwrap().1);
    host.put("new.ts", "");
    assert!(history("new.ts").await.unwrap().contains("none of 5 snapshots; only the present version"));
    assert!(history("never.ts").await.unwrap_err().contains("none of 5 snapshots; call list_files"));
    host.put("index.html", "other");
    assert_eq!(history("index.html").await.unwrap().lines().count(), 2);
    assert!(history("src").await.unwrap_err().contains("folder"));
}

#[tokio::test]
async fn history_reads_a_version_as_read_file_reads_the_file() {
    let host = MemoryHost::new([("a.ts", "one\ntwo\nthree\n"), ("b.bin", "\0")]);
    saved(&host, "first").await;
    host.fs.delete("/project/a.ts");
    let read = async |args: Value| call_in(&READ, &host, "history", args).await.outcome;
    let first = |path: &str| json!({ "path": path, "version": "first" });
    assert_eq!(read(first("a.ts")).await.unwrap(), "one\ntwo\nthree\n");
    let part = json!({ "path": "a.ts", "version": "first", "start": 2, "end": 2 });
    assert_eq!(read(part).await.unwrap(), "[a.ts: lines 2 to 2 of 3]\ntwo\n");
    assert!(read(first("b.bin")).await.unwrap_err().contains("binary"));
    assert!(read(first("c.ts")).await.unwrap_err().contains("without `version`"));
    let unknown = read(json!({ "path": "a.ts", "version": "frist" })).await.unwrap_err();
    assert!(unknown.contains("first"), "{unknown}");
    host.put("a.ts", &numbered(10_000));
    saved(&host, "long").await;
    let cut = read(json!({ "path": "a.ts", "version": "long" })).await.unwrap();
    assert!(cut.contains("call history with start=") && cut.len() < 40_000, "{}", cut.len());
}

#[tokio::test]
async fn history_has_the_rights_of_reading() {
    let host = MemoryHost::new([("a.ts", "")]);
    saved(&host, "first").await;
    for args in [json!({ "path": ".git/config" }), json!({ "path": "../x", "version": "first" })] {
        let called = call(&host, "history", args).await;
        assert!(called.outcome.is_err() && called.denied.len() == 1, "{:?}", called.denied);
    }
    let bare = host.with(|ports| ports.git = None);
    assert!(call(&bare, "history", json!({ "path": "a.ts" })).await.error().contains("no git"));
}

/// A file that never changed is looked up in the trees that differ only.
#[tokio::test]
async fn history_reads_few_objects() {
    let objects = MemoryFs::default();
    let host =
        MemoryHost::new([("src/deep/a.ts", "a")]).with(|ports| ports.git = Some(MemoryGit::new(&objects, "/.git")));
    for number in 0..30 {
        host.put("other/b.ts", &number.to_string());
        saved(&host, &format!("tag-{number:02}")).await;
    }
    let before = objects.calls();
    list(&host).await.unwrap();
    let of_list = objects.calls() - before;
    assert!(call(&host, "history", json!({ "path": "src/deep/a.ts" })).await.output().contains("no other version"));
    let calls = objects.calls() - before - 2 * of_list;
    // The root of each snapshot, and two folders.
    assert!(calls <= 32, "{calls}");
}

#[tokio::test]
async fn history_reads_only_snapshots() {
    let host = MemoryHost::new([("a.ts", "one")]);
    saved(&host, "first").await;
    let git = host.git.as_ref().unwrap();
    let commit = git.resolve_ref("refs/tags/first").await.unwrap().unwrap();
    for name in ["refs/heads/secret", "refs/heads/main", "refs/tags/other"] {
        git.write_ref(name, &commit).await.unwrap();
    }
    git.write_head("main").await.unwrap();
    for version in ["refs/heads/secret", "secret", "HEAD", &commit, "refs/tags/first", "refs/tags/../heads/secret"] {
        let read = call_in(&READ, &host, "history", json!({ "path": "a.ts", "version": version })).await.outcome;
        assert!(read.unwrap_err().contains("without `version`"), "{version}");
    }
    let other = call_in(&READ, &host, "history", json!({ "path": "a.ts", "version": "other" })).await.outcome;
    assert_eq!(other.unwrap(), "one", "git tags of snapshots are in the list");
}

#[tokio::test]
async fn history_without_a_version_takes_no_lines() {
    let host = MemoryHost::new([("a.ts", "one")]);
    saved(&host, "first").await;
    for args in [json!({ "path": "a.ts", "start": 1 }), json!({ "path": "a.ts", "end": 2 })] {
        assert!(call_in(&READ, &host, "history", args).await.outcome.unwrap_err().contains("`version`"));
    }
}

#[tokio::test]
async fn history_leaves_out_what_cannot_be_read_and_says_so() {
    let objects = MemoryFs::default();
    let host = MemoryHost::new([]).with(|ports| ports.git = Some(MemoryGit::new(&objects, "/.git")));
    for number in 0..4 {
        host.put("src/a.ts", &number.to_string());
        saved(&host, &format!("tag-{number}")).await;
    }
    let snapshots = list(&host).await.unwrap();
    let git = host.git.as_ref().unwrap();
    let src = git.read_tree(&snapshots[3].tree).await.unwrap().remove(0).oid;
    let blob = git.read_tree(&src).await.unwrap().remove(0).oid;
    let of_second = git.read_tree(&snapshots[2].tree).await.unwrap().remove(0).oid;
    host.put("src/a.ts", "now");
    let mut removed = 0;
    for oid in [&snapshots[1].tree, &of_second, &blob] {
        for path in objects.tree("/").into_keys().filter(|path| path.ends_with(&format!("/{}", &oid[2..]))) {
            objects.delete(&path);
            removed += 1;
        }
    }
    assert_eq!(removed, 3);
    let listed = call_in(&READ, &host, "history", json!({ "path": "src/a.ts" })).await.outcome.unwrap();
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 4, "{listed}");
    assert!(lines[1].contains("tag-3") && lines[1].contains("cannot be read"), "{listed}");
    assert!(lines[2].contains("tag-0") && lines[2].contains("1 byte"), "{listed}");
    assert!(lines[3].contains("2 snapshots cannot be read") && lines[3].contains("tag-2"), "{listed}");
}

#[tokio::test]
async fn history_names_the_versions_that_it_does_not_describe() {
    let host = MemoryHost::new([("a.ts", "")]);
    for number in 0..30 {
        host.put("a.ts", &format!("version {number}"));
        saved(&host, &format!("tag-{number:02}")).await;
    }
    host.put("a.ts", "now");
    let listed = call_in(&READ, &host, "history", json!({ "path": "a.ts" })).await.outcome.unwrap();
    let last = listed.lines().last().unwrap();
    assert!(last.ends_with("tag-09, tag-08, tag-07, tag-06, tag-05, tag-04, tag-03, tag-02, tag-01, tag-00"), "{last}");
}
