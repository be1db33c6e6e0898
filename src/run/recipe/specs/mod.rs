//! The spec recipe: a planner plans, an implementer builds a candidate, a verifier accepts it, returns it, or finds the
//! plan wrong. The next plan has the reason.

mod answer;
mod board;
mod branch;
mod catalog;
mod fact;
mod perform;
mod prompt;
mod review;
mod state;

pub use answer::Verdict;
pub use board::{ListedSpec, SpecState, list_specs};
pub(in crate::run) use catalog::ref_part;
pub use catalog::{SkippedSpec, SpecInfo};
pub use fact::{EarlierChange, SpecFact};
pub(in crate::run) use perform::finish_commit;
pub use state::{Candidate, PlanInfo, PlanStatus};

use super::stall::Repetition;
use super::{AnyRecipe, Recipe, Row, View};
use crate::agent::FileChangeKind;
use crate::config::{Role, Settings, VerificationStep};
use crate::error::ErrorCode;
use crate::layout::SPECS;
use crate::port::{AgentRole, Phase};
use crate::review::Tier;
use crate::run::event::{Event, IterationClose, RunStarted};
use crate::run::fault::Fault;
use crate::run::machine::{RunState, Wait, backoff};
use crate::run::options::{StopReason, Work};
use crate::run::verify::VerificationFact;
use crate::text::counted;
use crate::verification::VerificationResult;
use branch::OnBranch;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SpecCommand {
    /// Switch to the branch of the next spec.
    PrepareBranch,
    /// Read and repair the state of the current spec.
    StartSpec,
    /// Mark the plan as a draft and save the project before the planner works.
    PreparePlan,
    CheckPlan,
    /// Check the implementer's answer and record the candidate.
    CheckCandidate,
    /// Record the working tree as the candidate, unless it is recorded.
    PrepareVerification,
    /// Run the configured commands on the candidate.
    RunChecks,
    ReadVerdict,
    ReadReview(Tier),
    /// Archive the plan.
    Invalidate,
    /// Write the done file and save the project.
    FinishSpec,
    WriteLog(Log),
}

/// The state of a run over specs, folded from its journal.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Specs {
    work: Option<Work>,
    specs: Vec<SpecInfo>,
    /// There are files below `specs/`, and none can run or is done.
    unreadable: bool,
    /// The index of the current spec.
    at: usize,
    step: Step,
    current: Current,
    /// The configuration commits the specs.
    commits: bool,
    /// The branch of the current spec, or of the next one.
    on: Option<OnBranch>,
    /// The indices of the specs that are committed, with their branches.
    committed: Vec<(usize, String)>,
    /// The log that lacks the last iteration.
    unlogged: Option<Log>,
    /// The answer of the iteration that ended last.
    answer: Option<Value>,
    /// The commands that judge candidates.
    #[serde(default)]
    checks: Vec<VerificationStep>,
    /// What calls of the last iteration changed, and the harness took back.
    undone: Vec<(String, FileChangeKind)>,
    repetition: Box<Repetition>,
}

/// The state of the current spec.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Current {
    /// `None` before it is read.
    spec: Option<SpecInfo>,
    /// The state of the plan; `None` before a planner begins the first one.
    plan: Option<PlanInfo>,
    /// The number of the plan.
    attempt: u32,
    /// Why the plan before it is void, and the number of its archive.
    reason: Option<String>,
    archive: Option<u32>,
    candidate: Option<Candidate>,
    /// What the configured commands found about the candidate.
    #[serde(default)]
    results: Vec<VerificationResult>,
    base: String,
    /// No run worked on the spec before.
    fresh: bool,
    logs: String,
    failures: u32,
    replans: u32,
    /// The consecutive iterations that reached the limit of tool calls while they changed files.
    continued: u32,
    /// The reason of the verdict that is carried out.
    verdict: String,
    /// What the verifier noted when it accepted.
    notes: Vec<String>,
    /// Why the last answer of the verifier has no readable verdict.
    unreadable: Option<String>,
    /// The consecutive times that files changed while the candidate was saved.
    outdated: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
enum Step {
    #[default]
    Start,
    PreparePlan,
    Plan,
    CheckPlan,
    Implement,
    CheckCandidate,
    PrepareVerification,
    RunChecks,
    Verify,
    ReadVerdict,
    Review(Tier),
    ReadReview(Tier),
    Invalidate,
    Finish,
    /// Wait, then continue with the role's step.
    WaitToPlan(u64),
    WaitToImplement(u64),
    WaitToVerify(u64),
}

