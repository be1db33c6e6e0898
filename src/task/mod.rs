//! The task: the texts that the harness keeps for it, and what happens to them at its start.

mod texts;

pub use crate::plan::PLAN;
pub use texts::{counter, hash, history_with, kept_history, origin, plan_hash, quote, task_text, title};
