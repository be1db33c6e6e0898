//! The start of a run and of a chunk.

use super::{Performed, Seen, Session};
use crate::config::{Config, ReviewSettings, Role, Settings};
use crate::error::{Error, ErrorCode};
use crate::port::{Host, ProjectDir};
use crate::review::Tier;
use crate::run::event::{Event, RunStarted};
use crate::run::options::{RunOptions, Work};
use crate::run::recipe::chunks::ChunkFact;
use crate::run::recipe::chunks::list::{self, Chunk, check_only, is_name};
use crate::run::recipe::chunks::state::Folder;
use crate::run::recipe::{check_host, heading};
use crate::snapshot::branch;

/// The first fact of a run. Everything that can be refused is refused here, before any model is called.
pub(super) async fn start(
    host: &Host,
    options: &RunOptions,
    config: &Config,
    mut fact: RunStarted,
) -> Result<RunStarted, Error> {
    let Work::Chunks { spec, only } = &options.work else {
        return Err(Error::new(ErrorCode::Internal, "the work is not a spec with chunks"));
    };
    if host.git.is_none() {
        let message = "a run over chunks needs git, to commit and to revert: pass `git` with the host";
        return Err(Error::new(ErrorCode::Unsupported, message));
    }
    if !is_name(spec) {
        let message =
            format!("`work.spec` is {spec:?}: use the name of a folder, with letters, digits, `-`, `_` and `.`");
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    branch::require_index(host).await?;
    branch::refuse_in_progress(host).await?;
    let (project, folder) = (host.project(), Folder(spec));
    let text = project.read_text(&folder.spec()).await?;
    let (chunks, notes) = read_chunks(project, folder).await?;
    match &chunks {
        Some(chunks) => check_only(chunks, only.as_deref().unwrap_or_default())?,
        None if text.as_deref().is_none_or(|text| text.trim().is_empty()) => {
            let message = format!(
                "there is nothing to run: write the spec to {}, or its chunks to {}",
                folder.spec(),
                folder.chunks()
            );
            return Err(Error::new(ErrorCode::NotFound, message).at_path(folder.spec()));
        }
        None => {}
    }
    check_host(host, config, &roles(&config.settings, chunks.is_none()))?;
    let title = text.as_deref().and_then(heading).unwrap_or_else(|| spec.clone());
    (fact.title, fact.chunks, fact.notes) = (Some(title), chunks, notes);
    Ok(fact)
}

/// The chunks in the spec's file, `None` without the file; and what in it is not used, for the user.
async fn read_chunks(project: ProjectDir<'_>, folder: Folder<'_>) -> Result<(Option<Vec<Chunk>>, Vec<String>), Error> {
    let path = folder.chunks();
    let Some(text) = project.read_text(&path).await? else { return Ok((None, Vec::new())) };
    list::read(&text)
        .map(|(chunks, unused)| (Some(chunks), unused.iter().map(|unused| format!("{path}: {unused}")).collect()))
        .map_err(|problem| Error::new(ErrorCode::InvalidConfig, format!("{path}: {problem}")).at_path(&path))
}

/// The roles that the run or the chunk has. A summarizer without a model of its own may fail.
fn roles(settings: &Settings, plans: bool) -> Vec<Role> {
    let ReviewSettings { quick, deep, r#final, .. } = settings.reviews;
    let tiers = [(quick, Tier::Quick), (deep, Tier::Deep), (r#final, Tier::Final)];
    let reviewers = tiers.into_iter().filter(|(is_on, _)| *is_on).map(|(_, tier)| Role::Reviewer(tier));
    let summarizer = settings.model(Role::Summarizer).1.map(|_| Role::Summarizer);
    let planner = plans.then_some(Role::Planner);
    [Role::Builder].into_iter().chain(planner).chain(reviewers).chain(summarizer).collect()
}

/// Reads the configuration that the chunk works with to its end.
pub(super) async fn start_chunk(session: &Session<'_>) -> Result<Performed, Error> {
    let project = session.host.project();
    let chunk = session.with(|machine: &Seen<'_>| machine.recipe.chunk().id);
    let loaded = session.config.load(project).await?;
    check_host(session.host, &loaded, &roles(&loaded.settings, false))?;
    let warnings = loaded.warnings.iter().cloned();
    let mut facts: Vec<Event> = warnings.map(|warning| Event::ConfigWarning { warning }).collect();
    let feedback = session.with(|machine: &Seen<'_>| machine.recipe.state.failed.get(&chunk).cloned());
    let feedback = feedback.map(|failed| failed.feedback).unwrap_or_default();
    let (config, settings) = (loaded.hash(), Box::new(loaded.settings));
    facts.push(ChunkFact::ChunkStarted { chunk, settings, config, feedback }.into());
    Ok(Performed::Facts(facts))
}
