//! Answers of the model and the results of its calls.

use super::*;

#[tokio::test]
async fn every_wrong_call_gets_one_result_that_explains_it() {
    let setup = setup([
        raw("write_file", "{\"path\": \"a\", \"content\": \"say \"hi\"\"}"),
        raw("write_fil", "{}"),
        raw("write_file", "{\"file\": \"a\", \"content\": 3}"),
        raw("read_file", "[\"src/App.tsx\"]"),
        raw("list_files", ""),
        done(),
    ]);
    let outcome = setup.run().await;
    assert_eq!((end(&outcome), outcome.tool_calls), ("tool", 6));
    let results = setup.results();
    assert!(results[0].1.contains("not valid JSON") && results[0].1.contains("column"), "{}", results[0].1);
    assert!(results[1].1.contains("did you mean `write_file`?") && results[1].1.contains("complete_task"));
    assert!(
        results[2].1.contains("`path` is missing")
            && results[2].1.contains("write_file(content: string, path: string)")
    );
    assert!(results[3].1.contains("must be object"));
    assert!(results[4].0 && results[4].1.contains("src/App.tsx"));
    assert!(outcome.files_changed.is_empty());
    for message in setup.conversation() {
        if let ChatMessage::Assistant { tool_calls, .. } = message {
            let kept: Value = serde_json::from_str(&tool_calls[0].function.arguments).unwrap();
            assert!(kept.is_object(), "{kept}");
        }
    }
}

#[tokio::test]
async fn calls_written_as_text_and_empty_answers_get_feedback() {
    let setup = setup([
        text("write_file(\"src/App.tsx\", \"new\")"),
        text("```bash\necho complete > .ralph/status.txt\n```"),
        Turn::calls([write("src/App.tsx", "new")]),
        text(" \n"),
        text("{\"name\": \"complete_task\", \"arguments\": {}}"),
        done(),
    ]);
    let outcome = setup.run().await;
    assert_eq!(end(&outcome), "tool");
    let user = |message| if let ChatMessage::User { content, .. } = message { Some(content) } else { None };
    let feedback: Vec<String> = setup.conversation().into_iter().filter_map(user).collect();
    assert_eq!(feedback.len(), 4);
    assert!(feedback[0].contains("tool-calling interface") && feedback[2].contains("empty"));
    assert_eq!(setup.statuses()[3], "a call was written as text (2 of 3 in a row)");
}

#[tokio::test]
async fn an_answer_with_a_script_for_the_user_ends_the_iteration_once_the_agent_has_changed_something() {
    let answer = || text("Done. Run the app with:\n\n```bash\nnpm run dev\n```");
    let (changed, unchanged) =
        (setup([Turn::calls([write("a", "1")]), answer()]), setup([answer(), answer(), answer()]));
    for (setup, statuses) in [(&changed, 0), (&unchanged, 2)] {
        let outcome = setup.run().await;
        assert_eq!((end(&outcome), setup.statuses().len()), ("answer", statuses), "{:?}", setup.statuses());
    }
}

#[tokio::test]
async fn a_call_written_beside_calls_is_named_and_completes_nothing() {
    let beside = |(name, args): (&str, Value)| {
        Turn::Stream(vec!["<tool_call>{}</tool_call>".to_owned()], vec![(name.to_owned(), args.to_string())])
    };
    let setup = setup([
        beside(("write_file", json!({ "path": "a", "content": "1" }))),
        beside(("complete_task", json!({}))),
        done(),
    ]);
    let outcome = setup.run().await;
    assert_eq!(end(&outcome), "tool");
    let named =
        |message: &ChatMessage| matches!(message, ChatMessage::User { content, .. } if content.contains("was not run"));
    assert_eq!(setup.conversation().iter().filter(|message| named(message)).count(), 2);
}

