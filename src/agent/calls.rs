//! Executes the calls of one answer. Every call gets exactly one result.

use super::IterationInput;
use super::approval::{Approval, Given};
use super::arguments::{Args, check, is_too_large, parse};
use super::bracket::{Bracket, Changes};
use super::fact::{FileChangeKind, FileWrite, IterationFact, Observer};
use super::feedback;
use super::guard::{Denied, Rule};
use super::guarded_fs::GuardedFs;
use super::images;
use super::tools::{BuiltIn, Context, ERROR, Failure, Outcome, edit_advice, has_tool};
use super::unchanged;
use super::write_ahead::Recorder;
use crate::error::Error;
use crate::nearest::nearest;
use crate::path::is_below;
use crate::port::{
    self, Abort, Decision, HookAnswer, HooksPort, Host, Image, ModelRequest, PortError, PortErrorKind, PortResult,
    ToolCall, ToolPort, with_timeout,
};
use crate::text::{beginning, head_and_tail};
use futures_util::future::{Either, select};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;

pub(super) struct Calls<'a> {
    pub host: &'a Host,
    pub input: &'a IterationInput<'a>,
    pub observer: &'a dyn Observer,
    pub abort: &'a Abort,
    /// The conversation and the offered tools.
    pub request: &'a ModelRequest,
    /// The user allowed the call.
    pub given: Option<&'a Given>,
}

pub(super) struct Answer {
    pub ok: bool,
    /// The result text for the model.
    pub output: String,
    /// For a model that takes them.
    pub images: Vec<Image>,
    /// The paths of the changed files.
    pub changed: Vec<String>,
    /// The agent says that the work is done: the arguments of `complete_task`.
    pub completion: Option<Value>,
    /// The call waits for the user.
    pub is_open: bool,
}

