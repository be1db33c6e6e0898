//! One model call: streamed, with timeouts, cancelled by an abort, and priced.

use super::context;
use crate::port::{
    Abort, Aborted, AgentRole, ClockPort, Host, ModelDelta, ModelRequest, ModelResponse, PortError, PortErrorKind,
    PortResult, Usage, amount,
};
use crate::redact::{Redactor, Stream};
use crate::text::shortened;
use futures_util::future::{Either, select};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;

/// Timeouts of a model call, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// Maximum time without a sign of the model. Every delta restarts it.
    pub idle_ms: u64,
    /// Maximum time of the complete answer; 0 allows no call.
    pub total_ms: u64,
}

/// The size of an answer as JSON, in bytes: a server may send without end, and the journal must stay readable.
const ANSWER_MAX: usize = 32 * 1024 * 1024;

/// The length of a call's id and of the name of a model, in bytes.
const ID_MAX: usize = 1_000;

/// The number of notes of a call.
const NOTES_MAX: usize = 20;

/// The length of a note, in characters.
const NOTE_CHARS: usize = 2_000;

/// The result of a model call.
pub struct Turn {
    /// The answer or the model's error; `Aborted` discards an answer that still arrives.
    pub answer: Result<PortResult<ModelResponse>, Aborted>,
    /// `None` if the call failed before any output arrived.
    pub paid: Option<Paid>,
    /// The length of the streamed reasoning, in bytes.
    pub reasoning: u64,
    /// What the port does otherwise from now on, because the service refused it.
    pub notes: Vec<String>,
}

/// The usage of a model call.
#[derive(Debug, Clone, PartialEq)]
pub struct Paid {
    /// Includes the cost, from the answer or from the host's prices.
    pub usage: Usage,
    /// The id of the model, if the answer has one.
    pub model: Option<String>,
    #[expect(missing_docs, reason = "the name says it all")]
    pub role: AgentRole,
}

/// The usage with its cost: the reported one if it is a valid amount, otherwise computed from the host's prices.
pub fn priced(host: &Host, usage: Usage, model: Option<&str>) -> Usage {
    let reported = usage.cost_usd.and_then(amount);
    let usage = Usage { cost_usd: None, ..usage };
    let prices = host.prices.as_deref().filter(|_| usage.tokens() > 0);
    Usage { cost_usd: reported.or_else(|| prices?.cost(&usage, model).and_then(amount)), ..usage }
}

/// Calls the model with this id, or without one the host's main model.
pub async fn ask(
    host: &Host,
    model: Option<&str>,
    request: &ModelRequest,
    timeouts: Timeouts,
    abort: &Abort,
    stream: &dyn Fn(ModelDelta),
) -> Turn {
    let Some(model) = host.model_of(model) else {
        let message = match model {
            Some(id) => format!("the host has no model {id:?}; add it to `models`"),
            None => "the host has no model; set `model` to run the loop".to_owned(),
        };
        let error = PortError::new("model", "complete", PortErrorKind::Unsupported, message);
        return Turn { answer: Ok(Err(error)), paid: None, reasoning: 0, notes: Vec::new() };
    };
    if timeouts.total_ms == 0 {
        let message = "the budget of the run allows no call";
        let error = PortError::new("model", "complete", PortErrorKind::Timeout, message);
        return Turn { answer: Ok(Err(error)), paid: None, reasoning: 0, notes: Vec::new() };
    }
    let last_delta = Cell::new(host.clock.now());
    let (streamed, reasoning) = (Cell::new(0), Cell::new(0));
    let too_long = Abort::new();
    let shown = RefCell::new(Shown::default());
    let notes = RefCell::new(Vec::new());
    let on_delta = |delta: ModelDelta| {
        last_delta.set(host.clock.now());
        if let ModelDelta::Note { text } = delta {
            let mut notes = notes.borrow_mut();
            if notes.len() < NOTES_MAX {
                notes.push(shortened(&text, NOTE_CHARS));
            }
            return;
        }
        streamed.set(streamed.get() + delta.text().len() + shown.borrow().opens(&delta));
        if let ModelDelta::Reasoning { text } = &delta {
            reasoning.set(reasoning.get() + text.len() as u64);
        }
        if streamed.get() > ANSWER_MAX {
            return too_long.fire("the answer is too long");
        }
        shown.borrow_mut().push(delta, &host.redactor).into_iter().for_each(stream);
    };
    let call = model.complete(request, abort, &on_delta);
    let call = too_long.race(with_timeouts(&*host.clock, timeouts, &last_delta, call));
    let answer = abort.race(async { call.await.unwrap_or_else(|_| Err(is_too_long())).and_then(bounded) }).await;
    shown.take().finish(&host.redactor).into_iter().for_each(stream);
    // Discard an answer that is ready at the moment of the abort.
    let answer = match abort.reason() {
        Some(reason) => Err(Aborted { reason }),
        None => answer,
    };
    let usage = match &answer {
        Ok(Ok(response)) => Some(reported_usage(response).unwrap_or_else(|| estimate(request, written(response)))),
        Ok(Err(error)) if streamed.get() == 0 && error.kind != PortErrorKind::Timeout => None,
        Ok(Err(_)) | Err(_) => Some(estimate(request, streamed.get())),
    };
    let model = answer.as_ref().ok().and_then(|answer| answer.as_ref().ok()).and_then(|answer| answer.model.clone());
    let paid = usage.map(|usage| Paid { usage: priced(host, usage, model.as_deref()), model, role: request.role });
    Turn { answer, paid, reasoning: reasoning.get(), notes: notes.into_inner() }
}

