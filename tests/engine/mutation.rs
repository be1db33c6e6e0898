//! A task that changes a planned app updates its plan; a bug fix does not.

use crate::engine::support::{Outcome, PLAN, SUMMARY, complete, run_scripted, text_of, write};
use loopgate::port::Phase::{Accept, Build, Check, Plan};
use loopgate::port::memory::{MemoryHost, Turn};
use loopgate::run::{Event, LimitOptions, PlanMode, RunOptions, StopReason, TaskFact};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

/// A project with a valid plan and the harness's files of two tasks.
fn planned() -> MemoryHost {
    MemoryHost::new([
        ("src/App.ts", "export const app = 1\n"),
        (".ralph/plan.tsx", PLAN),
        (".ralph/task-counter.txt", "2"),
        (".ralph/summary.md", "Built the page: hero, features, cta."),
    ])
}

fn options(mode: PlanMode, message: &str) -> RunOptions {
    let mut options =
        RunOptions { plan: mode, ..RunOptions::task("run-1", message, crate::engine::support::registry()) };
    // The scripts do not write a valid app.
    options.config.layer = Some(json!({ "gates": { "disabled": ["scope"] } }));
    options
}

pub(crate) fn update() -> (&'static str, serde_json::Value) {
    ("plan", json!({ "action": "update" }))
}

pub(crate) fn mark(section: &str, marker: &str, text: &str) -> (&'static str, serde_json::Value) {
    ("plan", json!({ "action": "update", "section": section, "marker": marker, "text": text }))
}

