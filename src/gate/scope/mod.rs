//! Checks whether a task did what the plan's change markers say, by comparing syntax trees.
//!
//! | file | what |
//! |---|---|
//! | `markers`, `words`, `vocabulary` | the markers of a task, their words and numbers |
//! | `request` | whether an `ADD` asks for list items or for other content |
//! | `sources` | the files of one state and their [`crate::js::tree`] |
//! | `locate`, `reach`, `own`, `walk` | a part's file, whether the page reaches it, its own source, what code uses |
//! | `alike` | a section without the name of its key, by what it shows |
//! | `evaluate/` | what a component renders, without running it |
//! | `lists`, `identity`, `choose` | rendered lists, the identity of items, the list that a marker refers to |
//! | `appearance` | the rendered content of a part, to detect new content |
//! | `part`, `judge/` | a part before and after the task, and the verdicts |
//! | `unplanned/` | the same protection for requirements without a marker in the plan |

mod alike;
mod appearance;
mod choose;
mod evaluate;
mod identity;
mod judge;
mod lists;
mod locate;
mod markers;
mod own;
mod part;
mod reach;
mod request;
mod sources;
mod unplanned;
mod vocabulary;
mod walk;
mod words;

use crate::plan::{self, MarkerKind, Part};
use judge::Case;
use markers::Marker;
pub(super) use own::stripped;
use part::{Side, State};
pub(super) use reach::{is_page, is_run_elsewhere};
use serde::Serialize;
pub(super) use sources::{FileId, Sources, States, is_markup};
use std::collections::BTreeMap;
pub(super) use unplanned::{
    Freedom, Lists, Unplanned, allowed, check_unplanned, is_countable, needs_lists, without_markers,
};
pub(super) use words::{fit, stems, telling};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct ScopeReport {
    /// The worst verdict.
    pub overall: ScopeVerdict,
    /// In plan order.
    pub markers: Vec<MarkerVerdict>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct MarkerVerdict {
    /// The gumdrop of the section, or the name of the screen.
    pub section: String,
    /// `ADD`, `MODIFY`, `FIX`, `REMOVE`, `PRESERVED` or `NO CHANGES`.
    pub marker: String,
    pub verdict: ScopeVerdict,
    /// What was expected, what was found, where, and what to do.
    pub reason: String,
}

/// From best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum ScopeVerdict {
    Pass,
    /// Suspicious, but does not fail the gate.
    Warn,
    /// The request was not fulfilled, or something was lost.
    Fail,
}

/// A finding about a requirement, as evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counted {
    pub kind: MarkerKind,
    /// The requirement that it is about, if it was judged without a marker.
    pub requirement: Option<String>,
    /// The text of the marker.
    pub marker: String,
    /// What was found, and where.
    pub text: String,
    pub passed: bool,
}

/// The judged markers as evidence. `report` is about this plan and task.
pub(super) fn counted(plan: &str, task: u32, report: &ScopeReport) -> Vec<Counted> {
    let markers = markers::read(plan, task).into_iter().zip(&report.markers);
    let of_task = markers.filter(|(marker, _)| marker.kind.is_of_task());
    let counted = of_task.map(|(marker, judged)| Counted {
        kind: marker.kind,
        requirement: None,
        marker: marker.text,
        text: judged.reason.clone(),
        passed: judged.verdict == ScopeVerdict::Pass,
    });
    counted.collect()
}

/// Whether the plan has change markers of this task.
pub(super) fn asks(plan: &str, task: u32) -> bool {
    !markers::read(plan, task).is_empty()
}

/// Checks the markers of a task against the sources before and after it (texts by path). Every plan and all sources
/// give a report.
pub fn check_scope(
    plan: &str,
    task: u32,
    before: &BTreeMap<String, String>,
    after: &BTreeMap<String, String>,
) -> ScopeReport {
    check_markers(plan, task, &States::new(before, after))
}

/// [`check_scope`] of sources that may be parsed already.
pub(super) fn check_markers(plan: &str, task: u32, States { old, new, .. }: &States<'_>) -> ScopeReport {
    let markers = markers::read(plan, task);
    if markers.is_empty() {
        return ScopeReport { overall: ScopeVerdict::Pass, markers: Vec::new() };
    }
    let mut parts = plan::parts(plan);
    parts.extend(markers.iter().map(|marker| marker.part.clone()));
    let (old, new) = State::pair(old, new, &parts);
    let mut sides: Vec<(&Part, Side, Side)> = Vec::new();
    for Marker { part, .. } in &markers {
        if sides.iter().all(|(known, ..)| *known != part) {
            sides.push((part, old.side(part), new.side(part)));
        }
    }
    let mut verdicts = Vec::new();
    for marker in &markers {
        let Some((part, before, after)) = sides.iter().find(|(part, ..)| **part == marker.part) else { continue };
        // Each marker of a part may affect the others.
        let alike = markers.iter().filter(|other| other.part == **part).collect();
        let case = Case::new(part.key(), alike, (old.sources, before), (new.sources, after));
        let (verdict, reason) = case.judge(marker);
        let (section, marker) = (part.key().to_owned(), marker.kind.name().to_owned());
        verdicts.push(MarkerVerdict { section, marker, verdict, reason });
    }
    let overall = verdicts.iter().map(|marker| marker.verdict).max().unwrap_or(ScopeVerdict::Pass);
    ScopeReport { overall, markers: verdicts }
}

#[cfg(test)]
mod tests;
