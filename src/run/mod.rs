//! The run: a machine that decides, a driver that performs, a journal that remembers.
//!
//! **[`Machine::next`] says what to do; nobody else decides a phase, a gate round or an end.**
//!
//! The driver asks, performs through the ports, appends the fact that comes of it to the journal and lets the
//! machine fold it. Resuming is folding the journal and asking again.

mod command;
mod context;
mod driver;
mod event;
mod feedback;
mod intake;
mod journal;
mod limits;
mod machine;
mod options;
mod perform;
mod projection;
mod result;
mod session;
mod stall;
mod unfinished;

pub use command::{Command, Ending};
pub use context::resolve_plan_context;
pub use driver::drive;
pub use event::{ChangedBy, Envelope, Event, Fault, IterationClose, ResolvedSection};
pub use limits::{LimitName, LimitOptions, Limits};
pub use machine::{Machine, PlanState};
pub use options::{PlanMode, RunControl, RunOptions, Work};
pub use result::{RunResult, RunSnapshots, StopReason};
pub use unfinished::{UnfinishedRun, find_unfinished};