#[tokio::test]
async fn a_second_miss_of_an_edit_in_a_row_gets_advice() {
    let edit =
        |old: &str| Turn::calls([("edit_file", json!({ "path": "src/App.tsx", "old_text": old, "new_text": "x" }))]);
    let setup = setup([edit("zzz 1"), edit("zzz 2"), done()]);
    setup.run().await;
    let results = setup.results();
    assert_eq!([0, 1].map(|at| results[at].1.contains("missed 2 times in a row")), [false, true], "{results:?}");
}

#[tokio::test]
async fn a_turn_without_a_usable_result_completes_nothing_and_three_in_a_row_end_the_iteration() {
    let cut = || Turn::Cut("I am done with everything.".to_owned());
    let lost = || words(FinishReason::Error);
    for (turns, expected, statuses) in [
        (vec![cut(), done()], "tool", vec!["cut off at the length limit"]),
        (vec![words(FinishReason::ContentFilter), done()], "tool", vec!["withheld"]),
        (vec![words(FinishReason::ToolCalls), done()], "tool", vec!["announced calls"]),
        (vec![lost(), answer(FinishReason::Error, &[write("a", "1")]), done()], "tool", vec!["stream broke"; 2]),
        (vec![lost(), lost(), lost(), done()], "model-failed", vec!["stream broke"; 3]),
        (vec![text(""), cut(), text("<tool_call>"), done()], "stopped", vec!["empty", "cut off", "(3 of 3 in a row)"]),
    ] {
        let setup = setup(turns);
        let outcome = setup.run().await;
        assert_eq!((end(&outcome), &outcome.files_changed), (expected, &Vec::new()), "{statuses:?}");
        if let IterationEnd::ModelFailed(error) = &outcome.end {
            assert_eq!(error.kind, PortErrorKind::Unavailable);
        }
        let found = setup.statuses();
        assert_eq!(found.len(), statuses.len(), "{found:?}");
        assert!(found.iter().zip(&statuses).all(|(found, words)| found.contains(words)), "{found:?}");
        let conversation = setup.conversation();
        assert_eq!(conversation.is_empty(), statuses[0] == "stream broke", "a partial answer is dropped");
        assert!(!statuses[0].contains("cut off") || format!("{conversation:?}").contains("smaller pieces"));
    }
}

#[tokio::test]
async fn a_failing_call_that_is_repeated_ends_the_iteration_after_four_turns() {
    let missing = || answer(FinishReason::ToolCalls, &[("read_file", json!({ "path": "gone" }))]);
    let other = || answer(FinishReason::ToolCalls, &[("read_file", json!({ "path": "gone too" }))]);
    let mixed =
        || answer(FinishReason::ToolCalls, &[("read_file", json!({ "path": "gone" })), ("list_files", json!({}))]);
    for (turns, expected, repeats) in [
        ((0..9).map(|_| missing()).collect::<Vec<_>>(), "stopped", 3),
        (vec![missing(), missing(), other(), missing(), missing(), done()], "tool", 2),
        ((0..6).map(|_| mixed()).chain([done()]).collect(), "tool", 0),
    ] {
        let setup = setup(turns);
        assert_eq!(end(&setup.run().await), expected);
        let statuses = setup.statuses();
        assert_eq!(statuses.len(), repeats, "{statuses:?}");
        assert!(statuses.iter().all(|status| status.contains("repeated calls that fail")), "{statuses:?}");
        assert_eq!(
            format!("{:?}", setup.conversation()).matches("You made calls again that fail").count(),
            repeats.min(2)
        );
    }
}

#[tokio::test]
async fn the_last_call_of_a_cut_off_answer_is_not_executed_and_none_completes() {
    let calls = [write("a", "1"), ("complete_task", json!({})), write("b", "half")];
    let setup =
        setup([answer(FinishReason::Length, &calls), answer(FinishReason::ToolCalls, &[write("b", "2")]), done()]);
    let outcome = setup.run().await;
    assert_eq!((end(&outcome), outcome.tool_calls), ("tool", 5));
    assert_eq!(outcome.files_changed, ["a", "b"]);
    let refused: Vec<bool> = setup.results().iter().map(|(_, output)| output.contains("was cut off")).collect();
    assert_eq!(refused, [false, true, true, false, false]);
}

