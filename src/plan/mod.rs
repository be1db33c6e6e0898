//! The plan language: `.ralph/plan.tsx`, data in JSX clothes. Parsed, validated, never run.
//!
//! Text passes through [`bounds`] (may a parser read it at all), [`parse`] (the plan's own [`tree`]), [`check`] (one
//! function for each rule, over the vocabulary of [`language`] and the names of [`registry`]) and [`markers`], and
//! leaves [`validate()`] as a [`report`] whose lines and columns [`position`] counts. [`notes()`] gives the comments of
//! any plan, also of one that is refused.

mod bounds;
mod check;
mod language;
mod markers;
mod notes;
mod parse;
mod position;
mod registry;
mod report;
mod tree;
mod validate;

pub use notes::{Note, Part, notes, parts};
pub use registry::Registry;
pub use report::{ChangeMarker, Diagnostic, MarkerKind, PlanNode, PlanReport, PropValue};
pub use validate::{diagnose, root, validate};

/// A parser can read this text within the bounds of time and stack.
pub fn is_parseable(text: &str) -> bool {
    bounds::check(text).is_ok()
}
