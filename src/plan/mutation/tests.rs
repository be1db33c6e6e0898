//! Plan updates, as tables.

use super::*;
use crate::plan::Registry;
use crate::plan::command::{Known, PlanAnswer};
use crate::plan::task_file::{TaskFile, parse};

const BEFORE: &str = r#"export default (
  <App name="Volt">
    <Theme mood="industrial" />
    <Screen name="landing">
      <Section gumdrop="hero" />
      <Section gumdrop="features" />
      <Section gumdrop="cta" />
    </Screen>
    <Screen name="store">
      <Section gumdrop="grid-list" />
    </Screen>
  </App>
)
"#;

fn task(requirements: &str) -> TaskFile {
    parse(&format!("# Task: T\nType: mutation\nCounter: 3\n\n## Requirements\n{requirements}\n"), None)
}

fn due(before: &str, task: &TaskFile) -> DueUpdate {
    DueUpdate { before: before.to_owned(), task: task.clone(), shown: Vec::new() }
}

fn check_update(before: &str, after: &str, task: &TaskFile) -> PlanUpdate {
    super::check_update(&due(before, task), after)
}

fn update_guide(before: &str, task: &TaskFile) -> String {
    super::update_guide(&due(before, task))
}

fn update(plan: &str, task: &TaskFile, words: &[String]) -> Result<PlanAnswer, crate::Error> {
    let known = Known { registry: Registry::builtin(), shown: &[] };
    crate::plan::command::update(plan, task, &known, words)
}

/// The plan with these markers added: `hero: TASK-3 [ADD]: x`, `theme: …`, `landing: …`.
fn marked(markers: &str) -> String {
    markers.lines().map(str::trim).filter(|line| !line.is_empty()).fold(BEFORE.to_owned(), |plan, line| {
        let (part, text) = line.split_once(": ").unwrap();
        let comment = format!("{{/* {text} */}}");
        match part {
            "theme" => plan.replace("industrial\" />", &format!("industrial\">{comment}</Theme>")),
            "landing" | "store" => plan.replace(&format!("name=\"{part}\">"), &format!("name=\"{part}\">{comment}")),
            gumdrop => {
                let tag = format!("<Section gumdrop=\"{gumdrop}\"");
                let whole = format!("{tag}>{comment}</Section>");
                plan.replace(&format!("{tag}>"), &format!("{tag}>{comment}")).replace(&format!("{tag} />"), &whole)
            }
        }
    })
}

/// The ids of the failures.
fn failures(after: &str, task: &TaskFile) -> Vec<String> {
    check_update(BEFORE, after, task).failures.into_iter().map(|failure| failure.id).collect()
}

const LACKING: [&str; 1] = ["requirement-marker"];

#[test]
fn every_requirement_needs_a_marker() {
    let none: [&str; 0] = [];
    let two = "- [MODIFY] Refine the copy of the hero\n- [ADD] 2 night drinks";
    for (requirements, markers, expected) in [
        (two, "", &["requirement-marker", "requirement-marker"][..]),
        (two, "hero: TASK-3 [MODIFY]: Refine the copy of the hero", &LACKING),
        (two, "hero: TASK-3 [MODIFY]: tone\nfeatures: TASK-3 [ADD]: 2 night drinks", &none),
        // A marker of another task, of another kind, or without a matching part.
        (two, "hero: TASK-2 [MODIFY]: tone\nfeatures: TASK-3 [ADD]: 2 night drinks", &LACKING),
        (two, "hero: TASK-3 [FIX]: Refine the copy of the hero\nfeatures: TASK-3 [ADD]: 2 night drinks", &LACKING),
        // Paraphrased, and in another part than the requirement mentions.
        (two, "cta: TASK-3 [MODIFY]: sharper tone\ncta: TASK-3 [ADD]: moonlit calm, deep rest", &none),
        (two, "landing: TASK-3 [MODIFY]: tone\nlanding: TASK-3 [ADD]: drinks", &none),
        // Several markers of one requirement do not count for another one.
        (
            "- [MODIFY] Refine the copy in hero and cta\n- [MODIFY] Nighttime mood of the theme",
            "hero: TASK-3 [MODIFY]: refine copy\ncta: TASK-3 [MODIFY]: refine copy",
            &LACKING,
        ),
        (
            "- [MODIFY] Refine the copy in hero and cta\n- [MODIFY] Nighttime mood of the theme",
            "hero: TASK-3 [MODIFY]: refine copy\ntheme: TASK-3 [MODIFY]: second mood",
            &none,
        ),
        // One marker can cover several requirements if it mentions them.
        (
            "- [MODIFY] Shorter copy\n- [MODIFY] Friendlier copy",
            "hero: TASK-3 [MODIFY]: shorter, friendlier copy",
            &none,
        ),
        ("- [MODIFY] Shorter copy\n- [MODIFY] Rounder buttons", "hero: TASK-3 [MODIFY]: shorter copy", &LACKING),
        // Without evidence, the number of markers decides.
        ("- [ADD] A map\n- [ADD] A clock", "hero: TASK-3 [ADD]: karte\ncta: TASK-3 [ADD]: uhr", &none),
        ("- [ADD] A map\n- [ADD] A clock", "hero: TASK-3 [ADD]: karte", &LACKING),
        ("", "", &none),
    ] {
        assert_eq!(failures(&marked(markers), &task(requirements)), expected, "{requirements}\n{markers}");
    }
}

