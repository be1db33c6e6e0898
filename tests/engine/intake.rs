//! A message becomes a task before anything else happens.

use crate::engine::support::{Outcome, PLAN, SUMMARY, complete, run_scripted, run_with, write};
use loopgate::ErrorCode;
use loopgate::port::memory::{MemoryHost, ScriptedModel, Turn};
use loopgate::port::{AgentRole, ClockPort, PortErrorKind};
use loopgate::run::{Event, LimitOptions, PlanMode, RunControl, RunOptions, StopReason, TaskFact, find_unfinished};
use loopgate::snapshot::{SaveOptions, save};
use loopgate::task::{GivenTask, Marker, PARSE_MS, ParsedBy, StructuredTask, TaskType, format_task};
use serde_json::json;
use std::collections::BTreeMap;
use wasm_bindgen_test::wasm_bindgen_test;

/// A project after two tasks.
fn project() -> MemoryHost {
    MemoryHost::new([
        ("src/FlavorGrid.tsx", "export const flavors = 8\n"),
        (".ralph/plan.tsx", PLAN),
        (".ralph/task-counter.txt", "2"),
        (".ralph/task-history.md", "- Task 1: Built the page\n"),
        (
            ".ralph/summary.md",
            "# VIBRANT ENERGY\n\nBuilt the landing page: hero, features with 8 drinks, cta, two moods.",
        ),
        (".ralph/feedback.md", "# Old feedback\n"),
        (".ralph/status.txt", "complete"),
        (".ralph/iteration.txt", "7"),
    ])
}

fn message(id: &str, message: &str) -> RunOptions {
    RunOptions { plan: PlanMode::Off, ..RunOptions::task(id, message, crate::engine::support::registry()) }
}

fn work() -> Turn {
    Turn::calls([write("src/a.ts", "export {}"), write(".ralph/summary.md", SUMMARY), complete()])
}

/// The task in the first fact.
fn task(outcome: &Outcome) -> &StructuredTask {
    match &outcome.events[0].event {
        Event::RunStarted(started) => started.task.as_ref().unwrap(),
        other => panic!("{other:?}"),
    }
}

