//! The review of a task, after its gates passed.

use crate::engine::support::{SUMMARY, complete, options, run_scripted, text_of, write};
use loopgate::ErrorCode;
use loopgate::gate::RequirementVerdict;
use loopgate::port::memory::{MemoryHost, ScriptedModel, Turn};
use loopgate::port::{AgentRole, Phase};
use loopgate::run::{Event, LimitOptions, PlanMode, ReviewFact, RunOptions, StopReason, Work};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

fn project(config: &str) -> MemoryHost {
    MemoryHost::new([("index.html", "<h1>Drinks</h1>"), (".handoff/config.yaml", config)])
}

const DEEP: &str = "reviews: { task: deep }\n";

fn work(text: &str) -> Turn {
    let page = format!("<h1>{text}</h1>");
    Turn::calls([write("index.html", &page), write(".ralph/summary.md", SUMMARY), complete()])
        .for_role(AgentRole::Builder)
}

fn ship() -> Turn {
    Turn::call("complete_task", json!({ "decision": "SHIP", "issues": [] })).for_role(AgentRole::Reviewer)
}

fn revise(what: &str) -> Turn {
    let issue = json!({ "file": "index.html", "type": "logic_bug", "severity": "high", "description": what, "agentPrompt": what });
    Turn::call("complete_task", json!({ "decision": "REVISE", "issues": [issue] })).for_role(AgentRole::Reviewer)
}

fn task() -> RunOptions {
    options("run-1", PlanMode::Off)
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_task_is_accepted_after_its_review_and_a_returned_one_is_fixed_as_it_is() {
    let host = project(DEEP);
    let turns = [work("Dirnks"), revise("the word is misspelt"), work("All drinks"), ship()];
    let (done, model) = run_scripted(&host, task(), turns).await;
    assert!(done.result().success, "{}", done.result().message);
    assert_eq!(done.result().iterations, 4);
    let phases = done.phases();
    assert_eq!(phases.iter().filter(|(_, to)| *to == Phase::Review).count(), 2);
    assert_eq!(phases.last(), Some(&(Phase::Review, Phase::Accept)));
    let review = text_of(&model.requests()[1]);
    assert!(review.contains("+<h1>Dirnks</h1>") && review.contains("Build a drinks page"), "{review}");
    assert_eq!(model.requests()[1].role, AgentRole::Reviewer);
    let tools: Vec<_> = model.requests()[1].tools.iter().map(|tool| tool.function.name.clone()).collect();
    assert!(!tools.contains(&"write_file".to_owned()), "{tools:?}");
    let again = text_of(&model.requests()[2]);
    assert!(again.contains("the word is misspelt") && again.contains("as they are"), "{again}");
    assert_eq!(host.text("index.html").as_deref(), Some("<h1>All drinks</h1>"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_task_has_no_review_unless_it_is_configured() {
    for config in ["rules: []\n", "reviews: { task: off, deep: true }\n"] {
        let (done, model) = run_scripted(&project(config), task(), [work("All drinks")]).await;
        assert_eq!((done.result().success, model.used()), (true, 1), "{config}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_review_judges_the_requirements_that_no_gate_can_judge() {
    let verdicts = async |config: &str, turns: Vec<Turn>| {
        let options = RunOptions { work: Work::task("Make the page feel friendlier"), ..task() };
        let (done, model) = run_scripted(&project(config), options, turns).await;
        assert!(done.result().success, "{}", done.result().message);
        let requirements = done.result().requirements.clone().unwrap_or_default();
        let verdicts: Vec<_> = requirements.into_iter().map(|report| report.verdict).collect();
        (verdicts, model)
    };
    let (without, _) = verdicts("rules: []\n", vec![work("Hello, friends")]).await;
    assert_eq!(without, [RequirementVerdict::Open]);
    let (with, model) = verdicts(DEEP, vec![work("Hello, friends"), ship()]).await;
    assert_eq!(with, [RequirementVerdict::Reviewed]);
    assert!(text_of(&model.requests()[1]).contains("No gate can judge these requirements"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_unreadable_review_is_asked_for_once_more_and_a_resume_repeats_only_the_review() {
    let vague = || Turn::Text("Looks fine.".to_owned()).for_role(AgentRole::Reviewer);
    let host = project(DEEP);
    let (failed, _) = run_scripted(&host, task(), [work("All drinks"), vague(), vague()]).await;
    let error = failed.result.as_ref().unwrap_err();
    assert_eq!((error.code, error.retryable), (ErrorCode::Model, true));
    let (done, model) = run_scripted(&host, RunOptions { resume: true, ..task() }, [ship()]).await;
    assert_eq!((done.result().success, model.used()), (true, 1));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_reviewer_that_always_returns_the_work_ends_the_run() {
    let turns = (0..9).flat_map(|at| [work(&format!("Drinks {at}")), revise("not yet")]);
    let limits = LimitOptions { max_consecutive_gate_failures: Some(3.0), ..Default::default() };
    let (ended, _) = run_scripted(&project(DEEP), RunOptions { limits, ..task() }, turns).await;
    assert_eq!(ended.result().reason, StopReason::GatesFailed);
    assert!(ended.result().message.contains("3 times") && ended.result().message.contains("not yet"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_limit_after_a_review_names_what_the_review_still_asks_for() {
    let turns = [work("Dirnks"), revise("the word is misspelt")];
    let options =
        RunOptions { limits: LimitOptions { max_iterations: Some(1.0), ..LimitOptions::default() }, ..task() };
    let (ended, _) = run_scripted(&project(DEEP), options, turns).await;
    assert_eq!((ended.result().reason, ended.result().iterations), (StopReason::MaxIterations, 2));
    let message = &ended.result().message;
    let expected =
        "Stopped after 2 iterations: the review returned the work; the first open issue: the word is misspelt.";
    assert_eq!(message, expected);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_the_user_changes_during_the_review_is_judged_before_it_is_accepted() {
    let host = project(DEEP);
    let turns = [work("All drinks"), ship(), ship()];
    let edited = std::cell::Cell::new(false);
    let model = ScriptedModel::new(turns);
    let running = host.clone().with(|ports| ports.model = Some(model.clone()));
    let listener = |envelope: &loopgate::run::Envelope, _: &str| {
        if matches!(envelope.event, Event::Review(ReviewFact::ReviewGiven { .. })) && !edited.replace(true) {
            host.put("about.html", "<p>by the user</p>");
        }
    };
    let result = loopgate::run::drive(&running, task(), &Default::default(), &listener).await.unwrap();
    assert_eq!((result.success, model.used()), (true, 3), "{}", result.message);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_review_without_git_or_without_its_model_is_refused_before_the_first_call() {
    let host = project(DEEP).with(|ports| ports.git = None);
    let (refused, model) = run_scripted(&host, task(), [work("All drinks")]).await;
    assert_eq!((refused.result.unwrap_err().code, model.used()), (ErrorCode::Unsupported, 0));
    let config = "tools: { reviewers: [{ id: wise }] }\ndefaults: { finalReviewer: wise }\nreviews: { task: final }\n";
    let (refused, model) = run_scripted(&project(config), task(), [work("All drinks")]).await;
    assert_eq!((refused.result.unwrap_err().code, model.used()), (ErrorCode::InvalidConfig, 0));
}
