//! The IDE's tools, gates and hooks.

use super::call::Call;
use super::guarded_fs::{Denials, Grant, Project};
use super::value::{from_js, get, given, method, object, to_js, wrong};
use crate::error::{Error, ErrorCode};
use crate::nearest::nearest;
use crate::port::{
    Abort, Answer, Decision, FunctionSchema, GateAnswer, GatePort, HookAnswer, HooksPort, Phase, PortError, PortResult,
    Question, QuestionKind, Rights, ToolAnswer, ToolPort,
};
use async_trait::async_trait;
use js_sys::{Array, Object};
use serde::Deserialize;
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};

/// One of the IDE's tools.
pub struct JsTool {
    tool: JsValue,
    schema: FunctionSchema,
    reads_only: bool,
    project: Project,
    denials: Denials,
}

impl JsTool {
    /// Wraps an object of the type `Tool`; `at` names it in errors.
    pub(super) fn new(tool: &JsValue, at: &str, project: &Project) -> Result<Self, Error> {
        let parameters = from_js(&get(tool, "parameters")).ok().filter(Value::is_object);
        if method(tool, "execute").is_none() {
            return Err(wrong(&format!("{at}.execute"), "a function", &get(tool, "execute")));
        }
        let reads_only = match get(tool, "readOnly") {
            absent if absent.is_undefined() => false,
            given => given.as_bool().ok_or_else(|| wrong(&format!("{at}.readOnly"), "a boolean", &given))?,
        };
        if reads_only && get(tool, "writes").is_truthy() {
            let message = format!("`{at}` has both `readOnly` and `writes`: remove one");
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        let schema = FunctionSchema {
            name: text(tool, at, "name")?,
            description: text(tool, at, "description")?,
            parameters: parameters
                .ok_or_else(|| wrong(&format!("{at}.parameters"), "a JSON Schema", &get(tool, "parameters")))?,
        };
        Ok(Self { tool: tool.clone(), schema, reads_only, project: project.clone(), denials: Denials::default() })
    }
}

#[async_trait(?Send)]

impl ToolPort for JsTool {
    fn schema(&self) -> &FunctionSchema {
        &self.schema
    }

    fn writes(&self) -> bool {
        get(&self.tool, "writes").is_truthy()
    }

    fn reads_only(&self) -> bool {
        self.reads_only
    }

    async fn execute(&self, args: &Value, rights: &Rights, abort: &Abort) -> PortResult<ToolAnswer> {
        let call = Call { port: "tool", operation: "execute", path: None, limit_ms: None };
        let answer = call
            .abortable(abort, async |signal| {
                let grant = Grant::new();
                let fs = self.project.guarded(rights.clone(), &self.schema.name, &grant, &self.denials);
                let context = object([("signal", signal.into()), ("fs", fs), ("dir", self.project.dir().into())]);
                call.method(&self.tool, &Array::of2(&to_js(args), &context)).await
            })
            .await?;
        match answer.as_string() {
            Some(output) => Ok(ToolAnswer::text(true, output)),
            None if answer.is_object() => call.read(&answer),
            None => Err(call.unexpected(&answer, "a string or { ok, output }")),
        }
    }

    fn take_denials(&self) -> Vec<(String, String)> {
        self.denials.take()
    }
}

/// One of the IDE's gates.
pub struct JsGate {
    gate: JsValue,
    name: String,
    description: String,
    project: Project,
}

impl JsGate {
    /// Wraps an object of the type `Gate`; `at` names it in errors.
    pub(super) fn new(gate: &JsValue, at: &str, project: &Project) -> Result<Self, Error> {
        if method(gate, "check").is_none() {
            return Err(wrong(&format!("{at}.check"), "a function", &get(gate, "check")));
        }
        Ok(Self {
            gate: gate.clone(),
            name: text(gate, at, "name")?,
            description: text(gate, at, "description")?,
            project: project.clone(),
        })
    }
}

#[async_trait(?Send)]

impl GatePort for JsGate {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    async fn check(&self, phase: Phase, abort: &Abort) -> PortResult<GateAnswer> {
        let call = Call { port: "gate", operation: "check", path: None, limit_ms: None };
        let answer = call.abortable(abort, async |signal| {
            let grant = Grant::new();
            let context = object([
                // The rules of CHECK in every phase: a gate never writes.
                ("fs", self.project.guarded(Rights::task(Phase::Check, false), "", &grant, &Denials::default())),
                ("dir", self.project.dir().into()),
                ("signal", signal.into()),
                ("phase", phase.as_str().into()),
            ]);
            call.method(&self.gate, &Array::of1(&context)).await
        });
        call.read(&answer.await?)
    }
}

/// The IDE's hooks. They have no timeout, because they may ask a person.
pub struct JsHooks {
    hooks: JsValue,
}

impl JsHooks {
    /// Wraps an object of the type `Hooks`.
    pub fn new(hooks: &JsValue) -> Result<Self, Error> {
        if !hooks.is_object() {
            return Err(wrong("hooks", "an object", hooks));
        }
        for name in HOOKS {
            if given(hooks, name).is_some() && method(hooks, name).is_none() {
                return Err(wrong(&format!("hooks.{name}"), "a function", &get(hooks, name)));
            }
        }
        // A misspelt hook would guard nothing.
        for name in Object::keys(hooks.unchecked_ref::<Object>()).iter().filter_map(|name| name.as_string()) {
            if let Some(near) = nearest(&name, HOOKS).first().filter(|near| **near != name) {
                let message = format!("`hooks.{name}` is unknown; did you mean `{near}`?");
                return Err(Error::new(ErrorCode::InvalidArgument, message));
            }
        }
        Ok(Self { hooks: hooks.clone() })
    }