async fn with_timeouts<T>(
    clock: &dyn ClockPort,
    Timeouts { idle_ms, total_ms }: Timeouts,
    last_delta: &Cell<u64>,
    call: impl Future<Output = PortResult<T>>,
) -> PortResult<T> {
    let mut call = pin!(call);
    let end = clock.now().saturating_add(total_ms);
    loop {
        let silent = last_delta.get().saturating_add(idle_ms);
        let left = silent.min(end).saturating_sub(clock.now());
        if left == 0 {
            let message = if silent <= end {
                format!("the model sent nothing for {idle_ms} ms; try again, or raise the limit modelIdleMs")
            } else {
                format!("the model did not finish its answer within {total_ms} ms")
            };
            return Err(PortError::new("model", "complete", PortErrorKind::Timeout, message));
        }
        match select(call.as_mut(), pin!(clock.sleep(left))).await {
            Either::Left((answer, _)) => return answer,
            Either::Right(_) => {}
        }
    }
}

/// The streamed text without secrets, by kind and call.
#[derive(Default)]
struct Shown {
    text: Stream,
    reasoning: Stream,
    /// The calls by their ids, each with its name.
    calls: BTreeMap<String, (String, Stream)>,
}

impl Shown {
    /// The size of a call that the delta begins, in bytes; 0 if it begins none.
    fn opens(&self, delta: &ModelDelta) -> usize {
        match delta {
            ModelDelta::Tool { id, name, .. } if !self.calls.contains_key(id) => id.len() + name.len(),
            _ => 0,
        }
    }

    /// What is shown of the delta. The start of a call is shown without arguments, too.
    fn push(&mut self, delta: ModelDelta, redactor: &Redactor) -> Option<ModelDelta> {
        let opens = self.opens(&delta) > 0;
        let delta = match delta {
            ModelDelta::Text { text } => ModelDelta::Text { text: self.text.push(redactor, &text) },
            ModelDelta::Reasoning { text } => ModelDelta::Reasoning { text: self.reasoning.push(redactor, &text) },
            ModelDelta::Tool { id, name, text } => {
                let (name, arguments) = self.calls.entry(id.clone()).or_insert_with(|| (name, Stream::default()));
                call_delta(&id, name, arguments.push(redactor, &text), redactor)
            }
            ModelDelta::Note { .. } | ModelDelta::Other => ModelDelta::Other,
        };
        Some(delta).filter(|delta| opens || !delta.text().is_empty())
    }

    fn finish(mut self, redactor: &Redactor) -> Vec<ModelDelta> {
        let reasoning = ModelDelta::Reasoning { text: self.reasoning.finish(redactor) };
        let text = ModelDelta::Text { text: self.text.finish(redactor) };
        let calls = self.calls.iter_mut();
        let calls = calls.map(|(id, (name, arguments))| call_delta(id, name, arguments.finish(redactor), redactor));
        [reasoning, text].into_iter().chain(calls).filter(|delta| !delta.text().is_empty()).collect()
    }
}

