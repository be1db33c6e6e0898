//! The requirements of a task, as gates use them.

use crate::plan::MarkerKind;

/// The task that a round judges: its number and requirements.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GateTask {
    /// `None` outside a run.
    pub number: Option<u32>,
    /// Its requirements.
    pub request: TaskRequest,
}

/// The requirements of a task. The default has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskRequest {
    /// In the order of the message.
    pub requirements: Vec<RequestedChange>,
    /// Parts that must not change.
    pub preserve: Vec<String>,
    /// The user sent notes while the task was running; the requirements may be incomplete.
    pub is_steered: bool,
}

/// One requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedChange {
    /// The kind of change.
    pub kind: MarkerKind,
    /// The user's words.
    pub text: String,
    /// Number of new items.
    pub count: Option<usize>,
}

impl From<Option<u32>> for GateTask {
    /// A task without known requirements.
    fn from(number: Option<u32>) -> Self {
        Self { number, request: TaskRequest::default() }
    }
}
