//! A task, taken apart: what the intake makes of a message (`seeds/003 §5`).

use crate::plan::MarkerKind;
use serde::{Deserialize, Serialize};

/// What kind of work a message asks for, which decides how it is planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
pub enum TaskType {
    /// A new app: the plan is written.
    Fresh,
    /// A change of a planned app: the plan is updated.
    Mutation,
    /// Broken behaviour alone: the plan stays.
    Bugfix,
    /// Nothing may start before the user has answered.
    NeedsClarification,
}

/// What a requirement may do to the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "UPPERCASE")]
pub enum Marker {
    /// Something new; nothing existing is converted.
    Add,
    /// Something existing, changed.
    Modify,
    /// Something broken, repaired.
    Fix,
    /// Something existing, deleted; never implied.
    Remove,
}

impl Marker {
    /// As a plan has it.
    pub const fn kind(self) -> MarkerKind {
        match self {
            Self::Add => MarkerKind::Add,
            Self::Modify => MarkerKind::Modify,
            Self::Fix => MarkerKind::Fix,
            Self::Remove => MarkerKind::Remove,
        }
    }
}

/// Who took the message apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum ParsedBy {
    /// The model's answer, checked.
    Model,
    /// The rules of [`super::intake`].
    #[default]
    Rules,
}

/// One concern of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct Requirement {
    /// What it may do.
    pub marker: Marker,
    /// What it is about, in one line of the user's words.
    pub description: String,
    /// How many new items it asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// How many items there are already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub existing: Option<u32>,
    /// Where the message says so: start and end in UTF-16 code units, as JavaScript indexes strings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<[u32; 2]>,
}

/// What a task may touch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct TaskScope {
    /// What must stay as it is.
    #[serde(default)]
    pub preserve: Vec<String>,
    /// The files of the project that the change is probably in.
    #[serde(default)]
    pub affected_files: Vec<String>,
}

/// A message, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct StructuredTask {
    /// What kind of work it is.
    #[serde(rename = "type")]
    pub kind: TaskType,
    /// One short line.
    pub title: String,
    /// The number of the task.
    pub task_number: u32,
    /// The snapshot that it starts from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_tag: Option<String>,
    /// One for each concern, in the order of the message.
    pub requirements: Vec<Requirement>,
    /// What it may touch.
    pub scope: TaskScope,
    /// The message, unchanged.
    pub raw_message: String,
    /// What must be answered before work starts; each can be answered with yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions: Option<Vec<String>>,
    /// Who took it apart.
    pub parsed_by: ParsedBy,
}

/// What is known of the project when a message arrives.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskContext {
    /// There is a `.ralph/plan.tsx`.
    pub plan_exists: bool,
    /// The gumdrops of the plan's sections.
    #[serde(default)]
    pub plan_sections: Vec<String>,
    /// What the last task did.
    #[serde(default)]
    pub last_summary: String,
    /// The files of the project, relative to it.
    #[serde(default)]
    pub file_list: Vec<String>,
    /// The number that the task gets.
    pub task_number: Option<u32>,
    /// The snapshot that it starts from.
    pub previous_tag: Option<String>,
}
