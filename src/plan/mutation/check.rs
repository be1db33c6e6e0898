//! Checks an updated plan: it has a marker for every requirement, every section that the task does not remove, and a marker
//! for the sections that the task does not change.

use super::due::DueUpdate;
use super::matching::{Placed, unmarked};
use super::placement::{place, rendering};
use crate::plan::check::Finding;
use crate::plan::diff::parse_plan;
use crate::plan::markers::{self, Marker};
use crate::plan::position::Positions;
use crate::plan::report::{Diagnostic, MarkerKind};
use crate::plan::targets::{Kind, Target, joined, spoken_of, targets};
use crate::plan::task_file::{Requirement, marker};
use crate::plan::tree::{Place, Tree};

/// The findings about an update.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlanUpdate {
    /// Make the plan invalid: `requirement-marker`, `section-removed`.
    pub failures: Vec<Diagnostic>,
    /// Do not: `no-changes`.
    pub warnings: Vec<Diagnostic>,
}

/// Compares an updated plan with the plan before and the task. Pure and total. A plan that does not parse has no findings
/// here; [`crate::plan::validate()`] refuses it.
pub fn check_update(due: &DueUpdate, after: &str) -> PlanUpdate {
    let Ok(tree) = parse_plan(after) else { return PlanUpdate::default() };
    let update = Update { due, targets: targets(&tree), markers: markers::read(&tree, None).0, tree: &tree };
    let positions = Positions::new(after);
    let shown = |finding: Finding| {
        let (line, column) = positions.at(finding.place.start);
        Diagnostic { id: finding.id.to_owned(), message: finding.message, line, column, ..Diagnostic::default() }
    };
    let mut failures = update.unmarked();
    failures.extend(update.vanished());
    PlanUpdate {
        failures: failures.into_iter().map(shown).collect(),
        warnings: update.unmentioned().into_iter().map(shown).collect(),
    }
}

struct Update<'t, 's> {
    due: &'t DueUpdate,
    tree: &'t Tree<'s>,
    targets: Vec<Target>,
    markers: Vec<Marker>,
}

impl Update<'_, '_> {
    /// The markers of this task, and those without a task.
    fn own(&self) -> impl Iterator<Item = &Marker> {
        self.markers.iter().filter(|marker| marker.task.is_none_or(|task| task == self.due.task.number))
    }

    /// The place of an element; without one, the start of the plan.
    fn place(&self, element: Option<usize>) -> Place {
        let element = element.and_then(|element| self.tree.elements.get(element));
        element.map_or(Place { start: 0, end: 0 }, |element| element.place)
    }

    /// Findings for requirements without a marker.
    fn unmarked(&self) -> Vec<Finding> {
        let requirements = self.due.task.requirements.iter();
        let placed: Vec<Placed<'_>> =
            requirements.map(|requirement| (requirement, place(&self.targets, requirement, &self.due.shown))).collect();
        let markers: Vec<&Marker> = self.own().filter(|marker| marker.kind.is_of_task()).collect();
        unmarked(&placed, &markers).into_iter().map(|placed| self.missing_marker(placed)).collect()
    }

    fn missing_marker(&self, (Requirement { kind, text }, placement): &Placed<'_>) -> Finding {
        let parts = placement.parts();
        let into = match parts {
            [] => placement.describe(),
            parts => joined(parts.iter().copied(), " or "),
        };
        let (line, name) = (marker(self.due.task.number, *kind, text), kind.name());
        let message = format!(
            "The requirement [{name}] {text} has no marker. Put {{/* {line} */}} into {into}, or run `plan update \
             <section> {name} <what>`."
        );
        Finding::failure("requirement-marker", self.place(parts.first().map(|part| part.element)), message)
    }

    /// Findings for sections that disappeared without a REMOVE marker. A section that moved to another screen is not missing.
    fn vanished(&self) -> Vec<Finding> {
        let Ok(tree) = parse_plan(&self.due.before) else { return Vec::new() };
        let old = targets(&tree);
        let count = |targets: &[Target], called: &str| {
            targets.iter().filter(|target| target.kind == Kind::Section && target.called == called).count()
        };
        let gone = old.iter().filter(|target| {
            target.kind == Kind::Section
                && self.targets.iter().all(|kept| kept.name != target.name)
                && count(&self.targets, &target.called) < count(&old, &target.called)
        });
        let findings = gone.filter(|target| !self.is_removed(target, &old)).map(|target| {
            let screen = target.name.split('/').next().unwrap_or_default();
            let kept = self.targets.iter().find(|kept| kept.kind == Kind::Screen && kept.name == screen);
            let place = self.place(kept.map(|kept| kept.element));
            let line = marker(self.due.task.number, MarkerKind::Remove, &target.called);
            let message = format!(
                "The section {} was removed. Put it back, or, if the task removes it, put {{/* {line} */}} into its Screen.",
                target.name
            );
            Finding::failure("section-removed", place, message)
        });
        findings.collect()
    }

    /// Whether a REMOVE marker of the task is in the section's screen, or mentions the section or its screen.
    fn is_removed(&self, gone: &Target, old: &[Target]) -> bool {
        let screen = old.iter().find(|target| Some(target.element) == gone.screen);
        self.own().filter(|marker| marker.kind == MarkerKind::Remove).any(|marker| {
            let owner = self.targets.iter().find(|target| target.element == marker.owner);
            let in_screen = owner.is_some_and(|owner| {
                owner.kind == Kind::Screen && screen.is_some_and(|screen| screen.name == owner.name)
            });
            let names = spoken_of(old, &marker.text);
            in_screen || names.iter().any(|named| named.element == gone.element || Some(named.element) == gone.screen)
        })
    }

    /// Finding for sections without a marker of the task on themselves or their screen, except for sections that render what
    /// the task mentions, because these may change.
    fn unmentioned(&self) -> Option<Finding> {
        let has_marker = |element: usize| self.own().any(|marker| marker.owner == element);
        let requirements = self.due.task.requirements.iter();
        let rendering: Vec<usize> = requirements
            .flat_map(|requirement| rendering(&self.targets, &requirement.text, &self.due.shown))
            .map(|target| target.element)
            .collect();
        let unmentioned: Vec<&Target> = self
            .targets
            .iter()
            .filter(|target| target.kind == Kind::Section)
            .filter(|target| !has_marker(target.element) && !target.screen.is_some_and(has_marker))
            .filter(|target| !rendering.contains(&target.element))
            .collect();
        let place = self.place(Some(unmentioned.first()?.element));
        let (names, number) = (joined(unmentioned, ", "), self.due.task.number);
        let message = format!(
            "{names} have no marker of task {number}. Put {{/* NO CHANGES for task-{number} */}} into those that the task does not change."
        );
        Some(Finding::warning("no-changes", place, message))
    }
}
