//! The start of a run and of a chunk.

use super::{Performed, Seen, Session};
use crate::config::Settings;
use crate::error::{Error, ErrorCode};
use crate::port::{FsPort, Host, ProjectDir};
use crate::run::event::{Event, RunStarted};
use crate::run::options::{RunOptions, Work};
use crate::run::recipe::chunks::ChunkFact;
use crate::run::recipe::chunks::list::{self, Chunk, check_only, is_name};
use crate::run::recipe::chunks::state::Folder;
use crate::run::recipe::heading;
use crate::snapshot::branch;

/// The first fact of a run. Everything that can be refused is refused here, before any model is called.
pub(super) async fn start<H: Host>(
    host: &H,
    options: &RunOptions,
    settings: &Settings,
    mut fact: RunStarted,
) -> Result<RunStarted, Error> {
    let Work::Chunks { spec, only } = &options.work else {
        return Err(Error::new(ErrorCode::Internal, "the work is not a spec with chunks"));
    };
    if host.git().is_none() {
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
    check_host(host, settings, chunks.is_none())?;
    let title = text.as_deref().and_then(heading).unwrap_or_else(|| spec.clone());
    (fact.title, fact.chunks, fact.notes) = (Some(title), chunks, notes);
    Ok(fact)
}

/// The chunks in the spec's file, `None` without the file; and what in it is not used, for the user.
async fn read_chunks<F: FsPort>(
    project: ProjectDir<'_, F>,
    folder: Folder<'_>,
) -> Result<(Option<Vec<Chunk>>, Vec<String>), Error> {
    let path = folder.chunks();
    let Some(text) = project.read_text(&path).await? else { return Ok((None, Vec::new())) };
    list::read(&text)
        .map(|(chunks, unused)| (Some(chunks), unused.iter().map(|unused| format!("{path}: {unused}")).collect()))
        .map_err(|problem| Error::new(ErrorCode::InvalidConfig, format!("{path}: {problem}")).at_path(&path))
}

/// Refuses to start without a model for each role, and without a shell for the verification.
fn check_host<H: Host>(host: &H, settings: &Settings, plans: bool) -> Result<(), Error> {
    let steps = settings.verification.steps.iter().filter(|_| settings.verification.enabled);
    let steps: Vec<&str> = steps.map(|step| step.name.as_str()).collect();
    if host.shell().is_none() && !steps.is_empty() {
        let message = format!(
            "`verification.steps` needs a shell for {}, and this IDE has no shell: pass `shell` with the host, or set \
             `verification.enabled` to false",
            steps.join(", ")
        );
        return Err(Error::new(ErrorCode::Unsupported, message));
    }
    for (key, id) in settings.roles(plans) {
        let problem = match id {
            Some(id) if host.named_model(id).is_none() => {
                format!(
                    "`{key}` is {id:?}, and the host has no such model: pass `models[{id:?}]`, a function or an adapter"
                )
            }
            None if host.model().is_none() => {
                format!("`{key}` is not set, and the host has no model: pass `model`, or configure one")
            }
            _ => continue,
        };
        return Err(Error::new(ErrorCode::InvalidConfig, problem));
    }
    Ok(())
}

/// Reads the configuration that the chunk works with to its end.
pub(super) async fn start_chunk<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let project = session.host.project();
    let chunk = session.with(|machine: &Seen<'_>| machine.recipe.chunk().id);
    let loaded = session.config.load(project).await?;
    check_host(session.host, &loaded.settings, false)?;
    let warnings = loaded.warnings.iter().cloned();
    let mut facts: Vec<Event> = warnings.map(|warning| Event::ConfigWarning { warning }).collect();
    let feedback = session.with(|machine: &Seen<'_>| machine.recipe.state.failed.get(&chunk).cloned());
    let feedback = feedback.map(|failed| failed.feedback).unwrap_or_default();
    let (config, settings) = (loaded.hash(), Box::new(loaded.settings));
    facts.push(ChunkFact::ChunkStarted { chunk, settings, config, feedback }.into());
    Ok(Performed::Facts(facts))
}
