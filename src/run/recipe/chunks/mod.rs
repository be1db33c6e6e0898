//! The chunk recipe: an executor works on one chunk after another. Each attempt is verified and reviewed. SHIP makes one
//! commit on the branch; REVISE takes the files back to their base, and the next attempt gets the findings.

mod approval;
mod board;
mod check;
mod end;
mod fact;
mod list;
mod perform;
mod prompt;
mod proposal;
mod state;
mod summary;

pub(in crate::run) use board::chunks_left;
pub use board::{ChunkState, ListedAttempt, ListedChunk, ListedOutcome, list_chunks};
pub use check::{ChunkReport, check_chunks};
pub use fact::ChunkFact;
pub use list::Chunk;
pub(in crate::run) use list::FINAL;
pub use state::{Failed, Shipped};
pub(in crate::run) use state::{beginning, shipped_by};
pub use summary::Summary;

use super::stall::Repetition;
use super::{AnyRecipe, Recipe, Row, View};
use crate::config::Settings;
use crate::error::ErrorCode;
use crate::ledger::Ledger;
use crate::port::{AgentRole, Answer, Phase, QuestionKind};
use crate::review::{self, Decision, Reviewed, Tier};
use crate::run::branch::BranchFact;
use crate::run::event::{Event, IterationClose, RunStarted};
use crate::run::fault::Fault;
use crate::run::machine::RunState;
use crate::run::options::{StopReason, Work};
use crate::run::review::{ReviewFact, unreadable};
use crate::run::verify::VerificationFact;
use crate::snapshot::FileChange;
use crate::text::counted;
use crate::verification::VerificationResult;
use list::Status;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use state::{Folder, State};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChunkCommand {
    CheckProposal,
    /// Write the approved chunks.
    SaveChunks,
    /// Revert what an abandoned run left, and read what earlier runs left.
    ReadState,
    /// Switch to the branch.
    Prepare,
    StartChunk,
    PrepareAttempt,
    CheckCandidate,
    Verify,
    ReadReview,
    /// Record the rejected changes and revert them.
    Revert,
    Commit,
    Summarize,
    Fail,
    DraftPullRequest,
}

/// The state of a run over chunks, folded from its journal.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Chunks {
    work: Option<Work>,
    title: String,
    chunks: Vec<Chunk>,
    status: BTreeMap<String, Status>,
    state: State,
    /// The reasons of the chunks that failed in this run.
    failures: BTreeMap<String, String>,
    step: Step,
    /// The index of the current chunk. In the final review, it is the number of chunks.
    at: usize,
    current: Current,
    prepared: Prepared,
    /// The proposals that were rejected.
    proposals: u32,
    /// The chunks were proposed in this run, so the harness wrote their file.
    proposed: bool,
    /// The answer of the iteration that ended last.
    answer: Option<Value>,
    /// What the user said when the chunks were approved.
    note: Option<String>,
    /// Why the pull request was not opened.
    unopened: Option<String>,
    /// The run was resumed for the answer to its last question: the state is not its own any more.
    is_stale: bool,
    /// Everything is done.
    is_ended: bool,
    repetition: Box<Repetition>,
}

/// What [`ChunkFact::StateRead`] and [`ChunkFact::RunPrepared`] have.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Prepared {
    branch: String,
    repaired: Vec<String>,
    /// HEAD is on the branch.
    is_ready: bool,
    base_branch: Option<String>,
    base: Option<String>,
    /// HEAD's commit: the last accepted chunk.
    head: Option<String>,
}

