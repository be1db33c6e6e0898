//! `plan update`: writes the change markers of the current task.
//!
//! Without arguments it follows `.ralph/task.md`: it writes a marker for each requirement into the parts that it concerns, a
//! new section where a requirement asks for one, `PRESERVED` for what must not change, and, once every requirement has a
//! part, `NO CHANGES` into all other parts. With arguments it marks one part. Requirements without a section are listed for
//! the agent; the other markers are written.

use super::edit::{AddedSection, Edits};
use super::{PlanAnswer, usage};
use crate::error::Error;
use crate::layout::{PLAN, TASK};
use crate::plan::diff::{Shown, parse_plan};
use crate::plan::markers::{self, Marker};
use crate::plan::mutation::{NewSection, Placement, Side, meant, place, rendering};
use crate::plan::targets::{Kind, Target, find, targets};
use crate::plan::task_file::{Requirement, TaskFile, marker, preserved};
use crate::plan::tree::{self, Tree, without_bom};
use crate::plan::{MarkerKind, Registry};
use crate::text::counted;

/// What is known about the project.
pub(crate) struct Known<'a> {
    /// The registry of names that a plan may use.
    pub registry: &'a Registry,
    /// Sections found in the sources.
    pub shown: &'a [Shown],
}

/// The plan with its markers, as an answer that asks the caller to write it.
///
/// # Errors
/// `invalid-argument` if the plan cannot be parsed or has no such part.
pub(crate) fn update(plan: &str, task: &TaskFile, project: &Known<'_>, words: &[String]) -> Result<PlanAnswer, Error> {
    let plan = without_bom(plan);
    let tree = parse_plan(plan)?;
    let targets = targets(&tree);
    let (markers, edits) = (markers::read(&tree, None).0, Edits::default());
    let mut marking =
        Marking { tree: &tree, markers, task: task.number, edits, done: String::new(), grown: Vec::new() };
    let left = match words {
        [] if task.requirements.is_empty() => {
            let (what, usage) = ("lists no requirements; mark the sections that the task changes yourself", usage(""));
            return Ok(PlanAnswer::refused(1, format!("{TASK} {what}; {usage}")));
        }
        [] => follow(&mut marking, task, &targets, project),
        [part, name, what @ ..] if !what.is_empty() => {
            let name = name.trim_matches(['[', ']']).to_uppercase();
            let Some(kind) = MarkerKind::of_task(&name) else {
                let known = MarkerKind::NAMES_OF_TASKS.join(", ");
                return Ok(PlanAnswer::refused(2, format!("{name:?} is not a marker; use {known}")));
            };
            marking.mark(find(&targets, part)?, kind, &what.join(" "));
            Vec::new()
        }
        _ => return Ok(PlanAnswer::refused(2, usage(""))),
    };
    Ok(answer(plan, marking, task.requirements.len(), &left))
}

/// The call succeeds if any of the requirements was placed.
fn answer(plan: &str, marking: Marking<'_, '_>, requirements: usize, left: &[String]) -> PlanAnswer {
    let Marking { edits, tree, done, .. } = marking;
    let open: String = left.iter().map(|left| format!("{left}\n")).collect();
    let placed = requirements.saturating_sub(left.len());
    let mut answer = match (left, placed) {
        ([], _) if edits.is_empty() => {
            PlanAnswer::done("Nothing to mark: the plan already has these markers.".to_owned())
        }
        ([], _) => PlanAnswer::done(done),
        (_, 0) => PlanAnswer { stdout: done, ..PlanAnswer::refused(1, open) },
        _ => PlanAnswer::done(format!(
            "{done}{placed} of {} have a section. Place the others:\n{open}",
            counted(requirements, "requirement")
        )),
    };
    if edits.is_empty() {
        return answer;
    }
    let updated = edits.apply(plan, tree);
    let parses = |source: &str| tree::parse(source).is_ok_and(|parsed| parsed.errors.is_empty());
    if parses(plan) && !parses(&updated) {
        return PlanAnswer::refused(1, format!("the markers would make {PLAN} unparsable; write them with edit_file"));
    }
    answer.write = Some((PLAN, updated));
    answer
}

/// Marks every requirement of the task; returns a line for each one without a section.
fn follow(marking: &mut Marking<'_, '_>, task: &TaskFile, targets: &[Target], project: &Known<'_>) -> Vec<String> {
    let mut left = Vec::new();
    let mut marked: Vec<usize> = Vec::new();
    let mut by_hand = marking.by_hand(task);
    for requirement in &task.requirements {
        let placement = place(targets, requirement, project.shown);
        // Sections that render what the requirement mentions get no `NO CHANGES`.
        marked.extend(rendering(targets, &requirement.text, project.shown).iter().map(|target| target.element));
        if let Placement::Named(parts) = &placement {
            marked.extend(marking.mark_all(parts, requirement));
            continue;
        }
        if marking.says(requirement) {
            continue;
        }
        if let Some(at) = by_hand.iter().position(|kind| *kind == requirement.kind) {
            by_hand.swap_remove(at);
            continue;
        }
        let is_planned = match &placement {
            Placement::Rendered(parts) => {
                marked.extend(marking.mark_all(parts, requirement));
                true
            }
            Placement::New(section) => marking.plan_section(section, requirement, project.registry),
            _ => false,
        };
        if !is_planned {
            left.push(without_section(requirement, &placement));
        }
    }
    for what in &task.preserve {
        for target in meant(targets, what, project.shown) {
            marking.put(target, &preserved(what));
            marked.push(target.element);
        }
    }
    if left.is_empty() {
        marked.extend(marking.grown.iter().copied());
        let untouched = |target: &&Target| is_untouched(target, targets, &marked, marking);
        for target in targets.iter().filter(untouched).collect::<Vec<_>>() {
            marking.put(target, &format!("NO CHANGES for task-{}", task.number));
        }
    }
    left
}