/// The log of a role in an attempt at a spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Log {
    role: AgentRole,
    /// 1-based in the run.
    attempt: u32,
}

/// How often a candidate is saved while files change.
const SAVES: u32 = 3;

/// How many iterations may follow one that reached the limit of tool calls, within one attempt.
const CONTINUATIONS: u32 = 10;

impl Recipe for Specs {
    type Command = SpecCommand;
    const MAX_ITERATIONS: Option<u32> = None;
    const ROLES: &'static [Role] = &[Role::Planner, Role::Builder, Role::Verifier];

    const ANYTIME: &'static [&'static str] = &["branch-moved"];

    fn downcast(any: &AnyRecipe) -> Option<&Self> {
        if let AnyRecipe::Spec(specs) = any { Some(specs) } else { None }
    }

    fn fold(&mut self, event: &Event, run: &mut RunState) {
        self.repetition.fold(event, run);
        match event {
            Event::RunStarted(started) => self.start(started, run),
            Event::Specs(fact) => self.fold_own(fact, run),
            Event::Verification(fact) => self.fold_verification(fact, run),
            Event::Review(fact) => self.fold_review(fact, run),
            Event::Branch(fact) => self.fold_branch(fact, run),
            Event::ConfigLoaded { settings, .. } => self.configured(settings, run),
            // The user may have changed files since the candidate was recorded.
            Event::RunResumed { .. } => {
                (self.current.unreadable, self.current.outdated) = (None, 0);
                if self.step == Step::RunChecks {
                    self.current.results.clear();
                }
                if matches!(self.step, Step::RunChecks | Step::Verify) {
                    self.step = Step::PrepareVerification;
                }
            }
            Event::IterationStarted { role, attempt, .. } => {
                self.unlogged = Some(Log { role: *role, attempt: *attempt });
                if !run.repeats && self.current.continued == 0 {
                    self.undone.clear();
                }
            }
            Event::WriteDenied { path, undone: Some(change), .. } => self.undone.push((path.clone(), *change)),
            Event::IterationFinished { close, answer, files_changed, .. } => {
                self.finish_iteration(*close, answer.as_ref(), !files_changed.is_empty(), run);
            }
            Event::Waited { .. } => {
                self.step = match self.step {
                    Step::WaitToPlan(_) => Step::PreparePlan,
                    Step::WaitToImplement(_) => Step::Implement,
                    Step::WaitToVerify(_) => Step::PrepareVerification,
                    step => step,
                }
            }
            // The work is accepted, and a message is more work.
            Event::Steered { .. } if self.step == Step::Finish => self.step = Step::Implement,
            Event::Steered { .. } if self.at == self.specs.len() => {
                (self.at, self.step) = (self.at.saturating_sub(1), Step::Implement);
            }
            _ => {}
        }
    }

    fn row(&self, _: &RunState) -> Row<SpecCommand> {
        use Phase::{Accept, Build, Check, Plan, Review};
        use SpecCommand as Do;
        let row = match self.step {
            Step::Start if self.commits && self.on.is_none() => {
                Row::perform(Plan, Do::PrepareBranch, &["branch-prepared"])
            }
            Step::Start => Row::perform(Plan, Do::StartSpec, &["snapshot-saved", "spec-started"]),
            Step::PreparePlan => Row::perform(Plan, Do::PreparePlan, &["snapshot-saved", "plan-prepared"]),
            Step::Plan => Row::iterate(Plan),
            Step::CheckPlan => Row::perform(Plan, Do::CheckPlan, &["plan-accepted", "attempt-failed"]),
            Step::WaitToPlan(ms) => Row::wait(Plan, ms),
            Step::Implement => Row::iterate(Build),
            Step::CheckCandidate => {
                let facts = &["snapshot-saved", "candidate-recorded", "candidate-outdated", "attempt-failed"];
                Row::perform(Check, Do::CheckCandidate, facts)
            }
            Step::WaitToImplement(ms) => Row::wait(Build, ms),
            Step::PrepareVerification => {
                let facts = &["snapshot-saved", "candidate-recorded", "candidate-outdated"];
                Row::perform(Check, Do::PrepareVerification, facts)
            }
            Step::RunChecks => {
                let facts = &["verification-checked", "verification-finished", "verification-inconclusive"];
                Row::perform(Check, Do::RunChecks, facts)
            }
            Step::Verify => Row::iterate(Review),
            Step::ReadVerdict => {
                let facts = &["verdict-given", "verdict-unreadable", "candidate-outdated", "attempt-failed"];
                Row::perform(Review, Do::ReadVerdict, facts)
            }
            Step::Review(_) => Row::iterate(Review),
            Step::ReadReview(tier) => {
                Row::perform(Review, Do::ReadReview(tier), &["review-given", "review-unreadable"])
            }
            Step::WaitToVerify(ms) => Row::wait(Review, ms),
            Step::Invalidate => Row::perform(Plan, Do::Invalidate, &["plan-invalidated"]),
            Step::Finish => {
                Row::perform(Accept, Do::FinishSpec, &["candidate-outdated", "snapshot-saved", "spec-finished"])
            }
        };
        match &self.unlogged {
            Some(log) => Row::perform(row.phase, Do::WriteLog(log.clone()), &["log-written"]),
            None => row,
        }
    }

    fn depends_on_authors(&self) -> bool {
        self.step == Step::CheckCandidate && self.unlogged.is_none()
    }

    fn step(&self) -> String {
        format!("{:?}", self.step)
    }

    fn why(fact: &Event) -> &'static str {
        let fact = match fact {
            Event::Verification(fact) => return fact.why(),
            Event::Review(fact) => return fact.why(),
            Event::Specs(fact) => fact,
            _ => return "",
        };
        match fact {
            SpecFact::SpecStarted { candidate: Some(_), .. } => "the work waits for its verification",
            SpecFact::SpecStarted { planned: true, .. } => "the spec has a plan",
            SpecFact::PlanAccepted { .. } => "the plan is written",
            SpecFact::CandidateRecorded { .. } => "the work is saved",
            SpecFact::VerdictGiven { verdict: Verdict::Accept, .. } => "the verifier accepted the work",
            SpecFact::VerdictGiven { verdict: Verdict::Fix, .. } => "the verifier found defects",
            SpecFact::VerdictGiven { .. } | SpecFact::PlanInvalidated { .. } => "the plan is wrong",
            SpecFact::AttemptFailed { .. } => "the attempt failed",
            SpecFact::SpecFinished { .. } => "the next spec begins",
            _ => "",
        }
    }

    fn review(settings: &Settings) -> Option<Tier> {
        settings.reviews.spec.tier()
    }

    fn iteration_message(&self, iteration: u32) -> String {
        format!("{}, iteration {iteration}: {}", self.spec().id(), self.spec().title)
    }

    fn unfinished(&self, _: &RunState) -> String {
        format!("{} is not verified", self.spec().path)
    }

    /// The state of the current spec's plan, and its candidate.
    fn files(view: &View<'_, Self>) -> Vec<(String, Option<String>)> {
        let Current { spec: Some(spec), plan, candidate, .. } = &view.recipe.current else { return Vec::new() };
        // The files of a spec that is done are part of its commit, and leave the working tree with its branch.
        if view.recipe.step == Step::Start {
            return Vec::new();
        }
        let plan = plan.iter().map(|plan| (spec.plan_state(), Some(state::to_text(plan))));
        plan.chain([(spec.candidate(), candidate.as_ref().map(state::to_text))]).collect()
    }
}

