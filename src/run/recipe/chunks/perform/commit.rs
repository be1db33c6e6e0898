//! SHIP: one commit on the branch, and the summary for the dependents.

use super::{Performed, Seen, Session, changes, record, spec};
use crate::agent::{self, Observer, Timeouts, Turn};
use crate::config::Role;
use crate::error::{Error, ErrorCode};
use crate::layout::is_source;
use crate::port::{AgentRole, ChatMessage, ModelRequest};
use crate::run::branch::{committed, moved, uncommittable};
use crate::run::event::Event;
use crate::run::recipe::chunks::state::{Folder, exact_mark, prune};
use crate::run::recipe::chunks::summary::{self, Summary};
use crate::run::recipe::chunks::{Chunk, ChunkFact};
use crate::run::recipe::json_text;
use crate::snapshot;
use crate::snapshot::branch::{self, Acceptance, Accepted};

pub(super) async fn commit(session: &Session<'_>) -> Result<Performed, Error> {
    let (chunks, chunk) = session.with(|machine: &Seen<'_>| (machine.recipe.clone(), machine.recipe.chunk()));
    let spec = spec(session);
    let folder = Folder(&spec);
    let Some(candidate) = &chunks.current.candidate else {
        return Err(Error::new(ErrorCode::Internal, "there is no candidate to commit"));
    };
    let is_first = chunks.state.shipped.is_empty();
    let judged = session.saved_commit(&candidate.tag).await?;
    let ignored = candidate.ignored.iter().cloned().collect();
    let head = chunks.prepared.head.as_deref();
    let mut changes = committed(session.host, head, &candidate.ledger, &ignored).await?.changes;
    if chunks.proposed && is_first {
        let saved = snapshot::files_of_tag(session.host, &judged).await?;
        changes.insert(folder.chunks(), saved.get(&folder.chunks()).copied());
    }
    let acceptance = Acceptance {
        branch: &chunks.prepared.branch,
        base: head,
        changes: &changes,
        message: &message(&chunk, &spec),
        author: branch::author(session.host).await?,
    };
    let (commit, files, warnings) = match branch::accept(session.host, &acceptance).await? {
        Accepted::Committed { commit, files, warnings } => (commit, files, warnings),
        Accepted::Moved(to) => return Ok(moved(head, to).into()),
        Accepted::Unmergeable { paths } => return Err(uncommittable(&paths)),
    };
    let mut facts: Vec<Event> = warnings.into_iter().map(Event::status).collect();
    if !candidate.ignored.is_empty() {
        let names = candidate.ignored.join(", ");
        let text = "Git ignores these files or has them in another repository, so they are not in the commit";
        facts.push(Event::status(format!("{text}: {names}")));
    }
    let files: Vec<_> = files.into_iter().filter(|file| is_source(&file.path)).collect();
    facts.push(ChunkFact::ChunkCommitted { chunk: chunk.id, commit, files }.into());
    Ok(Performed::Facts(facts))
}

/// The title, then what it belongs to.
fn message(chunk: &Chunk, spec: &str) -> String {
    format!("{}\n\n{}", chunk.title.trim(), exact_mark(chunk, spec))
}

/// Writes the summary. Without a usable answer of the summarizer, the commit is the summary.
pub(super) async fn summarize(session: &Session<'_>) -> Result<Performed, Error> {
    let (chunk, current, idle_ms) = session.with(|machine: &Seen<'_>| {
        (machine.recipe.chunk(), machine.recipe.current.clone(), machine.run.limits.model_idle_ms)
    });
    let shipped = session.with(|machine: &Seen<'_>| machine.recipe.state.shipped.get(&chunk.id).cloned());
    let (spec, project) = (spec(session), session.host.project());
    let folder = Folder(&spec);
    let files = shipped.map(|shipped| shipped.files).unwrap_or_default();
    let exports = match &current.candidate {
        Some(candidate) => changes::Attempt::load(session, &candidate.ledger).await?.exports_added(session).await?,
        None => Vec::new(),
    };
    let (mut summary, mut facts) = (Summary::of_changes(&chunk.title, &files, exports), Vec::new());
    if current.settings.summaries.enabled {
        let output = project.read_text(&format!("{}/output.md", current.folder)).await?.unwrap_or_default();
        let prompt = summary::prompt(&chunk, &output, &files);
        let request = ModelRequest {
            role: AgentRole::Summarizer,
            messages: vec![ChatMessage::System { content: prompt.system }, ChatMessage::user(prompt.user)],
            tools: Vec::new(),
            response_format: None,
            max_output_tokens: Some(ANSWER_TOKENS),
        };
        let total_ms = session.model_time().min(SUMMARY_MS);
        let timeouts = Timeouts { idle_ms, total_ms };
        let model = current.settings.model_id(Role::Summarizer);
        let Turn { answer, paid, .. } =
            agent::ask(session.host, model.as_deref(), &request, timeouts, &session.control.abort, &|_| ()).await;
        facts.extend(paid.map(|paid| session.usage(paid)));
        match answer {
            Err(_) => return Ok(Performed::Aborted(facts)),
            Ok(Ok(answer)) => summary = summary.with_answer(&answer.content.unwrap_or_default()),
            Ok(Err(error)) => facts.push(Event::status(format!("The summary is made from the commit: {error}"))),
        }
    }
    let rest = async {
        record(session, "summary.json", &json_text("summary.json", &summary)?).await?;
        if let Some(keep) = current.settings.iterations.keep {
            prune(project, folder, &chunk.id, keep as usize).await?;
        }
        Ok(vec![ChunkFact::SummaryWritten { chunk: chunk.id, summary }.into()])
    };
    Ok(Performed::after(facts, rest.await))
}

/// Timeout of the summarizer's answer, in milliseconds.
const SUMMARY_MS: u64 = 60_000;

/// Maximum tokens of the summarizer's answer.
const ANSWER_TOKENS: u32 = 1_500;
