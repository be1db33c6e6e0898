//! The task: what a message asks for, the texts that the harness keeps for it, and what happens to them at its start.

mod format;
pub mod intake;
mod structured;
mod texts;

pub use format::format_task;
pub use intake::{parse_by_rules, parse_task};
pub use structured::{Marker, ParsedBy, Requirement, StructuredTask, TaskContext, TaskScope, TaskType};
pub use texts::{counter, hash, history_with, kept_history, origin, plan_hash, quote, task_text, title};

/// Where the agent writes its plan.
pub const PLAN: &str = ".ralph/plan.tsx";
