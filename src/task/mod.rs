//! The task: what a message asks for, the texts that the harness keeps for it, and what happens to them at its start.

mod format;
mod given;
pub mod intake;
mod structured;
mod texts;

pub use format::format_task;
pub use given::GivenTask;
pub use intake::{Clarification, Intake, PARSE_MS, asks_for_look, builds_app, parse_by_rules, parse_task};
pub use structured::{Marker, ParsedBy, Requirement, StructuredTask, TaskContext, TaskScope, TaskType};
pub use texts::{applied_theme, hash, hash_bytes, history_with, kept_history, origin, plan_hash, quote, title};
