//! From a spec to chunks.

use super::*;
use loopgate::port::HookAnswer;
use loopgate::port::memory::MemoryHooks;

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
    denied.host.hooks = Some(MemoryHooks::default().approve_chunks(|_| HookAnswer::Deny("too coarse".to_owned())));
    let outcome = run(&denied.host, options("run-1")).await;
    assert_eq!(outcome.result().reason, StopReason::Blocked);
    assert!(outcome.result().message.contains("too coarse"));
    assert_eq!(denied.prompts(AgentRole::Builder).len(), 0);

    let mut edited = roles([proposal(&list)]).await;
    let hooks = MemoryHooks::default().approve_chunks(|chunks| {
        let mut chunks = chunks.as_array().unwrap().clone();
        chunks.push(chunk("b", &["a"]));
        HookAnswer::Allow(Some(chunks.into()))
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
    roles.host.hooks = Some(MemoryHooks::default().approve_chunks(|_| HookAnswer::Allow(None)));
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
            HookAnswer::Allow(None)
        });
        roles.host.hooks = Some(hooks.pull_request(move |_| {
            at_draft.fire("the user does not wait");
            Ok(())
        }));
        let result = drive(&roles.host, options("run-1"), &control, &|_, _| {}).await.unwrap();
        assert_eq!(result.reason, StopReason::Aborted, "{hook}");
        roles.host.hooks = Some(MemoryHooks::default().approve_chunks(|_| HookAnswer::Allow(None)));
        assert!(run(&roles.host, options("run-2")).await.result().success, "{hook}");
    }
}
