//! The harness controls the phases PLAN and BUILD.

use crate::engine::support::{
    PLAN, SUMMARY, complete, fresh, options, registry, run, run_scripted, run_with, text_of, work, write,
};
use loopgate::plan::Registry;
use loopgate::port::Phase::{Accept, Build, Check, Plan};
use loopgate::port::memory::{MemoryHost, MemoryRecipes, ScriptedModel, Turn};
use loopgate::run::{Event, LimitOptions, PlanMode, RunControl, RunOptions, StopReason, TaskFact};
use serde_json::json;
use std::borrow::Cow;
use wasm_bindgen_test::wasm_bindgen_test;

fn vanilla() -> MemoryHost {
    MemoryHost::new([("index.html", "<h1>Drinks</h1>")])
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_valid_plan_opens_build_and_passing_gates_accept_the_task() {
    let host = vanilla();
    let outcome = run(
        &host,
        [
            Turn::calls([write(".ralph/plan.tsx", PLAN)]),
            Turn::Text("The plan is written.".to_owned()),
            Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()]),
        ],
    )
    .await;
    assert_eq!(outcome.phases(), [(Plan, Build), (Build, Check), (Check, Accept)]);
    assert!(outcome.result().success);
    assert_eq!(outcome.result().iterations, 2);
    assert_eq!(host.text(".ralph/phase.txt").as_deref(), Some("build"));
    assert_eq!(host.text(".ralph/status.txt").as_deref(), Some("complete"));
    assert_eq!(outcome.result().snapshots.pre.as_deref(), Some("task-1-pre"));
    assert_eq!(outcome.result().snapshots.post.as_deref(), Some("task-1-post"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn writing_the_plan_and_completing_in_one_answer_does_not_complete_the_task() {
    let host = vanilla();
    let outcome = run(
        &host,
        [
            Turn::calls([write(".ralph/plan.tsx", PLAN), write(".ralph/summary.md", SUMMARY), complete()]),
            Turn::calls([work(), complete()]),
        ],
    )
    .await;
    assert_eq!(outcome.phases().first(), Some(&(Plan, Build)));
    assert_eq!(outcome.result().iterations, 2, "the first completion opened no gate");
    assert_eq!(outcome.count(|event| matches!(event, Event::GatesFinished { .. })), 1);
    assert!(outcome.statuses().contains("The plan is complete: building starts"), "{}", outcome.statuses());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_invalid_plan_is_refused_with_a_hint() {
    let mut host = vanilla();
    let model = ScriptedModel::new([
        Turn::calls([write(".ralph/plan.tsx", &PLAN.replace("\"hero\"", "\"heros\"")), complete()]),
        Turn::calls([write(".ralph/plan.tsx", PLAN), complete()]),
        Turn::calls([write(".ralph/summary.md", SUMMARY), work(), complete()]),
    ]);
    host.model = Some(model.clone());
    let outcome = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await;
    assert!(outcome.result().success);
    let prompt = text_of(&model.requests()[1]);
    assert!(prompt.contains("FAIL [valid-gumdrops]") && prompt.contains("hero"), "{prompt}");
    assert!(prompt.contains("Fix the issues and write the plan again."), "{prompt}");
    assert!(text_of(&model.requests()[2]).contains("Plan Validated"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_syntax_error_in_the_plan_is_reported_with_its_position() {
    let mut host = vanilla();
    let model = ScriptedModel::new([
        Turn::calls([write(".ralph/plan.tsx", "export default (<App>\n<Theme")]),
        Turn::Text("written".to_owned()),
        Turn::Hang,
    ]);
    host.model = Some(model.clone());
    let control = RunControl::default();
    let abort = async {
        crate::engine::support::until(|| model.used() == 3).await;
        control.abort.fire("seen enough");
    };
    let run = run_with(&host, options("run-1", PlanMode::Auto), &control);
    let (outcome, ()) = futures_util::future::join(run, abort).await;
    assert_eq!(outcome.result().reason, StopReason::Aborted);
    let feedback = host.text(".ralph/feedback.md").unwrap();
    assert!(feedback.contains("plan.tsx has syntax errors:") && feedback.contains("line 2"), "{feedback}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn mode_auto_judges_a_task_without_a_plan() {
    let host = vanilla();
    let script =
        [Turn::calls([write("index.html", "<h1>Fixed</h1>"), write(".ralph/summary.md", SUMMARY), complete()])];
    let outcome = run(&host, script).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.phases(), [(Plan, Check), (Check, Accept)]);
    assert_eq!(host.text(".ralph/phase.txt").as_deref(), Some("plan"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn mode_required_refuses_completion_and_sources_without_a_plan() {
    let mut host = vanilla();
    host.model = Some(ScriptedModel::new([
        Turn::calls([write("src/hero.ts", "early"), write(".ralph/summary.md", SUMMARY), complete()]),
        Turn::calls([write(".ralph/plan.tsx", PLAN)]),
        Turn::Text("planned".to_owned()),
        Turn::calls([write("src/hero.ts", "built"), complete()]),
    ]));
    let outcome = run_with(&host, options("run-1", PlanMode::Required), &RunControl::default()).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.count(|event| matches!(event, Event::Task(TaskFact::CompletionRefused { .. }))), 1);
    assert_eq!(outcome.count(|event| matches!(event, Event::WriteDenied { .. })), 1);
    assert_eq!(host.text("src/hero.ts").as_deref(), Some("built"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_older_plan_opens_build_of_a_new_app_only_after_the_agent_writes_it() {
    let project = || MemoryHost::new([("index.html", "<h1>x</h1>"), (".ralph/plan.tsx", PLAN)]);
    let built = || [work(), write(".ralph/summary.md", SUMMARY), complete()];
    let untouched = run_scripted(&project(), fresh("run-1", PlanMode::Auto), [Turn::calls(built())]).await.0;
    assert_eq!(untouched.count(|event| matches!(event, Event::Task(TaskFact::PlanChecked { .. }))), 0);
    assert_eq!(untouched.phases(), [(Plan, Check), (Check, Accept)], "it is a task without a plan");

    for mode in [PlanMode::Auto, PlanMode::Required] {
        let mut host = project();
        let again = [write(".ralph/plan.tsx", PLAN), complete()];
        host.model = Some(ScriptedModel::new([Turn::calls(again), Turn::calls(built())]));
        let confirmed = run_with(&host, fresh("run-1", mode), &RunControl::default()).await;
        assert!(confirmed.result().success, "{}", confirmed.result().message);
        assert_eq!(confirmed.phases(), [(Plan, Build), (Build, Check), (Check, Accept)]);
        assert_eq!(
            confirmed.count(|event| matches!(event, Event::Task(TaskFact::PlanChecked { accepted: true, .. }))),
            1
        );
    }

    let mut host = project();
    host.model = Some(ScriptedModel::new((0..3).map(|_| Turn::calls(built()))));
    let mut options = fresh("run-1", PlanMode::Required);
    options.limits = LimitOptions { max_iterations: Some(2.0), ..LimitOptions::default() };
    let refused = run_with(&host, options, &RunControl::default()).await;
    assert_eq!(refused.count(|event| matches!(event, Event::Task(TaskFact::CompletionRefused { .. }))), 2);
    assert!(!refused.result().success && host.text("src/hero.ts").is_none());
}

/// A host with recipes builds from plans.
#[wasm_bindgen_test(unsupported = tokio::test)]
async fn in_mode_auto_new_sections_need_a_plan_where_the_host_builds_from_plans() {
    let message = "Add a pricing section and a team section";
    let app = "export default () => <main><h1>Teas</h1></main>\n";
    let own = || Cow::Owned(Registry::builtin().clone());
    for (has_recipes, registry, message, is_due) in [
        (true, registry(), message, true),
        (false, own(), message, true),
        (false, registry(), message, false),
        (true, registry(), "Fix the broken link in the pricing section", false),
        (true, own(), "Add a badge to the headline", false),
    ] {
        let mut host = MemoryHost::new([("src/App.tsx", app), ("src/a.ts", "1"), ("src/b.ts", "1"), ("src/c.ts", "1")]);
        host.recipes = has_recipes.then(|| MemoryRecipes::new([("gumdrop-hero", "# Hero")]));
        let turn = || {
            let done = app.replace("Teas", "Pricing, team, badge");
            Turn::calls([write("src/App.tsx", &done), write(".ralph/summary.md", SUMMARY), complete()])
        };
        host.model = Some(ScriptedModel::new([turn(), turn()]));
        let mut options = RunOptions::task("run-1", message, registry);
        options.limits = LimitOptions { max_iterations: Some(1.0), ..LimitOptions::default() };
        let outcome = run_with(&host, options, &RunControl::default()).await;
        let refused = outcome.count(|event| matches!(event, Event::Task(TaskFact::CompletionRefused { .. })));
        assert_eq!(refused > 0, is_due, "{message}: {:?}", outcome.result().message);
        assert_eq!(outcome.result().success, !is_due, "{message}: {}", outcome.result().message);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_plan_of_the_last_task_does_not_open_build_for_the_next() {
    let mut host = vanilla();
    run(
        &host,
        [
            Turn::calls([write(".ralph/plan.tsx", PLAN)]),
            Turn::Text("planned".to_owned()),
            Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()]),
        ],
    )
    .await;
    host.model = Some(ScriptedModel::new([
        Turn::calls([write(".ralph/summary.md", SUMMARY), complete()]),
        Turn::calls([write(".ralph/plan.tsx", &PLAN.replace("cta", "faq")), complete()]),
        Turn::calls([write("src/hero.ts", "more"), complete()]),
    ]));
    let outcome = run_with(&host, fresh("run-2", PlanMode::Required), &RunControl::default()).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.count(|event| matches!(event, Event::Task(TaskFact::CompletionRefused { .. }))), 1);
    assert_eq!(outcome.phases().first(), Some(&(Plan, Build)));
    assert_eq!(outcome.result().snapshots.post.as_deref(), Some("task-2-post"));
    let history = host.text(".ralph/task-history.md").unwrap();
    assert_eq!(history, format!("- Task 1: {SUMMARY}\n"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_plan_broken_in_build_is_not_accepted() {
    let host = vanilla();
    let outcome = run(
        &host,
        [
            Turn::calls([write(".ralph/plan.tsx", PLAN)]),
            Turn::Text("planned".to_owned()),
            Turn::calls([
                work(),
                write(".ralph/summary.md", SUMMARY),
                write(".ralph/plan.tsx", "export default (<App />)"),
                complete(),
            ]),
            Turn::calls([write(".ralph/plan.tsx", PLAN), complete()]),
        ],
    )
    .await;
    assert!(outcome.result().success);
    assert_eq!(outcome.result().iterations, 3);
    assert_eq!(outcome.count(|event| matches!(event, Event::Task(TaskFact::PlanChecked { .. }))), 2);
    assert_eq!(outcome.count(|event| matches!(event, Event::GatesFinished { .. })), 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_plan_in_the_last_iteration_is_not_a_success() {
    let mut host = vanilla();
    host.model = Some(ScriptedModel::new([Turn::calls([write(".ralph/plan.tsx", PLAN), complete()])]));
    let mut options = options("run-1", PlanMode::Auto);
    options.limits = LimitOptions { max_iterations: Some(1.0), ..LimitOptions::default() };
    let outcome = run_with(&host, options, &RunControl::default()).await;
    assert_eq!(outcome.result().reason, StopReason::MaxIterations);
    assert!(!outcome.result().success);
    assert!(outcome.result().message.contains("plan validated, budget exhausted"), "{}", outcome.result().message);
    assert_eq!(host.text(".ralph/status.txt").as_deref(), Some("failed"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn mode_off_ignores_plans() {
    let mut host = MemoryHost::new([(".ralph/plan.tsx", "no plan at all")]);
    host.model = Some(ScriptedModel::new([
        Turn::calls([work(), write(".ralph/summary.md", SUMMARY)]),
        Turn::call("complete_task", json!({})),
    ]));
    let outcome = run_with(&host, options("run-1", PlanMode::Off), &RunControl::default()).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.count(|event| matches!(event, Event::Task(TaskFact::PlanChecked { .. }))), 0);
}
