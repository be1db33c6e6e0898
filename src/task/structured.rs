//! A parsed task: what a message asks for.

use crate::json::{Fields, FromJson, Unfit, one_of};
use crate::plan::MarkerKind;
use serde::Serialize;
use serde_json::Value;

/// What kind of work a message asks for, which decides how it is planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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
    /// Each by its name.
    const NAMED: [(&str, Self); 4] = [Self::Add.named(), Self::Modify.named(), Self::Fix.named(), Self::Remove.named()];

    const fn named(self) -> (&'static str, Self) {
        (self.kind().name(), self)
    }

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

/// Who parsed the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum ParsedBy {
    /// The model's answer, checked.
    Model,
    /// The rules.
    Rules,
}

/// One concern of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct TaskScope {
    /// What must stay as it is.
    pub preserve: Vec<String>,
    /// The files of the project that the change is probably in.
    pub affected_files: Vec<String>,
}

/// A parsed task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
    /// Who parsed it.
    pub parsed_by: ParsedBy,
}

/// What is known of the project when a message arrives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskContext {
    /// There is a `.ralph/plan.tsx`.
    pub plan_exists: bool,
    /// The gumdrops of the plan's sections.
    pub plan_sections: Vec<String>,
    /// What the last task did.
    pub last_summary: String,
    /// The files of the project, relative to it; `None` where they are not known.
    pub file_list: Option<Vec<String>>,
    /// The number that the task gets.
    pub task_number: Option<u32>,
    /// The snapshot that it starts from.
    pub previous_tag: Option<String>,
}

impl FromJson for TaskType {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let names = [
            ("fresh", Self::Fresh),
            ("mutation", Self::Mutation),
            ("bugfix", Self::Bugfix),
            ("needs-clarification", Self::NeedsClarification),
        ];
        one_of(value, &names)
    }
}

impl FromJson for Marker {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        one_of(value, &Self::NAMED)
    }
}

impl FromJson for ParsedBy {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        one_of(value, &[("model", Self::Model), ("rules", Self::Rules)])
    }
}

impl FromJson for Requirement {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        let span: Option<Vec<u32>> = fields.get("span")?;
        Ok(Self {
            marker: fields.get("marker")?,
            description: fields.get("description")?,
            count: fields.get("count")?,
            existing: fields.get("existing")?,
            span: span.and_then(|span| span.try_into().ok()),
        })
    }
}

impl FromJson for TaskScope {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self {
            preserve: fields.get_or_default("preserve")?,
            affected_files: fields.get_or_default("affectedFiles")?,
        })
    }
}

impl FromJson for StructuredTask {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self {
            kind: fields.get("type")?,
            title: fields.get("title")?,
            task_number: fields.get("taskNumber")?,
            previous_tag: fields.get("previousTag")?,
            requirements: fields.get("requirements")?,
            scope: fields.get("scope")?,
            raw_message: fields.get("rawMessage")?,
            questions: fields.get("questions")?,
            parsed_by: fields.get("parsedBy")?,
        })
    }
}

impl FromJson for TaskContext {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self {
            plan_exists: fields.get("planExists")?,
            plan_sections: fields.get_or_default("planSections")?,
            last_summary: fields.get_or_default("lastSummary")?,
            file_list: fields.get("fileList")?,
            task_number: fields.get("taskNumber")?,
            previous_tag: fields.get("previousTag")?,
        })
    }
}