impl Calls<'_> {
    /// Answers one call. A `refusal` becomes the result, and nothing is executed.
    pub(super) async fn answer(&self, call: &ToolCall, refusal: Option<&str>) -> Result<Answer, Error> {
        let name = &call.function.name;
        let parsed = parse(&call.function.arguments);
        let args = match &parsed {
            Ok(args) => args.clone(),
            Err(_) => Value::String(legible(&call.function.arguments)),
        };
        let (id, provider_data) = (call.id.clone(), call.provider_data.clone());
        self.observer
            .observe(IterationFact::ToolCall { id, name: name.clone(), args: args.clone(), provider_data })
            .await?;
        let approval = match refusal {
            None if parsed.is_ok() => self.approve_by_policy(name, &args).await?,
            _ => Approval::Unneeded,
        };
        match approval {
            Approval::Unneeded => self.execute(call, parsed, refusal).await,
            Approval::Refused(why) => self.execute(call, parsed, Some(&why)).await,
            Approval::Open => Ok(Answer { is_open: true, ..self.execute(call, parsed, Some(feedback::WAITS)).await? }),
            Approval::Given(given) => {
                let rights = self.input.rights.approving(given.rules.clone());
                let input = IterationInput { rights: &rights, ..*self.input };
                let (host, observer, abort, request) = (self.host, self.observer, self.abort, self.request);
                let approved = Calls { host, input: &input, observer, abort, request, given: Some(&given) };
                approved.execute(call, given.args.clone().map_or(parsed, Ok), None).await
            }
        }
    }

    /// Makes the call. A `refusal` becomes the result, and nothing is executed.
    async fn execute(
        &self,
        call: &ToolCall,
        parsed: Result<Value, String>,
        refusal: Option<&str>,
    ) -> Result<Answer, Error> {
        let name = &call.function.name;
        let started = self.host.clock.now();
        let recorder = Recorder::new(self.host, self.input.watch, self.observer);
        let files =
            GuardedFs::new(&*self.host.fs, &self.host.dir, self.input.rights).calling(name).recording(&recorder);
        let done = match refusal {
            Some(refusal) => Done::failed(refusal),
            None => self.perform(name, parsed, &files).await?,
        };
        recorder.finish().await?.into_iter().for_each(|left| files.note_change(left));
        let ok = done.outcome.is_ok();
        let takes_images = self.input.takes_images(self.host);
        let mut output = result_text(done.outcome, &done.images, takes_images);
        output = feedback::without_note(output);
        // The words of the user are not at the end, where an output may have such words.
        for said in [self.given, done.given.as_ref()].into_iter().flatten().filter_map(Given::text) {
            output = format!("{said}\nThe output of the call follows.\n{output}");
        }
        if let (Some(hooks), Some(args)) = (self.host.hooks.as_deref(), &done.args) {
            self.notify_hook(hooks, name, args, ok, &output).await?;
        }
        self.distrust_others(name);
        let mut changes = files.take_changes();
        if let Some(bracket) = &done.bracket {
            for note in self.close(bracket, &files, &mut changes).await? {
                output = format!("{output}\n{note}");
            }
        }
        let changed = self.report(&files, &done.denials, changes).await?;
        if done.bracket.is_some() {
            self.observer.observe(IterationFact::UnguardedEnded).await?;
        }
        if let Some(number) = unchanged::since(&self.request.messages, call, &output).filter(|_| ok) {
            output = unchanged::note(number);
        }
        if let Some(advice) = edit_advice(&self.request.messages, call, &output).filter(|_| !ok) {
            output = format!("{output}\n{advice}");
        }
        let duration_ms = self.host.clock.now().saturating_sub(started);
        let fact = IterationFact::ToolResult {
            id: call.id.clone(),
            ok,
            output: output.clone(),
            duration_ms,
            changed: changed.clone(),
        };
        self.observer.observe(fact).await?;
        let completion = done.args.filter(|_| ok && *name == BuiltIn::CompleteTask.name());
        let images = if takes_images { done.images } else { Vec::new() };
        Ok(Answer { ok, output, images, changed, completion, is_open: done.is_open })
    }

    /// Adds what the call changed past the guard. What the agent may not write is taken back. Returns what the model must
    /// be told.
    async fn close(
        &self,
        bracket: &Bracket<'_>,
        files: &GuardedFs<'_>,
        changes: &mut Vec<FileWrite>,
    ) -> Result<Vec<String>, Error> {
        let Changes { files: theirs, git } = bracket.close(changes).await?;
        let (mut refused, mut accepted, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for change in theirs {
            match files.check(&change.write.path) {
                Ok(()) => accepted.push(change),
                Err(denied) => refused.push((change, denied)),
            }
        }
        // A file or a link in the place of a folder blocks the files that were below it.
        let below = |path: &str| refused.iter().find(|(change, _)| is_below(&change.write.path, path));
        let mut blocking = Vec::new();
        for change in accepted {
            match below(&change.write.path).map(|(_, denied)| denied.clone()) {
                Some(denied) => blocking.push((change, denied)),
                None => files.note_change(change),
            }
        }
        refused.extend(blocking);
        let (undone, denials): (Vec<FileWrite>, Vec<_>) = refused.into_iter().unzip();
        if !undone.is_empty() {
            let is_undone = bracket.undo(&undone, "undoing what a call may not change").await?;
            for (FileWrite { write, change }, denied) in undone.iter().zip(denials) {
                let outcome = if is_undone { "The harness took the change back" } else { "Take the change back" };
                notes.push(format!("{outcome}: {}", denied.message));
                let (path, rule) = (write.path.clone(), denied.name().to_owned());
                let undone = is_undone.then_some(*change);
                self.observer.observe(IterationFact::WriteDenied { path, rule, undone }).await?;
            }
            if !is_undone {
                undone.into_iter().for_each(|change| files.note_change(change));
            }
        }
        for note in git {
            let (path, rule) = ("HEAD".to_owned(), Rule::Git.as_str().to_owned());
            let undone = Some(FileChangeKind::Modified);
            self.observer.observe(IterationFact::WriteDenied { path, rule, undone }).await?;
            self.observer.observe(IterationFact::Status(note.clone())).await?;
            notes.push(format!("{note} The harness commits accepted work: leave branches, HEAD and the index alone."));
        }
        for change in files.take_changes() {
            match changes.iter_mut().find(|own| own.write.path == change.write.path) {
                Some(own) => own.write.after = change.write.after,
                None => changes.push(change),
            }
        }
        Ok(notes)
    }

    async fn perform(
        &self,
        name: &str,
        parsed: Result<Value, String>,
        files: &GuardedFs<'_>,
    ) -> Result<Done<'_>, Error> {
        let tool = match BuiltIn::from_name(name) {
            Some(tool) if !tool.is_for(self.input.rights.tools) => return Ok(Done::failed(self.unknown(name))),
            Some(tool) => Tool::BuiltIn(tool),
            None => match self.host.tools.iter().map(Rc::as_ref).find(|tool| tool.schema().name == name) {
                Some(tool) if has_tool(self.input.rights.tools, tool) => Tool::Theirs(tool),
                _ => return Ok(Done::failed(self.unknown(name))),
            },
        };
        if let Some(rule) = self.input.rights.tool_denial(name).filter(|_| name != BuiltIn::CompleteTask.name()) {
            let denied = files.refuse("call", name, Denied::by_policy(rule, name));
            return Ok(Done::failed(format!("{name} was not run: {}", denied.message)));
        }
        let schema = match tool {
            Tool::BuiltIn(tool) => tool.schema(self.host, self.input.model, self.input.answer).function.parameters,
            Tool::Theirs(tool) => tool.schema().parameters.clone(),
        };
        let mut args = match parsed.and_then(|args| check(name, &schema, args)) {
            Ok(args) => args,
            Err(problem) => return Ok(Done::failed(format!("{name} was not run: {problem}"))),
        };
        // A hook that changes files does so around a call that changes some: a call that reads costs no listing.
        let has_hooks =
            || self.host.git.is_some() && self.host.hooks.as_deref().is_some_and(HooksPort::surrounds_calls);
        let may_change_anything = match tool {
            Tool::BuiltIn(tool) => tool == BuiltIn::Shell || (tool.writes() && has_hooks()),
            Tool::Theirs(tool) => !tool.reads_only(),
        };
        let mut bracket = match may_change_anything {
            true => Some(self.open_bracket(name).await?),
            false => None,
        };
        let refused = |message: String, bracket| Ok(Done { bracket, ..Done::failed(message) });
        let mut given = None;
        if let Some(hooks) = self.host.hooks.as_deref() {
            let approval = match self.ask_hook(hooks, name, &args).await {
                HookAnswer::Answer(port::Answer { decision: Decision::Deny, reason, .. }) => {
                    let reason = reason.unwrap_or_default();
                    return refused(format!("the IDE does not allow this call: {reason}"), bracket);
                }
                HookAnswer::Answer(answer) => answer.into(),
                HookAnswer::Ask(_) if self.given.is_some() => Approval::Unneeded,
                HookAnswer::Ask(why) => {
                    // What changes while the question is open is the user's.
                    if let Some(open) = bracket.take() {
                        self.end_bracket(&open, files).await?;
                    }
                    let why = json!({ "rule": "beforeTool", "reason": why });
                    let approval = self.approve(name, &args, why).await?;
                    if may_change_anything && matches!(approval, Approval::Given(_)) {
                        bracket = Some(self.open_bracket(name).await?);
                    }
                    approval
                }
            };
            match approval {
                Approval::Unneeded => {}
                Approval::Refused(why) => return refused(why, bracket),
                Approval::Open => return Ok(Done { bracket, is_open: true, ..Done::failed(feedback::WAITS) }),
                Approval::Given(allowed) => {
                    let other = allowed.args.clone();
                    if other.is_some() && self.given.is_some() {
                        let message = "not run: beforeTool of the IDE changed a call that the user had approved";
                        return refused(message.to_owned(), bracket);
                    }
                    given = Some(allowed);
                    match other.map(|other| check(name, &schema, other)) {
                        None => {}
                        Some(Ok(other)) => args = other,
                        Some(Err(problem)) => {
                            let message = format!("not run: beforeTool of the IDE returned wrong arguments: {problem}");
                            return refused(message, bracket);
                        }
                    }
                }
            }
        }
        let images = RefCell::default();
        let (outcome, denials) = match tool {
            Tool::BuiltIn(tool) => (self.run_built_in(tool, &args, files, &images).await, Vec::new()),
            Tool::Theirs(tool) => (self.run_theirs(tool, &args, &images).await, tool.take_denials()),
        };
        Ok(Done { outcome, images: images.take(), args: Some(args), denials, bracket, given, is_open: false })
    }

    async fn open_bracket(&self, name: &str) -> Result<Bracket<'_>, Error> {
        let bracket = Bracket::open(self.host, self.input.watch, self.observer, !self.input.rights.moves_git).await?;
        let (what, undone, head) = (name.to_owned(), self.input.rights.is_undone(), bracket.head());
        self.observer.observe(IterationFact::UnguardedStarted { what, undone, head }).await?;
        Ok(bracket)
    }

    /// Hooks and tools of the IDE take their time, in which the user may have changed files.
    fn distrust_others(&self, name: &str) {
        if self.host.hooks.as_deref().is_some_and(HooksPort::surrounds_calls) || BuiltIn::from_name(name).is_none() {
            self.input.watch.distrust(self.host);
        }
    }

    /// Ends a bracket before its call does. What changed so far is reported with the call.
    async fn end_bracket(&self, bracket: &Bracket<'_>, files: &GuardedFs<'_>) -> Result<(), Error> {
        let mut changes = files.take_changes();
        self.close(bracket, files, &mut changes).await?;
        changes.into_iter().for_each(|change| files.note_change(change));
        self.observer.observe(IterationFact::UnguardedEnded).await
    }

    async fn run_built_in(
        &self,
        tool: BuiltIn,
        args: &Value,
        files: &GuardedFs<'_>,
        images: &RefCell<Vec<Image>>,
    ) -> Outcome {
        let (host, input, abort, observer) = (self.host, self.input, self.abort, self.observer);
        let context = Context { host, input, files, abort, observer, images };
        let work = tool.run(&context, Args(args));
        match tool {
            // A snapshot or rollback must finish once it has started; a command has its own timeout.
            BuiltIn::Snapshot | BuiltIn::Shell => work.await,
            _ => {
                let work = async { Ok(work.await) };
                let done = self.unless_aborted(tool.name(), work).await;
                if done.is_err() {
                    // The cancelled operation may still write.
                    self.input.watch.distrust(self.host);
                }
                done?
            }
        }
    }

    /// Runs an operation on files. One that has begun gets time to end after an abort: a write that arrives later would
    /// belong to nothing.
    async fn unless_aborted<T>(&self, name: &str, work: impl Future<Output = PortResult<T>>) -> PortResult<T> {
        let (clock, never) = (&*self.host.clock, Abort::new());
        let work = pin!(with_timeout(clock, &never, TOOL_MS, ("fs", name), work));
        let aborted = pin!(async {
            let aborted = self.abort.fired().await;
            clock.sleep(GRACE_MS).await;
            aborted
        });
        match select(work, aborted).await {
            Either::Left((result, _)) => result,
            Either::Right((aborted, _)) => Err(PortError::new("fs", name, PortErrorKind::Aborted, aborted.reason)),
        }
    }

    async fn run_theirs(&self, tool: &dyn ToolPort, args: &Value, images: &RefCell<Vec<Image>>) -> Outcome {
        let name = &tool.schema().name;
        let call = tool.execute(args, self.input.rights, self.abort);
        let answer = with_timeout(&*self.host.clock, self.abort, TOOL_MS, ("tool", name), call).await?;
        images::check(&answer.images).map_err(|why| PortError::new("tool", name, PortErrorKind::Other, why))?;
        images.replace(answer.images);
        if answer.ok { Ok(answer.output) } else { Err(Failure(answer.output)) }
    }

    /// A hook may wait for a person, so its timeout is long.
    async fn ask_hook(&self, hooks: &dyn HooksPort, name: &str, args: &Value) -> HookAnswer {
        let asked = async { Ok(hooks.before_tool(name, args, self.input.rights.policy_phase(), self.abort).await) };
        match with_timeout(&*self.host.clock, self.abort, HOOK_MS, ("hook", "beforeTool"), asked).await {
            Ok(answer) => answer,
            Err(error) => port::Answer::deny(error.to_string()).into(),
        }
    }

    async fn notify_hook(
        &self,
        hooks: &dyn HooksPort,
        name: &str,
        args: &Value,
        ok: bool,
        output: &str,
    ) -> Result<(), Error> {
        let notified = async {
            hooks.after_tool(name, args, ok, output).await;
            Ok(())
        };
        match with_timeout(&*self.host.clock, self.abort, TOOL_MS, ("hook", "afterTool"), notified).await {
            Err(error) if !self.abort.is_aborted() => {
                self.observer.observe(IterationFact::Status(error.to_string())).await
            }
            _ => Ok(()),
        }
    }

    /// Reports denials and changes; returns the changed paths.
    async fn report(
        &self,
        files: &GuardedFs<'_>,
        theirs: &[(String, String)],
        changed: Vec<FileWrite>,
    ) -> Result<Vec<String>, Error> {
        files.take_touched().iter().for_each(|path| self.input.watch.touch(path));
        for (path, rule) in files.take_denials().into_iter().chain(theirs.iter().cloned()) {
            self.observer.observe(IterationFact::WriteDenied { path, rule, undone: None }).await?;
        }
        for change in &changed {
            self.observer.observe(IterationFact::FileChanged(change.clone())).await?;
        }
        Ok(changed.into_iter().map(|change| change.write.path).collect())
    }

    fn unknown(&self, name: &str) -> String {
        let names: Vec<&str> = self.request.tools.iter().map(|tool| tool.function.name.as_str()).collect();
        let hint = match nearest(name, names.iter().copied()).first() {
            Some(known) => format!("; did you mean `{known}`?"),
            None => String::new(),
        };
        let name = beginning(name, 80);
        format!("unknown tool `{name}`{hint}; available tools: {}", names.join(", "))
    }
}

