//! The command on complete projects.
#![cfg(not(target_family = "wasm"))]

use super::*;
use crate::plan::{PlanNode, validate};
use crate::port::memory::MemoryHost;
use proptest::prelude::*;

const VIBRANT: &str = r#"// The plan of a drink.
export default (
  <App name="VIBRANT ENERGY">
    <Theme mood="industrial" seed={140}>
      <Rule no="hardcoded colors" />
      <Rule always="all colors via CSS custom properties" />
      <Rule prefer="large type" />
    </Theme>

    <Screen name="landing" layout='full-bleed'>
      <Content>
        <Section gumdrop="hero"   variant={"split"}   />
        <Section gumdrop="features" cols={4}>
          <Slot name="icon"/></Section>
        <Section gumdrop="cta"><Slot name="button" /></Section>
      </Content>
    </Screen>

    <Screen name="store">
      <Section gumdrop="grid-list" />
      <Section gumdrop="cta" />
    </Screen>
  </App>
)
"#;

const TASK: &str = "# Task: Refine\nType: mutation\nCounter: 3\n\n## Requirements\n\
    - [MODIFY] Refine ad copy in the hero and landing CTA sections\n\
    - [ADD] 2 new features for the night\n\
    - [FIX] Theme toggle: two moods\n\n## Scope\n- PRESERVE: All 8 existing features\n- PRESERVE: Routing\n\n\
    ## Original Message\n> refine it\n";

async fn run_in(host: &MemoryHost, words: &[&str]) -> PlanAnswer {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let answer = plan_command(host.project(), Registry::builtin(), &words).await.unwrap();
    if let Some((path, text)) = &answer.write {
        host.put(path, text);
    }
    answer
}

/// The output of a command that succeeds.
async fn output_of(host: &MemoryHost, words: &[&str]) -> String {
    let answer = run_in(host, words).await;
    assert_eq!((answer.exit_code, answer.stderr.as_str()), (0, ""), "{words:?}");
    answer.stdout
}

fn project(task: &str) -> MemoryHost {
    MemoryHost::new([
        (PLAN, VIBRANT),
        (".ralph/task.md", task),
        ("src/App.tsx", "export default () => <main>Soon</main>"),
    ])
}

fn plan_of(host: &MemoryHost) -> String {
    host.text(PLAN).unwrap()
}

fn warnings(plan: &str) -> Vec<Diagnostic> {
    let report = validate(plan, Registry::builtin(), Some(3));
    assert!(report.ok, "{:?}", report.failures);
    report.warnings.into_iter().filter(|warning| warning.id.starts_with("marker")).collect()
}

#[tokio::test]
async fn update_marks_every_requirement_and_changes_nothing_else() {
    let host = project(TASK);
    output_of(&host, &["update"]).await;
    let expected = VIBRANT
        .replace(
            "seed={140}>",
            "seed={140}>\n      {/* TASK-3 [FIX]: Theme toggle: two moods */}",
        )
        .replace(
            "variant={\"split\"}   />",
            "variant={\"split\"}>\n          {/* TASK-3 [MODIFY]: Refine ad copy in the hero and landing CTA sections */}\n        \
             </Section>",
        )
        .replace(
            "cols={4}>",
            "cols={4}>\n          {/* TASK-3 [ADD]: 2 new features for the night */}\n          \
             {/* PRESERVED: All 8 existing features */}",
        )
        .replace(
            "<Section gumdrop=\"cta\"><",
            "<Section gumdrop=\"cta\">\n          \
             {/* TASK-3 [MODIFY]: Refine ad copy in the hero and landing CTA sections */}<",
        )
        .replace("<Screen name=\"store\">", "<Screen name=\"store\">\n      {/* NO CHANGES for task-3 */}");
    assert_eq!(plan_of(&host), expected);
    assert_eq!(warnings(&expected), []);
    assert!(output_of(&host, &["update"]).await.contains("Nothing to mark"));
}

#[tokio::test]
async fn update_lists_unplaced_requirements_and_finishes_once_they_are_marked() {
    let host = project("Counter: 3\n\n## Requirements\n- [ADD] 2 night drinks\n- [FIX] the hero\n");
    assert_eq!(
        output_of(&host, &["update"]).await,
        "landing/hero: TASK-3 [FIX]: the hero\n1 of 2 requirements have a section. Place the others:\nno section found for: \
         [ADD] 2 night drinks; choose one with `plan update <section> ADD <what>`, or add a <Section> for it\n"
    );
    assert!(plan_of(&host).contains("TASK-3 [FIX]: the hero"), "the placed marker is written");
    assert!(!plan_of(&host).contains("NO CHANGES"));

    output_of(&host, &["update", "features", "[add]", "2", "drinks", "*/ at\nnight"]).await;
    assert!(plan_of(&host).contains("{/* TASK-3 [ADD]: 2 drinks * / at night */}"));
    output_of(&host, &["update"]).await;
    assert_eq!(plan_of(&host).matches("NO CHANGES for task-3").count(), 3);

    output_of(&host, &["update", "store/cta", "REMOVE", "it"]).await;
    assert_eq!(plan_of(&host).matches("NO CHANGES for task-3").count(), 2, "{}", plan_of(&host));
    assert_eq!(warnings(&plan_of(&host)), []);
}

