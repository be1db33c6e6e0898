//! The plan language: `.ralph/plan.tsx`, data in the form of JSX. A plan is parsed and validated, never run.
//!
//! [`bounds`] checks that the text is safe to parse, [`parse`] turns it into a [`tree`], [`check`] runs one function per
//! rule over the vocabulary of [`language`] and the names of [`registry`], [`markers`] reads the change markers, and
//! [`validate()`] combines the results into a [`report`] with the lines and columns of [`position`]. [`context`] is what the
//! agent needs to build a valid plan, [`mutation`] what a plan update must contain for its task, and [`notes()`] reads the
//! comments of any plan, even an invalid one.

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

/// Whether the source can be parsed within the bounds of time and stack; `plain` means TypeScript without JSX.
pub fn is_parseable(source: &str, plain: bool) -> bool {
    if plain { bounds::check_plain(source) } else { bounds::check(source) }.is_ok()
}