fn call_delta(id: &str, name: &str, text: String, redactor: &Redactor) -> ModelDelta {
    let [id, name] = [id, name].map(|text| redactor.text(text).into_owned());
    ModelDelta::Tool { id, name, text }
}

/// The provider's usage; `None` if it has neither tokens nor a cost.
fn reported_usage(response: &ModelResponse) -> Option<Usage> {
    let is_reported = |usage: &Usage| usage.tokens() > 0 || usage.cost_usd.is_some();
    response.usage.filter(|usage| is_reported(usage) || written(response) == 0)
}

/// Estimated usage: four bytes per token.
fn estimate(request: &ModelRequest, written: usize) -> Usage {
    let read = context::size(request);
    let tokens = |bytes: usize| bytes.div_ceil(4) as u64;
    Usage { input_tokens: tokens(read), output_tokens: tokens(written), estimated: Some(true), ..Usage::default() }
}

fn bounded(response: ModelResponse) -> PortResult<ModelResponse> {
    let mut size = Size(0);
    if serde_json::to_writer(&mut size, &response).is_err() {
        return Err(is_too_long());
    }
    let ids = response.tool_calls.iter().flatten().map(|call| &call.id).chain(&response.model);
    match ids.map(String::len).find(|length| *length > ID_MAX) {
        Some(length) => {
            let message = format!(
                "the answer has the id of a call or the name of a model with {length} bytes, more than {ID_MAX}; \
                 check which server or model answers"
            );
            Err(PortError::new("model", "complete", PortErrorKind::Other, message))
        }
        None => Ok(response),
    }
}

/// Counts what is written, up to [`ANSWER_MAX`].
struct Size(usize);

impl std::io::Write for Size {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        if self.0 > ANSWER_MAX { Err(std::io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn is_too_long() -> PortError {
    let message = format!("the answer has more than {} MB; check which server or model answers", ANSWER_MAX >> 20);
    PortError::new("model", "complete", PortErrorKind::Other, message)
}

/// What the model wrote, in bytes.
fn written(response: &ModelResponse) -> usize {
    let calls = response.tool_calls.iter().flatten();
    let calls: usize = calls.map(|call| call.function.name.len() + call.function.arguments.len()).sum();
    response.content.as_ref().map_or(0, String::len) + calls
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::port::{FinishReason, FunctionCall, ToolCall};
    use serde_json::json;

    fn answer(id: &str, name: &str, arguments: &str) -> ModelResponse {
        let function = FunctionCall { name: name.to_owned(), arguments: arguments.to_owned() };
        let call = ToolCall { id: id.to_owned(), kind: "function".to_owned(), function, provider_data: None };
        ModelResponse {
            content: None,
            tool_calls: Some(vec![call]),
            finish_reason: FinishReason::Stop,
            usage: None,
            model: None,
            provider_data: None,
        }
    }

    #[test]
    fn every_part_of_an_answer_counts_to_its_size() {
        let (fits, long) = ("x".repeat(ANSWER_MAX / 2), "x".repeat(ANSWER_MAX));
        let plain = answer("1", "a", "{}");
        assert!(bounded(answer("1", "a", &fits)).is_ok());
        for (part, answer) in [
            ("name", answer("1", &long, "{}")),
            ("arguments", answer("1", "a", &long)),
            ("content", ModelResponse { content: Some(long.clone()), ..plain.clone() }),
            ("provider data", ModelResponse { provider_data: Some(json!([long])), ..plain.clone() }),
            // Each byte takes six in JSON.
            ("control characters", answer("1", "a", &"\u{1}".repeat(ANSWER_MAX / 5))),
        ] {
            assert!(bounded(answer).is_err(), "{part}");
        }
        let mut of_call = plain;
        of_call
            .tool_calls
            .iter_mut()
            .flatten()
            .for_each(|call| call.provider_data = Some(json!({ "a": fits, "b": fits })));
        assert!(bounded(of_call).is_err(), "provider data of a call");
    }

    #[test]
    fn an_answer_with_a_long_id_or_name_of_a_model_is_refused() {
        let long = "x".repeat(ID_MAX + 1);
        assert!(bounded(answer(&long[1..], "a", "{}")).is_ok());
        assert!(bounded(answer(&long, "a", "{}")).is_err());
        assert!(bounded(ModelResponse { model: Some(long), ..answer("1", "a", "{}") }).is_err());
    }
}
