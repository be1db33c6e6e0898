//! The chunks of a spec with their state and attempts, for readers.

use super::list::{self, Chunk, FINAL, Status};
use super::perform::{finding, of_tier};
use super::state::{self, Folder, State};
use super::{Chunks, Step};
use crate::error::{Error, ErrorCode};
use crate::json;
use crate::port::{ProjectDir, Usage};
use crate::review::{Decision, Review, Tier};
use crate::run::journal::{KnownRun, Runs};
use crate::run::list::{self as list_of_runs, RunEnd};
use crate::run::machine::Ending;
use crate::run::recipe::Recipe;
use crate::run::record::{IterationOutcome, IterationRecord};
use crate::run::spending::WorkKind;
use crate::run::unfinished;
use crate::verification::{StepOutcome, VerificationResult};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A chunk with its state.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct ListedChunk {
    #[serde(flatten)]
    pub chunk: Chunk,
    pub state: ChunkState,
    /// The commit that shipped it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// In order. The oldest ones may be pruned.
    pub attempts: Vec<ListedAttempt>,
    /// The failed or pending chunks that it waits for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocked_by: Vec<String>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// US dollars of all recorded attempts, if known. The summarizer's call belongs to no attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum ChunkState {
    Pending,
    /// A run that has not ended works on it.
    Running,
    Shipped,
    Failed,
    /// A chunk that it depends on failed.
    Blocked,
}

/// A recorded attempt at a chunk.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct ListedAttempt {
    /// 1-based, over all runs.
    pub number: u32,
    pub outcome: ListedOutcome,
    /// Why it was revised or rejected, in short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Milliseconds since the epoch; `None` before its first iteration ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<u64>,
    /// The model of the executor, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    pub usage: Usage,
    /// US dollars, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    pub verification: Vec<VerificationResult>,
    pub reviews: BTreeMap<String, Review>,
    /// The folder with its record.
    pub folder: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum ListedOutcome {
    Shipped,
    /// A reviewer asked for changes.
    Revised,
    /// The verification failed, or nothing could be committed.
    Rejected,
    /// The run ended, and the attempt was taken back.
    Aborted,
    Open,
}

impl ListedOutcome {
    fn is_rejected(self) -> bool {
        matches!(self, Self::Revised | Self::Rejected)
    }
}

