//! The result of a validation.

use crate::js::document::PropValue;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The report of a plan.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct PlanReport {
    /// Whether there are no failures.
    pub ok: bool,
    /// The tree, as far as it could be parsed.
    pub root: Option<PlanNode>,
    /// Problems that make the plan invalid, in source order.
    pub failures: Vec<Diagnostic>,
    /// Other problems, in source order.
    pub warnings: Vec<Diagnostic>,
    /// The change markers, in source order.
    pub markers: Vec<ChangeMarker>,
}

/// An element of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct PlanNode {
    /// The tag; `Nav.Item` becomes `NavItem`.
    pub component: String,
    /// The props with literal values.
    #[cfg_attr(target_family = "wasm", tsify(type = "{ [name: string]: PropValue }"))]
    pub props: BTreeMap<String, PropValue>,
    /// The child elements.
    pub children: Vec<PlanNode>,
    /// 1-based.
    pub line: u32,
    /// 1-based, in UTF-16 code units.
    pub column: u32,
}

/// A failure or a warning, with its position.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// The stable id of the check.
    pub id: String,
    /// What is wrong and what to do.
    pub message: String,
    /// 1-based.
    pub line: u32,
    /// 1-based, in UTF-16 code units.
    pub column: u32,
    /// 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// 1-based, in UTF-16 code units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
    /// The nearest known names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestions: Option<Vec<String>>,
}

/// What a change marker requires for the part that contains it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub enum MarkerKind {
    /// Create items; do not convert existing ones.
    #[serde(rename = "ADD")]
    Add,
    /// Change, preserving the structure.
    #[serde(rename = "MODIFY")]
    Modify,
    /// Repair.
    #[serde(rename = "FIX")]
    Fix,
    /// Delete.
    #[serde(rename = "REMOVE")]
    Remove,
    /// Out of scope.
    #[serde(rename = "NO CHANGES")]
    NoChanges,
    /// Existing items must remain.
    #[serde(rename = "PRESERVED")]
    Preserved,
}

impl MarkerKind {
    /// The kinds of changes; a task's marker has one in brackets after the task number.
    pub const OF_TASKS: [Self; 4] = [Self::Add, Self::Modify, Self::Fix, Self::Remove];

    /// The names of [`MarkerKind::OF_TASKS`].
    pub const NAMES_OF_TASKS: [&str; 4] =
        [Self::Add.name(), Self::Modify.name(), Self::Fix.name(), Self::Remove.name()];

    /// The kind of [`MarkerKind::OF_TASKS`] with this name.
    pub fn of_task(name: &str) -> Option<Self> {
        Self::OF_TASKS.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it is one of [`MarkerKind::OF_TASKS`]: a change, not an exclusion.
    pub fn is_of_task(self) -> bool {
        Self::OF_TASKS.contains(&self)
    }

    /// The keyword in a marker.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "ADD",
            Self::Modify => "MODIFY",
            Self::Fix => "FIX",
            Self::Remove => "REMOVE",
            Self::NoChanges => "NO CHANGES",
            Self::Preserved => "PRESERVED",
        }
    }
}

/// A change marker: a JSX comment that says what a task does to a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct ChangeMarker {
    /// The kind of change.
    pub kind: MarkerKind,
    /// The number of the task.
    pub task: Option<u32>,
    /// The number of items, if the text starts with one.
    pub count: Option<u32>,
    /// The number of existing items, if given.
    pub existing: Option<u32>,
    /// The rest of the marker.
    pub text: String,
    /// The enclosing screen.
    pub screen: Option<String>,
    /// The enclosing section.
    pub section: Option<String>,
    /// 1-based.
    pub line: u32,
}

/// Reads the props of a stored report. serde's `untagged` copies what it reads, and compiles a second deserializer for it.
impl TryFrom<Value> for PropValue {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        Ok(match value {
            Value::Null => return Err("null is not the value of a prop"),
            Value::Bool(value) => Self::Boolean(value),
            Value::Number(number) => Self::Number(number.as_f64().unwrap_or_default()),
            Value::String(text) => Self::String(text),
            Value::Array(items) => Self::List(items.into_iter().map(Self::try_from).collect::<Result<_, _>>()?),
            Value::Object(fields) => {
                let mut props = BTreeMap::new();
                for (name, value) in fields {
                    props.insert(name, Self::try_from(value)?);
                }
                Self::Map(props)
            }
        })
    }
}