const ANSWER: &str = r#"{"type":"mutation","title":"Night drinks","taskNumber":99,"requirements":
    [{"marker":"ADD","description":"2 night drinks","count":2,"existing":8}],"preserve":["the 8 drinks"],"affectedFiles":["src/FlavorGrid.tsx","/etc/passwd"]}"#;

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_the_model_the_message_is_parsed_by_rules() {
    let host = project();
    let words = "refine ad copy, less generic more adult. two moods not working. add 2 more drinks for nighttime.";
    let (outcome, _) = run_scripted(&host, message("run-1", words), [work()]).await;
    assert!(outcome.result().success);
    let task = task(&outcome);
    let found: Vec<_> = task.requirements.iter().map(|it| (it.marker, it.count, it.existing)).collect();
    let expected = [(Marker::Modify, None, None), (Marker::Fix, None, None), (Marker::Add, Some(2), Some(8))];
    assert_eq!((task.kind, found.as_slice(), task.parsed_by), (TaskType::Mutation, &expected[..], ParsedBy::Rules));
    assert!(task.scope.preserve.iter().any(|kept| kept.contains("8 existing")), "{:?}", task.scope);
    assert_eq!((task.task_number, task.previous_tag.as_deref()), (3, None), "there is no such snapshot");
    assert_eq!(host.text(".ralph/task.md"), Some(format_task(task)));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_model_parses_the_message_and_its_cost_counts() {
    let host = project();
    let tag = SaveOptions { tag: Some("task-2-post".to_owned()), ..SaveOptions::default() };
    save(&host, &tag).await.unwrap();
    let (outcome, model) =
        run_scripted(&host, message("run-1", "more for nighttime"), [Turn::Text(ANSWER.to_owned()), work()]).await;
    let task = task(&outcome);
    assert_eq!((task.parsed_by, task.title.as_str(), task.task_number), (ParsedBy::Model, "Night drinks", 3));
    assert_eq!((task.previous_tag.as_deref(), task.raw_message.as_str()), (Some("task-2-post"), "more for nighttime"));
    assert_eq!(task.scope.affected_files, ["src/FlavorGrid.tsx"]);
    let [parser, builder] = model.requests().try_into().unwrap();
    assert_eq!((parser.role, builder.role), (AgentRole::Parser, AgentRole::Builder));
    let asked = crate::engine::support::text_of(&parser);
    for known in ["more for nighttime", "features", "with 8 drinks", "src/FlavorGrid.tsx"] {
        assert!(asked.contains(known), "{known}: {asked}");
    }
    assert!(!asked.contains("task-counter.txt"), "{asked}");
    let paid = outcome.events.iter().position(|event| matches!(event.event, Event::Usage { .. }));
    let began =
        outcome.events.iter().position(|event| matches!(event.event, Event::Task(TaskFact::TaskStarted { .. })));
    assert!(paid < began, "{:?}", outcome.events);
    assert_eq!(outcome.result().usage.input_tokens, 200, "the parser's turn and the builder's");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_run_continues_whatever_the_model_answers_to_the_message() {
    for turn in [
        Turn::Fail(PortErrorKind::Unavailable),
        Turn::Hang,
        Turn::Stall(vec!["{".to_owned()]),
        Turn::Cut("{".to_owned()),
    ] {
        let (outcome, model) =
            run_scripted(&project(), message("run-1", "add a map"), [turn.for_role(AgentRole::Parser), work()]).await;
        assert!(outcome.result().success);
        assert_eq!((task(&outcome).parsed_by, model.used()), (ParsedBy::Rules, 2));
        assert_eq!(task(&outcome).requirements.len(), 1);
    }
    // Not longer than the idle timeout of the model.
    let host = project();
    let mut impatient = message("run-1", "add a map");
    impatient.limits = LimitOptions { model_idle_ms: Some(1_500.0), ..LimitOptions::default() };
    let began = host.clock.now();
    let (outcome, _) = run_scripted(&host, impatient, [Turn::Hang.for_role(AgentRole::Parser), work()]).await;
    assert!(outcome.result().success);
    let waited = host.clock.now() - began;
    assert!((1_500..PARSE_MS).contains(&waited), "{waited} ms");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_existing_run_id_is_refused_before_the_model_is_called() {
    let host = project();
    assert!(run_scripted(&host, message("run-1", "add a map"), [work()]).await.0.result().success);
    let before = host.fs.tree("/");
    let (outcome, model) =
        run_scripted(&host, message("run-1", "add a map"), [Turn::Text(ANSWER.to_owned()), work()]).await;
    assert_eq!(outcome.result.unwrap_err().code, ErrorCode::Conflict);
    assert_eq!((model.used(), host.fs.tree("/")), (0, before));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_abort_while_parsing_the_message_changes_nothing() {
    let mut host = project();
    let model = ScriptedModel::new([Turn::Hang.for_role(AgentRole::Parser), work()]);
    host.model = Some(model.clone());
    let before = files(&host);
    let control = RunControl::default();
    let abort = async {
        crate::engine::support::until(|| model.used() == 1).await;
        control.abort.fire("changed my mind");
    };
    let run_1 = run_with(&host, message("run-1", "add a map"), &control);
    let (outcome, ()) = futures_util::future::join(run_1, abort).await;
    assert_eq!((outcome.result().reason, outcome.result().iterations), (StopReason::Aborted, 0));
    assert_eq!(files(&host), before);
    // The next task takes the number, and the history is complete.
    let (next, _) = run_scripted(&host, message("run-2", "add a map"), [work()]).await;
    assert_eq!(task(&next).task_number, 3);
    assert!(host.text(".ralph/task-history.md").unwrap().starts_with("- Task 1: Built the page\n- Task 2: "));
}

fn given(kind: TaskType) -> GivenTask {
    let task = json!({ "type": "fresh", "title": "Seen by the user", "rawMessage": "forged", "taskNumber": 99,
        "requirements": [{ "marker": "ADD", "description": "one map" }], "questions": ["Where?"] });
    let task: GivenTask = loopgate::json::from_value(task).unwrap();
    GivenTask { kind, ..task }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_task_parsed_by_the_caller_is_used_as_it_is() {
    let host = project();
    let options = RunOptions { parsed: Some(given(TaskType::Bugfix)), ..message("run-1", "add a map") };
    let (outcome, model) = run_scripted(&host, options.clone(), [work()]).await;
    assert_eq!(model.used(), 1);
    let task = task(&outcome);
    assert_eq!(
        (task.title.as_str(), task.task_number, task.raw_message.as_str()),
        ("Seen by the user", 3, "add a map")
    );
    assert_eq!((task.kind, &task.questions), (TaskType::Bugfix, &None));
    let Some([only]) = outcome.result().requirements.as_deref() else { panic!("{:?}", outcome.result().requirements) };
    assert_eq!((only.marker.as_str(), only.text.as_str()), ("ADD", "one map"));
    let wrong = GivenTask { requirements: Vec::new(), ..given(TaskType::Fresh) };
    let options = RunOptions { run_id: "run-2".to_owned(), parsed: Some(wrong), ..options };
    let error = run_scripted(&host, options, []).await.0.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidArgument);
    assert!(error.message.starts_with("work.parsed.requirements is empty"), "{}", error.message);
}

/// The project's files without the harness's folder.
fn files(host: &MemoryHost) -> BTreeMap<String, Vec<u8>> {
    host.fs.tree("/project").into_iter().filter(|(path, _)| !path.contains("/.loopgate/")).collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_unclear_message_ends_with_questions_and_the_answer_continues_the_task() {
    let host = project();
    let before = files(&host);
    let (outcome, model) = run_scripted(&host, message("run-1", "more for nighttime"), [work()]).await;
    let result = outcome.result();
    assert_eq!((result.success, result.reason, result.iterations), (false, StopReason::NeedsClarification, 0));
    let questions = result.clarification.clone().unwrap();
    assert_eq!((Some(&questions), model.used()), (task(&outcome).questions.as_ref(), 0));
    assert_eq!(outcome.events.len(), 2, "{:?}", outcome.events);
    assert_eq!(files(&host), before, "nothing of the project changed");
    assert!(host.git.as_ref().unwrap().refs().is_empty());
    assert_eq!(find_unfinished(host.project()).await.unwrap(), None);

    let (outcome, _) = run_scripted(&host, message("run-2", &questions[0]), [work()]).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.result().clarification, None);
    let task = task(&outcome);
    assert_eq!((task.task_number, task.requirements[0].marker), (3, Marker::Add));
    assert_eq!(task.raw_message, format!("more for nighttime\n\n{}", questions[0]));
    assert_eq!(outcome.result().snapshots.post.as_deref(), Some("task-3-post"));
    let history = host.text(".ralph/task-history.md").unwrap();
    assert_eq!(history.lines().count(), 2, "one line for the task before, none for the question: {history}");
    assert!(host.text(".ralph/task.md").unwrap().contains("> more for nighttime\n> \n> “More for nighttime”"));

    // The next message is a new task.
    let (outcome, _) = run_scripted(&host, message("run-3", "add a map"), [work()]).await;
    assert_eq!((self::task(&outcome).task_number, self::task(&outcome).raw_message.as_str()), (4, "add a map"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_clarified_task_continues() {
    // If the clock goes back, the ids of later runs sort before earlier ones.
    for [first, second, third] in [["run-1", "run-2", "run-3"], ["run-3", "run-2", "run-1"]] {
        let host = project();
        assert!(run_scripted(&host, message(first, "add a list"), [work()]).await.0.result().success);
        let asking = RunOptions { parsed: Some(given(TaskType::NeedsClarification)), ..message(second, "add a map") };
        let (outcome, _) = run_scripted(&host, asking, [work()]).await;
        assert_eq!(outcome.result().clarification, Some(vec!["Where?".to_owned()]));
        let (outcome, _) = run_scripted(
            &host,
            message(third, "on the left"),
            [Turn::calls([write("src/b.ts", "1"), write(".ralph/summary.md", SUMMARY), complete()])],
        )
        .await;
        assert!(outcome.result().success);
        assert_eq!((task(&outcome).task_number, task(&outcome).raw_message.as_str()), (4, "add a map\n\non the left"));
    }
}

/// The notes in the first fact.
fn notes(outcome: &Outcome) -> &[String] {
    match &outcome.events[0].event {
        Event::RunStarted(started) => &started.notes,
        other => panic!("{other:?}"),
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_run_without_questions_takes_the_most_likely_reading_and_says_so() {
    let asking = Some(given(TaskType::NeedsClarification));
    for (id, parsed) in [("run-1", None), ("run-2", asking)] {
        let options = RunOptions { clarify: false, parsed, ..message(id, "more for nighttime") };
        let (outcome, _) = run_scripted(&project(), options, [work()]).await;
        assert!(outcome.result().success, "{:?}", outcome.result());
        let task = task(&outcome);
        assert_eq!((task.kind, task.requirements[0].marker), (TaskType::Mutation, Marker::Add));
        assert_eq!(task.raw_message, "more for nighttime");
        let is_said = |note: &String| note.contains("[ADD]") && note.contains("Not asked: ");
        assert!(notes(&outcome).iter().any(is_said), "{:?}", notes(&outcome));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_model_is_asked_again_after_the_wait_that_it_asks_for() {
    for (wait, used, expected) in [(2_000, 3, ParsedBy::Model), (60_000, 2, ParsedBy::Rules)] {
        let busy = Turn::Fail(PortErrorKind::RateLimited(Some(wait))).for_role(AgentRole::Parser);
        let answer = (used == 3).then(|| Turn::Text(ANSWER.to_owned()).for_role(AgentRole::Parser));
        let mut host = project();
        let model = ScriptedModel::new(std::iter::once(busy).chain(answer).chain([work()]));
        host.model = Some(model.clone());
        let outcome = run_with(&host, message("run-1", "add 2 night drinks"), &RunControl::default()).await;
        assert_eq!((task(&outcome).parsed_by, model.used()), (expected, used), "{wait}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_refused_limit_of_the_parsers_answer_is_left_out_and_a_fall_back_to_rules_is_a_note() {
    let refusal =
        || Turn::Refuse("400 Unsupported parameter: 'max_output_tokens'".to_owned()).for_role(AgentRole::Parser);
    let answer = Turn::Text(ANSWER.to_owned()).for_role(AgentRole::Parser);
    for (last, expected) in [(answer, ParsedBy::Model), (refusal(), ParsedBy::Rules)] {
        let mut host = project();
        let model = ScriptedModel::new([refusal(), last, work()]);
        host.model = Some(model.clone());
        let outcome = run_with(&host, message("run-1", "add 2 night drinks"), &RunControl::default()).await;
        assert!(outcome.result().success);
        assert_eq!(task(&outcome).parsed_by, expected);
        let limits: Vec<bool> = model.requests().iter().map(|sent| sent.max_output_tokens.is_some()).take(2).collect();
        assert_eq!(limits, [true, false]);
        let is_said = notes(&outcome).iter().any(|note| note.contains("max_output_tokens"));
        assert_eq!(is_said, expected == ParsedBy::Rules, "{:?}", notes(&outcome));
    }
}

/// A reloaded page does not know the question and parses the answer alone.
#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_answer_raises_no_further_questions() {
    let host = project();
    run_scripted(&host, message("run-1", "more for nighttime"), [work()]).await;
    let unclear = RunOptions { parsed: Some(given(TaskType::NeedsClarification)), ..message("run-2", "yes") };
    let (outcome, _) = run_scripted(&host, unclear, [work()]).await;
    assert!(outcome.result().success, "{:?}", outcome.result());
    assert_eq!(task(&outcome).raw_message, "more for nighttime\n\nyes");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_new_task_clears_its_files_but_not_history_and_plan() {
    let mut host = project();
    let model = ScriptedModel::new([Turn::Hang]);
    host.model = Some(model.clone());
    let control = RunControl::default();
    let abort = async {
        crate::engine::support::until(|| model.used() == 1).await;
        let text = |name: &str| host.text(&format!(".ralph/{name}")).unwrap_or_default();
        assert_eq!((text("summary.md"), text("feedback.md")), (String::new(), String::new()));
        assert_eq!((text("status.txt").as_str(), text("task-counter.txt").as_str()), ("running", "3"));
        assert_eq!(text("task-history.md"), "- Task 1: Built the page\n- Task 2: VIBRANT ENERGY\n");
        assert_eq!(text("plan.tsx"), PLAN);
        assert!(
            text("task.md").starts_with("# Task: Add a map\nType: mutation\nCounter: 3\n\n## Requirements\n- [ADD] ")
        );
        control.abort.fire("seen enough");
    };
    let (outcome, ()) =
        futures_util::future::join(run_with(&host, message("run-1", "add a map"), &control), abort).await;
    assert_eq!(outcome.result().reason, StopReason::Aborted);
    assert_eq!(outcome.result().snapshots.pre.as_deref(), Some("task-3-pre"));
}
