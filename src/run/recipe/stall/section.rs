//! Finds the part of the plan that an agent is stuck on, from its last tool calls and the failing gates.

use crate::gate::{GateReport, GateVerdict};
use crate::plan::{ChangeMarker, MarkerKind, PlanContext, PlanNode, PlanReport, PropValue, numbered};
use crate::words::words;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A part of the plan, and its change in this task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Stuck {
    /// The section's label in markers (`hero`, `hero#2`), or the screen's name.
    pub name: String,
    /// The screen of a section.
    pub screen: Option<String>,
    /// The section's suggested file.
    pub file: Option<String>,
    /// The marker of this task; `None` if the part has none.
    pub marker: Option<ChangeMarker>,
    /// The number of existing items, if a marker gives it.
    pub existing: Option<u32>,
}

/// The part that the agent is stuck on: the one that its last actions and the gates' reports mention most, with preference
/// for parts that the task changes. If they mention none: the only part that the task changes.
pub(crate) fn stuck_on(plan: &PlanReport, task: u32, actions: &[String], gates: &[GateReport]) -> Option<Stuck> {
    let failing = gates.iter().filter(|report| report.verdict == GateVerdict::Fail);
    let mut evidence: Vec<Vec<String>> = actions.iter().map(|action| words(action)).collect();
    evidence.extend(failing.filter_map(|report| report.feedback.as_deref()).map(words));
    let mut parts = parts(plan, task);
    let score = |part: &Stuck| evidence.iter().filter(|said| speaks_of(said, part)).count();
    let named = parts.iter().map(|part| (part.marker.is_some(), score(part), part)).filter(|(_, score, _)| *score > 0);
    if let Some((.., part)) = named.min_by_key(|(is_marked, score, _)| Reverse((*is_marked, *score))) {
        return Some(part.clone());
    }
    parts.retain(|part| part.marker.is_some());
    if parts.len() == 1 { parts.pop() } else { None }
}

/// The sections of a plan in source order, then the screens with markers of their own.
fn parts(plan: &PlanReport, task: u32) -> Vec<Stuck> {
    let Some(root) = &plan.root else { return Vec::new() };
    let mut parts = Vec::new();
    collect(root, None, &mut BTreeMap::new(), &mut parts);
    for (part, section) in parts.iter_mut().zip(PlanContext::declared(root).sections) {
        part.file = Some(section.suggested_file);
    }
    let markers = |section: Option<&str>, screen: Option<&str>| {
        let own = plan.markers.iter().filter(move |marker| {
            marker.section.as_deref() == section
                && marker.screen.as_deref() == screen
                && marker.task.is_none_or(|number| number == task)
        });
        let existing = own.clone().filter(|marker| marker.kind == MarkerKind::Preserved).find_map(|own| own.existing);
        (own.clone().find(|marker| marker.kind.is_of_task()).cloned(), existing)
    };
    for part in &mut parts {
        (part.marker, part.existing) = markers(Some(&part.name), part.screen.as_deref());
    }
    let sections = parts.len();
    let own = plan.markers.iter().filter(|marker| marker.section.is_none());
    for name in own.filter_map(|marker| marker.screen.as_deref()) {
        let (marker, existing) = markers(None, Some(name));
        let is_known = parts.iter().skip(sections).any(|part| part.name == name);
        if marker.is_some() && !is_known {
            parts.push(Stuck { name: name.to_owned(), screen: None, file: None, marker, existing });
        }
    }
    parts
}

