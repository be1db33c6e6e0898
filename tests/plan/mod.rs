//! The plan language: reports and comparisons in literate cases, and properties that hold for any plan.

mod depth;
mod diff_properties;
mod diffs;
mod properties;
mod reports;