#[test]
fn the_failure_names_the_requirement_its_sections_and_the_marker() {
    let task = task("- [MODIFY] Refine the copy of hero and CTA\n- [ADD] A map */ <x");
    let update = check_update(BEFORE, BEFORE, &task);
    let [copy, map] = update.failures.as_slice() else { panic!("{update:?}") };
    assert_eq!(
        copy.message,
        "The requirement [MODIFY] Refine the copy of hero and CTA has no marker. Put {/* TASK-3 [MODIFY]: Refine the copy \
         of hero and CTA */} into landing/hero or landing/cta, or run `plan update <section> MODIFY <what>`."
    );
    assert_eq!((copy.line, map.line), (5, 1));
    assert!(
        map.message.contains("{/* TASK-3 [ADD]: A map * / <x */} into the section that this requirement concerns"),
        "{}",
        map.message
    );
}

#[test]
fn a_section_may_only_be_removed_with_a_remove_marker() {
    let task = task("- [REMOVE] the cta");
    let without = |what: &str, markers: &str| marked(markers).replace(what, "");
    let cta = "      <Section gumdrop=\"cta\" />\n";
    let store = "    <Screen name=\"store\">\n      <Section gumdrop=\"grid-list\" />\n    </Screen>\n";
    let moved = without(cta, "").replace("grid-list\" />", "grid-list\" /><Section gumdrop=\"cta\" />");
    for (after, expected, why) in [
        (without(cta, ""), 1, "no marker"),
        (without(cta, "landing: TASK-2 [REMOVE]: cta"), 1, "a marker of another task"),
        (without(cta, "landing: TASK-3 [MODIFY]: cta"), 1, "a marker that does not remove"),
        (without(cta, "store: TASK-3 [REMOVE]: grid-list"), 1, "a marker for something else"),
        (without(cta, "landing: TASK-3 [REMOVE]: the last one"), 0, "a marker in its screen"),
        (without(cta, "hero: TASK-3 [REMOVE]: the CTA below"), 0, "a marker that mentions it"),
        (without(store, ""), 1, "no marker for its screen"),
        (without(store, "hero: TASK-3 [REMOVE]: the store"), 0, "a marker that mentions its screen"),
        (moved, 0, "the section moved"),
        (BEFORE.replace("\"cta\"", "\"faq\""), 1, "the section was replaced"),
    ] {
        let removed = failures(&after, &task).into_iter().filter(|id| id == "section-removed").count();
        assert_eq!(removed, expected, "{why}");
    }
    let update = check_update(BEFORE, &without(cta, ""), &task);
    let gone = update.failures.last().unwrap();
    assert_eq!(
        (gone.message.as_str(), gone.line),
        (
            "The section landing/cta was removed. Put it back, or, if the task removes it, put {/* TASK-3 [REMOVE]: cta */} \
             into its Screen.",
            4
        )
    );
}

#[test]
fn sections_without_a_marker_give_a_warning() {
    let warnings = |markers: &str| check_update(BEFORE, &marked(markers), &task("- [FIX] the hero")).warnings;
    let [warning] = warnings("hero: TASK-3 [FIX]: the hero").try_into().unwrap();
    assert_eq!(
        (warning.id.as_str(), warning.message.as_str()),
        (
            "no-changes",
            "landing/features, landing/cta, store/grid-list have no marker of task 3. Put {/* NO CHANGES for task-3 */} into \
             those that the task does not change."
        )
    );
    let all =
        "hero: TASK-3 [FIX]: the hero\nfeatures: NO CHANGES for task-3\ncta: PRESERVED\nstore: NO CHANGES for task-3";
    assert_eq!(warnings(all), []);
    assert_eq!(warnings("landing: TASK-3 [FIX]: the hero\nstore: NO CHANGES for task-2").len(), 1);
}

