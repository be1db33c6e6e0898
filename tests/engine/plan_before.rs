//! A plan from before the task: a mutation must update it before anything else can be written.

use crate::engine::mutation::{EIGHT, GRID, VIBRANT, grid, mark, update};
use crate::engine::support::{Outcome, SUMMARY, complete, run_scripted, text_of, write};
use loopgate::port::memory::{MemoryHost, MemoryRecipes, MemoryShell, MemoryTool, Turn};
use loopgate::port::{Area, Phase, PortErrorKind, ShellOutput, ToolAnswer};
use loopgate::run::{Event, LimitOptions, PlanMode, RunOptions, TaskFact};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

const CTA: &str = "src/sections/CtaSection.tsx";
const MORE: &str = "add 2 more drinks";

/// A built app with a plan and no other files of the harness.
fn built() -> MemoryHost {
    let host = MemoryHost::new([
        (
            "src/App.tsx",
            "import { FeaturesSection } from './sections/FeaturesSection';\nimport { CtaSection } from \
             './sections/CtaSection';\nexport default function App() {\n  return <main><FeaturesSection /><CtaSection \
             /></main>;\n}\n",
        ),
        (CTA, "export function CtaSection() {\n  return <section id=\"cta\"><a href=\"#\">Buy</a></section>;\n}\n"),
        (".ralph/plan.tsx", VIBRANT),
    ]);
    host.put(GRID, &grid(&EIGHT));
    host
}

fn options(mode: PlanMode) -> RunOptions {
    let mut options = RunOptions { plan: mode, ..RunOptions::task("run-1", MORE, crate::engine::support::registry()) };
    options.config.layer = Some(json!({ "gates": { "only": ["scope", "has-summary"] } }));
    options
}