/// The state of the current chunk.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Current {
    settings: Box<Settings>,
    /// The number of attempts that were rejected in this run.
    rejected: u32,
    /// The findings come from the final review of what is committed, so nothing was reverted.
    committed: bool,
    /// 1-based.
    attempt: u32,
    folder: String,
    /// The tag of the project before the attempt; empty while no attempt is open.
    base: String,
    candidate: Option<Candidate>,
    /// The number of the executor's iterations.
    iterations: u32,
    /// The consecutive iterations that reached the limit of tool calls while they changed files.
    continued: u32,
    results: Vec<VerificationResult>,
    /// Why the last answer of the reviewer has no readable verdict.
    unreadable: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Candidate {
    tag: String,
    files: Vec<FileChange>,
    /// The new files that git ignores. They are reviewed, and not committed.
    ignored: Vec<String>,
    /// Who changed what when the candidate was recorded.
    ledger: Ledger,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
enum Step {
    #[default]
    Propose,
    CheckProposal,
    Approve,
    SaveChunks,
    ReadState,
    Prepare,
    StartChunk,
    PrepareAttempt,
    Execute,
    CheckCandidate,
    Verify,
    Review(Tier),
    ReadReview(Tier),
    Revert,
    Commit,
    Summarize,
    Fail,
    DraftPullRequest,
    OpenPullRequest,
}

/// How many iterations may follow one that reached the limit of tool calls, within one attempt.
const CONTINUATIONS: u32 = 10;

impl Recipe for Chunks {
    type Command = ChunkCommand;
    const MAX_ITERATIONS: Option<u32> = None;
    const ANYTIME: &'static [&'static str] = &["branch-moved"];

    fn downcast(any: &AnyRecipe) -> Option<&Self> {
        if let AnyRecipe::Chunks(chunks) = any { Some(chunks) } else { None }
    }

    fn fold(&mut self, event: &Event, run: &mut RunState) {
        self.repetition.fold(event, run);
        match event {
            Event::RunStarted(started) => self.start(started, run),
            Event::ConfigLoaded { settings, .. } => self.configure(settings, run),
            // The work is judged or accepted, and a message is more work.
            Event::Steered { .. } if self.step == Step::Commit && self.has_work() => self.step = Step::Execute,
            Event::Steered { .. } if self.is_ended || self.step == Step::OpenPullRequest => self.reopen(),
            Event::QuestionAnswered { answer, .. } => self.answered(answer, run),
            Event::QuestionUnanswered { id } => self.unanswered(id, run),
            Event::Verification(fact) => self.fold_verification(fact, run),
            Event::Review(fact) => self.fold_review(fact, run),
            Event::Branch(BranchFact::BranchMoved { to, .. }) => self.prepared.head = Some(to.clone()),
            Event::Chunks(fact) => self.fold_own(fact, run),
            Event::RunResumed { .. } => {
                // The state was written before the question, and later runs may have changed it since.
                self.is_stale = self.step == Step::OpenPullRequest && run.asked.open.is_some();
                self.current.unreadable = None;
                // The verification runs again.
                if self.step == Step::Verify {
                    self.current.results.clear();
                }
            }
            Event::IterationStarted { role: AgentRole::Builder, .. } => self.current.iterations += 1,
            Event::IterationFinished { close, answer, files_changed, .. } => {
                self.finish_iteration(*close, answer.as_ref(), !files_changed.is_empty(), run);
            }
            _ => {}
        }
    }

    fn row(&self, _: &RunState) -> Row<ChunkCommand> {
        use ChunkCommand as Do;
        use Phase::{Accept, Build, Check, Plan, Review};
        match self.step {
            Step::Propose => Row::iterate(Plan),
            Step::CheckProposal => Row::perform(Plan, Do::CheckProposal, &["chunks-proposed", "proposal-rejected"]),
            Step::Approve => Row::ask(Plan, QuestionKind::Chunks),
            Step::SaveChunks => Row::perform(Plan, Do::SaveChunks, &["chunks-approved"]),
            Step::ReadState => Row::perform(Plan, Do::ReadState, &["state-read"]),
            Step::Prepare => Row::perform(Plan, Do::Prepare, &["snapshot-saved", "run-prepared"]),
            Step::StartChunk => Row::perform(Build, Do::StartChunk, &["chunk-started"]),
            Step::PrepareAttempt => Row::perform(Build, Do::PrepareAttempt, &["snapshot-saved", "attempt-started"]),
            Step::Execute => Row::iterate(Build),
            Step::CheckCandidate => {
                Row::perform(Check, Do::CheckCandidate, &["snapshot-saved", "attempt-recorded", "attempt-rejected"])
            }
            Step::Verify => {
                let facts = &["verification-checked", "verification-finished", "verification-inconclusive"];
                Row::perform(Check, Do::Verify, facts)
            }
            Step::Review(_) => Row::iterate(Review),
            Step::ReadReview(_) => Row::perform(Review, Do::ReadReview, &["review-given", "review-unreadable"]),
            Step::Revert => Row::perform(Review, Do::Revert, &["snapshot-saved", "attempt-reverted"]),
            Step::Commit => Row::perform(Accept, Do::Commit, &["chunk-committed", "attempt-rejected"]),
            Step::Summarize => Row::perform(Accept, Do::Summarize, &["summary-written"]),
            Step::Fail => Row::perform(Review, Do::Fail, &["chunk-failed"]),
            Step::DraftPullRequest => Row::perform(Accept, Do::DraftPullRequest, &["pull-request-drafted"]),
            Step::OpenPullRequest => Row::ask(Accept, QuestionKind::PullRequest),
        }
    }

    fn depends_on_authors(&self) -> bool {
        matches!(self.step, Step::CheckCandidate | Step::Revert)
    }

    fn step(&self) -> String {
        format!("{:?}", self.step)
    }

    fn why(fact: &Event) -> &'static str {
        use ChunkFact::*;
        let fact = match fact {
            Event::Verification(fact) => return fact.why(),
            Event::Review(fact) => return fact.why(),
            Event::Chunks(fact) => fact,
            _ => return "",
        };
        match fact {
            ChunksApproved { .. } => "the steps are approved",
            RunPrepared { .. } => "the branch is ready",
            AttemptRecorded { .. } => "the agent stopped",
            AttemptRejected { .. } => "the attempt is rejected",
            AttemptReverted { .. } => "the rejected attempt is undone",
            ChunkCommitted { .. } | SummaryWritten { .. } => "the step is committed",
            ChunkFailed { .. } => "the step failed",
            _ => "",
        }
    }

    fn iteration_message(&self, iteration: u32) -> String {
        format!("{}, iteration {iteration}: {}", self.spec(), self.chunk().title)
    }

    fn unfinished(&self, _: &RunState) -> String {
        match self.chunks.get(self.at) {
            Some(chunk) => format!("the chunk {} is not shipped", chunk.id),
            None => "the spec is not finished".to_owned(),
        }
    }

    fn question(&self, run: &RunState) -> (String, Value) {
        self.question_of_step(run.usage())
    }

    fn check_answer(&self, answer: &Answer) -> Result<(), String> {
        match (&answer.value, self.step) {
            (Some(value), Step::Approve) => match list::from_value(value.clone()) {
                Ok(list) if list.is_empty() => Err("the list is empty; to run nothing, answer `deny`".to_owned()),
                list => list.map(drop),
            },
            _ => Ok(()),
        }
    }

    /// The state, once it is read.
    fn files(view: &View<'_, Self>) -> Vec<(String, Option<String>)> {
        let chunks = view.recipe;
        match &chunks.state.beginning {
            Some(_) if !chunks.is_stale => vec![(Folder(chunks.spec()).state(), Some(chunks.state.to_text()))],
            _ => Vec::new(),
        }
    }
}

