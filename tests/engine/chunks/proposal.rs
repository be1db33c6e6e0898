//! From a spec to chunks.

use super::*;
use loopgate::port::memory::MemoryHooks;
use loopgate::port::{Answer, Decision, Question};
use loopgate::run::find_unfinished;
use std::cell::Cell;

fn proposal(chunks: &Value) -> Turn {
    Turn::call("complete_task", json!({ "chunks": chunks }))
}

async fn roles(planner: impl IntoIterator<Item = Turn>) -> Roles {
    let roles = Roles::new(Value::Null, [build("src/a.ts", "a\n"), build("src/b.ts", "b\n")], [ship()]).await;
    *roles.planner.borrow_mut() = planner.into_iter().collect();
    roles
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn nothing_runs_before_the_proposed_chunks_are_approved() {
    let list = json!([chunk("a", &[])]);
    let roles = roles([proposal(&list)]).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert_eq!(outcome.result().reason, StopReason::Waiting, "{}", outcome.result().message);
    assert_eq!((roles.prompts(AgentRole::Builder).len(), roles.history().await.len()), (0, 1));
    assert_eq!(roles.host.text(&format!("{FOLDER}/chunks.json")), None);
    let proposed: Value = serde_json::from_str(&roles.record("proposed.json")).unwrap();
    assert_eq!(proposed[0]["id"], "a");
    // The user saves them as the spec's chunks.
    roles.host.put(&format!("{FOLDER}/chunks.json"), &roles.record("proposed.json"));
    assert!(run(&roles.host, options("run-2")).await.result().success);
    assert_eq!(roles.prompts(AgentRole::Planner).len(), 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_hook_approves_edits_or_denies() {
    let list = json!([chunk("a", &[])]);
    let mut denied = roles([proposal(&list)]).await;
    denied.host.hooks = Some(MemoryHooks::default().approve_chunks(|_| Answer::deny("too coarse".to_owned())));
    let outcome = run(&denied.host, options("run-1")).await;
    assert_eq!(outcome.result().reason, StopReason::Blocked);
    assert!(outcome.result().message.contains("too coarse"));
    assert_eq!(denied.prompts(AgentRole::Builder).len(), 0);

    let mut edited = roles([proposal(&list)]).await;
    let hooks = MemoryHooks::default().approve_chunks(|chunks| {
        let mut chunks = chunks.as_array().unwrap().clone();
        chunks.push(chunk("b", &["a"]));
        Answer { value: Some(chunks.into()), ..Answer::allow() }
    });
    edited.host.hooks = Some(hooks);
    let outcome = run(&edited.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(edited.history().await, ["Add b", "Add a", "by the user"]);
    let dirty = loopgate::snapshot::branch::dirty(&edited.host).await.unwrap();
    assert!(dirty.is_empty(), "the approved list is committed: {dirty:?}");
    assert_eq!(edited.prompts(AgentRole::Reviewer).iter().filter(|prompt| prompt.contains("chunks.json")).count(), 0);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_unusable_proposal_is_asked_for_again_with_the_reason() {
    let cycle = json!([chunk("a", &["b"]), chunk("b", &["a"])]);
    let mut roles =
        roles([proposal(&cycle), Turn::Text("two chunks".to_owned()), proposal(&json!([chunk("a", &[])]))]).await;
    roles.host.hooks = Some(MemoryHooks::default().approve_chunks(|_| Answer::allow()));
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let prompts = roles.prompts(AgentRole::Planner);
    assert!(
        prompts[0].contains("Sell things.") && prompts[1].contains("a → b → a") && prompts[2].contains("no chunks")
    );
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_hook_that_never_answers_can_be_aborted_and_the_project_is_free_then() {
    for (hook, work) in [("approveChunks", json!(null)), ("pullRequest", json!([chunk("a", &[])]))] {
        let mut roles = Roles::new(work, [build("src/a.ts", "a\n")], [ship()]).await;
        *roles.planner.borrow_mut() = [proposal(&json!([chunk("a", &[])]))].into();
        let control = RunControl::default();
        let [at_proposal, at_draft] = [control.abort.clone(), control.abort.clone()];
        let hooks = MemoryHooks::default().silent(hook).approve_chunks(move |_| {
            at_proposal.fire("the user does not wait");
            Answer::allow()
        });
        roles.host.hooks = Some(hooks.pull_request(move |_| {
            at_draft.fire("the user does not wait");
            Ok(())
        }));
        let result = drive(&roles.host, options("run-1"), &control, &|_, _| {}).await.unwrap();
        assert_eq!(result.reason, StopReason::Aborted, "{hook}");
        roles.host.hooks = Some(MemoryHooks::default().approve_chunks(|_| Answer::allow()));
        assert!(run(&roles.host, options("run-2")).await.result().success, "{hook}");
    }
}

/// A project whose proposal of the chunk `a` waits for an answer, and the question.
async fn waiting() -> (Roles, Question) {
    let roles = roles([proposal(&json!([chunk("a", &[])])), proposal(&json!([chunk("b", &[])]))]).await;
    let result = run(&roles.host, options("run-1")).await.result.unwrap();
    assert_eq!(result.reason, StopReason::Waiting);
    let question = result.questions[0].clone();
    (roles, question)
}

fn answering(question: &Question, answer: Answer) -> RunOptions {
    RunOptions { resume: true, answers: [(question.id.clone(), answer)].into(), ..options("run-1") }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn another_page_finds_the_question_and_its_answer_continues_the_run() {
    let (roles, question) = waiting().await;
    let found = find_unfinished(loopgate::port::Host::project(&roles.host)).await.unwrap().unwrap();
    assert_eq!((found.questions, &question.details[0]["id"]), (vec![question.clone()], &json!("a")));
    let edited = json!([chunk("a", &[]), chunk("b", &["a"])]);
    let note = Some("Use tabs.".to_owned());
    let outcome = run(&roles.host, answering(&question, Answer { note, value: Some(edited), ..Answer::allow() })).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.history().await, ["Add b", "Add a", "by the user"]);
    let builders = roles.prompts(AgentRole::Builder);
    assert!(builders.len() == 2 && builders.iter().all(|prompt| prompt.contains("Use tabs.")));
    assert_eq!(roles.prompts(AgentRole::Planner).len(), 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn revise_sends_the_proposal_back_with_the_reason() {
    let (roles, question) = waiting().await;
    let revise = Answer { decision: Decision::Revise, ..Answer::deny("Call it b.".to_owned()) };
    let result = run(&roles.host, answering(&question, revise.clone())).await.result.unwrap();
    assert_eq!((result.reason, result.questions[0].id.as_str()), (StopReason::Waiting, "chunks-2"));
    assert!(roles.prompts(AgentRole::Planner)[1].contains("Call it b."));
    // The answers of a page that is late change nothing.
    let late = RunOptions {
        answers: [(question.id, revise), ("chunks-2".to_owned(), Answer::allow())].into(),
        resume: true,
        ..options("run-1")
    };
    assert!(run(&roles.host, late).await.result().success);
    assert_eq!(roles.history().await, ["Add b", "by the user"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_answer_that_does_not_fit_is_refused_and_the_question_stays_open() {
    let (roles, question) = waiting().await;
    let unusable = Answer { value: Some(json!([{ "id": "a" }])), ..Answer::allow() };
    let other = Question { id: "chunks-7".to_owned(), ..question.clone() };
    for (question, answer) in [(&question, unusable), (&other, Answer::allow())] {
        let error = run(&roles.host, answering(question, answer)).await.result.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArgument);
        assert!(error.message.contains(&question.id), "{}", error.message);
    }
    assert!(run(&roles.host, answering(&question, Answer::allow())).await.result().success);
    let error = run(&roles.host, RunOptions { resume: false, ..answering(&question, Answer::allow()) }).await;
    assert!(error.result.unwrap_err().message.contains("resume"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_pull_request_that_no_hook_opened_is_a_question_of_the_finished_run() {
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
    let result = run(&roles.host, options("run-1")).await.result.unwrap();
    assert_eq!((result.reason, &result.questions[0].details["branch"]), (StopReason::Done, &json!("spec/shop")));
    let host = &roles.host;
    assert_eq!(find_unfinished(loopgate::port::Host::project(host)).await.unwrap(), None);
    let result = run(host, answering(&result.questions[0], Answer::allow())).await.result.unwrap();
    assert_eq!((result.reason, result.questions), (StopReason::Done, Vec::new()));
    let error = run(host, RunOptions { resume: true, ..options("run-1") }).await.result.unwrap_err();
    assert!(error.message.contains("is finished"), "{}", error.message);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_pull_request_whose_hook_a_closed_page_had_called_is_not_opened_twice() {
    let calls = Rc::new(Cell::new(0));
    let mut roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
    let (fs, counted) = (roles.host.fs.clone(), calls.clone());
    roles.host.hooks = Some(MemoryHooks::default().pull_request(move |_| {
        counted.set(counted.get() + 1);
        fs.fail_write(0, loopgate::port::memory::Fault::Crash);
        Ok(())
    }));
    run(&roles.host, options("run-1")).await.result.unwrap_err();
    roles.host.fs.heal();
    let result = run(&roles.host, RunOptions { resume: true, ..options("run-1") }).await.result.unwrap();
    assert_eq!((result.reason, result.questions.len(), calls.get()), (StopReason::Done, 1, 1));
}
