//! What a configuration says, resolved: every key has its value or its default.

use crate::port::{PolicyRule, PriceTable};
use serde::{Deserialize, Serialize};

/// How many snapshots of iterations exist by default.
pub const ITERATIONS_KEPT: u32 = 100;

/// The configuration of a run. The names are as in the YAML.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Settings {
    pub tools: Tools,
    pub defaults: Defaults,
    /// For everyone who plans, builds or judges.
    pub rules: Vec<String>,
    pub verification: VerificationSettings,
    pub reviews: ReviewSettings,
    pub summaries: SummarySettings,
    pub gates: GateSelection,
    pub guard: GuardSettings,
    pub approvals: ApprovalSettings,
    /// The rules of all layers, the outermost first, with `guard.deny`.
    pub policy: Vec<PolicyRule>,
    pub git: GitSettings,
    pub snapshots: SnapshotSettings,
    pub records: RecordSettings,
    pub runs: RunSettings,
    pub iterations: AttemptSettings,
    pub limits: LimitOptions,
    /// The prices of models by their ids.
    pub models: PriceTable,
}

/// What `defaults` may name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Tools {
    pub executors: Vec<Executor>,
    pub planners: Vec<Planner>,
    pub reviewers: Vec<Reviewer>,
}

/// Builds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Executor {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The adapter that it needs, such as `claude-code`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// Plans.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Planner {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// Reviews differences.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Reviewer {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What the review looks for, such as `race_conditions`.
    #[serde(default)]
    pub checks: Vec<String>,
}

/// The choices among the tools, by id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Defaults {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planner: Option<String>,
    /// Any of the tools, as for the summarizer and the parser.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verifier: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quick_reviewer: Option<String>,
    /// Absent: the final reviewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deep_reviewer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_reviewer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summarizer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parser: Option<String>,
    /// Attempts per chunk, from 1 to 20.
    pub max_iterations: u32,
    /// Repetitions of a model call that a rate limit or an outage refused; 0 is none.
    pub max_retries: u32,
    /// Whether a failed chunk ends the run; otherwise, chunks that do not depend on it go on.
    pub stop_on_failure: bool,
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            executor: None,
            planner: None,
            verifier: None,
            quick_reviewer: None,
            deep_reviewer: None,
            final_reviewer: None,
            summarizer: None,
            parser: None,
            max_iterations: 5,
            max_retries: 5,
            stop_on_failure: false,
        }
    }
}

/// The commands that check the work.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct VerificationSettings {
    pub enabled: bool,
    pub steps: Vec<VerificationStep>,
}

/// A command that checks the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct VerificationStep {
    pub name: String,
    pub command: String,
    /// Whether a failure returns the work to the builder.
    #[serde(default = "yes")]
    pub required: bool,
    #[serde(default = "two_minutes")]
    pub timeout_ms: u64,
}

impl VerificationSettings {
    /// The steps that run.
    pub fn due(&self) -> &[VerificationStep] {
        if self.enabled { &self.steps } else { &[] }
    }
}

fn yes() -> bool {
    true
}

fn two_minutes() -> u64 {
    120_000
}

/// When a review takes place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub enum ReviewTier {
    /// After each attempt.
    Quick,
    /// Before a chunk is complete.
    Deep,
    /// Over all chunks, before the end.
    Final,
}

/// Which tiers of review are on, and who reviews work of other kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct ReviewSettings {
    pub quick: bool,
    pub deep: bool,
    pub r#final: bool,
    /// Of a task, once its gates passed.
    pub task: WorkReview,
    /// Of a spec, once its verifier accepted it.
    pub spec: WorkReview,
}

impl Default for ReviewSettings {
    fn default() -> Self {
        Self { quick: true, deep: true, r#final: true, task: WorkReview::Off, spec: WorkReview::Off }
    }
}

/// The review of work that has no tiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkReview {
    /// There is none.
    #[default]
    Off,
    /// By the reviewer of this tier.
    Quick,
    /// By the reviewer of this tier.
    Deep,
    /// By the reviewer of this tier.
    Final,
}