#[tokio::test]
async fn a_name_with_marks_around_it_calls_the_tool_and_the_conversation_has_the_name() {
    let setup = setup([Turn::calls([("functions.write_file:0", json!({ "path": "a", "content": "x" }))]), done()]);
    assert_eq!(end(&setup.run().await), "tool");
    let named = setup.conversation().into_iter().any(|message| match message {
        ChatMessage::Tool { name, content, .. } => name == "write_file" && !content.starts_with("Error"),
        _ => false,
    });
    assert!(named);
}

#[tokio::test]
async fn a_name_that_services_refuse_does_not_go_back_and_its_result_has_it() {
    let setup = setup([Turn::calls([("", json!({})), ("read file", json!({ "path": "src/App.tsx" }))]), done()]);
    assert_eq!(end(&setup.run().await), "tool");
    let results = setup.results();
    assert!(results[0].1.contains("unknown tool ``; available tools: read_file, "), "{}", results[0].1);
    assert!(results[1].1.contains("unknown tool `read file`; did you mean `read_file`?"), "{}", results[1].1);
    let names = |message| match message {
        ChatMessage::Assistant { tool_calls, .. } => tool_calls.into_iter().map(|call| call.function.name).collect(),
        ChatMessage::Tool { name, .. } => vec![name],
        _ => Vec::new(),
    };
    let names: Vec<String> = setup.conversation().into_iter().flat_map(names).collect();
    assert_eq!(names, ["_", "read_file", "_", "read_file"]);
}

#[tokio::test]
async fn calls_with_empty_or_repeated_ids_get_unique_ones() {
    let twins = answer(FinishReason::ToolCalls, &[write("a", "1"), write("b", "2"), write("c", "3")]);
    let setup = setup([twins.clone(), twins, done()]);
    assert_eq!(end(&setup.run().await), "tool");
    let id = |message| if let ChatMessage::Tool { tool_call_id, .. } = message { Some(tool_call_id) } else { None };
    let answered: BTreeSet<String> = setup.conversation().into_iter().filter_map(id).collect();
    assert_eq!(answered.len(), 6);
    assert!(setup.usages()[0].estimated == Some(true) && setup.usages()[2].estimated.is_none());
}

/// `write_file("a", …)` as a model streams it, and the whole call.
fn streamed(content: &str) -> (Vec<ModelDelta>, (String, String)) {
    let arguments = json!({ "path": "a", "content": content }).to_string();
    let piece =
        |text: &str| ModelDelta::Tool { id: "1".to_owned(), name: "write_file".to_owned(), text: text.to_owned() };
    let pieces = arguments.split_inclusive(' ').map(piece);
    ([piece("")].into_iter().chain(pieces).collect(), ("write_file".to_owned(), arguments))
}

#[tokio::test]
async fn a_call_that_streams_for_longer_than_the_idle_limit_is_not_cut_off() {
    let (pieces, call) = streamed("one two three four five");
    for deltas in [pieces.clone(), vec![ModelDelta::Other; 6]] {
        let mut setup = setup([]);
        let slow = Turn::Slow(setup.host.clock.clone(), 50_000, deltas.clone(), vec![call.clone()]);
        setup.host.model = Some(ScriptedModel::new([slow, done()]));
        let started = setup.host.clock.now();
        let outcome = setup.run().await;
        assert_eq!((end(&outcome), &outcome.files_changed), ("tool", &vec!["a".to_owned()]));
        assert!(setup.host.clock.now() - started >= 300_000);
        let shown = setup.recorder.calls.take();
        assert_eq!(shown, if deltas == pieces { pieces.clone() } else { Vec::new() }, "a host sees what is written");
    }
}

