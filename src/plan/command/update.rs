//! `plan update`: the change markers of the current task (`seeds/003 §6`).
//!
//! Without words it follows `.ralph/task.md`: a marker for each requirement in the parts that it speaks of, `PRESERVED`
//! where something must stay, and, once every requirement has its place, `NO CHANGES` in all other parts. With words it
//! marks one part. Which part a requirement means when it names none is for the agent to say, and so is a new section:
//! these are reported as left.

use super::edit::Edits;
use super::{PlanAnswer, usage};
use crate::error::Error;
use crate::plan::diff::parse_plan;
use crate::plan::markers::{self, Marker};
use crate::plan::targets::{Kind, Target, find, spoken_of, targets};
use crate::plan::task_file::{TaskFile, marker, preserved};
use crate::plan::tree::Tree;
use crate::plan::{MarkerKind, PLAN, Registry, diagnose};

/// The plan with its markers, as an answer that asks to write it.
///
/// # Errors
/// `invalid-argument` where the plan cannot be read, or has no such part.
pub fn update(plan: &str, task: &TaskFile, words: &[String]) -> Result<PlanAnswer, Error> {
    let plan = plan.strip_prefix('\u{FEFF}').unwrap_or(plan);
    let tree = parse_plan(plan)?;
    let targets = targets(&tree);
    let markers = markers::read(&tree, None).0;
    let mut marking = Marking { tree: &tree, markers, task: task.number, edits: Edits::default(), done: Vec::new() };
    let left = match words {
        [] if task.requirements.is_empty() => {
            let message =
                format!(".ralph/task.md lists no requirements; mark the sections that the task changes: {}", usage(""));
            return Ok(PlanAnswer::refused(1, message));
        }
        [] => follow(&mut marking, task, &targets),
        [part, name, what @ ..] if !what.is_empty() => {
            let name = name.trim_matches(['[', ']']).to_uppercase();
            let Some(kind) = MarkerKind::of_task(&name) else {
                let known = MarkerKind::NAMES_OF_TASKS.join(", ");
                return Ok(PlanAnswer::refused(2, format!("{name:?} is no marker; use {known}")));
            };
            marking.mark(find(&targets, part)?, kind, &what.join(" "));
            Vec::new()
        }
        _ => return Ok(PlanAnswer::refused(2, usage(""))),
    };
    Ok(answer(plan, &marking, &left))
}

fn answer(plan: &str, marking: &Marking<'_, '_>, left: &[String]) -> PlanAnswer {
    let mut answer = PlanAnswer {
        stdout: marking.done.iter().map(|done| format!("{done}\n")).collect(),
        stderr: left.iter().map(|left| format!("{left}\n")).collect(),
        exit_code: u32::from(!left.is_empty()),
        write: None,
    };
    if marking.edits.is_empty() {
        answer.stdout.push_str("Nothing to mark: the plan has these markers already.\n");
        return answer;
    }
    let updated = marking.edits.apply(plan, marking.tree);
    let parses = |source: &str| !diagnose(source, Registry::builtin(), None).failures.iter().any(is_syntax);
    if parses(plan) && !parses(&updated) {
        return PlanAnswer::refused(1, format!("the markers would break {PLAN}; write them with edit_file"));
    }
    answer.write = Some((PLAN, updated));
    answer
}

fn is_syntax(failure: &crate::plan::Diagnostic) -> bool {
    matches!(failure.id.as_str(), "parseable" | "too-large")
}