/// The message for a requirement without a section.
fn without_section(requirement: &Requirement, placement: &Placement<'_>) -> String {
    let (name, text) = (requirement.kind.name(), &requirement.text);
    let what = match placement {
        Placement::New(_) => format!("write {} for it, with its marker", placement.describe()),
        _ => format!("choose one with `plan update <section> {name} <what>`, or add a <Section> for it"),
    };
    format!("no section found for: [{name}] {text}; {what}")
}

/// Whether the task changes nothing in this part. A screen whose sections are all untouched gets one marker for all of them.
fn is_untouched(target: &Target, targets: &[Target], marked: &[usize], marking: &Marking<'_, '_>) -> bool {
    let touched = |element: usize| marked.contains(&element) || marking.is_marked(element);
    let in_screen = |screen: usize| {
        touched(screen) || targets.iter().any(|other| other.screen == Some(screen) && touched(other.element))
    };
    match (target.kind, target.screen) {
        (Kind::Screen, _) => !in_screen(target.element),
        (Kind::Section, Some(screen)) => {
            let is_grown = marking.grown.contains(&screen) && !marking.is_marked(screen);
            !touched(target.element) && in_screen(screen) && (!touched(screen) || is_grown)
        }
        _ => !touched(target.element),
    }
}

/// Collects the markers to write into a plan.
struct Marking<'t, 's> {
    tree: &'t Tree<'s>,
    /// The existing markers.
    markers: Vec<Marker>,
    task: u32,
    edits: Edits,
    /// One line per change.
    done: String,
    /// Screens that get a new section.
    grown: Vec<usize>,
}

impl Marking<'_, '_> {
    /// Marks a requirement in several parts; returns their elements.
    fn mark_all(&mut self, parts: &[&Target], requirement: &Requirement) -> Vec<usize> {
        parts.iter().for_each(|target| self.mark(target, requirement.kind, &requirement.text));
        parts.iter().map(|target| target.element).collect()
    }

    /// Adds a section with the marker of a requirement; `false` if its gumdrop or its position is unclear.
    fn plan_section(&mut self, section: &NewSection<'_>, requirement: &Requirement, registry: &Registry) -> bool {
        let (Some(gumdrop), Some((side, target))) = (section.gumdrop(registry), section.beside) else { return false };
        let text = marker(self.task, requirement.kind, &requirement.text);
        self.grown.extend(target.screen);
        let word = if side == Side::Before { "before" } else { "after" };
        self.done.push_str(&format!("new section {gumdrop} {word} {}: {text}\n", target.name));
        self.edits.sections.push(AddedSection { beside: target.element, side, gumdrop, text });
        true
    }

    /// Whether the plan already has the exact marker of a requirement.
    fn says(&self, requirement: &Requirement) -> bool {
        let text = marker(self.task, requirement.kind, &requirement.text);
        self.markers.iter().any(|marker| self.comment(marker) == text)
    }

    /// Marks a change, and removes a marker that says there is none.
    fn mark(&mut self, target: &Target, kind: MarkerKind, what: &str) {
        let is_unchanged = |marker: &&Marker| {
            // A comment of several lines contains more than the marker.
            marker.kind == MarkerKind::NoChanges
                && [Some(target.element), target.screen].contains(&Some(marker.owner))
                && !self.comment(marker).contains(['\n', '\r'])
        };
        for comment in self.of_task().filter(is_unchanged).map(|marker| marker.comment).collect::<Vec<_>>() {
            if !self.edits.removed.contains(&comment) {
                self.edits.removed.push(comment);
            }
        }
        self.put(target, &marker(self.task, kind, what));
    }

    fn put(&mut self, target: &Target, text: &str) {
        let is_there = |marker: &Marker| marker.owner == target.element && self.comment(marker) == text;
        if !self.markers.iter().any(is_there) {
            self.edits.comments.push((target.element, text.to_owned()));
            self.done.push_str(&format!("{}: {text}\n", target.name));
        }
    }

    /// Markers of the task whose text no requirement has.
    fn by_hand(&self, task: &TaskFile) -> Vec<MarkerKind> {
        let is_written =
            |text: &str| task.requirements.iter().any(|one| marker(task.number, one.kind, &one.text) == text);
        let by_hand = self.of_task().filter(|marker| marker.kind.is_of_task() && !is_written(self.comment(marker)));
        by_hand.map(|marker| marker.kind).collect()
    }

    /// Whether the element has a marker of this task that is not removed.
    fn is_marked(&self, element: usize) -> bool {
        self.of_task().any(|marker| marker.owner == element && !self.edits.removed.contains(&marker.comment))
    }

    /// The markers of this task.
    fn of_task(&self) -> impl Iterator<Item = &Marker> {
        self.markers.iter().filter(|marker| marker.task == Some(self.task))
    }

    /// The text of a marker's comment.
    fn comment(&self, marker: &Marker) -> &str {
        self.tree.comments.get(marker.comment).map_or("", |comment| comment.text.trim())
    }
}
