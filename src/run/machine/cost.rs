//! What a run cost, by role, piece of work and attempt, and how much of it led to accepted work.
//!
//! Each call belongs to the next verdict on the present attempt: the call is accepted or rejected with it. What a later step
//! builds on, such as a plan, is judged with the piece of work.

use crate::port::{self, AgentRole, Answer, QuestionKind, rounded};
use crate::review::Decision;
use crate::run::event::Event;
use crate::run::options::StopReason;
use crate::run::recipe::chunks::{ChunkFact, FINAL};
use crate::run::recipe::specs::{self, SpecFact};
use crate::run::recipe::task::TaskFact;
use crate::run::review::ReviewFact;
use crate::run::verify::VerificationFact;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// US dollars. What is neither accepted nor rejected is not judged.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Cost {
    /// All of it.
    pub spent: f64,
    /// For work that was accepted.
    pub accepted: f64,
    /// For work that was rejected or taken back.
    pub rejected: f64,
    /// The tokens or the price of a call were not known. Without a price, the call counts as much as the one before it.
    pub estimated: bool,
}

/// What an attempt at a piece of work cost.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct AttemptCost {
    /// The path of the spec or the id of the chunk; `None` for a task, and for what belongs to all chunks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<String>,
    /// As events number it: 1-based. For a chunk, attempts of earlier runs count.
    pub attempt: u32,
    /// As [`Cost::spent`].
    pub spent: f64,
    /// As [`Cost::accepted`].
    pub accepted: f64,
    /// As [`Cost::rejected`].
    pub rejected: f64,
    /// As [`Cost::estimated`].
    pub estimated: bool,
}

/// What a run cost.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunCost {
    /// As [`Cost::spent`].
    pub spent: f64,
    /// As [`Cost::accepted`].
    pub accepted: f64,
    /// As [`Cost::rejected`].
    pub rejected: f64,
    /// As [`Cost::estimated`].
    pub estimated: bool,
    /// By the role of the call.
    pub roles: BTreeMap<AgentRole, Cost>,
    /// By the paths of specs or the ids of chunks.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pieces: BTreeMap<String, Cost>,
    /// In the order in which they began.
    pub attempts: Vec<AttemptCost>,
}

/// The sum of the calls of a role in an attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Line {
    role: AgentRole,
    piece: Option<String>,
    attempt: u32,
    cost: Cost,
    /// Waits for the verdict on the attempt.
    open: f64,
    /// Waits for the acceptance of the piece of work.
    kept: f64,
}

/// Folds the cost of a run from its events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Book {
    lines: Vec<Line>,
    piece: Option<String>,
    attempt: u32,
    /// The attempt has calls since the last verdict, or work of an earlier run.
    is_open: bool,
}

impl Default for Book {
    fn default() -> Self {
        Self { lines: Vec::new(), piece: None, attempt: 1, is_open: false }
    }
}

/// What an event decides about the calls before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The next step builds on the attempt.
    Keep,
    /// The piece of work is accepted.
    Accept,
    /// The attempt is rejected.
    Reject,
    /// All attempts at the piece of work that are not judged are taken back.
    TakeBack,
}

/// `asked` is the kind of the open question.
fn verdict(event: &Event, asked: Option<QuestionKind>) -> Option<Verdict> {
    match event {
        Event::Verification(VerificationFact::VerificationFinished { feedback: Some(_), .. })
        | Event::Task(TaskFact::CompletionRefused { .. } | TaskFact::StallDetected { .. })
        | Event::Specs(SpecFact::AttemptFailed { .. })
        | Event::Chunks(ChunkFact::ProposalRejected { .. } | ChunkFact::AttemptRejected { .. }) => {
            Some(Verdict::Reject)
        }
        Event::Review(ReviewFact::ReviewGiven { review, .. }) if review.decision == Decision::Revise => {
            Some(Verdict::Reject)
        }
        Event::Specs(SpecFact::VerdictGiven { verdict: specs::Verdict::Fix, .. }) => Some(Verdict::Reject),
        Event::Task(TaskFact::PlanChecked { accepted, asks, .. }) => {
            Some(if *accepted || *asks { Verdict::Keep } else { Verdict::Reject })
        }
        Event::Specs(SpecFact::PlanAccepted { .. }) => Some(Verdict::Keep),
        // The user wants another plan, or other chunks.
        Event::QuestionAnswered { answer: Answer { decision: port::Decision::Revise, .. }, .. }
            if matches!(asked, Some(QuestionKind::Plan | QuestionKind::Chunks)) =>
        {
            Some(Verdict::TakeBack)
        }
        Event::Task(TaskFact::SnapshotRestored { .. })
        | Event::Specs(SpecFact::PlanInvalidated { .. })
        | Event::Chunks(ChunkFact::AttemptReverted { .. }) => Some(Verdict::TakeBack),
        Event::Specs(SpecFact::SpecFinished { .. })
        | Event::Chunks(
            ChunkFact::ChunksApproved { .. } | ChunkFact::ChunkCommitted { .. } | ChunkFact::SummaryWritten { .. },
        ) => Some(Verdict::Accept),
        _ => None,
    }
}

