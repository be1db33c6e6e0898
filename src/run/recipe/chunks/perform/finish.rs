//! The end of a chunk that failed, and of a run whose chunks are shipped.

use super::{Performed, Seen, Session, spec};
use crate::error::Error;
use crate::run::recipe::chunks::ChunkFact;
use crate::run::recipe::chunks::list::{self, Status};
use crate::run::recipe::chunks::state::{Folder, prune};
use crate::text::{beginning, counted_with};

pub(super) async fn fail(session: &Session<'_>) -> Result<Performed, Error> {
    let (chunks, chunk, feedback) = session
        .with(|machine: &Seen<'_>| (machine.recipe.clone(), machine.recipe.chunk(), machine.run.feedback.clone()));
    let (spec, project) = (spec(session), session.host.project());
    let folder = Folder(&spec);
    let reason = format!(
        "{} rejected, the last one because: {}",
        counted_with(chunks.current.rejected, "attempt", ["was", "were"]),
        finding(&feedback)
    );
    if let Some(keep) = chunks.current.settings.iterations.keep {
        prune(project, folder, &chunk.id, keep as usize).await?;
    }
    let mut status = chunks.status;
    status.insert(chunk.id.clone(), Status::Failed);
    let blocked = list::blocked(&chunks.chunks, &status).into_iter().filter(|(_, by)| *by == chunk.id).collect();
    Ok(Performed::fact(ChunkFact::ChunkFailed { chunk: chunk.id, reason, blocked }))
}

/// Why an attempt is rejected, in short: the first issue of a review, or the first line of any other finding.
pub(in super::super) fn finding(feedback: &str) -> String {
    let issue = feedback.lines().find_map(|line| line.strip_prefix("1. "));
    let line = issue.or_else(|| feedback.lines().find(|line| !line.trim().is_empty())).unwrap_or_default();
    beginning(line, 300)
}

/// Writes the draft, also for a host that opens the pull request: its hook may fail.
pub(super) async fn draft(session: &Session<'_>) -> Result<Performed, Error> {
    let (chunks, usage) = session.with(|machine: &Seen<'_>| (machine.recipe.clone(), *machine.run.usage()));
    let spec = spec(session);
    let path = Folder(&spec).pull_request();
    let text = format!("# {}\n\n{}", chunks.title, chunks.summaries(&usage));
    session.write_record(&path, &text).await?;
    Ok(Performed::fact(ChunkFact::PullRequestDrafted { path }))
}
