//! Questions that outlive their page, and what happens to them meanwhile.

use super::*;
use loopgate::port::memory::{Fault, MemoryHooks, MemoryShell};
use loopgate::port::{Answer, Question, ShellOutput};
use loopgate::run::{find_unfinished, list_runs};
use std::cell::Cell;

fn proposal(chunks: &Value) -> Turn {
    Turn::call("complete_task", json!({ "chunks": chunks }))
}

/// A project whose planner proposes the chunk `a`.
async fn proposing() -> Roles {
    let roles = Roles::new(Value::Null, [build("src/a.ts", "a\n"), build("src/b.ts", "b\n")], [ship()]).await;
    *roles.planner.borrow_mut() = [proposal(&json!([chunk("a", &[])]))].into();
    roles
}

/// A project with the chunk `a`, and work for a message after it.
async fn given() -> Roles {
    Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n"), build("src/more.ts", "more\n")], [ship()]).await
}

fn answering(question: &Question) -> RunOptions {
    RunOptions { resume: true, answers: [(question.id.clone(), Answer::allow())].into(), ..options("run-1") }
}

fn resuming() -> RunOptions {
    RunOptions { resume: true, ..options("run-1") }
}

/// Runs, and calls `react` at the first event that `is_there` selects.
async fn run_until(
    host: &MemoryHost,
    options: RunOptions,
    is_there: fn(&Event) -> bool,
    react: impl Fn(&RunControl),
) -> Outcome {
    let (events, control, is_done) = (RefCell::new(Vec::new()), RunControl::default(), Cell::new(false));
    let result = drive(host, options, &control, &|envelope, _| {
        if is_there(&envelope.event) && !is_done.replace(true) {
            react(&control);
        }
        events.borrow_mut().push(envelope.clone());
    })
    .await;
    Outcome { events: events.into_inner(), result }
}

fn is_unanswered(event: &Event) -> bool {
    matches!(event, Event::QuestionUnanswered { .. })
}

fn is_asked(event: &Event) -> bool {
    matches!(event, Event::QuestionAsked { .. })
}

