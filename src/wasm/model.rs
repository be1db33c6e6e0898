//! The model over the host's function.

use super::call::Call;
use super::value::{get, json_to_js, object};
use crate::error::{Error, ErrorCode};
use crate::port::{Abort, ModelDelta, ModelPort, ModelRequest, ModelResponse, PortResult};
use js_sys::{Array, Function, JsString};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Waker;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// The model of a host.
pub struct JsModel {
    complete: Function,
}

impl JsModel {
    /// Takes a function of the type `ModelPort`.
    ///
    /// # Errors
    /// `invalid-argument` for anything else.
    pub fn new(model: &JsValue) -> Result<Self, Error> {
        match model.dyn_ref::<Function>() {
            Some(complete) => Ok(Self { complete: complete.clone() }),
            None => Err(Error::new(
                ErrorCode::InvalidArgument,
                "`model` is no function; pass `(request, { signal, onDelta }) => Promise<ModelResponse>`",
            )),
        }
    }
}

impl ModelPort for JsModel {
    async fn complete(
        &self,
        request: &ModelRequest,
        abort: &Abort,
        on_delta: &dyn Fn(ModelDelta),
    ) -> PortResult<ModelResponse> {
        // The core limits how long a model may be silent.
        let call = Call { port: "model", operation: "complete", path: None, limit_ms: None };
        let deltas = Deltas::default();
        let answered = call.abortable(abort, async |signal| {
            let context = object([("signal", signal.into()), ("onDelta", deltas.receiver())]);
            let arguments = Array::of2(&json_to_js(request), &context);
            call.function(&self.complete, &JsValue::UNDEFINED, &arguments).await
        });
        let answer = deltas.pass_on(answered, on_delta).await;
        call.read(&answer?)
    }
}

/// Pieces that the host pushes while its call runs. They wait here until the call is polled, so that the core never
/// runs inside the host's stack; what comes after the end is dropped.
#[derive(Clone, Default)]
struct Deltas(Rc<RefCell<Queue>>);

#[derive(Default)]
struct Queue {
    waiting: VecDeque<ModelDelta>,
    halves: Halves,
    waker: Option<Waker>,
    ended: bool,
}

/// The end of the last piece of each kind, where that was the first half of a surrogate pair: streams cut where they
/// like, also through an emoji, and Rust's text has no halves.
#[derive(Default)]
struct Halves {
    text: Option<JsString>,
    reasoning: Option<JsString>,
}

impl Deltas {
    /// `onDelta` for the host, which may keep and call it for as long as it likes.
    fn receiver(&self) -> JsValue {
        let deltas = self.clone();
        let receive = move |delta: JsValue| {
            // Read before the queue is borrowed: the host's object may have getters, which may call this again.
            let (kind, text) = (get(&delta, "type").as_string(), get(&delta, "text").dyn_into());
            let (Some(kind), Ok(text)) = (kind, text) else { return };
            let mut queue = deltas.0.borrow_mut();
            let Some(delta) = queue.halves.join(&kind, text) else { return };
            if !queue.ended {
                queue.waiting.push_back(delta);
                let waker = queue.waker.take();
                drop(queue);
                waker.iter().for_each(Waker::wake_by_ref);
            }
        };
        Closure::<dyn Fn(JsValue)>::new(receive).into_js_value()
    }

    /// Awaits the call and passes every piece on before its answer.
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

impl Halves {
    /// What was held back and a piece of the answer, up to the last whole character; a piece of any other kind is
    /// passed over.
    fn join(&mut self, kind: &str, text: JsString) -> Option<ModelDelta> {
        match kind {
            "text" => whole(&mut self.text, text).map(|text| ModelDelta::Text { text }),
            "reasoning" => whole(&mut self.reasoning, text).map(|text| ModelDelta::Reasoning { text }),
            _ => None,
        }
    }
}

fn whole(half: &mut Option<JsString>, text: JsString) -> Option<String> {
    let text = match half.take() {
        Some(half) => half.concat(&text),
        None => text,
    };
    let mut read = String::from(&text);
    // What ends with a half is read as if it ended with this.
    if read.ends_with(char::REPLACEMENT_CHARACTER) {
        let last = text.slice(text.length() - 1, text.length());
        if (0xD800..0xDC00).contains(&(last.char_code_at(0) as u32)) {
            read.pop();
            *half = Some(last);
        }
    }
    (!read.is_empty()).then_some(read)
}

/// Closes the queue when the call is over or dropped.
struct End<'a>(&'a Deltas);

impl Drop for End<'_> {
    fn drop(&mut self) {
        let mut queue = self.0.0.borrow_mut();
        queue.ended = true;
        queue.waiting.clear();
    }
}
