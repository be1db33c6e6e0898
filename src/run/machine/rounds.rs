//! The rounds of gates: how each one ends, and when too many failed.

use super::{Command, RunState, Wait};
use crate::error::ErrorCode;
use crate::gate::{self, GateReport, GateVerdict, RoundVerdict};
use crate::run::fault::Fault;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The files that changed after the gates ran, as text. They are unknown if the page was opened since.
pub(crate) fn outdated_files(paths: &[String]) -> String {
    const SHOWN: usize = 5;
    match paths.get(..SHOWN).unwrap_or(paths) {
        [] => "which ones is not known".to_owned(),
        shown => shown.join(", "),
    }
}

/// The text of `.ralph/feedback.md` after a round; `None` if it passes.
pub(super) fn feedback(reports: &[GateReport]) -> Option<String> {
    (gate::summarise(reports) != RoundVerdict::Pass).then(|| gate::feedback(reports))
}

impl RunState {
    /// The next part of the round: the gates, then the verification.
    pub(super) fn judge(&self) -> Command {
        if self.rounds.open { Command::Verify } else { Command::RunGates }
    }

    /// The verification completes the round with these reports of the gates. It takes long, so it waits for them.
    pub(crate) fn verifies(&self, reports: &[GateReport]) -> bool {
        let is_due = self.config.as_ref().is_some_and(|(_, settings)| !settings.verification.due().is_empty());
        is_due && gate::summarise(reports) == RoundVerdict::Pass
    }
}

/// Every round so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Rounds {
    number: u32,
    reports: Vec<GateReport>,
    /// The current round has reports.
    open: bool,
    /// The agent has changed a file of the project.
    worked: bool,
    /// Consecutive failed rounds after work.
    failures: u32,
    /// Consecutive failed rounds before any work. They have a higher limit.
    idle_failures: u32,
    /// Consecutive rounds in which a gate could not judge.
    inconclusive: u32,
    /// The number of consecutive failures of each gate.
    by_gate: BTreeMap<String, u32>,
    /// The gates whose own fix was applied: once each.
    fixed: BTreeSet<String>,
    /// This round repeats the last one after a fix.
    repeated: bool,
    /// Consecutive passed rounds whose evidence was outdated before the acceptance.
    outdated: u32,
}

/// How a round ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RoundEnd {
    Passed,
    /// The agent continues with the feedback.
    Failed,
    /// The harness writes the fixes of these gates and runs the gates again.
    Fix(Vec<String>),
    /// A gate could not judge for this many rounds; the gates run again.
    Inconclusive(u32),
    /// A gate could not judge for too many rounds.
    Broken(Fault),
}

/// How often a round is repeated because a gate could not judge.
const INCONCLUSIVE_RETRIES: u32 = 2;

/// The wait before a round is repeated because a gate could not judge.
pub(super) fn wait(failures: u32) -> Wait {
    Wait::after(failures, INCONCLUSIVE_RETRIES + 1, "a gate could not judge")
}

/// How often a round is repeated because files changed after it.
const OUTDATED_RETRIES: u32 = 3;

/// A gate's own fix is applied after this many consecutive failures.
const FAILURES_BEFORE_FIX: u32 = 2;

impl Rounds {
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn reports(&self) -> &[GateReport] {
        &self.reports
    }

    pub(super) fn worked(&mut self, worked: bool) {
        self.worked |= worked;
        // A reviewer works between a round and its acceptance.
        if worked {
            self.outdated = 0;
        }
    }

    pub(super) fn add(&mut self, report: &GateReport) {
        if !self.open {
            self.open = true;
            self.reports.clear();
        }
        self.reports.push(report.clone());
    }

    /// An interrupted round starts again.
    pub(super) fn reopen(&mut self) {
        self.open = false;
        self.inconclusive = 0;
        self.outdated = 0;
    }

    /// Files changed after the round. The error if that happened too often; otherwise the round is repeated.
    pub(super) fn outdated(&mut self, paths: &[String]) -> Option<Fault> {
        self.outdated += 1;
        if self.outdated <= OUTDATED_RETRIES {
            return None;
        }
        let message = format!(
            "files changed after every round of gates ({}): stop the program that writes them, or have git ignore them, \
             and resume the run",
            outdated_files(paths)
        );
        Some(Fault::new(ErrorCode::Conflict, message))
    }

    pub(super) fn fixed(&mut self, gates: &[String]) {
        self.fixed.extend(gates.iter().cloned());
        self.repeated = true;
    }

    pub(super) fn close(&mut self) -> RoundEnd {
        if !self.open {
            self.reports.clear();
        }
        self.open = false;
        self.number += 1;
        let repeated = std::mem::take(&mut self.repeated);
        if let Some(broken) = self.inconclusive_gate() {
            self.inconclusive += 1;
            self.repeated = repeated;
            let failures = self.inconclusive;
            return if failures > INCONCLUSIVE_RETRIES {
                RoundEnd::Broken(broken)
            } else {
                RoundEnd::Inconclusive(failures)
            };
        }
        self.inconclusive = 0;
        self.count_by_gate();
        if self.by_gate.is_empty() {
            (self.failures, self.idle_failures) = (0, 0);
            return RoundEnd::Passed;
        }
        if !repeated {
            let counter = if self.worked { &mut self.failures } else { &mut self.idle_failures };
            *counter += 1;
        }
        let fixes = self.due_fixes();
        if fixes.is_empty() { RoundEnd::Failed } else { RoundEnd::Fix(fixes) }
    }

    /// The message if too many rounds failed in a row.
    pub(super) fn too_often(&self, max: u32) -> Option<String> {
        let (rounds, idle) = (self.failures, self.idle_failures);
        let names = || self.failing().unwrap_or_default();
        if rounds >= max {
            let times = if rounds == 1 { "once".to_owned() } else { format!("{rounds} times in a row") };
            Some(format!("The checks failed {times}; still failing: {}.", names()))
        } else if idle >= max.saturating_mul(2) {
            Some(format!(
                "The agent completed {} without a change to the project; still failing: {}.",
                if idle == 1 { "once".to_owned() } else { format!("{idle} times") },
                names()
            ))
        } else {
            None
        }
    }

    /// The names of the gates that failed in the last round.
    pub(super) fn failing(&self) -> Option<String> {
        let names: Vec<&str> = self.by_gate.keys().map(String::as_str).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// The fault if no gate of the round failed but one could not judge.
    fn inconclusive_gate(&self) -> Option<Fault> {
        if gate::summarise(&self.reports) != RoundVerdict::Inconclusive {
            return None;
        }
        let report = self.reports.iter().find(|report| report.verdict == GateVerdict::Error)?;
        let message = report.feedback.clone().unwrap_or_else(|| format!("The gate {} could not judge", report.gate));
        Some(Fault::inconclusive(ErrorCode::Shell, message))
    }

    /// Counts consecutive failures: a gate that passed or did not run has none.
    fn count_by_gate(&mut self) {
        let before = std::mem::take(&mut self.by_gate);
        for GateReport { gate, .. } in self.reports.iter().filter(|report| report.verdict == GateVerdict::Fail) {
            self.by_gate.insert(gate.clone(), before.get(gate).copied().unwrap_or_default() + 1);
        }
    }

    fn due_fixes(&self) -> Vec<String> {
        let due = self.reports.iter().filter(|report| {
            report.verdict == GateVerdict::Fail
                && report.fix.is_some()
                && self.by_gate.get(&report.gate).is_some_and(|count| *count >= FAILURES_BEFORE_FIX)
                && !self.fixed.contains(&report.gate)
        });
        due.map(|report| report.gate.clone()).collect()
    }
}