impl Chunks {
    /// The id of the spec.
    fn spec(&self) -> &str {
        match &self.work {
            Some(Work::Chunks { spec, .. }) => spec,
            _ => "",
        }
    }

    fn only(&self) -> Option<&[String]> {
        match &self.work {
            Some(Work::Chunks { only, .. }) => only.as_deref(),
            _ => None,
        }
    }

    /// The current chunk, or the chunk of the final review.
    fn chunk(&self) -> Chunk {
        self.chunks.get(self.at).cloned().unwrap_or_else(|| Chunk {
            id: FINAL.to_owned(),
            title: format!("Final review of {}", self.title),
            description:
                "Fix the findings of the final review, and do what the messages of the user ask. Change nothing else."
                    .to_owned(),
            ..Chunk::default()
        })
    }

    fn is_final(&self) -> bool {
        self.at >= self.chunks.len()
    }

    /// The run has changed the project: it switched to its branch, and reverted what an abandoned run left.
    pub(crate) fn is_prepared(&self) -> bool {
        self.prepared.is_ready
    }

    /// An attempt has changed files that are neither committed nor reverted.
    fn is_open(&self) -> bool {
        use Step::{CheckCandidate, Commit, Execute, ReadReview, Revert, Review, Verify};
        let works =
            matches!(self.step, Execute | CheckCandidate | Verify | Review(_) | ReadReview(_) | Commit | Revert);
        works && !self.current.base.is_empty()
    }

