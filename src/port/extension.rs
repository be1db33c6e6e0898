//! What the IDE adds to the loop: its own tools, gates, hooks and recipes.

use super::{Abort, Aborted, ClockPort, FunctionSchema, Image, Phase, PortResult, Rights};
use crate::json;
use crate::utc;
use async_trait::async_trait;
use futures_util::future::{Either, select};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::future::Future;
use std::pin::pin;

/// The result of one of the IDE's tools.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ToolAnswer {
    /// The call succeeded.
    pub ok: bool,
    /// The text for the model.
    pub output: String,
    /// For a model that takes them.
    #[serde(default, deserialize_with = "json::or_default")]
    pub images: Vec<Image>,
}

impl ToolAnswer {
    /// A text without images.
    pub fn text(ok: bool, output: impl Into<String>) -> Self {
        Self { ok, output: output.into(), images: Vec::new() }
    }
}

/// One of the IDE's own tools. The file system that the host hands to it is guarded.
#[async_trait(?Send)]
pub trait ToolPort {
    /// Its name, description and arguments, for the model.
    fn schema(&self) -> &FunctionSchema;
    /// It may change files.
    fn writes(&self) -> bool;
    /// It changes nothing, so roles that only read have it.
    fn reads_only(&self) -> bool;
    /// Runs it. The guard of its file system goes by these rights.
    async fn execute(&self, args: &Value, rights: &Rights, abort: &Abort) -> PortResult<ToolAnswer>;
    /// The paths, as the tool wrote them, that the guard refused since the last call, each with the rule.
    fn take_denials(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// The result of one of the IDE's gates.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct GateAnswer {
    /// The project may pass.
    pub pass: bool,
    /// What to do, for the agent.
    pub feedback: Option<String>,
}

/// One of the IDE's own gates.
#[async_trait(?Send)]
pub trait GatePort {
    /// The name in reports and configuration.
    fn name(&self) -> &str;
    /// What it judges.
    fn description(&self) -> &str;
    /// Judges the project. Its file system is read-only.
    async fn check(&self, phase: Phase, abort: &Abort) -> PortResult<GateAnswer>;
}

/// The decision of a hook.
#[derive(Debug, Clone, PartialEq)]
pub enum HookAnswer {
    /// As an answer of the user; the value is other arguments. A hook that throws or is aborted denies.
    Answer(Answer),
    /// The user decides, for the reason.
    Ask(String),
}

impl From<Answer> for HookAnswer {
    fn from(answer: Answer) -> Self {
        Self::Answer(answer)
    }
}

/// A question to the user. It is asked once and answered once, also after the page was closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Unique in the run.
    pub id: String,
    /// What it is about.
    pub kind: QuestionKind,
    /// For the user.
    pub text: String,
    /// What it is about, as data: the report of the plan, the proposed chunks, the draft of the pull request, the call, or the
    /// changes.
    pub details: Value,
    /// When the question counts as denied, in milliseconds since the epoch.
    #[serde(default, rename = "expiresAt", skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<u64>,
}

impl Question {
    /// The answer that a question has from its expiry on.
    pub fn expired(&self, now: u64) -> Option<Answer> {
        let expiry = self.expires_at.filter(|expiry| *expiry <= now)?;
        Some(Answer::deny(format!("the question expired at {}", utc::seconds(expiry))))
    }

    /// The answer of the host's hook, or the answer to an expired question. A hook that answers later is left.
    ///
    /// # Errors
    /// The run is aborted meanwhile.
    pub async fn answer_in_time(
        &self,
        clock: &dyn ClockPort,
        abort: &Abort,
        hook: impl Future<Output = Option<Answer>>,
    ) -> Result<Option<Answer>, Aborted> {
        let expiry = async {
            let Some(expiry) = self.expires_at else { return std::future::pending().await };
            while let left @ 1.. = expiry.saturating_sub(clock.now()) {
                // A browser's timer takes no more than 24 days, and its clock may be set meanwhile.
                clock.sleep(left.min(HOUR_MS)).await;
            }
        };
        let answer = match abort.race(select(pin!(hook), pin!(expiry))).await? {
            Either::Left((answer, _)) => answer,
            Either::Right(((), _)) => None,
        };
        Ok(self.expired(clock.now()).or(answer))
    }
}

const HOUR_MS: u64 = 3_600_000;

/// What a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum QuestionKind {
    /// Does this plan open BUILD? The answer counts for the plan that the question shows.
    Plan,
    /// May these chunks run?
    Chunks,
    /// Is this pull request opened? The hook opens it, so it is not called twice.
    PullRequest,
    /// May the agent make this call? The answer counts for equal calls until the run ends.
    Tool,
    /// Did the user make these changes, or a call during which the page was closed?
    Whose,
}

impl QuestionKind {
    /// The question is about the work of an agent, which goes on after the answer, and not about a step of the recipe.
    pub(crate) const fn is_of_work(self) -> bool {
        matches!(self, Self::Tool | Self::Whose)
    }
}

/// The user's answer to a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// What the run does.
    pub decision: Decision,
    /// With `allow`: a message to the builder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// With `allow`: what the run uses in place of the proposal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// With `revise` and `deny`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What the run does after an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Go on.
    Allow,
    /// Propose again, for the reason.
    Revise,
    /// End the run.
    Deny,
}

impl Answer {
    /// Without a note or another value.
    pub fn allow() -> Self {
        Self { decision: Decision::Allow, note: None, value: None, reason: None }
    }

    /// Without a blank note or reason, as an empty field of a form gives it.
    #[must_use]
    pub fn tidy(mut self) -> Self {
        for text in [&mut self.note, &mut self.reason] {
            text.take_if(|text| text.trim().is_empty());
        }
        self
    }

    /// With the reason.
    pub fn deny(reason: String) -> Self {
        Self { decision: Decision::Deny, reason: Some(reason), ..Self::allow() }
    }
}

/// The IDE's hooks around tool calls and plans.
#[async_trait(?Send)]
pub trait HooksPort {
    /// Called before every tool call. Allows if the host has no such hook.
    async fn before_tool(&self, name: &str, args: &Value, phase: Phase, abort: &Abort) -> HookAnswer;
    /// Called after every tool call. A failure is logged, never fatal.
    async fn after_tool(&self, name: &str, args: &Value, ok: bool, output: &str);
    /// Whether the host has a hook before or after tool calls.
    fn surrounds_calls(&self) -> bool;
    /// Whether the host has a hook for questions of this kind.
    fn answers(&self, kind: QuestionKind) -> bool;
    /// Asks the user; `None` if the host has no hook for questions of this kind, or the hook leaves the question open.
    async fn ask(&self, question: &Question, abort: &Abort) -> Option<Answer>;
}

/// The IDE's recipes: how a section is built.
#[async_trait(?Send)]
pub trait RecipesPort {
    /// The recipe with exactly this id, markdown with YAML front matter; `None` where there is none.
    async fn recipe(&self, id: &str) -> PortResult<Option<String>>;
}
