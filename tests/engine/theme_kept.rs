//! An existing theme is preserved unless the task sets another one.

use crate::engine::support::{Outcome, SUMMARY, complete, registry, run_scripted, write};
use loopgate::port::ShellOutput;
use loopgate::port::memory::{MemoryHost, MemoryShell, Turn};
use loopgate::run::{Event, PlanMode, RunOptions, TaskFact};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

const APP: &str = "export default () => <h1>Helo</h1>\n";
const EDITED: &str = ":root { --background: hotpink; --foreground: black; --primary: teal; } /* by hand */\n";
const PLAIN: &str = ":root { color: #213547; }\n";
const CTA: &str = "<Section gumdrop=\"cta\" />";

/// A plan with this theme and this last section.
fn plan(theme: &str, last: &str) -> String {
    format!(
        "export default (\n  <App name=\"Drinks\" description=\"A shop\">\n    {theme}\n    <Screen name=\"main\">\n      \
         <Section gumdrop=\"hero\" />\n      <Section gumdrop=\"features\" />\n      {last}\n    </Screen>\n  </App>\n)\n"
    )
}

/// A React project with these styles and a shell whose theme command overwrites them.
fn project(css: &str) -> (MemoryHost, MemoryShell) {
    let react = r#"{"dependencies":{"react":"^19.0.0"}}"#;
    let mut host = MemoryHost::new([
        ("package.json", react),
        ("src/App.tsx", APP),
        ("src/pages.tsx", "export const pages = 1\n"),
        ("src/index.css", css),
    ]);
    let written = host.clone();
    let shell = MemoryShell::new(move |command| {
        written.put("src/index.css", command);
        ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    });
    host.shell = Some(shell.clone());
    (host, shell)
}

/// Runs a task whose agent writes this plan and then builds.
async fn planned(host: &MemoryHost, message: &str, plan: &str) -> Outcome {
    let app = write("src/App.tsx", "export default () => <h1>Drinks</h1>\n");
    let turns = [
        Turn::calls([write(".ralph/plan.tsx", plan)]),
        Turn::Text("planned".to_owned()),
        Turn::calls([app, write(".ralph/summary.md", SUMMARY), complete()]),
    ];
    let mut options = RunOptions { plan: PlanMode::Required, ..RunOptions::task("run-1", message, registry()) };
    // The script does not write a valid app.
    options.config.layer = Some(json!({ "gates": { "disabled": ["scope"] } }));
    run_scripted(host, options, turns).await.0
}

/// The start of BUILD: whether the theme counts as applied, and the feedback.
fn began(outcome: &Outcome) -> (bool, String) {
    let mut contexts = outcome.events.iter().filter_map(|envelope| match &envelope.event {
        Event::Task(TaskFact::PlanContext { theme, feedback, .. }) => Some((theme.applied, feedback.clone())),
        _ => None,
    });
    contexts.next().unwrap_or_else(|| panic!("BUILD did not open: {}", outcome.statuses()))
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_mutation_with_an_unchanged_theme_preserves_the_styles_even_without_a_note() {
    let zen = r#"<Theme mood="zen" seed={180} pattern="triadic" />"#;
    let same_values = "<Theme\n      pattern='triadic'\n      seed={180.0} mood=\"zen\">\n    </Theme>";
    let changed = r#"<Theme mood="zen" seed={90} pattern="triadic" />"#;
    let marked = "<Section gumdrop=\"cta\">{/* TASK-3 [MODIFY]: Make the cta friendlier */}</Section>";
    for (theme, note, commands) in [
        (zen, None, 0),
        (same_values, None, 0),
        (zen, Some(""), 0),
        (zen, Some("theme preset minimal --apply"), 0),
        (changed, None, 1),
        (changed, Some(""), 1),
    ] {
        let (host, shell) = project(EDITED);
        host.put(".ralph/plan.tsx", &plan(zen, CTA));
        host.put(".ralph/task-counter.txt", "2");
        note.iter().for_each(|note| host.put(".ralph/theme.txt", note));
        let kept = "{/* NO CHANGES for task-3 */}</Section>";
        let after = plan(theme, marked)
            .replace("\"hero\" />", &format!("\"hero\">{kept}"))
            .replace("\"features\" />", &format!("\"features\">{kept}"));
        let outcome = planned(&host, "Make the cta friendlier", &after).await;
        assert!(began(&outcome).0, "{theme}");
        assert_eq!(shell.commands().len(), commands, "{theme} {note:?}");
        assert_eq!(host.text("src/index.css").as_deref() == Some(EDITED), commands == 0, "{theme} {note:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn existing_styles_are_preserved_unless_the_task_builds_an_app() {
    for (message, css, commands) in [
        ("Add a footer", EDITED, 0),
        ("Add a footer and restyle everything", EDITED, 1),
        ("Add a footer", PLAIN, 0),
        ("Add a footer", "/* nothing yet */", 1),
        ("Start over: build a tea shop", EDITED, 1),
    ] {
        let (host, shell) = project(css);
        let outcome = planned(&host, message, &plan(r#"<Theme mood="zen" />"#, CTA)).await;
        let (applied, feedback) = began(&outcome);
        assert_eq!(shell.commands().len(), commands, "{message}");
        assert_eq!((applied, feedback.contains("## Theme kept")), (commands == 1, commands == 0), "{feedback}");
    }
}