fn say_more(control: &RunControl) {
    control.steering.borrow_mut().push("Add more.".to_owned());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_page_that_is_closed_before_the_run_waits_takes_no_answer_away() {
    for roles in [proposing().await, given().await] {
        let fs = roles.host.fs.clone();
        let outcome = run_until(&roles.host, options("run-1"), is_unanswered, |_| fs.fail_write(0, Fault::Crash)).await;
        outcome.result.unwrap_err();
        roles.host.fs.heal();
        let found = find_unfinished(roles.host.project()).await.unwrap().unwrap();
        let outcome = run(&roles.host, answering(&found.questions[0])).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn more_work_comes_before_the_pull_request_which_is_asked_again() {
    let roles = given().await;
    let outcome = run_until(&roles.host, options("run-1"), is_asked, say_more).await;
    assert_eq!((roles.history().await.len(), outcome.result().questions[0].id.as_str()), (3, "pull-request-2"));

    // The same, at the resume of a run that is done.
    let roles = given().await;
    run(&roles.host, options("run-1")).await.result.unwrap();
    let is_resumed = |event: &Event| matches!(event, Event::RunResumed { .. });
    let outcome = run_until(&roles.host, resuming(), is_resumed, say_more).await;
    assert_eq!((roles.history().await.len(), outcome.result().questions[0].id.as_str()), (3, "pull-request-2"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_limit_that_ends_more_work_leaves_no_question_about_the_pull_request() {
    let turns = [build("src/a.ts", "a\n"), Turn::Text("no".to_owned())];
    let roles = Roles::new(json!([chunk("a", &[])]), turns, [ship()]).await;
    let outcome = run_until(&roles.host, options("run-1"), is_asked, say_more).await;
    assert_eq!((outcome.result().success, outcome.result().questions.len()), (false, 0));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_hook_whose_page_was_closed_is_called_for_the_next_pull_request() {
    let calls = Rc::new(Cell::new(0));
    let mut roles = given().await;
    let (fs, counted) = (roles.host.fs.clone(), calls.clone());
    roles.host.hooks = Some(MemoryHooks::default().pull_request(move |_| {
        counted.set(counted.get() + 1);
        if counted.get() == 1 {
            fs.fail_write(0, Fault::Crash);
        }
        Ok(())
    }));
    run(&roles.host, options("run-1")).await.result.unwrap_err();
    roles.host.fs.heal();
    run_until(&roles.host, resuming(), is_unanswered, say_more).await.result.unwrap();
    assert_eq!((roles.history().await.len(), calls.get()), (3, 2));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_hook_that_cannot_open_the_pull_request_leaves_the_question_open() {
    let mut roles = given().await;
    let offline =
        || loopgate::port::PortError::new("hook", "pullRequest", loopgate::port::PortErrorKind::Other, "offline");
    roles.host.hooks = Some(MemoryHooks::default().pull_request(move |_| Err(offline())));
    let result = run(&roles.host, options("run-1")).await.result.unwrap();
    assert_eq!((result.reason, result.questions.len()), (StopReason::Done, 1));
    roles.host.hooks = Some(MemoryHooks::default().pull_request(|_| Ok(())));
    assert_eq!(run(&roles.host, resuming()).await.result().questions, []);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_answer_overwrites_no_chunks_of_the_user_and_no_state_of_a_later_run() {
    let roles = proposing().await;
    let question = run(&roles.host, options("run-1")).await.result().questions[0].clone();
    let own = json!([chunk("mine", &[])]).to_string();
    roles.host.put(&format!("{FOLDER}/chunks.json"), &own);
    let error = run(&roles.host, answering(&question)).await.result.unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Conflict, Some(".handoff/specs/shop/chunks.json")));
    assert_eq!(roles.host.text(&format!("{FOLDER}/chunks.json")), Some(own));

    let roles = given().await;
    let question = run(&roles.host, options("run-1")).await.result().questions[0].clone();
    let more = json!([chunk("a", &[]), chunk("b", &["a"])]);
    roles.host.put(&format!("{FOLDER}/chunks.json"), &more.to_string());
    assert!(run(&roles.host, options("run-2")).await.result().success);
    let before = roles.record("state.json");
    assert!(run(&roles.host, answering(&question)).await.result().success);
    assert_eq!(roles.record("state.json"), before);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn chunks_that_are_unusable_without_the_hosts_secrets_are_not_replaced_by_the_proposal() {
    let mut roles = proposing().await;
    roles.host.redactor = loopgate::redact::Redactor::new(["hunter2secret".to_owned()]);
    let edited = json!([chunk("use-hunter2secret", &[])]);
    let answer = move |_: &Value| Answer { value: Some(edited.clone()), ..Answer::allow() };
    roles.host.hooks = Some(MemoryHooks::default().approve_chunks(answer));
    let error = run(&roles.host, options("run-1")).await.result.unwrap_err();
    assert_eq!((error.code, roles.history().await.len()), (ErrorCode::InvalidArgument, 1), "{}", error.message);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_a_command_did_is_a_fact_also_if_its_record_cannot_be_written() {
    let mut roles = given().await;
    let config = "verification: { enabled: true, steps: [{ name: Types, command: tsc }] }\n";
    roles.host.put(".handoff/config.yaml", config);
    let ok = || ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() };
    roles.host.shell = Some(MemoryShell::new(move |_| ok()));
    let fs = roles.host.fs.clone();
    let is_checked = |event: &Event| {
        matches!(event, Event::Verification(loopgate::run::VerificationFact::VerificationChecked { .. }))
    };
    let outcome = run_until(&roles.host, options("run-1"), is_checked, |_| fs.fail_write(0, Fault::Fail)).await;
    outcome.result.unwrap_err();
    roles.host.fs.heal();
    roles.host.put("src/user.ts", "by the user\n");
    assert!(run(&roles.host, resuming()).await.result().success);
    assert_eq!(roles.host.text("src/user.ts").as_deref(), Some("by the user\n"));
}

/// Two files of a chunk; the second one asks.
async fn half_done() -> (Roles, Outcome) {
    let roles = given().await;
    roles.host.put(".handoff/config.yaml", "policy: [{ decision: ask, path: src/a.ts }]\n");
    let both = Turn::calls([write("src/half.ts", "half\n"), write("src/a.ts", "a\n"), done("Wrote it.")]);
    roles.builder.borrow_mut().push_front(both);
    let waiting = run(&roles.host, options("run-1")).await;
    assert_eq!(waiting.result.as_ref().unwrap().reason, StopReason::Waiting);
    assert_eq!(roles.host.text("src/half.ts").as_deref(), Some("half\n"), "the attempt is open");
    (roles, waiting)
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_executor_that_asks_about_a_call_goes_on_with_its_attempt() {
    let (roles, waiting) = half_done().await;
    let done = run(&roles.host, answering(&waiting.result.unwrap().questions[0])).await;
    assert_eq!(done.result.as_ref().unwrap().reason, StopReason::Done, "{:?}", done.result);
    let committed = done.events.iter().find_map(|envelope| match &envelope.event {
        Event::Chunks(ChunkFact::ChunkCommitted { files, .. }) => {
            Some(files.iter().map(|file| file.path.clone()).collect::<Vec<_>>())
        }
        _ => None,
    });
    assert_eq!(committed.unwrap(), ["src/a.ts", "src/half.ts"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn another_run_takes_back_an_attempt_that_waits() {
    let (roles, _) = half_done().await;
    roles.host.put(".handoff/config.yaml", "rules: []\n");
    let other = run(&roles.host, options("run-2")).await;
    assert_eq!(other.result.as_ref().unwrap().reason, StopReason::Done, "{:?}", other.result);
    assert_eq!(roles.host.text("src/half.ts"), None);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_done_run_that_asks_for_a_pull_request_is_removed_like_other_done_runs() {
    let roles = given().await;
    roles.host.put(".handoff/config.yaml", "runs: { keep: 1 }\n");
    roles.host.put(".handoff/specs/tea/chunks.json", &json!([chunk("more", &[])]).to_string());
    for spec in ["shop", "tea"] {
        let work = Work::Chunks { spec: spec.to_owned(), only: None };
        let outcome = run(&roles.host, RunOptions { work, ..options(spec) }).await;
        assert_eq!((outcome.result().reason, outcome.result().questions.len()), (StopReason::Done, 1));
    }
    let listed = list_runs(roles.host.project()).await.unwrap();
    assert_eq!(listed.iter().map(|run| run.run_id.as_str()).collect::<Vec<_>>(), ["tea"]);
}
