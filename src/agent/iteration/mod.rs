//! The loop of one iteration: ask the model, answer its calls, until the agent is done or something else ends it.

use super::calls::Calls;
use super::context::{self, Rate};
use super::fact::{CompletionSignal, IterationEnd, IterationFact, IterationOutcome, Observer};
use super::text_tool_calls::{self, Written};
use super::tools::{BuiltIn, accepted, has_tool};
use super::turn::{Timeouts, ask};
use super::{AnswerShape, IterationInput, Prompt, arguments, feedback, provider_data};
use crate::error::Error;
use crate::layout::STATUS;
use crate::port::{
    Abort, ChatMessage, FinishReason, Host, ModelPort, ModelRequest, ModelResponse, PortError, PortErrorKind, Rights,
    ToolCall, ToolSchema, Toolset,
};
use serde_json::Value;
use std::collections::BTreeSet;

/// Runs one iteration to its end.
///
/// # Errors
/// Only errors of the observer, which writes the journal. A failing model is an [`IterationEnd`].
pub(crate) async fn run_iteration(
    host: &Host,
    input: &IterationInput<'_>,
    observer: &dyn Observer,
    abort: &Abort,
) -> Result<IterationOutcome, Error> {
    let system = system_text(input.rights, input.prompt);
    let mut iteration = Iteration {
        host,
        input,
        observer,
        abort,
        request: ModelRequest {
            role: input.rights.role,
            messages: vec![
                ChatMessage::System { content: system.clone() },
                ChatMessage::user(input.prompt.user.as_str()),
            ],
            tools: offered(host, input),
            response_format: None,
            max_output_tokens: None,
        },
        model: None,
        rate: Rate::default(),
        refused_lengths: 0,
        ids: BTreeSet::new(),
        tool_calls: 0,
        useless_turns: 0,
        failed_calls: Vec::new(),
        files_changed: BTreeSet::new(),
        answer: None,
    };
    let prompt_bytes = (system.len() + input.prompt.user.len()) as u64;
    let model = input.model.map(str::to_owned);
    observer.observe(IterationFact::Started { role: input.rights.role, prompt_bytes, model }).await?;
    let end = iteration.run().await?;
    Ok(IterationOutcome {
        end,
        tool_calls: iteration.tool_calls,
        files_changed: iteration.files_changed.into_iter().collect(),
        answer: iteration.answer.filter(|_| input.answer.is_some()),
    })
}

/// The system message as it is sent: with the policy that the role has.
pub(crate) fn system_text(rights: &Rights, prompt: &Prompt) -> String {
    format!("{}{}", prompt.system, rights.policy.text(rights.role, rights.policy_phase()))
}

/// The built-in tools that this host and phase offer, then the IDE's.
fn offered(host: &Host, input: &IterationInput<'_>) -> Vec<ToolSchema> {
    let ours = BuiltIn::ALL.into_iter().filter(|tool| tool.is_offered(host, input.rights));
    let ours = ours.map(|tool| tool.schema(host, input.model, input.answer));
    let theirs = host
        .tools
        .iter()
        .filter(|tool| {
            has_tool(input.rights.tools, &***tool) && input.rights.tool_denial(&tool.schema().name).is_none()
        })
        .map(|tool| ToolSchema { kind: "function".to_owned(), function: tool.schema().clone() });
    ours.chain(theirs).collect()
}

/// The calls of one answer that are read. Each one is several facts.
const CALLS_MAX: usize = 1_000;

struct Iteration<'a> {
    host: &'a Host,
    input: &'a IterationInput<'a>,
    observer: &'a dyn Observer,
    abort: &'a Abort,
    /// The conversation and the offered tools.
    request: ModelRequest,
    /// The model of the last answer, if known.
    model: Option<String>,
    rate: Rate,
    /// How often the provider refused the present request for its length.
    refused_lengths: u32,
    ids: BTreeSet<String>,
    tool_calls: u32,
    /// Consecutive turns without a usable result.
    useless_turns: u32,
    /// The calls of the last turn that failed: the name, the arguments, the result.
    failed_calls: Vec<[String; 3]>,
    files_changed: BTreeSet<String>,
    answer: Option<Value>,
}

