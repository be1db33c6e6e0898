//! Runs.

use super::json;
use crate::agent::SteerQueue;
use crate::error::{Error, ErrorCode};
use crate::gate::GateSelection;
use crate::port::Abort;
use crate::run::{Envelope, LimitOptions, PlanMode, RunControl, RunOptions, Work, drive, find_unfinished};
use crate::wasm::error::js_error;
use crate::wasm::fs::JsFs;
use crate::wasm::host::{JsHost, project_dir, registry};
use crate::wasm::value::{from_js, get, promise};
use js_sys::{Function, Promise};
use serde::Deserialize;
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A run that can be started once, steered and aborted.
#[wasm_bindgen]
pub struct RunHandle {
    host: Rc<JsHost>,
    options: Cell<Option<RunOptions>>,
    abort: Abort,
    steering: SteerQueue,
}

/// What the package passes, checked and complete.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Options {
    run_id: String,
    work: Work,
    #[serde(default)]
    limits: LimitOptions,
    #[serde(default)]
    plan: PlanMode,
    #[serde(default)]
    resume: bool,
}

#[wasm_bindgen]
impl RunHandle {
    /// Reads the host and the options; nothing runs yet. `shape` makes an `FsPort` of a `GuardedFs`, for the tools
    /// and the gates of the IDE.
    ///
    /// # Errors
    /// `invalid-argument`, naming the field.
    #[wasm_bindgen(constructor)]
    pub fn new(host: &JsValue, options: &JsValue, shape: Function) -> Result<RunHandle, JsValue> {
        Self::read(host, options, shape).map_err(js_error)
    }

    /// Runs to the end; the `RunResult` as JSON text. `listener` is given arrays of events as JSON text.
    ///
    /// # Errors
    /// A fault of the host or of loopgate. A run that stops for any other reason gives a result.
    pub fn drive(&self, listener: Function) -> Promise {
        let (host, options) = (self.host.clone(), self.options.take());
        let control = RunControl { abort: self.abort.clone(), steering: self.steering.clone() };
        promise(async move {
            let Some(options) = options else {
                return Err(js_error(Error::new(ErrorCode::Conflict, "the run was started already")));
            };
            let events = Events { waiting: RefCell::default(), listener };
            let push = |event: &Envelope| events.push(event);
            let mut run = pin!(drive(&*host, options, &control, &push));
            // User code hears of events between two steps of the run, never inside one.
            let result = poll_fn(|context| {
                let polled = run.as_mut().poll(context);
                events.deliver();
                polled
            });
            json(result.await).map(JsValue::from)
        })
    }

    /// Ends the run at once. The first reason stands.
    pub fn abort(&self, reason: &str) {
        self.abort.fire(reason);
    }

    /// Queues a message of the user; the agent sees it at the next safe point.
    pub fn steer(&self, message: String) {
        self.steering.borrow_mut().push(message);
    }
}

impl RunHandle {
    fn read(host: &JsValue, options: &JsValue, shape: Function) -> Result<Self, Error> {
        let wrong =
            |why| Error::new(ErrorCode::InvalidArgument, format!("the options of the run cannot be read: {why}"));
        let options: Options = from_js(options).map_err(wrong)?;
        options.limits.resolve()?;
        let options = RunOptions {
            run_id: options.run_id,
            work: options.work,
            limits: options.limits,
            gates: GateSelection::default(),
            plan: options.plan,
            resume: options.resume,
            registry: registry(&get(host, "registry"))?.into_owned(),
        };
        Ok(Self {
            host: Rc::new(JsHost::new(host, Some(shape))?),
            options: Cell::new(Some(options)),
            abort: Abort::new(),
            steering: SteerQueue::default(),
        })
    }
}

/// An unfinished run of a project, as JSON text; `null` where there is none.
///
/// # Errors
/// What [`find_unfinished`] says.
#[wasm_bindgen(js_name = findUnfinishedRun)]
pub fn find_unfinished_run(fs: JsValue, dir: JsValue) -> Promise {
    promise(async move {
        let found = async { find_unfinished(&JsFs::new(&fs)?, &project_dir(&dir)?).await };
        json(found.await).map(JsValue::from)
    })
}

/// Events that wait for the listener, each as JSON text.
struct Events {
    waiting: RefCell<Vec<String>>,
    listener: Function,
}

impl Events {
    fn push(&self, event: &Envelope) {
        if let Ok(event) = event.to_json() {
            self.waiting.borrow_mut().push(event);
        }
    }

    /// A listener that throws is logged, never fatal.
    fn deliver(&self) {
        let waiting = self.waiting.take();
        if !waiting.is_empty() {
            let batch = format!("[{}]", waiting.join(","));
            if let Err(thrown) = self.listener.call1(&JsValue::UNDEFINED, &batch.into()) {
                web_sys::console::error_2(&"loopgate: a listener threw".into(), &thrown);
            }
        }
    }
}
