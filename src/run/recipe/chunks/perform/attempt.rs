//! An attempt at a chunk: its beginning, its prompt, its reversal.

use super::{Performed, Seen, Session, changes, follow, prompt, record, spec};
use crate::agent::{Access, Observer, decide, in_prompt};
use crate::config::Role;
use crate::error::Error;
use crate::layout::is_source;
use crate::ledger::ChangedBy;
use crate::port::{AgentRole, Rights};
use crate::run::ownership::{self, TakenBack};
use crate::run::perform::save_as;
use crate::run::recipe::chunks::state::{Folder, attempts};
use crate::run::recipe::chunks::{ChunkFact, Chunks, Current};
use crate::run::recipe::{Brief, about_project};
use crate::snapshot::SnapshotKind;

/// Saves the project before the executor works.
pub(super) async fn prepare(session: &Session<'_>) -> Result<Performed, Error> {
    let (chunk, verifies) = session.with(|machine: &Seen<'_>| {
        let Current { settings, .. } = &machine.recipe.current;
        let verifies = machine.recipe.is_final() && !settings.verification.due().is_empty();
        (machine.recipe.chunk(), verifies)
    });
    let spec = spec(session);
    let folder = Folder(&spec);
    if let Some(moved) = follow(session).await? {
        return Ok(moved.into());
    }
    let attempt = attempts(session.host.project(), folder, &chunk.id).await?.last().map_or(1, |last| last + 1);
    let base = folder.tag(&format!("{}/base", chunk.id));
    let message = format!("before attempt {attempt} at {}: {}", chunk.id, chunk.title);
    let (base, saved) = save_as(session, &base, SnapshotKind::Base, &message).await?;
    let fact = ChunkFact::AttemptStarted {
        attempt,
        folder: folder.attempt(&chunk.id, attempt),
        base,
        head: session.with(|machine: &Seen<'_>| machine.recipe.prepared.head.clone()),
        verifies,
    };
    Ok(Performed::Facts(vec![saved, fact.into()]))
}

/// The executor's role. The prompt is recorded before it is sent.
pub(super) async fn brief(session: &Session<'_>) -> Result<Brief, Error> {
    let (mut chunk, chunks, feedback, messages) = session.with(|machine: &Seen<'_>| {
        let chunks = machine.recipe;
        (chunks.chunk(), chunks.clone(), machine.run.feedback.clone(), chunks.messages(machine.run))
    });
    let project = session.host.project();
    let rights = Rights::executor().under(&chunks.current.settings.policy);
    let dependencies: Vec<(String, String)> =
        chunk.dependencies.iter().filter_map(|id| dependency(&chunks, id)).collect();
    let mut relevant = Vec::new();
    for path in &chunk.relevant_files {
        let exists =
            decide(&session.host.dir, path, Access::Read, &rights, "").is_ok() && project.lstat(path).await?.is_some();
        relevant.push((path.clone(), exists));
    }
    chunk.description = in_prompt(&chunk.description, &Folder(chunks.spec()).chunks());
    let guidance = chunks.repetition.guidance(AgentRole::Builder).to_owned();
    let current = chunks.current;
    let mut changed = Vec::new();
    if current.iterations > 0 {
        changed.extend(session.ledger().changed_by(ChangedBy::Agent).into_iter().filter(|path| is_source(path)));
    }
    let codebase = changes::codebase(session, &rights).await?;
    let (rules, files) = about_project(session, &rights, &current.settings.rules).await?;
    let prompt = prompt::build(&prompt::Parts {
        chunk,
        dependencies: &dependencies,
        relevant: &relevant,
        rules,
        codebase: &codebase,
        feedback: &feedback,
        guidance: &guidance,
        committed: current.committed,
        messages: &messages,
        changed: &changed,
        files: &files,
        has_shell: session.host.shell.is_some(),
    });
    let name = match current.iterations {
        0 => "context.md".to_owned(),
        number => format!("context-{}.md", number + 1),
    };
    record(session, &name, &prompt.user).await?;
    let model = current.settings.model_id(Role::Builder);
    Ok(Brief { rights, model, prompt, answer: Some(prompt::shape()) })
}

/// The title and the summary of a shipped dependency.
fn dependency(chunks: &Chunks, id: &str) -> Option<(String, String)> {
    let title = chunks.chunks.iter().find(|chunk| chunk.id == *id)?.title.clone();
    Some((title, chunks.state.shipped.get(id)?.summary.as_ref()?.text()))
}

/// Records the findings, and takes the attempt's changes back.
pub(super) async fn revert(session: &Session<'_>) -> Result<Performed, Error> {
    let (feedback, current) =
        session.with(|machine: &Seen<'_>| (machine.run.feedback.clone(), machine.recipe.current.clone()));
    record(session, "feedback.md", &feedback).await?;
    let TakenBack { restored, deleted, conflicts, .. } =
        ownership::take_back(session, "the attempt is taken back").await?;
    let patch = current.candidate.map(|_| format!("{}/{}", current.folder, changes::PATCH));
    let attempt = current.attempt;
    Ok(Performed::fact(ChunkFact::AttemptReverted { attempt, patch, restored, deleted, conflicts }))
}