fn denied(outcome: &Outcome) -> Vec<(String, String)> {
    let denied = outcome.events.iter().filter_map(|envelope| match &envelope.event {
        Event::WriteDenied { path, rule, .. } => Some((path.clone(), rule.clone())),
        _ => None,
    });
    denied.collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn only_the_agents_notes_are_writable_until_the_plan_is_updated() {
    for counter in [None, Some("2")] {
        let mut host = built();
        counter.iter().for_each(|counter| host.put(".ralph/task-counter.txt", counter));
        let shell = MemoryShell::new(|_| ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() });
        host.shell = Some(shell.clone());
        let tool =
            MemoryTool::new("format_code", json!({ "type": "object" }), |_| Ok(ToolAnswer::text(true, "formatted")));
        host.tools = vec![tool.clone()];
        let tag = if counter.is_some() { "task-3-pre" } else { "task-1-pre" };
        let doors = [
            ("delete_file", json!({ "path": CTA })),
            write(CTA, "export const gone = 1;\n"),
            write("src/sections/New.tsx", "export const fresh = 1;\n"),
            ("edit_file", json!({ "path": CTA, "old_text": "Buy", "new_text": "Sell" })),
            ("move_file", json!({ "from": CTA, "to": "src/sections/Cta.tsx" })),
            ("move_file", json!({ "from": CTA, "to": ".ralph/cta.tsx" })),
            ("shell", json!({ "command": format!("rm {CTA}") })),
            ("snapshot", json!({ "action": "rollback", "tag": tag })),
            ("format_code", json!({})),
            write(".ralph/notes.md", "The drinks are in features."),
        ];
        let before = (host.text(CTA), host.text(GRID));
        let mut options = options(PlanMode::Auto);
        options.limits = LimitOptions { max_iterations: Some(1.0), ..LimitOptions::default() };
        let (outcome, model) =
            run_scripted(&host, options, [Turn::calls(doors), Turn::Text("looked around".to_owned())]).await;
        assert_eq!((host.text(CTA), host.text(GRID)), before);
        assert_eq!((host.text("src/sections/New.tsx"), host.text(".ralph/cta.tsx")), (None, None));
        assert_eq!(host.text(".ralph/notes.md").as_deref(), Some("The drinks are in features."));
        assert_eq!(shell.commands(), [""; 0]);
        let rights: Vec<_> = tool.asked().into_iter().map(|rights| (rights.phase, rights.writes)).collect();
        assert_eq!(rights, [(Phase::Plan, Area::TaskPlan)], "the guard of an IDE's tool goes by the same");
        let rules: Vec<String> = denied(&outcome).into_iter().map(|(_, rule)| rule).collect();
        assert_eq!(rules, ["plan-phase"; 8], "{:?}", denied(&outcome));
        let prompt = text_of(&model.requests()[1]);
        assert!(prompt.contains("First write the plan of this task to `.ralph/plan.tsx`"), "{prompt}");
        let asked = text_of(&model.requests()[0]);
        assert!(!asked.contains("## Phase: BUILD") && asked.contains("only your own files below"), "{asked}");
        let offered = model.requests()[0].tools.iter().any(|tool| tool.function.name == "shell");
        assert!(!offered && !outcome.result().success);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_sources_stay_closed_after_a_refused_update_and_after_a_resume() {
    let host = built();
    let delete = || ("delete_file", json!({ "path": CTA }));
    let half = VIBRANT.replace("      <Section gumdrop=\"cta\" />\n", "");
    let turns = [
        Turn::calls([write(".ralph/plan.tsx", &half), complete()]),
        Turn::calls([delete()]),
        Turn::Fail(PortErrorKind::Other),
    ];
    let (broken, _) = run_scripted(&host, options(PlanMode::Auto), turns).await;
    assert!(broken.result.is_err());
    assert_eq!(denied(&broken).len(), 1, "after the refusal");
    let mut again = options(PlanMode::Auto);
    again.resume = true;
    let ten: Vec<&str> = EIGHT.into_iter().chain(["Moonlit", "Deep"]).collect();
    let turns = [
        Turn::calls([delete()]),
        Turn::calls([write(".ralph/plan.tsx", VIBRANT), mark("features", "ADD", "2 more drinks"), complete()]),
        Turn::calls([write(GRID, &grid(&ten)), write(".ralph/summary.md", SUMMARY), complete()]),
    ];
    let (resumed, _) = run_scripted(&host, again, turns).await;
    assert_eq!(denied(&resumed).len(), 1, "after the resume");
    assert!(resumed.result().success, "{}", resumed.result().message);
    assert!(host.text(CTA).is_some());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn converting_items_is_refused_if_the_task_counter_was_lost() {
    let mut converted = EIGHT;
    (converted[0], converted[1]) = ("Moonlit", "Deep");
    let ten: Vec<&str> = EIGHT.into_iter().chain(["Moonlit", "Deep"]).collect();
    let old = |markers: &str| VIBRANT.replace("cols={4} />", &format!("cols={{4}}>{markers}</Section>"));
    // Without markers, and with the markers of an earlier task with the same request.
    for (plan, number) in
        [(VIBRANT.to_owned(), 1), (old("{/* TASK-1 [ADD]: add 2 more drinks */}"), 2), ("<App".to_owned(), 1)]
    {
        let host = built();
        host.put(".ralph/plan.tsx", &plan);
        let lie = || Turn::calls([write(GRID, &grid(&converted)), write(".ralph/summary.md", SUMMARY), complete()]);
        let turns = [
            lie(),
            Turn::calls([write(".ralph/plan.tsx", VIBRANT), mark("features", "ADD", "2 more drinks"), complete()]),
            lie(),
            Turn::calls([write(GRID, &grid(&ten)), complete()]),
        ];
        let (outcome, _) = run_scripted(&host, options(PlanMode::Auto), turns).await;
        assert_eq!(denied(&outcome).len(), 1, "{plan}");
        let is_refused = |event: &Event| {
            matches!(
                event,
                Event::Task(TaskFact::CompletionRefused { .. })
                    | Event::Task(TaskFact::PlanChecked { accepted: false, .. })
            )
        };
        assert!(outcome.count(is_refused) > 0, "{plan}");
        assert_eq!(outcome.count(|event| matches!(event, Event::GatesFinished { feedback: Some(_), .. })), 1, "{plan}");
        assert!(outcome.result().success, "{plan}: {}", outcome.result().message);
        assert_eq!(outcome.result().snapshots.post, Some(format!("task-{number}-post")));
        assert_eq!(host.text(GRID), Some(grid(&ten)));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_bugfix_does_not_change_a_valid_plan_even_in_mode_required() {
    for (mode, plan, succeeds) in
        [(PlanMode::Auto, "<App", true), (PlanMode::Required, VIBRANT, true), (PlanMode::Required, "<App", false)]
    {
        let host = built();
        host.put(".ralph/plan.tsx", plan);
        let mut options = options(mode);
        options.work = loopgate::run::Work::task("The buy link does not work");
        options.limits = LimitOptions { max_iterations: Some(1.0), ..LimitOptions::default() };
        let work = [write("src/link.ts", "export const link = 1;\n"), write(".ralph/summary.md", SUMMARY), complete()];
        let (outcome, _) = run_scripted(&host, options, [Turn::calls(work)]).await;
        assert_eq!(outcome.result().success, succeeds, "{mode:?} {plan}: {}", outcome.result().message);
        assert_eq!(
            outcome.count(|event| matches!(event, Event::Task(TaskFact::PlanChecked { .. }))),
            0,
            "{mode:?} {plan}"
        );
        assert_eq!(host.text(".ralph/plan.tsx").as_deref(), Some(plan));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn prompt_and_feedback_agree_on_the_section_to_change() {
    let mut host = built();
    let recipe = "---\ncomponents: Card\n---\n# Grid\n\n## Layout\nFour columns.\n";
    host.recipes = Some(MemoryRecipes::new([("gumdrop-features", recipe), ("gumdrop-hero", "# Hero recipe\n")]));
    let ten: Vec<&str> = EIGHT.into_iter().chain(["Moonlit", "Deep"]).collect();
    let grid_of = |flavors: &[&str]| grid(flavors).replace("flavor", "drink");
    host.put(GRID, &grid_of(&EIGHT));
    let validate = || ("plan", json!({ "action": "validate" }));
    let turns = [
        Turn::calls([validate(), update(), validate(), complete()]),
        Turn::calls([write(GRID, &grid_of(&ten)), write(".ralph/summary.md", SUMMARY), complete()]),
    ];
    let (outcome, model) = run_scripted(&host, options(PlanMode::Auto), turns).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let planner = text_of(&model.requests()[0]);
    let guide = "- landing/features (its sources render it): {/* TASK-1 [ADD]: Add 2 more drinks */}";
    assert!(planner.contains(guide), "{planner}");
    assert!(
        planner.contains("- not mentioned by any requirement, landing/hero, landing/cta: {/* NO CHANGES"),
        "{planner}"
    );
    let results: Vec<(bool, String)> = outcome
        .events
        .iter()
        .filter_map(|envelope| match &envelope.event {
            Event::ToolResult { ok, output, .. } => Some((*ok, output.clone())),
            _ => None,
        })
        .collect();
    assert!(!results[0].0 && results[0].1.contains("FAIL [requirement-marker]"), "{}", results[0].1);
    assert!(results[2].0 && results[2].1.contains("is valid"), "{}", results[2].1);
    let builder = text_of(&model.requests()[1]);
    for expected in [
        "- landing/features: TASK-1 [ADD]: Add 2 more drinks",
        "### features → `src/sections/FeaturesSection.tsx`",
        "#### Grid\\n\\n##### Layout",
    ] {
        assert!(builder.contains(expected), "{expected}: {builder}");
    }
    assert!(!builder.contains("### hero") && !builder.contains("Implement each section in order"), "{builder}");
    assert_eq!(host.recipes.as_ref().unwrap().asked(), ["gumdrop-features"]);
}
