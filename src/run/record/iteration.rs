//! The data of an iteration, folded from its events.

use super::transcript;
use crate::ledger::ChangedBy;
use crate::port::{AgentRole, Usage};
use crate::run::envelope::Envelope;
use crate::run::event::{Event, IterationClose};
use crate::run::recipe::chunks::ChunkFact;
use crate::run::recipe::specs::SpecFact;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What `iteration.json` has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct IterationRecord {
    pub run_id: String,
    /// 1-based.
    pub iteration: u32,
    /// 1-based: the attempt at the chunk, spec or task that the iteration is part of.
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
    /// Of an interrupted iteration, the time of its last event.
    pub ended_at: u64,
    pub outcome: IterationOutcome,
    /// The error, or the reason of the abort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Its model calls, with their cost if it is known.
    pub usage: Usage,
    pub tool_calls: u32,
    pub files_changed: BTreeSet<String>,
}

/// How an iteration ended, or what ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IterationOutcome {
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

/// An iteration, folded from its events.
#[derive(Debug)]
pub(super) struct Iteration {
    pub record: IterationRecord,
    pub transcript: String,
    /// The events after its end are not its own.
    is_over: bool,
}

impl Iteration {
    /// The iteration that begins with this event; `None` if none does.
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
            outcome: IterationOutcome::Interrupted,
            message: None,
            usage: Usage::default(),
            tool_calls: 0,
            files_changed: BTreeSet::new(),
        };
        Some(Self { record, transcript: transcript::part(first).unwrap_or_default(), is_over: false })
    }

    fn add(&mut self, envelope: &Envelope) {
        // The page was closed before it ended.
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
                (record.outcome, record.message) = (IterationOutcome::Aborted, Some(reason.clone()));
                self.is_over = true;
            }
            Event::RunFailed { error } => {
                (record.outcome, record.message) = (IterationOutcome::Failed, Some(error.message.clone()));
                self.is_over = true;
            }
            Event::IterationFinished { tool_calls, files_changed, close, fault, .. } => {
                record.outcome = IterationOutcome::Closed(*close);
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

/// The transcripts of an attempt at a spec, without the last iteration.
#[derive(Debug, Default)]
struct SpecAttempt {
    attempt: u32,
    roles: BTreeMap<AgentRole, String>,
}

/// What the events of a run say about its last iteration, and about the attempt that it is part of.
#[derive(Debug, Default)]
pub(super) struct Iterations {
    /// In `chunk`, if there is one.
    pub last: Option<Iteration>,
    pub chunk: Option<ChunkAttempt>,
    spec: Option<SpecAttempt>,
}

impl Iterations {
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
            Event::Specs(SpecFact::SpecStarted { .. }) => (self.last, self.spec) = (None, Some(SpecAttempt::default())),
            Event::IterationStarted { attempt, .. } => {
                let ended = std::mem::replace(&mut self.last, Iteration::begun_by(envelope));
                if let Some(spec) = &mut self.spec
                    && spec.attempt != *attempt
                {
                    *spec = SpecAttempt { attempt: *attempt, ..SpecAttempt::default() };
                } else if let (Some(ended), Some(spec)) = (&ended, &mut self.spec) {
                    spec.roles.entry(ended.record.role).or_default().push_str(&ended.transcript);
                }
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

    /// What the role of the last iteration did in the present attempt at a spec.
    pub(super) fn of_role(&self) -> String {
        let Some(Iteration { record, transcript, .. }) = &self.last else { return String::new() };
        let earlier = self.spec.as_ref().and_then(|spec| spec.roles.get(&record.role));
        format!("{}{transcript}", earlier.map(String::as_str).unwrap_or_default())
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

    fn folded(facts: impl IntoIterator<Item = Event>) -> Iterations {
        let mut iterations = Iterations::default();
        for (event, number) in facts.into_iter().zip(1..) {
            iterations.add(&at(number, event));
        }
        iterations
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
    fn the_first_event_that_ends_an_iteration_decides_its_outcome() {
        use IterationOutcome::{Aborted, Closed, Failed, Interrupted};
        let resumed = || Event::RunResumed { repaired: Vec::new(), plan: None, closed: None };
        let failed = || Event::RunFailed { error: Fault::new(ErrorCode::Fs, "full") };
        let aborted = || Event::AbortRequested { reason: "enough".to_owned() };
        for (events, outcome, ended_at, message) in [
            (vec![finished(IterationClose::Asked), resumed()], Closed(IterationClose::Asked), 3, None),
            (vec![aborted(), finished(IterationClose::Completed)], Aborted, 3, Some("enough")),
            (vec![failed(), resumed()], Failed, 3, Some("full")),
            (vec![resumed(), failed()], Interrupted, 2, None),
            (vec![], Interrupted, 2, None),
        ] {
            let iterations = folded([started(1, 1), Event::status("x")].into_iter().chain(events));
            let record = iterations.last.unwrap().record;
            assert_eq!((record.outcome, record.started_at, record.ended_at), (outcome, 1, ended_at));
            assert_eq!(record.message.as_deref(), message);
        }
    }

    #[test]
    fn each_start_begins_another_iteration() {
        let facts = [
            Event::status("before"),
            started(1, 1),
            Event::status("x"),
            started(2, 1),
            finished(IterationClose::Completed),
            Event::status("after"),
        ];
        let last = folded(facts).last.unwrap();
        assert_eq!((last.record.iteration, last.record.ended_at, last.record.tool_calls), (2, 5, 3));
        assert_eq!(last.record.files_changed, BTreeSet::from(["a".to_owned()]));
        assert!(!last.transcript.contains("status"), "{}", last.transcript);
        assert!(folded([Event::status("before")]).last.is_none());
    }

    #[test]
    fn the_outcome_is_one_word() {
        let text = serde_json::to_string(&[
            IterationOutcome::Interrupted,
            IterationOutcome::Closed(IterationClose::ToolLimit),
        ]);
        assert_eq!(text.unwrap(), r#"["interrupted","tool-limit"]"#);
        assert_eq!(
            serde_json::from_str::<IterationOutcome>("\"asked\"").unwrap(),
            IterationOutcome::Closed(IterationClose::Asked)
        );
    }
}
