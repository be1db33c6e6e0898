//! From a spec to chunks: the planner proposes them, and the user approves them before anything runs.

use super::changes;
use super::{Performed, Seen, Session, reader, spec};
use crate::agent::in_prompt;
use crate::error::{Error, ErrorCode};
use crate::port::{AgentRole, HookAnswer, HooksPort, Host, Phase};
use crate::run::recipe::Brief;
use crate::run::recipe::chunks::state::{Folder, ignore_records};
use crate::run::recipe::chunks::{ChunkFact, list, proposal};
use crate::run::recipe::write_json;
use serde_json::json;

pub(super) async fn brief<H: Host>(session: &Session<'_, H>) -> Result<Brief, Error> {
    let feedback = session.with(|machine: &Seen<'_>| machine.run.feedback.clone());
    let (spec, project) = (spec(session), session.host.project());
    let folder = Folder(&spec);
    ignore_records(project, folder).await?;
    let text = in_prompt(&project.read_text(&folder.spec()).await?.unwrap_or_default(), &folder.spec());
    let codebase = changes::codebase(session).await?;
    let files = session.files.text(session.host, &session.watch).await?;
    let prompt = proposal::prompt(&folder.spec(), &text, &codebase, &files, &feedback);
    let model = session.settings.defaults.planner.clone();
    Ok(reader(AgentRole::Planner, model, Phase::Plan, prompt, proposal::shape()))
}

pub(super) async fn check<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let answer = session.with(|machine: &Seen<'_>| machine.recipe.answer.clone());
    let chunks = match proposal::read(answer.as_ref()) {
        Ok(chunks) => chunks,
        Err(feedback) => return Ok(Performed::fact(ChunkFact::ProposalRejected { feedback })),
    };
    let spec = spec(session);
    write_json(session.host.project(), &Folder(&spec).proposed(), &chunks).await?;
    Ok(Performed::fact(ChunkFact::ChunksProposed { chunks }))
}

/// Asks the user, through the IDE. Without the hook, the run ends, and the user saves the proposal as the spec's chunks.
pub(super) async fn approve<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let proposed = session.with(|machine: &Seen<'_>| machine.recipe.chunks.clone());
    let (spec, project) = (spec(session), session.host.project());
    let folder = Folder(&spec);
    let refused = |reason: String, waiting| Ok(Performed::fact(ChunkFact::ChunksRefused { reason, waiting }));
    let answer = match session.host.hooks() {
        Some(hooks) => {
            let abort = &session.control.abort;
            match abort.race(hooks.approve_chunks(&json!(proposed), abort)).await {
                Ok(answer) => answer,
                Err(_) => return Ok(Performed::Aborted),
            }
        }
        None => None,
    };
    let chunks = match answer {
        Some(HookAnswer::Allow(None)) => proposed,
        Some(HookAnswer::Allow(Some(edited))) => list::from_value(edited).map_err(|problem| {
            Error::new(
                ErrorCode::InvalidArgument,
                format!("the hook `approveChunks` returned unusable chunks: {problem}"),
            )
        })?,
        Some(HookAnswer::Deny(reason)) => {
            return refused(format!("The proposed chunks are not approved: {reason}"), false);
        }
        None => {
            let (from, to) = (folder.proposed(), folder.chunks());
            return refused(
                format!(
                    "{} chunks are proposed in {from}. Review them, save them as {to}, and start again.",
                    proposed.len()
                ),
                true,
            );
        }
    };
    session.watch.touch(&folder.chunks());
    write_json(project, &folder.chunks(), &chunks).await?;
    project.remove_file(&folder.proposed()).await?;
    Ok(Performed::fact(ChunkFact::ChunksApproved { chunks }))
}
