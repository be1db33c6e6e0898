//! The task: the parsed message, and the files that describe it.

mod format;
mod given;
mod intake;
mod rules;
mod structured;
mod texts;

pub use format::format_task;
pub use given::GivenTask;
pub use intake::{Clarification, Intake, PARSE_MS, Parsed, parse_task, requested};
pub use rules::{asks_for_look, builds_app, parse_by_rules};
pub use structured::{Marker, ParsedBy, Requirement, StructuredTask, TaskContext, TaskScope, TaskType};
pub use texts::{applied_theme, hash, hash_bytes, history_with, kept_history, origin, plan_hash, quote, title};
