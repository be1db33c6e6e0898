//! The requirements of a task, in the form that gates use.

use crate::plan::MarkerKind;

/// The task that a round judges.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GateTask {
    /// `None` outside a run.
    pub number: Option<u32>,
    /// What the user asked for.
    pub request: TaskRequest,
}

/// The default has no requirements.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskRequest {
    /// In the order of the message.
    pub requirements: Vec<RequestedChange>,
    /// Parts that must not change.
    pub preserve: Vec<String>,
    /// The user sent messages while the task ran, so the requirements may be incomplete.
    pub is_steered: bool,
}

/// One requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedChange {
    /// Whether to add, modify, fix or remove.
    pub kind: MarkerKind,
    /// The user's words.
    pub text: String,
    /// The number of new items.
    pub count: Option<usize>,
}

impl From<Option<u32>> for GateTask {
    /// A task without known requirements.
    fn from(number: Option<u32>) -> Self {
        Self { number, request: TaskRequest::default() }
    }
}
