//! Executes the calls of one answer. Every call gets exactly one result.

use super::arguments::{Args, check, parse};
use super::changes::{before, since};
use super::fact::{FileChangeKind, IterationFact, Observer};
use super::feedback;
use super::guarded_fs::GuardedFs;
use super::tools::{BuiltIn, Context, Failure, Outcome};
use super::truncate::{RESULT_CAP, beginning, head_and_tail};
use super::{IterationInput, Policy};
use crate::error::Error;
use crate::nearest::nearest;
use crate::port::{Abort, ClockPort, HookAnswer, HooksPort, Host, ToolCall, ToolPort, ToolSchema, with_timeout};
use serde_json::Value;

pub(super) struct Calls<'a, H: Host> {
    pub host: &'a H,
    pub input: &'a IterationInput<'a>,
    pub observer: &'a dyn Observer,
    pub abort: &'a Abort,
    /// The offered tools.
    pub tools: &'a [ToolSchema],
}

pub(super) struct Answer {
    /// The result text for the model.
    pub output: String,
    /// The paths of the changed files.
    pub changed: Vec<String>,
    /// The agent says that the work is done: the arguments of `complete_task`.
    pub completion: Option<Value>,
}

impl<H: Host> Calls<'_, H> {
    /// Answers one call. A `refusal` becomes the result, and nothing is executed.
    pub(super) async fn answer(&self, call: &ToolCall, refusal: Option<&str>) -> Result<Answer, Error> {
        let name = &call.function.name;
        let parsed = parse(&call.function.arguments);
        let args = parsed.clone().unwrap_or_else(|_| Value::String(call.function.arguments.clone()));
        let (id, provider_data) = (call.id.clone(), call.provider_data.clone());
        self.observer.observe(IterationFact::ToolCall { id, name: name.clone(), args, provider_data }).await?;

        let started = self.host.clock().now();
        let files = GuardedFs::new(self.host.fs(), self.host.dir(), self.input.policy).closing(self.input.closed);
        let done = match refusal {
            Some(refusal) => Done::failed(refusal),
            None => self.perform(name, parsed, &files).await,
        };
        let changed = self.report(&files, &done.denials).await?;
        let ok = done.outcome.is_ok();
        let output = result_text(done.outcome);
        if let (Some(hooks), Some(args)) = (self.host.hooks(), &done.args) {
            self.notify_hook(hooks, name, args, ok, &output).await?;
        }
        let duration_ms = self.host.clock().now().saturating_sub(started);
        let fact = IterationFact::ToolResult {
            id: call.id.clone(),
            ok,
            output: output.clone(),
            duration_ms,
            changed: changed.clone(),
        };
        self.observer.observe(fact).await?;
        let completion = done.args.filter(|_| ok && *name == BuiltIn::CompleteTask.name());
        Ok(Answer { output, changed, completion })
    }

    async fn perform(&self, name: &str, parsed: Result<Value, String>, files: &GuardedFs<'_, H::Fs>) -> Done {
        let tool = match BuiltIn::named(name) {
            Some(tool) if self.input.reads_only && !tool.reads_only() => return Done::failed(self.unknown(name)),
            Some(tool) => Tool::BuiltIn(tool),
            None => match self.host.tools().iter().find(|tool| tool.schema().name == name) {
                Some(_) if self.input.reads_only => return Done::failed(self.unknown(name)),
                Some(tool) => Tool::Theirs(tool),
                None => return Done::failed(self.unknown(name)),
            },
        };
        let schema = match tool {
            Tool::BuiltIn(tool) => tool.schema(self.host, self.input.answer).function.parameters,
            Tool::Theirs(tool) => tool.schema().parameters.clone(),
        };
        let mut args = match parsed.and_then(|args| check(name, &schema, args)) {
            Ok(args) => args,
            Err(problem) => return Done::failed(format!("{name} was not run: {problem}")),
        };
        if let Some(hooks) = self.host.hooks() {
            match self.ask_hook(hooks, name, &args).await {
                HookAnswer::Allow(None) => {}
                HookAnswer::Allow(Some(other)) => match check(name, &schema, other) {
                    Ok(other) => args = other,
                    Err(problem) => {
                        let message = format!("not run: beforeTool of the IDE returned wrong arguments: {problem}");
                        return Done::failed(message);
                    }
                },
                HookAnswer::Deny(reason) => return Done::failed(format!("the IDE does not allow this call: {reason}")),
            }
        }
        let (outcome, denials) = match tool {
            Tool::BuiltIn(tool) => (self.run_built_in(tool, &args, files).await, Vec::new()),
            Tool::Theirs(tool) => (self.run_theirs(tool, &args, files).await, tool.take_denials()),
        };
        Done { outcome, args: Some(args), denials }
    }

    async fn run_built_in(&self, tool: BuiltIn, args: &Value, files: &GuardedFs<'_, H::Fs>) -> Outcome {
        let context = Context { host: self.host, input: self.input, files, abort: self.abort };
        let work = tool.run(&context, Args(args));
        match tool {
            // A snapshot or rollback must finish once it has started; a command has its own timeout.
            BuiltIn::Snapshot | BuiltIn::Shell => work.await,
            _ => {
                let work = async { Ok(work.await) };
                let done = with_timeout(self.host.clock(), self.abort, TOOL_MS, ("fs", tool.name()), work).await;
                if done.is_err() {
                    // The cancelled operation may still write.
                    self.input.watch.distrust();
                }
                done?
            }
        }
    }

    async fn run_theirs(&self, tool: &H::Tool, args: &Value, files: &GuardedFs<'_, H::Fs>) -> Outcome {
        let before = if tool.writes() { Some(before(self.host).await?) } else { None };
        self.input.watch.distrust();
        let Policy { phase, due } = self.input.policy;
        let call = tool.execute(args, phase, due, self.abort);
        let answer = with_timeout(self.host.clock(), self.abort, TOOL_MS, ("tool", &tool.schema().name), call).await;
        if let Some(before) = before {
            for (path, kind) in since(self.host, &before).await? {
                files.note_change(&path, kind);
            }
        }
        let answer = answer?;
        if answer.ok { Ok(answer.output) } else { Err(Failure(answer.output)) }
    }

    /// A hook may wait for a person, so its timeout is long.
    async fn ask_hook(&self, hooks: &H::Hooks, name: &str, args: &Value) -> HookAnswer {
        self.input.watch.distrust();
        let asked = async { Ok(hooks.before_tool(name, args, self.input.policy.phase, self.abort).await) };
        match with_timeout(self.host.clock(), self.abort, HOOK_MS, ("hook", "beforeTool"), asked).await {
            Ok(answer) => answer,
            Err(error) => HookAnswer::Deny(error.to_string()),
        }
    }

    async fn notify_hook(
        &self,
        hooks: &H::Hooks,
        name: &str,
        args: &Value,
        ok: bool,
        output: &str,
    ) -> Result<(), Error> {
        self.input.watch.distrust();
        let notified = async {
            hooks.after_tool(name, args, ok, output).await;
            Ok(())
        };
        match with_timeout(self.host.clock(), self.abort, TOOL_MS, ("hook", "afterTool"), notified).await {
            Err(error) if !self.abort.is_aborted() => {
                self.observer.observe(IterationFact::Status(error.to_string())).await
            }
            _ => Ok(()),
        }
    }

    /// Reports denials and changes; returns the changed paths.
    async fn report(&self, files: &GuardedFs<'_, H::Fs>, theirs: &[(String, String)]) -> Result<Vec<String>, Error> {
        files.take_touched().iter().for_each(|path| self.input.watch.touch(path));
        let ours = files.take_denials().into_iter().map(|(path, rule)| (path, rule.as_str().to_owned()));
        for (path, rule) in ours.chain(theirs.iter().cloned()) {
            self.observer.observe(IterationFact::WriteDenied { path, rule }).await?;
        }
        let changed: Vec<(String, FileChangeKind)> = files.take_changes();
        for (path, change) in &changed {
            self.observer.observe(IterationFact::FileChanged { path: path.clone(), change: *change }).await?;
        }
        Ok(changed.into_iter().map(|(path, _)| path).collect())
    }

    fn unknown(&self, name: &str) -> String {
        let names: Vec<&str> = self.tools.iter().map(|tool| tool.function.name.as_str()).collect();
        let hint = match nearest(name, names.iter().copied()).first() {
            Some(known) => format!("; did you mean `{known}`?"),
            None => String::new(),
        };
        let name = beginning(name, 80);
        format!("unknown tool `{name}`{hint}; available tools: {}", names.join(", "))
    }
}

enum Tool<'t, T> {
    BuiltIn(BuiltIn),
    /// A tool of the IDE.
    Theirs(&'t T),
}

struct Done {
    outcome: Outcome,
    /// `None` if the call was not executed.
    args: Option<Value>,
    /// Paths that the guard refused to a tool of the IDE, with the rule.
    denials: Vec<(String, String)>,
}

impl Done {
    fn failed(message: impl Into<String>) -> Self {
        Done { outcome: Err(Failure(message.into())), args: None, denials: Vec::new() }
    }
}

/// The result text, truncated. Never empty: some providers refuse empty results.
fn result_text(outcome: Outcome) -> String {
    let text = match outcome {
        Ok(text) if text.is_empty() => "(empty)".to_owned(),
        Ok(text) => text,
        Err(Failure(text)) => format!("Error: {text}"),
    };
    head_and_tail(&text, RESULT_CAP, &|_, _| feedback::ASK_FOR_LESS.to_owned())
}

/// Timeout of a tool call, in milliseconds.
const TOOL_MS: u64 = 120_000;

/// Timeout of a hook, in milliseconds. Ten minutes, because a person may have to decide.
const HOOK_MS: u64 = 600_000;