impl Book {
    pub(super) fn fold(&mut self, event: &Event, asked: Option<QuestionKind>) {
        if let Some(verdict) = verdict(event, asked) {
            self.judge(verdict);
        }
        match event {
            Event::Specs(SpecFact::SpecStarted { spec, candidate, .. }) => {
                self.begin(Some(spec.clone()));
                // A candidate of an earlier run counts as the first attempt, so its rejection begins the second.
                self.is_open = candidate.is_some();
            }
            Event::Chunks(ChunkFact::ChunkStarted { chunk, .. }) => self.begin(Some(chunk.clone())),
            Event::Specs(SpecFact::SpecFinished { .. })
            | Event::Chunks(ChunkFact::SummaryWritten { .. } | ChunkFact::ChunkFailed { .. }) => self.begin(None),
            Event::Chunks(ChunkFact::AttemptStarted { attempt, .. }) => self.attempt = *attempt,
            _ => {}
        }
    }

    fn begin(&mut self, piece: Option<String>) {
        (self.piece, self.attempt, self.is_open) = (piece, 1, false);
    }

    pub(super) fn pay(&mut self, role: AgentRole, dollars: f64, is_estimated: bool) {
        self.is_open = true;
        let (piece, attempt) = (&self.piece, self.attempt);
        let is_here = |line: &&mut Line| line.role == role && line.piece == *piece && line.attempt == attempt;
        if let Some(line) = self.lines.iter_mut().find(is_here) {
            line.pay(dollars, is_estimated);
            return;
        }
        let mut line = Line { role, piece: piece.clone(), attempt, cost: Cost::default(), open: 0.0, kept: 0.0 };
        line.pay(dollars, is_estimated);
        self.lines.push(line);
    }

    /// The gates failed.
    pub(super) fn reject(&mut self) {
        self.judge(Verdict::Reject);
    }

    fn judge(&mut self, verdict: Verdict) {
        for line in self.lines.iter_mut().filter(|line| line.piece == self.piece) {
            let open = std::mem::take(&mut line.open);
            match verdict {
                Verdict::Keep => line.kept += open,
                Verdict::Reject => line.cost.rejected += open,
                Verdict::Accept => line.cost.accepted += open + std::mem::take(&mut line.kept),
                Verdict::TakeBack => line.cost.rejected += open + std::mem::take(&mut line.kept),
            }
        }
        if matches!(verdict, Verdict::Reject | Verdict::TakeBack) && std::mem::take(&mut self.is_open) {
            self.attempt += 1;
        }
    }

    /// Dollars spent on the present piece of work.
    pub(super) fn spent_on_piece(&self) -> f64 {
        self.lines.iter().filter(|line| line.piece == self.piece).map(|line| line.cost.spent).sum()
    }

    /// Dollars by piece of work.
    pub(super) fn by_piece(&self) -> BTreeMap<String, f64> {
        let mut pieces = BTreeMap::new();
        for line in &self.lines {
            if let Some(piece) = &line.piece {
                *pieces.entry(piece.clone()).or_default() += line.cost.spent;
            }
        }
        pieces
    }

    /// How many specs or chunks the run worked on; 1 for a task.
    pub(super) fn pieces(&self) -> u32 {
        self.by_piece().keys().filter(|piece| *piece != FINAL).count().max(1) as u32
    }

    pub(super) fn piece(&self) -> Option<&str> {
        self.piece.as_deref()
    }

    pub(super) fn total(&self) -> Cost {
        sum(self.lines.iter())
    }

    /// The present attempt.
    pub(super) fn attempt(&self) -> AttemptCost {
        self.of_attempt(self.piece.as_deref(), self.attempt)
    }

    fn of_attempt(&self, piece: Option<&str>, attempt: u32) -> AttemptCost {
        let is_of = |line: &&Line| line.piece.as_deref() == piece && line.attempt == attempt;
        let Cost { spent, accepted, rejected, estimated } = sum(self.lines.iter().filter(is_of));
        AttemptCost { piece: piece.map(str::to_owned), attempt, spent, accepted, rejected, estimated }
    }

    /// The cost of a run that ends for this reason.
    pub(super) fn at_end(&self, reason: StopReason) -> RunCost {
        let mut book = self.clone();
        if reason == StopReason::Done {
            book.judge(Verdict::Accept);
        }
        book.report()
    }

    fn report(&self) -> RunCost {
        let Cost { spent, accepted, rejected, estimated } = self.total();
        let mut report = RunCost { spent, accepted, rejected, estimated, ..RunCost::default() };
        for line in &self.lines {
            let of_role = |other: &&Line| other.role == line.role;
            report.roles.entry(line.role).or_insert_with(|| sum(self.lines.iter().filter(of_role)));
            if let Some(piece) = &line.piece {
                let of_piece = |other: &&Line| other.piece == line.piece;
                report.pieces.entry(piece.clone()).or_insert_with(|| sum(self.lines.iter().filter(of_piece)));
            }
            let is_listed = |of: &AttemptCost| of.piece == line.piece && of.attempt == line.attempt;
            if !report.attempts.iter().any(is_listed) {
                report.attempts.push(self.of_attempt(line.piece.as_deref(), line.attempt));
            }
        }
        report
    }
}

impl Line {
    fn pay(&mut self, dollars: f64, is_estimated: bool) {
        self.cost.spent += dollars;
        self.open += dollars;
        self.cost.estimated |= is_estimated;
    }
}

fn sum<'a>(lines: impl Iterator<Item = &'a Line>) -> Cost {
    let sum = lines.fold(Cost::default(), |sum, Line { cost, .. }| Cost {
        spent: sum.spent + cost.spent,
        accepted: sum.accepted + cost.accepted,
        rejected: sum.rejected + cost.rejected,
        estimated: sum.estimated || cost.estimated,
    });
    Cost { spent: rounded(sum.spent), accepted: rounded(sum.accepted), rejected: rounded(sum.rejected), ..sum }
}