fn nothing_to_do(skipped: &[SkippedSpec]) -> String {
    /// How many files are named.
    const NAMED: usize = 5;
    let done = skipped.iter().filter(|skipped| skipped.done).count();
    if done > 0 {
        let are = if done == 1 { "is" } else { "are" };
        return format!("No spec is left to do; {done} {are} done.");
    }
    let reasons: String =
        skipped.iter().take(NAMED).map(|SkippedSpec { path, reason, .. }| format!(" {path}: {reason}.")).collect();
    let more = skipped.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" {more} other files cannot run either.") } else { String::new() };
    format!("There is no spec below {SPECS}/: write one, such as {SPECS}/0001-short-name.md.{reasons}{more}")
}

impl Specs {
    /// The current spec.
    fn spec(&self) -> SpecInfo {
        let none = || SpecInfo { path: String::new(), title: String::new() };
        self.specs.get(self.at).cloned().unwrap_or_else(none)
    }

    pub(super) fn is_unreadable(&self) -> bool {
        self.unreadable
    }

    fn is_forced(&self) -> bool {
        matches!(self.work, Some(Work::Spec { force: true, .. }))
    }

    fn role(&self) -> AgentRole {
        match self.step {
            Step::Plan => AgentRole::Planner,
            Step::Verify => AgentRole::Verifier,
            Step::Review(_) => AgentRole::Reviewer,
            _ => AgentRole::Builder,
        }
    }

