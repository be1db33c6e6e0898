//! The task recipe: the agent plans, the harness checks the plan, the agent builds, the gates judge.

mod approval;
mod completion;
mod context;
mod feedback;
mod files;
mod intake;
mod perform;
mod review;
mod theme;

pub use context::resolve_plan_context;
pub use intake::task_context;

use super::stall::Watch;
use super::{AnyRecipe, Next, Recipe, Row, View};
use crate::config::{Role, Settings};
use crate::gate::{GateVerdict, headline, may_ask_for_white_space};
use crate::layout::{PLAN, is_task_file};
use crate::plan::{PlanReport, SectionContext, ThemeContext};
use crate::port::{Answer, Phase, QuestionKind};
use crate::review::Tier;
use crate::run::event::{Event, IterationClose, RunStarted};
use crate::run::machine::RunState;
use crate::run::options::{PlanMode, StopReason, Work};
use crate::task::{self, Clarification, StructuredTask, TaskType};
use completion::{Completion, Plan};
use review::InReview;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use theme::Theme;

/// The facts of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantNames)]
#[expect(missing_docs, reason = "where a name says it all")]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[strum(serialize_all = "kebab-case")]
pub enum TaskFact {
    /// The task's files are decided and written from here on.
    TaskStarted {
        /// `.ralph/task.md`.
        task: String,
        /// `.ralph/origin.md`.
        origin: String,
        /// `.ralph/task-history.md`.
        history: String,
        /// The hash of the plan on disk.
        plan: Option<String>,
        /// The hash of the plan on disk if it is not the plan of this task.
        stale_plan: Option<String>,
        /// The command of the project's theme; empty if none is known.
        applied_theme: String,
        /// The command of the theme that the task must keep; empty for styles that did not come from a plan. `None` if the
        /// task may set a theme.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kept_theme: Option<String>,
        /// The project had no files.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        was_empty: bool,
        /// By its words, the host and the project, the task needs a plan of its own.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        plan_due: bool,
        /// The plan on disk is the last task's, and never opened BUILD.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unaccepted: bool,
        /// The tag of the snapshot before the task.
        pre: Option<String>,
    },
    PlanChecked {
        report: PlanReport,
        /// The hash of the checked plan.
        plan: Option<String>,
        /// The plan is valid, and no approval is due.
        accepted: bool,
        /// The plan is valid, and the user decides about it next.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        asks: bool,
        /// `.ralph/feedback.md`.
        feedback: String,
    },
    /// The theme's command is about to run. If no end follows, it may have run: it is not run again.
    ThemeStarted { command: String },
    /// The context of the accepted plan is resolved: BUILD opens.
    PlanContext {
        theme: ThemeContext,
        sections: Vec<ResolvedSection>,
        /// `.ralph/feedback.md`.
        feedback: String,
    },
    /// The agent's completion was refused because the plan or its update is missing.
    CompletionRefused {
        /// `.ralph/feedback.md`.
        feedback: String,
    },
    /// The agent repeats itself without progress.
    StallDetected {
        /// The part of the plan that it is stuck on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        section: Option<String>,
        /// The kind of the part's marker.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        marker: Option<String>,
        /// 1-based.
        recovery: u32,
        /// Whether it ends the task, by the limits of the page that detected it: another page may have others.
        #[serde(default)]
        is_last: bool,
        /// `.ralph/feedback.md`.
        feedback: String,
    },
    /// The project was restored to the state before the task.
    SnapshotRestored {
        tag: String,
        /// Files that were written.
        restored: u32,
        /// Files that were removed.
        deleted: u32,
        duration_ms: u64,
        /// `.ralph/feedback.md`.
        feedback: String,
    },
}

impl From<TaskFact> for Event {
    fn from(fact: TaskFact) -> Self {
        Self::Task(fact)
    }
}

/// A section of an accepted plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "where a name says it all")]
#[serde(rename_all = "camelCase")]
pub struct ResolvedSection {
    pub gumdrop: String,
    pub suggested_file: String,
    /// Whether the gumdrop has a recipe.
    pub found: bool,
}

