//! One turn of the model: streamed, limited in its silence, ended at once by an abort, and paid for.

use crate::port::{
    Abort, Aborted, ClockPort, Host, ModelDelta, ModelPort, ModelRequest, ModelResponse, PortError, PortErrorKind,
    PortResult, Usage,
};
use futures_util::future::{Either, select};
use std::cell::Cell;
use std::future::Future;
use std::pin::pin;

/// How long a model is waited for, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// So long it may be silent; every piece of a streamed answer starts that time anew.
    pub idle_ms: u64,
    /// So long the whole answer may take.
    pub total_ms: u64,
}

/// What came of a turn.
pub struct Turn {
    /// The answer, or the model's failure; or the run was aborted, and nothing that still comes counts.
    pub answer: Result<PortResult<ModelResponse>, Aborted>,
    /// What it cost; `None` where the call failed before anything came.
    pub paid: Option<Paid>,
}

/// The usage of a model call.
#[derive(Debug, Clone, PartialEq)]
pub struct Paid {
    /// With its cost, from the answer or the host's prices.
    pub usage: Usage,
    /// The id of the model, if the answer has one.
    pub model: Option<String>,
}

/// The usage with its cost, from the answer or else from the host's prices. A cost that is not a valid amount is ignored.
pub fn priced<H: Host>(host: &H, usage: Usage, model: Option<&str>) -> Usage {
    let is_amount = |cost: &f64| cost.is_finite() && *cost >= 0.0;
    let reported = usage.cost_usd.filter(is_amount);
    let usage = Usage { cost_usd: None, ..usage };
    let prices = host.prices().filter(|_| usage.input_tokens + usage.output_tokens > 0);
    Usage { cost_usd: reported.or_else(|| prices?.cost(&usage, model).filter(is_amount)), ..usage }
}

/// Asks the model.
pub async fn ask<H: Host>(
    host: &H,
    request: &ModelRequest,
    patience: Patience,
    abort: &Abort,
    stream: &dyn Fn(ModelDelta),
) -> Turn {
    let Some(model) = host.model() else {
        let message = "the host has no model: give it one to run the loop";
        let error = PortError::new("model", "complete", PortErrorKind::Unsupported, message);
        return Turn { answer: Ok(Err(error)), paid: None };
    };
    let heard = Cell::new(host.clock().now());
    let streamed = Cell::new(0);
    let on_delta = |delta: ModelDelta| {
        let (ModelDelta::Text { text } | ModelDelta::Reasoning { text }) = &delta;
        heard.set(host.clock().now());
        streamed.set(streamed.get() + text.len());
        stream(delta);
    };
    let call = model.complete(request, abort, &on_delta);
    let answer = abort.race(until_late(host.clock(), patience, &heard, call)).await;
    // An answer that was ready in the moment of the abort is late all the same.
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
    let paid = usage.map(|usage| Paid { usage: priced(host, usage, model.as_deref()), model });
    Turn { answer, paid }
}

async fn until_late<T>(
    clock: &impl ClockPort,
    Patience { idle_ms, total_ms }: Patience,
    heard: &Cell<u64>,
    call: impl Future<Output = PortResult<T>>,
) -> PortResult<T> {
    let mut call = pin!(call);
    let end = clock.now().saturating_add(total_ms);
    loop {
        let silent = heard.get().saturating_add(idle_ms);
        let left = silent.min(end).saturating_sub(clock.now());
        if left == 0 {
            let message = if silent <= end {
                format!("the model was silent for {idle_ms} ms; try again, or raise the limit modelIdleMs")
            } else {
                format!("the model did not end its answer within {total_ms} ms")
            };
            return Err(PortError::new("model", "complete", PortErrorKind::Timeout, message));
        }
        match select(call.as_mut(), pin!(clock.sleep(left))).await {
            Either::Left((answer, _)) => return answer,
            Either::Right(_) => {}
        }
    }
}

/// The provider's usage; `None` if it has neither tokens nor a cost.
fn reported_usage(response: &ModelResponse) -> Option<Usage> {
    let says = |usage: &Usage| usage.input_tokens + usage.output_tokens > 0 || usage.cost_usd.is_some();
    response.usage.filter(|usage| says(usage) || written(response) == 0)
}

/// Four bytes a token, where the provider does not say.
fn estimate(request: &ModelRequest, written: usize) -> Usage {
    let read = serde_json::to_string(request).map_or(0, |text| text.len());
    let tokens = |bytes: usize| bytes.div_ceil(4) as u64;
    Usage { input_tokens: tokens(read), output_tokens: tokens(written), estimated: Some(true), ..Usage::default() }
}

/// The bytes of an answer.
fn written(response: &ModelResponse) -> usize {
    let calls = response.tool_calls.iter().flatten();
    let calls: usize = calls.map(|call| call.function.name.len() + call.function.arguments.len()).sum();
    response.content.as_ref().map_or(0, String::len) + calls
}
