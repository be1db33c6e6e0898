//! Performs the commands of the chunk recipe.

mod attempt;
mod candidate;
mod changes;
mod commit;
mod finish;
pub(super) use finish::finding;
mod prepare;
mod propose;
mod review;
mod start;
mod verify;

use super::{ChunkCommand, Chunks, Step, prompt};
use crate::agent::Paid;
use crate::config::Config;
use crate::error::Error;
use crate::gate::TaskFacts;
use crate::port::{Abort, Host};
use crate::review::Tier;
use crate::run::branch;
use crate::run::event::{Event, RunStarted};
use crate::run::journal::Runs;
use crate::run::machine::Ending;
use crate::run::options::RunOptions;
use crate::run::ownership::{self, TakenBack};
use crate::run::perform::{Performed, work_digest};
use crate::run::recipe::{AfterIteration, Brief, Effects, View};
use crate::run::session::Session;
use crate::snapshot::Evidence;

/// The run as this recipe sees it.
type Seen<'a> = View<'a, Chunks>;

impl Effects for Chunks {
    async fn start(
        host: &Host,
        options: &RunOptions,
        config: &Config,
        fact: RunStarted,
        _: &Abort,
        _: &Runs,
    ) -> Result<(RunStarted, Vec<Paid>), Error> {
        Ok((start::start(host, options, config, fact).await?, Vec::new()))
    }

    async fn brief(session: &Session<'_>) -> Result<Brief, Error> {
        match session.with(|machine: &Seen<'_>| machine.recipe.step) {
            Step::Review(tier) => Box::pin(review::brief(session, tier)).await,
            Step::Propose => Box::pin(propose::brief(session)).await,
            _ => Box::pin(attempt::brief(session)).await,
        }
    }

    async fn after_iteration(session: &Session<'_>, changed: &[String]) -> Result<AfterIteration, Error> {
        let tree = work_digest(session).await?;
        Ok(AfterIteration { worked: !changed.is_empty(), tree, ..AfterIteration::default() })
    }

    /// The gates do not run: the verification and the reviewers judge.
    async fn gate_facts(_: &Session<'_>, _: &Evidence) -> Result<TaskFacts, Error> {
        Ok(TaskFacts::default())
    }

    async fn perform(session: &Session<'_>, command: ChunkCommand) -> Result<Performed, Error> {
        // Boxed, because each future contains the futures of all its calls, and the stack of a tab is 1 MB.
        match command {
            ChunkCommand::CheckProposal => Box::pin(propose::check(session)).await,
            ChunkCommand::SaveChunks => Box::pin(propose::save(session)).await,
            ChunkCommand::ReadState => Box::pin(prepare::read_state(session)).await,
            ChunkCommand::Prepare => Box::pin(prepare::prepare(session)).await,
            ChunkCommand::StartChunk => Box::pin(start::start_chunk(session)).await,
            ChunkCommand::PrepareAttempt => Box::pin(attempt::prepare(session)).await,
            ChunkCommand::CheckCandidate => Box::pin(candidate::check(session)).await,
            ChunkCommand::Verify => Box::pin(verify::verify(session)).await,
            ChunkCommand::ReadReview => Box::pin(review::read(session)).await,
            ChunkCommand::Revert => Box::pin(attempt::revert(session)).await,
            ChunkCommand::Commit => Box::pin(commit::commit(session)).await,
            ChunkCommand::Summarize => Box::pin(commit::summarize(session)).await,
            ChunkCommand::Fail => Box::pin(finish::fail(session)).await,
            ChunkCommand::DraftPullRequest => Box::pin(finish::draft(session)).await,
        }
    }

    /// HEAD elsewhere is refused before any model is called.
    async fn resume(session: &Session<'_>) -> Result<Vec<Event>, Error> {
        let is_stopped = session.with(|machine: &Seen<'_>| matches!(machine.ending(), Some(Ending::Stopped(..))));
        match session.with(|machine: &Seen<'_>| (machine.recipe.is_prepared(), machine.recipe.step)) {
            (false, _) => Ok(Vec::new()),
            // The attempt is taken back wherever HEAD is.
            _ if is_stopped => Ok(Vec::new()),
            // Nothing else is done.
            (true, Step::OpenPullRequest) => Ok(Vec::new()),
            // The commit may be there already.
            (true, Step::Commit) => {
                let own = session.with(|machine: &Seen<'_>| machine.recipe.prepared.branch.clone());
                branch::require_branch(session.host, &own).await.map(|_| Vec::new())
            }
            (true, _) => Ok(follow(session).await?.into_iter().collect()),
        }
    }

    async fn reopen(session: &Session<'_>) -> Result<(), Error> {
        let prepared = session.with(|machine: &Seen<'_>| machine.recipe.prepared.clone());
        branch::come_back(session, &prepared.branch, prepared.base_branch.as_deref()).await
    }

    /// Reverts an attempt that the end of the run interrupts: its files are incomplete. One that waits for the user's answer
    /// about its work goes on after it.
    async fn close(session: &Session<'_>) -> Result<Vec<Event>, Error> {
        // The run continues with an answer, or with a higher limit.
        if session.with(|machine: &Seen<'_>| machine.run.asked.is_about_work() || machine.is_out_of_budget()) {
            return Ok(Vec::new());
        }
        if !session.with(|machine: &Seen<'_>| machine.recipe.is_open()) {
            let prepared = session.with(|machine: &Seen<'_>| machine.recipe.prepared.clone());
            let (own, base) = (&prepared.branch, prepared.base_branch.as_deref());
            return Box::pin(branch::leave(session, own, base)).await;
        }
        let unclear = session.with_machine(|machine| ownership::left_unclear(&machine.run.ledger));
        let TakenBack { conflicts, .. } =
            Box::pin(ownership::take_back(session, "the unfinished attempt is taken back")).await?;
        let kept = match conflicts.as_slice() {
            [] => String::new(),
            paths => format!(" These files keep changes of the user in the same lines: {}.", paths.join(", ")),
        };
        Ok(vec![Event::status(format!("The unfinished attempt is reverted.{kept}{unclear}"))])
    }
}

/// The fact of commits that the user made on the branch; `None` if HEAD is at the known commit.
async fn follow(session: &Session<'_>) -> Result<Option<Event>, Error> {
    let (own, known) = session.with(|machine: &Seen<'_>| {
        let prepared = &machine.recipe.prepared;
        (prepared.branch.clone(), prepared.head.clone())
    });
    branch::follow(session.host, &own, known.as_deref()).await
}

/// The id of the spec.
fn spec(session: &Session<'_>) -> String {
    session.with(|machine: &Seen<'_>| machine.recipe.spec().to_owned())
}

/// Writes a file into the record of the current attempt.
async fn record(session: &Session<'_>, name: &str, text: &str) -> Result<String, Error> {
    let folder = session.with(|machine: &Seen<'_>| machine.recipe.current.folder.clone());
    let path = format!("{folder}/{name}");
    session.write_record(&path, text).await?;
    Ok(path)
}

/// The name of a file of a tier's review.
pub(super) fn of_tier(tier: Tier, extension: &str) -> String {
    format!("review-{}.{extension}", tier.as_str())
}
