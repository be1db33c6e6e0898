//! The run: the machine decides, the driver performs, the journal stores the facts.
//!
//! [`machine::Machine::next`] decides every phase, every round of gates and the end. The driver performs its command through
//! the ports, appends the resulting facts to the journal and lets the machine fold them. A run resumes by folding its
//! journal and calling `next` again. What differs between kinds of runs is in [`recipe`].

mod branch;
mod changes;
mod diff;
mod driver;
mod envelope;
mod estimate;
mod event;
mod fault;
mod journal;
mod lease;
mod limits;
mod list;
mod machine;
mod options;
mod ownership;
mod patch;
mod perform;
mod recipe;
mod record;
mod resumed;
mod review;
mod session;
mod spending;
mod started;
mod unfinished;
mod verify;
mod written;

pub use crate::snapshot::branch::Beginning;
pub use branch::{BranchFact, leave_branch, merge_branch};
pub use changes::{Author, Reverted, RunChange, RunRef, changes, revert};
pub use driver::drive;
pub use envelope::Envelope;
pub use estimate::{Estimate, Estimated, Unknown, estimate};
pub use event::{ChangedBy, Event, IterationClose, RunStarted, UserEdit};
pub use fault::{Fault, FaultKind};
pub use limits::{LimitName, LimitOptions, Limits};
pub use list::{ListedRun, RunEnd, list_runs};
pub use machine::{AttemptCost, Cost, RunCost};
pub use options::{ConfigSources, Edited, PlanMode, RunControl, RunOptions, RunResult, RunSnapshots, StopReason, Work};
pub use recipe::chunks::{Chunk, ChunkFact, Failed, Shipped, Summary};
pub use recipe::chunks::{
    ChunkReport, ChunkState, ListedAttempt, ListedChunk, ListedOutcome, check_chunks, list_chunks,
};
pub use recipe::specs::{Candidate, EarlierChange, PlanInfo, PlanStatus, SkippedSpec, SpecFact, SpecInfo, Verdict};
pub use recipe::specs::{ListedSpec, SpecState, list_specs};
pub use recipe::task::{ResolvedSection, TaskFact, resolve_plan_context, task_context};
pub use record::{IterationFiles, IterationOutcome, IterationRecord, StoredIteration, list_iterations};
pub use review::ReviewFact;
pub use spending::{SpentBefore, WorkKind};
pub use unfinished::{UnfinishedRun, find_unfinished, read_events};
pub use verify::VerificationFact;
