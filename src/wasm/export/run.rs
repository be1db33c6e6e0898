//! Exports for runs.

use super::{json as to_text, promise};
use crate::agent::SteerQueue;
use crate::config;
use crate::error::{Error, ErrorCode};
use crate::json;
use crate::layout::is_work_file;
use crate::port::{Abort, Answer, Host, ProjectDir, Seen, StateKey};
use crate::run::{
    ConfigSources, Edited, Envelope, LimitOptions, PlanMode, RunControl, RunOptions, RunRef, RunResult, Work, changes,
    check_chunks, drive, estimate, find_unfinished, leave_branch, list_chunks, list_iterations, list_runs, list_specs,
    merge_branch, read_events, revert,
};
use crate::task::GivenTask;
use crate::wasm::error::js_error;
use crate::wasm::fs::JsFs;
use crate::wasm::host::{self, project_dir, registry, run_name, state_key};
use crate::wasm::value::{from_js, get};
use js_sys::{Function, Promise};
use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A run that can be started once, steered and aborted.
#[wasm_bindgen]
pub struct RunHandle(Rc<Inner>);

struct Inner {
    /// The object of the IDE.
    given: JsValue,
    /// Until the run starts.
    waiting: Cell<Option<(Host, RunOptions)>>,
    abort: Abort,
    steering: SteerQueue,
    edited: Edited,
    retry: Rc<RefCell<Abort>>,
}

/// The plain-data options of `runLoop`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Options {
    run_id: String,
    holder: String,
    work: Option<GivenWork>,
    limits: LimitOptions,
    #[serde(default, deserialize_with = "json::or_default")]
    plan: PlanMode,
    clarify: Option<bool>,
    resume: bool,
    #[serde(default, deserialize_with = "json::or_default")]
    answers: BTreeMap<String, Answer>,
    config: Option<Value>,
    global_config: Option<String>,
}

/// [`Work`] with the fields of every kind, so that an error names the field.
#[derive(Deserialize)]
struct GivenWork {
    kind: WorkKind,
    message: Option<String>,
    path: Option<String>,
    force: Option<bool>,
    spec: Option<String>,
    only: Option<Vec<String>>,
    /// The task, if the caller parsed the message.
    parsed: Option<GivenTask>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WorkKind {
    Task,
    Spec,
    Chunks,
}

#[wasm_bindgen]
impl RunHandle {
    /// Reads the host and the options without starting the run. `shape` converts a `GuardedFs` to an `FsPort` for the
    /// IDE's tools and gates.
    #[wasm_bindgen(constructor)]
    pub fn new(host: &JsValue, options: &JsValue, shape: Function) -> Result<RunHandle, JsValue> {
        Inner::read(host, options, shape).map(|inner| RunHandle(Rc::new(inner))).map_err(js_error)
    }

    /// Runs to the end; returns the `RunResult` as JSON text. `listener` gets arrays of events, each as JSON text.
    ///
    /// Rejects with an error of the host or of loopgate. A run that stops for another reason resolves.
    #[wasm_bindgen(unchecked_return_type = "Promise<string>")]
    pub fn drive(&self, listener: Function) -> Promise {
        let inner = self.0.clone();
        promise(async move { to_text(inner.drive(listener).await) })
    }

    /// Ends the run. The first reason is used.
    pub fn abort(&self, reason: &str) {
        self.0.abort.fire(reason);
    }

    /// Queues a user message; the agent gets it at the next safe point.
    pub fn steer(&self, message: String) {
        self.0.steering.borrow_mut().push(message);
    }

    /// Ends the present wait; without one, nothing happens.
    #[wasm_bindgen(js_name = retryNow)]
    pub fn retry_now(&self) {
        self.0.retry.borrow().fire("the user retries");
    }

