//! What comes after a chunk: the next one, the final review, or the end of the run.

use super::list::{self, Status};
use super::{Chunks, Current, Step};
use crate::run::machine::RunState;
use crate::run::options::StopReason;
use crate::text::counted;

impl Chunks {
    /// The user wants more after the end: an attempt of its own, as for the final review.
    pub(super) fn reopen(&mut self) {
        (self.at, self.step, self.is_ended) = (self.chunks.len(), Step::StartChunk, false);
        self.is_stale = false;
    }

    /// Chooses the next chunk, or the final review, or ends the run.
    pub(super) fn choose(&mut self, run: &mut RunState) {
        self.current = Current::default();
        let all_shipped = self.chunks.iter().all(|chunk| self.status.get(&chunk.id) == Some(&Status::Shipped));
        match list::ready(&self.chunks, &self.status, self.only()) {
            Some(next) => (self.at, self.step) = (next, Step::StartChunk),
            None if all_shipped && self.only().is_none() => {
                (self.at, self.step) = (self.chunks.len(), Step::StartChunk)
            }
            None => self.end(run),
        }
    }

    pub(super) fn end(&mut self, run: &mut RunState) {
        let shipped = self.chunks.iter().filter(|chunk| self.status.get(&chunk.id) == Some(&Status::Shipped)).count();
        let (spec, total) = (self.spec(), counted(self.chunks.len(), "step"));
        let blocked = list::blocked(&self.chunks, &self.status);
        let blocked: Vec<_> =
            blocked.iter().filter(|(id, _)| self.only().is_none_or(|only| only.contains(id))).collect();
        if self.failures.is_empty() && blocked.is_empty() {
            if run.has_unanswered() {
                return self.reopen();
            }
            let message = format!("Done: {shipped} of {total} of {spec} finished.{}", self.unopened());
            self.is_ended = true;
            return run.stop(StopReason::Done, &message);
        }
        let failed = self.failures.iter().map(|(id, reason)| format!("\"{}\" failed: {reason}", self.title(id)));
        let waiting =
            blocked.iter().map(|(id, by)| format!("\"{}\" waits for \"{}\".", self.title(id), self.title(by)));
        let reasons: Vec<String> = failed.chain(waiting).collect();
        let message = format!("{shipped} of {total} of {spec} finished. {}", reasons.join(" "));
        run.stop(if blocked.is_empty() { StopReason::MaxAttempts } else { StopReason::Blocked }, &message);
    }

    fn title<'a>(&'a self, id: &'a str) -> &'a str {
        self.chunks.iter().find(|chunk| chunk.id == id).map_or(id, |chunk| &chunk.title)
    }
}
