//! Every method of the git port with the real isomorphic-git, through the package's adapter.

use crate::support::{annotated_tag, git_log, git_port, git_status, js, lightning_fs, plain_port};
use loopgate::port::{Commit, EntryKind, FsPort, GitPort, Host, Person, PortErrorKind, TreeEntry};
use loopgate::snapshot::branch::{self, Acceptance, Accepted};
use loopgate::snapshot::{Entry, Watch};
use loopgate::wasm::{JsFs, JsGit, host};
use serde_json::json;
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

const DIR: &str = "/project";

async fn repository() -> (JsValue, JsGit) {
    let fs = lightning_fs().await;
    JsFs::new(&fs).unwrap().make_dir(DIR).await.unwrap();
    let git = JsGit::new(&git_port(&fs, DIR).await).unwrap();
    git.init().await.unwrap();
    (fs, git)
}

fn entry(mode: &str, path: &str, oid: &str, kind: EntryKind) -> TreeEntry {
    TreeEntry { mode: mode.to_owned(), path: path.to_owned(), oid: oid.to_owned(), kind }
}

fn commit(tree: String, parents: Vec<String>) -> Commit {
    let author = Person {
        name: "L".to_owned(),
        email: "l@example.com".to_owned(),
        timestamp: 1_700_000_000,
        timezone_offset: -60,
    };
    Commit { tree, parents, message: "first line\n\nbody \"quoted\" $(x)\n".to_owned(), author }
}

