//! Where the branch of a spec starts, and the ways back from it.

use super::*;
use loopgate::run::{ConfigSources, leave_branch, merge_branch};

const OTHER: &str = ".handoff/specs/blog";

/// A spec `shop` that shipped `src/a.ts`, and a second one.
async fn shipped() -> Roles {
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
    roles.host.put(&format!("{OTHER}/spec.md"), "# Blog\n");
    roles.host.put(&format!("{OTHER}/chunks.json"), &json!([chunk("b", &[])]).to_string());
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    roles
}

fn blog(id: &str, git: Option<Value>) -> RunOptions {
    let work = Work::Chunks { spec: "blog".to_owned(), only: None };
    RunOptions { work, ..with_git(id, git) }
}

fn with_git(id: &str, git: Option<Value>) -> RunOptions {
    let layer = git.map(|git| json!({ "git": git }));
    RunOptions { config: ConfigSources { layer, ..ConfigSources::default() }, ..options(id) }
}

async fn branch(host: &MemoryHost) -> String {
    host.git.as_ref().unwrap().current_branch().await.unwrap().unwrap_or_default()
}

async fn tip(host: &MemoryHost, branch: &str) -> Option<String> {
    host.git.as_ref().unwrap().resolve_ref(&format!("refs/heads/{branch}")).await.unwrap()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_second_spec_starts_from_the_branch_before_the_first_one() {
    let roles = shipped().await;
    *roles.builder.borrow_mut() = [build("src/b.ts", "b\n")].into();
    let outcome = run(&roles.host, blog("run-2", None)).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(branch(&roles.host).await, "spec/blog");
    assert_eq!(roles.history().await, ["Add b", "by the user"]);
    assert_eq!(roles.host.text("src/a.ts"), None);
    assert_eq!(leave_branch(&roles.host).await.unwrap(), "main");
    assert_eq!((branch(&roles.host).await.as_str(), roles.host.text("src/b.ts")), ("main", None));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_spec_starts_from_the_configured_base() {
    let roles = shipped().await;
    *roles.builder.borrow_mut() = [build("src/b.ts", "b\n")].into();
    let missing = run(&roles.host, blog("run-2", Some(json!({ "base": "develop" })))).await;
    let error = missing.result.as_ref().unwrap_err();
    assert_eq!((error.code, error.message.contains("develop")), (ErrorCode::InvalidConfig, true), "{}", error.message);
    let outcome = run(&roles.host, blog("run-3", Some(json!({ "base": "spec/shop" })))).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.history().await, ["Add b", "Add a", "by the user"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_done_run_returns_to_the_users_branch_if_the_configuration_says_so() {
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
    roles.host.put("notes.txt", "mine\n");
    let outcome = run(&roles.host, with_git("run-1", Some(json!({ "after": "return" })))).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(branch(&roles.host).await, "main");
    assert_eq!((roles.host.text("src/a.ts"), roles.host.text("notes.txt").as_deref()), (None, Some("mine\n")));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn leaving_keeps_what_is_not_committed_and_is_refused_where_it_would_be_overwritten() {
    let roles = shipped().await;
    roles.host.put("notes.txt", "mine\n");
    roles.host.put("src/a.ts", "mine\n");
    let error = leave_branch(&roles.host).await.unwrap_err();
    assert_eq!((error.code, error.message.contains("src/a.ts")), (ErrorCode::Conflict, true), "{}", error.message);
    assert_eq!(
        (branch(&roles.host).await.as_str(), roles.host.text("src/a.ts").as_deref()),
        ("spec/shop", Some("mine\n"))
    );
    roles.host.put("src/a.ts", "a\n");
    assert_eq!(leave_branch(&roles.host).await.unwrap(), "main");
    assert_eq!((roles.host.text("src/a.ts"), roles.host.text("notes.txt").as_deref()), (None, Some("mine\n")));
    assert_eq!(leave_branch(&roles.host).await.unwrap_err().code, ErrorCode::Conflict);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn merging_is_a_fast_forward_if_the_users_branch_did_not_move() {
    let roles = shipped().await;
    let shop = tip(&roles.host, "spec/shop").await;
    let merged = merge_branch(&roles.host, "shop").await.unwrap();
    assert_eq!((Some(merged.commit.clone()), merged.fast_forward), (shop, true));
    assert_eq!(
        (branch(&roles.host).await.as_str(), tip(&roles.host, "main").await),
        ("main", Some(merged.commit.clone()))
    );
    assert_eq!(roles.host.text("src/a.ts").as_deref(), Some("a\n"));
    assert_eq!(merge_branch(&roles.host, "shop").await.unwrap(), merged, "merging again changes nothing");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn merging_makes_a_commit_of_both_if_the_users_branch_moved() {
    let roles = shipped().await;
    leave_branch(&roles.host).await.unwrap();
    roles.host.put("index.html", "<p>hello</p>\n");
    let own = commit_all(&roles.host, "refs/heads/main").await;
    roles.host.put("notes.txt", "mine\n");
    let merged = merge_branch(&roles.host, "shop").await.unwrap();
    assert!(!merged.fast_forward);
    let commit = roles.host.git.as_ref().unwrap().read_commit(&merged.commit).await.unwrap();
    assert_eq!(commit.parents, [own, tip(&roles.host, "spec/shop").await.unwrap()]);
    let texts = ["index.html", "src/a.ts", "notes.txt"].map(|path| roles.host.text(path).unwrap_or_default());
    assert_eq!(texts, ["<p>hello</p>\n", "a\n", "mine\n"]);
    assert_eq!(branch(&roles.host).await, "main");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_merge_of_the_same_lines_is_refused_and_changes_nothing() {
    let roles = shipped().await;
    leave_branch(&roles.host).await.unwrap();
    roles.host.put("src/a.ts", "other\n");
    let own = commit_all(&roles.host, "refs/heads/main").await;
    let error = merge_branch(&roles.host, "shop").await.unwrap_err();
    assert_eq!((error.code, error.message.contains("src/a.ts")), (ErrorCode::Conflict, true), "{}", error.message);
    assert_eq!((branch(&roles.host).await.as_str(), tip(&roles.host, "main").await), ("main", Some(own)));
    assert_eq!(roles.host.text("src/a.ts").as_deref(), Some("other\n"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_spec_without_a_branch_cannot_be_merged() {
    let roles = shipped().await;
    for (spec, code) in [("blog", ErrorCode::NotFound), ("../shop", ErrorCode::InvalidArgument)] {
        let error = merge_branch(&roles.host, spec).await.unwrap_err();
        assert_eq!(error.code, code, "{}", error.message);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_branch_that_does_not_exist_is_not_created_at_the_chunks() {
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
    roles.host.git.as_ref().unwrap().write_head("work").await.unwrap();
    let outcome = run(&roles.host, with_git("run-1", Some(json!({ "after": "return" })))).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!((branch(&roles.host).await.as_str(), tip(&roles.host, "work").await), ("spec/shop", None));
}
