//! The rules that read a message without a model: as a preview, and where the model fails. English only.
//!
//! Each layer uses those above it: `lexicon`, `lines`, `tokens` → `clauses` → `requirements` (with `small_talk`, `bug_reports`,
//! `preserve`, `attachment`, `counts`) → `decision` (with `app_parts`, `contradictions`, `files`, `questions`). What is not
//! understood becomes one requirement in the user's own words.

mod app_parts;
mod attachment;
mod bug_reports;
mod builds_app;
mod clauses;
mod contradictions;
mod counts;
mod decision;
mod files;
mod lexicon;
mod lines;
mod preserve;
mod questions;
mod requirements;
mod small_talk;
mod tokens;

pub(super) use app_parts::is_bare;
pub use builds_app::{asks_for_look, builds_app};
pub(super) use counts::{count_of, counted_items};
pub use decision::parse_by_rules;
pub(super) use decision::{DESCRIPTION, TITLE, shortened, title};
pub(super) use preserve::complete;
pub(super) use questions::MOST;
