//! A parsed message.

use crate::plan::MarkerKind;
use crate::task::Clarification;
use serde::{Deserialize, Serialize};

/// The kind of work, which decides how the plan is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
pub enum TaskType {
    /// A new app: the agent writes a plan.
    Fresh,
    /// A change of a planned app: the agent updates the plan.
    Mutation,
    /// A repair: the plan stays.
    Bugfix,
    /// The user must answer before work starts.
    NeedsClarification,
}

/// What a requirement may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum Marker {
    /// Something new. Existing items stay.
    Add,
    Modify,
    Fix,
    /// Deletes something existing. Never implied.
    Remove,
}

impl Marker {
    /// The marker in a plan.
    pub const fn kind(self) -> MarkerKind {
        match self {
            Self::Add => MarkerKind::Add,
            Self::Modify => MarkerKind::Modify,
            Self::Fix => MarkerKind::Fix,
            Self::Remove => MarkerKind::Remove,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum ParsedBy {
    /// The model's answer, after checks.
    Model,
    /// The rules of [`super::rules`].
    #[default]
    Rules,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Requirement {
    pub marker: Marker,
    /// One line in the user's words.
    pub description: String,
    /// The number of new items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// The number of existing items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub existing: Option<u32>,
    /// The place in the message: start and end in UTF-16 code units, like JavaScript string indices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<[u32; 2]>,
}

/// What a task may touch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    target_family = "wasm",
    derive(tsify::Tsify),
    tsify(type = "{ preserve: string[]; affectedFiles: string[] }")
)]
#[serde(rename_all = "camelCase")]
pub struct TaskScope {
    /// What must stay unchanged.
    #[serde(default)]
    pub preserve: Vec<String>,
    /// The files that the change probably concerns.
    #[serde(default)]
    pub affected_files: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct StructuredTask {
    #[serde(rename = "type")]
    pub kind: TaskType,
    /// One short line.
    pub title: String,
    pub task_number: u32,
    /// The snapshot before the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_tag: Option<String>,
    /// In the order of the message.
    pub requirements: Vec<Requirement>,
    pub scope: TaskScope,
    pub raw_message: String,
    /// Questions to answer before work starts; an open one alone, or some that can be answered with yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions: Option<Vec<String>>,
    pub parsed_by: ParsedBy,
}

/// The project's state when a message arrives.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct TaskContext {
    /// `.ralph/plan.tsx` exists.
    pub plan_exists: bool,
    #[serde(default)]
    pub plan_sections: Vec<String>,
    /// The summary of the last task.
    #[serde(default)]
    pub last_summary: String,
    /// The project's files as relative paths; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_list: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_number: Option<u32>,
    /// The snapshot before the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_tag: Option<String>,
    /// Unanswered questions about an earlier message, which the message answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Clarification>,
}
