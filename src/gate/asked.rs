//! What a task asks for, as far as gates judge by it.

use crate::plan::MarkerKind;

/// The task that a round judges: its number, and what it asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GateTask {
    /// `None` outside a run.
    pub number: Option<u32>,
    /// Its requirements.
    pub asked: Asked,
}

/// The requirements of a task. The default asks for nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// In the order of the message.
    pub requirements: Vec<AskedFor>,
    /// What must stay as it is.
    pub preserve: Vec<String>,
    /// The user said more while the task was running, so that the requirements may be incomplete.
    pub is_steered: bool,
}

/// One requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedFor {
    /// What it may do.
    pub kind: MarkerKind,
    /// The user's words.
    pub text: String,
    /// How many new items it asks for.
    pub count: Option<usize>,
}

impl From<Option<u32>> for GateTask {
    /// A task of which only the number is known.
    fn from(number: Option<u32>) -> Self {
        Self { number, asked: Asked::default() }
    }
}
