//! What is known about each requirement of a task: its verdict and the evidence for it.

mod lines;
mod places;
mod values;

use super::builtin::{Line, Used};
use super::scope::{Counted, fit, stems};
use super::{GateReport, GateVerdict, Project, RequestedChange};
use crate::plan::MarkerKind;
use crate::text::shortened;
use crate::words::{number, words};
use RequirementVerdict::{Checked, Mentioned, Missing, Open, Reviewed};
use lines::{Place, names, states_value};
use serde::{Deserialize, Serialize};

/// A requirement of a task, and the evidence about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct RequirementReport {
    /// `R1`, in the order of the task.
    pub id: String,
    /// `ADD`, `MODIFY`, `FIX` or `REMOVE`.
    pub marker: String,
    /// The user's words.
    pub text: String,
    /// What is known about it.
    pub verdict: RequirementVerdict,
    /// The most telling first.
    pub evidence: Vec<Evidence>,
}

impl RequirementReport {
    /// Neither proven nor refuted.
    pub(crate) fn is_unsure(&self) -> bool {
        matches!(self.verdict, Mentioned | Open)
    }
}

/// What is known about a requirement. From the strongest word to the weakest, then the opposite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum RequirementVerdict {
    /// A count, a structure, or a stated value in its place agrees.
    Checked,
    /// A reviewer was asked about it by name, and ships the work.
    Reviewed,
    /// A changed line names its words.
    Mentioned,
    /// Nothing covers it.
    Open,
    /// It is refuted.
    Missing,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Evidence {
    /// The gate, or `review`.
    pub by: String,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Where the hit starts and ends in the line, in UTF-16 units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<u32>,
}

/// Maximum length of a line in the evidence, in characters.
const LINE_CHARS: usize = 160;

/// The reports of all requirements.
pub(super) fn requirements(project: &Project, reports: &[GateReport]) -> Vec<RequirementReport> {
    let work = reports.iter().find(|report| report.gate == WORK && report.verdict == GateVerdict::Fail);
    let unknown = Used::default();
    let used = project.used.get().unwrap_or(&unknown);
    let judged = project.judged.get().map_or(&[][..], |judged| judged);
    let report = |(wanted, number): (&RequestedChange, usize)| {
        let (verdict, evidence) = match work.and_then(|report| report.feedback.as_deref()) {
            // The rest is for the agent.
            Some(text) => {
                let found = text.split_inclusive(['.', '\n']).next().unwrap_or_default().trim();
                (Missing, vec![Evidence::new(WORK, found)])
            }
            None => judge(wanted, judged, used),
        };
        let (marker, text) = (wanted.kind.name().to_owned(), wanted.text.clone());
        RequirementReport { id: format!("R{number}"), marker, text, verdict, evidence }
    };
    project.task.request.all.iter().zip(1..).map(report).collect()
}

const WORK: &str = "work-done";

impl Evidence {
    /// Evidence without a place.
    pub fn new(by: &str, text: &str) -> Self {
        Self { by: by.to_owned(), text: text.to_owned(), file: None, line: None, start: None, end: None }
    }

    fn from_line((line, (from, to)): Place<'_>) -> Self {
        let column = |at: usize| u32::try_from(line.text.get(..at)?.encode_utf16().count()).ok().filter(|_| to > from);
        Self {
            file: Some(line.path.clone()),
            line: u32::try_from(line.line).ok(),
            start: column(from),
            end: column(to),
            ..Self::new(WORK, &shortened(&line.text, LINE_CHARS))
        }
    }
}

fn judge(wanted: &RequestedChange, judged: &[Counted], used: &Used) -> (RequirementVerdict, Vec<Evidence>) {
    let names = names(&wanted.text);
    let count = wanted.count.filter(|count| *count > 1 && wanted.kind == MarkerKind::Add);
    // "2 drinks for the night" among the items of a list of flavors: the new items name it, and their number is right.
    let is_counted_there = |counted: &Counted, count: usize| {
        let is_item = |line: &Line| counted.text.contains(&line.path) && fit(&names, &stems(&line.text)) > 0;
        says(&counted.marker, count) && fit(&names, &stems(&counted.marker)) > 1 && used.lines.iter().any(is_item)
    };
    let concerns = |counted: &&Counted| {
        let is_own = counted.requirement.as_ref().map_or(counted.kind == wanted.kind, |text| *text == wanted.text);
        // A marker counts only if its part, or what was counted there, is what the requirement names.
        let is_named = || fit(&names, &stems(&counted.text)) > 1 && fit(&names, &stems(&counted.marker)) > 1;
        let is_there = || count.is_some_and(|count| is_counted_there(counted, count));
        is_own && (counted.requirement.is_some() || is_named() || is_there())
    };
    let (mut evidence, mut is_refuted, mut is_counted) = (Vec::new(), false, false);
    for counted in judged.iter().filter(concerns) {
        is_refuted |= !counted.passed;
        // The agent wrote the marker, perhaps with another number. Without a number, it is no count.
        is_counted |= counted.requirement.is_some() || count.is_some_and(|count| says(&counted.marker, count));
        let file = used.lines.iter().map(|line| &line.path).find(|path| counted.text.contains(*path));
        evidence.push(Evidence { file: file.cloned(), ..Evidence::new("scope", &counted.text) });
    }
    if is_refuted {
        return (Missing, evidence);
    }
    let (found, place) = lines::judge(wanted, used);
    let verdict = match found {
        Checked if count.is_some() && !is_counted => Mentioned,
        Mentioned | Open if is_counted && !states_value(wanted) => Checked,
        Open if !evidence.is_empty() && !states_value(wanted) => Mentioned,
        found => found,
    };
    let at = if is_counted { evidence.len() } else { 0 };
    evidence.splice(at..at, place.map(Evidence::from_line));
    (verdict, evidence)
}

/// Whether a text has this number.
fn says(text: &str, count: usize) -> bool {
    let numbers = words(text).into_iter().filter_map(|word| word.parse().ok().or_else(|| number(&word)));
    numbers.into_iter().any(|number: u32| number as usize == count)
}

/// `1 of 3 checked, 1 mentioned, 1 open`. `None` where every requirement is checked or reviewed.
pub fn headline(requirements: &[RequirementReport]) -> Option<String> {
    let count = |verdict| requirements.iter().filter(|one| one.verdict == verdict).count();
    let mut text = format!("{} of {} checked", count(Checked), requirements.len());
    for (verdict, word) in [(Reviewed, "reviewed"), (Mentioned, "mentioned"), (Open, "open"), (Missing, "missing")] {
        match count(verdict) {
            0 => {}
            count => text.push_str(&format!(", {count} {word}")),
        }
    }
    (count(Checked) + count(Reviewed) < requirements.len()).then_some(text)
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests;
