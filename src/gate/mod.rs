//! Gates: the checks of the project that decide whether a task is done.
//!
//! A round reads the project once ([`project`]), runs every selected gate ([`builtin`] gates first, then the IDE's own),
//! and collects one report per gate. [`summarise`] combines the reports, [`feedback()`] turns them into the text for the
//! agent, and [`apply_fix`] writes the file that a report proposes. [`check_gates`] is a round outside a run.

mod asked;
mod bare;
mod builtin;
mod check;
mod compare;
mod contract;
mod evidence;
mod feedback;
mod fix;
mod project;
mod round;
mod scope;
mod selection;
mod styles;
mod task;
#[cfg(test)]
mod tests;

pub use check::{CheckOptions, check_gates};
pub use compare::only_line_ends_differ;
pub use contract::{GateFix, GateReport, GateVerdict, ReportFile};
pub use evidence::{Evidence, RequirementReport, RequirementVerdict, headline};
pub use feedback::feedback;
pub use fix::apply_fix;
pub use round::{Checked, RoundVerdict, check_present, summarise};
pub use scope::{MarkerVerdict, ScopeReport, ScopeVerdict, check_scope};
pub use selection::{GateSelection, check_selection};
pub use styles::has_styles;
pub use task::{
    ChangedFile, Comparison, RequestedChange, TaskFacts, TaskPlan, TaskRequest, WorkEvidence, may_ask_for_white_space,
};

use contract::{Check, Finding, Gate, Judgement, only_if};
use project::Project;
