//! Commits, rollbacks, and the user's own work.

use super::*;
use loopgate::port::ShellOutput;
use loopgate::port::memory::{Fault, MemoryShell};
use loopgate::snapshot::branch::dirty;
use std::cell::Cell;

fn exit(exit_code: u8) -> ShellOutput {
    ShellOutput { exit_code, stdout: String::new(), stderr: String::new() }
}

async fn own_dirty(host: &MemoryHost) -> Vec<String> {
    dirty(host)
        .await
        .unwrap()
        .into_iter()
        .map(|change| change.path)
        .filter(|path| !path.starts_with(".handoff"))
        .collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn uncommitted_work_of_the_user_stays_and_is_never_committed() {
    for reviews in [vec![ship()], vec![revise("No."), ship()]] {
        let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], reviews).await;
        roles.host.put("index.html", "<p>the user's draft</p>\n");
        roles.host.put("notes.txt", "mine\n");
        roles.host.put("node_modules/x.js", "ignored\n");
        let outcome = run(&roles.host, options("run-1")).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        assert_eq!(roles.host.text("index.html").as_deref(), Some("<p>the user's draft</p>\n"));
        assert_eq!(roles.host.text("notes.txt").as_deref(), Some("mine\n"));
        assert_eq!(roles.host.text("node_modules/x.js").as_deref(), Some("ignored\n"));
        assert_eq!(own_dirty(&roles.host).await, ["index.html", "notes.txt"]);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_edit_of_the_user_during_an_attempt_survives_its_rollback_and_is_not_committed() {
    let mut roles = Roles::new(json!([chunk("a", &[])]), [], []).await;
    let (host, reviews) = (roles.host.clone(), Cell::new(0));
    roles.host.model = Some(ScriptedModel::answering(move |request| match request.role {
        AgentRole::Reviewer => {
            reviews.set(reviews.get() + 1);
            host.put("index.html", &format!("edit {}\n", reviews.get()));
            if reviews.get() == 1 { revise("No.") } else { ship() }
        }
        AgentRole::Summarizer => Turn::Text(String::new()),
        _ => {
            host.put("notes.txt", "written meanwhile\n");
            build("src/a.ts", "a\n")
        }
    }));
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.host.text("index.html").as_deref(), Some("edit 4\n"));
    assert_eq!(own_dirty(&roles.host).await, ["index.html", "notes.txt"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_attempt_that_cannot_be_committed_without_the_users_lines_stops_the_run_at_once() {
    let attempts = [build("index.html", "<p>the agent's</p>\n"), build("src/a.ts", "a\n")];
    let roles = Roles::new(json!([chunk("a", &[])]), attempts, [ship()]).await;
    roles.host.put("index.html", "<p>the user's draft</p>\n");
    let stopped = run(&roles.host, options("run-1")).await;
    let error = stopped.result.as_ref().unwrap_err();
    assert_eq!(error.code, loopgate::ErrorCode::Conflict);
    assert!(error.message.contains("index.html"), "{}", error.message);
    assert_eq!(roles.prompts(AgentRole::Builder).len(), 1);
    assert_eq!(roles.host.text("index.html").as_deref(), Some("<p>the agent's</p>\n"), "the attempt is unchanged");

    let outcome = run(&roles.host, options("run-2")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.host.text("index.html").as_deref(), Some("<p>the user's draft</p>\n"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn commits_of_the_agent_are_reverted_with_its_attempt_and_replaced_when_it_ships() {
    let commits = Turn::calls([write("src/a.ts", "a\n"), ("shell", json!({ "command": "git commit" })), done("")]);
    let mut roles = Roles::new(json!([chunk("a", &[])]), [commits], [revise("No."), ship()]).await;
    let host = roles.host.clone();
    // The shell cannot wait for the port, so the commit is written here.
    let git = host.git.clone().unwrap();
    roles.host.shell = Some(MemoryShell::new(move |_| {
        let commit = async {
            for number in 0..3 {
                let head = git.resolve_ref("HEAD").await.unwrap().unwrap();
                let base = git.read_commit(&head).await.unwrap();
                let message = format!("agent's {number}\n");
                let oid = git.write_commit(&Commit { parents: vec![head], message, ..base }).await.unwrap();
                git.write_ref("refs/heads/spec/shop", &oid).await.unwrap();
            }
        };
        futures_util::future::FutureExt::now_or_never(commit).unwrap();
        exit(0)
    }));
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.history().await, ["Add a", "by the user"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_branch_that_somebody_else_moved_is_a_conflict_and_nothing_is_reset() {
    let mut roles = Roles::new(json!([chunk("a", &[])]), [], []).await;
    let git = roles.host.git.clone().unwrap();
    roles.host.model = Some(ScriptedModel::answering(move |request| match request.role {
        AgentRole::Reviewer => {
            let switch = async { git.write_head("main").await.unwrap() };
            futures_util::future::FutureExt::now_or_never(switch).unwrap();
            ship()
        }
        _ => build("src/a.ts", "a\n"),
    }));
    let outcome = run(&roles.host, options("run-1")).await;
    let error = outcome.result.as_ref().unwrap_err();
    assert_eq!(error.code, ErrorCode::Conflict, "{}", error.message);
    assert_eq!(roles.history().await, ["by the user"]);
    assert_eq!(roles.sources()["src/a.ts"], "a\n");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_repository_without_a_commit_gets_one_of_the_files_as_they_are_before_the_first_chunk() {
    let mut roles = Roles::new(
        json!([chunk("a", &[])]),
        [build("src/a.ts", "1\n"), build("src/a.ts", "2\n")],
        [revise("No."), ship()],
    )
    .await;
    roles.host.git = Some(loopgate::port::memory::MemoryGit::default());
    roles.host.put("notes.txt", "mine\n");
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.history().await, ["Add a", "The project before the first chunk"]);
    assert_eq!(own_dirty(&roles.host).await, [""; 0], "every file is committed");
    let refs = roles.host.git.as_ref().unwrap().refs();
    assert!(!refs.contains_key("refs/heads/main"), "the user's branch stays without a commit: {refs:?}");
    let at = |is: &dyn Fn(&Event) -> bool| outcome.events.iter().position(|envelope| is(&envelope.event));
    let said = at(&|event| matches!(event, Event::Status { text } if text.contains("no commit"))).unwrap();
    assert!(at(&|event| matches!(event, Event::IterationStarted { .. })).is_some_and(|first| said < first));
    let added = outcome.events.iter().find_map(|envelope| match &envelope.event {
        Event::Chunks(ChunkFact::ChunkCommitted { files, .. }) => Some(files.len()),
        _ => None,
    });
    assert_eq!(added, Some(1), "the chunk's commit has its own file only");

    *roles.builder.borrow_mut() = [build("src/b.ts", "b\n")].into();
    roles.host.put(&format!("{FOLDER}/chunks.json"), &json!([chunk("a", &[]), chunk("b", &[])]).to_string());
    let outcome = run(&roles.host, options("run-2")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.history().await, ["Add b", "Add a", "The project before the first chunk"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_page_that_is_closed_in_the_first_commit_of_a_repository_repeats_nothing() {
    for number in 0..60 {
        let mut roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
        let git = loopgate::port::memory::MemoryGit::new(&roles.host.fs, "/project/.git");
        roles.host.fs.delete("/project/.git");
        roles.host.git = Some(git);
        roles.host.fs.fail_write(number, Fault::Crash);
        let first = run(&roles.host, options("run-1")).await;
        roles.host.fs.heal();
        let outcome = match first.result {
            Ok(_) => first,
            Err(_) => run(&roles.host, options("run-2")).await,
        };
        assert!(outcome.result().success, "write {number}: {}", outcome.result().message);
        assert_eq!(roles.history().await, ["Add a", "The project before the first chunk"], "write {number}");
        assert_eq!(own_dirty(&roles.host).await, [""; 0], "write {number}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_operation_in_progress_refuses_the_run_before_any_model_call() {
    for (path, words) in [(".git/MERGE_HEAD", "merge"), (".git/rebase-merge/head-name", "rebase")] {
        let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
        // Without chunks, the planner is called first.
        roles.host.fs.delete(&format!("/project/{FOLDER}/chunks.json"));
        roles.host.put(&format!("{FOLDER}/spec.md"), "# Shop\n");
        roles.host.put(path, "0123456789012345678901234567890123456789\n");
        let outcome = run(&roles.host, options("run-1")).await;
        let error = outcome.result.as_ref().unwrap_err();
        assert!(error.code == ErrorCode::Conflict && error.message.contains(words), "{}", error.message);
        assert_eq!(roles.host.model.as_ref().unwrap().requests().len(), 0);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_title_is_only_text() {
    let mut named = chunk("a", &[]);
    let title = format!("-m \"$(rm -rf .)\"\n`x` {}", "long ".repeat(60));
    named["title"] = json!(title);
    let roles = Roles::new(json!([named]), [build("src/a.ts", "a\n")], [ship()]).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let first = &roles.history().await[0];
    assert!(first.starts_with("-m \"$(rm -rf .)\"") && first.len() <= 72, "{first}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_aborted_attempt_leaves_nothing_half_done() {
    let mut roles = Roles::new(json!([chunk("a", &[]), chunk("b", &[])]), [], []).await;
    let control = RunControl::default();
    let abort = control.abort.clone();
    roles.host.model = Some(ScriptedModel::answering(move |request| match request.role {
        AgentRole::Reviewer => ship(),
        AgentRole::Summarizer => Turn::Text(String::new()),
        _ if format!("{:?}", request.messages).contains("Task: Add b") => {
            abort.fire("enough");
            build("src/b.ts", "b\n")
        }
        _ => build("src/a.ts", "a\n"),
    }));
    let result = drive(&roles.host, options("run-1"), &control, &|_, _| {}).await.unwrap();
    assert_eq!(result.reason, StopReason::Aborted);
    assert_eq!(roles.history().await, ["Add a", "by the user"]);
    assert_eq!(roles.sources().into_keys().collect::<Vec<_>>(), ["src/a.ts"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_new_run_reverts_the_attempt_of_an_abandoned_one() {
    // If the clock goes back, the ids of later runs sort before earlier ones.
    for ids in [["run-1", "run-2", "run-3", "run-4"], ["run-4", "run-3", "run-2", "run-1"]] {
        let [first, abandoned, idle, last] = ids.map(options);
        let attempts = [build("src/a.ts", "a\n"), build("src/half.ts", "half\n"), build("src/b.ts", "b\n")];
        let no_verdict = Turn::Text("no verdict".to_owned());
        let roles = Roles::new(json!([chunk("a", &[]), chunk("b", &[])]), attempts, [ship(), ship(), no_verdict]).await;
        let only = |id: Option<&str>| Work::Chunks {
            spec: "shop".to_owned(),
            only: Some(id.into_iter().map(str::to_owned).collect()),
        };
        assert!(run(&roles.host, RunOptions { work: only(Some("a")), ..first }).await.result().success);
        assert!(run(&roles.host, abandoned).await.result.is_err());
        assert!(roles.sources().contains_key("src/half.ts"));
        assert!(run(&roles.host, RunOptions { work: only(None), ..idle }).await.result().success);
        assert!(roles.sources().contains_key("src/half.ts"), "a run without a chunk changes nothing");
        *roles.reviewer.borrow_mut() = [ship()].into();
        let outcome = run(&roles.host, last).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        assert_eq!(roles.sources().into_keys().collect::<Vec<_>>(), ["src/a.ts", "src/b.ts"]);
        let repaired =
            |fact: &ChunkFact| matches!(fact, ChunkFact::RunPrepared { repaired, .. } if repaired.len() == 1);
        assert_eq!(outcome.count(repaired), 1);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_current_branch_gets_the_commits_if_the_configuration_says_so() {
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
    roles.host.put(".handoff/config.yaml", "git: { branch: current }\n");
    assert!(run(&roles.host, options("run-1")).await.result().success);
    let git = roles.host.git.as_ref().unwrap();
    assert_eq!(git.current_branch().await.unwrap().as_deref(), Some("main"));
    assert_eq!(git.resolve_ref("refs/heads/spec/shop").await.unwrap(), None);
    assert_eq!(roles.history().await, ["Add a", "by the user"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_pull_request_goes_to_the_hook_once() {
    use loopgate::port::memory::MemoryHooks;
    let mut roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
    let drafts: Rc<RefCell<Vec<Value>>> = Rc::default();
    let opened = drafts.clone();
    roles.host.hooks = Some(MemoryHooks::default().pull_request(move |draft| {
        opened.borrow_mut().push(draft.clone());
        Ok(())
    }));
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let drafts = drafts.borrow();
    assert_eq!(drafts.len(), 1);
    assert_eq!(
        (&drafts[0]["branch"], &drafts[0]["base"], &drafts[0]["title"]),
        (&json!("spec/shop"), &json!("main"), &json!("Shop"))
    );
    assert!(
        drafts[0]["body"].as_str().is_some_and(|body| body.contains("Add a") && body.contains("Final review: passed"))
    );
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_git_the_run_is_refused() {
    let mut roles = Roles::new(json!([chunk("a", &[])]), [], []).await;
    roles.host.git = None;
    let error = run(&roles.host, options("run-1")).await.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::Unsupported);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_write_that_fails_in_a_commit_or_a_rollback_stops_the_run_and_the_resumed_run_completes_it() {
    use loopgate::port::memory::{Fault, MemoryGit};
    let mut failed = 0;
    for number in 0..48 {
        let mut host = MemoryHost::new([]);
        host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
        commit_project(&host, &json!([chunk("a", &[]), chunk("b", &["a"])])).await;
        let (fs, reviews) = (host.fs.clone(), Cell::new(0));
        host.model = Some(ScriptedModel::answering(move |request| match request.role {
            AgentRole::Reviewer => {
                reviews.set(reviews.get() + 1);
                // The first review is followed by a rollback, the third one by a commit.
                if (number < 24 && reviews.get() == 1) || (number >= 24 && reviews.get() == 3) {
                    fs.fail_write(number % 24, Fault::Fail);
                }
                if reviews.get() == 1 { revise("No.") } else { ship() }
            }
            AgentRole::Summarizer => Turn::Text(String::new()),
            _ if format!("{:?}", request.messages).contains("Task: Add b") => build("src/b.ts", "b\n"),
            _ => build("src/a.ts", "a\n"),
        }));
        let mut committed = 0;
        let is_commit = |fact: &ChunkFact| matches!(fact, ChunkFact::ChunkCommitted { .. });
        let mut outcome = run(&host, options("run-1")).await;
        committed += outcome.count(is_commit);
        if outcome.result.is_err() {
            failed += 1;
            outcome = run(&host, RunOptions { resume: true, ..options("run-1") }).await;
            committed += outcome.count(is_commit);
        }
        assert!(outcome.result().success, "{number}: {}", outcome.result().message);
        assert_eq!(committed, 2, "{number}");
        assert_eq!(own_dirty(&host).await, Vec::<String>::new(), "{number}");
    }
    assert!(failed >= 20, "{failed}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_command_that_changes_the_files_of_the_user_or_the_harness_changes_nothing() {
    let attempt = Turn::calls([("shell", json!({ "command": "tamper" })), write("src/a.ts", "a\n"), done("")]);
    let mut roles =
        Roles::new(json!([chunk("a", &[]), chunk("b", &[])]), [attempt, build("src/b.ts", "b\n")], [ship()]).await;
    let host = roles.host.clone();
    let before = host.text(&format!("{FOLDER}/chunks.json"));
    roles.host.shell = Some(MemoryShell::new(move |_| {
        host.put(&format!("{FOLDER}/chunks.json"), "[]");
        let head = r#"{"version":1,"shipped":{"b":{"hash":"x","commit":"y","files":[]}}}"#;
        host.put(&format!("{FOLDER}/iterations/state.json"), head);
        exit(0)
    }));
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.history().await, ["Add b", "Add a", "by the user"]);
    assert_eq!(roles.host.text(&format!("{FOLDER}/chunks.json")), before);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_attempt_that_only_deletes_files_that_no_commit_has_is_rejected_and_taken_back() {
    let attempts = [Turn::calls([("shell", json!({ "command": "git clean" })), done("")]), build("src/a.ts", "a\n")];
    let mut roles = Roles::new(json!([chunk("a", &[])]), attempts, [ship()]).await;
    roles.host.put(".gitignore", "node_modules\n.env\n");
    roles.host.put(".env", "KEY=1\n");
    roles.host.put("notes.txt", "mine\n");
    let host = roles.host.clone();
    roles.host.shell = Some(MemoryShell::new(move |_| {
        host.fs.delete("/project/.env");
        host.fs.delete("/project/notes.txt");
        exit(0)
    }));
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert!(roles.prompts(AgentRole::Builder)[1].contains("A commit of the attempt would change nothing"));
    assert_eq!(roles.host.text(".env").as_deref(), Some("KEY=1\n"));
    assert_eq!(roles.host.text("notes.txt").as_deref(), Some("mine\n"));
    assert_eq!(roles.history().await, ["Add a", "by the user"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_split_index_refuses_the_run_before_the_first_model_call_and_stops_a_run_that_can_be_resumed() {
    use loopgate::port::memory::MemoryGit;
    use sha1::{Digest, Sha1};
    let mut split = b"DIRC\0\0\0\x02\0\0\0\0link\0\0\0\0".to_vec();
    split.extend(Sha1::digest(&split));
    let mut roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], []).await;
    roles.host.git = Some(MemoryGit::new(&roles.host.fs, "/project/.git"));
    commit_project(&roles.host, &json!([chunk("a", &[])])).await;
    roles.host.fs.put("/project/.git/index", &split);
    let refused = run(&roles.host, options("run-1")).await;
    assert_eq!(refused.result.unwrap_err().code, ErrorCode::Unsupported);
    assert!(refused.events.is_empty() && roles.prompts(AgentRole::Builder).is_empty());

    roles.host.fs.delete("/project/.git/index");
    let host = roles.host.clone();
    let builder = roles.builder.clone();
    let (bytes, is_first) = (split.clone(), Cell::new(true));
    roles.host.model = Some(ScriptedModel::answering(move |request| match request.role {
        AgentRole::Reviewer => {
            if is_first.replace(false) {
                host.fs.put("/project/.git/index", &bytes);
            }
            ship()
        }
        AgentRole::Summarizer => Turn::Text(String::new()),
        _ => next(&builder),
    }));
    let stopped = run(&roles.host, options("run-2")).await;
    assert_eq!(stopped.result.as_ref().unwrap_err().code, ErrorCode::Unsupported, "{stopped:?}");
    assert_eq!(roles.host.fs.get("/project/.git/index").as_deref(), Some(split.as_slice()));
    assert_eq!(roles.history().await, ["by the user"]);
    roles.host.fs.delete("/project/.git/index");
    let outcome = run(&roles.host, RunOptions { resume: true, ..options("run-2") }).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.history().await, ["Add a", "by the user"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_edit_of_the_user_after_a_resume_survives_the_rollback() {
    use loopgate::port::memory::{Fault, MemoryGit};
    let mut host = MemoryHost::new([]);
    host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
    commit_project(&host, &json!([chunk("a", &[])])).await;
    let (files, calls, reviews) = (host.clone(), Cell::new(0), Cell::new(0));
    let is_resumed = Rc::new(Cell::new(false));
    let after = is_resumed.clone();
    host.model = Some(ScriptedModel::answering(move |request| match request.role {
        AgentRole::Reviewer => {
            reviews.set(reviews.get() + 1);
            if reviews.get() == 1 { revise("No.") } else { ship() }
        }
        AgentRole::Summarizer => Turn::Text(String::new()),
        _ => {
            calls.set(calls.get() + 1);
            match calls.get() {
                1 => Turn::calls([write("src/half.ts", "half\n")]),
                _ if after.get() => {
                    files.put("index.html", "the user's edit\n");
                    build("src/a.ts", "a\n")
                }
                // The page is closed in the middle of the iteration.
                _ => {
                    files.fs.fail_write(0, Fault::Crash);
                    build("src/a.ts", "lost\n")
                }
            }
        }
    }));
    let closed = run(&host, options("run-1")).await;
    assert!(closed.result.is_err(), "{closed:?}");
    host.fs.heal();
    is_resumed.set(true);
    let outcome = run(&host, RunOptions { resume: true, ..options("run-1") }).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(host.text("index.html").as_deref(), Some("the user's edit\n"));
    assert_eq!(host.text("src/half.ts"), None, "the interrupted work is reverted with the attempt");
    assert_eq!(own_dirty(&host).await, ["index.html"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_limit_ends_the_run_in_an_attempt_and_the_run_continues_with_a_higher_one() {
    for (max, expected) in [(300.0, &["src/a.ts"][..]), (650.0, &["src/a.ts", "src/b.ts"])] {
        let chunks = json!([chunk("a", &[]), chunk("b", &["a"])]);
        let roles = Roles::new(chunks, [build("src/a.ts", "a\n"), build("src/b.ts", "b\n")], [ship()]).await;
        let limits = |max| loopgate::run::LimitOptions { max_tokens: Some(max), ..Default::default() };
        let outcome = run(&roles.host, RunOptions { limits: limits(max), ..options("run-1") }).await;
        assert_eq!(outcome.result().reason, StopReason::Budget, "{max}: {}", outcome.result().message);
        assert_eq!(roles.sources().into_keys().collect::<Vec<_>>(), expected, "{max}");
        let resumed = || RunOptions { resume: true, ..options("run-1") };
        let again = run(&roles.host, resumed()).await;
        assert_eq!(again.result().reason, StopReason::Budget, "{max}: the limit holds");
        assert!(!again.events.iter().any(|event| matches!(event.event, Event::Usage { .. })), "{max}");
        let built = roles.prompts(AgentRole::Builder).len();
        let outcome = run(&roles.host, RunOptions { limits: limits(9_000.0), ..resumed() }).await;
        assert!(outcome.result().success, "{max}: {}", outcome.result().message);
        assert_eq!(roles.history().await, ["Add b", "Add a", "by the user"], "{max}");
        let repeated = roles.prompts(AgentRole::Builder).len() - built;
        assert_eq!(repeated, 2 - expected.len(), "{max}: the open attempt is not built again");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn another_run_takes_back_the_attempt_of_a_run_whose_limit_is_used_up() {
    for (max, expected) in [(300.0, &["src/a.ts"][..]), (650.0, &["src/a.ts", "src/b.ts"])] {
        let chunks = json!([chunk("a", &[]), chunk("b", &["a"])]);
        let roles = Roles::new(chunks, [build("src/a.ts", "a\n"), build("src/b.ts", "b\n")], [ship()]).await;
        let limits = loopgate::run::LimitOptions { max_tokens: Some(max), ..Default::default() };
        let outcome = run(&roles.host, RunOptions { limits, ..options("run-1") }).await;
        assert_eq!(outcome.result().reason, StopReason::Budget, "{max}: {}", outcome.result().message);
        assert_eq!(roles.sources().into_keys().collect::<Vec<_>>(), expected, "{max}");
        let left = if expected.len() == 1 { vec![build("src/a.ts", "a\n")] } else { Vec::new() };
        *roles.builder.borrow_mut() = left.into_iter().chain([build("src/b.ts", "b\n")]).collect();
        let outcome = run(&roles.host, options("run-2")).await;
        assert!(outcome.result().success);
        let first = outcome.events.iter().find_map(|event| match &event.event {
            Event::Chunks(ChunkFact::AttemptStarted { attempt, folder, .. }) => Some((*attempt, folder.as_str())),
            _ => None,
        });
        let chunk = if expected.len() == 1 { "a" } else { "b" };
        let folder = format!("{FOLDER}/iterations/{chunk}/iteration-2");
        assert_eq!(first, Some((2, folder.as_str())), "{max}: attempts of earlier runs count");
        assert_eq!(roles.history().await, ["Add b", "Add a", "by the user"], "{max}");
        let error = run(&roles.host, RunOptions { resume: true, ..options("run-1") }).await.result.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArgument, "{max}: {error}");
    }
}