#[tokio::test]
async fn update_adds_a_new_section_and_does_not_mark_its_neighbours() {
    let ask = "Add a testimonial section between features and cta";
    let host = project(&format!("Counter: 3\n\n## Requirements\n- [ADD] {ask}\n"));
    host.put(PLAN, &VIBRANT.replace("      <Section gumdrop=\"cta\" />\n", ""));
    let output = output_of(&host, &["update"]).await;
    assert!(output.starts_with("new section testimonials after landing/features: TASK-3 [ADD]: "), "{output}");
    let plan = plan_of(&host);
    let section = format!(
        "          <Slot name=\"icon\"/></Section>\n        <Section gumdrop=\"testimonials\">\n          {{/* TASK-3 [ADD]: {ask} \
         */}}\n        </Section>\n        <Section gumdrop=\"cta\">"
    );
    assert!(plan.contains(&section), "{plan}");
    assert_eq!(plan.matches("TASK-3 [ADD]").count(), 1, "no neighbour is marked: {plan}");
    assert_eq!(plan.matches("NO CHANGES for task-3").count(), 5, "theme, hero, features, cta, store: {plan}");
    assert_eq!(warnings(&plan), []);
    assert!(output_of(&host, &["update"]).await.contains("Nothing to mark"));
}

#[tokio::test]
async fn update_fails_if_no_requirement_has_a_section() {
    let asks = "- [ADD] 2 night drinks\n- [ADD] A wxyzzy section after the hero\n";
    let host = project(&format!("Counter: 3\n\n## Requirements\n{asks}"));
    let answer = run_in(&host, &["update"]).await;
    assert_eq!((answer.exit_code, answer.write, answer.stdout.as_str()), (1, None, ""));
    let said: Vec<&str> = answer.stderr.lines().collect();
    assert!(said[0].starts_with("no section found for: [ADD] 2 night drinks; choose one"), "{said:?}");
    let unknown = "no section found for: [ADD] A wxyzzy section after the hero; write a new Section after landing/hero";
    assert!(said[1].starts_with(unknown), "{said:?}");
    assert_eq!(plan_of(&host), VIBRANT);
}

const DRINKS: &str = "const drinks = [{ name: 'Lime' }]; export const Features = () => <section>{drinks.map((drink) => <p \
                      key={drink.name}>{drink.name}</p>)}</section>";

#[tokio::test]
async fn update_marks_the_section_whose_sources_render_the_items() {
    let host = project(
        "Counter: 3\n\n## Requirements\n- [ADD] 2 more drinks\n\n## Scope\n- PRESERVE: all 8 existing drinks\n",
    );
    host.put("src/sections/Features.tsx", DRINKS);
    let output = output_of(&host, &["update"]).await;
    let marks = "landing/features: TASK-3 [ADD]: 2 more drinks\nlanding/features: PRESERVED: all 8 existing drinks\n";
    assert!(output.starts_with(marks), "{output}");
    // A marker of the agent takes precedence, and the section that renders the items gets no `NO CHANGES`.
    host.put(
        PLAN,
        &VIBRANT.replace("variant={\"split\"}   />", "variant=\"split\">{/* TASK-3 [ADD]: two teas */}</Section>"),
    );
    host.put(".ralph/task.md", "Counter: 3\n\n## Requirements\n- [ADD] 2 more drinks\n");
    run_in(&host, &["update"]).await;
    let plan = plan_of(&host);
    assert!(!plan.contains("cols={4}>\n          {/* NO CHANGES"), "{plan}");
    assert_eq!(plan.matches("NO CHANGES for task-3").count(), 3, "{plan}");
}

