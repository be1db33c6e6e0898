//! The data of an attempt at an iteration, folded from its events.

use crate::ledger::ChangedBy;
use crate::port::{AgentRole, Usage};
use crate::run::envelope::Envelope;
use crate::run::event::{Event, IterationClose};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What `attempt.json` has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct IterationRecord {
    pub run_id: String,
    /// 1-based.
    pub iteration: u32,
    /// 1-based; above 1 if the same iteration began before and did not end.
    pub attempt: u32,
    pub role: AgentRole,
    /// The requested model; `None` for the host's main model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The model of the last answer, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// Milliseconds since the epoch.
    pub started_at: u64,
    /// Of an interrupted attempt, the time of its last event.
    pub ended_at: u64,
    pub outcome: AttemptOutcome,
    /// The error, or the reason of the abort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Its model calls, with their cost if it is known.
    pub usage: Usage,
    pub tool_calls: u32,
    /// Sorted.
    pub files_changed: Vec<String>,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttemptOutcome {
    /// The caller ended the run.
    Aborted,
    /// The host failed.
    Failed,
    /// The page was closed.
    Interrupted,
    /// The iteration ended.
    #[serde(untagged)]
    Closed(IterationClose),
}

/// The events of each attempt at an iteration, from its start to its end.
pub(super) fn attempts(events: &[Envelope]) -> Vec<&[Envelope]> {
    let is_start = |envelope: &Envelope| matches!(envelope.event, Event::IterationStarted { .. });
    let attempts = events.chunk_by(|_, next| !is_start(next)).filter(|events| events.first().is_some_and(is_start));
    attempts.map(to_its_end).collect()
}

fn to_its_end(events: &[Envelope]) -> &[Envelope] {
    let end = events.iter().enumerate().find_map(|(index, envelope)| match envelope.event {
        Event::RunResumed { .. } => Some(index),
        Event::IterationFinished { .. } | Event::AbortRequested { .. } | Event::RunFailed { .. } => Some(index + 1),
        _ => None,
    });
    end.and_then(|end| events.get(..end)).unwrap_or(events)
}

impl IterationRecord {
    /// The record of an attempt with these events, as [`attempts`] returns them.
    pub(super) fn of(events: &[Envelope]) -> Option<Self> {
        let first = events.first()?;
        let Event::IterationStarted { iteration, attempt, role, model, .. } = &first.event else { return None };
        let mut record = Self {
            run_id: first.run_id.clone(),
            iteration: *iteration,
            attempt: *attempt,
            role: *role,
            model: model.clone(),
            answered_by: None,
            started_at: first.at,
            ended_at: events.last()?.at,
            outcome: AttemptOutcome::Interrupted,
            message: None,
            usage: Usage::default(),
            tool_calls: 0,
            files_changed: Vec::new(),
        };
        let mut changed = BTreeSet::new();
        for envelope in events {
            match &envelope.event {
                Event::Usage { usage, .. } => record.usage = record.usage.plus(usage),
                Event::ModelAnswered { model: Some(model), .. } => record.answered_by = Some(model.clone()),
                Event::ToolCall { .. } => record.tool_calls += 1,
                Event::FileChanged { path, from, by: ChangedBy::Agent, .. } => {
                    changed.extend([Some(path), from.as_ref()].into_iter().flatten().cloned());
                }
                Event::AbortRequested { reason } => {
                    (record.outcome, record.message) = (AttemptOutcome::Aborted, Some(reason.clone()));
                }
                Event::RunFailed { error } => {
                    (record.outcome, record.message) = (AttemptOutcome::Failed, Some(error.message.clone()));
                }
                Event::IterationFinished { tool_calls, files_changed, close, fault, .. } => {
                    record.outcome = AttemptOutcome::Closed(*close);
                    record.message = fault.as_ref().map(|fault| fault.message.clone());
                    // Calls that were refused after a limit do not count.
                    record.tool_calls = *tool_calls;
                    changed = files_changed.iter().cloned().collect();
                }
                _ => {}
            }
        }
        record.files_changed = changed.into_iter().collect();
        Some(record)
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::error::ErrorCode;
    use crate::run::fault::Fault;

    fn at(at: u64, event: Event) -> Envelope {
        Envelope::new(at, at, "run-1".to_owned(), 1, event)
    }

    fn started(iteration: u32, attempt: u32) -> Event {
        Event::IterationStarted {
            iteration,
            attempt,
            role: AgentRole::Builder,
            prompt_bytes: 1,
            model: Some("big".to_owned()),
        }
    }

    fn finished(close: IterationClose) -> Event {
        Event::IterationFinished {
            iteration: 1,
            tool_calls: 3,
            files_changed: vec!["a".to_owned()],
            close,
            signal: None,
            worked: true,
            plan: None,
            tree: String::new(),
            answer: None,
            fault: None,
        }
    }

    #[test]
    fn the_first_event_that_ends_an_attempt_decides_its_outcome() {
        use AttemptOutcome::{Aborted, Closed, Failed, Interrupted};
        let resumed = || Event::RunResumed { repaired: Vec::new(), plan: None };
        let failed = || Event::RunFailed { error: Fault::new(ErrorCode::Fs, "full") };
        let aborted = || Event::AbortRequested { reason: "enough".to_owned() };
        for (events, outcome, ended_at, message) in [
            (vec![finished(IterationClose::Asked), resumed()], Closed(IterationClose::Asked), 3, None),
            (vec![aborted(), finished(IterationClose::Completed)], Aborted, 3, Some("enough")),
            (vec![failed(), resumed()], Failed, 3, Some("full")),
            (vec![resumed(), failed()], Interrupted, 2, None),
            (vec![], Interrupted, 2, None),
        ] {
            let facts = [started(1, 1), Event::status("x")].into_iter().chain(events);
            let events: Vec<Envelope> = facts.zip(1..).map(|(event, number)| at(number, event)).collect();
            let record = IterationRecord::of(attempts(&events)[0]).unwrap();
            assert_eq!((record.outcome, record.started_at, record.ended_at), (outcome, 1, ended_at));
            assert_eq!(record.message.as_deref(), message);
        }
    }

    #[test]
    fn each_start_begins_another_attempt() {
        let events = [
            Event::status("before"),
            started(1, 1),
            Event::status("x"),
            started(1, 2),
            finished(IterationClose::Completed),
        ];
        let events: Vec<Envelope> = events.into_iter().zip(1..).map(|(event, number)| at(number, event)).collect();
        let found: Vec<_> = attempts(&events).into_iter().filter_map(IterationRecord::of).collect();
        assert_eq!(found.iter().map(|record| (record.attempt, record.ended_at)).collect::<Vec<_>>(), [(1, 3), (2, 5)]);
        assert_eq!((found[1].tool_calls, found[1].files_changed.as_slice()), (3, ["a".to_owned()].as_slice()));
        assert!(attempts(&events[..1]).is_empty());
    }

    #[test]
    fn the_outcome_is_one_word() {
        let text =
            serde_json::to_string(&[AttemptOutcome::Interrupted, AttemptOutcome::Closed(IterationClose::ToolLimit)]);
        assert_eq!(text.unwrap(), r#"["interrupted","tool-limit"]"#);
        assert_eq!(
            serde_json::from_str::<AttemptOutcome>("\"asked\"").unwrap(),
            AttemptOutcome::Closed(IterationClose::Asked)
        );
    }
}
