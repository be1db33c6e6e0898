//! Verified specs that are committed: `git.commit`.

use super::*;
use crate::engine::chunks::commit_all;
use loopgate::ErrorCode;
use loopgate::run::{BranchFact, ConfigSources, leave_branch, merge_branch};
use loopgate::snapshot::branch::dirty;

const BAR: &str = "specs/area/0002-bar.md";
const OWN: &str = "spec/0001-foo";

/// A committed project with `index.html` and the spec.
async fn committed(roles: Roles) -> Roles {
    roles.host.put("index.html", "<p>1</p>\n<p>2</p>\n<p>3</p>\n<p>4</p>\n<p>5</p>\n");
    commit_all(&roles.host, "refs/heads/main").await;
    roles
}

fn commits(id: &str, git: Value) -> RunOptions {
    let mut layer = json!({ "git": { "commit": true } });
    for (key, value) in git.as_object().unwrap() {
        layer["git"][key] = value.clone();
    }
    let config = ConfigSources { layer: Some(layer), ..ConfigSources::default() };
    let work = Work::Spec { path: Some(SPEC.to_owned()), force: false };
    RunOptions { work, config, ..options(id) }
}

fn all(id: &str, git: Value) -> RunOptions {
    RunOptions { work: Work::Spec { path: None, force: false }, ..commits(id, git) }
}

async fn branch(host: &MemoryHost) -> String {
    host.git.as_ref().unwrap().current_branch().await.unwrap().unwrap_or_default()
}

/// The first lines of the messages of a branch.
async fn history(host: &MemoryHost, branch: &str) -> Vec<String> {
    let (git, mut lines) = (host.git.as_ref().unwrap(), Vec::new());
    let mut next = git.resolve_ref(&format!("refs/heads/{branch}")).await.unwrap();
    while let Some(oid) = next {
        let commit = git.read_commit(&oid).await.unwrap();
        lines.push(commit.message.lines().next().unwrap().to_owned());
        next = commit.parents.first().cloned();
    }
    lines
}

/// The files that the last commit of HEAD changed.
async fn changed(host: &MemoryHost) -> Vec<String> {
    let git = host.git.as_ref().unwrap();
    let head = git.resolve_ref("HEAD").await.unwrap().unwrap();
    let parent = git.read_commit(&head).await.unwrap().parents[0].clone();
    let changes = loopgate::snapshot::diff(host, &parent, Some(&head)).await.unwrap();
    changes.into_iter().map(|change| change.path).collect()
}

async fn dirty_sources(host: &MemoryHost) -> Vec<String> {
    let paths = dirty(host).await.unwrap().into_iter().map(|change| change.path);
    paths.filter(|path| !path.starts_with("runs/")).collect()
}

fn finished(outcome: &Outcome) -> Vec<(Option<String>, Option<String>)> {
    let finished = outcome.facts().filter_map(|fact| match fact {
        SpecFact::SpecFinished { commit, branch, .. } => Some((commit.clone(), branch.clone())),
        _ => None,
    });
    finished.collect()
}

