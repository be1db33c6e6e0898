//! What the IDE adds to the loop: its own tools, gates, hooks and recipes.

use super::{Abort, Phase, PortResult};
use serde::Deserialize;
use serde_json::Value;

/// What one of the IDE's tools gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolAnswer {
    /// It did what was asked.
    pub ok: bool,
    /// What the model is told.
    pub output: String,
}

/// One of the IDE's own tools. The file system that the host hands to it is guarded.
pub trait ToolPort {
    /// The name that the model calls.
    fn name(&self) -> &str;
    /// When to use it.
    fn description(&self) -> &str;
    /// A JSON Schema of its arguments.
    fn parameters(&self) -> &Value;
    /// It may change files.
    fn writes(&self) -> bool;
    /// Runs it. `phase` and `plan_required` are what the guard of its file system goes by.
    async fn execute(&self, args: &Value, phase: Phase, plan_required: bool, abort: &Abort) -> PortResult<ToolAnswer>;
    /// What the guard of its file system refused since the last call: the path as the tool wrote it, and the rule.
    fn take_denials(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// What one of the IDE's gates said.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct GateAnswer {
    /// The project may pass.
    pub pass: bool,
    /// What to do, for the agent.
    pub feedback: Option<String>,
}

/// One of the IDE's own gates.
pub trait GatePort {
    /// The name in reports and configuration.
    fn name(&self) -> &str;
    /// What it judges.
    fn description(&self) -> &str;
    /// Judges the project. Its file system is read-only.
    async fn check(&self, phase: Phase, abort: &Abort) -> PortResult<GateAnswer>;
}

/// What a hook said.
#[derive(Debug, Clone, PartialEq)]
pub enum HookAnswer {
    /// Go on, with other arguments where it gave some.
    Allow(Option<Value>),
    /// Do not, and why. A hook that throws or is aborted denies.
    Deny(String),
}

/// The IDE's say in what the agent does.
pub trait HooksPort {
    /// Asked before every tool call. Allows where the host has no such hook.
    async fn before_tool(&self, name: &str, args: &Value, phase: Phase, abort: &Abort) -> HookAnswer;
    /// Told after every tool call. A failure is logged, never fatal.
    async fn after_tool(&self, name: &str, args: &Value, ok: bool, output: &str);
    /// Asked before a valid plan opens BUILD; `report` is the plan's report as JSON. Allows where there is none.
    async fn approve_plan(&self, report: &Value, abort: &Abort) -> HookAnswer;
}

/// The IDE's recipes: how a section is built.
pub trait RecipesPort {
    /// The recipe with exactly this id, markdown with YAML front matter; `None` where there is none.
    async fn recipe(&self, id: &str) -> PortResult<Option<String>>;
}
