//! Reads parts of a journal.

use super::line::{decode, is_foreign};
use super::{Segment, current, from_elsewhere, list};
use crate::error::Error;
use crate::json;
use crate::port::{ProjectDir, Question};
use crate::run::envelope::Envelope;
use crate::run::event::{Event, RunStarted};
use crate::run::options::{StopReason, Work};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The journal of a run. Its folder is listed once, and each segment is read at most once.
pub(in crate::run) struct Opened<'a> {
    project: ProjectDir<'a>,
    run_id: String,
    /// Sorted; none if there is no such run.
    segments: Vec<Segment>,
    texts: RefCell<BTreeMap<String, Rc<str>>>,
    is_gone: Cell<bool>,
}

/// The first line of a run. Its seal shows whether the journal is from elsewhere.
pub(super) enum First {
    Own(Value),
    /// The run has no complete line.
    Torn,
    /// With the path of its segment.
    Foreign(String),
}

impl<'a> Opened<'a> {
    /// # Errors
    /// `fs`.
    pub(in crate::run) async fn open(project: ProjectDir<'a>, run_id: &str) -> Result<Self, Error> {
        let segments = list(project, run_id).await?.map(|listed| listed.segments).unwrap_or_default();
        Ok(Self { project, run_id: run_id.to_owned(), segments, texts: RefCell::default(), is_gone: Cell::default() })
    }

    async fn text(&self, segment: &Segment) -> Result<Rc<str>, Error> {
        if let Some(text) = self.texts.borrow().get(&segment.path) {
            return Ok(text.clone());
        }
        let text = self.project.read_text(&segment.path).await?;
        if text.is_none() && self.project.lstat(&segment.path).await?.is_none() {
            self.is_gone.set(true);
        }
        let text: Rc<str> = text.unwrap_or_default().into();
        self.texts.borrow_mut().insert(segment.path.clone(), text.clone());
        Ok(text)
    }

    pub(super) async fn first(&self) -> Result<First, Error> {
        let Some(segment) = self.segments.first() else { return Ok(First::Torn) };
        let (key, text) = (self.project.key(), self.text(segment).await?);
        Ok(match text.lines().next() {
            Some(line) if is_foreign(key, &self.run_id, line) => First::Foreign(segment.path.clone()),
            Some(line) => decode(key, &self.run_id, line, &|value: &Value| Ok(value.clone()))
                .map_or(First::Torn, |line| First::Own(line.event)),
            None => First::Torn,
        })
    }

    /// Whether a segment vanished since the folder was listed: another page removes the run.
    pub(in crate::run) fn is_gone(&self) -> bool {
        self.is_gone.get()
    }

    /// Whether the first segment is missing. The removal of a run deletes it first, so an interrupted removal leaves such a run.
    pub(in crate::run) fn lacks_start(&self) -> bool {
        self.segments.first().is_none_or(|first| first.first_seq > 0)
    }

    /// What a caller reads of the first event; `None` if it cannot be read.
    ///
    /// # Errors
    /// `corrupt` if the run is from elsewhere; `fs`.
    pub(in crate::run) async fn first_event<T: DeserializeOwned>(&self) -> Result<Option<T>, Error> {
        match self.first().await? {
            First::Own(event) => Ok(json::from_value(event).ok()),
            First::Torn => Ok(None),
            First::Foreign(path) => Err(from_elsewhere(&path)),
        }
    }

    /// What the run works on; `None` if its first event cannot be read.
    ///
    /// # Errors
    /// As [`Self::first_event`].
    pub(in crate::run) async fn work(&self) -> Result<Option<Work>, Error> {
        #[derive(Deserialize)]
        struct Started {
            work: Work,
        }
        Ok(self.first_event::<Started>().await?.map(|first| first.work))
    }

    /// # Errors
    /// As [`Self::first_event`].
    pub(in crate::run) async fn started(&self) -> Result<Option<RunStarted>, Error> {
        self.first_event().await
    }

    /// The highest lease that the run has a line of; `None` if it has no complete line. Anyone can make a file with a number
    /// in its name, so only the number in a sealed line counts.
    pub(super) async fn lease(&self) -> Result<Option<u64>, Error> {
        let mut segments: Vec<&Segment> = self.segments.iter().collect();
        segments.sort_by_key(|segment| std::cmp::Reverse(segment.lease));
        for segment in segments {
            let text = self.text(segment).await?;
            let line = text.lines().next();
            let line = line.and_then(|line| decode(self.project.key(), &self.run_id, line, &|_| Ok(())).ok());
            if line.is_some_and(|line| line.lease == segment.lease) {
                return Ok(Some(segment.lease));
            }
        }
        Ok(None)
    }

    /// Whether the run ended, except with `budget` or with an open question about its work: such a run still has open work.
    ///
    /// # Errors
    /// `fs`.
    pub(in crate::run) async fn is_finished(&self) -> Result<bool, Error> {
        #[derive(Deserialize)]
        struct Kind {
            #[serde(rename = "type")]
            kind: String,
            #[serde(default)]
            result: Option<Asking>,
        }
        #[derive(Deserialize)]
        struct Asking {
            reason: StopReason,
            #[serde(default)]
            questions: Vec<Question>,
        }
        let Some(last) = self.current().pop() else { return Ok(false) };
        let text = self.text(last).await?;
        let kind = |value: &Value| json::from_value::<Kind>(value.clone()).map_err(|error| error.to_string());
        let kinds = text.lines().filter_map(|line| decode(self.project.key(), &self.run_id, line, &kind).ok());
        // Other events may follow `run-finished`, so only the last `run-finished` or `run-resumed` counts.
        let mut kinds =
            kinds.map(|line| line.event).filter(|event| matches!(event.kind.as_str(), "run-finished" | "run-resumed"));
        let is_asking = |result: &Asking| {
            result.reason == StopReason::Budget || result.questions.iter().any(|question| question.kind.is_of_work())
        };
        Ok(kinds
            .next_back()
            .is_some_and(|event| event.kind == "run-finished" && !event.result.as_ref().is_some_and(is_asking)))
    }

    /// The events from the last one that `is_start` selects; it gets the newest event first. Reads only the segments, and
    /// decodes only the lines, that have them.
    ///
    /// # Errors
    /// `fs`. Damaged lines, and lines of former holders of the lease, are left out.
    pub(in crate::run) async fn since_last(&self, is_start: &dyn Fn(&Event) -> bool) -> Result<Vec<Envelope>, Error> {
        let mut segments = self.current();
        // The newest first.
        let mut events: Vec<Envelope> = Vec::new();
        'segments: while let Some(segment) = segments.pop() {
            let text = self.text(segment).await?;
            for line in text.lines().rev() {
                let Ok(line) = decode(self.project.key(), &self.run_id, line, &Event::read) else { continue };
                let line = line.into_envelope(&self.run_id);
                if events.last().is_some_and(|next| line.seq >= next.seq) {
                    continue;
                }
                let is_first = is_start(&line.event);
                events.push(line);
                if is_first {
                    break 'segments;
                }
            }
        }
        events.reverse();
        Ok(events)
    }

    /// Whether the run has such an event.
    ///
    /// # Errors
    /// As [`Self::since_last`].
    pub(super) async fn has(&self, is_it: &dyn Fn(&Event) -> bool) -> Result<bool, Error> {
        Ok(self.since_last(is_it).await?.first().is_some_and(|first| is_it(&first.event)))
    }

    /// The segments to read.
    fn current(&self) -> Vec<&Segment> {
        current(self.segments.iter()).0
    }
}