/// The chunks of a spec in the order of the file. The last one is the final review, `final-review`, once it has attempts.
/// Empty without `chunks.json`. Writes nothing.
///
/// # Errors
/// `invalid-argument` for a name that no spec has; `invalid-config` for chunks that cannot run, as in a run; `unsupported` for a newer state; `fs`.
pub async fn list_chunks(project: ProjectDir<'_>, spec: &str) -> Result<Vec<ListedChunk>, Error> {
    if !list::is_name(spec) {
        let message = format!("{spec:?} is not the name of a spec: use letters, digits, `-`, `_` and `.`");
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    let folder = Folder(spec);
    let Some(text) = project.read_text(&folder.chunks()).await? else { return Ok(Vec::new()) };
    let (chunks, _) = list::read(&text).map_err(|why| {
        let message = format!("{}: {why}", folder.chunks());
        Error::new(ErrorCode::InvalidConfig, message).at_path(folder.chunks())
    })?;
    let state = State::load(project, folder).await?.unwrap_or_default();
    let running = running(project, spec).await?;
    let status: BTreeMap<String, Status> =
        chunks.iter().map(|chunk| (chunk.id.clone(), status_of(&state, chunk))).collect();
    let all_shipped = status.values().all(|status| *status == Status::Shipped);
    let mut blocked: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (id, by) in list::blocked(&chunks, &status) {
        blocked.entry(id).or_default().push(by);
    }
    let review = Chunk { id: FINAL.to_owned(), title: "Final review".to_owned(), ..Chunk::default() };
    let mut listed = Vec::new();
    for chunk in chunks.into_iter().chain([review]) {
        let own_run = running.as_ref().filter(|running| running.id == chunk.id);
        let is_running = own_run.is_some_and(|running| !running.failed);
        let own = status.get(&chunk.id).copied().unwrap_or_default();
        let blocked_by = blocked.remove(&chunk.id).unwrap_or_default();
        let waits_for_failed = blocked_by.iter().any(|by| status.get(by) == Some(&Status::Failed));
        let state_now = match own {
            _ if is_running => ChunkState::Running,
            Status::Shipped => ChunkState::Shipped,
            Status::Failed => ChunkState::Failed,
            Status::Pending if waits_for_failed => ChunkState::Blocked,
            Status::Pending => ChunkState::Pending,
        };
        let is_final_done = chunk.id == FINAL && state.finished.is_some() && all_shipped && !is_running;
        let is_shipped = own == Status::Shipped || is_final_done;
        let is_open = own_run.is_some_and(|running| running.has_attempt);
        let attempts = attempts(project, folder, &chunk.id, is_open, is_shipped).await?;
        if chunk.id == FINAL && attempts.is_empty() {
            continue;
        }
        listed.push(ListedChunk {
            state: if is_final_done { ChunkState::Shipped } else { state_now },
            commit: state.shipped.get(&chunk.id).filter(|_| own == Status::Shipped).map(|of| of.commit.clone()),
            reason: state.failed.get(&chunk.id).filter(|_| own == Status::Failed).map(|of| of.reason.clone()),
            cost: sum(attempts.iter().map(|attempt| attempt.cost)),
            attempts,
            blocked_by,
            chunk,
        });
        project.pause().await;
    }
    Ok(listed)
}

/// How many of the chunks are not shipped. `only` limits the choice.
pub(in crate::run) async fn chunks_left(
    project: ProjectDir<'_>,
    spec: &str,
    chunks: &[Chunk],
    only: Option<&[String]>,
) -> Result<u32, Error> {
    let state = State::load(project, Folder(spec)).await?.unwrap_or_default();
    let is_chosen = |chunk: &&Chunk| only.is_none_or(|only| only.contains(&chunk.id));
    let is_left = |chunk: &&Chunk| status_of(&state, chunk) != Status::Shipped;
    Ok(chunks.iter().filter(is_chosen).filter(is_left).count() as u32)
}

/// A shipped chunk that asks for something else is pending again.
fn status_of(state: &State, chunk: &Chunk) -> Status {
    match state.shipped.get(&chunk.id) {
        Some(shipped) if shipped.hash == chunk.hash() => Status::Shipped,
        _ if state.failed.contains_key(&chunk.id) => Status::Failed,
        _ => Status::Pending,
    }
}

/// The chunk that a run works on.
struct Running {
    id: String,
    /// Its last attempt is neither committed nor reverted.
    has_attempt: bool,
    /// The host failed, so the run goes on only if it is resumed.
    failed: bool,
}

/// The chunk that the newest run over the spec works on. `None` if that run is over, or if its journal cannot be read.
async fn running(project: ProjectDir<'_>, spec: &str) -> Result<Option<Running>, Error> {
    let (runs, subject) = (Runs::read(project).await?, Folder(spec).path());
    let of_spec = |run: &&KnownRun| run.kind == Some(WorkKind::Chunks) && run.subjects.contains(&subject);
    let Some(run) = runs.own.iter().rev().find(of_spec).filter(|run| !run.is_over) else { return Ok(None) };
    let machine = match unfinished::fold(project, &runs, &run.run_id).await {
        Ok((machine, _)) if machine.is_open() => machine,
        Err(error) if error.code == ErrorCode::Fs => return Err(error),
        _ => return Ok(None),
    };
    // Whether the next command ends the run.
    let is_ending = matches!(machine.ending(), Some(Ending::Stopped(..))) && !machine.is_finished();
    let chunks = Chunks::downcast(&machine.recipe);
    let Some(chunks) = chunks.filter(|chunks| chunks.works() && (!is_ending || chunks.has_attempt())) else {
        return Ok(None);
    };
    let listed = list_of_runs::listed_run(project, &runs, &run.run_id).await?;
    let failed = listed.is_some_and(|run| run.reason == RunEnd::Failed);
    Ok(Some(Running { id: chunks.chunk().id, has_attempt: chunks.has_attempt(), failed }))
}

impl Chunks {
    /// The run works on a chunk, or is between two attempts at it.
    fn works(&self) -> bool {
        use Step::{Approve, CheckProposal, OpenPullRequest, Prepare, Propose, ReadState, SaveChunks};
        !matches!(self.step, Propose | CheckProposal | Approve | SaveChunks | ReadState | Prepare | OpenPullRequest)
    }

    fn has_attempt(&self) -> bool {
        !self.current.base.is_empty()
    }
}

/// What `attempt.json` of an attempt has.
#[derive(Deserialize)]
struct Stored {
    iterations: Vec<IterationRecord>,
}

#[derive(Deserialize, Default)]
struct StoredVerification {
    results: Vec<VerificationResult>,
}

async fn attempts(
    project: ProjectDir<'_>,
    folder: Folder<'_>,
    chunk: &str,
    is_running: bool,
    is_shipped: bool,
) -> Result<Vec<ListedAttempt>, Error> {
    let mut listed = Vec::new();
    let numbers = state::attempts(project, folder, chunk).await?;
    let last = numbers.last().copied();
    for number in numbers {
        let folder = folder.attempt(chunk, number);
        let read = async |name: &str| project.read_text(&format!("{folder}/{name}")).await;
        let iterations = read("attempt.json").await?.and_then(|text| json::read::<Stored>(&text).ok());
        let iterations = iterations.map(|stored| stored.iterations).unwrap_or_default();
        let verification = read("verification.json").await?;
        let verification =
            verification.and_then(|text| json::read::<StoredVerification>(&text).ok()).unwrap_or_default();
        let mut reviews = BTreeMap::new();
        for tier in [Tier::Quick, Tier::Deep, Tier::Final] {
            let review = read(&of_tier(tier, "json")).await?.and_then(|text| json::read(&text).ok());
            reviews.extend(review.map(|review| (tier.as_str().to_owned(), review)));
        }
        let is_last = Some(number) == last;
        let feedback = read("feedback.md").await?;
        // The final review of what is committed has no summary.
        let is_accepted = chunk == FINAL
            && feedback.is_none()
            && !(is_running && is_last)
            && reviews.get(Tier::Final.as_str()).is_some_and(|review: &Review| review.decision == Decision::Ship);
        let outcome = Judged {
            is_shipped: read("summary.json").await?.is_some() || (is_shipped && is_last) || is_accepted,
            is_rejected: feedback.is_some(),
            is_open: is_running && is_last,
            is_ended: iterations.iter().any(|record| record.outcome != IterationOutcome::Interrupted),
        }
        .outcome(&reviews, &verification.results);
        listed.push(ListedAttempt {
            number,
            outcome,
            reason: feedback.filter(|_| outcome.is_rejected()).map(|feedback| finding(&feedback)),
            started_at: iterations.first().map(|record| record.started_at),
            ended_at: iterations.last().map(|record| record.ended_at),
            model: iterations.first().and_then(|record| record.answered_by.clone().or(record.model.clone())),
            usage: iterations.iter().fold(Usage::default(), |sum, record| sum.plus(&record.usage)),
            cost: sum(iterations.iter().map(|record| record.usage.cost_usd)),
            verification: verification.results,
            reviews,
            folder,
        });
    }
    Ok(listed)
}

/// What the files of an attempt say.
struct Judged {
    is_shipped: bool,
    is_rejected: bool,
    is_open: bool,
    is_ended: bool,
}

impl Judged {
    fn outcome(&self, reviews: &BTreeMap<String, Review>, results: &[VerificationResult]) -> ListedOutcome {
        let is_revised = reviews.values().any(|review| review.decision == Decision::Revise);
        let failed = results.iter().any(|result| result.required && result.outcome == StepOutcome::Failed);
        match self {
            Self { is_shipped: true, .. } => ListedOutcome::Shipped,
            Self { is_rejected: true, .. } if is_revised && !failed => ListedOutcome::Revised,
            Self { is_rejected: true, .. } => ListedOutcome::Rejected,
            Self { is_open: true, .. } => ListedOutcome::Open,
            Self { is_ended: true, .. } => ListedOutcome::Aborted,
            _ => ListedOutcome::Open,
        }
    }
}

/// The sum of what is known; `None` if nothing is.
fn sum(costs: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    costs.flatten().reduce(|sum, cost| sum + cost)
}
