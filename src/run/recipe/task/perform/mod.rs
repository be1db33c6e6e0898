//! Performs the commands of a task.

mod accept;
mod apply_plan_context;
mod check_plan;
mod review;
mod stall;
mod start_task;
mod task_request;
mod work;

use super::{Task, TaskCommand, intake};
use crate::agent::{self, Paid};
use crate::config::{Config, Role};
use crate::error::Error;
use crate::gate::TaskFacts;
use crate::layout::{CHECKED_PLAN, PLAN, is_task_file};
use crate::plan::{self, DueUpdate};
use crate::port::{Abort, Host, Phase, Rights};
use crate::run::event::{Event, RunStarted};
use crate::run::journal::Runs;
use crate::run::options::RunOptions;
use crate::run::perform::Performed;
use crate::run::perform::digest;
use crate::run::recipe::{AfterIteration, Brief, Effects, View, about_project};
use crate::run::session::Session;
use crate::snapshot::Evidence;
use crate::task;

/// The run as this recipe sees it.
type Seen<'a> = View<'a, Task>;

impl Effects for Task {
    async fn start(
        host: &Host,
        options: &RunOptions,
        config: &Config,
        fact: RunStarted,
        abort: &Abort,
        runs: &Runs,
    ) -> Result<(RunStarted, Vec<Paid>), Error> {
        intake::start(host, options, config, fact, abort, runs).await
    }

    async fn brief(session: &Session<'_>) -> Result<Brief, Error> {
        if let Some(tier) = session.with(|machine: &Seen<'_>| machine.recipe.tier()) {
            return Box::pin(review::brief(session, tier)).await;
        }
        let rights = session.with(|machine: &Seen<'_>| {
            let task = machine.recipe;
            let theme = task.locked_theme().map(str::to_owned);
            Rights::task(task.working_phase(), task.plan_required()).with_theme(theme)
        });
        let rights = rights.under(&session.settings.policy);
        let due = if rights.phase == Phase::Plan { due_update(session).await? } else { None };
        let update = due.as_ref().map(plan::update_guide);
        let (rules, files) = about_project(session, &rights, &session.settings.rules).await?;
        let update = update.as_deref();
        let prompt = agent::build_prompt(session.host, &session.registry, &rights, update, &rules, &files).await?;
        let model = session.settings.model_id(if rights.is_planning() { Role::Planner } else { Role::Builder });
        Ok(Brief { rights, model, prompt, answer: None })
    }

    async fn after_iteration(session: &Session<'_>, changed: &[String]) -> Result<AfterIteration, Error> {
        let files = session.with(|machine: &Seen<'_>| machine.recipe.watch.touched.clone());
        let (plan, restored) = plan_after(session).await?;
        let text = "The plan was deleted; the harness restored it.";
        Ok(AfterIteration {
            worked: changed.iter().any(|path| !is_task_file(path)),
            tree: digest(session, &files).await?,
            plan,
            notes: restored.then(|| Event::status(text)).into_iter().collect(),
        })
    }

    async fn gate_facts(session: &Session<'_>, present: &Evidence) -> Result<TaskFacts, Error> {
        work::facts(session, present).await
    }

    async fn perform(session: &Session<'_>, command: TaskCommand) -> Result<Performed, Error> {
        // Boxed, because each future contains the futures of all its calls, and the stack of a tab is 1 MB.
        match command {
            TaskCommand::StartTask => Box::pin(start_task::start_task(session)).await,
            TaskCommand::CheckPlan => Box::pin(check_plan::check_plan(session)).await,
            TaskCommand::ApplyPlanContext => Box::pin(apply_plan_context::apply_plan_context(session)).await,
            TaskCommand::RefuseCompletion => check_plan::refuse_completion(session).await,
            TaskCommand::ReadReview(tier) => Ok(review::read(session, tier)),
            TaskCommand::Accept => Box::pin(accept::accept(session)).await,
            TaskCommand::Recover { number, is_last } => Box::pin(stall::recover(session, number, is_last)).await,
            TaskCommand::RollBack(tag) => Box::pin(stall::roll_back(session, tag)).await,
        }
    }
}

/// The hash of the plan. If a plan that was checked in this run is gone, it is restored: deleting it has no effect.
async fn plan_after(session: &Session<'_>) -> Result<(Option<String>, bool), Error> {
    let project = session.host.project();
    let hash = task::plan_hash(project).await?;
    if hash.is_some() || !session.with(|machine: &Seen<'_>| machine.recipe.plan.seen) {
        return Ok((hash, false));
    }
    let Some(kept) = project.read(CHECKED_PLAN).await? else { return Ok((None, false)) };
    session.watch.touch(PLAN);
    project.write(PLAN, kept).await?;
    Ok((task::plan_hash(project).await?, true))
}

/// The due update of the plan; `None` if the task does not update it.
async fn due_update(session: &Session<'_>) -> Result<Option<DueUpdate>, Error> {
    let task = session.with(|machine: &Seen<'_>| {
        let task = machine.recipe;
        task.plan.update.then(|| plan::parse_task_file(&task.texts.task, Some(task.number)))
    });
    Ok(match task {
        Some(task) => Some(DueUpdate::load(session.host.project(), task).await?),
        None => None,
    })
}
