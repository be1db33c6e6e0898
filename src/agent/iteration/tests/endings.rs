//! The course of an iteration and its endings.

use super::*;
use crate::agent::tools::BuiltIn;

#[tokio::test]
async fn an_iteration_starts_fresh_and_loops_until_completion() {
    let setup = setup([
        Turn::call("read_file", json!({ "path": "src/App.tsx" })),
        Turn::calls([write("src/App.tsx", "new"), write("src/New.tsx", "new")]),
        done(),
    ]);
    let outcome = setup.run().await;
    assert_eq!((end(&outcome), outcome.tool_calls), ("tool", 4));
    assert_eq!(outcome.files_changed, ["src/App.tsx", "src/New.tsx"]);
    let requests = setup.model.requests();
    let first = &requests[0];
    assert_eq!(first.messages.len(), 2);
    assert!(matches!(&first.messages[0], ChatMessage::System { content } if content == "instructions"));
    assert!(matches!(&first.messages[1], ChatMessage::User { content, .. } if content == "task"));
    let tools: Vec<&str> = first.tools.iter().map(|tool| tool.function.name.as_str()).collect();
    let expected = BuiltIn::ALL.map(BuiltIn::name).into_iter().filter(|name| *name != "shell");
    assert_eq!(tools, expected.collect::<Vec<_>>(), "the host has no shell");
    assert_eq!(setup.host.text("src/New.tsx").as_deref(), Some("new"));
    let changed = setup.facts(|fact| match fact {
        IterationFact::FileChanged(changed) => Some((changed.write.path.clone(), changed.change)),
        _ => None,
    });
    let expected = [("src/App.tsx", FileChangeKind::Modified), ("src/New.tsx", FileChangeKind::Created)];
    assert_eq!(changed, expected.map(|(path, change)| (path.to_owned(), change)));
}

#[tokio::test]
async fn a_tool_call_a_status_or_a_final_answer_completes() {
    let status = |text: &str| Turn::calls([write(".ralph/status.txt", text)]);
    for (turn, expected) in [
        (done(), "tool"),
        (status("complete"), "status"),
        (status(" COMPLETE\r\n"), "status"),
        (status("waiting"), "waiting"),
        (text("I changed the hero section as asked."), "answer"),
    ] {
        assert_eq!(end(&setup([turn]).run().await), expected);
    }
    let mut not_yet = setup([status("not complete"), status("running")]);
    not_yet.recorder.turns_left = Cell::new(Some(2));
    assert_eq!(end(&not_yet.run().await), "budget");
}

#[tokio::test]
async fn calls_next_to_complete_task_are_executed() {
    let setup = setup([Turn::calls([
        ("complete_task", json!({})),
        write(".ralph/summary.md", "what was built"),
        ("complete_task", json!({})),
    ])]);
    let outcome = setup.run().await;
    assert_eq!((end(&outcome), outcome.tool_calls, setup.results().len()), ("tool", 3, 3));
    assert!(setup.host.text(".ralph/summary.md").is_some());
}

/// A setup whose role answers with a decision.
fn decides(turns: impl IntoIterator<Item = Turn>) -> Setup {
    let parameters = json!({
        "type": "object",
        "properties": { "decision": { "type": "string" }, "note": { "type": "string" } },
        "required": ["decision"],
    });
    Setup { answer: Some(AnswerShape { description: "Decides.".to_owned(), parameters }), ..setup(turns) }
}

fn decide(decision: &str) -> (&'static str, Value) {
    ("complete_task", json!({ "decision": decision }))
}

#[tokio::test]
async fn answers_that_contradict_each_other_complete_nothing_and_the_next_turn_decides() {
    for calls in [
        vec![decide("REVISE"), decide("SHIP")],
        vec![decide("SHIP"), write("a", "1"), decide("SHIP"), decide("REVISE")],
        vec![decide("REVISE"), ("complete_task", json!({ "decision": "REVISE", "note": "x" }))],
    ] {
        let setup = decides([answer(FinishReason::ToolCalls, &calls), Turn::calls([decide("REVISE")])]);
        let outcome = setup.run().await;
        assert_eq!((end(&outcome), outcome.answer), ("tool", Some(json!({ "decision": "REVISE" }))));
        for ((name, _), (ok, output)) in calls.iter().zip(setup.results()) {
            let is_refused = !ok && output.contains("contradict") && output.contains("call complete_task once");
            assert_eq!(is_refused, *name == "complete_task", "{output}");
        }
        assert_eq!(outcome.tool_calls as usize, calls.len() + 1);
        assert_eq!(setup.statuses(), ["an answer completed the task in contradictory ways (1 of 3 in a row)"]);
    }
}

#[tokio::test]
async fn three_contradictory_answers_in_a_row_end_the_iteration_without_an_answer() {
    let both = || Turn::calls([decide("REVISE"), decide("SHIP")]);
    let setup = decides([both(), both(), both(), Turn::calls([decide("SHIP")])]);
    let outcome = setup.run().await;
    assert_eq!((end(&outcome), outcome.answer, setup.model.used()), ("stopped", None, 3));
}