impl WorkReview {
    /// The tier whose reviewer judges; `None` without a review.
    pub fn tier(self) -> Option<ReviewTier> {
        match self {
            Self::Off => None,
            Self::Quick => Some(ReviewTier::Quick),
            Self::Deep => Some(ReviewTier::Deep),
            Self::Final => Some(ReviewTier::Final),
        }
    }
}

/// Whether a model summarizes what a chunk did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct SummarySettings {
    pub enabled: bool,
}

impl Default for SummarySettings {
    fn default() -> Self {
        Self { enabled: true }
    }
}

/// The selection of gates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GateSelection {
    /// If set, only these gates run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<Vec<String>>,
    /// These gates do not run.
    pub disabled: Vec<String>,
    /// The warnings of these gates are failures.
    pub raise: Vec<String>,
}

impl GateSelection {
    /// Whether a warning of this gate is a failure.
    pub fn raises(&self, name: &str) -> bool {
        self.raise.iter().any(|listed| listed == name)
    }

    /// Whether this gate runs.
    pub fn includes(&self, name: &str) -> bool {
        let names = |list: &[String]| list.iter().any(|listed| listed == name);
        self.only.as_deref().is_none_or(names) && !names(&self.disabled)
    }
}

/// What the agent may not write, besides what it never may.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GuardSettings {
    /// Files and folders of the project.
    pub deny: Vec<String>,
}

/// What the user is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ApprovalSettings {
    /// Whether the user approves the plan of a task before it is built.
    pub plan: bool,
    /// After this time, an open question counts as denied; absent: never. In milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_after_ms: Option<u64>,
    /// Whose the changes are that a command or the user made while a page was closed; absent: the user's in a task and a spec,
    /// and the user is asked in a run over chunks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whose: Option<Whose>,
}

/// Whose a change is that a call or the user made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Whose {
    /// The user's.
    User,
    /// The user is asked before something depends on it.
    Ask,
    /// The call's.
    Agent,
}

/// Where accepted chunks are committed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct GitSettings {
    pub branch: Branch,
    /// The branch from which the branch of a spec starts. Absent: the one that the user was on before the first spec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    pub after: After,
    /// Whether a run over specs commits each one that is verified. Chunks are always committed.
    pub commit: bool,
}

/// Where HEAD is after a run that is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum After {
    /// At the branch of the spec.
    #[default]
    Stay,
    /// At the branch from which the branch of the spec started.
    Return,
}

/// The branch of accepted chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Branch {
    /// `spec/<id>`, which the run creates.
    #[default]
    Spec,
    /// The branch that HEAD names.
    Current,
}

/// The snapshots of iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SnapshotSettings {
    /// How many exist; 0 disables them.
    pub iterations: u32,
}

impl Default for SnapshotSettings {
    fn default() -> Self {
        Self { iterations: ITERATIONS_KEPT }
    }
}

/// The records of iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordSettings {
    /// How many exist, of all runs; 0 disables them.
    pub iterations: u32,
}

impl Default for RecordSettings {
    fn default() -> Self {
        Self { iterations: 200 }
    }
}

/// The stored runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunSettings {
    /// How many journals of runs remain; the journals of runs that can continue remain as well.
    pub keep: u32,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self { keep: 50 }
    }
}

/// The stored attempts at chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AttemptSettings {
    /// How many attempts of a chunk remain; absent: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<u32>,
}

