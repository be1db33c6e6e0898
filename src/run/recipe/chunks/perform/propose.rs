//! From a spec to chunks: the planner proposes them, and the user approves them before anything runs.

use super::changes;
use super::{Performed, Seen, Session, spec};
use crate::agent::in_prompt;
use crate::config::Role;
use crate::error::{Error, ErrorCode};
use crate::port::{AgentRole, Phase, Rights};
use crate::run::recipe::chunks::state::{Folder, ignore_records};
use crate::run::recipe::chunks::{ChunkFact, list, proposal};
use crate::run::recipe::{Brief, about_project, write_json};

pub(super) async fn brief(session: &Session<'_>) -> Result<Brief, Error> {
    let feedback = session.with(|machine: &Seen<'_>| machine.run.feedback.clone());
    let (spec, project) = (spec(session), session.host.project());
    let folder = Folder(&spec);
    ignore_records(project, folder).await?;
    let text = in_prompt(&project.read_text(&folder.spec()).await?.unwrap_or_default(), &folder.spec());
    let rights = Rights::reader(AgentRole::Planner, Phase::Plan).under(&session.settings.policy);
    let codebase = changes::codebase(session, &rights).await?;
    let (rules, files) = about_project(session, &rights, &session.settings.rules).await?;
    let prompt = proposal::prompt((&folder.spec(), &text), &rules, &codebase, &files, &feedback);
    let model = session.settings.model_id(Role::Planner);
    Ok(Brief { rights, model, prompt, answer: Some(proposal::shape()) })
}

pub(super) async fn check(session: &Session<'_>) -> Result<Performed, Error> {
    let answer = session.with(|machine: &Seen<'_>| machine.recipe.answer.clone());
    let chunks = match proposal::read(answer.as_ref()) {
        Ok(chunks) => chunks,
        Err(feedback) => return Ok(Performed::fact(ChunkFact::ProposalRejected { feedback })),
    };
    let spec = spec(session);
    write_json(session.host.project(), &Folder(&spec).proposed(), &chunks).await?;
    Ok(Performed::fact(ChunkFact::ChunksProposed { chunks }))
}

/// Writes the approved chunks as the chunks of the spec, in place of the proposal.
pub(super) async fn save(session: &Session<'_>) -> Result<Performed, Error> {
    let chunks = session.with(|machine: &Seen<'_>| machine.recipe.chunks.clone());
    let (spec, project) = (spec(session), session.host.project());
    let folder = Folder(&spec);
    // A crash may have come after the write.
    if let Some(own) = project.read_text(&folder.chunks()).await?
        && list::read(&own).map(|(own, _)| own).as_ref() != Ok(&chunks)
    {
        let path = folder.chunks();
        let message = format!(
            "{path} exists, so the approved proposal is not written over it: start a new run over the chunks in the file, or delete \
             it and resume this run"
        );
        return Err(Error::new(ErrorCode::Conflict, message).at_path(path));
    }
    session.watch.touch(&folder.chunks());
    write_json(project, &folder.chunks(), &chunks).await?;
    project.remove_file(&folder.proposed()).await?;
    Ok(Performed::fact(ChunkFact::ChunksApproved { chunks }))
}
