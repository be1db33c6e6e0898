//! The plan of a task waits for the user: the question outlives the page, and the answer opens BUILD or not.

use crate::engine::support::{Outcome, PLAN, SUMMARY, complete, options, run_scripted, text_of, work, write};
use loopgate::ErrorCode;
use loopgate::port::memory::{Fault, MemoryHooks, MemoryHost, ScriptedModel, Turn};
use loopgate::port::{Answer, Decision, Question, QuestionKind};
use loopgate::run::{Event, PlanMode, RunControl, RunOptions, StopReason, TaskFact, drive, find_unfinished};
use wasm_bindgen_test::wasm_bindgen_test;

const CONFIG: &str = ".handoff/config.yaml";

fn project(config: &str) -> MemoryHost {
    MemoryHost::new([("index.html", "<h1>Drinks</h1>"), (CONFIG, config)])
}

fn asking() -> MemoryHost {
    project("approvals:\n  plan: true\n")
}

fn auto() -> RunOptions {
    options("run-1", PlanMode::Auto)
}

fn plans() -> Turn {
    Turn::calls([write(".ralph/plan.tsx", PLAN), complete()])
}

fn builds() -> Turn {
    Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()])
}

fn answered(question: &Question, answer: Answer) -> RunOptions {
    RunOptions { resume: true, answers: [(question.id.clone(), answer)].into(), ..auto() }
}

fn noted() -> Answer {
    Answer { note: Some("keep the old prices".to_owned()), ..Answer::allow() }
}

fn with_reason(decision: Decision) -> Answer {
    Answer { decision, ..Answer::deny("too many screens".to_owned()) }
}

fn asked(outcome: &Outcome) -> usize {
    outcome.count(|event| matches!(event, Event::QuestionAsked { .. }))
}

fn opened(outcome: &Outcome) -> usize {
    outcome.count(|event| matches!(event, Event::Task(TaskFact::PlanContext { .. })))
}

