//! The data of an attempt at an iteration, folded from its events.

use super::transcript;
use crate::ledger::ChangedBy;
use crate::port::{AgentRole, Usage};
use crate::run::envelope::Envelope;
use crate::run::event::{Event, IterationClose};
use crate::run::recipe::chunks::ChunkFact;
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
    pub files_changed: BTreeSet<String>,
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

/// An attempt at an iteration, folded from its events.
#[derive(Debug)]
pub(super) struct Attempt {
    pub record: IterationRecord,
    pub transcript: String,
    /// The events after its end are not its own.
    is_over: bool,
}

impl Attempt {
    /// The attempt that begins with this event; `None` if none does.
    fn begun_by(first: &Envelope) -> Option<Self> {
        let Event::IterationStarted { iteration, attempt, role, model, .. } = &first.event else { return None };
        let record = IterationRecord {
            run_id: first.run_id.clone(),
            iteration: *iteration,
            attempt: *attempt,
            role: *role,
            model: model.clone(),
            answered_by: None,
            started_at: first.at,
            ended_at: first.at,
            outcome: AttemptOutcome::Interrupted,
            message: None,
            usage: Usage::default(),
            tool_calls: 0,
            files_changed: BTreeSet::new(),
        };
        Some(Self { record, transcript: transcript::part(first).unwrap_or_default(), is_over: false })
    }

    fn add(&mut self, envelope: &Envelope) {
        // The page was closed before the attempt ended.
        self.is_over |= matches!(envelope.event, Event::RunResumed { .. });
        if self.is_over {
            return;
        }
        let record = &mut self.record;
        match &envelope.event {
            Event::Usage { usage, .. } => record.usage = record.usage.plus(usage),
            Event::ModelAnswered { model: Some(model), .. } => record.answered_by = Some(model.clone()),
            Event::ToolCall { .. } => record.tool_calls += 1,
            Event::FileChanged { path, from, by: ChangedBy::Agent, .. } => {
                record.files_changed.extend([Some(path), from.as_ref()].into_iter().flatten().cloned());
            }
            Event::AbortRequested { reason } => {
                (record.outcome, record.message) = (AttemptOutcome::Aborted, Some(reason.clone()));
                self.is_over = true;
            }
            Event::RunFailed { error } => {
                (record.outcome, record.message) = (AttemptOutcome::Failed, Some(error.message.clone()));
                self.is_over = true;
            }
            Event::IterationFinished { tool_calls, files_changed, close, fault, .. } => {
                record.outcome = AttemptOutcome::Closed(*close);
                record.message = fault.as_ref().map(|fault| fault.message.clone());
                // Calls that were refused after a limit do not count.
                record.tool_calls = *tool_calls;
                record.files_changed = files_changed.iter().cloned().collect();
                self.is_over = true;
            }
            _ => {}
        }
        record.ended_at = envelope.at;
        self.transcript.extend(transcript::part(envelope));
    }
}

/// An attempt at a chunk, with the iterations before the last one.
#[derive(Debug)]
pub(super) struct ChunkAttempt {
    pub folder: String,
    /// 1-based in the run.
    pub attempt: u32,
    pub earlier: Vec<IterationRecord>,
    pub transcript: String,
}

/// What the events of a run say about its last attempts.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    /// In `chunk`, if there is one.
    pub last: Option<Attempt>,
    pub chunk: Option<ChunkAttempt>,
}

impl Attempts {
    pub(super) fn add(&mut self, envelope: &Envelope) {
        match &envelope.event {
            Event::Chunks(ChunkFact::AttemptStarted { folder, attempt, .. }) => {
                let chunk = ChunkAttempt {
                    folder: folder.clone(),
                    attempt: *attempt,
                    earlier: Vec::new(),
                    transcript: String::new(),
                };
                (self.last, self.chunk) = (None, Some(chunk));
            }
            Event::IterationStarted { .. } => {
                let ended = std::mem::replace(&mut self.last, Attempt::begun_by(envelope));
                if let (Some(ended), Some(chunk)) = (ended, &mut self.chunk) {
                    chunk.earlier.push(ended.record);
                    chunk.transcript.push_str(&ended.transcript);
                }
            }
            _ => {
                if let Some(last) = &mut self.last {
                    last.add(envelope);
                }
            }
        }
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

    fn folded(facts: impl IntoIterator<Item = Event>) -> Attempts {
        let mut attempts = Attempts::default();
        for (event, number) in facts.into_iter().zip(1..) {
            attempts.add(&at(number, event));
        }
        attempts
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
            let attempts = folded([started(1, 1), Event::status("x")].into_iter().chain(events));
            let record = attempts.last.unwrap().record;
            assert_eq!((record.outcome, record.started_at, record.ended_at), (outcome, 1, ended_at));
            assert_eq!(record.message.as_deref(), message);
        }
    }

    #[test]
    fn each_start_begins_another_attempt() {
        let facts = [
            Event::status("before"),
            started(1, 1),
            Event::status("x"),
            started(1, 2),
            finished(IterationClose::Completed),
            Event::status("after"),
        ];
        let last = folded(facts).last.unwrap();
        assert_eq!((last.record.attempt, last.record.ended_at, last.record.tool_calls), (2, 5, 3));
        assert_eq!(last.record.files_changed, BTreeSet::from(["a".to_owned()]));
        assert!(!last.transcript.contains("status"), "{}", last.transcript);
        assert!(folded([Event::status("before")]).last.is_none());
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