#[tokio::test]
async fn streamed_calls_show_no_secrets_even_if_their_pieces_alternate() {
    let secret = "marked-secret-key";
    let mut setup = setup([]);
    let piece = |id: &str, text: &str| ModelDelta::Tool {
        id: id.to_owned(),
        name: format!("f-{secret}"),
        text: text.to_owned(),
    };
    let deltas = vec![piece("1", "a marked-sec"), piece("2", "b"), piece("1", "ret-key c"), piece("2", "d")];
    setup.host.model = Some(ScriptedModel::new([Turn::Slow(setup.host.clock.clone(), 1, deltas, vec![]), done()]));
    setup.host.redactor = crate::redact::Redactor::new([secret.to_owned()]);
    setup.run().await;
    let shown = setup.recorder.calls.take();
    let of = |wanted: &str| -> String {
        shown
            .iter()
            .filter(|delta| matches!(delta, ModelDelta::Tool { id, .. } if id == wanted))
            .map(ModelDelta::text)
            .collect()
    };
    assert_eq!((of("1").as_str(), of("2").as_str()), ("a [redacted] c", "bd"));
    assert!(!format!("{shown:?}").contains(secret), "{shown:?}");
}

#[tokio::test]
async fn a_model_error_ends_the_iteration() {
    use PortErrorKind::{Other, RateLimited, Timeout, Unavailable};
    let three_seconds = RateLimited(Some(3000));
    for (turn, kind, ms) in [
        (Turn::Fail(three_seconds), three_seconds, 0),
        (Turn::Fail(Unavailable), Unavailable, 0),
        (Turn::Fail(Other), Other, 0),
        (Turn::Hang, Timeout, 60_000),
    ] {
        let setup = setup([Turn::calls([write("a", "1")]), turn]);
        let started = setup.host.clock.now();
        let outcome = setup.run().await;
        assert!(matches!(&outcome.end, IterationEnd::ModelFailed(error) if error.kind == kind), "{:?}", outcome.end);
        assert_eq!(outcome.files_changed, ["a"]);
        let estimated: Vec<_> = setup.usages().iter().map(|usage| usage.estimated).collect();
        assert_eq!(estimated, if kind == Timeout { vec![None, Some(true)] } else { vec![None] });
        assert_eq!(setup.host.clock.now() - started, ms);
    }
    let none = setup([]);
    let none = Setup { host: none.host.clone().with(|ports| ports.model = None), ..none };
    assert_eq!(end(&none.run().await), "model-failed");
}

#[tokio::test]
async fn an_overflowing_conversation_is_shortened_until_nothing_is_left_and_then_ends_the_iteration() {
    let mut setup = setup([]);
    let asked = Rc::new(Cell::new(0));
    let count = Rc::clone(&asked);
    let model = ScriptedModel::answering(move |_| {
        count.set(count.get() + 1);
        match count.get() {
            at @ ..=2 => Turn::call("read_file", json!({ "path": "src/App.tsx", "end": at })),
            _ => Turn::Refuse("This model's maximum context length is 8192 tokens".to_owned()),
        }
    });
    setup.host.put("src/App.tsx", &"x".repeat(1000));
    setup.host.model = Some(model.clone());
    let outcome = setup.run().await;
    assert_eq!((end(&outcome), outcome.tool_calls), ("stopped", 2));
    let shortened = setup.facts(|fact| if let IterationFact::Shortened(what) = fact { Some(*what) } else { None });
    assert!((1..=8).contains(&shortened.len()), "{shortened:?}");
    assert!(shortened.iter().all(|what| what.after < what.before), "{shortened:?}");
    assert_eq!(asked.get(), 3 + shortened.len());
    let shown = |request: usize| format!("{:?}", model.requests()[request].messages).matches("xxxx").count();
    assert!(shown(2) > shown(3) && shown(3) > 0);
    assert_eq!(setup.statuses().len(), 1);

    let at_once = super::setup([]);
    let refusing = ScriptedModel::answering(|_| Turn::Refuse("prompt is too long".to_owned()));
    let at_once = Setup { host: at_once.host.clone().with(|ports| ports.model = Some(refusing)), ..at_once };
    assert_eq!(end(&at_once.run().await), "model-failed");
}

