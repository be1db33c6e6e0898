//! Without markers in a plan, the items of the list that a task mentions are still protected.

use crate::engine::support::{Outcome, PLAN, SUMMARY, complete, registry, run_scripted, text_of, write};
use loopgate::gate::GateVerdict;
use loopgate::port::memory::{MemoryHost, ScriptedModel, Turn};
use loopgate::run::{Event, PlanMode, RunOptions};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

const DRINKS: &str = "src/sections/Drinks.tsx";
const EIGHT: [&str; 8] = ["Lime", "Berry", "Mango", "Mint", "Cola", "Peach", "Ginger", "Cherry"];

/// An app without `.ralph/`.
fn app() -> MemoryHost {
    let host = MemoryHost::new([
        (
            "src/App.tsx",
            "import { Drinks } from './sections/Drinks';\nimport { Reviews } from './sections/Reviews';\nexport default \
             function App() {\n  return <main><h1>Shop</h1><Drinks /><Reviews /></main>;\n}\n",
        ),
        (
            "src/sections/Reviews.tsx",
            "const reviews = [{ title: 'Great' }, { title: 'Fresh' }];\nexport function Reviews() {\n  return \
             <ul>{reviews.map((review) => <li key={review.title}>{review.title}</li>)}</ul>;\n}\n",
        ),
        ("index.html", "<div id=\"root\"></div>"),
    ]);
    host.put(DRINKS, &drinks(&EIGHT));
    host
}

fn drinks(names: &[&str]) -> String {
    let items: String = names.iter().map(|name| format!("  {{ name: '{name}' }},\n")).collect();
    format!(
        "const drinks = [\n{items}];\nexport function Drinks() {{\n  return <section>{{drinks.map((drink) => <article \
         key={{drink.name}}><h3>{{drink.name}}</h3></article>)}}</section>;\n}}\n"
    )
}

