//! The scope of requirements without a change marker in the plan. The gate infers the list that a requirement concerns and
//! compares its items with the snapshot before the task. An uncertain result is a warning with the difference.
//!
//! | file | what |
//! |---|---|
//! | `census` | every list of the project in one state |
//! | `families` | lists that were split or merged |
//! | `target` | which list a requirement concerns, and whether it allows items to be removed |
//! | `loss` | items that a list lost and gained |
//! | `added` | the verdict on a requirement for more items |
//! | `judge` | the other verdicts, and the texts |

mod added;
mod census;
mod families;
mod judge;
mod loss;
mod target;

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests;

use super::ScopeVerdict;
use super::markers;
use super::sources::States;
use super::words::{Wording, fit};
use crate::gate::{RequestedChange, TaskRequest};
use crate::plan::MarkerKind;
use census::Count;
use judge::Project;
use loss::Texts;
pub(in crate::gate) use target::{Freedom, allowed};

/// The result for all requirements without a marker.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Unplanned {
    /// Deviations from the requirements.
    pub findings: Vec<Finding>,
    /// The lists that changed, one per line; empty if none did.
    pub difference: String,
    /// The requirements whose items are counted, and what was found.
    pub counted: Vec<(String, String)>,
}

/// A deviation from a requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// `Warn` or `Fail`.
    pub verdict: ScopeVerdict,
    /// The deviation is certain and the agent can fix it.
    pub is_certain: bool,
    /// What was expected, what was found, and what to do next.
    pub text: String,
}

impl Finding {
    /// Whether it is about this requirement.
    pub(crate) fn is_of(&self, requirement: &RequestedChange) -> bool {
        self.text.starts_with(&format!("[{}] {}: ", requirement.kind.name(), requirement.text))
    }
}

impl Unplanned {
    /// The worst verdict.
    pub(crate) fn overall(&self) -> ScopeVerdict {
        self.findings.iter().map(|finding| finding.verdict).max().unwrap_or(ScopeVerdict::Pass)
    }

    /// The feedback with all findings and the difference.
    pub(crate) fn text(&self) -> String {
        let line = |finding: &Finding| {
            let verdict = if finding.verdict == ScopeVerdict::Fail { "FAIL" } else { "WARN" };
            format!("- {verdict} {}\n", finding.text)
        };
        let mut text: String = self.findings.iter().map(line).collect();
        if !self.difference.is_empty() {
            text.push_str("Lists before and after the task:\n");
            text.push_str(&self.difference);
        }
        text.trim_end().to_owned()
    }
}

/// Whether a requirement concerns items that can be counted.
pub(crate) fn is_countable(request: &TaskRequest) -> bool {
    !request.requirements.is_empty() || !request.preserve.is_empty()
}

/// The requirements without a marker in the plan.
pub(crate) fn without_markers(request: &TaskRequest, plan: &str, task: u32) -> TaskRequest {
    let markers = markers::read(plan, task);
    let stems = |text: &str| {
        let wording = Wording::from_text(text);
        [wording.phrase, wording.others].concat()
    };
    let is_marked = |requirement: &RequestedChange| {
        let of_kind = || markers.iter().filter(|marker| marker.kind == requirement.kind);
        let alike = request.requirements.iter().filter(|other| other.kind == requirement.kind).count();
        of_kind().count() >= alike || of_kind().any(|marker| fit(&stems(&requirement.text), &stems(&marker.text)) > 1)
    };
    let is_preserved = markers.iter().any(|marker| marker.kind == MarkerKind::Preserved);
    let requirements = request.requirements.iter().filter(|requirement| !is_marked(requirement)).cloned();
    let preserve = if is_preserved { Vec::new() } else { request.preserve.clone() };
    let is_steered = request.is_steered;
    TaskRequest { requirements: requirements.collect(), preserve, is_steered, ..TaskRequest::default() }
}

/// Whether the requirements in `open` have to be judged by the lists of both states.
pub(crate) fn needs_lists(open: &TaskRequest, states: &States<'_>) -> bool {
    let is_counted = open.requirements.iter().any(|requirement| requirement.count.is_some());
    is_countable(open) && (is_counted || !states.is_same)
}

/// The lists and texts of both states, collected file by file.
pub(crate) struct Lists<'s> {
    states: &'s States<'s>,
    old: (Count<'s>, Texts),
    new: (Count<'s>, Texts),
}

impl<'s> Lists<'s> {
    pub(crate) fn new(states: &'s States<'s>) -> Self {
        let States { old, new, .. } = states;
        // Reachability counts only if both states have an entry.
        let (was_reached, is_reached) = old.reached().zip(new.reached()).unzip();
        let of = |sources, reached| (Count::new(sources, reached), Texts::default());
        Self { states, old: of(old, was_reached), new: of(new, is_reached) }
    }

    /// Collects from every file, one for each item.
    pub(crate) fn collect(&mut self) -> impl Iterator<Item = ()> {
        let States { old, new, .. } = self.states;
        let each = [(&mut self.old, old), (&mut self.new, new)].into_iter();
        each.flat_map(|((count, texts), sources)| {
            sources.ids().map(move |file| {
                count.add(file);
                texts.add(sources, file);
            })
        })
    }
}

/// Judges the requirements in `open` by all lists of both states. `request` has all requirements of the task, which decide
/// what may change. Total.
pub(crate) fn check_unplanned(open: &TaskRequest, request: &TaskRequest, lists: Lists<'_>) -> Unplanned {
    let Lists { states, old: (had, old_texts), new: (has, new_texts) } = lists;
    let (mut had, mut has) = (had.finish(), has.finish());
    families::join(&mut had.lists, &mut has.lists);
    let mut found = Project::new((&had, &old_texts), (&has, &new_texts)).judge(open, request);
    // The change may be in a file that is not read, where the items are.
    if states.is_same {
        found.findings.iter_mut().for_each(|finding| finding.verdict = ScopeVerdict::Warn);
    }
    found
}