#[tokio::test]
async fn a_conversation_is_shortened_as_often_as_the_provider_refuses_its_length() {
    let mut setup = setup([]);
    let read = Cell::new(0);
    let model = ScriptedModel::answering(move |request| {
        let size = serde_json::to_string(&request.messages).map_or(0, |text| text.len());
        read.set(read.get() + 1);
        match read.get() {
            at @ ..=6 => Turn::call("read_file", json!({ "path": "src/App.tsx", "end": at })),
            _ if size > 9_000 => Turn::Refuse("Prompt exceeds max length".to_owned()),
            _ => done(),
        }
    });
    setup.host.put("src/App.tsx", &"x".repeat(10_000));
    setup.host.model = Some(model);
    assert_eq!(end(&setup.run().await), "tool");
    let shortened = setup.facts(|fact| matches!(fact, IterationFact::Shortened(_)).then_some(()));
    assert!(shortened.len() > 1, "{}", shortened.len());
}

#[tokio::test]
async fn what_a_port_does_otherwise_is_a_status() {
    let mut setup = setup([]);
    let note = ModelDelta::Note { text: "from now on, results have names".to_owned() };
    setup.host.model = Some(ScriptedModel::new([Turn::Slow(setup.host.clock.clone(), 1, vec![note], vec![]), done()]));
    setup.run().await;
    assert_eq!(setup.statuses().first().map(String::as_str), Some("from now on, results have names"));
}

#[tokio::test]
async fn a_repeated_read_is_unchanged_until_the_file_or_the_conversation_changes() {
    let read = || Turn::call("read_file", json!({ "path": "src/App.tsx" }));
    let mut setup = setup([]);
    let turns = [read(), read(), Turn::calls([write("src/App.tsx", &"new\n".repeat(200))]), read(), read(), done()];
    setup.model = ScriptedModel::new(turns);
    setup.host.model = Some(setup.model.clone());
    setup.host.put("src/App.tsx", &"old\n".repeat(200));
    assert_eq!(end(&setup.run().await), "tool");
    let results: Vec<String> = setup.results().into_iter().map(|(_, text)| text.chars().take(22).collect()).collect();
    assert_eq!(results[1], "Unchanged since call 1");
    assert!(results[0].starts_with("old") && results[3].starts_with("new"), "{results:?}");
    assert_eq!(results[4], "Unchanged since call 4");
}

#[tokio::test]
async fn a_conversation_that_fills_the_window_is_shortened_before_it_is_sent() {
    let mut setup = setup([]);
    let read = |end| Turn::call("read_file", json!({ "path": "src/App.tsx", "end": end }));
    let turns = (1..31).map(read).chain([done()]);
    let model = ScriptedModel::new(turns).with_window(20_000);
    setup.host.put("src/App.tsx", &"x".repeat(6_000));
    setup.host.model = Some(model.clone());
    assert_eq!(end(&setup.run().await), "tool");
    let requests = model.requests();
    assert_eq!(requests.len(), 31);
    for request in &requests {
        assert!(serde_json::to_string(request).unwrap().len() / 4 <= 20_000);
        assert_eq!(request.messages[..2], requests[0].messages[..2]);
    }
    let shortened = setup.facts(|fact| if let IterationFact::Shortened(what) = fact { Some(*what) } else { None });
    assert!(
        (1..12).contains(&shortened.len()) && shortened.iter().all(|what| what.after < what.before),
        "{shortened:?}"
    );
}