#[tokio::test]
async fn validate_reports_a_missing_plan_update_during_a_run() {
    let host = project("Counter: 3\n\n## Requirements\n- [ADD] 2 more drinks\n");
    host.put("src/sections/Features.tsx", DRINKS);
    let is_valid = async || run_in(&host, &["validate"]).await.exit_code == 0;
    assert!(is_valid().await, "no update is due");
    host.put(crate::layout::PLAN_BEFORE, VIBRANT);
    assert!(is_valid().await, "no task runs");
    host.put(".ralph/status.txt", "running\n");
    let answer = run_in(&host, &["validate"]).await;
    assert_eq!(answer.exit_code, 1);
    let said = "FAIL [requirement-marker]: The requirement [ADD] 2 more drinks has no marker. Put {/* TASK-3 [ADD]: 2 more \
                drinks */} into landing/features";
    assert!(answer.stderr.contains(said), "{}", answer.stderr);
    let silent = "WARN [no-changes]: landing/hero, landing/cta, store/grid-list, store/cta have no marker of task 3.";
    assert!(answer.stderr.contains(silent), "nothing is proposed for the features: {}", answer.stderr);
    run_in(&host, &["update"]).await;
    assert!(is_valid().await);
}

#[tokio::test]
async fn update_recognises_every_form_of_existing_marker() {
    let host = project("Counter: 3\n\n## Requirements\n- [FIX] the hero\n- [ADD] 2 night drinks\n");
    let plan = VIBRANT
        .replace("<Slot name=\"icon\"/>", "<Slot name=\"icon\">{/* words\n TASK-3[ADD] 2 drinks at night */}</Slot>")
        .replace("<Content>", "<Content>{/* NO CHANGES for task-3 \u{2014} as it is */}")
        .replace("<Slot name=\"button\" />", "{/* NO CHANGES for task-30 */}");
    host.put(PLAN, &plan);
    let expected = "landing/hero: TASK-3 [FIX]: the hero\ntheme: NO CHANGES for task-3\nlanding/cta: NO CHANGES for \
        task-3\nstore: NO CHANGES for task-3\n";
    assert_eq!(output_of(&host, &["update"]).await, expected);
    let updated = plan_of(&host);
    assert!(!updated.contains("as it is"), "the screen has a change, so its NO CHANGES is removed: {updated}");
    assert!(updated.contains("{/* NO CHANGES for task-30 */}"));
}

#[tokio::test]
async fn update_removes_a_comment_once() {
    let host = project("Counter: 3\n\n## Requirements\n- [FIX] the hero\n- [MODIFY] the features\n");
    let unchanged = VIBRANT.replace("<Content>", "{/* NO CHANGES for task-3 */}\n      <Content>");
    host.put(PLAN, &unchanged);
    run_in(&host, &["update"]).await;
    let once = plan_of(&host);
    host.put(PLAN, VIBRANT);
    run_in(&host, &["update"]).await;
    assert_eq!(once, plan_of(&host));
}

#[tokio::test]
async fn validate_prints_the_findings_of_the_checks() {
    let host = project(TASK);
    let output = output_of(&host, &["validate"]).await;
    assert!(output.starts_with(".ralph/plan.tsx is valid.\nWARN [missing-nav]: Line 3:"), "{output}");
    host.put(PLAN, &VIBRANT.replace("\"hero\"", "\"herro\""));
    let answer = run_in(&host, &["validate"]).await;
    assert_eq!((answer.exit_code, answer.stdout.as_str()), (1, ""));
    assert!(answer.stderr.contains("FAIL [valid-gumdrops]: Line 12:"), "{}", answer.stderr);
    host.put(".ralph/task-counter.txt", "4\n");
    host.put(PLAN, &VIBRANT.replace("<Content>", "<Content>{/* TASK-3 [ADD]: 1 */}"));
    assert!(output_of(&host, &["validate"]).await.contains("WARN [marker-task]"));
}

#[tokio::test]
async fn show_prints_an_outline() {
    let host = project(TASK);
    host.put(PLAN, &VIBRANT.replace("cols={4}>", "cols={4}>{/* TASK-3 [ADD]:\n 2 */}"));
    let expected = "App name=\"VIBRANT ENERGY\" (line 3)\n  Theme mood=\"industrial\" (line 4)\n  Screen name=\"landing\" \
        (line 10)\n    Section gumdrop=\"hero\" variant=\"split\" (line 12)\n    Section gumdrop=\"features\" (line 13)\n      \
        · TASK-3 [ADD]: 2\n    Section gumdrop=\"cta\" (line 16)\n  Screen name=\"store\" (line 20)\n    \
        Section gumdrop=\"grid-list\" (line 21)\n    Section gumdrop=\"cta\" (line 22)\n";
    assert_eq!(output_of(&host, &["show"]).await, expected);
}

#[tokio::test]
async fn diff_writes_the_report_and_prints_the_missing_parts() {
    let host = project(TASK);
    let output = output_of(&host, &["diff"]).await;
    assert!(output.starts_with("0 of 8 planned parts are built: 8 missing"), "{output}");
    assert!(output.contains("- missing: section hero (Screen \"landing\", line 12: no component"), "{output}");
    assert!(host.text(PLAN_DIFF).unwrap().starts_with("# Plan and sources\n"));
}

