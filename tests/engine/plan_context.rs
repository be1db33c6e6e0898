//! From PLAN to BUILD: the theme is applied and the recipes are loaded.

use crate::engine::support::{PLAN, SUMMARY, complete, fresh, options, run_with, text_of, until, write};
use loopgate::ErrorCode;
use loopgate::plan::{PlanContext, ThemeContext};
use loopgate::port::memory::{MemoryHost, MemoryRecipes, MemoryShell, ScriptedModel, Turn};
use loopgate::port::{Phase, PortError, PortErrorKind, ShellOutput};
use loopgate::run::{Event, PlanMode, ResolvedSection, RunControl, StopReason, TaskFact, resolve_plan_context};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

/// A style sheet that this command writes.
fn styles(command: &str) -> String {
    format!("/* {command} */\nbody {{ margin: 0 }}\n")
}

const PRESET: &str = "theme preset minimal --apply";
const HERO: &str =
    "---\nid: gumdrop-hero\ncomponents: Button, Badge\n---\n# Hero\n\nA headline and a call to action.\n";

fn output(exit_code: u8, stdout: &str, stderr: &str) -> ShellOutput {
    ShellOutput { exit_code, stdout: stdout.to_owned(), stderr: stderr.to_owned() }
}

/// A shell whose theme command writes the style sheet.
fn themed(host: &MemoryHost) -> MemoryShell {
    let files = host.clone();
    MemoryShell::new(move |command| {
        files.put("src/index.css", &styles(command));
        output(0, &format!("Ran {command}\n"), "")
    })
}

/// A project with that shell and one recipe, whose agent plans and builds.
fn project(plan: &str) -> MemoryHost {
    let mut host = MemoryHost::new([("index.html", "<h1>Drinks</h1>")]);
    host.shell = Some(themed(&host));
    host.recipes = Some(MemoryRecipes::new([("gumdrop-hero", HERO), ("hero", "wrong"), ("gumdrop-heroes", "wrong")]));
    host.model = Some(agent(plan, []));
    host
}

/// An agent that writes this plan, makes these calls in BUILD, and completes.
fn agent<const N: usize>(plan: &str, calls: [(&str, serde_json::Value); N]) -> ScriptedModel {
    ScriptedModel::new([
        Turn::calls([write(".ralph/plan.tsx", plan)]),
        Turn::Text("planned".to_owned()),
        Turn::calls(calls.map(|(name, args)| (name, args))),
        Turn::calls([
            write("src/hero.ts", &format!("export const hero = {plan:?}\n")),
            write(".ralph/summary.md", SUMMARY),
            complete(),
        ]),
    ])
}

fn shell(command: &str) -> (&'static str, serde_json::Value) {
    ("shell", json!({ "command": command }))
}

/// The end of a run and its single `plan-context` event.
struct Transition {
    outcome: crate::engine::support::Outcome,
    theme: ThemeContext,
    sections: Vec<ResolvedSection>,
    feedback: String,
}

async fn run(host: &MemoryHost, id: &str) -> Transition {
    let options = if id == "run-1" { options(id, PlanMode::Auto) } else { fresh(id, PlanMode::Auto) };
    let outcome = run_with(host, options, &RunControl::default()).await;
    let mut contexts = outcome.events.iter().filter_map(|envelope| match &envelope.event {
        Event::Task(TaskFact::PlanContext { theme, sections, feedback }) => {
            Some((theme.clone(), sections.clone(), feedback.clone()))
        }
        _ => None,
    });
    let (theme, sections, feedback) = contexts.next().unwrap();
    assert!(contexts.next().is_none(), "BUILD opens once");
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(outcome.phases().first(), Some(&(Phase::Plan, Phase::Build)));
    Transition { outcome, theme, sections, feedback }
}

fn commands(host: &MemoryHost) -> Vec<String> {
    host.shell.as_ref().unwrap().commands()
}

