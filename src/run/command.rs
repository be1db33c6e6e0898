//! What the machine asks for.

use super::result::StopReason;

/// The next thing to do. Exhaustive on purpose: whoever performs commands handles each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Save the project as `task-n-pre`, work out the task's files.
    StartTask {
        /// The task.
        task: u32,
    },
    /// Let the agent work once, with a fresh context.
    RunIteration {
        /// 1-based.
        iteration: u32,
        /// 1-based; above one where the same iteration was begun before and did not end.
        attempt: u32,
    },
    /// Validate `.ralph/plan.tsx`.
    CheckPlan,
    /// Apply the theme of the plan that was accepted, look its recipes up, open BUILD.
    ApplyPlanContext,
    /// Tell the agent that it cannot complete without a plan.
    RefuseCompletion,
    /// Judge the project.
    RunGates,
    /// Write what the gates offered to make themselves pass.
    ApplyFixes {
        /// The gates.
        gates: Vec<String>,
    },
    /// Save the project as `task-n-post`.
    Save {
        /// The task.
        task: u32,
    },
    /// The agent is stuck: save the project as `stall-n-recovery`, tell it how to go on.
    Recover {
        /// The task.
        task: u32,
        /// 1-based.
        recovery: u32,
    },
    /// The agent is stuck for the last time: bring the project back.
    RollBack {
        /// To this snapshot.
        tag: String,
    },
    /// Let a passing fault pass.
    Wait {
        /// Milliseconds.
        ms: u64,
    },
    /// Nothing more to do.
    Finish(Ending),
}

/// How a run ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// A result: the call resolves.
    Stopped(StopReason, String),
    /// A fault of the host that did not pass: the call rejects.
    Failed(super::event::Fault),
}