#[test]
fn the_markers_of_plan_update_satisfy_the_check() {
    let task =
        task("- [MODIFY] Copy of the hero\n- [ADD] 2 features (add to existing 8, total → 10)\n- [FIX] Theme toggle");
    let PlanAnswer { write, exit_code, .. } = update(BEFORE, &task, &[]).unwrap();
    assert_eq!(exit_code, 0);
    let (_, after) = write.unwrap();
    assert_eq!(check_update(BEFORE, &after, &task), PlanUpdate::default());
    let open = parse("Counter: 3\n## Requirements\n- [ADD] A map\n", None);
    let words = ["cta", "ADD", "A", "map"].map(str::to_owned);
    let (_, after) = update(BEFORE, &open, &words).unwrap().write.unwrap();
    assert_eq!(check_update(BEFORE, &after, &open).failures, []);
}

#[test]
fn a_preserve_marker_cannot_end_its_comment() {
    let text = "## Requirements\n- [MODIFY] Copy of the hero\n## Scope\n- PRESERVE: The features */ <x";
    let (_, after) = update(BEFORE, &parse(text, Some(3)), &[]).unwrap().write.unwrap();
    assert!(after.contains("{/* PRESERVED: The features * / <x */}"), "{after}");
}

#[test]
fn the_guide_lists_the_parts_and_their_markers() {
    let text = "## Requirements\n- [MODIFY] Copy of the hero\n- [ADD] A map\n## Scope\n- PRESERVE: All 8 features */ \n- PRESERVE: Routing";
    assert_eq!(
        update_guide(BEFORE, &parse(text, Some(3))),
        "- landing/hero: {/* TASK-3 [MODIFY]: Copy of the hero */}\n\
         - the section that this requirement concerns, or a new one: {/* TASK-3 [ADD]: A map */}\n\
         - landing/features: {/* PRESERVED: All 8 features * / */}\n\
         - after placing every marker above, those of landing/cta, store/grid-list that have no marker: {/* NO CHANGES \
          for task-3 */}\n"
    );
    assert_eq!(
        update_guide("<", &task("- [ADD] A map")),
        "- the section that this requirement concerns, or a new one: {/* TASK-3 [ADD]: A map */}\n"
    );
}

#[test]
fn a_plan_that_does_not_parse_has_no_findings() {
    for plan in ["", "export default <App", "\u{FEFF}export default (<App><"] {
        assert_eq!(check_update(BEFORE, plan, &task("- [ADD] x")), PlanUpdate::default());
    }
    let bom = format!("\u{FEFF}{}", marked("hero: TASK-3 [ADD]: x"));
    assert_eq!(failures(&bom, &task("- [ADD] x")), [""; 0]);
    assert_eq!(check_update("<<", &bom, &task("- [ADD] x")).failures, []);
}

#[cfg(not(target_family = "wasm"))]
mod properties {
    use super::*;
    use proptest::prelude::*;

    fn verb() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec!["ADD", "MODIFY", "FIX", "REMOVE"])
    }

    proptest! {
        /// An agent that writes the markers from the failures satisfies the check, for any task.
        #[test]
        fn writing_the_markers_from_the_failures_satisfies_the_check(
            requirements in prop::collection::vec((verb(), "[a-zA-Z0-9*/ é🫖→,.-]{0,40}[a-z]"), 0..5),
            part in prop::sample::select(vec!["hero", "theme", "store", "landing/cta"]),
        ) {
            let lines: String = requirements.iter().map(|(verb, text)| format!("- [{verb}] {text}\n")).collect();
            let task = task(&lines);
            let mut plan = BEFORE.to_owned();
            for requirement in &task.requirements {
                let words = [part, requirement.kind.name(), &requirement.text].map(str::to_owned);
                if let Some((_, updated)) = update(&plan, &task, &words).unwrap().write {
                    plan = updated;
                }
            }
            prop_assert_eq!(check_update(BEFORE, &plan, &task).failures, Vec::new());
        }

        /// The check is total.
        #[test]
        fn any_plans_and_tasks_can_be_checked(
            before in "[<>/{}*a-zA-Z\"=\n \\[\\]-]{0,200}",
            after in "[<>/{}*a-zA-Z\"=\n \\[\\]-]{0,200}",
            text in "(- \\[(ADD|REMOVE)\\] [a-z*/ ]{0,20}\n){0,4}",
        ) {
            let task = task(&text);
            let update = check_update(&before, &after, &task);
            let lines = after.split('\n').count() as u32;
            for finding in update.failures.iter().chain(&update.warnings) {
                prop_assert!((1..=lines).contains(&finding.line) && finding.column >= 1, "{finding:?}");
            }
            prop_assert_eq!(check_update(&before, &after, &task), update);
            let without_markers = check_update(BEFORE, BEFORE, &task).failures;
            prop_assert_eq!(without_markers.is_empty(), task.requirements.is_empty());
            prop_assert_eq!(update_guide(&before, &task), update_guide(&before, &task));
        }
    }
}