#[tokio::test]
async fn equal_answers_are_one_and_calls_that_fail_are_none() {
    let wrong = ("complete_task", json!({ "note": "no decision" }));
    for calls in [vec![decide("SHIP"), decide("SHIP")], vec![wrong, decide("SHIP")]] {
        let outcome = decides([answer(FinishReason::ToolCalls, &calls)]).run().await;
        assert_eq!((end(&outcome), outcome.answer), ("tool", Some(json!({ "decision": "SHIP" }))));
    }
}

#[tokio::test]
async fn a_contradiction_is_found_past_the_call_limit() {
    let mut setup = decides([Turn::calls([decide("SHIP"), decide("REVISE")])]);
    setup.max_tool_calls = 1;
    let outcome = setup.run().await;
    assert_eq!((end(&outcome), outcome.answer), ("tool-limit", None));
}

#[tokio::test]
async fn the_call_limit_ends_the_iteration_after_answering_every_call() {
    let mut setup =
        setup([Turn::calls([write("a", "1"), write("b", "2"), write("c", "3"), ("complete_task", json!({}))])]);
    setup.max_tool_calls = 2;
    let outcome = setup.run().await;
    assert_eq!((end(&outcome), outcome.tool_calls), ("tool-limit", 2));
    assert_eq!(outcome.files_changed, ["a", "b"]);
    let results = setup.results();
    assert_eq!(results.iter().map(|(ok, _)| *ok).collect::<Vec<_>>(), [true, true, false, false]);
    assert!(results[3].1.contains("limit of tool calls"));
}

#[tokio::test]
async fn an_abort_skips_the_remaining_calls() {
    let mut setup = setup([Turn::calls([write("a", "1"), write("b", "2"), ("complete_task", json!({}))]), done()]);
    let abort = setup.abort.clone();
    setup.recorder.react = Some(Box::new(move |fact| {
        if matches!(fact, IterationFact::FileChanged(changed) if changed.write.path == "a") {
            abort.fire("stop");
        }
    }));
    let outcome = setup.run().await;
    assert_eq!((end(&outcome), setup.model.used()), ("aborted", 1));
    assert_eq!(outcome.files_changed, ["a"]);
    assert_eq!(setup.host.text("b"), None);
    let results = setup.results();
    assert_eq!(results.len(), 3);
    assert!(results[1].1.contains("aborted") && results[2].1.contains("aborted"));
}

#[tokio::test]
async fn a_tool_result_after_the_abort_is_dropped() {
    let mut setup = setup([Turn::call("slow", json!({})), done()]);
    let abort = setup.abort.clone();
    setup.host.tools = vec![MemoryTool::new("slow", json!({}), move |_| {
        abort.fire("stop");
        Ok(ToolAnswer::text(true, "late"))
    })];
    assert_eq!(end(&setup.run().await), "aborted");
    assert_eq!(setup.model.used(), 1);
}

#[tokio::test]
async fn steering_messages_arrive_before_the_next_turn() {
    let mut setup = setup([Turn::calls([write("a", "1"), write("b", "2")]), done()]);
    let queue = Rc::clone(&setup.steering);
    queue.borrow_mut().push("first".to_owned());
    setup.recorder.react = Some(Box::new(move |fact| {
        if matches!(fact, IterationFact::FileChanged(changed) if changed.write.path == "a") {
            queue.borrow_mut().push("make it blue".to_owned());
        }
    }));
    setup.run().await;
    let conversation = setup.conversation();
    assert!(matches!(&conversation[0], ChatMessage::User { content, .. } if content == "first"));
    assert!(
        matches!(&conversation[2], ChatMessage::Tool { .. }) && matches!(&conversation[3], ChatMessage::Tool { .. })
    );
    assert!(matches!(&conversation[4], ChatMessage::User { content, .. } if content == "make it blue"));
    let facts = setup.recorder.facts.borrow();
    assert!(facts.contains(&IterationFact::Steered("make it blue".to_owned())));
    assert!(setup.steering.borrow().is_empty());
}

#[tokio::test]
async fn nothing_is_executed_that_cannot_be_recorded() {
    for fail_at in 0..7 {
        let mut setup = setup([Turn::calls([write("a", "1")]), done()]);
        setup.recorder.fail_at = Some(fail_at);
        let error = setup.try_run().await.unwrap_err();
        assert_eq!(error.message, "the journal is full");
        assert_eq!(setup.host.text("a").is_some(), fail_at > 4, "{fail_at}: the write is recorded before it happens");
        assert_eq!(setup.model.used(), usize::from(fail_at > 0));
    }
}

#[tokio::test]
async fn the_time_budget_is_checked_before_every_turn() {
    let mut setup = setup([Turn::calls([write("a", "1")]), done()]);
    setup.recorder.turns_left = Cell::new(Some(1));
    assert_eq!((end(&setup.run().await), setup.model.used()), ("budget", 1));
}
