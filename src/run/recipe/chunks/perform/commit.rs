//! SHIP: one commit on the branch, and the summary for the dependents.

use super::changes;
use super::{Performed, Session, spec};
use crate::agent::{self, IterationFact, Observer, Timeouts, Turn};
use crate::error::Error;
use crate::layout::is_source;
use crate::port::{AgentRole, ChatMessage, Host, ModelRequest};
use crate::run::recipe::chunks::state::{Folder, Shipped, State, prune};
use crate::run::recipe::chunks::summary::{self, Summary};
use crate::run::recipe::chunks::{Chunk, ChunkFact};
use crate::run::recipe::write_json;
use crate::snapshot::branch::{self, Acceptance, Accepted};
use std::collections::BTreeSet;

pub(super) async fn commit<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let (chunks, chunk) = session.with_machine(|machine| (machine.recipe.clone(), machine.recipe.chunk()));
    let (spec, project) = (spec(session), session.host.project());
    let folder = Folder(&spec);
    let (prepared, current) = (&chunks.prepared, &chunks.current);
    let files = current.candidate.iter().flat_map(|candidate| &candidate.files);
    let paths: BTreeSet<String> =
        files.flat_map(|file| [Some(file.path.clone()), file.from.clone()]).flatten().collect();
    let candidate = current.candidate.as_ref().map(|candidate| candidate.tag.clone()).unwrap_or_default();
    let is_first = chunks.shipped.is_empty();
    let also = if chunks.proposed && is_first { vec![folder.chunks()] } else { Vec::new() };
    let acceptance = Acceptance {
        branch: &prepared.branch,
        base: prepared.head.as_deref(),
        before: &current.base,
        candidate: &candidate,
        paths: Some(&paths),
        also: &also,
        message: &message(&chunk, &spec),
        author: branch::author(session.host).await?,
        moved_by_agent: current.unguarded,
    };
    let (commit, files) = match branch::accept(session.host, &acceptance).await? {
        Accepted::Committed { commit, files, warnings } => {
            for warning in warnings {
                session.status(warning).await?;
            }
            (commit, files)
        }
        Accepted::Unmergeable { paths } => {
            let feedback = format!(
                "These files have uncommitted changes of the user that your changes cannot be merged with: {}. Do the work \
                 without changing these lines.",
                paths.join(", ")
            );
            return Ok(Performed::fact(ChunkFact::AttemptRejected { feedback }));
        }
    };
    let files: Vec<_> = files.into_iter().filter(|file| is_source(&file.path)).collect();
    let mut state = State::load(project, folder).await?;
    state.failed.remove(&chunk.id);
    if !chunks.is_final() {
        let shipped = Shipped { hash: chunk.hash(), commit: commit.clone(), files: files.clone(), summary: None };
        state.shipped.insert(chunk.id.clone(), shipped);
    }
    state.store(project, folder).await?;
    Ok(Performed::fact(ChunkFact::ChunkCommitted { chunk: chunk.id, commit, files }))
}

/// The title, then what it belongs to.
fn message(chunk: &Chunk, spec: &str) -> String {
    format!("{}\n\n{}", chunk.title.trim(), mark(&chunk.id, spec))
}

/// The end of the message of a chunk's commit.
pub(super) fn mark(chunk: &str, spec: &str) -> String {
    format!("Chunk {chunk} of {spec}.\n")
}

/// Writes the summary. Without a usable answer of the summarizer, the commit is the summary.
pub(super) async fn summarize<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let (chunk, current, idle_ms) = session.with_machine(|machine| {
        (machine.recipe.chunk(), machine.recipe.current.clone(), machine.run.limits.model_idle_ms)
    });
    let shipped = session.with_machine(|machine| machine.recipe.shipped.get(&chunk.id).cloned());
    let (spec, project) = (spec(session), session.host.project());
    let folder = Folder(&spec);
    let files = shipped.map(|shipped| shipped.files).unwrap_or_default();
    let exports = match &current.candidate {
        Some(candidate) => changes::exports_added(session, &current.base, &candidate.tag, &files).await?,
        None => Vec::new(),
    };
    let mut summary = Summary::of_changes(&chunk.title, &files, exports);
    if current.settings.summaries.enabled {
        let output = project.read_text(&format!("{}/output.md", current.folder)).await?.unwrap_or_default();
        let prompt = summary::prompt(&chunk, &output, &files);
        let request = ModelRequest {
            role: AgentRole::Summarizer,
            messages: vec![ChatMessage::System { content: prompt.system }, ChatMessage::User { content: prompt.user }],
            tools: Vec::new(),
            response_format: None,
            max_output_tokens: Some(ANSWER_TOKENS),
        };
        let total_ms = session.model_time().min(SUMMARY_MS);
        let timeouts = Timeouts { idle_ms, total_ms };
        let model = current.settings.defaults.summarizer.as_deref();
        let Turn { answer, paid } =
            agent::ask(session.host, model, &request, timeouts, &session.control.abort, &|_| ()).await;
        if let Some(paid) = paid {
            session.observe(IterationFact::Usage(paid)).await?;
        }
        match answer {
            Err(_) => return Ok(Performed::Aborted),
            Ok(Ok(answer)) => summary = summary.with_answer(&answer.content.unwrap_or_default()),
            Ok(Err(error)) => session.status(format!("The summary is made from the commit: {error}")).await?,
        }
    }
    write_json(project, &format!("{}/summary.json", current.folder), &summary).await?;
    let mut state = State::load(project, folder).await?;
    if let Some(shipped) = state.shipped.get_mut(&chunk.id) {
        shipped.summary = Some(summary.clone());
    }
    state.store(project, folder).await?;
    if let Some(keep) = current.settings.iterations.keep {
        prune(project, folder, &chunk.id, keep as usize).await?;
    }
    Ok(Performed::fact(ChunkFact::SummaryWritten { chunk: chunk.id, summary }))
}

/// Timeout of the summarizer's answer, in milliseconds.
const SUMMARY_MS: u64 = 60_000;

/// Maximum tokens of the summarizer's answer.
const ANSWER_TOKENS: u32 = 1_500;