/// The limits that a caller or a configuration sets; `None` means the default.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LimitOptions {
    /// Iterations per run, without those that repeat an unfinished one; default 20 for a task, and no limit for specs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<f64>,
    /// Tool calls per iteration; default 50.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tool_calls_per_iteration: Option<f64>,
    /// Consecutive failed gate rounds; default 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_consecutive_gate_failures: Option<f64>,
    /// Input and output tokens; default: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<f64>,
    /// US dollars; default: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost_usd: Option<f64>,
    /// US dollars for a task, a spec, or a spec with chunks, in all runs; default: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_task: Option<f64>,
    /// US dollars for all runs of a day (UTC) in the project; default: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_day: Option<f64>,
    /// Milliseconds of running time; default: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_wall_ms: Option<f64>,
    /// Iterations without progress that count as a stall; default 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stall_threshold: Option<f64>,
    /// Stalls per task; the last one ends the task and rolls the project back; default 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_stall_recoveries: Option<f64>,
    /// Milliseconds without data from the model; default 120,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_idle_ms: Option<f64>,
    /// Failed attempts at a spec; default 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_attempts: Option<f64>,
    /// New plans of a spec after invalidated ones; default 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_replans: Option<f64>,
}

impl LimitOptions {
    /// These limits; `other` has those that are not set.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            max_iterations: self.max_iterations.or(other.max_iterations),
            max_tool_calls_per_iteration: self.max_tool_calls_per_iteration.or(other.max_tool_calls_per_iteration),
            max_consecutive_gate_failures: self.max_consecutive_gate_failures.or(other.max_consecutive_gate_failures),
            max_tokens: self.max_tokens.or(other.max_tokens),
            max_cost_usd: self.max_cost_usd.or(other.max_cost_usd),
            per_task: self.per_task.or(other.per_task),
            per_day: self.per_day.or(other.per_day),
            max_wall_ms: self.max_wall_ms.or(other.max_wall_ms),
            stall_threshold: self.stall_threshold.or(other.stall_threshold),
            max_stall_recoveries: self.max_stall_recoveries.or(other.max_stall_recoveries),
            model_idle_ms: self.model_idle_ms.or(other.model_idle_ms),
            max_attempts: self.max_attempts.or(other.max_attempts),
            max_replans: self.max_replans.or(other.max_replans),
        }
    }
}

impl ReviewTier {
    /// The name in the configuration and in events.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Deep => "deep",
            Self::Final => "final",
        }
    }
}

/// What a model does in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum Role {
    Builder,
    Planner,
    Verifier,
    Reviewer(ReviewTier),
    Summarizer,
    Parser,
}

impl Settings {
    /// The key of a role's model, and the id; `None` is the host's main model.
    pub fn model(&self, role: Role) -> (&'static str, Option<&String>) {
        let defaults = &self.defaults;
        let (key, id) = match (role, &defaults.deep_reviewer) {
            (Role::Builder, _) => ("defaults.executor", &defaults.executor),
            (Role::Planner, _) => ("defaults.planner", &defaults.planner),
            (Role::Verifier, _) => ("defaults.verifier", &defaults.verifier),
            (Role::Summarizer, _) => ("defaults.summarizer", &defaults.summarizer),
            (Role::Parser, _) => ("defaults.parser", &defaults.parser),
            (Role::Reviewer(ReviewTier::Quick), _) => ("defaults.quickReviewer", &defaults.quick_reviewer),
            (Role::Reviewer(ReviewTier::Deep), deep @ Some(_)) => ("defaults.deepReviewer", deep),
            (Role::Reviewer(_), _) => ("defaults.finalReviewer", &defaults.final_reviewer),
        };
        (key, id.as_ref())
    }

    /// The id of a role's model.
    pub fn model_id(&self, role: Role) -> Option<String> {
        self.model(role).1.cloned()
    }

    /// What the reviewer of a tier looks for; empty for what the tier asks for.
    pub fn checks(&self, tier: ReviewTier) -> &[String] {
        let (_, id) = self.model(Role::Reviewer(tier));
        let reviewer = self.tools.reviewers.iter().find(|reviewer| Some(&reviewer.id) == id);
        reviewer.map_or(&[], |reviewer| &reviewer.checks)
    }
}