    fn start(&mut self, fact: &RunStarted, run: &mut RunState) {
        self.work = Some(fact.work.clone());
        self.title = fact.title.clone().unwrap_or_default();
        self.step = if fact.chunks.is_some() { Step::ReadState } else { Step::Propose };
        self.chunks = fact.chunks.clone().unwrap_or_default();
        if self.only().is_some_and(<[String]>::is_empty) {
            run.stop(StopReason::NothingToDo, "No step is selected: `only` is empty.");
        } else if fact.chunks.as_ref().is_some_and(Vec::is_empty) {
            run.stop(StopReason::NothingToDo, "The spec has no steps.");
        }
    }

    fn fold_own(&mut self, fact: &ChunkFact, run: &mut RunState) {
        match fact {
            ChunkFact::ChunksProposed { chunks } => {
                (self.chunks, self.step, self.proposed) = (chunks.clone(), Step::Approve, true);
                run.feedback.clear();
            }
            ChunkFact::ProposalRejected { feedback } => self.propose_again(feedback, run),
            ChunkFact::ChunksApproved { chunks } => {
                (self.chunks, self.step) = (chunks.clone(), Step::ReadState);
                if chunks.is_empty() {
                    run.stop(StopReason::NothingToDo, "The spec has no steps.");
                }
            }
            ChunkFact::StateRead { branch, beginning, shipped, failed, finished, repaired } => {
                let (branch, repaired) = (branch.clone(), repaired.clone());
                self.prepared = Prepared { branch, repaired, ..Prepared::default() };
                self.state = State {
                    beginning: Some(beginning.clone()),
                    shipped: shipped.clone(),
                    failed: failed.clone(),
                    finished: finished.clone(),
                    ..State::default()
                };
                for chunk in &self.chunks {
                    // A run that ended before the summary left the commit alone.
                    if let Some(shipped) = self.state.shipped.get_mut(&chunk.id).filter(|it| it.summary.is_none()) {
                        shipped.summary = Some(Summary::of_changes(&chunk.title, &shipped.files, Vec::new()));
                    }
                }
                self.step = Step::Prepare;
            }
            ChunkFact::RunPrepared { base_branch, base, head, tag, finished, .. } => {
                let Prepared { branch, repaired, .. } = std::mem::take(&mut self.prepared);
                let (base_branch, base, head) = (base_branch.clone(), base.clone(), head.clone());
                self.prepared = Prepared { branch, repaired, base_branch, base, head, is_ready: true };
                self.status.extend(self.state.shipped.keys().map(|id| (id.clone(), Status::Shipped)));
                run.snapshots.pre.get_or_insert_with(|| tag.clone());
                if let Some(beginning) = &mut self.state.beginning {
                    beginning.commit.clone_from(&self.prepared.base);
                }
                if *finished {
                    let steps = counted(self.chunks.len(), "step");
                    return run.stop(StopReason::NothingToDo, &format!("Finished before: {steps} of {}.", self.spec()));
                }
                self.choose(run);
            }
            ChunkFact::ChunkStarted { settings, feedback, .. } => {
                self.current = Current { settings: settings.clone(), ..Current::default() };
                self.repetition.began();
                run.feedback.clone_from(feedback);
                self.step = Step::PrepareAttempt;
                if self.is_final() && !settings.reviews.r#final {
                    self.step = self.after_final(run);
                }
            }
            ChunkFact::AttemptStarted { attempt, folder, base, head, verifies } => {
                self.prepared.head.clone_from(head);
                run.ledger.settle();
                let Current { settings, rejected, committed, .. } = std::mem::take(&mut self.current);
                let (attempt, folder, base) = (*attempt, folder.clone(), base.clone());
                self.current = Current { settings, rejected, committed, attempt, folder, base, ..Current::default() };
                let is_review = self.is_final() && run.feedback.is_empty() && !run.has_unanswered();
                self.step = match is_review {
                    true if *verifies => Step::Verify,
                    true => Step::Review(Tier::Final),
                    false => Step::Execute,
                };
            }
            ChunkFact::AttemptRecorded { tag, files, ignored } => {
                let (tag, files, ignored) = (tag.clone(), files.clone(), ignored.clone());
                self.current.candidate = Some(Candidate { tag, files, ignored, ledger: run.ledger.clone() });
                self.step = Step::Verify;
            }
            ChunkFact::AttemptRejected { feedback } => self.reject(run, feedback),
            ChunkFact::AttemptReverted { conflicts, .. } => {
                if !conflicts.is_empty() {
                    let names = conflicts.join(", ");
                    run.feedback.push_str(&format!(
                        "\n\nThe user changed the same lines of these files, so your changes of them are still there: {names}. \
                         Read them before you change them, and keep the user's lines.\n"
                    ));
                }
                self.current.base.clear();
                self.current.rejected += 1;
                self.current.committed = false;
                let chunk = self.chunk();
                let max = chunk.max_iterations.unwrap_or(self.current.settings.defaults.max_iterations);
                self.step = if self.current.rejected < max { Step::PrepareAttempt } else { Step::Fail };
            }
            ChunkFact::ChunkCommitted { chunk, commit, files } => {
                run.ledger.settle();
                self.prepared.head = Some(commit.clone());
                run.feedback.clear();
                run.accept_messages();
                self.state.failed.remove(chunk);
                if self.is_final() {
                    self.step = self.after_final(run);
                    return;
                }
                // The final review of what was there before.
                self.state.finished = None;
                let hash = self.chunk().hash();
                let shipped = Shipped { hash, commit: commit.clone(), files: files.clone(), summary: None };
                self.state.shipped.insert(chunk.clone(), shipped);
                self.status.insert(chunk.clone(), Status::Shipped);
                self.step = Step::Summarize;
            }
            ChunkFact::SummaryWritten { chunk, summary } => {
                if let Some(shipped) = self.state.shipped.get_mut(chunk) {
                    shipped.summary = Some(summary.clone());
                }
                self.choose(run);
            }
            ChunkFact::ChunkFailed { chunk, reason, .. } => {
                let feedback = std::mem::take(&mut run.feedback);
                self.state.failed.insert(chunk.clone(), Failed { reason: reason.clone(), feedback });
                self.failures.insert(chunk.clone(), reason.clone());
                self.status.insert(chunk.clone(), Status::Failed);
                if self.current.settings.defaults.stop_on_failure || self.is_final() {
                    return self.end(run);
                }
                self.choose(run);
            }
            ChunkFact::PullRequestDrafted { .. } => {
                self.state.finished.clone_from(&self.prepared.head);
                self.step = Step::OpenPullRequest;
                if run.has_unanswered() {
                    self.reopen();
                }
            }
        }
    }

    fn fold_verification(&mut self, fact: &VerificationFact, run: &mut RunState) {
        match fact {
            VerificationFact::VerificationChecked { result } => self.current.results.push(result.clone()),
            VerificationFact::VerificationFinished { feedback: Some(feedback), .. } => self.reject(run, feedback),
            VerificationFact::VerificationFinished { .. } => self.review_after(None, run),
            VerificationFact::VerificationInconclusive { reason } => {
                self.current.results.clear();
                let message = format!(
                    "the verification is inconclusive: {reason}. The attempt is unchanged; resume the run to verify it again"
                );
                run.fail(Fault::inconclusive(ErrorCode::Shell, message));
            }
        }
    }

    fn fold_review(&mut self, fact: &ReviewFact, run: &mut RunState) {
        match fact {
            ReviewFact::ReviewGiven { tier, review } => {
                self.current.unreadable = None;
                match review.decision {
                    Decision::Ship => self.review_after(Some(*tier), run),
                    Decision::Revise => {
                        let reviewed = if self.has_work() { Reviewed::Attempt } else { Reviewed::Committed };
                        self.reject(run, &review::feedback(review, reviewed));
                    }
                }
            }
            ReviewFact::ReviewUnreadable { tier, reason } => {
                self.step = Step::Review(*tier);
                unreadable(&mut self.current.unreadable, *tier, reason, "The attempt", run);
            }
        }
    }

    /// The attempt has work of an executor. The attempt of the final review of what is committed has none.
    fn has_work(&self) -> bool {
        !self.is_final() || self.current.candidate.is_some() || self.step == Step::CheckCandidate
    }

    /// The attempt is rejected.
    fn reject(&mut self, run: &mut RunState, feedback: &str) {
        run.feedback = feedback.to_owned();
        self.current.committed = !self.has_work();
        self.step = if self.has_work() { Step::Revert } else { Step::PrepareAttempt };
    }

    /// The step after the verification, or after a tier of reviews that shipped the attempt.
    fn review_after(&mut self, tier: Option<Tier>, run: &RunState) {
        let reviews = &self.current.settings.reviews;
        self.step = match (self.is_final(), tier) {
            (true, None) if reviews.r#final => Step::Review(Tier::Final),
            (true, _) if self.current.candidate.is_none() => self.after_final(run),
            (false, None) if reviews.quick => Step::Review(Tier::Quick),
            (false, None | Some(Tier::Quick)) if reviews.deep => Step::Review(Tier::Deep),
            _ if run.has_unanswered() => Step::Execute,
            _ => Step::Commit,
        };
    }

    /// The step after the final review, or its fixes.
    fn after_final(&self, run: &RunState) -> Step {
        if run.has_unanswered() { Step::PrepareAttempt } else { Step::DraftPullRequest }
    }

    /// A resumed run has another configuration: the step that it was in may be off now.
    fn configure(&mut self, settings: &Settings, run: &RunState) {
        *self.current.settings = settings.clone();
        if let Step::Review(tier) | Step::ReadReview(tier) = self.step {
            let reviews = &settings.reviews;
            let is_on = match tier {
                Tier::Quick => reviews.quick,
                Tier::Deep => reviews.deep,
                Tier::Final => reviews.r#final,
            };
            if !is_on {
                self.review_after(Some(tier), run);
            }
        }
    }

    fn finish_iteration(&mut self, close: IterationClose, answer: Option<&Value>, changed: bool, run: &mut RunState) {
        // The run waits or ends; the next iteration then repeats its work.
        if matches!(close, IterationClose::ModelFailed | IterationClose::Budget | IterationClose::Asked) {
            return;
        }
        // Work that does not fit into one iteration continues in the next one.
        let is_long = close == IterationClose::ToolLimit && changed && self.current.continued < CONTINUATIONS;
        if is_long && self.step == Step::Execute {
            self.current.continued += 1;
            let chunk = self.chunk().id;
            return self.repetition.weigh(run, &chunk);
        }
        self.answer = answer.filter(|_| close == IterationClose::Completed).cloned();
        self.step = match self.step {
            Step::Propose => Step::CheckProposal,
            Step::Execute => Step::CheckCandidate,
            Step::Review(tier) => Step::ReadReview(tier),
            step => step,
        };
    }
}
