//! The task: the texts that the harness keeps for it, and what happens to them at its start.

mod texts;

pub use texts::{
    applied_theme, counter, hash, hash_bytes, history_with, kept_history, origin, plan_hash, quote, task_text, title,
};

/// Where the agent writes its plan.
pub const PLAN: &str = ".ralph/plan.tsx";

/// The command of the theme that the project has. In snapshots, so that a rollback tells which theme it brought back.
pub const THEME: &str = ".ralph/theme.txt";