#[tokio::test]
async fn the_usage_of_an_aborted_stream_is_estimated() {
    let pieces = vec!["12345678".to_owned(), "9".to_owned()];
    for turn in [Turn::Stall(pieces.clone()), Turn::Stream(pieces, vec![])] {
        let mut setup = setup([turn]);
        setup.recorder.abort_at_delta = Some(setup.abort.clone());
        let outcome = setup.run().await;
        assert_eq!((end(&outcome), setup.model.used()), ("aborted", 1));
        let [usage] = setup.usages()[..] else { panic!("one turn was paid for") };
        assert_eq!((usage.output_tokens, usage.estimated), (3, Some(true)));
        assert!(usage.input_tokens > 100);
    }
}

#[tokio::test]
async fn streamed_text_and_usage_reach_the_observer() {
    let setup = setup([Turn::Stream(vec!["All ".to_owned(), "done.".to_owned()], vec![])]);
    assert_eq!(end(&setup.run().await), "answer");
    assert_eq!(*setup.recorder.text.borrow(), "All done.");
    assert_eq!((setup.usages()[0].input_tokens, setup.usages()[0].estimated), (100, None));
}

#[tokio::test]
async fn a_hook_can_allow_change_or_deny_a_call() {
    let mut setup = setup([Turn::calls([write("a", "1"), write("b", "2"), write("c", "3"), write("d", "4")]), done()]);
    setup.host.hooks = Some(MemoryHooks::default().before_tool(|name, args| match args["path"].as_str() {
        Some("a") => Answer::deny("not this one".to_owned()).into(),
        Some("b") => Answer { value: Some(json!({ "path": "b2", "content": "changed" })), ..Answer::allow() }.into(),
        Some("c") => Answer { value: Some(json!({ "path": 1 })), ..Answer::allow() }.into(),
        _ => Answer { value: (name == "complete_task").then(|| json!({})), ..Answer::allow() }.into(),
    }));
    let outcome = setup.run().await;
    assert_eq!((end(&outcome), outcome.files_changed), ("tool", vec!["b2".to_owned(), "d".to_owned()]));
    let results = setup.results();
    assert_eq!(results[0].1, "Error: the IDE does not allow this call: not this one");
    assert!(results[2].1.contains("wrong arguments"));
    assert_eq!(setup.host.text("b2").as_deref(), Some("changed"));
}

#[tokio::test]
async fn ide_tools_are_offered_and_checked_and_their_changes_recorded() {
    let mut setup = setup([
        Turn::call("format", json!({ "path": 3 })),
        Turn::call("format", json!({ "path": "src/App.tsx" })),
        Turn::call("broken", json!({})),
        Turn::call("refusing", json!({})),
        done(),
    ]);
    let fs = setup.host.clone();
    let schema = json!({ "type": "object", "properties": { "path": { "type": "string" } }, "required": ["path"] });
    setup.host.tools = vec![
        MemoryTool::new("format", schema, move |args| {
            fs.put(args["path"].as_str().unwrap(), "formatted");
            Ok(ToolAnswer::text(true, ""))
        }),
        MemoryTool::new("broken", json!({}), |_| {
            Err(PortError::new("tool", "broken", PortErrorKind::Other, "TypeError: x is undefined"))
        }),
        MemoryTool::new("refusing", json!({}), |_| Ok(ToolAnswer::text(false, "no such page"))),
    ];
    let outcome = setup.run().await;
    assert_eq!((end(&outcome), outcome.files_changed), ("tool", vec!["src/App.tsx".to_owned()]));
    let results = setup.results();
    assert!(!results[0].0 && results[0].1.contains("call it as format(path: string)"));
    assert_eq!(results[1], (true, "(empty)".to_owned()));
    assert_eq!(results[2], (false, "Error: tool.broken failed: TypeError: x is undefined".to_owned()));
    assert_eq!(results[3], (false, "Error: no such page".to_owned()));
    assert_eq!(setup.model.requests()[0].tools.last().unwrap().function.name, "refusing");
}