/// Marks what the task asks for, and says what is left.
fn follow(marking: &mut Marking<'_, '_>, task: &TaskFile, targets: &[Target]) -> Vec<String> {
    let mut left = Vec::new();
    let mut marked: Vec<usize> = Vec::new();
    let mut by_hand = marking.by_hand(task);
    for requirement in &task.requirements {
        let found = spoken_of(targets, &requirement.text);
        let name = requirement.kind.name();
        let placed = by_hand.iter().position(|kind| *kind == requirement.kind);
        if let (true, Some(at)) = (found.is_empty(), placed) {
            by_hand.swap_remove(at);
        } else if found.is_empty() {
            left.push(format!(
                "left: [{name}] {} names no part of the plan; say which: plan update <section> {name} <what>, or add a \
                 <Section> for it",
                requirement.text
            ));
        }
        for target in found {
            marking.mark(target, requirement.kind, &requirement.text);
            marked.push(target.element);
        }
    }
    for what in &task.preserve {
        for target in spoken_of(targets, what) {
            marking.put(target, &preserved(what));
            marked.push(target.element);
        }
    }
    if left.is_empty() {
        let is_untouched = |target: &&Target| is_untouched(target, targets, &marked, marking);
        let untouched: Vec<&Target> = targets.iter().filter(is_untouched).collect();
        for target in untouched {
            marking.put(target, &format!("NO CHANGES for task-{}", task.number));
        }
    }
    left
}

/// Nothing of the task stands in it. A screen whose sections are all untouched says so once, for all of them.
fn is_untouched(target: &Target, targets: &[Target], marked: &[usize], marking: &Marking<'_, '_>) -> bool {
    let touched = |element: usize| marked.contains(&element) || marking.is_marked(element);
    let in_screen = |screen: usize| {
        touched(screen) || targets.iter().any(|other| other.screen == Some(screen) && touched(other.element))
    };
    match (target.kind, target.screen) {
        (Kind::Screen, _) => !in_screen(target.element),
        (Kind::Section, Some(screen)) => !touched(target.element) && in_screen(screen) && !touched(screen),
        _ => !touched(target.element),
    }
}

/// The markers that are being put into a plan.
struct Marking<'t, 's> {
    tree: &'t Tree<'s>,
    /// Those that the plan has.
    markers: Vec<Marker>,
    task: u32,
    edits: Edits,
    /// What was done, one line each.
    done: Vec<String>,
}

impl Marking<'_, '_> {
    /// Marks a change. What said that there is none is taken away.
    fn mark(&mut self, target: &Target, kind: MarkerKind, what: &str) {
        let unchanged = self.of_task().filter(|marker| {
            // A comment of several lines says more than that.
            marker.kind == MarkerKind::NoChanges
                && [Some(target.element), target.screen].contains(&Some(marker.owner))
                && !self.comment(marker).contains(['\n', '\r'])
        });
        let comments: Vec<usize> = unchanged.map(|marker| marker.comment).collect();
        comments.into_iter().for_each(|comment| self.edits.remove(comment));
        self.put(target, &marker(self.task, kind, what));
    }

    fn put(&mut self, target: &Target, text: &str) {
        let is_there = |marker: &Marker| marker.owner == target.element && self.comment(marker) == text;
        if !self.markers.iter().any(is_there) {
            self.edits.add(target.element, text);
            self.done.push(format!("{}: {text}", target.name));
        }
    }

    /// The markers of the task that are in the plan in other words than the task's.
    fn by_hand(&self, task: &TaskFile) -> Vec<MarkerKind> {
        let is_written =
            |text: &str| task.requirements.iter().any(|one| marker(task.number, one.kind, &one.text) == text);
        let by_hand = self.of_task().filter(|marker| marker.kind.is_of_task() && !is_written(self.comment(marker)));
        by_hand.map(|marker| marker.kind).collect()
    }

    /// A marker of this task stands in the element, and stays.
    fn is_marked(&self, element: usize) -> bool {
        self.of_task().any(|marker| marker.owner == element && !self.edits.removes(marker.comment))
    }

    /// The plan's markers that name this task.
    fn of_task(&self) -> impl Iterator<Item = &Marker> {
        self.markers.iter().filter(|marker| marker.task == Some(self.task))
    }

    /// The text of the comment that holds a marker.
    fn comment(&self, marker: &Marker) -> &str {
        self.tree.comments.get(marker.comment).map_or("", |comment| comment.text.trim())
    }
}
