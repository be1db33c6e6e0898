//! The changes that an updated plan requires, by section.

use crate::plan::diff::parse_plan;
use crate::plan::markers;
use crate::plan::report::MarkerKind;
use crate::plan::targets::targets;

/// The changes that a task requires.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PlannedChanges {
    /// The task's markers in the parts that it changes, in source order: `landing/features: TASK-3 [ADD]: 2 drinks`.
    pub lines: Vec<String>,
    /// Whether each section has changes, in source order.
    pub sections: Vec<bool>,
}

/// The changes that the markers of a task require. A marker of a screen applies to its sections, except for those with
/// their own marker.
pub fn work(plan: &str, task: u32) -> PlannedChanges {
    let Ok(tree) = parse_plan(plan) else { return PlannedChanges::default() };
    let markers = markers::read(&tree, None).0;
    let own = |element: usize| {
        markers.iter().filter(move |marker| marker.owner == element && marker.task.is_none_or(|of| of == task))
    };
    let changes = |element: usize| own(element).any(|marker| marker.kind.is_of_task());
    let targets = targets(&tree);
    let mut lines = Vec::new();
    for target in targets.iter().filter(|target| changes(target.element)) {
        for marker in own(target.element).filter(|marker| marker.kind != MarkerKind::NoChanges) {
            let comment = tree.comments.get(marker.comment).map_or("", |comment| comment.text);
            let text: Vec<&str> = match comment.trim().contains(['\n', '\r']) {
                true => vec![marker.kind.name(), marker.text.as_str()],
                false => comment.split_whitespace().collect(),
            };
            lines.push(format!("{}: {}", target.name, text.join(" ")));
        }
    }
    let sections = tree.elements_named("Section").map(|(element, _)| {
        let screen = targets.iter().find(|target| target.element == element).and_then(|target| target.screen);
        changes(element) || own(element).next().is_none() && screen.is_some_and(changes)
    });
    PlannedChanges { lines, sections: sections.collect() }
}

#[cfg(test)]
mod tests {
    use super::work;

    fn work_for(hero: &str, features: &str, screen: &str) -> (Vec<String>, Vec<bool>) {
        let section = |name: &str, markers: &str| format!("<Section gumdrop=\"{name}\">{markers}</Section>");
        let plan = format!(
            "export default (<App><Theme mood=\"zen\" /><Screen name=\"home\">{screen}{}{}</Screen></App>)",
            section("hero", hero),
            section("features", features)
        );
        let work = work(&plan, 3);
        (work.lines, work.sections)
    }

    #[test]
    fn only_change_markers_of_the_task_require_work() {
        let (none, add) = ("{/* NO CHANGES for task-3 */}", "{/* TASK-3 [ADD]: 2 drinks */}");
        let kept = "{/* EXISTING 8 drinks PRESERVED */}";
        let features = |lines: &[&str]| lines.iter().map(|line| format!("home/features: {line}")).collect::<Vec<_>>();
        assert_eq!(work_for(none, add, ""), (features(&["TASK-3 [ADD]: 2 drinks"]), vec![false, true]));
        let both = format!("{add}{kept}");
        let lines = features(&["TASK-3 [ADD]: 2 drinks", "EXISTING 8 drinks PRESERVED"]);
        assert_eq!(work_for("", &both, ""), (lines, vec![false, true]));
        assert_eq!(work_for("{/* TASK-2 [ADD]: old */}", kept, ""), (Vec::new(), vec![false, false]));
        let screen = "{/* TASK-3 [MODIFY]: tone */}";
        assert_eq!(work_for(none, "", screen), (vec!["home: TASK-3 [MODIFY]: tone".to_owned()], vec![false, true]));
        assert_eq!(work("<", 3), super::PlannedChanges::default());
    }
}