#[tokio::test]
async fn a_failed_call_shows_its_images_and_a_result_of_images_alone_is_not_empty() {
    let image = Image { media_type: "image/png".to_owned(), data: "Zm9v".to_owned() };
    let mut setup = setup([Turn::calls([("compare", json!({})), ("shoot", json!({}))]), done()]);
    let tool = |name: &str, ok: bool, output: &'static str| {
        let images = vec![image.clone()];
        MemoryTool::new(name, json!({}), move |_| {
            Ok(ToolAnswer { images: images.clone(), ..ToolAnswer::text(ok, output) })
        })
    };
    setup.host.tools = vec![tool("compare", false, "the pages differ"), tool("shoot", true, "")];
    setup.model = setup.model.clone().with_images();
    setup.host.model = Some(setup.model.clone());
    setup.run().await;
    let line = "[image image/png, 1 KB]";
    let expected = [(false, format!("Error: the pages differ\n{line}")), (true, line.to_owned())];
    assert_eq!(setup.results()[..2], expected);
    let images = setup.conversation().iter().flat_map(ChatMessage::images).cloned().collect::<Vec<_>>();
    assert_eq!(images, [image.clone(), image]);
}

#[tokio::test]
async fn tool_results_are_truncated() {
    let mut setup = setup([Turn::call("dump", json!({})), done()]);
    setup.host.tools = vec![MemoryTool::new("dump", json!({}), |_| {
        Ok(ToolAnswer::text(true, format!("HEAD{}TAIL", "é".repeat(2_500_000))))
    })];
    setup.run().await;
    let (_, output) = &setup.results()[0];
    assert!(output.len() <= 16 * 1024 && output.starts_with("HEAD") && output.ends_with("TAIL"));
    assert!(output.contains("bytes omitted"));
}

#[tokio::test]
async fn a_full_disk_fails_the_call_and_not_the_iteration() {
    let setup = setup([Turn::calls([write("a", "1")]), done()]);
    setup.host.fs.fail_write(0, Fault::Crash);
    let outcome = setup.run().await;
    assert_eq!((end(&outcome), outcome.files_changed), ("tool", Vec::new()));
    assert!(!setup.results()[0].0 && setup.results()[0].1.contains("Quota"));
}

#[tokio::test]
async fn a_hanging_tool_or_hook_times_out_with_its_name() {
    let hooks = |hook| Some(MemoryHooks::default().silent(hook));
    for (tool, hooks, ms, error, changed) in [
        ("stuck", None, 120_000, "tool.stuck failed: no answer within 120000 ms", vec![]),
        ("write_file", hooks("beforeTool"), 600_000, "hook.beforeTool failed: no answer", vec![]),
        ("write_file", hooks("afterTool"), 120_000, "hook.afterTool failed: no answer", vec!["a".to_owned()]),
    ] {
        let args = if tool == "stuck" { json!({}) } else { write("a", "1").1 };
        let mut setup = setup([Turn::call(tool, args)]);
        setup.host.tools = vec![MemoryTool::silent("stuck").denied(".git/config", "git")];
        setup.host.hooks = hooks;
        setup.max_tool_calls = 1;
        let started = setup.host.clock.now();
        let outcome = setup.run().await;
        assert_eq!((end(&outcome), outcome.files_changed), ("tool-limit", changed.clone()));
        assert_eq!(setup.host.clock.now() - started, ms, "{error}");
        let (ok, output) = setup.results().remove(0);
        let reported = if changed.is_empty() { output } else { setup.statuses().concat() };
        assert!(reported.contains(error) && ok != changed.is_empty(), "{reported}");
        let facts = setup.recorder.facts.borrow();
        let denied =
            IterationFact::WriteDenied { path: ".git/config".to_owned(), rule: "git".to_owned(), undone: None };
        assert_eq!(facts.contains(&denied), tool == "stuck");
    }
}
