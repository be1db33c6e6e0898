//! Gates: the checks of the project that decide whether a task is done.
//!
//! A round reads the project once ([`project`]), runs every selected [`Gate`] ([`builtin`] gates first, then the IDE's
//! own), and collects one report per gate. [`summarise`] combines the reports, [`feedback()`] turns them into the text
//! for the agent, and [`apply_fix`] writes the file that a report proposes.

mod builtin;
mod changes;
mod contract;
mod feedback;
mod fix;
mod host_gate;
mod project;
mod report;
mod request;
mod round;
mod scope;
mod selection;
mod styles;
#[cfg(test)]
mod tests;
mod work;

pub use changes::{ChangedFile, Comparison};
pub use contract::{Gate, Judgement, Round};
pub use feedback::feedback;
pub use fix::{FixEffect, apply_fix};
pub use project::Project;
pub use report::{GateFix, GateReport, GateVerdict, ReportFile};
pub use request::{GateTask, RequestedChange, TaskRequest};
pub use round::{Checked, RoundVerdict, check_all, summarise};
pub use scope::{MarkerVerdict, ScopeReport, ScopeVerdict, check_scope};
pub use selection::{GateSelection, check_selection};
pub use styles::has_styles;
pub use work::{TaskFacts, TaskPlan, WorkEvidence, may_ask_for_white_space};