#[tokio::test]
async fn lint_config_writes_the_rules_as_json() {
    let host = project(TASK);
    let output = output_of(&host, &["lint-config"]).await;
    assert_eq!(output, "Wrote 3 rules of the plan to .ralph/lint-config.json.\n");
    let config: serde_json::Value = serde_json::from_str(&host.text(".ralph/lint-config.json").unwrap()).unwrap();
    assert_eq!(config["plan"], PLAN);
    assert_eq!(config["theme"], serde_json::json!({ "mood": "industrial", "seed": 140 }));
    let rules = config["rules"].as_array().unwrap().iter();
    let rules: Vec<String> = rules
        .map(|rule| ["id", "kind", "severity", "text", "line"].map(|key| rule[key].to_string()).join(" "))
        .collect();
    let expected = [
        r#""no-hardcoded-colors" "no" "error" "hardcoded colors" 5"#,
        r#""always-all-colors-via-css-custom-properties" "always" "error" "all colors via CSS custom properties" 6"#,
        r#""prefer-large-type" "prefer" "warn" "large type" 7"#,
    ];
    assert_eq!(rules, expected);
}

#[tokio::test]
async fn wrong_usage_and_a_missing_or_broken_plan_are_explained() {
    let bare = MemoryHost::new([]);
    for action in ACTIONS {
        let answer = run_in(&bare, &[action]).await;
        assert_eq!((answer.exit_code, answer.stdout.as_str()), (1, ""));
        assert!(answer.stderr.contains("there is no plan: write .ralph/plan.tsx"), "{}", answer.stderr);
    }
    let host = project("Counter: 3\n");
    for (words, code, said) in [
        (&["vlidate"][..], 2, "did you mean validate"),
        (&[], 2, "usage: plan validate"),
        (&["show", "hero"], 2, "takes no arguments"),
        (&["update"], 1, "lists no requirements"),
        (&["update", "hero"], 2, "usage: plan"),
        (&["update", "hero", "PAINT", "it"], 2, "use ADD, MODIFY, FIX, REMOVE"),
        (&["update", "heros", "ADD", "it"], 1, "did you mean"),
        (&["update", "cta", "ADD", "it"], 1, "use landing/cta or store/cta"),
    ] {
        let answer = run_in(&host, words).await;
        assert_eq!((answer.exit_code, answer.stdout.as_str(), answer.write), (code, "", None), "{words:?}");
        assert!(answer.stderr.contains(said), "{words:?}: {}", answer.stderr);
    }
    let broken = MemoryHost::new([(PLAN, "export default <App")]);
    for action in ["diff", "show", "update", "lint-config"] {
        let answer = run_in(&broken, &[action]).await;
        assert_eq!(answer.exit_code, 1, "{action}");
        assert!(answer.stderr.contains("cannot be read: line 1"), "{}", answer.stderr);
    }
}

#[tokio::test]
async fn update_preserves_line_ends_and_tabs() {
    let host = project("");
    host.put(PLAN, &VIBRANT.replace("        <Section", "\t\t<Section").replace('\n', "\r\n"));
    run_in(&host, &["update", "hero", "FIX", "it"]).await;
    let plan = plan_of(&host);
    assert!(plan.contains(">\r\n\t\t\t{/* TASK-1 [FIX]: it */}\r\n\t\t</Section>\r\n"), "{plan:?}");
    assert_eq!(plan.replace("\r\n", "").matches('\n').count(), 0);
}

fn without_places(node: PlanNode) -> PlanNode {
    let children = node.children.into_iter().map(without_places).collect();
    PlanNode { line: 0, column: 0, children, ..node }
}

proptest! {
    /// With any marker anywhere, the plan still parses, and only comments are added.
    #[test]
    fn a_marker_never_breaks_a_plan(
        text in "[a-z*/{}<>\"'`\\\\ \n🫖-]{1,40}",
        part in prop::sample::select(vec!["theme", "landing", "store", "hero", "features", "landing/cta", "grid-list"]),
        crlf in any::<bool>(),
    ) {
        let source = if crlf { VIBRANT.replace('\n', "\r\n") } else { VIBRANT.to_owned() };
        let task = task_file::TaskFile { number: 3, requirements: Vec::new(), preserve: Vec::new() };
        let answer = update::update(&source, &task, &Known { registry: Registry::builtin(), shown: &[] }, &[part.to_owned(), "ADD".to_owned(), text]).unwrap();
        let (_, updated) = answer.write.unwrap();
        let tree = |source: &str| without_places(validate(source, Registry::builtin(), None).root.unwrap());
        let (before, after) = (tree(&source), tree(&updated));
        prop_assert_eq!(before, after);
        let markers = validate(&updated, Registry::builtin(), Some(3)).markers;
        prop_assert_eq!(markers.len(), 1);
    }
}
