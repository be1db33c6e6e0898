//! The plan language: `.ralph/plan.tsx`, data in the form of JSX. A plan is parsed and validated, never run.
//!
//! [`tree`] is the JSX data that [`crate::js`] reads. [`check`] applies the rules, over the vocabulary of [`language`]
//! and the names of [`registry`]; [`markers`] reads the change markers; [`validate()`] returns both as a [`report`].

mod check;
mod command;
mod context;
mod diff;
mod language;
mod markers;
mod mutation;
mod notes;
mod position;
pub(crate) use position::Positions;
mod registry;
mod report;
mod targets;
mod task_file;
mod tree;
mod tree_json;
mod validate;

pub use crate::js::document::PropValue;
pub use command::{ACTIONS, PlanAnswer, plan_command};
pub(crate) use context::NO_SHELL;
pub use context::{PlanContext, SectionContext, ThemeContext, format_build_instructions, format_update_instructions};
pub use diff::{DiffCategory, DiffStatus, PlanDiff, PlanDiffEntry, PlanPlace, PlanSection, diff};
pub(crate) use diff::{OpenDiff, diff_project, key, line, summary};
pub use markers::newest_task;
pub use mutation::{DueUpdate, PlanUpdate, PlannedChanges, check_update, update_guide, work};
pub use notes::{Note, Part, notes, parts};
pub use registry::Registry;
pub use report::{ChangeMarker, Diagnostic, MarkerKind, PlanNode, PlanReport};
pub use targets::numbered;
pub use task_file::{Requirement, TaskFile, number as task_number, parse as parse_task_file};
pub use validate::{root, validate, validate_to_json};
