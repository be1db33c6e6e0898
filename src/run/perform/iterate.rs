//! One iteration of the agent, as a command.

use crate::agent::{self, IterationEnd, IterationInput};
use crate::error::Error;
use crate::layout::{CHECKED_PLAN, PLAN, is_task_file};
use crate::plan;
use crate::port::{AgentRole, FileKind, Host, Phase, PortError, PortErrorKind};
use crate::run::event::{Event, Fault, IterationClose};
use crate::run::session::Session;
use crate::task;

pub(super) async fn run_iteration<H: Host>(
    session: &Session<'_, H>,
    iteration: u32,
    attempt: u32,
) -> Result<Option<Event>, Error> {
    let (phase, plan_required, limits) =
        session.with_machine(|machine| (machine.working_phase(), machine.plan_required(), *machine.limits()));
    let locked_theme = session.with_machine(|machine| machine.locked_theme().map(str::to_owned));
    let due = if phase == Phase::Plan { session.due_update().await? } else { None };
    let update = due.as_ref().map(plan::update_guide);
    let prompt = agent::build_prompt(session.host, &session.registry, phase, plan_required, update.as_deref()).await?;
    let prompt_bytes = (prompt.system.len() + prompt.user.len()) as u64;
    session.record(Event::IterationStarted { iteration, attempt, role: AgentRole::Builder, prompt_bytes }).await?;
    let input = IterationInput {
        prompt: &prompt,
        registry: &session.registry,
        phase,
        plan_required,
        locked_theme: locked_theme.as_deref(),
        max_tool_calls: limits.max_tool_calls,
        model_idle_ms: limits.model_idle_ms,
        steering: &session.control.steering,
        watch: &session.watch,
    };
    let outcome = agent::run_iteration(session.host, &input, session, &session.control.abort).await?;
    let (close, signal, fault) = match outcome.end {
        IterationEnd::Aborted => return Ok(None),
        IterationEnd::Completed(signal) => (IterationClose::Completed, Some(signal), None),
        IterationEnd::Waiting => (IterationClose::Waiting, None, None),
        IterationEnd::Stopped => (IterationClose::Stopped, None, None),
        IterationEnd::ToolLimit => (IterationClose::ToolLimit, None, None),
        IterationEnd::Budget => (IterationClose::Budget, None, None),
        IterationEnd::ModelFailed(error) => (IterationClose::ModelFailed, None, Some(model_fault(session, error))),
    };
    Ok(Some(Event::IterationFinished {
        iteration,
        tool_calls: outcome.tool_calls,
        worked: worked(session, &outcome.files_changed).await?,
        tree: tree_after(session).await?,
        files_changed: outcome.files_changed,
        close,
        signal,
        plan: plan_after(session).await?,
        fault,
    }))
}

/// Work is a change below `src/`; in a project without that folder, any change outside the agent's own notes.
async fn worked<H: Host>(session: &Session<'_, H>, changed: &[String]) -> Result<bool, Error> {
    if changed.iter().any(|path| path.starts_with("src/")) {
        return Ok(true);
    }
    let elsewhere = changed.iter().any(|path| !is_task_file(path));
    Ok(elsewhere && session.host.project().lstat("src").await?.is_none())
}

/// A digest of the files that changed since the task began, and of what is in them: its cost follows the task's change.
async fn tree_after<H: Host>(session: &Session<'_, H>) -> Result<String, Error> {
    let files: Vec<String> = session.with_machine(|machine| machine.changed_files().cloned().collect());
    let mut lines = String::new();
    for path in files {
        let project = session.host.project();
        let content = match project.lstat(&path).await? {
            Some(stat) if stat.kind == FileKind::File => project.read(&path).await?,
            _ => None,
        };
        let content = content.map(|bytes| task::hash_bytes(&bytes)).unwrap_or_default();
        lines.push_str(&format!("{content} {path}\n"));
    }
    Ok(task::hash(&lines).unwrap_or_default())
}

/// The hash of the plan. One that was checked in this run and is gone is put back: deleting it changes nothing.
async fn plan_after<H: Host>(session: &Session<'_, H>) -> Result<Option<String>, Error> {
    let project = session.host.project();
    let hash = task::plan_hash(project).await?;
    if hash.is_some() || !session.with_machine(crate::run::Machine::keeps_plan) {
        return Ok(hash);
    }
    let Some(kept) = project.read(CHECKED_PLAN).await? else { return Ok(None) };
    session.watch.touch(PLAN);
    project.write(PLAN, kept).await?;
    let text = "The plan was deleted; the harness put it back.".to_owned();
    session.record(Event::Status { text }).await?;
    Ok(task::plan_hash(project).await?)
}

/// How often a fault of the model is worth another try: overload and lost connections pass, silence rarely does,
/// a refusal never.
fn model_fault<H: Host>(session: &Session<'_, H>, error: PortError) -> Fault {
    let (retries, retry_after_ms) = match error.kind {
        PortErrorKind::RateLimited(after) => (5, after),
        PortErrorKind::Unavailable => (5, None),
        PortErrorKind::Timeout => (1, None),
        _ => (0, None),
    };
    session.keep(error.clone());
    let error = Error::from(error);
    Fault { retries, retry_after_ms, ..Fault::from(&error) }
}
