//! Detects repetition without progress.
//!
//! A *state* is the content of the project and its plan, with the last verdict of each gate. An iteration makes
//! progress if it ends in a state that is new in this task, so undoing and redoing is not progress.

use crate::gate::{GateReport, GateVerdict};
use crate::text::shortened;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha1::{Digest, Sha1};
use std::collections::{BTreeMap, BTreeSet};

/// The result of [`digest`].
type Fingerprint = [u8; 20];

/// The iterations of a task. Iterations cut off by the model, an abort or a crash do not count.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Watch {
    /// The tool calls of the current iteration.
    open: Steps,
    /// The last finished iteration; its gates may still report.
    last: Option<Ended>,
    /// Earlier iterations, as far back as they matter.
    laps: Vec<Lap>,
    /// All states so far.
    seen: BTreeSet<Fingerprint>,
    /// The last verdict of each gate that could judge.
    verdicts: BTreeMap<String, Fingerprint>,
    /// The project's files that changed since the task began, whoever changed them.
    pub touched: BTreeSet<String>,
    /// The number of recoveries so far.
    pub recoveries: u32,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Steps {
    /// A digest of the calls in order.
    calls: Fingerprint,
    /// The first calls, as text.
    actions: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Ended {
    steps: Steps,
    tree: Fingerprint,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Lap {
    calls: Fingerprint,
    state: Fingerprint,
    is_new: bool,
}

/// Maximum number of calls to store as text.
const ACTIONS: usize = 32;
/// Maximum length of an argument in that text, in characters.
const ACTION_CHARS: usize = 160;
/// The minimum length of an oscillation: A, B, A, B.
const OSCILLATION: usize = 4;

impl Watch {
    /// The task begins with this plan.
    pub(crate) fn began(&mut self, plan: Option<&str>) {
        *self = Self::default();
        let state = self.state(&tree("", plan));
        self.seen.insert(state);
    }

    /// An iteration begins or is repeated.
    pub(crate) fn started(&mut self) {
        self.open = Steps::default();
        let Some(lap) = self.last_lap() else { return };
        self.last = None;
        if lap.is_new {
            // Iterations before the last progress cannot be part of a cycle.
            let start = self.laps.len().saturating_sub(1);
            self.laps.drain(..start);
        }
        self.seen.insert(lap.state);
        self.laps.push(lap);
    }

    pub(crate) fn called(&mut self, name: &str, args: &Value) {
        let written = match args {
            Value::String(text) => text.clone(),
            args => args.to_string(),
        };
        self.open.calls = digest(&[&self.open.calls, name.as_bytes(), written.as_bytes()]);
        if self.open.actions.len() < ACTIONS {
            self.open.actions.push(action(name, args));
        }
    }

    /// The agent's turn is over, with the project in this state.
    pub(crate) fn ended(&mut self, files: &str, plan: Option<&str>) {
        self.last = Some(Ended { steps: std::mem::take(&mut self.open), tree: tree(files, plan) });
    }

    /// A gate reported. An `error` verdict is ignored.
    pub(crate) fn judged(&mut self, report: &GateReport) {
        if report.verdict != GateVerdict::Error {
            let said = format!("{:?} {}", report.verdict, report.feedback.as_deref().unwrap_or_default());
            self.note_verdict(&report.gate, &said);
        }
    }

    /// The last verdict of a gate or a role.
    pub(crate) fn note_verdict(&mut self, who: &str, what: &str) {
        self.verdicts.insert(who.to_owned(), digest(&[what.as_bytes()]));
    }

    /// The user sent a message: earlier iterations no longer count.
    pub(crate) fn steered(&mut self) {
        self.laps.clear();
    }

    /// The agent got guidance: iterations are counted anew, but returning to an earlier state is still not progress.
    pub(crate) fn recovered(&mut self) {
        self.recoveries += 1;
        if let Some(lap) = self.last_lap() {
            self.seen.insert(lap.state);
        }
        self.last = None;
        self.laps.clear();
    }

    /// Whether the last iteration completes a stall: the last `threshold` made the same calls and left the same state,
    /// the project oscillated, or twice as many made no progress.
    pub(crate) fn is_stuck(&self, threshold: u32) -> bool {
        let Some(last) = self.last_lap().filter(|lap| !lap.is_new) else { return false };
        let threshold = usize::try_from(threshold).unwrap_or(usize::MAX);
        let laps: Vec<&Lap> = self.laps.iter().chain([&last]).collect();
        let newest = |count: usize| laps.len().checked_sub(count).and_then(|start| laps.get(start..));
        let repeats = newest(threshold)
            .is_some_and(|laps| laps.iter().all(|lap| lap.calls == last.calls && lap.state == last.state));
        let oscillates = newest(threshold.saturating_add(1).max(OSCILLATION)).is_some_and(|laps| {
            let pairs = || laps.iter().zip(laps.iter().skip(2));
            pairs().all(|(a, b)| a.state == b.state)
                && (laps.windows(2).all(|pair| matches!(pair, [a, b] if a.state != b.state))
                    || pairs().all(|(a, b)| a.calls == b.calls))
        });
        let idle = laps.iter().rev().take_while(|lap| !lap.is_new).count();
        repeats || oscillates || idle >= threshold.saturating_mul(2)
    }

    /// Whether the last finished iteration made progress.
    pub(crate) fn has_progress(&self) -> bool {
        self.last_lap().is_some_and(|lap| lap.is_new)
    }

    /// What the agent did in the last finished iteration.
    pub(crate) fn actions(&self) -> &[String] {
        self.last.as_ref().map(|last| last.steps.actions.as_slice()).unwrap_or_default()
    }

    /// The last finished iteration, with the gates' reports so far.
    fn last_lap(&self) -> Option<Lap> {
        let last = self.last.as_ref()?;
        let state = self.state(&last.tree);
        let is_new = !self.seen.contains(&state);
        Some(Lap { calls: last.steps.calls, state, is_new })
    }

    fn state(&self, tree: &Fingerprint) -> Fingerprint {
        let mut parts: Vec<&[u8]> = vec![tree];
        for (gate, said) in &self.verdicts {
            parts.extend([gate.as_bytes(), said]);
        }
        digest(&parts)
    }
}

/// A digest of the project and its plan.
fn tree(files: &str, plan: Option<&str>) -> Fingerprint {
    digest(&[files.as_bytes(), plan.unwrap_or_default().as_bytes()])
}

/// A call as text: the tool and its target.
fn action(name: &str, args: &Value) -> String {
    let first = ["path", "command", "pattern", "query"].iter().find_map(|key| args.get(key)?.as_str());
    let first = first.or_else(|| args.as_object()?.values().find_map(Value::as_str));
    let line = first.and_then(|text| text.lines().next()).unwrap_or_default();
    format!("{name} {}", shortened(line, ACTION_CHARS)).trim_end().to_owned()
}

/// A digest of several byte strings, each with its length.
fn digest(parts: &[&[u8]]) -> Fingerprint {
    let mut sha = Sha1::new();
    for part in parts {
        sha.update(part.len().to_string());
        sha.update(":");
        sha.update(part);
    }
    sha.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const THRESHOLD: u32 = 3;

    /// The number of iterations, each `(call, files)`, after which the agent counts as stuck.
    fn stuck_after(laps: &[(&str, &str)]) -> Option<usize> {
        let mut watch = Watch::default();
        watch.began(None);
        laps.iter().position(|lap| iterate(&mut watch, lap)).map(|index| index + 1)
    }

    fn iterate(watch: &mut Watch, (call, files): &(&str, &str)) -> bool {
        watch.started();
        watch.called("read_file", &json!({ "path": call }));
        watch.ended(files, None);
        watch.is_stuck(THRESHOLD)
    }

    fn report(verdict: GateVerdict, feedback: &str) -> GateReport {
        let feedback = Some(feedback.to_owned());
        GateReport {
            gate: "g".to_owned(),
            verdict,
            feedback,
            not_applicable: false,
            tree: None,
            duration_ms: 1,
            fix: None,
        }
    }

    #[test]
    fn the_same_calls_three_times_without_a_change_are_a_stall() {
        assert_eq!(stuck_after(&[("a", ""); 5]), Some(3));
        assert_eq!(stuck_after(&[("a", "1"); 5]), Some(3), "writing the same again and again");
    }

    #[test]
    fn progress_is_not_a_stall_and_its_absence_is_one_whatever_is_tried() {
        for (laps, expected) in [
            // Same calls, changing tree.
            (vec![("a", "1"), ("a", "2"), ("a", "3"), ("a", "4"), ("a", "5"), ("a", "6"), ("a", "7")], None),
            // Occasional changes.
            (vec![("a", ""), ("a", ""), ("a", "1"), ("b", "1"), ("a", "1"), ("a", "2"), ("a", "2")], None),
            // Alternating calls.
            (vec![("a", ""), ("b", ""), ("a", ""), ("b", ""), ("a", "")], Some(4)),
            // Alternating states with different calls.
            (vec![("a", "1"), ("b", "2"), ("a", "1"), ("b", "2"), ("a", "1")], Some(4)),
            (vec![("a", "1"), ("b", "2"), ("c", "1"), ("d", "2"), ("e", "1")], Some(4)),
            // Cycles of three, and calls that never repeat.
            (vec![("a", ""), ("b", ""), ("c", ""), ("a", ""), ("b", ""), ("c", ""), ("a", "")], Some(6)),
            (vec![("a", ""), ("b", ""), ("c", ""), ("d", ""), ("e", ""), ("f", ""), ("g", "")], Some(6)),
            (vec![("a", "1"), ("b", "1"), ("c", "1"), ("d", "1"), ("e", "1"), ("f", "1"), ("g", "1")], Some(7)),
        ] {
            assert_eq!(stuck_after(&laps), expected, "{laps:?}");
        }
    }

    #[test]
    fn gate_results_that_change_are_progress() {
        let (mut same, mut changing) = (Watch::default(), Watch::default());
        same.began(None);
        changing.began(None);
        for round in 1..=8 {
            let stuck = iterate(&mut same, &("a", ""));
            assert_eq!(stuck, round >= 3, "the gate says the same in round {round}");
            same.judged(&report(GateVerdict::Fail, "3 errors"));
            iterate(&mut changing, &("a", ""));
            changing.judged(&report(GateVerdict::Fail, &format!("{round} errors")));
            assert!(!changing.is_stuck(THRESHOLD), "round {round}");
        }
    }

    #[test]
    fn an_interrupted_iteration_or_gate_does_not_count() {
        let mut watch = Watch::default();
        watch.began(None);
        for _ in 0..2 {
            assert!(!iterate(&mut watch, &("a", "")));
            for call in ["a", "b", "a"] {
                watch.started();
                watch.called("read_file", &json!({ "path": call }));
                assert!(!watch.is_stuck(THRESHOLD), "an unfinished iteration does not count");
            }
            watch.judged(&report(GateVerdict::Error, "the worker is gone"));
        }
        assert!(iterate(&mut watch, &("a", "")), "and no progress");
    }

    #[test]
    fn a_recovery_and_a_message_of_the_user_begin_anew() {
        let mut watch = Watch::default();
        watch.began(None);
        let again = |watch: &mut Watch| (1..=5).find(|_| iterate(watch, &("a", "")));
        assert_eq!(again(&mut watch), Some(3));
        assert_eq!(watch.actions(), ["read_file a"]);
        watch.recovered();
        assert_eq!((again(&mut watch), watch.recoveries), (Some(3), 1));
        watch.recovered();
        iterate(&mut watch, &("a", ""));
        watch.steered();
        assert_eq!(again(&mut watch), Some(2), "the iteration of the message counts");
        watch.recovered();
        assert_eq!(
            (0..6).find(|lap| iterate(&mut watch, &(&lap.to_string(), ""))),
            Some(5),
            "an old state is not progress"
        );
    }

    #[test]
    fn a_threshold_of_one_is_the_first_iteration_without_progress() {
        let mut watch = Watch::default();
        watch.began(None);
        watch.started();
        watch.ended("1", None);
        assert!(!watch.is_stuck(1));
        watch.started();
        watch.ended("1", Some("plan"));
        assert!(!watch.is_stuck(1), "a plan is progress");
        watch.started();
        watch.ended("1", Some("plan"));
        assert!(watch.is_stuck(1) && !watch.is_stuck(u32::MAX));
    }

    #[test]
    fn the_order_and_boundaries_of_calls_matter() {
        let calls = |calls: &[(&str, &str)]| {
            let mut watch = Watch::default();
            calls.iter().for_each(|(name, args)| watch.called(name, &json!(args)));
            watch.open.calls
        };
        assert_eq!(calls(&[("a", "1"), ("b", "2")]), calls(&[("a", "1"), ("b", "2")]));
        assert_ne!(calls(&[("a", "1"), ("b", "2")]), calls(&[("b", "2"), ("a", "1")]));
        assert_ne!(calls(&[("ab", "1")]), calls(&[("a", "b1")]));
    }
}
