//! Performs the commands of the spec recipe.

mod branch;
pub(in crate::run) use branch::finish_commit;
mod candidate;
mod checks;
mod earlier;
mod finish;
mod log;
pub(super) use log::IMPLEMENTER;
mod plan;
mod review;
mod start;
mod verdict;

use super::answer::shape;
use super::catalog::{SpecInfo, find};
use super::prompt::{self, Parts};
use super::{SpecCommand, SpecFact, Specs, Step};
use crate::agent::{Paid, in_prompt};
use crate::config::{Config, Role};
use crate::error::{Error, ErrorCode};
use crate::gate::TaskFacts;
use crate::layout::{SCRATCHPAD, is_judged};
use crate::port::{Abort, AgentRole, Host, Rights};
use crate::run::branch::{come_back, leave, require_branch};
use crate::run::diff::{self, Difference};
use crate::run::event::{Event, RunStarted};
use crate::run::journal::Runs;
use crate::run::machine::Ending;
use crate::run::options::{RunOptions, Work};
use crate::run::perform::{Performed, work_digest};
use crate::run::recipe::{AfterIteration, Brief, Effects, Recipe, View, about_project};
use crate::run::session::Session;
use crate::snapshot::{self, Evidence};
use crate::task::hash;
use crate::text::listed;
use crate::verification;

/// The run as this recipe sees it.
type Seen<'a> = View<'a, Specs>;

impl Effects for Specs {
    async fn start(
        host: &Host,
        options: &RunOptions,
        config: &Config,
        mut fact: RunStarted,
        _: &Abort,
        _: &Runs,
    ) -> Result<(RunStarted, Vec<Paid>), Error> {
        if host.git.is_none() {
            let message = "a run over specs needs git, to save the candidates: pass `git` with the host";
            return Err(Error::new(ErrorCode::Unsupported, message));
        }
        let git = &config.settings.git;
        let (mut specs, mut skipped) = find(host.project(), &options.work, git.commit).await?;
        if git.commit && !specs.is_empty() {
            branch::require(host, git).await?;
            if !matches!(options.work, Work::Spec { force: true, .. }) {
                let committed;
                (specs, committed) = branch::without_committed(host, git, specs).await?;
                skipped.extend(committed);
            }
            branch::refuse_nested(host, git, &specs).await?;
        }
        (fact.specs, fact.skipped) = (Some(specs), Some(skipped));
        Ok((fact, Vec::new()))
    }

    async fn brief(session: &Session<'_>) -> Result<Brief, Error> {
        // The user may have switched branches since the last role.
        if let Some(on) = session.with(|machine: &Seen<'_>| machine.recipe.branch().cloned()) {
            require_branch(session.host, &on.branch).await?;
        }
        if let super::Step::Review(tier) = session.with(|machine: &Seen<'_>| machine.recipe.step) {
            return Box::pin(review::brief(session, tier)).await;
        }
        let (role, phase, spec, current, mut feedback, guidance, messages) = session.with(|machine: &Seen<'_>| {
            let specs = machine.recipe;
            (
                specs.role(),
                specs.row(machine.run).phase,
                specs.spec(),
                specs.current.clone(),
                machine.run.feedback.clone(),
                specs.repetition.guidance(specs.role()).to_owned(),
                machine.run.steered.join("\n\n"),
            )
        });
        if role == AgentRole::Verifier {
            feedback = current.unreadable.clone().unwrap_or_default();
        }
        if !guidance.is_empty() {
            feedback = format!("{feedback}\n\n{guidance}");
        }
        let project = session.host.project();
        let text =
            async |path: &str| project.read_text(path).await.map(|text| in_prompt(&text.unwrap_or_default(), path));
        let (spec_text, plan, scratchpad) =
            (text(&spec.path).await?, text(&spec.plan()).await?, text(SCRATCHPAD).await?);
        let void = match current.archive {
            Some(number) => text(&spec.archive(number)).await?,
            None => String::new(),
        };
        let rights = Rights::spec(role, phase).under(&session.settings.policy);
        let mut checks = String::new();
        let (mut commit, mut difference) = (String::new(), String::new());
        if let Some(candidate) = current.candidate.filter(|_| role == AgentRole::Verifier) {
            // The recording of the candidate scanned the files, unless the page was opened since.
            let recorded = session.judged.borrow().clone().filter(|recorded| recorded.tree == candidate.tree);
            let now = match recorded {
                Some(recorded) => recorded,
                None => snapshot::evidence(session.host, &is_judged).await?,
            };
            let base = session.saved_commit(&current.base).await?;
            let changed = diff::since(session.host, &base, &now).await?;
            let files = changed.readable(&session.host.dir, &rights);
            difference = Difference { files, ..changed }.text();
            commit = candidate.commit;
            checks = verification::listed(&current.results);
        }
        let commits = session.with(|machine: &Seen<'_>| machine.recipe.branch().is_some());
        let rights = if commits { rights.without_git() } else { rights };
        let (rules, files) = about_project(session, &rights, &session.settings.rules).await?;
        let prompt = prompt::build(
            role,
            phase,
            &Parts {
                spec: (&spec.path, &spec_text),
                dir: &session.host.dir,
                plan_path: &spec.plan(),
                plan: &plan,
                scratchpad: &scratchpad,
                feedback: &feedback,
                messages: &messages,
                void: current.reason.as_deref().map(|reason| (void.as_str(), reason)),
                candidate: Some((commit.as_str(), difference.as_str())),
                checks: &checks,
                rules,
                files: &files,
                has_shell: session.host.shell.is_some(),
            },
        );
        let model = session.settings.model_id(match role {
            AgentRole::Planner => Role::Planner,
            AgentRole::Verifier => Role::Verifier,
            _ => Role::Builder,
        });
        Ok(Brief { rights, model, prompt, answer: Some(shape(role)) })
    }

