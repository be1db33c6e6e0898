//! The gates decide when a task is done.

use crate::engine::support::{SUMMARY, complete, options, registry, run, run_with, text_of, work, write};
use loopgate::gate::{GateVerdict, RequirementVerdict};
use loopgate::port::memory::{MemoryBuild, MemoryGate, MemoryHost, ScriptedModel, Turn};
use loopgate::port::{AgentRole, BuildMessage, BuildReport, GateAnswer, GitPort, PortError, PortErrorKind};
use loopgate::run::{Event, LimitOptions, PlanMode, RunControl, RunOptions, StopReason};
use serde_json::json;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen_test::wasm_bindgen_test;

fn project() -> MemoryHost {
    MemoryHost::new([("index.html", "<h1>Drinks</h1>")])
}

/// A gate that fails this many times, then passes.
fn refusing(times: u32) -> MemoryGate {
    let left = Rc::new(Cell::new(times));
    MemoryGate::new("no-lorem", move || {
        let pass = left.get() == 0;
        left.set(left.get().saturating_sub(1));
        let feedback = (!pass).then(|| "Replace the lorem ipsum in index.html.".to_owned());
        Ok(GateAnswer { pass, feedback })
    })
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_feedback_of_a_failed_gate_reaches_the_next_iteration() {
    let mut host = project();
    host.gates = vec![refusing(1)];
    let model = ScriptedModel::new([
        Turn::calls([write(".ralph/summary.md", SUMMARY), complete()]),
        Turn::calls([write("index.html", "<h1>Real</h1>"), complete()]),
    ]);
    host.model = Some(model.clone());
    let outcome = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await;
    assert!(outcome.result().success);
    let second = &model.requests()[1];
    assert!(text_of(second).contains("Replace the lorem ipsum in index.html."));
    assert_eq!(second.messages.len(), 2, "nothing of the first iteration's talk is left");
    assert_eq!(outcome.result().gates.iter().filter(|report| report.gate == "no-lorem").count(), 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_report_of_a_failed_build_is_a_file_until_the_build_succeeds() {
    let mut host = project();
    let error = BuildMessage { message: "Unexpected token".to_owned(), ..BuildMessage::default() };
    let failed = BuildReport { success: false, errors: vec![error], warnings: Vec::new() };
    let succeeded = BuildReport { success: true, ..BuildReport::default() };
    host.build = Some(MemoryBuild::new([Ok(failed), Ok(succeeded)]));
    let outcome = run(
        &host,
        [
            Turn::calls([write("index.html", "<h1>"), write(".ralph/summary.md", SUMMARY), complete()]),
            Turn::calls([("read_file", serde_json::json!({ "path": ".ralph/build-errors.md" }))]),
            Turn::calls([write("index.html", "<h1>Real</h1>"), complete()]),
        ],
    )
    .await;
    assert!(outcome.result().success);
    let is_read =
        |event: &Event| matches!(event, Event::ToolResult { output, .. } if output.contains("# Build errors"));
    assert_eq!(outcome.count(is_read), 1, "the agent reads the report");
    assert_eq!(host.text(".ralph/build-errors.md"), None);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn five_consecutive_failures_end_the_run_without_a_post_snapshot() {
    let mut host = project();
    host.gates = vec![refusing(99)];
    let turn =
        |n: u32| Turn::calls([write("src/a.ts", &n.to_string()), write(".ralph/summary.md", SUMMARY), complete()]);
    let outcome = run(&host, (0..9).map(turn)).await;
    assert_eq!(outcome.result().reason, StopReason::GatesFailed);
    assert_eq!(outcome.result().iterations, 5);
    assert_eq!(outcome.result().snapshots.post, None);
    assert!(!host.git.as_ref().unwrap().refs().keys().any(|name| name.ends_with("-post")));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn completing_without_work_is_bounded() {
    let mut host = MemoryHost::new([("src/a.ts", ""), ("index.html", "")]);
    host.gates = vec![refusing(99)];
    let mut options = options("run-1", PlanMode::Auto);
    options.limits = LimitOptions { stall_threshold: Some(99.0), ..LimitOptions::default() };
    host.model = Some(ScriptedModel::new((0..30).map(|_| Turn::calls([complete()]))));
    let outcome = run_with(&host, options, &RunControl::default()).await;
    assert_eq!(outcome.result().reason, StopReason::GatesFailed);
    assert_eq!(outcome.result().iterations, 10);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_broken_gate_stops_the_run_resumably() {
    let mut host = project();
    let healthy = Rc::new(Cell::new(false));
    let seen = healthy.clone();
    host.gates = vec![MemoryGate::new("contrast", move || {
        if seen.get() {
            return Ok(GateAnswer { pass: true, feedback: None });
        }
        Err(PortError::new("gate", "contrast", PortErrorKind::Other, "the worker is gone"))
    })];
    host.model = Some(ScriptedModel::new([Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()])]));
    let outcome = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await;
    let error = outcome.result.unwrap_err();
    assert!(error.message.contains("contrast") && error.message.contains("the worker is gone"), "{}", error.message);
    healthy.set(true);
    let mut again = options("run-1", PlanMode::Auto);
    again.resume = true;
    assert!(run_with(&host, again, &RunControl::default()).await.result().success, "no model call is needed");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn configuration_selects_the_gates() {
    let mut host = project();
    host.gates = vec![refusing(99)];
    host.model = Some(ScriptedModel::new([Turn::calls([work(), complete()])]));
    let mut options = options("run-1", PlanMode::Auto);
    options.config.layer = Some(json!({ "gates": { "disabled": ["no-lorem", "has-summary"] } }));
    assert!(run_with(&host, options.clone(), &RunControl::default()).await.result().success);
    options.config.layer = Some(json!({ "gates": { "disabled": ["has-sumary"] } }));
    let error = run_with(&host, options, &RunControl::default()).await.result.unwrap_err();
    assert_eq!(error.code, loopgate::ErrorCode::InvalidConfig);
    assert!(error.message.contains("has-summary"), "{}", error.message);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_number_of_iterations_is_bounded() {
    let mut host = project();
    host.model = Some(ScriptedModel::answering(|_| Turn::Cut("and".to_owned())));
    let mut options = options("run-1", PlanMode::Auto);
    options.limits = LimitOptions { max_iterations: Some(3.0), ..LimitOptions::default() };
    let outcome = run_with(&host, options, &RunControl::default()).await;
    assert_eq!(outcome.result().reason, StopReason::MaxIterations);
    assert_eq!(outcome.count(|event| matches!(event, Event::IterationFinished { .. })), 3);
    assert_eq!(outcome.count(|event| matches!(event, Event::BudgetWarning { .. })), 1);
}

const TEST: &str = "it('adds', () => { expect(add(1, 2)).toBe(3) })\n";
const SKIPPED: &str = "it.skip('adds', () => { expect(add(1, 2)).toBe(3) })\n";

/// The verdicts of the applicable gates.
fn verdicts(result: &loopgate::run::RunResult) -> Vec<(&str, GateVerdict)> {
    result
        .gates
        .iter()
        .filter(|report| !report.not_applicable)
        .map(|report| (report.gate.as_str(), report.verdict))
        .collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn weakened_tests_warn_and_the_warning_can_be_raised() {
    let host = project();
    host.put("src/add.test.ts", TEST);
    let finish = |text: &str| {
        let summary = write(".ralph/summary.md", SUMMARY);
        Turn::calls([
            write("src/add.test.ts", text),
            write("src/add.ts", "export const add = 1 // ... existing code"),
            summary,
            complete(),
        ])
    };
    let outcome = run(&host, [finish(SKIPPED)]).await;
    assert!(outcome.result().success);
    let expected = [
        ("work-done", GateVerdict::Warn),
        ("sources-parse", GateVerdict::Pass),
        ("no-placeholders", GateVerdict::Warn),
        ("tests-kept", GateVerdict::Warn),
        ("assertions-kept", GateVerdict::Pass),
        ("changes-named", GateVerdict::Pass),
        ("has-summary", GateVerdict::Pass),
    ];
    assert_eq!(verdicts(outcome.result()), expected);

    let mut host = project();
    host.put("src/add.test.ts", TEST);
    let model = ScriptedModel::new([finish(SKIPPED), finish(TEST)]);
    host.model = Some(model.clone());
    let mut options = options("run-1", PlanMode::Auto);
    options.config.layer = Some(json!({ "gates": { "raise": ["tests-kept"] } }));
    let outcome = run_with(&host, options, &RunControl::default()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(outcome.result().iterations, 2);
    let prompt = text_of(&model.requests()[1]);
    assert!(prompt.contains("## FAIL [tests-kept]") && prompt.contains("is now skipped"), "{prompt}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_renamed_test_file_and_a_changed_asset_are_reported() {
    for to in ["src/add.ts", "add.txt", ".ralph/add.test.ts"] {
        let mut host = project();
        host.put("src/main.ts", "1");
        host.put("src/add.test.ts", TEST);
        host.put("README.md", "# Drinks");
        let files = host.clone();
        host.model = Some(ScriptedModel::answering(move |request| {
            if request.role != AgentRole::Parser {
                files.fs.delete("/project/src/add.test.ts");
                files.put(to, TEST);
            }
            Turn::calls([
                write("src/main.ts", "2"),
                write("README.md", "# Teas"),
                write(".ralph/summary.md", SUMMARY),
                complete(),
            ])
        }));
        let outcome = run_with(&host, options("run-1", PlanMode::Off), &RunControl::default()).await;
        let gates = &outcome.result().gates;
        for (gate, line) in [
            ("tests-kept", "- src/add.test.ts: \"adds\" was removed\n"),
            ("assertions-kept", "- src/add.test.ts: 1 before, 0 now\n"),
            ("changes-named", "- README.md\n"),
        ] {
            let report = gates.iter().find(|report| report.gate == gate).unwrap();
            assert!(report.feedback.as_deref().unwrap_or_default().contains(line), "{to}: {report:?}");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn change_gates_need_git_and_count_every_file_of_an_empty_project_as_new() {
    let finish = || {
        let summary = write(".ralph/summary.md", SUMMARY);
        [Turn::calls([write("src/a.ts", "export const a = 1 // TODO: all of it"), summary, complete()])]
    };
    let without = project().with(|ports| ports.git = None);
    let expected = [("work-done", GateVerdict::Pass), ("has-summary", GateVerdict::Pass)];
    assert_eq!(verdicts(run(&without, finish()).await.result()), expected);
    let expected = [
        ("work-done", GateVerdict::Warn),
        ("sources-parse", GateVerdict::Pass),
        ("no-placeholders", GateVerdict::Warn),
        ("has-summary", GateVerdict::Pass),
    ];
    for empty in [MemoryHost::new([]), MemoryHost::new([]).with(|ports| ports.git = None)] {
        assert_eq!(verdicts(run(&empty, finish()).await.result()), expected);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn gates_compare_with_the_snapshot_before_the_task_after_its_tag_is_deleted() {
    let mut host = project();
    let git = host.git.clone().unwrap();
    let files = host.clone();
    host.model = Some(ScriptedModel::answering(move |_| {
        let gone = git.delete_ref("refs/tags/task-1-pre");
        assert!(futures_util::FutureExt::now_or_never(gone).is_some_and(|gone| gone.is_ok()));
        files.put(".ralph/summary.md", SUMMARY);
        Turn::calls([write("src/a.ts", "1"), complete()])
    }));
    let mut options = options("run-1", PlanMode::Auto);
    options.config.layer = Some(json!({ "gates": { "raise": ["changes-named"] } }));
    let outcome = run_with(&host, options, &RunControl::default()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let report = outcome.result().gates.iter().find(|report| report.gate == "changes-named").unwrap();
    assert_eq!(report.feedback.as_deref(), Some("not applicable: the task changed no existing file"));
}

/// The result counts what is checked, and never says "Done" of the rest.
#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_result_lists_every_requirement_with_its_evidence() {
    let project = || {
        MemoryHost::new([
            ("src/main.tsx", "import App from './App'\ncreateRoot(root).render(<App />)\n"),
            ("src/App.tsx", "export default function App() {\n  return <main><h1>Teas</h1></main>\n}\n"),
        ])
    };
    for (text, is_checked) in [("<footer>All rights reserved</footer>", true), ("<p>Mint</p>", false)] {
        let app = format!("export default function App() {{\n  return <main><h1>Teas</h1>{text}</main>\n}}\n");
        let mut host = project();
        let turn = Turn::calls([write("src/App.tsx", &app), write(".ralph/summary.md", SUMMARY), complete()]);
        host.model = Some(ScriptedModel::new([turn]));
        let message = "Add a footer that says \"All rights reserved\"";
        let options = RunOptions { plan: PlanMode::Off, ..RunOptions::task("run-1", message, registry()) };
        let outcome = run_with(&host, options, &RunControl::default()).await;
        let result = outcome.result();
        assert!(result.success, "{}", result.message);
        let requirements = result.requirements.as_ref().unwrap();
        assert_eq!(
            requirements.iter().all(|one| one.verdict == RequirementVerdict::Checked),
            is_checked,
            "{requirements:?}"
        );
        assert_eq!(result.message.starts_with("Done"), is_checked, "{}", result.message);
        assert_eq!(result.message.contains("0 of 1 checked, 1 open"), !is_checked, "{}", result.message);
        let places = requirements.iter().flat_map(|one| &one.evidence);
        assert!(places.into_iter().all(|one| one.file.as_deref() == Some("src/App.tsx") && one.line == Some(2)));
    }
}