const FILES: [&str; 4] = ["specs/done/0001-foo.md", STATE, PLAN, "src/foo.ts"];

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_verified_spec_is_one_commit_without_the_users_changes_in_a_run_a_resumed_one_and_a_new_one() {
    for (mode, own) in [("spec", OWN), ("current", "main")] {
        for later in ["no", "resume", "run"] {
            let at = format!("{mode}, {later}");
            let fails = Turn::Fail(PortErrorKind::Other);
            let verifier = if later == "no" { vec![verdict("accept", "")] } else { vec![fails, verdict("accept", "")] };
            let builder = Turn::calls([
                write("src/foo.ts", "foo\n"),
                ("edit_file", json!({ "path": "index.html", "old_text": "<p>1</p>", "new_text": "<p>one</p>" })),
                complete(),
            ]);
            let roles = committed(Roles::with([plan("# Plan\n")], [builder], verifier)).await;
            roles.host.put("notes.txt", "mine\n");
            roles.host.put("index.html", "<p>1</p>\n<p>2</p>\n<p>3</p>\n<p>4</p>\n<p>five</p>\n");
            let mut outcome = run(&roles.host, commits("run-1", json!({ "branch": mode }))).await;
            if later != "no" {
                outcome.result.unwrap_err();
                roles.host.put("later.txt", "mine\n");
                let id = if later == "resume" { "run-1" } else { "run-2" };
                let again = commits(id, json!({ "branch": mode }));
                outcome = run(&roles.host, RunOptions { resume: later == "resume", ..again }).await;
            }
            assert!(outcome.result().success, "{at}: {}", outcome.result().message);
            assert!(outcome.result().message.contains(own), "{at}: {}", outcome.result().message);
            assert_eq!(branch(&roles.host).await, own, "{at}");
            assert_eq!(history(&roles.host, own).await, ["Foo", "by the user"], "{at}");
            assert_eq!(history(&roles.host, "main").await.len(), if mode == "spec" { 1 } else { 2 }, "{at}");
            assert_eq!(changed(&roles.host).await, [&["index.html"], FILES.as_slice()].concat(), "{at}");
            let head = roles.host.git.as_ref().unwrap().resolve_ref("HEAD").await.unwrap();
            assert_eq!(finished(&outcome), [(head, Some(own.to_owned()))], "{at}");
            let page = loopgate::snapshot::read_file(&roles.host, "HEAD", "index.html").await.unwrap();
            assert_eq!(
                String::from_utf8(page.unwrap()).unwrap(),
                "<p>one</p>\n<p>2</p>\n<p>3</p>\n<p>4</p>\n<p>5</p>\n",
                "{at}"
            );
            let mine = if later == "no" {
                vec!["index.html", "notes.txt"]
            } else {
                vec!["index.html", "later.txt", "notes.txt"]
            };
            assert_eq!(dirty_sources(&roles.host).await, mine, "{at}");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_change_that_needs_lines_of_the_user_is_a_conflict_before_the_verifier_works() {
    let roles = Roles::with(
        [plan("# Plan\n")],
        [Turn::calls([write("index.html", "<p>the agent's</p>\n"), complete()])],
        [verdict("accept", "")],
    );
    let roles = committed(roles).await;
    roles.host.put("index.html", "<p>draft</p>\n");
    let outcome = run(&roles.host, commits("run-1", json!({}))).await;
    let error = outcome.result.as_ref().unwrap_err();
    assert_eq!((error.code, error.message.contains("index.html")), (ErrorCode::Conflict, true), "{}", error.message);
    assert_eq!(outcome.roles(), [Planner, Builder]);
    assert_eq!((history(&roles.host, OWN).await.len(), roles.host.text(DONE)), (1, None));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_plan_that_the_user_wrote_and_files_that_git_ignores_are_not_in_the_commit() {
    let work = Turn::calls([write("src/foo.ts", "foo\n"), write("local.log", "x\n"), complete()]);
    let roles = Roles::with([], [work], [verdict("accept", "")]);
    roles.host.put(".gitignore", "*.log\n");
    let roles = committed(roles).await;
    roles.host.put(PLAN, "# The user's plan\n");
    let outcome = run(&roles.host, commits("run-1", json!({}))).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(outcome.roles(), [Builder, Verifier]);
    assert_eq!(changed(&roles.host).await, [DONE, "src/foo.ts"]);
    let said = |event: &Event| matches!(event, Event::Status { text } if text.contains("local.log"));
    assert!(outcome.events.iter().any(|envelope| said(&envelope.event)));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_whose_name_the_journal_cannot_have_is_refused_and_not_left_out_of_the_commit() {
    let builder = Turn::calls([write("src/foo.ts", "foo\n"), write("src/hunter2-hunter2.ts", "x\n"), complete()]);
    let mut roles = Roles::with([plan("# Plan\n")], [builder, build("foo\n")], [verdict("accept", "")]);
    roles.host.redactor = loopgate::redact::Redactor::new(["hunter2-hunter2".to_owned()]);
    let roles = committed(roles).await;
    let outcome = run(&roles.host, commits("run-1", json!({}))).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let is_told =
        |event: &Event| matches!(event, Event::ToolResult { output, .. } if output.contains("use another name"));
    assert_eq!(outcome.events.iter().filter(|envelope| is_told(&envelope.event)).count(), 1);
    assert_eq!(
        (changed(&roles.host).await, dirty_sources(&roles.host).await.len()),
        (FILES.map(str::to_owned).to_vec(), 0)
    );
}

/// Two specs, and a model that works on the one in its prompt.
pub(super) async fn two() -> MemoryHost {
    let mut host = MemoryHost::new([(SPEC, "# Foo\nExport foo.\n"), (BAR, "# Bar\nExport bar.\n")]);
    host.put("index.html", "<p>hi</p>\n");
    host.model = Some(ScriptedModel::answering(|request| {
        let prompt = serde_json::to_string(&request.messages).unwrap();
        let (plan, source) = match prompt.contains("- spec: specs/area/0002-bar.md") {
            true => ("specs/plans/area/0002-bar.md", "src/bar.ts"),
            false => (PLAN, "src/foo.ts"),
        };
        match request.role {
            Planner => Turn::calls([write(plan, "# Plan\n"), complete()]),
            Verifier => verdict("accept", ""),
            _ => build_at(source),
        }
    }));
    commit_all(&host, "refs/heads/main").await;
    host
}

fn build_at(path: &str) -> Turn {
    Turn::calls([write(path, "export {};\n"), complete()])
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn each_spec_of_a_run_has_a_branch_from_the_users_branch_unless_they_share_it() {
    let host = two().await;
    let outcome = run(&host, all("run-1", json!({ "after": "return" }))).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(history(&host, OWN).await, ["Foo", "by the user"]);
    assert_eq!(history(&host, "spec/area/0002-bar").await, ["Bar", "by the user"]);
    assert_eq!(branch(&host).await, "main");
    assert_eq!((host.text("src/foo.ts"), host.text(DONE), host.text(STATE)), (None, None, None));
    assert_eq!(dirty_sources(&host).await, [""; 0]);
    let edits = outcome.events.iter().filter(|envelope| matches!(envelope.event, Event::UserChanged { .. }));
    assert_eq!(edits.count(), 0, "a checkout is no change of the user");

    // Nothing is done twice, and the branches can be merged.
    let again = run(&host, all("run-2", json!({}))).await;
    assert_eq!((again.result().reason, again.roles().len()), (StopReason::NothingToDo, 0));
    merge_branch(&host, "0001-foo").await.unwrap();
    merge_branch(&host, "area/0002-bar").await.unwrap();
    assert!(host.text("src/foo.ts").is_some() && host.text("src/bar.ts").is_some() && host.text(DONE).is_some());

    let host = two().await;
    let outcome = run(&host, all("run-1", json!({ "branch": "current" }))).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(history(&host, "main").await, ["Bar", "Foo", "by the user"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_branch_of_a_spec_is_left_and_merged_like_one_of_chunks() {
    let host = two().await;
    run(&host, commits("run-1", json!({}))).await.result.unwrap();
    assert_eq!(branch(&host).await, OWN);
    assert_eq!(leave_branch(&host).await.unwrap(), "main");
    assert_eq!((branch(&host).await.as_str(), host.text("src/foo.ts")), ("main", None));
    assert!(merge_branch(&host, "0001-foo").await.unwrap().fast_forward);
    assert_eq!(merge_branch(&host, "0009-none").await.unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(merge_branch(&host, "../foo").await.unwrap_err().code, ErrorCode::InvalidArgument);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_repository_that_cannot_have_the_commit_is_refused_before_any_model_call() {
    let refused = async |host: &MemoryHost, git: Value, code: ErrorCode, words: &str| {
        let outcome = run(host, commits("run-1", git)).await;
        let error = outcome.result.as_ref().unwrap_err();
        assert!(error.code == code && error.message.contains(words), "{:?} {}", error.code, error.message);
        assert_eq!(host.model.as_ref().unwrap().used(), 0);
    };
    let roles = Roles::new();
    roles.host.git.as_ref().unwrap().init().await.unwrap();
    refused(&roles.host, json!({}), ErrorCode::Conflict, "first commit").await;
    let roles = committed(Roles::new()).await;
    refused(&roles.host, json!({ "base": "develop" }), ErrorCode::InvalidConfig, "develop").await;
    let roles = committed(Roles::new()).await;
    roles.host.put(".git/MERGE_HEAD", "0123456789012345678901234567890123456789\n");
    refused(&roles.host, json!({}), ErrorCode::Conflict, "merge").await;
    let roles = committed(Roles::new()).await;
    roles.host.put("old.txt", "1\n");
    commit_all(&roles.host, "refs/heads/old").await;
    roles.host.put("old.txt", "mine\n");
    refused(&roles.host, json!({ "base": "main" }), ErrorCode::Conflict, "old.txt").await;
    // The spec is not committed where its branch would start.
    let host = MemoryHost::new([("index.html", "<p>hi</p>")]);
    commit_all(&host, "refs/heads/main").await;
    let roles = Roles { host: host.with(|ports| ports.model = Roles::new().host.model.clone()), ..Roles::new() };
    roles.host.put(SPEC, "# Foo\n");
    commit_all(&roles.host, "refs/heads/work").await;
    refused(&roles.host, json!({ "base": "main" }), ErrorCode::Conflict, SPEC).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn commits_of_the_user_are_followed_and_head_elsewhere_is_refused_before_any_model_call() {
    let roles =
        Roles::with([plan("# Plan\n")], [build("foo\n")], [Turn::Fail(PortErrorKind::Other), verdict("accept", "")]);
    let roles = committed(roles).await;
    run(&roles.host, commits("run-1", json!({}))).await.result.unwrap_err();
    let git = roles.host.git.as_ref().unwrap();
    git.write_head("main").await.unwrap();
    let resumed = RunOptions { resume: true, ..commits("run-1", json!({})) };
    let calls = roles.host.model.as_ref().unwrap().used();
    let outcome = run(&roles.host, resumed).await;
    let error = outcome.result.as_ref().unwrap_err();
    assert_eq!((error.code, error.message.contains(OWN)), (ErrorCode::Conflict, true), "{}", error.message);
    assert_eq!(roles.host.model.as_ref().unwrap().used(), calls);

    git.write_head(OWN).await.unwrap();
    let head = git.resolve_ref("HEAD").await.unwrap().unwrap();
    let base = git.read_commit(&head).await.unwrap();
    let own = loopgate::port::Commit { parents: vec![head], message: "mine\n".to_owned(), ..base };
    let oid = git.write_commit(&own).await.unwrap();
    git.write_ref(&format!("refs/heads/{OWN}"), &oid).await.unwrap();
    let outcome = run(&roles.host, RunOptions { resume: true, ..commits("run-1", json!({})) }).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(history(&roles.host, OWN).await, ["Foo", "mine", "by the user"]);
    let moved = |event: &Event| matches!(event, Event::Branch(BranchFact::BranchMoved { to, .. }) if *to == oid);
    assert!(outcome.events.iter().any(|envelope| moved(&envelope.event)));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_commit_of_the_implementer_is_taken_back_because_the_harness_commits() {
    let work = Turn::calls([write("src/foo.ts", "foo\n"), ("shell", json!({ "command": "git commit" })), complete()]);
    let mut roles = committed(Roles::with([plan("# Plan\n")], [work], [verdict("accept", "")])).await;
    let git = roles.host.git.clone().unwrap();
    roles.host.shell = Some(MemoryShell::new(move |_| {
        let commit = async {
            let head = git.resolve_ref("HEAD").await.unwrap().unwrap();
            let base = git.read_commit(&head).await.unwrap();
            let own = loopgate::port::Commit { parents: vec![head], message: "agent's\n".to_owned(), ..base };
            let oid = git.write_commit(&own).await.unwrap();
            git.write_ref(&format!("refs/heads/{OWN}"), &oid).await.unwrap();
        };
        futures_util::future::FutureExt::now_or_never(commit).unwrap();
        ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    }));
    let outcome = run(&roles.host, commits("run-1", json!({}))).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(history(&roles.host, OWN).await, ["Foo", "by the user"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn more_work_after_the_commit_is_a_second_commit_and_the_same_message_is_not_committed_twice() {
    let roles = Roles::with([plan("# Plan\n")], [build("foo\n"), build("more\n")], [verdict("accept", "")]);
    let roles = committed(roles).await;
    let control = RunControl::default();
    let events = RefCell::new(0);
    let listener = |envelope: &Envelope, _: &str| {
        if matches!(envelope.event, Event::Specs(SpecFact::SpecFinished { .. })) && *events.borrow() == 0 {
            *events.borrow_mut() += 1;
            control.steering.borrow_mut().push("say more".to_owned());
        }
    };
    let result = drive(&roles.host, commits("run-1", json!({})), &control, &listener).await.unwrap();
    assert!(result.success, "{}", result.message);
    assert_eq!(history(&roles.host, OWN).await, ["Foo", "Foo", "by the user"]);
    assert_eq!(roles.host.text("src/foo.ts").as_deref(), Some("more\n"));
    assert_eq!(dirty_sources(&roles.host).await, [""; 0]);
}

/// A run whose verifier failed once, so that another one goes on.
async fn interrupted() -> Roles {
    let verifier = [Turn::Fail(PortErrorKind::Other), verdict("accept", "")];
    let roles = committed(Roles::with([plan("# Plan\n")], [build("foo\n")], verifier)).await;
    run(&roles.host, commits("run-1", json!({}))).await.result.unwrap_err();
    roles
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_text_of_the_spec_that_its_branch_lacks_is_refused_and_one_that_head_lacks_is_used() {
    let edited = "# Foo\nExport foo and bar.\n";
    let roles = interrupted().await;
    roles.host.put("mine.txt", "mine\n");
    commit_all(&roles.host, &format!("refs/heads/{OWN}")).await;
    leave_branch(&roles.host).await.unwrap();
    roles.host.put(SPEC, edited);
    commit_all(&roles.host, "refs/heads/main").await;
    let outcome = run(&roles.host, commits("run-2", json!({}))).await;
    let error = outcome.result.as_ref().unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Conflict, Some(SPEC)), "{}", error.message);
    assert_eq!((outcome.roles().len(), branch(&roles.host).await.as_str()), (0, "main"));

    let roles = committed(Roles::new()).await;
    let git = roles.host.git.as_ref().unwrap();
    let main = git.resolve_ref("HEAD").await.unwrap().unwrap();
    git.write_ref("refs/heads/develop", &main).await.unwrap();
    roles.host.put(SPEC, edited);
    commit_all(&roles.host, "refs/heads/develop").await;
    git.write_head("main").await.unwrap();
    roles.host.put(SPEC, "# Foo\nExport foo.\n");
    let outcome = run(&roles.host, commits("run-1", json!({ "base": "develop" }))).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.host.text(SPEC).as_deref(), Some(edited));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_branch_without_own_commits_or_that_is_merged_goes_on_where_its_base_is() {
    for force in [false, true] {
        let roles = interrupted().await;
        if force {
            run(&roles.host, RunOptions { resume: true, ..commits("run-1", json!({})) }).await.result.unwrap();
            merge_branch(&roles.host, "0001-foo").await.unwrap();
            *roles.builder.borrow_mut() = [build("more\n")].into();
        } else {
            leave_branch(&roles.host).await.unwrap();
        }
        let edited = "# Foo\nExport foo and bar.\n";
        roles.host.put(SPEC, edited);
        // What the interrupted run left is not committed.
        let left = ["src/foo.ts", PLAN, STATE, CANDIDATE].map(|path| (path, roles.host.text(path).filter(|_| !force)));
        left.iter()
            .filter(|(_, text)| text.is_some())
            .for_each(|(path, _)| roles.host.fs.delete(&format!("/project/{path}")));
        commit_all(&roles.host, "refs/heads/main").await;
        left.iter().for_each(|(path, text)| text.iter().for_each(|text| roles.host.put(path, text)));
        let work = Work::Spec { path: Some(SPEC.to_owned()), force };
        let outcome = run(&roles.host, RunOptions { work, ..commits("run-2", json!({})) }).await;
        assert!(outcome.result().success, "{force}: {}", outcome.result().message);
        assert_eq!(roles.host.text(SPEC).as_deref(), Some(edited), "{force}");
        let expected = ["Foo", "by the user", if force { "Foo" } else { "by the user" }, "by the user"];
        assert_eq!(history(&roles.host, OWN).await, expected[..if force { 4 } else { 3 }], "{force}");
        assert_eq!(history(&roles.host, "main").await, expected[1..if force { 4 } else { 3 }], "{force}");
        assert_eq!(dirty_sources(&roles.host).await, [""; 0], "{force}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn specs_whose_branches_git_cannot_have_beside_each_other_are_refused_before_any_model_call() {
    for (other, is_earlier) in [("specs/0001-foo/0002-bar.md", false), ("specs/0001-foo/0000-bar.md", true)] {
        let roles = Roles::new();
        roles.host.put(other, "# Bar\n");
        let roles = committed(roles).await;
        let mut options = all("run-1", json!({}));
        if is_earlier {
            let mut earlier = roles.host.clone();
            earlier.model = Some(ScriptedModel::new([Turn::Fail(PortErrorKind::Other)]));
            let work = Work::Spec { path: Some(other.to_owned()), force: false };
            run(&earlier, RunOptions { work, ..commits("run-0", json!({})) }).await.result.unwrap_err();
            options = commits("run-1", json!({}));
        }
        let outcome = run(&roles.host, options).await;
        let error = outcome.result.as_ref().unwrap_err();
        assert!(error.code == ErrorCode::Conflict && error.message.contains("rename"), "{other}: {}", error.message);
        assert_eq!(roles.host.model.as_ref().unwrap().used(), 0, "{other}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_message_after_the_branch_was_left_is_worked_on_there() {
    for is_closed in [false, true] {
        let roles = Roles::with([plan("# Plan\n")], [build("foo\n"), build("more\n")], [verdict("accept", "")]);
        let roles = committed(roles).await;
        let options = || commits("run-1", json!({ "after": "return" }));
        let (control, is_left) = (RunControl::default(), Cell::new(false));
        let listener = |envelope: &Envelope, _: &str| {
            let said = matches!(&envelope.event, Event::Status { text } if text.contains("is checked out again"));
            if said && !is_left.replace(true) {
                match is_closed {
                    true => roles.host.fs.fail_write(0, loopgate::port::memory::Fault::Crash),
                    false => control.steering.borrow_mut().push("say more".to_owned()),
                }
            }
        };
        let mut result = drive(&roles.host, options(), &control, &listener).await;
        if is_closed {
            result.unwrap_err();
            roles.host.fs.heal();
            let control = RunControl::default();
            control.steering.borrow_mut().push("say more".to_owned());
            result = drive(&roles.host, RunOptions { resume: true, ..options() }, &control, &|_, _| {}).await;
        }
        assert!(result.unwrap().success);
        assert_eq!(history(&roles.host, OWN).await, ["Foo", "Foo", "by the user"], "{is_closed}");
        assert_eq!((branch(&roles.host).await.as_str(), dirty_sources(&roles.host).await.len()), ("main", 0));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_spec_that_began_without_commits_is_not_committed_and_the_result_says_so() {
    let verifier = [Turn::Fail(PortErrorKind::Other), verdict("accept", "")];
    let roles = committed(Roles::with([plan("# Plan\n")], [build("foo\n")], verifier)).await;
    run(&roles.host, options("run-1")).await.result.unwrap_err();
    let outcome = run(&roles.host, RunOptions { resume: true, ..commits("run-1", json!({})) }).await;
    assert!(outcome.result().message.ends_with("is verified; nothing is committed."), "{}", outcome.result().message);
    assert_eq!((branch(&roles.host).await.as_str(), finished(&outcome)), ("main", vec![(None, None)]));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn no_role_works_on_a_branch_that_the_user_switched_to() {
    let roles = committed(Roles::new()).await;
    let git = roles.host.git.clone().unwrap();
    let roles_that_worked = RefCell::new(Vec::new());
    let listener = |envelope: &Envelope, _: &str| match &envelope.event {
        Event::IterationStarted { role, .. } => roles_that_worked.borrow_mut().push(*role),
        Event::Specs(SpecFact::PlanAccepted { .. }) => {
            futures_util::future::FutureExt::now_or_never(git.write_head("main")).unwrap().unwrap();
        }
        _ => {}
    };
    let result = drive(&roles.host, commits("run-1", json!({})), &RunControl::default(), &listener).await;
    assert_eq!(result.unwrap_err().code, ErrorCode::Conflict);
    assert_eq!(*roles_that_worked.borrow(), [Planner]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_candidate_that_the_user_committed_with_the_work_is_gone_after_the_commit_of_the_spec() {
    for resume in [true, false] {
        let roles = interrupted().await;
        commit_all(&roles.host, &format!("refs/heads/{OWN}")).await;
        let id = if resume { "run-1" } else { "run-2" };
        let outcome = run(&roles.host, RunOptions { resume, ..commits(id, json!({})) }).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        assert_eq!(changed(&roles.host).await, [CANDIDATE, DONE]);
        assert_eq!(dirty_sources(&roles.host).await, [""; 0]);
    }
}

#[cfg(not(target_family = "wasm"))]
#[tokio::test]
async fn a_new_run_after_a_page_that_closed_at_the_commit_commits_once() {
    let mut writes = 0;
    for number in 0.. {
        let mut roles = Roles::with([plan("# Plan\n")], [build("foo\n")], [verdict("accept", "")]);
        roles.host.git = Some(loopgate::port::memory::MemoryGit::new(&roles.host.fs, "/project/.git"));
        let roles = committed(roles).await;
        let before = roles.host.fs.writes();
        roles.host.fs.fail_write(before + number, loopgate::port::memory::Fault::Crash);
        let first = run(&roles.host, commits("run-1", json!({}))).await;
        roles.host.fs.heal();
        if first.result.is_ok() {
            break;
        }
        writes += 1;
        let mut outcome = run(&roles.host, commits("run-2", json!({}))).await;
        if outcome.result.as_ref().is_err_and(|error| error.code == ErrorCode::Locked) {
            outcome = run(&roles.host, commits("run-3", json!({}))).await;
        }
        let result = outcome.result();
        assert!(result.success || result.reason == StopReason::NothingToDo, "write {number}: {}", result.message);
        assert_eq!(history(&roles.host, OWN).await, ["Foo", "by the user"], "write {number}");
        assert_eq!(changed(&roles.host).await, FILES, "write {number}");
    }
    assert!(writes > 50, "{writes}");
}

#[cfg(not(target_family = "wasm"))]
#[tokio::test]
async fn a_new_run_after_a_page_that_closed_while_the_branch_was_left_repeats_nothing() {
    for number in 0.. {
        let mut roles = Roles::with([plan("# Plan\n")], [build("foo\n")], [verdict("accept", "")]);
        roles.host.git = Some(loopgate::port::memory::MemoryGit::new(&roles.host.fs, "/project/.git"));
        let roles = committed(roles).await;
        let files = roles.host.fs.clone();
        let listener = |envelope: &Envelope, _: &str| {
            if matches!(&envelope.event, Event::Specs(SpecFact::SpecFinished { .. })) {
                files.fail_write(number, loopgate::port::memory::Fault::Crash);
            }
        };
        let options = |id| commits(id, json!({ "after": "return" }));
        let first = drive(&roles.host, options("run-1"), &RunControl::default(), &listener).await;
        roles.host.fs.heal();
        if first.is_ok() {
            assert!(number > 10, "{number}");
            break;
        }
        let outcome = run(&roles.host, options("run-2")).await;
        assert_eq!((outcome.result().reason, outcome.roles().len()), (StopReason::NothingToDo, 0), "write {number}");
        assert_eq!(history(&roles.host, OWN).await, ["Foo", "by the user"], "write {number}");
        if branch(&roles.host).await != "main" {
            leave_branch(&roles.host).await.unwrap();
        }
        assert_eq!(dirty_sources(&roles.host).await, [""; 0], "write {number}");
    }
}