#[wasm_bindgen_test]
async fn objects_are_read_back_unchanged() {
    let (_, git) = repository().await;
    let bytes: Vec<u8> = (0..=255).collect();
    let blob = git.write_blob(&bytes).await.unwrap();
    // The output of `git hash-object` for an empty file.
    assert_eq!(git.write_blob(b"").await.unwrap(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
    assert_eq!(git.read_blob(&blob).await.unwrap(), bytes);

    let inner = git.write_tree(&[entry("100644", "b", &blob, EntryKind::Blob)]).await.unwrap();
    let entries = [
        entry("100755", "a.sh", &blob, EntryKind::Blob),
        entry("120000", "link", &blob, EntryKind::Blob),
        entry("040000", "sub", &inner, EntryKind::Tree),
    ];
    let tree = git.write_tree(&entries).await.unwrap();
    assert_eq!(git.read_tree(&tree).await.unwrap(), entries);

    let root = git.write_commit(&commit(tree.clone(), vec![])).await.unwrap();
    let child = git.write_commit(&commit(tree.clone(), vec![root.clone()])).await.unwrap();
    assert_eq!(git.read_commit(&child).await.unwrap(), commit(tree, vec![root]));
}

#[wasm_bindgen_test]
async fn missing_objects_and_refs_are_not_found() {
    let (_, git) = repository().await;
    let nothing = "0123456789012345678901234567890123456789";
    for error in [
        git.read_blob(nothing).await.unwrap_err(),
        git.read_tree(nothing).await.unwrap_err(),
        git.read_commit(nothing).await.unwrap_err(),
    ] {
        assert_eq!(error.kind, PortErrorKind::NotFound, "{error}");
    }
}

#[wasm_bindgen_test]
async fn refs_are_written_moved_listed_and_removed() {
    let (fs, git) = repository().await;
    assert_eq!(git.resolve_ref("HEAD").await.unwrap(), None);
    assert_eq!(git.list_refs("refs/tags", &[]).await.unwrap(), Some(Vec::new()));
    let tree = git.write_tree(&[]).await.unwrap();
    let first = git.write_commit(&commit(tree.clone(), vec![])).await.unwrap();
    let second = git.write_commit(&commit(tree, vec![first.clone()])).await.unwrap();
    git.write_ref("refs/tags/task-1-pre", &first).await.unwrap();
    git.write_ref("refs/tags/task-1-pre", &second).await.unwrap();
    assert_eq!(git.resolve_ref("refs/tags/task-1-pre").await.unwrap(), Some(second.clone()));
    assert_eq!(git.list_refs("refs/tags", &[]).await.unwrap(), Some(vec!["task-1-pre".to_owned()]));
    let log = git_log(&fs, DIR, "task-1-pre").await;
    assert_eq!((&log["oid"], &log["parent"]), (&json!(second), &json!([first])));
    assert_eq!(log["author"], log["committer"]);
    assert_eq!(log["author"]["timezoneOffset"], json!(-60));
    git.delete_ref("refs/tags/task-1-pre").await.unwrap();
    git.delete_ref("refs/tags/task-1-pre").await.unwrap();
    assert_eq!(git.resolve_ref("refs/tags/task-1-pre").await.unwrap(), None);
    // The user's HEAD is unchanged: an unborn branch.
    assert_eq!(git.resolve_ref("HEAD").await.unwrap(), None);
}

#[wasm_bindgen_test]
async fn annotated_tags_are_followed_to_their_commit() {
    let (fs, git) = repository().await;
    let tree = git.write_tree(&[]).await.unwrap();
    let oid = git.write_commit(&commit(tree.clone(), vec![])).await.unwrap();
    annotated_tag(&fs, DIR, "v1", &oid).await;
    let tag = git.resolve_ref("refs/tags/v1").await.unwrap().unwrap();
    assert_ne!(tag, oid);
    assert_eq!(git.read_commit(&tag).await.unwrap().tree, tree);
}

/// A host over LightningFS; without the port's optional methods if it `is_plain`.
async fn host(is_plain: bool) -> (JsValue, Host) {
    let fs = lightning_fs().await;
    JsFs::new(&fs).unwrap().make_dir(DIR).await.unwrap();
    let port = git_port(&fs, DIR).await;
    let port = if is_plain { plain_port(&port).await } else { port };
    let host = js(&format!("{{ dir: '{DIR}' }}"));
    for (name, value) in [("fs", &fs), ("git", &port)] {
        js_sys::Reflect::set(&host, &name.into(), value).unwrap();
    }
    (fs, host::read(&host, None).unwrap())
}

#[wasm_bindgen_test]
async fn commits_on_the_branch_of_a_run_leave_the_status_of_isomorphic_git_clean() {
    for is_plain in [false, true] {
        let (fs, host) = host(is_plain).await;
        branch::switch(&host, &Watch::default(), "spec/x", None).await.unwrap();
        assert_eq!(git_status(&fs, DIR, !is_plain).await, Vec::<String>::new());
        let mut base = None;
        for number in 0..3 {
            let mut changes = BTreeMap::new();
            for (path, text) in
                [("src/a.ts".to_owned(), format!("chunk {number}")), (format!("new-{number}.ts"), "1".to_owned())]
            {
                host.project().write(&path, &text).await.unwrap();
                let oid = host.git.as_ref().unwrap().write_blob(text.as_bytes()).await.unwrap();
                changes.insert(path, Some(Entry::try_from(format!("100644 {oid}")).unwrap()));
            }
            let acceptance = Acceptance {
                branch: "spec/x",
                base: base.as_deref(),
                changes: &changes,
                message: "-m \"quoted\" $(x)",
                author: branch::author(&host).await.unwrap(),
            };
            let accepted = branch::accept(&host, &acceptance).await.unwrap();
            let Accepted::Committed { commit, .. } = accepted else { panic!("{accepted:?}") };
            let log = git_log(&fs, DIR, "HEAD").await;
            assert_eq!((&log["oid"], &log["message"]), (&json!(commit), &json!("-m \"quoted\" $(x)\n")));
            assert_eq!(log["parent"], json!(base.into_iter().collect::<Vec<_>>()));
            assert_eq!(git_status(&fs, DIR, !is_plain).await, Vec::<String>::new(), "plain: {is_plain}");
            base = Some(commit);
        }
        host.project().write("mine.ts", "1").await.unwrap();
        assert_eq!(git_status(&fs, DIR, !is_plain).await, ["mine.ts"]);
    }
}

#[wasm_bindgen_test]
async fn a_port_without_methods_for_the_index_needs_the_projects_own_git_folder() {
    let (_, host) = host(true).await;
    let git = host.git.as_ref().unwrap();
    let error = git.read_index().await.unwrap_err();
    assert_eq!(error.kind, PortErrorKind::Unsupported);
    assert!(error.message.contains("isomorphicGit"), "{error}");
    git.init().await.unwrap();
    assert_eq!(git.read_index().await.unwrap(), None);
    git.write_head("other").await.unwrap();
    assert_eq!(git.current_branch().await.unwrap().as_deref(), Some("other"));
}