// ---- The transition

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn build_starts_with_the_applied_theme_and_the_recipes_in_the_feedback() {
    let host = project(PLAN);
    let Transition { outcome, theme, sections, feedback } = run(&host, "run-1").await;
    assert_eq!(commands(&host), [PRESET]);
    let expected =
        ThemeContext { command: PRESET.to_owned(), mood: Some("minimal".to_owned()), ..ThemeContext::default() };
    assert_eq!(theme, expected.applied(format!("Ran {PRESET}\n")));
    let files = ["Hero", "Features", "Cta"].map(|name| format!("src/sections/{name}Section.tsx"));
    let found: Vec<_> = sections.iter().map(|section| (section.suggested_file.clone(), section.found)).collect();
    assert_eq!(found, files.into_iter().zip([true, false, false]).collect::<Vec<_>>());
    let prompt = text_of(&host.model.as_ref().unwrap().requests()[2]);
    for words in ["Theme Applied", "**Components:** Button, Badge", "A headline and a call", "No recipe found for"] {
        assert!(feedback.contains(words) && prompt.contains(words), "{words}: {feedback}");
    }
    for words in ["Plan accepted: Drinks — A shop", "The plan is complete, and its theme is applied: building starts"]
    {
        assert!(outcome.statuses().contains(words), "{words}: {}", outcome.statuses());
    }
    let by_harness = |event: &Event| matches!(event, Event::FileChanged { path, by: loopgate::run::ChangedBy::Harness, .. } if path == "src/index.css");
    assert_eq!(outcome.count(by_harness), 1);
    assert_eq!(host.text(".ralph/theme.txt").as_deref(), Some(PRESET));
    for name in ["plan.md", "intent.md"] {
        assert_eq!(host.text(&format!(".ralph/{name}")), None);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_seed_and_a_pattern_generate_the_theme() {
    let theme = r#"<Theme mood="playful" seed={180} pattern="triadic" font="Space Grotesk" shadowProfile="subtle" radius="pill" />"#;
    let host = project(&PLAN.replace(r#"<Theme mood="minimal" />"#, theme));
    run(&host, "run-1").await;
    let command = "theme generate --seed 180 --pattern triadic --mood playful --font \"Space Grotesk\" \
                   --shadow-profile subtle --radius pill --apply";
    assert_eq!(commands(&host), [command]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn warnings_of_the_plan_are_in_the_instructions() {
    let host = project(&PLAN.replace("<Section gumdrop=\"cta\" />", "<Section gumdrop=\"hero\" more />"));
    let Transition { sections, feedback, .. } = run(&host, "run-1").await;
    assert!(
        feedback.contains("Warnings:\nWARN [low-diversity]: ") && feedback.contains("WARN [unknown-prop]"),
        "{feedback}"
    );
    assert_eq!(sections[2].suggested_file, "src/sections/HeroSection2.tsx", "two sections cannot share a file");
    assert_eq!(host.recipes.as_ref().unwrap().asked(), ["gumdrop-hero", "gumdrop-features"], "each is asked for once");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_failing_theme_command_opens_build_with_the_error_in_the_feedback() {
    let broken = || PortError::new("shell", "execute", PortErrorKind::Other, "the terminal is gone");
    let shells = [
        (Some(MemoryShell::new(|_| output(1, "some output", "Unknown preset"))), "Unknown preset (`theme preset"),
        (Some(MemoryShell::new(|_| output(2, "", " "))), "Theme command failed"),
        (Some(MemoryShell::answering(move |_| Some(Err(broken())))), "the terminal is gone"),
        (Some(MemoryShell::answering(|_| None)), "no answer within"),
        (None, "this IDE has no shell"),
    ];
    for (shell, words) in shells {
        let mut host = project(PLAN);
        let runs = usize::from(shell.is_some());
        host.shell = shell;
        let Transition { outcome, theme, feedback, .. } = run(&host, "run-1").await;
        assert!(!theme.applied);
        let error = theme.error.unwrap();
        assert!(error.contains(words), "{words}: {error}");
        let told = match runs {
            0 => ["Theme ⚠️", "Could not apply", "Write its CSS variables", "<Theme>", "A headline and a call"],
            _ => ["Theme ⚠️", "Could not apply", words, "Apply it yourself", "A headline and a call"],
        };
        assert_eq!(feedback.contains("theme preset"), runs > 0, "{feedback}");
        for words in told {
            assert!(feedback.contains(words), "{words}: {feedback}");
        }
        assert!(outcome.statuses().contains("The plan is complete: building starts"));
        assert_eq!(host.shell.as_ref().map_or(0, |shell| shell.commands().len()), runs);
        assert_eq!(host.text(".ralph/theme.txt").as_deref(), Some(""));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_theme_value_that_is_unsafe_in_a_shell_is_never_run() {
    let theme = r#"<Theme seed={1} pattern="triadic" chroma="1; rm -rf $HOME" />"#;
    let host = project(&PLAN.replace(r#"<Theme mood="minimal" />"#, theme));
    let Transition { theme, feedback, .. } = run(&host, "run-1").await;
    assert_eq!((theme.applied, theme.command.as_str(), commands(&host).len()), (false, "", 0));
    assert!(feedback.contains("`chroma` of <Theme> has one of the characters"), "{feedback}");
}

// ---- The theme is applied once

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_agent_can_modify_the_theme_but_not_replace_it() {
    let mut host = project(PLAN);
    let again = shell("cd src && theme preset cyberpunk --apply");
    host.model = Some(agent(PLAN, [again, shell("theme modify --shift-hue 20 --apply")]));
    let Transition { outcome, .. } = run(&host, "run-1").await;
    assert_eq!(commands(&host), [PRESET, "theme modify --shift-hue 20 --apply"]);
    let refused =
        |event: &Event| matches!(event, Event::ToolResult { ok: false, output, .. } if output.contains("locked"));
    assert_eq!(outcome.count(refused), 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_theme_that_failed_is_left_to_the_agent() {
    let mut host = project(PLAN);
    host.shell = Some(MemoryShell::new(|command| output(u8::from(command == PRESET), "", "Unknown preset")));
    host.model = Some(agent(PLAN, [shell("theme preset mono --apply")]));
    run(&host, "run-1").await;
    assert_eq!(commands(&host), [PRESET, "theme preset mono --apply"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_later_task_applies_the_theme_only_if_it_changed() {
    let mut host = project(PLAN);
    run(&host, "run-1").await;
    let more = PLAN.replace("\"cta\"", "\"faq\"");
    host.model = Some(agent(&more, [shell("theme preset mono --apply")]));
    let Transition { theme, feedback, .. } = run(&host, "run-2").await;
    assert_eq!(commands(&host), [PRESET], "the same theme, also where the agent asks");
    assert!(theme.applied && theme.output.contains("already"), "{theme:?}");
    assert!(feedback.contains("Theme Applied") && feedback.contains("FaqSection"), "{feedback}");

    let other = more.replace("minimal", "cyberpunk");
    host.model = Some(agent(&other, []));
    run(&host, "run-3").await;
    assert_eq!(commands(&host), [PRESET, "theme preset cyberpunk --apply"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_also_reverts_the_theme() {
    let mut host = project(PLAN);
    run(&host, "run-1").await;
    let other = PLAN.replace("minimal", "cyberpunk");
    host.model = Some(agent(&other, []));
    run(&host, "run-2").await;
    loopgate::snapshot::rollback(&host, "task-1-post", false).await.unwrap();
    assert_eq!(host.text("src/index.css"), Some(styles(PRESET)));
    host.put(".ralph/plan.tsx", &other);
    host.model = Some(agent(&other.replace("\"cta\"", "\"faq\""), []));
    run(&host, "run-3").await;
    let cyberpunk = "theme preset cyberpunk --apply";
    assert_eq!(commands(&host), [PRESET, cyberpunk, cyberpunk], "the styles of the second task are gone");
    assert_eq!(host.text("src/index.css"), Some(styles(cyberpunk)));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_agent_cannot_change_the_note_of_the_theme() {
    let mut host = project(PLAN);
    let files = host.clone();
    host.shell = Some(MemoryShell::new(move |command| {
        if command == "forge" {
            files.put(".ralph/theme.txt", "theme preset cyberpunk --apply");
        }
        output(0, "", "")
    }));
    host.model = Some(agent(PLAN, [shell("forge"), write(".ralph/theme.txt", "mine")]));
    let Transition { outcome, .. } = run(&host, "run-1").await;
    assert_eq!(host.text(".ralph/theme.txt").as_deref(), Some(PRESET));
    assert_eq!(outcome.count(|event| matches!(event, Event::WriteDenied { .. })), 2);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_abort_during_the_theme_command_ends_the_run() {
    let mut host = project(PLAN);
    let shell = MemoryShell::answering(|_| None);
    host.shell = Some(shell.clone());
    let control = RunControl::default();
    let abort = async {
        until(|| !shell.commands().is_empty()).await;
        control.abort.fire("stop");
    };
    let run = run_with(&host, options("run-1", PlanMode::Auto), &control);
    let (outcome, ()) = futures_util::future::join(run, abort).await;
    assert_eq!(outcome.result().reason, StopReason::Aborted);
    assert_eq!(outcome.count(|event| matches!(event, Event::Task(TaskFact::PlanContext { .. }))), 0);
    assert_eq!(host.text(".ralph/phase.txt").as_deref(), Some("plan"));
}

// ---- Recipes

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_recipe_that_cannot_be_loaded_is_reported_and_the_others_are_loaded() {
    let mut host = project(PLAN);
    host.recipes = Some(MemoryRecipes::answering(|id| {
        let broken = || PortError::new("recipes", id, PortErrorKind::Other, "the server is down");
        Some(if id == "gumdrop-features" { Err(broken()) } else { Ok(Some(HERO.to_owned())) })
    }));
    let Transition { outcome, sections, .. } = run(&host, "run-1").await;
    assert_eq!(sections.iter().map(|section| section.found).collect::<Vec<_>>(), [true, false, true]);
    assert!(outcome.statuses().contains("The recipe gumdrop-features could not be loaded"), "{}", outcome.statuses());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn hanging_recipes_time_out_once() {
    let mut host = project(PLAN);
    let recipes = MemoryRecipes::answering(|_| None);
    host.recipes = Some(recipes.clone());
    let Transition { outcome, sections, .. } = run(&host, "run-1").await;
    assert!(sections.iter().all(|section| !section.found));
    assert_eq!(recipes.asked(), ["gumdrop-hero"]);
    assert!(outcome.statuses().contains("the other recipes are not loaded"), "{}", outcome.statuses());
}

// ---- Outside a run

/// A plan with this theme and these sections.
fn plan(theme: &str, sections: &str) -> String {
    format!(
        r#"export default (<App name="Test" description="Test app"><Theme {theme} />
           <Screen name="main" layout="scroll">{sections}</Screen></App>)"#
    )
}

async fn resolve(host: &MemoryHost, source: &str) -> PlanContext {
    resolve_plan_context(host, source).await.unwrap()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn resolves_preset_theme_from_mood_prop() {
    let host = project("");
    let context = resolve(&host, &plan("mood=\"cyberpunk\"", "<Section gumdrop=\"hero\" />")).await;
    assert!(context.theme.applied);
    assert_eq!(context.theme.command, "theme preset cyberpunk --apply");
    assert_eq!(commands(&host), ["theme preset cyberpunk --apply"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn resolves_generate_theme_from_seed_and_pattern_props() {
    let theme =
        r#"seed={180} pattern="triadic" mood="playful" font="Orbitron" shadowProfile="dramatic" radius="rounded""#;
    let context = resolve(&project(""), &plan(theme, "")).await;
    assert!(context.theme.applied);
    for words in [
        "theme generate --seed 180 --pattern triadic",
        "--mood playful",
        "--font \"Orbitron\"",
        "--shadow-profile dramatic",
        "--apply",
    ] {
        assert!(context.theme.command.contains(words), "{words}: {}", context.theme.command);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn handles_theme_command_failure_gracefully() {
    let shell = Some(MemoryShell::new(|_| output(1, "", "Unknown preset")));
    let host = project("").with(|ports| ports.shell = shell);
    let context = resolve(&host, &plan("mood=\"nonexistent\"", "")).await;
    assert!(!context.theme.applied && context.theme.error.is_some());
    assert_eq!(context.theme.mood.as_deref(), Some("nonexistent"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn resolves_section_recipes_by_exact_gumdrop_id() {
    let sections = r#"<Section gumdrop="hero" variant="split-image" /><Section gumdrop="pricing" />"#;
    let context = resolve(&project(""), &plan("mood=\"cyberpunk\"", sections)).await;
    let [hero, pricing] = context.sections.as_slice() else { panic!("{:?}", context.sections) };
    assert_eq!((hero.gumdrop.as_str(), hero.variant.as_deref()), ("hero", Some("split-image")));
    assert_eq!(hero.recipe.as_deref(), Some(HERO));
    assert_eq!(hero.suggested_file, "src/sections/HeroSection.tsx");
    assert_eq!(hero.components, ["Button", "Badge"]);
    assert_eq!((pricing.gumdrop.as_str(), pricing.variant.as_deref()), ("pricing", None));
    assert_eq!(pricing.suggested_file, "src/sections/PricingSection.tsx");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn returns_null_recipe_for_unknown_gumdrops() {
    let sections = "<Section gumdrop=\"nonexistent-thing\" />";
    let context = resolve(&project(""), &plan("mood=\"cyberpunk\"", sections)).await;
    assert_eq!((&context.sections[0].recipe, context.sections[0].components.len()), (&None, 0));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_invalid_plan_is_refused_with_its_first_failure() {
    let host = project("");
    for source in ["", "export default (<App>\n<Theme", "export default 3"] {
        let error = resolve_plan_context(&host, source).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArgument, "{source}");
        assert!(
            error.message.starts_with("the plan cannot be read: Line ") && error.line.is_some(),
            "{}",
            error.message
        );
    }
    assert_eq!(commands(&host), Vec::<String>::new());
    let bare = resolve(&host, "export default (<App />)").await;
    assert_eq!(bare.theme.error.as_deref(), Some("No <Theme> block in plan"));
}
