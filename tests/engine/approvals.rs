//! Calls that the user approves: the question outlives the page, and its answer reaches the agent.

use crate::engine::support::{Outcome, SUMMARY, complete, options, run_scripted, text_of, write};
use loopgate::ErrorCode;
use loopgate::port::memory::{Fault, MemoryHooks, MemoryHost, ScriptedModel, Turn};
use loopgate::port::{Answer, Decision, Question, QuestionKind};
use loopgate::run::{Event, PlanMode, RunControl, RunOptions, StopReason, drive, find_unfinished};
use wasm_bindgen_test::wasm_bindgen_test;

fn project() -> MemoryHost {
    let config = "policy:\n  - decision: ask\n    path: public/**\n    reason: customers see it\n";
    MemoryHost::new([("index.html", "<h1>Drinks</h1>"), (".handoff/config.yaml", config)])
}

/// The call that asks, and the rest of the work.
fn work() -> Turn {
    let text = "<h1>Real drinks</h1>";
    Turn::calls([
        write("public/a.html", text),
        write("index.html", text),
        write(".ralph/summary.md", SUMMARY),
        complete(),
    ])
}

fn asking() -> RunOptions {
    options("run-1", PlanMode::Off)
}

fn answered(question: &Question, answer: Answer) -> RunOptions {
    RunOptions { resume: true, answers: [(question.id.clone(), answer)].into(), ..asking() }
}

fn asked(outcome: &Outcome) -> usize {
    outcome.count(|event| matches!(event, Event::QuestionAsked { .. }))
}