    async fn decide(&self, name: &'static str, argument: JsValue, abort: &Abort) -> PortResult<HookAnswer> {
        if method(&self.hooks, name).is_none() {
            return Ok(Answer::allow().into());
        }
        let call = Call { port: "hook", operation: name, path: None, limit_ms: None };
        let answer = call.abortable(abort, async |_| call.method(&self.hooks, &Array::of1(&argument)).await);
        let GivenDecision { decision, note, args, reason } = call.read(&answer.await?)?;
        let decided = || reason.clone().unwrap_or_else(|| format!("the hook `{name}` denied it"));
        Ok(match decision.as_str() {
            "allow" => Answer { note, value: args, ..Answer::allow() }.into(),
            "ask" => HookAnswer::Ask(reason.unwrap_or_else(|| "the IDE asks for it".to_owned())),
            "revise" => Answer { decision: Decision::Revise, ..Answer::deny(decided()) }.into(),
            _ => Answer::deny(decided()).into(),
        })
    }
}

#[derive(Deserialize)]
struct GivenDecision {
    decision: String,
    reason: Option<String>,
    note: Option<String>,
    args: Option<Value>,
}

#[async_trait(?Send)]

impl HooksPort for JsHooks {
    async fn before_tool(&self, name: &str, args: &Value, phase: Phase, abort: &Abort) -> HookAnswer {
        let call = object([("name", name.into()), ("args", to_js(args)), ("phase", phase.as_str().into())]);
        let answer = self.decide("beforeTool", call, abort).await;
        answer.unwrap_or_else(|error| Answer::deny(error.to_string()).into())
    }

    async fn after_tool(&self, name: &str, args: &Value, ok: bool, output: &str) {
        if method(&self.hooks, "afterTool").is_some() {
            let call_report =
                object([("name", name.into()), ("args", to_js(args)), ("ok", ok.into()), ("output", output.into())]);
            let call = Call { port: "hook", operation: "afterTool", path: None, limit_ms: None };
            if let Err(error) = call.method(&self.hooks, &Array::of1(&call_report)).await {
                web_sys::console::error_1(&error.to_string().into());
            }
        }
    }

    fn surrounds_calls(&self) -> bool {
        ["beforeTool", "afterTool"].iter().any(|name| method(&self.hooks, name).is_some())
    }

    fn answers(&self, kind: QuestionKind) -> bool {
        method(&self.hooks, hook(kind)).is_some()
    }

    async fn ask(&self, question: &Question, abort: &Abort) -> Option<Answer> {
        let name = hook(question.kind);
        method(&self.hooks, name)?;
        if question.kind == QuestionKind::Plan {
            return match self.decide(name, to_js(&question.details), abort).await {
                Ok(HookAnswer::Answer(answer)) => Some(answer),
                Ok(HookAnswer::Ask(_)) => None,
                Err(error) => unanswered(&error),
            };
        }
        let call = Call { port: "hook", operation: name, path: None, limit_ms: None };
        let argument = Array::of1(&to_js(&question.details));
        let answered = call.abortable(abort, async |_| call.method(&self.hooks, &argument).await).await;
        let answer = answered.and_then(|answer| match question.kind {
            // The hook opens it, and has nothing to answer.
            QuestionKind::PullRequest => Ok(Answer::allow()),
            QuestionKind::Plan | QuestionKind::Chunks | QuestionKind::Tool | QuestionKind::Whose => {
                call.read::<GivenAnswer>(&answer).map(Answer::from)
            }
        });
        match (answer, question.kind) {
            (Ok(answer), _) => Some(answer),
            (Err(error), QuestionKind::PullRequest) => Some(Answer::deny(error.to_string())),
            (Err(error), _) => unanswered(&error),
        }
    }
}

/// The hook is broken, so the question stays open.
fn unanswered(error: &PortError) -> Option<Answer> {
    web_sys::console::error_1(&error.to_string().into());
    None
}

const HOOKS: [&str; 7] =
    ["beforeTool", "afterTool", "approvePlan", "approveTool", "approveChunks", "pullRequest", "whose"];

/// The hook for questions of a kind.
fn hook(kind: QuestionKind) -> &'static str {
    match kind {
        QuestionKind::Plan => "approvePlan",
        QuestionKind::Chunks => "approveChunks",
        QuestionKind::PullRequest => "pullRequest",
        QuestionKind::Tool => "approveTool",
        QuestionKind::Whose => "whose",
    }
}

/// An answer of `approveChunks`, `approveTool` or `whose`.
#[derive(Deserialize)]
struct GivenAnswer {
    decision: Decision,
    note: Option<String>,
    reason: Option<String>,
    value: Option<Value>,
    chunks: Option<Value>,
    args: Option<Value>,
}

impl From<GivenAnswer> for Answer {
    fn from(GivenAnswer { decision, note, reason, value, chunks, args }: GivenAnswer) -> Self {
        Self { decision, note, reason, value: chunks.or(args).or(value) }
    }
}

fn text(target: &JsValue, at: &str, field: &str) -> Result<String, Error> {
    let value = get(target, field);
    match value.as_string() {
        Some(text) if !text.is_empty() => Ok(text),
        Some(_) => Err(Error::new(ErrorCode::InvalidArgument, format!("`{at}.{field}` is empty"))),
        None => Err(wrong(&format!("{at}.{field}"), "a string", &value)),
    }
}