    /// The user edits these files: what changes in them is the user's, also during a call.
    pub fn edited(&self, paths: Vec<String>) {
        self.0.edited.add(paths);
    }
}

impl Inner {
    fn read(host: &JsValue, options: &JsValue, shape: Function) -> Result<Self, Error> {
        let options: Options = from_js(options).map_err(|why| why.of_argument("the options of the run"))?;
        options.limits.resolve()?;
        // The work of a resumed run is in its journal.
        let is_known = options.work.is_some();
        let (work, parsed) = match options.work {
            Some(GivenWork { kind, message, path, force, parsed, spec, only }) => {
                let work = match kind {
                    WorkKind::Task => Work::Task { message: message.unwrap_or_default() },
                    WorkKind::Spec => Work::Spec { path, force: force.unwrap_or_default() },
                    WorkKind::Chunks => Work::Chunks { spec: spec.unwrap_or_default(), only },
                };
                (work, parsed)
            }
            None if options.resume => (Work::task(""), None),
            None => return Err(Error::new(ErrorCode::InvalidArgument, "`work` is missing: say what the run works on")),
        };
        config::resolve_layer(options.config.as_ref().unwrap_or(&Value::Null))?;
        let options = RunOptions {
            run_id: options.run_id,
            holder: options.holder,
            work,
            parsed,
            clarify: options.clarify.unwrap_or(true),
            limits: options.limits,
            config: ConfigSources { global: options.global_config, layer: options.config },
            plan: options.plan,
            answers: options.answers,
            resume: options.resume,
            registry: registry(&get(host, "registry"))?,
        };
        options.check()?;
        let given = host.clone();
        let host = host::read(host, Some(shape))?;
        if host.model.is_none() && host.models.is_empty() && is_known && !matches!(options.work, Work::Chunks { .. }) {
            return Err(Error::new(ErrorCode::InvalidArgument, "`model` is missing: a run needs one"));
        }
        let (abort, steering, edited) = (Abort::new(), SteerQueue::default(), Edited::default());
        Ok(Self { given, waiting: Cell::new(Some((host, options))), abort, steering, edited, retry: Rc::default() })
    }

    /// The host with its key, and the options; once.
    async fn start(&self) -> Result<(Host, RunOptions), Error> {
        let Some((mut host, options)) = self.waiting.take() else {
            return Err(Error::new(ErrorCode::Conflict, "the run has already started"));
        };
        host::load_key(&mut host, &self.given).await?;
        Ok((host, options))
    }