    async fn after_iteration(session: &Session<'_>, changed: &[String]) -> Result<AfterIteration, Error> {
        let (role, spec) = session.with(|machine: &Seen<'_>| (machine.recipe.role(), machine.recipe.spec()));
        let plan = session.host.project().read_text(&spec.plan()).await?.and_then(|text| hash(&text));
        // What the others change is taken back.
        let tree = if role == AgentRole::Builder { work_digest(session).await? } else { String::new() };
        let worked = changed.iter().any(|path| is_judged(path));
        Ok(AfterIteration { worked, plan, tree, ..AfterIteration::default() })
    }

    /// The gates do not run: the verifier judges.
    async fn gate_facts(_: &Session<'_>, _: &Evidence) -> Result<TaskFacts, Error> {
        Ok(TaskFacts::default())
    }

    /// HEAD elsewhere is refused before any model is called.
    async fn resume(session: &Session<'_>) -> Result<Vec<Event>, Error> {
        let is_stopped = session.with(|machine: &Seen<'_>| matches!(machine.ending(), Some(Ending::Stopped(..))));
        match session.with(|machine: &Seen<'_>| (machine.recipe.branch().cloned(), machine.recipe.step)) {
            (Some(_), _) if is_stopped => Ok(Vec::new()),
            // The commit may be there already.
            (Some(on), Step::Finish) => require_branch(session.host, &on.branch).await.map(|_| Vec::new()),
            _ => Ok(branch::followed(session).await?.into_iter().collect()),
        }
    }

    async fn reopen(session: &Session<'_>) -> Result<(), Error> {
        match session.with(|machine: &Seen<'_>| machine.recipe.branch().cloned()) {
            Some(on) => come_back(session, &on.branch, on.base.as_deref()).await,
            None => Ok(()),
        }
    }

    async fn close(session: &Session<'_>) -> Result<Vec<Event>, Error> {
        match session
            .with(|machine: &Seen<'_>| machine.recipe.branch().filter(|_| !machine.is_out_of_budget()).cloned())
        {
            Some(on) => Box::pin(leave(session, &on.branch, on.base.as_deref())).await,
            None => Ok(Vec::new()),
        }
    }

    async fn perform(session: &Session<'_>, command: SpecCommand) -> Result<Performed, Error> {
        // Boxed, because each future contains the futures of all its calls, and the stack of a tab is 1 MB.
        match command {
            SpecCommand::PrepareBranch => Box::pin(branch::prepare(session)).await,
            SpecCommand::StartSpec => Box::pin(start::start_spec(session)).await,
            SpecCommand::PreparePlan => Box::pin(plan::prepare(session)).await,
            SpecCommand::CheckPlan => Box::pin(plan::check(session)).await,
            SpecCommand::CheckCandidate => Box::pin(candidate::check(session)).await,
            SpecCommand::PrepareVerification => Box::pin(candidate::record(session)).await,
            SpecCommand::RunChecks => Box::pin(checks::run(session)).await,
            SpecCommand::ReadVerdict => Box::pin(verdict::read(session)).await,
            SpecCommand::ReadReview(tier) => Ok(review::read(session, tier)),
            SpecCommand::Invalidate => Box::pin(plan::invalidate(session)).await,
            SpecCommand::FinishSpec => Box::pin(finish::finish(session)).await,
            SpecCommand::WriteLog(log) => Box::pin(log::write(session, &log)).await,
        }
    }
}

fn spec(session: &Session<'_>) -> SpecInfo {
    session.with(|machine: &Seen<'_>| machine.recipe.spec())
}

/// The attempt of a role ended without a result.
fn failed(role: AgentRole, feedback: impl Into<String>) -> Performed {
    Performed::fact(SpecFact::AttemptFailed { role, feedback: feedback.into() })
}

/// The first paths of a list, for a message.
fn list_paths(paths: &[String]) -> String {
    listed(paths, 5)
}