async fn waiting(host: &MemoryHost) -> Question {
    let (outcome, model) = run_scripted(host, auto(), [plans(), builds()]).await;
    let result = outcome.result();
    assert_eq!((result.reason, result.questions.len(), model.used()), (StopReason::Waiting, 1, 1));
    assert_eq!(opened(&outcome), 0);
    result.questions[0].clone()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_plan_waits_for_the_answer_of_any_page_and_the_note_reaches_the_builder() {
    let host = asking();
    let question = waiting(&host).await;
    assert_eq!((question.kind, &question.details["ok"]), (QuestionKind::Plan, &true.into()));
    assert!(question.text.contains("Drinks"), "{}", question.text);
    assert_eq!(find_unfinished(host.project()).await.unwrap().unwrap().questions, std::slice::from_ref(&question));

    let (still, model) = run_scripted(&host, RunOptions { resume: true, ..auto() }, [builds()]).await;
    assert_eq!((&still.result().questions, asked(&still), model.used()), (&vec![question.clone()], 0, 0));

    let (done, model) = run_scripted(&host, answered(&question, noted()), [builds()]).await;
    assert!(done.result().success, "{}", done.result().message);
    assert_eq!((asked(&done), opened(&done)), (0, 1));
    let prompt = text_of(&model.requests()[0]);
    assert!(prompt.contains("Plan Validated") && prompt.contains("keep the old prices"), "{prompt}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_returned_plan_is_written_again_and_asks_again() {
    let host = asking();
    let question = waiting(&host).await;
    let answer = answered(&question, with_reason(Decision::Revise));
    let other = Turn::calls([write(".ralph/plan.tsx", &PLAN.replace("Drinks", "Teas"))]);
    let (again, model) = run_scripted(&host, answer, [other, Turn::Text("Written.".to_owned()), builds()]).await;
    let prompt = text_of(&model.requests()[0]);
    assert!(prompt.contains("too many screens"), "{prompt}");
    let result = again.result();
    assert_eq!((result.reason, opened(&again)), (StopReason::Waiting, 0));
    assert!(result.questions[0].text.contains("Teas") && result.questions[0].id != question.id);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_denied_plan_ends_the_run_and_stays() {
    let host = asking();
    let question = waiting(&host).await;
    let (ended, model) = run_scripted(&host, answered(&question, with_reason(Decision::Deny)), [builds()]).await;
    let result = ended.result();
    assert_eq!((result.reason, model.used()), (StopReason::Blocked, 0));
    assert!(result.message.contains("too many screens"), "{}", result.message);
    assert_eq!(host.text(".ralph/plan.tsx").as_deref(), Some(PLAN));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_answer_counts_for_the_plan_that_the_question_shows() {
    for (plan, reason) in
        [(PLAN.replace("Drinks", "Teas"), StopReason::Waiting), ("<App".to_owned(), StopReason::Aborted)]
    {
        let host = asking();
        let question = waiting(&host).await;
        host.put(".ralph/plan.tsx", &plan);
        let control = RunControl::default();
        let host = host.with(|ports| ports.model = Some(ScriptedModel::new([Turn::Hang])));
        let abort = control.abort.clone();
        let listener = |envelope: &loopgate::run::Envelope, _: &str| {
            if matches!(envelope.event, Event::IterationStarted { .. }) {
                abort.fire("seen enough");
            }
        };
        let result = drive(&host, answered(&question, Answer::allow()), &control, &listener).await.unwrap();
        assert_eq!(result.reason, reason, "{plan}");
        assert_eq!(host.text(".ralph/phase.txt").as_deref(), Some("plan"), "{plan}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_hook_decides_without_any_configuration_and_its_denial_sends_the_plan_back() {
    let mut host = project("rules: []\n");
    let hooks = MemoryHooks::default();
    host.hooks = Some(hooks.approve_plan(|report| {
        let is_good = report.to_string().contains("Teas");
        if is_good { noted() } else { Answer::deny("teas only".to_owned()) }
    }));
    let other = Turn::calls([write(".ralph/plan.tsx", &PLAN.replace("Drinks", "Teas")), complete()]);
    let (done, model) = run_scripted(&host, auto(), [plans(), other, builds()]).await;
    assert!(done.result().success, "{}", done.result().message);
    assert!(text_of(&model.requests()[1]).contains("teas only"));
    assert!(text_of(&model.requests()[2]).contains("keep the old prices"));
    assert_eq!((asked(&done), opened(&done)), (2, 1));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_answer_after_the_expiry_is_a_denial() {
    let config = "approvals:\n  plan: true\n  expiresAfterMs: 1000\n";
    let host = project(config);
    let question = waiting(&host).await;
    let expiry = question.expires_at.unwrap();
    let (done, _) = run_scripted(&host, answered(&question, Answer::allow()), [builds()]).await;
    assert!(done.result().success, "{}", done.result().message);

    for answers in [true, false] {
        let host = project(config);
        let question = waiting(&host).await;
        host.clock.advance(1000);
        let mut options = answered(&question, Answer::allow());
        if !answers {
            options.answers.clear();
        }
        let (late, model) = run_scripted(&host, options, [builds()]).await;
        assert_eq!((late.result().reason, model.used()), (StopReason::Blocked, 0));
        assert!(late.result().message.contains("expired"), "{} {expiry}", late.result().message);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_hook_that_does_not_answer_until_the_expiry_is_left() {
    let mut host = project("approvals:\n  plan: true\n  expiresAfterMs: 7500000\n");
    host.hooks = Some(MemoryHooks::default().silent("approvePlan"));
    let (late, model) = run_scripted(&host, auto(), [plans(), builds()]).await;
    assert_eq!((late.result().reason, model.used()), (StopReason::Blocked, 1));
    assert!(late.result().message.contains("expired"), "{}", late.result().message);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_approved_plan_opens_build_at_once_whatever_the_task() {
    for message in ["Build a drinks page", "Add two drinks", "Fix the broken button"] {
        let host = project("rules: []\n");
        host.put(".ralph/plan.tsx", PLAN);
        let work_of = loopgate::run::Work::task(message);
        let options = RunOptions { work: work_of, plan: PlanMode::Approved, ..auto() };
        let (done, model) = run_scripted(&host, options, [builds()]).await;
        assert_eq!((opened(&done), asked(&done)), (1, 0), "{message}");
        assert!(text_of(&model.requests()[0]).contains("Plan Validated"), "{message}");
        assert!(done.count(|event| matches!(event, Event::IterationStarted { iteration: 1, .. })) == 1);
        assert_eq!(host.text(".ralph/phase.txt").as_deref(), Some("build"), "{message}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_plan_is_approved_only_if_it_is_valid() {
    for (plan, text) in
        [(None, "is missing or empty"), (Some("<App name=\"x\""), ".ralph/plan.tsx:1:"), (Some(" "), "missing")]
    {
        let host = project("rules: []\n");
        if let Some(plan) = plan {
            host.put(".ralph/plan.tsx", plan);
        }
        let (refused, model) = run_scripted(&host, RunOptions { plan: PlanMode::Approved, ..auto() }, [builds()]).await;
        let error = refused.result.unwrap_err();
        assert_eq!((error.code, model.used()), (ErrorCode::InvalidArgument, 0));
        assert!(error.message.contains(text), "{}", error.message);
        assert_eq!(find_unfinished(host.project()).await.unwrap(), None);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn another_plan_than_the_approved_one_asks() {
    let host = project("rules: []\n");
    host.put(".ralph/plan.tsx", PLAN);
    let other = Turn::calls([
        work(),
        write(".ralph/plan.tsx", &PLAN.replace("Drinks", "Teas")),
        write(".ralph/summary.md", SUMMARY),
        complete(),
    ]);
    let (outcome, _) = run_scripted(&host, RunOptions { plan: PlanMode::Approved, ..auto() }, [other]).await;
    let result = outcome.result();
    assert_eq!((result.reason, result.questions[0].kind), (StopReason::Waiting, QuestionKind::Plan));
    let (done, model) = run_scripted(&host, answered(&result.questions[0], Answer::allow()), []).await;
    assert!(done.result().success && model.used() == 0, "{}", done.result().message);
}

/// A page that is closed between any two writes neither loses the question nor asks it twice.
#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_approval_of_a_plan_survives_a_closed_page_at_every_write() {
    let turns = || [plans(), builds()];
    let host = asking();
    let question = waiting(&host).await;
    run_scripted(&host, answered(&question, noted()), [builds()]).await.0.result.unwrap();
    let last = host.fs.writes();
    for number in (0..last).step_by(3) {
        let host = asking();
        host.fs.fail_write(number, Fault::Crash);
        let (outcome, _) = run_scripted(&host, auto(), turns()).await;
        if let Ok(result) = &outcome.result
            && let Some(question) = result.questions.first()
        {
            drop(run_scripted(&host, answered(question, noted()), [builds()]).await);
        }
        host.fs.heal();
        let mut answers = 0;
        for _ in 0..9 {
            let found = find_unfinished(host.project()).await.unwrap();
            let options = match found.as_ref().map(|found| found.questions.first()) {
                None if host.text(".ralph/status.txt").as_deref() == Some("complete") => break,
                None => RunOptions { run_id: "run-2".to_owned(), ..auto() },
                Some(None) => RunOptions { resume: true, ..auto() },
                Some(Some(question)) => {
                    answers += 1;
                    answered(question, noted())
                }
            };
            let run_id = found.map_or(options.run_id.clone(), |found| found.run_id);
            let is_planned = host.text(".ralph/plan.tsx").is_some();
            let script = if is_planned { vec![builds(); 3] } else { vec![plans(), builds(), builds()] };
            drop(run_scripted(&host, RunOptions { run_id, ..options }, script).await);
        }
        assert!(answers <= 1, "write {number}: {answers} answers");
        assert_eq!(host.text(".ralph/status.txt").as_deref(), Some("complete"), "write {number}");
    }
}