impl From<SectionContext> for ResolvedSection {
    fn from(section: SectionContext) -> Self {
        let SectionContext { gumdrop, suggested_file, recipe, .. } = section;
        Self { gumdrop, suggested_file, found: recipe.is_some() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TaskCommand {
    /// Save the project as `task-n-pre` and decide the task's files.
    StartTask,
    CheckPlan,
    /// Apply the theme of the accepted plan, look up its recipes, and open BUILD.
    ApplyPlanContext,
    /// Refuse the completion, because the plan or its update is missing.
    RefuseCompletion,
    ReadReview(Tier),
    /// Save the accepted project as `task-n-post`.
    Accept,
    /// The agent is stuck: save the project as `stall-n-recovery`, the second time as `stall-n-recovery-2`, and guide the agent, or end the task. The number is 1-based.
    Recover {
        number: u32,
        is_last: bool,
    },
    /// The agent is stuck for the last time: restore this snapshot.
    RollBack(String),
}

/// The state of a task, folded from the journal.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Task {
    work: Option<Work>,
    mode: PlanMode,
    number: u32,
    structured: Option<StructuredTask>,
    texts: Texts,
    step: Step,
    /// The plan opened BUILD, or no plan is required.
    is_building: bool,
    plan: Plan,
    theme: Theme,
    /// The project was empty when the task began.
    was_empty: bool,
    /// The agent said that it is done.
    completed: bool,
    watch: Watch,
    /// What the user said with the approvals of plans.
    #[serde(default)]
    notes: Vec<String>,
    #[serde(default)]
    review: InReview,
}

/// The texts of the task's files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Texts {
    task: String,
    origin: String,
    history: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
enum Step {
    #[default]
    Start,
    /// Between two iterations.
    Between,
    /// The user decides about the plan with this hash.
    Approve {
        plan: Option<String>,
        text: String,
        report: Box<Value>,
    },
    /// The plan with this hash was accepted in PLAN; its context opens BUILD.
    Context(Option<String>),
    Review(Tier),
    ReadReview(Tier),
    Save,
    RollBack(String),
}

impl Recipe for Task {
    type Command = TaskCommand;
    const MAX_ITERATIONS: Option<u32> = Some(20);
    const ROLES: &'static [Role] = &[Role::Parser, Role::Planner, Role::Builder];

    fn downcast(any: &AnyRecipe) -> Option<&Self> {
        if let AnyRecipe::Task(task) = any { Some(task) } else { None }
    }

    fn fold(&mut self, event: &Event, run: &mut RunState) {
        match event {
            Event::RunStarted(started) => self.start(started, run),
            Event::Review(fact) => self.fold_review(fact, run),
            Event::ConfigLoaded { .. } => self.configured(run),
            Event::Task(fact) => self.fold_own(fact, run),
            Event::RunResumed { plan, .. } => {
                self.plan.now.clone_from(plan);
                self.theme.resumed();
                self.review.unreadable = None;
            }
            // What a reviewer does is no progress of the work.
            Event::IterationStarted { .. } | Event::ToolCall { .. } if self.tier().is_some() => {}
            Event::IterationFinished { close, answer, .. } if self.tier().is_some() => {
                self.reviewed(*close, answer.as_ref());
            }
            Event::IterationStarted { .. } => self.watch.started(),
            Event::ToolCall { name, args, .. } => self.watch.called(name, args),
            Event::FileChanged { path, .. } if !is_task_file(path) => {
                self.watch.touched.insert(path.clone());
            }
            Event::UserChanged { files } | Event::ChangesUnclear { files, .. } => {
                self.watch.touched.extend(files.iter().map(|file| file.path.clone()))
            }
            Event::IterationFinished { close, plan, tree, files_changed, .. } => {
                self.plan.written(files_changed, plan);
                self.completed |= *close == IterationClose::Completed;
                if !run.open {
                    self.watch.ended(tree, plan.as_deref());
                }
            }
            Event::GateChecked { report } => self.watch.judged(report),
            Event::GatesFinished { .. } => match run.round_passed() {
                Some(true) if !run.has_unanswered() => self.judged(run),
                Some(_) => self.completed = false,
                None => {}
            },
            Event::QuestionAnswered { answer, .. } => self.answered(answer, run),
            Event::QuestionUnanswered { id } => Self::unanswered(id, run),
            Event::EvidenceOutdated { .. } => self.step = Step::Between,
            Event::SnapshotSaved { snapshot, .. } if self.step == Step::Save => {
                run.snapshots.post = Some(snapshot.tag.clone());
                run.stop(StopReason::Done, &done(run, &format!(", saved as {}", snapshot.tag)));
            }
            Event::SnapshotSkipped { .. } if self.step == Step::Save => {
                run.stop(StopReason::Done, &done(run, ""));
            }
            Event::Steered { .. } => {
                self.watch.steered();
                // A message that arrives while the work is saved is more work.
                if self.step == Step::Save {
                    (self.completed, self.step) = (false, Step::Between);
                }
            }
            _ => {}
        }
    }

    fn row(&self, run: &RunState) -> Row<TaskCommand> {
        use TaskCommand as Do;
        let phase = self.phase(run);
        match &self.step {
            Step::Start => Row::perform(phase, Do::StartTask, &["snapshot-saved", "task-started"]),
            Step::Between => match self.weigh() {
                Completion::CheckPlan if !self.plan.checked => Row::perform(phase, Do::CheckPlan, &["plan-checked"]),
                Completion::Refused => Row::perform(phase, Do::RefuseCompletion, &["completion-refused"]),
                Completion::Honoured => Row { phase, does: Next::Judge, facts: &[] },
                Completion::CheckPlan | Completion::None if self.is_stuck(run) => {
                    let facts = &["snapshot-saved", "snapshot-skipped", "stall-detected"];
                    let number = self.watch.recoveries + 1;
                    let is_last = number >= run.limits.max_stall_recoveries;
                    Row::perform(phase, Do::Recover { number, is_last }, facts)
                }
                Completion::CheckPlan | Completion::None => Row::iterate(phase),
            },
            Step::Approve { .. } => Row::ask(phase, QuestionKind::Plan),
            Step::Context(_) => Row::perform(phase, Do::ApplyPlanContext, &["theme-started", "plan-context"]),
            Step::Review(_) => Row::iterate(phase),
            Step::ReadReview(tier) => {
                Row::perform(phase, Do::ReadReview(*tier), &["review-given", "review-unreadable"])
            }
            Step::Save => {
                let facts = &["evidence-outdated", "snapshot-saved", "snapshot-skipped"];
                Row::perform(Phase::Accept, Do::Accept, facts)
            }
            Step::RollBack(tag) => Row::perform(phase, Do::RollBack(tag.clone()), &["snapshot-restored"]),
        }
    }

    fn step(&self) -> String {
        format!("{:?}", self.step)
    }

    fn phase(&self, _: &RunState) -> Phase {
        match self.step {
            Step::Review(_) | Step::ReadReview(_) => Phase::Review,
            _ => self.working_phase(),
        }
    }

    fn review(settings: &Settings) -> Option<Tier> {
        settings.reviews.task.tier()
    }

    fn why(fact: &Event) -> &'static str {
        match fact {
            Event::RunStarted(_) | Event::Task(TaskFact::TaskStarted { .. }) => "no plan is required",
            Event::Task(TaskFact::PlanContext { .. }) => "the plan is valid",
            Event::Review(fact) => fact.why(),
            _ => "",
        }
    }

    fn iteration_message(&self, iteration: u32) -> String {
        format!("task-{}, iteration {iteration}: {}", self.number, task::title(self.message()))
    }

    /// The work is done, and only its review is left.
    fn is_exempt(&self) -> bool {
        self.tier().is_some()
    }

    fn unfinished(&self, run: &RunState) -> String {
        let state = match (self.is_building, self.plan.checked, run.round()) {
            (true, true, _) => "plan validated, budget exhausted before it was built",
            (false, true, _) => "the plan was never valid",
            (false, false, _) if self.plan_required() => "the plan that the task needs was never written",
            (_, _, 1) => "the agent never completed",
            _ if self.review.returned > 0 && run.failing_gates().is_none() => {
                return format!("the review {}", self.returned_work());
            }
            _ => "the gates did not pass",
        };
        state.to_owned()
    }

    fn question(&self, _: &RunState) -> (String, Value) {
        match &self.step {
            Step::Approve { text, report, .. } => (text.clone(), report.as_ref().clone()),
            _ => (String::new(), Value::Null),
        }
    }

    fn check_answer(&self, answer: &Answer) -> Result<(), String> {
        match &answer.value {
            None => Ok(()),
            Some(_) => Err(format!("a plan has no other value: edit {PLAN}, and the run checks it again")),
        }
    }

    fn files(view: &View<'_, Self>) -> Vec<(String, Option<String>)> {
        files::files(view).into_iter().map(|(path, text)| (path.to_owned(), Some(text))).collect()
    }
}

impl Task {
    fn start(&mut self, fact: &RunStarted, run: &mut RunState) {
        self.work = Some(fact.work.clone());
        self.number = fact.task_number.unwrap_or_default();
        self.mode = fact.plan.unwrap_or_default();
        self.structured.clone_from(&fact.task);
        if let Some(asked) = self.clarification() {
            run.questions = Some(asked.questions);
            let message = "The message is ambiguous: answer the questions.";
            return run.stop(StopReason::NeedsClarification, message);
        }
        self.is_building = self.mode == PlanMode::Off;
    }

