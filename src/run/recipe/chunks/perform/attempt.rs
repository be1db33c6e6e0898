//! An attempt at a chunk: its beginning, its prompt, its reversal.

use super::changes;
use super::{Performed, Session, prompt, record, spec};
use crate::agent::{Access, Policy, decide};
use crate::error::{Error, ErrorCode};
use crate::layout::is_source;
use crate::port::{AgentRole, DuePlan, Host, Phase};
use crate::run::perform::save_as;
use crate::run::recipe::Brief;
use crate::run::recipe::chunks::state::{Folder, attempts};
use crate::run::recipe::chunks::{ChunkFact, Chunks, Step};
use crate::snapshot::{self, Watch, branch};

/// The rights of the executor.
const POLICY: Policy = Policy { phase: Phase::Build, due: DuePlan::None };

/// Saves the project before the executor works.
pub(super) async fn prepare<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let (chunk, prepared, rejected) = session.with_machine(|machine| {
        let chunks = &machine.recipe;
        (chunks.chunk(), chunks.prepared.clone(), chunks.current.rejected)
    });
    let spec = spec(session);
    let folder = Folder(&spec);
    let head = branch::head(session.host).await?;
    let follows = match (&prepared.head, &head.commit) {
        (Some(known), Some(now)) => branch::is_ancestor(session.host, known, now).await?,
        (None, _) => true,
        (Some(_), None) => false,
    };
    if head.branch.as_deref() != Some(prepared.branch.as_str()) || !follows {
        let now = head.branch.unwrap_or_else(|| "a detached commit".to_owned());
        let message = format!(
            "the chunks are committed to {}, and HEAD moved to {now}: check out {} to continue",
            prepared.branch, prepared.branch
        );
        return Err(Error::new(ErrorCode::Conflict, message));
    }
    let number = attempts(session.host.project(), folder, &chunk.id).await?.last().map_or(1, |last| last + 1);
    let base = folder.tag(&format!("{}/base", chunk.id));
    let saved = save_as(session, &base, &format!("before attempt {number} at {}: {}", chunk.id, chunk.title)).await?;
    let fact = ChunkFact::AttemptStarted {
        attempt: rejected + 1,
        folder: folder.attempt(&chunk.id, number),
        base,
        head: head.commit,
    };
    Ok(Performed::Facts(vec![saved, fact.into()]))
}

/// The executor's role. The prompt is recorded before it is sent.
pub(super) async fn brief<H: Host>(session: &Session<'_, H>) -> Result<Brief, Error> {
    let (chunk, chunks, feedback, messages) = session.with_machine(|machine| {
        let chunks = &machine.recipe;
        (chunks.chunk(), chunks.clone(), machine.run.feedback.clone(), machine.run.steered.clone())
    });
    let project = session.host.project();
    let dependencies: Vec<(String, String)> =
        chunk.dependencies.iter().filter_map(|id| dependency(&chunks, id)).collect();
    let mut relevant = Vec::new();
    for path in &chunk.relevant_files {
        let exists =
            decide(session.host.dir(), path, Access::Read, POLICY).is_ok() && project.lstat(path).await?.is_some();
        relevant.push((path.clone(), exists));
    }
    let current = chunks.current;
    let mut changed = Vec::new();
    if current.iterations > 0 {
        let all = snapshot::diff(session.host, &current.base, None).await?;
        changed.extend(all.into_iter().map(|change| change.path).filter(|path| is_source(path)));
    }
    if current.uncertain {
        session.record(ChunkFact::AttemptResumed { changed: changed.clone() }.into()).await?;
    }
    let codebase = changes::codebase(session).await?;
    let files = session.files.text(session.host, &session.watch).await?;
    let prompt = prompt::build(&prompt::Parts {
        chunk,
        dependencies: &dependencies,
        relevant: &relevant,
        rules: &current.settings.rules,
        codebase: &codebase,
        feedback: &feedback,
        messages: &messages,
        changed: &changed,
        files: &files,
    });
    let name = match current.iterations {
        0 => "context.md".to_owned(),
        number => format!("context-{}.md", number + 1),
    };
    record(session, &name, &prompt.user).await?;
    Ok(Brief {
        role: AgentRole::Builder,
        model: current.settings.defaults.executor.clone(),
        reads_only: false,
        prompt,
        policy: POLICY,
        locked_theme: None,
        answer: Some(prompt::shape()),
    })
}

/// The title and the summary of a shipped dependency.
fn dependency(chunks: &Chunks, id: &str) -> Option<(String, String)> {
    let title = chunks.chunks.iter().find(|chunk| chunk.id == *id)?.title.clone();
    Some((title, chunks.shipped.get(id)?.summary.as_ref()?.text()))
}

/// Records the findings, and takes the files back to the state before the attempt.
pub(super) async fn revert<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let (feedback, current) =
        session.with_machine(|machine| (machine.run.feedback.clone(), machine.recipe.current.clone()));
    record(session, "feedback.md", &feedback).await?;
    let (restored, deleted) = take_back(session).await?;
    let patch = current.candidate.map(|_| format!("{}/{}", current.folder, changes::PATCH));
    Ok(Performed::fact(ChunkFact::AttemptReverted { attempt: current.attempt, patch, restored, deleted }))
}

/// Takes the files of the open attempt back. Returns the restored and the deleted ones.
pub(super) async fn take_back<H: Host>(session: &Session<'_, H>) -> Result<(Vec<String>, Vec<String>), Error> {
    session.watch.distrust();
    let recipe = session.with_machine(|machine| machine.recipe.clone());
    take_back_of(session.host, &session.watch, &recipe).await
}

/// As [`take_back`], for the recipe of any run.
pub(super) async fn take_back_of<H: Host>(
    host: &H,
    watch: &Watch,
    recipe: &Chunks,
) -> Result<(Vec<String>, Vec<String>), Error> {
    let Chunks { prepared, current, .. } = recipe;
    // First HEAD: while it is at the agent's commit, the files look committed.
    // The harness may have committed, and its page may have been closed before that was recorded.
    let may_have_moved = current.unguarded || recipe.step == Step::Commit;
    branch::reset(host, &prepared.branch, prepared.head.as_deref(), may_have_moved).await?;
    let back = branch::rollback_paths(host, watch, &current.base, Some(&current.changed)).await?;
    Ok((back.restored, back.deleted))
}
