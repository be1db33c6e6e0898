//! What a comparison gives.

use serde::Serialize;

/// A comparison of a plan with the sources.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct PlanDiff {
    /// What is planned, in the plan's order; then what is not.
    pub entries: Vec<PlanDiffEntry>,
    /// The text of `.ralph/plan-diff.md`.
    pub report: String,
    /// Which part of the plan a file builds.
    #[serde(skip)]
    pub places: Vec<PlanPlace>,
    /// The planned sections, each with whether it is built at all.
    #[serde(skip)]
    pub sections: Vec<PlanSection>,
    /// Every file was read to its end: what is missing is not there.
    #[serde(skip)]
    pub is_whole: bool,
}

/// A planned section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanSection {
    /// The screen's name.
    pub screen: String,
    /// The section's gumdrop; `hero#2` for the second of a screen.
    pub label: String,
    /// The gumdrop alone.
    pub gumdrop: String,
    /// A component is there that builds it and renders something, shown or not.
    pub is_there: bool,
    /// A declaration or a file has its name, whatever it is, but no component that renders nothing.
    pub is_named: bool,
    /// The entry in words.
    pub line: String,
}

/// One thing that is planned, or that is there without being planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct PlanDiffEntry {
    /// How plan and sources compare.
    pub status: DiffStatus,
    /// What kind of thing it is.
    pub category: DiffCategory,
    /// The screen's name, the section's gumdrop (`hero#2` for the second of a screen), `font="Inter"`, `Schema drink`;
    /// empty for what is not planned.
    pub planned: String,
    /// The file that builds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Where it is planned, and what differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// How plan and sources compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum DiffStatus {
    /// It is there and is rendered.
    Implemented,
    /// It is there, but not as planned.
    Deviation,
    /// It is not there.
    Missing,
    /// It is there and not planned.
    Extra,
}

/// What kind of thing is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum DiffCategory {
    /// A `Screen`.
    Screen,
    /// A `Section` with its gumdrop.
    Section,
    /// A prop of the `Theme`.
    Theme,
    /// A `Schema` or an `Endpoint`.
    Data,
}

/// A part of the plan that a file builds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanPlace {
    /// Relative to the project.
    pub path: String,
    /// `Screen "home" › Section hero, line 7`.
    pub label: String,
}