    fn fold_own(&mut self, fact: &TaskFact, run: &mut RunState) {
        match fact {
            TaskFact::TaskStarted { task, origin, history, plan, stale_plan, was_empty, pre, .. } => {
                let TaskFact::TaskStarted { applied_theme, kept_theme, plan_due, unaccepted, .. } = fact else {
                    return;
                };
                self.texts = Texts { task: task.clone(), origin: origin.clone(), history: history.clone() };
                self.plan.began(plan, stale_plan);
                (self.plan.due, self.plan.unaccepted) = (*plan_due, *unaccepted);
                self.open_by_type();
                if self.mode == PlanMode::Approved {
                    self.plan.approved.clone_from(plan);
                    self.plan.seen = true;
                }
                self.theme = Theme::of_project(applied_theme, kept_theme.as_deref());
                self.was_empty = *was_empty;
                self.watch.began(plan.as_deref());
                run.snapshots.pre.clone_from(pre);
                run.ledger.settle();
                self.step = Step::Between;
            }
            TaskFact::PlanChecked { plan, report, accepted, asks, feedback } => {
                run.feedback.clone_from(feedback);
                self.plan_checked(plan, *accepted, *asks);
                if *asks {
                    let (text, report) = Self::question_of_plan(report);
                    self.step = Step::Approve { plan: plan.clone(), text, report: Box::new(report) };
                }
            }
            TaskFact::ThemeStarted { command } => self.theme.started(command),
            TaskFact::PlanContext { theme, feedback, .. } => {
                run.feedback.clone_from(feedback);
                if let Step::Context(plan) = std::mem::replace(&mut self.step, Step::Between) {
                    self.plan.accepted = plan;
                }
                self.theme.resolved(theme);
                self.is_building = true;
            }
            TaskFact::CompletionRefused { feedback } => {
                run.feedback.clone_from(feedback);
                self.completed = false;
            }
            TaskFact::StallDetected { is_last, feedback, .. } => {
                run.feedback.clone_from(feedback);
                self.watch.recovered();
                match (is_last, run.snapshots.pre.clone()) {
                    (false, _) => {}
                    (true, Some(tag)) => self.step = Step::RollBack(tag),
                    (true, None) => give_up(run),
                }
            }
            // The plan and the theme of the task are gone with its files.
            TaskFact::SnapshotRestored { feedback, .. } => {
                run.feedback.clone_from(feedback);
                self.plan.accepted = None;
                self.theme.restored();
                give_up(run);
            }
        }
    }