impl Iteration<'_> {
    async fn run(&mut self) -> Result<IterationEnd, Error> {
        loop {
            if self.abort.is_aborted() {
                return Ok(IterationEnd::Aborted);
            }
            let total_ms = self.observer.model_time();
            if total_ms == 0 {
                return Ok(IterationEnd::Budget);
            }
            self.drain_steering().await?;
            if let Some(window) = self.host.model_of(self.input.model).and_then(ModelPort::context_tokens)
                && let Some(shortened) = self.rate.fit(&mut self.request, window)
            {
                self.observer.observe(IterationFact::Shortened(shortened)).await?;
            }
            let stream = |delta| self.observer.stream(delta);
            let timeouts = Timeouts { idle_ms: self.input.model_idle_ms, total_ms };
            let turn = ask(self.host, self.input.model, &self.request, timeouts, self.abort, &stream).await;
            for note in turn.notes {
                self.status(note).await?;
            }
            if let Some(paid) = &turn.paid {
                self.observer.observe(IterationFact::Usage(paid.clone())).await?;
            }
            if let (Ok(Ok(response)), Some(paid)) = (&turn.answer, turn.paid)
                && response.finish_reason != FinishReason::Error
            {
                let text = response.content.clone().unwrap_or_default();
                self.observer.observe(IterationFact::Answered { text, reasoning: turn.reasoning, paid }).await?;
            }
            let end = match turn.answer {
                Err(_) => Some(IterationEnd::Aborted),
                Ok(Err(error)) if error.kind == PortErrorKind::Timeout && self.observer.model_time() == 0 => {
                    Some(IterationEnd::Budget)
                }
                Ok(Err(error)) if context::is_overflow(&error) => self.handle_overflow(error).await?,
                Ok(Err(error))
                    if context::may_refuse_images(&error) && context::remove_refused_images(&mut self.request) =>
                {
                    // One image that a service cannot read makes it refuse the conversation.
                    self.status(format!("{error}; the request is sent again without images")).await?;
                    None
                }
                Ok(Err(error)) => Some(IterationEnd::ModelFailed(error)),
                Ok(Ok(response)) => self.handle_response(response).await?,
            };
            self.observer.settle().await?;
            if let Some(end) = end {
                return Ok(end);
            }
        }
    }

    /// Adds the queued messages of the user to the conversation: before a turn, never between calls and their results.
    async fn drain_steering(&mut self) -> Result<(), Error> {
        // A reviewer would take the message for itself.
        if self.input.rights.tools == Toolset::Read {
            return Ok(());
        }
        let queued = std::mem::take(&mut *self.input.steering.borrow_mut());
        for message in queued {
            self.observer.observe(IterationFact::Steered(message.clone())).await?;
            self.request.messages.push(ChatMessage::user(message));
        }
        Ok(())
    }

    /// Processes an answer; `None` continues with the next turn.
    async fn handle_response(&mut self, response: ModelResponse) -> Result<Option<IterationEnd>, Error> {
        let reason = response.finish_reason;
        if let Some(usage) = response.usage {
            self.rate.measure(&self.request, usage.input_tokens);
        }
        self.refused_lengths = 0;
        self.note_model(response.model);
        if reason == FinishReason::Error {
            return self.handle_broken_stream().await;
        }
        let text = response.content.filter(|text| !text.trim().is_empty());
        let mut calls = response.tool_calls.unwrap_or_default();
        // The agent gets no result for the others, as if it had not made them.
        calls.truncate(CALLS_MAX);
        let calls = self.identify(calls);
        let (calls, data) = provider_data::undecorated(calls, response.provider_data, &self.request.tools);
        if let Some(data) = data.clone() {
            self.observer.observe(IterationFact::ProviderData { model: self.model.clone(), data }).await?;
        }
        if text.is_some() || !calls.is_empty() {
            self.request.messages.push(provider_data::message(text.clone(), &calls, data));
        }
        if calls.is_empty() {
            return self.handle_text(text.as_deref().unwrap_or_default(), reason).await;
        }
        let is_cut = matches!(reason, FinishReason::Length | FinishReason::ContentFilter);
        let contradicts = self.contradicts(&calls);
        let earlier = std::mem::take(&mut self.failed_calls);
        let (mut completed, is_open) = self.answer(&calls, is_cut, contradicts).await?;
        let beside = text.as_deref().and_then(|text| text_tool_calls::written_call(text, &self.request.tools));
        if self.abort.is_aborted() {
            return Ok(Some(IterationEnd::Aborted));
        }
        if is_open {
            return Ok(Some(IterationEnd::Asked));
        }
        if beside == Some(Written::Call) && self.failed_calls.is_empty() {
            completed = false;
            self.request.messages.push(ChatMessage::user(feedback::CALL_BESIDE));
        }
        let status = self.read_status().await?;
        // A question to the user overrides a claim of completion.
        if completed && !matches!(status, Some(IterationEnd::Waiting)) {
            return Ok(Some(IterationEnd::Completed(CompletionSignal::Tool)));
        }
        if status.is_some() {
            return Ok(status);
        }
        if self.tool_calls >= self.input.max_tool_calls {
            return Ok(Some(IterationEnd::ToolLimit));
        }
        if is_cut {
            return self.count_useless("an answer with calls was cut off").await;
        }
        if contradicts {
            return self.count_useless("an answer completed the task in contradictory ways").await;
        }
        if self.failed_calls.len() == calls.len() && self.failed_calls == earlier {
            self.request.messages.push(ChatMessage::user(feedback::REPEATED));
            return self.count_useless("an answer repeated calls that fail").await;
        }
        self.useless_turns = 0;
        Ok(None)
    }

    /// Clears the provider data of the conversation if another model answers.
    fn note_model(&mut self, model: Option<String>) {
        if model.is_some() && self.model != model {
            if self.model.is_some() {
                provider_data::clear(&mut self.request.messages);
            }
            self.model = model;
        }
    }

    /// An answer without calls: either the final answer, or a turn without a usable result.
    async fn handle_text(&mut self, text: &str, reason: FinishReason) -> Result<Option<IterationEnd>, Error> {
        let (what, remedy) = match reason {
            FinishReason::Length => ("an answer was cut off at the length limit", feedback::CUT),
            FinishReason::ContentFilter => ("the provider withheld an answer", feedback::WITHHELD),
            _ if text.is_empty() => ("an answer was empty", feedback::EMPTY),
            FinishReason::ToolCalls => ("an answer announced calls and had none", feedback::CALL_WRITTEN_AS_TEXT),
            _ if self.is_call(text) => ("a call was written as text", feedback::CALL_WRITTEN_AS_TEXT),
            _ => {
                self.answer = Some(Value::String(text.to_owned()));
                return Ok(Some(IterationEnd::Completed(CompletionSignal::Answer)));
            }
        };
        self.request.messages.push(ChatMessage::user(remedy));
        self.count_useless(what).await
    }

    /// Whether the text has a call that the agent meant to make. A script or a function call may be meant for the user: after
    /// two reminders, it counts as the answer. A script counts as the answer at once if the agent has changed a file.
    fn is_call(&self, text: &str) -> bool {
        match text_tool_calls::written_call(text, &self.request.tools) {
            None => false,
            Some(Written::Script) => self.useless_turns < TOLD_MAX && self.files_changed.is_empty(),
            Some(Written::Applied) => self.useless_turns < TOLD_MAX,
            Some(Written::Call) => true,
        }
    }

    /// The stream broke: its partial answer is dropped, and the request is sent again.
    async fn handle_broken_stream(&mut self) -> Result<Option<IterationEnd>, Error> {
        Ok(self.count_useless("the model's stream broke").await?.map(|_| {
            let message = format!("the stream broke {USELESS_MAX} times in a row");
            IterationEnd::ModelFailed(PortError::new("model", "complete", PortErrorKind::Unavailable, message))
        }))
    }

    /// The conversation exceeds the context window. Halves it and repeats the request, until nothing can be shortened; then
    /// ends the iteration, so that the next one starts with a fresh context.
    async fn handle_overflow(&mut self, error: PortError) -> Result<Option<IterationEnd>, Error> {
        self.refused_lengths += 1;
        let shortened = self.rate.halve(&mut self.request).filter(|shortened| shortened.after < shortened.before);
        if let Some(shortened) = shortened.filter(|_| self.refused_lengths <= SHORTENINGS_MAX) {
            self.observer.observe(IterationFact::Shortened(shortened)).await?;
            return Ok(None);
        }
        if self.tool_calls == 0 {
            return Ok(Some(IterationEnd::ModelFailed(error)));
        }
        let text =
            "the conversation exceeds the model's context window; the next iteration starts with a fresh context";
        self.status(text.to_owned()).await?;
        Ok(Some(IterationEnd::Stopped))
    }

    async fn count_useless(&mut self, what: &str) -> Result<Option<IterationEnd>, Error> {
        self.useless_turns += 1;
        let status = format!("{what} ({} of {USELESS_MAX} in a row)", self.useless_turns);
        self.status(status).await?;
        Ok((self.useless_turns >= USELESS_MAX).then_some(IterationEnd::Stopped))
    }

    /// Whether the calls complete the task with answers that differ: the role then gave no answer.
    fn contradicts(&self, calls: &[ToolCall]) -> bool {
        let Some(AnswerShape { parameters, .. }) = self.input.answer else { return false };
        let texts = calls.iter().filter(|call| ends_it(call)).map(|call| call.function.arguments.as_str());
        arguments::differ(BuiltIn::CompleteTask.name(), parameters, texts)
    }

    /// Answers every call in order. Returns whether one of them completes the task, and whether one waits for the user. If the answer was cut off, its last call is not
    /// executed. Neither a cut-off nor a contradictory answer completes.
    async fn answer(&mut self, calls: &[ToolCall], is_cut: bool, contradicts: bool) -> Result<(bool, bool), Error> {
        let (mut completed, mut is_open) = (false, false);
        for (index, call) in calls.iter().enumerate() {
            let ends_it = ends_it(call);
            let refusal = if self.abort.is_aborted() {
                Some(feedback::ABORTED)
            } else if is_open {
                Some(feedback::AFTER_QUESTION)
            } else if self.tool_calls >= self.input.max_tool_calls {
                Some(feedback::PAST_LIMIT)
            } else {
                self.tool_calls += 1;
                let is_cut = is_cut && (ends_it || index + 1 == calls.len());
                let contradicts = (contradicts && ends_it).then_some(feedback::CONTRADICTION);
                is_cut.then_some(feedback::CUT_CALL).or(contradicts)
            };
            let (host, input, observer, abort) = (self.host, self.input, self.observer, self.abort);
            let executor = Calls { host, input, observer, abort, request: &self.request, given: None };
            let answer = executor.answer(call, refusal).await?;
            completed |= answer.completion.is_some();
            is_open |= answer.is_open;
            self.answer = answer.completion.or(self.answer.take());
            self.files_changed.extend(answer.changed);
            if !answer.ok {
                let function = &call.function;
                self.failed_calls.push([function.name.clone(), function.arguments.clone(), answer.output.clone()]);
            }
            let (tool_call_id, name) = (call.id.clone(), accepted(&call.function.name));
            self.request.messages.push(ChatMessage::Tool {
                tool_call_id,
                name,
                content: answer.output,
                images: answer.images,
            });
        }
        Ok((completed, is_open))
    }

    async fn status(&self, text: String) -> Result<(), Error> {
        self.observer.observe(IterationFact::Status(text)).await
    }

    /// The end that the agent requests in the status file.
    async fn read_status(&self) -> Result<Option<IterationEnd>, Error> {
        if self.input.answer.is_some() {
            return Ok(None);
        }
        let status = match self.host.project().read_text(STATUS).await {
            Ok(status) => status.unwrap_or_default(),
            Err(error) => {
                self.status(error.to_string()).await?;
                return Ok(None);
            }
        };
        Ok(match status.trim().to_ascii_lowercase().as_str() {
            "complete" => Some(IterationEnd::Completed(CompletionSignal::Status)),
            "waiting" => Some(IterationEnd::Waiting),
            _ => None,
        })
    }

    /// Gives every call a unique id, because results refer to it: replaces empty and repeated ids.
    fn identify(&mut self, calls: Vec<ToolCall>) -> Vec<ToolCall> {
        let mut number = 0;
        let unique = calls.into_iter().map(|mut call| {
            number = number.max(self.ids.len());
            while call.id.trim().is_empty() || self.ids.contains(&call.id) {
                call.id = format!("call_{number}");
                number += 1;
            }
            self.ids.insert(call.id.clone());
            "function".clone_into(&mut call.kind);
            call
        });
        unique.collect()
    }
}

fn ends_it(call: &ToolCall) -> bool {
    call.function.name == BuiltIn::CompleteTask.name()
}

/// How often a request is shortened. Each time halves it.
const SHORTENINGS_MAX: u32 = 8;

/// After how many useless turns a text that may be meant for the user counts as the answer.
const TOLD_MAX: u32 = 2;

/// Maximum of consecutive turns without a usable result.
const USELESS_MAX: u32 = 3;

#[cfg(test)]
pub(super) mod tests;
