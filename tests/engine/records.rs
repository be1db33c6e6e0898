//! The records of iterations: which files a run leaves, what they say, and what becomes of them.

use crate::engine::chunks::{FOLDER, build, chunk, project as chunk_project, revise, ship};
use crate::engine::support::{SUMMARY, complete, options, run_scripted, run_with, until, write};
use futures_util::future::{join, select};
use loopgate::Error;
use loopgate::port::memory::{Fault, MemoryHost, ScriptedModel, Turn};
use loopgate::port::{AgentRole, ChatMessage};
use loopgate::redact::Redactor;
use loopgate::run::{
    Event, IterationClose, IterationOutcome, PlanMode, RunControl, RunOptions, StoredIteration, Work, drive,
    list_iterations,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use wasm_bindgen_test::wasm_bindgen_test;

const RUNS: &str = "/project/.loopgate/runs";

fn project() -> MemoryHost {
    MemoryHost::new([("index.html", "<h1>Drinks</h1>"), ("src/a.ts", "start")])
}

fn task() -> RunOptions {
    options("run-1", PlanMode::Off)
}

/// An iteration that ends after three cut-off answers.
fn stopped() -> [Turn; 4] {
    let cut = || Turn::Cut("I think".to_owned());
    [Turn::calls([write("src/a.ts", "one"), write(".git/config", "x")]), cut(), cut(), cut()]
}

fn completed() -> Turn {
    Turn::calls([write("src/a.ts", "two"), write(".ralph/summary.md", SUMMARY), complete()])
}

/// The files of the records with their texts, by their paths below the folder of the records.
fn records(host: &MemoryHost) -> BTreeMap<String, String> {
    let files = host.fs.tree(RUNS).into_iter();
    files.map(|(path, bytes)| (path[RUNS.len() + 1..].to_owned(), String::from_utf8(bytes).unwrap())).collect()
}

async fn listed(host: &MemoryHost) -> Vec<StoredIteration> {
    list_iterations(host.project(), "run-1").await.unwrap()
}

fn names(run: &str, iterations: &[&str]) -> Vec<String> {
    let files = ["iteration.json", "prompt.md", "transcript.md"];
    iterations.iter().flat_map(|number| files.map(|file| format!("{run}/{number}/{file}"))).collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn each_iteration_of_a_task_leaves_its_prompt_its_transcript_and_its_data() {
    let host = project();
    let (outcome, model) = run_scripted(&host, task(), stopped().into_iter().chain([completed()])).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let found = records(&host);
    assert_eq!(found.keys().cloned().collect::<Vec<_>>(), names("run-1", &["1", "2"]));

    let messages = &model.requests()[0].messages;
    let [ChatMessage::System { content: system }, ChatMessage::User { content: user, .. }] = &messages[..2] else {
        panic!("{messages:?}")
    };
    assert_eq!(found["run-1/1/prompt.md"], format!("# System\n\n{system}\n\n# User\n\n{user}\n"));

    let transcript = &found["run-1/1/transcript.md"];
    let mut rest = transcript.as_str();
    for text in [
        "iteration 1, attempt 1: Builder",
        "call write_file\n```json\n{\"content\":\"one\",\"path\":\"src/a.ts\"}\n```",
        "ok after 0 ms",
        "write denied: .git/config (git)",
        "failed after 0 ms",
        "the model says\n```\nI think\n```",
        "an answer was cut off at the length limit (3 of 3 in a row)",
        "iteration ended: Stopped",
    ] {
        let at = rest.find(text).unwrap_or_else(|| panic!("{text} is not in this order: {transcript}"));
        rest = &rest[at + text.len()..];
    }

    let [first, second] = &listed(&host).await[..] else { panic!("two records") };
    assert_eq!(first.record.outcome, IterationOutcome::Closed(IterationClose::Stopped));
    assert_eq!(second.record.outcome, IterationOutcome::Closed(IterationClose::Completed));
    assert_eq!((first.record.role, first.record.tool_calls), (AgentRole::Builder, 2));
    assert_eq!(first.record.files_changed, BTreeSet::from(["src/a.ts".to_owned()]));
    assert_eq!(host.text(&first.files.transcript).as_ref(), Some(transcript));
    let data: Value = serde_json::from_str(&found["run-1/2/iteration.json"]).unwrap();
    assert_eq!(
        (&data["runId"], &data["iteration"], &data["outcome"]),
        (&json!("run-1"), &json!(2), &json!("completed"))
    );
    let used: u64 = [first, second].map(|found| found.record.usage.input_tokens).iter().sum();
    assert_eq!(used, outcome.result().usage.input_tokens);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn each_role_of_a_spec_leaves_a_record() {
    let mut host = MemoryHost::new([("specs/0001-foo.md", "# Foo\nExport foo.\n")]);
    host.model = Some(ScriptedModel::answering(|request| match request.role {
        AgentRole::Planner => Turn::calls([write("specs/plans/0001-foo.md", "# Plan\n"), complete()]),
        AgentRole::Verifier => Turn::call("complete_task", json!({ "verdict": "accept", "reason": "all there" })),
        _ => Turn::calls([write("src/foo.ts", "foo"), complete()]),
    }));
    let work = RunOptions { work: Work::Spec { path: None, force: false }, ..task() };
    let outcome = run_with(&host, work, &RunControl::default()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let roles: Vec<_> = listed(&host).await.into_iter().map(|found| found.record.role).collect();
    assert_eq!(roles, [AgentRole::Planner, AgentRole::Builder, AgentRole::Verifier]);
    let found = records(&host);
    assert_eq!(found.keys().cloned().collect::<Vec<_>>(), names("run-1", &["1", "2", "3"]));
    assert!(found["run-1/3/transcript.md"].contains("all there"));
    let logs: Vec<_> = host.fs.tree("/project/runs").into_values().collect();
    assert!(logs.iter().any(|log| log == found["run-1/3/transcript.md"].as_bytes()), "the log has the same text");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_attempt_at_a_chunk_also_has_the_transcript_and_the_data_of_all_its_iterations() {
    let mut host = chunk_project(&json!([chunk("a", &[])])).await;
    host.model = Some(ScriptedModel::answering(|request| {
        let prompt = serde_json::to_string(&request.messages).unwrap();
        match request.role {
            AgentRole::Reviewer if prompt.contains("+racy") => revise("Take the lock first."),
            AgentRole::Reviewer => ship(),
            AgentRole::Summarizer => Turn::Text(String::new()),
            _ if prompt.contains("Take the lock") => build("src/a.ts", "safe\n"),
            _ => build("src/a.ts", "racy\n"),
        }
    }));
    let outcome = run_with(&host, crate::engine::chunks::options("run-1"), &RunControl::default()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let roles: Vec<_> = listed(&host).await.into_iter().map(|found| found.record.role).collect();
    let of = |attempt: &str, name: &str| host.text(&format!("{FOLDER}/iterations/{attempt}/{name}")).unwrap();
    let mut attempts = Vec::new();
    for (attempt, number) in [("a/iteration-1", 1), ("a/iteration-2", 2), ("final-review/iteration-1", 1)] {
        let data: Value = serde_json::from_str(&of(attempt, "attempt.json")).unwrap();
        assert_eq!((&data["runId"], &data["attempt"]), (&json!("run-1"), &json!(number)));
        attempts.extend(data["iterations"].as_array().unwrap().iter().map(|found| found["role"].clone()));
        let transcript = of(attempt, "transcript.md");
        assert_eq!(transcript.contains(": Builder"), attempt.starts_with('a'), "{transcript}");
        assert!(transcript.contains(": Reviewer"), "{transcript}");
        assert_eq!(transcript.contains("Take the lock first."), attempt == "a/iteration-1", "{transcript}");
    }
    assert_eq!(serde_json::to_value(roles).unwrap(), json!(attempts));
    assert!(attempts.len() > 3 && attempts[..2] == [json!("builder"), json!("reviewer")], "{attempts:?}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn no_record_has_a_secret_that_the_prompt_or_the_model_has() {
    let mut host = project();
    host.put("AGENTS.md", "The key is hunter2-hunter2.\n");
    host.redactor = Redactor::new(["hunter2-hunter2".to_owned()]);
    let turn = Turn::calls([write("src/key.ts", "hunter2-hunter2"), write(".ralph/summary.md", SUMMARY), complete()]);
    let (_, model) = run_scripted(&host, task(), [Turn::Cut("hunter2-hunter2".to_owned()), turn]).await;
    assert!(format!("{:?}", model.requests()[0]).contains("hunter2"), "the model gets it");
    let found = records(&host);
    assert_eq!(found.len(), 3);
    assert!(found.values().all(|text| !text.contains("hunter2")), "{found:?}");
    assert!(found["run-1/1/prompt.md"].contains("[redacted]") && found["run-1/1/transcript.md"].contains("[redacted]"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_configuration_limits_the_number_of_records_over_all_runs() {
    let turns = || [stopped().as_slice(), &stopped(), &[completed()]].concat();
    for (kept, expected) in [
        (9, [names("run-0", &["1", "9", "10"]), names("run-1", &["1", "2", "3"])].concat()),
        (4, [names("run-0", &["10"]), names("run-1", &["1", "2", "3"])].concat()),
        (2, names("run-1", &["2", "3"])),
        (0, names("run-0", &["1", "9", "10"])),
    ] {
        let host = project();
        names("run-0", &["1", "9", "10"]).iter().for_each(|name| host.fs.put(&format!("{RUNS}/{name}"), "old"));
        host.put(".handoff/config.yaml", &format!("records: {{ iterations: {kept} }}\n"));
        let (outcome, _) = run_scripted(&host, task(), turns()).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        let mut expected = expected;
        expected.sort();
        assert_eq!(records(&host).into_keys().collect::<Vec<_>>(), expected, "{kept}");
        let is_left = host.fs.dirs(RUNS).iter().any(|folder| folder.ends_with("run-0"));
        assert_eq!(is_left, expected.iter().any(|name| name.starts_with("run-0")), "{kept}: empty folders are removed");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_interrupted_iteration_gets_its_record_when_the_run_is_resumed_and_the_next_one_another_number() {
    let mut host = project();
    let model = ScriptedModel::new([Turn::calls([write("src/a.ts", "one")]), Turn::Hang]);
    host.model = Some(model.clone());
    let control = RunControl::default();
    let run = Box::pin(run_with(&host, task(), &control));
    select(run, Box::pin(until(|| model.used() == 2))).await;
    assert_eq!(records(&host).into_keys().collect::<Vec<_>>(), ["run-1/1/prompt.md"]);
    assert_eq!(listed(&host).await, []);

    let mut resumed = RunOptions { resume: true, ..task() };
    resumed.limits.max_iterations = Some(1.0);
    let (outcome, _) = run_scripted(&host, resumed, [completed()]).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(records(&host).into_keys().collect::<Vec<_>>(), names("run-1", &["1", "2"]));
    let found = listed(&host).await;
    let outcomes: Vec<_> = found.iter().map(|found| found.record.outcome).collect();
    assert_eq!(outcomes, [IterationOutcome::Interrupted, IterationOutcome::Closed(IterationClose::Completed)]);
    let numbers: Vec<_> = found.iter().map(|found| (found.record.iteration, found.record.attempt)).collect();
    assert_eq!(numbers, [(1, 1), (2, 1)], "it goes on with the same attempt at the task");
    assert_eq!(outcome.result().iterations, 1, "what was interrupted does not count for the limit");
    assert_eq!(found[0].record.tool_calls, 1);
    assert_eq!(found[0].record.files_changed, BTreeSet::from(["src/a.ts".to_owned()]));
    assert!(host.text(&found[0].files.transcript).unwrap().contains("call write_file"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_page_that_closes_while_a_record_is_written_loses_and_repeats_nothing() {
    let turns = || stopped().into_iter().chain([completed()]);
    let host = project();
    run_scripted(&host, task(), turns()).await;
    let expected = records(&host);
    for fault in [Fault::Crash, Fault::Tear] {
        for number in 0.. {
            assert!(number < 100, "no write comes after the record's");
            let mut host = project();
            host.model = Some(ScriptedModel::new(turns()));
            let (files, control) = (host.fs.clone(), RunControl::default());
            let result = drive(&host, task(), &control, &|envelope, _| match envelope.event {
                Event::IterationFinished { iteration: 1, .. } => files.fail_write(number, fault),
                Event::IterationStarted { iteration: 2, .. } => files.heal(),
                _ => {}
            })
            .await;
            host.fs.heal();
            if result.is_err() {
                let resumed = run_with(&host, RunOptions { resume: true, ..task() }, &control).await;
                assert!(resumed.result().success, "{}", resumed.result().message);
            }
            let found = records(&host);
            for name in names("run-1", &["1"]) {
                assert_eq!(found.get(&name), expected.get(&name), "{name}, {fault:?} at write {number}");
            }
            assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{fault:?} at {number}");
            if result.is_ok() {
                break;
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_abort_and_an_error_of_the_host_are_outcomes() {
    let mut host = project();
    let model = ScriptedModel::new([Turn::Hang]);
    host.model = Some(model.clone());
    let control = RunControl::default();
    let abort = async {
        until(|| model.used() == 1).await;
        control.abort.fire("enough");
    };
    join(run_with(&host, task(), &control), abort).await;
    let found = listed(&host).await;
    assert_eq!((found.len(), found[0].record.outcome), (1, IterationOutcome::Aborted));
    assert_eq!(found[0].record.message.as_deref(), Some("enough"));

    let mut host = project();
    // An append that fails is made up for by a write of the whole segment.
    host.fs = host.fs.clone().without_append();
    host.model = Some(ScriptedModel::new([Turn::calls([write("src/a.ts", "one")]), completed()]));
    let files = host.fs.clone();
    let result: Result<_, Error> = drive(&host, task(), &RunControl::default(), &|envelope, _| {
        if let Event::ToolResult { .. } = envelope.event {
            // The journal cannot be written once.
            files.fail_write(0, Fault::Fail);
        }
    })
    .await;
    assert!(result.is_err());
    let found = listed(&host).await;
    assert_eq!((found.len(), found[0].record.outcome), (1, IterationOutcome::Failed));
    assert!(found[0].record.message.is_some());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_record_that_cannot_be_written_is_a_status() {
    let mut host = project();
    host.model = Some(ScriptedModel::new(stopped().into_iter().chain([completed()])));
    let files = host.fs.clone();
    let statuses = std::cell::RefCell::new(String::new());
    let result = drive(&host, task(), &RunControl::default(), &|envelope, _| match &envelope.event {
        Event::IterationFinished { iteration: 1, .. } => files.fail_write(0, Fault::Fail),
        Event::Status { text } => statuses.borrow_mut().push_str(text),
        _ => {}
    })
    .await;
    assert!(result.unwrap().success);
    let status = "The record of an iteration is incomplete; the run continues: fs.writeFile of";
    assert_eq!(statuses.into_inner().matches(status).count(), 1);
    assert_eq!(listed(&host).await.len(), 1, "the next one is written");

    // No record is written through a link.
    let host = project();
    host.fs.put_link(RUNS, "/outside");
    host.fs.put("/outside/x", "theirs");
    let (outcome, _) = run_scripted(&host, task(), [completed()]).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert!(outcome.statuses().contains("is a symbolic link"), "{}", outcome.statuses());
    assert_eq!(host.fs.tree("/outside").len(), 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn damaged_records_are_left_out_and_ids_that_no_run_has_are_refused() {
    let host = project();
    run_scripted(&host, task(), stopped().into_iter().chain([completed()])).await;
    let data = host.fs.text(&format!("{RUNS}/run-1/1/iteration.json")).unwrap();
    for (name, text) in [("3", "{"), ("4", data.as_str()), ("x", data.as_str()), ("5-1", data.as_str())] {
        host.fs.put(&format!("{RUNS}/run-1/{name}/iteration.json"), text);
    }
    host.fs.put(&format!("{RUNS}/run-1/file"), "x");
    let found: Vec<_> = listed(&host).await.into_iter().map(|found| found.record.iteration).collect();
    assert_eq!(found, [1, 2]);
    assert_eq!(list_iterations(host.project(), "run-2").await.unwrap(), []);
    for id in ["", "..", "../journal", "a/b", &"x".repeat(65)] {
        let error = list_iterations(host.project(), id).await.unwrap_err();
        assert_eq!(error.code, loopgate::ErrorCode::InvalidArgument, "{id}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_others_put_among_the_records_stays_and_the_records_are_still_listed_and_removed() {
    for what in ["run-a", "run-0/0", "run-0/+1/x", "run-0/01/x", "run-1/0", "run-1/0/iteration.json"] {
        let host = project();
        host.put(".handoff/config.yaml", "records: { iterations: 1 }\n");
        names("run-0", &["1", "2"]).iter().for_each(|name| host.fs.put(&format!("{RUNS}/{name}"), "old"));
        host.fs.put("/outside/1/x", "theirs");
        match what.ends_with('x') {
            true => host.fs.put(&format!("{RUNS}/{what}"), "theirs"),
            false => host.fs.put_link(&format!("{RUNS}/{what}"), "/outside"),
        }
        let turns = [stopped().as_slice(), &stopped(), &[completed()]].concat();
        let (outcome, _) = run_scripted(&host, task(), turns).await;
        assert!(outcome.statuses().matches("record of an iteration").count() <= 1, "{what}: {}", outcome.statuses());
        let left: Vec<_> = records(&host).into_keys().filter(|name| name.ends_with("transcript.md")).collect();
        assert_eq!(left, ["run-1/3/transcript.md"], "{what}");
        assert_eq!(listed(&host).await.len(), 1, "{what}");
        assert_eq!(host.fs.tree("/outside").len(), 1, "{what}");
    }
}