    fn start(&mut self, fact: &RunStarted, run: &mut RunState) {
        self.work = Some(fact.work.clone());
        self.specs = fact.specs.clone().unwrap_or_default();
        if self.specs.is_empty() {
            let skipped = fact.skipped.as_deref().unwrap_or_default();
            self.unreadable = !skipped.is_empty() && skipped.iter().all(|skipped| !skipped.done);
            run.stop(StopReason::NothingToDo, &nothing_to_do(skipped));
        }
    }

    fn fold_own(&mut self, fact: &SpecFact, run: &mut RunState) {
        match fact {
            SpecFact::SpecStarted {
                attempt,
                planned,
                reason,
                archive,
                candidate,
                state,
                base,
                base_commit,
                earlier,
                logs,
                fresh,
                ..
            } => {
                run.ledger.settle();
                earlier.iter().for_each(|earlier| run.ledger.record(earlier.by, &earlier.write));
                run.commits.extend(base_commit.iter().map(|commit| (base.clone(), commit.clone())));
                self.current = Current {
                    spec: Some(self.spec()),
                    plan: state.as_deref().cloned(),
                    fresh: *fresh,
                    attempt: *attempt,
                    reason: reason.clone(),
                    archive: *archive,
                    candidate: candidate.clone(),
                    base: base.clone(),
                    logs: logs.clone(),
                    ..Current::default()
                };
                self.repetition.began();
                let feedback = state.as_ref().filter(|_| *planned).map(|state| state.feedback.clone());
                run.feedback = feedback.unwrap_or_default();
                run.snapshots.pre.get_or_insert_with(|| base.clone());
                self.step = match (planned, candidate) {
                    (false, _) => Step::PreparePlan,
                    (true, None) => Step::Implement,
                    (true, Some(_)) => Step::PrepareVerification,
                };
            }
            SpecFact::PlanPrepared {} => {
                let mut plan = PlanInfo::new(&self.spec(), PlanStatus::Drafting, self.current.attempt, run.now());
                plan.invalidation_reason.clone_from(&self.current.reason);
                self.current.plan = Some(plan);
                self.step = Step::Plan;
            }
            SpecFact::PlanAccepted { attempt } => {
                self.current.plan = Some(PlanInfo::new(&self.spec(), PlanStatus::Active, *attempt, run.now()));
                (self.current.attempt, self.step) = (*attempt, Step::Implement);
                run.feedback.clear();
            }
            SpecFact::AttemptFailed { role, feedback } => {
                match role {
                    AgentRole::Verifier => {}
                    AgentRole::Planner => run.feedback.clone_from(feedback),
                    _ => self.must_fix(feedback, run),
                }
                self.weigh(run);
                self.fail(run, *role);
            }
            SpecFact::CandidateRecorded { candidate, verifies } => {
                // The verifier may be asked again about a candidate that the commands have judged.
                if self.current.candidate.replace(candidate.clone()).as_ref() != Some(candidate) {
                    self.current.results.clear();
                }
                let checks = *verifies && self.current.results.is_empty();
                self.step = if checks { Step::RunChecks } else { Step::Verify };
                self.current.outdated = 0;
            }
            SpecFact::CandidateOutdated { .. } => self.outdated(run),
            SpecFact::VerdictUnreadable { reason } => {
                self.weigh(run);
                self.step = Step::PrepareVerification;
                if self.current.unreadable.replace(reason.clone()).is_some() {
                    let message = format!(
                        "the verification of {} is inconclusive: {reason} The candidate is unchanged; resume the run to \
                         verify it again",
                        self.spec().path
                    );
                    run.fail(Fault::inconclusive(ErrorCode::Model, message));
                }
            }
            SpecFact::VerdictGiven { verdict, reason, findings, feedback } => {
                self.current.verdict.clone_from(reason);
                self.current.notes = if *verdict == Verdict::Accept { findings.clone() } else { Vec::new() };
                self.current.unreadable = None;
                self.repetition.decided(&format!("{verdict:?} {reason} {feedback}"));
                match verdict {
                    Verdict::Accept => self.accepted(run),
                    Verdict::InvalidatePlan => {
                        let plan = self.current.plan.take();
                        self.current.plan = plan.map(|plan| plan.invalidated(reason, run.now()));
                        self.step = Step::Invalidate;
                    }
                    Verdict::Fix => {
                        self.current.candidate = None;
                        self.must_fix(feedback, run);
                        self.fail(run, AgentRole::Builder);
                    }
                }
            }
            SpecFact::PlanInvalidated { reason, attempt } => {
                run.feedback.clear();
                let current = &mut self.current;
                current.candidate = None;
                (current.reason, current.archive) = (Some(reason.clone()), Some(*attempt));
                current.attempt = attempt + 1;
                current.replans += 1;
                if current.replans > run.limits.max_replans {
                    let plans = counted(self.current.replans, "invalid plan");
                    let message = format!("{}: {plans}; the last reason: {reason}", self.spec().path);
                    return run.stop(StopReason::PlanNotConverging, &message);
                }
                self.fail(run, AgentRole::Planner);
            }
            SpecFact::LogWritten { .. } => self.unlogged = None,
            SpecFact::SpecFinished { tag, commit, .. } => {
                self.must_fix("", run);
                self.current.candidate = None;
                run.accept_messages();
                run.snapshots.post = Some(tag.clone());
                if let Some(commit) = commit {
                    self.committed(commit, run);
                }
                (self.at, self.step) = (self.at + 1, Step::Start);
                match self.at == self.specs.len() {
                    true => run.stop(StopReason::Done, &self.done_message()),
                    false => self.on = None,
                }
            }
        }
    }

