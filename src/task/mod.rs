//! The task: the texts that the harness keeps for it, and what happens to them at its start.

mod texts;

pub use texts::{counter, hash, history_with, kept_history, origin, plan_hash, quote, task_text, title};

/// Where the agent writes its plan.
pub const PLAN: &str = ".ralph/plan.tsx";