fn with(more: &[&'static str]) -> Vec<&'static str> {
    EIGHT.into_iter().chain(more.iter().copied()).collect()
}

/// Two of the eight drinks are converted.
fn converted() -> Vec<&'static str> {
    let night = |name| match name {
        "Mango" => "Moonlit Calm",
        "Mint" => "Deep Rest",
        name => name,
    };
    EIGHT.into_iter().map(night).collect()
}

fn options(mode: PlanMode, message: &str) -> RunOptions {
    let mut options = RunOptions { plan: mode, ..RunOptions::task("run-1", message, registry()) };
    options.config.layer = Some(json!({ "gates": { "only": ["scope", "has-summary"] } }));
    options
}

fn work(path: &'static str, text: &str) -> Turn {
    Turn::calls([write(path, text), write(".ralph/summary.md", SUMMARY), complete()])
}

fn rounds(outcome: &Outcome) -> usize {
    outcome.count(|event| matches!(event, Event::GatesFinished { .. }))
}

fn verdict(outcome: &Outcome) -> Option<GateVerdict> {
    let mut applied = outcome.result().gates.iter().filter(|report| !report.not_applicable);
    applied.find(|report| report.gate == "scope").map(|report| report.verdict)
}

fn feedback(outcome: &Outcome) -> &str {
    let report = outcome.result().gates.iter().find(|report| report.gate == "scope");
    report.and_then(|report| report.feedback.as_deref()).unwrap_or_default()
}

/// The agent converts items, is refused, and adds items.
async fn converts_and_then_adds(host: &MemoryHost, options: RunOptions) -> (Outcome, ScriptedModel) {
    let turns = [work(DRINKS, &drinks(&converted())), work(DRINKS, &drinks(&with(&["Moonlit Calm", "Deep Rest"])))];
    run_scripted(host, options, turns).await
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn converting_two_of_eight_drinks_is_refused_with_the_lost_ones() {
    for mode in [PlanMode::Off, PlanMode::Auto] {
        let (outcome, model) = converts_and_then_adds(&app(), options(mode, "add 2 more drinks")).await;
        assert!(outcome.result().success, "{}\n{}", outcome.result().message, outcome.statuses());
        assert_eq!(rounds(&outcome), 2);
        let refused = text_of(&model.requests()[1]);
        for expected in
            ["`drinks` (src/sections/Drinks.tsx) had 8 items", "\\\"Mango\\\", \\\"Mint\\\"", "Bring back every"]
        {
            assert!(refused.contains(expected), "{expected}: {refused}");
        }
        assert_eq!(verdict(&outcome), Some(GateVerdict::Pass));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn two_more_drinks_pass_and_one_more_fails() {
    let of = |names: &[&'static str]| work(DRINKS, &drinks(&with(names)));
    let (one, two) = (of(&["Moonlit Calm"]), of(&["Moonlit Calm", "Deep Rest"]));
    for (work, expected) in [(vec![two.clone()], 1), (vec![one, two], 2)] {
        let message = "Please add two more drinks for the evening.";
        let (outcome, _) = run_scripted(&app(), options(PlanMode::Auto, message), work).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        assert_eq!((rounds(&outcome), verdict(&outcome)), (expected, Some(GateVerdict::Pass)));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_requested_intro_text_passes() {
    let text = drinks(&EIGHT).replace("<section>", "<section><p>All of them are cold.</p>");
    let message = "Add an intro text above the drinks";
    let (outcome, _) = run_scripted(&app(), options(PlanMode::Auto, message), [work(DRINKS, &text)]).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!((rounds(&outcome), verdict(&outcome)), (1, Some(GateVerdict::Pass)));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_task_may_replace_drinks_if_it_asks_for_it() {
    let message = "Replace Mango and Mint with Moonlit Calm and Deep Rest";
    let (outcome, _) =
        run_scripted(&app(), options(PlanMode::Auto, message), [work(DRINKS, &drinks(&converted()))]).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!((rounds(&outcome), verdict(&outcome)), (1, Some(GateVerdict::Pass)), "{}", feedback(&outcome));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_drinks_are_protected_with_a_plan_without_markers_of_the_task() {
    let marked = PLAN.replace(
        "\"features\" />",
        "\"features\">{/* TASK-7 [ADD]: 3 drinks */}{/* EXISTING 5 drinks PRESERVED */}</Section>",
    );
    for plan in [PLAN, &marked] {
        let host = app();
        host.put(".ralph/plan.tsx", plan);
        let (outcome, model) = converts_and_then_adds(&host, options(PlanMode::Off, "add 2 more drinks")).await;
        assert!(outcome.result().success, "{}\n{}", outcome.result().message, outcome.statuses());
        assert_eq!(rounds(&outcome), 2);
        assert!(text_of(&model.requests()[1]).contains("\\\"Mango\\\", \\\"Mint\\\""));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_bugfix_that_loses_drinks_warns_with_the_lost_ones() {
    let five: Vec<&str> = EIGHT.into_iter().take(5).collect();
    let message = "The drinks page crashes when I open it";
    let (outcome, _) = run_scripted(&app(), options(PlanMode::Auto, message), [work(DRINKS, &drinks(&five))]).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(verdict(&outcome), Some(GateVerdict::Warn));
    let expected = "`drinks` (src/sections/Drinks.tsx): 8 → 5 items; gone: \"Peach\", \"Ginger\", \"Cherry\"";
    assert!(feedback(&outcome).contains(expected), "{}", feedback(&outcome));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_ambiguous_list_warns_with_the_difference() {
    let host = app();
    let fetched = "import { useEffect, useState } from 'react';\nexport function Drinks() {\n  const [drinks, setDrinks] = \
                   useState([]);\n  useEffect(() => { fetch('/api/drinks').then((r) => r.json()).then(setDrinks) }, []);\n  \
                   return <ul>{drinks.map((drink) => <li key={drink.id}>{drink.name}</li>)}</ul>;\n}\n";
    host.put(DRINKS, fetched);
    let (outcome, _) = run_scripted(
        &host,
        options(PlanMode::Auto, "add 2 more drinks"),
        [work(DRINKS, &fetched.replace("/api/drinks", "/api/drinks?more=2"))],
    )
    .await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!((rounds(&outcome), verdict(&outcome)), (1, Some(GateVerdict::Warn)));
    assert!(feedback(&outcome).contains("no list in the sources matches"), "{}", feedback(&outcome));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_git_the_scope_gate_warns() {
    let host = app().with(|ports| ports.git = None);
    let (outcome, _) =
        run_scripted(&host, options(PlanMode::Auto, "add 2 more drinks"), [work(DRINKS, &drinks(&converted()))]).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(verdict(&outcome), Some(GateVerdict::Warn));
    assert!(feedback(&outcome).starts_with("Cannot compare"), "{}", feedback(&outcome));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_new_app_may_replace_everything() {
    let teas = drinks(&["Green", "Black", "White", "Mint"]).replace("drinks", "teas").replace("Drinks", "Teas");
    let message = "Start over: build a new tea shop with 4 teas";
    let (outcome, _) = run_scripted(&app(), options(PlanMode::Off, message), [work(DRINKS, &teas)]).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!((rounds(&outcome), verdict(&outcome)), (1, None));
}