    fn fold_verification(&mut self, fact: &VerificationFact, run: &mut RunState) {
        match fact {
            VerificationFact::VerificationChecked { result } => self.current.results.push(result.clone()),
            VerificationFact::VerificationFinished { feedback: None, .. } => self.step = Step::Verify,
            VerificationFact::VerificationFinished { feedback: Some(feedback), .. } => {
                self.current.candidate = None;
                self.must_fix(feedback, run);
                self.weigh(run);
                self.fail(run, AgentRole::Builder);
            }
            VerificationFact::VerificationInconclusive { reason } => {
                let message = format!(
                    "the verification of {} is inconclusive: {reason}. The candidate is unchanged; resume the run to verify \
                     it again",
                    self.spec().path
                );
                run.fail(Fault::inconclusive(ErrorCode::Shell, message));
            }
        }
    }

    /// What the next attempt of the implementer must fix, also in a later run.
    fn must_fix(&mut self, feedback: &str, run: &mut RunState) {
        feedback.clone_into(&mut run.feedback);
        if let Some(plan) = &mut self.current.plan {
            feedback.clone_into(&mut plan.feedback);
        }
    }

    /// Files changed while the candidate was saved or verified: it is recorded again.
    fn outdated(&mut self, run: &mut RunState) {
        self.weigh(run);
        let is_saving = matches!(self.step, Step::CheckCandidate | Step::PrepareVerification);
        self.step = Step::PrepareVerification;
        self.current.outdated = if is_saving { self.current.outdated + 1 } else { 0 };
        if self.current.outdated >= SAVES {
            let message =
                "files change while the candidate is saved: stop the program that writes them, and resume the run";
            run.fail(Fault::new(ErrorCode::Conflict, message));
        }
    }

    /// Counts a failed attempt: the role works again after a wait, unless the attempts are used up.
    fn fail(&mut self, run: &mut RunState, role: AgentRole) {
        self.current.failures += 1;
        let failures = self.current.failures;
        let ms = backoff(failures);
        run.wait = Wait::after(failures, run.limits.max_attempts, "the attempt failed");
        self.step = match role {
            AgentRole::Planner => Step::WaitToPlan(ms),
            AgentRole::Verifier => Step::WaitToVerify(ms),
            _ => Step::WaitToImplement(ms),
        };
        if failures >= run.limits.max_attempts {
            let failed = counted(failures, "attempt");
            run.stop(StopReason::MaxAttempts, &format!("{}: {failed} failed, which is the limit.", self.spec().path));
        }
    }

    /// The role works again, because it decided nothing.
    fn weigh(&mut self, run: &mut RunState) {
        let path = self.spec().path;
        self.repetition.weigh(run, &path);
    }

    fn finish_iteration(&mut self, close: IterationClose, answer: Option<&Value>, changed: bool, run: &mut RunState) {
        // The run waits or ends; the next iteration then repeats its work.
        if matches!(close, IterationClose::ModelFailed | IterationClose::Budget | IterationClose::Asked) {
            return;
        }
        // Work that does not fit into one iteration continues in the next one.
        let is_long = close == IterationClose::ToolLimit && changed && self.current.continued < CONTINUATIONS;
        if is_long && matches!(self.step, Step::Plan | Step::Implement) {
            self.current.continued += 1;
            return self.weigh(run);
        }
        self.current.continued = 0;
        self.answer = answer.filter(|_| close == IterationClose::Completed).cloned();
        self.step = match self.step {
            Step::Plan => Step::CheckPlan,
            Step::Implement => Step::CheckCandidate,
            Step::Verify => Step::ReadVerdict,
            Step::Review(tier) => Step::ReadReview(tier),
            step => step,
        };
    }
}