fn collect(node: &PlanNode, screen: Option<&str>, counts: &mut BTreeMap<String, u32>, parts: &mut Vec<Stuck>) {
    let text = |prop: &str| match node.props.get(prop) {
        Some(PropValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let is_screen = node.component == "Screen";
    let screen = if is_screen { text("name") } else { screen };
    if is_screen {
        *counts = BTreeMap::new();
    }
    if node.component == "Section" {
        let name = match text("gumdrop") {
            Some(gumdrop) => {
                let number = counts.get(gumdrop).map_or(1, |before| before + 1);
                counts.insert(gumdrop.to_owned(), number);
                numbered(gumdrop, number as usize)
            }
            None => format!("#{}", node.line),
        };
        parts.push(Stuck { name, screen: screen.map(str::to_owned), ..Stuck::default() });
    }
    node.children.iter().for_each(|child| collect(child, screen, counts, parts));
}

/// Whether the words name the part, or a file that its marker mentions: `ThemeToggle.tsx` for "theme toggle: two
/// moods".
fn speaks_of(said: &[String], part: &Stuck) -> bool {
    // A part without a name is labelled by its line number, which may match anything.
    let name = if part.name.starts_with('#') { Vec::new() } else { words(&part.name) };
    if !name.is_empty() && said.windows(name.len()).any(|window| window == name) {
        return true;
    }
    let task = words(part.marker.as_ref().map_or("", |marker| &marker.text));
    said.windows(2).any(|pair| matches!(pair, [a, b] if a != b && task.windows(2).any(|own| own == [a.as_str(), b])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Registry, validate};

    const PLAN: &str = r#"export default (
  <App name="Drinks"><Theme mood="zen" />
    <Screen name="main">
      {/* TASK-3 [FIX]: theme toggle, two moods do not switch */}
      <Section gumdrop="hero">{/* TASK-3 [MODIFY]: copy, less generic */}</Section>
      <Section gumdrop="flavor-grid">
        {/* TASK-3 [ADD]: 2 flavors */}
        {/* EXISTING 8 flavors PRESERVED */}
      </Section>
      <Section gumdrop="cta">{/* NO CHANGES for task-3 */}</Section>
      <Section gumdrop="hero">{/* TASK-2 [MODIFY]: old */}</Section>
    </Screen>
  </App>)"#;

    fn stuck_in(plan: &str, actions: &[&str], feedback: &str) -> Option<Stuck> {
        let plan = validate(plan, Registry::builtin(), Some(3));
        let actions: Vec<String> = actions.iter().map(|action| (*action).to_owned()).collect();
        let report = |verdict, feedback: &str| GateReport {
            gate: "g".to_owned(),
            verdict,
            feedback: Some(feedback.to_owned()),
            not_applicable: false,
            tree: None,
            duration_ms: 1,
            fix: None,
        };
        let gates = [report(GateVerdict::Fail, feedback), report(GateVerdict::Pass, "src/sections/CtaSection.tsx")];
        stuck_on(&plan, 3, &actions, &gates)
    }

    #[test]
    fn the_stuck_part_is_the_one_in_the_calls_and_gate_reports() {
        for (actions, feedback, expected) in [
            (vec!["edit_file src/sections/FlavorGridSection.tsx"], "", Some("flavor-grid")),
            (vec!["edit_file src/components/FlavorsGrid.tsx"], "", Some("flavor-grid")),
            (vec!["read_file src/App.tsx"], "src/sections/HeroSection.tsx:4 has lorem ipsum", Some("hero")),
            (
                vec!["read_file src/HeroSection.tsx", "read_file src/flavor-grid.tsx", "shell grep flavor_grid"],
                "",
                Some("flavor-grid"),
            ),
            // Mentioned by the marker; changed parts come before others.
            (vec!["edit_file src/ThemeToggle.tsx"], "", Some("main")),
            (vec!["edit_file src/sections/CtaSection.tsx"], "", Some("cta")),
            (
                vec!["edit_file src/sections/CtaSection.tsx", "read_file src/cta.css", "read_file src/hero.tsx"],
                "",
                Some("hero"),
            ),
            // No evidence, and several parts.
            (vec!["read_file package.json"], "", None),
            (vec!["read_file src/heroku.ts"], "", None),
        ] {
            assert_eq!(stuck_in(PLAN, &actions, feedback).map(|part| part.name).as_deref(), expected, "{actions:?}");
        }
    }

    #[test]
    fn the_marker_of_this_task_and_what_must_stay_come_with_it() {
        let part = stuck_in(PLAN, &["edit_file src/sections/FlavorGridSection.tsx"], "").unwrap();
        assert_eq!(part.file.as_deref(), Some("src/sections/FlavorGridSection.tsx"));
        assert_eq!((part.screen.as_deref(), part.existing), (Some("main"), Some(8)));
        let marker = part.marker.unwrap();
        assert_eq!((marker.kind, marker.count), (MarkerKind::Add, Some(2)));
        let plan = PLAN.replace("TASK-3 [MODIFY]", "TASK-2 [MODIFY]");
        let part = stuck_in(&plan, &["edit_file src/hero.tsx"], "").unwrap();
        assert_eq!((part.name.as_str(), part.marker), ("hero", None), "the marker of an earlier task says nothing");
    }

    #[test]
    fn a_section_without_a_name_is_not_meant_by_the_number_of_its_line() {
        let plan = PLAN.replace(r#"<Section gumdrop="cta">"#, "<Section>");
        let line = plan.lines().position(|line| line.contains("<Section>")).unwrap() + 1;
        assert_eq!(stuck_in(&plan, &[], &format!("the build took {line} seconds")), None);
    }

    #[test]
    fn a_screen_with_several_markers_is_one_part() {
        let other = r#"<Screen name="shop">{/* TASK-3 [ADD]: a map */}</Screen>"#;
        let again = r#"<Screen name="main">{/* TASK-3 [FIX]: theme toggle */}</Screen>"#;
        let plan = PLAN.replace("    </Screen>", &format!("</Screen>{other}{again}"));
        let parts = parts(&validate(&plan, Registry::builtin(), Some(3)), 3);
        let screens: Vec<&str> =
            parts.iter().filter(|part| part.screen.is_none()).map(|part| part.name.as_str()).collect();
        assert_eq!(screens, ["main", "shop"]);
    }

    #[test]
    fn the_only_part_that_the_task_changes_is_the_one() {
        let plan = PLAN.replace("TASK-3 [FIX]", "TASK-2 [FIX]").replace("TASK-3 [ADD]", "TASK-2 [ADD]");
        assert_eq!(stuck_in(&plan, &["shell ls"], "").map(|part| part.name).as_deref(), Some("hero"));
        assert_eq!(stuck_in("not a plan", &["edit_file src/hero.tsx"], ""), None);
    }
}
