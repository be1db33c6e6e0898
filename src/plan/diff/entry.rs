//! The result of a comparison.

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct PlanDiff {
    /// Planned things in plan order, then extras.
    pub entries: Vec<PlanDiffEntry>,
    /// The text of `.ralph/plan-diff.md`.
    pub report: String,
    /// The files that build parts of the plan.
    #[serde(skip)]
    pub places: Vec<PlanPlace>,
    #[serde(skip)]
    pub sections: Vec<PlanSection>,
    /// The files that could not be read completely. Without any, missing things are certainly missing.
    #[serde(skip)]
    pub unread: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct PlanSection {
    pub screen: String,
    /// The gumdrop; `hero#2` for a screen's second section with it.
    pub label: String,
    pub gumdrop: String,
    /// A component builds it and renders something, whether or not the app shows it.
    pub is_there: bool,
    /// A declaration or a file has its name, unless that is only a component that renders nothing.
    pub is_named: bool,
    /// The entry as one line of the report.
    pub line: String,
}

/// A planned thing, or an extra.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct PlanDiffEntry {
    pub status: DiffStatus,
    pub category: DiffCategory,
    /// The screen's name, the section's gumdrop (`hero#2` for a screen's second one), `font="Inter"`, or `Schema
    /// drink`; empty for extras.
    pub planned: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Where it is planned, and how the sources differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum DiffStatus {
    /// It exists and is rendered.
    Implemented,
    /// It exists but differs from the plan.
    Deviation,
    Missing,
    /// It exists but is not planned.
    Extra,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum DiffCategory {
    Screen,
    Section,
    /// A prop of `Theme`.
    Theme,
    /// A `Schema` or an `Endpoint`.
    Data,
}

impl DiffStatus {
    /// The status of a planned thing that exists or not, and may differ.
    pub(super) fn from_state(exists: bool, differs: bool) -> Self {
        match (exists, differs) {
            (false, _) => Self::Missing,
            (true, true) => Self::Deviation,
            (true, false) => Self::Implemented,
        }
    }
}

impl PlanDiffEntry {
    /// A planned thing; `detail` is how it differs, or why it is missing.
    pub(super) fn compared(
        category: DiffCategory,
        planned: String,
        found: Option<&str>,
        detail: Option<String>,
    ) -> Self {
        let status = DiffStatus::from_state(found.is_some(), detail.is_some());
        Self { status, category, planned, found: found.map(str::to_owned), detail }
    }
}

/// A file that builds a part of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanPlace {
    /// The project path.
    pub path: String,
    /// `Screen "home" › Section hero, line 7`.
    pub label: String,
}
