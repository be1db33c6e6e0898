//! The end of a chunk that failed, and of a run whose chunks are shipped.

use super::{Performed, Seen, Session, spec};
use crate::agent::beginning;
use crate::error::Error;
use crate::port::{HooksPort, Host, Usage};
use crate::run::recipe::chunks::list::{self, Status};
use crate::run::recipe::chunks::state::{Folder, prune};
use crate::run::recipe::chunks::{ChunkFact, Chunks};
use serde_json::json;

pub(super) async fn fail<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let (chunks, chunk, feedback) = session
        .with(|machine: &Seen<'_>| (machine.recipe.clone(), machine.recipe.chunk(), machine.run.feedback.clone()));
    let (spec, project) = (spec(session), session.host.project());
    let folder = Folder(&spec);
    // The first issue of a review, or the first line of any other finding.
    let issue = feedback.lines().find_map(|line| line.strip_prefix("1. "));
    let finding = issue.or_else(|| feedback.lines().find(|line| !line.trim().is_empty())).unwrap_or_default();
    let reason = format!(
        "{} attempts were rejected, the last one because: {}",
        chunks.current.rejected,
        beginning(finding, 300)
    );
    if let Some(keep) = chunks.current.settings.iterations.keep {
        prune(project, folder, &chunk.id, keep as usize).await?;
    }
    let mut status = chunks.status;
    status.insert(chunk.id.clone(), Status::Failed);
    let blocked = list::blocked(&chunks.chunks, &status).into_iter().filter(|(_, by)| *by == chunk.id).collect();
    Ok(Performed::fact(ChunkFact::ChunkFailed { chunk: chunk.id, reason, blocked }))
}

/// Writes the draft, also for a host that opens the pull request: its hook may fail.
pub(super) async fn draft<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let (chunks, usage) = session.with(|machine: &Seen<'_>| (machine.recipe.clone(), *machine.run.usage()));
    let spec = spec(session);
    let path = Folder(&spec).pull_request();
    let text = format!("# {}\n\n{}", chunks.title, body(&chunks, &usage));
    session.write_record(&path, &text).await?;
    Ok(Performed::fact(ChunkFact::PullRequestDrafted { path }))
}

/// Calls the hook once. A page that was closed meanwhile may have opened the pull request.
pub(super) async fn open<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let (chunks, usage) = session.with(|machine: &Seen<'_>| (machine.recipe.clone(), *machine.run.usage()));
    let path = Folder(chunks.spec()).pull_request();
    if chunks.interrupted {
        session
            .status(format!(
                "The page was closed while the pull request was opened; see whether it exists. Its draft is {path}."
            ))
            .await?;
        return Ok(Performed::fact(ChunkFact::PullRequestEnded { handed: false }));
    }
    let draft = json!({
        "branch": chunks.prepared.branch,
        "base": chunks.prepared.base_branch.clone().or(chunks.prepared.base.clone()).unwrap_or_default(),
        "title": chunks.title,
        "body": body(&chunks, &usage),
    });
    let handed = match session.host.hooks() {
        Some(hooks) => match session.control.abort.race(hooks.pull_request(&draft)).await {
            Ok(handed) => handed,
            Err(_) => return Ok(Performed::Aborted),
        },
        None => Ok(false),
    };
    let handed = match handed {
        Ok(handed) => handed,
        Err(error) => {
            session.status(format!("The pull request was not opened: {error}. Its draft is {path}.")).await?;
            false
        }
    };
    Ok(Performed::fact(ChunkFact::PullRequestEnded { handed }))
}

/// The chunks with their summaries, and the cost of this run.
fn body(chunks: &Chunks, usage: &Usage) -> String {
    let mut body = String::new();
    for chunk in &chunks.chunks {
        let Some(shipped) = chunks.state.shipped.get(&chunk.id) else { continue };
        let short = shipped.commit.get(..7).unwrap_or_default();
        body += &format!("## {}\n\n", chunk.title.trim());
        if let Some(summary) = &shipped.summary {
            body += &format!("{}\n\n", summary.summary);
            body.extend(summary.verification_steps.iter().map(|step| format!("- {step}\n")));
        }
        body += &format!("Commit {short}, {} files.\n\n", shipped.files.len());
    }
    let settings = &chunks.current.settings;
    let steps: Vec<&str> = match settings.verification.enabled {
        true => settings.verification.steps.iter().map(|step| step.name.as_str()).collect(),
        false => Vec::new(),
    };
    let verified = if steps.is_empty() { "not configured".to_owned() } else { steps.join(", ") };
    let cost = usage.cost_usd.map(|cost| format!(", ${cost:.2}")).unwrap_or_default();
    let final_review = if settings.reviews.r#final { "passed" } else { "not configured" };
    body += &format!(
        "## Checks\n\n- Verification of each chunk: {verified}\n- Final review: {final_review}\n- Usage of the last run: {} input \
         tokens, {} output tokens{cost}\n",
        usage.input_tokens, usage.output_tokens
    );
    body
}
