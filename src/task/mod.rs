//! The task: what a message asks for, and the files of the harness that describe it.

mod format;
mod given;
mod intake;
mod rules;
mod structured;
mod texts;

pub use crate::plan::PLAN;
pub use format::format_task;
pub use given::GivenTask;
pub use intake::{Clarification, Intake, PARSE_MS, parse_task};
pub use rules::{asks_for_look, builds_app, parse_by_rules};
pub use structured::{Marker, ParsedBy, Requirement, StructuredTask, TaskContext, TaskScope, TaskType};
pub use texts::{applied_theme, hash, hash_bytes, history_with, kept_history, origin, plan_hash, quote, title};

/// The command of the theme that the project has. It is in snapshots, so that a rollback restores it with the files.
pub const THEME: &str = ".ralph/theme.txt";