fn noted() -> Answer {
    Answer { note: Some("keep the\nold prices".to_owned()), ..Answer::allow() }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_call_waits_for_the_answer_of_any_page_and_the_note_reaches_the_builder() {
    let host = project();
    let (waiting, _) = run_scripted(&host, asking(), [work()]).await;
    let result = waiting.result();
    let question = result.questions.first().unwrap();
    assert_eq!((result.reason, question.kind, result.questions.len()), (StopReason::Waiting, QuestionKind::Tool, 1));
    assert_eq!(question.text, "May the agent make the call `write_file` (public/a.html)?");
    assert_eq!(question.details["why"]["file"], ".handoff/config.yaml");
    assert_eq!(
        (&question.details["why"]["line"], &question.details["args"]["path"]),
        (&2.into(), &"public/a.html".into())
    );
    assert_eq!(host.text("index.html").as_deref(), Some("<h1>Drinks</h1>"), "the calls after the question do not run");
    assert_eq!(find_unfinished(host.project()).await.unwrap().unwrap().questions, result.questions);

    // Without an answer, the run waits again, and the model is not called.
    let (still, model) = run_scripted(&host, RunOptions { resume: true, ..asking() }, [work()]).await;
    assert_eq!((&still.result().questions, asked(&still), model.used()), (&result.questions, 0, 0));

    let (done, model) = run_scripted(&host, answered(question, noted()), [work()]).await;
    assert!(done.result().success, "{}", done.result().message);
    let prompt = text_of(&model.requests()[0]);
    assert!(prompt.contains("(public/a.html) is allowed. Make exactly this call, with these arguments: "), "{prompt}");
    assert!(prompt.contains("Follow the user's note: keep the old prices"), "{prompt}");
    assert_eq!((asked(&done), host.text("public/a.html").as_deref()), (0, Some("<h1>Real drinks</h1>")));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_refused_call_is_refused_until_the_run_ends_and_another_one_asks_again() {
    for (decision, text) in
        [(Decision::Deny, "is not allowed: too early."), (Decision::Revise, "is not allowed as it is: too early.")]
    {
        let host = project();
        let (waiting, _) = run_scripted(&host, asking(), [work()]).await;
        let question = &waiting.result().questions[0];
        let answer = Answer { decision, ..Answer::deny("too early".to_owned()) };
        let other = Turn::calls([write("public/b.html", "b")]);
        let (again, model) = run_scripted(&host, answered(question, answer), [work(), other.clone(), other]).await;
        let prompt = text_of(&model.requests()[0]);
        assert!(prompt.contains(text), "{prompt}");
        assert_eq!(host.text("public/a.html"), None);
        let denied =
            again.count(|event| matches!(event, Event::ToolResult { output, .. } if output.contains("too early")));
        assert_eq!(denied, 1);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_first_of_two_answers_counts() {
    let host = project();
    let (waiting, _) = run_scripted(&host, asking(), [work()]).await;
    let question = &waiting.result().questions[0];
    let (first, _) = run_scripted(&host, answered(question, noted()), []).await;
    assert_eq!(first.result.unwrap_err().code, ErrorCode::Model);
    let (late, _) = run_scripted(&host, answered(question, Answer::deny("no".to_owned())), [work()]).await;
    assert!(late.statuses().contains("the first answer counts"), "{}", late.statuses());
    assert!(late.result().success && host.text("public/a.html").is_some());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_hook_answers_in_the_page_and_equal_calls_do_not_ask_again() {
    let mut host = project();
    host.hooks = Some(MemoryHooks::default().approve_tool(|_| noted()));
    let call = Turn::calls([write("public/a.html", "<h1>Real drinks</h1>")]);
    let (done, model) = run_scripted(&host, asking(), [call.clone(), call, work()]).await;
    assert!(done.result().success && asked(&done) == 1, "{}", done.result().message);
    assert!(text_of(&model.requests()[1]).contains("Follow the user's note"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_call_whose_question_expires_while_a_hook_waits_is_refused() {
    let mut host = project();
    host.put(
        ".handoff/config.yaml",
        "policy: [{ decision: ask, path: public/** }]\napprovals: { expiresAfterMs: 1000 }\n",
    );
    host.hooks = Some(MemoryHooks::default().silent("approveTool"));
    let (done, _) = run_scripted(&host, asking(), [work()]).await;
    assert!(done.result().success && asked(&done) == 1, "{}", done.result().message);
    assert!(host.text("public/a.html").is_none());
    assert!(
        done.count(|event| matches!(event, Event::ToolResult { ok: false, output, .. } if output.contains("expired")))
            == 1
    );
}

/// A page that is closed between any two writes neither loses the question nor asks it twice.
#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_question_survives_a_closed_page_at_every_write() {
    let finish = async |host: &MemoryHost, at: &str| {
        for _ in 0..9 {
            let mut host = host.clone();
            host.model = Some(ScriptedModel::new(vec![work(); 9]));
            let found = find_unfinished(host.project()).await.unwrap();
            let options = match &found {
                None if host.text("public/a.html").is_some() => return,
                None => RunOptions { run_id: "run-2".to_owned(), ..asking() },
                Some(found) => match found.questions.first() {
                    Some(question) => RunOptions { run_id: found.run_id.clone(), ..answered(question, noted()) },
                    None => RunOptions { resume: true, run_id: found.run_id.clone(), ..asking() },
                },
            };
            match drive(&host, options.clone(), &RunControl::default(), &|_, _| {}).await {
                Ok(_) => {}
                Err(error) if error.code == ErrorCode::NotFound => {
                    let again = RunOptions { run_id: "run-2".to_owned(), ..asking() };
                    drop(drive(&host, again, &RunControl::default(), &|_, _| {}).await);
                }
                Err(error) => panic!("{at}: {error}"),
            }
        }
        panic!("{at}: the run never ends");
    };
    let host = project();
    let (waiting, _) = run_scripted(&host, asking(), [work()]).await;
    let first = host.fs.writes();
    let question = waiting.result().questions[0].clone();
    run_scripted(&host, answered(&question, noted()), [work()]).await.0.result.unwrap();
    let last = host.fs.writes();
    for number in (0..last).step_by(3) {
        let host = project();
        host.fs.fail_write(number, Fault::Crash);
        let (outcome, _) = run_scripted(&host, asking(), [work()]).await;
        if number >= first {
            let question = outcome.result().questions[0].clone();
            drop(run_scripted(&host, answered(&question, noted()), [work()]).await);
        }
        host.fs.heal();
        finish(&host, &format!("write {number}")).await;
        assert_eq!(host.text("public/a.html").as_deref(), Some("<h1>Real drinks</h1>"), "write {number}");
    }
}

/// The page that goes on asks nobody, but the answer still counts.
#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_denial_counts_although_no_rule_asks_any_more() {
    let host = project();
    let (waiting, _) = run_scripted(&host, asking(), [work()]).await;
    let question = &waiting.result().questions[0];
    host.put(".handoff/config.yaml", "rules: []\n");
    let (_, model) = run_scripted(&host, answered(question, Answer::deny("never".to_owned())), [work()]).await;
    assert!(model.used() > 0 && host.text("public/a.html").is_none());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn other_arguments_are_an_object_and_the_agent_reads_them() {
    let host = project();
    let (waiting, _) = run_scripted(&host, asking(), [work()]).await;
    let question = &waiting.result().questions[0];
    let with = |value| answered(question, Answer { value: Some(value), ..Answer::allow() });
    let (refused, _) = run_scripted(&host, with("public/b.html".into()), [work()]).await;
    assert_eq!(refused.result.unwrap_err().code, ErrorCode::InvalidArgument);
    let other = serde_json::json!({ "path": "public/b.html", "content": "b" });
    let rest =
        Turn::calls([write("index.html", "<h1>Real drinks</h1>"), write(".ralph/summary.md", SUMMARY), complete()]);
    let first = Turn::calls([write("public/a.html", "<h1>Real drinks</h1>")]);
    let (done, model) = run_scripted(&host, with(other), [first, rest]).await;
    assert!(done.result().success, "{}", done.result().message);
    assert_eq!((host.text("public/a.html"), host.text("public/b.html").as_deref()), (None, Some("b")));
    assert!(text_of(&model.requests()[1]).contains("with other arguments"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_answer_at_the_last_iteration_still_runs_the_call() {
    let host = project();
    let limits = loopgate::run::LimitOptions { max_iterations: Some(1.0), ..Default::default() };
    let (waiting, _) = run_scripted(&host, RunOptions { limits, ..asking() }, [work()]).await;
    let options = RunOptions { limits, ..answered(&waiting.result().questions[0], noted()) };
    let (done, _) = run_scripted(&host, options, [work()]).await;
    assert!(done.result().success, "{}", done.result().message);
}

/// The journal has no secrets, so an equal call would be made with `[redacted]`.
#[wasm_bindgen_test(unsupported = tokio::test)]
async fn other_arguments_with_a_secret_are_refused_from_a_hook_as_from_a_page() {
    let value = serde_json::json!({ "path": "public/a.html", "content": "hunter2-hunter2" });
    let secret = Answer { value: Some(value), ..Answer::allow() };
    let mut host = project();
    host.redactor = loopgate::redact::Redactor::new(["hunter2-hunter2".to_owned()]);
    let (waiting, _) = run_scripted(&host, asking(), [work()]).await;
    let question = waiting.result().questions[0].clone();
    let (page, _) = run_scripted(&host, answered(&question, secret.clone()), [work()]).await;
    let mut new = project();
    new.redactor = host.redactor.clone();
    let hooks = MemoryHooks::default().approve_tool(move |_| secret.clone());
    (host.hooks, new.hooks) = (Some(hooks.clone()), Some(hooks));
    let (resumed, _) = run_scripted(&host, RunOptions { resume: true, ..asking() }, [work()]).await;
    let (hook, _) = run_scripted(&new, asking(), [work()]).await;
    for (outcome, host) in [(page, &host), (resumed, &host), (hook, &new)] {
        let error = outcome.result.unwrap_err();
        assert!(error.code == ErrorCode::InvalidArgument && error.message.contains(&question.id), "{error}");
        assert_eq!(host.text("public/a.html"), None);
        assert_eq!(find_unfinished(host.project()).await.unwrap().unwrap().questions.len(), 1, "it is still open");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_denied_question_is_not_open_again_if_the_end_of_the_journal_is_cut_off() {
    let host = project();
    let (waiting, _) = run_scripted(&host, asking(), [work()]).await;
    let question = &waiting.result().questions[0];
    let segments = || host.fs.tree("/project/.loopgate/journal").into_keys().collect::<Vec<_>>();
    let before = segments();
    let (_, _) = run_scripted(&host, answered(question, Answer::deny("never".to_owned())), [work()]).await;
    assert!(host.text("public/a.html").is_none());
    for segment in segments().into_iter().filter(|segment| !before.contains(segment)) {
        host.fs.delete(&segment);
    }
    let error = find_unfinished(host.project()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Corrupt, "{error}");
    let (resumed, model) = run_scripted(&host, answered(question, Answer::allow()), [work()]).await;
    assert_eq!((resumed.result.unwrap_err().code, model.used()), (ErrorCode::Corrupt, 0));
    assert!(host.text("public/a.html").is_none());
    // A new run works beside it.
    let (next, model) = run_scripted(&host, RunOptions { run_id: "run-2".to_owned(), ..asking() }, [work()]).await;
    assert!(next.result.is_ok() && model.used() > 0);
}