fn work() -> [(&'static str, serde_json::Value); 3] {
    [write("src/App.ts", "export const app = 2\n"), write(".ralph/summary.md", SUMMARY), complete()]
}

fn refusals(outcome: &Outcome) -> usize {
    outcome.count(|event| matches!(event, Event::Task(TaskFact::CompletionRefused { .. })))
}

const MESSAGE: &str = "Make the copy of the hero friendlier and add 2 features";

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_mutation_cannot_complete_with_the_plan_of_an_earlier_task() {
    for mode in [PlanMode::Auto, PlanMode::Required] {
        let host = planned();
        let turns = [
            Turn::calls(work()),
            Turn::calls([update()]),
            Turn::Text("The plan is up to date.".to_owned()),
            Turn::calls(work()),
        ];
        let (outcome, model) = run_scripted(&host, options(mode, MESSAGE), turns).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        assert_eq!(refusals(&outcome), 1);
        assert_eq!(outcome.phases(), [(Plan, Build), (Build, Check), (Check, Accept)]);
        let prompt = text_of(&model.requests()[1]);
        assert!(prompt.contains("# Plan Update Required"), "{prompt}");
        assert!(
            prompt.contains("- main/hero: {/* TASK-3 [MODIFY]: Make the copy of the hero friendlier */}"),
            "{prompt}"
        );
        let plan = host.text(".ralph/plan.tsx").unwrap();
        assert_eq!((plan.matches("TASK-3 [").count(), plan.matches("NO CHANGES for task-3").count()), (2, 2), "{plan}");
        let denied = outcome.count(|event| matches!(event, Event::WriteDenied { .. }));
        assert_eq!(denied, 1, "the sources open with BUILD, whatever the mode");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_agent_that_never_updates_the_plan_is_bounded() {
    let mut options = options(PlanMode::Auto, MESSAGE);
    options.limits = LimitOptions { max_iterations: Some(4.0), ..LimitOptions::default() };
    let turn =
        |n: u32| Turn::calls([write("src/App.ts", &n.to_string()), write(".ralph/summary.md", SUMMARY), complete()]);
    let (outcome, _) = run_scripted(&planned(), options, (0..9).map(turn)).await;
    assert_eq!((outcome.result().success, outcome.result().reason), (false, StopReason::MaxIterations));
    assert_eq!(refusals(&outcome), 4);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_plan_that_already_has_the_markers_of_the_task_is_accepted() {
    let host = planned();
    host.put(
        ".ralph/plan.tsx",
        &PLAN.replace(
            "\"hero\" />",
            "\"hero\">{/* TASK-3 [MODIFY]: friendlier copy */}{/* TASK-3 [ADD]: 2 features */}</Section>",
        ),
    );
    let (outcome, _) = run_scripted(&host, options(PlanMode::Auto, MESSAGE), [Turn::calls(work())]).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(outcome.phases(), [(Plan, Build), (Build, Check), (Check, Accept)]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_prompt_lists_the_sections_and_the_feedback_the_missing_markers() {
    let host = planned();
    let half = PLAN
        .replace("\"hero\" />", "\"hero\">{/* TASK-3 [MODIFY]: friendlier copy */}</Section>")
        .replace("      <Section gumdrop=\"cta\" />\n", "");
    let turns = [
        Turn::calls([write(".ralph/plan.tsx", &half), complete()]),
        Turn::calls([write(".ralph/plan.tsx", PLAN), mark("hero", "MODIFY", "friendlier copy"), complete()]),
        Turn::calls([mark("features", "ADD", "2 of them"), complete()]),
        Turn::calls(work()),
    ];
    let (outcome, model) = run_scripted(&host, options(PlanMode::Auto, MESSAGE), turns).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let requests = model.requests();
    let first = text_of(&requests[0]);
    for named in [
        "update `.ralph/plan.tsx`, do not write a new one",
        "- main/hero: {/* TASK-3 [MODIFY]: Make the copy of the hero friendlier */}",
        "- main/features: {/* TASK-3 [ADD]: ",
        "- not mentioned by any requirement, main/cta: {/* NO CHANGES for task-3 */}",
    ] {
        assert!(first.contains(named), "{named}: {first}");
    }
    let second = text_of(&requests[1]);
    assert!(second.contains("FAIL [requirement-marker]: The requirement [ADD]"), "{second}");
    assert!(second.contains("FAIL [section-removed]: The section main/cta was removed."), "{second}");
    assert!(!second.contains("The requirement [MODIFY]"), "{second}");
    let third = text_of(&requests[2]);
    assert!(third.contains("FAIL [requirement-marker]") && !third.contains("section-removed"), "{third}");
    let built = text_of(&requests[3]);
    assert!(
        built.contains("Plan Validated") && built.contains("WARN [no-changes]: main/cta have no marker of task 3."),
        "{built}"
    );
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_plan_of_the_task_cannot_be_replaced_in_build() {
    let host = planned();
    let turns = [
        Turn::calls([update()]),
        Turn::Text("updated".to_owned()),
        Turn::calls([
            write("src/App.ts", "2"),
            write(".ralph/plan.tsx", PLAN),
            write(".ralph/summary.md", SUMMARY),
            complete(),
        ]),
        Turn::calls([update(), complete()]),
    ];
    let (outcome, model) = run_scripted(&host, options(PlanMode::Auto, MESSAGE), turns).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(outcome.count(|event| matches!(event, Event::Task(TaskFact::PlanChecked { accepted: false, .. }))), 1);
    assert!(text_of(&model.requests()[3]).contains("FAIL [requirement-marker]"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_deleted_plan_is_restored_and_must_still_be_updated() {
    let host = planned();
    let turns = [
        Turn::calls([
            ("delete_file", json!({ "path": ".ralph/plan.tsx" })),
            write(".ralph/summary.md", SUMMARY),
            complete(),
        ]),
        Turn::calls([update()]),
        Turn::Text("updated".to_owned()),
        Turn::calls(work()),
    ];
    let (outcome, _) = run_scripted(&host, options(PlanMode::Auto, MESSAGE), turns).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(refusals(&outcome), 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_bugfix_needs_no_plan() {
    for plan in [PLAN, "no plan at all"] {
        let host = planned();
        host.put(".ralph/plan.tsx", plan);
        let (outcome, model) =
            run_scripted(&host, options(PlanMode::Auto, "The menu button does not work"), [Turn::calls(work())]).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        assert_eq!(outcome.phases(), [(Plan, Build), (Build, Check), (Check, Accept)]);
        assert_eq!(outcome.count(|event| matches!(event, Event::Task(TaskFact::PlanChecked { .. }))), 0);
        let asked = text_of(&model.requests()[0]);
        assert!(
            asked.contains("Type: bugfix") && asked.contains("## Phase: BUILD") && !asked.contains("## Phase: PLAN")
        );
        assert_eq!(host.text(".ralph/plan.tsx").as_deref(), Some(plan));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_existing_plan_satisfies_a_bugfix_in_mode_required() {
    let (outcome, _) =
        run_scripted(&planned(), options(PlanMode::Required, "The menu button does not work"), [Turn::calls(work())])
            .await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!((refusals(&outcome), outcome.result().iterations), (0, 1));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn mode_off_ignores_the_plan_of_a_mutation() {
    let host = planned();
    let (outcome, _) = run_scripted(&host, options(PlanMode::Off, MESSAGE), [Turn::calls(work())]).await;
    assert!(outcome.result().success);
    assert_eq!(host.text(".ralph/plan.tsx").as_deref(), Some(PLAN));
}

pub(crate) const VIBRANT: &str = r#"export default (
  <App name="VIBRANT ENERGY" description="Energy drinks">
    <Theme mood="industrial" seed={140} pattern="triadic" />
    <Screen name="landing">
      <Section gumdrop="hero" />
      <Section gumdrop="features" cols={4} />
      <Section gumdrop="cta" />
    </Screen>
  </App>
)
"#;
pub(crate) const EIGHT: [&str; 8] = ["Lime", "Berry", "Mango", "Mint", "Cola", "Peach", "Ginger", "Cherry"];
pub(crate) const GRID: &str = "src/sections/FeaturesSection.tsx";
const HERO: &str = "src/sections/HeroSection.tsx";

pub(crate) fn grid(flavors: &[&str]) -> String {
    let items: String = flavors.iter().map(|name| format!("  {{ name: '{name}' }},\n")).collect();
    format!(
        "const flavors = [\n{items}];\nexport function FeaturesSection() {{\n  return <section \
         id=\"features\">{{flavors.map((flavor) => <article key={{flavor.name}}>{{flavor.name}}</article>)}}</section>;\n}}\n"
    )
}

fn hero(copy: &str) -> String {
    format!("export function HeroSection() {{\n  return <section id=\"hero\"><h1>{copy}</h1></section>;\n}}\n")
}

/// Four of eight drinks are converted into nighttime drinks.
#[wasm_bindgen_test(unsupported = tokio::test)]
async fn converting_drinks_is_refused_and_adding_them_accepted() {
    let host = MemoryHost::new([
        (
            "src/App.tsx",
            "import { HeroSection } from './sections/HeroSection';\nimport { FeaturesSection } from \
             './sections/FeaturesSection';\nexport default function App() {\n  return <main><HeroSection \
             /><FeaturesSection /></main>;\n}\n",
        ),
        ("src/Toggle.ts", "export const moods = 1\n"),
        (".ralph/plan.tsx", VIBRANT),
        (".ralph/task-counter.txt", "2"),
        (".ralph/summary.md", "Built VIBRANT ENERGY: hero, features with 8 drinks, cta, two moods."),
    ]);
    host.put(GRID, &grid(&EIGHT));
    host.put(HERO, &hero("Unleash the monster"));
    let mut converted = EIGHT;
    for (drink, night) in converted.iter_mut().zip(["Moonlit Calm", "Deep Rest", "Slow Tide", "Still Hour"]) {
        *drink = night;
    }
    let ten: Vec<&str> = EIGHT.into_iter().chain(["Moonlit Calm", "Deep Rest"]).collect();
    let turns = [
        Turn::calls([
            update(),
            mark("hero", "MODIFY", "refine ad copy"),
            mark("features", "ADD", "2 more drinks for nighttime"),
        ]),
        Turn::Text("The plan is up to date.".to_owned()),
        Turn::calls([
            write("src/Toggle.ts", "export const moods = 2\n"),
            write(GRID, &grid(&converted)),
            write(".ralph/summary.md", SUMMARY),
            complete(),
        ]),
        Turn::calls([write(GRID, &grid(&ten)), write(HERO, &hero("For long nights")), complete()]),
    ];
    let message = "refine ad copy, less generic more adult. two moods not working. add 2 more drinks for nighttime.";
    let mut options = options(PlanMode::Auto, message);
    options.config.layer = Some(json!({ "gates": { "only": ["scope", "has-summary"] } }));
    let (outcome, model) = run_scripted(&host, options, turns).await;
    assert!(outcome.result().success, "{}\n{}", outcome.result().message, outcome.statuses());
    assert_eq!(outcome.result().snapshots.post.as_deref(), Some("task-3-post"));
    assert_eq!(outcome.count(|event| matches!(event, Event::GatesFinished { .. })), 2);
    let refused = text_of(&model.requests()[3]);
    let expected = "FAIL ADD of \\\"features\\\": Expected 10 items in \\\"features\\\" (8 + 2), found 8";
    assert!(refused.contains(expected), "{refused}");
    assert!(refused.contains("Add 2 new items and leave the 8 existing items"), "{refused}");
    let task = host.text(".ralph/task.md").unwrap();
    assert!(
        task.contains("(add to existing 8, total → 10)") && task.contains("- PRESERVE: all 8 existing drinks\n"),
        "{task}"
    );
}
