//! A project in memory, a run on it, and its outcome.

use loopgate::plan::Registry;
use loopgate::port::ModelRequest;
use loopgate::port::memory::{MemoryHost, ScriptedModel, Turn};
use loopgate::run::{Envelope, Event, PlanMode, RunControl, RunOptions, RunResult, drive};
use loopgate::{Error, port::Phase};
use serde_json::json;
use std::borrow::Cow;
use std::cell::RefCell;
use std::future::poll_fn;
use std::task::Poll;

/// A valid plan.
pub(crate) const PLAN: &str = r#"export default (
  <App name="Drinks" description="A shop">
    <Theme mood="minimal" />
    <Screen name="main">
      <Section gumdrop="hero" />
      <Section gumdrop="features" />
      <Section gumdrop="cta" />
    </Screen>
  </App>
)
"#;

pub(crate) const SUMMARY: &str = "Built the page with three sections.";

/// Every event of a run, and its end.
pub(crate) struct Outcome {
    pub events: Vec<Envelope>,
    pub result: Result<RunResult, Error>,
}

impl Outcome {
    /// The result of a run that did not fail with an error.
    pub(crate) fn result(&self) -> &RunResult {
        self.result.as_ref().unwrap()
    }

    /// Every phase change, in order.
    pub(crate) fn phases(&self) -> Vec<(Phase, Phase)> {
        let changes = self.events.iter().filter_map(|envelope| match &envelope.event {
            Event::PhaseChanged { from, to, .. } => Some((*from, *to)),
            _ => None,
        });
        changes.collect()
    }

    /// The number of events of this type.
    pub(crate) fn count(&self, is: impl Fn(&Event) -> bool) -> usize {
        self.events.iter().filter(|envelope| is(&envelope.event)).count()
    }

    /// Every status text, joined.
    pub(crate) fn statuses(&self) -> String {
        let texts = self.events.iter().filter_map(|envelope| match &envelope.event {
            Event::Status { text } => Some(text.clone()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

pub(crate) fn options(id: &str, mode: PlanMode) -> RunOptions {
    RunOptions { plan: mode, ..RunOptions::task(id, "Build a drinks page", registry()) }
}

/// Options for a later task that builds a new app with its own plan.
pub(crate) fn fresh(id: &str, mode: PlanMode) -> RunOptions {
    RunOptions { plan: mode, ..RunOptions::task(id, "Start over: build a new tea shop", registry()) }
}

pub(crate) fn registry() -> Cow<'static, Registry> {
    Cow::Borrowed(Registry::builtin())
}

/// Runs a task in mode `auto` with this script.
pub(crate) async fn run(host: &MemoryHost, turns: impl IntoIterator<Item = Turn>) -> Outcome {
    let mut host = host.clone();
    host.model = Some(ScriptedModel::new(turns));
    run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await
}

pub(crate) async fn run_with(host: &MemoryHost, options: RunOptions, control: &RunControl) -> Outcome {
    let events = RefCell::new(Vec::new());
    let result = drive(host, options, control, &|envelope, _| events.borrow_mut().push(envelope.clone())).await;
    Outcome { events: events.into_inner(), result }
}

pub(crate) fn write(path: &str, content: &str) -> (&'static str, serde_json::Value) {
    ("write_file", json!({ "path": path, "content": content }))
}

/// A finished task that contains a section of [`PLAN`].
pub(crate) fn work() -> (&'static str, serde_json::Value) {
    write("src/hero.ts", "export const hero = '<h1>Drinks</h1>'\n")
}

pub(crate) fn complete() -> (&'static str, serde_json::Value) {
    ("complete_task", json!({}))
}

/// The complete text of a request.
pub(crate) fn text_of(request: &ModelRequest) -> String {
    serde_json::to_string(&request.messages).unwrap()
}

/// Waits without a clock until a condition holds; gives up when nothing else makes progress.
pub(crate) async fn until(is: impl Fn() -> bool) {
    let mut polls = 0;
    poll_fn(|context| {
        if is() {
            return Poll::Ready(());
        }
        polls += 1;
        assert!(polls < 100_000, "what the test waits for never came");
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// A run whose model follows these turns, and the model.
pub(crate) async fn run_scripted(
    host: &MemoryHost,
    options: RunOptions,
    turns: impl IntoIterator<Item = Turn>,
) -> (Outcome, ScriptedModel) {
    let model = ScriptedModel::new(turns);
    let host = host.clone().with(|ports| ports.model = Some(model.clone()));
    (run_with(&host, options, &RunControl::default()).await, model)
}

/// Damages a line of a run's journal that is not the last one.
pub(crate) fn damage(host: &MemoryHost, run_id: &str) {
    let (path, text) = host.fs.tree(&format!("/project/.loopgate/journal/{run_id}")).into_iter().nth(1).unwrap();
    let text = String::from_utf8(text).unwrap().replacen("\"seq\"", "\"sEq\"", 1);
    host.fs.put(&path, text);
}
