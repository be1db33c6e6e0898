//! The rules that read a message without a model: as a preview while the user types, and when the model fails. English only.
//!
//! Each layer uses those before it: `words` (lists), `lines`, `tokens` → `clauses` → `counts` → `acts` (what a clause requests)
//! → `requirement` (clauses that belong together) → `app` (a new app and its parts) → `decide`. What is not understood becomes
//! one requirement in the user's own words.

mod acts;
mod app;
mod clauses;
mod counts;
mod decide;
mod lines;
mod requirement;
mod tokens;
mod words;

pub use app::{asks_for_look, builds_app};
pub(super) use app::{exists, is_bare};
pub(super) use counts::{count_of, counted_items, keep_existing};
pub use decide::parse_by_rules;
pub(super) use decide::{DESCRIPTION, MOST, OPEN, orders, title};