/// Arguments that cannot be read, as the journal and the model get them back.
pub(super) fn legible(arguments: &str) -> String {
    if is_too_large(arguments) { beginning(arguments, RESULT_CAP) } else { arguments.to_owned() }
}

enum Tool<'t> {
    BuiltIn(BuiltIn),
    /// A tool of the IDE.
    Theirs(&'t dyn ToolPort),
}

struct Done<'a> {
    outcome: Outcome,
    images: Vec<Image>,
    /// `None` if the call was not executed.
    args: Option<Value>,
    /// Paths that the guard refused to a tool of the IDE, with the rule.
    denials: Vec<(String, String)>,
    /// The files before the call, if it may change any.
    bracket: Option<Bracket<'a>>,
    /// What `beforeTool`, or the user whom it asked, allowed.
    given: Option<Given>,
    /// The call waits for the user.
    is_open: bool,
}

impl Done<'_> {
    fn failed(message: impl Into<String>) -> Self {
        Done {
            outcome: Err(Failure(message.into())),
            images: Vec::new(),
            args: None,
            denials: Vec::new(),
            bracket: None,
            given: None,
            is_open: false,
        }
    }
}

/// The result text, truncated. Never empty: some providers refuse empty results.
fn result_text(outcome: Outcome, images: &[Image], takes_images: bool) -> String {
    let text = outcome.unwrap_or_else(|Failure(text)| format!("{ERROR}{text}"));
    let text = head_and_tail(&text, RESULT_CAP, &|_, _| feedback::ASK_FOR_LESS.to_owned());
    let text = images::with_lines(&text, images, takes_images);
    if text.is_empty() { "(empty)".to_owned() } else { text }
}

/// Maximum size of a tool result, in bytes.
pub(super) const RESULT_CAP: usize = 16 * 1024;

/// Timeout of a tool call, in milliseconds.
const TOOL_MS: u64 = 120_000;

/// How long a write that has begun may take after an abort, in milliseconds.
const GRACE_MS: u64 = 5_000;

/// Timeout of a hook, in milliseconds. Ten minutes, because a person may have to decide.
const HOOK_MS: u64 = 600_000;
