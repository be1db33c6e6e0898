//! What a validation gives.

use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

/// A plan's report.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct PlanReport {
    /// There are no failures.
    pub ok: bool,
    /// The tree, as far as it could be read.
    pub root: Option<PlanNode>,
    /// What refuses the plan, in source order.
    pub failures: Vec<Diagnostic>,
    /// What does not, in source order.
    pub warnings: Vec<Diagnostic>,
    /// The change markers, in source order.
    pub markers: Vec<ChangeMarker>,
}

/// An element of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct PlanNode {
    /// The tag; `Nav.Item` reads `NavItem`.
    pub component: String,
    /// The readable props.
    #[cfg_attr(target_family = "wasm", tsify(type = "{ [name: string]: PropValue }"))]
    pub props: BTreeMap<String, PropValue>,
    /// The elements in it.
    pub children: Vec<PlanNode>,
    /// 1-based.
    pub line: u32,
    /// 1-based, in UTF-16 code units.
    pub column: u32,
}

/// A prop's value: a literal, or a flat collection of literals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum PropValue {
    /// `true`, `false`, or a bare prop.
    Boolean(bool),
    /// A number; a whole one is written without a fraction.
    Number(#[serde(serialize_with = "as_short_as_it_is")] f64),
    /// A string or a template without holes.
    String(String),
    /// A flat array of literals.
    List(Vec<PropValue>),
    /// A flat object of literals.
    Map(#[cfg_attr(target_family = "wasm", tsify(type = "{ [name: string]: PropValue }"))] BTreeMap<String, PropValue>),
}

fn as_short_as_it_is<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    // Whole numbers up to two to the power of 53 are exact in both forms.
    if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        serializer.serialize_i64(*number as i64)
    } else {
        serializer.serialize_f64(*number)
    }
}

/// A failure or a warning, with its place.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// The check's stable id.
    pub id: String,
    /// What is wrong, where, and what to do.
    pub message: String,
    /// 1-based.
    pub line: u32,
    /// 1-based, in UTF-16 code units.
    pub column: u32,
    /// Where it ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// Where it ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
    /// The nearest known names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestions: Option<Vec<String>>,
}

/// What a change marker says of the part that it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub enum MarkerKind {
    /// Create, never convert.
    #[serde(rename = "ADD")]
    Add,
    /// Change, keep the structure.
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
    /// What exists must stay.
    #[serde(rename = "PRESERVED")]
    Preserved,
}

impl MarkerKind {
    /// What a task may do; each is written in brackets behind the task's number.
    pub const OF_TASKS: [Self; 4] = [Self::Add, Self::Modify, Self::Fix, Self::Remove];

    /// Their names.
    pub const NAMES_OF_TASKS: [&str; 4] =
        [Self::Add.name(), Self::Modify.name(), Self::Fix.name(), Self::Remove.name()];

    /// One of these, by its name.
    pub fn of_task(name: &str) -> Option<Self> {
        Self::OF_TASKS.into_iter().find(|kind| kind.name() == name)
    }

    /// It is one of these: work, not what stays out of it.
    pub fn is_of_task(self) -> bool {
        Self::OF_TASKS.contains(&self)
    }

    /// How a marker is written.
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

/// A change marker: a JSX comment that says what a task does to a section (`seeds/003 §6`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct ChangeMarker {
    /// What it says.
    pub kind: MarkerKind,
    /// The task that it belongs to.
    pub task: Option<u32>,
    /// How many, where the text begins with a number.
    pub count: Option<u32>,
    /// How many there are, where it says so.
    pub existing: Option<u32>,
    /// The words after it.
    pub text: String,
    /// The screen around it.
    pub screen: Option<String>,
    /// The section around it.
    pub section: Option<String>,
    /// 1-based.
    pub line: u32,
}