    /// Whether the task's files are decided.
    pub(crate) fn has_started(&self) -> bool {
        !self.texts.task.is_empty()
    }

    /// The user's message; empty before the run started.
    pub(crate) fn message(&self) -> &str {
        match &self.structured {
            Some(task) => &task.raw_message,
            None => self.work.as_ref().map_or("", Work::message),
        }
    }

    /// The questions that end the run before anything is done.
    pub(crate) fn clarification(&self) -> Option<Clarification> {
        let task = self.structured.as_ref().filter(|task| task.kind == TaskType::NeedsClarification)?;
        Some(Clarification { message: task.raw_message.clone(), questions: task.questions.clone().unwrap_or_default() })
    }

    fn builds_app(&self) -> bool {
        self.structured.as_ref().is_some_and(|task| task::builds_app(task, self.was_empty))
    }

    /// `Plan` or `Build`: the phase of the agent's next iteration.
    pub(crate) fn working_phase(&self) -> Phase {
        if self.is_building { Phase::Build } else { Phase::Plan }
    }

    /// The agent repeats itself, and no limit ends the run before a recovery.
    fn is_stuck(&self, run: &RunState) -> bool {
        !run.open && self.watch.is_stuck(run.limits.stall_threshold) && run.too_many_failures().is_none()
    }

    /// The message is known, and neither it nor a later one may ask for a pure white-space change.
    fn asks_for_more_than_white_space(&self, run: &RunState) -> bool {
        let mut messages = std::iter::once(self.message()).chain(run.steered.iter().map(String::as_str));
        !self.message().is_empty() && !messages.any(may_ask_for_white_space)
    }
}

/// How a task ends that the gates accept. `saved` is the end of the sentence.
fn done(run: &RunState, saved: &str) -> String {
    let warned = run.reports().iter().filter(|report| report.verdict == GateVerdict::Warn);
    let warned: Vec<&str> = warned.map(|report| report.gate.as_str()).collect();
    let gates = match warned.as_slice() {
        [] => "every gate passed".to_owned(),
        [gate] => format!("no gate failed, 1 warns ({gate})"),
        gates => format!("no gate failed, {} warn ({})", gates.len(), gates.join(", ")),
    };
    match headline(&run.requirements) {
        None => format!("Done: {gates}{saved}."),
        Some(headline) => format!("{headline}. Gates: {gates}{saved}."),
    }
}

fn give_up(run: &mut RunState) {
    let mut message = run.feedback.lines().collect::<Vec<&str>>().join(" ");
    if let Some(failing) = run.failing_gates() {
        message.push_str(&format!(" Still failing: {failing}."));
    }
    run.stop(StopReason::Stalled, &message);
}

#[cfg(test)]
mod tests;