    async fn drive(&self, listener: Function) -> Result<RunResult, Error> {
        let (host, options) = self.start().await?;
        let (abort, steering, edited) = (self.abort.clone(), self.steering.clone(), self.edited.clone());
        let control = RunControl { abort, steering, edited, retry: self.retry.clone() };
        let events = Events { waiting: RefCell::default(), listener };
        let push = |_: &Envelope, json: &str| events.waiting.borrow_mut().push(json.to_owned());
        let mut run = pin!(drive(&host, options, &control, &push));
        // The listener is called between two polls of the run, never inside one.
        poll_fn(|context| {
            let polled = run.as_mut().poll(context);
            events.deliver();
            polled
        })
        .await
    }
}

/// The unfinished run of a project as JSON text; `null` if there is none. Rejects like [`find_unfinished`].
#[wasm_bindgen(js_name = findUnfinishedRun, unchecked_return_type = "Promise<string>")]
pub fn find_unfinished_run(host: JsValue) -> Promise {
    let found = async move {
        let host = Stored::open(&host).await?;
        find_unfinished(host.project()).await
    };
    promise(async move { to_text(found.await) })
}

/// What a run with these options will probably use; an [`Estimate`](crate::run::Estimate) as JSON text.
#[wasm_bindgen(js_name = estimateRun, unchecked_return_type = "Promise<string>")]
pub fn estimate_run(host: JsValue, options: JsValue, shape: Function) -> Promise {
    let estimated = async move {
        let (host, options) = Inner::read(&host, &options, shape)?.start().await?;
        estimate(&host, &options).await
    };
    promise(async move { to_text(estimated.await) })
}

/// The files that a run changed, and by whom; an array of changes as JSON text. The run is named by its id, or by the
/// number of its task.
#[wasm_bindgen(js_name = changesOfRun, unchecked_return_type = "Promise<string>")]
pub fn changes_of_run(host: JsValue, run_id: Option<String>, task: Option<u32>) -> Promise {
    promise(async move {
        let host = host::open(&host, None).await.map_err(js_error)?;
        to_text(changes(&host, &run_ref(run_id, task)).await)
    })
}

/// Takes the agent's part of a run back; returns `{ reverted, conflicts, undo }` as JSON text.
#[wasm_bindgen(js_name = revertRun, unchecked_return_type = "Promise<string>")]
pub fn revert_run(host: JsValue, run_id: Option<String>, task: Option<u32>, paths: Option<Vec<String>>) -> Promise {
    promise(async move {
        let host = host::open(&host, None).await.map_err(js_error)?;
        to_text(revert(&host, &run_ref(run_id, task), paths.as_deref()).await)
    })
}

/// Checks out the branch from which the branch of the spec started; returns `{ branch }` as JSON text.
#[wasm_bindgen(js_name = leaveBranch, unchecked_return_type = "Promise<string>")]
pub fn leave_spec_branch(host: JsValue) -> Promise {
    promise(async move {
        let host = host::open(&host, None).await.map_err(js_error)?;
        to_text(leave_branch(&host).await.map(|branch| json!({ "branch": branch })))
    })
}

/// Merges the branch of a spec; returns `{ commit, fastForward }` as JSON text.
#[wasm_bindgen(js_name = mergeBranch, unchecked_return_type = "Promise<string>")]
pub fn merge_spec_branch(host: JsValue, spec: String) -> Promise {
    promise(async move {
        let host = host::open(&host, None).await.map_err(js_error)?;
        to_text(merge_branch(&host, &spec).await)
    })
}

fn run_ref(run_id: Option<String>, task: Option<u32>) -> RunRef {
    match (run_id, task) {
        (Some(run_id), _) => RunRef::Run(run_id),
        (None, task) => RunRef::Task(task.unwrap_or_default()),
    }
}

/// The name of the lock and of the channel of a project's runs.
#[wasm_bindgen(js_name = runName)]
pub fn name_of_runs(dir: &JsValue) -> Result<String, JsValue> {
    project_dir(dir).map(|dir| run_name(&dir)).map_err(js_error)
}

/// The journaled events of a run from a number on, as JSON text; see [`read_events`].
#[wasm_bindgen(js_name = readEvents, unchecked_return_type = "Promise<string>")]
pub fn read_run_events(host: JsValue, run_id: Option<String>, from: f64) -> Promise {
    let events = async move {
        let host = Stored::open(&host).await?;
        read_events(host.project(), run_id.as_deref(), from as u64).await
    };
    promise(async move { to_text(events.await) })
}

/// The records of a run's iterations, as JSON text; see [`list_iterations`].
#[wasm_bindgen(js_name = listIterations, unchecked_return_type = "Promise<string>")]
pub fn list_run_iterations(host: JsValue, run_id: String) -> Promise {
    let records = async move {
        let host = Stored::open(&host).await?;
        list_iterations(host.project(), &run_id).await
    };
    promise(async move { to_text(records.await) })
}

/// The runs of a project, as JSON text; see [`list_runs`].
#[wasm_bindgen(js_name = listRuns, unchecked_return_type = "Promise<string>")]
pub fn list_project_runs(host: JsValue) -> Promise {
    promise(async move { to_text(async { list_runs(Stored::open(&host).await?.project()).await }.await) })
}

/// The files below `specs/`, as JSON text; see [`list_specs`].
#[wasm_bindgen(js_name = listSpecs, unchecked_return_type = "Promise<string>")]
pub fn list_project_specs(host: JsValue) -> Promise {
    promise(async move { to_text(async { list_specs(Stored::open(&host).await?.project()).await }.await) })
}

/// The chunks of a spec, as JSON text; see [`list_chunks`].
#[wasm_bindgen(js_name = listChunks, unchecked_return_type = "Promise<string>")]
pub fn list_spec_chunks(host: JsValue, spec: String) -> Promise {
    promise(async move { to_text(async { list_chunks(Stored::open(&host).await?.project(), &spec).await }.await) })
}

/// As [`is_work_file`].
#[wasm_bindgen(js_name = isWorkFile)]
pub fn belongs_to_work(path: &str) -> bool {
    is_work_file(path)
}

/// A [`ChunkReport`](crate::run::ChunkReport) as JSON text.
#[wasm_bindgen(js_name = checkChunks, unchecked_return_type = "string")]
pub fn check_chunk_list(text: &str) -> Result<JsValue, JsValue> {
    to_text(Ok(check_chunks(text)))
}

/// What the calls that only read the state of a project take of a host.
struct Stored {
    fs: JsFs,
    dir: String,
    key: StateKey,
    seen: Seen,
}

impl Stored {
    async fn open(host: &JsValue) -> Result<Self, Error> {
        let (fs, dir) = (JsFs::new(&get(host, "fs"))?, project_dir(&get(host, "dir"))?);
        let key = state_key(host, &dir).await?;
        Ok(Self { fs, dir, key, seen: Seen::default() })
    }

    fn project(&self) -> ProjectDir<'_> {
        ProjectDir::new(&self.fs, &self.dir).remembering(&self.seen).sealed_with(&self.key)
    }
}

/// Events waiting for the listener, each as JSON text.
struct Events {
    waiting: RefCell<Vec<String>>,
    listener: Function,
}

impl Events {
    /// Delivers the events. An exception of the listener is logged.
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
