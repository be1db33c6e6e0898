//! Messages of the user in a run over chunks, and switching a step off at a resume.

use super::*;
use loopgate::run::ConfigSources;
use std::cell::Cell;

/// Runs, and sends this message when the event first comes.
async fn run_saying(host: &MemoryHost, message: &str, at: impl Fn(&Event) -> bool) -> Outcome {
    let (events, control, is_sent) = (RefCell::new(Vec::new()), RunControl::default(), Cell::new(false));
    let listener = |envelope: &Envelope, _: &str| {
        events.borrow_mut().push(envelope.clone());
        if at(&envelope.event) && !is_sent.replace(true) {
            control.steering.borrow_mut().push(message.to_owned());
        }
    };
    let result = drive(host, options("run-1"), &control, &listener).await;
    Outcome { events: events.into_inner(), result }
}

fn reviewed(event: &Event) -> bool {
    matches!(event, Event::IterationStarted { role: AgentRole::Reviewer, .. })
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_message_during_the_review_is_answered_in_the_same_attempt_before_it_ships() {
    let work = [build("src/a.ts", "a\n"), build("src/more.ts", "more\n")];
    let roles = Roles::new(json!([chunk("a", &[])]), work, [ship()]).await;
    let outcome = run_saying(&roles.host, "Add more, too.", reviewed).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let prompts = roles.prompts(AgentRole::Builder);
    assert!(!prompts[0].contains("Add more") && prompts[1].contains("Add more, too."), "{}", prompts[1]);
    assert_eq!(
        outcome.count(|fact| matches!(fact, ChunkFact::AttemptStarted { .. })),
        2,
        "the chunk and the final review"
    );
    assert_eq!(roles.history().await, ["Add a", "by the user"], "one commit has both");
    assert_eq!(roles.sources().len(), 2);
    let reviews = roles.prompts(AgentRole::Reviewer);
    assert!(reviews[2].contains("Add more, too."), "the reviewer judges it as part of the work: {}", reviews[2]);
    assert!(!reviews.last().unwrap().contains("Add more"), "the final review is another piece of work");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_message_after_the_last_chunk_is_answered_in_an_attempt_of_its_own() {
    let work = [build("src/a.ts", "a\n"), build("src/more.ts", "more\n")];
    let roles = Roles::new(json!([chunk("a", &[])]), work, [ship()]).await;
    let drafted = |event: &Event| matches!(event, Event::QuestionUnanswered { .. });
    let outcome = run_saying(&roles.host, "Add more, too.", drafted).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert!(roles.prompts(AgentRole::Builder)[1].contains("Add more, too."));
    assert_eq!(roles.history().await.len(), 3);
    assert_eq!(roles.sources().len(), 2);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_message_of_one_chunk_is_no_part_of_the_next_one() {
    let chunks = json!([chunk("a", &[]), chunk("b", &[])]);
    let roles = Roles::new(chunks, [build("src/a.ts", "a\n"), build("src/b.ts", "b\n")], [ship()]).await;
    let started = |event: &Event| matches!(event, Event::Chunks(ChunkFact::ChunkStarted { .. }));
    let outcome = run_saying(&roles.host, "Use tabs.", started).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let prompts = roles.prompts(AgentRole::Builder);
    assert!(prompts[0].contains("Use tabs.") && !prompts[1].contains("Use tabs."));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_message_to_a_run_that_was_aborted_is_named() {
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
    let (control, said) = (RunControl::default(), RefCell::new(Vec::new()));
    let listener = |envelope: &Envelope, _: &str| match &envelope.event {
        Event::Chunks(ChunkFact::AttemptRecorded { .. }) => {
            control.abort.fire("enough");
            control.steering.borrow_mut().push("One more thing.".to_owned());
        }
        Event::Status { text } => said.borrow_mut().push(text.clone()),
        _ => {}
    };
    let result = drive(&roles.host, options("run-1"), &control, &listener).await.unwrap();
    assert_eq!(result.reason, StopReason::Aborted);
    assert!(said.borrow().iter().any(|text| text.contains("not answered: One more thing.")), "{:?}", said.borrow());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_step_that_is_switched_off_frees_a_resumed_run() {
    let unreadable = Turn::Text("Looks good to me!".to_owned());
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [unreadable]).await;
    let error = run(&roles.host, options("run-1")).await.result.unwrap_err();
    assert_eq!((error.code, error.retryable), (ErrorCode::Model, true));
    let layer = Some(json!({ "reviews": { "quick": false, "deep": false, "final": false } }));
    let config = ConfigSources { layer, ..ConfigSources::default() };
    let outcome = run(&roles.host, RunOptions { resume: true, config, ..options("run-1") }).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.history().await, ["Add a", "by the user"]);
    assert_eq!(roles.prompts(AgentRole::Builder).len(), 1);
}
