//! Trees that other people wrote, to make a rollback or a checkout write outside of the project.

use crate::snapshot::branch::{BRANCH, author};
use crate::snapshot::project::{files, git, project, save};
use loopgate::error::ErrorCode;
use loopgate::port::memory::MemoryHost;
use loopgate::port::{Commit, GitPort};
use loopgate::snapshot::{self, Watch, branch};
use wasm_bindgen_test::wasm_bindgen_test;

/// An entry of a tree: its mode, its name, and the text of a blob or the id of a tree.
pub(crate) type Raw<'a> = (&'a str, &'a str, &'a str);

const FILE: &str = "100644";
const LINK: &str = "120000";
const FOLDER: &str = "40000";

/// Stores a tree with exactly these entries, in this order.
async fn tree(host: &MemoryHost, entries: &[Raw<'_>]) -> String {
    let mut body = Vec::new();
    for (mode, name, content) in entries {
        let oid = match *mode {
            FOLDER => (*content).to_owned(),
            _ => git(host).write_blob(content.as_bytes()).await.unwrap(),
        };
        body.extend_from_slice(format!("{mode} {name}\0").as_bytes());
        body.extend((0..20).map(|at| u8::from_str_radix(&oid[2 * at..2 * at + 2], 16).unwrap()));
    }
    git(host).store_tree(&body).await.unwrap()
}

/// Commits a tree on a ref.
async fn commit(host: &MemoryHost, tree: String, full: &str) {
    let commit = Commit { tree, parents: Vec::new(), message: "theirs\n".to_owned(), author: author() };
    let oid = git(host).write_commit(&commit).await.unwrap();
    git(host).write_ref(full, &oid).await.unwrap();
}

/// A project beside a folder of the user, and `theirs` as a tag and as a branch.
async fn hostile(entries: &[Raw<'_>], below: &[Raw<'_>]) -> MemoryHost {
    let host = project([("mine", "1")]);
    host.fs.put("/outside/precious", "precious");
    git(&host).init().await.unwrap();
    let below = tree(&host, below).await;
    let entries: Vec<Raw<'_>> = entries
        .iter()
        .map(|entry| if entry.0 == FOLDER { (entry.0, entry.1, below.as_str()) } else { *entry })
        .collect();
    let root = tree(&host, &entries).await;
    commit(&host, root.clone(), "refs/tags/theirs").await;
    commit(&host, root, &format!("refs/heads/{BRANCH}")).await;
    let mine = tree(&host, &[(FILE, "mine", "1")]).await;
    commit(&host, mine, "refs/heads/main").await;
    save(&host, "before").await;
    host
}

/// What is outside of the project.
fn outside(host: &MemoryHost) -> Vec<(String, Vec<u8>)> {
    host.fs.tree("/").into_iter().filter(|(path, _)| !path.starts_with("/project/")).collect()
}

async fn is_refused(host: &MemoryHost, code: ErrorCode) {
    let before = (files(host), outside(host));
    let error = snapshot::rollback(host, "refs/tags/theirs", true).await.unwrap_err();
    assert_eq!(error.code, code, "{error}");
    let error = snapshot::rollback(host, "refs/tags/theirs", false).await.unwrap_err();
    assert_eq!(error.code, code, "{error}");
    let error = branch::switch(host, &Watch::default(), BRANCH, None).await.unwrap_err();
    assert_eq!(error.code, code, "{error}");
    assert_eq!((files(host), outside(host)), before);
    assert_eq!(branch::head(host).await.unwrap().branch.as_deref(), Some("main"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_tree_with_a_name_twice_is_refused() {
    let below = [(FILE, "precious", "theirs"), (FILE, "new", "theirs")];
    for entries in [
        [(LINK, "a", "/outside"), (FOLDER, "a", "")],
        [(FOLDER, "a", ""), (LINK, "a", "/outside")],
        [(LINK, "a", "b"), (FOLDER, "a", "")],
        [(FILE, "a", "1"), (FOLDER, "a", "")],
        [(FILE, "a", "1"), (LINK, "a", "/outside")],
        [(FILE, "a", "1"), (FILE, "a", "2")],
    ] {
        is_refused(&hostile(&entries, &below).await, ErrorCode::Corrupt).await;
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_tree_whose_link_has_the_name_of_a_folder_on_some_file_systems_is_refused() {
    let below = [(FILE, "precious", "theirs")];
    for (link, folder) in [("A", "a"), ("a", "A"), ("a.", "a"), ("ä", "a\u{308}"), ("ａ", "a"), ("a\u{200c}", "a")] {
        // The link leads to the project, so it is not left out on its own.
        let host = hostile(&[(LINK, link, "mine"), (FOLDER, folder, "")], &below).await;
        is_refused(&host, ErrorCode::Unsupported).await;
    }
    let host = hostile(&[(LINK, "A", "mine"), (FILE, "a", "1")], &[]).await;
    is_refused(&host, ErrorCode::Unsupported).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_project_that_has_both_spellings_can_be_rolled_back() {
    let host = project([("a/x", "1"), ("mine", "1")]);
    host.fs.put_link("/project/A", "mine");
    save(&host, "both").await;
    host.put("a/x", "2");
    assert_eq!(snapshot::rollback(&host, "both", false).await.unwrap().restored, ["a/x"]);
    host.fs.delete("/project/A");
    host.fs.delete("/project/a");
    save(&host, "neither").await;
    assert_eq!(snapshot::rollback(&host, "both", false).await.unwrap_err().code, ErrorCode::Unsupported);
    assert_eq!(files(&host).len(), 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_undo_brings_both_spellings_back() {
    let host = project([("mine", "1")]);
    save(&host, "before").await;
    host.put("a/x", "1");
    host.fs.put_link("/project/A", "mine");
    snapshot::rollback(&host, "before", false).await.unwrap();
    snapshot::undo(&host).await.unwrap();
    assert_eq!(files(&host).len(), 3);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_checkout_leaves_links_out_that_lead_out_of_the_project() {
    let entries = [
        (LINK, "away", "/outside"),
        (LINK, "git", ".git"),
        (FILE, "mine", "2"),
        (LINK, "ok", "mine"),
        (LINK, "up", "..\\..\\x"),
    ];
    let host = hostile(&entries, &[]).await;
    let before = outside(&host);
    branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
    assert_eq!(Vec::from_iter(files(&host)), [("mine".to_owned(), b"2".to_vec()), ("ok".to_owned(), b"mine".to_vec())]);
    // They are in git's index, so they look like deleted files, and no commit of a run has that.
    let dirty: Vec<String> = branch::dirty(&host).await.unwrap().into_iter().map(|change| change.path).collect();
    assert_eq!(dirty, ["away", "git", "up"]);
    branch::switch(&host, &Watch::default(), "main", None).await.unwrap();
    assert_eq!(Vec::from_iter(files(&host)), [("mine".to_owned(), b"1".to_vec())]);
    assert_eq!(outside(&host), before);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_list_reads_packed_refs_once() {
    let host = project([("a", "1")]);
    let oid = save(&host, "one").await.oid;
    host.fs.delete("/project/.loopgate");
    let packed: String = (0..2_000).map(|number| format!("{oid} refs/tags/v{number}\n")).collect();
    host.fs.put("/project/.git/packed-refs", &packed);
    let (bytes, calls) = (host.fs.bytes(), host.fs.calls());
    assert_eq!(snapshot::list(&host).await.unwrap().len(), 2_001);
    let (bytes, calls) = (host.fs.bytes() - bytes, host.fs.calls() - calls);
    // The commit is read for each tag, and the catalog is written.
    assert!(bytes < 2 * packed.len() as u64 + 2_001 * 500 && calls < 3 * 2_001, "{bytes} bytes, {calls} calls");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn iterations_that_came_with_the_repository_are_read_and_removed_up_to_a_number() {
    let host = project([("a", "1")]);
    let oid = save(&host, "one").await.oid;
    host.fs.delete("/project/.loopgate");
    let names = (0..3_000).map(|number| format!("{oid} refs/loopgate/iterations/run-{number}/1\n"));
    host.fs.put("/project/.git/packed-refs", names.collect::<String>());
    host.put("a", "2");
    let calls = host.fs.calls();
    let iteration = snapshot::Iteration { run: "mine", number: 1, message: "work", kept: 2 };
    snapshot::save_iteration(&host, &Watch::default(), &iteration).await.unwrap();
    assert!(host.fs.calls() - calls < 1_500, "{} calls", host.fs.calls() - calls);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_tag_from_the_future_does_not_move_the_time_of_later_snapshots() {
    let host = project([("a", "1")]);
    git(&host).init().await.unwrap();
    let tree = tree(&host, &[(FILE, "a", "1")]).await;
    for (tag, at) in [("later", 32_503_680_000_000_u64), ("latest", u64::MAX)] {
        let message = format!("theirs\n\nLoopgate-Snapshot: {tag}\nLoopgate-At: {at}\n");
        let commit = Commit { tree: tree.clone(), parents: Vec::new(), message, author: author() };
        let oid = git(&host).write_commit(&commit).await.unwrap();
        git(&host).write_ref(&format!("refs/tags/{tag}"), &oid).await.unwrap();
    }
    host.put("a", "2");
    let saved = save(&host, "mine").await;
    assert!(saved.at < 32_503_680_000_000, "{saved:?}");
    assert_eq!(snapshot::list(&host).await.unwrap().last().map(|last| last.tag.as_str()), Some("mine"));
}
