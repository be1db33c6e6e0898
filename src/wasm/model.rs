//! The model over the host's function.

use super::call::Call;
use super::value::{get, given, object, to_js, wrong};
use crate::error::{Error, ErrorCode};
use crate::port::{Abort, ModelDelta, ModelPort, ModelRequest, ModelResponse, PortResult};
use async_trait::async_trait;
use js_sys::{Array, Function, JsString};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Waker;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// The model of a host.
pub struct JsModel {
    complete: Function,
    context_tokens: Option<u64>,
    takes_images: bool,
}

impl JsModel {
    /// Wraps a function of the type `ModelPort`.
    pub fn new(model: &JsValue) -> Result<Self, Error> {
        let Some(complete) = model.dyn_ref::<Function>() else {
            return Err(Error::new(
                ErrorCode::InvalidArgument,
                "`model` must be a function; pass `(request, { signal, onDelta }) => Promise<ModelResponse>`",
            ));
        };
        let context_tokens = match given(model, "contextTokens") {
            None => None,
            Some(value) => match value.as_f64().filter(|tokens| *tokens >= 1.0 && tokens.is_finite()) {
                Some(tokens) => Some(tokens as u64),
                None => return Err(wrong("model.contextTokens", "a number of tokens", &value)),
            },
        };
        let takes_images = match given(model, "images") {
            None => false,
            Some(value) => value.as_bool().ok_or_else(|| wrong("model.images", "a boolean", &value))?,
        };
        Ok(Self { complete: complete.clone(), context_tokens, takes_images })
    }
}

#[async_trait(?Send)]

impl ModelPort for JsModel {
    fn context_tokens(&self) -> Option<u64> {
        self.context_tokens
    }

    fn takes_images(&self) -> bool {
        self.takes_images
    }

    async fn complete(
        &self,
        request: &ModelRequest,
        abort: &Abort,
        on_delta: &dyn Fn(ModelDelta),
    ) -> PortResult<ModelResponse> {
        // The core sets the timeout.
        let call = Call { port: "model", operation: "complete", path: None, limit_ms: None };
        let deltas = Deltas::default();
        let answered = call.abortable(abort, async |signal| {
            let context = object([("signal", signal.into()), ("onDelta", deltas.receiver())]);
            let arguments = Array::of2(&to_js(request), &context);
            call.function(&self.complete, &JsValue::UNDEFINED, &arguments).await
        });
        let answer = deltas.pass_on(answered, on_delta).await;
        call.read(&answer?)
    }
}

/// Deltas that the host pushes during its call. They are queued until the call is polled, so the core never runs on the
/// host's stack. Deltas after the end are dropped.
#[derive(Clone, Default)]
struct Deltas(Rc<RefCell<Queue>>);

#[derive(Default)]
struct Queue {
    waiting: VecDeque<ModelDelta>,
    /// By kind and call: a lone first half of a surrogate pair at the end of the last delta. Streams may split an emoji, and
    /// a Rust string cannot hold half of one.
    halves: BTreeMap<String, JsString>,
    waker: Option<Waker>,
    ended: bool,
}

impl Deltas {
    /// `onDelta` for the host, which may call it at any time.
    fn receiver(&self) -> JsValue {
        let deltas = self.clone();
        let receive = move |delta: JsValue| {
            // Read before the queue is borrowed: a getter of the host may call this function again.
            let [kind, id, name] = ["type", "id", "name"].map(|name| get(&delta, name).as_string().unwrap_or_default());
            let text = get(&delta, "text").dyn_into().ok();
            let mut queue = deltas.0.borrow_mut();
            if !queue.ended {
                let mut joined = |text| complete(&mut queue.halves, format!("{kind} {id}"), text);
                let delta = match (kind.as_str(), text) {
                    ("text", Some(text)) => ModelDelta::Text { text: joined(text) },
                    ("reasoning", Some(text)) => ModelDelta::Reasoning { text: joined(text) },
                    ("note", Some(text)) => ModelDelta::Note { text: String::from(&text) },
                    ("tool", Some(text)) if !id.is_empty() => ModelDelta::Tool { text: joined(text), id, name },
                    _ => ModelDelta::Other,
                };
                queue.waiting.push_back(delta);
                let waker = queue.waker.take();
                drop(queue);
                waker.iter().for_each(Waker::wake_by_ref);
            }
        };
        Closure::<dyn Fn(JsValue)>::new(receive).into_js_value()
    }

    /// Awaits the call and delivers its deltas before its result.
    async fn pass_on<T>(&self, call: impl Future<Output = T>, on_delta: &dyn Fn(ModelDelta)) -> T {
        let mut call = pin!(call);
        let _end = End(self);
        poll_fn(|context| {
            self.0.borrow_mut().waker = Some(context.waker().clone());
            let polled = call.as_mut().poll(context);
            loop {
                let next = self.0.borrow_mut().waiting.pop_front();
                match next {
                    Some(delta) => on_delta(delta),
                    None => break,
                }
            }
            polled
        })
        .await
    }
}

/// The held-back half and the next text, up to the last complete character.
fn complete(halves: &mut BTreeMap<String, JsString>, key: String, text: JsString) -> String {
    let text = match halves.remove(&key) {
        Some(half) => half.concat(&text),
        None => text,
    };
    let mut read = String::from(&text);
    // Text that ends in a lone half reads as if it ended in this character.
    if read.ends_with(char::REPLACEMENT_CHARACTER) {
        let last = text.slice(text.length() - 1, text.length());
        if (0xD800..0xDC00).contains(&(last.char_code_at(0) as u32)) {
            read.pop();
            halves.insert(key, last);
        }
    }
    read
}

/// Closes the queue when the call ends or is dropped.
struct End<'a>(&'a Deltas);

impl Drop for End<'_> {
    fn drop(&mut self) {
        let mut queue = self.0.0.borrow_mut();
        queue.ended = true;
        queue.waiting.clear();
    }
}
