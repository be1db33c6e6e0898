//! Gates: what judges the project once the agent says that it is done.
//!
//! A round reads the project once ([`project`]), asks every selected [`Gate`]
//! ([`builtin`] first, then the IDE's own), and gives one report for each. What the reports mean
//! together is [`summarise`]; the text for the agent is [`feedback()`]; what the harness may write by
//! itself is [`apply_fix`]. A gate never writes: it returns its report, and the run writes it.

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
