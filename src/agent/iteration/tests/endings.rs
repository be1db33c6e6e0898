//! The course of an iteration and its endings.

use super::*;

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
    assert!(matches!(&first.messages[1], ChatMessage::User { content } if content == "task"));
    let tools: Vec<&str> = first.tools.iter().map(|tool| tool.function.name.as_str()).collect();
    assert_eq!(
        tools,
        [
            "read_file",
            "write_file",
            "edit_file",
            "list_files",
            "search",
            "delete_file",
            "move_file",
            "plan",
            "snapshot",
            "complete_task",
        ]
    );
    assert_eq!(setup.host.text("src/New.tsx").as_deref(), Some("new"));
    let facts = setup.recorder.facts.borrow();
    let changed: Vec<_> = facts.iter().filter(|fact| matches!(fact, IterationFact::FileChanged { .. })).collect();
    let fact = |path: &str, change| IterationFact::FileChanged { path: path.to_owned(), change };
    let expected = [fact("src/App.tsx", FileChangeKind::Modified), fact("src/New.tsx", FileChangeKind::Created)];
    assert_eq!(changed, expected.iter().collect::<Vec<_>>());
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
    not_yet.recorder.turns_left = RefCell::new(2);
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
async fn an_abort_before_the_start_calls_no_model() {
    let setup = setup([done()]);
    setup.abort.fire("stop");
    assert_eq!((end(&setup.run().await), setup.model.used()), ("aborted", 0));
}

#[tokio::test]
async fn an_abort_cancels_a_hanging_model_call() {
    let setup = setup([Turn::Hang, done()]);
    let started = setup.host.clock.now();
    let (outcome, ()) = futures_util::future::join(setup.run(), async { setup.abort.fire("stop") }).await;
    assert_eq!((end(&outcome), setup.model.used()), ("aborted", 1));
    assert_eq!(setup.host.clock.now(), started);
}

#[tokio::test]
async fn an_abort_skips_the_remaining_calls() {
    let mut setup = setup([Turn::calls([write("a", "1"), write("b", "2"), ("complete_task", json!({}))]), done()]);
    let abort = setup.abort.clone();
    setup.recorder.react = Box::new(move |fact| {
        if matches!(fact, IterationFact::FileChanged { path, .. } if path == "a") {
            abort.fire("stop");
        }
    });
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
        Ok(ToolAnswer { ok: true, output: "late".to_owned() })
    })];
    assert_eq!(end(&setup.run().await), "aborted");
    assert_eq!(setup.model.used(), 1);
}

#[tokio::test]
async fn steering_messages_arrive_before_the_next_turn() {
    let mut setup = setup([Turn::calls([write("a", "1"), write("b", "2")]), done()]);
    let queue = Rc::clone(&setup.steering);
    queue.borrow_mut().push("first".to_owned());
    setup.recorder.react = Box::new(move |fact| {
        if matches!(fact, IterationFact::FileChanged { path, .. } if path == "a") {
            queue.borrow_mut().push("make it blue".to_owned());
        }
    });
    setup.run().await;
    let conversation = setup.conversation();
    assert!(matches!(&conversation[0], ChatMessage::User { content } if content == "first"));
    assert!(
        matches!(&conversation[2], ChatMessage::Tool { .. }) && matches!(&conversation[3], ChatMessage::Tool { .. })
    );
    assert!(matches!(&conversation[4], ChatMessage::User { content } if content == "make it blue"));
    let facts = setup.recorder.facts.borrow();
    assert!(facts.contains(&IterationFact::Steered("make it blue".to_owned())));
    assert!(setup.steering.borrow().is_empty());
}

#[tokio::test]
async fn denials_in_the_plan_phase_are_recorded() {
    let shell = MemoryShell::new(|_| ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() });
    let mut setup = setup([
        Turn::calls([
            write("src/App.tsx", "new"),
            ("shell", json!({ "command": "echo new > src/App.tsx" })),
            ("snapshot", json!({ "action": "rollback", "tag": "task-1-pre" })),
        ]),
        done(),
    ]);
    setup.phase = Phase::Plan;
    setup.host.shell = Some(shell);
    setup.run().await;
    let facts = setup.recorder.facts.borrow();
    let denied = facts.iter().filter_map(|fact| match fact {
        IterationFact::WriteDenied { path, rule } => Some((path.as_str(), rule.as_str())),
        _ => None,
    });
    let denied: Vec<_> = denied.collect();
    let rule = "plan-phase";
    assert_eq!(denied, [("src/App.tsx", rule), ("echo new > src/App.tsx", rule), ("task-1-pre", rule)]);
}

#[tokio::test]
async fn nothing_is_executed_that_cannot_be_recorded() {
    for fail_at in 0..4 {
        let mut setup = setup([Turn::calls([write("a", "1")]), done()]);
        setup.recorder.fail_at = Some(fail_at);
        let error = setup.try_run().await.unwrap_err();
        assert_eq!(error.message, "the journal is full");
        assert_eq!(setup.host.text("a").is_some(), fail_at > 1, "{fail_at}");
        assert_eq!(setup.model.used(), 1);
    }
}

#[tokio::test]
async fn the_time_budget_is_checked_before_every_turn() {
    let mut setup = setup([Turn::calls([write("a", "1")]), done()]);
    setup.recorder.turns_left = RefCell::new(1);
    assert_eq!((end(&setup.run().await), setup.model.used()), ("budget", 1));
}

#[tokio::test]
async fn existing_links_out_of_the_project_are_guarded() {
    let setup = setup([Turn::calls([write("out/x", "agent")]), done()]);
    setup.host.fs.put("/outside/x", "x");
    setup.host.fs.symlink("/outside", "/project/out").await.unwrap();
    setup.run().await;
    assert_eq!(setup.host.fs.text("/outside/x").as_deref(), Some("x"));
}
