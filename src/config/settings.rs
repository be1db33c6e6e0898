//! What a configuration says, resolved: every key has its value or its default.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many snapshots of iterations exist by default.
pub const ITERATIONS_KEPT: u32 = 100;

/// The configuration of a run. The names are those of the YAML.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Settings {
    pub tools: Tools,
    pub defaults: Defaults,
    /// For every chunk.
    pub rules: Vec<String>,
    pub verification: VerificationSettings,
    pub reviews: ReviewSettings,
    pub summaries: SummarySettings,
    pub gates: GateSelection,
    pub guard: GuardSettings,
    pub git: GitSettings,
    pub snapshots: SnapshotSettings,
    pub iterations: AttemptSettings,
    pub limits: LimitOptions,
    /// The prices of models by their ids.
    pub models: BTreeMap<String, ModelPrice>,
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

/// Implements chunks.
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

/// Proposes chunks.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quick_reviewer: Option<String>,
    /// Absent: the final reviewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deep_reviewer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_reviewer: Option<String>,
    /// Any of the tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summarizer: Option<String>,
    /// Attempts per chunk, from 1 to 20.
    pub max_iterations: u32,
    /// Repetitions of a model call that a rate limit or an outage refused; 0 is none.
    pub max_retries: u32,
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            executor: None,
            planner: None,
            quick_reviewer: None,
            deep_reviewer: None,
            final_reviewer: None,
            summarizer: None,
            max_iterations: 5,
            max_retries: 5,
        }
    }
}

/// The commands that check a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct VerificationSettings {
    pub enabled: bool,
    pub steps: Vec<VerificationStep>,
}

/// A command that checks a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct VerificationStep {
    pub name: String,
    pub command: String,
    /// Whether a failure revises the chunk.
    #[serde(default = "yes")]
    pub required: bool,
    #[serde(default = "two_minutes")]
    pub timeout_ms: u64,
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
pub enum ReviewTier {
    /// After each attempt.
    Quick,
    /// Before a chunk is complete.
    Deep,
    /// Over all chunks, before the end.
    Final,
}

/// Which tiers of review are on; absent: those that have a reviewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct ReviewSettings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quick: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deep: Option<bool>,
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    pub final_: Option<bool>,
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

/// Where accepted chunks are committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct GitSettings {
    pub branch: Branch,
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

/// The stored attempts at chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AttemptSettings {
    /// How many attempts of a chunk remain; absent: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<u32>,
}

/// US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct ModelPrice {
    pub input_per_million: f64,
    pub output_per_million: f64,
    /// Absent: as other input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_input_per_million: Option<f64>,
}

/// The limits that a caller or a configuration sets; `None` means the default.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LimitOptions {
    /// Iterations per run; default 20 for a task, and no limit for specs.
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

impl Settings {
    /// The reviewer of a tier; `None` if the tier is off or has no reviewer.
    pub fn reviewer(&self, tier: ReviewTier) -> Option<&Reviewer> {
        let Defaults { quick_reviewer, deep_reviewer, final_reviewer, .. } = &self.defaults;
        let (is_on, id) = match tier {
            ReviewTier::Quick => (self.reviews.quick, quick_reviewer),
            ReviewTier::Deep => {
                (self.reviews.deep, if deep_reviewer.is_some() { deep_reviewer } else { final_reviewer })
            }
            ReviewTier::Final => (self.reviews.final_, final_reviewer),
        };
        let id = id.as_ref().filter(|_| is_on != Some(false))?;
        self.tools.reviewers.iter().find(|reviewer| reviewer.id == *id)
    }
}
