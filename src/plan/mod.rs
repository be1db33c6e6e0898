//! The plan language: `.ralph/plan.tsx`, data in JSX clothes. Parsed, validated, never run.
//!
//! Text passes through [`bounds`] (may a parser read it at all), [`parse`] (the plan's own [`tree`]), [`check`] (one
//! function for each rule, over the vocabulary of [`language`] and the names of [`registry`]) and [`markers`], and
//! leaves [`validate()`] as a [`report`] whose lines and columns [`position`] counts. [`context`] is what a valid plan
//! needs to be built, [`mutation`] what the update of a plan owes to its task, and [`notes()`] gives the comments of any plan, also of one that is refused.

mod bounds;
mod check;
mod command;
mod context;
mod diff;
mod language;
mod markers;
mod mutation;
mod notes;
mod parse;
mod position;
mod registry;
mod report;
mod targets;
mod task_file;
mod tree;
mod validate;

pub use command::{ACTIONS, PlanAnswer, plan_command};
pub use context::{PlanContext, SectionContext, ThemeContext, format_build_instructions, format_update_instructions};
pub use diff::{DiffCategory, DiffStatus, PlanDiff, PlanDiffEntry, PlanPlace, PlanSection, diff};
pub(crate) use diff::{diff_project, key, line, summary};
pub use markers::newest_task;
pub use mutation::{DueUpdate, PlanUpdate, PlannedChanges, check_update, update_guide, work};
pub use notes::{Note, Part, notes, parts};
pub use registry::Registry;
pub use report::{ChangeMarker, Diagnostic, MarkerKind, PlanNode, PlanReport, PropValue};
pub use targets::numbered;
pub use task_file::{Requirement, TaskFile, number as task_number, parse as parse_task_file};
pub use validate::{diagnose, root, validate};

/// A parser can read this source within the bounds of time and stack; `plain` is TypeScript without elements.
pub fn is_parseable(source: &str, plain: bool) -> bool {
    if plain { bounds::check_plain(source) } else { bounds::check(source) }.is_ok()
}
