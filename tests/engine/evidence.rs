//! A task is accepted only in the state that the gates judged.

use crate::engine::support::{SUMMARY, complete, options, run, write};
use loopgate::ErrorCode;
use loopgate::port::GateAnswer;
use loopgate::port::memory::{MemoryGate, MemoryGit, MemoryHost, ScriptedModel, Turn};
use loopgate::run::{Event, PlanMode, RunControl, RunResult, drive};
use loopgate::{Error, snapshot};
use std::cell::Cell;
use wasm_bindgen_test::wasm_bindgen_test;

fn project() -> MemoryHost {
    let mut host = MemoryHost::new([("src/a.ts", "1"), ("index.html", "<h1>Drinks</h1>")]);
    let files = host.clone();
    host.gates = vec![MemoryGate::new("no-lorem", move || {
        let pass = files.text("src/a.ts").is_none_or(|text| !text.contains("lorem"));
        Ok(GateAnswer { pass, feedback: Some("Replace the lorem ipsum.".to_owned()) })
    })];
    host
}

fn work() -> Turn {
    Turn::calls([write("src/a.ts", "2"), write(".ralph/summary.md", SUMMARY), complete()])
}

/// Runs a task and calls `act` with the number of the round whenever the gates have judged.
async fn run_beside(
    host: &MemoryHost,
    resume: bool,
    meanwhile: impl Fn(u32),
) -> (Result<RunResult, Error>, Vec<Event>) {
    let events = std::cell::RefCell::new(Vec::new());
    let listener = |envelope: &loopgate::run::Envelope, _: &str| {
        if let Event::GatesFinished { round, .. } = envelope.event {
            meanwhile(round);
        }
        events.borrow_mut().push(envelope.event.clone());
    };
    let mut options = options("run-1", PlanMode::Auto);
    options.resume = resume;
    let result = drive(host, options, &RunControl::default(), &listener).await;
    (result, events.into_inner())
}

fn rounds(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event, Event::GatesFinished { .. })).count()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn every_gate_report_names_the_judged_tree() {
    for git in [Some(MemoryGit::default()), None] {
        let host = project().with(|ports| ports.git = git);
        let outcome = run(&host, [work()]).await;
        let trees: Vec<&str> = outcome.result().gates.iter().filter_map(|report| report.tree.as_deref()).collect();
        assert_eq!(trees.len(), outcome.result().gates.len());
        let judged = loopgate::layout::is_judged;
        let now = snapshot::evidence(&host, &judged).await.unwrap().tree;
        assert!(!trees.is_empty() && trees.iter().all(|tree| *tree == now), "{trees:?} {now}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_change_after_the_gates_is_judged_before_acceptance() {
    for git in [Some(MemoryGit::default()), None] {
        let host = project().with(|ports| {
            ports.git = git;
            ports.model = Some(ScriptedModel::new([work(), work()]));
        });
        let files = host.clone();
        let (result, events) = run_beside(&host, false, |round| {
            if round == 1 {
                files.put("src/a.ts", "lorem ipsum, by the user");
            }
        })
        .await;
        assert!(result.unwrap().success);
        let Some(Event::EvidenceOutdated { paths, .. }) =
            events.iter().find(|event| matches!(event, Event::EvidenceOutdated { .. }))
        else {
            panic!("the change was not noticed")
        };
        assert_eq!(paths, &["src/a.ts"]);
        assert_eq!(rounds(&events), 3, "the second one fails, and the agent mends it");
        assert_eq!(host.text("src/a.ts").as_deref(), Some("2"));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn files_of_the_harness_and_ignored_files_do_not_count_as_changes() {
    let host = project().with(|ports| ports.model = Some(ScriptedModel::new([work()])));
    host.put(".gitignore", "dist\n");
    let files = host.clone();
    let (result, events) = run_beside(&host, false, |round| {
        files.put(".ralph/feedback.md", &format!("forged {round}"));
        files.put("dist/out.js", &format!("built {round}"));
    })
    .await;
    assert!(result.unwrap().success);
    assert_eq!(rounds(&events), 1);
    assert_eq!(host.text(".ralph/feedback.md").as_deref(), Some(""));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn constantly_changing_files_end_the_run_resumably() {
    let host = project().with(|ports| ports.model = Some(ScriptedModel::new([work()])));
    let files = host.clone();
    let (result, events) = run_beside(&host, false, |round| files.put("log.txt", &round.to_string())).await;
    let error = result.unwrap_err();
    assert_eq!(error.code, ErrorCode::Conflict);
    assert!(error.message.contains("log.txt"), "{}", error.message);
    assert_eq!(rounds(&events), 4);
    assert!(!host.git.as_ref().unwrap().refs().contains_key("refs/tags/task-1-post"));

    let (result, events) = run_beside(&host, true, |_| {}).await;
    assert!(result.unwrap().success);
    assert_eq!(rounds(&events), 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_resumed_run_accepts_only_what_was_judged() {
    for edited in [false, true] {
        let host = project().with(|ports| ports.model = Some(ScriptedModel::new([work()])));
        let files = host.clone();
        let closed = Cell::new(false);
        let (result, _) = run_beside(&host, false, |_| {
            files.fs.fail_write(0, loopgate::port::memory::Fault::Crash);
            closed.set(true);
        })
        .await;
        assert!(result.is_err() && closed.get());
        host.fs.heal();
        if edited {
            host.put("index.html", "<h1>Edited while the page was closed</h1>");
        }
        let (result, events) = run_beside(&host, true, |_| {}).await;
        assert!(result.unwrap().success);
        assert_eq!(rounds(&events), usize::from(edited), "edited: {edited}");
        let expected = "Files changed after the checks ran (which ones is not known), so the checks run again.";
        let was_reported = events.iter().any(|event| matches!(event, Event::Status { text } if text == expected));
        assert_eq!(was_reported, edited, "{events:?}");
        assert!(snapshot::verify(&host, "task-1-post").await.unwrap().ok);
    }
}
